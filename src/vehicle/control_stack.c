// SPDX-License-Identifier: BSD-3-Clause
#include "vehicle/control_stack.h"

#include <string.h>

#include "base/rng.h"
#include "control/delay.h"
#include "mbd/tree.h"
#include "vehicle/control_lane.h"

// Sets the keys of controllers apart from others that are made of the seed.
static const uint64_t CONTROLLERS = UINT64_C(0x636f6e74726f6c);

enum {
  MOST_WHEELS = 16,
  MOST_INPUTS = 64,
  MOST_MEASURED = (RUT_MEASURED_LONE + RUT_MEASURED_PER_WHEEL * MOST_WHEELS) * RUT_MBD_LANES
};

static const rutControllerHead* head_of(const rutController* c) {
  return (const rutControllerHead*)c->param;
}

// Does it ask for torque and steering, of the vehicle or of one that blends it?
static bool drives(const rutController* c) { return c->over < 0 || c->blended >= 0; }

// Does it see the vehicle as it was?
static bool is_late(const rutController* c) { return c->input_delay > 0 || c->video.places > 0; }

static double* row(const rutControlStep* s, int first) { return s->table + first * s->lanes; }

// ---- when ----

// Is it time for an update? Counts the time down. All lanes began together: one clock tells for
// all.
static bool is_due(const rutControlStep* s, const rutController* c) {
  if (c->due < 0) return true;
  double* left = row(s, c->due);
  const double period = rut_max(head_of(c)->period, s->dt);
  const double first = s->step == 0 ? head_of(c)->phase : left[0];
  const bool due = first <= 0.5 * s->dt;
  for (int l = 0; l < s->lanes; l++) left[l] = first + (due ? period : 0) - s->dt;
  return due;
}

// The same without counting.
static bool will_be_due(const rutControlStep* s, const rutController* c) {
  if (c->due < 0) return true;
  const double first = s->step == 0 ? head_of(c)->phase : row(s, c->due)[0];
  return first <= 0.5 * s->dt;
}

bool rut_control_looks(const rutControlStep* s, unsigned uses) {
  if (!(s->stack->uses & uses)) return false;
  for (int i = 0; i < s->stack->n; i++) {
    const rutController* c = &s->stack->controller[i];
    // what is delayed has to be seen at every step
    if ((c->type->uses & uses) && (is_late(c) || will_be_due(s, c))) return true;
  }
  return false;
}

double rut_control_first(const rutController* c, const char* name) {
  const rutComponent* base = &c->type->base;
  for (int i = 0; i < base->fields; i++) {
    const bool number = base->field[i].type <= RUT_CHOICE;
    if (number && strcmp(base->field[i].name, name) == 0) return c->param[i];
  }
  return 0;
}

void rut_control_start(const rutControlStack* stack, int lanes, double* lane) {
  for (int i = 0; i < stack->n; i++) {
    const rutController* c = &stack->controller[i];
    for (int k = 0; k < c->type->commands; k++) {
      lane[(c->command + k) * lanes] = rut_control_first(c, c->type->command[k].name);
    }
  }
}

// ---- what it sees ----

// Rows of a measurement, with their lengths in numbers per lane.
typedef struct Measured {
  const double** row;
  int numbers;
} Measured;

static int list_measured(rutControlMeasured* in, int wheels,
                         Measured list[RUT_MEASURED_LONE + RUT_MEASURED_PER_WHEEL]) {
  const Measured all[] = {
      {&in->vx, 1},         {&in->vy, 1},         {&in->yaw_rate, 1},   {&in->odo_speed, 1},
      {&in->odo_rate, 1},   {&in->pitch, 1},      {&in->yaw, 1},        {&in->roll, 1},
      {&in->position, 3},   {&in->speed, wheels}, {&in->steer, wheels}, {&in->load, wheels},
      {&in->slope, wheels}, {&in->arm_x, wheels}, {&in->arm_z, wheels}, {&in->grip, wheels}};
  memcpy(list, all, sizeof all);
  return RUT_COUNT_OF(all);
}

