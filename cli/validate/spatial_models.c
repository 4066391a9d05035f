// SPDX-License-Identifier: BSD-3-Clause
//
// Vehicles on double wishbones, powertrains, and deformable soil.
#include <math.h>
#include <string.h>

#include "spatial.h"

// ---- a HMMWV ----

static void build_hmmwv(cliLab* lab, const char* tyre, const char* start, const char* pedals) {
  const cliHmmwv hmmwv = {.tyre = tyre, .start = start, .pedals = pedals};
  cli_hmmwv_build(lab, &hmmwv);
}

// Mean loads of the last half second of Project Chrono's converged run, brakes on.
void cli_case_wishbone_loads(cliLab* lab, double* value, double* reference) {
  static const double load[] = {6495.7, 6494.1, 6127.6, 6125.2};
  build_hmmwv(lab, "fiala", "", "brake='1'");
  cli_lab_run_to(lab, 3);
  for (int w = 0; w < CLI_COUNT(load); w++) {
    cli_worst_relative(cli_lab_wheel(lab, w).load, load[w], value, reference);
  }
}

// Toe of the front wheels as the vehicle stands, in the same run.
void cli_case_wishbone_toe(cliLab* lab, double* value, double* reference) {
  static const double degree = 57.295779513082323;
  build_hmmwv(lab, "fiala", "", "brake='1'");
  cli_lab_run_to(lab, 3);
  for (int w = 0; w < 2; w++) {
    cli_worst_absolute(cli_lab_wheel(lab, w).steer * degree, w ? 1.1 : -1.1, value, reference);
  }
}

// Change of the spring's length per travel of a front and a rear wheel, at five angles of the lower
// arm: worked out from the hardpoints by closing the loops in another program.
void cli_case_wishbone_ratio(cliLab* lab, double* value, double* reference) {
  static const double ratio[2][5] = {{-0.48798, -0.46523, -0.45171, -0.44364, -0.43928},
                                     {-0.46901, -0.45052, -0.43908, -0.43183, -0.42737}};
  build_hmmwv(lab, "fiala", "", "");
  for (int i = 0; i < 10 && !lab->failed; i++) {
    rutSuspensionPoint point = {0};
    rut_suspension_point(lab->world.model, 0, i < 5 ? 0 : 2, 0.1 * (i % 5 - 2), 0, &point);
    cli_worst_absolute(point.motion_ratio, ratio[i / 5][i % 5], value, reference);
  }
}

// Left is right in a mirror, for a vehicle whose centre of mass is next to the middle.
void cli_case_wishbone_mirror(cliLab* lab, double* value, double* reference) {
  rutVehicleState end[2];
  for (int i = 0; i < 2; i++) {
    build_hmmwv(lab, "tmeasy", "velocity='8 0'",
                i ? "throttle='0.4' steering='-0.3'" : "throttle='0.4' steering='0.3'");
    cli_lab_run_to(lab, 3);
    end[i] = cli_lab_vehicle(lab, 0);
  }
  // of some 25 m
  cli_worst_absolute(end[1].position[0], end[0].position[0], value, reference);
  cli_worst_absolute(end[1].position[1], -end[0].position[1], value, reference);
}

// ---- powertrain ----

// A rig with an engine of 400 N m at any speed, if `curve` does not say otherwise, open throttle.
typedef struct Powertrain {
  const char* curve;           // attributes of the drive: full load. Nullable
  const char *drive, *pedals;  // attributes of the drive and of its controller
  const char *world, *start;   // of the world and of the vehicle. Nullable
} Powertrain;

