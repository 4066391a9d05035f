// SPDX-License-Identifier: BSD-3-Clause
//
// Samples of sensors in logs: messages that their rows define, byte by byte, with the times of the
// sample and of its receipt, and the standard message where the sensor's form has one.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assert_near.h"
#include "log_fixture.h"
#include "rut/component.h"

// ---- a sensor that counts in numbers of all types ----

static const rutField fields[] = {RUT_SENSOR_ROWS(RUT_ROW, RUT_CHOICE_ROW)};
static const rutVariable outputs[] = {
    {.name = "depth", .unit = "m", .doc = "a quarter of the count"},
    {.name = "field",
     .unit = "rad",
     .shape = "3",
     .frame = "sensor",
     .doc = "count, 2, 3",
     .type = RUT_F32},
    {.name = "pixel", .unit = "", .shape = "4 5", .doc = "picture", .type = RUT_U8},
    {.name = "level", .unit = "", .shape = "2", .doc = "count, 65535", .type = RUT_U16},
    {.name = "turns", .unit = "", .doc = "less than none", .type = RUT_I32}};
static const rutVariable states[] = {RUT_VARIABLE(count, "", "samples so far")};

static void sample(const void* param, const rutSensorIn* in, double* state, void* scratch,
                   void* const* out) {
  (void)param;
  (void)in;
  (void)scratch;
  const double count = ++state[0];
  *(double*)out[0] = count / 4;
  memcpy(out[1], (const float[]){(float)count, 2, 3}, 12);
  for (int i = 0; i < 20; i++) ((uint8_t*)out[2])[i] = (uint8_t)(200 + i);
  memcpy(out[3], (const uint16_t[]){(uint16_t)count, 65535}, 4);
  *(int32_t*)out[4] = -(int32_t)count;
}

static const rutSensorType counter = {
    .base = {RUT_HEAD(rutSensorType, "sensor", "counter", "vehicle world", "Counts.", fields),
             .state = states, .states = 1},
    .output = outputs,
    .outputs = RUT_COUNT_OF(outputs),
    .sample = sample};

// ---- a scanner that tells how strong its echoes are ----

static const rutVariable echoes[] = {
    {.name = "range", .unit = "m", .shape = "3", .frame = "sensor", .doc = "distances"},
    {.name = "strength", .unit = "W", .shape = "3", .doc = "of the echoes", .type = RUT_F32}};

static void echo(const void* param, const rutSensorIn* in, double* state, void* scratch,
                 void* const* out) {
  (void)param;
  (void)in;
  (void)state;
  (void)scratch;
  memcpy(out[0], (const double[]){1, -1, 3}, 24);
  memcpy(out[1], (const float[]){0.5f, 0, 0.25f}, 12);
}

static void echo_scan(const void* param, rutScanGeometry* out) {
  (void)param;
  *out = (rutScanGeometry){.rays = 3, .angle_min = -0.5, .angle_increment = 0.5, .range_max = 8};
}

static const rutSensorType scanner = {
    .base = {RUT_HEAD(rutSensorType, "sensor", "echo_scanner", "vehicle world", "Scans.", fields)},
    .output = echoes,
    .outputs = RUT_COUNT_OF(echoes),
    .form = RUT_FORM_PLANAR_SCAN,
    .scan = echo_scan,
    .sample = echo};

// ---- an inertial measurement unit that tells its temperature ----

static const rutField turned_fields[] = {
    RUT_SENSOR_ROWS(RUT_ROW, RUT_CHOICE_ROW){.name = "turned",
                                             .unit = "",
                                             .type = RUT_INTEGER,
                                             .count = 1,
                                             .max = 1,
                                             .text = "",
                                             .doc = "1 with orientation"}};
static const rutVariable inertial[] = {
    {.name = "specific_force", .unit = "m/s2", .shape = "3", .frame = "sensor", .doc = "felt"},
    {.name = "warmth", .unit = "K", .doc = "temperature"},
    {.name = "angular_velocity", .unit = "rad/s", .shape = "3", .frame = "sensor", .doc = "turn"},
    {.name = "orientation", .unit = "", .shape = "turned 4", .frame = "world", .doc = "w x y z"}};

