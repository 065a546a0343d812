/* The rows of base/hooks.h: HOOK(type, name, default). */
/* ---- base/, parts/ */
/* Flips a bit where a fault may be injected; NULL: there are no faults. */
HOOK(ms_fault_fn, fault, NULL)
/* Runs have faults, and do not look for them. */
HOOK(bool, fault_unchecked, false)
/* The first way of a race begins when the second one has ended (base/threads/race.h). */
HOOK(bool, race_second_first, false)
/* Steps from which on several threads pay: a parallel loop costs up to 0.05 ms, and one call has a
 * dozen of them. */
HOOK(uint64_t, work_for_threads, 1 << 17)

/* ---- sieve/ */
/* Bytes of cache that lines must fit, so that the CPU keeps them near; 0: the L2 cache. */
HOOK(uint64_t, sieve_cache, 0)
/* Bytes of cache that the lines of a block for each thread must fit; otherwise all threads work on
 * one block, where vertices may share a line.  0: the L3 cache, and blocks are only shared if each
 * thread has enough of its vertices. */
HOOK(uint64_t, sieve_shared_cache, 0)

/* ---- motif/ */
/* The way to count: 1 + an ms_count_way, or MS_COUNT_THREE; 0: the best one. */
HOOK(int, count_way, 0)
/* Bytes for the states that a thread keeps. */
HOOK(uint64_t, state_bytes, (uint64_t)16 << 20)
/* Greatest number of subsets of a match for which families have a table. */
HOOK(uint32_t, family_subsets, 210)
/* Rounds of pruning before the worklist; UINT32_MAX: as many as there are slots. */
HOOK(uint32_t, prune_rounds, UINT32_MAX)
/* Roots of motifs are cut by the rule for roots of patterns (count_cut_degree, count_cut_roots). If
 * there are at most motif_cut_roots roots, all are cut. */
HOOK(uint32_t, motif_cut_degree, 16)
HOOK(uint32_t, motif_cut_roots, 256)

/* ---- census/ */
/* The kernel for rows of bits; NULL: the best one. */
HOOK(const struct ms_bits_kernel *, census_bits_kernel, NULL)
/* Least degree of a vertex that has a row of bits; 0: where the row pays. */
HOOK(uint32_t, census_bits_degree, 0)
/* The form of the tables, an ms_census_form. */
HOOK(unsigned, census_form, 0)
/* Where the motifs of vertices with several colours are counted, on any number of threads: 0: as
 * the work suggests; 1: in hash tables; 2, 3: in places of 32 or 64 bits. */
HOOK(unsigned, census_motifs, 0)
/* Sets that a thread counts before it moves its numbers into the totals, so that each of them has
 * 32 bits: more than the degree of a vertex and the candidates of a set together. */
HOOK(uint32_t, census_dense_sets, UINT32_MAX)
/* Least work of a unit. */
HOOK(double, census_unit_work, 256)
/* Estimated connected sets with one vertex less from which orbits are counted by formulas; 0:
 * always. */
HOOK(double, orbit_sets, 1e6)
/* The same for shapes. */
HOOK(double, shape_sets, 1e6)

/* ---- significance/ */
/* Most cells that overlaps use without a hash table, and most that are all cleared: 64 KiB. */
HOOK(uint64_t, dense_cells, 1 << 20)
HOOK(uint64_t, flat_cells, 1 << 16)
/* Length of a chain: steps for each vertex with a label (null_edges.c), or edge (null_rewire.c). */
HOOK(uint32_t, null_vertex_swaps, 100)
HOOK(uint32_t, null_edge_swaps, 10)
/* Most words of bits for each place of a table of edges (null_rewire.c); 0: only tables. */
HOOK(uint64_t, null_words, 4)
/* The engine of permutations, an ms_permute_engine. */
HOOK(unsigned, permute_engine, 0)
/* Sets in a segment of records; 0: the usual number. */
HOOK(uint64_t, permute_segment_sets, 0)

/* ---- match/ */
/* Least degree of a hub, which is adjacent to at least one vertex in 64: its bits take at most
 * twice the bytes of its row. */
HOOK(uint32_t, hub_degree, 64)
/* Most vertices of a universe, whose rows then take 8 MiB; no greater; 0: no program is local. */
HOOK(uint32_t, universe_room, 8192)
/* A GPU's estimated time for domains is multiplied by this before it is compared with the host's;
 * 0: a GPU has all tasks that it can do. */
