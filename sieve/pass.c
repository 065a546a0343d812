#include "sieve/pass.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/threads/watch.h"
#include "gf2/gf256.h"
#include "sieve/bits.h"
#include "sieve/quadratic.h"
#include "sieve/weights.h"

#include <string.h>

ms_sieve_shape ms_sieve_shape_of(const ms_sieve_problem *problem, const ms_sieve_kernel *kernel,
                                 bool is_halved)
{
  uint32_t line_bits = is_halved ? kernel->halves->bits : kernel->line_bits;
  ms_sieve_shape shape = {
      .problem = problem,
      .line_bits = line_bits,
      .inner_bits = problem->size < line_bits ? problem->size : line_bits,
      .line_bytes = (uint32_t)1 << line_bits,
      .is_halved = is_halved,
      .forms = problem->recurrence == MS_SIBLING ? problem->size : 1,
      .slots = problem->instance->n,
      .places = problem->instance->n,
  };
  shape.outer_bits = problem->size - shape.inner_bits;
  shape.row = shape.forms == 1 ? 1 : shape.forms <= 16 ? 16 : 32;
  if (problem->recurrence == MS_SIBLING) {
    for (uint32_t t = 2; t < problem->size; t++) {
      shape.gamma_offset[t] = shape.gammas;
      uint32_t siblings = ms_sieve_siblings(problem->size, t),
               lines = siblings < kernel->scale_at_head ? siblings : 1;
      shape.gammas += siblings;
      shape.exchange = lines > shape.exchange ? lines : shape.exchange;
    }
  }
  return shape;
}

static uint64_t alphas(const ms_sieve_shape *shape)
{
  const ms_sieve_problem *p = shape->problem;
  return p->recurrence == MS_CLASSIC ? p->instance->arcs * (p->size - 1) : 0;
}

/* Returns the bytes of a weight gamma. */
static size_t gamma_size(const ms_sieve_shape *shape)
{
  return shape->is_halved ? sizeof(uint8_t) : sizeof(uint32_t);
}

uint64_t ms_sieve_pass_bytes(const ms_sieve_shape *shape)
{
  uint64_t n = shape->places;
  return n * (shape->forms * sizeof(uint64_t) + (uint64_t)shape->outer_bits * shape->row +
              shape->gammas * gamma_size(shape)) +
         alphas(shape) + (shape->is_quadratic ? ms_sieve_quadratic_bytes(shape) : 0);
}

/* Label products u(j, l)[q] = gamma(1, q, j) * mu(j, l), one row of 32 bytes
 * for each label l that j has. */
enum {
  ROW = MS_MAX_K,
  VERTICES = 256, /* that a thread takes at a time */
  AHEAD = 16      /* arcs up to the one whose row is asked for */
};

uint64_t ms_sieve_pass_work_bytes(const ms_sieve_shape *shape)
{
  const ms_sieve_problem *p = shape->problem;
  return ((uint64_t)p->instance->n + 1) * sizeof(uint64_t) + p->labels * ROW +
         (shape->is_quadratic ? ms_sieve_quadratic_row_bytes(shape) : 0);
}

ms_status ms_sieve_pass_alloc(const ms_sieve_shape *shape, ms_sieve_pass *pass, ms_error *err)
{
  size_t n = shape->places;
  void *gamma = ms_alloc_lines(n * shape->gammas, gamma_size(shape));
  *pass = (ms_sieve_pass){0};
  pass->inner = ms_alloc_lines(n * shape->forms, sizeof *pass->inner);
  pass->outer = ms_alloc_lines(n * shape->row, shape->outer_bits);
  if (shape->is_halved)
    pass->gamma_byte = gamma;
  else
    pass->gamma = gamma;
  pass->alpha = ms_alloc_lines(alphas(shape), 1);
  if (pass->inner && pass->outer && gamma && pass->alpha &&
      (!shape->is_quadratic || ms_sieve_quadratic_alloc(shape, &pass->quadratic)))
    return MS_OK;
  ms_sieve_pass_free(pass);
  return ms_fail_memory(err, "the weights of one repetition");
}

void ms_sieve_pass_free(ms_sieve_pass *pass)
{
  ms_free(pass->inner);
  ms_free(pass->outer);
  ms_free(pass->gamma);
  ms_free(pass->alpha);
  ms_free(pass->gamma_byte);
  ms_sieve_quadratic_free(&pass->quadratic);
  *pass = (ms_sieve_pass){0};
}

