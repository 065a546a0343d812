/* Checks families of matches that overlap.
 *
 * A match belongs to the first representative, in the order of the list, with which it shares
 * enough vertices.  This representative comes before the match; otherwise the match would have
 * become one.  So a match can be assigned without the others, in any order. */
#include "verify/certificate.h"

#include "base/alloc.h"
#include "base/status.h"

#include <math.h>
#include <string.h>

#define FIRST_ROWS 256u
#define NOBODY UINT64_MAX

struct ms_verify_families {
  uint32_t k, least; /* vertices of a match, and those that it shares with its representative */
  uint64_t rows, room;
  uint32_t *ids;            /* [room][k] the representatives */
  uint64_t *stated, *found; /* [room] sizes: of the rows, and of the recount */
  uint64_t *next;           /* [room][k] for each vertex of a row, the next entry in its chain */
  uint64_t *first;          /* [n] first entry of a vertex's chain, row * k + place; or NOBODY */
  uint32_t *shared;         /* [room] 0 between searches: vertices shared with each row */
  uint64_t total;
};

ms_status ms_open_families(ms_certificate *c, ms_error *err)
{
  const ms_result_header *h = &c->result.header;
  if (h->family.share == 0)
    return MS_OK;
  if (!(h->family.share > 0 && h->family.share <= 1) || h->mode != MS_MODE_EXACT || h->top > 0 ||
      h->diverse || h->has & MS_HAS_SAMPLE)
    return ms_result_refuse(&c->result, 0, "the header's families do not go with the rest of it");
  ms_verify_families *f = c->families = ms_calloc(1, sizeof *f);
  if (!f || !(f->first = ms_alloc(h->vertices, sizeof *f->first)))
    return ms_fail_memory(err, "the families of matches");
  memset(f->first, 0xff, h->vertices * sizeof *f->first); /* NOBODY */
  f->k = h->k;
  f->least = (uint32_t)fmax(1, ceil(h->family.share * h->k - 1e-9));
  return MS_OK;
}

void ms_verify_families_free(ms_verify_families *f)
{
  if (!f)
    return;
  ms_free(f->ids);
  ms_free(f->stated);
  ms_free(f->found);
  ms_free(f->next);
  ms_free(f->first);
  ms_free(f->shared);
  ms_free(f);
}

static ms_status make_room(ms_verify_families *f, ms_error *err)
{
  uint64_t room = f->room ? 2 * f->room : FIRST_ROWS;
  if (!ms_enlarge(&f->ids, f->room * f->k, room * f->k, sizeof *f->ids) ||
      !ms_enlarge(&f->next, f->room * f->k, room * f->k, sizeof *f->next) ||
      !ms_enlarge(&f->stated, f->room, room, sizeof *f->stated) ||
      !ms_enlarge(&f->found, f->room, room, sizeof *f->found) ||
      !ms_enlarge(&f->shared, f->room, room, sizeof *f->shared))
    return ms_fail_memory(err, "the families of matches");
  memset(f->found + f->room, 0, (room - f->room) * sizeof *f->found);
  memset(f->shared + f->room, 0, (room - f->room) * sizeof *f->shared);
  f->room = room;
  return MS_OK;
}

/* Returns the first row with which a match shares enough vertices, or NOBODY. */
static uint64_t find_family(ms_verify_families *f, const uint32_t *ids)
{
  uint64_t family = NOBODY;
  for (uint32_t i = 0; i < f->k; i++)
    for (uint64_t e = f->first[ids[i]]; e != NOBODY; e = f->next[e]) {
      uint64_t row = e / f->k;
      if (++f->shared[row] >= f->least && row < family)
        family = row;
    }
  for (uint32_t i = 0; i < f->k; i++)
    for (uint64_t e = f->first[ids[i]]; e != NOBODY; e = f->next[e])
      f->shared[e / f->k] = 0;
  return family;
}

ms_status ms_take_representative(ms_certificate *c, const uint32_t *ids, ms_error *err)
{
  ms_verify_families *f = c->families;
  const ms_result_row *row = &c->result.row;
  uint64_t earlier = find_family(f, ids);
  if (earlier != NOBODY)
    return ms_result_refuse(&c->result, row->line,
                            "match %llu belongs to the family of match %llu, with which it shares "
                            "at least %u vertices",
                            (unsigned long long)row->match.number, (unsigned long long)earlier + 1,
                            f->least);
  if (row->match.family_size == 0)
    return ms_result_refuse(&c->result, row->line, "the family of match %llu has no match",
                            (unsigned long long)row->match.number);
  if (f->rows == f->room)
    MS_TRY(make_room(f, err));
  memcpy(f->ids + f->rows * f->k, ids, f->k * sizeof *ids);
  f->stated[f->rows] = row->match.family_size;
  f->total += row->match.family_size;
  for (uint32_t i = 0; i < f->k; i++) {
    uint64_t entry = f->rows * f->k + i;
    f->next[entry] = f->first[ids[i]];
    f->first[ids[i]] = entry;
  }
  f->rows++;
  return MS_OK;
}

ms_status ms_check_families(ms_certificate *c)
{
  const ms_result_header *h = &c->result.header;
  bool cut = h->status == MS_RESULT_SPACE; /* rows that had no room on the disk are missing */
  uint64_t total = c->families->total;
  if (total == h->family.matches || (cut && total < h->family.matches))
    return MS_OK;
  return ms_result_refuse(&c->result, 0, "the families have %llu matches, and the header says %llu",
                          (unsigned long long)total, (unsigned long long)h->family.matches);
}

bool ms_note_member(ms_certificate *c, const uint32_t *row, uint32_t *example)
{
  ms_verify_families *f = c->families;
  uint32_t ids[MS_MAX_K], k = f->k;
  for (uint32_t i = 0, at; i < k; i++) {
    for (at = i; at > 0 && ids[at - 1] > row[i]; at--)
      ids[at] = ids[at - 1];
    ids[at] = row[i];
  }
  if (ms_may_lack(c, ids)) /* the thresholds leave it out */
    return true;
  uint64_t family = find_family(f, ids);
  bool limited = c->result.header.status == MS_RESULT_LIMIT && f->rows > 0;
  const uint32_t *before = family != NOBODY ? f->ids + family * k
                           : limited        ? f->ids + (f->rows - 1) * k
                                            : NULL;
  if (family != NOBODY)
    f->found[family]++;
  if (before && !ms_comes_behind(c, before, ids))
    return true;
  memcpy(example, ids, k * sizeof *ids);
  return false;
}

ms_status ms_compare_families(ms_certificate *c)
{
  const ms_verify_families *f = c->families;
  bool stopped = c->report->run.stopped != MS_OK; /* then the recount has found a part */
  for (uint64_t i = 0; i < f->rows; i++)
    if (stopped ? f->found[i] > f->stated[i] : f->found[i] != f->stated[i])
      return ms_result_refuse(&c->result, 0,
                              "the family of match %llu has %s%llu matches, not %llu",
                              (unsigned long long)i + 1, stopped ? "at least " : "",
                              (unsigned long long)f->found[i], (unsigned long long)f->stated[i]);
  return MS_OK;
}
