// SPDX-License-Identifier: BSD-3-Clause
#include "view/simulation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "scene/tracks.h"
#include "view/pace.h"

// A driver who says nothing for so long has let go [s].
static const double SILENCE = 0.5;
// Steps are made in portions of so much wall clock, between which orders are looked at [s].
static const double PORTION = 0.008;
// Shorter sleeps are not worth their waking [s].
static const double NAP = 0.004;
// The server is woken at least so often [s].
static const double HEARTBEAT = 0.1;
// Ground under vehicles is marked as changed so often, in simulated time [s].
static const double MARK_EVERY = 0.02;
enum { TILES_PER_FRAME = 8, TILES_AT_REST = 64, MAX_BATCH = 4096, ORDERS_AT_ONCE = 64 };

typedef struct Car {
  bool driven;   // by a page
  bool asked;    // for a controller that stands in
  int client;    // that drove it last
  double heard;  // when
  viewPedals pedals;
  bool commanded;  // set points were given
  double command[VIEW_COMMANDS];
  int commands;
} Car;

// The curves of one page. Accelerations are means between two rows, so each page has its own.
typedef struct Plot {
  rutSignals* signals;
  int index[VIEW_SIGNALS];  // in signals, of what is subscribed
} Plot;

struct viewSimulation {
  viewHub* hub;
  viewWorkshop* workshop;
  viewSlots* slots;
  const rutSignals* signals;
  uint64_t seed;
  rutInputs* inputs;  // Nullable: set points over time
  rutLog* log;        // NULL: none, or it failed
  viewRecorder* recorder;
  viewBuild now;
  Car* car;
  viewTracks tracks;
  int driven;  // number of cars that pages drive
  bool paused, diverged;
  int64_t steps_left;  // of a `step`
  viewPace pace;
  uint32_t jumps;
  bool show;             // a frame is due even if nothing has moved
  double frame;          // when the next frame may be made
  double beat;           // when the server was last woken
  double mark;           // simulated time at which ground is marked next
  int tiles;             // that wait to be measured
  int batch;             // steps between two looks at the clock
  uint32_t subscribers;  // bit i: page i has subscribed
  Plot plot[VIEW_CLIENTS];
  pthread_t thread;
};

static const rutModel* model_of(const viewSimulation* s) { return s->now.box->model; }

// ---- recording ----

// Log the present state. A log that fails is given up, and the run goes on.
static void record(viewSimulation* s) {
  rutError err = {0};
  rutStatus status = rut_log_step(s->log, model_of(s), s->now.data, &err);
  if (status == RUT_OK) status = view_recorder_step(s->recorder, model_of(s), s->now.data, &err);
  if (status == RUT_OK) return;
  view_hub_error(s->hub, -1, "the log was given up: %.300s", err.message);
  view_recorder_close(s->recorder, NULL, NULL, NULL);
  rut_log_close(s->log, NULL);
  s->recorder = NULL;
  s->log = NULL;
  view_hub_lock(s->hub);
  s->hub->status.recording = NULL;
  view_hub_changed(s->hub);
  view_hub_unlock(s->hub);
}

// ---- telling ----

static void tell_status(viewSimulation* s) {
  const unsigned filled = view_slots_filled(s->slots);
  view_hub_lock(s->hub);
  viewStatus* status = &s->hub->status;
  status->paused = s->paused;
  status->rate = s->pace.rate;
  status->slots = filled;
  for (int i = 0; i < s->hub->shape.vehicles; i++) status->driven[i] = s->car[i].driven;
  view_hub_changed(s->hub);
  view_hub_unlock(s->hub);
}

