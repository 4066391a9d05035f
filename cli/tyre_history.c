// SPDX-License-Identifier: BSD-3-Clause
//
// The table has a header with the names of columns, "time" among them, and rows in order of time.
// Between rows numbers follow straight lines, whose slopes of velocities and spin are the
// accelerations. A column that is missing, or a row without it, leaves the number to the rig.
#include "tyre_history.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"
#include "json.h"
#include "text.h"

// Numbers of a rutRigMotion that a table may give, and where its slope goes.
typedef struct Column {
  const char* name;
  size_t to, slope;  // NONE: it has none
} Column;
enum { NONE = 0, MOST_BYTES = 16 << 20, MOST_COLUMNS = 32, TIME = 0, MOST_STEPS = 100000000 };
#define AT(member) offsetof(rutRigMotion, member)
static const Column known[] = {{"time", NONE, NONE},
                               {"x", AT(place[0]), NONE},
                               {"y", AT(place[1]), NONE},
                               {"height", AT(height), NONE},
                               {"heading", AT(heading), AT(yaw_rate)},
                               {"steer", AT(steer), NONE},
                               {"inclination", AT(inclination), NONE},
                               {"velocity_x", AT(velocity[0]), AT(acceleration[0])},
                               {"velocity_y", AT(velocity[1]), AT(acceleration[1])},
                               {"velocity_z", AT(velocity[2]), AT(acceleration[2])},
                               {"load", AT(load), NONE},
                               {"damping", AT(damping), NONE},
                               {"spin", AT(spin), AT(spin_rate)},
                               {"torque", AT(torque), NONE},
                               {"brake", AT(brake), NONE}};
enum { KNOWN = CLI_COUNT(known) };

// Numbers of the answer, as they are told.
// clang-format off
#define TOLD(X)                                                                     \
  X(fx) X(fy) X(fz) X(mx) X(my) X(mz) X(spin) X(torque) X(slip) X(slip_angle)       \
  X(deflection) X(sinkage) X(rut) X(pressed) X(dug) X(contact_length) X(resistance) \
  X(pressure)
// clang-format on

// What was read: rows of all known columns, NaN where a table has none.
typedef struct Table {
  const char* path;
  int columns, column[MOST_COLUMNS];  // of the file: which of the known ones
  size_t rows, room;
  double (*row)[KNOWN];  // owned
} Table;

static int refuse(const Table* t, size_t line, const char* what, const char* text) {
  char place[32] = "";
  if (line > 0) snprintf(place, sizeof place, ":%zu", line);
  fprintf(stderr, "rut: error: %s%s: %s%s%s%s\n", CLI_CLEAN(t->path), place, what, text ? " '" : "",
          text ? CLI_CLEAN(text) : "", text ? "'" : "");
  return CLI_INVALID;
}

// ---- reading ----

// The whole file, zero-terminated; NULL and a message if it cannot be read.
static char* read_all(const char* path) {
  const int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  struct stat s;
  char* text = NULL;
  const char* why = NULL;
  if (file < 0 || fstat(file, &s) != 0) {
    why = strerror(errno);
  } else if (!S_ISREG(s.st_mode)) {
    why = "this is not a regular file";
  } else if (s.st_size > MOST_BYTES) {
    why = "this file has more than 16 MB";
  } else if ((text = malloc((size_t)s.st_size + 1)) == NULL) {
    why = "out of memory";
  } else {
    size_t n = 0;
    ssize_t more = 1;
    while (n < (size_t)s.st_size && (more = read(file, text + n, (size_t)s.st_size - n)) > 0) {
      n += (size_t)more;
    }
    text[n] = '\0';
  }
  if (file >= 0) close(file);
  if (why) fprintf(stderr, "rut: error: %s: %s\n", CLI_CLEAN(path), why);
  return text;
}

static char* trimmed(char* text) {
  while (*text == ' ' || *text == '\t') text++;
  for (size_t n = strlen(text); n > 0 && strchr(" \t\r", text[n - 1]); n--) text[n - 1] = '\0';
  return text;
}

// Cut the next cell off a line; NULL after the last one.
static char* next_cell(char** line) {
  char* cell = *line;
  if (!cell) return NULL;
  char* comma = strchr(cell, ',');
  if (comma) *comma = '\0';
  *line = comma ? comma + 1 : NULL;
  return trimmed(cell);
}

static int read_header(Table* t, size_t at, char* line) {
  bool seen[KNOWN] = {false};
  for (char* name = next_cell(&line); name; name = next_cell(&line)) {
    int k = 0;
    while (k < KNOWN && strcmp(known[k].name, name) != 0) k++;
    if (k == KNOWN) {
      return refuse(t, at,
                    "the columns are time, x, y, height, heading, steer, inclination, velocity_x, "
                    "velocity_y, velocity_z, load, damping, spin, torque and brake, not",
                    name);
    }
    if (seen[k]) return refuse(t, at, "a second column", name);
    seen[k] = true;
    t->column[t->columns++] = k;
  }
  return seen[TIME] ? CLI_GO_ON : refuse(t, at, "there is no column 'time'", NULL);
}