HOOK(double, domain_gpu_weight, 1)
/* Least work of a unit of rows, of patterns and of motifs. */
HOOK(double, row_unit_work, 4096)
/* Roots are cut that have at least so many neighbours, and are among so many with the most
 * neighbours; where a part of a root takes long to begin, among fewer. */
HOOK(uint32_t, count_cut_degree, 64)
HOOK(uint32_t, count_cut_roots, 256)
/* A search of at least this many estimated steps is probed, with all ways to count whose estimate
 * is within this factor of the best. */
HOOK(double, probe_steps, 1e6)
HOOK(double, probe_factor, 50)
/* Steps from which on a search for 4-cycles roots them at their largest vertex without a probe. */
HOOK(double, squares_steps, 1e8)
/* Weights of the estimated steps of other ways to count, which are compared with the steps of a
 * search: 0 makes a count use such a way where there is one, INFINITY none. */
/* Ways with an inner pattern. */
HOOK(double, count_module_weight, 1)
/* Sums for induced patterns; with 0, and -1 for probe_steps, every sum is made. */
HOOK(double, count_sum_weight, 1)
/* Edge products, and counts at a hinge with their gluings.  Estimates of searches rest on samples,
 * so that these have to be clearly shorter. */
HOOK(double, count_edge_weight, 2)
HOOK(double, count_hinge_weight, 2)
/* Elimination has to be far shorter: its estimates may be more than six times too low (wheels of
 * five in wiki-Vote, 16 threads). */
HOOK(double, count_elimination_weight, 8)
/* Cliques by pivots (match/count/count_cliques.c). */
HOOK(double, count_clique_weight, 1)
/* Wheels on GPUs (hub_squares.h). */
HOOK(double, count_hub_weight, 1)
/* Triangles in dense graphs (dense_triangles.h), and the least mean degree of these. */
HOOK(double, count_dense_weight, 1)
HOOK(uint32_t, count_dense_degree, 128)
/* Weight of a search that is compared with a count by factors: 0 chooses every search, INFINITY
 * none.  Probes find a search too short by about 1.1 times, but a weight of 1.2 did not count more
 * rows in the best way. */
HOOK(double, factor_plan_weight, 1.5)
/* Steps of each thread from which on the count by factors of a tree is compared with a search by
 * the query's engine on a GPU, whose start takes half as long; 0: the search is chosen.  Paths of
 * five with 4 and 8 colours in wiki-Vote and email-Enron take 1 to 6 ms by factors on 16 threads,
 * and 0.5 to 0.8 ms on an H200. */
HOOK(double, factor_engine_steps, 1e5)

/* ---- gpu/common/ */
/* Rows of the first output of a listing; later ones are larger. */
HOOK(uint64_t, gpu_first_rows, 1 << 16)
/* Seconds between two looks at the queue of a running count. */
HOOK(double, gpu_look_seconds, 0.2)

/* ---- gpu/match/ */
/* Programs of more visited levels count as programs of many levels. */
HOOK(uint32_t, gpu_few_levels, UINT32_MAX)
/* reuse: most device memory for levels and sets. */
HOOK(uint64_t, gpu_reuse_bytes, (uint64_t)3 << 30)
/* reuse: least neighbours of a row that is worth a search for a cached set in its place. */
HOOK(uint32_t, gpu_reuse_long_row, 256)
/* flood: partial matches of a block's pool: two for each of its threads. */
HOOK(uint32_t, gpu_flood_pool, 512)
/* flood: bytes of pools in shared memory, so that several blocks fit a multiprocessor. */
HOOK(uint32_t, gpu_flood_shared_bytes, 40 << 10)
/* flood: partial matches at which flooding ends; 0: by the device's threads. */
HOOK(uint64_t, gpu_flood_paths, 0)
/* flood: most rows of an output; 0: by the memory. */
HOOK(uint64_t, gpu_flood_rows, 0)

/* ---- gpu/match/dfs/dfs.c and its plans */
/* Bytes of a warp's sets in shared memory; longer sets are in global memory.  The rest of the
 * shared memory is L1 cache, which holds the rows. */
HOOK(uint32_t, gpu_dfs_set_bytes, 2048)
/* Most neighbours of a root that a warp counts by itself, and candidates that a block takes at a
 * time of a root with more. */
HOOK(uint32_t, gpu_dfs_warp_degree, UINT32_MAX)
HOOK(uint32_t, gpu_dfs_slice, 64)
/* The work of a universe from which it is dense, so that a warp lists its slices; a block, 16 times
 * as much (dfs_slices.cuh). */