static void feel(const void* param, const rutSensorIn* in, double* state, void* scratch,
                 void* const* out) {
  (void)in;
  (void)state;
  (void)scratch;
  memcpy(out[0], (const double[]){1, 2, 9.5}, 24);
  *(double*)out[1] = 300;
  memcpy(out[2], (const double[]){0.1, 0.2, 0.3}, 24);
  const double turned = ((const double*)param)[RUT_COUNT_OF(turned_fields) - 1];
  if (turned > 0) memcpy(out[3], (const double[]){0.5, -0.5, 0.25, 0.125}, 32);
}

static const rutSensorType feeler = {
    .base = {RUT_HEAD(rutSensorType, "sensor", "feeler", "vehicle world", "Feels.", turned_fields)},
    .output = inertial,
    .outputs = RUT_COUNT_OF(inertial),
    .form = RUT_FORM_IMU,
    .sample = feel};

// Sample k, from 1, is due at 0.02 + 0.1 k, and can be seen 0.05 s later.
static const char* const world =
    "<world timestep='0.01'><vehicle name='r'><chassis mass='10'/>"
    "<wheel name='l' position='0 0.25' place='left' mass='1' radius='0.1'/>"
    "<wheel name='r' position='0 -0.25' place='right' mass='1' radius='0.1'/>"
    "<tyre type='coulomb'/><drive type='direct'/><controller type='twist_ideal' speed='2'/>"
    "<sensor type='counter' name='c' period='0.1' phase='0.02' latency='0.05' x='0.5'/></vehicle>"
    "<sensor type='echo_scanner' name='s' period='0.1'/></world>";

static rutLogFile* logged(Fixture* f, rutLogDef* def) {
  assert_int_equal(rut_register(f->context, &counter.base, NULL), RUT_OK);
  assert_int_equal(rut_register(f->context, &scanner.base, NULL), RUT_OK);
  parse(f, world);
  rutLog* log = begin_log(f, def);
  run_log(f, log, 60);
  assert_int_equal(rut_log_close(log, NULL), RUT_OK);
  return open_log(f->path);
}

static uint32_t u32_at(const unsigned char* bytes, size_t at) {
  uint32_t number;
  memcpy(&number, bytes + at, sizeof number);
  return number;
}

// Seconds and nanoseconds.
static double time_at(const unsigned char* bytes, size_t at) {
  return u32_at(bytes, at) + 1e-9 * u32_at(bytes, at + 4);
}

static void test_message(void** state) {
  Fixture* f = *state;
  rutLogDef def = rut_default_log();
  rutLogFile* file = logged(f, &def);
  const int channel = rut_log_channel_find(file, "/r/c");
  const rutLogChannel c = rut_log_channel_at(file, channel);
  assert_string_equal(c.schema, "rut/msg/Counter");
  static const char* const lines[] = {"std_msgs/Header header",
                                      "builtin_interfaces/Time received",
                                      "\nfloat64 depth  # [m] a quarter of the count\n",
                                      "\nfloat32 field_x  # [rad] count, 2, 3\n",
                                      "\nfloat32 field_z  # [rad]",
                                      "\nuint8[20] pixel  # picture\n",
                                      "\nuint16[2] level  # count, 65535\n",
                                      "\nint32 turns  # less than none\n",
                                      "MSG: std_msgs/Header\n",
                                      "MSG: builtin_interfaces/Time\n"};
  for (int i = 0; i < RUT_COUNT_OF(lines); i++) assert_non_null(strstr(c.definition, lines[i]));
  // those of 0.12, 0.22, 0.32, 0.42, 0.52 s
  assert_int_equal(c.messages, 5);
  rutLogMessage m;
  assert_true(rut_log_message_at(file, channel, 0.4, &m));
  assert_near(m.time, 0.37, 1e-9);
  // CDR: 4 of head, stamp 8, "r/c" 4 + 4, received 8, depth at 24, field at 32, pixel at 44, level
  // at 64, turns at 68
  assert_int_equal(m.size, 4 + 72);
  const unsigned char* b = m.bytes + 4;
  assert_near(time_at(b, 0), 0.32, 1e-9);
  assert_string_equal((const char*)b + 12, "r/c");
  assert_near(time_at(b, 16), 0.37, 1e-9);
  double depth;
  float field[3];
  memcpy(&depth, b + 24, 8);
  memcpy(field, b + 32, 12);
  assert_near(depth, 0.75, 0);
  assert_true(field[0] == 3 && field[1] == 2 && field[2] == 3);
  for (int i = 0; i < 20; i++) assert_int_equal(b[44 + i], 200 + i);
  assert_int_equal(u32_at(b, 64), 3 | 65535u << 16);
  assert_int_equal((int32_t)u32_at(b, 68), -3);
  rut_log_file_close(file);
}

