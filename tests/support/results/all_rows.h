/* All rows of vertices, and which of them are the smallest of their classes, by plain trial. */
#ifndef MS_TESTS_SUPPORT_ALL_ROWS_H
#define MS_TESTS_SUPPORT_ALL_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Turns row[length] of numbers below `base` into the next one in lexicographic order; false behind
 * the last, which becomes the first. */
bool all_rows_next(uint32_t *row, uint32_t length, uint32_t base);
/* Returns the place of a row in that order. */
size_t all_rows_number(const uint32_t *row, uint32_t length, uint32_t base);

enum { ALL_ROWS_LENGTH = 5, ALL_ROWS_MAPS = 120 };
/* The automorphisms of a pattern of up to five vertices. */
typedef struct all_rows_group {
  uint32_t count;
  uint32_t map[ALL_ROWS_MAPS][ALL_ROWS_LENGTH]; /* [count][length] */
} all_rows_group;

/* True unless an automorphism turns the row into a smaller one. */
bool all_rows_smallest(const all_rows_group *group, const uint32_t *row, uint32_t length);

#endif
