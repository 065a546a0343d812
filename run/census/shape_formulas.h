/* Inside run/: what a census has from other rooms. */
#ifndef MS_RUN_SHAPE_FORMULAS_H
#define MS_RUN_SHAPE_FORMULAS_H

#include "census/accelerator.h"

/* Returns the GPUs, and the formulas of shapes. */
ms_census_accelerator ms_census_helpers(void);

#endif
