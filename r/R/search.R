# Searches: each takes its arguments into a list, which the library reads by their names.

# Runs a search of a kind, and returns its data frame; from `threads` on: see ms_search_options.
search <- function(kind, graph, given, table = kind, about = list(), threads = NULL, memory = NULL, timeout = NULL,
                   progress = interactive(), file = NULL) {
  own <- if (is.null(file)) session_file(".tsv")
  path <- if (is.null(file)) own$path else path.expand(file)
  if (!is.null(file)) {
    ending <- sub(".*\\.", "", sub("\\.(gz|zst)$", "", path))
    given$form <- c(tsv = 0L, txt = 0L, json = 1L, jsonl = 1L, cx2 = 3L, dot = 4L)[ending]
    if (is.na(given$form))
      usage_error("`file` = \"", file, "\" has to end in .tsv, .jsonl, .cx2 or .dot, and perhaps .gz or .zst")
    if (given$form > 0) given$wide_rows <- NULL
  }
  if (!is.null(given$only) && !is.null(graph)) {
    given$only_ids <- match(given$only, ms_info(graph)$colors) - 1L
    if (anyNA(given$only_ids))
      usage_error("`only` names the colour '", given$only[is.na(given$only_ids)][1], "', which no vertex has; ",
                  "ms_info(graph)$colors lists the colours")
  }
  given <- c(given, list(threads = threads, memory = bytes_of(memory)))
  limits <- call_limits(timeout, progress)
  on.exit(limits$close())
  reading <- if (is.null(graph)) about$reading else graph$reading
  done <- .Call(r_search, kind, graph$handle, given, reading, path, limits)
  check_outcome(done[[1]])
  if (done[[2]] > 0)
    warning(sprintf(paste("colours explain %.0f %% of the variance of the ranks of degrees, so that motifs of colours with",
                          "high degrees have more sets than null = \"labels\" expects; compare with permutations = 1000,",
                          "null = \"degree\""), 100 * done[[2]]), call. = FALSE)
  if (is.null(file)) new_result(own, table, graph, about) else invisible(file)
}

# Returns the graph of a search.
check_graph <- function(graph, colored = TRUE) {
  if (!inherits(graph, "ms_graph"))
    usage_error("the first argument is of class ", class(graph)[1], "; make a graph of it with ms_graph()")
  if (colored && is.null(ms_info(graph)$colors))
    usage_error("the graph has no colours; give `colors` to ms_graph(), which also gives colours to a graph that is there")
  graph
}

# A motif is a text; or numbers of vertices with the colours as names; or the colours of its vertices.
motif_text <- function(motif) {
  quoted <- function(x)
    ifelse(grepl("[,:|&\"]|^[! ]| $", x), paste0("\"", gsub("\"", "\"\"", x, fixed = TRUE), "\""), x)
  if (is.factor(motif)) motif <- as.character(motif)
  if (is.list(motif)) motif <- unlist(motif)
  if (is.numeric(motif) && !is.null(names(motif)))
    return(paste0(quoted(enc2utf8(names(motif))), ":", motif, collapse = ","))
  if (!is.character(motif) || anyNA(motif) || !length(motif))
    usage_error("`motif` has to be a text such as \"a:2,b\", numbers with names such as c(a = 2, b = 1), or colours such ",
                "as c(\"a\", \"a\", \"b\")")
  if (length(motif) == 1) enc2utf8(motif) else paste(quoted(enc2utf8(motif)), collapse = ",")
}

# A pattern is a text, or a graph of igraph, a data frame or a matrix of edges; `colors`: of its vertices.
pattern_text <- function(pattern, colors, directed) {
  if (is.character(pattern) && length(pattern) == 1) {
    if (!is.null(colors)) usage_error("`colors` is for patterns of edges; a text has them, as in \"(a:X)--(b)\"")
    return(enc2utf8(pattern))
  }
  if (inherits(pattern, "igraph")) {
    directed <- igraph::is_directed(pattern)
    pattern <- igraph::as_edgelist(pattern)
  }
  if (length(dim(pattern)) != 2 || ncol(pattern) < 2)
    usage_error("`pattern` has to be a text such as \"clique:4\" or \"(a:X)--(b), (b)--(c)\", a graph of igraph, or two ",
                "columns of vertices")
  ends <- rbind(as_names(pattern[, 1], "pattern"), as_names(pattern[, 2], "pattern"))
  vertices <- unique(c(ends))
  colors <- if (is.null(colors)) NA else as_names(in_order(colors, vertices, "colors"), "colors")
  node <- paste0("(`", vertices, "`", ifelse(is.na(colors), "", paste0(":`", colors, "`")), ")")
  node <- matrix(node[match(ends, vertices)], 2)
  paste(node[1, ], node[2, ], sep = if (directed) "-->" else "--", collapse = ", ")
}

