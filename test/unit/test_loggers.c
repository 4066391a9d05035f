// SPDX-License-Identifier: BSD-3-Clause
//
// Logs that a world names: rows, sessions, orders, conditions, files and sinks.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "assert_near.h"
#include "rut/component.h"
#include "rut/host.h"
#include "scratch_folder.h"

// ---- a controller that asks things of logs: by what it tells, at updates that it counts ----

static const rutVariable scribe_states[] = {RUT_VARIABLE(updates, "", "so far")};
static const rutVariable scribe_outputs[] = {
    RUT_VARIABLE(record, "", "1 while logs are to record") RUT_VARIABLE(
        leg, "", "number of the leg") RUT_VARIABLE(mistakes, "", "number of mistakes so far")};

// Records from its 11th update to its 40th, with a leg from the 21st and a mistake at the 31st.
static void scribe_update(const void* param, const rutVehicleLayout* layout, const rutControlIn* in,
                          double* state, const rutControlOut* out) {
  const int lanes = in->lanes;
  (void)param;
  (void)layout;
  (void)in;
  for (int l = 0; l < lanes; l++) {
    const double n = ++state[l];
    out->output[l] = n >= 11 && n <= 40;
    out->output[lanes + l] = n >= 21;
    out->output[2 * lanes + l] = n >= 31;
    for (int i = 0; i < in->demands; i++) out->demand[i * lanes + l] = 1;
  }
}

static const rutField scribe_fields[] = {RUT_CONTROLLER_ROWS};
static const rutControllerType scribe = {.base = {.abi = RUT_ABI,
                                                  .struct_size = sizeof(rutControllerType),
                                                  .kind = "controller",
                                                  .name = "scribe",
                                                  .parents = "vehicle",
                                                  .doc = "Asks for logs.",
                                                  .field = scribe_fields,
                                                  .fields = RUT_COUNT_OF(scribe_fields),
                                                  .state = scribe_states,
                                                  .states = RUT_COUNT_OF(scribe_states)},
                                         .output = scribe_outputs,
                                         .outputs = RUT_COUNT_OF(scribe_outputs),
                                         .update = scribe_update};

// ---- a world ----

typedef struct Fixture {
  rutContext* context;
  rutSpec* spec;
  rutModel* model;
  rutData* data;
  rutLoggers* loggers;
  char folder[SCRATCH_FOLDER_SIZE];
} Fixture;

#define ROBOT(name, x, controller, logs)                                                 \
  "<vehicle name='" name "' position='" x                                                \
  " 0'><chassis mass='10' outline='-0.3 -0.3 0.3 -0.3 0.3 0.3 -0.3 0.3'/>"               \
  "<wheel name='l' position='0 0.25' place='left' mass='1' radius='0.1'/>"               \
  "<wheel name='r' position='0 -0.25' place='right' mass='1' radius='0.1'/>"             \
  "<tyre type='coulomb'/><drive type='direct'/><controller type='" controller "'/>" logs \
  "</vehicle>"
// Steps of 10 ms, rows at every one.
#define WORLD(logs, in_vehicle) \
  "<world timestep='0.01'>" logs ROBOT("r1", "0", "scribe", in_vehicle) "</world>"

static void free_world(Fixture* f) {
  rut_loggers_close(f->loggers, NULL);
  rut_data_destroy(f->data);
  rut_model_destroy(f->model);
  rut_spec_destroy(f->spec);
  f->loggers = NULL;
  f->data = NULL;
  f->model = NULL;
  f->spec = NULL;
}

static rutStatus compile(Fixture* f, const char* text, rutError* err) {
  free_world(f);
  rutStatus status = rut_spec_parse(f->context, text, strlen(text), "test.xml", &f->spec, err);
  if (status == RUT_OK) status = rut_compile(f->spec, &f->model, err);
  return status;
}

static rutStatus create(Fixture* f, bool with_folder, rutError* err) {
  rutLoggersDef def = rut_default_loggers();
  if (with_folder) def.folder = f->folder;
  return rut_loggers_create(f->spec, f->model, &def, &f->loggers, err);
}

static void open_world(Fixture* f, const char* text, bool with_folder) {
  rutError err = {0};
  rutStatus status = compile(f, text, &err);
  if (status == RUT_OK) status = create(f, with_folder, &err);
  if (status != RUT_OK) fail_msg("%s:%d: %s", err.file, err.line, err.message);
  f->data = rut_data_create(f->model);
  assert_non_null(f->data);
}

