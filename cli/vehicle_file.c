// SPDX-License-Identifier: BSD-3-Clause
#include "vehicle_file.h"

#include <fcntl.h>
#include <stdio.h>
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

int cli_vehicle_load(cliWorld* world, const char* path, const cliList* settings) {
  if (!is_vehicle(path)) return cli_world_load(world, path, settings);
  char name[2048], text[2304], around[2304];
  quote(cli_base_name(path), name, sizeof name);
  // a world beside the file
  snprintf(around, sizeof around, "%.2000s (alone)", path);
  const int length =
      snprintf(text, sizeof text, "<world timestep=\"1 ms\"><include file=\"%s\"/></world>", name);
  rutError err = {0};
  rutStatus status =
      rut_spec_parse(world->context, text, (size_t)length, around, &world->spec, &err);
  for (int i = 0; status == RUT_OK && settings && i < settings->n; i++) {
    char field[512];
    const char* sign = strchr(settings->item[i], '=');
    const size_t size = sign ? (size_t)(sign - settings->item[i]) : 0;
    if (size == 0 || size >= sizeof field) {
      status = RUT_ERR_ARGUMENT;
      snprintf(err.message, sizeof err.message, "setting '%.200s' is not of the form PATH=VALUE",
               settings->item[i]);
      continue;
    }
    memcpy(field, settings->item[i], size);
    field[size] = '\0';
    // what is wrong is on the command line
    if (rut_spec_set(world->spec, field, sign + 1, &err) != RUT_OK) status = RUT_ERR_ARGUMENT;
  }
  return status == RUT_OK ? CLI_GO_ON : cli_report_failure(&world->report, status, &err);
}
