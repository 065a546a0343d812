#include "gf2/gf2.h"

#include "base/status.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const ms_gf2_path ms_gf2_path_table, ms_gf2_path_bitslice64;
#ifdef MS_X86_64
extern const ms_gf2_path ms_gf2_path_bitslice256, ms_gf2_path_gfni256, ms_gf2_path_gfni512;
#endif
#ifdef MS_AARCH64
extern const ms_gf2_path ms_gf2_path_neon;
#endif

/* base -> avx2 -> gfni: later is faster where it is available */
static const ms_gf2_path *const paths[] = {
    &ms_gf2_path_table,       &ms_gf2_path_bitslice64,
#ifdef MS_X86_64
    &ms_gf2_path_bitslice256, &ms_gf2_path_gfni256,    &ms_gf2_path_gfni512,
#endif
#ifdef MS_AARCH64
    &ms_gf2_path_neon,
#endif
};

uint32_t ms_gf2_path_count(void)
{
  return sizeof paths / sizeof *paths;
}

const ms_gf2_path *ms_gf2_path_at(uint32_t index)
{
  return paths[index];
}

const ms_gf2_path *ms_gf2_select(const char *name, ms_error *err)
{
  const char *origin = name ? "option" : "environment variable MOTIFSIEVE_GF2";
  if (!name)
    name = getenv("MOTIFSIEVE_GF2");
  char known[256] = "";
  for (uint32_t i = ms_gf2_path_count(); i-- > 0;) {
    const ms_gf2_path *path = paths[i];
    if (!path->available())
      continue;
    if (!name || !*name || strcmp(name, path->name) == 0)
      return path;
    size_t used = strlen(known);
    snprintf(known + used, sizeof known - used, "%s%s", used ? ", " : "", path->name);
  }
  ms_fail(
      err, MS_ERR_USAGE,
      "%s asks for arithmetic '%s', with which the sieve cannot run on this processor; use one of: "
      "%s",
      origin, name, known);
  return NULL;
}
