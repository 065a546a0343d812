/* The part of sieve/halves_template.h that takes step 2 from quadratic forms (sieve/quadratic.h).
 */

#ifdef HALF_QUADRATIC
/* Returns R(i, 2, q + 1) of the group's units. */
MS_ALWAYS_INLINE line quadratic(const block *b, const group *o, uint32_t q)
{
  const ms_sieve_shape *shape = b->shape;
  const ms_sieve_inner_form *inner = b->pass->quadratic.inner + (size_t)q * 2 * shape->slots;
  const uint64_t *linear = b->s->quadratic + (size_t)q * shape->places;
  half unit[UNITS];
  const ms_sieve_inner_form *ahead = inner + 2 * (size_t)o->slot[0] + FORMS_AHEAD;
  for (uint32_t u = 0; u < UNITS; u += 64 / sizeof *ahead)
    prefetch(ahead + u);
  prefetch(linear + o->place[0] + FORMS_AHEAD);
  for (uint32_t u = 0; u < UNITS; u++) {
    uint32_t place = o->place[u];
    bool is_whole = o->bit[u / 2] == HALF_BITS;
    unit[u] = half_quadratic(inner + (is_whole ? 2 * o->slot[u / 2] + u % 2 : place),
                             linear + place, HALF_BITS - 1 + u % 2);
  }
  return line_of_units(unit, 1);
}

/* Steps 1 and 2 in one. */
static void quadratic_step(const block *b, uint32_t begin, uint32_t end, half *next)
{
  for (uint32_t x = begin; x < end; x += SLOTS) {
    group o;
    set_group(b, x, end, &o);
    line square = line_mul(form(b, &o, 1), form(b, &o, 2));
    publish(b, &o, form(b, &o, 0), line_xor(square, quadratic(b, &o, 0)), 3, next);
  }
}

/* Computes zeta and the factors of step 2, which second_step would have kept. */
static void fill_second(const block *b, const group *o, line *g)
{
  uint32_t siblings = ms_sieve_siblings(b->shape->problem->size, 2);
  g[0] = form(b, o, 0);
  for (uint32_t q = 0; q < siblings; q++) {
    line factor = quadratic(b, o, q);
    g[q + 1] = q > 0 ? line_mul(g[q], factor) : factor;
  }
}
#else
static void quadratic_step(const block *b, uint32_t begin, uint32_t end, half *next)
{
  (void)b, (void)begin, (void)end, (void)next;
}

static void fill_second(const block *b, const group *o, line *g)
{
  (void)b, (void)o, (void)g;
}
#endif
