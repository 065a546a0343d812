/* The variables of the environment that the library reads: one table of what each may be. */
#include "base/status.h"
#include "census/bits.h"
#include "gf2/gf2.h"
#include "match/cpu/sorted.h"
#include "motif/count/count_sets.h"
#include "motifsieve.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Returns the names of the i-th implementation of each kind; NULL: there is none. */
static const char *sorted_name(unsigned i)
{
  const ms_sorted *path = ms_sorted_at(i);
  return path ? path->name : NULL;
}

static const char *counting_name(unsigned i)
{
  const ms_set_counting *path = ms_set_counting_at(i);
  return path ? path->name : NULL;
}

static const char *bits_name(unsigned i)
{
  const ms_bits_kernel *path = ms_bits_at(i);
  return path ? path->name : NULL;
}

/* ---- checks of a value: each returns true if it is right, or writes what it may be ----------- */

/* Some name of sets; a kind that lacks it uses its best one. */
static bool check_sets(const char *value, char wants[256])
{
  static const char *(*const kinds[])(unsigned) = {sorted_name, counting_name, bits_name};
  snprintf(wants, 256, "one of:");
  for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
    const char *name;
    for (unsigned i = 0; (name = kinds[kind](i)); i++) {
      size_t used = strlen(wants);
      if (strcmp(value, name) == 0)
        return true;
      if (!strstr(wants, name))
        snprintf(wants + used, 256 - used, " %s", name);
    }
  }
  return false;
}

/* Numbers of threads, one for each level of loops. */
static bool check_threads(const char *value, char wants[256])
{
  snprintf(wants, 256,
           "a number of threads of at least 1, or such numbers with commas between "
           "them");
  for (;; value++) {
    value += strspn(value, " ");
    size_t digits = strspn(value, "0123456789");
    if (digits == 0 || strtoull(value, NULL, 10) == 0)
      return false;
    value += digits;
    value += strspn(value, " ");
    if (*value != ',')
      return !*value;
  }
}

/* A size, which the plug-in reads. */
static bool check_size(const char *value, char wants[256])
{
  char *end;
  snprintf(wants, 256, "a size such as 500M or 4G");
  bool number = value[0] >= '0' && value[0] <= '9' && strtoull(value, &end, 10) > 0;
  return number && (!*end || (strchr("KMG", *end) && !end[1]));
}

/* A file with the code for GPUs, or 0.  The dynamic linker looks for a name without a slash. */
static bool check_plugin(const char *value, char wants[256])
{
  struct stat facts;
  snprintf(wants, 256, "0, or to the file with the code for GPUs");
  if (strchr(value, '/'))
    return stat(value, &facts) == 0 && S_ISREG(facts.st_mode);
  return strcmp(value, "0") == 0 || strstr(value, ".so") || strstr(value, ".dylib");
}

static const struct {
  const char *name;
  bool (*check)(const char *value, char wants[256]); /* NULL: one of `word` */
  const char *word[6];
} variables[] = {
    {"OMP_NUM_THREADS", check_threads, {NULL}},
    {"MOTIFSIEVE_SETS", check_sets, {NULL}},
    {"MOTIFSIEVE_CUDA", check_plugin, {NULL}},
    {"MOTIFSIEVE_GPU_MEMORY", check_size, {NULL}},
    {"MOTIFSIEVE_PRUNE", NULL, {"cpu", "gpu"}},
    {"MOTIFSIEVE_GPU_CHUNK_WORDS", NULL, {"1", "2", "4", "8", "16"}},
    {"MOTIFSIEVE_GPU_LAST_STEP", NULL, {"rows", "moments"}},
    {"MOTIFSIEVE_GPU_ARCS", NULL, {"ahead", "at-once"}},
};

static bool is_word(const char *const word[6], const char *value, char wants[256])
{
  snprintf(wants, 256, "one of:");
  for (unsigned i = 0; i < 6 && word[i]; i++) {
    size_t used = strlen(wants);
    if (strcmp(word[i], value) == 0)
      return true;
    snprintf(wants + used, 256 - used, " %s", word[i]);
  }
  return false;
}

ms_status ms_environment_check(ms_error *err)
{
  char wants[256];
  for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
    const char *value = getenv(variables[i].name);
    if (!value || !*value)
      continue;
    if (!(variables[i].check ? variables[i].check(value, wants)
                             : is_word(variables[i].word, value, wants)))
      return ms_fail(err, MS_ERR_USAGE,
                     "environment variable %s is '%.200s'; set it to %s, or unset it",
                     variables[i].name, value, wants);
  }
  return ms_gf2_select(NULL, err) ? MS_OK : MS_ERR_USAGE;
}
