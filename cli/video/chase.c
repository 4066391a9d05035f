// SPDX-License-Identifier: BSD-3-Clause
#include "video/chase.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cameras.h"
#include "cli.h"

bool cli_video_size(const char* text, int* width, int* height) {
  char* end = NULL;
  const long w = strtol(text, &end, 10);
  if (end == text || *end != 'x') return false;
  const char* second = end + 1;
  const long h = strtol(second, &end, 10);
  if (end == second || *end || w < 1 || w > CLI_VIDEO_MAX_SIDE || h < 1 || h > CLI_VIDEO_MAX_SIDE)
    return false;
  *width = (int)w;
  *height = (int)h;
  return true;
}

rutStatus cli_video_adjust(rutSpec* spec, rutNode camera, const cliVideo* video, rutError* err) {
  int width, height;
  if (video->size && cli_video_size(video->size, &width, &height)) {
    cli_set_number(spec, camera, "width", width, err);
    cli_set_number(spec, camera, "height", height, err);
  }
  if (video->rate > 0) {
    cli_set_number(spec, camera, "period", 1 / video->rate, err);
    cli_set_number(spec, camera, "phase", 0, err);
  }
  return err->status;
}

static double length_of(const cliWorld* world, const char* vehicle) {
  for (int i = 0; i < rut_instance_count(world->model); i++) {
    rutInstanceInfo info;
    rutInstanceBox box;
    rut_instance_info(world->model, i, &info);
    const bool same = strcmp(info.kind, "vehicle") == 0 && strcmp(info.name, vehicle) == 0;
    if (same && rut_instance_box(world->model, world->data, i, &box)) return box.size[0];
  }
  return 4;
}

static const char* const CHASE = "rut_video";

// A camera behind a vehicle and above it, in proportion to its length; it sees the vehicle.
static rutStatus add_chase(cliWorld* world, int vehicle, const cliVideo* video, rutError* err) {
  static const double BEHIND = 2.2, ABOVE = 1.1, DOWN = 0.25 /* [rad] */, RATE = 25 /* [Hz] */;
  const char* name = rut_name(world->model, RUT_VEHICLE, vehicle);
  const double length = length_of(world, name);
  rutSpec* spec = world->spec;
  const rutNode parent = cli_vehicle_node(spec, name);
  if (rut_node_is_null(parent)) {
    snprintf(err->message, sizeof err->message, "vehicle '%.200s' takes no camera", name);
    return err->status = RUT_ERR_MODEL;
  }
  const rutNode eye = rut_spec_add(spec, parent, "sensor", "camera", CHASE, err);
  if (rut_node_is_null(eye)) return err->status;
  cli_set_number(spec, eye, "x", -BEHIND * length, err);
  cli_set_number(spec, eye, "z", ABOVE * length, err);
  cli_set_number(spec, eye, "pitch", DOWN, err);
  cli_set_number(spec, eye, "width", 640, err);
  cli_set_number(spec, eye, "height", 480, err);
  cli_set_number(spec, eye, "period", 1 / RATE, err);
  cli_set_number(spec, eye, "ignore_parent", 0, err);
  return cli_video_adjust(spec, eye, video, err);
}

int cli_video_chase(cliWorld* world, const cliVideo* video, char name[256]) {
  const rutModel* model = world->model;
  const int vehicle = video->chase ? rut_find(model, RUT_VEHICLE, video->chase) : 0;
  if (vehicle < 0) return cli_unknown_element(model, RUT_VEHICLE, "vehicle", video->chase);
  if (rut_count(model, RUT_VEHICLE) == 0) {
    fputs("rut: error: the world has neither a camera nor a vehicle to follow\n", stderr);
    return CLI_INVALID;
  }
  rutError err = {0};
  snprintf(name, 256, "%.200s/%s", rut_name(model, RUT_VEHICLE, vehicle), CHASE);
  const rutStatus status = add_chase(world, vehicle, video, &err);
  return status == RUT_OK ? CLI_GO_ON : cli_report_failure(&world->report, status, &err);
}

int cli_video_compile(cliWorld* world, uint64_t seed) {
  rut_data_destroy(world->data);
  rut_model_destroy(world->model);
  world->data = NULL;
  world->model = NULL;
  const int code = cli_world_compile(world);
  return code == CLI_GO_ON ? cli_world_start(world, seed) : code;
}
