# Kernels without a GPU: their arithmetic on the host, and whole engines on emulated
# lanes under a CUDA runtime that is the host.  Two of these tests also run on real GPUs.
GPU_TESTS := $(if $(filter 1,$(CUDA)),$(patsubst tests/%.cu,$(BUILD)/tests/%,$(wildcard tests/gpu/*.cu)) \
             $(addprefix $(BUILD)/tests/gpu/emulated/,engines domains trie reuse flood motifs motif_lists session census random_cases motifsieve))
# for make check-gpu
GPU_DEVICE_TESTS := $(if $(filter 1,$(CUDA)),$(addprefix $(BUILD)/tests/gpu/,device_engines device_domains device_trie device_motifs device_motif_lists device_session device_census random_cases))

$(BUILD)/tests/gpu/%: tests/gpu/%.cu $(BUILD)/flags-cuda
	@mkdir -p $(@D)
	$(call run_compiler,NVCC,$(NVCC) $(ALL_NVCCFLAGS) -MMD -MP -MT $@ -MF $@.d -o $@ $<)

# An engine's emulated launches are launch_NAME.cc, or .c.
EMULATED := $(BUILD)/tests/gpu/emulated
EMULATED_LAUNCHES := $(addprefix $(EMULATED)/,$(addsuffix .o,$(basename $(notdir \
                     $(wildcard tests/gpu/emulated/launch_*.c tests/gpu/emulated/launch_*.cc)))) trie_host.o trie_host_many.o fake_cuda.o)
SUBJECT := $(EMULATED)/subject.o
ENGINE_TESTS := $(SUBJECT) $(addprefix $(EMULATED)/,engines.o engines_ends.o engines_typed.o engines_large.o engines_wide.o \
                engines_codegrees.o engines_joined.o engines_squares.o engines_hubs.o)
RANDOM_CASES := $(SUBJECT) $(call obj,tests/gpu/random_cases.c tests/gpu/random_case.c)
# A fortified longjmp refuses to change stacks, which fibers need.
FIBERS := -U_FORTIFY_SOURCE
HOST_CXX = $(NVCC) -x c++ -std=c++17 -O2 -g -Iinclude -I. \
           -Xcompiler $(FIBERS),-Wall,-Wextra,-Wno-unknown-pragmas,-Wno-clobbered \
           -MMD -MP -MT $@ -MF $(@:.o=.d) -c -o $@ $<
$(EMULATED)/%.o $(RANDOM_CASES): EXTRA = $(CUDA_INCLUDE)
$(EMULATED)/%.o: tests/gpu/emulated/%.cc $(BUILD)/flags-cuda
	@mkdir -p $(@D)
	$(call run_compiler,CXX,$(HOST_CXX))

# everything but the CUDA runtime
EMULATED_LIBS = $(filter-out $(CUDA_LIBS),$(LDLIBS)) -lstdc++
link_emulated = $(call quietly,LINK,$(CC) $(ALL_LDFLAGS) -o $@ $(filter %.o,$^) $(STATIC) $1 $(EMULATED_LIBS))
$(EMULATED)/engines: $(ENGINE_TESTS) $(BUILD)/gpu/sieve/none.o $(EMULATED_LAUNCHES) $(SUPPORT) $(STATIC)
	$(call link_emulated,$(CHECK_LIBS))
$(EMULATED)/domains: $(EMULATED)/domains.o $(BUILD)/gpu/sieve/none.o $(EMULATED_LAUNCHES) $(SUPPORT) $(STATIC)
	$(call link_emulated,$(CHECK_LIBS))
$(EMULATED)/reuse: $(EMULATED)/reuse.o $(EMULATED_LAUNCHES) $(SUPPORT) $(STATIC)
	$(call link_emulated,$(CHECK_LIBS))
$(EMULATED)/motifs: $(EMULATED)/motifs.o $(BUILD)/gpu/sieve/none.o $(EMULATED_LAUNCHES) $(SUPPORT) $(STATIC)
	$(call link_emulated,$(CHECK_LIBS))
$(EMULATED)/motif_lists: $(EMULATED)/motif_lists.o $(BUILD)/gpu/sieve/none.o $(EMULATED_LAUNCHES) $(SUPPORT) $(STATIC)
	$(call link_emulated,$(CHECK_LIBS))
$(EMULATED)/flood: $(EMULATED)/flood.o $(EMULATED_LAUNCHES) $(SUPPORT) $(STATIC)
	$(call link_emulated,$(CHECK_LIBS))
$(EMULATED)/trie: $(EMULATED)/trie.o $(EMULATED_LAUNCHES) $(SUPPORT) $(STATIC)
	$(call link_emulated,$(CHECK_LIBS))
$(EMULATED)/session: $(EMULATED)/session.o $(BUILD)/gpu/sieve/none.o $(EMULATED_LAUNCHES) $(SUPPORT) $(STATIC)
	$(call link_emulated,$(CHECK_LIBS))
$(EMULATED)/census: $(EMULATED)/census.o $(BUILD)/gpu/sieve/none.o $(EMULATED_LAUNCHES) $(SUPPORT) $(STATIC)
	$(call link_emulated,$(CHECK_LIBS))
$(EMULATED)/random_cases: $(RANDOM_CASES) $(BUILD)/gpu/sieve/none.o $(EMULATED_LAUNCHES) $(SUPPORT) $(STATIC)
	$(call link_emulated,$(CHECK_LIBS))
# the tool itself, with GPUs for patterns that are the host
$(EMULATED)/motifsieve: $(CLI_OBJ) $(BUILD)/gpu/sieve/none.o $(EMULATED_LAUNCHES) $(STATIC)
	$(call link_emulated)
$(BUILD)/tests/gpu/device_engines: $(ENGINE_TESTS) $(EMULATED)/real_cuda.o $(SUPPORT) $(STATIC)
	$(call quietly,LINK,$(CC) $(ALL_LDFLAGS) -o $@ $(filter %.o,$^) $(STATIC) $(CHECK_LIBS) $(LDLIBS))
$(BUILD)/tests/gpu/device_domains: $(EMULATED)/domains.o $(EMULATED)/real_cuda.o $(SUPPORT) $(STATIC)
	$(call quietly,LINK,$(CC) $(ALL_LDFLAGS) -o $@ $(filter %.o,$^) $(STATIC) $(CHECK_LIBS) $(LDLIBS))
$(BUILD)/tests/gpu/device_motifs: $(EMULATED)/motifs.o $(EMULATED)/real_cuda.o $(SUPPORT) $(STATIC)
	$(call quietly,LINK,$(CC) $(ALL_LDFLAGS) -o $@ $(filter %.o,$^) $(STATIC) $(CHECK_LIBS) $(LDLIBS))
$(BUILD)/tests/gpu/device_motif_lists: $(EMULATED)/motif_lists.o $(EMULATED)/real_cuda.o $(SUPPORT) $(STATIC)
	$(call quietly,LINK,$(CC) $(ALL_LDFLAGS) -o $@ $(filter %.o,$^) $(STATIC) $(CHECK_LIBS) $(LDLIBS))
$(BUILD)/tests/gpu/device_session: $(EMULATED)/session.o $(EMULATED)/real_cuda.o $(SUPPORT) $(STATIC)
	$(call quietly,LINK,$(CC) $(ALL_LDFLAGS) -o $@ $(filter %.o,$^) $(STATIC) $(CHECK_LIBS) $(LDLIBS))
$(BUILD)/tests/gpu/device_census: $(EMULATED)/census.o $(EMULATED)/real_cuda.o $(SUPPORT) $(STATIC)
	$(call quietly,LINK,$(CC) $(ALL_LDFLAGS) -o $@ $(filter %.o,$^) $(STATIC) $(CHECK_LIBS) $(LDLIBS))
$(BUILD)/tests/gpu/random_cases: $(RANDOM_CASES) $(EMULATED)/real_cuda.o $(SUPPORT) $(STATIC)
	$(call quietly,LINK,$(CC) $(ALL_LDFLAGS) -o $@ $(filter %.o,$^) $(STATIC) $(CHECK_LIBS) $(LDLIBS))
$(BUILD)/tests/gpu/device_trie: $(EMULATED)/trie.o $(EMULATED)/trie_host.o $(EMULATED)/real_cuda.o $(SUPPORT) $(STATIC)
	$(call quietly,LINK,$(CC) $(ALL_LDFLAGS) -o $@ $(filter %.o,$^) $(STATIC) $(CHECK_LIBS) $(LDLIBS) -lstdc++)

-include $(addsuffix .d,$(GPU_TESTS)) $(wildcard $(EMULATED)/*.d) $(wildcard $(RANDOM_CASES:.o=.d))

check-gpu: deps ## test the CUDA code on this machine's GPUs, and check its memory accesses
	@$(MAKE) --no-print-directory CUDA=1 check-gpu-run

check-gpu-run: all $(BUILD)/tests/unit/test_gpu $(GPU_TESTS) $(GPU_DEVICE_TESTS)
	@tests/gpu.sh $(BUILD)

.PHONY: check-gpu check-gpu-run