/* Sets coefficient[b] of zeta_v at point bit b, zero where v has no such
 * label. */
static void zeta_coefficients(const ms_sieve_problem *p, uint32_t repetition, uint32_t evaluation,
                              uint32_t variant, uint32_t v, uint8_t coefficient[MS_MAX_K])
{
  const ms_gf256_tables *gf = ms_gf256_get_tables();
  const ms_instance *in = p->instance;
  uint8_t mu[MS_MAX_K];
  memset(coefficient, 0, MS_MAX_K);
  for (uint32_t i = 0; i < in->n_loose; i++)
    if (in->loose[i] == v && variant >> i & 1)
      return;
  ms_weights(p->seed, repetition, MS_WEIGHT_MU, in->vertex[v], 0, p->shades, mu);
  for (uint32_t b = 0; b < p->size; b++) {
    uint32_t label = p->label_at[b];
    if (!p->nu) {
      coefficient[b] = in->mask[v] >> label & 1 ? mu[label] : 0;
      if (evaluation > 0)
        coefficient[b] = ms_gf256_mul_table(gf, coefficient[b],
                                            gf->exp[ms_sieve_factor_log(p, evaluation, v, label)]);
      continue;
    }
    for (uint32_t d = 0; d < p->shades; d++) {
      if (!(in->mask[v] >> d & 1))
        continue;
      uint8_t nu[4];
      ms_weights4(p->seed, repetition, MS_WEIGHT_NU, d, 0, label / 4, nu);
      coefficient[b] ^= ms_gf256_mul_table(gf, mu[d], nu[label % 4]);
    }
  }
}

/* Returns the inner part of a linear form as a matrix from lane bits to field
 * bits, row i in byte 7 - i. value[b] is the form's value at point bit b. */
static uint64_t inner_matrix(const uint8_t *value, uint32_t stride, uint32_t inner_bits)
{
  uint64_t columns = 0;
  for (uint32_t b = 0; b < inner_bits; b++)
    columns |= (uint64_t)value[b * stride] << 8 * b;
  return __builtin_bswap64(ms_bits_transpose(columns));
}

typedef struct fill {
  const ms_sieve_shape *shape;
  uint32_t repetition, evaluation, variant;
  ms_sieve_pass *pass;
  uint64_t *first_row; /* [n + 1] first row of each vertex in `product` */
  uint8_t *product;    /* [rows][ROW] label products; entry 0 is mu itself */
  uint64_t *quadratic; /* [rows][size] of ms_sieve_quadratic_row, if the shape is quadratic */
} fill;

static void fill_gamma(const fill *f, uint32_t v, uint32_t t)
{
  const ms_sieve_problem *p = f->shape->problem;
  uint32_t siblings = ms_sieve_siblings(p->size, t);
  uint8_t gamma[MS_MAX_K];
  ms_weights(p->seed, f->repetition, MS_WEIGHT_GAMMA, p->instance->vertex[v], t, siblings, gamma);
  size_t at = (size_t)f->shape->places * f->shape->gamma_offset[t] +
              (size_t)ms_sieve_place_of(f->shape, v) * siblings;
  if (f->shape->is_halved)
    memcpy(f->pass->gamma_byte + at, gamma, siblings);
  else
    for (uint32_t q = 0; q < siblings; q++)
      f->pass->gamma[at + q] = gamma[q] * UINT32_C(0x01010101);
}

/* Makes the weights that belong to vertex v: gamma(t, q, v) for t >= 2, and its
 * label products. */
static void fill_vertex(const fill *f, uint32_t v)
{
  const ms_sieve_shape *shape = f->shape;
  const ms_sieve_problem *p = shape->problem;
  const ms_gf256_tables *gf = ms_gf256_get_tables();
  uint32_t id = p->instance->vertex[v];
  uint8_t coefficient[MS_MAX_K], gamma1[MS_MAX_K] = {0};
  zeta_coefficients(p, f->repetition, f->evaluation, f->variant, v, coefficient);
  if (p->recurrence == MS_SIBLING) {
    ms_weights(p->seed, f->repetition, MS_WEIGHT_GAMMA, id, 1, p->size - 1, gamma1 + 1);
    for (uint32_t t = 2; t < p->size; t++)
      fill_gamma(f, v, t);
  }
  uint8_t *row = f->product + f->first_row[v] * ROW;
  for (uint32_t rest = p->active[v]; rest; rest &= rest - 1, row += ROW) {
    uint8_t mu = coefficient[__builtin_ctz(rest)];
    memset(row, 0, ROW);
    row[0] = mu;
    for (uint32_t q = 1; q < shape->forms; q++)
      row[q] = ms_gf256_mul_table(gf, gamma1[q], mu);
  }
}

