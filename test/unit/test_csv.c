// SPDX-License-Identifier: BSD-3-Clause
//
// Logs and inputs as CSV files.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "assert_near.h"
#include "rut/host.h"
#include "scratch_folder.h"

typedef struct Fixture {
  rutContext* context;
  rutModel* model;
  rutData* data;
  char folder[SCRATCH_FOLDER_SIZE];
} Fixture;

#define ROBOT(name, x, speed)                                                              \
  "<vehicle name='" name "' position='" x                                                  \
  " 0'><chassis mass='10' "                                                                \
  "outline='-0.3 -0.3 0.3 -0.3 0.3 0.3 -0.3 0.3'/>"                                        \
  "<wheel name='l' position='0 0.25' place='left' mass='1' radius='0.1'/>"                 \
  "<wheel name='r' position='0 -0.25' place='right' mass='1' radius='0.1'/>"               \
  "<tyre type='coulomb'/><drive type='direct'/><controller type='twist_pid' speed='" speed \
  "' "                                                                                     \
  "proportional_gain='5'/></vehicle>"

static const char* const world =
    "<world timestep='0.01'>" ROBOT("r1", "0", "0.7") ROBOT("rover two", "20", "0")
    "<mechanism name='pendulum'><body joint='hinge' axis='0 1 0' com='0 0 -1' "
    "initial_position='0.3'/></mechanism></world>";

static void build(Fixture* f, const char* text) {
  rutError err = {0};
  rutSpec* spec = NULL;
  if (f->data) rut_data_destroy(f->data);
  if (f->model) rut_model_destroy(f->model);
  if (rut_spec_parse(f->context, text, strlen(text), "test.xml", &spec, &err) != RUT_OK ||
      rut_compile(spec, &f->model, &err) != RUT_OK) {
    fail_msg("%s:%d: %s", err.file, err.line, err.message);
  }
  rut_spec_destroy(spec);
  f->data = rut_data_create(f->model);
  assert_non_null(f->data);
}

static int set_up(void** state) {
  Fixture* f = calloc(1, sizeof *f);
  assert_non_null(f);
  rutError err = {0};
  assert_int_equal(rut_context_create(NULL, &f->context, &err), RUT_OK);
  make_scratch_folder(f->folder);
  build(f, world);
  *state = f;
  return 0;
}

static int tear_down(void** state) {
  Fixture* f = *state;
  rut_data_destroy(f->data);
  rut_model_destroy(f->model);
  rut_context_destroy(f->context);
  remove_scratch_folder(f->folder);
  free(f);
  return 0;
}

// --- Reading what was written -----------------------------------------------------------------

enum { MAX_LINES = 4096, MAX_TEXT = 1 << 20 };

typedef struct Lines {
  char* text;
  char* line[MAX_LINES];
  int n;
} Lines;

static Lines read_lines(const Fixture* f, const char* name) {
  char path[256];
  snprintf(path, sizeof path, "%s/%s", f->folder, name);
  Lines lines = {.text = calloc(1, MAX_TEXT)};
  FILE* file = fopen(path, "rb");
  if (!file) fail_msg("%s is missing", path);
  size_t size = fread(lines.text, 1, MAX_TEXT - 1, file);
  fclose(file);
  assert_true(size > 0 && lines.text[size - 1] == '\n');
  for (char* line = strtok(lines.text, "\n"); line; line = strtok(NULL, "\n")) {
    assert_true(lines.n < MAX_LINES);
    lines.line[lines.n++] = line;
  }
  return lines;
}

static bool exists(const Fixture* f, const char* name) {
  char path[256];
  struct stat info;
  snprintf(path, sizeof path, "%s/%s", f->folder, name);
  return stat(path, &info) == 0;
}

// Number in a column of a row.
static double number_at(const char* line, int column) {
  for (int i = 0; i < column; i++) {
    line = strchr(line, ',');
    assert_non_null(line);
    line++;
  }
  return strtod(line, NULL);
}

static int columns_of(const char* line) {
  int n = 1;
  for (; *line; line++) n += *line == ',';
  return n;
}

// --- Logs -------------------------------------------------------------------------------------

static rutCsvLog* open_log(Fixture* f, int every) {
  rutError err = {0};
  rutCsvLog* log = NULL;
  rutCsvLogDef def = {.folder = f->folder, .every = every};
  if (rut_csv_log_create(f->model, f->data, &def, &log, &err) != RUT_OK)
    fail_msg("%s", err.message);
  return log;
}

