# Graphs: from edges, matrices, points, files, and objects of other packages.

new_graph <- function(made, file, path, reading, ...) {
  check_outcome(made[[2]])
  structure(list(handle = made[[1]], file = file, path = path, reading = reading, ...), class = "ms_graph")
}

# Texts of names: whole numbers as digits, factors as their levels.
as_names <- function(x, what) {
  if (is.numeric(x) && any(x != round(x), na.rm = TRUE))
    usage_error("`", what, "` has ", x[which(x != round(x))[1]], ", which is measured and no name; give texts, a factor or ",
                "whole numbers, such as cut() makes of measurements")
  if (is.numeric(x) && !is.object(x)) ifelse(is.na(x), NA, format(x, scientific = FALSE, trim = TRUE, digits = 16)) else enc2utf8(as.character(x))
}

# Returns what belongs to each vertex, in their order: by names, or in the order that is there.
in_order <- function(x, vertices, what) {
  known <- names(x)
  if (is.null(known) && length(x) == length(vertices)) return(x)
  if (is.null(known))
    usage_error("`", what, "` has ", length(x), " items, and the graph has ", length(vertices),
                " vertices; give one for each, or give the items the names of their vertices")
  unknown <- setdiff(known, vertices)
  if (length(unknown))
    usage_error("`", what, "` names the vertex '", unknown[1], "', which the graph lacks; ms_vertices() lists those of a graph; unname(",
                what, ") if the items are in their order")
  x[match(vertices, known)]
}

# Makes pairs of vertices and colours of all that may stand for colours.
color_pairs <- function(colors, vertices) {
  if (is.null(colors)) return(NULL)
  if (is.data.frame(colors)) {
    if (ncol(colors) < 2) usage_error("`colors` is a data frame; its first two columns have to be vertices and colours")
    vertex <- match(as_names(colors[[1]], "colors"), vertices)
    if (anyNA(vertex))
      usage_error("`colors` names the vertex '", colors[[1]][is.na(vertex)][1], "', which the graph lacks; leave out such rows")
    color <- as_names(colors[[2]], "colors")
  } else if (length(dim(colors)) == 2) {
    if (nrow(colors) != length(vertices) || is.null(colnames(colors)))
      usage_error("`colors` is a matrix; it has to have a row for each of the ", length(vertices), " vertices, and the colours as colnames()")
    row <- if (is.null(rownames(colors))) seq_along(vertices) else in_order(stats::setNames(seq_along(vertices), rownames(colors)), vertices, "colors")
    hit <- which(as.matrix(colors)[row, , drop = FALSE] != 0, arr.ind = TRUE)
    vertex <- hit[, 1]
    color <- colnames(colors)[hit[, 2]]
  } else {
    colors <- in_order(colors, vertices, "colors")
    vertex <- rep(seq_along(vertices), lengths(colors))
    color <- as_names(if (is.list(colors)) unlist(lapply(colors, as.character)) else colors, "colors")
  }
  kept <- !is.na(color) & color != ""
  known <- unique(color[kept])
  list(colored = rbind(vertex[kept] - 1L, match(color[kept], known) - 1L), colors = known)
}

build <- function(spec, directed = FALSE, colors = NULL, base = NULL, timeout = NULL, ...) {
  file <- session_file(if (directed) ".graphml" else ".msb")
  reading <- list(graph = list(format = if (directed) "graphml" else "binary", directed = directed,
                               keep_scores = if (directed && !is.null(spec$scores)) TRUE))
  pairs <- color_pairs(colors, spec$names)
  if (!is.null(pairs)) storage.mode(pairs$colored) <- "integer"
  made <- .Call(r_build, c(spec, pairs), base, file$path, reading, call_limits(timeout, FALSE))
  new_graph(made, file, file$path, reading, ...)
}

# Makes a graph of the ends of edges; `known`: vertices that come first.
from_ends <- function(from, to, known = NULL, directed, colors, scores = NULL, timeout = NULL) {
  from <- as_names(from, "x")
  to <- as_names(to, "x")
  bad <- which(is.na(from) | is.na(to) | from == "" | to == "")
  if (length(bad)) usage_error("edge ", bad[1], " has no vertex (NA) at one end; leave out such edges, as na.omit() does")
  vertices <- unique(c(known, rbind(from, to)))
  if (!is.null(scores)) {
    if (length(scores) != length(from) || !is.numeric(scores) || !all(is.finite(scores)))
      usage_error("`scores` has to be a finite number for each of the ", length(from), " edges")
    scores <- as.double(scores)
  }
  build(list(names = vertices, edges = rbind(match(from, vertices), match(to, vertices)) - 1L, scores = scores),
        directed, colors, timeout = timeout)
}