/* Makes the rows of vertex v for quadratic forms, from the values of its linear forms. */
static void fill_quadratic_rows(const fill *f, uint32_t v, uint8_t value[MS_MAX_K][ROW])
{
  const ms_sieve_shape *shape = f->shape;
  uint32_t size = shape->problem->size, siblings = ms_sieve_siblings(size, 2);
  const uint8_t *gamma = f->pass->gamma_byte + (size_t)shape->places * shape->gamma_offset[2] +
                         (size_t)ms_sieve_place_of(shape, v) * siblings;
  for (uint64_t row = f->first_row[v]; row < f->first_row[v + 1]; row++)
    ms_sieve_quadratic_row(shape, f->product[row * ROW], &value[0][1], ROW, gamma,
                           f->quadratic + row * size);
}

/* Makes vertex v's linear forms: zeta from its own row, R(v, 1, q) from the
 * rows of its neighbours. */
static void fill_forms(const fill *f, uint32_t v)
{
  const ms_sieve_shape *shape = f->shape;
  const ms_sieve_problem *p = shape->problem;
  const ms_instance *in = p->instance;
  uint8_t value[MS_MAX_K][ROW]; /* [point bit][form] */
  memset(value, 0, sizeof value);
  if (p->recurrence == MS_SIBLING)
    for (uint64_t e = in->offset[v]; e < in->offset[v + 1]; e++) {
      if (e + AHEAD < in->arcs)
        __builtin_prefetch(f->product + f->first_row[in->neighbor[e + AHEAD]] * ROW);
      const uint8_t *row = f->product + f->first_row[in->neighbor[e]] * ROW;
      for (uint32_t rest = shape->arc_active[e]; rest; rest &= rest - 1, row += ROW) {
        uint8_t *sum = value[__builtin_ctz(rest)];
        for (uint32_t q = 0; q < ROW; q++)
          sum[q] ^= row[q];
      }
    }
  for (uint32_t b = 0; b < p->size; b++)
    value[b][0] = 0; /* the neighbours' mu, which no form needs */
  const uint8_t *own = f->product + f->first_row[v] * ROW;
  for (uint32_t rest = p->active[v]; rest; rest &= rest - 1, own += ROW)
    value[__builtin_ctz(rest)][0] = own[0];
  size_t place = ms_sieve_place_of(shape, v);
  uint64_t *inner = f->pass->inner + place * shape->forms;
  for (uint32_t q = 0; q < shape->forms; q++) {
    inner[q] = inner_matrix(&value[0][q], ROW, shape->inner_bits);
    if (shape->is_halved)
      inner[q] = ms_sieve_half_matrix(inner[q], shape->inner_bits,
                                      ms_sieve_half_bit(p, shape->inner_bits, v));
  }
  for (uint32_t b = 0; b < shape->outer_bits; b++)
    memcpy(f->pass->outer + ((size_t)b * shape->places + place) * shape->row,
           value[shape->inner_bits + b], shape->row);
  if (shape->is_quadratic)
    fill_quadratic_rows(f, v, value);
}

static void fill_quadratic(void *user, ms_range r)
{
  const fill *f = user;
  for (uint64_t v = r.begin; v < r.end; v++)
    ms_sieve_quadratic_fill(f->shape, (uint32_t)v, f->first_row, f->quadratic, &f->pass->quadratic);
}

/* Makes alpha(s, v, j) for the arcs out of v, named by the ids of both ends. */
static void fill_arcs(const fill *f, uint32_t v)
{
  const ms_sieve_problem *p = f->shape->problem;
  const ms_instance *in = p->instance;
  for (uint64_t e = in->offset[v]; e < in->offset[v + 1]; e++)
    ms_weights(p->seed, f->repetition, MS_WEIGHT_ALPHA, in->vertex[v], in->vertex[in->neighbor[e]],
               p->size - 1, f->pass->alpha + e * (p->size - 1));
}

