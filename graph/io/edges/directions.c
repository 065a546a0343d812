/* Words for directions; see directions.h. */
#include "graph/io/edges/directions.h"

#include "base/text/utf8.h"

#include <string.h>

ms_direction ms_arrow_direction(ms_field word)
{
  bool line = false;
  if (word.length == 0 || word.length > 5)
    return MS_DIRECTION_UNKNOWN;
  for (size_t i = 0; i < word.length; i++) {
    bool end = i == 0 || i + 1 == word.length;
    line |= word.text[i] == '-' || word.text[i] == '=';
    if (!memchr("-=", word.text[i], 2) && !(end && memchr("<>|", word.text[i], 3)))
      return MS_DIRECTION_UNKNOWN;
  }
  bool on = word.text[word.length - 1] == '>' || word.text[word.length - 1] == '|';
  bool back = word.text[0] == '<' || word.text[0] == '|';
  if (!line || word.text[0] == '>' || word.text[word.length - 1] == '<')
    return MS_DIRECTION_UNKNOWN;
  return on == back ? MS_DIRECTION_BOTH : on ? MS_DIRECTION_ON : MS_DIRECTION_BACK;
}

ms_direction ms_word_direction(ms_field word, bool truth)
{
  static const struct {
    const char *word;
    ms_direction direction;
    bool truth;
  } words[] = {{"directed", MS_DIRECTION_ON, false},
               {"forward", MS_DIRECTION_ON, false},
               {"undirected", MS_DIRECTION_BOTH, false},
               {"mutual", MS_DIRECTION_BOTH, false},
               {"both", MS_DIRECTION_BOTH, false},
               {"bidirectional", MS_DIRECTION_BOTH, false},
               {"backward", MS_DIRECTION_BACK, false},
               {"reverse", MS_DIRECTION_BACK, false},
               {"unidirectional", MS_DIRECTION_ON, false},
               {"1", MS_DIRECTION_ON, true},
               {"true", MS_DIRECTION_ON, true},
               {"t", MS_DIRECTION_ON, true},
               {"yes", MS_DIRECTION_ON, true},
               {"1.0", MS_DIRECTION_ON, true},
               {"y", MS_DIRECTION_ON, true},
               {"0", MS_DIRECTION_BOTH, true},
               {"false", MS_DIRECTION_BOTH, true},
               {"f", MS_DIRECTION_BOTH, true},
               {"no", MS_DIRECTION_BOTH, true},
               {"0.0", MS_DIRECTION_BOTH, true},
               {"n", MS_DIRECTION_BOTH, true}};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if ((truth || !words[i].truth) && ms_field_alike(word, words[i].word))
      return words[i].direction;
  return ms_arrow_direction(word);
}

const char *const ms_direction_titles[] = {"direction",        "directed",       "is_directed",
                                           "isdirected",       "is directed",    "orientation",
                                           "directional",      "is_directional", "undirected",
                                           "is_undirected",    "edge_direction", "reversible",
                                           "directionality",   "directed?",      "edge_directed",
                                           "oriented",         "is_oriented",    "bidirectional",
                                           "is_bidirectional", "mutual",         NULL};

bool ms_title_is_truth(ms_field title, bool *undirected)
{
  static const char *const titles[] = {"directed",    "is_directed",    "isdirected", "is directed",
                                       "directed?",   "edge_directed",  "oriented",   "is_oriented",
                                       "directional", "is_directional", NULL};
  static const char *const opposites[] = {
      "undirected",       "is_undirected", "reversible", "bidirectional",
      "is_bidirectional", "mutual",        NULL};
  *undirected = ms_column_usual(&title, 1, opposites) != MS_NO_COLUMN;
  return *undirected || ms_column_usual(&title, 1, titles) != MS_NO_COLUMN;
}

bool ms_column_has_directions(const ms_sample *sample, uint32_t from, uint32_t column, bool arrows)
{
  bool heads = false;
  for (uint32_t i = from; i < sample->lines; i++) {
    ms_field cell = ms_sample_cell(sample, i, column);
    ms_direction said = arrows ? ms_arrow_direction(cell) : ms_word_direction(cell, false);
    if (said == MS_DIRECTION_UNKNOWN)
      return false;
    heads |= cell.length > 1;
  }
  return heads;
}