static void step(Fixture* f, rutCsvLog* log, int n) {
  rutError err = {0};
  for (int i = 0; i < n; i++) {
    assert_int_equal(rut_step(f->model, f->data, &err), RUT_OK);
    assert_int_equal(rut_csv_log_step(log, f->model, f->data, &err), RUT_OK);
  }
}

static void header_and_rows(void** state) {
  Fixture* f = *state;
  rutCsvLog* log = open_log(f, 1);
  double x[11], yaw[11], speed[11];
  for (int i = 0; i <= 10; i++) {
    if (i) step(f, log, 1);
    rutVehicleState vehicle = rut_vehicle_state(f->model, f->data, 0);
    x[i] = vehicle.position[0];
    yaw[i] = vehicle.yaw;
    speed[i] = rut_wheel_state(f->model, f->data, 1).speed;
  }
  assert_int_equal(rut_csv_log_close(log, NULL), RUT_OK);

  Lines lines = read_lines(f, "r1.csv");
  assert_string_equal(
      lines.line[0],
      "t [s],x [m],y [m],z [m],speed [m/s],velocity_x [m/s],velocity_y [m/s],"
      "velocity_z [m/s],roll [rad],pitch [rad],yaw [rad],roll_rate [rad/s],"
      "pitch_rate [rad/s],yaw_rate [rad/s],sideslip_angle [rad],odometry_x [m],"
      "odometry_y [m],odometry_yaw [rad],odometry_speed [m/s],odometry_yaw_rate [rad/s],"
      "collision,proper_acceleration_x [m/s2],proper_acceleration_y [m/s2],"
      "proper_acceleration_z [m/s2],roll_acceleration [rad/s2],"
      "pitch_acceleration [rad/s2],yaw_acceleration [rad/s2],load_transfer_ratio,"
      "load [N],drive_power [W],consumed_power [W],longitudinal_acceleration [m/s2],"
      "lateral_acceleration [m/s2],vertical_acceleration [m/s2],command_speed [m/s],"
      "command_yaw_rate [rad/s],l.load [N],l.slip,l.slip_angle [rad],l.force_x [N],"
      "l.force_y [N],l.tyre_force_x [N],l.tyre_force_y [N],l.torque [N m],l.drive_power "
      "[W],l.speed [rad/s],l.angle [rad],l.steer [rad],"
      "l.hub_velocity_x [m/s],l.hub_velocity_y [m/s],"
      "l.slip_power [W],l.slip_work [J],l.tyre.slip_velocity_x [m/s],"
      "l.tyre.slip_velocity_y [m/s],l.tyre.friction_limit [N],l.tyre.friction_utilisation,"
      "r.load [N],r.slip,"
      "r.slip_angle [rad],r.force_x [N],r.force_y [N],r.tyre_force_x [N],r.tyre_force_y "
      "[N],r.torque [N m],r.drive_power [W],r.speed [rad/s],"
      "r.angle [rad],r.steer [rad],r.hub_velocity_x [m/s],r.hub_velocity_y [m/s],"
      "r.slip_power [W],r.slip_work [J],r.tyre.slip_velocity_x [m/s],"
      "r.tyre.slip_velocity_y [m/s],r.tyre.friction_limit [N],r.tyre.friction_utilisation");
  assert_int_equal(lines.n, 12);
  assert_true(speed[10] > 0);
  for (int i = 0; i <= 10; i++) {
    const char* row = lines.line[i + 1];
    assert_int_equal(columns_of(row), 36 + 2 * 20);
    // 17 digits read back to the same bits
    assert_near(number_at(row, 0), 0.01 * i, 1e-12);
    assert_true(number_at(row, 1) == x[i]);
    assert_true(number_at(row, 10) == yaw[i]);
    assert_true(number_at(row, 36 + 20 + 9) == speed[i]);
  }
  free(lines.text);

  lines = read_lines(f, "pendulum.csv");
  assert_string_equal(lines.line[0], "t [s],q0,v0,energy [J]");
  assert_int_equal(lines.n, 12);
  assert_true(number_at(lines.line[1], 1) == 0.3);
  free(lines.text);
  // a blank has no place in a file name
  assert_true(exists(f, "rover_two.csv"));
  assert_true(exists(f, "events.csv"));
}

