/* The values of --engine, in the order of the table in engine.c. */
#ifndef MS_RUN_ENGINE_H
#define MS_RUN_ENGINE_H

#include <stddef.h>
#include <stdint.h>

/* Returns the i-th value: "auto" for 0, NULL beyond the last. */
const char *ms_pattern_engine_name(uint32_t i);
/* Writes the list of values, "auto, cpu or ...", for messages. */
const char *ms_pattern_engine_names(char *text, size_t room);

#endif
