/* Names that collide under the fixed hash functions of binary graph files (docs/FORMATS.md), which
 * were those of all tables of names before they had a key. */
#ifndef MS_TESTS_SUPPORT_COLLIDE_H
#define MS_TESTS_SUPPORT_COLLIDE_H

#include <stdint.h>

/* Returns the next number of a generator. */
uint64_t collide_random(uint64_t *state);
/* Returns the inverse, modulo 2^64, of the factor of these functions. */
uint64_t collide_inverse(void);

/* Makes a name of 16 bytes with the same hash as all others that it makes.  Its bytes are at least
 * `least` and below 0x7F; with least = 1 they are any but 0. */
void collide_long_name(uint64_t *state, unsigned least, char name[16]);
/* Makes a name of 8 bytes, any but 0, with the same slot as all others that it makes, in every
 * table of up to 2^32 slots. */
void collide_short_name(uint64_t *state, char name[8]);

#endif
