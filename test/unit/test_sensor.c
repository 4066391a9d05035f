// SPDX-License-Identifier: BSD-3-Clause
//
// What the framework gives to every sensor: motion of its place, time, phase, latency, noise,
// state, wheels and site; seen through a sensor that only repeats what it is told.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "assert_near.h"
#include "rut/component.h"
#include "world_fixture.h"

// ---- the sensor ----

static const rutField fields[] = {RUT_SENSOR_ROWS(RUT_ROW, RUT_CHOICE_ROW)};
static const rutVariable outputs[] = {
    {.name = "time", .unit = "s", .doc = "of the sample"},
    {.name = "position", .unit = "m", .shape = "3", .frame = "world", .doc = "of the sensor"},
    {.name = "velocity", .unit = "m/s", .shape = "3", .frame = "sensor", .doc = "of the sensor"},
    {.name = "omega", .unit = "rad/s", .shape = "3", .frame = "sensor", .doc = "angular velocity"},
    {.name = "force", .unit = "m/s2", .shape = "3", .frame = "sensor", .doc = "specific force"},
    {.name = "alpha", .unit = "rad/s2", .shape = "3", .frame = "sensor", .doc = "of the rate"},
    {.name = "wheel", .unit = "rad/s", .shape = "2", .doc = "speeds of two wheels"},
    {.name = "ground", .unit = "m", .doc = "height below"},
    {.name = "noise", .shape = "2", .unit = "", .doc = "normal and uniform numbers"},
    {.name = "level", .unit = "", .doc = "number of samples so far", .type = RUT_U8},
    {.name = "place", .unit = "rad", .shape = "2", .doc = "latitude and longitude"},
    {.name = "ahead", .unit = "m", .shape = "3", .frame = "world", .doc = "place 10 ms later"},
    {.name = "bias", .unit = "", .doc = "drawn at the start"},
    {.name = "exact", .unit = "", .doc = "1 if it gives the truth"}};
static const rutVariable states[] = {RUT_VARIABLE(count, "", "samples so far")
                                         RUT_VARIABLE(drawn, "", "drawn at the start")};

static void start(const void* param, const rutSensorIn* in, double* state) {
  (void)param;
  in->normals(in->host, 0, 1, &state[1]);
}

static void sample(const void* param, const rutSensorIn* in, double* state, void* scratch,
                   void* const* out) {
  (void)param;
  memset(scratch, 0xff, 8);
  state[0]++;
  *(double*)out[0] = in->time;
  memcpy(out[1], in->motion.position, 24);
  memcpy(out[2], in->motion.velocity, 24);
  memcpy(out[3], in->motion.angular_velocity, 24);
  memcpy(out[4], in->motion.proper_acceleration, 24);
  memcpy(out[5], in->motion.angular_acceleration, 24);
  for (int i = 0; i < 2; i++) ((double*)out[6])[i] = i < in->wheels ? in->wheel[i].speed : -1;
  *(double*)out[7] = in->site.ground;
  in->normals(in->host, 0, 1, (double*)out[8]);
  in->uniforms(in->host, 0, 1, (double*)out[8] + 1);
  *(uint8_t*)out[9] = (uint8_t)fmod(state[0], 256);
  const double place[2] = {in->site.latitude, in->site.longitude};
  memcpy(out[10], place, sizeof place);
  rutMotion later;
  in->motion_at(in->host, in->time + 0.01, &later);
  memcpy(out[11], later.position, 24);
  *(double*)out[12] = state[1];
  *(double*)out[13] = in->exact;
}

static size_t scratch_size(const void* param) {
  (void)param;
  return 8;
}

static const rutSensorType probe = {.base = {.abi = RUT_ABI,
                                             .struct_size = sizeof(rutSensorType),
                                             .kind = "sensor",
                                             .name = "probe",
                                             .parents = "vehicle world",
                                             .doc = "Repeats what it is told.",
                                             .field = fields,
                                             .fields = RUT_COUNT_OF(fields),
                                             .state = states,
                                             .states = RUT_COUNT_OF(states)},
                                    .output = outputs,
                                    .outputs = RUT_COUNT_OF(outputs),
                                    .uses = RUT_USES_WHEELS | RUT_USES_SITE | RUT_USES_MOTION,
                                    .scratch = scratch_size,
                                    .start = start,
                                    .sample = sample};

// ---- worlds ----

static World open_world(const char* text) {
  static const rutComponent* const own_types[] = {&probe.base, NULL};
  return open_world_with(text, 0, own_types);
}

