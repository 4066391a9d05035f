// SPDX-License-Identifier: BSD-3-Clause
#define _XOPEN_SOURCE 700  // for realpath
#include "vehicle_file.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HEAD = 65536 };

// The beginning of a regular file, zero-terminated; "" if it cannot be read.
static void read_head(const char* path, char head[HEAD]) {
  struct stat is;
  ssize_t n = 0;
  const int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (file >= 0 && fstat(file, &is) == 0 && S_ISREG(is.st_mode)) n = read(file, head, HEAD - 1);
  if (file >= 0) close(file);
  head[n > 0 ? n : 0] = '\0';
}

static bool is_vehicle(const char* path) {
  static char head[HEAD];
  read_head(path, head);
  return rut_is_vehicle_text(head);
}

// Text as the value of an attribute.
static void quote(const char* text, char* out, size_t size) {
  size_t n = 0;
  for (; *text && n + 8 < size; text++) {
    const char* mark = strchr("&<>\"'", *text);
    if (mark || (unsigned char)*text < 32) {
      n += (size_t)snprintf(out + n, size - n, "&#%d;", *text);
    } else {
      out[n++] = *text;
    }
  }
  out[n] = '\0';
}

static rutStatus apply(cliWorld* world, const cliList* settings, rutError* err) {
  rutStatus status = RUT_OK;
  for (int i = 0; status == RUT_OK && settings && i < settings->n; i++) {
    char field[512];
    const char* sign = strchr(settings->item[i], '=');
    const size_t size = sign ? (size_t)(sign - settings->item[i]) : 0;
    if (size == 0 || size >= sizeof field) {
      status = RUT_ERR_ARGUMENT;
      snprintf(err->message, sizeof err->message, "setting '%.200s' is not of the form PATH=VALUE",
               settings->item[i]);
      continue;
    }
    memcpy(field, settings->item[i], size);
    field[size] = '\0';
    // what is wrong is on the command line
    if (rut_spec_set(world->spec, field, sign + 1, err) != RUT_OK) status = RUT_ERR_ARGUMENT;
  }
  return status;
}

// Read the text of a world, and apply settings.
static int load_text(cliWorld* world, const char* text, size_t size, const char* path,
                     const cliList* settings) {
  rutError err = {0};
  rutStatus status = rut_spec_parse(world->context, text, size, path, &world->spec, &err);
  if (status == RUT_OK) status = apply(world, settings, &err);
  return status == RUT_OK ? CLI_GO_ON : cli_report_failure(&world->report, status, &err);
}

int cli_vehicle_load(cliWorld* world, const char* path, const cliList* settings) {
  if (!is_vehicle(path)) return cli_world_load(world, path, settings);
  char name[2048], text[2304], around[2304];
  quote(cli_base_name(path), name, sizeof name);
  // a world beside the file
  snprintf(around, sizeof around, "%.2000s (alone)", path);
  const int length =
      snprintf(text, sizeof text, "<world timestep=\"1 ms\"><include file=\"%s\"/></world>", name);
  return load_text(world, text, (size_t)length, around, settings);
}

// ---- a vehicle in parts ----

enum { NAME_SIZE = 4096, MOST_FILES = 8 };

// The name of a file from the root, as the value of an attribute. False if there is none that can
// stand in a list.
static bool whole_name(const char* path, char name[NAME_SIZE], rutError* err) {
  char* real = realpath(path, NULL);
  const bool fits = real && strlen(real) < NAME_SIZE / 8 && !strchr(real, ',');
  if (fits) quote(real, name, NAME_SIZE);
  free(real);
  if (!fits) {
    snprintf(err->message, sizeof err->message,
             real ? "'%.300s' cannot be one of several files: its name is too long, or has a comma"
                  : "'%.300s' cannot be read: there is no such file",
             path);
  }
  return fits;
}

int cli_parts_load(cliWorld* world, const cliList* files, const cliList* settings) {
  static char text[(MOST_FILES + 1) * NAME_SIZE];
  char name[NAME_SIZE], folder[NAME_SIZE];
  rutError err = {0};
  const char* vehicle = files->item[0];
  int n = 0;
  for (int i = 0; i < files->n && i < MOST_FILES; i++) {
    if (!whole_name(files->item[i], name, &err))
      return cli_report_failure(&world->report, RUT_ERR_IO, &err);
    n += snprintf(text + n, sizeof text - (size_t)n, "%s%s",
                  i == 0   ? "<world timestep=\"1 ms\"><vehicle file=\""
                  : i == 1 ? "\" parts=\""
                           : ",",
                  name);
  }
  n += snprintf(text + n, sizeof text - (size_t)n, "\"/></world>");
  snprintf(folder, sizeof folder, "%.*s..", (int)(cli_base_name(vehicle) - vehicle), vehicle);
  rutStatus status = rut_context_allow_dir(world->context, folder, &err);
  for (int i = 1; i < files->n && status == RUT_OK; i++) {
    const char* file = files->item[i];
    snprintf(folder, sizeof folder, "./%.*s", (int)(cli_base_name(file) - file), file);
    status = rut_context_allow_dir(world->context, file[0] == '/' ? folder + 2 : folder, &err);
  }
  if (status != RUT_OK) return cli_report_failure(&world->report, status, &err);
  return load_text(world, text, (size_t)n, vehicle, settings);
}
