// SPDX-License-Identifier: BSD-3-Clause
#include "vehicle/control_lane.h"

#include "base/report.h"

enum {
  MOST_WHEELS = 16,
  MOST_ASKED = RUT_LANE_INPUTS + 2,  // of a controller that is blended
  MOST_SEEN = RUT_MAX_COMMANDS + 1 + RUT_MEASURED_LONE + RUT_MEASURED_PER_WHEEL * MOST_WHEELS +
              RUT_MAX_BLENDS * MOST_ASKED,
  // states, outputs, demands and the rows of rutDemandLine, and what is asked besides
  MOST_ANSWERED = RUT_LANE_STATES + RUT_MAX_OUTPUT_NUMBERS + 5 * RUT_LANE_INPUTS + RUT_ASKED_BESIDES
};

// Numbers of one lane, and the row of each among those of all lanes.
typedef struct Seen {
  int n;
  const double* row[MOST_SEEN];
  double number[MOST_SEEN];
} Seen;
typedef struct Answered {
  int n;
  double* row[MOST_ANSWERED];
  double number[MOST_ANSWERED];
} Answered;

// Appends rows, and lets them point to the numbers of the lane. Nullable: *rows.
static void see(Seen* seen, const double** rows, int numbers, int lanes) {
  if (!*rows) return;
  const double* all = *rows;
  *rows = seen->number + seen->n;
  for (int i = 0; i < numbers; i++) seen->row[seen->n++] = all + i * lanes;
}
static void answer(Answered* answered, double** rows, int numbers, int lanes) {
  if (!*rows) return;
  double* all = *rows;
  *rows = answered->number + answered->n;
  for (int i = 0; i < numbers; i++) answered->row[answered->n++] = all + i * lanes;
}

// What differs from lane to lane besides numbers.
typedef struct Beside {
  rutControlReading reading[RUT_MAX_INPUTS];
  rutControlAsked asked[RUT_MAX_BLENDS];
  rutDemandLine line;
} Beside;

// What the controller sees; what is hidden stays hidden. It has the scratch of all lanes: nothing
// in there is kept.
static rutControlIn see_all(const rutControlDuty* duty, const rutControlRows* rows, Beside* beside,
                            Seen* seen) {
  const int lanes = rows->lanes, wheels = duty->layout->wheels;
  rutControlIn in = *rows->in;
  const struct {
    const double** row;
    int numbers;
  } list[] = {{&in.command, duty->type->commands},
              {&in.vx, 1},
              {&in.vy, 1},
              {&in.yaw_rate, 1},
              {&in.odo_speed, 1},
              {&in.odo_rate, 1},
              {&in.pitch, 1},
              {&in.yaw, 1},
              {&in.roll, 1},
              {&in.position, 3},
              {&in.speed, wheels},
              {&in.steer, wheels},
              {&in.load, wheels},
              {&in.slope, wheels},
              {&in.arm_x, wheels},
              {&in.arm_z, wheels},
              {&in.grip, wheels},
              {&in.time, 1}};
  in.lanes = 1;
  for (int i = 0; i < RUT_COUNT_OF(list); i++) see(seen, list[i].row, list[i].numbers, lanes);
  for (int i = 0; in.asked && i < duty->type->blends; i++) {
    rutControlAsked* asked = &beside->asked[i];
    *asked = in.asked[i];
    see(seen, &asked->demand, duty->inputs, lanes);
    see(seen, &asked->steer, 1, lanes);
    see(seen, &asked->brake, 1, lanes);
  }
  if (in.asked) in.asked = beside->asked;
  if (in.reading) in.reading = beside->reading;
  return in;
}

// Where it answers.
static rutControlOut answer_all(const rutControlDuty* duty, const rutControlRows* rows,
                                Beside* beside, Answered* answered, double** state) {
  const int lanes = rows->lanes;
  rutControlOut out = *rows->out;
  *state = rows->state;
  answer(answered, state, duty->states, lanes);
  answer(answered, &out.output, duty->outputs, lanes);
  answer(answered, &out.demand, duty->inputs, lanes);
  answer(answered, &out.steer, 1, lanes);
  answer(answered, &out.brake, 1, lanes);
  answer(answered, &out.twist, 3, lanes);
  if (!out.line) return out;
  beside->line = *out.line;
  out.line = &beside->line;
  answer(answered, &beside->line.still, duty->inputs, lanes);
  answer(answered, &beside->line.rate, duty->inputs, lanes);
  answer(answered, &beside->line.low, duty->inputs, lanes);
  answer(answered, &beside->line.high, duty->inputs, lanes);
  return out;
}

void rut_control_lanes_call(const rutControlDuty duty[RUT_MBD_LANES], const rutControlRows* rows,
                            rutControlCall call) {
  const rutControllerType* type = duty->type;
  Beside beside;
  Seen seen;
  Answered answered;
  double* state;
  seen.n = answered.n = 0;
  rutControlIn in = see_all(duty, rows, &beside, &seen);
  const rutControlOut out = answer_all(duty, rows, &beside, &answered, &state);
  for (int l = 0; l < rows->lanes; l++) {
    for (int i = 0; i < seen.n; i++) seen.number[i] = seen.row[i][l];
    for (int i = 0; i < answered.n; i++) answered.number[i] = answered.row[i][l];
    for (int i = 0; in.reading && i < type->inputs; i++) {
      beside.reading[i] = rows->in->reading[i * rows->lanes + l];
    }
    in.random = rows->in->random ? rows->in->random + l : NULL;
    in.first_lane = l;
    if (call == RUT_CALL_FOLLOW) {
      type->follow(duty[l].param, duty[l].layout, &in, &out);
    } else {
      type->update(duty[l].param, duty[l].layout, &in, state, &out);
    }
    for (int i = 0; i < answered.n; i++) answered.row[i][l] = answered.number[i];
  }
}