static void build_powertrain(cliLab* lab, const Powertrain* p) {
  char elements[700];
  snprintf(elements, sizeof elements,
           "<drive type='powertrain' full_load='brake' %s efficiency='1' final_drive='5' "
           "converter_ratio='0 1' converter_capacity='15 30' converter_gain='2 1' "
           "governor_band='1' %s/><controller type='throttle' throttle='1' %s/>",
           p->curve ? p->curve : "full_speed='0 1000' full_torque='400 400'", p->drive, p->pedals);
  const cliRig rig = {.mass = 1500,
                      .front = 1.3,
                      .rear = 1.3,
                      .height = 0.5,
                      .track = 1.5,
                      .inertia = {600, 2000, 2200},
                      .stiffness = 2e6,
                      .damping = 5e4,
                      .wheel_inertia = 1,
                      .world = p->world,
                      .vehicle = p->start ? p->start : "velocity='0 0'",
                      .front_axle = "brake='1e5'",
                      .rear_axle = "brake='1e5'",
                      .ground = CLI_STEEP_SOIL("1"),
                      .drive = elements};
  cli_rig_build(lab, &rig);
}

// Of all wheels, held by their brakes, once the engine has come to its speed.
static double stall_torque(cliLab* lab, const char* curve) {
  build_powertrain(lab, &(Powertrain){.curve = curve, .drive = "gears='4'", .pedals = "brake='1'"});
  cli_lab_run_to(lab, 10);
  double torque = 0;
  for (int w = 0; w < CLI_RIG_WHEELS; w++) torque += cli_lab_wheel(lab, w).torque;
  return torque;
}

// An engine of 400 N m at any speed against the brakes: at the converter's stall its turbine has
// twice that, the wheels together gear x final drive times as much.
void cli_case_converter_stall(cliLab* lab, double* value, double* reference) {
  *value = stall_torque(lab, NULL);
  *reference = 4 * 5 * 2 * 400.0;
}

// One of T = 400 - 0.2 w up to 500 rad/s against the pump of a converter of the capacity
// C = w/sqrt(T): w^2/C^2 + 0.2 w - 400 = 0.
void cli_case_falling_stall(cliLab* lab, double* value, double* reference) {
  const double top = 400, fall = 0.2, square = 15 * 15;
  const double speed = 0.5 * square * (sqrt(fall * fall + 4 * top / square) - fall);
  *value = stall_torque(lab, "full_speed='0 500 700 1000' full_torque='400 300 280 100'");
  *reference = 4 * 5 * 2 * (top - fall * speed);
}

// A bare shaft and a governor: at its top speed the wheels turn with the engine's largest speed
// over gear x final drive.
void cli_case_governed_speed(cliLab* lab, double* value, double* reference) {
  build_powertrain(
      lab, &(Powertrain){.drive = "gears='2' coupling='rigid' max_speed='300'", .pedals = ""});
  cli_lab_run_to(lab, 30);
  *value = cli_lab_wheel(lab, CLI_REAR_LEFT).speed;
  *reference = 300 / (2 * 5.0);
}

// Engine, shafts and wheels spin up as one, in the air or with the vehicle's mass: engine and input
// shaft by (gear x final drive)^2, the shafts behind by that of the axles, casings, half-shafts.
static const double GEARED = (0.5 + 0.3) * 4 * 25 + 3 * 0.5 * 25 + 2 * 0.6 + 4 * 0.4 + 4 * 1.0;

static double speed_after(cliLab* lab, const char* world, const char* start, double time) {
  build_powertrain(lab, &(Powertrain){.drive = "gears='2' coupling='rigid' max_speed='1e4' "
                                               "drag_speed='0 1000' drag_torque='0 0'",
                                      .pedals = "",
                                      .world = world,
                                      .start = start});
  cli_lab_run_to(lab, 1);
  const double first = cli_lab_wheel(lab, CLI_REAR_LEFT).speed;
  cli_lab_run_to(lab, 1 + time);
  return cli_lab_wheel(lab, CLI_REAR_LEFT).speed - first;
}

void cli_case_shafts_spin(cliLab* lab, double* value, double* reference) {
  // the body turns the other way, against which the shafts turn as well
  static const char air[] = "position='0 0 1000' on_ground='false' velocity='0 0'";
  cli_worst_relative(speed_after(lab, "integrator='rk4' gravity='0'", air, 1), 4000 / GEARED, value,
                     reference);
  cli_worst_relative(speed_after(lab, "gravity='0'", air, 1), 4000 / GEARED, value, reference);
}