column_of <- function(table, column, what) {
  if (!(is.character(column) && length(column) == 1)) return(column)
  if (!column %in% names(table))
    usage_error("`", what, "` = \"", column, "\" is not one of ", paste0("\"", names(table), "\"", collapse = ", "))
  table[[column]]
}

ms_graph <- function(x, ...) UseMethod("ms_graph")

ms_graph.default <- function(x, ...)
  usage_error("a graph cannot be made of an object of class ", class(x)[1], "; give a data frame of edges, a matrix, or an ",
              "object of igraph, Matrix, SingleCellExperiment or SpatialExperiment; ms_read_graph() reads files")

ms_graph.data.frame <- function(x, colors = NULL, vertices = NULL, directed = FALSE, scores = NULL, timeout = NULL, ...) {
  if (ncol(x) < 2) usage_error("`x` has ", ncol(x), " columns; the first two have to be the ends of edges")
  known <- NULL
  if (!is.null(vertices)) {
    known <- as_names(if (is.data.frame(vertices)) vertices[[1]] else vertices, "vertices")
    if (anyDuplicated(known) || anyNA(known))
      usage_error("`vertices` has ", if (anyNA(known)) "NA" else paste0("'", known[anyDuplicated(known)], "' twice"), "; name each vertex once")
    if (is.data.frame(vertices) && is.character(colors) && length(colors) == 1)
      colors <- stats::setNames(column_of(vertices, colors, "colors"), known)
  }
  from_ends(x[[1]], x[[2]], known, directed, colors, column_of(x, scores, "scores"), timeout)
}

ms_graph.matrix <- function(x, colors = NULL, directed = FALSE, scores = FALSE, timeout = NULL, ...) {
  if (ncol(x) == 2 && nrow(x) != 2) return(from_ends(x[, 1], x[, 2], NULL, directed, colors, timeout = timeout))
  adjacency(which(x != 0, arr.ind = TRUE), x, colors, directed, scores, timeout)
}

ms_graph.Matrix <- function(x, colors = NULL, directed = FALSE, scores = FALSE, timeout = NULL, ...)
  adjacency(Matrix::which(x != 0, arr.ind = TRUE), x, colors, directed, scores, timeout)

adjacency <- function(at, x, colors, directed, scores, timeout) {
  if (nrow(x) != ncol(x))
    usage_error("the matrix has ", nrow(x), " rows and ", ncol(x), " columns; give an adjacency matrix, or two columns of vertices")
  if (anyNA(x)) usage_error("the matrix has NA; an entry is a number, and 0 is no edge")
  vertices <- if (is.null(rownames(x))) as.character(seq_len(nrow(x))) else rownames(x)
  from_ends(vertices[at[, 1]], vertices[at[, 2]], vertices, directed, colors, if (scores) as.double(x[at]), timeout)
}

ms_graph.igraph <- function(x, colors = NULL, scores = NULL, timeout = NULL, ...) {
  vertices <- igraph::vertex_attr(x, "name")
  if (is.null(vertices)) vertices <- seq_len(igraph::vcount(x))
  ends <- igraph::as_edgelist(x, names = FALSE)
  vertices <- as_names(vertices, "name")
  if (anyDuplicated(vertices)) usage_error("two vertices have the name '", vertices[anyDuplicated(vertices)], "'; name each vertex once")
  if (is.character(colors) && length(colors) == 1)
    colors <- column_of(igraph::vertex_attr(x), colors, "colors")
  from_ends(vertices[ends[, 1]], vertices[ends[, 2]], vertices, igraph::is_directed(x), colors,
            column_of(igraph::edge_attr(x), scores, "scores"), timeout)
}

ms_graph.SingleCellExperiment <- function(x, ...) ms_points(x, ...)

# New colours for the same edges.
ms_graph.ms_graph <- function(x, colors, timeout = NULL, ...) {
  info <- ms_info(x)
  graph <- build(list(names = ms_vertices(x), scores = if (info$scored) numeric()), info$directed, colors, x$handle, timeout)
  graph[c("positions", "slides")] <- x[c("positions", "slides")]
  graph
}

ms_points <- function(x, ...) UseMethod("ms_points")