static void make_frame(viewSimulation* s, double wall) {
  viewSnapshot* snapshot = view_hub_back(s->hub);
  // samples of another run may bear the same time
  if (snapshot->jumps != s->jumps) {
    for (int i = 0; i < s->hub->shape.sensors; i++) snapshot->stamp[i] = (double)NAN;
  }
  view_snapshot_take(&s->hub->shape, model_of(s), s->now.data, snapshot);
  const bool moving = !s->paused || s->steps_left > 0;
  const double factor = moving ? view_pace_factor(&s->pace, wall, snapshot->time) : 0;
  snapshot->factor = (float)factor;
  snapshot->bits = (s->paused ? VIEW_PAUSED : 0) | (s->diverged ? VIEW_DIVERGED : 0);
  snapshot->jumps = s->jumps;
  view_hub_publish(s->hub);
}

// The next step begins with all set points that the table has for it.
static void rewind_inputs(viewSimulation* s) {
  if (s->inputs) rut_inputs_rewind(s->inputs);
}

// Time has jumped: pages drop what they have drawn so far.
static void jump(viewSimulation* s) {
  const double time = rut_time(s->now.data);
  s->jumps++;
  s->diverged = false;
  s->show = true;
  s->mark = time;
  view_pace_start(&s->pace, s->pace.rate, cli_clock(), time);
  for (int i = 0; i < VIEW_CLIENTS; i++) view_curves_restart(&s->hub->curves[i]);
  view_tiles_mark_all(&s->hub->tiles, model_of(s), s->now.data);
  s->tiles = s->hub->tiles.waiting;
  rewind_inputs(s);
  if (!s->log) return;
  rut_log_jump(s->log);
  view_recorder_jump(s->recorder);
  record(s);
}

// ---- driving ----

static void apply_pedals(viewSimulation* s, int vehicle) {
  const Car* car = &s->car[vehicle];
  const viewDriver* driver = &s->now.driver[vehicle];
  // until the controller that stands in has come, the world's own goes on
  if (driver->substitute && !s->now.substituted[vehicle]) return;
  double command[VIEW_COMMANDS];
  const double speed = rut_vehicle_state(model_of(s), s->now.data, vehicle).velocity[0];
  view_driver_command(driver, &car->pedals, speed, command);
  rut_command(model_of(s), s->now.data, vehicle, driver->commands, command);
}

static void drive_all(viewSimulation* s) {
  for (int i = 0, left = s->driven; left > 0; i++) {
    if (!s->car[i].driven) continue;
    apply_pedals(s, i);
    left--;
  }
}

// Drivers who have gone silent let go.
static void let_go(viewSimulation* s, double wall) {
  for (int i = 0, left = s->driven; left > 0; i++) {
    if (!s->car[i].driven) continue;
    if (wall - s->car[i].heard > SILENCE) s->car[i].pedals = (viewPedals){0};
    left--;
  }
}

static void drive(viewSimulation* s, const viewOrder* order) {
  Car* car = &s->car[order->vehicle];
  const viewDriver* driver = &s->now.driver[order->vehicle];
  if (!driver->drivable) {
    view_hub_error(s->hub, order->client, "vehicle %d cannot be driven", order->vehicle);
    return;
  }
  if (driver->substitute && !car->asked) {
    car->asked = view_workshop_substitute(s->workshop, order->client, order->vehicle, true);
  }
  car->pedals = order->pedals;
  car->client = order->client;
  car->heard = cli_clock();
  if (car->driven) return;
  car->driven = true;
  s->driven++;
  tell_status(s);
}

// Set points that hold while the world drives.
static void restore_command(viewSimulation* s, int vehicle) {
  const Car* car = &s->car[vehicle];
  const viewDriver* driver = &s->now.driver[vehicle];
  if (car->commanded) {
    rut_command(model_of(s), s->now.data, vehicle, car->commands, car->command);
  } else if (!driver->substitute) {
    rut_command(model_of(s), s->now.data, vehicle, driver->world_commands, driver->world_command);
  }
}

static void release(viewSimulation* s, const viewOrder* order) {
  Car* car = &s->car[order->vehicle];
  if (!car->driven) return;
  car->driven = false;
  s->driven--;
  car->pedals = (viewPedals){0};
  if (s->now.driver[order->vehicle].substitute) {
    if (s->now.substituted[order->vehicle]) apply_pedals(s, order->vehicle);
    view_workshop_substitute(s->workshop, order->client, order->vehicle, false);
    car->asked = false;
  } else {
    restore_command(s, order->vehicle);
    rewind_inputs(s);
  }
  tell_status(s);
}

