# Calls of the library: limits, progress, errors with remedies, files of the session.

error_classes <- c("ms_usage_error", "ms_input_error", "ms_output_error", "ms_memory_error", "ms_limit_error",
                   "ms_stopped_error", "ms_device_error", "ms_internal_error")

# Parameters of the library whose names differ in R; all others have the same name.
argument_names <- c(required = "require", null_kind = "null", stratum = "strata", slots = "k",
                    least = "min_k", screen_mode = "screen", by_position = "roles", nearest = "neighbors",
                    long_rows = "long", keep_scores = "scores", colors_path = "colors")
constants <- c(MS_METHOD_EXACT = "\"exact\"", MS_METHOD_SIEVE = "\"sieve\"", MS_METHOD_AUTO = "\"auto\"",
               MS_CENSUS_BY_SETS = "sort = \"sets\"", MS_SCREEN_ALWAYS = "screen = \"always\"", MS_SCREEN_NEVER = "screen = \"never\"")

# Signals an error of the library, whose message has the C names of parameters in backquotes.
fail <- function(status, message) {
  for (name in names(argument_names))
    message <- gsub(paste0("`", name, "`"), paste0("`", argument_names[[name]], "`"), message, fixed = TRUE)
  for (name in names(constants)) message <- gsub(name, constants[[name]], message, fixed = TRUE)
  stop(structure(class = c(error_classes[status], "ms_error", "error", "condition"),
                 list(message = sub("^\\(in memory\\): ", "", message), call = NULL, status = status)))
}

usage_error <- function(...) fail(1L, paste0(...))

# Raises what became of a call: an interrupt as R has it, or an error.
check_outcome <- function(outcome) {
  if (outcome[2]) {
    signalCondition(structure(class = c("interrupt", "condition"), list(message = "interrupted", call = NULL)))
    invokeRestart("abort")
  }
  if (outcome[3]) stop("the function `progress` failed, which ended the search: ", attr(outcome, "message"), call. = FALSE)
  if (outcome[1] != 0) fail(outcome[1], attr(outcome, "message"))
}

# Makes the limits of a call: seconds, and a function that shows progress and has `close`.
call_limits <- function(timeout = NULL, progress = interactive()) {
  if (!is.null(timeout) && !(is.numeric(timeout) && length(timeout) == 1 && isTRUE(timeout > 0)))
    usage_error("`timeout` has to be a number of seconds above 0, or NULL")
  # the library calls it, and learns whether the user interrupted it
  guarded <- function(show) function(...) tryCatch({ show(...); FALSE }, interrupt = function(e) TRUE)
  limits <- list(timeout = timeout, progress = if (is.function(progress)) guarded(progress), close = function() NULL)
  if (isTRUE(progress)) {
    bar <- NULL
    now <- ""
    begin <- proc.time()[[3]]
    limits$close <- function() if (!is.null(bar)) { close(bar); bar <<- NULL }
    limits$progress <- guarded(function(what, done, total) {
      if (what != now) { limits$close(); now <<- what }
      if (total == 0 || proc.time()[[3]] - begin < 1) return(invisible())
      if (is.null(bar)) {
        message(what)
        bar <<- utils::txtProgressBar(style = 3, file = stderr())
      }
      utils::setTxtProgressBar(bar, done / total)
    })
  }
  limits
}

# A file of the session, which goes when nothing refers to it any more.
session_file <- function(ending) {
  file <- new.env(parent = emptyenv())
  file$path <- tempfile("motifsieve-", fileext = ending)
  reg.finalizer(file, function(f) unlink(f$path), onexit = TRUE)
  file
}

# "4G" or 4e9 -> bytes
bytes_of <- function(memory) {
  if (!is.character(memory)) return(memory)
  form <- "^([0-9]+([.][0-9]+)?)([KMGT]?)(i?B)?$"
  if (length(memory) != 1 || !grepl(form, memory))
    usage_error("`memory` = \"", memory[1], "\" has to be a number of bytes, such as \"4G\" or \"1.5GB\"")
  floor(as.numeric(sub(form, "\\1", memory)) * 1024^match(sub(form, "\\3", memory), c("K", "M", "G", "T"), nomatch = 0))
}

# Returns the number of a choice, from 0.
choice <- function(value, choices) {
  name <- deparse(substitute(value))
  if (is.null(value)) return(NULL)
  if (!is.character(value) || length(value) != 1 || !value %in% choices)
    usage_error("`", name, "` has to be one of ", paste0("\"", choices, "\"", collapse = ", "))
  match(value, choices) - 1L
}
