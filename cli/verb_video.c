// SPDX-License-Identifier: BSD-3-Clause
//
// rut video: a film of a world or of a log, from a camera or from behind a vehicle.
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "film.h"
#include "images.h"
#include "json.h"
#include "text.h"
#include "video/chase.h"
#include "video/film_images.h"
#include "video/film_moments.h"
#include "video/film_world.h"

static const cliOption options[] = {
    {"output", 'o', CLI_TEXT, "FILE", 0, 0, offsetof(cliVideo, output),
     "the film: .mp4, .mkv, .mov, .webm, .gif; or FOLDER/ for numbered .png"},
    {"camera", 'c', CLI_TEXT, "NAME", 0, 0, offsetof(cliVideo, camera),
     "camera to film with (default: the first one)"},
    {"chase", 0, CLI_TEXT, "VEHICLE", 0, 0, offsetof(cliVideo, chase),
     "film from behind this vehicle (default where there is no camera: the first one)"},
    {"rate", 'r', CLI_NUMBER, "HZ", 1e-3, 1000, offsetof(cliVideo, rate),
     "frames per simulated second (default: as the camera has them, 25 from behind)"},
    {"size", 0, CLI_TEXT, "WxH", 0, 0, offsetof(cliVideo, size),
     "pixels (default: those of the camera, 640x480 from behind)"},
    {"from", 0, CLI_NUMBER, "S", 0, 1e9, offsetof(cliVideo, from),
     "simulated time at which the film begins (default: at the start)"},
    {"duration", 'd', CLI_NUMBER, "S", 1e-3, 1e9, offsetof(cliVideo, duration),
     "length of the film (default: to the end of the run)"},
    {"inputs", 'i', CLI_TEXT, "FILE.csv", 0, 0, offsetof(cliVideo, inputs),
     "set points over time, as for rut run"},
    {"set", 's', CLI_TEXTS, "PATH=VALUE", 0, 0, offsetof(cliVideo, set),
     "change a field of the world; may be repeated"},
    {"seed", 0, CLI_INTEGER, "N", 0, 9e15, offsetof(cliVideo, seed),
     "seed of all noise (default 0)"},
    {"workers", 'w', CLI_INTEGER, "N", 1, 1024, offsetof(cliVideo, workers),
     "threads; the film is the same for any number (default 1)"},
    {"json", 'j', CLI_FLAG, "", 0, 0, offsetof(cliVideo, json),
     "print the summary as a JSON object"},
    {"quiet", 'q', CLI_FLAG, "", 0, 0, offsetof(cliVideo, quiet), "no progress, no warnings"},
    {"plugin", 0, CLI_TEXTS, "FILE.so", 0, 0, offsetof(cliVideo, plugin),
     "load component types from a shared library; may be repeated"},
    CLI_ALLOW_OPTIONS(cliVideo, allowed),
};

static volatile sig_atomic_t interrupted;
static void on_interrupt(int signal_number) {
  (void)signal_number;
  interrupted = 1;
}

static void print_summary(const cliVideo* video, const cliVideoSummary* s) {
  if (!video->json) {
    printf("%" PRId64 " frames of %d x %d at %.6g Hz by '%s', from %.6g s on, in %.3g s: %s\n",
           s->frames, s->width, s->height, s->rate, CLI_CLEAN(s->camera), s->start, s->wall,
           CLI_CLEAN(video->output));
    return;
  }
  cliJson json;
  cli_json_init(&json, stdout);
  cli_json_object(&json, NULL);
  cli_json_text(&json, "film", video->output);
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

// Its images, or, from behind a vehicle, where everything was.
static int film_log(const char* path, const cliVideo* video, cliVideoSummary* summary) {
  if (video->inputs || video->set.n > 0) {
    return cli_usage_error(&cli_verb_video, "--inputs and --set are for worlds, not for logs");
  }
  rutLogFile* file = NULL;
  rutError err = {0};
  const rutStatus status = rut_log_open(path, &file, &err);
  if (status != RUT_OK) return cli_tell_failure(status, &err);
  int code = CLI_GO_ON;
  if (video->chase || (!video->camera && !cli_has_images(file))) {
    code = cli_video_of_moments(file, path, video, summary);
  } else if (video->size) {
    code = cli_usage_error(&cli_verb_video,
                           "a log has images of their own size: --size is for --chase and worlds");
  } else {
    code = cli_video_of_images(file, video, summary);
  }
  rut_log_file_close(file);
  return code;
}

static int run_video(int argc, char** argv) {
  cliVideo video = {.workers = 1,
                    .duration = (double)NAN,
                    .from = (double)NAN,
                    .interrupted = &interrupted,
                    .on_interrupt = on_interrupt};
  cliList files;
  int code = cli_parse(&cli_verb_video, argc, argv, &video, &files);
  if (code != CLI_GO_ON) return code;
  int width, height;
  if (!video.output || !cli_film_is(video.output)) {
    return cli_usage_error(&cli_verb_video,
                           "--output FILE is needed: .mp4, .mkv, .mov, .webm, .gif, or FOLDER/ for "
                           "numbered images");
  }
  if (video.camera && video.chase) {
    return cli_usage_error(&cli_verb_video, "--camera and --chase exclude each other");
  }
  if (video.size && !cli_video_size(video.size, &width, &height)) {
    return cli_usage_error(&cli_verb_video, "--size is WIDTHxHEIGHT, each from 1 to %d, not '%s'",
                           CLI_VIDEO_MAX_SIDE, video.size);
  }
  const char* dot = strrchr(files.item[0], '.');
  cliVideoSummary summary = {0};
  interrupted = 0;
  code = dot && strcmp(dot, ".mcap") == 0 ? film_log(files.item[0], &video, &summary)
                                          : cli_video_of_world(files.item[0], &video, &summary);
  if (code != CLI_GO_ON) return code;
  print_summary(&video, &summary);
  return interrupted ? CLI_INTERRUPTED : CLI_DONE;
}

const cliVerb cli_verb_video = {
    .name = "video",
    .arguments = "WORLD|LOG",
    .min_arguments = 1,
    .max_arguments = 1,
    .summary = "film a world or a log (.mcap), from a camera or behind a vehicle",
    .details =
        "Simulates WORLD and films it with one of its cameras, or from behind a vehicle. Of a log\n"
        "it films the images of a camera; from behind a vehicle (where there are no images, or "
        "with\n"
        "--chase) the world that the log holds, with everything where the log tells. Frames are "
        "at\n"
        "a constant rate in simulated time. Films are coded by ffmpeg; a FOLDER/ of numbered "
        "images\n"
        "needs no other program.",
    .examples =
        "  rut video worlds/hmmwv.xml -o film.mp4\n"
        "  rut video worlds/lidar.xml --camera watch --rate 10 --size 640x480 -o film.mp4\n"
        "  rut video worlds/trailer.xml --chase hmmwv -d 5 -o frames/\n"
        "  rut video run.mcap --camera watch -o film.webm\n"
        "  rut video run.mcap --chase hmmwv -o film.mp4",
    .option = options,
    .options = CLI_COUNT(options),
    .run = run_video,
};