rutControlDuty rut_control_duty(const rutController* c, const rutVehicleLayout* layout, int lanes,
                                int inputs) {
  return (rutControlDuty){.type = c->type,
                          .param = c->param,
                          .layout = layout,
                          .lanes = lanes,
                          .inputs = inputs,
                          .states = c->states,
                          .outputs = c->outputs,
                          .scratch = c->scratch_numbers,
                          .drives = drives(c)};
}

// Keys of the random numbers of a controller, [lane].
static void find_keys(const rutControlStep* s, const rutController* c,
                      uint64_t key[RUT_MBD_LANES]) {
  const uint64_t index = (uint64_t)(c - s->stack->controller);
  for (int l = 0; l < s->lanes; l++) {
    const uint64_t seed = s->host->seed(s->host->user, l);
    const uint64_t place = (uint64_t)s->vehicle[l] * RUT_MAX_CONTROLLERS + index;
    key[l] = rut_mix(rut_mix(seed) ^ (CONTROLLERS + place));
  }
}

static void pass_channel(const rutControlStep* s, const rutController* c, bool video,
                         double* rows) {
  uint64_t key[RUT_MBD_LANES];
  const rutChannel* channel = video ? &c->video : &c->uplink;
  if (channel->places == 0) return;
  find_keys(s, c, key);
  double* state = row(s, video ? c->video_row : c->uplink_row);
  // before the first command nothing is asked for
  const rutChannelStep at = {s->step, s->dt, s->lanes, key};
  rut_channel_pass(channel, &at, video, state, rows);
}

// Let measurements come by video, and as they were some steps ago. late has room for all of them.
static void delay_input(const rutControlStep* s, const rutController* c, rutControlMeasured* in,
                        double late[MOST_MEASURED]) {
  Measured list[RUT_MEASURED_LONE + RUT_MEASURED_PER_WHEEL];
  const int n = list_measured(in, s->layout->wheels, list);
  const int numbers = rut_control_measured(s->layout->wheels);
  double* at = late;
  memset(late, 0, (size_t)(numbers * s->lanes) * sizeof *late);
  for (int i = 0; i < n; i++) {
    const int count = list[i].numbers * s->lanes;
    // what is not looked at now keeps its place in the ring
    if (*list[i].row) {
      memcpy(at, *list[i].row, (size_t)count * sizeof *at);
      *list[i].row = at;
    }
    at += count;
  }
  pass_channel(s, c, true, late);
  if (c->input_delay == 0) return;
  double* ring = row(s, c->input_ring);
  if (s->step == 0) rut_delay_fill(c->input_delay, numbers, s->lanes, ring, late);
  rut_delay_rows(c->input_delay, s->step, numbers, s->lanes, ring, late);
}

// Readings of all lanes, [input][lane].
static void read_inputs(const rutControlStep* s, const rutController* c,
                        rutControlReading* reading) {
  for (int i = 0; i < c->type->inputs; i++) {
    const rutControlSource* source = &c->source[i];
    for (int l = 0; l < s->lanes; l++) {
      rutControlReading* r = &reading[i * s->lanes + l];
      if (source->numbers == 0) {
        *r = (rutControlReading){.type = RUT_F64, .stride = 1, .stamp = -1};
      } else if (source->sensor) {
        s->host->read(s->host->user, source->sensor[s->first_slot + l], source->output, r);
      } else {
        *r = (rutControlReading){row(s, source->row) + l, RUT_F64, source->numbers, s->lanes,
                                 (double)s->step * s->dt};
      }
    }
  }
}

// What a controller sees is kept here.
typedef struct Seen {
  rutControlReading reading[RUT_MAX_INPUTS * RUT_MBD_LANES];
  uint64_t key[RUT_MBD_LANES];
  double time[RUT_MBD_LANES];
  rutControlAsked asked[RUT_MAX_BLENDS];
} Seen;

