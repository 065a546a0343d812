/* Reads the option structs of the public header.  Each begins with its size, so that a program
 * that was compiled with an older header can use a newer library: members that its struct does not
 * have keep their defaults.
 *
 * A struct inside another one begins with its own size.  So the place of every member in an older
 * struct is known: new members are added only at the end of a struct, and an outer struct keeps
 * its plain members before its last inner struct as they are. */
#ifndef MS_BASE_OPTIONS_H
#define MS_BASE_OPTIONS_H

#include "motifsieve.h"

#define MS_MAX_OPTION_PARTS 3

typedef struct ms_options_kind {
  const char *name;     /* "ms_graph_options" */
  const char *macro;    /* the macro that initialises the struct */
  size_t size;          /* bytes in this library */
  const void *defaults; /* what the macro gives */
  /* the structs inside, in order; ends with a kind of NULL */
  struct {
    size_t at;
    const struct ms_options_kind *kind;
  } part[MS_MAX_OPTION_PARTS];
} ms_options_kind;

extern const ms_options_kind ms_graph_options_kind, ms_color_options_kind, ms_screen_options_kind,
    ms_list_options_kind, ms_pattern_options_kind, ms_typed_options_kind,
    ms_typed_match_options_kind, ms_path_options_kind, ms_verify_options_kind,
    ms_generate_options_kind, ms_plant_options_kind, ms_write_options_kind,
    ms_component_options_kind;

/* Fills *to, a struct of this library, with the defaults and then with the members that *from has.
 * `from` NULL: the defaults.  MS_ERR_USAGE: a size of 0, or larger than this library knows. */
ms_status ms_options_take(const ms_options_kind *kind, const void *from, void *to, ms_error *err);

#endif
