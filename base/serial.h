/* Numbers that tell objects apart, also after one was freed and another one has its address. */
#ifndef MS_BASE_SERIAL_H
#define MS_BASE_SERIAL_H

#include <stdint.h>

/* Returns a number above 0 that no other call in this process returns. */
uint64_t ms_serial_next(void);

#endif
