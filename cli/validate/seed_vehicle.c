// SPDX-License-Identifier: BSD-3-Clause
//
// Vehicles for the numbers of MAVS, MVSim and ROAMS.
#include <math.h>
#include <string.h>

#include "bench_formulations.h"
#include "clock.h"
#include "seed.h"
#include "spatial.h"

#define AIR "position='0 0 1000' on_ground='false' "

// ---- MAVS: one wheel ----

#define CAR                                                                \
  .mass = 1500, .front = 1.25, .rear = 1.25, .height = 0.55, .track = 1.5, \
  .inertia = {1e6, 1e6, 1e6}, .stiffness = 2e6, .damping = 5e4, .wheel_inertia = 1

// A car whose wheels carry 3678.75 N each on 200 kN/m; its axles with these attributes.
static void build_standing(cliSeed* seed, double speed, const char* axle) {
  cli_lab_build(&seed->lab,
                "<world timestep='0.001'>" CLI_STEEP_SOIL("1") "<vehicle name='car' "
                "velocity='%.17g 0'><chassis mass='1400' com='0 0 0.55' inertia='600 2000 2200' "
                "outline='-1 -0.3 1 -0.3 1 0.3 -1 0.3'/>"
                "<suspension type='slider' stiffness='4e4' damping='4e3'/>"
                "<tyre type='linear' stiffness='200e3' damping='1e3'/>"
                "<axle x='1.25' track='1.5' radius='0.4' wheel_mass='25' %s/>"
                "<axle x='-1.25' track='1.5' radius='0.4' wheel_mass='25' %s/>"
                "<drive type='open'/></vehicle></world>",
                speed, axle, axle);
  cli_lab_run_to(&seed->lab, 3);
}
double cli_seed_deflection(cliSeed* seed, double argument) {
  (void)argument;
  build_standing(seed, 0, "");
  return cli_lab_wheel(&seed->lab, 0).deflection;
}
double cli_seed_hub_height(cliSeed* seed, double argument) {
  (void)argument;
  build_standing(seed, 0, "");
  if (seed->lab.failed) return (double)NAN;
  return rut_wheel_pose(seed->lab.world.model, seed->lab.world.data, 0).position[2];
}

// v/w of a wheel that rolls freely. argument 1: with the radius as printed.
double cli_seed_rolling_radius(cliSeed* seed, double argument) {
  build_standing(seed, 5, argument > 0 ? "rolling_radius='loaded'" : "");
  return cli_lab_vehicle(&seed->lab, 0).velocity[0] / cli_lab_wheel(&seed->lab, 0).speed;
}

// Angle of the hub's velocity (3, 0.4) m/s of the vehicle to a wheel steered by `argument`.
double cli_seed_slip_angle(cliSeed* seed, double argument) {
  char pedals[120];
  (void)snprintf(pedals, sizeof pedals,
                 "<drive type='open'/><controller type='pedals' steer='%.17g'/>", argument);
  const cliRig rig = {CAR, .world = "gravity='0'",
                      .vehicle = AIR "yaw='0.5' velocity='3 0.4' steer_rate='100'",
                      .front_axle = "max_steer='0.6'", .drive = pedals};
  cli_rig_build(&seed->lab, &rig);
  cli_lab_run_to(&seed->lab, 0.1);
  const rutWheelState left = cli_lab_wheel(&seed->lab, 0), right = cli_lab_wheel(&seed->lab, 1);
  // of one wheel in their middle
  const double steer = atan(2 / (1 / tan(left.steer) + 1 / tan(right.steer)));
  return atan2(left.hub_velocity[1], left.hub_velocity[0]) - steer;
}

// The same of one that goes straight on and has just been turned, as the wheel tells.
double cli_seed_wheel_angle(cliSeed* seed, double argument) {
  char axle[80];
  (void)snprintf(axle, sizeof axle, "max_steer='%.17g'", argument);
  const cliRig rig = {CAR, .vehicle = "velocity='5 0' steer_rate='1e6'", .front_axle = axle,
                      .drive = "<drive type='open'/><controller type='pedals' steer='1'/>"};
  cli_rig_build(&seed->lab, &rig);
  cli_lab_step(&seed->lab);
  return cli_lab_wheel(&seed->lab, 0).slip[1];
}

// Wheel speed after a second of 10 N m with a bearing drag of 0.1 N m s, inertia 1 kg m2.
double cli_seed_spin(cliSeed* seed, double argument) {
  (void)argument;
  static const char tyre[] = "<tyre type='linear' bearing='0.1'/>";
  const cliRig rig = {CAR,
                      .world = "gravity='0'",
                      .vehicle = AIR,
                      .front_tyre = tyre,
                      .rear_tyre = tyre,
                      .drive = "<drive type='open'/><controller type='pedals' torque='40'/>"};
  cli_rig_build(&seed->lab, &rig);
  cli_lab_run_to(&seed->lab, 1);
  return cli_lab_wheel(&seed->lab, 0).speed;
}