static void every_nth_step(void** state) {
  Fixture* f = *state;
  rutCsvLog* log = open_log(f, 4);
  step(f, log, 10);
  assert_int_equal(rut_csv_log_close(log, NULL), RUT_OK);
  Lines lines = read_lines(f, "r1.csv");
  assert_int_equal(lines.n, 1 + 3);
  assert_near(number_at(lines.line[2], 0), 0.04, 1e-12);
  assert_near(number_at(lines.line[3], 0), 0.08, 1e-12);
  free(lines.text);
}

// Rows that a step of 10 ms and a rate [Hz] give in 0.4 s, that at 0 among them.
static int rows_at(Fixture* f, rutCsvLogDef def) {
  rutError err = {0};
  rutCsvLog* log = NULL;
  def.folder = f->folder;
  rut_data_reset(f->model, f->data, 0);
  if (rut_csv_log_create(f->model, f->data, &def, &log, &err) != RUT_OK)
    fail_msg("%s", err.message);
  step(f, log, 40);
  assert_int_equal(rut_csv_log_close(log, &err), RUT_OK);
  Lines lines = read_lines(f, "r1.csv");
  const int rows = lines.n - 1;
  free(lines.text);
  return rows;
}

static void rows_come_at_a_rate(void** state) {
  Fixture* f = *state;
  assert_int_equal(rows_at(f, (rutCsvLogDef){.every = 1}), 41);
  assert_int_equal(rows_at(f, (rutCsvLogDef){.every = 8}), 6);
  assert_int_equal(rows_at(f, (rutCsvLogDef){.rate = 25}), 11);
  // 30 Hz is a row after every 3.3 steps: at least that many
  assert_int_equal(rows_at(f, (rutCsvLogDef){.rate = 30}), 14);
  assert_int_equal(rows_at(f, (rutCsvLogDef){.rate = 1e4}), 41);
  assert_int_equal(rows_at(f, (rutCsvLogDef){.rate = 0.1}), 1);
  // without a word 100 Hz, whatever the step
  build(f, "<world timestep='0.002'>" ROBOT("r1", "0", "0.7") "</world>");
  assert_int_equal(rows_at(f, (rutCsvLogDef){.every = 0}), 9);

  rutError err = {0};
  rutCsvLog* log = NULL;
  const rutCsvLogDef bad[] = {{.every = -1}, {.rate = -1}, {.digits = 18}, {.digits = -1}};
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    rutCsvLogDef def = bad[i];
    def.folder = f->folder;
    assert_int_equal(rut_csv_log_create(f->model, f->data, &def, &log, &err), RUT_ERR_ARGUMENT);
  }
}

static void numbers_have_the_digits_asked_for(void** state) {
  Fixture* f = *state;
  for (int digits = 0; digits <= 6; digits += 6) {
    rows_at(f, (rutCsvLogDef){.every = 1, .digits = digits});
    const double x = rut_vehicle_state(f->model, f->data, 0).position[0];
    Lines lines = read_lines(f, "r1.csv");
    char text[32], *last = lines.line[lines.n - 1];
    // printf writes as many digits as it is told, with zeros at the end that are of no use
    snprintf(text, sizeof text, digits ? "0.4,%.6g," : "0.4,%.17g,", x);
    if (strncmp(last, text, strlen(text)) != 0) fail_msg("%.60s, not %s", last, text);
    free(lines.text);
  }
}

static void pause_resume_restart(void** state) {
  Fixture* f = *state;
  rutCsvLog* log = open_log(f, 1);
  step(f, log, 3);
  rut_csv_log_pause(log);
  step(f, log, 5);
  rut_csv_log_resume(log);
  step(f, log, 2);
  assert_int_equal(rut_csv_log_restart(log, f->model, f->data, NULL), RUT_OK);
  step(f, log, 1);
  assert_int_equal(rut_csv_log_restart(log, f->model, f->data, NULL), RUT_OK);
  assert_int_equal(rut_csv_log_close(log, NULL), RUT_OK);

  Lines first = read_lines(f, "r1.csv");
  assert_int_equal(first.n, 1 + 4 + 2);
  assert_near(number_at(first.line[4], 0), 0.03, 1e-12);
  assert_near(number_at(first.line[5], 0), 0.09, 1e-12);
  Lines second = read_lines(f, "r1-2.csv");
  assert_string_equal(second.line[0], first.line[0]);
  assert_int_equal(second.n, 1 + 2);
  assert_near(number_at(second.line[1], 0), 0.10, 1e-12);
  Lines third = read_lines(f, "r1-3.csv");
  assert_int_equal(third.n, 1 + 1);
  free(first.text);
  free(second.text);
  free(third.text);
}

