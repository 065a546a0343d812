/* Both recurrences over line types that the sieve does not use, one thread for each vertex and word
 * of points: the experiment that compares arithmetic in the same steps (docs/EXPERIMENTS.md). */
#include "gpu/sieve/recurrence.cuh"

template <class LINE>
static cudaError_t run_line(const ms_device_problem *p, const ms_global_plan *plan,
                            const ms_device_pass *pass, uint4 *scratch, uint64_t first,
                            uint32_t words, cudaStream_t stream)
{
  step_args a = step_args_of(p, plan, pass, scratch, first, words);
  if (!p->sibling)
    return launch_classic<LINE>(a, stream);
  uint4 *const buffer[2] = {rows_of(*plan, scratch, 0), rows_of(*plan, scratch, 1)};
  a.to = buffer[0];
  MS_LAUNCH(first_step<LINE>, blocks_for(p->n, a.word_bits), THREADS, stream, a);
  return launch_steps<LINE>(a, buffer, 2, stream);
}

extern "C" cudaError_t ms_lines_run(const ms_device_problem *p, const ms_global_plan *plan,
                                    const ms_device_pass *pass, uint4 *scratch, uint64_t first,
                                    uint32_t words, cudaStream_t stream)
{
  return (p->line == MS_LINE_TABLE ? run_line<ms_table_line>
          : p->line == MS_LINE_PACKED
              ? run_line<ms_packed_line>
              : run_line<ms_plain_line>)(p, plan, pass, scratch, first, words, stream);
}