// Direction in the world of the force of a braked wheel that heads 0.5 rad, less half a turn.
double cli_seed_force_heading(cliSeed* seed, double argument) {
  (void)argument;
  const cliRig rig = {CAR, .vehicle = "yaw='0.5' velocity='10 0'", .front_axle = "brake='500'",
                      .rear_axle = "brake='500'",
                      .drive = "<drive type='open'/><controller type='pedals' brake='1'/>"};
  cli_rig_build(&seed->lab, &rig);
  cli_lab_run_to(&seed->lab, 0.5);
  if (seed->lab.failed) return (double)NAN;
  const double* f = rut_wheel_pose(seed->lab.world.model, seed->lab.world.data, 0).force;
  return atan2(-f[1], -f[0]);
}

// Slip at which the net pull on clay of 600 kPa is 0, by bisection.
double cli_seed_self_propelled(cliSeed* seed, double argument) {
  (void)argument;
  double low = 1e-4, high = 1;
  for (int i = 0; i < 60; i++) {
    char at[60];
    const double slip = 0.5 * (low + high);
    (void)snprintf(at, sizeof at, "slip_x=%.17g", slip);
    const cliLawRow row = {"traction", "clay", "cone_index=600000", at, "net=0"};
    const bool pulls = cli_law_run(&seed->lab, &row, 1).value > 0;
    high = pulls ? slip : high;
    low = pulls ? low : slip;
  }
  return 0.5 * (low + high);
}

// ---- MVSim: planar vehicles ----

#define WHEEL(name, x, y, place, more)                                                           \
  "<wheel name='" name "' position='" x " " y "' place='" place "' mass='10' radius='0.3' " more \
  "/>"
#define PLANAR_CAR                                                                    \
  "<chassis mass='600' outline='-0.5 -0.8 3 -0.8 3 0.8 -0.5 0.8'/>" WHEEL(            \
      "rl", "0", "0.75", "rear_left", "") WHEEL("rr", "0", "-0.75", "rear_right", "") \
      WHEEL("fl", "2.5", "0.75", "front_left", "steered='true'") WHEEL(               \
          "fr", "2.5", "-0.75", "front_right",                                        \
          "steered='true'") "<drive type='direct'/><tyre type='coulomb' bearing_damping='0'/>"

static void build_car(cliSeed* seed, double steer) {
  cli_lab_build(&seed->lab,
                "<world timestep='0.001'><vehicle name='car' velocity='2 0'>" PLANAR_CAR
                "<controller type='raw' steer='%.17g'/></vehicle></world>",
                steer);
  cli_lab_run_to(&seed->lab, 1);
}
double cli_seed_planar_load(cliSeed* seed, double argument) {
  (void)argument;
  build_car(seed, 0);
  return cli_lab_wheel(&seed->lab, 0).load;
}
// Angle of the inner (0) or outer (1) wheel of a turn to the left by 0.25 rad.
double cli_seed_ackermann(cliSeed* seed, double argument) {
  build_car(seed, 0.25);
  return cli_lab_wheel(&seed->lab, argument > 0 ? 3 : 2).steer;
}

#define ROBOT                                                               \
  "<chassis mass='15' outline='-0.3 -0.25 0.3 -0.25 0.3 0.25 -0.3 0.25'/>"  \
  "<wheel name='l' position='0 0.3' place='left' mass='1' radius='0.1'/>"   \
  "<wheel name='r' position='0 -0.3' place='right' mass='1' radius='0.1'/>" \
  "<drive type='direct'/><tyre type='coulomb'/>"

// Of a robot that is asked for 1 m/s and 0.4 rad/s: yaw rate, forward speed, speeds of the left and
// right wheel [m/s].
double cli_seed_odometry(cliSeed* seed, double argument) {
  cli_lab_build(&seed->lab, "<world timestep='0.005'><vehicle name='robot'>" ROBOT
                            "<controller type='twist_pid' proportional_gain='5' integral_gain='5' "
                            "max_torque='5' speed='1' yaw_rate='0.4'/></vehicle></world>");
  cli_lab_run_to(&seed->lab, 30);
  const rutVehicleState s = cli_lab_vehicle(&seed->lab, 0);
  const double left = cli_lab_wheel(&seed->lab, 0).speed * 0.1,
               right = cli_lab_wheel(&seed->lab, 1).speed * 0.1;
  const double all[] = {s.rate[2], s.velocity[0], left, right};
  return all[(int)argument];
}

// Steering of a car that is asked for 2 m/s and 0.4 rad/s, as one wheel in the middle.
double cli_seed_curvature(cliSeed* seed, double argument) {
  (void)argument;
  cli_lab_build(&seed->lab, "<world timestep='0.001'><vehicle name='car' velocity='2 0'>" PLANAR_CAR
                            "<controller type='twist_front_steer_pid' speed='2' yaw_rate='0.4' "
                            "proportional_gain='100' max_torque='500'/></vehicle></world>");
  cli_lab_run_to(&seed->lab, 5);
  const double inner = cli_lab_wheel(&seed->lab, 2).steer,
               outer = cli_lab_wheel(&seed->lab, 3).steer;
  return atan(2 / (1 / tan(inner) + 1 / tan(outer)));
}

