# motifsieve: GNU make.  `make help` lists the targets.
.DEFAULT_GOAL := all
.SUFFIXES:
.DELETE_ON_ERROR:
# Objects are not intermediate files that make may remove.
.SECONDARY:

# Uses all processors, unless -j gives a number of jobs.
ifeq ($(MAKELEVEL)$(filter -j%,$(MAKEFLAGS)),0)
MAKEFLAGS += -j$(shell nproc 2>/dev/null || sysctl -n hw.ncpu 2>/dev/null || echo 2)
endif

VERSION := $(shell sed -n 's/^\#define MS_VERSION "\(.*\)"/\1/p' include/motifsieve.h)
SOVERSION := 0

# Switches for instrumented builds: make SANITIZE=1, make TSAN=1, make COVERAGE=1, make DEBUG=1
SANITIZE ?=
TSAN ?=
COVERAGE ?=
DEBUG ?=
# `make fuzz` sets this: libFuzzer, which needs clang.
FUZZ ?=
# V=1 shows the commands; otherwise make prints one line a file.
V ?=

# The code for NVIDIA GPUs is a shared object of its own, which the library loads when it
# considers GPUs (gpu/loader).  It is built if nvcc is found; CUDA=0 leaves it out.
# Instrumented builds leave it out unless CUDA=1 is given.  CUDA_ARCHS lists the
# architectures for which machine code is made.  The PTX is made once, for the oldest
# one: no kernel asks for its architecture, so that the PTX for another one would be
# the same, and would take as long again.  GPUs that are not listed compile it at
# their first start.
NVCC ?= $(firstword $(shell command -v nvcc 2>/dev/null) $(wildcard /usr/local/cuda/bin/nvcc))
CUDA_ARCHS ?= 80 90
# An nvcc that does not run, is older than CUDA 12, or lacks its headers or runtime
# counts as missing.  Only nvcc knows where its headers and runtime are: its own path
# may be a link or a script anywhere.
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

# To build for another machine, name its compiler: make CC=aarch64-linux-gnu-gcc CUDA=0 BUILD=build-aarch64
# (CONTRIBUTING.md, "Other processors").  The programs beside the compiler have its prefix, if they are there.
CC ?= cc
ifeq ($(origin CC),default)
CC := cc
endif
CROSS := $(patsubst %gcc,%,$(firstword $(filter %-gcc,$(CC))))
CROSS := $(if $(CROSS),$(if $(shell command -v $(CROSS)ar 2>/dev/null),$(CROSS)))
ifeq ($(origin AR),default)
AR := $(CROSS)ar
endif
NM ?= $(CROSS)nm
MACHINE := $(shell $(CC) -dumpmachine 2>/dev/null)
PKG_CONFIG ?= pkg-config
BUILD ?= build$(if $(SANITIZE),-asan)$(if $(TSAN),-tsan)$(if $(COVERAGE),-coverage)$(if $(DEBUG),-debug)

