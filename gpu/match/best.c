/* The engine `gpu`: it passes each program to the engine that is best for it, as measured on an
 * H200: flood lists ten million rows and more 1.3 to 3 times as fast as the others. */
#include "base/hooks.h"
#include "gpu/match/domains.h"
#include "match/engine.h"

#include "gpu/common/context.h"
#include "gpu/match/dfs/local_program.h"

#include <stdatomic.h>

/* Measured times on an H200 (bench/gpu_patterns.sh) in units of a step of the CPU's engine, which
 * takes one thread 2 ns: chains, ends, other local programs, tables, 4-cycles in graphs of many
 * vertices (on an H100: 0.0023 in a random graph, 0.004 in R-MAT 17), the rest; and the table or
 * the bit matrix of one root, however little is searched with it. */
#define CHAIN_WEIGHT 0.005
#define ENDS_WEIGHT 0.01
#define LOCAL_WEIGHT 0.003
#define TABLE_WEIGHT 0.05
#define SQUARES_WEIGHT 0.005
#define OTHER_WEIGHT 0.02
#define TABLE_STEPS 1.0
#define MATRIX_STEPS 25.0
/* Local programs with domains go to `trie` below this number of early reads: a block that makes the
 * matrix of a hub takes longer than the whole search.  With 0.2 to 2 million, K3, K4 and diamonds
 * of wiki-Vote and email-Enron with 4 to 16 colours take 0.18 to 0.36 ms by `trie` on an H200, and
 * 0.28 to 0.62 by `dfs`. */
#define SHORT_READS 4e6
/* A step in a local program reads a row of a matrix: longer rows than this take longer. */
#define USUAL_WORDS 64u

typedef enum program_kind { OTHER, CHAIN, ENDS, MATRIX, SQUARES } program_kind;

/* Returns the kind of kernels of `dfs` for the program, and sets *words to the words of the longest
 * row of a local program's matrices. */
static program_kind find_kind(const ms_program *program, uint32_t *words)
{
  ms_packed_program packed;
  program_kind kind = OTHER;
  if (ms_packed_program_new(program, &packed, NULL) != MS_OK)
    return kind;
  bool is_short = program->step[1].domain.bits && ms_program_early_reads(program) < SHORT_READS;
  if (packed.program.local && !(is_short && !packed.program.chain))
    kind = packed.program.chain ? CHAIN : packed.program.ends ? ENDS : MATRIX;
  else if (packed.program.squares && program->index->n >= ms_hooks.gpu_dfs_square_vertices)
    kind = SQUARES;
  *words = (ms_local_universe(program, &packed.program) + 31) / 32;
  ms_packed_program_free(&packed);
  return kind;
}

static double weigh_program(const ms_program *program, double steps)
{
  const ms_domain *roots = &program->step[0].domain;
  uint32_t words = 0;
  switch (find_kind(program, &words)) {
  case CHAIN:
    return CHAIN_WEIGHT * steps;
  case ENDS:
    return ENDS_WEIGHT * steps;
  case SQUARES:
    return SQUARES_WEIGHT * steps;
  case MATRIX:
    return LOCAL_WEIGHT * steps * (words > USUAL_WORDS ? (double)words / USUAL_WORDS : 1) +
           MATRIX_STEPS * roots->count;
  default:
    return program->table ? TABLE_WEIGHT * steps + TABLE_STEPS * roots->count
                          : OTHER_WEIGHT * steps;
  }
}

static const ms_pattern_engine *best_of(const ms_program *program)
{
  uint32_t words;
  bool by_dfs = program->table || find_kind(program, &words) != OTHER;
  return by_dfs && !ms_program_is_large(program) ? &ms_pattern_engine_dfs : &ms_pattern_engine_trie;
}

static ms_status count_by_best(const ms_pattern_task *task, mpz_t sum, ms_error *err)
{
  return best_of(task->program)->count(task, sum, err);
}

static ms_status count_squares_by_dfs(const ms_pattern_task *task, mpz_t sum, ms_error *err)
{
  return ms_pattern_engine_dfs.count_squares(task, sum, err);
}

static ms_status count_hub_squares(const ms_pattern_task *task, mpz_t sum, ms_error *err)
{
  return ms_pattern_engine_dfs.count_hub_squares(task, sum, err);
}

static ms_status count_triangles(const ms_pattern_task *task, mpz_t sum, ms_error *err)
{
  return ms_pattern_engine_dfs.count_triangles(task, sum, err);
}

static ms_status count_triangle_ends(const ms_pattern_task *task, mpz_t sum, ms_error *err)
{
  return ms_pattern_engine_dfs.count_triangle_ends(task, sum, err);
}

static ms_status count_books(const ms_pattern_task *task, ms_book *book, ms_error *err)
{
  return ms_pattern_engine_dfs.count_books(task, book, err);
}

static ms_status list_by_flood(const ms_pattern_task *task, ms_rows_fn make, void *user,
                               ms_stream *stream, ms_error *err)
{
  return ms_pattern_engine_flood.list(task, make, user, stream, err);
}

static atomic_bool has_none; /* once a GPU was looked for in vain */

static int count_devices(void)
{
  int devices = ms_pattern_engine_dfs.devices();
  atomic_store(&has_none, devices == 0);
  return devices;
}

static bool may_have_devices(void)
{
  return !atomic_load(&has_none);
}

static ms_status supports_program(const ms_program *program, ms_error *err)
{
  return ms_pattern_engine_dfs.supports(program, err);
}

const ms_pattern_engine ms_pattern_engine_gpu = {.name = "gpu",
                                                 .devices = count_devices,
                                                 .supports = supports_program,
                                                 .may_have_devices = may_have_devices,
                                                 .is_started = ms_gpu_is_started,
                                                 .weigh = weigh_program,
                                                 .filter_domains = ms_gpu_filter_domains,
                                                 .count = count_by_best,
                                                 .count_squares = count_squares_by_dfs,
                                                 .count_hub_squares = count_hub_squares,
                                                 .count_triangles = count_triangles,
                                                 .count_triangle_ends = count_triangle_ends,
                                                 .count_books = count_books,
                                                 .list = list_by_flood};
