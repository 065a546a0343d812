#include "gpu/match/conjunction_upload.h"

#include "base/status.h"

#define ALIGN ((uint64_t)256)
enum { PARTS = 4 };

/* Where on the device the copy of one of the program's lists or bit sets is. */
static const void *on_device(const ms_gpu_pattern *c, const void *from)
{
  for (uint32_t i = 0; from && i < c->pack.parts; i++)
    if (c->pack.part[i].from == from)
      return c->memory + c->pack.part[i].at;
  return NULL;
}

static void place(const ms_gpu_pattern *c, const ms_trie_tables *t,
                  const ms_staging_part part[PARTS], uint8_t *base, ms_trie_program *out)
{
  *out = (ms_trie_program){.set = (const ms_trie_set *)(const void *)(base + part[0].at),
                           .link = (const ms_trie_link *)(const void *)(base + part[1].at),
                           .bits = (const uint64_t *const *)(const void *)(base + part[2].at),
                           .term = (const ms_trie_term *)(const void *)(base + part[3].at),
                           .prefix = t->prefix,
                           .n_masks = t->n_masks,
                           .n_terms = t->n_terms,
                           .falling = t->falling,
                           .first_root = t->first_root,
                           .n_roots = t->n_roots,
                           .root_list = on_device(c, t->root_list),
                           .keeps = t->keeps,
                           .stride = ms_trie_stride(t->n_roots)};
  for (int kind = 0; kind < MS_ROW_KINDS; kind++) {
    out->rows[kind].offset = c->index.rows[kind].offset;
    out->rows[kind].neighbor = c->index.rows[kind].neighbor;
  }
}

ms_status ms_trie_upload(ms_gpu_pattern *c, const ms_program *program, bool siblings,
                         ms_trie_tables *t, void **memory, ms_trie_program *out, ms_error *err)
{
  MS_TRY(ms_trie_tables_new(program, siblings, t, err));
  for (uint32_t i = 0; i < t->n_sets; i++)
    t->set[i].list = on_device(c, t->set[i].list);
  for (uint32_t i = 0; i < t->n_bits; i++)
    t->bits[i] = on_device(c, t->bits[i]);
  ms_staging_part part[PARTS] = {{.from = t->set, .bytes = t->n_sets * sizeof *t->set},
                                 {.from = t->link, .bytes = t->n_links * sizeof *t->link},
                                 {.from = t->bits, .bytes = t->n_bits * sizeof *t->bits},
                                 {.from = t->term, .bytes = t->n_terms * sizeof *t->term}};
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < PARTS; i++) {
    part[i].at = bytes;
    bytes += (part[i].bytes + ALIGN - 1) / ALIGN * ALIGN;
  }
  MS_TRY(ms_gpu_pattern_alloc(c, bytes, memory, "copying the plan", err));
  t->bytes = bytes;
  place(c, t, part, *memory, out);
  return ms_staging_upload(&c->staging, part, PARTS, *memory, bytes, 1, err);
}
