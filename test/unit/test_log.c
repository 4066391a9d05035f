// SPDX-License-Identifier: BSD-3-Clause
//
// Logs of a run, and reading them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <sys/stat.h>
#include <unistd.h>

#include "assert_near.h"
#include "log_fixture.h"

typedef struct Kept {
  double time[1024], value[1024];
  int n;
} Kept;

static void keep(int which, double time, double number, void* user) {
  Kept* kept = &((Kept*)user)[which];
  assert_true(kept->n < 1024);
  kept->time[kept->n] = time;
  kept->value[kept->n++] = number;
}

static void test_every_number(void** state) {
  Fixture* f = *state;
  parse(f, circle);
  rutLogDef def = rut_default_log();
  def.rate = 100;
  def.spec = f->spec;
  def.seed = 42;
  def.command = "a test";
  rutSignals* s = NULL;
  assert_int_equal(rut_signals_create(f->model, &s, NULL), RUT_OK);
  const int n = rut_signals_count(s);
  enum { STEPS = 60 };
  double* expected = malloc((size_t)n * (STEPS + 1) * sizeof *expected);
  int* index = malloc((size_t)n * sizeof *index);
  assert_true(expected && index);
  for (int i = 0; i < n; i++) index[i] = i;
  rutLog* log = begin_log(f, &def);
  rut_signals_read(s, f->model, f->data, n, index, expected);
  for (int k = 1; k <= STEPS; k++) {
    run_log(f, log, 1);
    rut_signals_read(s, f->model, f->data, n, index, expected + k * n);
  }
  assert_int_equal(rut_log_close(log, NULL), RUT_OK);

  rutLogFile* file = open_log(f->path);
  const rutLogInfo info = rut_log_info(file);
  assert_true(info.whole);
  assert_near(info.end, 0.6, 1e-12);
  assert_string_equal(rut_log_metadata(file, "rut", "seed"), "42");
  assert_string_equal(rut_log_metadata(file, "rut", "command"), "a test");
  Kept* kept = calloc((size_t)n, sizeof *kept);
  assert_non_null(kept);
  for (int i = 0; i < n; i++) index[i] = rut_log_signal_find(file, rut_signals_at(s, i).name);
  const rutLogSelection all = {.n = n, .index = index, .from = -1, .to = 1e9};
  assert_int_equal(rut_log_read_signals(file, &all, keep, kept, NULL), RUT_OK);
  for (int i = 0; i < n; i++) {
    const rutSignal told = rut_log_signal_at(file, index[i]), signal = rut_signals_at(s, i);
    if (!signal.element[0]) continue;  // time
    assert_string_equal(told.name, signal.name);
    assert_string_equal(told.unit, signal.unit);
    assert_string_equal(told.doc, signal.doc);
    assert_int_equal(kept[i].n, STEPS + 1);
    for (int k = 0; k <= STEPS; k++) {
      assert_near(kept[i].time[k], 0.01 * k, 1e-9);
      assert_memory_equal(&kept[i].value[k], &expected[k * n + i], sizeof(double));
    }
  }
  // a part of it
  memset(kept, 0, (size_t)n * sizeof *kept);
  const int one = rut_log_signal_find(file, "r1/x");
  const rutLogSelection part = {.n = 1, .index = &one, .from = 0.2, .to = 0.3};
  assert_int_equal(rut_log_read_signals(file, &part, keep, kept, NULL), RUT_OK);
  assert_int_equal(kept[0].n, 11);
  assert_near(kept[0].value[0], expected[20 * n + rut_signals_find(s, "r1/x")], 0);
  assert_string_equal(rut_log_signal_nearest(file, "r1/spede"), "r1/speed");

  // odometry, and the world as a file that is the same world
  memset(kept, 0, (size_t)n * sizeof *kept);
  const int odometry = rut_log_signal_find(file, "r1/odom/pose.pose.position.x");
  const rutLogSelection rolled = {.n = 1, .index = &odometry, .from = 0, .to = 1};
  assert_int_equal(rut_log_read_signals(file, &rolled, keep, kept, NULL), RUT_OK);
  assert_int_equal(kept[0].n, 13);  // 20 Hz
  assert_near(kept[0].value[12], expected[STEPS * n + rut_signals_find(s, "r1/odometry_x")], 0);
  const int world = rut_log_attachment_find(file, "world.xml");
  const size_t size = (size_t)rut_log_attachment_at(file, world).size;
  char* text = calloc(size + 1, 1);
  assert_non_null(text);
  assert_int_equal(rut_log_attachment_read(file, world, text, NULL), RUT_OK);
  rutSpec* again = NULL;
  rutModel* model = NULL;
  assert_int_equal(rut_spec_parse(f->context, text, size, "world.xml", &again, NULL), RUT_OK);
  assert_int_equal(rut_compile(again, &model, NULL), RUT_OK);
  assert_true(rut_model_hash(model) == rut_model_hash(f->model));
  rut_model_destroy(model);
  rut_spec_destroy(again);
  free(text);
  free(kept);
  free(expected);
  free(index);
  rut_log_file_close(file);
  rut_signals_destroy(s);
}

