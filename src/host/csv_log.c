// SPDX-License-Identifier: BSD-3-Clause
//
// Logs of one run: which tables there are, and what stands in their rows.
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/report.h"
#include "host/csv_table.h"
#include "host/write_file.h"
#include "rut/host.h"

enum {
  FEW_TABLES = 64,           // up to this many may gather long buffers
  LONG_BUFFER = 256 * 1024,  // bytes gathered before a write, with few tables
  SHORT_BUFFER = 16 * 1024,  // and with many, to bound memory
  NAME_SIZE = 128,
  MAX_DIGITS = 17
};
static const double DEFAULT_RATE = 100;  // of rows [Hz]

struct rutCsvLog {
  char* folder;             // owned
  char (*name)[NAME_SIZE];  // file name of each table without suffix, all different
  rutCsvTable* table;       // vehicles, then sensors, mechanisms, moving blocks, events
  double* stamp;            // of the last logged sample of each sensor
  double* scratch;          // numbers of one row of a mechanism
  int* block;               // index of each block that moves
  int vehicles, sensors, mechanisms, blocks, tables;
  int lock;       // descriptor of the folder, -1 if there is none
  int64_t every;  // steps between rows
  int digits;     // of numbers, 0: all
  int part;       // 1 in NAME.csv, 2 in NAME-2.csv, ...
  bool paused;    // nothing is written
  bool rebase;    // contacts must be taken as they are before events are told again
  rutContactWatch* contacts;
};

// --- Names of files ---------------------------------------------------------------------------

// Copy a name, with everything that could leave the folder or upset a shell replaced.
static void make_safe(const char* name, char* safe, size_t size) {
  size_t n = 0;
  for (const char* c = name; *c && n + 1 < size; c++) {
    unsigned char byte = (unsigned char)*c;
    bool plain = byte < 128 && (isalnum(byte) || strchr("._-+", byte));
    // a leading dot would hide the file or name a folder, a leading dash looks like an option
    if (n == 0 && (byte == '.' || byte == '-')) plain = false;
    safe[n++] = plain ? *c : '_';
  }
  if (n == 0) safe[n++] = '_';
  safe[n] = '\0';
}

static bool name_taken(const rutCsvLog* log, int tables, const char* name) {
  for (int i = 0; i < tables; i++) {
    if (strcmp(log->name[i], name) == 0) return true;
  }
  return strcmp(name, "events") == 0;
}

// Give table `index` a name that no table before it has.
static void name_table(rutCsvLog* log, int index, const char* wanted) {
  char safe[NAME_SIZE - 16];
  make_safe(wanted, safe, sizeof safe);
  snprintf(log->name[index], NAME_SIZE, "%s", safe);
  for (int i = 2; name_taken(log, index, log->name[index]); i++) {
    snprintf(log->name[index], NAME_SIZE, "%s_%d", safe, i);
  }
}

static void name_tables(rutCsvLog* log, const rutModel* model, const rutCsvLogDef* def) {
  int table = 0;
  for (int i = 0; i < log->vehicles; i++) {
    const char* given = def->name && def->name[i] ? def->name[i] : "";
    name_table(log, table++, given[0] ? given : rut_name(model, RUT_VEHICLE, i));
  }
  for (int i = 0; i < log->sensors; i++) {
    rutSensorInfo sensor = rut_sensor_info(model, i);
    char text[2 * NAME_SIZE];
    if (sensor.vehicle >= 0) {
      // a sensor of a vehicle may already be called "vehicle/sensor"
      const char* slash = strrchr(sensor.name, '/');
      snprintf(text, sizeof text, "%s.%.120s", log->name[sensor.vehicle],
               slash ? slash + 1 : sensor.name);
    } else {
      snprintf(text, sizeof text, "%.120s", sensor.name);
    }
    name_table(log, table++, text);
  }
  for (int i = 0; i < log->mechanisms; i++) {
    name_table(log, table++, rut_name(model, RUT_MECHANISM, i));
  }
  for (int i = 0; i < log->blocks; i++) {
    name_table(log, table++, rut_name(model, RUT_BLOCK, log->block[i]));
  }
  snprintf(log->name[table], NAME_SIZE, "events");
}