# A backtrace needs the lines of the sources, and not the variables, which take a fifth of the compiler's time (DEBUG=1 has them).
OPT := $(if $(DEBUG)$(COVERAGE),-O0 -g -DMS_NO_UNROLL,$(if $(SANITIZE)$(TSAN)$(FUZZ),-O1 -g1 -DMS_NO_UNROLL,-O3 -g1))
WARN := -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla
# Defined before its use, because INSTRUMENT is expanded at once.
comma := ,
# Undefined behaviour traps: messages would double the code, and the tests start the tool thousands of times.  With
# ASAN_OPTIONS=handle_sigill=1, which tests/run.sh sets, a trap prints its line and the calls that led there; SANITIZE=verbose
# also says what was undefined.
INSTRUMENT := $(if $(SANITIZE),-fsanitize=address$(comma)undefined $(if $(filter verbose,$(SANITIZE)),-fno-sanitize-recover=all,-fsanitize-undefined-trap-on-error) -fno-omit-frame-pointer)
INSTRUMENT += $(if $(FUZZ),-fsanitize=fuzzer-no-link$(comma)address$(comma)undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
INSTRUMENT += $(if $(TSAN),-fsanitize=thread) $(if $(COVERAGE),--coverage)

# Hardening, as far as the compiler knows it: all flags at once, or else one after another.  HARDEN= leaves it out, and so do
# sanitizers, which check more.  $(call known,FLAGS,HOW) keeps the flags with which the compiler makes a program or an object.
PROBE := $(shell mktemp -u 2>/dev/null || echo /tmp/motifsieve-probe.$$$$)
tries = echo 'int main(void) { return 0; }' | $(CC) $2 -Werror $1 -x c -o $(PROBE) - 2>/dev/null
known = $(shell if $(call tries,$1,$2); then echo '$1'; else for flag in $1; do if $(call tries,$$flag,$2); then echo $$flag; fi; done; \
          fi; rm -f $(PROBE))
ifeq ($(strip $(INSTRUMENT)),)
HARDEN := 1
endif
ifneq ($(HARDEN),)
HARDEN_CFLAGS := $(call known,-fstack-protector-strong -fstack-clash-protection $(if $(filter aarch64-% arm64-%,$(MACHINE)),\
                 -mbranch-protection=standard,-fcf-protection),-c) \
                 -Wformat -Werror=format-security
HARDEN_LDFLAGS := $(call known,-Wl$(comma)-z$(comma)relro -Wl$(comma)-z$(comma)now -Wl$(comma)-z$(comma)noexecstack)
HARDEN_PROGRAM := $(call known,-pie,-fPIC)
# It needs an optimizing compiler, and does not go together with another value of the caller.
FORTIFY = $(if $(findstring _FORTIFY_SOURCE,$(CPPFLAGS) $(CFLAGS))$(findstring -O0,$(OPT) $(CFLAGS)),,-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
endif

# CPPFLAGS, CFLAGS and LDFLAGS belong to the caller.
ALL_CFLAGS = -std=c17 -D_GNU_SOURCE $(OPT) $(WARN) $(INSTRUMENT) -fPIC -fvisibility=hidden $(HARDEN_CFLAGS) $(FORTIFY) \
             -Iinclude -I. -MMD -MP $(CPPFLAGS) $(CFLAGS)
# Sanitized programs start in two thirds of the time where nothing has to be relocated.
PROGRAM_LDFLAGS = $(if $(SANITIZE),$(if $(findstring linux,$(MACHINE)),-no-pie $(if $(findstring clang,$(CC)),,-static-libasan$(if \
                  $(filter verbose,$(SANITIZE)), -static-libubsan)) ),$(HARDEN_PROGRAM) )
ALL_LDFLAGS = $(INSTRUMENT) $(HARDEN_LDFLAGS) $(PROGRAM_LDFLAGS)$(LDFLAGS)
LDLIBS = -ljansson -lqhull_r -lgmp -lexpat -lzstd -lz -lm -lpthread -ldl
# LINK=static: the tool contains all libraries, the C library too, and runs on any Linux of its processor, without GPUs.
LINK ?=
ifneq ($(filter-out static,$(LINK)),)
$(error LINK=$(LINK): give LINK=static, or leave it out)
endif
ifeq ($(CUDA),1)
CUDA_INCLUDE := -isystem $(patsubst %/,%,$(dir $(CUDA_HEADER)))
# The runtime is linked in, and looks for the driver when it runs: without a driver
# there are zero devices.
CUDA_LIBS := -L$(patsubst %/,%,$(dir $(CUDA_RUNTIME))) -lcudart_static -lrt -lm -lpthread -ldl
CUDA_OLDEST := $(firstword $(shell printf '%s\n' $(CUDA_ARCHS) | sort -n | tr -dc '0-9\n'))
ALL_NVCCFLAGS = -std=c++17 -O3 -lineinfo -Xcompiler -fno-threadsafe-statics -Iinclude -I. \
                $(foreach code,$(CUDA_ARCHS:%=sm_%) compute_$(CUDA_OLDEST),-gencode arch=compute_$(CUDA_OLDEST),code=$(code)) \
                -Xcompiler -fPIC,-fvisibility=hidden,-fno-exceptions,-fno-threadsafe-statics,-Wall,-Wextra,-Wno-unknown-pragmas \
                $(NVCCFLAGS)
endif

# ---- sources -----------------------------------------------------------------
# A variant is a file: FILE_isa.c is compiled for that instruction set and chosen
# at run time.  On other processors only the portable variants are built.
X86 := $(findstring x86_64,$(MACHINE))
AARCH64 := $(filter aarch64-% arm64-%,$(MACHINE))
ISA_sse42 := -msse4.2
ISA_avx2 := -mavx2
ISA_gfni256 := -mavx2 -mgfni
ISA_gfni512 := -mavx512f -mavx512bw -mavx512vl -mgfni -mprefer-vector-width=512
# No function that takes a vector is called from another file, so its ABI does not matter.
NO_PSABI := -Wno-psabi
# Ones are counted a word at a time, so that vectors of a few words would only be taken apart again.
ISA_popcnt256 := $(NO_PSABI) -mavx2 -mpopcnt -mbmi -mbmi2 -fno-tree-slp-vectorize
ISA_popcnt512 := -mavx512f -mavx512bw -mavx512vl -mavx512dq -mavx512vpopcntdq -mpopcnt -mbmi -mbmi2 \
                 -mprefer-vector-width=512
ISA_avx512 := -mavx512f -mavx512bw -mavx512vl -mavx512dq -mpopcnt -mbmi2 -mprefer-vector-width=512

# The folders with sources of a room and below it.
folders = $(sort $(patsubst %/,%,$(dir $(foreach d,$1,$(wildcard $d/*.[ch] $d/*/*.[ch] $d/*/*/*.[ch])))))
LIB_DIRS := $(call folders,base parts gf2 graph query plan motif census samples significance match sieve result verify gpu/loader report run)
ISA_SRC := $(wildcard $(foreach i,sse42 avx2 avx512 gfni256 gfni512 popcnt256 popcnt512,$(LIB_DIRS:%=%/*_$i.c)))
NEON_SRC := $(wildcard $(LIB_DIRS:%=%/*_neon.c))
LIB_SRC := $(filter-out $(if $(X86),,$(ISA_SRC)) $(if $(AARCH64),,$(NEON_SRC)),$(wildcard $(LIB_DIRS:%=%/*.c)))
CLI_SRC := $(wildcard $(addsuffix /*.c,$(call folders,cli)))

ifneq ($(X86),)
$(BUILD)/base/crc32c.o: EXTRA := -DMS_X86_64
$(BUILD)/graph/formats/row_scan.o: EXTRA := -DMS_X86_64
$(BUILD)/gf2/select.o: EXTRA := -DMS_X86_64
$(BUILD)/sieve/kernels/kernels.o: EXTRA := -DMS_X86_64
$(BUILD)/match/small/small.o: EXTRA := -DMS_X86_64
$(BUILD)/match/cpu/sorted.o: EXTRA := -DMS_X86_64
$(BUILD)/match/cpu/universe.o: EXTRA := -DMS_X86_64
$(BUILD)/match/cpu/cliques/cliques.o: EXTRA := -DMS_X86_64
$(BUILD)/motif/count/count_sets.o: EXTRA := -DMS_X86_64
$(BUILD)/census/bits.o: EXTRA := -DMS_X86_64
endif
ifneq ($(AARCH64),)
$(BUILD)/gf2/select.o: EXTRA := -DMS_AARCH64
$(BUILD)/sieve/kernels/kernels.o: EXTRA := -DMS_AARCH64
endif

obj = $(patsubst %.c,$(BUILD)/%.o,$1)
LIB_OBJ := $(call obj,$(LIB_SRC))
CLI_OBJ := $(call obj,$(CLI_SRC))
include report/rules.mk
# The shared library has a name to link with, a name that programs load, and a file
# name.  The number in the file name grows with every release, even if SOVERSION stays,
# so that ldconfig prefers the newer one.
ifneq ($(findstring darwin,$(MACHINE)),)
SO_LINK := libmotifsieve.dylib
SO_NAME := libmotifsieve.$(SOVERSION).dylib
SO_FILE := libmotifsieve.$(SOVERSION).$(VERSION).dylib
SHARED_FLAGS = -dynamiclib -install_name $(LIBDIR)/$(SO_NAME) -Wl,-headerpad_max_install_names
else
SO_LINK := libmotifsieve.so
SO_NAME := $(SO_LINK).$(SOVERSION)
SO_FILE := $(SO_NAME).$(VERSION)
# The threads of base/threads/parallel.c outlive a call: dlclose must not remove the code that they run.
SHARED_FLAGS = -shared -Wl,-soname,$(SO_NAME) -Wl,-z,nodelete
endif
# The plug-in for GPUs: the kernels and their hosts, a table of their functions, and the functions of
# the library, which it receives when it is loaded.
GPU_DIRS := $(call folders,$(addprefix gpu/,common sieve match motif census))
GPU_SRC := $(wildcard $(addsuffix /*.c,$(GPU_DIRS)))
# The units that take longest begin first, so that no processor waits for the last one.
LONG_CU := $(patsubst %,gpu/%.cu,motif/sets_taking motif/sets_taking_wide motif/sets match/dfs/dfs_local_block match/dfs/dfs match/dfs/dfs_local \
           sieve/sieve_shared motif/list census/census)
CU_SRC := $(LONG_CU) $(filter-out $(LONG_CU),$(wildcard $(addsuffix /*.cu,$(GPU_DIRS))))
CU_OBJ := $(if $(filter 1,$(CUDA)),$(CU_SRC:%.cu=$(BUILD)/%.cu.o))
GPU_OBJ := $(if $(filter 1,$(CUDA)),$(call obj,$(GPU_SRC)) $(CU_OBJ))
PLUGIN_OBJ := $(if $(filter 1,$(CUDA)),$(call obj,$(wildcard gpu/plugin/*.c) base/hooks.c))
CUDA_ABI := $(shell sed -n 's/^\#define MS_CUDA_ABI //p' gpu/loader/plugin.h)
PLUGIN_FILE := libmotifsieve-cuda.so.$(CUDA_ABI)
PLUGIN := $(if $(AS_BUILT),$(wildcard $(BUILD)/$(PLUGIN_FILE)),$(if $(filter 1,$(CUDA)),$(BUILD)/$(PLUGIN_FILE)))
PLUGIN_FLAGS = -shared -Wl,-soname,$(PLUGIN_FILE) -Wl,-z,nodelete -Wl,-z,defs \
               -Wl,--version-script=gpu/plugin/exports.map
# The library and its plug-in read the same structs: a checksum of all headers tells whether both
# were built from the same sources.
SOURCES_SUM := $(firstword $(shell cat $(sort $(wildcard include/*.h include/motifsieve/*.h \
               $(addsuffix /*.h,gpu $(LIB_DIRS) $(GPU_DIRS)))) | cksum))
STATIC := $(BUILD)/libmotifsieve.a
SHARED := $(BUILD)/$(SO_LINK)
BINARY := $(BUILD)/$(if $(LINK),static/)motifsieve

$(SHARED) $(BUILD)/$(PLUGIN_FILE): private PROGRAM_LDFLAGS :=
# The kernels take minutes, and make would start them all before it links the tool.
$(CU_OBJ): | $(BINARY)

# ---- build -------------------------------------------------------------------
tool: $(BINARY) ## build the tool alone
ifeq ($(BUILD),build)
	@ln -sf $(BINARY) motifsieve
endif

all: tool $(STATIC) $(SHARED) $(PLUGIN) ## build the tool and the library
	$(if $(PLUGIN)$(AS_BUILT),,@rm -f $(BUILD)/libmotifsieve-cuda.so.* $(BUILD)/tests/gpu/emulated/libmotifsieve-cuda.so.* $(BUILD)/tests/gpu/emulated/with_sieve/libmotifsieve-cuda.so.*)

$(BUILD)/%_sse42.o: EXTRA = $(ISA_sse42)
$(BUILD)/%_avx2.o: EXTRA = $(ISA_avx2)
$(BUILD)/%_gfni256.o: EXTRA = $(ISA_gfni256)
$(BUILD)/%_gfni512.o: EXTRA = $(ISA_gfni512)
$(BUILD)/%_avx512.o: EXTRA = $(ISA_avx512)
# It is called once for each row, where a canary costs 1 % of binary rows.
$(BUILD)/plan/automorphisms.o: EXTRA = $(if $(findstring stack-protector,$(CFLAGS)),,$(if $(HARDEN),-fno-stack-protector))
$(BUILD)/motif/count/count_sets_portable.o: EXTRA = $(NO_PSABI)
$(BUILD)/%_popcnt256.o: EXTRA = $(ISA_popcnt256)
$(BUILD)/%_popcnt512.o: EXTRA = $(ISA_popcnt512)

# $(call quietly,LABEL,COMMAND) and $(call run_compiler,LABEL,COMMAND) run the command
# that makes $@.  A compiler's warnings are shown and kept beside the object, so that
# `make check` can refuse them without flags of its own.
quietly = $(if $(V),,@printf '  %-5s %s\n' $1 '$@';) $2
run_compiler = $(if $(V),,@printf '  %-5s %s\n' $1 '$<';) $2 2>$@.warnings || { cat $@.warnings >&2; exit 1; }; cat $@.warnings >&2

$(BUILD)/%.o: %.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(call run_compiler,CC,$(CC) $(ALL_CFLAGS) $(EXTRA) -c -o $@ $<)

$(BUILD)/gpu/%.o: EXTRA = $(CUDA_INCLUDE)
$(BUILD)/%.cu.o: %.cu $(BUILD)/flags-cuda
	@mkdir -p $(@D)
	$(call run_compiler,NVCC,$(NVCC) $(ALL_NVCCFLAGS) -MMD -MP -MF $(@:.o=.d) -c -o $@ $<)

$(BUILD)/gpu/loader/loader.o $(BUILD)/gpu/plugin/table.o: EXTRA = -DMS_SOURCES='"$(SOURCES_SUM)"'
$(BUILD)/gpu/loader/loader.o $(BUILD)/gpu/plugin/table.o: $(BUILD)/sources

# These files change when a compiler, its flags or the list of objects changes.  CUDA
# has a file of its own, because its objects take minutes to compile.  AS_BUILT=1 keeps
# the flags of the last build: `make install AS_BUILT=1` installs what that build made.
FLAGS = $(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS)
CUDA_FLAGS = $(NVCC) $(ALL_NVCCFLAGS)
keep = @mkdir -p $(@D); echo '$1' | cmp -s - $@ || echo '$1' >$@
$(BUILD)/flags: $(if $(AS_BUILT),,FORCE)
	$(call keep,$(FLAGS))
$(BUILD)/flags-cuda: $(if $(AS_BUILT),,FORCE)
	$(call keep,$(CUDA_FLAGS))
$(BUILD)/objects: $(if $(AS_BUILT),,FORCE)
	$(call keep,$(LIB_OBJ) $(CLI_OBJ))
$(BUILD)/objects-cuda: $(if $(AS_BUILT),,FORCE)
	$(call keep,$(GPU_OBJ) $(PLUGIN_OBJ))
$(BUILD)/sources: $(if $(AS_BUILT),,FORCE)
	$(call keep,$(SOURCES_SUM))
FORCE:

$(STATIC): $(LIB_OBJ) $(BUILD)/objects
	@rm -f $@
	$(call quietly,AR,$(AR) rcs $@ $(LIB_OBJ))

$(SHARED): $(LIB_OBJ) $(BUILD)/objects Makefile
	$(call quietly,LINK,$(CC) $(ALL_LDFLAGS) $(SHARED_FLAGS) -o $@ $(LIB_OBJ) $(LDLIBS))

ifeq ($(CUDA),1)
$(BUILD)/$(PLUGIN_FILE): $(GPU_OBJ) $(PLUGIN_OBJ) $(BUILD)/objects-cuda gpu/plugin/exports.map Makefile
	$(call quietly,LINK,$(CC) $(ALL_LDFLAGS) $(PLUGIN_FLAGS) -o $@ $(GPU_OBJ) $(PLUGIN_OBJ) $(CUDA_LIBS))
endif

$(BUILD)/motifsieve: $(CLI_OBJ) $(STATIC)
	$(call quietly,LINK,$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LDLIBS))

# A program that contains the C library cannot load the plug-in; its loader comes before the one in the library.
$(BUILD)/static/loader.o: gpu/loader/loader.c $(BUILD)/flags $(BUILD)/sources
	@mkdir -p $(@D)
	$(call run_compiler,CC,$(CC) $(ALL_CFLAGS) -DMS_STATIC=1 -DMS_SOURCES='"$(SOURCES_SUM)"' -c -o $@ $<)

$(BUILD)/static/motifsieve: $(CLI_OBJ) $(BUILD)/static/loader.o $(STATIC)
	$(call quietly,LINK,$(CC) $(ALL_LDFLAGS) $(if $(HARDEN_PROGRAM),-static-pie,-static) -o $@ $^ \
	  $(LDLIBS:%qhull_r=%qhullstatic_r))

# ---- from nothing to a tested tool ----------------------------------------------
# deps may install pkg-config and check, so the targets that need them run in a sub-make.
deps: ## install missing Debian or Ubuntu packages, or name them and stop
	@CC='$(CC)' MPI='$(MPI)' MPICC='$(MPICC)' scripts/deps.sh

# The demo loads no code for GPUs, which takes minutes to compile.
demo: deps ## screen, list and verify a motif in a real yeast protein network
	@$(MAKE) --no-print-directory tool
	@scripts/demo.sh $(BINARY)

include mpi/rules.mk
include bench/rules.mk
include tests/rules.mk
include python/rules.mk

-include $(BUILD)/static/loader.d $(patsubst %.o,%.d,$(LIB_OBJ) $(CLI_OBJ) $(GPU_OBJ) $(PLUGIN_OBJ))

# ---- installing, and the tarball ---------------------------------------------------
include packaging/install.mk

clean: ## remove everything built
	rm -rf build build-asan build-tsan build-coverage build-debug build-clang build-fuzz motifsieve

help: ## show this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 22

.PHONY: tool all deps demo clean help FORCE