static const double* out_of(const World* w, const char* name) {
  static const double nothing[3] = {NAN, NAN, NAN};
  const double* found = NULL;
  for (int i = 0; i < RUT_COUNT_OF(outputs); i++) {
    if (strcmp(outputs[i].name, name) == 0) {
      found = rut_sensor_output(w->model, w->data, 0, i, NULL);
    }
  }
  assert_non_null(found);
  return found ? found : nothing;
}

static void assert_vector(const double* have, double x, double y, double z, double tolerance) {
  assert_near(have[0], x, tolerance);
  assert_near(have[1], y, tolerance);
  assert_near(have[2], z, tolerance);
}

#define PLANAR(attributes, controller, sensor)                                             \
  "<world timestep='0.005' latitude='0.5' longitude='-1.5'>" attributes                    \
  "<vehicle name='r' velocity='2 0'>"                                                      \
  "<chassis mass='10' outline='-0.3 -0.3 0.3 -0.3 0.3 0.3 -0.3 0.3'/>"                     \
  "<wheel name='l' position='0 0.25' place='left' mass='1' radius='0.1'/>"                 \
  "<wheel name='r' position='0 -0.25' place='right' mass='1' radius='0.1'/>"               \
  "<tyre type='coulomb'/><drive type='direct'/>" controller "<sensor type='probe' " sensor \
  "/></vehicle></world>"
#define CIRCLE "<controller type='twist_ideal' speed='2' yaw_rate='0.5'/>"

// On a circle of 4 m at 0.5 rad/s the centripetal acceleration is w^2 r, towards the middle, at
// every point of the vehicle; a sensor turned by 90 degrees feels it along its own axes.
static void test_circle(void** state) {
  (void)state;
  World w = open_world(PLANAR("", CIRCLE, "period='0.1' x='0.3' y='1' z='0.4' yaw='90 deg'"));
  run(&w, 40);
  // 0.3 ahead of and 1 to the left of the reference point, 3 m from the middle to its right
  // the twist is imposed in the axes before the step, which has turned by 0.5 x 0.005
  assert_vector(out_of(&w, "velocity"), 0.5 * 0.3, -0.5 * 3, 0, 2 * 0.5 * 0.005);
  assert_vector(out_of(&w, "omega"), 0, 0, 0.5, 1e-12);
  // own x is the vehicle's left, own y its rear; the mean over a step is first order in it
  assert_vector(out_of(&w, "force"), 0.25 * 3, 0.25 * 0.3, 9.81, 2e-2 * 0.25 * 3);
  assert_vector(out_of(&w, "alpha"), 0, 0, 0, 1e-9);
  assert_near(out_of(&w, "ground")[0], 0, 0);
  assert_near(out_of(&w, "place")[0], 0.5, 0);
  assert_near(out_of(&w, "place")[1], -1.5, 0);
  close_world(&w);
}

// The public call tells the same of any point.
static void test_public_motion(void** state) {
  (void)state;
  World w = open_world(PLANAR("", CIRCLE, "period='0.1' x='0.3' y='1' z='0.4' roll='0.2'"));
  run(&w, 40);
  const double mount[6] = {0.3, 1, 0.4, 0.2, 0, 0};
  rutMotion m;
  assert_true(rut_motion(w.model, w.data, 0, mount, &m));
  for (int i = 0; i < 3; i++) {
    assert_near(m.position[i], out_of(&w, "position")[i], 1e-12);
    assert_near(m.proper_acceleration[i], out_of(&w, "force")[i], 1e-12);
  }
  assert_false(rut_motion(w.model, w.data, 1, mount, &m));
  close_world(&w);
}

// At rest on a slope an accelerometer feels g straight up, in its own axes.
static void test_rest_on_slope(void** state) {
  (void)state;
  World w = open_world(
      "<world timestep='0.005'><terrain type='plane' slope_x='0.75'/>"
      "<vehicle name='r'><chassis mass='10' outline='-0.3 -0.3 0.3 -0.3 0.3 0.3 -0.3 0.3'/>"
      "<wheel name='l' position='0 0.25' place='left' mass='1' radius='0.1'/>"
      "<wheel name='r' position='0 -0.25' place='right' mass='1' radius='0.1'/>"
      "<tyre type='coulomb' friction='9'/><drive type='direct'/>"
      "<controller type='twist_ideal'/><sensor type='probe' period='0.1'/></vehicle></world>");
  run(&w, 100);
  assert_vector(out_of(&w, "force"), 9.81 * 0.6, 0, 9.81 * 0.8, 1e-6);
  close_world(&w);
}