static double f64_at(const unsigned char* bytes, size_t at) {
  double number;
  memcpy(&number, bytes + at, sizeof number);
  return number;
}

static void test_transforms(void** state) {
  Fixture* f = *state;
  parse(f, circle);
  rutLogDef def = rut_default_log();
  def.spec = f->spec;
  def.wheel_frames = true;
  def.samples = false;
  rutLog* log = begin_log(f, &def);
  run_log(f, log, 100);
  assert_int_equal(rut_log_close(log, NULL), RUT_OK);
  rutLogFile* file = open_log(f->path);
  rutLogMessage m;
  const int tf = rut_log_channel_find(file, "/tf");
  assert_true(rut_log_message_at(file, tf, 1.0, &m));
  assert_near(m.time, 1.0, 1e-12);
  // vehicle, block, two wheels; the first: count 4, stamp 8, "world" 4+6, pad 2, "r1" 4+3, pad 1
  assert_int_equal(m.bytes[4], 4);
  const rutVehicleState v = rut_vehicle_state(f->model, f->data, 0);
  const size_t at = 4 + 32;
  assert_string_equal((const char*)m.bytes + 4 + 16, "world");
  assert_string_equal((const char*)m.bytes + 4 + 28, "r1");
  assert_near(f64_at(m.bytes, at), v.position[0], 0);
  assert_near(f64_at(m.bytes, at + 8), v.position[1], 0);
  assert_near(f64_at(m.bytes, at + 40), sin(0.5 * v.yaw), 1e-12);
  assert_near(f64_at(m.bytes, at + 48), cos(0.5 * v.yaw), 1e-12);
  rut_log_file_close(file);
}