static void fill_vertices(void *user, ms_range r)
{
  for (uint64_t v = r.begin; v < r.end; v++)
    fill_vertex(user, (uint32_t)v);
}

static void fill_all_forms(void *user, ms_range r)
{
  for (uint64_t v = r.begin; v < r.end; v++)
    fill_forms(user, (uint32_t)v);
}

static void fill_all_arcs(void *user, ms_range r)
{
  for (uint64_t v = r.begin; v < r.end; v++)
    fill_arcs(user, (uint32_t)v);
}

ms_status ms_sieve_pass_fill(const ms_sieve_shape *shape, uint32_t repetition, uint32_t variant,
                             int threads, ms_sieve_pass *pass, ms_error *err)
{
  const ms_sieve_problem *p = shape->problem;
  uint32_t n = p->instance->n;
  ms_status status = MS_OK;
  fill f = {.shape = shape,
            .repetition = repetition / p->evaluations,
            .evaluation = repetition % p->evaluations,
            .variant = variant,
            .pass = pass};
  f.first_row = ms_alloc((size_t)n + 1, sizeof *f.first_row);
  f.product = ms_alloc_lines(p->labels, ROW);
  f.quadratic = ms_alloc_lines(shape->is_quadratic ? ms_sieve_quadratic_row_bytes(shape) : 0, 1);
  if (!f.first_row || !f.product || !f.quadratic) {
    status = ms_fail_memory(err, "the weights of one repetition");
    goto done;
  }
  f.first_row[0] = 0;
  for (uint32_t v = 0; v < n; v++)
    f.first_row[v + 1] = f.first_row[v] + (uint64_t)__builtin_popcount(p->active[v]);
  ms_watch watch = {.stop = shape->stop}; /* workers have threads of their own, without a token */
  ms_watch_loop(&watch, threads, n, VERTICES, fill_vertices, &f);
  ms_watch_loop(&watch, threads, n, VERTICES, fill_all_forms, &f);
  if (shape->is_quadratic)
    ms_watch_loop(&watch, threads, n, VERTICES, fill_quadratic, &f);
  if (p->recurrence == MS_CLASSIC)
    ms_watch_loop(&watch, threads, n, VERTICES, fill_all_arcs, &f);
  status = ms_watch_report(&watch, "weights are made", err);
done:
  ms_free(f.first_row);
  ms_free(f.product);
  ms_free(f.quadratic);
  return status;
}

void ms_sieve_constants_flip(const ms_sieve_shape *shape, const ms_sieve_pass *pass, uint32_t bit,
                             uint64_t begin, uint64_t end, uint8_t *constant)
{
  const uint8_t *value = pass->outer + (size_t)bit * shape->places * shape->row;
  for (size_t i = begin * shape->row; i < end * shape->row; i++)
    constant[i] ^= value[i];
}

void ms_sieve_constants_init(const ms_sieve_shape *shape, const ms_sieve_pass *pass, uint64_t outer,
                             uint64_t begin, uint64_t end, uint8_t *constant)
{
  memset(constant + begin * shape->row, 0, (size_t)(end - begin) * shape->row);
  for (; outer; outer &= outer - 1)
    ms_sieve_constants_flip(shape, pass, (uint32_t)__builtin_ctzll(outer), begin, end, constant);
}

void ms_sieve_block_flip(const ms_sieve_shape *shape, const ms_sieve_pass *pass, uint32_t bit,
                         uint64_t outer, uint64_t begin, uint64_t end,
                         const ms_sieve_scratch *scratch)
{
  ms_sieve_constants_flip(shape, pass, bit, begin, end, scratch->constant);
  if (shape->is_quadratic)
    ms_sieve_quadratic_flip(shape, &pass->quadratic, bit, outer, begin, end, scratch->quadratic);
}

void ms_sieve_block_init(const ms_sieve_shape *shape, const ms_sieve_pass *pass, uint64_t outer,
                         uint64_t begin, uint64_t end, const ms_sieve_scratch *scratch)
{
  ms_sieve_constants_init(shape, pass, outer, begin, end, scratch->constant);
  if (shape->is_quadratic)
    ms_sieve_quadratic_init(shape, &pass->quadratic, outer, begin, end, scratch->quadratic);
}
