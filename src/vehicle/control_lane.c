// SPDX-License-Identifier: BSD-3-Clause
#include "vehicle/control_lane.h"

#include "base/report.h"

enum { MOST_WHEELS = 16, MOST_MEASURED = RUT_MEASURED_LONE + RUT_MEASURED_PER_WHEEL * MOST_WHEELS };

// Rows of one lane.
typedef struct Lone {
  double command[RUT_MAX_COMMANDS], measured[MOST_MEASURED];
  double state[RUT_LANE_STATES], output[RUT_MAX_OUTPUT_NUMBERS];
  double demand[RUT_LANE_INPUTS], steer, brake, twist[3];
  rutControlReading reading[RUT_MAX_INPUTS];
  rutControlAsked asked[RUT_MAX_BLENDS];
  double asked_rows[RUT_MAX_BLENDS][RUT_LANE_INPUTS + 2];
} Lone;

void rut_lane_take(const double* rows, int n, int lanes, int lane, double* to) {
  for (int i = 0; rows && i < n; i++) to[i] = rows[i * lanes + lane];
}

void rut_lane_put(const double* from, int n, int lanes, int lane, double* rows) {
  for (int i = 0; rows && i < n; i++) rows[i * lanes + lane] = from[i];
}

// What the controller sees; what is hidden stays hidden. It has the scratch of all lanes: nothing
// in there is kept.
static rutControlIn look(const rutControlDuty* duty, const rutControlRows* rows, int lane,
                         Lone* to) {
  const int lanes = rows->lanes, wheels = duty->layout->wheels;
  rutControlIn in = *rows->in;
  in.lanes = 1;
  in.first_lane = lane;
  rut_lane_take(in.command, duty->type->commands, lanes, lane, to->command);
  in.command = in.command ? to->command : NULL;
  const struct {
    const double** row;
    int numbers;
  } list[] = {{&in.vx, 1},         {&in.vy, 1},         {&in.yaw_rate, 1},   {&in.odo_speed, 1},
              {&in.odo_rate, 1},   {&in.pitch, 1},      {&in.yaw, 1},        {&in.roll, 1},
              {&in.position, 3},   {&in.speed, wheels}, {&in.steer, wheels}, {&in.load, wheels},
              {&in.slope, wheels}, {&in.arm_x, wheels}, {&in.arm_z, wheels}, {&in.grip, wheels}};
  double* at = to->measured;
  for (int i = 0; i < RUT_COUNT_OF(list); i++) {
    if (!*list[i].row) continue;
    rut_lane_take(*list[i].row, list[i].numbers, lanes, lane, at);
    *list[i].row = at;
    at += list[i].numbers;
  }
  for (int i = 0; in.reading && i < duty->type->inputs; i++) {
    to->reading[i] = in.reading[i * lanes + lane];
  }
  in.reading = in.reading ? to->reading : NULL;
  in.random = in.random ? in.random + lane : NULL;
  for (int i = 0; in.asked && i < duty->type->blends; i++) {
    const rutControlAsked* all = &in.asked[i];
    double* row = to->asked_rows[i];
    rut_lane_take(all->demand, duty->inputs, lanes, lane, row);
    rut_lane_take(all->steer, 1, lanes, lane, row + duty->inputs);
    rut_lane_take(all->brake, 1, lanes, lane, row + duty->inputs + 1);
    to->asked[i] =
        (rutControlAsked){row, row + duty->inputs, all->brake ? row + duty->inputs + 1 : NULL};
  }
  in.asked = in.asked ? to->asked : NULL;
  return in;
}

// What it answers with: rows of the lane, as they are before the call, or back into those of all
// lanes.
static void move_answer(const rutControlDuty* duty, const rutControlRows* rows, int lane, bool back,
                        Lone* lone) {
  const rutControlOut* all = rows->out;
  const struct {
    double *own, *rows;
    int numbers;
  } list[] = {{lone->state, rows->state, duty->states},
              {lone->output, all->output, duty->outputs},
              {lone->demand, all->demand, duty->inputs},
              {&lone->steer, all->steer, 1},
              {&lone->brake, all->brake, 1},
              {lone->twist, all->twist, 3}};
  for (int i = 0; i < RUT_COUNT_OF(list); i++) {
    if (back) {
      rut_lane_put(list[i].own, list[i].numbers, rows->lanes, lane, list[i].rows);
    } else {
      rut_lane_take(list[i].rows, list[i].numbers, rows->lanes, lane, list[i].own);
    }
  }
}

void rut_control_lane_call(const rutControlDuty* duty, const rutControlRows* rows, int lane,
                           rutControlCall call) {
  const rutControlOut* all = rows->out;
  Lone lone;
  const rutControlIn in = look(duty, rows, lane, &lone);
  move_answer(duty, rows, lane, false, &lone);
  const rutControlOut out = {.output = all->output ? lone.output : NULL,
                             .demand = all->demand ? lone.demand : NULL,
                             .steer = all->steer ? &lone.steer : NULL,
                             .twist = all->twist ? lone.twist : NULL,
                             .brake = all->brake ? &lone.brake : NULL,
                             .changed = all->changed};
  if (call == RUT_CALL_FOLLOW) {
    duty->type->follow(duty->param, duty->layout, &in, &out);
  } else {
    duty->type->update(duty->param, duty->layout, &in, lone.state, &out);
  }
  move_answer(duty, rows, lane, true, &lone);
}