// What the controllers ask for that this one blends.
static void see_asked(const rutControlStep* s, const rutController* c, bool brakes, Seen* seen) {
  for (int i = 0; i < s->stack->n; i++) {
    const rutController* other = &s->stack->controller[i];
    if (other->blended < 0 || &s->stack->controller[other->over] != c) continue;
    const double* at = row(s, other->given);
    const double* steer = at + s->inputs * s->lanes;
    seen->asked[other->blended] = (rutControlAsked){at, steer, brakes ? steer + s->lanes : NULL};
  }
}

// What a controller sees: what its type does not use is hidden.
static rutControlIn see(const rutControlStep* s, const rutController* c,
                        const rutControlMeasured* measured, const rutControlOut* out, Seen* seen) {
  const unsigned uses = c->type->uses;
  const bool motion = uses & RUT_USES_MOTION, pose = uses & RUT_USES_POSE;
  const bool pitch = uses & (RUT_USES_POSE | RUT_USES_PITCH), contact = uses & RUT_USES_CONTACT;
  const bool random = uses & RUT_USES_RANDOM, time = uses & RUT_USES_TIME;
  if (c->type->inputs > 0) read_inputs(s, c, seen->reading);
  if (random) find_keys(s, c, seen->key);
  for (int l = 0; time && l < s->lanes; l++) seen->time[l] = s->host->time(s->host->user, l);
  if (c->type->blends > 0) see_asked(s, c, out->brake != NULL, seen);
  return (rutControlIn){.lanes = s->lanes,
                        .demands = s->inputs,
                        .dt = rut_max(head_of(c)->period, s->dt),
                        .command = row(s, c->command),
                        .reading = c->type->inputs > 0 ? seen->reading : NULL,
                        .scratch = row(s, c->scratch),
                        .vx = motion ? measured->vx : NULL,
                        .vy = motion ? measured->vy : NULL,
                        .yaw_rate = motion ? measured->yaw_rate : NULL,
                        .odo_speed = measured->odo_speed,
                        .odo_rate = measured->odo_rate,
                        .pitch = pitch ? measured->pitch : NULL,
                        .speed = measured->speed,
                        .steer = measured->steer,
                        .position = pose ? measured->position : NULL,
                        .yaw = pose ? measured->yaw : NULL,
                        .roll = pose ? measured->roll : NULL,
                        .load = contact ? measured->load : NULL,
                        .slope = contact ? measured->slope : NULL,
                        .arm_x = contact ? measured->arm_x : NULL,
                        .arm_z = contact ? measured->arm_z : NULL,
                        .grip = contact ? measured->grip : NULL,
                        .step = s->dt,
                        .followed = s->stack->follows && c->over < 0,
                        .random = random ? seen->key : NULL,
                        .asked = c->type->blends > 0 ? seen->asked : NULL,
                        .look = uses & RUT_USES_WORLD ? s->host->look : NULL,
                        .world = s->host->user,
                        .time = time ? seen->time : NULL};
}

// ---- what it asks for ----

// Set points for other controllers, late if they are to be: until the first arrive, those of the
// beginning hold.
static void pass_set_points(const rutControlStep* s, const rutController* c) {
  double late[RUT_MAX_OUTPUT_NUMBERS * RUT_MBD_LANES];
  const double* output = row(s, c->output);
  const size_t lanes = (size_t)s->lanes;
  if (c->output_delay > 0) {
    memcpy(late, output, (size_t)c->outputs * lanes * sizeof *late);
    rut_delay_rows(c->output_delay, s->step, c->outputs, s->lanes, row(s, c->output_ring), late);
    output = late;
  }
  if (s->step < (c->job >= 0 ? c->latency : c->output_delay)) return;
  int number = 0;
  for (int i = 0; i < c->type->outputs; i++) {
    if (c->set_point[i] >= 0) {
      memcpy(row(s, c->set_point[i]), output + (size_t)number * lanes, lanes * sizeof *output);
    }
    number += c->numbers[i];
  }
}

