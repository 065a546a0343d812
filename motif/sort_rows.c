#include "motif/sort_rows.h"

#include "base/alloc.h"
#include "base/compiler.h"
#include "base/threads/parallel.h"

#include <string.h>

/* The number of rows below which insertion sort takes over. */
#define SMALL 12u
/* The numbers of rows that are sorted by digits: if their ids together have 33 to 64 bits, at most
 * MOST_KEYS, else twice as many. */
#define LEAST_KEYS 96u
#define MOST_KEYS ((size_t)1 << 18)
/* The bits of a digit.  Long ones need fewer passes, but more counters. */
#define SHORT_DIGIT 8u
#define MOST_DIGIT 11u
#define MANY_KEYS 4096u /* from here on digits are long */
#define MOST_PASSES 8u

#define PIECES 64u /* of the parts, for each thread */

/* Rows that are moved or passed between two checks of the watch. */
#define POLL_ROWS 65536u

typedef struct sorter {
  ms_watch *watch; /* may be NULL */
  size_t steps;    /* rows passed since its last check */
  bool stopped;
  uint64_t *key; /* room for the keys, twice; NULL: there is no memory for them */
} sorter;

/* Counts rows, and checks the watch at some of them. */
static void count_steps(sorter *s, size_t rows)
{
  s->steps += rows;
  if (s->steps < POLL_ROWS)
    return;
  s->steps = 0;
  s->stopped = s->watch && ms_watch_check(s->watch);
}

static int compare(const uint32_t *a, const uint32_t *b, uint32_t first, uint32_t width)
{
  for (uint32_t i = first; i < width; i++)
    if (a[i] != b[i])
      return a[i] < b[i] ? -1 : 1;
  return 0;
}

static void swap_rows(uint32_t *a, uint32_t *b, uint32_t width)
{
  for (uint32_t i = 0; i < width; i++) {
    uint32_t held = a[i];
    a[i] = b[i];
    b[i] = held;
  }
}

static void insertion_sort(uint32_t *rows, size_t count, uint32_t column, uint32_t width)
{
  for (size_t i = 1; i < count; i++) {
    for (size_t j = i; j > 0; j--) {
      uint32_t *above = rows + (j - 1) * width, *here = rows + j * width;
      if (compare(above, here, column, width) <= 0)
        break;
      swap_rows(above, here, width);
    }
  }
}

static uint32_t median(uint32_t a, uint32_t b, uint32_t c)
{
  uint32_t low = a < b ? a : b, high = a < b ? b : a;
  return c < low ? low : c > high ? high : c;
}

/* Returns the median of nine samples of a column. */
static uint32_t pick_pivot(const uint32_t *rows, size_t count, uint32_t column, uint32_t width)
{
  uint32_t third[3];
  size_t step = (count - 1) / 8;
  for (size_t i = 0; i < 3; i++) {
    const uint32_t *sample = rows + 3 * i * step * width + column;
    third[i] = median(sample[0], sample[step * width], sample[2 * step * width]);
  }
  return median(third[0], third[1], third[2]);
}

/* ---- by digits ---------------------------------------------------------------- */

/* The ids of a row as one number: those of the columns from `first` on, less the least of their
 * columns, in `bits` each. */
typedef struct packing {
  uint32_t least[MS_MOST_ROW], bits[MS_MOST_ROW]; /* [width] */
} packing;

/* How the numbers are sorted: by digits, from the lowest on. */
typedef struct digits {
  uint32_t passes, bits; /* bits of a digit */
  uint32_t place[MOST_PASSES][1u << MOST_DIGIT];
} digits;

/* Finds how rows are packed.  Returns the bits of a number; more than 64: they do not fit. */
MS_ALWAYS_INLINE uint32_t find_packing(const uint32_t *rows, size_t count, uint32_t column,
                                       uint32_t width, packing *out)
{
  uint32_t sum = 0, least[MS_MOST_ROW], greatest[MS_MOST_ROW];
  memcpy(least, rows, width * sizeof *rows);
  memcpy(greatest, rows, width * sizeof *rows);
  for (size_t i = 1; i < count; i++)
    for (uint32_t c = column; c < width; c++) {
      uint32_t id = rows[i * width + c];
      least[c] = id < least[c] ? id : least[c];
      greatest[c] = id > greatest[c] ? id : greatest[c];
    }
  for (uint32_t c = column; c < width; c++) {
    out->least[c] = least[c];
    out->bits[c] =
        greatest[c] > least[c] ? 32 - (uint32_t)__builtin_clz(greatest[c] - least[c]) : 0;
    sum += out->bits[c];
  }
  return sum;
}

/* Numbers are kept in 32 or 64 bits. */
MS_ALWAYS_INLINE uint64_t get_key(const void *key, size_t i, bool narrow)
{
  return narrow ? ((const uint32_t *)key)[i] : ((const uint64_t *)key)[i];
}

