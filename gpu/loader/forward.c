/* The calls of gpu/gpu.h and of sessions, passed on to the plug-in. */
#include "gpu/loader/loader.h"

#include <stdio.h>

int ms_gpu_device_count(void)
{
  const ms_gpu_plugin *plugin = ms_gpu_plugin_load();
  return plugin ? plugin->device_count() : 0;
}

const char *ms_gpu_describe(void)
{
  static _Thread_local char text[sizeof((ms_error *)0)->message];
  const ms_gpu_plugin *plugin = ms_gpu_plugin_load();
  if (plugin)
    return plugin->describe();
  snprintf(text, sizeof text, "none: %s", ms_gpu_plugin_fault());
  return text;
}

ms_status ms_gpu_check_named(const int *named, uint32_t count, ms_error *err)
{
  if (count == 0)
    return MS_OK;
  const ms_gpu_plugin *plugin = ms_gpu_plugin_load();
  return plugin ? plugin->check_named(named, count, err)
                : ms_fail(err, MS_ERR_USAGE, "there is no GPU %d (none: %s); leave out `devices`",
                          named[0], ms_gpu_plugin_fault());
}

void ms_gpu_start_first(void)
{
  const ms_gpu_plugin *plugin = ms_gpu_plugin_load();
  if (plugin)
    plugin->start();
}

ms_status ms_gpu_device_at(int device, ms_gpu_device *out, ms_error *err)
{
  const ms_gpu_plugin *plugin = ms_gpu_plugin_load();
  *out = (ms_gpu_device){0};
  return plugin ? plugin->device_at(device, out, err) : ms_gpu_plugin_fail(err);
}

ms_status ms_gpu_device_facts(int device, ms_gpu_device *out, ms_error *err)
{
  const ms_gpu_plugin *plugin = ms_gpu_plugin_load();
  *out = (ms_gpu_device){0};
  return plugin ? plugin->device_facts(device, out, err) : ms_gpu_plugin_fail(err);
}

/* ---- pruning -------------------------------------------------------------------------------- */

ms_status ms_gpu_prune(ms_instance *whole, const ms_gpu_prune_options *options, ms_instance *to,
                       uint32_t *components, ms_gpu_rows **rows, ms_error *err)
{
  const ms_gpu_plugin *plugin = ms_gpu_plugin_load();
  *rows = NULL;
  return plugin ? plugin->prune(whole, options, to, components, rows, err) : MS_OK;
}

void ms_gpu_rows_free(ms_gpu_rows *rows)
{
  if (rows)
    ms_gpu_plugin_loaded()->rows_free(rows);
}

/* ---- measuring ------------------------------------------------------------------------------ */

uint32_t ms_gpu_line_count(void)
{
  const ms_gpu_plugin *plugin = ms_gpu_plugin_load();
  return plugin ? plugin->line_count() : 0;
}

const ms_gpu_line *ms_gpu_line_at(uint32_t index)
{
  const ms_gpu_plugin *plugin = ms_gpu_plugin_load();
  return plugin ? plugin->line_at(index) : NULL;
}

ms_status ms_gpu_products(int device, uint32_t line, double seconds, double *rate, ms_error *err)
{
  const ms_gpu_plugin *plugin = ms_gpu_plugin_load();
  *rate = 0;
  return plugin ? plugin->products(device, line, seconds, rate, err) : ms_gpu_plugin_fail(err);
}

ms_status ms_gpu_measure(int device, uint64_t bytes, double seconds, ms_gpu_ceilings *out,
                         ms_error *err)
{
  const ms_gpu_plugin *plugin = ms_gpu_plugin_load();
  *out = (ms_gpu_ceilings){0};
  return plugin ? plugin->measure(device, bytes, seconds, out, err) : ms_gpu_plugin_fail(err);
}

/* ---- sessions ------------------------------------------------------------------------------- */

bool ms_gpu_session_takes(const ms_motif *motif)
{
  const ms_gpu_plugin *plugin = ms_gpu_plugin_load();
  return plugin && plugin->session_takes(motif);
}

ms_status ms_gpu_session_open(const ms_graph *graph, const ms_coloring *coloring, int device,
                              int threads, uint64_t memory, ms_gpu_session **out, ms_error *err)
{
  const ms_gpu_plugin *plugin = ms_gpu_plugin_load();
  *out = NULL;
  return plugin ? plugin->session_open(graph, coloring, device, threads, memory, out, err)
                : ms_gpu_plugin_fail(err);
}

void ms_gpu_session_close(ms_gpu_session *session)
{
  if (session)
    ms_gpu_plugin_loaded()->session_close(session);
}

/* Whoever has a session has the plug-in. */

uint32_t ms_gpu_session_batch(const ms_gpu_session *session)
{
  return ms_gpu_plugin_loaded()->session_batch(session);
}

ms_status ms_gpu_session_begin(ms_gpu_session *session, const ms_motif *const *motif,
                               uint32_t count, ms_error *err)
{
  return ms_gpu_plugin_loaded()->session_begin(session, motif, count, err);
}

ms_status ms_gpu_session_end(ms_gpu_session *session, ms_gpu_answer *answer, ms_error *err)
{
  return ms_gpu_plugin_loaded()->session_end(session, answer, err);
}
