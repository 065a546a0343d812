/* The page of a report: report/web/report.html with the style, the data and the scripts in their
 * places. */
#ifndef MS_REPORT_PAGE_H
#define MS_REPORT_PAGE_H

#include "report/network.h"
#include "report/places.h"
#include "report/walks.h"

typedef struct ms_page {
  ms_result *result; /* read to its end */
  ms_table table;
  ms_sizes sizes; /* of components */
  bool has_network;
  ms_network network;
  bool has_places;
  ms_places places;
  const ms_report_info *info;
} ms_page;

/* Writes the page.  The file remembers failed writes. */
ms_status ms_page_write(ms_outfile *out, const ms_page *page, ms_error *err);

#endif
