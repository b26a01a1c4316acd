# One run: (a) time per batch by stage, (b) the first batches with wait and step.
# Set by plot.c: TITLE, VERDICT, HEIGHT, BARS, TOP, BARS_UNIT, BAR_NAMES[], KINDS, KIND_NAMES[], KIND_COLORS[],
# $bars (a set for each kind: x from, x to, y from, y to), BATCHES (0: no timeline), LIMIT, NOTE, TIME_UNIT,
# $batches (set 0 wait, set 1 step; the same columns). Colours: Okabe and Ito's colour-blind-safe set.
set terminal svg size 900,HEIGHT font 'Arial,13' noenhanced background '#ffffff'
set encoding utf8
set multiplot
set border 3 lc rgb '#444444'
set tics nomirror out scale 0.5
set style fill solid 1.0 border rgb '#ffffff'
set lmargin at screen 0.16
set rmargin at screen 0.975

set label 1 TITLE at screen 0.02, screen 1 - 24.0/HEIGHT left font 'Arial,17'
set label 2 VERDICT at screen 0.02, screen 1 - 48.0/HEIGHT left font 'Arial,13' tc rgb '#444444'

# (a)
set tmargin at screen 1 - 110.0/HEIGHT
set bmargin at screen 1 - 266.0/HEIGHT
set key at screen 0.975, screen 1 - 80.0/HEIGHT right center horizontal maxrows 2 samplen 1 width 1
set grid xtics lc rgb '#dddddd' lt 1
set xlabel BARS_UNIT offset 0,0.4
set xrange [0:TOP]
set yrange [0.4:BARS + 0.6]
set ytics (BAR_NAMES[1] BARS) scale 0
do for [i = 2:BARS] { set ytics add (BAR_NAMES[i] BARS + 1 - i) }
plot for [i = 1:KINDS] $bars index i - 1 \
    using (($1 + $2) / 2):(($3 + $4) / 2):1:2:3:4 with boxxyerror \
    lc rgb KIND_COLORS[i] title KIND_NAMES[i]

# (b)
if (BATCHES > 0) {
    unset label 1
    unset label 2
    set tmargin at screen 1 - 356.0/HEIGHT
    set bmargin at screen 58.0/HEIGHT
    set key at screen 0.975, screen 1 - 338.0/HEIGHT right center horizontal maxrows 1 samplen 1 width 1
    set grid noxtics ytics lc rgb '#dddddd' lt 1
    set xlabel 'batch of rank 0, in order of arrival' offset 0,0.4
    set ylabel TIME_UNIT offset 1,0
    set xtics auto
    set xrange [-0.6:BATCHES - 0.4]
    set yrange [0:LIMIT]
    set ytics auto nomirror out scale 0.5
    set label 3 NOTE at screen 0.16, screen 1 - 338.0/HEIGHT left font 'Arial,12' tc rgb '#444444'
    plot $batches index 0 using (($1 + $2) / 2):(($3 + $4) / 2):1:2:3:4 with boxxyerror \
             lc rgb '#d55e00' title 'wait in next()', \
         $batches index 1 using (($1 + $2) / 2):(($3 + $4) / 2):1:2:3:4 with boxxyerror \
             lc rgb '#009e73' title 'step'
}
unset multiplot
