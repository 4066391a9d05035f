// SPDX-License-Identifier: BSD-3-Clause
//
// The CSV tables of a run, and their rows.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/report.h"
#include "host/csv_table.h"
#include "host/signals.h"
#include "host/way_watch.h"
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
  rutSignals* signals;      // for the rows of vehicles, mechanisms and blocks
  int* column;              // signals of all these tables, table by table
  int* first;     // [tables + 1] index in `column` of the first one of each table, then the end
  double* value;  // numbers of a row
  double* stamp;  // of the last logged sample of each sensor
  int* block;     // index of each block that moves
  int vehicles, sensors, mechanisms, blocks, tables;
  int lock;       // descriptor of the folder, -1 if there is none
  int64_t every;  // steps between rows
  int digits;     // of numbers, 0: all
  int part;       // 1 in NAME.csv, 2 in NAME-2.csv, ...
  bool paused;    // nothing is written
  bool rebase;    // events since the pause must be skipped before new ones are reported
  rutContactWatch* contacts;
  rutGroundWatch* ground;
  rutSoilWatch* soil;
  rutWayWatch* ways;
};

// --- Names of files ---------------------------------------------------------------------------

static bool name_taken(const rutCsvLog* log, int tables, const char* name) {
  for (int i = 0; i < tables; i++) {
    if (strcmp(log->name[i], name) == 0) return true;
  }
  return strcmp(name, "events") == 0;
}