// A laser whose mount is tilted: it scans a level plane, and its frame is level.
static void test_scans(void** state) {
  Fixture* f = *state;
  parse(f,
        "<world timestep='0.01'><vehicle name='r1'><chassis mass='10'/>"
        "<wheel name='l' position='0 0.25' place='left' mass='1' radius='0.1'/>"
        "<wheel name='r' position='0 -0.25' place='right' mass='1' radius='0.1'/>"
        "<tyre type='coulomb'/><drive type='direct'/>"
        "<controller type='twist_ideal' speed='2' yaw_rate='0.5'/>"
        "<sensor type='laser' name='scan' rays='5' range_noise='0' angle_noise='0' period='0.1' "
        "x='0.2' z='0.4' pitch='0.3' yaw='0.7'/></vehicle>"
        "<block shape='box' size='1 9 2' position='4 1' mass='5'/></world>");
  rutLogDef def = rut_default_log();
  def.spec = f->spec;
  rutLog* log = begin_log(f, &def);
  run_log(f, log, 100);
  assert_int_equal(rut_log_close(log, NULL), RUT_OK);
  rutLogFile* file = open_log(f->path);
  rutLogMessage m;
  // the last transform is that of the laser: count 4, stamp 8, "world" 4+6, pad 2, "r1/scan" 4+8
  assert_true(rut_log_message_at(file, rut_log_channel_find(file, "/tf"), 1.0, &m));
  const rutVehicleState v = rut_vehicle_state(f->model, f->data, 0);
  assert_near(m.time, 1.0, 1e-12);
  assert_int_equal(m.bytes[4], 1);
  assert_string_equal((const char*)m.bytes + 4 + 28, "r1/scan");
  const size_t at = 4 + 40;
  assert_near(f64_at(m.bytes, at), v.position[0] + 0.2 * cos(v.yaw), 1e-9);
  assert_near(f64_at(m.bytes, at + 8), v.position[1] + 0.2 * sin(v.yaw), 1e-9);
  assert_near(f64_at(m.bytes, at + 16), v.position[2] + 0.4, 1e-9);
  // it scans the plane that it lies in: yaw, then pitch
  const double yaw = 0.5 * (v.yaw + 0.7), pitch = 0.5 * 0.3;
  assert_near(f64_at(m.bytes, at + 24), -sin(pitch) * sin(yaw), 1e-9);
  assert_near(f64_at(m.bytes, at + 32), sin(pitch) * cos(yaw), 1e-9);
  assert_near(f64_at(m.bytes, at + 40), cos(pitch) * sin(yaw), 1e-9);
  assert_near(f64_at(m.bytes, at + 48), cos(pitch) * cos(yaw), 1e-9);

  double stamp;
  int n;
  const double* range = rut_sensor(f->model, f->data, 0, &stamp, &n);
  const int scan = rut_log_channel_find(file, "/r1/scan");
  assert_string_equal(rut_log_channel_at(file, scan).schema, "sensor_msgs/msg/LaserScan");
  assert_true(rut_log_message_at(file, scan, 1.0, &m));
  assert_near(m.time, stamp, 1e-9);
  // stamp 8, "r1/scan" 4+8, seven floats, count, ranges
  float number[5];
  memcpy(number, m.bytes + 4 + 20, sizeof(float));
  assert_near(number[0], -0.5 * 3.14159265358979, 1e-6);
  memcpy(number, m.bytes + 4 + 20 + 32, sizeof number);
  for (int i = 0; i < 5; i++) {
    assert_true(range[i] < 0 ? isinf(number[i]) : number[i] == (float)range[i]);
  }
  rut_log_file_close(file);
}

static void test_choice(void** state) {
  Fixture* f = *state;
  parse(f, circle);
  rutLogDef def = rut_default_log();
  static const char* const pattern[] = {"*/speed", "box/?"};
  def.patterns = 2;
  def.pattern = pattern;
  def.joints = def.transforms = def.odometry = def.samples = false;
  rutLog* log = begin_log(f, &def);
  run_log(f, log, 20);
  assert_int_equal(rut_log_close(log, NULL), RUT_OK);
  rutLogFile* file = open_log(f->path);
  static const char* const names[] = {"r1/speed", "r1/l/speed", "r1/r/speed",
                                      "box/x",    "box/y",      "box/z"};
  assert_int_equal(rut_log_info(file).signals, 6);
  assert_int_equal(rut_log_info(file).channels, 4);
  for (int i = 0; i < 6; i++) assert_int_equal(rut_log_signal_find(file, names[i]), i);
  // a tenth of the steps of 10 ms
  assert_int_equal(rut_log_channel_at(file, 0).messages, 3);
  rut_log_file_close(file);

  static const char* const wrong[] = {"r1/spede"};
  def.patterns = 1;
  def.pattern = wrong;
  rutError err = {0};
  assert_int_equal(rut_log_create(f->model, f->path, &def, &log, &err), RUT_ERR_ARGUMENT);
  assert_non_null(strstr(err.message, "r1/speed"));
  def = rut_default_log();
  def.rate = -1;
  assert_int_equal(rut_log_create(f->model, f->path, &def, &log, &err), RUT_ERR_ARGUMENT);
  assert_int_equal(rut_log_create(f->model, "/no/such/folder/a.mcap", NULL, &log, &err),
                   RUT_ERR_IO);
  assert_int_equal(rut_log_create(f->model, "/dev/full", NULL, &log, &err), RUT_ERR_IO);
}

