/* The one table of options: how each is called, which commands have it, what --help says, and where
 * its value goes.  Parsing, --help, the manual pages and the shell completion are all made from
 * it. */
#ifndef MS_CLI_OPTION_TABLE_H
#define MS_CLI_OPTION_TABLE_H

#include "cli/options/options.h"

#include <stddef.h>

typedef struct ms_option_row ms_option_row;

/* Checks `value` (NULL: the option has none) and stores it where the row says. */
typedef ms_status ms_option_setter(const ms_option_row *row, const char *value,
                                   ms_cli_options *options, ms_error *err);
/* Returns the i-th word of a closed list, from 0; NULL after the last. */
typedef const char *ms_option_words(uint32_t i);

/* How the titles of sections begin whose options say how to read inputs; these sections are printed
 * last. */
#define MS_READING_SECTION "How to read"

typedef enum ms_option_file {
  MS_NO_FILE = 0, /* the value is not a path */
  MS_FILE_READ,
  MS_FILE_WRITTEN,
  MS_FILE_KEPT /* written during the work, and perhaps read before */
} ms_option_file;

/* Subjects of the options; an option may belong to none of these groups. */
typedef enum ms_option_group {
  MS_OPTIONS_OF_PATTERN = 1,     /* verify: only for results of match */
  MS_OPTIONS_OF_PLAIN_GRAPH = 2, /* how to read a plain graph, and its colours */
  MS_OPTIONS_OF_COLOR_FILE = 4,  /* how to read a file of colours */
  MS_OPTIONS_OF_TYPED_GRAPH = 8, /* how to read a graph whose edges have types */
  /* match and plan: only for plain, and only for typed patterns */
  MS_OPTIONS_OF_PLAIN_PATTERN = 16,
  MS_OPTIONS_OF_TYPED_PATTERN = 32
} ms_option_group;

struct ms_option_row {
  char letter; /* 0: none */
  const char *name;
  const char *argument; /* NULL: the option has no value */
  unsigned commands;    /* bits of ms_command_bit */
  const char *section;  /* title of the section of the help that begins here, or NULL */
  const char *help;
  ms_option_setter *set;
  size_t offset, size;   /* of the field in ms_cli_options; size 0: the setter knows it */
  uint64_t least, most;  /* range of a count; ms_set_constant stores `least` */
  ms_option_words *word; /* words that the value may be; NULL: there is no closed list */
  const char *wants;     /* what the value should be, in messages; NULL: the setter says it */
  const char *also;      /* another spelling; NULL: none */
  ms_option_file file;
  unsigned main;   /* bits of the commands whose --help shows it; --help=all shows every row */
  unsigned groups; /* bits of ms_option_group */
  bool optional;   /* the value may be left out; it follows the name as =VALUE */
  bool many;       /* may be given more than once; of another option one value would be lost */
};

extern const ms_option_row ms_option_rows[];
extern const size_t ms_option_row_count; /* at most 64 * MS_OPTION_WORDS */

static inline bool ms_option_row_given(const ms_cli_options *options, size_t row)
{
  return options->given[row / 64] >> row % 64 & 1;
}

/* Returns the text that a row's setter stored; NULL: none. */
static inline const char *ms_option_text(const ms_option_row *row, const ms_cli_options *options)
{
  return *(const char *const *)((const char *)options + row->offset);
}

/* True if the option of this name was given. */
bool ms_option_given(const ms_cli_options *options, const char *name);
/* Returns the name of the first given option of this group (or of any of several groups); NULL:
 * none was given. */
const char *ms_option_given_of(const ms_cli_options *options, unsigned groups);

/* ---- setters (option_set.c) ------------------------------------------------ */

ms_option_setter ms_set_flag, ms_set_constant;
/* These store any text; a text that is not empty; one line of UTF-8. */
ms_option_setter ms_set_text, ms_set_path, ms_set_line;
/* These store numbers: least..most in 32 or 64 bits; any finite number; one above 0 and below 1;
 * one of at least 0; one above 0; one above 0 and at most 1, or 0.5 without a value. */
ms_option_setter ms_set_count, ms_set_real, ms_set_chance, ms_set_score, ms_set_minimum_score,
    ms_set_share, ms_set_paranoid;
/* These store bytes and seconds. */
ms_option_setter ms_set_size, ms_set_duration;
/* These store the number of the word in the row's list, which starts at `least`; the word
 * itself. */
ms_option_setter ms_set_word, ms_set_word_text;
/* These set options whose values have a form of their own. */
ms_option_setter ms_set_graph_format, ms_set_typed_format, ms_set_required, ms_set_taxon,
    ms_set_aspects, ms_set_devices, ms_set_thread_counts, ms_set_part;
ms_option_setter ms_set_quadrants, ms_set_planted, ms_set_background, ms_set_help;

/* ---- closed lists of words (option_set.c) ------------------------------------ */

ms_option_words ms_graph_format_word, ms_typed_format_word, ms_written_format_word,
    ms_color_format_word;
ms_option_words ms_measure_word, ms_recurrence_word, ms_backend_word, ms_gf2_backend_word,
    ms_match_order_word, ms_screen_mode_word, ms_algorithm_word, ms_walk_word, ms_null_word,
    ms_statistic_word, ms_census_order_word, ms_moments_word, ms_family_word, ms_help_word,
    ms_new_names_word, ms_pattern_file_word;

bool ms_word_find(ms_option_words *words, const char *value, uint32_t *i);
/* Writes the words as "a, b or c". */
void ms_words_join(ms_option_words *words, char *text, size_t room);

/* ---- checks (option_checks.c) ------------------------------------------------ */

/* Checks the options together.  MS_ERR_USAGE: options do not go together, or one needs another; an
 * output would replace an input; two outputs would go to one place, perhaps under two names. */
ms_status ms_options_check(const ms_cli_options *options, ms_error *err);
/* The part of it where names decide (option_rules.c). */
ms_status ms_options_check_names(const ms_cli_options *options, ms_error *err);
/* Returns the option by which matches that do not fit exactly are asked for, or NULL. */
const char *ms_nearest_option(const ms_cli_options *options);
/* The part of it that is about inputs and outputs (option_places.c). */
/* Leaves out the options that change nothing, each with a warning; `usual` has the defaults. */
void ms_options_drop_useless(ms_cli_options *options, const ms_cli_options *usual);
ms_status ms_options_check_places(const ms_cli_options *options, ms_error *err);
/* True if the title of a section says that its options are about reading. */
bool ms_is_about_reading(const char *section);
/* Checks that no output would replace this input, which another input names.  MS_ERR_USAGE: one
 * would (option_places.c). */
ms_status ms_options_check_input(const ms_cli_options *options, const char *input, ms_error *err);

#endif
