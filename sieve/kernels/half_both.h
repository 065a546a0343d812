/* The two halves of a line that one vertex has to itself (halves_template.h).  Include it after the
 * type half and its functions. */

typedef struct both {
  half v[2];
} both;

static inline both both_zero(void)
{
  return (both){{half_zero(), half_zero()}};
}

static inline both both_mask(uint64_t lanes)
{
  return (both){{half_mask(lanes), half_mask(~lanes)}};
}

static inline both both_load(const half *low, const half *high)
{
  return (both){{*low, *high}};
}

static inline both both_add(both sum, both x)
{
  return (both){{half_xor(sum.v[0], x.v[0]), half_xor(sum.v[1], x.v[1])}};
}

static inline both both_spread(half x, both mask)
{
  half low = half_and(x, mask.v[0]);
  return (both){{low, half_xor(x, low)}};
}

static inline both both_add_masked(both sum, half x, both mask)
{
  return (both){{half_add_masked(sum.v[0], x, mask.v[0]), half_add_masked(sum.v[1], x, mask.v[1])}};
}
