/* The closed lists of words for options and operands. */
#include "cli/option_table.h"
#include "graph/io/typed_read.h"

#include <stdio.h>
#include <string.h>

const char *ms_graph_format_word(uint32_t i)
{
  if (i == MS_FORMAT_AUTO)
    return "auto";
  return i < MS_GRAPH_FORMATS ? ms_graph_format_describe((ms_graph_format)i).name : NULL;
}

const char *ms_written_format_word(uint32_t i)
{
  for (uint32_t f = MS_FORMAT_AUTO + 1; f < MS_GRAPH_FORMATS; f++)
    if (ms_graph_format_describe((ms_graph_format)f).writable && i-- == 0)
      return ms_graph_format_describe((ms_graph_format)f).name;
  return NULL;
}

/* Returns first the typed formats, then the plain formats with other names. */
const char *ms_typed_format_word(uint32_t i)
{
  if (i < MS_TYPED_FORMATS)
    return ms_typed_format_name((ms_typed_format)i);
  i -= MS_TYPED_FORMATS;
  for (uint32_t f = MS_FORMAT_AUTO + 1; f < MS_GRAPH_FORMATS; f++)
    if (f != MS_FORMAT_SIF && i-- == 0)
      return ms_graph_format_word(f);
  return NULL;
}

const char *ms_color_format_word(uint32_t i)
{
  return i < MS_COLOR_FORMATS ? ms_color_format_name((ms_color_format)i) : NULL;
}

const char *ms_family_word(uint32_t i)
{
  return i < MS_FAMILIES ? ms_family_describe((ms_family)i).name : NULL;
}

/* Each list is in the order of the enum that its option sets. */
#define WORDS(function, ...)                                                                       \
  const char *function(uint32_t i)                                                                 \
  {                                                                                                \
    static const char *const words[] = {__VA_ARGS__};                                              \
    return i < sizeof words / sizeof *words ? words[i] : NULL;                                     \
  }

WORDS(ms_recurrence_word, "sibling", "classic")
WORDS(ms_backend_word, "auto", "cpu", "cuda", "both")
WORDS(ms_gf2_backend_word, "cpu", "cuda") /* starts at MS_BACKEND_CPU */
WORDS(ms_match_order_word, "auto", "ri", "degree", "reuse")
WORDS(ms_screen_mode_word, "auto", "always", "never")
WORDS(ms_algorithm_word, "afforest", "kahan", "bully")
WORDS(ms_walk_word, "euler", "random")

bool ms_word_find(ms_option_words *words, const char *value, uint32_t *i)
{
  const char *word;
  for (*i = 0; (word = words(*i)); (*i)++)
    if (strcmp(word, value) == 0)
      return true;
  return false;
}

void ms_words_join(ms_option_words *words, char *text, size_t room)
{
  size_t used = 0;
  text[0] = '\0';
  for (uint32_t i = 0; words(i) && used < room; i++)
    used += (size_t)snprintf(text + used, room - used, "%s%s",
                             i == 0         ? ""
                             : words(i + 1) ? ", "
                                            : " or ",
                             words(i));
}