void cli_case_shafts_pull(cliLab* lab, double* value, double* reference) {
  *value = speed_after(lab, "", "velocity='5 0'", 1);
  *reference = 4000 / (GEARED + 1500 * CLI_RIG_RADIUS * CLI_RIG_RADIUS);
}

// ---- deformable soil ----

// Soil without strength that does not spring back, p = k z, largest pressure under the hub; wheels
// next to rigid. One that meets soil which is pressed to z_0 at the angle a carries
//   N = b k R ((z_0 - R cos a) sin a + R (a/2 + sin(2 a)/4))
// and is held back by H = b k (z_0 h + h^2/2) (Bekker's compaction) as it presses on by
// h = R (1 - cos a).
static const double SOIL_K = 4e6, SOIL_RADIUS = 0.4, SOIL_WIDTH = 0.2, SOIL_MASS = 1000;

static void build_on_soil(cliLab* lab, const char* world, const char* start, const char* soil) {
  cli_lab_build(
      lab,
      "<world timestep='0.0005'>%s<soil name='s' type='bekker' preset='user' exponent='1' k_c='0' "
      "k_phi='%.17g' cohesion='0' friction_angle='0' peak_angle='0' peak_angle_slip='0' "
      "rebound='ratio' exit_ratio='0' quadrature='exact' slip_sinkage='none' dig_in='none' "
      "rolling_resistance='0' %s/>"
      "<vehicle name='v' %s><chassis mass='%.17g' com='0 0 0.4' inertia='400 1500 1600' "
      "outline='-1.5 -0.6 1.5 -0.6 1.5 0.6 -1.5 0.6' z_min='0.35' z_max='0.8'/>"
      "<suspension type='slider' stiffness='4e4' damping='4e3'/>"
      "<tyre type='linear' stiffness='1e12' damping='0'/>"
      "<axle x='1.2' track='1.4' radius='%.17g' width='%.17g' wheel_mass='20'/>"
      "<axle x='-1.2' track='1.4' radius='%.17g' width='%.17g' wheel_mass='20'/>"
      "<drive type='open'/><controller type='pedals'/></vehicle></world>",
      world, SOIL_K, soil, start, SOIL_MASS, SOIL_RADIUS, SOIL_WIDTH, SOIL_RADIUS, SOIL_WIDTH);
}

// Force that carries a wheel which meets soil pressed to `before` at the angle a, per b k R.
static double carried(double before, double a) {
  return (before - SOIL_RADIUS * cos(a)) * sin(a) + SOIL_RADIUS * (0.5 * a + 0.25 * sin(2 * a));
}

// How much deeper a wheel under this load presses soil that is pressed to `before`.
static double depth_under(double load, double before) {
  double low = 0, high = 1.5;
  for (int i = 0; i < 100; i++) {
    const double a = 0.5 * (low + high);
    if (SOIL_WIDTH * SOIL_K * SOIL_RADIUS * carried(before, a) < load) {
      low = a;
    } else {
      high = a;
    }
  }
  return SOIL_RADIUS * (1 - cos(low));
}

// Work per way of pressing the soil on by `depth`.
static double compaction(double before, double depth) {
  return SOIL_WIDTH * SOIL_K * depth * (before + 0.5 * depth);
}

void cli_case_compaction(cliLab* lab, double* value, double* reference) {
  build_on_soil(lab, "", "velocity='6 0'", "damping='2e5'");
  cli_lab_run_to(lab, 2);
  for (int w = 0; w < 4; w++) {
    const rutWheelState wheel = cli_lab_wheel(lab, w);
    cli_worst_relative(-wheel.force[0], compaction(0, depth_under(wheel.load, 0)), value,
                       reference);
  }
}

// A wheel that has been let down slowly, by soil with much damping, stands as deep as one rolls
// that does not spin.
void cli_case_standing_sinkage(cliLab* lab, double* value, double* reference) {
  build_on_soil(lab, "", "", "damping='1e7'");
  cli_lab_run_to(lab, 60);
  for (int w = 0; w < 4; w++) {
    const rutWheelState wheel = cli_lab_wheel(lab, w);
    cli_worst_relative(-cli_lab_vehicle(lab, 0).position[2] - wheel.travel,
                       depth_under(wheel.load, 0), value, reference);
  }
}