static void command(viewSimulation* s, const viewOrder* order) {
  Car* car = &s->car[order->vehicle];
  if (car->driven || s->now.substituted[order->vehicle]) {
    view_hub_error(s->hub, order->client, "vehicle %d is driven by a page: release it first",
                   order->vehicle);
    return;
  }
  const rutStatus status =
      rut_command(model_of(s), s->now.data, order->vehicle, order->numbers, order->number);
  if (status != RUT_OK) {
    const rutVehicleInfo info = rut_vehicle_info(model_of(s), order->vehicle);
    view_hub_error(s->hub, order->client, "%s takes at most %d set points: %s", info.name,
                   info.commands, info.command_names);
    return;
  }
  car->commanded = true;
  // those that were not given stay what they were
  if (car->commands < order->numbers) car->commands = order->numbers;
  memcpy(car->command, order->number, (size_t)order->numbers * sizeof *order->number);
}

// ---- states ----

static void save(viewSimulation* s, const viewOrder* order) {
  const rutModel* model = model_of(s);
  viewBytes* bytes = view_bytes_create(rut_state_size(model, s->now.data, RUT_STATE_ALL));
  if (!bytes || rut_state_get(model, s->now.data, RUT_STATE_ALL, bytes->data, bytes->size)) {
    view_bytes_drop(bytes);
    view_hub_error(s->hub, order->client, "the state cannot be saved: out of memory");
    return;
  }
  view_slots_put(s->slots, order->slot, bytes, view_box_share(s->now.box));
  tell_status(s);
}

// Go to a state of another model of this world.
static rutStatus restore_older(viewSimulation* s, const viewSlot* slot, rutError* err) {
  rutData* data = rut_data_create(slot->box->model);
  if (!data) return RUT_ERR_MEMORY;
  rutStatus status =
      rut_state_set(slot->box->model, data, RUT_STATE_ALL, slot->bytes->data, slot->bytes->size);
  // at failure the present state stays
  rutData* fresh = status == RUT_OK ? rut_data_create(model_of(s)) : NULL;
  if (status == RUT_OK && !fresh) status = RUT_ERR_MEMORY;
  if (status == RUT_OK) {
    status = rut_state_adopt(model_of(s), fresh, slot->box->model, data, err);
  }
  if (status == RUT_OK) {
    rut_data_destroy(s->now.data);
    s->now.data = fresh;
    fresh = NULL;
  }
  rut_data_destroy(fresh);
  rut_data_destroy(data);
  return status;
}

static void restore(viewSimulation* s, const viewOrder* order) {
  viewSlot slot;
  if (!view_slots_get(s->slots, order->slot, &slot)) {
    view_hub_error(s->hub, order->client, "slot %d holds no state", order->slot);
    return;
  }
  rutError err = {0};
  const rutStatus status = slot.box->model == model_of(s)
                               ? rut_state_set(model_of(s), s->now.data, RUT_STATE_ALL,
                                               slot.bytes->data, slot.bytes->size)
                               : restore_older(s, &slot, &err);
  view_slot_drop(&slot);
  if (status == RUT_OK) {
    jump(s);
  } else {
    view_hub_error(s->hub, order->client, "the state of slot %d does not fit: %s", order->slot,
                   err.message[0] ? err.message : rut_status_text(status));
  }
}

static void reset(viewSimulation* s) {
  rut_data_reset(model_of(s), s->now.data, s->seed);
  for (int i = 0; i < s->hub->shape.vehicles; i++) {
    // a vehicle that the world drives begins with the world's set points
    s->car[i].commanded = false;
    s->car[i].commands = 0;
  }
  jump(s);
}