// ---- ROAMS ----

enum { LANE_CHANGE, FORMULATIONS };

static double metric_of(const rutMetric* metric, int n, const char* name) {
  for (int i = 0; i < n; i++) {
    if (strcmp(metric[i].name, name) == 0) return metric[i].value;
  }
  return (double)NAN;
}

static const struct {
  const char* name;
  double unit;
} lane_change_number[] = {{"load_front_left_max", 1},
                          {"load_front_left_min", 1},
                          {"load_front_right_max", 1},
                          {"load_front_right_min", 1},
                          {"load_rear_left_max", 1},
                          {"load_rear_left_min", 1},
                          {"load_rear_right_max", 1},
                          {"load_rear_right_min", 1},
                          {"lateral_acceleration_max", CLI_GRAVITY},
                          {"lateral_acceleration_min", CLI_GRAVITY},
                          {"roll_max", 3.14159265358979323846 / 180},
                          {"roll_min", 3.14159265358979323846 / 180},
                          {"roll_rate_max", 3.14159265358979323846 / 180},
                          {"roll_rate_min", 3.14159265358979323846 / 180}};

// The HMMWV in the double lane change at a speed; in the numbers above, then seconds of computing
// per second.
static void change_lanes(cliSeed* seed, double speed, double* number) {
  cliLab* lab = &seed->lab;
  char start[60], driver[400];
  (void)snprintf(start, sizeof start, "velocity='%.17g 0'", speed);
  (void)snprintf(driver, sizeof driver,
                 "<controller type='driver' manoeuvre='double_lane_change_nato' speed='%.17g' "
                 "start_distance='80' preview_time='0.25' length='4.93' width='2.16' "
                 "full_force='15e3' full_power='62e3' drag='1.5' brake_force='34e3'/>",
                 speed);
  cli_hmmwv_build(
      lab,
      &(cliHmmwv){
          .start = start, .tyre = "tmeasy", .chassis = "drag_area='2.45'", .controller = driver});
  rutMetrics* metrics = NULL;
  if (lab->failed || rut_metrics_create(lab->world.spec, lab->world.model, lab->world.data, 16,
                                        &metrics, NULL) != RUT_OK) {
    lab->failed = true;
    return;
  }
  const double from = cli_clock();
  while (!lab->failed && cli_lab_time(lab) < 16 - 1e-9) {
    cli_lab_step(lab);
    rut_metrics_step(metrics, lab->world.model, lab->world.data);
  }
  const double took = cli_clock() - from;
  enum { MOST = 128 };
  rutMetric metric[MOST];
  const int n = rut_metrics_get(metrics, lab->world.model, 0, MOST, metric);
  for (int i = 0; i < CLI_COUNT(lane_change_number); i++) {
    number[i] = metric_of(metric, n < MOST ? n : MOST, lane_change_number[i].name) /
                lane_change_number[i].unit;
  }
  number[CLI_COUNT(lane_change_number)] = took / 16;
  rut_metrics_destroy(metrics);
}

// Number k of the lane change at the speed at which the lateral acceleration is that of ADAMS.
double cli_seed_lane_change(cliSeed* seed, double argument) {
  static const double SPEED = 15.70;  // [m/s]
  if (!seed->known[LANE_CHANGE]) change_lanes(seed, SPEED, seed->number[LANE_CHANGE]);
  seed->known[LANE_CHANGE] = !seed->lab.failed;
  return seed->number[LANE_CHANGE][(int)argument];
}

// Of the formulation k/10 (0 embedded, 1 tree, 2 absolute): number k % 10, coordinates,
// constraints, equations, time of an evaluation over that of the first, coordinates over its.
double cli_seed_formulation(cliSeed* seed, double argument) {
  enum { METHODS = 3, NUMBERS = 5 };
  static const int method[METHODS] = {0, 2, 3};
  double* number = seed->number[FORMULATIONS];
  if (!seed->known[FORMULATIONS]) {
    cliFormulationSize size[METHODS];
    const bool there = cli_formulation_sizes(METHODS, method, size);
    for (int i = 0; i < METHODS; i++) {
      double* to = number + NUMBERS * i;
      to[0] = there ? size[i].coordinates : (double)NAN;
      to[1] = there ? size[i].constraints : (double)NAN;
      to[2] = there ? size[i].equations : (double)NAN;
      to[3] = there ? size[i].time / size[0].time : (double)NAN;
      to[4] = there ? (double)size[i].coordinates / size[0].coordinates : (double)NAN;
    }
    seed->known[FORMULATIONS] = true;
  }
  return number[NUMBERS * ((int)argument / 10) + (int)argument % 10];
}
