/* Patterns made by hand, past the library's constructors. */
#ifndef MS_TESTS_SUPPORT_HAND_PATTERN_H
#define MS_TESTS_SUPPORT_HAND_PATTERN_H

#include "query/pattern.h"

enum { HAND_COLORS = 4 };
/* The last of these is for colours that no graph has. */
extern const char *const hand_colors[HAND_COLORS];

typedef struct hand_pattern {
  ms_pattern pattern;
  uint32_t ids[MS_MAX_PATTERN][HAND_COLORS]; /* what pattern.color points at */
} hand_pattern;

/* Makes n vertices that accept any colour, without edges. */
void hand_make(hand_pattern *hand, uint32_t n, bool directed);
void hand_free(hand_pattern *hand);
void hand_join(hand_pattern *hand, uint32_t i, uint32_t j);
/* Sets the accepted colours of a vertex, once: bit c stands for hand_colors[c]. */
void hand_accept(hand_pattern *hand, uint32_t i, uint32_t colors);

#endif
