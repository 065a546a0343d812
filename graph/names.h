/* Interned strings: name <-> dense 32-bit id in order of first appearance.  Look-ups take the
 * expected time for any names, also for those that somebody chose (base/hash.h). */
#ifndef MS_GRAPH_NAMES_H
#define MS_GRAPH_NAMES_H

#include "motifsieve.h"

typedef struct ms_names ms_names;

/* A part of a text, such as a field of a line. */
typedef struct ms_field {
  const char *text; /* not NUL-terminated */
  size_t length;
} ms_field;

#define MS_NO_ID UINT32_MAX
#define MS_MAX_NAMES (UINT32_MAX - 1)

ms_status ms_names_new(ms_names **out, ms_error *err);
void ms_names_free(ms_names *names);
uint32_t ms_names_count(const ms_names *names);
/* NUL-terminated; valid until the next add.  NULL: no name has this id. */
const char *ms_names_get(const ms_names *names, uint32_t id);
/* Returns the id of text[0..length), or MS_NO_ID. */
uint32_t ms_names_find(const ms_names *names, const char *text, size_t length);
/* Finds or adds the name, which may hold any byte except NUL.  At most MS_MAX_NAMES. */
ms_status ms_names_add(ms_names *names, const char *text, size_t length, uint32_t *id,
                       ms_error *err);

/* Does the same for up to MS_NAME_BATCH names at once.  In a table far larger than the caches a
 * name waits for three loads, each of which depends on the one before; in a batch the names wait
 * together. */
#define MS_NAME_BATCH 64u
ms_status ms_names_add_batch(ms_names *names, uint32_t count, const char *const *texts,
                             const size_t *lengths, uint32_t *ids, ms_error *err);

/* Adds all names of another table; ids[i], unless ids is NULL, receives the id of its name i. */
ms_status ms_names_add_all(ms_names *names, const ms_names *others, uint32_t *ids, ms_error *err);

/* Makes room for `more` further names of `bytes` bytes together.  ms_names_growth: an upper bound
 * of the bytes that this allocates; 0: there is room. */
ms_status ms_names_reserve(ms_names *names, uint64_t more, uint64_t bytes, ms_error *err);
uint64_t ms_names_growth(const ms_names *names, uint64_t more, uint64_t bytes);

/* Finds up to MS_NAME_BATCH names at once.  Several threads may do so at the same time while
 * none adds a name. */
void ms_names_find_batch(const ms_names *names, uint32_t count, const char *const *texts,
                         const size_t *lengths, uint32_t *ids);

/* ---- the blocks of a table ------------------------------------------------
 * Binary graph files hold them (graph/formats/binary.h).  The table of a file is under fixed
 * functions, which ms_name_key and ms_name_home compute: other functions, or another order of
 * probing, are another version of that format.  Tables that are not of a file are under the key of
 * the process. */

typedef struct ms_name_slot {
  uint64_t key;    /* the name, zero-padded, if it is no longer than that, else its hash */
  uint32_t length; /* of the name, at most UINT32_MAX */
  uint32_t id;     /* MS_NO_ID: empty */
} ms_name_slot;

/* The table of a file is probed from slot ms_name_home of the key on, one by one, to the
 * name or to an empty slot. */
typedef struct ms_name_blocks {
  uint32_t count;
  const uint64_t *start; /* [count]; start[id] is where name id begins */
  const char *pool;      /* [pool_bytes] names with their NULs, one after another */
  uint64_t pool_bytes;
  const ms_name_slot *table; /* [slots], a power of two, at most 3/4 full; NULL: it is not that
                                of a file */
  uint64_t slots;
} ms_name_blocks;

/* Valid until the next add. */
ms_name_blocks ms_names_blocks(const ms_names *names);
/* Makes a table on blocks that must outlive it and that are not checked here.  It finds names;
 * adding one that it lacks is a bug (MS_ERR_INTERNAL). */
ms_status ms_names_borrow(const ms_name_blocks *blocks, ms_names **out, ms_error *err);
/* Returns the key and length of the slot of text[0..length). */
uint64_t ms_name_key(const char *text, size_t length);
uint32_t ms_name_slot_length(size_t length);
uint64_t ms_name_home(uint64_t key, uint64_t slots);

/* Makes the table that a file holds of the names; the caller frees *table with ms_free.  *table
 * becomes NULL if too many names collide under the fixed functions. */
ms_status ms_names_file_table(const ms_names *names, ms_name_slot **table, uint64_t *slots,
                              ms_error *err);
/* A table in which that many slots in a row, from a multiple of this number on, are all in use is
 * not probed.  A table of names that were not chosen to collide has no such run: the longest one
 * has about 27 ln(names) slots. */
#define MS_NAME_CROWD ((uint64_t)1024)
bool ms_name_is_crowd(const ms_name_slot *slots /* [MS_NAME_CROWD] */);

/* ---- checking and printing ------------------------------------------------ */

/* Returns NULL if text[0..length) can be a vertex or colour name: not empty, valid UTF-8, no
 * control characters (result files are tab-separated lines).  Else returns what is wrong with it
 * and what to do, as the end of a sentence. */
const char *ms_name_problem(const char *text, size_t length);
/* Returns how much of a name to print in a message; it cuts between characters. */
int ms_name_clip(const char *text, size_t length);

/* Is the text one of the signs for a missing value, such as "NA", "nan", "null" and "-"?  The one
 * list of these for all readers. */
bool ms_name_is_missing(const char *text, size_t length);
/* Returns one of these signs that is among the names; NULL: none is. */
const char *ms_missing_name(const ms_names *names);

#endif
