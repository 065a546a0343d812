/* The tail of a program: vertices that are counted without being visited. */
#ifndef MS_MATCH_CPU_TAIL_H
#define MS_MATCH_CPU_TAIL_H

#include "match/cpu/program.h"

/* Fill in term[] from group[], or `falling`; `product`: the sets as if they
 * could share vertices.  Vertices of one group are any number; with several
 * groups or a product MS_MAX_TAIL at most.  MS_ERR_LIMIT: more terms than there
 * is room for. */
ms_status ms_tail_compile(ms_program *program, bool product, ms_error *err);

#endif