static void test_own_channels(void** state) {
  Fixture* f = *state;
  parse(f, circle);
  rutLogDef def = rut_default_log();
  rutLog* log = begin_log(f, &def);
  int frame = -1;
  const rutLogChannelDef frames = {"/rut/frame", "rut/msg/Frame", "uint8[] data\n", "cdr"};
  assert_int_equal(rut_log_channel(log, &frames, &frame, NULL), RUT_OK);
  unsigned char* large = malloc(6 << 20);
  assert_non_null(large);
  for (int i = 0; i < 6 << 20; i++) large[i] = (unsigned char)((unsigned)i * 2654435761u >> 24);
  assert_int_equal(rut_log_attach(log, "scene.json", "application/json", "{}", 2, NULL), RUT_OK);
  for (int k = 0; k < 10; k++) {
    run_log(f, log, 1);
    const unsigned char bytes[3] = {(unsigned char)k, 7, 9};
    assert_int_equal(rut_log_write_bytes(log, frame, rut_time(f->data), bytes, 3, NULL), RUT_OK);
  }
  // more than the buffers hold
  assert_int_equal(rut_log_write(log, frame, 0.2, large, 6 << 20, NULL), RUT_OK);
  assert_int_equal(rut_log_write(log, 0, 0.2, large, 1, NULL), RUT_ERR_ARGUMENT);
  assert_int_equal(rut_log_write(log, frame, (double)NAN, large, 1, NULL), RUT_ERR_ARGUMENT);
  // a run that begins again goes on in the log
  rut_data_reset(f->model, f->data, 0);
  assert_int_equal(rut_log_step(log, f->model, f->data, NULL), RUT_OK);
  run_log(f, log, 10);
  assert_int_equal(rut_log_close(log, NULL), RUT_OK);

  rutLogFile* file = open_log(f->path);
  const int channel = rut_log_channel_find(file, "/rut/frame");
  assert_int_equal(rut_log_channel_at(file, channel).messages, 11);
  rutLogMessage m;
  assert_true(rut_log_message_at(file, channel, 0.055, &m));
  assert_near(m.time, 0.05, 1e-9);
  static const unsigned char encoded[] = {0, 1, 0, 0, 3, 0, 0, 0, 4, 7, 9};
  assert_int_equal(m.size, sizeof encoded);
  assert_memory_equal(m.bytes, encoded, sizeof encoded);
  assert_true(rut_log_message_at(file, channel, -1, &m));  // before the first: the first
  assert_near(m.time, 0.01, 1e-9);
  assert_true(rut_log_message_at(file, channel, 1e9, &m));
  assert_int_equal(m.size, 6 << 20);
  assert_memory_equal(m.bytes, large, 6 << 20);
  free(large);

  rutLogCursor* cursor = NULL;
  rutError err;
  const rutLogSelection all = {.from = 0, .to = 1e9};
  assert_int_equal(rut_log_cursor_create(file, &all, &cursor, NULL), RUT_OK);
  double last = 0;
  uint64_t messages = 0;
  while (rut_log_next(cursor, &m, &err)) {
    assert_true(m.time >= last);
    last = m.time;
    messages++;
  }
  assert_int_equal(err.status, RUT_OK);
  rut_log_cursor_destroy(cursor);
  assert_int_equal(messages, rut_log_info(file).messages);
  assert_near(rut_log_info(file).end, 0.21, 1e-9);  // twice 0.1 s, and a step between
  rut_log_file_close(file);
}

