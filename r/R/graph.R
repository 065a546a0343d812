# Graphs: from edges, matrices, points, files, and objects of other packages.

new_graph <- function(made, file, path, reading, ...) {
  check_outcome(made[[2]])
  structure(list(handle = made[[1]], file = file, path = path, reading = reading, ...), class = "ms_graph")
}

# An argument that a function does not have is an error.
no_more <- function(...) {
  if (...length())
    usage_error("unused argument ", paste0("`", ...names(), "`", collapse = ", "), "; the help page has the arguments")
}

# Texts of names: whole numbers as digits, factors as their levels.
as_names <- function(x, what) {
  if (!is.numeric(x) || is.object(x)) return(enc2utf8(as.character(x)))
  if (any(x != round(x), na.rm = TRUE))
    usage_error("`", what, "` has ", x[which(x != round(x))[1]], ", which is measured and no name; give texts, a factor ",
                "or whole numbers, such as cut() makes of measurements")
  ifelse(is.na(x), NA, format(x, scientific = FALSE, trim = TRUE, digits = 16))
}

check_twice <- function(names, what) {
  if (anyNA(names)) usage_error("`", what, "` has NA; name each vertex")
  if (anyDuplicated(names))
    usage_error("`", what, "` has '", names[anyDuplicated(names)], "' twice; make.unique() makes different names")
  names
}

# Returns the number of the vertex to which each item belongs: by names, or in the order that is there.
places_of <- function(x, vertices, what) {
  known <- names(x)
  if (is.null(known) && length(x) == length(vertices)) return(seq_along(x))
  if (is.null(known))
    usage_error("`", what, "` has ", length(x), " items, and there are ", length(vertices),
                "; give one for each, or give the items the names of their vertices")
  unknown <- setdiff(known, vertices)
  if (length(unknown))
    usage_error("`", what, "` names the vertex '", unknown[1], "', which the graph lacks; ms_vertices() lists the ",
                "vertices; give unname() of items that are in their order")
  match(known, vertices)
}

# Returns the one item that belongs to each vertex, in their order; NA: there is none.
in_order <- function(x, vertices, what) {
  at <- places_of(x, vertices, what)
  if (anyDuplicated(at))
    usage_error("`", what, "` names '", vertices[at[anyDuplicated(at)]], "' twice; give one item for each name")
  x[match(seq_along(vertices), at)]
}

# Makes pairs of vertices and colours of all that may stand for colours.
color_pairs <- function(colors, vertices) {
  if (is.null(colors)) return(NULL)
  if (is.data.frame(colors)) {
    if (ncol(colors) < 2) usage_error("`colors` has one column; its first two have to be vertices and colours")
    vertex <- match(as_names(colors[[1]], "colors"), vertices)
    if (anyNA(vertex))
      usage_error("`colors` names the vertex '", colors[[1]][is.na(vertex)][1], "', which the graph lacks; keep the ",
                  "rows whose vertex is in ms_vertices()")
    color <- as_names(colors[[2]], "colors")
  } else if (length(dim(colors)) == 2) {
    if (nrow(colors) != length(vertices) || is.null(colnames(colors)))
      usage_error("`colors` is a matrix; it has to have a row for each of the ", length(vertices), " vertices, and the ",
                  "colours as colnames()")
    row <- stats::setNames(seq_along(vertices), rownames(colors))
    hit <- which(as.matrix(colors)[in_order(row, vertices, "colors"), , drop = FALSE] != 0, arr.ind = TRUE)
    vertex <- hit[, 1]
    color <- colnames(colors)[hit[, 2]]
  } else {
    at <- places_of(colors, vertices, "colors") # a vertex may have several items
    colors <- colors[order(at)]
    vertex <- rep(sort(at), lengths(colors))
    color <- if (is.list(colors)) unlist(lapply(colors, as_names, "colors")) else as_names(colors, "colors")
  }
  kept <- !is.na(color) & color != ""
  known <- unique(color[kept])
  list(colored = rbind(as.integer(vertex[kept]), match(color[kept], known)) - 1L, colors = known)
}

# Makes a graph of what the library calls a source, by way of a file of the session.
build <- function(spec, directed, colors, timeout, ...) {
  file <- session_file(if (directed) ".graphml" else ".msb")
  reading <- list(graph = list(format = if (directed) "graphml" else "binary", directed = directed,
                               keep_scores = if (directed && !is.null(spec$scores)) TRUE))
  made <- .Call(r_build, c(spec, color_pairs(colors, spec$names)), file$path, reading, call_limits(timeout, FALSE))
  new_graph(made, file, file$path, reading, ...)
}