// Create a folder and those above it, and keep other runs out of it while *lock is open.
static rutStatus make_folder(const char* path, int* lock, rutError* err) {
  size_t length = strlen(path);
  char* partial = malloc(length + 1);
  if (!partial) return rut_error_set(err, RUT_ERR_MEMORY, "no memory for a log");
  int code = 0;
  for (size_t i = 1; i <= length && !code; i++) {
    if (path[i] != '/' && path[i] != '\0') continue;
    memcpy(partial, path, i);
    partial[i] = '\0';
    if (mkdir(partial, 0777) != 0 && errno != EEXIST) code = errno;
  }
  free(partial);
  if (!code) code = rut_output_lock_folder(path, lock);
  if (!code) return RUT_OK;
  char message[RUT_OUTPUT_TEXT];
  rut_output_explain(code, path, message);
  return rut_error_set(err, RUT_ERR_IO, "folder %.400s", message);
}

// --- Rows -------------------------------------------------------------------------------------

static const char* const vehicle_columns[] = {
    "t [s]",       "x [m]",      "y [m]",      "z [m]",           "roll [rad]",
    "pitch [rad]", "yaw [rad]",  "vx [m/s]",   "vy [m/s]",        "vz [m/s]",
    "wx [rad/s]",  "wy [rad/s]", "wz [rad/s]", "odo_speed [m/s]", "odo_yaw_rate [rad/s]",
    "collision",
};
static const char* const wheel_columns[] = {
    "steer [rad]", "angle [rad]", "speed [rad/s]", "torque [N m]", "load [N]",         "vx [m/s]",
    "vy [m/s]",    "fx [N]",      "fy [N]",        "slip [-]",     "slip_angle [rad]",
};
static const char* const block_columns[] = {
    "t [s]",       "x [m]",     "y [m]",    "z [m]",    "roll [rad]",
    "pitch [rad]", "yaw [rad]", "vx [m/s]", "vy [m/s]", "wz [rad/s]",
};
static const char* const event_columns[] = {
    "t [s]", "a", "b", "event", "x [m]", "y [m]", "nx [-]", "ny [-]",
};
#define COUNT_OF(array) ((int)(sizeof(array) / sizeof((array)[0])))

static void put_texts(rutCsvTable* table, int n, const char* const* text) {
  for (int i = 0; i < n; i++) rut_csv_put_text(table, text[i]);
}

static rutStatus vehicle_header(rutCsvTable* table, const rutModel* model, int vehicle,
                                rutError* err) {
  rutVehicleInfo info = rut_vehicle_info(model, vehicle);
  put_texts(table, COUNT_OF(vehicle_columns), vehicle_columns);
  for (int w = 0; w < info.wheels; w++) {
    // wheels are named "vehicle/wheel"; the file already says which vehicle
    const char* name = rut_name(model, RUT_WHEEL, info.first_wheel + w);
    const char* slash = strrchr(name, '/');
    for (int c = 0; c < COUNT_OF(wheel_columns); c++) {
      char text[2 * NAME_SIZE];
      snprintf(text, sizeof text, "%.200s.%s", slash ? slash + 1 : name, wheel_columns[c]);
      rut_csv_put_text(table, text);
    }
  }
  return rut_csv_end_row(table, err);
}

static rutStatus vehicle_row(rutCsvTable* table, const rutModel* model, const rutData* data,
                             int vehicle, rutError* err) {
  rutVehicleInfo info = rut_vehicle_info(model, vehicle);
  rutVehicleState s = rut_vehicle_state(model, data, vehicle);
  double body[] = {
      rut_time(data),
      s.position[0],
      s.position[1],
      s.position[2],
      s.roll,
      s.pitch,
      s.yaw,
      s.velocity[0],
      s.velocity[1],
      s.velocity[2],
      s.rate[0],
      s.rate[1],
      s.rate[2],
      s.odometry_velocity[0],
      s.odometry_velocity[1],
      s.collision ? 1.0 : 0.0,
  };
  rut_csv_put_numbers(table, COUNT_OF(body), body);
  for (int i = 0; i < info.wheels; i++) {
    rutWheelState w = rut_wheel_state(model, data, info.first_wheel + i);
    double wheel[] = {
        w.steer,           w.angle,    w.speed,    w.torque,  w.load,    w.hub_velocity[0],
        w.hub_velocity[1], w.force[0], w.force[1], w.slip[0], w.slip[1],
    };
    rut_csv_put_numbers(table, COUNT_OF(wheel), wheel);
  }
  return rut_csv_end_row(table, err);
}

