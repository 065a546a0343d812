/* The mean and the variance of the number of connected sets of a motif, over all ways to permute
 * the colours of the vertices.
 *
 * Each of n vertices has one colour, and n_c have colour c.  The motif has k slots, m_c of colour
 * c.  With (x)_r = x (x - 1) .. (x - r + 1), a set of k vertices has the colours of the motif with
 * the probability
 *
 *     p = k! / prod m_c! * prod (n_c)_(m_c) / (n)_k,
 *
 * and both of two sets with i common vertices have them with the probability
 *
 *     P_i = sum over J of  i! / prod J_c! * ((k - i)! / prod (m_c - J_c)!)^2
 *                          * prod (n_c)_(2 m_c - J_c) / (n)_(2k - i),
 *
 * where J are the sub-multisets of i slots, the colours of the common vertices.  With the overlaps
 * O_i of overlaps.h, the mean is N p and the variance is sum O_i P_i - (N p)^2.
 *
 * The sum over J is the coefficient of t^i in a product of one polynomial for each colour, so that
 * a motif takes O(k^2) steps.  The difference loses digits where the standard deviation is a small
 * part of the mean; then it is computed again with enough bits to be exact before it is
 * rounded.
 *
 * A vertex that is in t sets and has the colour c moves the mean by about
 *
 *     p (t - N k / n) (m_c n / (k n_c) - 1),
 *
 * where m_c is 0 for a colour without a slot.  The greatest rise and the greatest fall are those of
 * the vertex that is in the most sets.  Where they are large, one hub makes the distribution.
 *
 * Two vertices of the colours c and d, which are together in d(T) sets, move the mean further than
 * each of them alone by about p d(T) h(c, d), h(c, d) = r(c, d) - r(c) - r(d) + 1.  r is the chance
 * of the colours in a set of the motif over that in the graph.  Where all vertices are in about
 * equally many sets, this makes the variance.  Three numbers bound the skewness, in units of p over
 * the standard deviation, where `single` is the part of the variance that vertices alone make:
 *
 *     of vertices  single times the greatest rise or fall
 *     of pairs     1.5 (1 - single) B_2 / (N C(k, 2)) times the greatest of h, or of -h
 *     of blocks    with L, the smaller one of (k - 1) t and of the root of 2 B_2: 2 L |h|.  For the
 *                  greatest t, the matrix of d(T) has no eigenvalue above L.  The sum of its third
 *                  powers is at most that of its squares times (k - 1) sum t^3 / sum t^2, about; so
 * t is at most twice what this would be if t had a lognormal distribution with the mean N k / n and
 * the sum of squares B_1: twice B_1^2 n / (N k)^3
 *
 * |h| is the root of the mean of h^2 over two random vertices.  The blocks alone give a skewness of
 * the root of 8 times L over the root of 2 B_2 to a variance that pairs make, so that 2 L |h| is at
 * least this where single is not concerned.  The sways are the sums of these three.
 *
 * A vertex in a set drawn at random is in t = B_1 / (N k) sets, and such a pair in g = B_2 / (N
 * C(k, 2)), so that about D = (k - 1) t / g others are in a set with a vertex.  `closed` is t /
 * C(D, k - 1), which is 1 in separate cliques of one size.  There, numbers of sets are sums of
 * powers, whose third cumulant is above that of the fits.  It is 0 if D < k: a block is then one
 * set. */
#ifndef MS_SIGNIFICANCE_MOMENTS_H
#define MS_SIGNIFICANCE_MOMENTS_H

#include "significance/overlaps.h"

/* The slots of one colour of a motif. */
typedef struct ms_color_class {
  uint32_t slots;   /* m_c > 0 */
  uint64_t holders; /* n_c, the vertices of this colour */
} ms_color_class;

typedef struct ms_moments {
  double mean, variance;
  double variance_error; /* standard error of the variance; 0: it is exact */
  double sets;           /* N, the greatest possible number */
  double rise, fall;     /* how far the colour of one vertex moves the mean up and down, at most, in
                            standard deviations (see above); 0 if the variance is 0 */
  double hub;            /* the part of the variance that the colour of this vertex makes */
  double sway_up, sway_down; /* bounds of the skewness (see above) */
  double closed; /* of the sets that the vertices around one could make with it, the part that
                    there are (see above); 0 for k = 2 */
  double common; /* p over the greatest p that other frequencies of the colours would give; at most
                    about 1 */
} ms_moments;

/* What all motifs of a graph share. */
typedef struct ms_moment_maker {
  const ms_overlaps *overlaps;
  ms_signed128 pairs[MS_MAX_CENSUS + 1]; /* [k + 1] O_i */
  long double ratio[MS_MAX_CENSUS + 1];  /* [k + 1] O_i / N^2 */
  long double factor[MS_MAX_CENSUS + 1]; /* [k + 1] the part of P_i / p^2 that all motifs have */
  long double error_ratio[MS_MAX_CENSUS + 1]; /* [k + 1] error of B_j / N^2 */
} ms_moment_maker;

/* `overlaps` must outlive the maker. */
void ms_moment_maker_open(ms_moment_maker *maker, const ms_overlaps *overlaps);

/* The slots of all classes are k.  Several threads may use one maker. */
void ms_moments_of(const ms_moment_maker *maker, const ms_color_class *class_, uint32_t classes,
                   ms_moments *out);

/* Returns the mean alone. */
double ms_moments_mean(const ms_overlaps *overlaps, const ms_color_class *class_, uint32_t classes);

#endif
