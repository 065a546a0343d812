#include "match/cpu/inner_plan.h"

#include "base/alloc.h"

void ms_inner_plan_free(ms_inner_plan *plan)
{
  for (uint32_t i = 0; plan && i < plan->count; i++)
    ms_program_free(plan->term[i].program);
  ms_free(plan);
}