// What falls freely feels nothing, wherever it sits in a vehicle that turns about no axis.
static void test_free_fall(void** state) {
  (void)state;
  World w = open_world(
      "<world timestep='0.001'><vehicle name='r' position='0 0 50' on_ground='false'>"
      "<chassis mass='100' outline='-1 -0.5 1 -0.5 1 0.5 -1 0.5'/>"
      "<axle x='0.8' wheel_mass='5' radius='0.3' track='1'>"
      "<suspension type='slider'/><tyre type='linear'/></axle>"
      "<axle x='-0.8' wheel_mass='5' radius='0.3' track='1'>"
      "<suspension type='slider'/><tyre type='linear'/></axle>"
      "<sensor type='probe' period='0.1' x='1' y='2' z='3' yaw='1'/></vehicle></world>");
  run(&w, 1000);
  const double* force = out_of(&w, "force");
  assert_vector(force, 0, 0, 0, 0.05);
  assert_near(out_of(&w, "velocity")[2], -9.81, 0.05);
  close_world(&w);
}

// A sensor sits on the sprung mass: after a push upwards it bounces with sqrt(k/m), where k is that
// of four springs, each in series with its tyre. Wheels move a fifth as far and add 1/25 of their
// mass.
static void test_bounce(void** state) {
  (void)state;
  World w = open_world(
      "<world timestep='0.0005'><vehicle name='r' velocity='0 0 0.1'>"
      "<chassis mass='1000' com='0 0 0.5' outline='-2 -0.5 2 -0.5 2 0.5 -2 0.5' z_min='0.3' "
      "z_max='1'/><suspension type='slider' stiffness='50 kN/m' damping='50 N s/m'/>"
      "<tyre type='linear' stiffness='200 kN/m'/>"
      "<axle x='1.5' wheel_mass='20' radius='0.4' track='1'/>"
      "<axle x='-1.5' wheel_mass='20' radius='0.4' track='1'/><drive type='direct'/>"
      "<sensor type='probe' period='0.0005' x='1' z='1.2'/></vehicle></world>");
  run(&w, 1);
  const double start = out_of(&w, "position")[2];
  // its motion and its pose are found apart: one from the centre of mass, one from the frame
  double pose[6];
  rut_sensor_pose(w.model, w.data, 0, pose);
  assert_vector(out_of(&w, "position"), pose[0], pose[1], pose[2], 1e-12);
  double last = 0.1, first_turn = 0, highest = 0;
  int turns = 0;
  for (int k = 0; k < 6000 && turns < 9; k++) {
    run(&w, 1);
    const double up = out_of(&w, "velocity")[2], time = out_of(&w, "time")[0];
    highest = fmax(highest, out_of(&w, "position")[2] - start);
    if ((up > 0) == (last > 0)) continue;
    if (turns++ == 0) first_turn = time;
    if (turns == 9) {
      const double frequency = 3.14159265358979 * 8 / (time - first_turn);
      assert_near(frequency, sqrt(4 * 40e3 / (1000 + 80 / 25.0)), 0.005 * 12.6);
    }
    last = up;
  }
  assert_int_equal(turns, 9);
  assert_near(highest, 0.1 / 12.6, 0.05 * 0.1 / 12.6);
  close_world(&w);
}

// Samples come at phase + k period, between steps if need be, and then tell of that time: on a
// straight line the place is that of uniform motion.
static void test_time(void** state) {
  (void)state;
  World w = open_world(
      PLANAR("", "<controller type='twist_ideal' speed='2'/>", "period='0.0333' phase='0.0071'"));
  double before = rut_vehicle_state(w.model, w.data, 0).position[0], last = -1;
  for (int step = 1; step <= 200; step++) {
    run(&w, 1);
    const double now = rut_vehicle_state(w.model, w.data, 0).position[0];
    const double k = floor((0.005 * step - 0.0071) / 0.0333 + 1e-9);
    double stamp;
    rut_sensor_output(w.model, w.data, 0, 0, &stamp);
    assert_near(stamp, k < 1 ? -1 : 0.0071 + k * 0.0333, 1e-12);
    if (stamp > last) {
      // the wheels slow the body by some 1e-3 m/s before it gets its speed back
      const double x = now - (now - before) * (0.005 * step - stamp) / 0.005;
      assert_near(out_of(&w, "time")[0], stamp, 0);
      assert_near(out_of(&w, "position")[0], x, 0.005 * 2e-3);
      assert_near(out_of(&w, "ahead")[0], x + 2 * 0.01, 0.015 * 2e-3);
    }
    before = now;
    last = stamp;
  }
  close_world(&w);
}

