# junct: the program, the library, and everything that checks them.
#
# `make help` lists the targets. All that is built goes below build/; a variant (asan, ubsan,
# coverage, fuzz) is the same build with other flags below build/VARIANT/. The targets that may
# have to install packages first (demo, test, ...) do so and then call make again, because the
# flags found below depend on what is installed.

VERSION   := $(shell sed -n 's/^.define JN_VERSION "\(.*\)"/\1/p' include/junct.h)
SOVERSION := $(firstword $(subst ., ,$(VERSION)))

PREFIX ?= /usr/local
CFLAGS ?= -O2 -g
WERROR ?= -Werror
JOBS   ?= $(shell nproc 2>/dev/null || echo 1)

FUZZ_SECONDS ?= 60
FUZZ_MODELS  ?= 1000
FUZZ_SEED    ?= 1
VALGRIND     ?= valgrind

VARIANT ?=
BUILD   := build$(VARIANT:%=/%)

# The commands are shown in full with V=1, else only what they make.
V    ?=
show  = @$(if $(V),echo '$(subst ','\'',$1)';,echo '  $@';) $1

.DELETE_ON_ERROR:
.SECONDARY:
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules

# ---- flags -------------------------------------------------------------------------------------

VARIANT_asan     := -O1 -fno-omit-frame-pointer -fsanitize=address
VARIANT_ubsan    := -O1 -fsanitize=undefined -fno-sanitize-recover=all
VARIANT_coverage := -O0 --coverage
VARIANT_fuzz     := -O1 -fno-omit-frame-pointer -fsanitize=fuzzer-no-link,address,undefined \
                    -fno-sanitize-recover=all

# One set of objects serves the program, the archive and the shared library: hence -fPIC.
WARNINGS := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes $(WERROR)
LANGUAGE := -std=c11 -D_POSIX_C_SOURCE=200809L -Iinclude -I$(BUILD)/gen
COMPILE  := $(CC) $(LANGUAGE) -fPIC $(WARNINGS) $(CPPFLAGS) $(CFLAGS) $(VARIANT_$(VARIANT))
LINK     := $(CC) $(CFLAGS) $(VARIANT_$(VARIANT)) $(LDFLAGS)

# Arb, Antic and Calcium became part of FLINT with version 3.
HASH      := \#
has_header = $(shell echo '$(HASH)include <$1>' | $(CC) $(CPPFLAGS) -E -x c - >/dev/null 2>&1 && echo yes)
# FLINT first, then NTL, if it rests on that, and what NTL is written in: the loader looks for every
# symbol in this order, and most of them are theirs. It saves a sixth of the instructions of a start.
NTL        := $(shell readelf -d "`$(CC) -print-file-name=libflint.so`" 2>/dev/null | \
                  sed -n 's/.*NEEDED.*\[\(libntl[^]]*\)\].*/-lstdc++ -l:\1/p')
FLINT_LIBS := -Wl,--no-as-needed -lflint $(NTL) -Wl,--as-needed \
              $(if $(call has_header,calcium/fmpz_mpoly_q.h),-lcalcium -lantic -lflint-arb)
# LAPACK, Graphviz and Z3 are loaded when they are needed, under these names (src/algebra/lapack.c,
# src/write/graphviz.c, src/verify/logic.c): the program starts in less than half the instructions.
soname = $(or $(shell readelf -d "`$(CC) -print-file-name=lib$1.so`" 2>/dev/null | \
                  sed -n 's/.*SONAME.*\[\(.*\)\].*/\1/p'),lib$1.so)
LIBS       := $(FLINT_LIBS) -lgmp -lcsv -lklu -lm -ldl
SONAME     := -shared -Wl,-soname,libjunct.so.$(SOVERSION) -Wl,--version-script=$(BUILD)/gen/libjunct.map
TEST_LIBS  := -lcunit -ljson-c -llapacke
# A peer for the benchmarks, where it is installed.
BENCH_IDA  := $(call has_header,ida/ida.h)
BENCH_LIBS := $(if $(BENCH_IDA),-lsundials_ida -lsundials_nvecserial -lsundials_sunmatrixdense \
              -lsundials_sunlinsoldense)

# ---- files -------------------------------------------------------------------------------------

