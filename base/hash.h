/* Hash functions under a key that each process draws at random.
 *
 * The names and numbers that a table holds come from files, and the author of a file may choose
 * them so that they collide: under a fixed function, n colliding names take n^2 / 2 probes.  Nobody
 * can choose such names for a key that is drawn when the process starts.  The key decides only
 * where an entry lies in a table.  Nothing that a user sees may depend on it: a table is never
 * listed in the order of its slots, and never written to a file. */
#ifndef MS_BASE_HASH_H
#define MS_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

typedef struct ms_hash_key {
  uint64_t bytes[2];          /* of ms_hash_bytes */
  uint64_t factor[2], add[2]; /* of ms_hash_word: two numbers of 128 bits, the low half first */
} ms_hash_key;

/* Returns the key of the process; it is drawn at the first call, in any thread. */
const ms_hash_key *ms_hash_key_get(void);

/* SipHash-1-3: J.-P. Aumasson, D. J. Bernstein: SipHash: a fast short-input PRF (2012), with one
 * round for each word and three at the end. */
uint64_t ms_hash_bytes(const ms_hash_key *key, const void *bytes, size_t length);

/* Multiply-shift: the high half of factor * word + add, modulo 2^128.  A table of 2^i places uses
 * its i highest bits.  These are strongly universal: any two different words have any two places
 * with probability 4^-i.  (M. Dietzfelbinger: Universal hashing and k-wise independent random
 * variables via integer arithmetic without primes, 1996.)  So linear probing of n words takes
 * O(n log n) steps in total, whatever the words are (M. Patrascu, M. Thorup: On the k-independence
 * required by linear probing and minwise independence, 2016). */
static inline uint64_t ms_hash_word(const ms_hash_key *key, uint64_t word)
{
  __extension__ typedef unsigned __int128 wide;
  wide low = (wide)key->factor[0] * word + key->add[0];
  return (uint64_t)(low >> 64) + key->factor[1] * word + key->add[1];
}

#endif
