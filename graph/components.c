#include "graph/components.h"

#include "base/alloc.h"
#include "base/status.h"

ms_status ms_components(uint32_t n, const uint64_t *offset, const uint32_t *neighbor,
                        uint32_t *component, uint32_t *count, ms_error *err)
{
  uint32_t *queue = ms_alloc(n, sizeof *queue);
  *count = 0;
  if (!queue)
    return ms_fail_memory(err, "components");
  for (uint32_t v = 0; v < n; v++)
    component[v] = UINT32_MAX;
  for (uint32_t v = 0; v < n; v++) {
    if (component[v] != UINT32_MAX)
      continue;
    uint32_t head = 0, tail = 0;
    component[v] = *count;
    queue[tail++] = v;
    while (head < tail) {
      uint32_t u = queue[head++];
      for (uint64_t a = offset[u]; a < offset[u + 1]; a++) {
        uint32_t w = neighbor[a];
        if (component[w] == UINT32_MAX) {
          component[w] = *count;
          queue[tail++] = w;
        }
      }
    }
    ++*count;
  }
  ms_free(queue);
  return MS_OK;
}