// Find what a page has subscribed in the present model, or forget it.
static void find_signals(viewSimulation* s, int client) {
  Plot* plot = &s->plot[client];
  const viewCurves* curves = &s->hub->curves[client];
  rut_signals_destroy(plot->signals);
  plot->signals = NULL;
  if (!(s->subscribers >> client & 1)) return;
  if (rut_signals_create(model_of(s), &plot->signals, NULL) != RUT_OK) {
    view_hub_error(s->hub, client, "no memory for curves");
    s->subscribers &= ~(UINT32_C(1) << client);
    return;
  }
  for (int i = 0; i < curves->signals; i++) {
    // set points of a controller that stands in are not those of the world
    plot->index[i] =
        rut_signals_find(plot->signals, rut_signals_at(s->signals, curves->signal[i]).name);
  }
}

// Take a changed world over.
static void adopt(viewSimulation* s) {
  viewBuild build;
  if (!view_workshop_take(s->workshop, &build)) return;
  rutError err = {0};
  const rutStatus status =
      rut_state_adopt(build.box->model, build.data, model_of(s), s->now.data, &err);
  if (status != RUT_OK) {
    view_hub_error(s->hub, -1, "the changed world is not used: %s", err.message);
    view_build_free(&build);
    return;
  }
  viewBuild old = s->now;
  s->now = build;
  for (int i = 0; i < s->hub->shape.vehicles; i++) {
    if (old.substituted[i] && !build.substituted[i] && s->car[i].commanded) restore_command(s, i);
  }
  rewind_inputs(s);
  view_build_free(&old);
  for (int i = 0; i < VIEW_CLIENTS; i++) {
    if (s->subscribers >> i & 1) find_signals(s, i);
  }
  s->show = true;
}

// ---- orders ----

static void resume(viewSimulation* s, const viewOrder* order) {
  if (s->diverged) {
    view_hub_error(s->hub, order->client, "the simulation has diverged: reset it, or restore");
    return;
  }
  s->paused = false;
  s->steps_left = 0;
  view_pace_start(&s->pace, s->pace.rate, cli_clock(), rut_time(s->now.data));
}

// The part of a step that is due already stays due.
static void change_rate(viewSimulation* s, double rate) {
  const double wall = cli_clock(), dt = rut_model_timestep(model_of(s));
  double time = rut_time(s->now.data);
  if (rate == s->pace.rate) return;
  if (!s->paused && s->pace.rate > 0) time = view_pace_due(&s->pace, wall, time, dt);
  view_pace_start(&s->pace, rate, wall, time);
}

static void subscribe(viewSimulation* s, const viewOrder* order) {
  const uint32_t bit = UINT32_C(1) << order->client;
  view_curves_subscribe(&s->hub->curves[order->client], order->subscription, order->numbers,
                        order->signal);
  s->subscribers &= ~bit;
  if (order->numbers > 0) s->subscribers |= bit;
  find_signals(s, order->client);
}

// A page has gone: no more rows for it, and what it drove is handed back.
static void forget_page(viewSimulation* s, const viewOrder* order) {
  viewOrder silence = *order;
  silence.numbers = 0;
  subscribe(s, &silence);
  for (int i = 0; i < s->hub->shape.vehicles; i++) {
    const viewOrder back = {.client = order->client, .vehicle = i};
    if (s->car[i].driven && s->car[i].client == order->client) release(s, &back);
  }
}

static void pause_now(viewSimulation* s) {
  s->paused = true;
  s->steps_left = 0;
  s->show = true;
}

static bool needs_vehicle(viewVerb verb) {
  return verb == VIEW_DRIVE || verb == VIEW_RELEASE || verb == VIEW_COMMAND;
}