static rutStatus sensor_header(rutCsvTable* table, const rutModel* model, int sensor,
                               rutError* err) {
  rutSensorInfo info = rut_sensor_info(model, sensor);
  rut_csv_put_text(table, "t [s]");
  for (int i = 0; i < info.outputs; i++) {
    const rutVariableInfo v = rut_variable(model, RUT_SENSOR, sensor, RUT_OUTPUT, i);
    for (int k = 0; k < v.count; k++) {
      char text[2 * NAME_SIZE], number[16] = "";
      if (v.dimensions > 0) snprintf(number, sizeof number, "_%d", k);
      snprintf(text, sizeof text, "%.100s%s [%.60s]", v.name, number, v.unit[0] ? v.unit : "-");
      rut_csv_put_text(table, text);
    }
  }
  return rut_csv_end_row(table, err);
}

// A row for a sample that is not logged yet.
static rutStatus sensor_row(rutCsvLog* log, rutCsvTable* table, const rutModel* model,
                            const rutData* data, int sensor, rutError* err) {
  double stamp = -1;
  int n = 0;
  const double* value = rut_sensor(model, data, sensor, &stamp, &n);
  if (!value || stamp < 0 || stamp == log->stamp[sensor]) return RUT_OK;
  log->stamp[sensor] = stamp;
  rut_csv_put_number(table, stamp);
  rut_csv_put_numbers(table, n, value);
  return rut_csv_end_row(table, err);
}

static rutStatus mechanism_header(rutCsvTable* table, const rutModel* model, int mechanism,
                                  rutError* err) {
  int positions = 0, speeds = 0;
  rut_mechanism_size(model, mechanism, &positions, &speeds);
  rut_csv_put_text(table, "t [s]");
  for (int i = 0; i < positions + speeds; i++) {
    char text[32];
    snprintf(text, sizeof text, i < positions ? "q%d" : "v%d", i < positions ? i : i - positions);
    rut_csv_put_text(table, text);
  }
  return rut_csv_end_row(table, err);
}

static rutStatus mechanism_row(rutCsvLog* log, rutCsvTable* table, const rutModel* model,
                               const rutData* data, int mechanism, rutError* err) {
  int positions = 0, speeds = 0;
  rut_mechanism_size(model, mechanism, &positions, &speeds);
  rut_mechanism_state(model, data, mechanism, log->scratch, log->scratch + positions);
  rut_csv_put_number(table, rut_time(data));
  rut_csv_put_numbers(table, positions + speeds, log->scratch);
  return rut_csv_end_row(table, err);
}

// Velocities of blocks are along the world's axes.
static rutStatus block_row(rutCsvTable* table, const rutModel* model, const rutData* data,
                           int block, rutError* err) {
  double pose[6], velocity[3];
  rut_block_state(model, data, block, pose, velocity);
  rut_csv_put_number(table, rut_time(data));
  rut_csv_put_numbers(table, 6, pose);
  rut_csv_put_numbers(table, 3, velocity);
  return rut_csv_end_row(table, err);
}

typedef struct EventSink {
  rutCsvLog* log;
  const rutModel* model;
  double time;
  rutStatus status;
  rutError* err;
} EventSink;

static const char* body_name(const rutModel* model, int kind, int index) {
  return kind < 0 ? "world" : rut_name(model, (rutKind)kind, index);
}

static void event_row(const rutContactPair* pair, bool begin, void* user) {
  EventSink* sink = user;
  if (sink->status != RUT_OK) return;
  rutCsvTable* table = &sink->log->table[sink->log->tables - 1];
  rut_csv_put_number(table, sink->time);
  rut_csv_put_text(table, body_name(sink->model, pair->kind_a, pair->index_a));
  rut_csv_put_text(table, body_name(sink->model, pair->kind_b, pair->index_b));
  rut_csv_put_text(table, begin ? "begin" : "end");
  rut_csv_put_numbers(table, 2, pair->position);
  rut_csv_put_numbers(table, 2, pair->normal);
  sink->status = rut_csv_end_row(table, sink->err);
}

static rutStatus log_events(rutCsvLog* log, const rutModel* model, const rutData* data,
                            rutError* err) {
  EventSink sink = {log, model, rut_time(data), RUT_OK, err};
  rutStatus status =
      rut_contact_watch_update(log->contacts, model, data, log->rebase ? NULL : event_row, &sink);
  log->rebase = false;
  if (status != RUT_OK) return rut_error_set(err, status, "no memory for a log");
  return sink.status;
}

