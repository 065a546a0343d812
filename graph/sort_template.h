/* The two sorts of sort_ids.h for one type of integers.  Define before including:
 *
 *   VALUE         the type, unsigned
 *   SORT_SHORT    name of the insertion sort
 *   SORT_LONG     name of the radix sort
 *
 * No include guard: sort_ids.c includes this once for each type. */

void SORT_SHORT(VALUE *value, uint64_t count)
{
  for (uint64_t i = 1; i < count; i++) {
    VALUE moved = value[i];
    uint64_t j = i;
    for (; j > 0 && value[j - 1] > moved; j--)
      value[j] = value[j - 1];
    value[j] = moved;
  }
}

void SORT_LONG(VALUE *value, uint64_t count, VALUE *spare)
{
  VALUE *from = value, *to = spare, differ = 0;
  bool ascends = true;
  for (uint64_t i = 1; i < count; i++) {
    differ |= value[i] ^ value[0];
    ascends &= value[i - 1] <= value[i];
  }
  for (unsigned shift = 0; !ascends && shift < 8 * sizeof *value && differ >> shift; shift += 8) {
    uint64_t place[256] = {0}, sum = 0;
    if (!(differ >> shift & 255))
      continue;
    for (uint64_t i = 0; i < count; i++)
      place[from[i] >> shift & 255]++;
    for (int digit = 0; digit < 256; digit++) {
      uint64_t there = place[digit];
      place[digit] = sum;
      sum += there;
    }
    for (uint64_t i = 0; i < count; i++)
      to[place[from[i] >> shift & 255]++] = from[i];
    VALUE *swap = from;
    from = to;
    to = swap;
  }
  if (from != value)
    memcpy(value, from, count * sizeof *value);
}

#undef VALUE
#undef SORT_SHORT
#undef SORT_LONG
