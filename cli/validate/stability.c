// SPDX-License-Identifier: BSD-3-Clause
//
// Stability control: what it asks of steering, drive and brakes in each step of a turn to one side
// and to the other, against its law (docs/manual/stability.md) computed here from the motion and
// the loads that the vehicle tells. No number of it is the default.
#include <math.h>
#include <string.h>

#include "spatial.h"

enum { WHEELS = CLI_RIG_WHEELS, LEFT = 0, RIGHT = 1 };

static const double FRONT = 1.3, REAR = 1.7, TRACK = 1.6, MASS = 1500, LOCK = 0.5;
static const double FRICTION = 0.7, UNDERSTEER = 0.002, YAW_GAIN = 6, BAND = 0.03;
static const double THRESHOLD = 0.4, ROLL_GAIN = 4, PREVIEW = 0.1, LAG = 0.06, MOST = 6, SLIP = 0.1;
static const double BRAKE[2] = {3000, 2000}, TORQUE = 900, DT = 1e-3;

static void build(cliLab* lab) {
  const cliRig rig = {
      .mass = MASS,
      .front = FRONT,
      .rear = REAR,
      .height = 0.9,
      .track = TRACK,
      .inertia = {500, 1800, 2000},
      .stiffness = 60e3,
      .damping = 6e3,
      .wheel_inertia = 2,
      .ground = CLI_COULOMB_SOIL("15", "0.9"),
      .vehicle = "velocity='16 0'",
      .front_axle = "max_steer='0.5' brake='3000'",
      .rear_axle = "brake='2000'",
      .drive =
          "<stability friction='0.7' understeer='0.002' yaw_gain='6' dead_band='0.03' "
          "roll_threshold='0.4' roll_gain='4' roll_preview='0.1' brake_lag='0.06' "
          "max_lateral_acceleration='6' slip_limit='0.1'/>"
          "<drive type='direct' driven='all' max_torque='400' no_load_speed='200'/>"
          "<controller type='throttle' max_torque='900' throttle='0.6' steering='0.16'/>"};
  cli_rig_build(lab, &rig);
}

// What the law has found so far, and what it asks for.
typedef struct Law {
  double reference, slow, brake[WHEELS];
  double steer, torque;
} Law;

// What the vehicle tells before a step.
typedef struct Seen {
  double speed, rate, load[WHEELS], spin[WHEELS], asked;
} Seen;

static Seen look(const cliLab* lab, double asked) {
  const rutVehicleState s = cli_lab_vehicle(lab, 0);
  Seen seen = {.speed = s.velocity[0], .rate = s.rate[2], .asked = asked};
  for (int w = 0; w < WHEELS; w++) {
    seen.load[w] = cli_lab_wheel(lab, w).load;
    seen.spin[w] = cli_lab_wheel(lab, w).speed;
  }
  return seen;
}

static double within(double x, double most) { return fmax(-most, fmin(x, most)); }

// Forces that the wheels are to brake with.
static void find_forces(const Seen* s, Law* law, double force[WHEELS]) {
  const double square = s->speed * s->speed, base = FRONT + REAR + UNDERSTEER * square;
  law->steer = within(s->asked, MOST * base / square);
  const double bound = 0.85 * FRICTION * CLI_GRAVITY / s->speed;
  const double wanted = within(s->speed * tan(law->steer) / base, bound);
  law->reference += (wanted - law->reference) * DT / (0.1 + DT);
  const double error = law->reference - s->rate, beyond = error - within(error, BAND);
  const double moment = YAW_GAIN * MASS * FRONT * REAR * beyond;
  const double* n = s->load;
  const double left = n[CLI_FRONT_LEFT] + n[CLI_REAR_LEFT];
  const double right = n[CLI_FRONT_RIGHT] + n[CLI_REAR_RIGHT];
  const double ratio = (right - left) / (right + left);
  law->slow += (ratio - law->slow) * DT / (0.03 + DT);
  const double ahead = ratio + PREVIEW * (ratio - law->slow) / 0.03;
  memset(force, 0, WHEELS * sizeof *force);
  const int side = moment > 0 ? LEFT : RIGHT, inner = s->rate > 0 ? LEFT : RIGHT;
  force[(side == inner ? CLI_REAR_LEFT : CLI_FRONT_LEFT) + side] = fabs(moment) / (0.5 * TRACK);
  const int outer = CLI_FRONT_LEFT + (ahead > 0 ? RIGHT : LEFT);
  const double roll = ROLL_GAIN * fmax(fabs(ahead) - THRESHOLD, 0) * FRICTION * n[outer];
  force[outer] = fmax(force[outer], roll);
}

