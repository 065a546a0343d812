/* Which units of a search a launch takes, where several devices share them.  Consecutive units cost
 * about the same, and the last ones most, so that each device takes some of all kinds: the units
 * are in groups of consecutive ones, every `all`-th group belongs to the same class, and a launch
 * has the units of classes [first, end). */
#ifndef MS_GPU_MATCH_CLASSES_H
#define MS_GPU_MATCH_CLASSES_H

#include "gpu/match/program_device.h"

#define MS_CLASSES_A_DEVICE UINT64_C(32)

typedef struct ms_unit_classes {
  uint64_t units; /* of the search */
  uint64_t group; /* units of a group */
  uint64_t all;   /* the number of classes */
  uint64_t first, end;
} ms_unit_classes;

/* Returns the number of places of the launch; each unit of its classes has one, and some may be
 * empty. */
static inline MS_BOTH_SIDES uint64_t ms_classes_places(const ms_unit_classes *c)
{
  uint64_t rounds = (c->units + c->group * c->all - 1) / (c->group * c->all);
  return rounds * (c->end - c->first) * c->group;
}

/* Returns the unit at a place; `units` or more if the place is empty.  The number of the
 * unit grows with the place, and consecutive places within a group have consecutive units. */
static inline MS_BOTH_SIDES uint64_t ms_classes_unit(const ms_unit_classes *c, uint64_t place)
{
  uint64_t width = c->end - c->first, group = place / c->group;
  if (c->all == 1) /* the same without divisions */
    return place;
  return (group / width * c->all + c->first + group % width) * c->group + place % c->group;
}

/* The same for engines that take stretches of roots: returns the i-th of n roots, where the roots
 * of a class follow each other. */
static inline MS_BOTH_SIDES uint64_t ms_classes_root(uint64_t n, uint64_t classes, uint64_t i)
{
  if (classes <= 1)
    return i;
  uint64_t rounds = n / classes, longer = n % classes; /* classes of one root more come first */
  uint64_t of_longer = longer * (rounds + 1);
  if (i < of_longer)
    return i % (rounds + 1) * classes + i / (rounds + 1);
  return (i - of_longer) % rounds * classes + longer + (i - of_longer) / rounds;
}

/* Returns the number of classes of which `devices` take some at a time. */
static inline uint64_t ms_classes_of(uint32_t devices)
{
  return devices > 1 ? devices * MS_CLASSES_A_DEVICE : 1;
}

#endif
