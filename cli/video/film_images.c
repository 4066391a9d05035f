// SPDX-License-Identifier: BSD-3-Clause
#include "video/film_images.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli.h"
#include "clock.h"
#include "film.h"
#include "images.h"
#include "interrupt.h"

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
  const cliVideo* video;
  cliVideoSummary* summary;
  cliFilm film;
  bool begun;
  rutPicture held;  // owned: the newest image
} Reel;

// Show the newest image up to a time.
static int show(Reel* reel, double until) {
  const cliVideoSummary* s = reel->summary;
  int code = CLI_GO_ON;
  while (code == CLI_GO_ON && reel->begun && !*reel->video->interrupted &&
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
  cliVideoSummary* s = reel->summary;
  s->width = reel->held.width;
  s->height = reel->held.height;
  code = cli_film_begin(&reel->film, reel->video->output, s->width, s->height, s->rate);
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
  while (status == RUT_OK && code == CLI_GO_ON && !*reel->video->interrupted &&
         rut_log_next(cursor, &message, &err)) {
    code = take_image(reel, &message);
    *last = message.time;
  }
  rut_log_cursor_destroy(cursor);
  if (status == RUT_OK) status = err.status;
  return status == RUT_OK ? code : cli_tell_failure(status, &err);
}

// Frame k shows the newest image at start + k / rate; the last one as long as the others were.
static int film_messages(rutLogFile* file, int channel, const cliVideo* video,
                         cliVideoSummary* summary) {
  double first;
  const double own = rate_of(file, channel, &first);
  summary->rate = video->rate > 0 ? video->rate : own;
  summary->start = isnan(video->from) ? first : fmax(first, video->from);
  const double end = isnan(video->duration) ? 1e300 : summary->start + video->duration;
  Reel reel = {.file = file, .video = video, .summary = summary, .film = {.to = -1}};
  double last = first;
  int code = take_images(&reel, channel, end, &last);
  if (code == CLI_GO_ON) code = show(&reel, fmin(end, last + 1 / own));
  free(reel.held.pixel);
  summary->frames = reel.film.frames;
  const int ended = reel.begun ? cli_film_end(&reel.film, code == CLI_GO_ON) : CLI_DONE;
  if (code == CLI_GO_ON && ended != CLI_DONE) return ended;
  if (code == CLI_GO_ON && summary->frames == 0 && !*video->interrupted) {
    fputs("rut: error: there is no image in this time\n", stderr);
    return CLI_USAGE;
  }
  return code;
}

int cli_video_of_images(rutLogFile* file, const cliVideo* video, cliVideoSummary* summary) {
  const int channel = cli_find_images(file, video->camera ? video->camera : "");
  if (channel < 0) return CLI_USAGE;
  snprintf(summary->camera, sizeof summary->camera, "%.255s",
           rut_log_channel_at(file, channel).topic);
  cli_catch_interrupts(video->on_interrupt);
  const double start = cli_clock();
  const int code = film_messages(file, channel, video, summary);
  summary->wall = cli_clock() - start;
  return code;
}
