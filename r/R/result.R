# Results: data frames of result files of all kinds, their reports and their check.

# Makes the data frame of a result file: ms_columns() says what the values of each column are. The last columns of maps
# and of wide rows, those of the pattern's vertices or the slots, have any titles, and names of vertices.
read_result <- function(path, kind) {
  lines <- readLines(path, encoding = "UTF-8", warn = FALSE)
  note <- startsWith(lines, "# ") & !grepl("\t", lines, fixed = TRUE) # a row has a tab
  title <- match(FALSE, note)
  if (title == 1) return(list(count = lines[1]))
  last <- length(lines) - match(FALSE, rev(note)) + 1
  titles <- strsplit(lines[title], "\t", fixed = TRUE)[[1]]
  cells <- rep(list(character()), length(titles))
  if (last > title)
    cells <- scan(path, rep(list(""), length(titles)), sep = "\t", quote = "", skip = title, nlines = last - title,
                  quiet = TRUE, na.strings = character(), comment.char = "", encoding = "UTF-8", multi.line = FALSE)
  header <- stats::setNames(sub("^# [^:]*(: )?", "", lines[note]), sub("^# ([^:]*).*", "\\1", lines[note]))
  types <- ms_columns(kind)
  type <- match(titles, types$name)
  if (kind %in% c("match", "list_wide")) type[length(titles) + 1 - seq_len(size_of(header))] <- NA
  frame <- Map(function(cell, at) cell_values(cell, types[at, ]), cells, type)
  list(columns = structure(frame, names = titles, row.names = seq_len(last - title), class = "data.frame"), header = header)
}

# Returns the number of vertices of a match, by the lines of its file; 0: they do not say it.
size_of <- function(header)
  max(0, as.numeric(c(sub(".*vertices=([0-9]+).*", "\\1", header["pattern"]), header["k"])), na.rm = TRUE)

# Makes values of the texts of a column; type: its row of ms_columns(), NA if there is none.
cell_values <- function(cell, type) {
  if (is.na(type$name)) return(cell)
  if (type$values %in% c("names", "names of vertices")) return(lapply(strsplit(cell, ",", fixed = TRUE), listed))
  if (startsWith(type$values, "whole numbers")) return(lapply(strsplit(cell, ",", fixed = TRUE), as.numeric))
  if (startsWith(type$values, "0 or 1")) return(cell == "1")
  if (grepl("number|the k of", type$values))
    return(utils::type.convert(cell, na.strings = c("NA", ""), as.is = TRUE, numerals = "allow.loss"))
  if (type$values == "a word or NA" || endsWith(type$meaning, ", or NA")) cell[cell == "NA"] <- NA
  cell
}

# Puts the items of a list together again that a comma in double quotes has cut, and takes the quotes off.
listed <- function(items) {
  if (!any(grepl("\"", items, fixed = TRUE))) return(items)
  quotes <- lengths(regmatches(items, gregexpr("\"", items, fixed = TRUE)))
  group <- cumsum(c(0, cumsum(quotes) %% 2)[seq_along(items)] == 0)
  joined <- vapply(split(items, group), paste, "", collapse = ",", USE.NAMES = FALSE)
  inner <- gsub("\"\"", "\"", substr(joined, 2, nchar(joined) - 1), fixed = TRUE)
  ifelse(startsWith(joined, "\""), inner, joined)
}

new_result <- function(file, kind, graph, about) {
  read <- read_result(file$path, kind)
  if (!is.null(read$count)) return(count_of(read$count))
  status <- read$header[["status"]]
  if (grepl("time|memory|space", status))
    warning("the search was stopped (", sub("incomplete: ", "", status), "): each row is right, and there may be more",
            call. = FALSE)
  if (endsWith(kind, "_long") && !"labels" %in% names(read$header)) read$columns$label <- NULL # the names again
  structure(read$columns, class = c("ms_result", "data.frame"),
            motifsieve = c(list(kind = kind, header = read$header, file = file, graph = graph), about))
}

# A number of matches: "12", or ">= 12 (incomplete: time)".
count_of <- function(text) {
  if (startsWith(text, ">"))
    warning("the search was stopped: the number is a lower bound ", sub("^[^(]*", "", text), call. = FALSE)
  digits <- sub("^(>= )?([0-9]+).*", "\\2", text)
  if (as.numeric(digits) > 2^53) structure(as.numeric(digits), digits = digits) else as.numeric(digits)
}

about_of <- function(result) {
  about <- attr(result, "motifsieve")
  if (is.null(about))
    usage_error("this is not a whole result of a search, because rows or columns were chosen or changed; give the result")
  about
}

ms_columns <- function(kind = NULL) {
  columns <- .Call(r_columns, kind)
  if (ncol(columns) > 1) return(stats::setNames(as.data.frame(columns), c("name", "values", "when", "meaning")))
  if (is.null(kind)) return(c(columns))
  usage_error("`kind` has to be one of ", paste0("\"", columns, "\"", collapse = ", "))
}