# Makes a graph of the ends of edges; `known`: vertices that come first.
from_ends <- function(from, to, known, directed, colors, scores, timeout, ...) {
  ends <- rbind(as_names(from, "x"), as_names(to, "x"))
  bad <- which(colSums(is.na(ends) | ends == "") > 0)
  if (length(bad)) usage_error("edge ", bad[1], " has no vertex (NA) at one end; leave out such edges, as na.omit() does")
  vertices <- unique(c(known, ends))
  if (!is.null(scores) && !(is.numeric(scores) && length(scores) == ncol(ends) && all(is.finite(scores))))
    usage_error("`scores` has to be a finite number for each of the ", ncol(ends), " edges")
  build(list(names = vertices, edges = matrix(match(ends, vertices), 2) - 1L,
             scores = if (!is.null(scores)) as.double(scores)), directed, colors, timeout, ...)
}

column_of <- function(table, column, what) {
  if (!(is.character(column) && length(column) == 1)) return(column)
  if (!column %in% names(table))
    usage_error("`", what, "` = \"", column, "\" is not one of ", paste0("\"", names(table), "\"", collapse = ", "))
  table[[column]]
}

ms_graph <- function(x, ...) UseMethod("ms_graph")

ms_graph.default <- function(x, ...)
  usage_error("a graph cannot be made of an object of class ", class(x)[1], "; give a data frame of edges, a matrix, or ",
              "an object of igraph, Matrix, SingleCellExperiment or SpatialExperiment; ms_read_graph() reads files")

ms_graph.data.frame <- function(x, colors = NULL, vertices = NULL, directed = FALSE, scores = NULL, timeout = NULL, ...) {
  no_more(...)
  if (ncol(x) < 2) usage_error("`x` has one column; the first two have to be the ends of edges")
  known <- vertices
  if (is.data.frame(vertices)) {
    known <- vertices[[1]]
    colors <- column_of(vertices, colors, "colors")
    if (is.atomic(colors) && length(colors) == length(known)) colors <- stats::setNames(colors, as_names(known, "vertices"))
  }
  if (!is.null(known)) known <- check_twice(as_names(known, "vertices"), "vertices")
  from_ends(x[[1]], x[[2]], known, directed, colors, column_of(x, scores, "scores"), timeout)
}

# Also a sparse matrix of the package Matrix.
ms_graph.Matrix <- function(x, colors = NULL, directed = FALSE, scores = FALSE, timeout = NULL, ...) {
  no_more(...)
  sparse <- inherits(x, "Matrix")
  if (ncol(x) == 2 && !sparse && (is.character(x) || nrow(x) != 2))
    return(from_ends(x[, 1], x[, 2], NULL, directed, colors, if (!is.logical(scores)) scores, timeout))
  if (nrow(x) != ncol(x))
    usage_error("the matrix has ", nrow(x), " rows and ", ncol(x), " columns; give an adjacency matrix, or two columns ",
                "of vertices")
  if (anyNA(x)) usage_error("the matrix has NA; an entry is a number, and 0 is no edge")
  at <- if (sparse) Matrix::which(x != 0, arr.ind = TRUE) else which(x != 0, arr.ind = TRUE)
  vertices <- if (is.null(rownames(x))) as.character(seq_len(nrow(x))) else check_twice(rownames(x), "rownames(x)")
  from_ends(vertices[at[, 1]], vertices[at[, 2]], vertices, directed, colors, if (scores) as.double(x[at]), timeout)
}

ms_graph.matrix <- ms_graph.Matrix

ms_graph.igraph <- function(x, colors = NULL, scores = NULL, timeout = NULL, ...) {
  no_more(...)
  vertices <- igraph::vertex_attr(x, "name")
  if (is.null(vertices)) vertices <- seq_len(igraph::vcount(x))
  vertices <- check_twice(as_names(vertices, "name"), "name")
  ends <- igraph::as_edgelist(x, names = FALSE)
  from_ends(vertices[ends[, 1]], vertices[ends[, 2]], vertices, igraph::is_directed(x),
            column_of(igraph::vertex_attr(x), colors, "colors"), column_of(igraph::edge_attr(x), scores, "scores"), timeout)
}

ms_graph.SingleCellExperiment <- function(x, ...) ms_points(x, ...)