ms_points.default <- function(x, neighbors = NULL, radius = NULL, delaunay = FALSE, mutual = FALSE, colors = NULL,
                              slides = NULL, names = rownames(x), timeout = NULL, ...) {
  xy <- as.matrix(x)
  if (!is.numeric(xy) || !ncol(xy) %in% 2:3 || !all(is.finite(xy)))
    usage_error("the coordinates have to be two or three columns of finite numbers; leave out points without a place")
  if (!is.null(neighbors) && delaunay) usage_error("`neighbors` and `delaunay` are two rules; give one of them")
  names <- if (is.null(names)) as.character(seq_len(nrow(xy))) else as_names(names, "names")
  if (length(names) != nrow(xy)) usage_error("`names` has ", length(names), " items, and there are ", nrow(xy), " points")
  number <- if (!is.null(slides)) as.integer(factor(in_order(slides, names, "slides"))) - 1L
  if (anyNA(number)) usage_error("`slides` has NA; each point is on a slide")
  rule <- if (delaunay) 2L else if (is.null(neighbors) && !is.null(radius)) 1L else 0L
  xy <- t(unname(xy))
  storage.mode(xy) <- "double"
  build(list(xy = xy, names = names, slides = number, rule = rule, nearest = neighbors, radius = radius, mutual = mutual),
        FALSE, colors, NULL, timeout, positions = xy, slides = number)
}

ms_points.SingleCellExperiment <- function(x, colors = NULL, slides = NULL, coordinates = NULL, ...) {
  cells <- as.data.frame(SummarizedExperiment::colData(x))
  hidden <- SingleCellExperiment::int_colData(x)
  xy <- if (length(coordinates) == 1) SingleCellExperiment::reducedDim(x, coordinates)[, 1:2]
        else if (!is.null(coordinates)) cells[, coordinates]
        else if ("spatialCoords" %in% names(hidden)) hidden$spatialCoords
        else usage_error("the object has no spatialCoords; `coordinates` names two columns of colData, or a reducedDim")
  names <- if (is.null(colnames(x))) as.character(seq_len(ncol(x))) else colnames(x)
  if (anyDuplicated(names)) usage_error("two cells have the name '", names[anyDuplicated(names)], "'; make.unique() gives them different ones")
  ms_points(unname(as.matrix(xy)), colors = column_of(cells, colors, "colors"), slides = column_of(cells, slides, "slides"), names = names, ...)
}

ms_read_graph <- function(file, colors = NULL, format = "auto", directed = FALSE, scores = FALSE, min_score = NULL,
                          aliases = NULL, color_format = "auto", graph_options = list(), color_options = list(),
                          memory = NULL, timeout = NULL) {
  path <- path.expand(file)
  by_file <- is.character(colors) && length(colors) == 1
  reading <- list(graph = c(list(format = format, directed = directed, keep_scores = scores, min_score = min_score), graph_options),
                  colors = c(list(format = color_format), color_options),
                  colors_path = if (by_file) path.expand(colors), aliases = if (!is.null(aliases)) path.expand(aliases))
  graph <- new_graph(.Call(r_read, path, reading, call_limits(timeout, FALSE)), NULL, path, reading)
  if (is.null(colors) || by_file) graph else ms_graph(graph, colors)
}

ms_info <- function(graph) {
  raw <- .Call(r_describe, graph$handle)
  list(vertices = raw[1], edges = raw[2], directed = raw[3] == 1, scored = raw[4] == 1, self_loops = raw[5],
       duplicates = raw[6], unknown_vertices = raw[7], colors = attr(raw, "colors"))
}
ms_vertices <- function(graph) .Call(r_names, graph$handle)

as.data.frame.ms_graph <- function(x, ...) {
  file <- session_file(".tsv")
  .Call(r_write_graph, x$handle, file$path, "edge-list")
  info <- ms_info(x)
  columns <- c("from", "to", if (info$scored) "score")
  utils::read.table(file$path, sep = "\t", quote = "", comment.char = "", na.strings = "", col.names = columns,
                             skip = sum(startsWith(readLines(file$path, 5L), "# ")), encoding = "UTF-8",
                             colClasses = c("character", "character", if (info$scored) "numeric"))
}

print.ms_graph <- function(x, ...) {
  info <- ms_info(x)
  cat(sprintf("<ms_graph: %.0f vertices, %.0f %s, %s>\n", info$vertices, info$edges, if (info$directed) "arcs" else "edges",
              if (is.null(info$colors)) "no colours" else paste(length(info$colors), "colours")))
  invisible(x)
}
