#include "base/hash.h"

#include <pthread.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

static ms_hash_key process_key;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static uint64_t rotate(uint64_t x, int bits)
{
  return x << bits | x >> (64 - bits);
}

typedef struct state {
  uint64_t v[4];
} state;

static inline void run_round(state *s)
{
  uint64_t *v = s->v;
  v[0] += v[1];
  v[1] = rotate(v[1], 13) ^ v[0];
  v[0] = rotate(v[0], 32);
  v[2] += v[3];
  v[3] = rotate(v[3], 16) ^ v[2];
  v[0] += v[3];
  v[3] = rotate(v[3], 21) ^ v[0];
  v[2] += v[1];
  v[1] = rotate(v[1], 17) ^ v[2];
  v[2] = rotate(v[2], 32);
}

static inline void take_word(state *s, uint64_t word)
{
  s->v[3] ^= word;
  run_round(s);
  s->v[0] ^= word;
}

uint64_t ms_hash_bytes(const ms_hash_key *key, const void *bytes, size_t length)
{
  const char *at = bytes;
  uint64_t a = key->bytes[0], b = key->bytes[1], word = 0;
  state s = {{a ^ 0x736F6D6570736575u, b ^ 0x646F72616E646F6Du, a ^ 0x6C7967656E657261u,
              b ^ 0x7465646279746573u}};
  size_t rest = length % 8;
  for (const char *end = at + (length - rest); at < end; at += 8) {
    memcpy(&word, at, 8);
    take_word(&s, word);
  }
  word = 0;
  if (length >= 8 && rest > 0) {
    /* one load that overlaps the word before, rather than a copy of a variable length */
    memcpy(&word, at + rest - 8, 8);
    word = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? word >> 8 * (8 - rest)
                                                     : word & (~(uint64_t)0 >> 8 * (8 - rest));
  } else {
    memcpy(&word, at, rest);
  }
  take_word(&s, word | (uint64_t)length << 56);
  s.v[2] ^= 0xFF;
  run_round(&s);
  run_round(&s);
  run_round(&s);
  return s.v[0] ^ s.v[1] ^ s.v[2] ^ s.v[3];
}

/* Draws the key from what differs between processes, where the system has no random numbers. */
static void draw_poor_key(void)
{
  struct timespec now = {0};
  clock_gettime(CLOCK_REALTIME, &now);
  const uint64_t seen[2] = {(uint64_t)now.tv_nsec ^ (uint64_t)now.tv_sec << 30,
                            (uint64_t)getpid() ^ (uint64_t)(uintptr_t)&now << 8};
  ms_hash_key seed = {.bytes = {seen[0], seen[1]}};
  uint64_t drawn[sizeof process_key / sizeof(uint64_t)];
  for (uint64_t i = 0; i < sizeof drawn / sizeof *drawn; i++)
    drawn[i] = ms_hash_bytes(&seed, &i, sizeof i);
  memcpy(&process_key, drawn, sizeof process_key);
}

static void draw_key(void)
{
  if (getentropy(&process_key, sizeof process_key) != 0)
    draw_poor_key();
}

const ms_hash_key *ms_hash_key_get(void)
{
  pthread_once(&once, draw_key);
  return &process_key;
}