static void obey(viewSimulation* s, const viewOrder* order) {
  if (needs_vehicle(order->verb) && order->vehicle >= s->hub->shape.vehicles) {
    view_hub_error(s->hub, order->client, "there is no vehicle %d", order->vehicle);
    return;
  }
  switch (order->verb) {
    case VIEW_HELLO:
      s->show = true;
      return;
    case VIEW_DRIVE:
      drive(s, order);
      return;
    case VIEW_RELEASE:
      release(s, order);
      return;
    case VIEW_COMMAND:
      command(s, order);
      return;
    case VIEW_SUBSCRIBE:
      subscribe(s, order);
      return;
    case VIEW_SAVE:
      save(s, order);
      return;
    case VIEW_RESTORE:
      restore(s, order);
      break;
    case VIEW_PAUSE:
      pause_now(s);
      break;
    case VIEW_RESUME:
      resume(s, order);
      break;
    case VIEW_RESET:
      reset(s);
      break;
    case VIEW_STEP:
      if (s->diverged) break;
      pause_now(s);
      s->steps_left = order->steps;
      break;
    case VIEW_RATE:
      change_rate(s, order->value);
      break;
    case VIEW_GONE:
      forget_page(s, order);
      return;
    case VIEW_SET:
    case VIEW_SEEK:
    case VIEW_LOOP:
      return;
  }
  tell_status(s);
}

// ---- stepping ----

static void write_curves(viewSimulation* s) {
  const double time = rut_time(s->now.data);
  double value[VIEW_SIGNALS];
  for (int i = 0; i < VIEW_CLIENTS; i++) {
    if (!(s->subscribers >> i & 1)) continue;
    viewCurves* curves = &s->hub->curves[i];
    viewCurveRow* row = view_curves_next(curves, time, s->jumps);
    if (!row) continue;
    rut_signals_read(s->plot[i].signals, model_of(s), s->now.data, curves->signals,
                     s->plot[i].index, value);
    for (int k = 0; k < curves->signals; k++) row->value[k] = (float)value[k];
    view_curves_push(curves);
  }
}

static void mark_ground(viewSimulation* s) {
  const double time = rut_time(s->now.data);
  if (time < s->mark) return;
  s->mark = time + MARK_EVERY;
  view_tracks_mark(&s->tracks, model_of(s), s->now.data, &s->hub->tiles);
  s->tiles = s->hub->tiles.waiting;
}

static void diverge(viewSimulation* s, const rutError* err) {
  s->diverged = true;
  pause_now(s);
  view_hub_error(s->hub, -1,
                 "the simulation diverged after %.6g s: %.300s; a smaller timestep "
                 "may help",
                 rut_time(s->now.data), err->message);
  tell_status(s);
}

// One step. False if the run cannot go on.
static bool step(viewSimulation* s) {
  rutError err = {0};
  // rows that do not fit a controller that stands in are of no use to it
  if (s->inputs) rut_inputs_apply(s->inputs, model_of(s), s->now.data);
  if (s->driven > 0) drive_all(s);
  if (rut_step(model_of(s), s->now.data, &err) != RUT_OK) {
    diverge(s, &err);
    return false;
  }
  if (s->subscribers) write_curves(s);
  if (s->log) record(s);
  if (s->hub->tiles.cell > 0) mark_ground(s);
  return true;
}

// Steps that are due, or a portion of them. Returns when it wants to go on.
static double advance(viewSimulation* s, double wall) {
  const double dt = rut_model_timestep(model_of(s));
  const bool free_running = s->steps_left > 0 || s->pace.rate == 0;
  double due = HUGE_VAL;
  if (!free_running) due = view_pace_due(&s->pace, wall, rut_time(s->now.data), dt);
  const double start = wall;
  for (int n = 0;;) {
    if (!free_running && rut_time(s->now.data) + dt > due + 1e-9) break;
    if (!step(s)) return wall;
    if (s->steps_left > 0 && --s->steps_left == 0) {
      s->show = true;
      return wall;
    }
    if (++n < s->batch) continue;
    const double now = cli_clock();
    if (now - wall < 0.0005 && s->batch < MAX_BATCH) s->batch *= 2;
    if (now - wall > 0.002 && s->batch > 1) s->batch /= 2;
    n = 0;
    wall = now;
    if (wall - start > PORTION) return wall;
  }
  const double next = view_pace_wall(&s->pace, rut_time(s->now.data) + dt);
  return fmax(next, wall + NAP);
}