orders_of_matches <- c("none", "edges", "density", "mean_score", "least_score")
measures_of_matches <- c("none", "density", "scores")

ms_screen <- function(graph, motif, require = NULL, method = "auto", error = NULL, max_missing = NULL, max_extra = NULL,
                      all = FALSE, all_colors = FALSE, seed = NULL, ...) {
  given <- list(motif = motif_text(motif), require = require, method = choice(method, c("sieve", "exact", "auto")),
                error = error, max_missing = max_missing, max_extra = max_extra, all = all, all_colors = all_colors,
                seed = seed)
  search("screen", check_graph(graph), given, if (is.null(c(max_missing, max_extra))) "screen" else "nearest", ...)
}

ms_list <- function(graph, motif, require = NULL, limit = NULL, exact = NULL, count_only = FALSE, participation = FALSE,
                    sample = NULL, diverse = FALSE, families = NULL, sort = "none", top = NULL, measures = "none",
                    long = FALSE, seed = NULL, ...) {
  if (is.null(exact)) exact <- !is.null(sample) || diverse || !is.null(families)
  given <- list(motif = motif_text(motif), require = require, limit = limit, exact = exact,
                count_only = count_only || participation, participation = participation, sample = sample,
                diverse = diverse, families = families, sort = choice(sort, orders_of_matches), top = top,
                measures = choice(measures, measures_of_matches), long_rows = long,
                wide_rows = if (!long && !count_only && !participation) TRUE, seed = seed)
  table <- if (participation) "participation" else if (long) "list_long" else "list_wide"
  search("list", check_graph(graph), given, table, ...)
}

ms_nearest <- function(graph, motif, max_missing = 1, max_extra = 0, nearest_only = FALSE, require = NULL, limit = NULL,
                       count_only = FALSE, ...) {
  given <- list(motif = motif_text(motif), require = require, max_missing = max_missing, max_extra = max_extra,
                roles = TRUE, nearest_only = nearest_only, limit = limit, count_only = count_only)
  search("nearest", check_graph(graph), given, "nearest_list", ...)
}

ms_match <- function(graph, pattern, colors = NULL, induced = FALSE, embeddings = FALSE, require = NULL, limit = NULL,
                     count_only = FALSE, participation = FALSE, roles = FALSE, screen = "auto", sample = NULL,
                     sort = "none", top = NULL, measures = "none", long = FALSE, seed = NULL, ...) {
  directed <- ms_info(check_graph(graph, FALSE))$directed
  text <- pattern_text(pattern, colors, directed)
  given <- list(pattern = text, directed = directed, induced = induced, embeddings = embeddings, require = require,
                limit = limit, count_only = count_only || participation || roles, participation = participation || roles,
                by_position = roles, screen_mode = choice(screen, c("auto", "always", "never")), sample = sample,
                sort = choice(sort, orders_of_matches), top = top, measures = choice(measures, measures_of_matches),
                long_rows = long, seed = seed)
  table <- if (participation || roles) "match_participation" else if (long) "match_long" else "match"
  search("match", graph, given, table, list(pattern = text), ...)
}

# What a census of motifs and one of shapes share.
count_sets <- function(graph, table, given, permutations, null, max_t, sort, strata = NULL, usual, ...) {
  if (!permutations && (null != usual || max_t || !is.null(strata)))
    usage_error("`null`, `max_t` and `strata` are for random graphs; give `permutations`, or leave them out")
  given$null_kind <- choice(null, c("labels", "degree", "edges", "rewire", "rewire-colors"))
  given$sort <- choice(sort, c("sets", "z", "p", "q", "p_less", "q_less"))
  if (!is.null(strata))
    given$strata <- as.integer(factor(in_order(strata, ms_vertices(graph), "strata"), exclude = NULL)) - 1L
  search("census", graph, c(given, permutations = permutations, max_t = max_t), table, list(strata = strata), ...)
}

