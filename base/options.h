/* Reads the option structs of the public header.  Each begins with its size, so that a program
 * that was compiled with an older header can use a newer library: members that its struct does not
 * have keep their defaults.
 *
 * A struct inside another one begins with its own size.  So the place of every member in an older
 * struct is known: new members are added only at the end of a struct, and an outer struct keeps
 * its plain members before its last inner struct as they are.  ms_run_limits has no
 * size: it is a plain member, which cannot grow. */
#ifndef MS_BASE_OPTIONS_H
#define MS_BASE_OPTIONS_H

#include "motifsieve.h"

#define MS_MAX_OPTION_PARTS 3

/* What the members of a struct may be.  A member that is not named here is checked where it is
 * used, because what is right depends on other things. */
typedef enum ms_options_rule {
  MS_RULE_ENUM,   /* a value of the enum `values`, at most `most` */
  MS_RULE_NUMBER, /* a double that is a number */
  MS_RULE_SEED,   /* a uint64_t up to INT64_MAX, the greatest seed that result files can state */
  MS_RULE_ARRAY,  /* a pointer, not NULL if the count at `count`, a uint32_t, is not 0 */
  MS_RULE_STRINGS /* the same, of strings that are not NULL */
} ms_options_rule;

typedef struct ms_options_member {
  const char *name; /* NULL: the end of the list */
  size_t at;
  ms_options_rule rule;
  const char *values;
  int most;
  size_t count;
} ms_options_member;

typedef struct ms_options_kind {
  const char *name;     /* "ms_graph_options" */
  const char *macro;    /* the macro that initialises the struct */
  size_t size;          /* bytes in this library */
  const void *defaults; /* what the macro gives */
  const ms_options_member *member;
  size_t run; /* where its ms_run_limits are, and the members of it that the call has a use for */
  int takes;  /* 0: it has none */
  /* the structs inside, in order; ends with a kind of NULL */
  struct {
    size_t at;
    const struct ms_options_kind *kind;
  } part[MS_MAX_OPTION_PARTS];
} ms_options_kind;

extern const ms_options_kind ms_graph_options_kind, ms_color_options_kind, ms_screen_options_kind,
    ms_list_options_kind, ms_nearest_options_kind, ms_pattern_options_kind, ms_typed_options_kind,
    ms_typed_match_options_kind, ms_path_options_kind, ms_verify_options_kind,
    ms_generate_options_kind, ms_plant_options_kind, ms_shuffle_options_kind, ms_cut_options_kind,
    ms_write_options_kind, ms_component_options_kind, ms_clique_options_kind, ms_mine_options_kind,
    ms_census_options_kind, ms_points_options_kind, ms_neighbor_options_kind,
    ms_significance_options_kind, ms_permutation_options_kind, ms_census_statistics_kind,
    ms_sample_options_kind, ms_compare_options_kind, ms_report_options_kind, ms_division_kind,
    ms_merge_options_kind;

/* Fills *to, a struct of this library, with the defaults and then with the members that *from has.
 * `from` NULL: the defaults.  MS_ERR_USAGE: a size of 0, or larger than this library knows; a
 * member that breaks its rule, which the message names. */
ms_status ms_options_take(const ms_options_kind *kind, const void *from, void *to, ms_error *err);

/* MS_ERR_USAGE: a number of threads that is negative, or more than MS_MOST_THREADS. */
#define MS_MOST_THREADS 65536
ms_status ms_check_threads(int threads, ms_error *err);
/* MS_ERR_USAGE: a value that is not one of 0..most. */
ms_status ms_check_enum(const char *name, int value, const char *values, int most, ms_error *err);

#endif