// Log the present state.
static void take(Fixture* f) {
  rutError err = {0};
  if (rut_loggers_step(f->loggers, f->model, f->data, &err) != RUT_OK) fail_msg("%s", err.message);
}

static void run(Fixture* f, int steps) {
  for (int i = 0; i < steps; i++) {
    assert_int_equal(rut_step(f->model, f->data, NULL), RUT_OK);
    take(f);
  }
}

static void ask(Fixture* f, const char* order, const char* log) {
  rutError err = {0};
  if (rut_loggers_order_named(f->loggers, order, log, &err) != RUT_OK) fail_msg("%s", err.message);
}

static void close_loggers(Fixture* f) {
  rutError err = {0};
  if (rut_loggers_close(f->loggers, &err) != RUT_OK) fail_msg("%s", err.message);
  f->loggers = NULL;
}

static int set_up(void** state) {
  Fixture* f = calloc(1, sizeof *f);
  assert_non_null(f);
  assert_int_equal(rut_context_create(NULL, &f->context, NULL), RUT_OK);
  assert_int_equal(rut_register(f->context, &scribe.base, NULL), RUT_OK);
  make_scratch_folder(f->folder);
  *state = f;
  return 0;
}

static int tear_down(void** state) {
  Fixture* f = *state;
  free_world(f);
  rut_context_destroy(f->context);
  remove_scratch_folder(f->folder);
  free(f);
  return 0;
}

// ---- files ----

typedef struct Table {
  char header[4096];
  int rows;
  double first, last;  // times
} Table;

static void path_of(const Fixture* f, const char* name, char path[256]) {
  snprintf(path, 256, "%s/%s", f->folder, name);
}

static bool exists(const Fixture* f, const char* name) {
  char path[256];
  struct stat info;
  path_of(f, name, path);
  return lstat(path, &info) == 0;
}

static Table read_table(const Fixture* f, const char* name) {
  char path[256], line[8192];
  path_of(f, name, path);
  FILE* file = fopen(path, "r");
  if (!file) fail_msg("%s is missing", path);
  Table t = {0};
  assert_non_null(fgets(t.header, sizeof t.header, file));
  t.header[strcspn(t.header, "\n")] = '\0';
  while (fgets(line, sizeof line, file)) {
    t.last = strtod(line, NULL);
    if (t.rows++ == 0) t.first = t.last;
  }
  fclose(file);
  return t;
}

#define assert_span(t, n, from, to)     \
  do {                                  \
    assert_int_equal((t).rows, n);      \
    assert_near((t).first, from, 1e-9); \
    assert_near((t).last, to, 1e-9);    \
  } while (0)

static void write_text(const Fixture* f, const char* name, const char* text) {
  char path[256];
  path_of(f, name, path);
  FILE* file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
}

static void assert_text(const Fixture* f, const char* name, const char* text) {
  char path[256], got[64] = "";
  path_of(f, name, path);
  FILE* file = fopen(path, "r");
  assert_non_null(file);
  const size_t n = fread(got, 1, sizeof got - 1, file);
  fclose(file);
  assert_int_equal(n, strlen(text));
  assert_string_equal(got, text);
}

// ---- rows ----

static void rows_hold_the_chosen_signals(void** state) {
  Fixture* f = *state;
  open_world(f, WORLD("<log name='run' signals='r1/x *r1/speed' rate='50 Hz'/>", ""), true);
  assert_int_equal(rut_loggers_count(f->loggers), 1);
  rutLoggerInfo info = rut_loggers_info(f->loggers, 0);
  assert_string_equal(info.name, "run");
  assert_string_equal(info.format, "csv");
  assert_int_equal(info.vehicle, -1);
  assert_int_equal(info.columns, 2);
  assert_near(info.rate, 50, 1e-9);
  assert_string_equal(info.file, "");
  assert_string_equal(rut_loggers_column(f->loggers, 0, 1).name, "r1/speed");
  assert_string_equal(rut_loggers_column(f->loggers, 0, 2).name, "");
  take(f);
  run(f, 10);
  const double x = rut_vehicle_state(f->model, f->data, 0).position[0];
  assert_true(x > 0);
  info = rut_loggers_info(f->loggers, 0);
  assert_int_equal(info.rows, 6);
  assert_int_equal(info.session, 1);
  assert_true(info.recording && strstr(info.file, "/run.csv"));
  close_loggers(f);
  const Table t = read_table(f, "run.csv");
  assert_string_equal(t.header, "t [s],r1/x [m],r1/speed [m/s]");
  assert_span(t, 6, 0, 0.1);
  char path[256], line[256];
  path_of(f, "run.csv", path);
  FILE* file = fopen(path, "r");
  for (int i = 0; i < 7; i++) assert_non_null(fgets(line, sizeof line, file));
  fclose(file);
  // the same number to the last bit
  assert_true(strtod(strchr(line, ',') + 1, NULL) == x);
}

