// SPDX-License-Identifier: BSD-3-Clause
//
// Vehicles that leave the ground, on every kind of ground.
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
#include "rut/host.h"
#include "scratch_folder.h"

// A robot that goes forward at 1 m/s whatever the ground is; its wheels stand at its reference
// point, so that it leaves with all of them at once.
#define ROBOT(place)                                                                               \
  "<vehicle name='r' " place                                                                       \
  "><chassis mass='10' outline='-.4 -.3 .4 -.3 .4 .3 -.4 .3'/>"                                    \
  "<wheel name='l' position='0 .3' place='left'/><wheel name='r' position='0 -.3' place='right'/>" \
  "<tyre type='coulomb'/><controller type='twist_ideal' speed='1'/></vehicle>"

// A car on axles 3 m apart that rolls at 10 m/s on a road without friction.
#define CAR                                                                                      \
  "<soil type='magic_formula' name='ice' surface='user' d='1e-6'/>"                              \
  "<vehicle name='c' velocity='10 0'><chassis mass='1000' com='0 0 .5' inertia='400 1500 1700' " \
  "outline='2 .8 2 -.8 -2 -.8 -2 .8' z_min='.3' z_max='1'/>"                                     \
  "<tyre type='linear'/>"                                                                        \
  "<axle x='1' z='.3' track='1.6' radius='.3' wheel_mass='20'><suspension type='slider' "        \
  "stiffness='30000' damping='3000'/></axle>"                                                    \
  "<axle x='-2' z='.3' track='1.6' radius='.3' wheel_mass='20'><suspension type='slider' "       \
  "stiffness='30000' damping='3000'/></axle></vehicle>"

enum { MAX_EXITS = 8 };
typedef struct Run {
  rutContext* context;
  rutModel* model;
  rutData* data;
  rutGroundWatch* watch;
  rutGroundExit exit[MAX_EXITS];
  int exits;
} Run;

static void note(const rutGroundExit* exit, void* user) {
  Run* run = user;
  assert_true(run->exits < MAX_EXITS);
  run->exit[run->exits++] = *exit;
}

static Run begin(const char* text) {
  Run run = {0};
  rutSpec* spec;
  rutError err = {0};
  assert_int_equal(rut_context_create(NULL, &run.context, NULL), RUT_OK);
  if (rut_spec_parse(run.context, text, strlen(text), "w.xml", &spec, &err) != RUT_OK ||
      rut_compile(spec, &run.model, &err) != RUT_OK) {
    fail_msg("%s: %s", text, err.message);
  }
  rut_spec_destroy(spec);
  run.data = rut_data_create(run.model);
  assert_non_null(run.data);
  run.watch = rut_ground_watch_create();
  assert_non_null(run.watch);
  return run;
}

static void drive(Run* run, double duration) {
  const double end = rut_time(run->data) + duration;
  assert_int_equal(rut_ground_watch_update(run->watch, run->model, run->data, note, run), RUT_OK);
  while (rut_time(run->data) < end - 1e-9) {
    assert_int_equal(rut_step(run->model, run->data, NULL), RUT_OK);
    assert_int_equal(rut_ground_watch_update(run->watch, run->model, run->data, note, run), RUT_OK);
  }
}

static void end(Run* run) {
  rut_ground_watch_destroy(run->watch);
  rut_data_destroy(run->data);
  rut_model_destroy(run->model);
  rut_context_destroy(run->context);
}

static void every_ground_that_ends_is_left(void** state) {
  (void)state;
  static const struct {
    const char* ground;
    double x;  // of the end, from the origin on; 0: it does not end
  } cases[] = {
      {"", 0},
      {"<plane x_min='-1' x_max='3.5' y_min='-2' y_max='2'/>", 3.5},
      {"<plane x_min='-1' x_max='3.5' y_min='-2' y_max='2' z='2'/>", 3.5},
      // turned: its corner, at sqrt(2) times 2 m
      {"<plane x_min='-2' x_max='2' y_min='-2' y_max='2' yaw='45 deg'/>", 2.8284271},
      // along x: heights at -3, -1, 1, 3
      {"<elevation_map matrix='[0 0 0; 0 0 0; 0 0 0; 0 0 0]' resolution='2' corner='-3 -2'/>", 3},
      {"<elevation_map matrix='[0 0 0; 0 0 0; 0 0 0; 0 0 0]' resolution='2' corner='-3 -2'/>"
       "<terrain type='sine' amplitude='1e-3' wavelength='5'/>",
       3},
      // shapes and ramps alone lie on endless level ground
      {"<terrain type='sine' amplitude='1e-3' wavelength='5' x_min='-1' x_max='2'/>", 0},
      {"<block name='b' shape='ramp' size='1 2 .05' position='2 0'/>", 0},
      {"<block name='b' shape='bump' size='1 2 .05' position='2 0'/>", 0},
      // a second plane goes on where the first one ends, lower
      {"<plane x_min='-1' x_max='2' y_min='-2' y_max='2'/>"
       "<plane x_min='1.9' x_max='3' y_min='-2' y_max='2' z='-.05'/>",
       3},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char text[2000];
    snprintf(text, sizeof text, "<world>" ROBOT("") "%s</world>", cases[i].ground);
    Run run = begin(text);
    drive(&run, 6);
    if (run.exits != (cases[i].x > 0)) fail_msg("%s: %d exits", cases[i].ground, run.exits);
    if (run.exits) {
      const rutGroundExit* exit = &run.exit[0];
      assert_int_equal(exit->vehicle, 0);
      // at 1 m/s, looked at every 0.05 s
      if (!(exit->position[0] > cases[i].x && exit->position[0] < cases[i].x + 0.06)) {
        fail_msg("%s: at %g", cases[i].ground, exit->position[0]);
      }
      assert_near(exit->time, exit->position[0], 0.01);
    }
    end(&run);
  }
}

