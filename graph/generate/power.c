/* Degrees that follow a power law.
 *
 * Degree d of low..high has weight w(d) = d^X; F is the distribution with these weights.  The
 * degrees are not drawn but are F's quantiles: the vertex of rank r = 0..n-1 has the least d with
 * F(d) > (r + 1/2)/n, so that for every d the number of vertices of at most that degree is n F(d)
 * up to 1/2.  A random permutation assigns the ranks to the vertices, and ms_pair_stubs makes the
 * graph.
 *
 * A mean degree (of --degree, or 2m/n of --edges) fixes one end of low..high:
 * high, or low where high is given.  It is the first whole number with which
 * F's mean reaches the wanted one, and its weight is reduced by the one factor
 * that makes them equal.
 *
 * The sum of the degrees must be 2m (where no mean is given, m is n/2 times F's mean, rounded).
 * Rounding leaves a difference of at most half the number of different degrees.  The vertices of
 * highest degree make up for it, by one each, within low..high, in as many rounds as needed.
 *
 * In the literature X is often written as -gamma; the sieve is measured with
 * X = -0.5 and -1.0. */
#include "graph/generate/family.h"

#include "base/alloc.h"
#include "base/status.h"
#include "graph/generate/random.h"

#include <math.h>

/* p(d) is below 1e-90 of p(1) already at d = 1e9 */
#define LEAST_EXPONENT (-10.0)
#define GREATEST_EXPONENT 0.0

static double weight_of(const ms_generate_plan *plan, uint64_t d)
{
  double weight = pow((double)d / (double)plan->low, plan->o.exponent);
  return d == plan->part_degree ? weight * plan->part : weight;
}

/* Sums of weights and of degrees by weights. */
typedef struct moments {
  double weight, degree;
} moments;

static void add_degree(const ms_generate_plan *plan, uint64_t d, moments *sum)
{
  double weight = weight_of(plan, d);
  sum->weight += weight;
  sum->degree += weight * (double)d;
}

static ms_status out_of_reach(const ms_generate_plan *plan, double mean, const moments *sum,
                              ms_error *err)
{
  return ms_fail(err, MS_ERR_USAGE,
                 "degrees from %llu to %llu with exponent %g have a mean of %.4g, and no choice "
                 "of the other bound gives a mean of %.4g; change the edges, the exponent or "
                 "the bounds of the degrees",
                 (unsigned long long)plan->low, (unsigned long long)plan->high, plan->o.exponent,
                 sum->degree / sum->weight, mean);
}

/* Returns the part of its weight that degree `end` adds to `sum` to reach the mean. */
static void take_part(ms_generate_plan *plan, uint64_t end, double mean, const moments *sum)
{
  double weight = weight_of(plan, end);
  plan->part = (mean * sum->weight - sum->degree) / (weight * ((double)end - mean));
  plan->part_degree = end;
}

/* Finds the upper end: adds degrees from `low` upwards until the mean is reached. */
static ms_status solve_high(ms_generate_plan *plan, double mean, ms_error *err)
{
  moments sum = {0};
  if (mean < (double)plan->low)
    return ms_fail(
        err, MS_ERR_USAGE,
        "a mean degree of %.4g is below the least degree of %llu; ask for more edges, or "
        "for a smaller least degree",
        mean, (unsigned long long)plan->low);
  plan->high = plan->low;
  add_degree(plan, plan->low, &sum);
  while (sum.degree < mean * sum.weight && plan->high < plan->n - 1 &&
         !ms_watch_ended(plan->watch, plan->high)) {
    moments before = sum;
    add_degree(plan, ++plan->high, &sum);
    if (sum.degree >= mean * sum.weight)
      take_part(plan, plan->high, mean, &before);
  }
  return sum.degree < mean * sum.weight && plan->part_degree == 0
             ? out_of_reach(plan, mean, &sum, err)
             : MS_OK;
}

/* Finds the lower end: adds degrees from `high` downwards.  The weights are relative to degree
 * 1, so they do not change while degrees are added. */