static void a_vehicle_logs_itself(void** state) {
  Fixture* f = *state;
  open_world(
      f,
      "<world timestep='0.01'>" ROBOT("r1", "0", "scribe", "<log name='own' rate='100'/>")
          ROBOT("r 2", "5", "scribe", "<log name='own' signals='x l/speed' rate='100'/>")
              ROBOT("r_2", "9", "scribe", "<log name='own' signals='x' rate='100'/>") "</world>",
      true);
  assert_int_equal(rut_loggers_find(f->loggers, "r 2/own"), 1);
  assert_int_equal(rut_loggers_find(f->loggers, "own"), -1);
  assert_int_equal(rut_loggers_info(f->loggers, 1).vehicle, 1);
  // without patterns: all of the vehicle and its wheels, nothing of the others
  const int n = rut_loggers_info(f->loggers, 0).columns;
  assert_true(n > 20);
  for (int i = 0; i < n; i++) {
    assert_int_equal(strncmp(rut_loggers_column(f->loggers, 0, i).name, "r1/", 3), 0);
  }
  take(f);
  run(f, 3);
  close_loggers(f);
  assert_string_equal(read_table(f, "r_2.own.csv").header, "t [s],x [m],l/speed [rad/s]");
  assert_string_equal(read_table(f, "r_2.own_2.csv").header, "t [s],x [m]");
  assert_span(read_table(f, "r1.own.csv"), 4, 0, 0.03);
}

// Accelerations are means since the row before of the same log, whatever others ask for.
static void logs_do_not_disturb_each_other(void** state) {
  Fixture* f = *state;
  const char* slow = "<log name='slow' signals='r1/longitudinal_acceleration' rate='10'/>";
  char text[4096];
  double last[2];
  for (int i = 0; i < 2; i++) {
    snprintf(text, sizeof text, WORLD("%s%s", ""), slow,
             i ? "<log name='fast' signals='r1/longitudinal_acceleration' rate='100'/>" : "");
    open_world(f, text, true);
    take(f);
    run(f, 20);
    close_loggers(f);
    char path[256], line[256];
    path_of(f, i ? "slow-2.csv" : "slow.csv", path);
    FILE* file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) last[i] = strtod(strchr(line, ',') + 1, NULL);
    fclose(file);
  }
  assert_true(last[0] > 0 && last[0] == last[1]);
}

static void a_run_is_the_same_with_logs(void** state) {
  Fixture* f = *state;
  uint64_t hash[2];
  for (int i = 0; i < 2; i++) {
    open_world(f,
               WORLD("<log name='a' rate='100'/><log name='b' format='mcap' rate='100'/>",
                     "<log name='c' record_while='controller/record'/>"),
               i > 0);
    take(f);
    run(f, 50);
    hash[i] = rut_state_hash(f->model, f->data);
  }
  assert_true(hash[0] == hash[1]);
  assert_true(exists(f, "a.csv") && exists(f, "b.mcap") && exists(f, "r1.c.csv"));
}

static void mcap_holds_the_same_numbers(void** state) {
  Fixture* f = *state;
  open_world(f, WORLD("", "<log name='m' format='mcap' signals='x l/speed' rate='100'/>"), true);
  take(f);
  run(f, 10);
  const double x = rut_vehicle_state(f->model, f->data, 0).position[0];
  close_loggers(f);
  char path[256];
  path_of(f, "r1.m.mcap", path);
  rutLogFile* file;
  assert_int_equal(rut_log_open(path, &file, NULL), RUT_OK);
  assert_true(rut_log_attachment_find(file, "world.xml") >= 0);
  assert_true(rut_log_signal_find(file, "r1/l/speed") >= 0);
  assert_int_equal(rut_log_signal_find(file, "r1/y"), -1);
  rutLogMessage message;
  const int channel = rut_log_channel_find(file, "/r1/state");
  assert_true(channel >= 0 && rut_log_message_at(file, channel, 1, &message));
  assert_near(message.time, 0.1, 1e-9);
  double value;
  memcpy(&value, (const char*)message.bytes + message.size - sizeof value, sizeof value);
  assert_true(value == x);
  rut_log_file_close(file);
}

