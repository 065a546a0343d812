/* Inside verify/: a result file of pattern matches, read as it comes.
 *
 * Its checksum is known at the end only.  So what is found wrong on the way may
 * be due to damage, and ms_pattern_file_damaged looks for that afterwards. */
#ifndef MS_VERIFY_PATTERN_FILE_H
#define MS_VERIFY_PATTERN_FILE_H

#include "verify/result.h"

typedef struct ms_pattern_format ms_pattern_format;

typedef struct ms_pattern_file {
  ms_tape *tape;
  ms_result *result; /* its header, its refusal */
  const ms_pattern_format *format;
  uint32_t p;    /* pattern vertices, once the header is read */
  uint64_t rows; /* read so far */

  /* the row read last */
  uint64_t line, number;
  const char *names[MS_MAX_PATTERN]; /* [p]; NULL: it has ids */
  uint32_t ids[MS_MAX_PATTERN];      /* [p] */

  /* what the end says, once it is read */
  bool complete;
  uint64_t stated_matches, stated_rows;
  bool settled; /* the checksum has been looked at */
  bool at_end;  /* the line read last might be the end, of this checksum */
  uint32_t end_crc32c;
} ms_pattern_file;

struct ms_pattern_format {
  bool has_ids;
  /* the header, from the first byte on */
  ms_status (*header)(ms_pattern_file *file, ms_error *err);
  /* the next row; *more == false: the end was read instead, and is right */
  ms_status (*row)(ms_pattern_file *file, bool *more, ms_error *err);
  /* read what is left; refuse the file if it is cut off or its checksum wrong */
  ms_status (*drain)(ms_pattern_file *file, ms_error *err);
  void (*release)(ms_pattern_file *file);
};

extern const ms_pattern_format ms_pattern_file_tsv, ms_pattern_file_json, ms_pattern_file_binary;

/* The format of a result of pattern matches; *format NULL: it is another file.
 * *typed: they are of a typed pattern. */
ms_status ms_pattern_format_tell(ms_tape *tape, const ms_pattern_format **format, bool *typed,
                                 ms_error *err);

/* Was the file that `status` speaks of damaged?  Then it is refused for that. */
ms_status ms_pattern_file_damaged(ms_pattern_file *file, ms_status status, ms_error *err);

/* The length of the line that begins `at` bytes ahead on the tape, its LF
 * included; 0: it has none.  All of it is at *bytes + at, not taken. */
ms_status ms_pattern_look_line(ms_tape *tape, size_t at, char **bytes, size_t *length,
                               ms_error *err);

/* A header in TSV, up to and with the line of column names, into the result. */
ms_status ms_pattern_tsv_head(ms_pattern_file *file, const char *head, size_t size, ms_error *err);

/* Refusals that the formats share; they settle the matter of damage. */
ms_status ms_pattern_refuse_cut(ms_pattern_file *file);
ms_status ms_pattern_check_crc32c(ms_pattern_file *file, uint32_t actual, uint32_t stated);

#endif
