#include "match/count/quotients.h"

#include "base/alloc.h"
#include "base/status.h"

typedef struct partitions {
  const ms_shape *shape;
  uint8_t tail[MS_MAX_PATTERN], block[MS_MAX_PATTERN];
  uint32_t r, first;  /* vertices of the tail; vertices outside it, each of which is a block */
  ms_shape *quotient; /* not on the stack, since visits may list quotients of it */
  ms_quotient_fn visit;
  void *user;
} partitions;

static ms_status visit_quotient(const partitions *p, uint32_t blocks)
{
  ms_shape_quotient(p->shape, p->block, blocks, p->quotient);
  return p->visit(p->user, p->quotient);
}

/* Adds the vertices tail[i], tail[i + 1], ... to the blocks so far. */
static ms_status add_vertices(partitions *p, uint32_t i, uint32_t blocks)
{
  ms_status status = MS_OK;
  if (i == p->r)
    return blocks < p->shape->n ? visit_quotient(p, blocks) : MS_OK;
  for (uint32_t b = p->first; status == MS_OK && b <= blocks; b++) {
    p->block[p->tail[i]] = (uint8_t)b;
    status = add_vertices(p, i + 1, b == blocks ? blocks + 1 : blocks);
  }
  return status;
}

ms_status ms_each_quotient(const ms_shape *shape, ms_bitset tail, ms_quotient_fn visit, void *user,
                           ms_error *err)
{
  partitions p = {.shape = shape, .visit = visit, .user = user};
  p.quotient = ms_alloc(1, sizeof *p.quotient);
  if (!p.quotient)
    return ms_fail_memory(err, "quotients of a pattern");
  for (uint32_t i = 0; i < shape->n; i++)
    if (ms_bitset_has(&tail, i))
      p.tail[p.r++] = (uint8_t)i;
    else
      p.block[i] = (uint8_t)p.first++;
  ms_status status = add_vertices(&p, 0, p.first);
  ms_free(p.quotient);
  return status;
}