# New colours for the same edges.
ms_graph.ms_graph <- function(x, colors, timeout = NULL, ...) {
  no_more(...)
  edges <- as.data.frame(x)
  from_ends(edges$from, edges$to, ms_vertices(x), ms_info(x)$directed, colors, edges$score, timeout,
            positions = x$positions, slides = x$slides)
}

ms_points <- function(x, ...) UseMethod("ms_points")

ms_points.default <- function(x, neighbors = NULL, radius = NULL, delaunay = FALSE, mutual = FALSE, colors = NULL,
                              slides = NULL, names = rownames(x), timeout = NULL, ...) {
  no_more(...)
  xy <- as.matrix(x)
  if (!is.numeric(xy) || !ncol(xy) %in% 2:3 || !all(is.finite(xy)))
    usage_error("the coordinates have to be two or three columns of finite numbers; leave out points without a place")
  rule <- if (delaunay) 2L else if (is.null(neighbors) && !is.null(radius)) 1L else 0L
  if (!is.null(neighbors) && delaunay) usage_error("`neighbors` and `delaunay` are two rules; give one of them")
  if (mutual && rule) usage_error("`mutual` is for `neighbors`; give it, or leave out `mutual`")
  names <- check_twice(if (is.null(names)) as.character(seq_len(nrow(xy))) else as_names(names, "names"), "names")
  if (length(names) != nrow(xy)) usage_error("`names` has ", length(names), " items, and there are ", nrow(xy), " points")
  number <- if (!is.null(slides)) as.integer(factor(in_order(slides, names, "slides"))) - 1L
  if (anyNA(number)) usage_error("`slides` has NA; each point is on a slide")
  xy <- t(unname(xy))
  storage.mode(xy) <- "double"
  build(list(xy = xy, names = names, slides = number, rule = rule, nearest = neighbors, radius = radius, mutual = mutual),
        FALSE, colors, timeout, positions = xy, slides = number)
}

ms_points.SingleCellExperiment <- function(x, colors = NULL, slides = NULL, coordinates = NULL, ...) {
  cells <- as.data.frame(SummarizedExperiment::colData(x))
  hidden <- SingleCellExperiment::int_colData(x) # where a SpatialExperiment keeps its places
  xy <- if (length(coordinates) == 1) SingleCellExperiment::reducedDim(x, coordinates)[, 1:2]
        else if (!is.null(coordinates)) vapply(coordinates, function(name) as.double(column_of(cells, name, "coordinates")), double(ncol(x)))
        else hidden$spatialCoords
  if (is.null(xy)) usage_error("the object has no spatialCoords; `coordinates` names two columns of colData, or a reducedDim")
  ms_points(unname(as.matrix(xy)), colors = column_of(cells, colors, "colors"),
            slides = column_of(cells, slides, "slides"), names = colnames(x), ...)
}

reading_options <- c("keep_taxon", "header", "no_header", "taxon", "system", "names", "source_column", "target_column",
                     "score_column", "color_attribute", "combine", "direction_column", "aspects", "obo", "slim",
                     "name_column", "color_column", "separator", "ignore_unknown")

ms_read_graph <- function(file, colors = NULL, format = "auto", directed = FALSE, scores = FALSE, min_score = NULL,
                          aliases = NULL, color_format = "auto", graph_options = list(), color_options = list(),
                          memory = NULL, timeout = NULL) {
  by_file <- is.character(colors) && length(colors) == 1
  absolute <- function(path) if (!is.null(path)) normalizePath(path, mustWork = FALSE)
  reading <- list(graph = c(list(format = format, directed = directed, keep_scores = scores, min_score = min_score,
                                 memory = bytes_of(memory)), graph_options),
                  colors = c(list(format = color_format), color_options),
                  colors_path = if (by_file) absolute(colors), aliases = absolute(aliases))
  unknown <- setdiff(names(c(graph_options, color_options)), reading_options)
  if (length(unknown)) usage_error("`", unknown[1], "` is no option of files; the help page lists those that there are")
  path <- absolute(file)
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
  edges <- .Call(r_edges, x$handle)
  ends <- matrix(ms_vertices(x)[edges[[1]]], 2)
  frame <- data.frame(from = ends[1, ], to = ends[2, ])
  if (ms_info(x)$scored) frame$score <- edges[[2]]
  frame
}

print.ms_graph <- function(x, ...) {
  info <- ms_info(x)
  cat(sprintf("<ms_graph: %.0f vertices, %.0f edges%s, %s>\n", info$vertices, info$edges, if (info$directed) " (directed)" else "",
              if (is.null(info$colors)) "no colours" else paste(length(info$colors), "colours")))
  invisible(x)
}
