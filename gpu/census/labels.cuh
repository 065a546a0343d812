/* The census of many labellings: a warp searches the sets of a root once, and each lane counts them
 * with the kinds of another labelling.  The sets are those of search.cuh, depth first. */
#ifndef MS_GPU_CENSUS_LABELS_CUH
#define MS_GPU_CENSUS_LABELS_CUH

#include "gpu/census/search.cuh"

/* Sets of k - 2 vertices between two looks whether the warp should stop. */
enum { MS_CENSUS_LABELS_LOOK = 256 };

template <uint32_t W> struct ms_labels_warp {
  ms_ball<W> ball;
  uint8_t *label; /* [64 W][MS_CENSUS_LABELS] */
  uint32_t *cell; /* [cells] of the lane's labelling */
  uint32_t looks, visits;
  bool ended;
};

template <uint32_t W> MS_DEVICE uint32_t ms_labels_kind(const ms_labels_warp<W> &w, uint32_t vertex)
{
  return w.label[vertex * MS_CENSUS_LABELS + ms_lane()];
}

/* Searches from a set to which LEFT vertices are to be added; all lanes have the same set, and the
 * state of their own labelling. */
template <uint32_t W, uint32_t LEFT> struct ms_labels_grow {
  MS_DEVICE_MEMBER void run(const ms_census_launch &l, ms_labels_warp<W> *w, ms_bits<W> x,
                            const ms_bits<W> &near, uint32_t state)
  {
    w->visits++;
    if (LEFT == 2 && ++w->looks % MS_CENSUS_LABELS_LOOK == 0 && ms_census_stops(l))
      w->ended = true;
    while (ms_bits_any(x) && !w->ended) {
      ms_bits<W> more, around;
      uint32_t u = ms_bits_take(&x);
      uint32_t next = ms_census_step(l, l.k - LEFT, state, ms_labels_kind(*w, u));
#pragma unroll
      for (uint32_t i = 0; i < W; i++) {
        uint64_t row = w->ball.row[u].word[i];
        more.word[i] = x.word[i] | (row & ~near.word[i]);
        around.word[i] = near.word[i] | row;
      }
      ms_labels_grow<W, LEFT - 1>::run(l, w, more, around, next);
    }
  }
};

template <uint32_t W> struct ms_labels_grow<W, 1> {
  MS_DEVICE_MEMBER void run(const ms_census_launch &l, ms_labels_warp<W> *w, const ms_bits<W> &x,
                            const ms_bits<W> &, uint32_t state)
  {
    uint32_t *row = w->cell + (uint64_t)state * l.kinds;
#pragma unroll
    for (uint32_t i = 0; i < W; i++)
      for (uint64_t left = x.word[i]; left; left &= left - 1)
        ms_add(&row[ms_labels_kind(*w, 64 * i + ms_lowest(left))], 1u);
  }
};

template <uint32_t W>
MS_DEVICE void ms_labels_search_root(const ms_census_launch &l, ms_labels_warp<W> *w)
{
  for (uint32_t v = 0; v < w->ball.count; v++)
    w->label[v * MS_CENSUS_LABELS + ms_lane()] =
        l.label[(uint64_t)w->ball.rank[v] * MS_CENSUS_LABELINGS + ms_lane()];
  ms_sync_warp();
  ms_bits<W> x = w->ball.row[0], near = x;
  near.word[0] |= 1;
  uint32_t state = ms_labels_kind(*w, 0);
  switch (l.k) {
  case 3:
    ms_labels_grow<W, 2>::run(l, w, x, near, state);
    break;
  case 4:
    ms_labels_grow<W, 3>::run(l, w, x, near, state);
    break;
  case 5:
    ms_labels_grow<W, 4>::run(l, w, x, near, state);
    break;
  case 6:
    ms_labels_grow<W, 5>::run(l, w, x, near, state);
    break;
  case 7:
    ms_labels_grow<W, 6>::run(l, w, x, near, state);
    break;
  default:
    ms_labels_grow<W, 7>::run(l, w, x, near, state);
  }
}

/* Counts the sets of the roots of a launch, with MS_CENSUS_LABELS lanes. */
template <uint32_t W>
MS_DEVICE void ms_census_label_roots(const ms_census_launch &l, uint8_t *shared)
{
  ms_labels_warp<W> w;
  uint32_t root;
  w.label = ms_ball_place(&w.ball, l, shared + ms_warp() * ms_census_label_bytes(W));
  w.cell = l.label_cell + ms_lane() * l.cells;
  w.looks = w.visits = 0;
  w.ended = false;
  while (!w.ended && ms_census_take(l, &root)) {
    if (ms_ball_make(&w.ball, l, root))
      ms_labels_search_root(l, &w);
    else if (ms_lane() == 0)
      l.left[root] = 1;
    ms_sync_warp();
  }
  if (ms_lane() == 0)
    ms_add(&l.queue->rows, (unsigned long long)w.visits);
}

#endif
