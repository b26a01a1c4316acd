# dlsim: one program and one library. 'make help' lists the targets.
#
# CC CFLAGS CPPFLAGS LDFLAGS LDLIBS belong to the caller; what dlsim itself needs is added in variables of its own.
# Modes: DEBUG=1, SAN=address,undefined, COVERAGE=1, WERROR=1; V=1 shows the commands. DEBUG, SAN, COVERAGE and a
# compiler that is clang have object folders of their own below build/, so modes never mix.
MAKEFLAGS += --no-builtin-rules
.SUFFIXES:
.DELETE_ON_ERROR:

PREFIX ?= /usr/local
bindir ?= $(PREFIX)/bin
datadir ?= $(PREFIX)/share
mandir ?= $(datadir)/man
completiondir ?= $(datadir)/bash-completion/completions
PKG_CONFIG ?= pkg-config
INSTALL ?= install
PERL ?= perl
CFLAGS ?= $(if $(DEBUG),-O0 -g,$(if $(COVERAGE),-O0 -g,-O2 -g))
DLSIM_DATA ?= ../shared/data

# ---------------------------------------------------------------- modes

comma := ,
empty :=
space := $(empty) $(empty)
MODE := $(if $(findstring clang,$(CC)),clang) $(if $(DEBUG),debug) $(if $(COVERAGE),coverage) \
        $(if $(SAN),san-$(subst $(comma),-,$(SAN)))
MODE := $(subst $(space),-,$(strip $(MODE)))
BUILD ?= build
O := $(BUILD)$(if $(MODE),/$(MODE))
Q := $(if $(V),,@)
say = $(if $(V),,@printf '  %-8s %s\n' '$(1)' '$(2)')

# ---------------------------------------------------------------- libraries

LIBRARIES := gsl sqlite3 yaml-0.1 libcjson zlib
PASSIVE := help clean distclean format format-check format-list uninstall demo
# Tests bring what they need: installing it must come before pkg-config is asked for flags.
ifneq ($(filter test check test-%,$(MAKECMDGOALS)),)
ifneq ($(shell sh tests/support/deps.sh 1>&2; echo $$?),0)
$(error the packages above are needed)
endif
endif
ifneq ($(filter-out $(PASSIVE),$(or $(MAKECMDGOALS),all)),)
MISSING := $(strip $(foreach l,$(LIBRARIES),$(shell $(PKG_CONFIG) --exists $l 2>/dev/null || echo $l)))
ifneq ($(MISSING),)
$(error missing for $(PKG_CONFIG): $(MISSING); 'tests/support/deps.sh' installs or names the packages)
endif
LIB_CFLAGS := $(shell $(PKG_CONFIG) --cflags $(LIBRARIES))
LIB_LIBS := $(shell $(PKG_CONFIG) --libs $(LIBRARIES)) -lm
CMOCKA_CFLAGS := $(shell $(PKG_CONFIG) --cflags cmocka 2>/dev/null)
CMOCKA_LIBS := $(shell $(PKG_CONFIG) --libs cmocka 2>/dev/null)
endif

# ---------------------------------------------------------------- flags

WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes
OUR_CPPFLAGS := -I. -D_POSIX_C_SOURCE=200809L $(if $(DEBUG),-DDLS_DEBUG)
OUR_CFLAGS := -std=c11 -ffp-contract=off -pthread $(WARNINGS) $(if $(WERROR),-Werror) \
              $(if $(SAN),-fsanitize=$(SAN) -fno-sanitize-recover=all -fno-omit-frame-pointer) \
              $(if $(COVERAGE),--coverage)
OUR_LDFLAGS := -pthread $(if $(SAN),-fsanitize=$(SAN)) $(if $(COVERAGE),--coverage)
COMPILE = $(CC) $(OUR_CPPFLAGS) $(LIB_CFLAGS) $(CPPFLAGS) $(OUR_CFLAGS) $(CFLAGS) -MMD -MP
LINK = $(CC) $(OUR_LDFLAGS) $(CFLAGS) $(LDFLAGS)

# ---------------------------------------------------------------- sources

