// SPDX-License-Identifier: BSD-3-Clause
//
// Balance of energy and momentum of vehicles with suspensions, and convergence with the step.
#include <math.h>

#include "spatial.h"

static const double PI = 3.14159265358979323846;

static void build_rough(cliLab* lab, double timestep, const char* integrator, const char* pedals) {
  cli_lab_build(
      lab,
      "<world timestep='%.17g' integrator='%s'><terrain type='iso8608' class='C' seed='3'/>"
      "<vehicle name='car' velocity='8 0' steer_rate='0.8'>"
      "<chassis mass='2000' com='0 0 0.8' outline='-2 -0.9 2 -0.9 2 0.9 -2 0.9' z_min='0.4' "
      "z_max='1.4'/><suspension type='slider' stiffness='60e3' damping='6e3'/>"
      "<tyre type='linear' stiffness='400e3' damping='2e3'/>"
      "<axle x='1.6' track='1.8' radius='0.45' width='0.3' wheel_mass='60' max_steer='0.5' "
      "brake='3000'/>"
      "<axle x='-1.6' track='1.8' radius='0.45' width='0.3' wheel_mass='60' brake='3000'/>"
      "<drive type='open'/><controller type='pedals' %s/></vehicle></world>",
      timestep, integrator, pedals);
}

// ---- energy ----

// Residual of the balance over the throughput, after 10 s in a circle on rough ground.
static double missing_energy(cliLab* lab, double timestep, const char* integrator) {
  build_rough(lab, timestep, integrator, "torque='300' steer='0.05'");
  cli_lab_run_to(lab, 10);
  const rutEnergy energy = cli_lab_energy(lab);
  return energy.residual / energy.throughput;
}

void cli_case_energy_rk4(cliLab* lab, double* value, double* reference) {
  cli_worst_absolute(missing_energy(lab, 0.001, "rk4"), 0, value, reference);
}

void cli_case_energy_default(cliLab* lab, double* value, double* reference) {
  cli_worst_absolute(missing_energy(lab, 0.001, "semi_implicit"), 0, value, reference);
}

// At half the step, as a part of that before: a method of first order halves it. Straight on, for
// what turns the wheels' axes is not in the balance.
void cli_case_energy_falls(cliLab* lab, double* value, double* reference) {
  double missing[4];
  for (int i = 0; i < CLI_COUNT(missing); i++) {
    build_rough(lab, 0.004 / (1 << i), "semi_implicit", "torque='300'");
    cli_lab_run_to(lab, 5);
    const rutEnergy e = cli_lab_energy(lab);
    missing[i] = e.residual / e.throughput;
  }
  for (int i = 1; i < CLI_COUNT(missing); i++) {
    cli_worst_absolute(missing[i] / missing[i - 1], 0.5, value, reference);
  }
}

// The balance holds the heat of brakes as well: all that the vehicle had, where it stands again.
void cli_case_energy_stop(cliLab* lab, double* value, double* reference) {
  build_rough(lab, 0.001, "rk4", "brake='0.5'");
  cli_lab_run_to(lab, 10);
  const rutEnergy e = cli_lab_energy(lab);
  cli_worst_absolute(e.residual / e.throughput, 0, value, reference);
}

// ---- angular momentum ----

typedef struct Vector {
  double x, y, z;
} Vector;

// From the vehicle's axes to the world's: roll, then pitch, then yaw.
static Vector to_world(rutVehicleState s, Vector a) {
  const double cr = cos(s.roll), sr = sin(s.roll), cp = cos(s.pitch), sp = sin(s.pitch);
  const double cy = cos(s.yaw), sy = sin(s.yaw);
  const Vector rolled = {a.x, cr * a.y - sr * a.z, sr * a.y + cr * a.z};
  const Vector pitched = {cp * rolled.x + sp * rolled.z, rolled.y, -sp * rolled.x + cp * rolled.z};
  return (Vector){cy * pitched.x - sy * pitched.y, sy * pitched.x + cy * pitched.y, pitched.z};
}

