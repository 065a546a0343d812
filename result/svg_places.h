/* Where the vertices of a drawing lie on the page: positions of points, scaled, slide beside
 * slide. */
#ifndef MS_RESULT_SVG_PLACES_H
#define MS_RESULT_SVG_PLACES_H

#include "result/drawing.h"

#define MS_SVG_SIDE 16000   /* length of the longer side of the map, in tenths of a pixel */
#define MS_SVG_MARGIN 200   /* around the map, in the same units, as all of these */
#define MS_SVG_LEAST_DOT 20 /* diameter of a dot */
#define MS_SVG_MOST_DOT 160
#define MS_SVG_TITLE 400  /* height of the name of a slide */
#define MS_SVG_LETTER 170 /* about the mean width of a letter of the texts */
#define MS_SVG_LETTERS 60 /* of a text for which pictures become wider; names of slides are cut */
#define MS_SVG_NONE INT32_MIN

typedef struct ms_svg_places {
  int32_t (*at)[2];      /* [n] x and y, which grows downwards; {MS_SVG_NONE, ..}: no position */
  uint32_t placed;       /* vertices with a position */
  int32_t width, height; /* of the map with its margins */
  int32_t dot;           /* diameter of a dot: smaller where there are more */
  double scale;          /* units of the page in a unit of the coordinates; 0: the points of each
                            slide are equal, so that there is none */
  uint32_t slides;       /* with at least one of the vertices; at least 1 */
  uint32_t *slide;       /* [slides] which they are, or NULL: one slide */
  int32_t (*corner)[2];  /* [slides] upper left corner of each */
} ms_svg_places;

/* Finds the places of the vertices, which have the names of points; of points in space the third
 * coordinate is left out.  ms_svg_places_free must follow in any case.  MS_ERR_INPUT: no vertex has
 * a position. */
ms_status ms_svg_places_find(const ms_drawing *drawing, ms_svg_places *out, ms_error *err);
void ms_svg_places_free(ms_svg_places *places);

/* Returns the room that a text needs beside others, at most that of the longest texts for which
 * pictures become wider. */
int32_t ms_svg_text_width(const char *text);

#endif
