/* The tail of a program: the vertices that are counted without being
 * visited. */
#ifndef MS_MATCH_CPU_TAIL_H
#define MS_MATCH_CPU_TAIL_H

#include "match/cpu/program.h"

/* Fills term[] or `falling` from group[]. With `product` the sets are counted
 * as if they could share vertices. One group may have any number of vertices;
 * several groups or a product have at most MS_MAX_TAIL. Returns MS_ERR_LIMIT if
 * there are more terms than there is room for. */
ms_status ms_tail_compile(ms_program *program, bool product, ms_error *err);

#endif