// ---- orders ----

static void orders_act_from_the_next_row_on(void** state) {
  Fixture* f = *state;
  open_world(f, WORLD("<log name='run' signals='r1/x' rate='100'/>", ""), true);
  take(f);
  run(f, 10);
  ask(f, "pause", "run");
  assert_true(rut_loggers_info(f->loggers, 0).paused);
  assert_false(rut_loggers_info(f->loggers, 0).recording);
  run(f, 10);
  ask(f, "resume", "*");
  run(f, 10);
  ask(f, "session", "r?n");
  ask(f, "session", "run");  // there is none between them
  run(f, 5);
  ask(f, "clear", "run");
  assert_false(exists(f, "run-2.csv"));
  run(f, 5);
  assert_int_equal(rut_loggers_info(f->loggers, 0).rows, 5);
  ask(f, "pause", "run");
  ask(f, "session", "run");
  run(f, 5);
  close_loggers(f);
  assert_span(read_table(f, "run.csv"), 21, 0, 0.3);
  assert_span(read_table(f, "run-2.csv"), 5, 0.36, 0.4);
  assert_false(exists(f, "run-3.csv"));
}

static void an_order_that_is_none_says_what_there_is(void** state) {
  Fixture* f = *state;
  open_world(f, WORLD("<log name='run'/>", "<log name='own'/>"), true);
  rutError err = {0};
  assert_int_equal(rut_loggers_order_named(f->loggers, "stop", "run", &err), RUT_ERR_ARGUMENT);
  assert_non_null(strstr(err.message, "pause, resume, clear and session"));
  assert_int_equal(rut_loggers_order_named(f->loggers, "pause", "rum", &err), RUT_ERR_ARGUMENT);
  assert_non_null(strstr(err.message, "run, r1/own"));
  assert_int_equal(rut_loggers_order(f->loggers, 2, RUT_LOGGER_PAUSE, &err), RUT_ERR_ARGUMENT);
  assert_int_equal(rut_loggers_order(f->loggers, 0, RUT_LOGGER_ORDERS, &err), RUT_ERR_ARGUMENT);
  assert_null(rut_logger_order_name(RUT_LOGGER_ORDERS));
  assert_string_equal(rut_logger_order_name(RUT_LOGGER_CLEAR), "clear");
}

static void a_paused_log_makes_no_file(void** state) {
  Fixture* f = *state;
  open_world(f, WORLD("<log name='run' paused='true' rate='100'/>", ""), true);
  take(f);
  run(f, 5);
  assert_false(exists(f, "run.csv"));
  ask(f, "resume", "run");
  run(f, 2);
  close_loggers(f);
  assert_span(read_table(f, "run.csv"), 2, 0.06, 0.07);
}

// ---- by its controller ----

static void a_controller_asks_by_what_it_tells(void** state) {
  Fixture* f = *state;
  open_world(f,
             WORLD("",
                   "<log name='own' signals='x controller/leg' rate='100' "
                   "record_while='controller/record' session_on='controller/leg' "
                   "clear_on='controller/mistakes'/>"),
             true);
  take(f);
  run(f, 60);
  close_loggers(f);
  // its n-th update is in the step to n dt: it acts at the end of that step
  assert_span(read_table(f, "r1.own.csv"), 10, 0.11, 0.2);
  assert_span(read_table(f, "r1.own-2.csv"), 10, 0.31, 0.4);
  assert_false(exists(f, "r1.own-3.csv"));
}

// ---- time that goes back ----