MS_ALWAYS_INLINE void set_key(void *key, size_t i, uint64_t number, bool narrow)
{
  if (narrow)
    ((uint32_t *)key)[i] = (uint32_t)number;
  else
    ((uint64_t *)key)[i] = number;
}

/* Packs rows and counts their digits. */
MS_ALWAYS_INLINE void pack_rows(const packing *p, const uint32_t *rows, size_t count,
                                uint32_t column, uint32_t width, void *key, bool narrow, digits *d)
{
  const uint32_t mask = (1u << d->bits) - 1;
  for (size_t i = 0; i < count; i++, rows += width) {
    uint64_t number = 0;
    for (uint32_t c = column; c < width; c++)
      number = number << p->bits[c] | (rows[c] - p->least[c]);
    set_key(key, i, number, narrow);
    for (uint32_t pass = 0; pass < d->passes; pass++, number >>= d->bits)
      d->place[pass][number & mask]++;
  }
}

/* Moves the numbers to their places by the digit of a pass. */
MS_ALWAYS_INLINE void move_keys(const void *from, void *to, size_t count, bool narrow,
                                uint32_t shift, uint32_t mask, uint32_t *place)
{
  for (size_t i = 0; i < count; i++) {
    uint64_t number = get_key(from, i, narrow);
    set_key(to, place[number >> shift & mask]++, number, narrow);
  }
}

/* The same, as rows; without `place` they stay in the order of the numbers. */
MS_ALWAYS_INLINE void unpack_rows(const packing *p, const void *key, size_t count, bool narrow,
                                  uint32_t column, uint32_t width, uint32_t shift, uint32_t mask,
                                  uint32_t *place, uint32_t *rows)
{
  for (size_t i = 0; i < count; i++) {
    uint64_t number = get_key(key, i, narrow);
    uint32_t *row = rows + (place ? place[number >> shift & mask]++ : i) * width;
    for (uint32_t c = width; c-- > column; number >>= p->bits[c])
      row[c] = p->least[c] + (uint32_t)(number & ((UINT64_C(1) << p->bits[c]) - 1));
  }
}

/* Chooses digits for numbers of so many bits. */
static void begin_digits(uint32_t bits, size_t count, digits *d)
{
  uint32_t most = count < MANY_KEYS ? SHORT_DIGIT : MOST_DIGIT;
  d->passes = (bits + most - 1) / most;
  d->bits = (bits + d->passes - 1) / d->passes;
  for (uint32_t pass = 0; pass < d->passes; pass++)
    memset(d->place[pass], 0, sizeof *d->place[pass] << d->bits);
}

/* Makes places of the numbers of a digit's values. */
static void sum_places(uint32_t *place, uint32_t values)
{
  uint32_t sum = 0;
  for (uint32_t i = 0; i < values; i++) {
    uint32_t there = place[i];
    place[i] = sum;
    sum += there;
  }
}

/* Sorts rows by their numbers of so many bits.  The last pass makes rows again; after a stop there
 * are no more passes. */
MS_ALWAYS_INLINE void sort_packed(sorter *s, const packing *p, uint32_t bits, bool narrow,
                                  uint32_t *rows, size_t count, uint32_t column, uint32_t width)
{
  digits d;
  void *from = s->key, *to = s->key + (narrow ? count / 2 + 1 : count);
  begin_digits(bits, count, &d);
  pack_rows(p, rows, count, column, width, from, narrow, &d);
  const uint32_t mask = (1u << d.bits) - 1;
  for (uint32_t pass = 0; pass + 1 < d.passes && !s->stopped; pass++) {
    sum_places(d.place[pass], mask + 1);
    move_keys(from, to, count, narrow, pass * d.bits, mask, d.place[pass]);
    void *swap = from;
    from = to;
    to = swap;
    count_steps(s, count);
  }
  uint32_t *place = d.place[d.passes - 1];
  sum_places(place, mask + 1);
  unpack_rows(p, from, count, narrow, column, width, (d.passes - 1) * d.bits, mask,
              s->stopped ? NULL : place, rows);
  count_steps(s, 2 * count);
}

/* Sorts rows by their ids from `column` on, as numbers.  Returns false, and does nothing, if these
 * have too many bits. */
MS_ALWAYS_INLINE bool try_digits(sorter *s, uint32_t *rows, size_t count, uint32_t column,
                                 uint32_t width)
{
  packing p;
  uint32_t bits = find_packing(rows, count, column, width, &p);
  if (bits > (count > MOST_KEYS ? 32 : 64))
    return false;
  if (bits > 32)
    sort_packed(s, &p, bits, false, rows, count, column, width);
  else if (bits > 0) /* else all are the same */
    sort_packed(s, &p, bits, true, rows, count, column, width);
  return true;
}

