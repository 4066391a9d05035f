// SPDX-License-Identifier: BSD-3-Clause
#include "video/film_world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cameras.h"
#include "cli.h"
#include "clock.h"
#include "film.h"
#include "interrupt.h"
#include "progress.h"
#include "video/chase.h"

// Choose the camera, or add one, and compile the world with it. *name gets its full name.
static int choose_camera(cliWorld* world, const cliVideo* video, char name[256]) {
  rutError err = {0};
  const rutModel* model = world->model;
  const int seen = video->chase ? -1 : cli_find_sensor(model, RUT_FORM_IMAGE, video->camera);
  if (video->camera && seen < 0) {
    return cli_unknown_element(model, RUT_SENSOR, "camera", video->camera);
  }
  int code = CLI_GO_ON;
  if (seen >= 0) {
    snprintf(name, 256, "%.255s", rut_name(model, RUT_SENSOR, seen));
    const rutNode node = cli_sensor_node(world->spec, model, seen);
    if (!rut_node_is_null(node)) cli_video_adjust(world->spec, node, video, &err);
    if (err.status != RUT_OK) code = cli_report_failure(&world->report, err.status, &err);
  } else {
    code = cli_video_chase(world, video, name);
  }
  return code == CLI_GO_ON ? cli_video_compile(world, (uint64_t)video->seed) : code;
}

typedef struct Shot {
  cliWorld* world;
  const cliVideo* video;
  rutInputs* inputs;
  cliProgress progress;
  cliFilm film;
  int sensor;
  double watched_from;  // [s] other samples are not taken
  int64_t wanted;       // frames
  double stamp;         // of the last sample [s]
  rutPicture held;      // owned: its picture
  bool begun;
} Shot;

// Show the newest picture in all frames up to a number.
static int hold(Shot* shot, int64_t frames) {
  int code = CLI_GO_ON;
  while (code == CLI_GO_ON && shot->film.frames < frames && shot->film.frames < shot->wanted) {
    code = cli_film_put(&shot->film, &shot->held);
  }
  return code;
}

// The sample that has become visible, if there is one. Where samples are missing or rarer than
// frames, the one before is shown for longer.
static int film_sample(Shot* shot, cliVideoSummary* summary) {
  const cliWorld* world = shot->world;
  double stamp = -1;
  rut_sensor_output(world->model, world->data, shot->sensor, 0, &stamp);
  const double from = isnan(shot->video->from) ? 0 : shot->video->from;
  if (stamp < 0 || stamp == shot->stamp || stamp < from - 1e-9) return CLI_GO_ON;
  rutError err = {0};
  rutPicture picture;
  const rutStatus status =
      rut_sample_picture(world->model, world->data, shot->sensor, "colour", &picture, &err);
  if (status != RUT_OK) return cli_tell_failure(status, &err);
  int code = CLI_GO_ON;
  if (!shot->begun) {
    summary->start = stamp;
    summary->width = picture.width;
    summary->height = picture.height;
    code = cli_film_begin(&shot->film, shot->video->output, picture.width, picture.height,
                          summary->rate);
    shot->begun = code == CLI_GO_ON;
  }
  if (code == CLI_GO_ON) code = hold(shot, llround((stamp - summary->start) * summary->rate));
  const bool wanted = shot->film.frames < shot->wanted;
  if (code == CLI_GO_ON && wanted) code = cli_film_put(&shot->film, &picture);
  shot->stamp = stamp;
  free(shot->held.pixel);
  shot->held = picture;
  return code;
}

static int step_world(Shot* shot, double end, cliVideoSummary* summary) {
  cliWorld* world = shot->world;
  rutError err = {0};
  int code = CLI_GO_ON;
  while (code == CLI_GO_ON && !*shot->video->interrupted && rut_time(world->data) < end &&
         shot->film.frames < shot->wanted) {
    rutStatus status = RUT_OK;
    if (rut_time(world->data) >= shot->watched_from) {
      rut_sensor_watch(world->model, world->data, shot->sensor, true);
    }
    if (shot->inputs) status = rut_inputs_apply(shot->inputs, world->model, world->data);
    if (status == RUT_OK) status = rut_step(world->model, world->data, &err);
    if (status != RUT_OK) return cli_report_failure(&world->report, status, &err);
    code = film_sample(shot, summary);
    cli_progress_update(&shot->progress, rut_time(world->data));
  }
  return code;
}

