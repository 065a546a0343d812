/* Runs a fuzz target without libFuzzer: replay FOLDER RUNS feeds it every seed
 * in the folder and RUNS mutations of them, always the same ones.  A seed
 * whose name begins with "good" must be accepted.  An input that ends the
 * process is left in TMPDIR. */
#include "tests/fuzz/fuzz.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#define MAX_SEEDS 4096
#define MAX_BYTES ((size_t)1 << 20) /* of an input */
#define SECONDS 20                  /* of processor time that one input may take, with sanitizers */
#define WALL_SECONDS 600            /* the same of real time, on a busy machine */

typedef struct seed {
  char *name;
  uint8_t *bytes;
  size_t size;
} seed;

static seed seeds[MAX_SEEDS];
static size_t n_seeds;

/* ---- findings ------------------------------------------------------------- */

static const uint8_t *volatile current;
static volatile size_t current_size;
static char finding_path[512];

/* A sanitizer may still find a leak at the end, when there is no input. */
static void keep_finding(int signal_number)
{
  static const char note[] = "FINDING: a crash or a hang; its input is kept in ";
  int file = current ? open(finding_path, O_WRONLY | O_CREAT | O_TRUNC, 0666) : -1;
  if (file >= 0 && write(file, current, current_size) == (ssize_t)current_size) {
    (void)!write(STDERR_FILENO, note, sizeof note - 1);
    (void)!write(STDERR_FILENO, finding_path, strlen(finding_path));
    (void)!write(STDERR_FILENO, "\n", 1);
  }
  raise(signal_number); /* SA_RESETHAND: now the default action */
}

static void watch(const char *target)
{
  static const int signals[] = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGPROF, SIGALRM};
  static char stack[1 << 16]; /* an overflowing stack has no room for a handler */
  const char *folder = getenv("TMPDIR");
  struct sigaction action;
  stack_t own = {.ss_sp = stack, .ss_size = sizeof stack};
  snprintf(finding_path, sizeof finding_path, "%s/motifsieve-finding-%s", folder ? folder : "/tmp",
           target);
  memset(&action, 0, sizeof action);
  sigaltstack(&own, NULL);
  action.sa_handler = keep_finding;
  action.sa_flags = (int)(SA_RESETHAND | SA_NODEFER | SA_ONSTACK);
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
    sigaction(signals[i], &action, NULL);
}

/* In a block of its very size, so that a sanitizer sees a byte too far. */
static void feed(const uint8_t *bytes, size_t size)
{
  uint8_t *copy = malloc(size ? size : 1);
  fuzz_require(copy, "no memory");
  memcpy(copy, bytes, size);
  current = copy;
  current_size = size;
  setitimer(ITIMER_PROF, &(struct itimerval){.it_value.tv_sec = SECONDS}, NULL);
  alarm(WALL_SECONDS);
  LLVMFuzzerTestOneInput(copy, size);
  alarm(0);
  setitimer(ITIMER_PROF, &(struct itimerval){0}, NULL);
  free(copy);
}

/* ---- seeds ---------------------------------------------------------------- */

static void load(const char *folder, const char *name)
{
  char path[1024];
  seed *s = &seeds[n_seeds++];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "rb");
  s->name = strdup(name);
  s->bytes = malloc(MAX_BYTES + 1);
  fuzz_require(file && s->name && s->bytes, "cannot read %s", path);
  s->size = fread(s->bytes, 1, MAX_BYTES + 1, file);
  fuzz_require(s->size <= MAX_BYTES, "%s: larger than %zu bytes", path, MAX_BYTES);
  fclose(file);
  s->bytes = realloc(s->bytes, s->size + 1);
  fuzz_require(s->bytes, "no memory");
}

static void load_all(const char *folder)
{
  struct dirent **entries;
  int count = scandir(folder, &entries, NULL, alphasort);
  fuzz_require(count > 0, "cannot look into %s", folder);
  for (int i = 0; i < count; i++) {
    fuzz_require(n_seeds < MAX_SEEDS, "%s: more than %d seeds", folder, MAX_SEEDS);
    if (entries[i]->d_name[0] != '.')
      load(folder, entries[i]->d_name);
    free(entries[i]);
  }
  free(entries);
  fuzz_require(n_seeds > 0, "%s holds no seeds", folder);
}

static int feed_seeds(void)
{
  int refused = 0;
  for (size_t i = 0; i < n_seeds; i++) {
    feed(seeds[i].bytes, seeds[i].size);
    if (strncmp(seeds[i].name, "good", 4) == 0 && !fuzz_accepted) {
      fprintf(stderr, "the seed %s is refused\n", seeds[i].name);
      refused++;
    }
  }
  return refused;
}

/* ---- mutations ------------------------------------------------------------ */

static uint64_t state;

/* splitmix64 */
static size_t below(size_t bound)
{
  uint64_t z = state += 0x9E3779B97F4A7C15u;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
  z = (z ^ z >> 27) * 0x94D049BB133111EBu;
  return bound ? (size_t)((z ^ z >> 31) % bound) : 0;
}

