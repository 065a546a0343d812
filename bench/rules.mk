# The benchmarks: programs of their own in $(BUILD)/bench, and the scripts that run them.
# The sources of all subjects have different names; the programs are in one folder.
BENCH_SRC := $(wildcard bench/*.c bench/*/*.c)
bench_obj = $(foreach f,$1,$(patsubst %.c,$(BUILD)/%.o,$(filter %/$f.c,$(BENCH_SRC))))
# The objects that all of these programs share.
BENCH_COMMON := $(call bench_obj,harness) $(BUILD)/cli/numbers.o
# These programs compare with igraph, which is built in if it is found.
PEER_PROGRAMS := $(addprefix $(BUILD)/bench/,typed_components typed_paths typed_match)
BENCH_PROGRAMS := $(addprefix $(BUILD)/bench/,auto_queries calibration_chains calibration_hubs census domain_times draw_edges experiments gpu_part listing miss_rate mixing motif_count pattern_cut pattern_engines pattern_queries pattern_sweep ranks_simulate row_writing sieve_rates vertex_order)

DECISION_OBJ := $(call bench_obj,decision decision_table decision_bitslice64 $(if $(X86),decision_avx2 decision_gfni256 decision_gfni512))
EXPERIMENT_OBJ := $(call bench_obj,experiments_cells experiments_columns experiments_files experiments_rows experiments_runs ceilings instance transfers) $(DECISION_OBJ)
$(BUILD)/bench/experiments: $(EXPERIMENT_OBJ) $(BUILD)/cli/signals.o
$(BUILD)/bench/census: $(call bench_obj,census_floor)
$(BUILD)/bench/gpu_part: $(call bench_obj,instance)
$(BUILD)/bench/sieve_rates: $(call bench_obj,instance)
$(BUILD)/bench/pattern_engines $(BUILD)/bench/row_writing: $(call bench_obj,pattern_runs)
SWEEP_OBJ := $(call bench_obj,pattern_runs sweep_compare sweep_engines sweep_families sweep_floor sweep_graphs sweep_join sweep_patterns sweep_rows sweep_sample sweep_summary)
$(BUILD)/bench/pattern_sweep: $(SWEEP_OBJ)
$(BUILD)/bench/domain_times: $(call bench_obj,pattern_runs sweep_families sweep_graphs sweep_patterns)
MISS_RATE_OBJ := $(call bench_obj,miss_cell planted)
$(BUILD)/bench/miss_rate: $(MISS_RATE_OBJ)

# what the tests need of all this
BENCH_TEST_OBJ := $(BENCH_COMMON) $(SWEEP_OBJ) $(MISS_RATE_OBJ) $(call bench_obj,experiments pattern_sweep) $(EXPERIMENT_OBJ)

# These two read and write variables of the code for GPUs, and so contain it.  The others load the plug-in.
WITH_GPUS := $(addprefix $(BUILD)/bench/,census motif_count)
$(WITH_GPUS): $(if $(GPU_OBJ),$(GPU_OBJ),$(call bench_obj,no_gpus))
$(WITH_GPUS): BENCH_LIBS = $(if $(GPU_OBJ),$(CUDA_LIBS) -lstdc++)
$(filter-out $(WITH_GPUS),$(BENCH_PROGRAMS)): BENCH_LIBS = $(if $(PLUGIN),-Wl$(comma)-rpath$(comma)'$$ORIGIN/..')
$(foreach p,$(BENCH_PROGRAMS) $(PEER_PROGRAMS),$(eval $p: $(call bench_obj,$(notdir $p))))
$(BENCH_PROGRAMS): $(BENCH_COMMON) $(STATIC)
	$(call quietly,LINK,$(CC) $(ALL_LDFLAGS) -o $@ $(filter %.o,$^) $(STATIC) $(LDLIBS) $(BENCH_LIBS))

# Evaluated only when one of these programs is built.
IGRAPH = $(shell pkg-config --exists igraph 2>/dev/null && echo yes)
$(call bench_obj,$(notdir $(PEER_PROGRAMS))): EXTRA = $(if $(IGRAPH),-DBENCH_IGRAPH $(patsubst -I%,-isystem %,$(shell pkg-config --cflags igraph)))
$(PEER_PROGRAMS): $(BENCH_COMMON) $(STATIC)
	$(call quietly,LINK,$(CC) $(ALL_LDFLAGS) -o $@ $(filter %.o,$^) $(STATIC) $(if $(IGRAPH),$(shell pkg-config --libs igraph)) $(LDLIBS))

-include $(patsubst %.c,$(BUILD)/%.d,$(BENCH_SRC))

bench: all $(BUILD)/bench/experiments ## measure this machine; the figures of docs and README come from here
	@bench/run.sh $(BINARY)

# FIGURES: some of k n m topology lines threads bandwidth decision transfers gpus (default: all); BENCH_FLAGS=--quick: in a minute.
bench-experiments: all $(BUILD)/bench/experiments ## repeat the experiments of the paper on the sieve, each as a table and a plot in $(BUILD)/experiments (some minutes)
	@bench/experiments.sh $(BENCH_FLAGS) $(BINARY) $(BUILD)/experiments $(FIGURES)