HOOK(double, gpu_dfs_dense, 1000)
/* Most paths of length two from a root that a warp counts by itself. */
HOOK(uint32_t, gpu_dfs_warp_paths, UINT32_MAX)
/* Most paths of a part of a root that blocks share; 0: as the graph demands. */
HOOK(uint32_t, gpu_dfs_part_paths, 0)
/* Most vertices of a universe for which there is always room: MS_LOCAL_FEW. */
HOOK(uint32_t, gpu_dfs_sure_universe, 2048)
/* Most vertices of a universe whose ids and sets blocks keep in shared memory, where a matrix has
 * rows for vertices above the root alone: MS_LOCAL_MOST. */
HOOK(uint32_t, gpu_dfs_shared_universe, 24576)
/* Most edges that a mean universe is expected to have where roots are screened
 * (dfs_local_block.cuh). */
HOOK(double, gpu_dfs_screen_edges, 0.25)
/* Where codegrees are all that counts: most paths of the roots that a warp counts together, and
 * most words of a block's counters (two or more). */
HOOK(uint32_t, gpu_dfs_square_paths, UINT32_MAX)
HOOK(uint32_t, gpu_dfs_counters, UINT32_MAX)
/* Bits of vertices that a block has in shared memory, at most, where it counts codegrees. */
HOOK(uint32_t, gpu_dfs_near_bits, UINT32_MAX)
/* Least vertices of a graph whose squares are counted without a table. */
HOOK(uint32_t, gpu_dfs_square_vertices, 1 << 16)
/* Arcs from which on a graph has too many for blocks that count chains in batches of universes
 * (dfs_team.cuh). */
HOOK(uint64_t, gpu_dfs_team_arcs, 1 << 20)
/* Least arcs of a graph in which lists of work are sorted (dfs_list.cuh).  Sorting takes two
 * launches: some microseconds, as long as a tenth of a search in a small graph. */
HOOK(uint64_t, gpu_dfs_sorted_arcs, 1 << 20)
/* Most vertices of a small matrix (dfs_small.cuh), at most MS_CHAIN_ROOM. */
HOOK(uint32_t, gpu_dfs_chain_room, 128)
/* Blocks of chains have wide rows wherever there is room for them, not only those that have a
 * multiprocessor alone (dfs_small.cuh). */
HOOK(bool, gpu_dfs_wide_rows, false)
/* Twice the vertices of the largest universe that has a table of places; in larger universes places
 * are searched for (dfs_universe.cuh). */
HOOK(uint32_t, gpu_dfs_finder_places, UINT32_MAX)
/* 4-cycles in neighbourhoods (hub_squares.c): most vertices of a warp's neighbourhood; most words
 * of a block's filter, so that a multiprocessor holds two blocks; least rows of a slice, each of
 * which marks the whole neighbourhood in the filter; words of the matrices of a launch, about: with
 * fewer, more launches take less memory. */
HOOK(uint32_t, gpu_hub_degree, UINT32_MAX)
HOOK(uint32_t, gpu_hub_filter_words, 1 << 14)
HOOK(uint32_t, gpu_hub_slice_rows, 256)
HOOK(uint64_t, gpu_hub_matrix_words, 1 << 28)

/* ---- gpu/motif/ */
/* How sets are held, an ms_motif_way. */
HOOK(unsigned, gpu_motif_way, 0)
/* Entries of the tables of lists, in the first and in the second search: powers of two. */
HOOK(uint32_t, gpu_motif_table, 512)
HOOK(uint32_t, gpu_motif_second_table, 8192)
/* Entries of the longest row, and the least number of kinds, with which sets are counted side by
 * side in lists.  So sets of a motif of five colours take 20 % less time, and sets without colours,
 * which have many candidates, 20 % more (an H200). */
HOOK(uint32_t, gpu_motif_short_row, 48)
HOOK(uint32_t, gpu_motif_kinds, 4)
/* Candidates of a unit for each of its parts: of counts, where with 64 sets of five take 3 % longer
 * on yeast, and with 16 28 %; of listings of sets of four; and of listings of larger sets. */
HOOK(uint32_t, gpu_motif_part, 256)
HOOK(uint32_t, gpu_list_four_part, 128)
HOOK(uint32_t, gpu_list_part, 32)
/* Listings (gpu/motif/list.c): entries of a piece, vertices that complete a set in a record, units
 * of the first batch, and bytes of each output. */