// A sample is seen when its latency has passed, and not before; none gets lost on the way.
static void test_latency(void** state) {
  (void)state;
  World w = open_world(
      PLANAR("", "<controller type='twist_ideal' speed='2'/>", "period='0.02' latency='0.05'"));
  for (int step = 1; step <= 200; step++) {
    run(&w, 1);
    double stamp;
    const uint8_t* level = rut_sensor_output(w.model, w.data, 0, 9, &stamp);
    const double k = floor((0.005 * step - 0.05) / 0.02 + 1e-9);
    assert_near(stamp, k < 1 ? -1 : k * 0.02, 1e-12);
    assert_near(out_of(&w, "time")[0], k < 1 ? -1 : k * 0.02, 1e-12);
    if (level && k >= 1) assert_int_equal(*level, (int)k);
  }
  assert_near(rut_sensor_info(w.model, 0).latency, 0.05, 0);
  close_world(&w);
}

// Copies of the state go on with the same bits: noise, states, samples on the way, accelerations.
static void test_snapshot(void** state) {
  (void)state;
  World w = open_world(PLANAR("", CIRCLE, "period='0.02' latency='0.05' x='1'"));
  run(&w, 57);
  const size_t size = rut_state_size(w.model, w.data, RUT_STATE_ALL);
  void* saved = malloc(size);
  assert_int_equal(rut_state_get(w.model, w.data, RUT_STATE_ALL, saved, size), RUT_OK);
  run(&w, 50);
  double noise[2], force[3];
  memcpy(noise, out_of(&w, "noise"), sizeof noise);
  memcpy(force, out_of(&w, "force"), sizeof force);
  const uint64_t hash = rut_state_hash(w.model, w.data);
  rut_data_reset(w.model, w.data, 0);
  assert_int_equal(rut_state_set(w.model, w.data, RUT_STATE_ALL, saved, size), RUT_OK);
  rutMotion here;
  rut_motion(w.model, w.data, 0, NULL, &here);
  assert_near(here.proper_acceleration[1], 0.5 * 2, 1e-2);
  run(&w, 50);
  assert_memory_equal(noise, out_of(&w, "noise"), sizeof noise);
  assert_memory_equal(force, out_of(&w, "force"), sizeof force);
  assert_int_equal(rut_state_hash(w.model, w.data), hash);
  free(saved);
  close_world(&w);
}

// What the rows say of outputs and states; numbers of any type are read as doubles.
static void test_variables(void** state) {
  (void)state;
  World w = open_world(PLANAR("", CIRCLE, "name='p' period='0.02'"));
  run(&w, 20);
  assert_int_equal(rut_variables(w.model, RUT_SENSOR, 0, RUT_OUTPUT), RUT_COUNT_OF(outputs));
  const rutVariableInfo omega = rut_variable(w.model, RUT_SENSOR, 0, RUT_OUTPUT, 3);
  assert_string_equal(omega.name, "omega");
  assert_string_equal(omega.unit, "rad/s");
  assert_string_equal(omega.frame, "sensor");
  assert_int_equal(omega.count, 3);
  double value[3];
  assert_int_equal(
      rut_variables_read(w.model, w.data, &(rutVariableRange){RUT_SENSOR, 0, RUT_OUTPUT, 3, 1}, 3,
                         value),
      RUT_OK);
  assert_vector(value, 0, 0, 0.5, 1e-12);
  assert_int_equal(
      rut_variables_read(w.model, w.data, &(rutVariableRange){RUT_SENSOR, 0, RUT_OUTPUT, 9, 1}, 1,
                         value),
      RUT_OK);
  assert_near(value[0], 5, 0);
  assert_int_equal(
      rut_variables_read(w.model, w.data, &(rutVariableRange){RUT_SENSOR, 0, RUT_STATE, 0, 1}, 1,
                         value),
      RUT_OK);
  assert_near(value[0], 5, 0);
  assert_int_equal(
      rut_variables_read(w.model, w.data, &(rutVariableRange){RUT_SENSOR, 0, RUT_STATE, 1, 1}, 1,
                         value),
      RUT_OK);
  assert_true(value[0] != 0 && fabs(value[0]) < 6);
  assert_int_equal(
      rut_variables_read(w.model, w.data, &(rutVariableRange){RUT_SENSOR, 0, RUT_STATE, 2, 1}, 1,
                         value),
      RUT_ERR_ARGUMENT);
  assert_int_equal(
      rut_variables_read(w.model, w.data, &(rutVariableRange){RUT_SENSOR, 0, RUT_OUTPUT, 3, 1}, 2,
                         value),
      RUT_ERR_ARGUMENT);
  assert_string_equal(rut_variable(w.model, RUT_SENSOR, 1, RUT_OUTPUT, 0).name, "");
  // mixed numbers have no place in one array of doubles
  double stamp;
  int n;
  assert_null(rut_sensor(w.model, w.data, 0, &stamp, &n));
  close_world(&w);
}