bench-gpu: all $(BUILD)/bench/experiments $(BUILD)/bench/gpu_part $(addprefix $(BUILD)/bench/,pattern_engines pattern_sweep) ## measure the NVIDIA GPUs of this machine (BENCH_FLAGS=--quick: in a minute)
	@bench/gpu.sh $(BENCH_FLAGS) $(BINARY)
	@bench/gpu_patterns.sh $(BUILD)
	@bench/pattern_sweep.sh $(BUILD)

bench-sweep: all $(BUILD)/bench/pattern_sweep ## count many patterns in many graphs by the processors' engine, three minutes (FULL=1: all of them, hours)
	@ENGINES=$${ENGINES:-cpu} bench/pattern_sweep.sh $(BUILD)

bench-patterns: all $(BUILD)/bench/pattern_queries ## measure pattern graphs on real networks, with checked counts (ten minutes, MOTIFSIEVE_DATA)
	@bench/patterns.sh $(BINARY) $(BUILD)/bench/pattern_queries

bench-motifs: all ## measure screens of motifs, by the sieve and by enumeration, and counts (ten minutes, MOTIFSIEVE_DATA)
	@bench/motifs.sh $(BINARY) $(BENCH_FLAGS)

bench-many-motifs: all ## measure many motifs in one run, mining, and the matches of each vertex (two minutes, MOTIFSIEVE_DATA)
	@bench/motifs.sh $(BINARY) --many $(BENCH_FLAGS)

bench-takeover: all ## measure from which k on the sieve is faster than enumeration, on all networks (an hour, MOTIFSIEVE_DATA)
	@bench/takeover.sh $(BINARY) $(NETWORKS)

bench-points: all ## measure how long the graph of a million points takes, by each rule (two minutes)
	@bench/points.sh $(BINARY)

bench-census: all $(BUILD)/bench/census ## measure censuses of a million points and of a network of proteins (three minutes, MOTIFSIEVE_DATA)
	@bench/census.sh $(BUILD)/bench/census $(BINARY)
	@$(MAKE) --no-print-directory bench-census-peers

bench-shapes-gpu: all $(BUILD)/bench/census ## measure censuses by shape on a GPU of this machine, beside its processors (four minutes, MOTIFSIEVE_DATA)
	@bench/shapes_gpu.sh $(BUILD)/bench/census

bench-census-gpu: all $(BUILD)/bench/census ## measure censuses of a million points on the GPUs of this machine, beside their floor (three minutes)
	@bench/census_gpu.sh $(BUILD)/bench/census $(BINARY)

bench-prune-gpu: all $(BUILD)/bench/experiments $(BUILD)/tests/gpu/device_prune $(BUILD)/tests/unit/test_gpu ## compare pruning on the GPUs of this machine with processors, first the results (five minutes)
	@bench/prune_gpu.sh $(BUILD)

bench-variants-gpu: all $(BUILD)/bench/experiments $(BUILD)/bench/vertex_order $(BUILD)/tests/unit/test_gpu ## compare variants of the sieve on a GPU of this machine with the default (two minutes)
	@bench/sieve_variants.sh $(BUILD)

bench-census-peers: all ## compare the numbers of censuses with igraph and spdep, as far as they are installed (five minutes, MOTIFSIEVE_DATA)
	@bench/peers.sh bench/census_peers.py $(BINARY)

bench-shape-peers: all ## compare censuses by shape, orbits and cliques with the programs that ESCAPE, ORCA, FANMOD and PIVOTSCALE name, igraph and NetworkX (half an hour, MOTIFSIEVE_DATA)
	@bench/peers.sh bench/shape_peers.py $(BINARY)

bench-auto: all $(BUILD)/bench/auto_queries ## measure the estimates and choices of auto on 100 queries (ten minutes, MOTIFSIEVE_DATA)
	@bench/auto.sh $(BINARY) $(BUILD)/bench/auto_queries

bench-cut: all $(BUILD)/bench/pattern_cut ## measure indexes that are cut behind the sieve (ten minutes, MOTIFSIEVE_DATA)
	@bench/pattern_cut.sh $(BINARY) $(BUILD)/bench/pattern_cut

bench-typed: all ## measure typed graphs, beside igraph if it is installed (some minutes)
	$(if $(IGRAPH),,@echo 'no igraph, which this compares with: apt-get install libigraph-dev; going on without it')
	@rm -f $(call bench_obj,$(notdir $(PEER_PROGRAMS)))
	@$(MAKE) --no-print-directory $(PEER_PROGRAMS)
	@bench/typed.sh $(abspath $(BINARY) $(PEER_PROGRAMS))

# TRIALS is the number of trials a cell (default 100000).
bench-miss: $(BUILD)/bench/miss_rate ## measure how often the sieve misses a vertex, beside the bound (an hour)
	@bench/miss_rate.sh $<

# LABELLINGS is the number of labellings for the p values of one motif (default 500).
bench-calibration: all $(BUILD)/bench/calibration_hubs ## test p values where colours are random, and the power to find planted sets (ten minutes; draws $(BUILD)/power.svg)
	@bench/calibration.sh $(BINARY) $(LABELLINGS)
	@python3 bench/calibration.py $(BINARY) --plot $(BUILD)/power.svg
	@bench/calibration_hubs.sh $(BUILD)

.PHONY: bench bench-calibration bench-experiments bench-census-gpu bench-census-peers bench-shape-peers bench-cut bench-gpu bench-prune-gpu bench-shapes-gpu bench-variants-gpu bench-sweep bench-patterns bench-motifs bench-many-motifs bench-takeover bench-census bench-points bench-auto bench-typed bench-miss