// Set points are found by what they are called, whichever model runs: in view a vehicle may get a
// controller that stands in.
static void test_another_controller(void** state) {
  static const char* const world =
      "<world timestep='0.01'><vehicle name='r0'><chassis mass='10' "
      "outline='-0.3 -0.3 0.3 -0.3 0.3 0.3 -0.3 0.3'/>"
      "<wheel name='l' position='0 0.25' place='left' mass='1' radius='0.1'/>"
      "<wheel name='r' position='0 -0.25' place='right' mass='1' radius='0.1'/>"
      "<tyre type='coulomb'/><drive type='direct'/><controller type='%s'/></vehicle>"
      "<vehicle name='r1' position='5 0'><chassis mass='10' "
      "outline='-0.3 -0.3 0.3 -0.3 0.3 0.3 -0.3 0.3'/>"
      "<wheel name='l' position='0 0.25' place='left' mass='1' radius='0.1'/>"
      "<wheel name='r' position='0 -0.25' place='right' mass='1' radius='0.1'/>"
      "<tyre type='coulomb'/><drive type='direct'/><controller type='raw'/></vehicle></world>";
  static const char* const type[2] = {"twist_pid", "raw"};
  Fixture* f = *state;
  rutSpec* spec[2];
  rutModel* model[2];
  rutData* data[2];
  const double first[3] = {1, 2, 3}, second[3] = {4, 5, 0.25};
  for (int k = 0; k < 2; k++) {
    char text[2048];
    snprintf(text, sizeof text, world, type[k]);
    parse(f, text);
    spec[k] = f->spec;
    model[k] = f->model;
    data[k] = f->data;
    const int n = rut_vehicle_info(model[k], 0).commands;
    assert_int_equal(n, 2 + k);
    assert_int_equal(rut_command(model[k], data[k], 0, n, first), RUT_OK);
    assert_int_equal(rut_command(model[k], data[k], 1, 3, second), RUT_OK);
  }
  for (int listed = 0; listed < 2; listed++) {
    rutSignals* s = NULL;
    assert_int_equal(rut_signals_create(model[listed], &s, NULL), RUT_OK);
    const int others = rut_signals_find(s, listed ? "r0/command_torque_left" : "r0/command_speed");
    for (int run = 0; run < 4; run++) {
      // there, and back again
      const int k = (listed + run) % 2;
      f->model = model[k];
      f->data = data[k];
      double out;
      rut_signals_read(s, f->model, f->data, 1, &others, &out);
      assert_true(k == listed ? out == 1 : isnan(out));
      assert_near(value(f, s, "r1/command_torque_left"), 4, 0);
      assert_near(value(f, s, "r1/command_torque_right"), 5, 0);
      assert_near(value(f, s, "r1/command_steer"), 0.25, 0);
    }
    rut_signals_destroy(s);
  }
  for (int k = 0; k < 2; k++) {
    rut_data_destroy(data[k]);
    rut_model_destroy(model[k]);
    rut_spec_destroy(spec[k]);
  }
  f->data = NULL;
  f->model = NULL;
  f->spec = NULL;
}

