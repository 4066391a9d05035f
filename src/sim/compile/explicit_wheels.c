// SPDX-License-Identifier: BSD-3-Clause
//
// Limits of planar vehicles whose wheels take the velocity that the body had a step before, as
// MVSim's do (wheel_coupling="explicit").
//
// Along x, with the speed v of the body, that of a wheel as w = v of the step before, the mass
// ratio q = sum I/(r^2 m) and the loop gain k = h sum D/(r^2 m), D the fall of a wheel's torque per
// speed:
//   v'' = (1 - q) v' + (q - k) v,
// which is stable for q < 1 + k/2 and k < 1 + q. The same holds for the yaw rate, with I_z in place
// of m and sums over I y^2/r^2; lateral forces, which act on the yaw rate as well, make it
// q < 1 - s/2 without a loop, s = sum m_p x^2/I_z being the part of the yaw rate that they take in
// a step.
#include "sim/compile/explicit_wheels.h"

#include "math/rut_math.h"
#include "mbd/rolling.h"

enum { MOST_STATES = 64 };
static const double NEAR = 0.9;  // part of a limit from which on a warning is given

// Sums over the wheels, for the speed and for the yaw rate, as parts of mass and yaw inertia.
typedef struct Ratios {
  double wheels, loop, side;
} Ratios;

// Fall of each wheel's torque per speed under loops that are at work [N m s/rad].
static void probe_loops(const rutModel* model, const rutGroup* g, double fall[RUT_MAX_WHEELS]) {
  const double zero[RUT_MAX_WHEELS] = {0};
  double command[RUT_MAX_COMMANDS], state[MOST_STATES] = {0}, row[4][RUT_ROLLING_INPUTS] = {{0}};
  double demand[RUT_ROLLING_INPUTS] = {0}, steer = 0, twist[3] = {0};
  double gain[RUT_ROLLING_INPUTS * RUT_MAX_WHEELS] = {0}, drive_state[MOST_STATES] = {0};
  for (int w = 0; w < g->wheels; w++) fall[w] = 0;
  if (g->lines == 0 || g->control_states > MOST_STATES || g->drive_states > MOST_STATES) return;
  for (int i = 0; i < RUT_MAX_COMMANDS; i++) command[i] = 1;
  const rutControlIn in = {.lanes = 1,
                           .demands = g->inputs,
                           .dt = model->dt,
                           .command = command,
                           .vx = zero,
                           .vy = zero,
                           .yaw_rate = zero,
                           .odo_speed = zero,
                           .odo_rate = zero,
                           .pitch = zero,
                           .speed = zero,
                           .steer = zero};
  const rutDemandLine line = {row[0], row[1], row[2], row[3]};
  const rutControlOut out = {.demand = demand, .steer = &steer, .twist = twist, .line = &line};
  const rutController* driver = &g->control.controller[g->control.n - 1];
  driver->type->update(driver->param, &g->layout, &in, state, &out);
  const rutDriveIn still = {1, model->dt, zero, zero, g->drive_plan};
  g->drive->gain(g->drive_param, &g->layout, &still, drive_state, gain);
  for (int k = 0; k < g->lines; k++) {
    for (int w = 0; w < g->wheels; w++) fall[w] += gain[k * g->wheels + w] * line.rate[k];
  }
}

static void sum_ratios(const rutModel* model, const rutGroup* g, Ratios out[2]) {
  double fall[RUT_MAX_WHEELS];
  probe_loops(model, g, fall);
  out[0] = out[1] = (Ratios){0};
  for (int w = 0; w < g->wheels; w++) {
    const double r = g->layout.radius[w], x = g->layout.x[w] - g->com[0];
    const double y = g->layout.y[w] - g->com[1];
    const double square[2] = {1 / g->mass, y * y / g->yaw_inertia};
    for (int i = 0; i < 2; i++) {
      out[i].wheels += square[i] * g->layout.inertia[w] / (r * r);
      out[i].loop += square[i] * model->dt * fall[w] / (r * r);
    }
    out[1].side += g->side_mass[w * g->lanes] * x * x / g->yaw_inertia;
  }
}

static void warn(const rutDraft* draft, rutNode node, const rutModel* model, const rutGroup* g) {
  Ratios ratio[2];
  sum_ratios(model, g, ratio);
  const double along = ratio[0].wheels / (1 + 0.5 * ratio[0].loop);
  const double turning = ratio[1].wheels / (1 - 0.5 * ratio[1].side + 0.5 * ratio[1].loop);
  const double loop =
      rut_max(ratio[0].loop / (1 + ratio[0].wheels), ratio[1].loop / (1 + ratio[1].wheels));
  if (along > NEAR || turning > NEAR) {
    rut_node_warning(draft->spec, node, NULL,
                     "its wheels take the velocity that the body had a step before "
                     "(wheel_coupling=\"explicit\"), which oscillates where their inertia "
                     "reaches the limit: here sum I/r^2 is %.3g and sum I y^2/r^2 %.3g of it; take "
                     "wheel_coupling=\"implicit\", or lighter wheels",
                     along, turning);
  }
  if (loop > NEAR) {
    rut_node_warning(
        draft->spec, node, NULL,
        "its speed loops act on speeds of a step before (wheel_coupling=\"explicit\"), "
        "which oscillates where gain x step reaches the limit: here %.3g of it; "
        "take wheel_coupling=\"implicit\", a smaller gain or a smaller timestep",
        loop);
  }
}

void rut_draft_warn_explicit_wheels(const rutDraft* draft, const rutModel* model) {
  for (int i = 0; i < model->groups; i++) {
    const rutGroup* g = &model->group[i];
    const bool imposed = g->control.imposes_twist;
    if (g->mechanism || g->spatial || g->coupled || !g->tyre || imposed) continue;
    const rutDraftVehicle* first = rut_list_at(&draft->vehicle, g->member[0]);
    warn(draft, first->node, model, g);
  }
}
