# The tests: unit tests, cases of the tool, fuzz targets, kernels on the host, emulated GPUs.
TEST_SRC := $(wildcard tests/unit/*/test_*.c)
SUPPORT := $(call obj,$(wildcard tests/support/*.c tests/support/*/*.c))
# The programs of all rooms are in one folder.
TESTS := $(patsubst %.c,$(BUILD)/tests/unit/%,$(notdir $(TEST_SRC)))
$(foreach t,$(TEST_SRC),$(eval $(BUILD)/tests/unit/$(basename $(notdir $t)): $(call obj,$t)))
CHECK_LIBS = $(shell $(PKG_CONFIG) --libs check)

# These tests call the commands of the tool.
$(BUILD)/tests/unit/test_memory $(BUILD)/tests/unit/test_numbers $(BUILD)/tests/unit/test_option_table $(BUILD)/tests/unit/test_process $(BUILD)/tests/unit/test_stacks: $(filter-out $(BUILD)/cli/main.o,$(CLI_OBJ))
# The calls of this test are generated from the public header.
$(BUILD)/tests/unit/misuse_calls.h: tests/unit/misuse_calls.awk include/motifsieve.h $(wildcard include/motifsieve/*.h)
	@mkdir -p $(@D)
	$(call quietly,GEN,awk -f $^ >$@)
$(BUILD)/tests/unit/library/test_misuse_calls.o: $(BUILD)/tests/unit/misuse_calls.h
$(BUILD)/tests/unit/library/test_misuse_calls.o: EXTRA := -I$(BUILD)/tests/unit
# These tests draw the random cases of the engines on GPUs.
$(BUILD)/tests/unit/test_count_shares $(BUILD)/tests/unit/test_row_units: $(call obj,tests/gpu/random_case.c)
# This test needs no MPI.
$(BUILD)/tests/unit/test_rank_store: $(call obj,mpi/store.c)
# This test runs some cells of the benchmark.
$(BUILD)/tests/unit/test_miss_rate: $(MISS_RATE_OBJ) $(BENCH_COMMON)
$(TESTS): $(SUPPORT) $(STATIC)
	$(call quietly,LINK,$(CC) $(ALL_LDFLAGS) -o $@ $(filter %.o,$^) $(STATIC) $(CHECK_LIBS) $(LDLIBS))

# The test of the arithmetic without the rest of the library, for processors that need another compiler.
$(BUILD)/tests/gf2_alone: $(call obj,$(filter base/% gf2/%,$(LIB_SRC)) tests/unit/gf2/test_gf2.c tests/support/test_main.c tests/support/files.c)
	$(call quietly,LINK,$(CC) $(ALL_LDFLAGS) -o $@ $^ $(CHECK_LIBS) $(LDLIBS))

# The sweep of pattern counts with engines that miscount.
MISCOUNT := $(BUILD)/tests/bench/miscount
MISCOUNT_LDFLAGS := -Wl,--wrap=bench_engine_named
$(MISCOUNT): $(call obj,tests/bench/miscount.c) $(call bench_obj,pattern_sweep) $(SWEEP_OBJ) $(BENCH_COMMON) $(STATIC)
	$(call quietly,LINK,$(CC) $(ALL_LDFLAGS) $(MISCOUNT_LDFLAGS) -o $@ $(filter %.o,$^) $(STATIC) $(LDLIBS))

include tests/gpu/rules.mk

# ---- faults in whole commands ----------------------------------------------------------
# The shim stands between the tool and libc; it is not instrumented.  It needs glibc.
FAULTS := $(if $(findstring linux-gnu,$(MACHINE)),$(BUILD)/tests/faults/faults $(BUILD)/tests/faults/shim.so)
FAULTS_OBJ := $(call obj,$(addprefix tests/faults/,faults.c commands.c judge.c process.c))
$(BUILD)/tests/faults/faults: $(FAULTS_OBJ)
	$(call quietly,LINK,$(CC) $(ALL_LDFLAGS) -o $@ $^)
$(BUILD)/tests/faults/shim.so: tests/faults/shim.c tests/faults/page.h $(BUILD)/flags
	@mkdir -p $(@D)
	$(call run_compiler,CC,$(CC) -std=c17 -D_GNU_SOURCE -O1 -g $(WARN) -fPIC -fvisibility=hidden -I. $(CPPFLAGS) \
	  $(CFLAGS) -shared -o $@ $< -ldl -lpthread)

# What shows programs another machine (tests/machines.sh) needs glibc, too.
MACHINES := $(if $(findstring linux-gnu,$(MACHINE)),$(BUILD)/tests/machine.so)
$(BUILD)/tests/machine.so: tests/machine.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(call run_compiler,CC,$(CC) -std=c17 -D_GNU_SOURCE -O1 -g $(WARN) -fPIC -fvisibility=hidden $(CPPFLAGS) \
	  $(CFLAGS) -shared -o $@ $< -ldl)

# ---- fuzz targets --------------------------------------------------------------------
# NAME:SOURCE:FUZZ_WHAT is tests/fuzz/fuzz_SOURCE.c with that macro; its seeds are in
# tests/fuzz/corpus/NAME.
FUZZ_TARGETS := edge-list:graph:MS_FORMAT_EDGE_LIST string:graph:MS_FORMAT_STRING \
                sif:graph:MS_FORMAT_SIF biogrid:graph:MS_FORMAT_BIOGRID mitab:graph:MS_FORMAT_MITAB \
                matrix-market:graph:MS_FORMAT_MATRIX_MARKET tve:graph:MS_FORMAT_TVE \
                lad:graph:MS_FORMAT_LAD dimacs:graph:MS_FORMAT_DIMACS metis:graph:MS_FORMAT_METIS \
                graphml:graph:MS_FORMAT_GRAPHML cx2:graph:MS_FORMAT_CX2 table:graph:MS_FORMAT_TABLE binary:graph:MS_FORMAT_BINARY \
                ri:graph:MS_FORMAT_RI motif:graph:MS_FORMAT_MOTIF \
                colors-tsv:colors:FUZZ_TSV colors-go-slim:colors:FUZZ_GO_SLIM \
                colors-gaf:colors:FUZZ_GAF colors-obo:colors:FUZZ_OBO aliases:colors:FUZZ_ALIASES \
                motif-text:motif:FUZZ_TEXT motif-file:motif:FUZZ_FILE result:result:FUZZ_RESULT \
                matches:result:FUZZ_MATCHES typed-matches:result:FUZZ_TYPED \
                typed-hetionet:typed:MS_TYPED_HETIONET typed-sif:typed:MS_TYPED_SIF \
                typed-table:typed:MS_TYPED_TABLE typed-tve:typed:MS_TYPED_TVE \
                typed-ri:typed:MS_TYPED_RI typed-edge-list:typed:MS_TYPED_EDGE_LIST \
                typed-graphml:typed:MS_TYPED_GRAPHML typed-cx2:typed:MS_TYPED_CX2 \
                typed-binary:typed:MS_TYPED_BINARY typed-nodes:typed:FUZZ_NODES \
                typed-relations:typed:FUZZ_RELATIONS typed-pattern:pattern:FUZZ_TEXT \
                typed-pattern-file:pattern:FUZZ_FILE commands:commands:COMMANDS
fuzz_part = $(word $1,$(subst :, ,$2))
FUZZ_NAMES := $(foreach t,$(FUZZ_TARGETS),$(call fuzz_part,1,$t))
FUZZERS := $(addprefix $(BUILD)/tests/fuzz/,$(FUZZ_NAMES))

define fuzz_object
$(BUILD)/tests/fuzz/$(call fuzz_part,1,$1).o: tests/fuzz/fuzz_$(call fuzz_part,2,$1).c $(BUILD)/flags
	@mkdir -p $$(@D)
	$$(call run_compiler,CC,$$(CC) $$(ALL_CFLAGS) -DFUZZ_WHAT=$(call fuzz_part,3,$1) -c -o $$@ $$<)
endef
$(foreach t,$(FUZZ_TARGETS),$(eval $(call fuzz_object,$t)))

# libFuzzer provides a main function; without it, replay.c does.
# The commands of the tool, whose help closes standard output.
$(BUILD)/tests/fuzz/commands: $(filter-out $(BUILD)/cli/main.o,$(CLI_OBJ))
$(BUILD)/tests/fuzz/commands: FUZZ_LDFLAGS := -Wl,--wrap=close
FUZZ_COMMON := $(call obj,tests/fuzz/fuzz.c tests/fuzz/mutate.c tests/fuzz/reseal.c tests/support/graphs/validate.c $(if $(FUZZ),,tests/fuzz/replay.c))
$(FUZZERS): %: %.o $(FUZZ_COMMON) $(STATIC)
	$(call quietly,LINK,$(CC) $(ALL_LDFLAGS) $(FUZZ_LDFLAGS) $(if $(FUZZ),-fsanitize=fuzzer) -o $@ $(filter %.o,$^) $(STATIC) $(LDLIBS))

TEST_OBJ := $(call obj,$(TEST_SRC) tests/bench/miscount.c) $(SUPPORT) $(FAULTS_OBJ) $(FUZZ_COMMON) $(addsuffix .o,$(FUZZERS))
-include $(TEST_OBJ:.o=.d)

# ---- targets --------------------------------------------------------------------------
build-tests: all python-if-there $(addprefix $(BUILD)/bench/,experiments pattern_sweep) $(MISCOUNT) $(TESTS) $(GPU_TESTS) $(FAULTS) $(MACHINES) $(FUZZERS) ## build everything, tests included, and run nothing

# Warnings are errors in `make check`, and nowhere else, so that a newer compiler does
# not prevent anybody from building the tool.  The objects are the same either way.
WERROR ?= 1
check-warnings: build-tests
	@[ -z '$(WERROR)' ] || tests/warnings.sh $(BUILD)

# For another compiler: every file of C, without linking most of the tests.  What nvcc compiles does not depend on CC.
C_OBJ := $(LIB_OBJ) $(CLI_OBJ) $(PLUGIN_OBJ) $(filter-out %.cu.o,$(GPU_OBJ)) $(TEST_OBJ) $(GPU_TEST_OBJ) $(BENCH_TEST_OBJ)
check-compiler: $(C_OBJ) $(BINARY) $(SHARED) $(FAULTS) $(MACHINES) $(addprefix $(BUILD)/tests/unit/,test_gf2 test_sieve) ## compile all files of C (CC=clang), and refuse warnings
	$(if $(PYTHON),@$(MAKE) --no-print-directory PYTHON='$(PYTHON)' $(BUILD)/python/native.o)
	@[ -z '$(WERROR)' ] || tests/warnings.sh $(BUILD)

# A third of the random cases; `tests/run.sh build NAME` and check-long run all.
check-run: check-warnings
	@MOTIFSIEVE_TEST_SCALE=$${MOTIFSIEVE_TEST_SCALE:-0.3} tests/run.sh $(BUILD)

# The sub-make reads this makefile again: deps may have installed a compiler.
check: deps ## build and run all tests
	@$(MAKE) --no-print-directory check-run

check-r: all ## test the R package, where R is installed
	@r/tests.sh $(BUILD)

check-quick: tool $(TESTS) ## run the unit tests with few random cases, and a case of each command
	@tests/run.sh $(BUILD) quick

check-patterns: deps ## test patterns in real networks thoroughly (perhaps an hour; MOTIFSIEVE_DATA names the data)
	@$(MAKE) --no-print-directory build-tests
	@MOTIFSIEVE_TEST_LONG=1 tests/run.sh $(BUILD) test_pattern_data test_pattern_queries test_pattern_lad

check-long: deps ## run all random cases, test every fault of every command, and fuzz all targets
	@$(MAKE) --no-print-directory check-warnings
	@MOTIFSIEVE_TEST_SCALE=1 tests/run.sh $(BUILD)
	@MOTIFSIEVE_TEST_LONG=1 tests/faults/run.sh $(BUILD)
	@if $(FUZZ_WORKS); then $(MAKE) --no-print-directory fuzz FUZZ_SECONDS=2; \
	  else echo 'SKIPPED: fuzzing needs clang with libFuzzer and its sanitizers'; fi

check-clean: ## run make demo and make check in a new Debian system (root, debootstrap, minutes)
	@tests/clean_machine.sh

check-aarch64: all ## test the code for 64-bit Arm processors, with a cross compiler and qemu (minutes)
	@tests/aarch64.sh $(BUILD)

check-format: ## refuse files that clang-format would change (clang-format 14)
	@tests/format.sh

# FUZZ_SECONDS each (default 3600), FUZZ_JOBS at a time, FUZZ_ONLY='tve lad' for some
FUZZ_CC ?= clang
FUZZ_ONLY ?= $(FUZZ_NAMES)
FUZZ_WORKS = echo 'int LLVMFuzzerTestOneInput(const char *d, long n) { return !d && n; }' | \
	  $(FUZZ_CC) -fsanitize=fuzzer,address,undefined -x c -o /dev/null - 2>/dev/null
fuzz: ## search for inputs that break a reader or a command, with libFuzzer, for hours
	@$(FUZZ_WORKS) || \
	  { echo 'make fuzz needs clang with its sanitizers: apt-get install clang libclang-rt-dev' >&2; exit 1; }
	@$(MAKE) --no-print-directory FUZZ=1 CC='$(FUZZ_CC)' BUILD=build-fuzz build-fuzzers
	@FUZZ_SECONDS='$(FUZZ_SECONDS)' FUZZ_JOBS='$(FUZZ_JOBS)' tests/fuzz/fuzz.sh build-fuzz $(FUZZ_ONLY)

build-fuzzers: $(FUZZERS)

.PHONY: build-tests check-warnings check-compiler check-run check check-r check-quick check-patterns check-long check-clean check-aarch64 check-format fuzz build-fuzzers
