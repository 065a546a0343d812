#include "motif/sort_rows.h"

/* The number of rows below which insertion sort takes over. */
#define SMALL 12u

/* Rows that are moved or passed between two checks of the watch. */
#define POLL_ROWS 65536u

typedef struct sorter {
  ms_watch *watch; /* may be NULL */
  size_t steps;    /* rows passed since its last check */
  bool stopped;
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
  for (uint32_t i = first; i < width; i++) {
    if (a[i] != b[i]) {
      return a[i] < b[i] ? -1 : 1;
    }
  }
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
      if (compare(above, here, column, width) <= 0) {
        break;
      }
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

/* Sorts rows[0..count), which agree in the columns before `column`. */
static void sort_from(sorter *s, uint32_t *rows, size_t count, uint32_t column, uint32_t width)
{
  while (count > SMALL && column < width) {
    uint32_t pivot = pick_pivot(rows, count, column, width);
    size_t less = 0, here = 0, greater = count; /* three-way partition */
    while (here < greater) {
      /* each step brings `here` and `greater` closer by one */
      size_t apart = greater - here, until = apart > POLL_ROWS ? apart - POLL_ROWS : 0;
      while (greater - here > until) {
        uint32_t value = rows[here * width + column];
        if (value < pivot) {
          swap_rows(rows + less++ * width, rows + here++ * width, width);
        } else if (value > pivot) {
          swap_rows(rows + here * width, rows + --greater * width, width);
        } else {
          here++;
        }
      }
      count_steps(s, apart - until);
      if (s->stopped) {
        return;
      }
    }
    /* recurse into the smaller two parts and loop on the largest, so that the
     * stack stays logarithmic in count */
    size_t size[3] = {less, greater - less, count - greater};
    uint32_t *part[3] = {rows, rows + less * width, rows + greater * width};
    uint32_t from[3] = {column, column + 1, column};
    int largest = size[0] >= size[1] ? 0 : 1;
    largest = size[2] > size[largest] ? 2 : largest;
    for (int i = 0; i < 3; i++) {
      if (i != largest) {
        sort_from(s, part[i], size[i], from[i], width);
      }
    }
    rows = part[largest];
    count = size[largest];
    column = from[largest];
  }
  if (column < width && !s->stopped) {
    insertion_sort(rows, count, column, width);
  }
}

void ms_sort_rows(uint32_t *rows, size_t count, uint32_t width, ms_watch *watch)
{
  sorter s = {.watch = watch};
  sort_from(&s, rows, count, 0, width);
}