static ms_status solve_low(ms_generate_plan *plan, double mean, ms_error *err)
{
  moments sum = {0};
  uint64_t d = plan->high;
  if (mean > (double)d)
    return ms_fail(
        err, MS_ERR_USAGE,
        "a mean degree of %.4g is above the highest degree of %llu; ask for fewer edges, "
        "or for a higher degree",
        mean, (unsigned long long)d);
  plan->low = 1;
  add_degree(plan, d, &sum);
  while (sum.degree > mean * sum.weight && d > 1 && !ms_watch_ended(plan->watch, d)) {
    moments before = sum;
    add_degree(plan, --d, &sum);
    if (sum.degree <= mean * sum.weight)
      take_part(plan, d, mean, &before);
  }
  if (sum.degree > mean * sum.weight && plan->part_degree == 0)
    return out_of_reach(plan, mean, &sum, err);
  plan->low = d;
  return MS_OK;
}

/* Returns F's mean times n / 2: the number of edges where none is given. */
static uint64_t edges_of(const ms_generate_plan *plan)
{
  moments sum = {0};
  for (uint64_t d = plan->low; d <= plan->high && !ms_watch_ended(plan->watch, d); d++)
    add_degree(plan, d, &sum);
  return (uint64_t)(sum.degree / sum.weight * plan->n / 2 + 0.5);
}

static ms_status check_ends(const ms_generate_plan *plan, bool sized, ms_error *err)
{
  const ms_generate_options *o = &plan->o;
  const unsigned ends = MS_GEN_MIN_DEGREE | MS_GEN_MAX_DEGREE;
  if (!(o->exponent >= LEAST_EXPONENT && o->exponent <= GREATEST_EXPONENT))
    return ms_fail(
        err, MS_ERR_USAGE,
        "an exponent of %g is out of range; degrees have frequencies d^X: give X from %g "
        "to %g, such as -1 or -2.5",
        o->exponent, LEAST_EXPONENT, GREATEST_EXPONENT);
  if (sized && (o->given & ends) == ends)
    return ms_fail(err, MS_ERR_USAGE,
                   "both bounds of the degrees together determine the number of edges; leave out "
                   "`min_degree`, `max_degree` or `%s`",
                   o->given & MS_GEN_EDGES ? "edges" : "degree");
  if (!sized && !(o->given & MS_GEN_MAX_DEGREE))
    return ms_fail(err, MS_ERR_USAGE,
                   "'power-law' needs `edges`, `degree` or `max_degree`; give one");
  if (o->min_degree < 1 || o->min_degree >= plan->n ||
      ((o->given & MS_GEN_MAX_DEGREE) &&
       (o->max_degree < o->min_degree || o->max_degree >= plan->n)))
    return ms_fail(err, MS_ERR_USAGE,
                   "the degrees of a power law on %u vertices lie between 1 and %u; give a "
                   "minimum and a maximum in this range",
                   plan->n, plan->n - 1);
  return MS_OK;
}

ms_status ms_plan_power_law(ms_generate_plan *plan, ms_error *err)
{
  const ms_generate_options *o = &plan->o;
  bool sized = (o->given & (MS_GEN_EDGES | MS_GEN_DEGREE)) != 0;
  ms_status status = ms_plan_vertices(plan, o->vertices, err);
  if (status == MS_OK)
    status = check_ends(plan, sized, err);
  if (status != MS_OK)
    return status;
  plan->low = o->min_degree;
  plan->high = o->max_degree;
  if (!sized) {
    plan->m = edges_of(plan);
    return ms_generate_report(plan, err);
  }
  MS_TRY(ms_plan_edges(plan, err));
  double mean = 2.0 * (double)plan->m / plan->n;
  status = o->given & MS_GEN_MAX_DEGREE ? solve_low(plan, mean, err) : solve_high(plan, mean, err);
  /* after a stop, the mean may seem out of reach */
  MS_TRY(ms_generate_report(plan, err));
  return status;
}

/* ---- the degrees --------------------------------------------------------- */