static int asked_numbers(const rutControlStep* s) { return s->inputs + RUT_ASKED_BESIDES; }

// What a controller asks for that another one blends, late as it may be.
static void pass_asked(const rutControlStep* s, const rutController* c) {
  const int numbers = asked_numbers(s);
  double* given = row(s, c->given);
  if (c->given == c->asked) return;
  memcpy(given, row(s, c->asked), (size_t)(numbers * s->lanes) * sizeof *given);
  if (c->output_delay > 0) {
    rut_delay_rows(c->output_delay, s->step, numbers, s->lanes, row(s, c->output_ring), given);
  }
  pass_channel(s, c, false, given);
}

// Where one that drives writes: to the vehicle's rows, or to those of what is asked.
static rutControlOut place_out(const rutControlStep* s, const rutController* c,
                               const rutControlOut* out) {
  const int asked = c->blended >= 0 ? c->asked : s->stack->asked;
  if (asked < 0) return *out;
  double* at = row(s, asked);
  rutControlOut to = *out;
  to.demand = at;
  to.steer = at + s->inputs * s->lanes;
  if (out->brake) to.brake = to.steer + s->lanes;
  to.twist = to.steer + 2 * s->lanes;
  if (c->blended >= 0) to.line = NULL;
  return to;
}

// The controller of each lane, with its own numbers.
static void run_lanes(const rutControlStep* s, const rutController* c, const rutControlIn* in,
                      const rutControlOut* out, rutControlCall call) {
  const rutControlRows rows = {s->lanes, in, row(s, c->state), out};
  rutControlDuty duty[RUT_MBD_LANES];
  for (int l = 0; l < s->lanes; l++) {
    const rutController* k = &s->own[l].stack->controller[c - s->stack->controller];
    duty[l] = rut_control_duty(k, s->own[l].layout, 1, s->inputs);
  }
  rut_control_lanes_call(duty, &rows, call);
}

RUT_INLINE void run(const rutControlStep* s, const rutController* c, const rutControlIn* in,
                    const rutControlOut* out, rutControlCall call) {
  if (s->own) {
    run_lanes(s, c, in, out, call);
  } else if (call == RUT_CALL_FOLLOW) {
    c->type->follow(c->param, s->layout, in, out);
  } else {
    c->type->update(c->param, s->layout, in, row(s, c->state), out);
  }
}

// Inner loop on what the innermost asks for: it sees the wheels as they are.
static void follow(const rutControlStep* s, const rutControlMeasured* measured, double* asked) {
  const rutController* driver = &s->stack->controller[s->stack->n - 1];
  const int lanes = s->lanes;
  const rutControlIn in = {.lanes = lanes,
                           .demands = s->inputs,
                           .dt = s->dt,
                           .step = s->dt,
                           .odo_speed = measured->odo_speed,
                           .odo_rate = measured->odo_rate,
                           .speed = measured->speed,
                           .followed = true};
  double* const beside = asked + s->inputs * lanes;
  const rutControlOut out = {.demand = asked, .steer = beside, .twist = beside + 2 * lanes};
  run(s, driver, &in, &out, RUT_CALL_FOLLOW);
}

