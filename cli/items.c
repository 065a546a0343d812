#include "cli/items.h"

#include "base/alloc.h"
#include "base/status.h"

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

ms_status ms_cli_read_only(const char *text, ms_cli_items *items, ms_error *err)
{
  *items = (ms_cli_items){0};
  if (!text)
    return MS_OK;
  size_t length = strlen(text), used = 0;
  items->text = ms_alloc(2 * length + 2, 1);                   /* each item ends with a NUL */
  items->name = ms_alloc(length / 2 + 1, sizeof *items->name); /* an item and its comma */
  if (!items->text || !items->name)
    return ms_fail_memory(err, "the colours of --colors-only");
  for (const char *at = text;; at++) {
    char *item = items->text + used;
    if (!ms_cli_next_item(&at, item) || !*item)
      return ms_fail(err, MS_ERR_USAGE,
                     "--colors-only needs colours, separated by commas, not '%s'; put a colour "
                     "that contains a comma in double quotes",
                     text);
    items->name[items->count++] = item;
    used += strlen(item) + 1;
    if (!*at)
      return MS_OK;
  }
}

void ms_cli_items_free(ms_cli_items *items)
{
  ms_free(items->name);
  ms_free(items->text);
}
