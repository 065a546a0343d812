#include "cli/items.h"

#include <string.h>

bool ms_cli_next_item(const char **at, char *item)
{
  const char *p = *at;
  size_t marks = strspn(p, "^");
  bool quoted = p[marks] == '"', closed = !quoted;
  for (; quoted && marks > 0; marks--)
    *item++ = *p++;
  for (p += quoted; *p && (quoted || *p != ','); p++) {
    if (quoted && *p == '"' && *++p != '"') {
      closed = true;
      break;
    }
    *item++ = *p;
  }
  *item = '\0';
  *at = p;
  return closed && (*p == '\0' || *p == ',');
}