static void ramps_without_other_ground_end_on_level_ground(void** state) {
  (void)state;
  Run run = begin("<world>" ROBOT(
      "") "<block name='b' shape='ramp' size='1 2 .05' position='2 0'/>"
          "</world>");
  drive(&run, 2.2);
  assert_true(rut_vehicle_state(run.model, run.data, 0).position[2] > 0.02);
  drive(&run, 2);
  assert_near(rut_vehicle_state(run.model, run.data, 0).position[2], 0, 1e-12);
  end(&run);
}

static void a_vehicle_on_axles_falls(void** state) {
  (void)state;
  Run run = begin("<world timestep='1 ms'>" CAR
                  "<plane x_min='-10' x_max='12' y_min='-5' y_max='5'/></world>");
  drive(&run, 2);
  assert_int_equal(run.exits, 1);
  // its rear wheels pass the edge after 14 m at 10 m/s
  assert_in_range(1000 * run.exit[0].time, 1399, 1460);
  assert_true(run.exit[0].position[2] < 0);
  char text[200];
  rut_ground_exit_text(run.model, &run.exit[0], text, sizeof text);
  assert_non_null(strstr(text, "'c' left the ground at t = 1.4"));
  end(&run);
}

// What has fallen past the edge of a plane, and is under another one, has left the ground.
static void ground_overhead_is_none(void** state) {
  (void)state;
  Run run = begin("<world timestep='1 ms'>" CAR
                  "<plane x_min='-10' x_max='5' y_min='-5' y_max='5'/>"
                  "<plane x_min='9' x_max='99' y_min='-5' y_max='5' z='2'/></world>");
  drive(&run, 3);
  assert_int_equal(run.exits, 1);
  // off the first plane after 7 m, under the second one after 11 m
  assert_in_range(1000 * run.exit[0].time, 699, 760);
  end(&run);
  // where wheels are under the next plane before the last ones leave the first
  run = begin("<world timestep='1 ms'>" CAR
              "<plane x_min='-10' x_max='5' y_min='-5' y_max='5'/>"
              "<plane x_min='5' x_max='99' y_min='-5' y_max='5' z='2'/></world>");
  drive(&run, 3);
  assert_int_equal(run.exits, 1);
  assert_in_range(1000 * run.exit[0].time, 699, 760);
  end(&run);
}

// A ditch without ground that is shorter than the vehicle is long.
static void gaps_below_a_vehicle_are_none(void** state) {
  (void)state;
  Run run = begin("<world timestep='1 ms'>" CAR
                  "<plane x_min='-10' x_max='5' y_min='-5' y_max='5'/>"
                  "<plane x_min='5.3' x_max='40' y_min='-5' y_max='5'/></world>");
  drive(&run, 1.5);
  assert_int_equal(run.exits, 0);
  end(&run);
}

