/* The domains of the shapes of a count: of shapes with merged vertices, and of shapes with more
 * edges than the pattern. */
#ifndef MS_MATCH_COUNT_COUNT_DOMAINS_H
#define MS_MATCH_COUNT_COUNT_DOMAINS_H

#include "match/domains.h"
#include "plan/shape.h"

/* domain[shape->n]: each is the intersection of the domains of the vertex's members. */
typedef struct ms_shape_domains {
  ms_domain domain[MS_MAX_PATTERN];
  uint64_t *store; /* the bits of those that are intersections; freed by the caller with ms_free */
} ms_shape_domains;

ms_status ms_shape_domains_new(const ms_domains *domains, const ms_shape *shape,
                               ms_shape_domains *out, ms_error *err);

/* Names kinds so that an automorphism may exchange two vertices only if their domains are the same
 * set. */
void ms_shape_name_kinds(ms_shape *shape, const ms_domain *domain);

/* True if the domain holds every vertex that has at least this degree, so that every match of a
 * vertex with this degree in an undirected pattern is in it. */
bool ms_domain_is_by_degree(const ms_domain *domain, const ms_pattern_index *index,
                            uint32_t degree);

/* True if all maps of the shape are in the domains, whatever these exclude: they follow from the
 * edges of the pattern, all of which the shape has. */
bool ms_domains_follow(const ms_domains *domains, const ms_shape *shape);

/* Makes equal all domains of an undirected pattern's shape that are bounded by the degree of their
 * vertex alone, or by the edges of the pattern.  The maps of the shape and of every shape with
 * further edges stay the same, because such a map takes each vertex to one of at least its degree.
 * Vertices with equal domains can be exchanged: a path of four with an edge between its ends has
 * the symmetry of a cycle. */
void ms_domains_widen(ms_domains *domains, const ms_shape *shape);

#endif