// Half a step more than the end, so that its last sample is in it.
static int film_world(cliWorld* world, const cliVideo* video, cliVideoSummary* summary) {
  const rutSensorInfo info =
      rut_sensor_info(world->model, rut_find(world->model, RUT_SENSOR, summary->camera));
  const double from = isnan(video->from) ? 0 : video->from;
  const double whole = rut_node_number(world->spec, rut_spec_root(world->spec), "duration");
  const double length = isnan(video->duration) ? whole - from : video->duration;
  Shot shot = {.world = world,
               .video = video,
               .sensor = rut_find(world->model, RUT_SENSOR, summary->camera),
               .stamp = -1,
               .film = {.to = -1}};
  if (!(length > 0) || shot.sensor < 0) {
    fprintf(stderr, "rut: error: the film has no length: the run ends at %g s\n", whole);
    return CLI_USAGE;
  }
  summary->rate = 1 / info.period;
  shot.watched_from = from - info.latency - 2 * info.period - 3 * rut_model_timestep(world->model);
  shot.wanted = (int64_t)fmax(1, floor(length * summary->rate + 1e-6));
  const double end = from + length + info.phase + info.latency + 2 * info.period;
  rutError err = {0};
  if (video->inputs) {
    const rutStatus status = rut_inputs_load(world->model, video->inputs, &shot.inputs, &err);
    if (status != RUT_OK) return cli_report_failure(&world->report, status, &err);
  }
  cli_catch_interrupts(video->on_interrupt);
  const double start = cli_clock();
  cli_world_watch(world, false);
  cli_progress_begin(&shot.progress, from + length, video->quiet);
  int code = step_world(&shot, end, summary);
  if (code == CLI_GO_ON && shot.begun && !*video->interrupted) code = hold(&shot, shot.wanted);
  free(shot.held.pixel);
  cli_progress_end(&shot.progress);
  rut_inputs_destroy(shot.inputs);
  summary->frames = shot.film.frames;
  summary->wall = cli_clock() - start;
  const int ended = shot.begun ? cli_film_end(&shot.film, code == CLI_GO_ON) : CLI_DONE;
  if (code == CLI_GO_ON || code == CLI_IO) code = ended == CLI_DONE ? code : ended;
  if (code == CLI_GO_ON && summary->frames == 0 && !*video->interrupted) {
    fputs("rut: error: no image was taken in this time\n", stderr);
    return CLI_USAGE;
  }
  return code;
}

int cli_video_of_world(const char* path, const cliVideo* video, cliVideoSummary* summary) {
  cliWorld world;
  int code = cli_world_open(&world, stderr, video->workers, 0);
  world.report.quiet = video->quiet;
  if (code == CLI_GO_ON) code = cli_world_allow(&world, &video->allowed);
  if (code == CLI_GO_ON) code = cli_world_plugins(&world, &video->plugin);
  if (code == CLI_GO_ON) code = cli_world_load(&world, path, &video->set);
  if (code == CLI_GO_ON) code = cli_world_compile(&world);
  if (code == CLI_GO_ON) code = cli_world_start(&world, (uint64_t)video->seed);
  if (code == CLI_GO_ON && rut_context_has_read(world.context, video->output)) {
    code = cli_usage_error(&cli_verb_video, "'%s' is a file that the world was read from",
                           video->output);
  }
  if (code == CLI_GO_ON) code = choose_camera(&world, video, summary->camera);
  if (code == CLI_GO_ON) code = film_world(&world, video, summary);
  cli_world_close(&world);
  return code;
}
