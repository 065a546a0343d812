/* What the tests of censuses on emulated GPUs have in common. */
#ifndef MS_TESTS_GPU_EMULATED_CENSUSES_H
#define MS_TESTS_GPU_EMULATED_CENSUSES_H

#include "base/hooks.h"
#include "base/integrity.h"
#include "tests/gpu/emulated/fake_cuda.h"

static const int census_devices[] = {0, 1, 2};

/* Varies devices and lanes, on multiprocessors of one block.  Returns the devices. */
static uint32_t vary_devices(uint64_t seed)
{
  static const uint32_t width[] = {8, 16, 32};
  uint32_t devices = seed % 5 == 4 ? 3 : 1;
  fake_devices = (int)devices;
  fake_multiprocessors = 1;
  emulated_width = width[seed % 3];
  emulated_blocks = 1;
  emulated_seed = seed + 1;
  return devices;
}

static ms_fault_place fault_place;
static uint64_t fault_seed, faults;

/* Flips one of the lower bits of a number of 64 bits, once. */
static uint64_t flip_once(ms_fault_place place, uint64_t bytes)
{
  if (place != fault_place || bytes < 8 || faults++ > 0)
    return UINT64_MAX;
  return 64 * (fault_seed * 7919 % (bytes / 8)) + fault_seed % 20;
}

/* The next bit to flip. */
static void begin_fault(ms_fault_place place, uint64_t seed)
{
  fault_place = place;
  fault_seed = seed;
  faults = 0;
  ms_hooks.fault = flip_once;
}

#endif