typedef struct Kept {
  int n;
  double time, value;  // the last ones
} Kept;

static void keep(int which, double time, double number, void* user) {
  Kept* kept = &((Kept*)user)[which];
  *kept = (Kept){kept->n + 1, time, number};
}

// Numbers are signals, called as in a running world, with units; they are logged when they are
// received, and nowhere else.
static void test_signals(void** state) {
  Fixture* f = *state;
  rutLogDef def = rut_default_log();
  rutLogFile* file = logged(f, &def);
  static const struct {
    const char *name, *unit;
    double value;
  } known[] = {{"r/c/depth", "m", 1.25},
               {"r/c/field_x", "rad", 5},
               {"r/c/field_z", "rad", 3},
               {"r/c/level_1", "", 65535},
               {"r/c/turns", "", -5}};
  enum { KNOWN = RUT_COUNT_OF(known) };
  rutSignals* live = NULL;
  assert_int_equal(rut_signals_create(f->model, &live, NULL), RUT_OK);
  int index[KNOWN];
  Kept kept[KNOWN] = {{0}};
  for (int i = 0; i < KNOWN; i++) {
    assert_true(rut_signals_find(live, known[i].name) >= 0);
    index[i] = rut_log_signal_find(file, known[i].name);
    assert_true(index[i] >= 0);
    assert_string_equal(rut_log_signal_at(file, index[i]).unit, known[i].unit);
  }
  assert_int_equal(rut_log_signal_find(file, "r/c/pixel_0"), -1);
  const rutLogSelection selection = {.n = KNOWN, .index = index, .from = 0, .to = 1};
  assert_int_equal(rut_log_read_signals(file, &selection, keep, kept, NULL), RUT_OK);
  for (int i = 0; i < KNOWN; i++) {
    assert_int_equal(kept[i].n, 5);
    assert_near(kept[i].time, 0.57, 1e-9);
    assert_near(kept[i].value, known[i].value, 0);
  }
  assert_int_equal(rut_log_channel_find(file, "/r/c/state"), -1);
  rut_signals_destroy(live);
  rut_log_file_close(file);
}

// What a standard message does not hold comes in one of its own; so does where the sensor is.
static void test_scan_with_more(void** state) {
  Fixture* f = *state;
  rutLogDef def = rut_default_log();
  rutLogFile* file = logged(f, &def);
  const int scan = rut_log_channel_find(file, "/s");
  const int more = rut_log_channel_find(file, "/s/readings");
  assert_string_equal(rut_log_channel_at(file, scan).schema, "sensor_msgs/msg/LaserScan");
  assert_string_equal(rut_log_channel_at(file, more).schema, "rut/msg/EchoScanner");
  assert_non_null(strstr(rut_log_channel_at(file, more).definition,
                         "\nfloat32[3] strength  # [W] of the echoes\n"));
  assert_null(strstr(rut_log_channel_at(file, more).definition, "range"));
  assert_int_equal(rut_log_channel_at(file, more).messages, 6);
  rutLogMessage m;
  assert_true(rut_log_message_at(file, more, 0.6, &m));
  // stamp 8, "s" 4 + 2, pad 2, received 8, strength at 24
  float strength[3];
  memcpy(strength, m.bytes + 4 + 24, sizeof strength);
  assert_true(strength[0] == 0.5f && strength[1] == 0 && strength[2] == 0.25f);
  // transforms of the counter at 0.17, ..., 0.57 s, of the scanner at 0.1, ..., 0.6 s, of the
  // vehicle at every tenth step from 0 on
  assert_int_equal(rut_log_channel_at(file, rut_log_channel_find(file, "/tf")).messages, 5 + 6 + 7);
  rut_log_file_close(file);
}

