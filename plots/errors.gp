# Predicted against measured. Set by plot.c: TITLE, QUANTITY, LOW, HIGH, GROUPS, NAMES[], COLORS[], MARKS[],
# $points (a set for each group: measured, predicted).
set terminal svg size 720,640 font 'Arial,13' noenhanced background '#ffffff'
set encoding utf8
set border 3 lc rgb '#444444'
set tics nomirror out scale 0.5
set grid lc rgb '#dddddd' lt 1
set title TITLE font 'Arial,17'
set logscale xy
set xlabel 'measured: '.QUANTITY
set ylabel 'predicted: '.QUANTITY
set xrange [LOW:HIGH]
set yrange [LOW:HIGH]
set samples 200
set key top left reverse Left samplen 1.5 opaque
plot '+' using 1:($1 * 0.9):($1 * 1.1) with filledcurves lc rgb '#e8e8e8' title '±10 %', \
     x with lines lw 1.5 lc rgb '#444444' title 'equal', \
     for [i = 1:GROUPS] $points index i - 1 using 1:2 with points \
         pt MARKS[i] ps 0.8 lc rgb COLORS[i] title NAMES[i]