static void rows_of_a_session_are_in_order_of_time(void** state) {
  Fixture* f = *state;
  open_world(
      f, WORLD("<log name='run' signals='r1/x' rate='100' session_on='r1/controller/leg'/>", ""),
      true);
  take(f);
  run(f, 5);
  rut_data_reset(f->model, f->data, 0);
  take(f);
  run(f, 3);
  const size_t size = rut_state_size(f->model, f->data, RUT_STATE_ALL);
  void* bytes = malloc(size);
  assert_non_null(bytes);
  run(f, 7);
  assert_int_equal(rut_state_get(f->model, f->data, RUT_STATE_ALL, bytes, size), RUT_OK);
  rut_data_reset(f->model, f->data, 0);
  take(f);
  // forward, but to another run's state
  assert_int_equal(rut_state_set(f->model, f->data, RUT_STATE_ALL, bytes, size), RUT_OK);
  rut_loggers_jump(f->loggers);
  take(f);
  free(bytes);
  close_loggers(f);
  assert_span(read_table(f, "run.csv"), 6, 0, 0.05);
  assert_span(read_table(f, "run-2.csv"), 11, 0, 0.1);
  assert_span(read_table(f, "run-3.csv"), 1, 0, 0);
  assert_span(read_table(f, "run-4.csv"), 1, 0.1, 0.1);
}

// ---- files ----

static void nothing_is_replaced(void** state) {
  Fixture* f = *state;
  char path[256];
  write_text(f, "run.csv", "mine");
  write_text(f, "kept", "kept");
  path_of(f, "run-2.csv", path);
  assert_int_equal(symlink("kept", path), 0);
  path_of(f, "run-3.csv", path);
  assert_int_equal(symlink("absent", path), 0);
  path_of(f, "run-4.csv", path);
  assert_int_equal(mkfifo(path, 0600), 0);
  path_of(f, "run-5.csv", path);
  assert_int_equal(mkdir(path, 0700), 0);
  for (int i = 0; i < 2; i++) {
    open_world(f, WORLD("<log name='run' signals='r1/x' rate='100'/>", ""), true);
    take(f);
    run(f, 2);
    close_loggers(f);
  }
  assert_text(f, "run.csv", "mine");
  assert_text(f, "kept", "kept");
  assert_false(exists(f, "absent"));
  assert_int_equal(read_table(f, "run-6.csv").rows, 3);
  assert_int_equal(read_table(f, "run-7.csv").rows, 3);
}

// To clear removes what the log has written, not what another has put in its place.
static void a_file_of_another_is_not_cleared(void** state) {
  Fixture* f = *state;
  char path[256];
  open_world(f, WORLD("<log name='run' signals='r1/x' rate='100'/>", ""), true);
  take(f);
  path_of(f, "run.csv", path);
  assert_int_equal(unlink(path), 0);
  write_text(f, "run.csv", "mine");
  rutError err = {0};
  rut_loggers_order_named(f->loggers, "clear", "run", &err);
  assert_text(f, "run.csv", "mine");
}

static void a_log_that_fails_leaves_the_others(void** state) {
  Fixture* f = *state;
  char path[256];
  open_world(f,
             WORLD("<log name='a' signals='r1/x' rate='100'/>"
                   "<log name='b' signals='r1/x' rate='100'/>",
                   ""),
             true);
  take(f);
  path_of(f, "a.csv", path);
  assert_int_equal(unlink(path), 0);
  rutError err = {0};
  assert_int_equal(rut_loggers_order_named(f->loggers, "session", "a", &err), RUT_ERR_IO);
  assert_non_null(strstr(err.message, "a.csv"));
  assert_false(rut_loggers_info(f->loggers, 0).written);
  assert_true(rut_loggers_info(f->loggers, 1).written);
  run(f, 3);
  close_loggers(f);
  assert_false(exists(f, "a-2.csv"));
  assert_span(read_table(f, "b.csv"), 4, 0, 0.03);
}

static void a_folder_may_not_be_a_link(void** state) {
  Fixture* f = *state;
  char path[256];
  rutError err = {0};
  assert_int_equal(compile(f, WORLD("<log name='a'/>", ""), &err), RUT_OK);
  path_of(f, "link", path);
  assert_int_equal(symlink(f->folder, path), 0);
  rutLoggersDef def = rut_default_loggers();
  def.folder = path;
  assert_int_equal(rut_loggers_create(f->spec, f->model, &def, &f->loggers, &err), RUT_ERR_IO);
  assert_null(f->loggers);
  assert_non_null(strstr(err.message, "link"));
  write_text(f, "file", "mine");
  path_of(f, "file", path);
  assert_int_equal(rut_loggers_create(f->spec, f->model, &def, &f->loggers, &err), RUT_ERR_IO);
  assert_text(f, "file", "mine");
  path_of(f, "new/below", path);
  assert_int_equal(rut_loggers_create(f->spec, f->model, &def, &f->loggers, &err), RUT_OK);
  assert_true(exists(f, "new/below"));
}

