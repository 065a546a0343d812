/* Inside verify/: reads a result file (docs/RESULT.md) piece by piece, so that a file of many rows
 * need not be held in memory.
 *
 * The table of fields in result/header.h says what the file's header and end hold.  TSV, JSON lines
 * and binary each have a struct of functions.  They check the syntax strictly and leave the meaning
 * to certificate.c.  Wrong content is a refusal: it is noted in the result, and MS_ERR_INPUT is
 * only a way out of the call.
 *
 * The checksum is known only at the end.  So an error found before may be due to damage, and
 * ms_result_find_damage checks for that afterwards. */
#ifndef MS_VERIFY_RESULT_H
#define MS_VERIFY_RESULT_H

#include "result/columns.h"
#include "verify/reader/tape.h"

#include <gmp.h>
#include <jansson.h>

typedef struct ms_result_format ms_result_format;

typedef struct ms_result {
  const char *path;
  bool reads_all; /* set by the caller: read also what `verify` refuses because nothing in it can be
                     checked, tables of motifs and results of inexact searches */
  ms_tape *tape;
  const ms_result_format *format; /* NULL: not yet known, or the file is no result file */
  /* for matches of a pattern, status and found are set only once all is read */
  ms_result_header header;
  ms_sample_texts *samples; /* of the header */
  char version[32];         /* of the tool that wrote the file */
  mpq_t bound[2];           /* exact values of miss_bound and miss_bound_union */
  uint64_t first_line;      /* number of the line with which the header begins */
  uint64_t first_row;       /* number of the line of the first row */
  bool is_later;            /* other sections came before: TSV names the columns only once */
  bool ended_early; /* time or an interruption ended this section, and later ones are missing */
  /* what the first section says of graph and colours: the checksum of its text, or JSON objects */
  uint32_t inputs_crc32c;
  json_t *inputs[2];
  bool other_inputs;      /* a later section says something else */
  ms_row_columns columns; /* of the header, once it is read */
  ms_result_row row;
  const char **names; /* [names_room] lists of the row, */
  uint32_t *numbers;  /* [numbers_room] lists of numbers */
  uint32_t n_names, names_room, n_numbers, numbers_room;
  uint32_t ids[MS_MAX_PATTERN]; /* of a row of a binary file */
  uint64_t rows;                /* rows read so far */
  uint64_t stated_rows;         /* number of rows that the end states, once it is read */
  /* TSV: text of the header, which is cut in place; its next line; its end */
  char *head, *at, *end;
  char *match; /* TSV: [match_room] text of a match or a path that has several rows */
  size_t match_room;
  json_t *held[2];        /* JSON: objects of header and row, into which strings point */
  uint64_t held_bytes[2]; /* that a meter counts for them */
  bool settled;           /* the checksum has been checked */
  bool at_end;            /* the line read last might be the end, with this checksum: */
  uint32_t end_crc32c;
  bool refused;
  char problem[512];
} ms_result;

struct ms_result_format {
  const char *magic; /* first bytes of a file */
  /* reads the header, from the first byte on */
  ms_status (*header)(ms_result *result, ms_error *err);
  /* reads the next row; *more == false: the end was read instead, and it is right */
  ms_status (*row)(ms_result *result, bool *more, ms_error *err);
  /* reads what is left; refuses the file if it is cut off or its checksum is wrong */
  ms_status (*drain)(ms_result *result, ms_error *err);
};

extern const ms_result_format ms_result_tsv, ms_result_json, ms_result_binary;

/* Initialises a result, which must be closed in any case. */
void ms_result_init(ms_result *result, const char *path);
void ms_result_close(ms_result *result);
/* Reads the header.  A file that is no result file at all, or cannot be read, is MS_ERR_INPUT
 * without a refusal. */
ms_status ms_result_open(ms_result *result, ms_tape *tape, ms_error *err);
/* After the end of a section that is not the last one, reads the header of the next. */
ms_status ms_result_open_next(ms_result *result, ms_error *err);
/* True if the file has no section behind this one. */
bool ms_result_is_last(const ms_result *result);
/* Fills result->row; *more == false at the end. */
ms_status ms_result_next_row(ms_result *result, bool *more, ms_error *err);
/* Reads the rest of a file that failed with `status`.  If the file is damaged, it is refused for
 * that. */