// A frame, if one is due and somebody looks. Returns when the next may be due.
static double show(viewSimulation* s, double wall) {
  const bool moving = !s->paused || s->steps_left > 0;
  if (atomic_load(&s->hub->clients) == 0) return wall + 1;
  if (wall < s->frame) return moving || s->show || s->tiles > 0 ? s->frame : wall + 1;
  if (!moving && !s->show && s->tiles == 0) return wall + 1;
  // the last steps of a run that stands may lie behind the last look at its wheels
  if (!moving && rut_steps(s->now.data) > 0) {
    view_tracks_mark(&s->tracks, model_of(s), s->now.data, &s->hub->tiles);
  }
  if (s->hub->tiles.waiting > 0) {
    s->tiles = view_tiles_measure(&s->hub->tiles, model_of(s), s->now.data, HUGE_VAL,
                                  moving ? TILES_PER_FRAME : TILES_AT_REST);
  }
  s->frame = fmax(s->frame + 1.0 / VIEW_FRAME_RATE, wall + 0.5 / VIEW_FRAME_RATE);
  s->show = false;
  make_frame(s, wall);
  return s->frame;
}

static void* run(void* user) {
  viewSimulation* s = user;
  s->frame = s->beat = cli_clock();
  view_pace_start(&s->pace, s->pace.rate, s->beat, rut_time(s->now.data));
  while (!view_hub_ending(s->hub)) {
    double wall = cli_clock(), until = wall + HEARTBEAT;
    adopt(s);
    if (s->driven > 0) let_go(s, wall);
    if (!s->paused || s->steps_left > 0) until = fmin(until, advance(s, wall));
    wall = cli_clock();
    until = fmin(until, show(s, wall));
    if (wall - s->beat > HEARTBEAT) {
      s->beat = wall;
      view_hub_beat(s->hub);
    }
    viewOrder order;
    for (int n = 0; n < ORDERS_AT_ONCE && view_hub_take(s->hub, until, &order); n++) {
      obey(s, &order);
      until = 0;
    }
  }
  return NULL;
}

// ---- life ----

viewSimulation* view_simulation_start(const viewSimulationDef* def) {
  viewSimulation* s = calloc(1, sizeof *s);
  if (!s) return NULL;
  *s = (viewSimulation){.hub = def->hub,
                        .workshop = def->workshop,
                        .slots = def->slots,
                        .signals = def->signals,
                        .seed = def->seed,
                        .paused = def->paused,
                        .inputs = def->inputs,
                        .log = def->log,
                        .recorder = def->recorder,
                        .show = true,
                        .batch = 1,
                        .pace = {.rate = 1}};
  s->car = calloc((size_t)def->hub->shape.vehicles + 1, sizeof *s->car);
  const bool ready = s->car && view_workshop_take(s->workshop, &s->now);
  if (!ready || !view_tracks_create(model_of(s), s->now.data, &s->tracks)) {
    if (ready) view_build_free(&s->now);
    free(s->car);
    free(s);
    return NULL;
  }
  tell_status(s);
  if (pthread_create(&s->thread, NULL, run, s) != 0) {
    view_build_free(&s->now);
    view_tracks_free(&s->tracks);
    free(s->car);
    free(s);
    return NULL;
  }
  return s;
}

rutStatus view_simulation_stop(viewSimulation* s, rutError* err) {
  if (!s) return RUT_OK;
  pthread_join(s->thread, NULL);
  rutStatus status = view_recorder_close(s->recorder, model_of(s), s->now.data, err);
  const rutStatus closed = rut_log_close(s->log, status == RUT_OK ? err : NULL);
  if (status == RUT_OK) status = closed;
  for (int i = 0; i < VIEW_CLIENTS; i++) rut_signals_destroy(s->plot[i].signals);
  view_build_free(&s->now);
  view_tracks_free(&s->tracks);
  free(s->car);
  free(s);
  return status;
}