// ---- sinks ----

typedef struct Tape {
  int begun, rows, cleared, ended, fail_at;
  int session, columns;
  char name[64], unit[16];
  double time, value;
} Tape;

static rutStatus tape_begin(void* user, const rutLoggerInfo* log, int n, const rutSignal* column,
                            rutError* err) {
  Tape* t = user;
  (void)err;
  t->begun++;
  t->session = log->session;
  t->columns = n;
  snprintf(t->name, sizeof t->name, "%s", column[1].name);
  snprintf(t->unit, sizeof t->unit, "%s", column[1].unit);
  return RUT_OK;
}

static rutStatus tape_row(void* user, double time, int n, const double* value, rutError* err) {
  Tape* t = user;
  assert_int_equal(n, t->columns);
  t->time = time;
  t->value = value[0];
  if (++t->rows != t->fail_at) return RUT_OK;
  snprintf(err->message, sizeof err->message, "the tape is torn");
  return RUT_ERR_IO;
}

static rutStatus tape_clear(void* user, rutError* err) {
  (void)err;
  ((Tape*)user)->cleared++;
  return RUT_OK;
}

static rutStatus tape_end(void* user, rutError* err) {
  (void)err;
  ((Tape*)user)->ended++;
  return RUT_OK;
}

static rutLogSink sink_of(Tape* tape) {
  return (rutLogSink){tape, tape_begin, tape_row, tape_clear, tape_end};
}

static void a_program_takes_rows_itself(void** state) {
  Fixture* f = *state;
  open_world(f,
             WORLD("<log name='run' signals='r1/x r1/speed' rate='100'/><log name='other'/>", ""),
             false);
  Tape tape = {0};
  const rutLogSink sink = sink_of(&tape);
  assert_false(rut_loggers_info(f->loggers, 0).written);
  assert_int_equal(rut_loggers_set_sink(f->loggers, 0, &sink, NULL), RUT_OK);
  assert_true(rut_loggers_info(f->loggers, 0).written);
  assert_string_equal(rut_loggers_info(f->loggers, 0).format, "sink");
  assert_int_equal(rut_loggers_set_sink(f->loggers, 2, &sink, NULL), RUT_ERR_ARGUMENT);
  assert_int_equal(rut_loggers_set_sink(f->loggers, 1, &(rutLogSink){0}, NULL), RUT_ERR_ARGUMENT);
  take(f);
  run(f, 4);
  assert_int_equal(rut_loggers_set_sink(f->loggers, 1, &sink, NULL), RUT_ERR_ARGUMENT);
  assert_int_equal(tape.begun, 1);
  assert_int_equal(tape.rows, 5);
  assert_string_equal(tape.name, "r1/speed");
  assert_string_equal(tape.unit, "m/s");
  assert_near(tape.time, 0.04, 1e-12);
  assert_true(tape.value == rut_vehicle_state(f->model, f->data, 0).position[0]);
  ask(f, "clear", "run");
  assert_int_equal(tape.cleared, 1);
  assert_int_equal(rut_loggers_info(f->loggers, 0).rows, 0);
  run(f, 1);
  assert_int_equal(tape.begun, 1);
  ask(f, "session", "run");
  run(f, 1);
  assert_int_equal(tape.begun, 2);
  assert_int_equal(tape.session, 2);
  assert_int_equal(tape.ended, 1);
  close_loggers(f);
  assert_int_equal(tape.ended, 2);
}

static void a_sink_may_fail(void** state) {
  Fixture* f = *state;
  open_world(f, WORLD("<log name='run' signals='r1/x r1/speed' rate='100'/>", ""), false);
  Tape tape = {.fail_at = 3};
  const rutLogSink sink = sink_of(&tape);
  assert_int_equal(rut_loggers_set_sink(f->loggers, 0, &sink, NULL), RUT_OK);
  take(f);
  run(f, 1);
  rutError err = {0};
  assert_int_equal(rut_step(f->model, f->data, NULL), RUT_OK);
  assert_int_equal(rut_loggers_step(f->loggers, f->model, f->data, &err), RUT_ERR_IO);
  assert_string_equal(err.message, "the tape is torn");
  assert_int_equal(tape.ended, 1);
  run(f, 3);
  assert_int_equal(tape.rows, 3);
}

// ---- what is wrong ----

