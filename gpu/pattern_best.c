/* The engine `gpu`: each program goes to what is best for it. */
#include "gpu/pattern.h"

#include "gpu/pattern_local.h"

/* Steps of the CPU's engine, which take it 2 ns a thread, against measured times
 * on an H200 (bench/results): chains, ends, other local programs, tables, the
 * rest. */
#define CHAIN_WEIGHT 0.005
#define ENDS_WEIGHT 0.01
#define LOCAL_WEIGHT 0.02
#define TABLE_WEIGHT 0.05
#define OTHER_WEIGHT 0.03

static double weight(const ms_program *program)
{
  ms_local_kind kind = ms_local_kind_of(program);
  return kind == MS_LOCAL_CHAIN  ? CHAIN_WEIGHT
         : kind == MS_LOCAL_ENDS ? ENDS_WEIGHT
         : kind == MS_LOCAL_MATRIX ? LOCAL_WEIGHT
         : program->table          ? TABLE_WEIGHT
                                   : OTHER_WEIGHT;
}

static const ms_pattern_engine *best_of(const ms_program *program)
{
  return program->table || ms_local_kind_of(program) != MS_LOCAL_NONE ? &ms_pattern_engine_dfs
                                                                     : &ms_pattern_engine_trie;
}

static ms_status count(const ms_pattern_task *task, mpz_t sum, ms_error *err)
{
  return best_of(task->program)->count(task, sum, err);
}

static ms_status list(const ms_pattern_task *task, ms_row_fn make, void *user, ms_stream *stream, ms_error *err)
{
  return ms_pattern_engine_trie.list(task, make, user, stream, err);
}

static int devices(void)
{
  return ms_pattern_engine_dfs.devices();
}

static ms_status takes(const ms_program *program, ms_error *err)
{
  return ms_pattern_engine_dfs.takes(program, err);
}

const ms_pattern_engine ms_pattern_engine_gpu = {
  .name = "gpu", .devices = devices, .takes = takes, .weight = weight, .count = count, .list = list};
