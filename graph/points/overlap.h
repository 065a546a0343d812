/* Columns that may say on which slide a point lies.  Points tell.  On different slides that are
 * laid over each other, the nearest neighbour of a point is often one of another slide; a batch
 * that lies in one piece has such neighbours at its borders only.
 *
 * Some titles are doubtful: a region or a kind of tissue may be a slide of its own, or a part of
 * one that other parts pervade, such as tumour and stroma.  Parts share the room of one slide:
 * cells keep as far away from cells of another part as from those of their own.  Slides know
 * nothing of each other: points of two of them often coincide, or nearly so.  Where no column
 * separates points that overlap, one whose title names nothing but slides is believed. */
#ifndef MS_GRAPH_POINTS_OVERLAP_H
#define MS_GRAPH_POINTS_OVERLAP_H

#include "graph/points/points.h"

#define MS_SLIDE_CANDIDATES 8u

/* What the title of a column says. */
typedef enum ms_slide_title { MS_NO_SLIDES, MS_DOUBTFUL_SLIDES, MS_SURE_SLIDES } ms_slide_title;

/* A column and the value of each point. */
typedef struct ms_slide_candidate {
  uint32_t column; /* from 0 */
  ms_slide_title kind;
  bool whole; /* the title says nothing else */
  char *title;
  ms_names *values;
  uint32_t *value;  /* [n] */
  uint64_t missing; /* the first line without a value; 0: none */
  bool mixed;       /* its values separate points that overlap, or the title is trusted */
} ms_slide_candidate;

/* *whole: the title is a word for slides, perhaps followed by "id" or similar. */
ms_slide_title ms_slide_title_of(ms_field title, bool *whole);
/* Sets `mixed` of each candidate with such a title.  slide[n] of the points; NULL: one slide. */
void ms_find_mixed(const ms_point *point, uint32_t n, const uint32_t *slide,
                   ms_slide_candidate *candidate, uint32_t count, ms_slide_title title);
/* Sets `mixed` of columns whose whole title names slides: slides that lie side by side are none the
 * less slides.  Not for columns with a value for nearly each point. */
void ms_trust_titles(ms_slide_candidate *candidate, uint32_t count, uint32_t n);
/* Do points of different values coincide, or lie far closer together than points of one value? */
bool ms_is_overlaid(const ms_point *point, uint32_t n, const uint32_t *slide,
                    const ms_slide_candidate *candidate);
/* Returns the candidate that is mixed and divides no less than every other one that is; NULL: there
 * is none.  *several: some of them divide each other. */
const ms_slide_candidate *ms_finest_slides(const ms_slide_candidate *candidate, uint32_t count,
                                           uint32_t n, bool *several);
/* Counts the points that lie exactly where an earlier one of their slide does. */
ms_status ms_count_coincident(const ms_point *point, uint32_t n, const uint32_t *slide,
                              uint32_t *count, ms_error *err);

#endif