// A planar vehicle follows a step of any height; one higher than its wheels' radius, 0.2 m by
// default, is told once, upwards and downwards, however fast it comes; slopes are none.
static void steps_under_planar_vehicles_are_told(void** state) {
  (void)state;
  static const struct {
    const char *place, *ground;
    double step, x;  // 0: none
  } cases[] = {{"", "<terrain type='step' position='2 0' height='0.6'/>", 0.6, 2},
               {"", "<terrain type='step' position='2 0' height='0.1'/>", 0, 0},
               {"position='0 0.3'",
                "<terrain type='step' position='2 0' y_min='0.5' y_max='3' "
                "height='0.6'/>",
                0.6, 2},
               {"", "<terrain type='step' position='2 0' height='-0.6'/>", -0.6, 2},
               {"", "<terrain type='step' position='2 0' height='1' run='1.5'/>", 0, 0}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    for (int fast = 0; fast < 2; fast++) {
      char text[1500];
      snprintf(text, sizeof text,
               "<world><vehicle name='r' %s><chassis mass='10' outline='-.4 -.3 .4 -.3 .4 .3 -.4 "
               ".3'/><wheel name='l' position='0 .3' place='left' radius='.2'/><wheel name='r' "
               "position='0 -.3' place='right' radius='.2'/><tyre type='coulomb'/>"
               "<controller type='twist_ideal' speed='%d'/></vehicle>%s</world>",
               cases[i].place, fast ? 20 : 1, cases[i].ground);
      Run run = begin(text);
      drive(&run, fast ? 0.2 : 4);
      if (run.exits != (cases[i].step != 0)) fail_msg("%s: %d", cases[i].ground, run.exits);
      if (run.exits) {
        const rutGroundExit* exit = &run.exit[0];
        assert_near(exit->step, cases[i].step, 1e-9);
        const double late = fast ? 1.01 : 0.06;
        assert_true(exit->position[0] >= cases[i].x && exit->position[0] < cases[i].x + late);
        char told[300];
        rut_ground_exit_text(run.model, exit, told, sizeof told);
        assert_non_null(strstr(told, exit->step > 0 ? "lifted by a step of 0.6 m at t = "
                                                    : "lowered by a step of 0.6 m at t = "));
      }
      end(&run);
    }
  }
}

static void told_once_and_again_after_a_reset(void** state) {
  (void)state;
  Run run = begin("<world>" ROBOT("position='1.2 0'")
                  "<vehicle name='s' position='-3 9'><chassis mass='1'/></vehicle>"
                  "<plane x_min='-1' x_max='2' y_min='-2' y_max='2'/></world>");
  // one starts beside the ground
  drive(&run, 0);
  assert_int_equal(run.exits, 1);
  assert_int_equal(run.exit[0].vehicle, 1);
  assert_near(run.exit[0].time, 0, 0);
  drive(&run, 3);
  assert_int_equal(run.exits, 2);
  assert_int_equal(run.exit[1].vehicle, 0);
  rut_data_reset(run.model, run.data, 0);
  drive(&run, 3);
  assert_int_equal(run.exits, 4);
  assert_near(run.exit[3].time, run.exit[1].time, 0);
  end(&run);
}

// A warning of rcl_interfaces/Log, once, in a log that has no such topic before.
static void logs_have_a_warning(void** state) {
  (void)state;
  char folder[SCRATCH_FOLDER_SIZE], path[96];
  make_scratch_folder(folder);
  snprintf(path, sizeof path, "%s/run.mcap", folder);
  Run run = begin("<world>" ROBOT("") "<plane x_min='-1' x_max='2' y_min='-2' y_max='2'/></world>");
  rutLog* log;
  rutLogFile* file;
  rutError err = {0};
  assert_int_equal(rut_log_create(run.model, path, NULL, &log, &err), RUT_OK);
  for (int i = 0; i < 600; i++) {
    assert_int_equal(rut_step(run.model, run.data, NULL), RUT_OK);
    assert_int_equal(rut_log_step(log, run.model, run.data, &err), RUT_OK);
  }
  assert_int_equal(rut_log_close(log, &err), RUT_OK);
  assert_int_equal(rut_log_open(path, &file, &err), RUT_OK);
  const int channel = rut_log_channel_find(file, "/rosout");
  assert_true(channel >= 0);
  assert_string_equal(rut_log_channel_at(file, channel).schema, "rcl_interfaces/msg/Log");
  assert_int_equal(rut_log_channel_at(file, channel).messages, 1);
  rutLogMessage message;
  assert_true(rut_log_message_at(file, channel, 10, &message));
  assert_near(message.time, 2, 0.06);
  // the level stands behind encoding and time; the name is 4-byte aligned, and has 2 bytes
  assert_int_equal(message.bytes[12], 30);
  assert_memory_equal(message.bytes + 16, "\2\0\0\0r\0", 6);
  assert_memory_equal(message.bytes + 28, "'r' left the ground at t = 2.0", 30);
  rut_log_file_close(file);
  end(&run);
  remove_scratch_folder(folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_ground_that_ends_is_left),
      cmocka_unit_test(ramps_without_other_ground_end_on_level_ground),
      cmocka_unit_test(a_vehicle_on_axles_falls),
      cmocka_unit_test(ground_overhead_is_none),
      cmocka_unit_test(gaps_below_a_vehicle_are_none),
      cmocka_unit_test(steps_under_planar_vehicles_are_told),
      cmocka_unit_test(told_once_and_again_after_a_reset),
      cmocka_unit_test(logs_have_a_warning),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
