/* Random numbers for tests: splitmix64, whose whole state is one number. */
#ifndef MS_TESTS_SUPPORT_RANDOM_H
#define MS_TESTS_SUPPORT_RANDOM_H

#include <stdint.h>

uint64_t random_next(uint64_t *state);
/* A number of 0 .. limit - 1. */
uint32_t random_below(uint64_t *state, uint32_t limit);

#endif