// Two names of 250 letters each, different in the last one of them.
static void test_whole_names(void** state) {
  Fixture* f = *state;
  char vehicle[251], wheel[251], text[4096], name[600];
  memset(vehicle, 'v', 250);
  memset(wheel, 'w', 249);
  vehicle[250] = wheel[249] = '\0';
  snprintf(text, sizeof text,
           "<world timestep='0.01'><vehicle name='%s'><chassis mass='10' "
           "outline='-0.3 -0.3 0.3 -0.3 0.3 0.3 -0.3 0.3'/>"
           "<wheel name='%sl' position='0 0.25' place='left' mass='1' radius='0.1'/>"
           "<wheel name='%sr' position='0 -0.25' place='right' mass='1' radius='0.1'/>"
           "<tyre type='coulomb'/><drive type='direct'/>"
           "<controller type='twist_ideal' speed='2' yaw_rate='0.5'/>"
           "<sensor type='laser' name='%ss' rays='5' period='0.1'/></vehicle></world>",
           vehicle, wheel, wheel, wheel);
  parse(f, text);
  rutSignals* s = NULL;
  assert_int_equal(rut_signals_create(f->model, &s, NULL), RUT_OK);
  run(f, 10);
  int index[2];
  double steering[2];
  for (int i = 0; i < 2; i++) {
    snprintf(name, sizeof name, "%s/%s%c/hub_velocity_x", vehicle, wheel, "lr"[i]);
    index[i] = rut_signals_find(s, name);
    assert_true(index[i] >= 0);
    const rutSignal signal = rut_signals_at(s, index[i]);
    assert_string_equal(signal.leaf, "hub_velocity_x");
    assert_int_equal(strlen(signal.element), 250 + 1 + 250);
  }
  rut_signals_read(s, f->model, f->data, 2, index, steering);
  assert_near(steering[1] - steering[0], 0.5 * 0.5, 1e-9);  // yaw rate times the track
  snprintf(name, sizeof name, "%s/%ss/nearest", vehicle, wheel);
  assert_true(rut_signals_find(s, name) >= 0);

  rutLogDef def = rut_default_log();
  def.spec = f->spec;
  rutLog* log = begin_log(f, &def);
  assert_int_equal(rut_log_close(log, NULL), RUT_OK);
  rutLogFile* file = open_log(f->path);
  for (int i = 0; i < rut_signals_count(s); i++) {
    const rutSignal signal = rut_signals_at(s, i);
    if (!signal.element[0]) continue;
    const int found = rut_log_signal_find(file, signal.name);
    assert_true(found >= 0);
    assert_string_equal(rut_log_signal_at(file, found).element, signal.element);
    assert_string_equal(rut_log_signal_at(file, found).leaf, signal.leaf);
    assert_string_equal(rut_log_signal_at(file, found).doc, signal.doc);
  }
  snprintf(name, sizeof name, "/%s/odom", vehicle);
  assert_true(rut_log_channel_find(file, name) >= 0);
  rut_log_file_close(file);
  rut_signals_destroy(s);
}

// Log times of a channel, which must ascend by `step`, or at least not go back if that is 0.
// Returns their number.
static int expect_times(rutLogFile* file, const char* topic, double step) {
  const int channel = rut_log_channel_find(file, topic);
  rutLogCursor* cursor = NULL;
  const rutLogSelection one = {.n = 1, .index = &channel, .from = -1, .to = 1e9};
  assert_int_equal(rut_log_cursor_create(file, &one, &cursor, NULL), RUT_OK);
  rutLogMessage m;
  double last = -1;
  int n = 0;
  for (; rut_log_next(cursor, &m, NULL); n++) {
    // in the order in which they were logged, too
    assert_int_equal(m.sequence, (uint32_t)n);
    if (n > 0 && step > 0) assert_near(m.time - last, step, 1e-9);
    assert_true(m.time >= last);
    last = m.time;
  }
  rut_log_cursor_destroy(cursor);
  return n;
}

static void test_jumps(void** state) {
  Fixture* f = *state;
  parse(f, circle);
  rutLogDef def = rut_default_log();
  static const char* const pattern[] = {"r1/speed"};
  def.patterns = 1;
  def.pattern = pattern;
  def.rate = 100;
  def.spec = f->spec;
  rutLog* log = begin_log(f, &def);
  int own = -1;
  const rutLogChannelDef added = {"/own", "rut/msg/Own", "uint8[] data\n", "cdr"};
  assert_int_equal(rut_log_channel(log, &added, &own, NULL), RUT_OK);
  rut_log_jump(log);  // to 0.01 s, where it would be anyway
  run_log(f, log, 100);
  const size_t size = rut_state_size(f->model, f->data, RUT_STATE_ALL);
  void* saved = malloc(size);
  assert_non_null(saved);
  assert_int_equal(rut_state_get(f->model, f->data, RUT_STATE_ALL, saved, size), RUT_OK);
  run_log(f, log, 5);
  rut_data_reset(f->model, f->data, 0);  // back to 0, at 1.06 s
  assert_int_equal(rut_log_step(log, f->model, f->data, NULL), RUT_OK);
  run_log(f, log, 30);  // 1.36 s
  for (int k = 0; k < 3; k++) {
    // forward to 1 s, at 1.37 s, then back and to the same, each with ten steps more
    if (k == 2) run_log(f, log, 10);
    assert_int_equal(rut_state_set(f->model, f->data, RUT_STATE_ALL, saved, size), RUT_OK);
    rut_log_jump(log);
    assert_int_equal(rut_log_step(log, f->model, f->data, NULL), RUT_OK);
    // what is older than the jump, but told after it
    assert_int_equal(rut_log_write(log, own, 0.2, "x", 1, NULL), RUT_OK);
    if (k == 0) run_log(f, log, 10);
  }
  free(saved);
  assert_int_equal(rut_log_close(log, NULL), RUT_OK);
  // 0 to 1.05 s, 1.06 to 1.36 s, 1.37 to 1.47 s, 1.48 to 1.58 s, 1.59 s
  rutLogFile* file = open_log(f->path);
  assert_near(rut_log_info(file).end, 1.59, 1e-9);
  assert_int_equal(expect_times(file, "/r1/state", 0.01), 160);
  assert_int_equal(expect_times(file, "/own", 0), 3);
  // ten a second, the first at 0.1 s: 10, then 3, then those of 1 and 1.1 s, of 1 s, 1.1 s, and 1 s
  assert_int_equal(expect_times(file, "/r1/scan", 0), 18);
  rut_log_file_close(file);
}