PUBLIC   := $(wildcard include/*.h include/junct/*.h)
LIB_SRC  := $(filter-out src/cli/%,$(wildcard src/*/*.c))
CLI_SRC  := $(wildcard src/cli/*.c)
TEST_SRC := $(filter-out tests/fuzz/% tests/bench/%,$(wildcard tests/*.c tests/*/*.c))
BENCH_SRC := $(wildcard tests/bench/*.c) tests/sim/converter.c tests/sim/reference.c
FUZZ_SRC := $(wildcard tests/fuzz/fuzz_*.c)
ALL_C    := $(LIB_SRC) $(CLI_SRC) $(TEST_SRC) $(BENCH_SRC) $(FUZZ_SRC) tests/fuzz/models.c
EXAMPLES := $(wildcard examples/*.hbg)

# tests/*/test_NAME.c defines suite_NAME(); the runner reads the list of names.
SUITES := $(patsubst test_%.c,%,$(filter test_%,$(notdir $(TEST_SRC))))

objects = $(patsubst %.c,$(BUILD)/obj/%.o,$1)

PROGRAM := $(BUILD)/junct
ARCHIVE := $(BUILD)/libjunct.a
SHARED  := $(BUILD)/libjunct.so.$(VERSION)
RUNNER  := $(BUILD)/tests/run-tests
FUZZERS := $(FUZZ_SRC:tests/fuzz/%.c=build/fuzz/%)

# ---- building ----------------------------------------------------------------------------------

.PHONY: all
all: $(PROGRAM) $(ARCHIVE) $(SHARED) ## build the program and both libraries (the default)

# Rewritten only when their text changes, so that what depends on them is rebuilt just then.
rewrite = @mkdir -p $(@D); printf '%s\n' $1 | cmp -s - $@ || printf '%s\n' $1 > $@

.PHONY: FORCE
FORCE:
$(BUILD)/flags: FORCE
	$(call rewrite,'$(COMPILE) $(LINK) $(LIBS)')
$(BUILD)/files: FORCE
	$(call rewrite,$(LIB_SRC) $(CLI_SRC) $(TEST_SRC))
$(BUILD)/tests/suites.def: FORCE
	$(call rewrite,$(patsubst %,'SUITE(%)',$(SUITES)))

$(BUILD)/obj/%.o: %.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(call show,$(COMPILE) $(EXTRA) -MMD -MP -c -o $@ $<)

# suite_NAME() and the fuzzer's entry have no header that could declare them.
$(BUILD)/obj/tests/%.o: EXTRA := -Itests -Isrc -I$(BUILD)/tests -Wno-missing-prototypes
$(BUILD)/obj/tests/main.o: $(BUILD)/tests/suites.def

$(BUILD)/gen/libraries.h: FORCE
	$(call rewrite,'#define JN_LAPACK_LIBRARY "$(call soname,openblas)"' \
	    '#define JN_GRAPHVIZ_LIBRARY "$(call soname,gvc)"' \
	    '#define JN_Z3_LIBRARY "$(call soname,z3)"')
$(BUILD)/obj/src/algebra/lapack.o $(BUILD)/obj/src/write/graphviz.o \
    $(BUILD)/obj/src/verify/logic.o: $(BUILD)/gen/libraries.h

# reports/parts/NAME.tex becomes the string jni_part_NAME.
PARTS := $(wildcard reports/parts/*.tex)
$(BUILD)/gen/report_parts.def: $(PARTS) Makefile
	@mkdir -p $(@D)
	@for part in $(PARTS); do \
	    name=$${part##*/}; echo "const char jni_part_$${name%.tex}[] ="; \
	    sed -e 's/[\\"]/\\&/g' -e 's/.*/    "&\\n"/' $$part; echo ';'; \
	done > $@
$(BUILD)/obj/src/write/report_parts.o: $(BUILD)/gen/report_parts.def

# src/page, with the library for plots from its own package, becomes the text of a page before and
# after its data.
DYGRAPHS ?= /usr/share/javascript/dygraphs
PAGE     := $(wildcard src/page/*)
$(BUILD)/gen/page_parts.def: .tools/page.sh $(PAGE)
	@mkdir -p $(@D)
	@.tools/page.sh $(DYGRAPHS) > $@
$(BUILD)/obj/src/write/html_parts.o: $(BUILD)/gen/page_parts.def

$(ARCHIVE): $(call objects,$(LIB_SRC)) $(BUILD)/files
	@rm -f $@
	$(call show,$(AR) rcs $@ $(filter %.o,$^))

# The shared library exports what the public headers declare.
$(BUILD)/gen/libjunct.map: .tools/exports.sh $(wildcard include/junct/*.h)
	@mkdir -p $(@D)
	@.tools/exports.sh $(filter %.h,$^) > $@

$(SHARED): $(call objects,$(LIB_SRC)) $(BUILD)/files $(BUILD)/gen/libjunct.map
	$(call show,$(LINK) $(SONAME) -o $@ $(filter %.o,$^) $(LIBS))
	@ln -sf $(@F) $(BUILD)/libjunct.so.$(SOVERSION)
	@ln -sf $(@F) $(BUILD)/libjunct.so

$(PROGRAM): $(call objects,$(CLI_SRC)) $(ARCHIVE) $(BUILD)/files
	$(call show,$(LINK) -o $@ $(filter %.o %.a,$^) $(LIBS))

# junct sweep over several machines: a program of its own, so that nothing else needs an MPI library.
MPI     ?=
MPICC   ?= mpicc
MPI_SRC := src/cli/mpi/junct_sweep_mpi.c
MPI_OBJ := $(filter-out $(BUILD)/obj/src/cli/main.o,$(call objects,$(CLI_SRC)))
SWEEP_MPI := $(BUILD)/junct-sweep-mpi
ifneq ($(MPI),)
all: $(SWEEP_MPI)
endif
$(SWEEP_MPI): $(MPI_SRC) $(MPI_OBJ) $(ARCHIVE)
	$(call show,$(MPICC) $(LANGUAGE) -Isrc/cli $(WARNINGS) $(CPPFLAGS) $(CFLAGS) $(VARIANT_$(VARIANT)) \
	    $(LDFLAGS) -o $@ $(MPI_SRC) $(filter %.o %.a,$^) $(LIBS))

$(RUNNER): $(call objects,$(TEST_SRC)) $(ARCHIVE) $(BUILD)/files
	@mkdir -p $(@D)
	$(call show,$(LINK) -o $@ $(filter %.o %.a,$^) $(LIBS) $(TEST_LIBS))

$(BUILD)/bench: $(call objects,$(BENCH_SRC)) $(ARCHIVE)
	$(call show,$(LINK) -o $@ $(filter %.o %.a,$^) $(LIBS) $(BENCH_LIBS))

# Compiled anew when the peer has come or gone.
$(BUILD)/peers: FORCE
	$(call rewrite,'$(BENCH_LIBS)')
$(BUILD)/obj/tests/bench/bench_ida.o: $(BUILD)/peers

build/fuzz/models: $(BUILD)/obj/tests/fuzz/models.o
	$(call show,$(LINK) -o $@ $^)

build/fuzz/fuzz_%: $(BUILD)/obj/tests/fuzz/fuzz_%.o $(BUILD)/obj/tests/unit/ast_equal.o $(ARCHIVE)
	$(call show,$(LINK) -fsanitize=fuzzer -o $@ $^ $(LIBS))

-include $(patsubst %.o,%.d,$(call objects,$(ALL_C)))

# ---- what needs packages first -----------------------------------------------------------------

# Make again, looking anew at what is installed; in parallel, unless told how.
again = +@$(MAKE) --no-print-directory $(if $(findstring -j,$(MAKEFLAGS)),,-j$(JOBS))

# Two of these at once would build the same files twice over; inside, each is as parallel as asked.
STEPS := deps demo test bench fuzz asan ubsan valgrind lint format format-check coverage
.PHONY: $(STEPS) sample
ifneq ($(filter $(STEPS) install clean,$(MAKECMDGOALS)),)
.NOTPARALLEL:
endif

deps: ## install what building and testing need and is missing
	@CC='$(CC)' .tools/deps.sh build test fuzz

# The best of it; the README has the rest.
DEMO := build/demo
demo: deps ## build, and show a model checked, run, drawn and made into a page
	$(again) all
	@mkdir -p $(DEMO)
	@for args in 'check %' 'simulate % --to 20m --events $(DEMO)/events.csv --plot $(DEMO)/run.svg -o $(DEMO)/trace.csv' \
	    'draw % -o $(DEMO)/graph.svg' 'page % -o $(DEMO)/page.html'; do \
	    args=$$(echo "$$args" | sed 's|%|examples/chopper.hbg|'); \
	    echo; echo "\$$ junct $$args"; $(PROGRAM) $$args || exit; \
	done; \
	echo; echo 'the first events:'; head -n 5 $(DEMO)/events.csv; echo; echo 'Now open'; \
	echo '  $(DEMO)/page.html   in a browser: click a switch, play the run'; \
	echo '  $(DEMO)/graph.svg   the causal bond graph'; \
	echo '  $(DEMO)/run.svg     the run, $(DEMO)/trace.csv and $(DEMO)/events.csv its numbers'

test: deps ## build, and run every test and check
	$(again) run-tests

sample: all ## write the sample report in reports/sample anew
	$(PROGRAM) report examples/chopper.hbg -o reports/sample
	$(PROGRAM) report examples/chopper.hbg -o reports/sample --format md

# The pictures of docs/performance.md: make bench PICTURES=docs/performance
PICTURES ?= $(BUILD)/pictures
bench: deps ## build and run the benchmarks (tests/bench; ARGS=... are passed on)
	@.tools/deps.sh bench || echo "going on without the programs to compare with" >&2
	$(again) $(BUILD)/bench
	@mkdir -p $(PICTURES)
	@$(BUILD)/bench pictures=$(PICTURES) $(ARGS)

asan: deps ## all tests with AddressSanitizer and LeakSanitizer
	$(again) VARIANT=asan ASAN_OPTIONS=detect_leaks=1 run-tests

ubsan: deps ## all tests with UndefinedBehaviorSanitizer
	$(again) VARIANT=ubsan UBSAN_OPTIONS=print_stacktrace=1 run-tests

coverage: deps ## all tests, then the share of lines they reach in each file
	@find build/coverage -name '*.gcda' -delete 2>/dev/null || :
	$(again) VARIANT=coverage run-tests
	@.tools/coverage.sh build/coverage/obj/src

fuzz: ## libFuzzer for FUZZ_SECONDS (60) a target, and FUZZ_MODELS (1000) random models (needs clang)
	@$(if $(FUZZERS),:,echo 'there is no tests/fuzz/fuzz_*.c' >&2; exit 1)
	@.tools/deps.sh fuzz
	$(again) VARIANT=fuzz CC='$(filter ccache,$(CC)) clang' $(FUZZERS) build/fuzz/junct build/fuzz/models
	@ASAN_OPTIONS=detect_leaks=0 build/fuzz/models tests/fuzz/models.grammar build/fuzz/junct \
	    build/fuzz/runs $(FUZZ_SEED) $(FUZZ_MODELS)
	@for f in $(FUZZERS); do .tools/fuzz.sh $$f $(FUZZ_SECONDS) || exit; done

valgrind: deps ## run the commands over every example under valgrind
	@.tools/deps.sh valgrind
	$(again) all
	@VALGRIND='$(VALGRIND)' .tools/valgrind.sh $(PROGRAM) $(JOBS) $(EXAMPLES)

lint: deps ## cppcheck and clang-tidy over src; no finding is success
	@.tools/deps.sh lint
	cppcheck --quiet --std=c11 --enable=warning,performance,portability --inline-suppr \
	    --suppress=missingIncludeSystem --error-exitcode=1 -Iinclude -j$(JOBS) src
	$(again) $(BUILD)/gen/report_parts.def $(BUILD)/gen/page_parts.def $(BUILD)/gen/libraries.h
	printf '%s\n' $(LIB_SRC) $(CLI_SRC) | xargs -P$(JOBS) -n4 sh -c \
	    'clang-tidy --quiet --warnings-as-errors="*" "$$@" -- $(LANGUAGE)' clang-tidy

# The headers' columns are set by hand.
FORMATTED = $$(find src tests -name '*.c')

format: ## clang-format all sources in place
	@.tools/deps.sh format
	clang-format -i $(FORMATTED)

format-check: ## show where clang-format would change something
	@.tools/deps.sh format
	clang-format --dry-run --Werror $(FORMATTED)

# ---- checks ------------------------------------------------------------------------------------

# The runner also runs the scripts tests/*/check_*.sh. In a variant only those that run the program.
.PHONY: run-tests
run-tests: $(PROGRAM) $(RUNNER) $(if $(VARIANT),,all)
	@JUNCT=$(PROGRAM) CHECKS='tests/$(if $(VARIANT),cli,*)/check_*.sh' $(RUNNER) -j$(JOBS) $(SUITE)

.PHONY: test-page
test-page: deps ## build, and test `junct page` in Chromium (PAGE_SHOTS=FOLDER: with pictures)
	$(again) run-tests SUITE=page

.PHONY: layers
layers: ## check that no stage includes a later one
	@.tools/layers.sh

# ---- installing --------------------------------------------------------------------------------

BINDIR     := $(PREFIX)/bin
LIBDIR     := $(PREFIX)/lib
INCLUDEDIR := $(PREFIX)/include
MANDIR     := $(PREFIX)/share/man/man1
SHAREDIR   := $(PREFIX)/share
DOCDIR     := $(SHAREDIR)/doc/junct
SHARED_FILES := $(addprefix $(SHAREDIR)/,bash-completion/completions/junct zsh/site-functions/_junct \
              fish/vendor_completions.d/junct.fish vim/vimfiles/syntax/hbg.vim \
              vim/vimfiles/ftdetect/hbg.vim junct/vscode/hbg.tmLanguage.json \
              junct/vscode/package.json junct/vscode/language-configuration.json)
DOCS       := README.md LICENSE $(wildcard docs/*.md reports/sample/* examples/*.hbg examples/*.csv examples/README.md examples/api/*)
INSTALLED  := $(BINDIR)/junct $(if $(MPI),$(BINDIR)/junct-sweep-mpi) $(LIBDIR)/libjunct.a $(LIBDIR)/libjunct.so.$(VERSION) \
              $(LIBDIR)/libjunct.so.$(SOVERSION) $(LIBDIR)/libjunct.so \
              $(LIBDIR)/pkgconfig/junct.pc $(MANDIR)/junct.1 $(PUBLIC:include/%=$(INCLUDEDIR)/%) \
              $(SHARED_FILES) $(addprefix $(DOCDIR)/,$(DOCS))

# Completions and highlighting, written by the program's own lists.
$(BUILD)/share: .tools/editors.sh $(PROGRAM)
	@rm -rf $@
	$(call show,.tools/editors.sh $(PROGRAM) $@)

.PHONY: install uninstall
install: all $(BUILD)/share ## install below PREFIX (/usr/local), inside DESTDIR
	install -d $(sort $(addprefix $(DESTDIR),$(dir $(INSTALLED))))
	install -m 755 $(PROGRAM) $(if $(MPI),$(SWEEP_MPI)) $(DESTDIR)$(BINDIR)/
	install -m 644 $(ARCHIVE) $(SHARED) $(DESTDIR)$(LIBDIR)/
	ln -sf libjunct.so.$(VERSION) $(DESTDIR)$(LIBDIR)/libjunct.so.$(SOVERSION)
	ln -sf libjunct.so.$(VERSION) $(DESTDIR)$(LIBDIR)/libjunct.so
	install -m 644 $(filter-out include/junct/%,$(PUBLIC)) $(DESTDIR)$(INCLUDEDIR)/
	install -m 644 $(filter include/junct/%,$(PUBLIC)) $(DESTDIR)$(INCLUDEDIR)/junct/
	install -m 644 docs/junct.1 $(DESTDIR)$(MANDIR)/
	for f in $(SHARED_FILES:$(SHAREDIR)/%=%); do \
	    install -m 644 $(BUILD)/share/$$f $(DESTDIR)$(SHAREDIR)/$$f || exit; done
	for f in $(DOCS); do install -m 644 $$f $(DESTDIR)$(DOCDIR)/$$f || exit; done
	sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@VERSION@|$(VERSION)|' -e 's|@LIBS@|$(LIBS)|' \
	    .tools/junct.pc.in > $(DESTDIR)$(LIBDIR)/pkgconfig/junct.pc

uninstall: ## remove what install put there
	rm -f $(addprefix $(DESTDIR),$(INSTALLED))
	[ ! -d $(DESTDIR)$(INCLUDEDIR)/junct ] || rmdir $(DESTDIR)$(INCLUDEDIR)/junct
	rm -rf $(DESTDIR)$(DOCDIR) $(DESTDIR)$(SHAREDIR)/junct

# ---- the rest ----------------------------------------------------------------------------------

.PHONY: clean help
clean: ## remove build/
	rm -rf build

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/\1\t\2/p' $(firstword $(MAKEFILE_LIST)) | \
	    awk -F '\t' '{ printf "  %-13s %s\n", $$1, $$2 }'