static void names_stay_in_the_folder(void** state) {
  Fixture* f = *state;
  build(f, "<world timestep='0.01'>" ROBOT("../../evil", "0", "0") ROBOT("events", "9", "0")
               ROBOT("a b", "18", "0") ROBOT("a_b", "27", "0") "</world>");
  rutCsvLog* log = open_log(f, 1);
  assert_int_equal(rut_csv_log_close(log, NULL), RUT_OK);
  assert_true(exists(f, "_.__.._evil.csv") || exists(f, "_._.._evil.csv"));
  assert_true(exists(f, "events_2.csv"));
  assert_true(exists(f, "a_b.csv"));
  assert_true(exists(f, "a_b_2.csv"));
}

// Nothing is written through a link, neither at the start nor where one turns up meanwhile.
static void links_are_not_followed(void** state) {
  Fixture* f = *state;
  char path[128], other[128];
  rutError err = {0};
  rutCsvLog* log = NULL;
  rutCsvLogDef def = {.folder = f->folder, .every = 1};
  snprintf(path, sizeof path, "%s/r1.csv", f->folder);
  snprintf(other, sizeof other, "%s/other", f->folder);
  assert_int_equal(symlink(other, path), 0);
  assert_int_equal(rut_csv_log_create(f->model, f->data, &def, &log, &err), RUT_ERR_IO);
  assert_non_null(strstr(err.message, "r1.csv' cannot be written: there is a link"));
  assert_int_equal(unlink(path), 0);
  log = open_log(f, 1);
  step(f, log, 3);
  assert_int_equal(unlink(path), 0);
  assert_int_equal(symlink(other, path), 0);
  assert_int_equal(rut_csv_log_close(log, &err), RUT_ERR_IO);
  assert_non_null(strstr(err.message, "r1.csv' cannot be written: what was written so far"));
  assert_int_equal(access(other, F_OK), -1);
  // the other tables are complete all the same
  Lines lines = read_lines(f, "pendulum.csv");
  assert_int_equal(lines.n, 1 + 4);
  free(lines.text);
}

static void one_run_for_each_folder(void** state) {
  Fixture* f = *state;
  rutError err = {0};
  rutCsvLog* second = NULL;
  rutCsvLogDef def = {.folder = f->folder, .every = 1};
  rutCsvLog* log = open_log(f, 1);
  assert_int_equal(rut_csv_log_create(f->model, f->data, &def, &second, &err), RUT_ERR_IO);
  assert_non_null(strstr(err.message, "another run is writing there"));
  step(f, log, 3);
  assert_int_equal(rut_csv_log_close(log, &err), RUT_OK);
  Lines lines = read_lines(f, "r1.csv");
  assert_int_equal(lines.n, 1 + 4);
  free(lines.text);
  // a link to a folder is none that the user named
  char link[128];
  snprintf(link, sizeof link, "%s/link", f->folder);
  assert_int_equal(symlink(f->folder, link), 0);
  def.folder = link;
  assert_int_equal(rut_csv_log_create(f->model, f->data, &def, &second, &err), RUT_ERR_IO);
  assert_non_null(strstr(err.message, "there is a link"));
}

static void folder_that_cannot_be(void** state) {
  Fixture* f = *state;
  rutError err = {0};
  rutCsvLog* log = NULL;
  rutCsvLogDef def = {.folder = "/dev/null/logs", .every = 1};
  assert_int_equal(rut_csv_log_create(f->model, f->data, &def, &log, &err), RUT_ERR_IO);
  assert_null(log);
  def.folder = "";
  assert_int_equal(rut_csv_log_create(f->model, f->data, &def, &log, &err), RUT_ERR_ARGUMENT);
}

