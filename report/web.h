/* The files of report/web/ and cytoscape.js, which the build turns into arrays (report/rules.mk).
 */
#ifndef MS_REPORT_WEB_H
#define MS_REPORT_WEB_H

#include <stddef.h>

/* The bytes of a file; if cytoscape.js was missing, its size is 0. */
typedef struct ms_web_file {
  const unsigned char *bytes; /* [size] */
  size_t size;
} ms_web_file;

extern const ms_web_file ms_web_page, ms_web_style, ms_web_script;
/* cytoscape.js, which begins with its licence. */
extern const ms_web_file ms_web_cytoscape;

#endif
