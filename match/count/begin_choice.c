#include "match/count/begin_choice.h"

#include <math.h>

double ms_begin_limit(const ms_begin *b)
{
  if (b->restricted)
    return b->start * fmin(b->threads, MS_BEGIN_SPEEDUP);
  return b->start * (MS_BEGIN_WHOLE / MS_BEGIN_RESTRICTED); /* too short for threads to gain */
}

bool ms_begins_on_gpu(const ms_begin *b)
{
  return b->steps > ms_begin_limit(b);
}