static void decimal_point_in_every_locale(void** state) {
  Fixture* f = *state;
  if (!setlocale(LC_NUMERIC, "de_DE.UTF-8") && !setlocale(LC_NUMERIC, "fr_FR.UTF-8")) {
    print_message("no locale with a decimal comma here\n");
    skip();
  }
  rutCsvLog* log = open_log(f, 1);
  assert_int_equal(rut_csv_log_close(log, NULL), RUT_OK);
  setlocale(LC_NUMERIC, "C");
  Lines lines = read_lines(f, "pendulum.csv");
  assert_int_equal(columns_of(lines.line[1]), 4);
  assert_true(number_at(lines.line[1], 1) == 0.3);
  free(lines.text);
}

static void collision_events(void** state) {
  Fixture* f = *state;
  build(f,
        "<world timestep='0.01'><block name='a' shape='box' size='1 1 1' position='0 0' "
        "velocity='1 0' ground_friction='0'/><block name='wall' shape='box' size='1 4 1' "
        "position='1.5 0' fixed='true'/></world>");
  rutCsvLog* log = open_log(f, 1);
  step(f, log, 100);
  assert_int_equal(rut_csv_log_close(log, NULL), RUT_OK);
  Lines lines = read_lines(f, "events.csv");
  assert_string_equal(lines.line[0], "t [s],a,b,event,x [m],y [m],nx [-],ny [-]");
  assert_true(lines.n >= 2);
  // the faces are 0.5 m apart
  assert_near(number_at(lines.line[1], 0), 0.5, 0.04);
  assert_non_null(strstr(lines.line[1], ",a,wall,begin,"));
  assert_near(number_at(lines.line[1], 6), 1, 1e-6);
  free(lines.text);
}

// --- Inputs -----------------------------------------------------------------------------------

static rutStatus parse(const Fixture* f, const char* text, rutInputs** out, rutError* err) {
  memset(err, 0, sizeof *err);
  return rut_inputs_parse(f->model, text, strlen(text), "in.csv", out, err);
}

static void inputs_move_a_vehicle(void** state) {
  Fixture* f = *state;
  rutError err = {0};
  rutInputs* inputs = NULL;
  const char* text =
      "t,vehicle,speed,yaw_rate\r\n"
      "# comment\n\n"
      "0, r1 ,0,0\n"
      "0.05,rover two,1,0.5\n";
  if (parse(f, text, &inputs, &err) != RUT_OK) fail_msg("%d: %s", err.line, err.message);
  assert_int_equal(rut_inputs_count(inputs), 2);
  double before = rut_vehicle_state(f->model, f->data, 1).position[0];
  for (int i = 0; i < 10; i++) {
    assert_int_equal(rut_inputs_apply(inputs, f->model, f->data), RUT_OK);
    assert_int_equal(rut_step(f->model, f->data, &err), RUT_OK);
    double now = rut_vehicle_state(f->model, f->data, 1).position[0];
    // the step that starts at 0.05 s is the sixth one
    if (i < 5) assert_true(now == before);
    if (i > 6) assert_true(now > before);
  }
  // r1 was told to stand still before its first step
  assert_true(rut_vehicle_state(f->model, f->data, 0).position[0] == 0);
  rut_inputs_destroy(inputs);
}

// Speed and yaw rate of r1 after `n` steps under a table.
static void drive(Fixture* f, const char* text, int n, double command[2]) {
  rutError err = {0};
  rutInputs* inputs = NULL;
  if (parse(f, text, &inputs, &err) != RUT_OK) fail_msg("%d: %s", err.line, err.message);
  rut_data_reset(f->model, f->data, 0);
  for (int i = 0; i < n; i++) {
    assert_int_equal(rut_inputs_apply(inputs, f->model, f->data), RUT_OK);
    assert_int_equal(rut_step(f->model, f->data, &err), RUT_OK);
  }
  assert_int_equal(rut_command_state(f->model, f->data, 0, 2, command), 2);
  rut_inputs_destroy(inputs);
}

static void columns_go_by_name(void** state) {
  Fixture* f = *state;
  static const char* const same[] = {
      "t,vehicle,speed,yaw_rate\n0,r1,0.3,0.9\n",
      "t,vehicle,yaw_rate,speed\n0,r1,0.9,0.3\n",
      "vehicle,speed,t,yaw_rate\nr1,0.3,0,0.9\n",
      "yaw_rate , speed , vehicle , t [s]\n 0.9 , 0.3 , r1 , 0\n",
  };
  for (size_t i = 0; i < sizeof same / sizeof same[0]; i++) {
    double command[2];
    drive(f, same[i], 1, command);
    assert_near(command[0], 0.3, 0);
    assert_near(command[1], 0.9, 0);
  }
}