ms_status ms_result_find_damage(ms_result *result, ms_status status, ms_error *err);

/* Refuses the file; line 0 means no particular line.  Returns MS_ERR_INPUT. */
ms_status ms_result_refuse(ms_result *result, uint64_t line, const char *format, ...)
    MS_PRINTF(3, 4);

/* True if `fold` is sets / expected, and NAN where that is none; all are as they were read. */
bool ms_result_fold_fits(double fold, uint64_t sets, double expected);

/* ---- shared by the formats ------------------------------------------------ */

/* These two settle whether the file is damaged. */
ms_status ms_result_refuse_cut(ms_result *result);
ms_status ms_result_check_crc32c(ms_result *result, uint32_t actual, uint32_t stated);

/* Takes a line off the tape; the line must exist and be whole. */
ms_status ms_result_take_line(ms_result *result, char **line, ms_error *err);
/* Reads all remaining lines; a drain for formats of lines. */
ms_status ms_result_drain_lines(ms_result *result, bool (*is_end)(const char *line, uint32_t *crc),
                                ms_error *err);
/* Checks the last line, which states the checksum; nothing may follow it. */
ms_status ms_result_check_end(ms_result *result, uint32_t stated, ms_error *err);

/* Finds the kind and the properties, which determine the fields to read.  has: true if the object,
 * or the line of `section`, has a field of that key (section NULL: a separate line). */
ms_status ms_result_find_kind(ms_result *result, const char *command,
                              bool (*has)(const ms_result *result, const char *section,
                                          const char *key));
/* True if the text may be the version of a tool, such as 0.1.0. */
bool ms_result_is_version(const char *text);
/* Reads the value of a field into the header; the text is cut in place and must last. */
bool ms_result_parse(ms_result *result, const ms_result_field *field, char *text);
/* True if a whole number can be that of the field: an optional field is left out instead of being
 * 0, and of "A of B", B is at least A. */
bool ms_result_accepts(const ms_result_header *header, const ms_result_field *field,
                       uint64_t number);
/* Refuses the sums of permutations in the header that are no whole numbers. */
ms_status ms_result_check_sums(ms_result *result);
/* Appends a name to `names`. */
ms_status ms_result_add_name(ms_result *result, const char *name, ms_error *err);
/* Cuts the text at its tabs into fields; true if there are exactly `count`. */
bool ms_result_split(char *text, const char **field, uint32_t count);
/* Takes one name of a comma-separated list from *at, decoded in place.  *at moves past its comma,
 * or becomes NULL after the last name.  Returns NULL if a quote is not closed, or text follows a
 * closed one. */
char *ms_result_take_listed(char **at);

/* Appends a text to `match`, and moves *used behind it. */
ms_status ms_result_keep_text(ms_result *result, const char *text, size_t *used, ms_error *err);

/* Parses a header in TSV, up to and including the line of column names. */
ms_status ms_result_parse_head(ms_result *result, const char *head, size_t size, ms_error *err);

/* ---- rows (result_rows.c) ---------------------------------------------------- */

/* Reads the row that begins with this line of TSV. */
ms_status ms_result_parse_row(ms_result *result, char *line, ms_error *err);
/* Reads a row in JSON. */
ms_status ms_result_take_object(ms_result *result, const json_t *object, ms_error *err);

/* ---- paths ------------------------------------------------------------------ */

/* Sets the vertices of row.path, which are the first names, and the types that follow them. Refuses
 * a row that has not as many of both as its length says. */
ms_status ms_result_split_path(ms_result *result, uint32_t vertices);

/* ---- words and numbers ----------------------------------------------------- */

/* Each takes a value of its type from the front of *text, or returns false. */
bool ms_take_word(const char **text, const char *word);
bool ms_take_count(const char **text, uint64_t most, uint64_t *value);
bool ms_take_crc32c(const char **text, uint32_t *value);
bool ms_take_real(const char **text, double *value);
/* Takes a decimal >= 0, exactly. */
bool ms_take_decimal(const char **text, mpq_t value);

/* Takes "UNIT:ROWS", and the blank before the next one, off `unit_rows` of a part with that header.
 * The unit is at least `least`, and one of the part. */
bool ms_take_unit_rows(const char **text, const ms_result_header *header, uint64_t least,
                       uint64_t *unit, uint64_t *rows);

#endif