/* Loops of constant length are unrolled. */
static bool sort_by_digits(sorter *s, uint32_t *rows, size_t count, uint32_t column, uint32_t width)
{
  if (column == 1 && width == 3)
    return try_digits(s, rows, count, 1, 3);
  if (column == 1 && width == 4)
    return try_digits(s, rows, count, 1, 4);
  if (column == 1 && width == 5)
    return try_digits(s, rows, count, 1, 5);
  return try_digits(s, rows, count, column, width);
}

/* ---- by comparison ------------------------------------------------------------- */

/* Sorts rows[0..count), which agree in the columns before `column`. */
static void sort_from(sorter *s, uint32_t *rows, size_t count, uint32_t column, uint32_t width)
{
  while (count > SMALL && column < width) {
    if (s->key && count >= LEAST_KEYS && count <= 2 * MOST_KEYS &&
        sort_by_digits(s, rows, count, column, width))
      return;
    uint32_t pivot = pick_pivot(rows, count, column, width);
    size_t less = 0, here = 0, greater = count; /* three-way partition */
    while (here < greater) {
      /* each step brings `here` and `greater` closer by one */
      size_t apart = greater - here, until = apart > POLL_ROWS ? apart - POLL_ROWS : 0;
      while (greater - here > until) {
        uint32_t value = rows[here * width + column];
        if (value < pivot)
          swap_rows(rows + less++ * width, rows + here++ * width, width);
        else if (value > pivot)
          swap_rows(rows + here * width, rows + --greater * width, width);
        else
          here++;
      }
      count_steps(s, apart - until);
      if (s->stopped)
        return;
    }
    /* recurse into the smaller two parts and loop on the largest, so that the
     * stack stays logarithmic in count */
    size_t size[3] = {less, greater - less, count - greater};
    uint32_t *part[3] = {rows, rows + less * width, rows + greater * width};
    uint32_t from[3] = {column, column + 1, column};
    int largest = size[0] >= size[1] ? 0 : 1;
    largest = size[2] > size[largest] ? 2 : largest;
    for (int i = 0; i < 3; i++)
      if (i != largest)
        sort_from(s, part[i], size[i], from[i], width);
    rows = part[largest];
    count = size[largest];
    column = from[largest];
  }
  if (column < width && !s->stopped)
    insertion_sort(rows, count, column, width);
}

/* Makes room for the keys of parts of at most this many rows; NULL: they need none, or there is no
 * memory. */
static uint64_t *open_keys(uint64_t rows)
{
  size_t keys = rows < MOST_KEYS ? (size_t)rows : MOST_KEYS;
  return rows < LEAST_KEYS ? NULL : ms_alloc_lines(2 * keys + 1, sizeof(uint64_t));
}

void ms_sort_rows(uint32_t *rows, size_t count, uint32_t width, ms_watch *watch)
{
  sorter s = {.watch = watch, .key = open_keys(count)};
  sort_from(&s, rows, count, 0, width);
  ms_free(s.key);
}

/* ---- parts ---------------------------------------------------------------------- */

typedef struct sorting {
  uint32_t *rows;
  const uint64_t *end;
  uint32_t width;
  uint64_t largest; /* number of rows of a part */
  uint64_t **key;   /* [threads] made when first needed */
  ms_watch *watch;
} sorting;

static void sort_range(void *user, ms_range r)
{
  const sorting *all = user;
  uint64_t begin = r.begin > 0 ? all->end[r.begin - 1] : 0, **key = &all->key[r.thread];
  if (!*key)
    *key = open_keys(all->largest);
  sorter s = {.watch = all->watch, .key = *key};
  s.stopped = s.watch && ms_watch_check(s.watch);
  for (uint64_t i = r.begin; i < r.end && !s.stopped; begin = all->end[i++]) {
    uint64_t count = all->end[i] - begin;
    sort_from(&s, all->rows + begin * all->width, (size_t)count, 1, all->width);
    count_steps(&s, count);
  }
}

bool ms_sort_parts(uint32_t *rows, const uint64_t *end, uint64_t parts, uint32_t width, int threads,
                   ms_watch *watch)
{
  sorting all = {.rows = rows, .end = end, .width = width, .watch = watch};
  all.key = ms_calloc((size_t)threads, sizeof *all.key);
  if (!all.key)
    return false;
  for (uint64_t i = 0, begin = 0; i < parts; begin = end[i++])
    all.largest = end[i] - begin > all.largest ? end[i] - begin : all.largest;
  ms_parallel(threads, parts, 1 + parts / (PIECES * (uint64_t)threads), sort_range, &all);
  for (int t = 0; t < threads; t++)
    ms_free(all.key[t]);
  ms_free(all.key);
  return true;
}