static void open_feeler(Fixture* f, int turned, rutLogFile** file) {
  char text[200];
  rutLogDef def = rut_default_log();
  assert_int_equal(rut_register(f->context, &feeler.base, NULL), RUT_OK);
  snprintf(text, sizeof text,
           "<world timestep='0.01'><sensor type='feeler' name='f' turned='%d'/></world>", turned);
  parse(f, text);
  rutLog* log = begin_log(f, &def);
  run_log(f, log, 20);
  assert_int_equal(rut_log_close(log, NULL), RUT_OK);
  *file = open_log(f->path);
}

// sensor_msgs/msg/Imu from byte 16 on (stamp 8, "f" 4 + 2, pad): quaternion x y z w, covariance,
// rates, covariance, specific force, covariance.
static void check_imu(rutLogFile* file, bool turned) {
  const int channel = rut_log_channel_find(file, "/f");
  rutLogMessage m;
  double number[37];
  assert_string_equal(rut_log_channel_at(file, channel).schema, "sensor_msgs/msg/Imu");
  assert_true(rut_log_message_at(file, channel, 0.2, &m));
  assert_int_equal(m.size, 4 + 16 + 37 * 8);
  memcpy(number, m.bytes + 4 + 16, 37 * 8);
  static const double attitude[4] = {-0.5, 0.25, 0.125, 0.5};
  for (int i = 0; i < 4 && turned; i++) assert_near(number[i], attitude[i], 0);
  assert_near(number[4], turned ? 0 : -1, 0);
  for (int i = 0; i < 3; i++) {
    assert_near(number[13 + i], 0.1 * (i + 1), 1e-15);
    assert_near(number[25 + i], i == 2 ? 9.5 : i + 1, 0);
  }
  // what the message does not hold comes beside it
  const rutLogChannel more = rut_log_channel_at(file, rut_log_channel_find(file, "/f/readings"));
  assert_non_null(strstr(more.definition, "\nfloat64 warmth  # [K] temperature\n"));
  assert_null(strstr(more.definition, "orientation"));
  assert_null(strstr(more.definition, "specific_force"));
}

static void test_imu(void** state) {
  rutLogFile* file;
  open_feeler(*state, 0, &file);
  check_imu(file, false);
  rut_log_file_close(file);
}

static void test_imu_with_orientation(void** state) {
  rutLogFile* file;
  open_feeler(*state, 1, &file);
  check_imu(file, true);
  rut_log_file_close(file);
}

// Variances of rates and specific force in an Imu message of a world's only sensor: bytes 16 + 8 (4
// + 9 + 3) and 16 + 8 (4 + 9 + 3 + 9 + 3) behind the head.
static void variances(Fixture* f, const char* text, double out[2]) {
  rutLogDef def = rut_default_log();
  parse(f, text);
  rutLog* log = begin_log(f, &def);
  run_log(f, log, 20);
  assert_int_equal(rut_log_close(log, NULL), RUT_OK);
  rutLogFile* file = open_log(f->path);
  rutLogMessage m;
  assert_true(rut_log_message_at(file, rut_log_channel_find(file, "/i"), 0.2, &m));
  memcpy(&out[0], m.bytes + 4 + 16 + 16 * 8, 8);
  memcpy(&out[1], m.bytes + 4 + 16 + 28 * 8, 8);
  rut_log_file_close(file);
}

// N^2 over the period; the step squared over 12; nothing of a sensor that gives the truth.
static void test_imu_covariance(void** state) {
  double variance[2];
  variances(*state,
            "<world timestep='0.01'><sensor type='imu' name='i' period='0.04' "
            "gyro_noise_density='0.02' accelerometer_noise_density='0' "
            "accelerometer_resolution='0.6'/></world>",
            variance);
  assert_near(variance[0], 0.01, 1e-15);
  assert_near(variance[1], 0.03, 1e-15);
}

static void test_exact_imu_covariance(void** state) {
  double variance[2];
  variances(*state, "<world timestep='0.01' noise='none'><sensor type='imu' name='i'/></world>",
            variance);
  assert_near(variance[0], 0, 0);
  assert_near(variance[1], 0, 0);
}

