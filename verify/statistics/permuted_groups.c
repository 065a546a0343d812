#include "verify/statistics/permuted_groups.h"

#include "base/alloc.h"
#include "base/status.h"

struct ms_group {
  ms_multiset_sum sum;
  uint32_t count, room;
  uint32_t *member; /* [room] */
  ms_group *next;   /* in the chain of its place */
};

struct ms_groups {
  uint32_t n;
  ms_group **place; /* [places] chains of groups */
  uint64_t places;
  ms_group **of; /* [n] NULL: no class */
  uint32_t *at;  /* [n] the place of a vertex in its group */
};

/* The mixer of splitmix64 (S. Vigna, 2015). */
static uint64_t mix(uint64_t x)
{
  x += 0x9e3779b97f4a7c15;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
  x = (x ^ x >> 27) * 0x94d049bb133111eb;
  return x ^ x >> 31;
}

static ms_multiset_sum sum_of(uint64_t kind, uint64_t number)
{
  uint64_t a = mix(number << 8 | kind);
  return (ms_multiset_sum){a, mix(a ^ 0x5555555555555555)};
}

ms_multiset_sum ms_sum_replace(ms_multiset_sum sum, uint32_t lose, uint32_t gain)
{
  if (lose != MS_NO_CLASS) {
    ms_multiset_sum one = sum_of(1, lose);
    sum.a -= one.a;
    sum.b -= one.b;
  }
  if (gain != MS_NO_CLASS) {
    ms_multiset_sum one = sum_of(1, gain);
    sum.a += one.a;
    sum.b += one.b;
  }
  return sum;
}

bool ms_sum_equal(ms_multiset_sum x, ms_multiset_sum y)
{
  return x.a == y.a && x.b == y.b;
}

static ms_group **chain_of(const ms_groups *groups, ms_multiset_sum sum)
{
  return &groups->place[(sum.a ^ sum.b >> 32) & (groups->places - 1)];
}

const ms_group *ms_groups_find(const ms_groups *groups, ms_multiset_sum sum)
{
  const ms_group *group = *chain_of(groups, sum);
  while (group && !ms_sum_equal(group->sum, sum))
    group = group->next;
  return group;
}

static ms_status join(ms_groups *groups, uint32_t v, ms_multiset_sum sum, ms_error *err)
{
  ms_group **chain = chain_of(groups, sum), *group = *chain;
  while (group && !ms_sum_equal(group->sum, sum))
    group = group->next;
  if (!group) {
    group = ms_calloc(1, sizeof *group);
    if (!group)
      return ms_fail_memory(err, "permutations");
    *group = (ms_group){.sum = sum, .next = *chain};
    *chain = group;
  }
  if (!MS_GROW(group->member, group->room, group->count, 1))
    return ms_fail_memory(err, "permutations");
  groups->of[v] = group;
  groups->at[v] = group->count;
  group->member[group->count++] = v;
  return MS_OK;
}

static void leave(ms_groups *groups, ms_group *group, uint32_t at)
{
  uint32_t last = group->member[group->count - 1];
  group->member[at] = last;
  if (at + 1 < group->count)
    groups->at[last] = at;
  if (--group->count > 0)
    return;
  ms_group **link = chain_of(groups, group->sum);
  while (*link != group)
    link = &(*link)->next;
  *link = group->next;
  ms_free(group->member);
  ms_free(group);
}

ms_status ms_groups_move(ms_groups *groups, uint32_t v, uint32_t lose, uint32_t gain, ms_error *err)
{
  ms_group *old = groups->of[v];
  uint32_t at = groups->at[v];
  MS_TRY(join(groups, v, ms_sum_replace(old->sum, lose, gain), err));
  leave(groups, old, at);
  return MS_OK;
}

ms_multiset_sum ms_groups_sum(const ms_groups *groups, uint32_t v)
{
  return groups->of[v]->sum;
}

uint32_t ms_group_size(const ms_group *group)
{
  return group->count;
}

uint32_t ms_group_member(const ms_group *group, uint32_t i)
{
  return group->member[i];
}

ms_status ms_groups_new(const ms_graph *graph, const uint32_t *now, const uint32_t *member,
                        const uint32_t *first, uint32_t members, ms_groups **out, ms_error *err)
{
  ms_groups *groups = ms_calloc(1, sizeof *groups);
  *out = NULL;
  if (!groups)
    return ms_fail_memory(err, "permutations");
  *groups = (ms_groups){.n = ms_graph_vertex_count(graph), .places = 16};
  while (groups->places < members)
    groups->places *= 2;
  groups->place = ms_calloc(groups->places, sizeof(ms_group *));
  groups->of = ms_calloc(groups->n, sizeof(ms_group *));
  groups->at = ms_calloc(groups->n, sizeof *groups->at);
  bool ok = groups->place && groups->of && groups->at;
  ms_status status = ok ? MS_OK : ms_fail_memory(err, "permutations");
  for (uint32_t i = 0; i < members && status == MS_OK; i++) {
    uint32_t count;
    const uint32_t *near = ms_graph_neighbors(graph, member[i], &count);
    ms_multiset_sum sum = sum_of(2, first[i]);
    for (uint32_t j = 0; j < count; j++)
      sum = ms_sum_replace(sum, MS_NO_CLASS, now[near[j]]);
    status = join(groups, member[i], sum, err);
  }
  if (status == MS_OK)
    *out = groups;
  else
    ms_groups_free(groups);
  return status;
}

void ms_groups_free(ms_groups *groups)
{
  if (!groups)
    return;
  for (uint64_t i = 0; groups->place && i < groups->places; i++)
    while (groups->place[i]) {
      ms_group *group = groups->place[i];
      groups->place[i] = group->next;
      ms_free(group->member);
      ms_free(group);
    }
  ms_free(groups->place);
  ms_free(groups->of);
  ms_free(groups->at);
  ms_free(groups);
}
