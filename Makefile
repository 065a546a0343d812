# motifsieve: GNU make.  `make help` lists the targets.
.DEFAULT_GOAL := all
.SUFFIXES:
.DELETE_ON_ERROR:

VERSION := $(shell sed -n 's/^\#define MS_VERSION "\(.*\)"/\1/p' include/motifsieve.h)
SOVERSION := 0

# one switch each: make SANITIZE=1, make TSAN=1, make COVERAGE=1, make DEBUG=1
SANITIZE ?=
TSAN ?=
COVERAGE ?=
DEBUG ?=
# set by make fuzz: libFuzzer, which needs clang
FUZZ ?=

# NVIDIA GPUs: built in where nvcc is found; CUDA=0 leaves them out.  Instrumented
# builds leave them out unless CUDA=1 is given.  CUDA_ARCHS: machine code made here;
# newer GPUs compile the PTX of the last one at their first start.
NVCC ?= $(firstword $(shell command -v nvcc 2>/dev/null) $(wildcard /usr/local/cuda/bin/nvcc))
CUDA_ARCHS ?= 80 90
# nvcc that does not run, is older than CUDA 12, or whose headers and runtime are not
# there, is none.  Where those are only nvcc knows: its own path may be a link or a
# script of any place.
NVCC_RELEASE := $(if $(NVCC),$(shell $(NVCC) --version 2>/dev/null | sed -n 's/.*release \([0-9]*\)\..*/\1/p'))
CUDA_ROOT := $(if $(NVCC_RELEASE),$(shell $(NVCC) --dryrun -E -x cu /dev/null 2>&1 | sed -n 's/^\#$$ TOP=//p'))
CUDA_HEADER := $(if $(CUDA_ROOT),$(firstword $(wildcard $(CUDA_ROOT)/include/cuda_runtime_api.h \
               $(CUDA_ROOT)/targets/*/include/cuda_runtime_api.h /usr/include/cuda_runtime_api.h)))
CUDA_RUNTIME := $(if $(CUDA_ROOT),$(firstword $(wildcard $(CUDA_ROOT)/lib64/libcudart_static.a \
                $(CUDA_ROOT)/lib/libcudart_static.a $(CUDA_ROOT)/targets/*/lib/libcudart_static.a \
                /usr/lib/*-linux-gnu/libcudart_static.a)))
NVCC_WORKS := $(if $(NVCC_RELEASE),$(shell [ $(NVCC_RELEASE) -ge 12 ] && [ -n "$(CUDA_HEADER)" ] && \
              [ -n "$(CUDA_RUNTIME)" ] && echo yes))
NVCC_FAULT := $(NVCC) $(if $(NVCC_RELEASE),$(if $(CUDA_HEADER),$(if $(CUDA_RUNTIME),is older than CUDA 12,has no \
              libcudart_static.a),has no cuda_runtime_api.h),does not run)
CUDA ?= $(if $(SANITIZE)$(TSAN)$(COVERAGE)$(FUZZ),0,$(if $(NVCC_WORKS),1,0))
ifneq ($(filter-out 0 1,$(CUDA)),)
$(error CUDA=$(CUDA): give CUDA=0 or CUDA=1)
endif
ifeq ($(CUDA)$(NVCC_WORKS),1)
$(error CUDA=1, but $(if $(NVCC),$(NVCC_FAULT),there is no nvcc): \
        install the CUDA toolkit, name it with NVCC=/path/to/nvcc, or leave GPUs out with CUDA=0)
endif
ifneq ($(NVCC),)
ifeq ($(CUDA)$(NVCC_WORKS)$(SANITIZE)$(TSAN)$(COVERAGE)$(FUZZ),0)
$(info no GPUs: $(NVCC_FAULT))
endif
endif

CC ?= cc
AR ?= ar
NM ?= nm
ifeq ($(origin CC),default)
CC := cc
endif
BUILD ?= build$(if $(SANITIZE),-asan)$(if $(TSAN),-tsan)$(if $(COVERAGE),-coverage)$(if $(DEBUG),-debug)

OPT := $(if $(DEBUG)$(COVERAGE),-O0 -g -DMS_NO_UNROLL,$(if $(SANITIZE)$(TSAN)$(FUZZ),-O1 -g -DMS_NO_UNROLL,-O3 -g))
WARN := -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla
# in front of its use: INSTRUMENT is expanded at once
comma := ,
INSTRUMENT := $(if $(SANITIZE),-fsanitize=address$(comma)undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
INSTRUMENT += $(if $(FUZZ),-fsanitize=fuzzer-no-link$(comma)address$(comma)undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
INSTRUMENT += $(if $(TSAN),-fsanitize=thread) $(if $(COVERAGE),--coverage)

# A warning is an error where tests are built, and nowhere else: a newer compiler
# than ours does not keep anybody from the tool.  make check WERROR= turns it off.
build-tests build-fuzzers check-run: WERROR = -Werror
WERROR =

# CPPFLAGS, CFLAGS and LDFLAGS are the caller's
ALL_CFLAGS = -std=c17 -D_GNU_SOURCE $(OPT) $(WARN) $(INSTRUMENT) -fopenmp -fPIC -fvisibility=hidden \
             -Iinclude -I. -MMD -MP $(CPPFLAGS) $(CFLAGS)
ALL_LDFLAGS = $(INSTRUMENT) -fopenmp $(LDFLAGS)
LDLIBS = -ljansson -lgmp -lexpat -lzstd -lz $(CUDA_LIBS) -lm -lpthread
ifeq ($(CUDA),1)
CUDA_INCLUDE := -isystem $(patsubst %/,%,$(dir $(CUDA_HEADER)))
# the runtime is linked in, and finds the driver when it runs: without one there
# are zero devices
CUDA_LIBS := -L$(patsubst %/,%,$(dir $(CUDA_RUNTIME))) -lcudart_static -ldl -lrt
ALL_NVCCFLAGS = -std=c++17 -O3 -lineinfo -Xcompiler -fno-threadsafe-statics -Iinclude -I. \
                $(foreach a,$(CUDA_ARCHS),-gencode arch=compute_$a,code=sm_$a) \
                -gencode arch=compute_$(lastword $(CUDA_ARCHS)),code=compute_$(lastword $(CUDA_ARCHS)) \
                -Xcompiler -fPIC,-fvisibility=hidden,-fno-exceptions,-fno-threadsafe-statics,-Wall,-Wextra,-Wno-unknown-pragmas \
                $(if $(WERROR),-Werror all-warnings) $(NVCCFLAGS)
endif

# ---- sources -----------------------------------------------------------------
# A variant is a file: FILE_isa.c is compiled for that instruction set and picked
# at run time.  On other processors only the portable ones are built.
MACHINE := $(shell $(CC) -dumpmachine 2>/dev/null)
X86 := $(findstring x86_64,$(MACHINE))
ISA_sse42 := -msse4.2
ISA_avx2 := -mavx2
ISA_gfni256 := -mavx2 -mgfni
ISA_gfni512 := -mavx512f -mavx512bw -mavx512vl -mgfni -mprefer-vector-width=512
ISA_avx512 := -mavx512f -mavx512bw -mavx512vl -mavx512dq -mpopcnt -mbmi2 -mprefer-vector-width=512

LIB_DIRS := base gf2 graph graph/io graph/io/colors graph/walk graph/generate query plan motif match match/cpu match/typed \
            sieve verify gpu/common gpu/sieve gpu/match run
ISA_SRC := $(foreach d,base graph/io gf2 sieve match/cpu,$(wildcard $d/*_sse42.c $d/*_avx2.c $d/*_avx512.c \
           $d/*_gfni256.c $d/*_gfni512.c))
# gpu/none.c stands in for all else in gpu/: it offers zero devices
NOT_BUILT := $(if $(filter 1,$(CUDA)),gpu/none.c,$(wildcard gpu/*/*.c))
CU_SRC := $(if $(filter 1,$(CUDA)),$(wildcard gpu/*/*.cu))
LIB_SRC := $(filter-out $(if $(X86),,$(ISA_SRC)) $(NOT_BUILT),$(foreach d,$(LIB_DIRS),$(wildcard $d/*.c)) gpu/none.c)
# the writers name parts of the tool, still
CLI_SRC := $(wildcard cli/*.c result/*.c)
TEST_SRC := $(wildcard tests/unit/test_*.c)
TEST_COMMON := $(wildcard tests/support/*.c)
# the others make up one program, bench/miss_rate
BENCH_PROGRAMS := bench/gpu_part bench/pattern_engines bench/pattern_queries
# with a peer, which is built in where it is found
PEER_PROGRAMS := bench/typed_components bench/typed_paths bench/typed_match
BENCH_SRC := $(filter-out $(BENCH_PROGRAMS:=.c) $(PEER_PROGRAMS:=.c),$(wildcard bench/*.c))

# Fuzz targets: NAME:SOURCE:FUZZ_WHAT is tests/fuzz/fuzz_SOURCE.c with that macro;
# its seeds are in tests/fuzz/corpus/NAME
FUZZ_TARGETS := edge-list:graph:MS_FORMAT_EDGE_LIST string:graph:MS_FORMAT_STRING \
                sif:graph:MS_FORMAT_SIF biogrid:graph:MS_FORMAT_BIOGRID mitab:graph:MS_FORMAT_MITAB \
                matrix-market:graph:MS_FORMAT_MATRIX_MARKET tve:graph:MS_FORMAT_TVE \
                lad:graph:MS_FORMAT_LAD dimacs:graph:MS_FORMAT_DIMACS metis:graph:MS_FORMAT_METIS \
                graphml:graph:MS_FORMAT_GRAPHML table:graph:MS_FORMAT_TABLE binary:graph:MS_FORMAT_BINARY \
                colors-tsv:colors:FUZZ_TSV colors-go-slim:colors:FUZZ_GO_SLIM \
                colors-gaf:colors:FUZZ_GAF colors-obo:colors:FUZZ_OBO aliases:colors:FUZZ_ALIASES \
                motif-text:motif:FUZZ_TEXT motif-file:motif:FUZZ_FILE result:result:FUZZ_RESULT \
                matches:result:FUZZ_MATCHES typed-matches:result:FUZZ_TYPED \
                typed-hetionet:typed:MS_TYPED_HETIONET typed-sif:typed:MS_TYPED_SIF \
                typed-table:typed:MS_TYPED_TABLE typed-nodes:typed:FUZZ_NODES \
                typed-relations:typed:FUZZ_RELATIONS typed-pattern:pattern:FUZZ_TEXT \
                typed-pattern-file:pattern:FUZZ_FILE
fuzz_part = $(word $1,$(subst :, ,$2))
FUZZ_NAMES := $(foreach t,$(FUZZ_TARGETS),$(call fuzz_part,1,$t))
ifneq ($(X86),)
$(BUILD)/base/crc32c.o: EXTRA := -DMS_X86_64
$(BUILD)/graph/io/row_scan.o: EXTRA := -DMS_X86_64
$(BUILD)/gf2/select.o: EXTRA := -DMS_X86_64
$(BUILD)/sieve/kernels.o: EXTRA := -DMS_X86_64
$(BUILD)/match/cpu/sorted.o: EXTRA := -DMS_X86_64
endif

obj = $(patsubst %.c,$(BUILD)/%.o,$1)
LIB_OBJ := $(call obj,$(LIB_SRC)) $(CU_SRC:%.cu=$(BUILD)/%.cu.o)
CLI_OBJ := $(call obj,$(CLI_SRC))
TESTS := $(patsubst tests/%.c,$(BUILD)/tests/%,$(TEST_SRC))
# the arithmetic of kernels, on the host
GPU_TESTS := $(if $(filter 1,$(CUDA)),$(patsubst tests/%.cu,$(BUILD)/tests/%,$(wildcard tests/gpu/*.cu)) \
             $(addprefix $(BUILD)/tests/gpu/emulated/,engines trie reuse flood motifsieve))
# the same tests on real GPUs: for make check-gpu
GPU_DEVICE_TESTS := $(if $(filter 1,$(CUDA)),$(BUILD)/tests/gpu/device_engines $(BUILD)/tests/gpu/device_trie)
FUZZERS := $(addprefix $(BUILD)/tests/fuzz/,$(FUZZ_NAMES))

STATIC := $(BUILD)/libmotifsieve.a
SHARED := $(BUILD)/libmotifsieve.so
BINARY := $(BUILD)/motifsieve

# ---- build -------------------------------------------------------------------
all: $(BINARY) $(STATIC) $(SHARED) ## build the tool and the library
ifeq ($(BUILD),build)
	@ln -sf $(BINARY) motifsieve
endif

$(BUILD)/%_sse42.o: EXTRA = $(ISA_sse42)
$(BUILD)/%_avx2.o: EXTRA = $(ISA_avx2)
$(BUILD)/%_gfni256.o: EXTRA = $(ISA_gfni256)
$(BUILD)/%_gfni512.o: EXTRA = $(ISA_gfni512)
$(BUILD)/%_avx512.o: EXTRA = $(ISA_avx512)

$(BUILD)/%.o: %.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(CC) $(WERROR) $(ALL_CFLAGS) $(EXTRA) -c -o $@ $<

$(BUILD)/gpu/%.o: EXTRA = $(CUDA_INCLUDE)
$(BUILD)/%.cu.o: %.cu $(BUILD)/flags
	@mkdir -p $(@D)
	$(NVCC) $(ALL_NVCCFLAGS) -MMD -MP -MF $(@:.o=.d) -c -o $@ $<

# rebuild when compiler or flags change
FLAGS = $(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) $(if $(filter 1,$(CUDA)),$(NVCC) $(ALL_NVCCFLAGS))
$(BUILD)/flags: FORCE
	@mkdir -p $(@D)
	@echo '$(FLAGS)' | cmp -s - $@ || echo '$(FLAGS)' > $@
FORCE:

$(STATIC): $(LIB_OBJ)
	@rm -f $@
	$(AR) rcs $@ $^

$(SHARED): $(LIB_OBJ)
	$(CC) $(ALL_LDFLAGS) -shared -Wl,-soname,libmotifsieve.so.$(SOVERSION) -o $@ $^ $(LDLIBS)

$(BINARY): $(CLI_OBJ) $(STATIC)
	$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LDLIBS)

# ---- tests -------------------------------------------------------------------
# runs the commands inside the test
$(BUILD)/tests/unit/test_memory: $(filter-out $(BUILD)/cli/main.o,$(CLI_OBJ))
# runs some of the benchmark's cells
$(BUILD)/tests/unit/test_miss_rate: $(call obj,$(filter-out bench/miss_rate.c,$(BENCH_SRC)))
CHECK_LIBS = $(shell pkg-config --libs check)
$(BUILD)/tests/unit/%: $(BUILD)/tests/unit/%.o $(call obj,$(TEST_COMMON)) $(STATIC)
	$(CC) $(ALL_LDFLAGS) -o $@ $(filter %.o,$^) $(STATIC) $(CHECK_LIBS) $(LDLIBS)

$(BUILD)/tests/gpu/%: tests/gpu/%.cu $(BUILD)/flags
	@mkdir -p $(@D)
	$(NVCC) $(ALL_NVCCFLAGS) -MMD -MP -MT $@ -MF $@.d -o $@ $<

# the kernels of engines for patterns, their lanes emulated, under a CUDA runtime
# that is the host; and the same tests on GPUs.  An engine's emulated launches are
# launch_NAME.cc, or .c
EMULATED := $(BUILD)/tests/gpu/emulated
EMULATED_LAUNCHES := $(addprefix $(EMULATED)/,$(addsuffix .o,$(basename $(notdir \
                     $(wildcard tests/gpu/emulated/launch_*.c tests/gpu/emulated/launch_*.cc)))) trie_host.o fake_cuda.o)
ENGINE_TESTS := $(EMULATED)/engines.o $(EMULATED)/engines_ends.o
ORACLES := $(BUILD)/tests/support/pattern_oracle.o $(BUILD)/tests/support/oracle.o
# fortified longjmp does not let fibers be
FIBERS := -U_FORTIFY_SOURCE
HOST_CXX = $(NVCC) -x c++ -std=c++17 -O2 -g -Iinclude -I. \
           -Xcompiler $(FIBERS),-Wall,-Wextra,-Wno-unknown-pragmas,-Wno-clobbered$(if $(WERROR),$(comma)-Werror) \
           -MMD -MP -MT $@ -MF $(@:.o=.d) -c -o $@ $<
$(EMULATED)/%.o: EXTRA = $(CUDA_INCLUDE)
$(EMULATED)/%.o: tests/gpu/emulated/%.cc $(BUILD)/flags
	@mkdir -p $(@D)
	$(HOST_CXX)
# all but the CUDA runtime
EMULATED_LIBS = $(filter-out $(CUDA_LIBS),$(LDLIBS)) -lstdc++
$(EMULATED)/engines: $(ENGINE_TESTS) $(EMULATED)/no_sieve.o $(EMULATED_LAUNCHES) $(ORACLES) $(STATIC)
	$(CC) $(ALL_LDFLAGS) -o $@ $(filter %.o,$^) $(STATIC) $(CHECK_LIBS) $(EMULATED_LIBS)
$(EMULATED)/reuse: $(EMULATED)/reuse.o $(EMULATED_LAUNCHES) $(ORACLES) $(STATIC)
	$(CC) $(ALL_LDFLAGS) -o $@ $(filter %.o,$^) $(STATIC) $(CHECK_LIBS) $(EMULATED_LIBS)
$(EMULATED)/flood: $(EMULATED)/flood.o $(BUILD)/tests/support/failing.o $(EMULATED_LAUNCHES) $(ORACLES) $(STATIC)
	$(CC) $(ALL_LDFLAGS) -o $@ $(filter %.o,$^) $(STATIC) $(CHECK_LIBS) $(EMULATED_LIBS)
# the tool, with GPUs for patterns that are the host
$(EMULATED)/motifsieve: $(CLI_OBJ) $(EMULATED)/no_sieve.o $(EMULATED_LAUNCHES) $(STATIC)
	$(CC) $(ALL_LDFLAGS) -o $@ $(filter %.o,$^) $(STATIC) $(EMULATED_LIBS)
$(EMULATED)/trie: $(EMULATED)/trie.o $(EMULATED_LAUNCHES) $(ORACLES) $(STATIC)
	$(CC) $(ALL_LDFLAGS) -o $@ $(filter %.o,$^) $(STATIC) $(CHECK_LIBS) $(EMULATED_LIBS)
$(BUILD)/tests/gpu/device_engines: $(ENGINE_TESTS) $(EMULATED)/real_cuda.o $(ORACLES) $(STATIC)
	$(CC) $(ALL_LDFLAGS) -o $@ $(filter %.o,$^) $(STATIC) $(CHECK_LIBS) $(LDLIBS)
$(BUILD)/tests/gpu/device_trie: $(EMULATED)/trie.o $(EMULATED)/trie_host.o $(EMULATED)/real_cuda.o $(ORACLES) $(STATIC)
	$(CC) $(ALL_LDFLAGS) -o $@ $(filter %.o,$^) $(STATIC) $(CHECK_LIBS) $(LDLIBS) -lstdc++

define fuzz_object
$(BUILD)/tests/fuzz/$(call fuzz_part,1,$1).o: tests/fuzz/fuzz_$(call fuzz_part,2,$1).c $(BUILD)/flags
	@mkdir -p $$(@D)
	$$(CC) $$(WERROR) $$(ALL_CFLAGS) -DFUZZ_WHAT=$(call fuzz_part,3,$1) -c -o $$@ $$<
endef
$(foreach t,$(FUZZ_TARGETS),$(eval $(call fuzz_object,$t)))

# libFuzzer brings a main function, replay.c is the other
FUZZ_COMMON := $(call obj,tests/fuzz/fuzz.c $(if $(FUZZ),,tests/fuzz/replay.c))
$(FUZZERS): %: %.o $(FUZZ_COMMON) $(STATIC)
	$(CC) $(ALL_LDFLAGS) $(if $(FUZZ),-fsanitize=fuzzer) -o $@ $^ $(LDLIBS)

-include $(patsubst %.o,%.d,$(LIB_OBJ) $(CLI_OBJ) $(call obj,$(TEST_SRC) $(TEST_COMMON) $(BENCH_SRC) $(BENCH_PROGRAMS:=.c) \
           $(PEER_PROGRAMS:=.c)) \
           $(FUZZ_COMMON) $(addsuffix .o,$(FUZZERS))) \
         $(addsuffix .d,$(GPU_TESTS)) $(wildcard $(BUILD)/tests/gpu/emulated/*.d)

# ---- from nothing to a tested tool ----------------------------------------------
# deps may install pkg-config and check, so what needs them is a make of its own
deps: ## install missing Debian or Ubuntu packages, or name them and stop
	@CC='$(CC)' scripts/deps.sh

demo: deps ## screen, list and verify a motif in a real yeast protein network
	@$(MAKE) --no-print-directory all
	@scripts/demo.sh $(BINARY)

check: deps ## build and run all tests
	@$(MAKE) --no-print-directory check-run

build-tests: all $(TESTS) $(GPU_TESTS) $(FUZZERS) ## build everything, tests too, and run nothing

check-run: build-tests
	@tests/run.sh $(BUILD)

check-patterns: deps ## patterns in real networks, at length (perhaps an hour; MOTIFSIEVE_DATA names the data)
	@$(MAKE) --no-print-directory build-tests
	@MOTIFSIEVE_TEST_LONG=1 tests/run.sh $(BUILD) test_pattern_data test_pattern_queries test_pattern_lad

check-clean: ## the same in a new Debian system from nothing (root, debootstrap, minutes)
	@tests/clean_machine.sh

# FUZZ_SECONDS each (default 3600), FUZZ_JOBS at a time, FUZZ_ONLY='tve lad' for some
FUZZ_CC ?= clang
FUZZ_ONLY ?= $(FUZZ_NAMES)
fuzz: ## search for inputs that break a reader, with libFuzzer, for hours
	@echo 'int LLVMFuzzerTestOneInput(const char *d, long n) { return !d && n; }' | \
	  $(FUZZ_CC) -fsanitize=fuzzer,address,undefined -fopenmp -x c -o /dev/null - 2>/dev/null || \
	  { echo 'make fuzz needs clang with its sanitizers: apt-get install clang libclang-rt-dev libomp-dev' >&2; exit 1; }
	@$(MAKE) --no-print-directory FUZZ=1 CC='$(FUZZ_CC)' BUILD=build-fuzz build-fuzzers
	@FUZZ_SECONDS='$(FUZZ_SECONDS)' FUZZ_JOBS='$(FUZZ_JOBS)' tests/fuzz/fuzz.sh build-fuzz $(FUZZ_ONLY)

build-fuzzers: $(FUZZERS)

bench: all ## measure this machine; the figures of docs and README come from here
	@bench/run.sh $(BINARY)

check-gpu: deps ## test the CUDA back end on this machine's GPUs, and check its memory accesses
	@$(MAKE) --no-print-directory CUDA=1 check-gpu-run

check-gpu-run: WERROR = -Werror
check-gpu-run: all $(BUILD)/tests/unit/test_gpu $(GPU_TESTS) $(GPU_DEVICE_TESTS)
	@tests/gpu.sh $(BUILD)

$(BENCH_PROGRAMS:%=$(BUILD)/%): %: %.o $(STATIC)
	$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LDLIBS)

bench-gpu: all $(BUILD)/bench/gpu_part $(BUILD)/bench/pattern_engines ## the same for its NVIDIA GPUs (BENCH_FLAGS=--quick: in a minute)
	@bench/gpu.sh $(BENCH_FLAGS) $(BINARY)
	@bench/gpu_patterns.sh $(BUILD)

bench-patterns: all $(BUILD)/bench/pattern_queries ## pattern graphs on real networks, counts checked (ten minutes, MOTIFSIEVE_DATA)
	@bench/patterns.sh $(BINARY) $(BUILD)/bench/pattern_queries

# asked for only when one of these is built
IGRAPH = $(shell pkg-config --exists igraph 2>/dev/null && echo yes)
$(PEER_PROGRAMS:%=$(BUILD)/%.o): EXTRA = $(if $(IGRAPH),-DBENCH_IGRAPH $(patsubst -I%,-isystem %,$(shell pkg-config --cflags igraph)))
$(PEER_PROGRAMS:%=$(BUILD)/%): %: %.o $(STATIC)
	$(CC) $(ALL_LDFLAGS) -o $@ $^ $(if $(IGRAPH),$(shell pkg-config --libs igraph)) $(LDLIBS)

bench-typed: all ## typed graphs, beside igraph where it is installed (some minutes)
	$(if $(IGRAPH),,@echo 'no igraph, which this compares with: apt-get install libigraph-dev; going on without it')
	@rm -f $(PEER_PROGRAMS:%=$(BUILD)/%.o)
	@$(MAKE) --no-print-directory $(PEER_PROGRAMS:%=$(BUILD)/%)
	@bench/typed.sh $(abspath $(BINARY) $(PEER_PROGRAMS:%=$(BUILD)/%))

$(BUILD)/bench/miss_rate: $(call obj,$(BENCH_SRC)) $(STATIC)
	$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LDLIBS)

# TRIALS a cell (default 100000)
bench-miss: $(BUILD)/bench/miss_rate ## how often the sieve misses a vertex, beside the bound (an hour)
	@bench/miss_rate.sh $<

# ---- installing, and the tarball ---------------------------------------------------
include packaging/install.mk

clean: ## remove everything built
	rm -rf build build-asan build-tsan build-coverage build-debug build-clang build-fuzz motifsieve

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 22

.PHONY: all deps demo check check-run check-patterns check-gpu check-gpu-run check-clean build-tests fuzz build-fuzzers bench bench-gpu bench-patterns bench-typed bench-miss clean help FORCE