static void what_is_wrong_is_told_with_its_place(void** state) {
  Fixture* f = *state;
  static const struct {
    const char *text, *says;
  } wrong[] = {
      {WORLD("\n\n<log name='a' signals='r1/x r1/spede'/>", ""), "did you mean 'r1/speed'"},
      {WORLD("\n\n<log name='a' signals='*/nothing'/>", ""), "'*/nothing'"},
      {WORLD("\n\n", "<log name='a' signals='sped'/>"), "did you mean 'speed'"},
      {WORLD("\n\n", "<log name='a' signals='r1/speed'/>"), "'r1/speed'"},
      {WORLD("\n\n", "<log name='a' record_while='r2/collision'/>"), "record_while"},
      {WORLD("\n\n", "<log name='a' session_on='controller/legs'/>"), "'controller/leg'"},
      {WORLD("\n\n<log name='a' clear_on='r1/controller/x'/>", ""), "clear_on"}};
  for (int i = 0; i < RUT_COUNT_OF(wrong); i++) {
    rutError err = {0};
    assert_int_equal(compile(f, wrong[i].text, &err), RUT_OK);
    assert_int_equal(create(f, true, &err), RUT_ERR_MODEL);
    assert_null(f->loggers);
    if (!strstr(err.message, wrong[i].says)) fail_msg("%d: %s", i, err.message);
    assert_int_equal(err.line, 3);
    assert_string_equal(err.file, "test.xml");
    assert_string_equal(err.element, "<log name=\"a\">");
  }
}

static void names_are_those_of_files(void** state) {
  Fixture* f = *state;
  static const char* const bad[] = {"",    ".a", "..",  "a/b",  "../a",
                                    "a.b", "-a", "a b", "a\\b", "\xc3\xa4"};
  for (int i = 0; i < RUT_COUNT_OF(bad); i++) {
    char text[2048];
    rutError err = {0};
    snprintf(text, sizeof text, WORLD("<log name='%s'/>", ""), bad[i]);
    const rutStatus status = compile(f, text, &err);
    if (status != RUT_ERR_MODEL || !strstr(err.message, "cannot name a log")) {
      fail_msg("'%s': %s", bad[i], err.message);
    }
  }
  rutError err = {0};
  assert_int_equal(compile(f, WORLD("<log name='a'/><log name='a'/>", ""), &err), RUT_ERR_PARSE);
  assert_non_null(strstr(err.message, "there is another"));
  assert_int_equal(compile(f, WORLD("<log name='a'/>", "<log name='a'/>"), &err), RUT_OK);
  assert_int_equal(
      compile(f, "<world><for var='i' from='1' to='33'><log name='l${i}'/></for></world>", &err),
      RUT_ERR_CAPACITY);
}

static void a_world_without_logs_has_none(void** state) {
  Fixture* f = *state;
  char path[256];
  rutError err = {0};
  assert_int_equal(compile(f, WORLD("", ""), &err), RUT_OK);
  path_of(f, "new", path);
  rutLoggersDef def = rut_default_loggers();
  def.folder = path;
  assert_int_equal(rut_loggers_create(f->spec, f->model, &def, &f->loggers, &err), RUT_OK);
  assert_int_equal(rut_loggers_count(f->loggers), 0);
  assert_false(exists(f, "new"));
  // logs are no part of a model
  const uint64_t plain = rut_model_hash(f->model);
  assert_int_equal(compile(f, WORLD("<log name='a'/>", "<log name='b'/>"), &err), RUT_OK);
  assert_true(rut_model_hash(f->model) == plain);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(rows_hold_the_chosen_signals),
      TEST(a_vehicle_logs_itself),
      TEST(logs_do_not_disturb_each_other),
      TEST(a_run_is_the_same_with_logs),
      TEST(mcap_holds_the_same_numbers),
      TEST(orders_act_from_the_next_row_on),
      TEST(an_order_that_is_none_says_what_there_is),
      TEST(a_paused_log_makes_no_file),
      TEST(a_controller_asks_by_what_it_tells),
      TEST(rows_of_a_session_are_in_order_of_time),
      TEST(nothing_is_replaced),
      TEST(a_file_of_another_is_not_cleared),
      TEST(a_log_that_fails_leaves_the_others),
      TEST(a_folder_may_not_be_a_link),
      TEST(a_program_takes_rows_itself),
      TEST(a_sink_may_fail),
      TEST(what_is_wrong_is_told_with_its_place),
      TEST(names_are_those_of_files),
      TEST(a_world_without_logs_has_none),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
