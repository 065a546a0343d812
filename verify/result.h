/* Inside verify/: a result file (docs/RESULT.md), read as it comes, so that one of many rows need
 * not be held.
 *
 * The table of fields in result/header.h says what its header and its end hold; TSV, JSON lines and
 * binary each have a struct of functions.  Syntax is checked strictly, meaning is left to
 * certificate.c.  What is wrong with the content is a refusal: it is noted in the result, and
 * MS_ERR_INPUT is only a way out of the call.
 *
 * The checksum is known at the end only.  So what is found wrong on the way may be due to damage,
 * and ms_result_find_damage looks for that afterwards. */
#ifndef MS_VERIFY_RESULT_H
#define MS_VERIFY_RESULT_H

#include "result/header.h"
#include "verify/tape.h"

#include <gmp.h>
#include <jansson.h>

/* One row; its strings live until the next one is read. */
typedef struct ms_result_row {
  uint64_t line;      /* 0: a binary file has none */
  uint64_t number;    /* of the match */
  const char *vertex; /* screen: name */
  uint32_t count;
  const char **names; /* [count], [capacity] vertices of the match, or colours of the vertex */
  uint32_t capacity;
  bool has_ids;                 /* ids[count] instead of names */
  uint32_t ids[MS_MAX_PATTERN]; /* vertices of the match */
  bool flagged;                 /* screen */
  uint64_t repetitions;         /* screen */
} ms_result_row;

typedef struct ms_result_format ms_result_format;

typedef struct ms_result {
  const char *path;
  ms_tape *tape;
  const ms_result_format *format; /* NULL: not known, or no result file */
  ms_result_header header;        /* status and found of matches of a pattern: once all is read */
  mpq_t bound[2];                 /* miss_bound and miss_bound_union, exactly */
  uint64_t first_row;             /* line of the first row */
  ms_result_row row;
  uint64_t rows;         /* read so far */
  uint64_t stated_rows;  /* by the end, once it is read */
  char *head, *at, *end; /* TSV: the text of the header, cut in place; its next line; its end */
  json_t *held[2];       /* JSON: header and row, which strings point into */
  bool settled;          /* the checksum has been looked at */
  bool at_end;           /* the line read last might be the end, of this checksum: */
  uint32_t end_crc32c;
  bool refused;
  char problem[512];
} ms_result;

struct ms_result_format {
  const char *magic; /* what a file begins with */
  /* the header, from the first byte on */
  ms_status (*header)(ms_result *result, ms_error *err);
  /* the next row; *more == false: the end was read instead, and is right */
  ms_status (*row)(ms_result *result, bool *more, ms_error *err);
  /* read what is left; refuse the file if it is cut off or its checksum wrong */
  ms_status (*drain)(ms_result *result, ms_error *err);
};

extern const ms_result_format ms_result_tsv, ms_result_json, ms_result_binary;

/* To be closed in any case. */
void ms_result_init(ms_result *result, const char *path);
void ms_result_close(ms_result *result);
/* Read the header.  A file that is no result file at all, or cannot be read, is MS_ERR_INPUT
 * without a refusal. */
ms_status ms_result_open(ms_result *result, ms_tape *tape, ms_error *err);
/* Fill result->row; *more == false at the end. */
ms_status ms_result_next_row(ms_result *result, bool *more, ms_error *err);
/* Was the file that `status` speaks of damaged?  Then it is refused for that. */
ms_status ms_result_find_damage(ms_result *result, ms_status status, ms_error *err);

/* Refuse the file; line 0 for none in particular.  Returns MS_ERR_INPUT. */
ms_status ms_result_refuse(ms_result *result, uint64_t line, const char *format, ...)
    MS_PRINTF(3, 4);

/* ---- shared by the formats ------------------------------------------------ */

/* These two settle the matter of damage. */
ms_status ms_result_refuse_cut(ms_result *result);
ms_status ms_result_check_crc32c(ms_result *result, uint32_t actual, uint32_t stated);

/* Take a line off the tape, which must be there and whole. */
ms_status ms_result_take_line(ms_result *result, char **line, ms_error *err);
/* A drain for lines. */
ms_status ms_result_drain_lines(ms_result *result, bool (*is_end)(const char *line, uint32_t *crc),
                                ms_error *err);
/* Behind the last line, which states the checksum, nothing may follow. */
ms_status ms_result_check_end(ms_result *result, uint32_t stated, ms_error *err);

/* Find out kind and properties, which decide on the fields to read.  has: is there a field of that
 * key, in the object or on the line of `section` (NULL: of its own)? */
ms_status ms_result_find_kind(ms_result *result, const char *command,
                              bool (*has)(const ms_result *result, const char *section,
                                          const char *key));
/* Read the value of a field into the header; the text is cut in place and must last. */
bool ms_result_parse(ms_result *result, const ms_result_field *field, char *text);
/* Append to row.names. */
ms_status ms_result_add_name(ms_result *result, const char *name, ms_error *err);
/* Take one name of a comma-separated list from *at, decoded in place; *at moves behind its comma,
 * or becomes NULL behind the last.  NULL for a quote that is not closed, or text behind one. */
char *ms_result_take_listed(char **at);
/* A header in TSV, up to and with the line of column names. */
ms_status ms_result_parse_head(ms_result *result, const char *head, size_t size, ms_error *err);

/* ---- words and numbers ----------------------------------------------------- */

/* Each takes its thing from the front of *text, or returns false. */
bool ms_take_word(const char **text, const char *word);
bool ms_take_count(const char **text, uint64_t most, uint64_t *value);
bool ms_take_crc32c(const char **text, uint32_t *value);
bool ms_take_real(const char **text, double *value);
/* A decimal >= 0, exactly. */
bool ms_take_decimal(const char **text, mpq_t value);

#endif
