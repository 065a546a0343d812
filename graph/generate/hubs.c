/* Degrees in geometric classes, and the erased pairing model: the graphs with hubs on which Kaski,
 * Lauri and Thejaswi measured ("Engineering Motif Search for Large Motifs", SEA 2018), as far as
 * the generator shows that one of them published with a later paper.
 *
 * There are w classes.  With the b >= 1 that solves 1 + b + .. + b^(w-1) = n, class j = 0..w-1 has
 * as many vertices as the rounded sums 1 + .. + b^j and 1 + .. + b^(j-1) differ by, which is one at
 * least.  A class of f vertices gets a part f^(X+1) of the stubs, of which there are about n times
 * the mean degree, so that its vertices have a degree that is proportional to f^X.  Degrees are
 * whole numbers: what rounding adds to a class is taken from the next one.  If the sum is odd, one
 * vertex of the last class gets one stub more (the published generator adds a vertex).
 *
 * All stubs are paired at random.  Loops and repeated edges are left out, not switched away: where
 * hubs have more stubs than a simple graph has room for, there is nothing to switch to.  So the
 * graph has fewer edges than stubs / 2, and hubs have lower degrees than they have stubs.  With X
 * = -1, w = 100, n = 2^18 and a mean of 20 before edges are left out, a hub has 52,429 stubs and a
 * degree of about 22,500.  The published generator and sieve keep loops and
 * repeats. */
#include "graph/generate/family.h"

#include "base/alloc.h"
#include "base/status.h"

#include <math.h>

enum { MOST_CLASSES = 10000, HALVINGS = 200 };
#define LEAST_EXPONENT (-10.0)

typedef struct degree_class {
  uint32_t size;   /* vertices */
  uint64_t degree; /* stubs of each */
} degree_class;

/* Returns 1 + b + .. + b^(w-1). */
static double geometric_sum(double b, uint64_t w)
{
  double sum = 0, term = 1;
  for (uint64_t j = 0; j < w; j++, term *= b)
    sum += term;
  return sum;
}

/* Returns the b >= 1 with 1 + b + .. + b^(w-1) = n, for 2 <= w <= n. */
static double solve_ratio(double n, uint64_t w)
{
  double low = 1, high = n;
  for (int i = 0; i < HALVINGS; i++) {
    double middle = low + (high - low) / 2;
    if (geometric_sum(middle, w) < n)
      low = middle;
    else
      high = middle;
  }
  return low;
}

static void set_sizes(const ms_generate_plan *plan, degree_class *classes)
{
  uint64_t w = plan->o.classes, before = 0;
  double b = solve_ratio(plan->n, w), sum = 0, term = 1;
  for (uint64_t j = 0; j < w; j++, term *= b) {
    sum += term;
    uint64_t upto = j + 1 < w ? (uint64_t)floor(sum + 0.5) : plan->n;
    classes[j].size = (uint32_t)(upto - before);
    before = upto;
  }
}

/* Sets the degrees of the classes; returns the number of stubs, before it is made even. */
static uint64_t set_degrees(const ms_generate_plan *plan, degree_class *classes)
{
  double all = 0, wanted = 0;
  uint64_t stubs = 0;
  for (uint64_t j = 0; j < plan->o.classes; j++)
    all += pow(classes[j].size, plan->o.exponent + 1);
  for (uint64_t j = 0; j < plan->o.classes; j++) {
    wanted += plan->o.degree * plan->n / all * pow(classes[j].size, plan->o.exponent + 1);
    double degree = floor((wanted - (double)stubs) / classes[j].size + 0.5);
    classes[j].degree = degree > 0 ? (uint64_t)degree : 0;
    stubs += classes[j].degree * classes[j].size;
  }
  return stubs;
}

/* Allocates and sets the classes; *stubs is their number, before it is made even. */
static ms_status make_classes(const ms_generate_plan *plan, degree_class **out, uint64_t *stubs,
                              ms_error *err)
{
  degree_class *classes = ms_alloc(plan->o.classes, sizeof *classes);
  *out = classes;
  if (!classes)
    return ms_fail_memory(err, "random degrees");
  set_sizes(plan, classes);
  *stubs = set_degrees(plan, classes);
  return MS_OK;
}

static uint64_t most_stubs(const ms_generate_plan *plan, const degree_class *classes)
{
  uint64_t most = 0;
  for (uint64_t j = 0; j < plan->o.classes; j++)
    most = classes[j].degree > most ? classes[j].degree : most;
  return most;
}

ms_status ms_plan_hubs(ms_generate_plan *plan, ms_error *err)
{
  const ms_generate_options *o = &plan->o;
  degree_class *classes;
  uint64_t stubs;
  MS_TRY(ms_plan_vertices(plan, o->vertices, err));
  MS_TRY(ms_plan_edges(plan, err));
  if (!(o->exponent >= LEAST_EXPONENT && o->exponent <= 0))
    return ms_fail(err, MS_ERR_USAGE,
                   "an exponent of %g is out of range; classes of f vertices have degrees "
                   "proportional to f^X: give X from %g to 0, such as -1 or -0.5",
                   o->exponent, LEAST_EXPONENT);
  if (o->classes < 2 || o->classes > MOST_CLASSES || o->classes > plan->n)
    return ms_fail(err, MS_ERR_USAGE,
                   "%llu classes are out of range for %u vertices; give from 2 to %d, and not "
                   "more than there are vertices",
                   (unsigned long long)o->classes, plan->n, MOST_CLASSES);
  MS_TRY(make_classes(plan, &classes, &stubs, err));
  uint64_t most = most_stubs(plan, classes);
  ms_free(classes);
  plan->m = (stubs + 1) / 2;
  return most < UINT32_MAX
             ? MS_OK
             : ms_fail(err, MS_ERR_USAGE,
                       "a vertex of the smallest class would have %llu neighbours to draw; give a "
                       "smaller degree, or an exponent nearer to 0",
                       (unsigned long long)most);
}

/* ---- the graph ----------------------------------------------------------- */

/* Sets degree[n], class after class; the last vertex makes the sum even. */
static ms_status set_vertices(const ms_generate_plan *plan, uint32_t *degree, ms_error *err)
{
  degree_class *classes;
  uint64_t stubs;
  uint32_t v = 0;
  MS_TRY(make_classes(plan, &classes, &stubs, err));
  for (uint64_t j = 0; j < plan->o.classes && !ms_watch_check(plan->watch); j++)
    for (uint32_t i = 0; i < classes[j].size; i++)
      degree[v++] = (uint32_t)classes[j].degree;
  ms_free(classes);
  if (v == plan->n)
    degree[v - 1] += stubs % 2;
  return ms_generate_report(plan, err);
}

ms_status ms_make_hubs(const ms_generate_plan *plan, ms_edge_keys *keys, ms_error *err)
{
  uint32_t *degree = ms_alloc(plan->n, sizeof *degree);
  if (!degree)
    return ms_fail_memory(err, "random degrees");
  ms_status status = set_vertices(plan, degree, err);
  if (status == MS_OK)
    status = ms_shuffle(plan, degree, plan->n, 0, err);
  if (status == MS_OK)
    status = ms_pair_stubs_erased(plan, degree, keys, err);
  ms_free(degree);
  return status;
}