SOURCES := $(sort $(wildcard sim/*.c sim/*/*.c models/*.c models/presets/*.c traces/*.c calib/*.c plots/*.c))
HEADERS := $(sort $(wildcard sim/*.h sim/*/*.h models/*.h models/presets/*.h traces/*.h calib/*.h plots/*.h \
                             tests/support/*.h))
PROGRAM_SOURCES := $(filter sim/cmd/%,$(SOURCES))
LIB_SOURCES := $(filter-out sim/cmd/%,$(SOURCES))
SUPPORT_SOURCES := $(sort $(wildcard tests/support/*.c))
UNIT_SOURCES := $(sort $(wildcard tests/unit/test_*.c))
THEORY_SOURCES := $(sort $(wildcard tests/theory/test_*.c))
BENCH_SOURCES := $(sort $(wildcard tests/bench/bench_*.c))
TEST_SOURCES := $(UNIT_SOURCES) $(THEORY_SOURCES) $(SUPPORT_SOURCES) $(BENCH_SOURCES)

objects = $(patsubst %.c,$(O)/%.o,$(1))
LIBRARY := $(O)/libdlsim.a
SUPPORT := $(if $(SUPPORT_SOURCES),$(O)/tests/libsupport.a)
PROGRAM := $(if $(wildcard sim/cmd/main.c),$(O)/dlsim)

# Test programs lie flat below the build folder; the plot templates are found from there as from the program.
UNIT := $(patsubst tests/unit/%.c,$(O)/unit/%,$(UNIT_SOURCES))
THEORY := $(patsubst tests/theory/%.c,$(O)/theory/%,$(THEORY_SOURCES))
GOLDEN := $(sort $(wildcard tests/golden/*.t))
CLI := $(sort $(wildcard tests/cli/*.t))
BENCH := $(patsubst tests/bench/%.c,$(O)/bench/%,$(BENCH_SOURCES))

# T=name: the test of exactly that name, else every test whose path contains it.
pick = $(if $(T),$(or $(filter %/test_$(T) %/$(T) %/$(T).t,$(1)),$(foreach t,$(1),$(if $(findstring $(T),$t),$t))),$(1))

# ---------------------------------------------------------------- build

.PHONY: all
all: $(LIBRARY) $(PROGRAM) ## build/dlsim and build/libdlsim.a (the default)

# Objects depend on the flags they were built with: the file changes only when its text does.
.PHONY: FORCE
FORCE:

define keep_text
	@mkdir -p $(@D)
	@printf '%s\n' '$(subst ','\'',$(1))' | cmp -s - $@ || printf '%s\n' '$(subst ','\'',$(1))' >$@
endef

$(O)/flags.txt: FORCE
	$(call keep_text,$(COMPILE) | $(LINK))
$(O)/datadir.txt: FORCE
	$(call keep_text,$(datadir))

$(O)/plots/plot.o: private OUR_CPPFLAGS += -DDLS_DATADIR='"$(datadir)/dlsim"'
$(O)/plots/plot.o: $(O)/datadir.txt
$(call objects,$(TEST_SOURCES)): private LIB_CFLAGS += $(CMOCKA_CFLAGS)

$(O)/%.o: %.c $(O)/flags.txt
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(COMPILE) -c -o $@ $<

$(LIBRARY): $(call objects,$(LIB_SOURCES))
	$(call say,AR,$@)
	@rm -f $@
	$(Q)$(AR) rcs $@ $^

$(O)/dlsim: $(call objects,$(PROGRAM_SOURCES)) $(LIBRARY)
	$(call say,LINK,$@)
	$(Q)$(LINK) -o $@ $(filter %.o,$^) $(LIBRARY) $(LIB_LIBS) $(LDLIBS)

$(O)/tests/libsupport.a: $(call objects,$(SUPPORT_SOURCES))
	$(call say,AR,$@)
	@rm -f $@
	$(Q)$(AR) rcs $@ $^

define link_test
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(LINK) -o $@ $(filter %.o,$^) $(SUPPORT) $(LIBRARY) $(CMOCKA_LIBS) $(LIB_LIBS) $(LDLIBS)
endef

$(UNIT): $(O)/unit/%: $(O)/tests/unit/%.o $(SUPPORT) $(LIBRARY) | has-cmocka
	$(link_test)
$(THEORY): $(O)/theory/%: $(O)/tests/theory/%.o $(SUPPORT) $(LIBRARY) | has-cmocka
	$(link_test)
$(BENCH): $(O)/bench/%: $(O)/tests/bench/%.o $(LIBRARY)
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(LINK) -o $@ $(filter %.o,$^) $(LIBRARY) $(LIB_LIBS) $(LDLIBS)
$(call objects,$(UNIT_SOURCES) $(THEORY_SOURCES) $(SUPPORT_SOURCES)): | has-cmocka

.PHONY: has-cmocka
has-cmocka:
	@$(PKG_CONFIG) --exists cmocka || { echo "missing for $(PKG_CONFIG): cmocka; 'tests/support/deps.sh' installs or" \
	    "names the package" >&2; exit 1; }

-include $(patsubst %.o,%.d,$(call objects,$(SOURCES) $(TEST_SOURCES)))

# ---------------------------------------------------------------- tests

# $(call run_tests,test programs and scripts)
define run_tests
	@DLSIM='$(abspath $(O)/dlsim)' DLSIM_DATA='$(DLSIM_DATA)' \
	    $(PERL) tests/support/run_tests.pl $(if $(V),--verbose) $(call pick,$(1))
endef

.PHONY: test check test-unit test-theory test-golden test-cli
test: all $(call pick,$(UNIT) $(THEORY)) ## every test; T=name picks some; the last line is the totals
	$(call run_tests,$(UNIT) $(THEORY) $(GOLDEN) $(CLI))
check: test ## alias of test
test-unit: $(LIBRARY) $(call pick,$(UNIT)) ## one layer: do the modules keep their contracts?
	$(call run_tests,$(UNIT))
test-theory: $(LIBRARY) $(call pick,$(THEORY)) ## one layer: does the engine agree with queueing theory?
	$(call run_tests,$(THEORY))
test-golden: all ## one layer: did a shipped result change?
	$(call run_tests,$(GOLDEN))
test-cli: all ## one layer: commands, messages, exit codes
	$(call run_tests,$(CLI))

.PHONY: golden-update validate bench
golden-update: all ## rewrites the references of tests/golden
	@DLSIM='$(abspath $(O)/dlsim)' DLSIM_DATA='$(DLSIM_DATA)' GOLDEN_UPDATE=1 \
	    $(PERL) tests/support/run_tests.pl --verbose $(GOLDEN)
validate: all ## predicted against measured, all cases of tests/validation/cases.yaml
	$(Q)DLSIM_DATA='$(DLSIM_DATA)' $(O)/dlsim validate tests/validation/cases.yaml --results tests/validation/RESULTS.md $(VALIDATE_FLAGS)
bench: $(call pick,$(BENCH)) ## times of the engine and of whole runs; T=name picks one
	@set -e; for program in $(call pick,$(BENCH)); do $$program; done

.PHONY: coverage
coverage: ## lines and branches that the tests reach, per file: build/coverage/report.txt
	@find '$(BUILD)/coverage' -name '*.gcda' -exec rm -f {} + 2>/dev/null || :
	@$(MAKE) COVERAGE=1 BUILD='$(BUILD)' test; status=$$?; \
	sh tests/support/coverage.sh '$(BUILD)/coverage' >'$(BUILD)/coverage/report.txt'; \
	cat '$(BUILD)/coverage/report.txt'; exit $$status

# ---------------------------------------------------------------- sources

FORMATTED = $(SOURCES) $(HEADERS) $(TEST_SOURCES) $(sort $(wildcard tests/fuzz/*.c))
CLANG_FORMAT ?= clang-format

.PHONY: format format-check lint
format: ## clang-format over all sources
	$(Q)$(CLANG_FORMAT) -i $(FORMATTED)
format-check: ## fails where 'make format' would change something
	$(Q)$(CLANG_FORMAT) --dry-run --Werror $(FORMATTED)
lint: all ## floors, headers, banned functions, sizes, shipped scenarios, cppcheck, clang-tidy
	$(Q)sh tests/lint/floors.sh
	$(Q)CC='$(CC)' sh tests/lint/headers.sh $(OUR_CPPFLAGS) $(LIB_CFLAGS) $(CMOCKA_CFLAGS)
	$(Q)sh tests/lint/banned.sh
	$(Q)sh tests/lint/sizes.sh
	$(Q)sh tests/lint/scenarios.sh $(O)/dlsim
	$(Q)sh tests/lint/analyse.sh $(OUR_CPPFLAGS) $(LIB_CFLAGS)

# ---------------------------------------------------------------- use

.PHONY: demo install uninstall clean distclean help
demo: ## installs what is missing, builds, runs and plots one shipped scenario
	$(Q)sh tests/support/deps.sh
	$(Q)$(MAKE) --no-print-directory all
	$(O)/dlsim run scenarios/monai_3d.yaml --plot build/monai_3d.svg

DATA := $(DESTDIR)$(datadir)/dlsim

install: all ## program, manual page, completion, plot templates, example scenarios; DESTDIR PREFIX
	$(Q)$(INSTALL) -d '$(DESTDIR)$(bindir)' '$(DESTDIR)$(mandir)/man1' '$(DESTDIR)$(completiondir)' \
	    '$(DATA)/plots' '$(DATA)/scenarios/params'
	$(Q)$(INSTALL) -m 755 $(O)/dlsim '$(DESTDIR)$(bindir)/dlsim'
	$(Q)$(INSTALL) -m 644 sim/cmd/dlsim.1 '$(DESTDIR)$(mandir)/man1/dlsim.1'
	$(Q)$(INSTALL) -m 644 sim/cmd/dlsim.bash '$(DESTDIR)$(completiondir)/dlsim'
	$(Q)$(INSTALL) -m 644 $(wildcard plots/*.gp) '$(DATA)/plots'
	$(Q)for file in $(wildcard scenarios/*.yaml scenarios/*.md); do \
	    $(INSTALL) -m 644 $$file '$(DATA)/scenarios' || exit 1; done
	$(Q)for file in $(wildcard scenarios/params/*); do \
	    $(INSTALL) -m 644 $$file '$(DATA)/scenarios/params' || exit 1; done
uninstall: ## removes what install put there
	$(Q)rm -f '$(DESTDIR)$(bindir)/dlsim' '$(DESTDIR)$(mandir)/man1/dlsim.1' '$(DESTDIR)$(completiondir)/dlsim'
	$(Q)rm -rf '$(DATA)'

clean: ## removes the build folder
	$(Q)rm -rf '$(BUILD)'
distclean: clean ## removes everything that is not source
	$(Q)find . -name '*.orig' -o -name '*.rej' -o -name '*~' | xargs -r rm -f

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  \1 \2/p' Makefile | awk '{name = $$1; $$1 = ""; printf "  %-14s%s\n", name, $$0}'
	@echo 'Modes: DEBUG=1 SAN=address,undefined COVERAGE=1 WERROR=1 CC=clang V=1'
