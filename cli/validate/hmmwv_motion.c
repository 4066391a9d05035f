// SPDX-License-Identifier: BSD-3-Clause
//
// A whole vehicle on double wishbones: energy and momenta in the air, and the balance of energy
// whatever it drives on.
#include <math.h>

#include "momentum.h"
#include "spatial.h"

#define FLYING "position='0 0 1000' on_ground='false' velocity='10 0' yaw_rate='0.3'"
#define RK4    "timestep='0.001' integrator='rk4'"

// ---- free flight ----

// Without dampers, springs let go from where they carry 1 % of the weight: kinetic, potential and
// elastic energy together do not change.
static void keep_energy(cliLab* lab, const char* start, double* value, double* reference) {
  cli_hmmwv_build(lab, &(cliHmmwv){.world = RK4 " gravity='0.1'",
                                   .start = start,
                                   .drive = "<drive type='direct'/>",
                                   .undamped = true});
  const rutEnergy first = cli_lab_energy(lab);
  const double whole = first.kinetic + first.potential + first.elastic;
  for (int i = 1; i <= 10; i++) {
    cli_lab_run_to(lab, 0.2 * i);
    const rutEnergy e = cli_lab_energy(lab);
    cli_worst_absolute((e.kinetic + e.potential + e.elastic) / whole, 1, value, reference);
  }
}

void cli_case_hmmwv_energy(cliLab* lab, double* value, double* reference) {
  keep_energy(lab, FLYING, value, reference);
}
// Rolled and pitched, so that it tumbles about all of its axes.
void cli_case_hmmwv_tumbles(cliLab* lab, double* value, double* reference) {
  keep_energy(lab,
              "position='0 0 10' on_ground='false' velocity='0 0' yaw_rate='1' roll='0.7' "
              "pitch='0.5'",
              value, reference);
}

// The centre of mass of all parts falls by g t^2/2 while wheels swing, spin and steer: potential
// energy is a parabola in time.
void cli_case_hmmwv_parabola(cliLab* lab, double* value, double* reference) {
  cli_hmmwv_build(lab, &(cliHmmwv){.world = RK4,
                                   .start = FLYING " yaw='1'",
                                   .drive = "<drive type='direct'/>",
                                   .pedals = "throttle='0.3' steering='0.5'"});
  double height[4] = {0};
  const double mass = 2573.138;  // 2091.806 + 4 (71.105 + 5.813 + 23.965 + 19.45)
  for (int i = 0; i < 4; i++) {
    cli_lab_run_to(lab, 0.2 + 0.3 * i);
    height[i] = cli_lab_energy(lab).potential / (mass * CLI_GRAVITY);
  }
  // second differences
  for (int i = 1; i < 3; i++) {
    cli_worst_relative(height[i + 1] - 2 * height[i] + height[i - 1], -CLI_GRAVITY * 0.09, value,
                       reference);
  }
}

// Angular momentum of chassis and wheels about their centre of mass, on arms without mass.
enum { BODIES = 5 };

static void quaternion_of(rutVehicleState s, double q[4]) {
  const double cr = cos(s.roll / 2), sr = sin(s.roll / 2), cp = cos(s.pitch / 2);
  const double sp = sin(s.pitch / 2), cy = cos(s.yaw / 2), sy = sin(s.yaw / 2);
  q[0] = cr * cp * cy + sr * sp * sy;
  q[1] = sr * cp * cy - cr * sp * sy;
  q[2] = cr * sp * cy + sr * cp * sy;
  q[3] = cr * cp * sy - sr * sp * cy;
}

static void record(const cliLab* lab, int instant, cliTrack track[BODIES]) {
  const rutVehicleState s = cli_lab_vehicle(lab, 0);
  static const cliVector com = {{0.059266, 0.000191, 0.212631}};
  quaternion_of(s, track[0].quaternion[instant]);
  const cliVector at = {{s.position[0], s.position[1], s.position[2]}};
  track[0].place[instant] = cli_add(at, 1, cli_turned(track[0].quaternion[instant], com));
  for (int w = 0; w < 4 && !lab->failed; w++) {
    const rutWheelPose p = rut_wheel_pose(lab->world.model, lab->world.data, w);
    for (int k = 0; k < 3; k++) track[1 + w].place[instant].v[k] = p.position[k];
    for (int k = 0; k < 4; k++) track[1 + w].quaternion[instant][k] = p.quaternion[k];
  }
}

static cliVector angular_momentum(cliLab* lab, double step) {
  static const cliTrack chassis = {.mass = 2091.806, .inertia = {1078.9, 2964.6, 3579.3}};
  static const cliTrack wheel = {.mass = 71.105, .inertia = {4.34457, 7.38782, 4.34457}};
  cliTrack track[BODIES] = {chassis, wheel, wheel, wheel, wheel};
  for (int i = 0; i < CLI_INSTANTS; i++) {
    cli_lab_step(lab);
    record(lab, i, track);
  }
  return cli_momenta(BODIES, track, step).angular;
}

// Tumbling with spinning, steered wheels: angular momentum stays. A pose does not tell how a
// carrier that swings turns about the wheel's axis, which is little once dampers have calmed it.
void cli_case_hmmwv_gyrostat(cliLab* lab, double* value, double* reference) {
  const double step = 0.0005;
  cli_hmmwv_build(lab, &(cliHmmwv){.world = "timestep='0.0005' integrator='rk4' gravity='0'",
                                   .start = "position='0 0 1000' on_ground='false' "
                                            "velocity='20 0' yaw_rate='1.5' steer_response='20'",

                                   .drive = "<drive type='direct'/>",
                                   .pedals = "steering='0.5'",
                                   .light = true});
  cli_lab_run_to(lab, 1.2);
  const cliVector first = angular_momentum(lab, step);
  const double size = sqrt(cli_dot(first, first));
  for (int i = 1; i <= 5; i++) {
    cli_lab_run_to(lab, 1.2 + 0.2 * i);
    const cliVector now = angular_momentum(lab, step);
    const cliVector change = cli_add(now, -1, first);
    cli_worst_absolute(sqrt(cli_dot(change, change)) / size, 0, value, reference);
  }
}

