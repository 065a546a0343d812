/* The floor of a sieve run: the work that the recurrence cannot avoid (sieve/cost.h), divided by
 * the rates that this machine was just measured at.
 *
 * Processor: products at the rate of the line type; rows read at random over edges, at the
 * random-read rate of a buffer of their size; the private coefficients, read and written, at the
 * sequential rate of a buffer of their size.
 *
 * GPU, in words of 32 points: products of bytes, if the kernel's line type has them, at the rate of
 * the line type; else three-input logic, with 81 operations for a product and 4 for each
 * row that is added up (eight words, two rows at a time); rows over edges at the rate of shared
 * memory if a word's rows of all live vertices fit there, else at the rate of random rows of 512
 * bytes in a buffer of 16 words' rows; private coefficients at the rate of shared memory as far as
 * they fit there, too, else at the stream rate of a buffer as large as the coefficients of all
 * multiprocessors (or of those 16 words).  Sums of products that are reduced only at their end take
 * less than 81 operations for each product, so a run may go below the floor of its products.
 *
 * The larger of the two sums (products; bytes) is the floor, because both could overlap perfectly.
 * XORs on a processor, forms of constants and the search for live vertices are not counted. */
#include "run/floor.h"

#include "base/file/read_rate.h"
#include "base/status.h"
#include "gf2/rate.h"
#include "gpu/gpu.h"
#include "sieve/cost.h"
#include "sieve/cpu_time.h"
#include "sieve/kernels/kernel.h"

#include <math.h>
#include <string.h>

enum { WORD_BITS = 5, ROW_WORDS = 16, PRODUCT_LOGIC = 81, ROW_LOGIC = 4 };
#define GPU_PART (1.0 / 6) /* of the time for a rate of a processor */

/* The problem that the run solved. */
typedef struct counted {
  ms_instance *instance;
  ms_sieve_problem problem;
  double repetitions; /* repetitions times variants */
  double seconds;     /* for each rate */
} counted;

static ms_status count_open(const ms_query *query, const ms_screen_options *o,
                            const ms_screen_result *r, counted *k, ms_error *err)
{
  ms_instance *whole = NULL;
  ms_status status = ms_instance_new(query, o->run.threads, &whole, err);
  if (status == MS_OK)
    status = ms_instance_prune(whole, o->run.threads, &k->instance, NULL, err);
  ms_instance_free(whole);
  if (status == MS_OK)
    status = ms_sieve_problem_init(&k->problem, k->instance, r->k, o->recurrence, o->run.seed,
                                   o->run.threads, err);
  k->repetitions = status == MS_OK ? (double)r->repetitions * k->problem.variants : 0;
  return status;
}

/* Counts the work in lines of 2^line_bits points, over all repetitions.  A tiny motif has fewer
 * points and takes a whole line all the same. */
static ms_sieve_work count_lines(const counted *k, uint32_t line_bits, uint32_t scale_at_head,
                                 ms_sieve_lines lines)
{
  uint32_t inner = line_bits < k->problem.size ? line_bits : k->problem.size;
  ms_sieve_work w = ms_sieve_count(&k->problem, inner, scale_at_head, lines);
  w.products *= k->repetitions;
  w.row_lines *= k->repetitions;
  w.state_lines *= k->repetitions;
  return w;
}

static void set_counts(const ms_sieve_work *w, double points, ms_sieve_floor *out)
{
  out->products = w->products * points;
  out->row_bytes = w->row_lines * points;
  out->state_bytes = w->state_lines * points;
}

/* ---- processor ----------------------------------------------------------------- */

static ms_status cpu_floor(const counted *k, const ms_screen_options *o, const ms_screen_result *r,
                           const ms_sieve_kernel *kernel, ms_sieve_floor *out, ms_error *err)
{
  double random = 0, sequential = 0;
  const ms_gf2_path *path = ms_gf2_select(kernel->path, err);
  if (!path)
    return err->status;
  ms_sieve_shape shape = ms_sieve_cpu_shape(&k->problem, kernel, o->block_points);
  uint32_t line_bits = shape.is_halved ? kernel->halves->bits : kernel->line_bits;
  ms_sieve_work w = count_lines(k, line_bits, kernel->scale_at_head, ms_sieve_lines_of(&shape));
  set_counts(&w, (double)(UINT64_C(1) << line_bits), out);
  uint64_t rows = (uint64_t)k->instance->n << line_bits, state = rows * k->problem.size;
  bool sibling = k->problem.recurrence == MS_SIBLING;
  ms_status status =
      ms_read_rate(sibling ? rows : state, true, r->threads, k->seconds, &random, err);
  if (status == MS_OK)
    status = ms_read_rate(state, false, r->threads, k->seconds, &sequential, err);
  if (status == MS_OK) {
    out->products_seconds = out->products / ms_gf2_products(path, r->threads, k->seconds);
    out->bytes_seconds = out->row_bytes / random + out->state_bytes / sequential;
  }
  return status;
}

/* Returns the kernel that ran on the processor, alone or beside GPUs. */
static const ms_sieve_kernel *cpu_kernel(const ms_screen_options *o, const ms_screen_result *r,
                                         ms_error *err)
{
  const ms_gf2_path *chosen = r->devices ? ms_gf2_select(o->kernel, err) : NULL;
  const char *path = chosen ? chosen->name : r->kernel;
  for (uint32_t i = 0; i < ms_sieve_kernel_count(); i++) {
    const ms_sieve_kernel *kernel = ms_sieve_kernel_at(i);
    if (strcmp(kernel->path, path) == 0)
      return kernel;
  }
  ms_fail(err, MS_ERR_INTERNAL,
          "no kernel is called %s; this is a bug of motifsieve, please report it", path);
  return NULL;
}

