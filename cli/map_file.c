// SPDX-License-Identifier: BSD-3-Clause
#include "map_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"

// A context for a thread, which may read what the command line allows.
static rutStatus open_context(rutContext** out, void* user, rutError* err) {
  const cliMap* map = user;
  const rutContextDef def = rut_default_context();
  const rutStatus status = rut_context_create(&def, out, err);
  if (status != RUT_OK) return status;
  cliWorld world = {.context = *out};
  world.report.quiet = true;
  if (cli_world_allow(&world, map->allowed) == CLI_GO_ON) return RUT_OK;
  rut_context_destroy(*out);
  *out = NULL;
  if (err) {
    err->status = RUT_ERR_ARGUMENT;
    snprintf(err->message, sizeof err->message, "what the command line allows cannot be had");
  }
  return RUT_ERR_ARGUMENT;
}

// Rasters that do not reach over all of the elevation model.
static void warn_of_layers(const rutMap* map) {
  for (int i = 0; i < RUT_MAP_LAYERS; i++) {
    const rutMapLayerInfo layer = rut_map_layer(map, i);
    if (layer.outside == 0) continue;
    fprintf(stderr,
            "rut: warning: layer '%s' does not cover %" PRId64
            " cells of the elevation model, which have no data\n",
            layer.type, layer.outside);
  }
}

int cli_map_open(cliMap* map, const char* path, const cliAllowed* allowed, bool quiet) {
  *map = (cliMap){.allowed = allowed};
  int code = cli_world_open(&map->world, stderr, 1, 0);
  map->world.report.quiet = quiet;
  if (code == CLI_GO_ON) code = cli_world_allow(&map->world, allowed);
  if (code != CLI_GO_ON) return code;
  rutError err = {0};
  const rutMapHost host = {open_context, map};
  const rutStatus status = rut_map_load(map->world.context, path, &host, &map->map, &err);
  if (status == RUT_OK) {
    if (!quiet) warn_of_layers(map->map);
    return CLI_GO_ON;
  }
  code = cli_report_failure(&map->world.report, status, &err);
  return code == CLI_USAGE ? CLI_INVALID : code;
}

void cli_map_close(cliMap* map) {
  rut_map_destroy(map->map);
  map->map = NULL;
  cli_world_close(&map->world);
}