// From what is asked to what the vehicle does: delay, inner loop, then actuators.
static void act(const rutControlStep* s, const rutControlMeasured* measured,
                const rutControlOut* out) {
  const rutControlStack* stack = s->stack;
  const rutController* driver = &stack->controller[stack->n - 1];
  const int lanes = s->lanes, numbers = asked_numbers(s);
  double now[(MOST_INPUTS + RUT_ASKED_BESIDES) * RUT_MBD_LANES];
  memcpy(now, row(s, stack->asked), (size_t)(numbers * lanes) * sizeof *now);
  if (driver->output_delay > 0) {
    rut_delay_rows(driver->output_delay, s->step, numbers, lanes, row(s, driver->output_ring), now);
  }
  pass_channel(s, driver, false, now);
  if (stack->follows) follow(s, measured, now);
  double* const from[] = {now, now + s->inputs * lanes, now + (s->inputs + 1) * lanes};
  const int channels[] = {s->inputs, 1, 1};
  for (int i = 0; i < stack->actuators; i++) {
    const rutActuator* a = &stack->actuator[i];
    rut_actuator_step(&a->param, channels[a->channel] * lanes, s->dt, s->step, row(s, a->state),
                      from[a->channel]);
  }
  memcpy(out->demand, from[0], (size_t)(s->inputs * lanes) * sizeof *now);
  memcpy(out->steer, from[1], (size_t)lanes * sizeof *now);
  if (out->brake) memcpy(out->brake, from[2], (size_t)lanes * sizeof *now);
  memcpy(out->twist, from[2] + lanes, (size_t)(3 * lanes) * sizeof *now);
}

// Rows that change seldom have changed.
static void tell_change(const rutControlStep* s) {
  if (s->stack->kept > 0) memset(row(s, s->stack->kept_row), 0, (size_t)s->lanes * sizeof(double));
}

static void tell_work(const rutControlStep* s, const rutController* c, bool begins) {
  const int place = (int)(c - s->stack->controller);
  rut_control_tell(s->host, s->vehicle ? s->vehicle[0] : 0, place, c->type->base.name, begins);
}

static void decide(const rutControlStep* s, const rutController* c,
                   const rutControlMeasured* measured, const rutControlOut* out) {
  tell_work(s, c, true);
  Seen seen;
  const rutControlIn in = see(s, c, measured, out, &seen);
  rutControlOut to = {0};
  bool changed = false;
  if (drives(c)) to = place_out(s, c, out);
  to.output = row(s, c->output);
  to.changed = c->type->kept > 0 ? &changed : NULL;
  run(s, c, &in, &to, RUT_CALL_UPDATE);
  if (changed) tell_change(s);
  tell_work(s, c, false);
}

// ---- beside the steps ----

static double* asked_rows(const rutControlStep* s, const rutControlOut* to, int part, int* rows) {
  double* const at[] = {to->demand, to->steer, to->brake, to->twist};
  const int numbers[] = {s->inputs, 1, 1, 3};
  *rows = numbers[part];
  return at[part];
}

// What holds for a controller now into an answer, or an answer into what holds.
static void move_answer(const rutControlStep* s, const rutController* c, const rutControlOut* out,
                        bool act, double* answer) {
  rutControlOut to = {0};
  if (drives(c)) to = place_out(s, c, out);
  double* const own[] = {row(s, c->state), row(s, c->output)};
  const int numbers[] = {c->states, c->outputs};
  for (int part = 0; part < 2 + (drives(c) ? 4 : 0); part++) {
    int rows = part < 2 ? numbers[part] : 0;
    double* at = part < 2 ? own[part] : asked_rows(s, &to, part - 2, &rows);
    const size_t n = (size_t)rows * (size_t)s->lanes;
    if (at && act) memcpy(at, answer, n * sizeof *at);
    if (at && !act) memcpy(answer, at, n * sizeof *at);
    answer += n;
  }
}

static int answer_numbers(const rutControlStep* s, const rutController* c) {
  const rutControlDuty duty = rut_control_duty(c, s->layout, s->lanes, s->inputs);
  return rut_control_answer(&duty) * s->lanes;
}