// Give table `index` a name that no table before it has.
static void name_table(rutCsvLog* log, int index, const char* wanted) {
  char safe[NAME_SIZE - 16];
  rut_output_safe_name(wanted, safe, sizeof safe);
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

// Create the folder, and keep other runs out of it while *lock is open.
static rutStatus make_folder(const char* path, int* lock, rutError* err) {
  int code = rut_output_make_folder(path);
  if (!code) code = rut_output_lock_folder(path, lock);
  if (!code) return RUT_OK;
  char message[RUT_OUTPUT_TEXT];
  rut_output_explain(code, path, message);
  return rut_error_set(err, RUT_ERR_IO, "folder %.400s", message);
}

// --- Columns ----------------------------------------------------------------------------------

// Kind and index of the element whose states a table holds.
static rutKind kind_of(const rutCsvLog* log, int table, int* index) {
  const int mechanism = table - log->vehicles - log->sensors;
  const int block = mechanism - log->mechanisms;
  *index = table < log->vehicles ? table : block < 0 ? mechanism : log->block[block];
  return table < log->vehicles ? RUT_VEHICLE : block < 0 ? RUT_MECHANISM : RUT_BLOCK;
}

static const char* element_of(const rutCsvLog* log, const rutModel* model, int table) {
  int index;
  const rutKind kind = kind_of(log, table, &index);
  return rut_name(model, kind, index);
}

// Vehicle of a wheel.
static int owner_of(const rutModel* model, int wheel) {
  int low = 0, high = rut_count(model, RUT_VEHICLE) - 1;
  while (low < high) {
    const int middle = low + (high - low + 1) / 2;
    const bool behind = rut_vehicle_info(model, middle).first_wheel <= wheel;
    low = behind ? middle : low;
    high = behind ? high : middle - 1;
  }
  return low;
}

static int by_value(const void* a, const void* b) {
  const int x = *(const int*)a, y = *(const int*)b;
  return (x > y) - (x < y);
}

// Table of a signal, -1 if it has none.
static int table_of(const rutCsvLog* log, const rutModel* model, int signal) {
  const rutKind kind = rut_signals_kind(log->signals, signal);
  const int index = rut_signals_element(log->signals, signal);
  if (rut_signals_reading(log->signals, signal) == RUT_READ_ON_REQUEST) return -1;
  if (kind == RUT_VEHICLE) return index;
  if (kind == RUT_WHEEL) return owner_of(model, index);
  if (kind == RUT_MECHANISM) return log->vehicles + log->sensors + index;
  const int* block = kind == RUT_BLOCK && log->blocks > 0
                         ? bsearch(&index, log->block, (size_t)log->blocks, sizeof index, by_value)
                         : NULL;
  return block ? log->vehicles + log->sensors + log->mechanisms + (int)(block - log->block) : -1;
}

// Sort the signals by table, in each in their own order.
static rutStatus choose_columns(rutCsvLog* log, const rutModel* model, rutError* err) {
  const rutStatus status = rut_signals_create(model, &log->signals, err);
  if (status != RUT_OK) return status;
  const size_t all = (size_t)rut_signals_count(log->signals);
  log->column = malloc((all + 1) * sizeof log->column[0]);
  size_t longest = all;
  for (int i = 0; i < log->sensors; i++) {
    const size_t size = (size_t)rut_sensor_info(model, i).size;
    longest = size > longest ? size : longest;
  }
  log->value = malloc((longest + 1) * sizeof log->value[0]);
  log->first = calloc((size_t)log->tables + 1, sizeof log->first[0]);
  int* table = malloc((all + 1) * sizeof *table);
  if (!log->column || !log->value || !log->first || !table) {
    free(table);
    return rut_error_set(err, RUT_ERR_MEMORY, "no memory for a log");
  }
  for (size_t i = 0; i < all; i++) {
    table[i] = table_of(log, model, (int)i);
    if (table[i] >= 0) log->first[table[i] + 1]++;
  }
  for (int i = 0; i < log->tables; i++) log->first[i + 1] += log->first[i];
  for (size_t i = 0; i < all; i++) {
    if (table[i] >= 0) log->column[log->first[table[i]]++] = (int)i;
  }
  // each start has moved to the start of the next table
  for (int i = log->tables; i > 0; i--) log->first[i] = log->first[i - 1];
  log->first[0] = 0;
  free(table);
  return RUT_OK;
}

// --- Rows -------------------------------------------------------------------------------------

static const char* const event_columns[] = {
    "t [s]", "a", "b", "event", "x [m]", "y [m]", "nx [-]", "ny [-]",
};
#define COUNT_OF(array) ((int)(sizeof(array) / sizeof((array)[0])))

static void put_texts(rutCsvTable* table, int n, const char* const* text) {
  for (int i = 0; i < n; i++) rut_csv_put_text(table, text[i]);
}

// Names of signals without that of the table's element: "speed", "drive.gear",
// "front_left.load".
static rutStatus state_header(const rutCsvLog* log, int index, const char* element, rutError* err) {
  rutCsvTable* table = &log->table[index];
  rut_csv_put_text(table, "t [s]");
  for (int c = log->first[index]; c < log->first[index + 1]; c++) {
    const rutSignal s = rut_signals_at(log->signals, log->column[c]);
    char text[4 * NAME_SIZE];
    snprintf(text, sizeof text, s.unit[0] ? "%.400s [%.60s]" : "%.400s",
             s.name + strlen(element) + 1, s.unit);
    for (char* at = text; *at && *at != ' '; at++) {
      if (*at == '/') *at = '.';
    }
    rut_csv_put_text(table, text);
  }
  return rut_csv_end_row(table, err);
}

static rutStatus state_row(const rutCsvLog* log, int index, const rutModel* model,
                           const rutData* data, rutError* err) {
  rutCsvTable* table = &log->table[index];
  const int n = log->first[index + 1] - log->first[index];
  rut_signals_read(log->signals, model, data, n, log->column + log->first[index], log->value);
  rut_csv_put_number(table, rut_time(data));
  rut_csv_put_numbers(table, n, log->value);
  return rut_csv_end_row(table, err);
}

// Images and clouds of points are too large for tables.
static bool fits_table(const rutVariableInfo* v) {
  static const int LARGEST = 4096;
  return v->dimensions < 2 || v->count <= LARGEST;
}

static rutStatus sensor_header(rutCsvTable* table, const rutModel* model, int sensor,
                               rutError* err) {
  rutSensorInfo info = rut_sensor_info(model, sensor);
  rut_csv_put_text(table, "t [s]");
  for (int i = 0; i < info.outputs; i++) {
    const rutVariableInfo v = rut_variable(model, RUT_SENSOR, sensor, RUT_OUTPUT, i);
    for (int k = 0; k < v.count && fits_table(&v); k++) {
      char text[2 * RUT_LEAF_SIZE], leaf[RUT_LEAF_SIZE];
      rut_signals_leaf(&v, k, leaf);
      snprintf(text, sizeof text, v.unit[0] ? "%s [%.60s]" : "%s", leaf, v.unit);
      rut_csv_put_text(table, text);
    }
  }
  return rut_csv_end_row(table, err);
}

// Write a row if there is a sample that is not logged yet.
static rutStatus sensor_row(rutCsvLog* log, rutCsvTable* table, const rutModel* model,
                            const rutData* data, int sensor, rutError* err) {
  double stamp = -1;
  rut_sensor_output(model, data, sensor, 0, &stamp);
  if (stamp < 0 || stamp == log->stamp[sensor]) return RUT_OK;
  const rutSensorInfo info = rut_sensor_info(model, sensor);
  log->stamp[sensor] = stamp;
  rut_csv_put_number(table, stamp);
  for (int i = 0; i < info.outputs; i++) {
    const rutVariableInfo v = rut_variable(model, RUT_SENSOR, sensor, RUT_OUTPUT, i);
    const rutVariableRange output = {RUT_SENSOR, sensor, RUT_OUTPUT, i, 1};
    if (!fits_table(&v)) continue;
    const rutStatus status = rut_variables_read(model, data, &output, v.count, log->value);
    if (status != RUT_OK) return status;
    rut_csv_put_numbers(table, v.count, log->value);
  }
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

// The other body is the ground, and there is no normal.
static void exit_row(const rutGroundExit* exit, void* user) {
  static const double none[2];
  EventSink* sink = user;
  if (sink->status != RUT_OK) return;
  rutCsvTable* table = &sink->log->table[sink->log->tables - 1];
  rut_csv_put_number(table, exit->time);
  rut_csv_put_text(table, body_name(sink->model, RUT_VEHICLE, exit->vehicle));
  rut_csv_put_text(table, "ground");
  rut_csv_put_text(table, exit->step != 0 ? "step" : "left");
  rut_csv_put_numbers(table, 2, exit->position);
  rut_csv_put_numbers(table, 2, none);
  sink->status = rut_csv_end_row(table, sink->err);
}

// The other body is the soil; the event is the limit that a wheel or the chassis has left.
static void soil_row(const rutSoilEvent* event, void* user) {
  static const double none[2];
  EventSink* sink = user;
  if (sink->status != RUT_OK) return;
  rutCsvTable* table = &sink->log->table[sink->log->tables - 1];
  const int first = rut_vehicle_info(sink->model, event->vehicle).first_wheel;
  rut_csv_put_number(table, event->time);
  rut_csv_put_text(table, event->wheel < 0
                              ? body_name(sink->model, RUT_VEHICLE, event->vehicle)
                              : body_name(sink->model, RUT_WHEEL, first + event->wheel));
  rut_csv_put_text(table, body_name(sink->model, RUT_SOIL, event->soil));
  rut_csv_put_text(table, rut_soil_limit_name(event->limit));
  rut_csv_put_numbers(table, 2, event->position);
  rut_csv_put_numbers(table, 2, none);
  sink->status = rut_csv_end_row(table, sink->err);
}

// There is no other body.
static void way_row(const rutWayEvent* event, void* user) {
  static const double none[2];
  EventSink* sink = user;
  if (sink->status != RUT_OK) return;
  rutCsvTable* table = &sink->log->table[sink->log->tables - 1];
  rut_csv_put_number(table, event->time);
  rut_csv_put_text(table, body_name(sink->model, RUT_VEHICLE, event->vehicle));
  rut_csv_put_text(table, "goal");
  rut_csv_put_text(table, event->found ? "way" : "no_way");
  rut_csv_put_numbers(table, 2, event->position);
  rut_csv_put_numbers(table, 2, none);
  sink->status = rut_csv_end_row(table, sink->err);
}

static rutStatus log_events(rutCsvLog* log, const rutModel* model, const rutData* data,
                            rutError* err) {
  EventSink sink = {log, model, rut_time(data), RUT_OK, err};
  rutStatus status =
      rut_contact_watch_update(log->contacts, model, data, log->rebase ? NULL : event_row, &sink);
  if (status == RUT_OK) {
    status =
        rut_ground_watch_update(log->ground, model, data, log->rebase ? NULL : exit_row, &sink);
  }
  if (status == RUT_OK) {
    status = rut_soil_watch_update(log->soil, model, data, log->rebase ? NULL : soil_row, &sink);
  }
  if (status == RUT_OK) {
    status = rut_way_watch_update(log->ways, model, data, log->rebase ? NULL : way_row, &sink);
  }
  log->rebase = false;
  if (status != RUT_OK) return rut_error_set(err, status, "no memory for a log");
  return sink.status;
}

// Rows of vehicles, mechanisms and blocks.
static rutStatus log_state(rutCsvLog* log, const rutModel* model, const rutData* data,
                           rutError* err) {
  rutStatus status = RUT_OK;
  for (int i = 0; i < log->tables - 1 && status == RUT_OK; i++) {
    const bool samples = i >= log->vehicles && i < log->vehicles + log->sensors;
    if (!samples) status = state_row(log, i, model, data, err);
  }
  return status;
}

static rutStatus log_samples(rutCsvLog* log, const rutModel* model, const rutData* data,
                             rutError* err) {
  rutStatus status = RUT_OK;
  for (int i = 0; i < log->sensors && status == RUT_OK; i++) {
    if (!log->table[log->vehicles + i].path) continue;
    status = sensor_row(log, &log->table[log->vehicles + i], model, data, i, err);
  }
  return status;
}

// --- Opening and closing ----------------------------------------------------------------------

static rutStatus write_header(rutCsvLog* log, const rutModel* model, int index, rutError* err) {
  rutCsvTable* table = &log->table[index];
  const int sensor = index - log->vehicles;
  if (index == log->tables - 1) {
    put_texts(table, COUNT_OF(event_columns), event_columns);
    return rut_csv_end_row(table, err);
  }
  if (sensor >= 0 && sensor < log->sensors) return sensor_header(table, model, sensor, err);
  return state_header(log, index, element_of(log, model, index), err);
}

static bool is_image_or_cloud(rutSensorForm form) {
  return form == RUT_FORM_POINT_CLOUD || form == RUT_FORM_IMAGE;
}

// Point clouds and images have no table: a sample has hundreds of thousands of numbers.
static bool has_table(const rutCsvLog* log, const rutModel* model, int index) {
  const int sensor = index - log->vehicles;
  return sensor < 0 || sensor >= log->sensors ||
         !is_image_or_cloud(rut_sensor_info(model, sensor).form);
}

// Open every file of this part with its header.
static rutStatus open_tables(rutCsvLog* log, const rutModel* model, rutError* err) {
  size_t threshold = log->tables <= FEW_TABLES ? LONG_BUFFER : SHORT_BUFFER;
  size_t size = strlen(log->folder) + NAME_SIZE + 32;
  char* path = malloc(size);
  if (!path) return rut_error_set(err, RUT_ERR_MEMORY, "no memory for a log");
  rutStatus status = RUT_OK;
  for (int i = 0; i < log->tables && status == RUT_OK; i++) {
    if (!has_table(log, model, i)) continue;
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
  rut_ground_watch_destroy(log->ground);
  rut_soil_watch_destroy(log->soil);
  rut_way_watch_destroy(log->ways);
  free(log->folder);
  free(log->name);
  free(log->table);
  free(log->stamp);
  rut_signals_destroy(log->signals);
  free(log->column);
  free(log->first);
  free(log->value);
  free(log->block);
  free(log);
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
  log->contacts = rut_contact_watch_create();
  log->ground = rut_ground_watch_create();
  log->soil = rut_soil_watch_create();
  log->ways = rut_way_watch_create();
  if (!log->ground || !log->soil || !log->ways) return false;
  if (!log->contacts || !log->folder || !log->name || !log->table || !log->stamp) return false;
  memcpy(log->folder, folder, length);
  for (int i = 0; i < log->sensors; i++) log->stamp[i] = -1;
  return true;
}

// First rows of a part: the present state, and contacts that exist already.
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
    return rut_error_set(
        err, RUT_ERR_ARGUMENT,
        "a table needs a folder, 'every' and 'rate' from 0 on, and 0 to 17 digits");
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
  rutStatus status = choose_columns(log, model, err);
  if (status == RUT_OK) status = make_folder(log->folder, &log->lock, err);
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