ms_census <- function(graph, k = 3, significance = FALSE, permutations = 0, null = "labels", strata = NULL, only = NULL,
                      primary = FALSE, min_count = NULL, top = NULL, sort = "sets", max_t = FALSE, moments = "auto",
                      min_expected = NULL, seed = NULL, ...) {
  if (!significance && (moments != "auto" || !is.null(min_expected)))
    usage_error("`moments` and `min_expected` are for `significance`; give it, or leave them out")
  given <- list(k = k, significance = significance, only = only, primary = primary, min_count = min_count, top = top,
                seed = seed, moments = choice(moments, c("auto", "exact", "sampled")), min_expected = min_expected)
  result <- count_sets(check_graph(graph), "census", given, permutations, null, max_t, sort, strata, "labels", ...)
  bounds <- if (is.data.frame(result) && !permutations) sum(result$p_by == "bound", na.rm = TRUE) else 0
  if (2 * bounds > NROW(result))
    warning("p of ", bounds, " of ", nrow(result), " motifs is only an upper bound (p_by), because few vertices or dense ",
            "blocks make their distribution, or few sets are expected; permutations = 1000 gives their p (perm_p)",
            call. = FALSE)
  result
}

ms_shapes <- function(graph, k = 3, colored = FALSE, non_induced = FALSE, permutations = 0,
                      null = if (colored) "labels" else "rewire", only = NULL, primary = FALSE, min_count = NULL,
                      top = NULL, sort = "sets", max_t = FALSE, seed = NULL, ...) {
  if (!colored && (!is.null(only) || primary))
    usage_error("`only` and `primary` choose colours; give `colored = TRUE`, or leave them out")
  given <- list(k = k, shapes = TRUE, plain = !colored, non_induced = non_induced,
                all_shapes = !colored && permutations > 0, only = only, primary = primary, min_count = min_count,
                top = top, seed = seed)
  usual <- if (colored) "labels" else "rewire"
  count_sets(check_graph(graph, colored), "shapes", given, permutations, null, max_t, sort, NULL, usual, ...)
}

ms_census_vertices <- function(graph, k = 3, only = NULL, primary = FALSE, min_count = NULL, top = NULL, ...) {
  given <- list(k = k, only = only, primary = primary, min_count = min_count, top = top)
  search("vertices", check_graph(graph), given, "census_vertex", ...)
}

ms_orbits <- function(graph, k = 4, colored = FALSE, only = NULL, primary = FALSE, ...)
  search("orbits", check_graph(graph, colored), list(k = k, plain = !colored, only = only, primary = primary), ...)

ms_mine <- function(graph, k = 3, min_k = NULL, support = 1, ...)
  search("mine", check_graph(graph), list(slots = k, least = min_k, support = support), ...)

# Writes the table of the vertices, or the sheet of the samples, which the library reads and a report names.
sample_table <- function(graph, groups, samples, blocks) {
  file <- session_file(".txt")
  one <- inherits(graph, "ms_graph")
  if (one) {
    items <- ms_vertices(check_graph(graph))
    table <- list(vertex = items)
  } else {
    if (!is.list(graph) || is.null(names(graph)))
      usage_error("the first argument has to be a graph, or a list of graphs with the samples as names")
    if (!is.null(samples)) usage_error("`samples` is for one graph; here each graph is a sample")
    items <- names(graph)
    file$graphs <- lapply(graph, function(g) {
      copy <- session_file(".msb")
      check_outcome(.Call(r_write_graph, check_graph(g)$handle, copy$path, "binary"))
      copy
    })
    table <- list(sample = items, graph = vapply(file$graphs, function(f) basename(f$path), ""))
  }
  words <- Filter(Negate(is.null), list(sample = samples, group = groups, block = blocks))
  words <- Map(function(x, what) as_names(in_order(x, items, what), what), words, paste0(names(words), "s"))
  if (any(grepl("[\t\r\n\"]", unlist(words))))
    usage_error("groups, samples and blocks must not have tabs, line breaks or double quotes; rename them")
  table <- lapply(c(table, words), function(x) ifelse(is.na(x), "", x))
  con <- file(file$path, "w", encoding = "native.enc")
  on.exit(close(con))
  writeLines(enc2utf8(c(paste(names(table), collapse = "\t"), do.call(paste, c(unname(table), sep = "\t")))), con,
             useBytes = TRUE)
  file$columns <- names(table)
  file
}

ms_compare <- function(graph, groups, samples = NULL, blocks = NULL, k = 3, reference = NULL, rest = FALSE, only = NULL,
                       primary = FALSE, min_count = NULL, top = NULL, permutations = NULL, seed = NULL, ...) {
  table <- sample_table(graph, groups, samples, blocks)
  has <- function(column) if (column %in% table$columns) column # NULL: there is none
  given <- list(sheet = table$path, sample_column = has("sample"), group_column = "group", block_column = has("block"),
                k = k, reference = reference, rest = rest, only = only, primary = primary, min_count = min_count,
                top = top, permutations = permutations, seed = seed)
  about <- list(table = table, reading = list(graph = list(format = "binary")))
  search("compare", if (inherits(graph, "ms_graph")) graph, given, "compare", about, ...)
}
