// SPDX-License-Identifier: BSD-3-Clause
#include "video/film_moments.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "clock.h"
#include "film.h"
#include "interrupt.h"
#include "progress.h"
#include "video/chase.h"
#include "video/moments.h"

// ---- the world of a log ----

static const char WORLD[] = "world.xml";

// The text of the world; NULL after an error was told. The caller frees it.
static char* read_world(const rutLogFile* file, size_t* size, int* code) {
  enum { LARGEST = 1 << 28 };  // [bytes]
  const int index = rut_log_attachment_find(file, WORLD);
  const uint64_t bytes = index >= 0 ? rut_log_attachment_at(file, index).size : 0;
  if (index < 0 || bytes > LARGEST) {
    fputs(
        "rut: error: the log holds no world, which --chase needs: was it made by rut run --log?\n",
        stderr);
    *code = CLI_INVALID;
    return NULL;
  }
  rutError err = {0};
  char* text = malloc((size_t)bytes + 1);
  rutStatus status = RUT_ERR_MEMORY;
  if (text) status = rut_log_attachment_read(file, index, text, &err);
  *size = (size_t)bytes;
  if (status == RUT_OK) return text;
  free(text);
  *code = cli_tell_failure(status, &err);
  return NULL;
}

// Its files are found from the folder of the log.
static int load_world(cliWorld* world, const rutLogFile* file, const char* path) {
  rutError err = {0};
  size_t size = 0;
  int code = CLI_GO_ON;
  char* text = read_world(file, &size, &code);
  if (!text) return code;
  const rutStatus status = rut_spec_parse(world->context, text, size, path, &world->spec, &err);
  free(text);
  return status == RUT_OK ? CLI_GO_ON : cli_report_failure(&world->report, status, &err);
}

static uint64_t seed_of(const rutLogFile* file) {
  return strtoull(rut_log_metadata(file, "rut", "seed"), NULL, 10);
}

// ---- the film ----

typedef struct Shot {
  cliWorld* world;
  const cliVideo* video;
  cliVideoSummary* summary;
  cliProgress progress;
  cliFilm film;
  int sensor, code;
  int64_t wanted;  // frames
  bool begun;
  rutError err;
} Shot;

static int begin_film(Shot* shot, const rutPicture* picture, double time) {
  cliVideoSummary* s = shot->summary;
  s->start = time;
  s->width = picture->width;
  s->height = picture->height;
  const int code = cli_film_begin(&shot->film, shot->video->output, s->width, s->height, s->rate);
  shot->begun = code == CLI_GO_ON;
  return code;
}

static bool film_moment(const rutMoment* moment, void* user) {
  Shot* shot = user;
  const cliWorld* world = shot->world;
  rutPicture picture = {0};
  rutStatus status = rut_replay_show(world->model, world->data, moment, &shot->err);
  if (status == RUT_OK) {
    status = rut_replay_sample(world->model, world->data, shot->sensor, &shot->err);
  }
  if (status == RUT_OK) {
    status =
        rut_sample_picture(world->model, world->data, shot->sensor, "colour", &picture, &shot->err);
  }
  if (status != RUT_OK) {
    shot->code = cli_tell_failure(status, &shot->err);
    return false;
  }
  if (!shot->begun) shot->code = begin_film(shot, &picture, moment->time);
  if (shot->code == CLI_GO_ON) shot->code = cli_film_put(&shot->film, &picture);
  free(picture.pixel);
  cli_progress_update(&shot->progress, moment->time);
  return shot->code == CLI_GO_ON && shot->film.frames < shot->wanted && !*shot->video->interrupted;
}

static void tell_ruts(cliWorld* world) {
  rutRuts ruts;
  if (!rut_ruts(world->model, world->data, &ruts)) return;
  const rutDiagnostic note = {.level = RUT_WARNING,
                              .file = "",
                              .element = "deformable",
                              .message = "the film shows the ground without ruts",
                              .hint = ""};
  cli_report_finding(&note, &world->report);
}

static int film_world(cliWorld* world, rutLogFile* file, const cliVideo* video,
                      cliVideoSummary* summary) {
  const rutLogInfo log = rut_log_info(file);
  const double from = isnan(video->from) ? log.start : fmax(video->from, log.start);
  const double to = isnan(video->duration) ? log.end : fmin(from + video->duration, log.end);
  Shot shot = {.world = world,
               .video = video,
               .summary = summary,
               .sensor = rut_find(world->model, RUT_SENSOR, summary->camera),
               .code = CLI_GO_ON,
               .film = {.to = -1}};
  const int vehicle = rut_sensor_info(world->model, shot.sensor).vehicle;
  summary->rate = 1 / rut_sensor_info(world->model, shot.sensor).period;
  shot.wanted = (int64_t)fmax(1, floor((to - from) * summary->rate + 1e-6));
  const cliMomentsDef def = {
      .rate = summary->rate, .from = from, .to = to, .seen = film_moment, .user = &shot};
  tell_ruts(world);
  cli_catch_interrupts(video->on_interrupt);
  const double start = cli_clock();
  cli_progress_begin(&shot.progress, to, video->quiet);
  rutError err = {0};
  const rutStatus status = cli_moments_read(file, world->model, vehicle, &def, &err);
  cli_progress_end(&shot.progress);
  int code = status == RUT_OK ? shot.code : cli_tell_failure(status, &err);
  summary->frames = shot.film.frames;
  summary->wall = cli_clock() - start;
  const int ended = shot.begun ? cli_film_end(&shot.film, code == CLI_GO_ON) : CLI_DONE;
  if (code == CLI_GO_ON && ended != CLI_DONE) code = ended;
  if (code == CLI_GO_ON && summary->frames == 0 && !*video->interrupted) {
    fputs("rut: error: the log has no poses in this time\n", stderr);
    return CLI_USAGE;
  }
  return code;
}

int cli_video_of_moments(rutLogFile* file, const char* path, const cliVideo* video,
                         cliVideoSummary* summary) {
  cliWorld world;
  const uint64_t seed = seed_of(file);
  int code = cli_world_open(&world, stderr, video->workers, seed);
  world.report.quiet = video->quiet;
  if (code == CLI_GO_ON) code = cli_world_allow(&world, &video->allowed);
  if (code == CLI_GO_ON) code = cli_world_plugins(&world, &video->plugin);
  if (code == CLI_GO_ON) code = load_world(&world, file, path);
  if (code == CLI_GO_ON) code = cli_world_compile(&world);
  if (code == CLI_GO_ON) code = cli_world_start(&world, seed);
  if (code == CLI_GO_ON) code = cli_video_chase(&world, video, summary->camera);
  if (code == CLI_GO_ON) code = cli_video_compile(&world, seed);
  if (code == CLI_GO_ON) code = film_world(&world, file, video, summary);
  cli_world_close(&world);
  return code;
}