// r1 starts with a speed of 0.7, which a table without that column, or with an empty cell, keeps.
static void empty_cells_keep_what_holds(void** state) {
  Fixture* f = *state;
  double command[2];
  drive(f, "t,vehicle,yaw_rate\n0,r1,0.9\n", 1, command);
  assert_near(command[0], 0.7, 0);
  assert_near(command[1], 0.9, 0);
  drive(f, "t,vehicle,speed,yaw_rate\n0,r1,,0.9\n0.02,r1,0.2,\n", 1, command);
  assert_near(command[0], 0.7, 0);
  drive(f, "t,vehicle,speed,yaw_rate\n0,r1,,0.9\n0.02,r1,0.2,\n", 5, command);
  assert_near(command[0], 0.2, 0);
  assert_near(command[1], 0.9, 0);
}

// Vehicles with other controllers: each takes the columns that it has, and no other.
static void columns_of_several_controllers(void** state) {
  Fixture* f = *state;
  build(f,
        "<world timestep='0.01'>" ROBOT("r1", "0", "0")
        "<vehicle name='raw' position='9 0'><chassis mass='10'/>"
        "<wheel name='l' position='0 0.25' place='left' mass='1' radius='0.1'/>"
        "<wheel name='r' position='0 -0.25' place='right' mass='1' radius='0.1'/>"
        "<tyre type='coulomb'/><drive type='direct'/><controller type='raw'/></vehicle></world>");
  rutError err = {0};
  rutInputs* inputs = NULL;
  const char* text =
      "t,vehicle,torque_right,speed,torque_left,yaw_rate\n"
      "0,r1,,0.4,,0.1\n"
      "0,raw,2,,1,\n";
  if (parse(f, text, &inputs, &err) != RUT_OK) fail_msg("%d: %s", err.line, err.message);
  assert_int_equal(rut_inputs_apply(inputs, f->model, f->data), RUT_OK);
  rut_inputs_destroy(inputs);
  double command[3];
  assert_int_equal(rut_command_state(f->model, f->data, 0, 3, command), 2);
  assert_near(command[0], 0.4, 0);
  assert_near(command[1], 0.1, 0);
  assert_int_equal(rut_command_state(f->model, f->data, 1, 3, command), 3);
  assert_near(command[0], 1, 0);
  assert_near(command[1], 2, 0);
  assert_int_equal(parse(f, "t,vehicle,torque_right,speed\n0,r1,3,0.4\n", &inputs, &err),
                   RUT_ERR_PARSE);
  assert_non_null(
      strstr(err.message, "'r1' has no set point 'torque_right'; it has: speed yaw_rate"));
  assert_int_equal(err.line, 2);
  assert_int_equal(err.column, 6);
}

typedef struct BadInput {
  const char *text, *says;
  int line, column;
} BadInput;

static void input_errors_name_the_place(void** state) {
  Fixture* f = *state;
  static const BadInput bad[] = {
      {"", "header", 1, 1},
      {"vehicle,speed\n", "no column 't'", 1, 1},
      {"t,speed\n", "no column 'vehicle'", 1, 1},
      {"time,vehicle\n", "'time'", 1, 1},
      {"t,vehicle,spede\n0,r1,1\n", "did you mean 'speed'", 1, 11},
      {"t,vehicle,value_1\n0,r1,1\n", "they have: speed yaw_rate", 1, 11},
      {"t,vehicle,speed [km/h]\n0,r1,1\n", "SI units", 1, 11},
      {"t,vehicle,speed,speed\n", "twice", 1, 17},
      {"t,vehicle,,speed\n", "name is missing", 1, 11},
      {"t,vehicle,speed\n0,r1,abc\n", "'abc' is not a number", 2, 6},
      {"t,vehicle,speed\n0,r1,1\n-1,r1,1\n", "before", 3, 1},
      {"t,vehicle,speed\n0,rover twi,1\n", "did you mean 'rover two'", 2, 3},
      {"t,vehicle,speed\n0\n", "vehicle is missing", 2, 2},
      {"t,vehicle,speed\n0,r1,1,2\n", "too long: the header has 3 names", 2, 8},
      {"t,vehicle,speed,yaw_rate\n0,r1,1\n", "too short: 3 cells, the header has 4 names", 2, 7},
      {"t,vehicle,speed\n,r1,1\n", "'' is not a number", 2, 1},
      {"t,vehicle,speed\nnan,r1,1\n", "not a number", 2, 1},
      {"t,vehicle,speed\n0,r1,inf\n", "not a number", 2, 6},
  };
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    rutError err;
    rutInputs* inputs = NULL;
    assert_int_equal(parse(f, bad[i].text, &inputs, &err), RUT_ERR_PARSE);
    assert_null(inputs);
    assert_string_equal(err.file, "in.csv");
    if (!strstr(err.message, bad[i].says) || err.line != bad[i].line ||
        err.column != bad[i].column) {
      fail_msg("case %zu: %d:%d: %s", i, err.line, err.column, err.message);
    }
  }
}