// The answer acts when its time has come; one that is late acts when it is there.
static void count_down(const rutControlStep* s, const rutController* c, const rutControlOut* out) {
  rutControlJob* job = &s->job[c->job];
  double *left = row(s, c->left), *kept = row(s, c->answer);
  if (!(left[0] > 0)) return;
  const bool due = left[0] <= 1;
  const bool done = due && s->host->finish(s->host->user, job, head_of(c)->late == 0);
  for (int l = 0; l < s->lanes; l++) left[l] -= due && !done ? 0 : 1;
  if (!done) return;
  const size_t n = (size_t)answer_numbers(s, c);
  // after a restore the answer stands in the rows alone
  if (job->task.phase == RUT_TASK_DONE) memcpy(kept, job->answer, n * sizeof *kept);
  if (c->type->kept > 0) tell_change(s);
  move_answer(s, c, out, true, kept);
}

// One update at a time: who is late misses samples.
static void call_beside(const rutControlStep* s, const rutController* c,
                        const rutControlMeasured* now, const rutControlOut* out) {
  rutControlMeasured measured = *now;
  double late[MOST_MEASURED];
  Seen seen;
  rutControlJob* job = &s->job[c->job];
  count_down(s, c, out);
  if (is_late(c)) delay_input(s, c, &measured, late);
  if (!is_due(s, c) || row(s, c->left)[0] > 0) return;
  tell_work(s, c, true);
  const rutControlIn in = see(s, c, &measured, out, &seen);
  rutControlDuty duty = rut_control_duty(c, s->layout, s->lanes, s->inputs);
  duty.brakes = out->brake != NULL;
  rut_control_job_look(job, &duty, &in);
  job->rows = row(s, c->answer);
  move_answer(s, c, out, false, job->answer);
  for (int l = 0; l < s->lanes; l++) row(s, c->left)[l] = c->latency;
  s->host->start(s->host->user, job);
  if (s->host->work) s->host->finish(s->host->user, job, true);
  tell_work(s, c, false);
}

// The same of what it measured some time ago.
static void call_late(const rutControlStep* s, const rutController* c,
                      const rutControlMeasured* now, const rutControlOut* out) {
  rutControlMeasured measured = *now;
  double late[MOST_MEASURED];
  delay_input(s, c, &measured, late);
  if (is_due(s, c)) decide(s, c, &measured, out);
}

static void update(const rutControlStep* s, const rutController* c,
                   const rutControlMeasured* measured, const rutControlOut* out) {
  for (int k = 0; c->blended >= 0 && k < c->type->commands; k++) {
    if (c->same[k] < 0) continue;
    memcpy(row(s, c->command + k), row(s, c->same[k]), (size_t)s->lanes * sizeof(double));
  }
  if (c->job >= 0) {
    call_beside(s, c, measured, out);
  } else if (is_late(c)) {
    call_late(s, c, measured, out);
  } else if (is_due(s, c)) {
    decide(s, c, measured, out);
  }
}

bool rut_control_is_direct(const rutControlStack* stack) {
  const rutController* c = &stack->controller[0];
  if (stack->n != 1 || stack->asked >= 0) return false;
  return c->states == 0 && c->outputs == 0 && c->type->inputs == 0 && c->job < 0 && !is_late(c) &&
         !c->clocked;
}

void rut_control_ahead(const rutControlStep* s, const rutControlMeasured* measured,
                       const double* command, const rutControlOut* out) {
  const rutController* c = &s->stack->controller[0];
  if (!rut_control_is_direct(s->stack)) return;
  Seen seen;
  rutControlIn in = see(s, c, measured, out, &seen);
  in.command = command;
  run(s, c, &in, out, RUT_CALL_UPDATE);
}

void rut_control_run(const rutControlStep* s, const rutControlMeasured* measured,
                     const rutControlOut* out) {
  const rutControlStack* stack = s->stack;
  for (int i = 0; i < stack->n; i++) {
    update(s, &stack->controller[i], measured, out);
    if (stack->controller[i].blended >= 0) {
      pass_asked(s, &stack->controller[i]);
    } else if (i + 1 < stack->n) {
      pass_set_points(s, &stack->controller[i]);
    }
  }
  if (stack->asked >= 0) act(s, measured, out);
}
