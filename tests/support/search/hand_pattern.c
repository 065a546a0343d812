#include "tests/support/search/hand_pattern.h"

#include <check.h>
#include <string.h>

const char *const hand_colors[HAND_COLORS] = {"red", "green", "blue", "unheard of"};

void hand_make(hand_pattern *hand, uint32_t n, bool directed)
{
  uint32_t id;
  memset(hand, 0, sizeof *hand);
  hand->pattern.n = n;
  hand->pattern.directed = directed;
  ck_assert_int_eq(ms_names_new(&hand->pattern.color_names, NULL), MS_OK);
  for (uint32_t c = 0; c < HAND_COLORS; c++)
    ck_assert_int_eq(
        ms_names_add(hand->pattern.color_names, hand_colors[c], strlen(hand_colors[c]), &id, NULL),
        MS_OK);
}

void hand_join(hand_pattern *hand, uint32_t i, uint32_t j)
{
  ms_bitset_add(&hand->pattern.out[i], j);
  ms_bitset_add(&hand->pattern.in[j], i);
  if (!hand->pattern.directed) {
    ms_bitset_add(&hand->pattern.out[j], i);
    ms_bitset_add(&hand->pattern.in[i], j);
  }
}

void hand_accept(hand_pattern *hand, uint32_t i, uint32_t colors)
{
  hand->pattern.color[i] = hand->ids[i];
  for (uint32_t c = 0; c < HAND_COLORS; c++)
    if (colors >> c & 1)
      hand->ids[i][hand->pattern.colors[i]++] = c;
}

void hand_free(hand_pattern *hand)
{
  ms_names_free(hand->pattern.color_names);
}
