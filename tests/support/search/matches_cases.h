/* Inputs and result files of pattern matches for tests of ms_verify_file. */
#ifndef MS_TESTS_SUPPORT_MATCHES_CASES_H
#define MS_TESTS_SUPPORT_MATCHES_CASES_H

#include "tests/support/results/compose_matches.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* The files that set_up writes, and the path of the result. */
enum { GRAPH, COLORS, LABELLED, PLAIN, ACCEPTS, RESULT, PATHS };
extern char paths[PATHS][4096];

/* Unchecked fixture; files_teardown is the other. */
void set_up(void);

/* Returns one of the combinations of inputs.  In 0 the vertices are a b c d e f and "x y", the
 * matches abc abd acd bcd def.  To be freed with
 * matches_free. */
enum { CASES = 7 };
matches_inputs inputs_of(int number);
/* Returns a clique of 40, and the path of 3 vertices as its pattern. */
matches_inputs clique_inputs(void);

/* Writes and verifies a file with these inputs; other options may be NULL. */
ms_status verify_bytes(const matches_inputs *in, matches_file file, const ms_verify_options *given,
                       ms_verify_report *report, ms_error *err);
/* Does the same and checks that the status is MS_OK; that the whole result is accepted; or that it
 * is refused with `problem` somewhere in the reason. */
ms_verify_report check(const matches_inputs *in, matches_file file,
                       const ms_verify_options *options);
void accept(const matches_inputs *in, matches_file file);
void refuse(const matches_inputs *in, matches_file file, const char *problem);

#endif
