// SPDX-License-Identifier: BSD-3-Clause
#include "world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "rut/host.h"

int cli_world_open(cliWorld* world, FILE* out, int64_t workers, uint64_t seed) {
  memset(world, 0, sizeof *world);
  cli_report_open(&world->report, out);
  rutContextDef def = rut_default_context();
  def.report = cli_report_finding;
  def.user = &world->report;
  def.workers = (int)workers;
  def.seed = seed;
  rutError err = {0};
  rutStatus status = rut_context_create(&def, &world->context, &err);
  return status == RUT_OK ? CLI_GO_ON : cli_report_failure(&world->report, status, &err);
}

// RUT_MODELS: folders with colons between them, after those of the command line. It may be set for
// many machines, so that a folder that is not there is a warning.
static void add_models_of_environment(cliWorld* world) {
  const char* folders = getenv("RUT_MODELS");
  while (folders && *folders) {
    const size_t length = strcspn(folders, ":");
    char folder[4096];
    snprintf(folder, sizeof folder, "%.*s", (int)length, folders);
    rutError err = {0};
    if (length > 0 && rut_context_add_models(world->context, folder, &err) != RUT_OK) {
      const rutDiagnostic finding = {.level = RUT_WARNING,
                                     .file = "",
                                     .element = "RUT_MODELS",
                                     .message = err.message,
                                     .hint = ""};
      cli_report_finding(&finding, &world->report);
    }
    folders += length + (folders[length] == ':');
  }
}

int cli_world_allow(cliWorld* world, const cliAllowed* allowed) {
  rutError err = {0};
  rutStatus status = RUT_OK;
  for (int i = 0; i < allowed->dir.n && status == RUT_OK; i++) {
    status = rut_context_allow_dir(world->context, allowed->dir.item[i], &err);
  }
  for (int i = 0; i < allowed->env.n && status == RUT_OK; i++) {
    status = rut_context_allow_env(world->context, allowed->env.item[i], &err);
  }
  for (int i = 0; i < allowed->models.n && status == RUT_OK; i++) {
    status = rut_context_add_models(world->context, allowed->models.item[i], &err);
  }
  if (status == RUT_OK) add_models_of_environment(world);
  return status == RUT_OK ? CLI_GO_ON : cli_report_failure(&world->report, status, &err);
}

int cli_world_plugins(cliWorld* world, const cliList* plugins) {
  for (int i = 0; i < plugins->n; i++) {
    rutError err = {0};
    rutStatus status = rut_plugin_load(world->context, plugins->item[i], &err);
    if (status == RUT_OK) continue;
    int code = cli_report_failure(&world->report, status, &err);
    // the fault is in the plug-in, not on the command line
    return code == CLI_USAGE ? CLI_INVALID : code;
  }
  return CLI_GO_ON;
}

rutStatus cli_context_create(const cliAllowed* allowed, const cliList* plugins, int workers,
                             uint64_t seed, rutContext** out, rutError* err) {
  rutContextDef def = rut_default_context();
  def.seed = seed;
  def.workers = workers;
  *out = NULL;
  cliWorld world = {.context = NULL};
  const rutStatus status = rut_context_create(&def, &world.context, err);
  if (status != RUT_OK) return status;
  cli_report_open(&world.report, stderr);
  world.report.silent = true;
  int code = cli_world_allow(&world, allowed);
  if (code == CLI_GO_ON) code = cli_world_plugins(&world, plugins);
  cli_report_close(&world.report);
  if (code == CLI_GO_ON) {
    *out = world.context;
    return RUT_OK;
  }
  rut_context_destroy(world.context);
  if (err) {
    err->status = RUT_ERR_ARGUMENT;
    snprintf(err->message, sizeof err->message, "what the command line allows cannot be had");
  }
  return RUT_ERR_ARGUMENT;
}

int cli_world_load(cliWorld* world, const char* path, const cliList* settings) {
  rutError err = {0};
  rutStatus status = rut_world_load(world->context, path, settings ? settings->n : 0,
                                    settings ? settings->item : NULL, &world->spec, &err);
  return status == RUT_OK ? CLI_GO_ON : cli_report_failure(&world->report, status, &err);
}

int cli_world_compile(cliWorld* world) {
  rutError err = {0};
  rutStatus status = rut_compile(world->spec, &world->model, &err);
  if (status == RUT_OK) return CLI_GO_ON;
  int code = cli_report_failure(&world->report, status, &err);
  // a value out of range is a fault of the file, not of the command line
  return code == CLI_USAGE ? CLI_INVALID : code;
}

int cli_world_start(cliWorld* world, uint64_t seed) {
  world->data = rut_data_create(world->model);
  if (!world->data) {
    rutError err = {.status = RUT_ERR_MEMORY};
    return cli_report_failure(&world->report, RUT_ERR_MEMORY, &err);
  }
  if (seed != 0) rut_data_reset(world->model, world->data, seed);
  return CLI_GO_ON;
}

void cli_world_watch(cliWorld* world, bool watched) {
  for (int i = 0; i < rut_count(world->model, RUT_SENSOR); i++) {
    rut_sensor_watch(world->model, world->data, i, watched);
  }
}

void cli_world_unload(cliWorld* world) {
  if (world->data) rut_data_destroy(world->data);
  if (world->model) rut_model_destroy(world->model);
  if (world->spec) rut_spec_destroy(world->spec);
  world->data = NULL;
  world->model = NULL;
  world->spec = NULL;
}

const char* cli_base_name(const char* path) {
  const char* slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

void cli_world_close(cliWorld* world) {
  cli_world_unload(world);
  if (world->context) rut_context_destroy(world->context);
  world->context = NULL;
  cli_report_close(&world->report);
}

bool cli_loggers_wanted(cliWorld* world, const rutLoggers* loggers, const char* folder) {
  const int n = rut_loggers_count(loggers);
  rutDiagnostic note = {.level = RUT_NOTE, .file = "", .hint = ""};
  if (n > 0 && !folder) note.message = "this world names logs, which --output DIR would write";
  if (n == 0 && folder) note.message = "this world names no logs for --output";
  if (note.message) cli_report_finding(&note, &world->report);
  return n > 0 && folder;
}