static void advance(const Seen* s, Law* law) {
  double force[WHEELS], largest = 0;
  find_forces(s, law, force);
  for (int w = 0; w < WHEELS; w++) {
    const double slip = 1 - s->spin[w] * CLI_RIG_RADIUS / s->speed;
    const double held = fmax(0, fmin(2 - slip / SLIP, 1));
    const double most = 0.95 * FRICTION * s->load[w];
    const double part = held * fmin(force[w], most) * CLI_RIG_RADIUS / BRAKE[w / 2];
    law->brake[w] += (fmax(0, fmin(part, 1)) - law->brake[w]) * DT / (LAG + DT);
    largest = fmax(largest, law->brake[w]);
  }
  law->torque = 0.6 * TORQUE * fmax(1 - 10 * largest, 0);
}

static double told(const cliLab* lab, rutKind kind, int index, const char* name) {
  const rutModel* model = lab->world.model;
  double number = (double)NAN;
  for (int i = 0; !lab->failed && i < rut_variables(model, kind, index, RUT_OUTPUT); i++) {
    if (strcmp(rut_variable(model, kind, index, RUT_OUTPUT, i).name, name) != 0) continue;
    const rutVariableRange one = {kind, index, RUT_OUTPUT, i, 1};
    (void)rut_variables_read(model, lab->world.data, &one, 1, &number);
  }
  return number;
}

typedef void Compare(const cliLab* lab, const Law* law, double* value, double* reference);

// 1.5 s of a turn to the left, then to the right.
static void turn(cliLab* lab, Compare* compare, double* value, double* reference) {
  Law law = {0};
  build(lab);
  *value = *reference = (double)NAN;
  for (int i = 0; i < 3000 && !lab->failed; i++) {
    const double share = i < 1500 ? 0.16 : -0.2;
    const double command[3] = {0.6, 0, share};
    cli_lab_command(lab, 3, command);
    const Seen seen = look(lab, share * LOCK);
    cli_lab_step(lab);
    advance(&seen, &law);
    compare(lab, &law, value, reference);
  }
}

static void compare_steering(const cliLab* lab, const Law* law, double* value, double* reference) {
  cli_worst_absolute(told(lab, RUT_VEHICLE, 0, "stability_steer"), law->steer, value, reference);
}
void cli_case_stability_steering(cliLab* lab, double* value, double* reference) {
  turn(lab, compare_steering, value, reference);
}

static void compare_reference(const cliLab* lab, const Law* law, double* value, double* reference) {
  const double rate = told(lab, RUT_VEHICLE, 0, "stability_yaw_reference");
  cli_worst_absolute(rate, law->reference, value, reference);
}
void cli_case_stability_reference(cliLab* lab, double* value, double* reference) {
  turn(lab, compare_reference, value, reference);
}

static void compare_transfer(const cliLab* lab, const Law* law, double* value, double* reference) {
  const double ratio = told(lab, RUT_VEHICLE, 0, "stability_load_transfer");
  cli_worst_absolute(ratio, law->slow, value, reference);
}
void cli_case_stability_transfer(cliLab* lab, double* value, double* reference) {
  turn(lab, compare_transfer, value, reference);
}

static void compare_brakes(const cliLab* lab, const Law* law, double* value, double* reference) {
  for (int w = 0; w < WHEELS; w++) {
    cli_worst_absolute(told(lab, RUT_WHEEL, w, "stability_brake"), law->brake[w], value, reference);
  }
}
void cli_case_stability_brakes(cliLab* lab, double* value, double* reference) {
  turn(lab, compare_brakes, value, reference);
}

static void compare_throttle(const cliLab* lab, const Law* law, double* value, double* reference) {
  // each side gets half of the demand, which the drive puts on each of its wheels
  double sum = 0;
  for (int w = 0; w < WHEELS; w++) sum += cli_lab_wheel(lab, w).torque;
  cli_worst_absolute(0.5 * sum / TORQUE, law->torque / TORQUE, value, reference);
}
void cli_case_stability_throttle(cliLab* lab, double* value, double* reference) {
  turn(lab, compare_throttle, value, reference);
}

// Each wheel is braked: the least over the wheels of the largest part that its brake gets.
void cli_case_stability_all(cliLab* lab, double* value, double* reference) {
  double most[WHEELS] = {0};
  build(lab);
  for (int i = 0; i < 3000 && !lab->failed; i++) {
    const double command[3] = {0.6, 0, i < 1500 ? 0.16 : -0.2};
    cli_lab_command(lab, 3, command);
    cli_lab_step(lab);
    for (int w = 0; w < WHEELS; w++) {
      most[w] = fmax(most[w], told(lab, RUT_WHEEL, w, "stability_brake"));
    }
  }
  *value = fmin(fmin(most[0], most[1]), fmin(most[2], most[3])) > 0.01;
  *reference = 1;
}