// Of chassis and wheels, whose axles turn with the steering.
static Vector momentum_of(const cliLab* lab, const double inertia[3], double spin) {
  const rutVehicleState s = cli_lab_vehicle(lab, 0);
  Vector sum = {inertia[0] * s.rate[0], inertia[1] * s.rate[1], inertia[2] * s.rate[2]};
  for (int w = 0; w < CLI_RIG_WHEELS; w++) {
    const rutWheelState wheel = cli_lab_wheel(lab, w);
    const double x = -sin(wheel.steer), y = cos(wheel.steer);
    const double whole = spin * (wheel.speed + s.rate[0] * x + s.rate[1] * y);
    sum.x += whole * x;
    sum.y += whole * y;
  }
  return to_world(s, sum);
}

// A vehicle that tumbles in the air while its drive spins the wheels up, and their spin turns it:
// nothing outside acts.
void cli_case_tumbling(cliLab* lab, double* value, double* reference) {
  const cliRig rig = {.mass = 1500,
                      .front = 1.2,
                      .rear = 1.4,
                      .height = 0.55,
                      .track = 1.5,
                      .inertia = {600, 2000, 2200},
                      .wheel_inertia = 1.5,
                      .world = "integrator='rk4' gravity='0'",
                      .vehicle = "position='0 0 50' on_ground='false' yaw_rate='1.5'",
                      .front_axle = "max_steer='0.6'",
                      .drive =
                          "<drive type='open'/><controller type='pedals' torque='400' "
                          "steer='0.4'/>"};
  cli_rig_build(lab, &rig);
  // the steering has no inertia of its own: it is there before the first look
  cli_lab_step(lab);
  const Vector first = momentum_of(lab, rig.inertia, rig.wheel_inertia);
  const double size = sqrt(first.x * first.x + first.y * first.y + first.z * first.z);
  for (int t = 1; t <= 10; t++) {
    cli_lab_run_to(lab, t);
    const Vector now = momentum_of(lab, rig.inertia, rig.wheel_inertia);
    cli_worst_absolute(now.x / size, first.x / size, value, reference);
    cli_worst_absolute(now.y / size, first.y / size, value, reference);
    cli_worst_absolute(now.z / size, first.z / size, value, reference);
  }
}

// ---- convergence ----

typedef struct End {
  double x, y, path;
} End;

// 20 s on rough ground: full torque for 8 s, a slalom, brakes.
static End manoeuvre(cliLab* lab, double timestep) {
  build_rough(lab, timestep, "semi_implicit", "");
  rutVehicleState s = cli_lab_vehicle(lab, 0);
  End end = {0};
  while (!lab->failed && cli_lab_time(lab) < 20 - 1e-9) {
    const double t = cli_lab_time(lab);
    const double pedals[] = {t < 8 ? 600 : 0, t > 16 ? 0.4 : 0,
                             t > 2 && t < 15 ? 0.08 * sin(0.5 * PI * t) : 0};
    const rutVehicleState old = s;
    cli_lab_command(lab, CLI_COUNT(pedals), pedals);
    cli_lab_step(lab);
    s = cli_lab_vehicle(lab, 0);
    end.path += hypot(s.position[0] - old.position[0], s.position[1] - old.position[1]);
  }
  end.x = s.position[0];
  end.y = s.position[1];
  return end;
}

static double apart(End a, End b) { return hypot(a.x - b.x, a.y - b.y) / a.path; }

// Distance of the ends at 2, 1 and 0.5 ms, as a part of the path.
void cli_case_converges(cliLab* lab, double* value, double* reference) {
  const End fine = manoeuvre(lab, 0.5e-3), middle = manoeuvre(lab, 1e-3);
  const End coarse = manoeuvre(lab, 2e-3);
  cli_worst_absolute(apart(fine, coarse), 0, value, reference);
  cli_worst_absolute(apart(fine, middle), 0, value, reference);
}

void cli_case_coarse_step(cliLab* lab, double* value, double* reference) {
  const End fine = manoeuvre(lab, 1e-3);
  cli_worst_absolute(apart(fine, manoeuvre(lab, 5e-3)), 0, value, reference);
}
