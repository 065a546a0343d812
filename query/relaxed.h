/* Conditions of slots with substitutions: each colour that a vertex has to have may be replaced,
 * and the costs of an alternative add up.  A colour that it has to lack stays. */
#ifndef MS_QUERY_RELAXED_H
#define MS_QUERY_RELAXED_H

#include "query/condition.h"
#include "query/substitutes.h"

/* Returns the least cost at which a vertex with these colours, which ascend, meets the condition; 0
 * without substitutions; MS_NO_SUBSTITUTE: at none. */
uint32_t ms_condition_cost(const ms_condition *condition, const ms_substitutes *substitutes,
                           const uint32_t *colors, uint32_t count);

/* Sets has[cost], 0 < cost <= max_cost, where the condition gets another alternative at this cost.
 * MS_ERR_USAGE: there are too many alternatives. */
ms_status ms_condition_find_costs(const ms_condition *condition, const ms_substitutes *substitutes,
                                  uint32_t max_cost, bool *has, ms_error *err);
/* Makes the condition that vertices of at most this cost meet.  MS_ERR_USAGE: it is too long. */
ms_status ms_condition_relax(const ms_condition *condition, const ms_substitutes *substitutes,
                             uint32_t cost, const ms_coloring *coloring, ms_condition **out,
                             ms_error *err);

#endif