static const char ruts[] = "<deformable cell='0.02' displaced='0'/>";

// Two ruts as wide as the wheels, as deep as front and rear wheels press them.
void cli_case_rut_volume(cliLab* lab, double* value, double* reference) {
  double pressed[2] = {0, 0}, x[2] = {0, 0};
  build_on_soil(lab, ruts, "velocity='6 0'", "damping='2e5'");
  for (int i = 0; i < 2; i++) {
    rutRuts found = {0};
    cli_lab_run_to(lab, 1 + i);
    if (!lab->failed) rut_ruts(lab->world.model, lab->world.data, &found);
    pressed[i] = found.volume;
    x[i] = cli_lab_vehicle(lab, 0).position[0];
  }
  const double first = depth_under(0.5 * cli_axle_load(lab, 0), 0);
  const double second = depth_under(0.5 * cli_axle_load(lab, 1), first);
  *value = pressed[1] - pressed[0];
  *reference = 2 * SOIL_WIDTH * (first + second) * (x[1] - x[0]);
}

// ---- banks and slopes ----

static void wheel_place(const cliLab* lab, int w, double place[3]) {
  if (lab->failed) return;
  const rutWheelPose p = rut_wheel_pose(lab->world.model, lab->world.data, w);
  for (int i = 0; i < 3; i++) place[i] = p.position[i];
}

// From the soil onto hard ground a rigid wheel climbs the bank of its rut, of 45 degrees: as far up
// as on.
void cli_case_rut_bank(cliLab* lab, double* value, double* reference) {
  build_on_soil(lab,
                "<soil name='road' type='magic_formula' surface='user' d='0.8'/>"
                "<region x_min='-40' x_max='4.2' y_min='-5' y_max='5' soil='s'/>"
                "<deformable cell='0.02'/>",
                "velocity='3 0'", "damping='2e5'");
  double before[3] = {0}, after[3] = {0};
  while (!lab->failed && cli_lab_time(lab) < 5 && after[0] < 4.205) {
    cli_lab_step(lab);
    wheel_place(lab, 0, after);
    memcpy(before, after, sizeof before);
  }
  while (!lab->failed && cli_lab_time(lab) < 5 && after[0] < before[0] + 0.015) {
    cli_lab_step(lab);
    wheel_place(lab, 0, after);
  }
  *value = (after[2] - before[2]) / (after[0] - before[0]);
  *reference = 1;
}

// On a plane that leans to the side wheels press where they touch, R along its normal from the hub.
void cli_case_print_place(cliLab* lab, double* value, double* reference) {
  static const char* const world[2] = {
      "<terrain type='plane' slope_x='0' slope_y='0.15'/><deformable cell='0.02' displaced='0'/>",
      "<terrain type='plane' slope_x='-0.2' slope_y='0'/><deformable cell='0.02' displaced='0'/>"};
  const double slope[2] = {0.15, -0.2};
  for (int turned = 0; turned < 2; turned++) {
    double pressed = 0, whole = 0, touched = 0, hub[3] = {0};
    build_on_soil(lab, world[turned], turned ? "yaw='90 deg'" : "", "damping='2e5'");
    cli_lab_run_to(lab, 0.02);
    rutRutCell cell;
    for (size_t cursor = 0;
         !lab->failed && rut_ruts_next(lab->world.model, lab->world.data, &cursor, 1, &cell) > 0;) {
      pressed += cell.pressed * (turned ? cell.x : cell.y);
      whole += cell.pressed;
    }
    for (int w = 0; w < 4; w++) {
      wheel_place(lab, w, hub);
      touched += 0.25 * hub[turned ? 0 : 1];
    }
    touched += SOIL_RADIUS * slope[turned] / hypot(1, slope[turned]);
    cli_worst_absolute(pressed / whole, touched, value, reference);
  }
}
