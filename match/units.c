#include "match/units.h"

#include "base/alloc.h"
#include "base/hooks.h"
#include "base/status.h"
#include "match/cpu/runner.h"

#include <string.h>

/* Most roots that are cut where a root's table or inner graph is made again for each of its parts.
 * With 256 of them, 16 parts of a count of wheels take ten times the time of the whole together.
 * Programs for GPUs have as few: the fast kernels for cliques and the like count whole roots alone
 * (gpu/match/program.c). */
#define COSTLY_ROOTS 4u

/* The table of paths from a root takes about as long as the children that it counts, and is made
 * again for each part of a cut root.  No root has a large part of all paths. */
static bool has_cuts(const ms_program *p)
{
  if (p->inner)
    return true;
  return p->prefix > 1 && p->step[1].source != MS_FROM_DOMAIN && (p->prefix > 2 || !p->table);
}

uint32_t ms_count_cut_degree(const ms_program *p)
{
  const ms_neighbor_rows *rows = &p->index->rows[MS_ROWS_ANY];
  ms_degree_counts degrees = {{0}};
  uint32_t most = ms_hooks.count_cut_roots;
  if (!has_cuts(p))
    return UINT32_MAX;
  if ((p->table || p->inner || p->few_cuts) && most > COSTLY_ROOTS)
    most = COSTLY_ROOTS;
  for (uint32_t v = 0; v < p->index->n; v++)
    ms_degree_counts_add(&degrees, ms_row_length(rows, v));
  return ms_degree_counts_cut(&degrees, ms_hooks.count_cut_degree, most);
}

/* ---- programs of a share --------------------------------------------------------------------- */

static ms_status copy_program(const ms_program *p, ms_restricted *r, int i, uint64_t roots,
                              ms_error *err)
{
  r->program[i] = *p;
  r->step[i] = ms_alloc(p->prefix, sizeof *r->step[i]);
  r->root[i] = ms_alloc(roots, sizeof *r->root[i]);
  if (!r->step[i] || !r->root[i])
    return ms_fail_memory(err, "a share of a search");
  memcpy(r->step[i], p->step, p->prefix * sizeof *p->step);
  r->program[i].step = r->step[i];
  r->program[i].list[0] = r->root[i];
  /* the list alone says which roots there are */
  r->step[i][0].domain.count = 0;
  r->step[i][0].domain.bits = NULL;
  return MS_OK;
}

/* Leaves in the domain of level 1 the children that are in the share. */
static ms_status filter_children(ms_restricted *r, const ms_share *share, ms_error *err)
{
  const ms_pattern_index *index = r->program[1].index;
  ms_step *step = &r->step[1][1];
  uint32_t count = 0;
  r->bits = ms_calloc(index->words, sizeof *r->bits);
  if (!r->bits)
    return ms_fail_memory(err, "a share of a search");
  for (uint32_t v = step->domain.lo; v < step->domain.hi; v++)
    if (ms_domain_has(&step->domain, v) && ms_share_has(share, ms_even_unit(v))) {
      r->bits[v / 64] |= UINT64_C(1) << v % 64;
      count++;
    }
  step->domain.bits = r->bits;
  step->domain.count = count;
  step->test_bits = true;
  return MS_OK;
}

static ms_status make(const ms_program *p, const ms_share *share, ms_restricted *r, ms_error *err)
{
  uint64_t roots = ms_program_roots(p);
  uint32_t cut_degree = ms_count_cut_degree(p);
  for (int i = 0; i < 2; i++)
    MS_TRY(copy_program(p, r, i, roots, err));
  for (uint64_t i = 0; i < roots; i++) {
    uint32_t v = ms_program_root(p, i);
    bool cut = ms_row_length(&p->index->rows[MS_ROWS_ANY], v) >= cut_degree;
    if (cut || ms_share_has(share, ms_even_unit(i)))
      r->root[cut][r->step[cut][0].domain.count++] = v;
  }
  return r->step[1][0].domain.count > 0 ? filter_children(r, share, err) : MS_OK;
}

ms_status ms_restricted_make(const ms_program *program, const ms_share *share, ms_restricted *out,
                             ms_error *err)
{
  memset(out, 0, sizeof *out);
  ms_status status = make(program, share, out, err);
  if (status != MS_OK)
    ms_restricted_free(out);
  return status;
}

void ms_restricted_free(ms_restricted *r)
{
  for (int i = 0; i < 2; i++) {
    ms_free(r->step[i]);
    ms_free(r->root[i]);
  }
  ms_free(r->bits);
  memset(r, 0, sizeof *r);
}

uint32_t ms_restricted_roots(const ms_restricted *r, int i)
{
  return r->step[i][0].domain.count;
}
