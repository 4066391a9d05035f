// SPDX-License-Identifier: BSD-3-Clause
//
// rut video: a film from a camera of a world, from a camera behind a vehicle, or of the images in a
// log.
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "cameras.h"
#include "cli.h"
#include "clock.h"
#include "film.h"
#include "images.h"
#include "interrupt.h"
#include "json.h"
#include "progress.h"
#include "rut/host.h"
#include "text.h"
#include "world.h"

typedef struct VideoOptions {
  const char *output, *camera, *chase, *size, *inputs;
  double rate, duration, from;
  int64_t seed, workers;
  bool json, quiet;
  cliList set, plugin;
  cliAllowed allowed;
} VideoOptions;

enum { MAX_SIDE = 4096 };

static const cliOption options[] = {
    {"output", 'o', CLI_TEXT, "FILE", 0, 0, offsetof(VideoOptions, output),
     "the film: .mp4, .mkv, .mov, .webm, .gif; or FOLDER/ for numbered .png"},
    {"camera", 'c', CLI_TEXT, "NAME", 0, 0, offsetof(VideoOptions, camera),
     "camera to film with (default: the first one)"},
    {"chase", 0, CLI_TEXT, "VEHICLE", 0, 0, offsetof(VideoOptions, chase),
     "film from behind this vehicle (default where there is no camera: the first one)"},
    {"rate", 'r', CLI_NUMBER, "HZ", 1e-3, 1000, offsetof(VideoOptions, rate),
     "frames per simulated second (default: as the camera has them, 25 from behind)"},
    {"size", 0, CLI_TEXT, "WxH", 0, 0, offsetof(VideoOptions, size),
     "pixels (default: those of the camera, 640x480 from behind)"},
    {"from", 0, CLI_NUMBER, "S", 0, 1e9, offsetof(VideoOptions, from),
     "simulated time at which the film begins (default 0)"},
    {"duration", 'd', CLI_NUMBER, "S", 1e-3, 1e9, offsetof(VideoOptions, duration),
     "length of the film (default: to the end of the run)"},
    {"inputs", 'i', CLI_TEXT, "FILE.csv", 0, 0, offsetof(VideoOptions, inputs),
     "set points over time, as for rut run"},
    {"set", 's', CLI_TEXTS, "PATH=VALUE", 0, 0, offsetof(VideoOptions, set),
     "change a field of the world; may be repeated"},
    {"seed", 0, CLI_INTEGER, "N", 0, 9e15, offsetof(VideoOptions, seed),
     "seed of all noise (default 0)"},
    {"workers", 'w', CLI_INTEGER, "N", 1, 1024, offsetof(VideoOptions, workers),
     "threads; the film is the same for any number (default 1)"},
    {"json", 'j', CLI_FLAG, "", 0, 0, offsetof(VideoOptions, json),
     "print the summary as a JSON object"},
    {"quiet", 'q', CLI_FLAG, "", 0, 0, offsetof(VideoOptions, quiet), "no progress, no warnings"},
    {"plugin", 0, CLI_TEXTS, "FILE.so", 0, 0, offsetof(VideoOptions, plugin),
     "load component types from a shared library; may be repeated"},
    CLI_ALLOW_OPTIONS(VideoOptions, allowed),
};

static volatile sig_atomic_t interrupted;
static void on_interrupt(int signal_number) {
  (void)signal_number;
  interrupted = 1;
}

// What was filmed.
typedef struct Summary {
  char camera[256];
  double rate, start, wall;
  int width, height;
  int64_t frames;
} Summary;

static void print_summary(const VideoOptions* option, const Summary* s) {
  if (!option->json) {
    printf("%" PRId64 " frames of %d x %d at %.6g Hz by '%s', from %.6g s on, in %.3g s: %s\n",
           s->frames, s->width, s->height, s->rate, CLI_CLEAN(s->camera), s->start, s->wall,
           CLI_CLEAN(option->output));
    return;
  }
  cliJson json;
  cli_json_init(&json, stdout);
  cli_json_object(&json, NULL);
  cli_json_text(&json, "film", option->output);
  cli_json_text(&json, "camera", s->camera);
  cli_json_integer(&json, "frames", s->frames);
  cli_json_number(&json, "rate", s->rate);
  cli_json_integer(&json, "width", s->width);
  cli_json_integer(&json, "height", s->height);
  cli_json_number(&json, "start", s->start);
  cli_json_number(&json, "duration", (double)s->frames / s->rate);
  cli_json_number(&json, "wall_time", s->wall);
  cli_json_end(&json);
}