/* ---- GPUs ---------------------------------------------------------------------- */

/* The best place for a word's rows; all sizes in bytes. */
typedef struct places {
  uint64_t rows, state;               /* rows and state of the live vertices, on average */
  bool rows_near;                     /* the rows fit in shared memory */
  double near;                        /* part of the state that fits there beside the rows */
  uint64_t buffer_rows, buffer_state; /* buffers whose rates apply to what is not near */
} places;

static places place_rows(const counted *k, const ms_sieve_work *w, const ms_gpu_device *d)
{
  uint32_t size = k->problem.size;
  double blocks = size > WORD_BITS ? ldexp(1, (int)size - WORD_BITS) : 1;
  places p = {.rows = (uint64_t)(w->live_vertices / blocks) << WORD_BITS};
  p.state = p.rows * size;
  p.rows_near = p.rows <= d->shared;
  if (p.rows_near && p.state > 0)
    p.near = fmin(1, (double)(d->shared - p.rows) / (double)p.state);
  double words = p.rows_near ? d->multiprocessors * (1 - p.near) : ROW_WORDS;
  uint64_t most = d->memory_free / 2;
  p.buffer_rows = p.rows * ROW_WORDS < most ? p.rows * ROW_WORDS : most;
  p.buffer_state =
      (double)p.state * words < (double)most ? (uint64_t)((double)p.state * words) : most;
  return p;
}

/* Finds the seconds that a GPU takes for the products of the work.  Bit-sliced ones are counted as
 * operations, so that all bit-sliced kernels have the same floor. */
static ms_status gpu_products_seconds(int device, const char *kernel, const counted *k,
                                      const ms_sieve_work *w, double logic, double *out,
                                      ms_error *err)
{
  double rate;
  *out = PRODUCT_LOGIC * w->products / logic;
  if (strncmp(kernel, "bitslice", strlen("bitslice")) == 0)
    return MS_OK;
  for (uint32_t i = 0; i < ms_gpu_line_count(); i++)
    if (strcmp(ms_gpu_line_at(i)->name, kernel) == 0) {
      MS_TRY(ms_gpu_products(device, i, k->seconds * GPU_PART, &rate, err));
      *out = w->products * (1u << WORD_BITS) / rate;
    }
  return MS_OK;
}

static ms_status gpu_floor(const ms_screen_options *o, const counted *k, const char *kernel,
                           uint32_t devices, ms_sieve_floor *out, ms_error *err)
{
  int device = o->run.n_devices ? o->run.devices[0] : 0;
  ms_gpu_device d;
  ms_gpu_ceilings rows, state;
  ms_sieve_work w =
      count_lines(k, WORD_BITS, MS_MAX_K + 1, MS_SIEVE_WHOLE); /* never scaled at the head */
  MS_TRY(ms_gpu_device_at(device, &d, err));
  places p = place_rows(k, &w, &d);
  ms_status status = ms_gpu_measure(device, p.buffer_rows, k->seconds * GPU_PART, &rows, err);
  state = rows;
  if (status == MS_OK && p.buffer_state > 0)
    status = ms_gpu_measure(device, p.buffer_state, k->seconds * GPU_PART, &state, err);
  if (status != MS_OK)
    return status;
  set_counts(&w, (double)(1u << WORD_BITS), out);
  double products;
  MS_TRY(gpu_products_seconds(device, kernel, k, &w, rows.logic, &products, err));
  out->products_seconds = (products + ROW_LOGIC * w.row_lines / rows.logic) / devices;
  out->bytes_seconds =
      (out->row_bytes / (p.rows_near ? rows.shared_read : rows.row_read) +
       out->state_bytes * (p.near / rows.shared_read + (1 - p.near) / state.stream)) /
      devices;
  return MS_OK;
}

/* ---- what ran -------------------------------------------------------------------- */

/* Joins the floors of processor and GPUs, whose rates add up. */
static void join(const ms_sieve_floor *a, ms_sieve_floor *b)
{
  b->products_seconds = 1 / (1 / a->products_seconds + 1 / b->products_seconds);
  b->bytes_seconds = 1 / (1 / a->bytes_seconds + 1 / b->bytes_seconds);
}

ms_status ms_sieve_floor_of(const ms_query *query, const ms_screen_options *options,
                            const ms_screen_result *result, double seconds, ms_sieve_floor *out,
                            ms_error *err)
{
  counted k = {.seconds = seconds};
  ms_sieve_floor cpu = {0};
  bool on_cpu = result->devices == 0 || result->backend == MS_BACKEND_BOTH;
  const ms_sieve_kernel *kernel = on_cpu ? cpu_kernel(options, result, err) : NULL;
  *out = (ms_sieve_floor){0};
  if (on_cpu && !kernel)
    return err->status;
  ms_status status = count_open(query, options, result, &k, err);
  if (status == MS_OK && kernel)
    status = cpu_floor(&k, options, result, kernel, result->devices ? &cpu : out, err);
  if (status == MS_OK && result->devices)
    status = gpu_floor(options, &k, result->kernel, result->devices, out, err);
  if (status == MS_OK && result->devices && kernel)
    join(&cpu, out);
  ms_sieve_problem_clear(&k.problem);
  ms_instance_free(k.instance);
  return status;
}

double ms_sieve_floor_seconds(const ms_sieve_floor *floor)
{
  return fmax(floor->products_seconds, floor->bytes_seconds);
}

double ms_sieve_floor_bytes(const ms_sieve_floor *floor)
{
  return floor->row_bytes + floor->state_bytes;
}
