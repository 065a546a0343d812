/* The tail of a program: vertices that are counted without being visited. */
#ifndef MS_ENUMERATE_TAIL_H
#define MS_ENUMERATE_TAIL_H

#include "enumerate/cpu/program.h"

/* May the tail be counted by partitions: few enough terms?  Tail vertices of
 * the same candidates are any number up to MS_MAX_TAIL; others up to 4. */
/* Fill in term[] from group[]; `product`: the sets as if they could share
 * vertices.  MS_ERR_LIMIT: more terms than there is room for. */
ms_status ms_tail_compile(ms_program *program, bool product, ms_error *err);

#endif