# Says how sure a result is, by the lines of its file.
ms_assurance <- function(result) {
  about <- about_of(result)
  of <- function(key) if (key %in% names(about$header)) about$header[[key]] else ""
  if (of("status") != "complete") return(paste0(of("status"), "; each row is right, and there may be more"))
  vertices <- size_of(about$header[about$kind != "screen"]) # each of them may be missed
  bound <- as.numeric(sub("[:=].*", "", paste0(of("miss_bound"), "="))) * max(1, vertices)
  if (of("mode") != "screened" || bound == 0) return("complete")
  sprintf("complete, but a row is missed with a chance of at most %.2g", min(1, bound))
}

print.ms_result <- function(x, n = 10, ...) {
  shown <- utils::head(as.data.frame(x), n)
  for (j in which(vapply(shown, is.list, NA))) shown[[j]] <- vapply(shown[[j]], paste, "", collapse = ",")
  header <- attr(x, "motifsieve")$header
  if (!is.null(header)) {
    asked <- sub(" (crc32c|vertices)=.*", "", header[intersect(c("motif", "pattern"), names(header))])
    cat("# ", nrow(x), " rows", if (length(asked)) " of ", asked, ", ", ms_assurance(x), "\n", sep = "")
  }
  print(shown, digits = 4, row.names = FALSE, ...)
  if (nrow(x) > n) cat(sprintf("# ... and %d more rows\n", nrow(x) - n))
  invisible(x)
}

# Rows or columns that were chosen or changed are no longer what the file has.
without_file <- function(x) {
  attr(x, "motifsieve") <- NULL
  x
}
`[.ms_result` <- function(x, ...) without_file(NextMethod())
`[<-.ms_result` <- function(x, ..., value) without_file(NextMethod())
`[[<-.ms_result` <- function(x, ..., value) without_file(NextMethod())
`$<-.ms_result` <- function(x, name, value) without_file(NextMethod())

as.data.frame.ms_result <- function(x, ...) structure(x, class = "data.frame", motifsieve = NULL)

# Checks a result, and writes its page unless this is ""; returns numbers about the check, and the reason of a refusal.
inspect <- function(result, page, given, timeout, progress) {
  about <- about_of(result)
  graph <- about$graph
  given[c("pattern", "aliases")] <- list(about$pattern, graph$reading$aliases)
  given["metadata"] <- list(if (!is.null(graph)) about$table$path)
  paths <- c(about$file$path, if (is.null(graph)) about$table$path else graph$path, graph$reading$colors_path)
  reading <- if (is.null(graph)) about$reading else graph$reading
  limits <- call_limits(timeout, progress)
  on.exit(limits$close())
  done <- .Call(r_report, c(paths, if (length(paths) < 3) "", page), given, reading, limits)
  check_outcome(done[[1]])
  done[-1]
}

ms_verify <- function(result, recount = TRUE, timeout = NULL, progress = interactive()) {
  if (!is.null(about_of(result)$strata))
    usage_error("a census with strata in memory cannot be checked; with the tool, the file of colours has a column of them")
  verdict <- inspect(result, "", list(no_recount = !recount), timeout, progress)
  outcome <- c("refused", "accepted", "unfinished")[verdict[[1]][1] + 1]
  data.frame(accepted = outcome == "accepted", outcome = outcome,
             completeness = c("not stated", "bounded", "believed", "proved")[verdict[[1]][2] + 1],
             rows = verdict[[1]][3], problem = verdict[[2]])
}

ms_report <- function(result, file, verify = TRUE, recount_seconds = 10, rows = NULL, edges = NULL, timeout = NULL,
                      progress = interactive()) {
  about <- about_of(result)
  given <- list(no_verify = !verify || !is.null(about$strata), seconds = recount_seconds, flag_seconds = recount_seconds,
                rows = rows, edges = edges)
  has_vertices <- any(c("vertex", "match") %in% ms_columns(about$kind)$name) && !about$kind %in% c("census_vertex", "orbits")
  if (!is.null(about$graph$positions) && has_vertices)
    given[c("xy", "slides", "names")] <- list(about$graph$positions, about$graph$slides, ms_vertices(about$graph))
  verdict <- inspect(result, path.expand(file), given, timeout, progress)
  if (!verdict[[1]][4])
    message("the library was built without cytoscape.js: the report has tables, and no drawings of networks")
  invisible(file)
}

ms_write <- function(x, file) {
  path <- path.expand(file)
  if (!inherits(x, "ms_graph")) {
    if (!file.copy(about_of(x)$file$path, path, overwrite = TRUE)) fail(3L, paste0(file, " cannot be written"))
    return(invisible(file))
  }
  formats <- c(msb = "binary", graphml = "graphml", tsv = "edge-list", tve = "tve", sif = "sif")
  format <- formats[sub(".*\\.", "", sub("\\.(gz|zst)$", "", file))]
  if (is.na(format)) usage_error("`file` = \"", file, "\" has to end in .", paste(names(formats), collapse = ", ."))
  check_outcome(.Call(r_write_graph, x$handle, path, unname(format)))
  invisible(file)
}

ms_library <- function() stats::setNames(.Call(r_library), c("version", "gpus"))
