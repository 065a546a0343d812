# x - y - z - w with the colours A B A and none
path_graph <- function(...) ms_graph(data.frame(from = c("x", "y", "z"), to = c("y", "z", "w")), ...)
colored_path <- function() path_graph(colors = c(x = "A", y = "B", z = "A", w = NA))

# A random graph of n vertices with m edges and colours a, b, c.
random_graph <- function(n = 60, m = 120, seed = 1) {
  set.seed(seed)
  ends <- replicate(m, sample(n, 2))
  ms_graph(data.frame(paste0("v", ends[1, ]), paste0("v", ends[2, ])), vertices = paste0("v", seq_len(n)),
           colors = sample(c("a", "b", "c"), n, TRUE))
}

# All connected sets of two or three vertices, by the edges: a second way to count.
connected_sets <- function(graph, k) {
  edges <- as.data.frame(graph)
  pairs <- unique(t(apply(edges[, 1:2], 1, sort)))
  if (k == 2) return(lapply(seq_len(nrow(pairs)), function(i) pairs[i, ]))
  sets <- list()
  for (i in seq_len(nrow(pairs)))
    for (j in seq_len(nrow(pairs)))
      if (i < j && any(pairs[i, ] %in% pairs[j, ])) sets[[length(sets) + 1]] <- sort(unique(c(pairs[i, ], pairs[j, ])))
  unique(sets)
}