static void missing_input_file(void** state) {
  Fixture* f = *state;
  rutError err = {0};
  rutInputs* inputs = NULL;
  assert_int_equal(rut_inputs_load(f->model, "/nowhere/in.csv", &inputs, &err), RUT_ERR_IO);
  assert_non_null(strstr(err.message, "/nowhere/in.csv"));
}

static void a_million_rows(void** state) {
  Fixture* f = *state;
  char path[128];
  snprintf(path, sizeof path, "%s/in.csv", f->folder);
  FILE* file = fopen(path, "w");
  assert_non_null(file);
  fputs("t,vehicle,speed,yaw_rate\n", file);
  for (int i = 0; i < 1000000; i++) fprintf(file, "%d,%s,1,2\n", i, i % 2 ? "r1" : "rover two");
  assert_int_equal(fclose(file), 0);
  rutError err = {0};
  rutInputs* inputs = NULL;
  assert_int_equal(rut_inputs_load(f->model, path, &inputs, &err), RUT_OK);
  assert_int_equal(rut_inputs_count(inputs), 1000000);
  rut_inputs_destroy(inputs);
}

static void settings(void** state) {
  Fixture* f = *state;
  char path[128];
  snprintf(path, sizeof path, "%s/w.xml", f->folder);
  FILE* file = fopen(path, "w");
  assert_non_null(file);
  fputs(world, file);
  assert_int_equal(fclose(file), 0);

  rutError err = {0};
  rutSpec* spec = NULL;
  const char* good[] = {"r1/chassis.mass=20 kg", "timestep=2 ms"};
  assert_int_equal(rut_world_load(f->context, path, 2, good, &spec, &err), RUT_OK);
  rutNode chassis = rut_node_first(spec, rut_spec_find(spec, "r1"), "chassis");
  assert_near(rut_node_number(spec, chassis, "mass"), 20, 0);
  assert_near(rut_node_number(spec, rut_spec_root(spec), "timestep"), 0.002, 1e-18);
  rut_spec_destroy(spec);

  const char* bad[] = {"r1/chassis.mas=20", "mass", "r1/chassis.mass=20 m", "r9.x=1"};
  for (int i = 0; i < 4; i++) {
    assert_int_equal(rut_world_load(f->context, path, 1, &bad[i], &spec, &err), RUT_ERR_ARGUMENT);
    assert_null(spec);
    assert_non_null(strstr(err.message, bad[i]));
  }
}

int main(void) {
#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)
  const struct CMUnitTest tests[] = {
      TEST(header_and_rows),
      TEST(every_nth_step),
      TEST(rows_come_at_a_rate),
      TEST(numbers_have_the_digits_asked_for),
      TEST(pause_resume_restart),
      TEST(names_stay_in_the_folder),
      TEST(links_are_not_followed),
      TEST(one_run_for_each_folder),
      TEST(folder_that_cannot_be),
      TEST(decimal_point_in_every_locale),
      TEST(collision_events),
      TEST(inputs_move_a_vehicle),
      TEST(columns_go_by_name),
      TEST(empty_cells_keep_what_holds),
      TEST(columns_of_several_controllers),
      TEST(input_errors_name_the_place),
      TEST(missing_input_file),
      TEST(a_million_rows),
      TEST(settings),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
