/* The order of the rows of a comparison: by p, then by the size of the difference, then by motifs.
 */
#include "verify/statistics/compare.h"

#include <math.h>

/* Sizes that are as near as this, in units of 2^-32, may come in either order, because rounding
 * decides. */
#define NEAR_SCORES 0.004  /* scores are exact; their means over blocks are rounded */
#define NEAR_EXCESSES 64.0 /* the expected numbers are rounded, too */
#define EXACT 0x1p53       /* whole numbers up to it are exact */

/* Compares sizes of two differences, with an allowance; the greater one comes first. */
static int compare_sizes(double a, double b, double allowance)
{
  return fabs(a) > fabs(b) + allowance ? -1 : fabs(a) < fabs(b) - allowance ? 1 : 0;
}

/* Compares the motifs by their sets in all samples, and then by their colours. */
static int compare_motifs(const ms_verify_comparison *w, const ms_tested *a, const ms_tested *b)
{
  uint64_t sets[2] = {0};
  for (uint32_t s = 0; s < w->n; s++) {
    sets[0] += a->sets[s];
    sets[1] += b->sets[s];
  }
  if (sets[0] != sets[1])
    return sets[0] > sets[1] ? -1 : 1;
  for (uint32_t i = 0; i < w->k; i++)
    if (a->color[i] != b->color[i])
      return a->color[i] < b->color[i] ? -1 : 1;
  return 0;
}

/* True if all blocks have the same differences, perhaps with the other sign: then the sizes of both
 * motifs are equal however they are rounded. */
static bool same_blocks(const ms_verify_comparison *w, const ms_versus *v, const ms_tested *a,
                        const ms_tested *b)
{
  bool same = true, opposite = true;
  for (uint32_t block = 0; block < w->blocks; block++) {
    double sum[2][3] = {{0}};
    uint32_t count[3] = {0};
    for (uint32_t s = 0; s < w->n; s++)
      if (w->block[s] == block) {
        sum[0][v->side[s]] += a->score[s];
        sum[1][v->side[s]] += b->score[s];
        count[v->side[s]]++;
      }
    double x = sum[0][1] * count[2] - sum[0][2] * count[1];
    double y = sum[1][1] * count[2] - sum[1][2] * count[1];
    for (uint32_t i = 1; i <= 2; i++)
      if (fabs(sum[0][i]) * count[3 - i] > EXACT || fabs(sum[1][i]) * count[3 - i] > EXACT)
        return false;
    same = same && x == y;
    opposite = opposite && x == -y;
  }
  return same || opposite;
}

int ms_compare_places(const ms_verify_comparison *w, const ms_versus *v, const ms_tested *a,
                      const ms_tested *b, uint64_t reached_a, uint64_t reached_b)
{
  double p[2] = {(double)reached_a, (double)reached_b};
  if (fabs(p[0] - p[1]) > MS_COMPARE_RELATIVE * fmax(p[0], p[1]))
    return p[0] < p[1] ? -1 : 1;
  if (reached_a != reached_b)
    return 0;
  if (w->labels)
    return compare_sizes(ms_difference(w, v->side, a->excess), ms_difference(w, v->side, b->excess),
                         NEAR_EXCESSES);
  int order = compare_sizes(ms_difference(w, v->side, a->score),
                            ms_difference(w, v->side, b->score), NEAR_SCORES);
  return order != 0 ? order : same_blocks(w, v, a, b) ? compare_motifs(w, a, b) : 0;
}
