# Kernels without a GPU: their arithmetic on the host, and whole engines on emulated
# lanes under a CUDA runtime that is the host.  Two of these tests also run on real GPUs.
GPU_TESTS := $(if $(filter 1,$(CUDA)),$(patsubst tests/%.cu,$(BUILD)/tests/%,$(wildcard tests/gpu/*.cu)) \
             $(addprefix $(BUILD)/tests/gpu/emulated/,engines domains trie reuse flood motifs motif_lists session census shapes staging random_cases sieve prune $(PLUGIN_FILE) with_sieve/$(PLUGIN_FILE)))
# for make check-gpu
GPU_DEVICE_TESTS = $(if $(filter 1,$(CUDA)),$(GPU_DEVICE_PROGRAMS))

$(BUILD)/tests/gpu/%: tests/gpu/%.cu $(BUILD)/flags-cuda
	@mkdir -p $(@D)
	$(call run_compiler,NVCC,$(NVCC) $(ALL_NVCCFLAGS) -MMD -MP -MT $@ -MF $@.d -o $@ $<)

# An engine's emulated launches are launch_NAME.cc, or .c.
EMULATED := $(BUILD)/tests/gpu/emulated
EMULATED_LAUNCHES := $(addprefix $(EMULATED)/,$(addsuffix .o,$(basename $(notdir $(filter-out %/launch_sieve.cc %/launch_shared.cc,\
                     $(wildcard tests/gpu/emulated/launch_*.c tests/gpu/emulated/launch_*.cc))))) trie_host.o trie_host_many.o fake_cuda.o)
SUBJECT := $(EMULATED)/subject.o
ENGINE_TESTS := $(SUBJECT) $(addprefix $(EMULATED)/,engines.o engines_ends.o engines_typed.o engines_large.o engines_wide.o \
                engines_codegrees.o engines_joined.o engines_squares.o engines_hubs.o engines_shares.o) \
                $(call obj,tests/gpu/random_case.c)
RANDOM_CASES := $(SUBJECT) $(call obj,tests/gpu/random_cases.c tests/gpu/random_case.c)
# A fortified longjmp refuses to change stacks, which fibers need.
FIBERS := -U_FORTIFY_SOURCE
HOST_CXX = $(NVCC) -x c++ -std=c++17 -O2 -g -Iinclude -I. \
           -Xcompiler -fPIC,-fvisibility=hidden,$(FIBERS),-Wall,-Wextra,-Wno-unknown-pragmas,-Wno-clobbered \
           -MMD -MP -MT $@ -MF $(@:.o=.d) -c -o $@ $<
$(EMULATED)/%.o $(RANDOM_CASES): EXTRA = $(CUDA_INCLUDE)
$(EMULATED)/%.o: tests/gpu/emulated/%.cc $(BUILD)/flags-cuda
	@mkdir -p $(@D)
	$(call run_compiler,CXX,$(HOST_CXX))

# The hosts of the kernels, which these tests link into themselves, with the emulated launches.  The sieve's kernels are
# not emulated.
EMULATED_GPU := $(filter-out $(BUILD)/gpu/sieve/%,$(filter-out %.cu.o,$(GPU_OBJ))) $(addprefix $(EMULATED)/,sieve_none.o measure_none.o) $(EMULATED_LAUNCHES)
link_test = $(call quietly,LINK,$(CC) $(ALL_LDFLAGS) -o $@ $(filter %.o,$^) $(STATIC) $(CHECK_LIBS) $(LDLIBS) $1)
$(addprefix $(EMULATED)/,domains trie reuse flood motifs motif_lists session census shapes staging): %: %.o
$(EMULATED)/engines: $(ENGINE_TESTS)
$(EMULATED)/random_cases: $(RANDOM_CASES)
$(addprefix $(EMULATED)/,engines domains trie reuse flood motifs motif_lists session census shapes staging random_cases): $(EMULATED_GPU) $(SUPPORT) $(STATIC)
	$(call link_test,-lstdc++)
# The sieve and its pruning have tests of their own; the first plug-in below has neither.  Only the tests of the sieve have
# the kernel for small graphs, because it takes long to emulate.
EMULATED_SIEVE := $(filter-out %.cu.o,$(filter $(BUILD)/gpu/common/%,$(GPU_OBJ))) \
                  $(addprefix $(BUILD)/gpu/sieve/,blocks.o memory.o plan.o problem.o prune.o sieve.o) \
                  $(EMULATED)/launch_sieve.o $(EMULATED)/launch_prune.o $(EMULATED)/launch_digest.o $(EMULATED)/fake_cuda.o
# checked_runs.o needs the whole library, which finds GPUs by the plug-in.
$(addprefix $(EMULATED)/,sieve prune): %: %.o
$(EMULATED)/sieve: $(EMULATED)/launch_shared.o
$(EMULATED)/prune: $(EMULATED)/shared_none.o
$(addprefix $(EMULATED)/,sieve prune): $(EMULATED_SIEVE) $(filter-out %/checked_runs.o,$(SUPPORT)) $(STATIC)
	$(call link_test,-lstdc++)
# The plug-in with emulated GPUs: the tool and the library load it like the real one.
$(EMULATED)/table.o: EXTRA = $(CUDA_INCLUDE) -DMS_GPU_DRIVER=NULL -DMS_SOURCES='"$(SOURCES_SUM)"'
$(EMULATED)/table.o: gpu/plugin/table.c $(BUILD)/flags $(BUILD)/sources
	@mkdir -p $(@D)
	$(call run_compiler,CC,$(CC) $(ALL_CFLAGS) $(EXTRA) -c -o $@ $<)
EMULATED_PLUGIN := $(EMULATED)/$(PLUGIN_FILE)
$(EMULATED_PLUGIN): private PROGRAM_LDFLAGS :=
$(EMULATED_PLUGIN): $(EMULATED_GPU) $(EMULATED)/table.o $(BUILD)/gpu/plugin/library.o $(BUILD)/base/hooks.o gpu/plugin/exports.map
	$(call quietly,LINK,$(CC) $(ALL_LDFLAGS) $(PLUGIN_FLAGS) -o $@ $(filter %.o,$^) -lstdc++ -lm -lpthread)
# A second one, which sieves and prunes, too.
EMULATED_SIEVE_PLUGIN := $(EMULATED)/with_sieve/$(PLUGIN_FILE)
$(EMULATED_SIEVE_PLUGIN): private PROGRAM_LDFLAGS :=
$(EMULATED_SIEVE_PLUGIN): $(sort $(filter-out %/sieve_none.o,$(EMULATED_GPU)) $(EMULATED_SIEVE)) $(EMULATED)/shared_none.o $(EMULATED)/table.o \
                          $(BUILD)/gpu/plugin/library.o $(BUILD)/base/hooks.o gpu/plugin/exports.map
	@mkdir -p $(@D)
	$(call quietly,LINK,$(CC) $(ALL_LDFLAGS) $(PLUGIN_FLAGS) -o $@ $(filter %.o,$^) -lstdc++ -lm -lpthread)
# all of it that the compiler of C makes
GPU_TEST_OBJ := $(if $(filter 1,$(CUDA)),$(call obj,$(wildcard tests/gpu/*.c tests/gpu/emulated/*.c)) $(EMULATED)/table.o)
# The same tests on real GPUs.
GPU_DEVICE_PROGRAMS := $(addprefix $(BUILD)/tests/gpu/,device_engines device_domains device_trie device_motifs device_motif_lists \
                       device_session device_census device_shapes device_prune random_cases)
$(BUILD)/tests/gpu/device_engines: $(ENGINE_TESTS)
$(addprefix $(BUILD)/tests/gpu/device_,domains motifs motif_lists session census shapes prune): $(BUILD)/tests/gpu/device_%: $(EMULATED)/%.o
$(BUILD)/tests/gpu/device_trie: $(EMULATED)/trie.o $(EMULATED)/trie_host.o
$(BUILD)/tests/gpu/random_cases: $(RANDOM_CASES)
$(GPU_DEVICE_PROGRAMS): $(EMULATED)/real_cuda.o $(GPU_OBJ) $(SUPPORT) $(STATIC)
	$(call link_test,$(CUDA_LIBS) -lstdc++)

-include $(addsuffix .d,$(GPU_TESTS)) $(wildcard $(EMULATED)/*.d) $(wildcard $(RANDOM_CASES:.o=.d))

check-gpu: deps ## test the CUDA code on this machine's GPUs, and check its memory accesses
	@$(MAKE) --no-print-directory CUDA=1 check-gpu-run

check-gpu-run: all python-if-there $(BUILD)/tests/unit/test_gpu $(GPU_TESTS) $(GPU_DEVICE_TESTS)
	@tests/gpu.sh $(BUILD)

.PHONY: check-gpu check-gpu-run
