/* The text of a single-precision number. */
#ifndef MS_BASE_FLOAT_TEXT_H
#define MS_BASE_FLOAT_TEXT_H

#define MS_FLOAT_BYTES 24

/* Writes the shortest decimal from which a reader makes the same float, such as "0.7", with at
 * least one and at most nine digits; returns text.  The value is finite. */
const char *ms_float_text(float value, char text[MS_FLOAT_BYTES]);
/* Writes six significant digits, such as "0.666667", without zeros at the end; returns text. */
const char *ms_float_brief(float value, char text[MS_FLOAT_BYTES]);

#endif