/* Fills in degree[n], ascending; returns their sum. */
static uint64_t set_quantiles(const ms_generate_plan *plan, uint32_t *degree)
{
  moments all = {0}, sum = {0};
  uint64_t total = 0;
  uint32_t r = 0;
  for (uint64_t d = plan->low; d <= plan->high && !ms_watch_ended(plan->watch, d); d++)
    add_degree(plan, d, &all);
  for (uint64_t d = plan->low; d <= plan->high && !ms_watch_ended(plan->watch, d); d++) {
    add_degree(plan, d, &sum);
    /* rounding must not leave the last ranks without a degree */
    double end = d == plan->high ? plan->n : sum.weight / all.weight * plan->n - 0.5;
    for (; r < plan->n && r < end; r++) {
      degree[r] = (uint32_t)d;
      total += d;
    }
  }
  return total;
}

/* Brings the sum to `wanted`; false if low..high leaves no room. */
static bool adjust(const ms_generate_plan *plan, uint32_t *degree, uint64_t sum, uint64_t wanted)
{
  bool up = sum < wanted, changed = true;
  uint64_t left = up ? wanted - sum : sum - wanted;
  while (left > 0 && changed && !ms_watch_check(plan->watch)) {
    changed = false;
    for (uint32_t r = plan->n; r-- > 0 && left > 0;) {
      if (degree[r] == (up ? plan->high : plan->low))
        continue;
      degree[r] = up ? degree[r] + 1 : degree[r] - 1;
      left--;
      changed = true;
    }
  }
  return left == 0;
}

/* Erdos & Gallai 1960, for descending d_1, d_2, ..: there is a simple graph iff
 * for each k with d_k >= k (the others need no test: Zverovich & Zverovich 1992)
 * d_1 + .. + d_k <= k (k-1) + sum over i > k of min(d_i, k).  As the first k
 * are at least k, the right side is s(k) - k with s(k) = sum over all i of
 * min(d_i, k), and s(k) - s(k-1) is the number of degrees >= k. */
static ms_status check_graphical(const ms_generate_plan *plan, const uint32_t *degree,
                                 ms_error *err)
{
  uint64_t d = plan->high, sum = 0, s = 0;
  bool fits = true;
  uint32_t *at_least = ms_calloc(plan->high + 2, sizeof *at_least);
  if (!at_least)
    return ms_fail_memory(err, "random degrees");
  for (uint32_t v = 0; v < plan->n; v++)
    at_least[degree[v]]++;
  for (uint64_t i = plan->high; i > 0; i--)
    at_least[i - 1] += at_least[i];
  for (uint64_t k = 1; k <= plan->n && fits; k++) {
    while (at_least[d] < k)
      d--; /* to d_k; at_least[0] = n */
    if (d < k)
      break;
    sum += d;
    s += at_least[k];
    fits = sum <= s - k;
  }
  ms_free(at_least);
  return fits
             ? MS_OK
             : ms_fail(err, MS_ERR_USAGE,
                       "no simple graph on %u vertices has degrees from %llu to %llu with exponent "
                       "%g (Erdos and Gallai); give a smaller highest degree or fewer edges",
                       plan->n, (unsigned long long)plan->low, (unsigned long long)plan->high,
                       plan->o.exponent);
}

ms_status ms_make_power_law(const ms_generate_plan *plan, ms_edge_keys *keys, ms_error *err)
{
  ms_status status = MS_OK;
  uint32_t *degree = ms_alloc(plan->n, sizeof *degree);
  if (!degree)
    return ms_fail_memory(err, "random degrees");
  bool adjusted = adjust(plan, degree, set_quantiles(plan, degree), 2 * plan->m);
  status = ms_generate_report(plan, err);
  if (status == MS_OK && !adjusted)
    status = ms_fail(err, MS_ERR_USAGE,
                     "the degrees from %llu to %llu cannot add up to %llu; give bounds that differ",
                     (unsigned long long)plan->low, (unsigned long long)plan->high,
                     2 * (unsigned long long)plan->m);
  if (status == MS_OK)
    status = check_graphical(plan, degree, err);
  if (status == MS_OK)
    status = ms_shuffle(plan, degree, plan->n, 0, err);
  if (status == MS_OK)
    status = ms_pair_stubs(plan, degree, 0, keys, err);
  ms_free(degree);
  return status;
}