// ---- balance of energy ----

// Residual over the throughput, after `time`.
static void balance(cliLab* lab, const cliHmmwv* hmmwv, double time, double* value,
                    double* reference) {
  cli_hmmwv_build(lab, hmmwv);
  cli_lab_run_to(lab, time);
  const rutEnergy e = cli_lab_energy(lab);
  cli_worst_absolute(e.residual / e.throughput, 0, value, reference);
}

#define ROUGH "<terrain type='iso8608' class='C' seed='3'/>"

void cli_case_hmmwv_balance_fiala(cliLab* lab, double* value, double* reference) {
  balance(lab,
          &(cliHmmwv){.world = RK4,
                      .ground = ROUGH,
                      .start = "velocity='12 0'",
                      .chassis = "drag_area='2.45'",
                      .tyre = "fiala",
                      .pedals = "throttle='0.5' steering='0.15'"},
          4, value, reference);
}

void cli_case_hmmwv_balance_tmeasy(cliLab* lab, double* value, double* reference) {
  balance(lab,
          &(cliHmmwv){.world = RK4,
                      .ground = ROUGH,
                      .start = "velocity='12 0'",
                      .tyre = "tmeasy",
                      .pedals = "throttle='0.5' steering='0.3'"},
          3, value, reference);
}

void cli_case_hmmwv_balance_pac2002(cliLab* lab, double* value, double* reference) {
  balance(lab,
          &(cliHmmwv){.world = RK4,
                      .ground = "<terrain type='plane' slope_x='0.1' slope_y='0.15'/>",
                      .start = "velocity='12 0'",
                      .tyre = "pac2002",
                      .pedals = "throttle='1' steering='-0.3'"},
          3, value, reference);
}

// Brakes to a stop.
void cli_case_hmmwv_balance_stop(cliLab* lab, double* value, double* reference) {
  balance(lab,
          &(cliHmmwv){.world = RK4,
                      .start = "velocity='12 0'",
                      .tyre = "tmeasy",
                      .pedals = "brake='0.6' steering='0.1'"},
          4, value, reference);
}

void cli_case_hmmwv_balance_soil(cliLab* lab, double* value, double* reference) {
  balance(lab,
          &(cliHmmwv){.ground = "<deformable cell='0.05'/>",
                      .road = "<soil name='road' type='bekker' preset='upland_sandy_loam'/>",
                      .start = "velocity='6 0'",
                      .pedals = "throttle='0.5' steering='0.1'"},
          3, value, reference);
}

// Through its gears, with the lock-up clutch in the last.
void cli_case_hmmwv_balance_shifts(cliLab* lab, double* value, double* reference) {
  balance(lab,
          &(cliHmmwv){.world = RK4,
                      .start = "velocity='5 0'",
                      .tyre = "tmeasy",
                      .drive = "<drive type='powertrain' lockup='on' lockup_ratio='0.7' "
                               "lockup_speed='100'/>",
                      .pedals = "throttle='1'"},
          9, value, reference);
}

// An elastic steering column.
void cli_case_hmmwv_balance_column(cliLab* lab, double* value, double* reference) {
  balance(lab,
          &(cliHmmwv){.world = RK4,
                      .ground = ROUGH,
                      .start = "velocity='12 0' steer_stiffness='77.5e3' steer_damping='500' "
                               "steer_inertia='34'",
                      .tyre = "fiala",
                      .pedals = "throttle='0.3' steering='0.3'"},
          2, value, reference);
}

void cli_case_hmmwv_balance_hitch(cliLab* lab, double* value, double* reference) {
  balance(lab,
          &(cliHmmwv){.world = RK4,
                      .start = "velocity='5 0'",
                      .inside = "<hitch position='-2.5 0 -0.25' force='4000' ramp='4000' "
                                "start='0.5'/>",
                      .tyre = "tmeasy",
                      .pedals = "throttle='0.6'"},
          3, value, reference);
}

// On its side and back.
void cli_case_hmmwv_balance_belly(cliLab* lab, double* value, double* reference) {
  balance(lab,
          &(cliHmmwv){.world = "timestep='0.0002'",
                      .start = "velocity='6 2' position='0 0 2.5' roll='1.2' on_ground='false'",
                      .drive = "<drive type='direct'/>"},
          2, value, reference);
}

// Backward it drives as forward, its lowest reverse gear being as the first one.
void cli_case_hmmwv_reverse(cliLab* lab, double* value, double* reference) {
  double way[2] = {0, 0};
  for (int i = 0; i < 2; i++) {
    cli_hmmwv_build(lab,
                    &(cliHmmwv){.start = "velocity='0 0'",
                                .drive = "<drive type='powertrain' reverse='5' shift_up='1e4'/>",
                                .tyre = "fiala",
                                .pedals = i ? "throttle='-0.4'" : "throttle='0.4'"});
    cli_lab_run_to(lab, 3);
    way[i] = cli_lab_vehicle(lab, 0).position[0];
  }
  cli_worst_relative(-way[1], way[0], value, reference);
}