// A sensor without the outputs of its form is refused.
static void test_form_without_output(void** state) {
  Fixture* f = *state;
  rutSensorType half = feeler;
  half.outputs = 2;
  rutError err = {0};
  assert_int_equal(rut_register(f->context, &half.base, &err), RUT_ERR_ARGUMENT);
  assert_non_null(strstr(err.message, "angular_velocity"));
}

// Without samples only those that are asked for by name.
static void test_chosen(void** state) {
  Fixture* f = *state;
  rutLogDef def = rut_default_log();
  static const char* const pattern[] = {"r/speed", "r/c/turns"};
  def.patterns = 2;
  def.pattern = pattern;
  def.joints = def.transforms = def.odometry = def.samples = false;
  rutLogFile* file = logged(f, &def);
  assert_int_equal(rut_log_info(file).channels, 2);
  assert_int_equal(rut_log_channel_at(file, rut_log_channel_find(file, "/r/c")).messages, 5);
  rut_log_file_close(file);
}

// ---- NavSatFix and Range ----

static rutLogFile* log_of(Fixture* f, const char* text) {
  rutLogDef def = rut_default_log();
  parse(f, text);
  rutLog* log = begin_log(f, &def);
  run_log(f, log, 20);
  assert_int_equal(rut_log_close(log, NULL), RUT_OK);
  return open_log(f->path);
}

static rutLogMessage message_of(rutLogFile* file, const char* schema) {
  rutLogMessage m = {0};
  const int channel = rut_log_channel_find(file, "/f");
  assert_string_equal(rut_log_channel_at(file, channel).schema, schema);
  assert_true(rut_log_message_at(file, channel, 0.2, &m));
  return m;
}

// After the header (14 bytes): int8 status, uint16 service at 16, then doubles from 24 on: degrees,
// altitude, covariance; uint8 its type.
static void test_nav_sat_fix(void** state) {
  Fixture* f = *state;
  rutLogFile* file =
      log_of(f,
             "<world timestep='0.01' latitude='48 deg' longitude='-11 deg' altitude='500'>"
             "<sensor type='gnss' name='f' z='2' single_horizontal='1.5' single_vertical='3' "
             "white_share='1'/></world>");
  const rutLogMessage m = message_of(file, "sensor_msgs/msg/NavSatFix");
  double number[12];
  assert_int_equal(m.size, 4 + 121);
  assert_int_equal((int8_t)m.bytes[4 + 14], 0);
  assert_int_equal(m.bytes[4 + 16], 1);
  memcpy(number, m.bytes + 4 + 24, sizeof number);
  assert_near(number[0], 48, 20 / 111e3);
  assert_near(number[1], -11, 20 / 74e3);
  assert_near(number[2], 502, 15);
  assert_near(number[3], 2.25, 1e-9);
  assert_near(number[7], 2.25, 1e-9);
  assert_near(number[11], 9, 1e-9);
  assert_near(number[4], 0, 0);
  assert_int_equal(m.bytes[4 + 120], 2);
  rut_log_file_close(file);
}

// uint8 radiation, then floats from 16 on: field of view, limits, range, variance.
static void test_range_message(void** state) {
  Fixture* f = *state;
  rutLogFile* file =
      log_of(f,
             "<world timestep='0.01'><block name='w' fixed='true' shape='box' size='2 9 9' "
             "position='4 0' z_max='9'/><sensor type='range_finder' name='f' z='4' "
             "noise='none' fov='0.2' max_range='5' radiation='infrared'/></world>");
  const rutLogMessage m = message_of(file, "sensor_msgs/msg/Range");
  float number[5];
  assert_int_equal(m.size, 4 + 36);
  assert_int_equal(m.bytes[4 + 14], 1);
  memcpy(number, m.bytes + 4 + 16, sizeof number);
  const double expected[5] = {0.2, 0.02, 5, 3, 0};
  for (int i = 0; i < 5; i++) assert_near(number[i], expected[i], 1e-6);
  rut_log_file_close(file);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_message, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_signals, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_scan_with_more, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_imu, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_imu_with_orientation, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_imu_covariance, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_exact_imu_covariance, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_form_without_output, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_chosen, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_nav_sat_fix, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_range_message, set_up, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
