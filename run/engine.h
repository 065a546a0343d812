/* The words of --engine, in the order of the table in engine.c. */
#ifndef MS_RUN_ENGINE_H
#define MS_RUN_ENGINE_H

#include <stddef.h>
#include <stdint.h>

/* 0: "auto"; NULL beyond the last. */
const char *ms_pattern_engine_name(uint32_t i);
/* "auto, cpu or ..", for messages. */
const char *ms_pattern_engine_names(char *text, size_t room);

#endif