// Rows of vehicles, mechanisms and blocks.
static rutStatus log_state(rutCsvLog* log, const rutModel* model, const rutData* data,
                           rutError* err) {
  rutStatus status = RUT_OK;
  for (int i = 0; i < log->vehicles && status == RUT_OK; i++) {
    status = vehicle_row(&log->table[i], model, data, i, err);
  }
  rutCsvTable* table = log->table + log->vehicles + log->sensors;
  for (int i = 0; i < log->mechanisms && status == RUT_OK; i++) {
    status = mechanism_row(log, &table[i], model, data, i, err);
  }
  table += log->mechanisms;
  for (int i = 0; i < log->blocks && status == RUT_OK; i++) {
    status = block_row(&table[i], model, data, log->block[i], err);
  }
  return status;
}

static rutStatus log_samples(rutCsvLog* log, const rutModel* model, const rutData* data,
                             rutError* err) {
  rutStatus status = RUT_OK;
  for (int i = 0; i < log->sensors && status == RUT_OK; i++) {
    status = sensor_row(log, &log->table[log->vehicles + i], model, data, i, err);
  }
  return status;
}

// --- Opening and closing ----------------------------------------------------------------------

static rutStatus write_header(rutCsvLog* log, const rutModel* model, int index, rutError* err) {
  rutCsvTable* table = &log->table[index];
  if (index < log->vehicles) return vehicle_header(table, model, index, err);
  index -= log->vehicles;
  if (index < log->sensors) return sensor_header(table, model, index, err);
  index -= log->sensors;
  if (index < log->mechanisms) return mechanism_header(table, model, index, err);
  bool block = index - log->mechanisms < log->blocks;
  put_texts(table, block ? COUNT_OF(block_columns) : COUNT_OF(event_columns),
            block ? block_columns : event_columns);
  return rut_csv_end_row(table, err);
}

// Open every file of this part with its header.
static rutStatus open_tables(rutCsvLog* log, const rutModel* model, rutError* err) {
  size_t threshold = log->tables <= FEW_TABLES ? LONG_BUFFER : SHORT_BUFFER;
  size_t size = strlen(log->folder) + NAME_SIZE + 32;
  char* path = malloc(size);
  if (!path) return rut_error_set(err, RUT_ERR_MEMORY, "no memory for a log");
  rutStatus status = RUT_OK;
  for (int i = 0; i < log->tables && status == RUT_OK; i++) {
    if (log->part == 1) {
      snprintf(path, size, "%s/%s.csv", log->folder, log->name[i]);
    } else {
      snprintf(path, size, "%s/%s-%d.csv", log->folder, log->name[i], log->part);
    }
    status = rut_csv_table_open(&log->table[i], model, path, threshold, log->digits, err);
    if (status == RUT_OK) status = write_header(log, model, i, err);
  }
  free(path);
  return status;
}

// Close every file, also after a failure; the first failure is the result.
static rutStatus close_tables(rutCsvLog* log, rutError* err) {
  rutStatus first = RUT_OK;
  for (int i = 0; i < log->tables; i++) {
    rutStatus status = rut_csv_table_close(&log->table[i], first == RUT_OK ? err : NULL);
    if (first == RUT_OK) first = status;
  }
  return first;
}

static void destroy(rutCsvLog* log) {
  if (log->lock >= 0) close(log->lock);
  rut_contact_watch_destroy(log->contacts);
  free(log->folder);
  free(log->name);
  free(log->table);
  free(log->stamp);
  free(log->scratch);
  free(log->block);
  free(log);
}

// Longest row of a mechanism.
static size_t mechanism_numbers(const rutModel* model, int mechanisms) {
  int longest = 0;
  for (int i = 0; i < mechanisms; i++) {
    int positions = 0, speeds = 0;
    rut_mechanism_size(model, i, &positions, &speeds);
    if (positions + speeds > longest) longest = positions + speeds;
  }
  return (size_t)longest + 1;
}

// List the blocks that move.
static bool find_blocks(rutCsvLog* log, const rutModel* model) {
  int n = rut_count(model, RUT_BLOCK);
  log->block = malloc(((size_t)n + 1) * sizeof log->block[0]);
  if (!log->block) return false;
  for (int i = 0; i < n; i++) {
    if (rut_block_moves(model, i)) log->block[log->blocks++] = i;
  }
  return true;
}