static int read_row(Table* t, size_t at, char* line) {
  if (t->rows == t->room) {
    t->room = 2 * t->room + 64;
    void* more = realloc(t->row, t->room * sizeof *t->row);
    if (!more) return refuse(t, at, "out of memory", NULL);
    t->row = more;
  }
  double* row = t->row[t->rows];
  int cells = 0;
  for (int k = 0; k < KNOWN; k++) row[k] = (double)NAN;
  for (char* cell = next_cell(&line); cell; cell = next_cell(&line), cells++) {
    if (cells >= t->columns) return refuse(t, at, "there are more cells than columns", NULL);
    if (!cell[0]) continue;
    char* end = NULL;
    const double number = strtod(cell, &end);
    if (*end || !isfinite(number)) return refuse(t, at, "no finite number:", cell);
    row[t->column[cells]] = number;
  }
  if (!(row[TIME] >= 0)) return refuse(t, at, "a row needs a time of 0 or more", NULL);
  if (t->rows > 0 && !(row[TIME] > t->row[t->rows - 1][TIME])) {
    return refuse(t, at, "times must rise from row to row", NULL);
  }
  t->rows++;
  return CLI_GO_ON;
}

static int read_table(Table* t, char* text) {
  int code = CLI_GO_ON;
  size_t at = 0;
  for (char* line = text; line && code == CLI_GO_ON;) {
    char* end = strchr(line, '\n');
    if (end) *end = '\0';
    at++;
    char* own = trimmed(line);
    if (own[0] && own[0] != '#') code = t->columns ? read_row(t, at, own) : read_header(t, at, own);
    line = end ? end + 1 : NULL;
  }
  if (code == CLI_GO_ON && t->rows < 2) {
    return refuse(t, at, "a table needs a header and two rows", NULL);
  }
  return code;
}

// ---- running ----

// The motion at a time, between rows `at` and at + 1.
static rutRigMotion motion_at(const Table* t, size_t at, double time) {
  rutRigMotion motion = rut_default_rig_motion();
  const double *a = t->row[at], *b = t->row[at + 1];
  const double span = b[TIME] - a[TIME], part = (time - a[TIME]) / span;
  for (int k = 1; k < KNOWN; k++) {
    double* to = (double*)(void*)((char*)&motion + known[k].to);
    double* slope = (double*)(void*)((char*)&motion + known[k].slope);
    if (!isfinite(a[k])) continue;
    const double change = isfinite(b[k]) ? b[k] - a[k] : 0;
    *to = a[k] + part * change;
    if (known[k].slope != NONE) *slope = change / span;
  }
  return motion;
}

static void tell(const cliTyreHistory* h, cliJson* json, double time, const rutRigForces* f) {
  if (h->json) {
    cli_json_object(json, NULL);
    cli_json_number(json, "time", time);
#define X(name) cli_json_number(json, #name, f->name);
    TOLD(X)
#undef X
    cli_json_number(json, "x", f->position[0]);
    cli_json_number(json, "y", f->position[1]);
    cli_json_number(json, "height", f->position[2]);
    cli_json_end(json);
    return;
  }
  printf("%.6g", time);
#define X(name) printf(",%.9g", f->name);
  TOLD(X)
#undef X
  printf(",%.9g,%.9g,%.9g\n", f->position[0], f->position[1], f->position[2]);
}

static int run(const cliTyreHistory* h, const Table* t, const rutModel* model, rutData* data) {
  const double dt = rut_model_timestep(model), every = isfinite(h->every) ? h->every : 0.01;
  const double start = t->row[0][TIME], ends = t->row[t->rows - 1][TIME];
  const double wanted = floor((ends - start) / dt + 0.5), each = fmax(floor(every / dt + 0.5), 1);
  cliJson json;
  if (wanted > MOST_STEPS) {
    return refuse(t, 0, "the last time is more than 1e8 steps after the first", NULL);
  }
  cli_json_init(&json, stdout);
  if (h->json) {
    cli_json_array(&json, NULL);
  } else {
#define X(name) "," #name
    puts("time" TOLD(X) ",x,y,height");
#undef X
  }
  size_t at = 0;
  const long steps = (long)wanted, between = (long)fmin(each, wanted + 1);
  for (long n = 0; n < steps; n++) {
    const double time = start + (double)n * dt;
    rutRigForces forces;
    rutError err = {0};
    while (at + 2 < t->rows && time >= t->row[at + 1][TIME] - 1e-9 * dt) at++;
    const rutRigMotion motion = motion_at(t, at, time);
    if (rut_rig_step(model, data, &motion, &forces, &err) != RUT_OK) {
      fprintf(stderr, "rut: error: %s at %.6g s: %s\n", CLI_CLEAN(t->path), time,
              CLI_CLEAN(err.message));
      return CLI_INVALID;
    }
    if ((n + 1) % between != 0 && n + 1 < steps) continue;
    tell(h, &json, time + dt, &forces);
  }
  if (h->json) cli_json_end(&json);
  return CLI_DONE;
}

int cli_tyre_history(cliWorld* world, const cliTyreHistory* history) {
  Table table = {.path = history->table};
  rutRigDef def = history->def;
  def.world = world->spec;
  rutError err = {0};
  char* text = read_all(table.path);
  if (!text) return CLI_IO;
  int code = read_table(&table, text);
  def.timestep = isfinite(history->step) ? history->step : 1e-3;
  if (code == CLI_GO_ON) {
    const rutStatus status = rut_rig_model(world->context, &def, &world->model, &err);
    if (status != RUT_OK) code = cli_report_failure(&world->report, status, &err);
  }
  if (code == CLI_GO_ON) code = cli_world_start(world, 0);
  if (code == CLI_GO_ON) code = run(history, &table, world->model, world->data);
  free(table.row);
  free(text);
  return code;
}