// File names in the world of a log start where the log is.
static void test_world_in_the_log(void** state) {
  Fixture* f = *state;
  char name[128];
  snprintf(name, sizeof name, "%s/maps", f->folder);
  assert_int_equal(mkdir(name, 0777), 0);
  snprintf(name, sizeof name, "%s/maps/hill.asc", f->folder);
  FILE* out = fopen(name, "w");
  assert_non_null(out);
  fputs("ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\n0 0\n0 1\n", out);
  fclose(out);
  static const char* const text = "<world><elevation_map file='maps/hill.asc'/></world>";
  rutError err = {0};
  snprintf(name, sizeof name, "%s/a.xml", f->folder);
  build(f, rut_spec_parse(f->context, text, strlen(text), name, &f->spec, &err), &err);
  rutLogDef def = rut_default_log();
  def.spec = f->spec;
  rutLog* log = begin_log(f, &def);
  assert_int_equal(rut_log_close(log, NULL), RUT_OK);
  rutLogFile* file = open_log(f->path);
  const int world = rut_log_attachment_find(file, "world.xml");
  char got[1024] = "";
  assert_true(rut_log_attachment_at(file, world).size < sizeof got);
  assert_int_equal(rut_log_attachment_read(file, world, got, NULL), RUT_OK);
  rut_log_file_close(file);
  assert_non_null(strstr(got, "file=\"maps/hill.asc\""));

  // as it would be saved, elsewhere too, though nothing is there
  char* told = NULL;
  size_t size = 0;
  assert_int_equal(rut_spec_write(f->spec, f->path, &told, &size, &err), RUT_OK);
  assert_int_equal(size, strlen(got));
  assert_string_equal(told, got);
  free(told);
  snprintf(name, sizeof name, "%s/maps/w.xml", f->folder);
  assert_int_equal(rut_spec_write(f->spec, name, &told, &size, &err), RUT_OK);
  assert_non_null(strstr(told, "file=\"hill.asc\""));
  assert_int_not_equal(access(name, F_OK), 0);
  free(told);
}

static void test_world_that_is_no_xml(void** state) {
  Fixture* f = *state;
  parse(f, circle);
  rutError err = {0};
  const rutNode world = rut_spec_root(f->spec);
  assert_int_equal(rut_node_set(f->spec, world, "description", "\x01", &err), RUT_OK);
  char* told = NULL;
  size_t size = 1;
  assert_int_equal(rut_spec_write(f->spec, "w.xml", &told, &size, &err), RUT_ERR_PARSE);
  assert_null(told);
  assert_int_equal(size, 0);
  assert_non_null(strstr(err.message, "cannot be written as XML"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_every_number, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_transforms, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_scans, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_choice, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_own_channels, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_another_controller, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_whole_names, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_jumps, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_world_in_the_log, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_world_that_is_no_xml, set_up, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