HOOK(uint32_t, gpu_list_piece, 8192)
HOOK(uint32_t, gpu_list_together, UINT32_MAX)
HOOK(uint32_t, gpu_list_batch, 1 << 14)
HOOK(uint64_t, gpu_list_output, (uint64_t)128 << 20)
/* Records of listings are fetched and not read. */
HOOK(bool, gpu_list_unread, false)
/* Greatest numbers of neighbours that a search of a session looks at, from one root: for all its
 * sets, and for a first match; read when the session is opened. */
HOOK(uint32_t, gpu_session_steps, 1 << 12)
HOOK(uint32_t, gpu_session_first_steps, 1 << 14)
/* Motifs of a batch of a session; 0: as many as suit the graph. */
HOOK(uint32_t, gpu_session_batch, 0)

/* ---- gpu/census/ */
/* Words of a set in the first kernel, 0: as many as most roots need; and in the last one. */
HOOK(uint32_t, gpu_census_words, 0)
HOOK(uint32_t, gpu_census_words_limit, 4)
/* Most numbers that a block counts in its own memory. */
HOOK(uint32_t, gpu_census_shared_cells, 4096)
/* Most kinds of which a ball has rows. */
HOOK(uint32_t, gpu_census_ball_kinds, 64)
/* Bytes of the L2 cache; 0: of the device's. */
HOOK(uint64_t, gpu_census_cache_bytes, 0)
/* Bits of the largest table of a vertex; 0: as many as are useful. */
HOOK(uint32_t, gpu_census_bits, 0)
/* Most entries for vertices that a device holds. */
HOOK(uint64_t, gpu_census_entries, 1 << 24)
/* Bits of the number of places of the table of shapes with colours; 0: by an estimate. */
HOOK(uint32_t, gpu_shape_slot_bits, 0)

/* ---- run/ */
/* Screens by the sieve fill q of their result, as parts do; not for scores of vertices. */
HOOK(bool, keep_q, false)
/* Factor of the time that a GPU is expected to need for a pattern. */
HOOK(double, pattern_gpu_patience, 1)
/* Seconds after which a count by `auto` begins on a GPU, too, or on processors, whose threads slow
 * a GPU's host down by up to two times, and after which a GPU is started for it: as many as the
 * start takes.  race_patience INFINITY: there is no race. */
HOOK(double, race_patience, 1e-3)
HOOK(double, race_cpu_patience, 0.02)
HOOK(double, race_start_patience, 0.3)
/* A count whose estimated time on processors is this many times that on a GPU with its start is the
 * GPU's alone, until the GPU has started. */
HOOK(double, race_start_gain, 3)
/* Least share of the index's vertices, or of the entries of its rows, that has to fall away if the
 * index is to be cut: 0 cuts always, 2 never. */
HOOK(double, match_cut_share, 0.25)
/* Weight of the estimated steps of formulas for the matches of each vertex, which are compared with
 * those of a search: 0 uses them wherever they apply, INFINITY nowhere. */
HOOK(double, participation_weight, 1)
/* A count of a typed pattern whose search is estimated to take this number of steps for each entry
 * of the relations' rows and each vertex is tried by ms_typed_count_plain; 0: every count. */
HOOK(double, typed_patience, 5)
/* Typed patterns are searched without the walk's domains, by types alone. */
HOOK(bool, typed_no_walk, false)
/* Seconds that a GPU has to save before `auto` lists on it; below 0: it always does. */
HOOK(double, motif_gpu_gain, 1)
/* Seconds that the last motifs of a batch have on one thread each, once another thread has no motif
 * left. */
HOOK(double, session_moment, 0.1)
/* Work after which MS_METHOD_AUTO gives up at the earliest: 20 ms, which nobody waits for. */
HOOK(double, exact_work, 2e7)
/* Products of the sieve that take the time of a word, on a processor with GFNI. */
HOOK(double, exact_products_per_word, 300)
/* Words of a step of the sieve besides its products, for an arc and two sizes of subtrees: a random
 * weight, and a row of points that is read at a random place.  That takes 4 words in networks of
 * 1,000 vertices with motifs of six to eight, 5 to 10 in networks of 13,000 to 29,000, and 17 or
 * more in one of 63,000, whose rows are no longer in a cache (bench/takeover.sh).  0: none. */
HOOK(double, exact_words_per_step, 4)

/* ---- figures that benchmarks read, and set to 0 */
/* Seconds in which devices have searched, all of them together. */
HOOK(double, gpu_census_seconds, 0)
HOOK(double, gpu_motif_seconds, 0)
/* Bytes of the records of listings that were fetched. */
HOOK(uint64_t, gpu_list_bytes, 0)