// "640x480". False if it is none.
static bool read_size(const char* text, int* width, int* height) {
  char* end = NULL;
  const long w = strtol(text, &end, 10);
  if (end == text || *end != 'x') return false;
  const char* second = end + 1;
  const long h = strtol(second, &end, 10);
  if (end == second || *end || w < 1 || w > MAX_SIDE || h < 1 || h > MAX_SIDE) return false;
  *width = (int)w;
  *height = (int)h;
  return true;
}

// ---- the camera of a world ----

// Size and rate that were asked for; a camera with another rate has other frames.
static rutStatus adjust(rutSpec* spec, rutNode node, const VideoOptions* option, rutError* err) {
  int width, height;
  if (option->size && read_size(option->size, &width, &height)) {
    cli_set_number(spec, node, "width", width, err);
    cli_set_number(spec, node, "height", height, err);
  }
  if (option->rate > 0) {
    cli_set_number(spec, node, "period", 1 / option->rate, err);
    cli_set_number(spec, node, "phase", 0, err);
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
static rutStatus add_chase(cliWorld* world, int vehicle, const VideoOptions* option,
                           rutError* err) {
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
  return adjust(spec, eye, option, err);
}

// Choose the camera, or add one, and compile the world with it. *name gets its full name.
static int choose_camera(cliWorld* world, const VideoOptions* option, char name[256]) {
  rutError err = {0};
  rutStatus status = RUT_OK;
  const rutModel* model = world->model;
  const int seen = option->chase ? -1 : cli_find_sensor(model, RUT_FORM_IMAGE, option->camera);
  if (option->camera && seen < 0)
    return cli_unknown_element(model, RUT_SENSOR, "camera", option->camera);
  if (seen >= 0) {
    snprintf(name, 256, "%.255s", rut_name(model, RUT_SENSOR, seen));
    const rutNode node = cli_sensor_node(world->spec, model, seen);
    if (!rut_node_is_null(node)) status = adjust(world->spec, node, option, &err);
  } else {
    const int vehicle = option->chase ? rut_find(model, RUT_VEHICLE, option->chase) : 0;
    if (vehicle < 0) return cli_unknown_element(model, RUT_VEHICLE, "vehicle", option->chase);
    if (rut_count(model, RUT_VEHICLE) == 0) {
      fputs("rut: error: the world has neither a camera nor a vehicle to follow\n", stderr);
      return CLI_INVALID;
    }
    snprintf(name, 256, "%.200s/%s", rut_name(model, RUT_VEHICLE, vehicle), CHASE);
    status = add_chase(world, vehicle, option, &err);
  }
  if (status != RUT_OK) return cli_report_failure(&world->report, status, &err);
  rut_data_destroy(world->data);
  rut_model_destroy(world->model);
  world->data = NULL;
  world->model = NULL;
  const int code = cli_world_compile(world);
  return code == CLI_GO_ON ? cli_world_start(world, (uint64_t)option->seed) : code;
}

// ---- the film of a world ----

typedef struct Shot {
  cliWorld* world;
  const VideoOptions* option;
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
static int film_sample(Shot* shot, Summary* summary) {
  const cliWorld* world = shot->world;
  double stamp = -1;
  rut_sensor_output(world->model, world->data, shot->sensor, 0, &stamp);
  const double from = isnan(shot->option->from) ? 0 : shot->option->from;
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
    code = cli_film_begin(&shot->film, shot->option->output, picture.width, picture.height,
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

static int step_world(Shot* shot, double end, Summary* summary) {
  cliWorld* world = shot->world;
  rutError err = {0};
  int code = CLI_GO_ON;
  while (code == CLI_GO_ON && !interrupted && rut_time(world->data) < end &&
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
static int film_world(cliWorld* world, const VideoOptions* option, Summary* summary) {
  const rutSensorInfo info =
      rut_sensor_info(world->model, rut_find(world->model, RUT_SENSOR, summary->camera));
  const double from = isnan(option->from) ? 0 : option->from;
  const double whole = rut_node_number(world->spec, rut_spec_root(world->spec), "duration");
  const double length = isnan(option->duration) ? whole - from : option->duration;
  Shot shot = {.world = world,
               .option = option,
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
  if (option->inputs) {
    const rutStatus status = rut_inputs_load(world->model, option->inputs, &shot.inputs, &err);
    if (status != RUT_OK) return cli_report_failure(&world->report, status, &err);
  }
  cli_catch_interrupts(on_interrupt);
  const double start = cli_clock();
  cli_world_watch(world, false);
  cli_progress_begin(&shot.progress, from + length, option->quiet);
  int code = step_world(&shot, end, summary);
  if (code == CLI_GO_ON && shot.begun && !interrupted) code = hold(&shot, shot.wanted);
  free(shot.held.pixel);
  cli_progress_end(&shot.progress);
  rut_inputs_destroy(shot.inputs);
  summary->frames = shot.film.frames;
  summary->wall = cli_clock() - start;
  const int ended = shot.begun ? cli_film_end(&shot.film, code == CLI_GO_ON) : CLI_DONE;
  if (code == CLI_GO_ON || code == CLI_IO) code = ended == CLI_DONE ? code : ended;
  if (code == CLI_GO_ON && summary->frames == 0) {
    fputs("rut: error: no image was taken in this time\n", stderr);
    return CLI_USAGE;
  }
  return code;
}

// ---- the film of a log ----

// Rate of images, and the time of the first one.
static double rate_of(rutLogFile* file, int channel, double* first) {
  rutLogMessage message;
  const rutLogChannel c = rut_log_channel_at(file, channel);
  *first = rut_log_message_at(file, channel, -1e300, &message) ? message.time : 0;
  const double last = rut_log_message_at(file, channel, 1e300, &message) ? message.time : 0;
  return c.messages > 1 && last > *first ? (double)(c.messages - 1) / (last - *first) : 1;
}

// A film that is made of the images in a log.
typedef struct Reel {
  rutLogFile* file;
  const VideoOptions* option;
  Summary* summary;
  cliFilm film;
  bool begun;
  rutPicture held;  // owned: the newest image
} Reel;

// Show the newest image up to a time.
static int show(Reel* reel, double until) {
  const Summary* s = reel->summary;
  int code = CLI_GO_ON;
  while (code == CLI_GO_ON && reel->begun && !interrupted &&
         s->start + (double)reel->film.frames / s->rate < until - 1e-6) {
    code = cli_film_put(&reel->film, &reel->held);
  }
  return code;
}

// Take the next image, after the one before was shown up to its time.
static int take_image(Reel* reel, const rutLogMessage* message) {
  int code = show(reel, message->time);
  if (code != CLI_GO_ON) return code;
  rutError err = {0};
  free(reel->held.pixel);
  const rutStatus status = rut_log_picture(reel->file, message, &reel->held, &err);
  if (status != RUT_OK) return cli_tell_failure(status, &err);
  if (reel->begun) return CLI_GO_ON;
  Summary* s = reel->summary;
  s->width = reel->held.width;
  s->height = reel->held.height;
  code = cli_film_begin(&reel->film, reel->option->output, s->width, s->height, s->rate);
  reel->begun = code == CLI_GO_ON;
  return code;
}

// All images of a channel; *last gets the time of the last one.
static int take_images(Reel* reel, int channel, double end, double* last) {
  const rutLogSelection selection = {.n = 1, .index = &channel, .from = -1e300, .to = end};
  rutLogCursor* cursor = NULL;
  rutLogMessage message;
  rutError err = {0};
  rutStatus status = rut_log_cursor_create(reel->file, &selection, &cursor, &err);
  int code = CLI_GO_ON;
  while (status == RUT_OK && code == CLI_GO_ON && !interrupted &&
         rut_log_next(cursor, &message, &err)) {
    code = take_image(reel, &message);
    *last = message.time;
  }
  rut_log_cursor_destroy(cursor);
  if (status == RUT_OK) status = err.status;
  return status == RUT_OK ? code : cli_tell_failure(status, &err);
}

// Frame k shows the newest image at start + k / rate; the last one as long as the others were.
static int film_messages(rutLogFile* file, int channel, const VideoOptions* option,
                         Summary* summary) {
  double first;
  const double own = rate_of(file, channel, &first);
  summary->rate = option->rate > 0 ? option->rate : own;
  summary->start = isnan(option->from) ? first : fmax(first, option->from);
  const double end = isnan(option->duration) ? 1e300 : summary->start + option->duration;
  Reel reel = {.file = file, .option = option, .summary = summary, .film = {.to = -1}};
  double last = first;
  int code = take_images(&reel, channel, end, &last);
  if (code == CLI_GO_ON) code = show(&reel, fmin(end, last + 1 / own));
  free(reel.held.pixel);
  summary->frames = reel.film.frames;
  const int ended = reel.begun ? cli_film_end(&reel.film, code == CLI_GO_ON) : CLI_DONE;
  if (code == CLI_GO_ON && ended != CLI_DONE) return ended;
  if (code == CLI_GO_ON && summary->frames == 0) {
    fputs("rut: error: there is no image in this time\n", stderr);
    return CLI_USAGE;
  }
  return code;
}

static int film_log(const char* path, const VideoOptions* option, Summary* summary) {
  if (option->chase || option->size || option->inputs || option->set.n > 0) {
    return cli_usage_error(&cli_verb_video,
                           "a log has the images that it has: --chase, --size, --inputs and --set "
                           "are for worlds");
  }
  rutLogFile* file = NULL;
  rutError err = {0};
  const rutStatus status = rut_log_open(path, &file, &err);
  if (status != RUT_OK) return cli_tell_failure(status, &err);
  const int channel = cli_find_images(file, option->camera ? option->camera : "");
  int code = channel < 0 ? CLI_USAGE : CLI_GO_ON;
  if (code == CLI_GO_ON) {
    snprintf(summary->camera, sizeof summary->camera, "%.255s",
             rut_log_channel_at(file, channel).topic);
    cli_catch_interrupts(on_interrupt);
    const double start = cli_clock();
    code = film_messages(file, channel, option, summary);
    summary->wall = cli_clock() - start;
  }
  rut_log_file_close(file);
  return code;
}

// ---- the verb ----

static int film_file(const char* path, const VideoOptions* option, Summary* summary) {
  cliWorld world;
  int code = cli_world_open(&world, stderr, option->workers, 0);
  world.report.quiet = option->quiet;
  if (code == CLI_GO_ON) code = cli_world_allow(&world, &option->allowed);
  if (code == CLI_GO_ON) code = cli_world_plugins(&world, &option->plugin);
  if (code == CLI_GO_ON) code = cli_world_load(&world, path, &option->set);
  if (code == CLI_GO_ON) code = cli_world_compile(&world);
  if (code == CLI_GO_ON) code = cli_world_start(&world, (uint64_t)option->seed);
  if (code == CLI_GO_ON && rut_context_has_read(world.context, option->output)) {
    code = cli_usage_error(&cli_verb_video, "'%s' is a file that the world was read from",
                           option->output);
  }
  if (code == CLI_GO_ON) code = choose_camera(&world, option, summary->camera);
  if (code == CLI_GO_ON) code = film_world(&world, option, summary);
  cli_world_close(&world);
  return code;
}

static int run_video(int argc, char** argv) {
  VideoOptions option = {.workers = 1, .duration = (double)NAN, .from = (double)NAN};
  cliList files;
  int code = cli_parse(&cli_verb_video, argc, argv, &option, &files);
  if (code != CLI_GO_ON) return code;
  int width, height;
  if (!option.output || !cli_film_is(option.output)) {
    return cli_usage_error(&cli_verb_video,
                           "--output FILE is needed: .mp4, .mkv, .mov, .webm, .gif, or FOLDER/ for "
                           "numbered images");
  }
  if (option.camera && option.chase) {
    return cli_usage_error(&cli_verb_video, "--camera and --chase exclude each other");
  }
  if (option.size && !read_size(option.size, &width, &height)) {
    return cli_usage_error(&cli_verb_video, "--size is WIDTHxHEIGHT, each from 1 to %d, not '%s'",
                           MAX_SIDE, option.size);
  }
  const char* dot = strrchr(files.item[0], '.');
  Summary summary = {0};
  interrupted = 0;
  code = dot && strcmp(dot, ".mcap") == 0 ? film_log(files.item[0], &option, &summary)
                                          : film_file(files.item[0], &option, &summary);
  if (code != CLI_GO_ON) return code;
  print_summary(&option, &summary);
  return interrupted ? CLI_INTERRUPTED : CLI_DONE;
}

const cliVerb cli_verb_video = {
    .name = "video",
    .arguments = "WORLD",
    .min_arguments = 1,
    .max_arguments = 1,
    .summary = "film a world, or the images in a log (.mcap)",
    .details =
        "Simulates WORLD and films it with one of its cameras, or from behind a vehicle. Of a log\n"
        "it films the images of a camera. Frames are at a constant rate in simulated time. Films\n"
        "are coded by ffmpeg; a FOLDER/ of numbered images needs no other program.",
    .examples =
        "  rut video worlds/hmmwv.xml -o film.mp4\n"
        "  rut video worlds/lidar.xml --camera watch --rate 10 --size 640x480 -o film.mp4\n"
        "  rut video worlds/trailer.xml --chase hmmwv -d 5 -o frames/\n"
        "  rut video run.mcap --camera watch -o film.webm",
    .option = options,
    .options = CLI_COUNT(options),
    .run = run_video,
};