/* bytes[from..to) becomes part[0..length), as far as there is room. */
static size_t replace(uint8_t *bytes, size_t size, size_t from, size_t to, const void *part,
                      size_t length)
{
  static uint8_t copy[MAX_BYTES];
  if (size - (to - from) + length > MAX_BYTES || length > MAX_BYTES)
    return size;
  memcpy(copy, part, length); /* it may lie in bytes */
  memmove(bytes + from + length, bytes + to, size - to);
  memcpy(bytes + from, copy, length);
  return size - (to - from) + length;
}

static const struct {
  const char *text;
  size_t size;
} words[] = {
#define WORD(text)                                                                                 \
  {                                                                                                \
    text, sizeof(text) - 1                                                                         \
  }
    WORD("\n"),
    WORD("\r\n"),
    WORD(" "),
    WORD("\t"),
    WORD(","),
    WORD("\""),
    WORD("#"),
    WORD("%"),
    WORD("0"),
    WORD("-1"),
    WORD("1"),
    WORD("4294967295"),
    WORD("4294967296"),
    WORD("18446744073709551616"),
    WORD("1e400"),
    WORD("nan"),
    WORD("1.5"),
    WORD("\0"),
    WORD("\xFF"),
    WORD("\xC3\xA9"),
    WORD("\xEF\xBB\xBF"),
    WORD("\x1F\x8B"),
    WORD("|"),
    WORD(":"),
    WORD("<"),
    WORD(">"),
    WORD("&"),
    WORD("*"),
    WORD("{"),
};
#define WORDS (sizeof words / sizeof *words)

/* From a random place to the end of its line, or of its word. */
static void pick(const uint8_t *bytes, size_t size, size_t *from, size_t *to)
{
  bool line = below(2);
  *from = below(size);
  while (*from > 0 && (line ? bytes[*from - 1] != '\n' : bytes[*from - 1] > ' '))
    (*from)--;
  *to = *from;
  while (*to < size && (line ? bytes[*to] != '\n' : bytes[*to] > ' '))
    (*to)++;
  *to += line && *to < size;
}

static size_t mutate(uint8_t *bytes, size_t size)
{
  size_t word = below(WORDS), at = below(size + 1), from, to;
  const seed *other = &seeds[below(n_seeds)];
  pick(bytes, size, &from, &to);
  switch (below(8)) {
  case 0:
    if (at < size)
      bytes[at] ^= (uint8_t)(1u << below(8));
    return size;
  case 1:
    return replace(bytes, size, at, at, words[word].text, words[word].size);
  case 2:
    return replace(bytes, size, from, to, words[word].text, words[word].size);
  case 3:
    return replace(bytes, size, from, to, "", 0);
  case 4:
    return replace(bytes, size, at, at, bytes + from, to - from);
  case 5:
    return replace(bytes, size, to, to, bytes + from, to - from);
  case 6: /* the front of this one, the back of another */
    from = below(other->size + 1);
    return replace(bytes, size, at, size, other->bytes + from, other->size - from);
  default:
    return below(4) ? size : at;
  }
}

/* What libFuzzer does at this place, in a simpler way. */
size_t LLVMFuzzerMutate(uint8_t *bytes, size_t size, size_t max_size)
{
  fuzz_require(max_size == MAX_BYTES, "a mutation has another limit");
  for (size_t times = 1 + below(4); times > 0; times--)
    size = mutate(bytes, size);
  return size;
}

static void feed_mutations(const char *target, long runs)
{
  static uint8_t bytes[MAX_BYTES];
  for (const char *p = target; *p; p++)
    state = state * 31 + (uint8_t)*p;
  for (long i = 0; i < runs; i++) {
    const seed *from = &seeds[below(n_seeds)];
    memcpy(bytes, from->bytes, from->size);
    /* numbers from 1: the first inputs stay small */
    feed(bytes, LLVMFuzzerCustomMutator(bytes, from->size, MAX_BYTES, (unsigned)i + 1));
  }
}

int main(int argc, char **argv)
{
  if (argc != 3) {
    fputs("usage: TARGET FOLDER_OF_SEEDS RUNS\n", stderr);
    return EXIT_FAILURE;
  }
  const char *slash = strrchr(argv[1], '/'), *target = slash ? slash + 1 : argv[1];
  long runs = strtol(argv[2], NULL, 10);
  LLVMFuzzerInitialize(&argc, &argv);
  watch(target);
  load_all(argv[1]);
  int refused = feed_seeds();
  feed_mutations(target, runs);
  current = NULL;
  fprintf(stderr, "%s: %zu seeds, %ld mutations\n", target, n_seeds, runs);
  for (size_t i = 0; i < n_seeds; i++) {
    free(seeds[i].name);
    free(seeds[i].bytes);
  }
  return refused ? EXIT_FAILURE : EXIT_SUCCESS;
}
