// SPDX-License-Identifier: BSD-3-Clause
#include "images.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "report.h"
#include "text.h"

static bool is_image(const rutLogChannel* channel) {
  return strcmp(channel->schema, "sensor_msgs/msg/Image") == 0 ||
         strcmp(channel->schema, "sensor_msgs/msg/CompressedImage") == 0;
}

// Colours of a camera end in one of these.
static const char* const tails[] = {"/image_raw", "/image_raw/compressed", "/compressed", ""};

// Whether a topic is that of a camera, or ends in it behind a slash, and then in a tail.
static bool is_of(const char* topic, const char* name, const char* tail) {
  const size_t all = strlen(topic), end = strlen(tail), n = strlen(name);
  if (all < end || strcmp(topic + all - end, tail) != 0) return false;
  const size_t left = all - end;
  if (n == 0)
    return !strstr(topic, "/depth") && !strstr(topic, "/class") && !strstr(topic, "/instance");
  return left > n && topic[left - n - 1] == '/' && strncmp(topic + left - n, name, n) == 0;
}

static void tell_none(const rutLogFile* file, const char* name) {
  const int n = rut_log_info(file).channels;
  fprintf(stderr, "rut: error: the log has no images%s%s", name[0] ? " of " : "", CLI_CLEAN(name));
  const char* separator = "; those it has are ";
  for (int i = 0; i < n; i++) {
    const rutLogChannel c = rut_log_channel_at(file, i);
    if (!is_image(&c)) continue;
    fprintf(stderr, "%s%s", separator, CLI_CLEAN(c.topic));
    separator = ", ";
  }
  fputs("\n", stderr);
}

bool cli_has_images(const rutLogFile* file) {
  bool found = false;
  for (int i = 0; i < rut_log_info(file).channels && !found; i++) {
    const rutLogChannel channel = rut_log_channel_at(file, i);
    found = is_image(&channel);
  }
  return found;
}

int cli_find_images(const rutLogFile* file, const char* name) {
  const int n = rut_log_info(file).channels, exact = rut_log_channel_find(file, name);
  if (exact >= 0) {
    const rutLogChannel c = rut_log_channel_at(file, exact);
    if (is_image(&c)) return exact;
  }
  for (int t = 0; t < CLI_COUNT(tails); t++) {
    for (int i = 0; i < n; i++) {
      const rutLogChannel c = rut_log_channel_at(file, i);
      if (is_image(&c) && is_of(c.topic, name, tails[t])) return i;
    }
  }
  tell_none(file, name);
  return -1;
}

// ---- pictures in a folder ----

typedef struct Folder {
  const char* path;
  char name[64];  // of the files, before their number
  rutOutput* times;
  FILE* table;
} Folder;

// The topic, as a name of files.
static void name_files(Folder* folder, const char* topic) {
  const char* from = topic + (topic[0] == '/');
  size_t n = 0;
  for (; from[n] && n + 1 < sizeof folder->name; n++) {
    const char c = from[n];
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    folder->name[n] = plain ? c : '_';
  }
  folder->name[n] = '\0';
}

static rutStatus put_picture(Folder* folder, const rutPicture* picture, int64_t number, double time,
                             rutError* err) {
  char path[4096];
  const int n =
      snprintf(path, sizeof path, "%s/%s-%06" PRId64 ".png", folder->path, folder->name, number);
  if (n < 0 || n >= (int)sizeof path) {
    snprintf(err->message, sizeof err->message, "the name of the folder is too long");
    return err->status = RUT_ERR_ARGUMENT;
  }
  fprintf(folder->table, "%s,%.9f\n", strrchr(path, '/') + 1, time);
  return rut_picture_save(NULL, picture, path, err);
}

static rutStatus put_all(Folder* folder, rutLogFile* file, int channel, int64_t* pictures,
                         rutError* err) {
  const rutLogSelection all = {.n = 1, .index = &channel, .from = -1e300, .to = 1e300};
  rutLogCursor* cursor = NULL;
  rutStatus status = rut_log_cursor_create(file, &all, &cursor, err);
  rutLogMessage message;
  while (status == RUT_OK && rut_log_next(cursor, &message, err)) {
    rutPicture picture;
    status = rut_log_picture(file, &message, &picture, err);
    if (status != RUT_OK) break;
    status = put_picture(folder, &picture, (*pictures)++, message.time, err);
    free(picture.pixel);
  }
  rut_log_cursor_destroy(cursor);
  return status == RUT_OK ? err->status : status;
}

int cli_save_images(rutLogFile* file, int channel, const char* path) {
  Folder folder = {.path = path};
  rutError err = {0};
  char table[4096];
  int64_t pictures = 0;
  name_files(&folder, rut_log_channel_at(file, channel).topic);
  snprintf(table, sizeof table, "%s/times.csv", path);
  rutStatus status = rut_folder_create(path, &err);
  if (status == RUT_OK) status = rut_output_create(table, &folder.times, &err);
  if (status != RUT_OK) return cli_tell_failure(status, &err);
  folder.table = fopen(rut_output_part(folder.times), "w");
  bool whole = folder.table;
  if (whole) {
    fputs("file,time [s]\n", folder.table);
    status = put_all(&folder, file, channel, &pictures, &err);
    whole = !ferror(folder.table);
    if (fclose(folder.table) != 0) whole = false;
  }
  rutError closing = {0};
  const rutStatus closed = rut_output_close(folder.times, whole, &closing);
  if (status != RUT_OK) return cli_tell_failure(status, &err);
  if (closed != RUT_OK) return cli_tell_failure(closed, &closing);
  if (!whole) {
    fprintf(stderr, "rut: error: '%s' cannot be written\n", CLI_CLEAN(table));
    return CLI_IO;
  }
  printf("%" PRId64 " images in %s\n", pictures, CLI_CLEAN(path));
  return CLI_DONE;
}
