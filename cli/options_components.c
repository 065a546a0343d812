/* The options of components, and what they go together with. */
#include "base/status.h"
#include "cli/numbers.h"
#include "cli/option_table.h"

ms_status ms_options_set_components(const ms_option_row *row, const char *value,
                                    ms_cli_options *options, ms_error *err)
{
  ms_components_choice *c = &options->components;
  uint32_t choice = 0;
  switch (row->key) {
  case KEY_ALGORITHM:
    if (!ms_option_choice(row->key, value, &choice))
      return ms_fail(err, MS_ERR_USAGE, "option --%s wants afforest, kahan or bully, not '%s'",
                     row->name, value);
    c->algorithm = (ms_components_algorithm)choice;
    return MS_OK;
  case KEY_LARGEST:
    c->largest = true;
    return MS_OK;
  case KEY_SIZES:
    c->sizes = true;
    return MS_OK;
  default:
    return ms_parse_count(value, 1, UINT32_MAX, &c->min_size)
               ? MS_OK
               : ms_fail(err, MS_ERR_USAGE,
                         "option --%s wants a whole number from 1 to 4294967295, not '%s'",
                         row->name, value);
  }
}

ms_status ms_options_check_components(const ms_cli_options *o, ms_error *err)
{
  const ms_components_choice *c = &o->components;
  if (o->list.count_only && (c->sizes || c->largest))
    return ms_fail(err, MS_ERR_USAGE, "--count and --%s do not go together; leave one out",
                   c->sizes ? "sizes" : "largest");
  if (c->largest && c->min_size)
    return ms_fail(err, MS_ERR_USAGE, "--largest and --min-size do not go together; leave one out");
  return MS_OK;
}