static bool allocate(rutCsvLog* log, const rutModel* model, const char* folder) {
  log->vehicles = rut_count(model, RUT_VEHICLE);
  log->sensors = rut_count(model, RUT_SENSOR);
  log->mechanisms = rut_count(model, RUT_MECHANISM);
  if (!find_blocks(log, model)) return false;
  log->tables = log->vehicles + log->sensors + log->mechanisms + log->blocks + 1;
  size_t length = strlen(folder) + 1;
  log->folder = malloc(length);
  log->name = calloc((size_t)log->tables, sizeof log->name[0]);
  log->table = calloc((size_t)log->tables, sizeof log->table[0]);
  log->stamp = calloc((size_t)log->sensors + 1, sizeof log->stamp[0]);
  log->scratch = calloc(mechanism_numbers(model, log->mechanisms), sizeof log->scratch[0]);
  log->contacts = rut_contact_watch_create();
  if (!log->contacts || !log->folder || !log->name || !log->table || !log->stamp || !log->scratch)
    return false;
  memcpy(log->folder, folder, length);
  for (int i = 0; i < log->sensors; i++) log->stamp[i] = -1;
  return true;
}

// First rows of a part: the present state, and what touches already.
static rutStatus begin_part(rutCsvLog* log, const rutModel* model, const rutData* data,
                            rutError* err) {
  rutStatus status = open_tables(log, model, err);
  if (status == RUT_OK && !log->paused) status = log_state(log, model, data, err);
  if (status == RUT_OK && !log->paused) status = log_samples(log, model, data, err);
  return status;
}

// Steps between rows that come at least at this rate; 0: the default one.
static int64_t steps_of_rate(const rutModel* model, double rate) {
  const double steps = 1 / ((rate > 0 ? rate : DEFAULT_RATE) * rut_model_timestep(model));
  return steps > 1e9 ? 1000000000 : steps < 1 ? 1 : (int64_t)(steps + 1e-6);
}

rutStatus rut_csv_log_create(const rutModel* model, const rutData* data, const rutCsvLogDef* def,
                             rutCsvLog** out, rutError* err) {
  *out = NULL;
  if (!def->folder || !def->folder[0] || def->every < 0 || !(def->rate >= 0) || def->digits < 0 ||
      def->digits > MAX_DIGITS) {
    return rut_error_set(err, RUT_ERR_ARGUMENT,
                         "a log needs a folder, every and rate >= 0, and 0 to 17 digits");
  }
  rutCsvLog* log = calloc(1, sizeof *log);
  if (log) log->lock = -1;
  if (!log || !allocate(log, model, def->folder)) {
    if (log) destroy(log);
    return rut_error_set(err, RUT_ERR_MEMORY, "no memory for a log");
  }
  log->every = def->every > 0 ? def->every : steps_of_rate(model, def->rate);
  log->digits = def->digits;
  log->part = 1;
  name_tables(log, model, def);
  rutStatus status = make_folder(log->folder, &log->lock, err);
  if (status == RUT_OK) status = begin_part(log, model, data, err);
  if (status == RUT_OK) status = log_events(log, model, data, err);
  if (status != RUT_OK) {
    close_tables(log, NULL);
    destroy(log);
    return status;
  }
  *out = log;
  return RUT_OK;
}

rutStatus rut_csv_log_step(rutCsvLog* log, const rutModel* model, const rutData* data,
                           rutError* err) {
  if (log->paused) return RUT_OK;
  rutStatus status = log_events(log, model, data, err);
  if (status == RUT_OK) status = log_samples(log, model, data, err);
  if (status == RUT_OK && rut_steps(data) % log->every == 0) {
    status = log_state(log, model, data, err);
  }
  return status;
}

void rut_csv_log_pause(rutCsvLog* log) { log->paused = true; }

void rut_csv_log_resume(rutCsvLog* log) {
  if (!log->paused) return;
  log->paused = false;
  log->rebase = true;
}

rutStatus rut_csv_log_restart(rutCsvLog* log, const rutModel* model, const rutData* data,
                              rutError* err) {
  rutStatus status = close_tables(log, err);
  log->part++;
  return status == RUT_OK ? begin_part(log, model, data, err) : status;
}

rutStatus rut_csv_log_close(rutCsvLog* log, rutError* err) {
  if (!log) return RUT_OK;
  rutStatus status = close_tables(log, err);
  destroy(log);
  return status;
}