// A vehicle on axles is seen where it is and as it is turned, with shafts between its wheels and
// without: its left side is 0.8 m from the middle, 4.2 m from a laser there.
static void test_seen_with_shafts(void** state) {
  (void)state;
  static const char* const drives[] = {"direct", "powertrain"};
  for (int i = 0; i < 2; i++) {
    char text[2000];
    snprintf(text, sizeof text,
             "<world timestep='0.001'><vehicle name='a'>"
             "<chassis mass='1000' outline='-2 -0.5 2 -0.5 1 0.8 -1 0.8' z_min='0.3' z_max='1'/>"
             "<suspension type='slider' stiffness='50 kN/m' damping='5 kN s/m'/>"
             "<tyre type='linear' stiffness='200 kN/m'/>"
             "<axle x='1.5' wheel_mass='20' radius='0.4' track='1'/>"
             "<axle x='-1.5' wheel_mass='20' radius='0.4' track='1'/>"
             "<drive type='%s'/></vehicle><sensor type='laser' name='beside' y='5' z='0.6' "
             "yaw='-90 deg' rays='1' range_noise='0' angle_noise='0' period='0.01'/></world>",
             drives[i]);
    World w = open_world(text);
    run(&w, 20);
    const double* range = rut_sensor_output(w.model, w.data, 0, 0, NULL);
    assert_non_null(range);
    assert_near(range ? *range : NAN, 4.2, 1e-3);
    close_world(&w);
  }
}

// noise="none", of the sensor or of the world, takes the spread out of all random numbers, also out
// of those at the start; a sensor may say otherwise than its world.
static void test_exact(void** state) {
  (void)state;
  static const struct {
    const char *world, *sensor;
    bool exact;
  } cases[] = {{"", "", false},
               {"", "noise='none'", true},
               {"", "noise='on'", false},
               {"noise='none'", "", true},
               {"noise='none'", "noise='on'", false}};
  for (int i = 0; i < RUT_COUNT_OF(cases); i++) {
    char text[200];
    snprintf(text, sizeof text,
             "<world timestep='0.005' %s><sensor name='s' type='probe' period='0.01' %s/></world>",
             cases[i].world, cases[i].sensor);
    World w = open_world(text);
    run(&w, 4);
    const double* noise = out_of(&w, "noise");
    assert_true((noise[0] == 0) == cases[i].exact);
    assert_true((noise[1] == 0.5) == cases[i].exact);
    assert_true((out_of(&w, "bias")[0] == 0) == cases[i].exact);
    assert_true((out_of(&w, "exact")[0] == 1) == cases[i].exact);
    close_world(&w);
  }
}

// Descriptors that cannot work are refused with what is wrong.
static void test_faults(void** state) {
  (void)state;
  rutContext* context;
  assert_int_equal(rut_context_create(NULL, &context, NULL), RUT_OK);
  static const struct {
    rutVariable row;
    const char* message;
  } bad[] = {{{.name = "Value", .unit = "", .doc = ""}, "has no proper name"},
             {{.name = "value", .unit = "furlong", .doc = ""}, "has a bad unit"},
             {{.name = "value", .unit = "", .shape = "rays", .doc = ""}, "has a bad shape"},
             {{.name = "value", .unit = "", .shape = "2 2 2 2", .doc = ""}, "has a bad shape"},
             {{.name = "value", .unit = "", .shape = "-1", .doc = ""}, "has a bad shape"},
             {{.name = "value", .unit = "", .frame = "moon", .doc = ""}, "has an unknown frame"},
             {{.name = "value", .unit = ""}, "has no unit or no sentence"}};
  for (int i = 0; i < RUT_COUNT_OF(bad); i++) {
    rutSensorType type = probe;
    rutError err = {0};
    type.output = &bad[i].row;
    type.outputs = 1;
    assert_int_equal(rut_register(context, &type.base, &err), RUT_ERR_ARGUMENT);
    if (!strstr(err.message, bad[i].message)) fail_msg("%d: %s", i, err.message);
  }
  rut_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_circle),        cmocka_unit_test(test_public_motion),
      cmocka_unit_test(test_rest_on_slope), cmocka_unit_test(test_free_fall),
      cmocka_unit_test(test_bounce),        cmocka_unit_test(test_time),
      cmocka_unit_test(test_latency),       cmocka_unit_test(test_snapshot),
      cmocka_unit_test(test_variables),     cmocka_unit_test(test_seen_with_shafts),
      cmocka_unit_test(test_exact),         cmocka_unit_test(test_faults)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
