// SPDX-License-Identifier: BSD-3-Clause
#include "view/simulation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "view/simulation_parts.h"

// Steps are made in portions of so much wall clock, between which orders are looked at [s].
static const double PORTION = 0.008;
// Shorter sleeps are not worth their waking [s].
static const double NAP = 0.004;
// Nodes of ROS 2 are listened to so often while the run stands [s].
static const double LISTEN = 0.02;
// Ground under vehicles is marked as changed so often, in simulated time [s].
static const double MARK_EVERY = 0.02;
enum { TILES_PER_FRAME = 8, TILES_AT_REST = 64, MAX_BATCH = 4096, ORDERS_AT_ONCE = 64 };

// ---- recording ----

// Log the present state. A log that fails is given up, and the run goes on; why it failed is told
// again when the run ends.
static void record(viewSimulation* s) {
  const rutModel* model = view_simulation_model(s);
  rutError err = {0};
  rutStatus status = rut_log_step(s->log, model, s->now.data, &err);
  if (status == RUT_OK) status = view_recorder_step(s->recorder, model, s->now.data, &err);
  if (status == RUT_OK) return;
  view_hub_error(s->hub, -1, "the log was given up: %.300s", err.message);
  s->failure = err;
  s->failure.status = status;
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

void view_simulation_tell(viewSimulation* s) {
  view_hub_lock(s->hub);
  viewStatus* status = &s->hub->status;
  status->paused = s->paused;
  status->rate = s->pace.rate;
  // looked at with the lock held, as the server does, so that the newest look comes last
  status->slots = view_slots_filled(s->slots);
  for (int i = 0; i < s->hub->shape.vehicles; i++) status->driven[i] = s->car[i].driven;
  status->run = s->now.run;
  status->outcome = s->outcome;
  view_hub_changed(s->hub);
  view_hub_unlock(s->hub);
}

static void make_frame(viewSimulation* s, double wall) {
  viewSnapshot* snapshot = view_hub_back(s->hub);
  // samples of another run may bear the same time
  if (snapshot->jumps != s->jumps) {
    for (int i = 0; i < s->hub->shape.sensors; i++) snapshot->stamp[i] = (double)NAN;
  }
  if (s->video.vehicle >= 0) {
    view_snapshot_copy(&s->hub->shape, &s->video.now.snapshot, snapshot);
  } else {
    view_snapshot_take(&s->hub->shape, view_simulation_model(s), s->now.data, snapshot);
    snapshot->late = false;
  }
  const bool moving = !s->paused || s->steps_left > 0;
  const double factor = moving ? view_pace_factor(&s->pace, wall, rut_time(s->now.data)) : 0;
  snapshot->factor = (float)factor;
  snapshot->bits = (s->paused ? VIEW_PAUSED : 0) | (s->diverged ? VIEW_DIVERGED : 0);
  snapshot->jumps = s->jumps;
  view_hub_publish(s->hub);
}

// ---- warnings ----

static bool is_told(const viewStatus* status, const rutGroundExit* exit) {
  for (int i = 0; i < status->warnings; i++) {
    const viewWarning* warning = &status->warning[i];
    if (warning->vehicle == exit->vehicle && warning->step == (exit->step != 0)) return true;
  }
  return false;
}

static void warn(const rutGroundExit* exit, void* user) {
  viewSimulation* s = user;
  view_hub_lock(s->hub);
  viewStatus* status = &s->hub->status;
  if (status->warnings < VIEW_WARNINGS && !is_told(status, exit)) {
    viewWarning* warning = &status->warning[status->warnings++];
    *warning = (viewWarning){.vehicle = exit->vehicle, .step = exit->step != 0, .time = exit->time};
    rut_ground_exit_text(view_simulation_model(s), exit, warning->text, sizeof warning->text);
    view_hub_changed(s->hub);
  }
  view_hub_unlock(s->hub);
}

static void watch_ground(viewSimulation* s) {
  if (s->ground) rut_ground_watch_update(s->ground, view_simulation_model(s), s->now.data, warn, s);
}

// After a jump of time: warnings of what has not happened yet are gone, and vehicles that are off
// the ground now are told.
static void rewind_warnings(viewSimulation* s) {
  const double time = rut_time(s->now.data);
  rut_ground_watch_destroy(s->ground);
  s->ground = rut_ground_watch_create();
  view_hub_lock(s->hub);
  viewStatus* status = &s->hub->status;
  int kept = 0;
  for (int i = 0; i < status->warnings; i++) {
    if (status->warning[i].time <= time) status->warning[kept++] = status->warning[i];
  }
  status->warnings = kept;
  view_hub_changed(s->hub);
  view_hub_unlock(s->hub);
  watch_ground(s);
}

// ---- running ----

// Set points of the table that are due. Those of vehicles whose controller is stood in for mean
// nothing to it.
static void apply_inputs(viewSimulation* s) {
  if (!s->inputs) return;
  rut_inputs_apply_except(s->inputs, view_simulation_model(s), s->now.data, s->now.substituted);
}

void view_simulation_rewind(viewSimulation* s) {
  if (!s->inputs) return;
  rut_inputs_rewind(s->inputs);
  apply_inputs(s);
}

void view_simulation_jump(viewSimulation* s) {
  const double time = rut_time(s->now.data);
  s->jumps++;
  s->diverged = false;
  s->outcome = NULL;
  s->show = true;
  s->mark = time;
  view_pace_start(&s->pace, s->pace.rate, cli_clock(), time);
  for (int i = 0; i < VIEW_CLIENTS; i++) view_curves_restart(&s->hub->curves[i]);
  view_history_restart(&s->history);
  view_video_jump(s);
  view_driving_jump(s);
  view_watch_restart(s);
  view_topics_jump(&s->hub->topics, s->jumps);
  if (s->live) s->retell = true;
  rewind_warnings(s);
  view_tiles_mark_all(&s->hub->tiles, view_simulation_model(s), s->now.data);
  view_simulation_rewind(s);
  if (s->loggers) {
    rut_loggers_jump(s->loggers);
    view_logs_step(s);
  }
  if (!s->log) return;
  rut_log_jump(s->log);
  view_recorder_jump(s->recorder);
  record(s);
}

void view_simulation_pause(viewSimulation* s) {
  s->paused = true;
  s->steps_left = 0;
  s->show = true;
}

// ---- stepping ----

// What is known of the run of a study that begins.
static void take_run(viewSimulation* s, viewBuild* build) {
  rut_inputs_destroy(s->run.inputs);
  s->run = build->start;
  build->start = VIEW_NO_RUN;
  s->seed = s->run.seed;
  s->inputs = s->run.inputs;
}

// A run of a study begins: time does so, too, and goes on.
static void begin_run(viewSimulation* s, viewBuild* build) {
  take_run(s, build);
  view_build_free(&s->now);
  s->now = *build;
  s->now.begins = false;
  for (int i = 0; i < s->hub->shape.vehicles; i++) {
    s->car[i].commanded = false;
    s->car[i].commands = 0;
  }
  rut_data_reset(view_simulation_model(s), s->now.data, s->seed);
  s->paused = false;
  s->steps_left = 0;
  view_simulation_jump(s);
  view_simulation_tell(s);
}

// Take a changed world over.
static void adopt(viewSimulation* s) {
  viewBuild build;
  if (!view_workshop_take(s->workshop, &build)) return;
  if (build.begins) {
    begin_run(s, &build);
    return;
  }
  rutError err = {0};
  const rutStatus status =
      rut_state_adopt(build.box->model, build.data, view_simulation_model(s), s->now.data, &err);
  if (status != RUT_OK) {
    view_hub_error(s->hub, -1, "the changed world is not used: %s", err.message);
    view_build_free(&build);
    return;
  }
  viewBuild old = s->now;
  s->now = build;
  for (int i = 0; i < s->hub->shape.vehicles; i++) {
    const bool handed_back = old.substituted[i] && !build.substituted[i];
    if (handed_back && s->car[i].commanded) view_driving_restore(s, i);
  }
  view_simulation_rewind(s);
  if (old.run != build.run) view_simulation_tell(s);
  view_build_free(&old);
  s->show = true;
}

static void write_curves(viewSimulation* s) {
  const double time = rut_time(s->now.data);
  double value[VIEW_SIGNALS];
  for (int i = 0; i < VIEW_CLIENTS; i++) {
    if (!(s->subscribers >> i & 1)) continue;
    viewCurves* curves = &s->hub->curves[i];
    viewCurveRow* row = view_curves_next(curves, time, s->jumps);
    if (!row) continue;
    rut_signals_read(s->plot[i], view_simulation_model(s), s->now.data, curves->signals,
                     curves->signal, value);
    for (int k = 0; k < curves->signals; k++) row->value[k] = (float)value[k];
    view_curves_push(curves);
  }
}

static void mark_ground(viewSimulation* s) {
  const double time = rut_time(s->now.data);
  if (time < s->mark) return;
  s->mark = time + MARK_EVERY;
  view_tracks_mark(&s->tracks, view_simulation_model(s), s->now.data, &s->hub->tiles);
}

// The run of a study is over: does it end as it did there?
static void end_run(viewSimulation* s) {
  const uint64_t hash = rut_state_hash(view_simulation_model(s), s->now.data);
  s->outcome = hash == s->run.state_hash ? "same" : "other";
  view_simulation_pause(s);
  view_simulation_tell(s);
}

static void diverge(viewSimulation* s, const rutError* err) {
  s->diverged = true;
  view_simulation_pause(s);
  view_hub_error(s->hub, -1,
                 "the simulation diverged after %.6g s: %.300s; a smaller timestep "
                 "may help",
                 rut_time(s->now.data), err->message);
  view_simulation_tell(s);
}

// One step. False if the run cannot go on.
static bool step(viewSimulation* s) {
  rutError err = {0};
  apply_inputs(s);
  if (!view_links_step(s)) return false;
  if (s->driven > 0) view_driving_all(s);
  if (rut_step(view_simulation_model(s), s->now.data, &err) != RUT_OK) {
    diverge(s, &err);
    return false;
  }
  if (s->subscribers) write_curves(s);
  view_history_step(&s->history, view_simulation_model(s), s->now.data);
  watch_ground(s);
  if (s->watching > 0) view_watch_step(s);
  if (s->video.vehicle >= 0) view_video_step(s);
  if (s->live) view_topics_step(s);
  if (s->log) record(s);
  if (s->loggers) view_logs_step(s);
  if (s->hub->tiles.cell > 0) mark_ground(s);
  if (s->now.run >= 0 && rut_steps(s->now.data) == s->run.steps) {
    end_run(s);
    return false;
  }
  return true;
}

// Steps that are due, or a portion of them. Returns when it wants to go on.
static double advance(viewSimulation* s, double wall) {
  const double dt = rut_model_timestep(view_simulation_model(s));
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

// Rows of curves that did not fit into the last frame want another.
static bool rows_wait(viewSimulation* s) {
  bool any = false;
  // those of times that have not been seen yet come with their picture
  for (int i = 0; s->subscribers && s->video.vehicle < 0 && i < VIEW_CLIENTS; i++) {
    any |= (s->subscribers >> i & 1) && view_curves_peek(&s->hub->curves[i]);
  }
  return any;
}

// A frame, if one is due and somebody looks. Returns when the next may be due.
static double show(viewSimulation* s, double wall) {
  const bool moving = !s->paused || s->steps_left > 0;
  const bool wanted = moving || s->show || s->hub->tiles.waiting > 0 || rows_wait(s);
  if (atomic_load(&s->hub->clients) == 0 || !wanted) return wall + 1;
  if (wall < s->frame) return s->frame;
  // the last steps of a run that stands may lie behind the last look at its wheels
  if (!moving && rut_steps(s->now.data) > 0) {
    view_tracks_mark(&s->tracks, view_simulation_model(s), s->now.data, &s->hub->tiles);
  }
  if (s->hub->tiles.waiting > 0) {
    view_tiles_measure(&s->hub->tiles, view_simulation_model(s), s->now.data, HUGE_VAL,
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
  view_hub_beat(s->hub);
  view_pace_start(&s->pace, s->pace.rate, s->beat, rut_time(s->now.data));
  while (!view_hub_ending(s->hub)) {
    double wall = cli_clock(), until = wall + VIEW_HEARTBEAT;
    adopt(s);
    if (s->driven > 0) view_driving_let_go(s, wall);
    if (s->restoring > 0) view_driving_give_back(s);
    if (!s->paused || s->steps_left > 0) {
      until = fmin(until, advance(s, wall));
    } else if (s->links->links.ros2) {
      view_links_idle(s);
      until = fmin(until, wall + LISTEN);
    }
    if (s->retell) view_topics_step(s);
    wall = cli_clock();
    until = fmin(until, show(s, wall));
    if (s->retell) until = fmin(until, s->topics_due);
    if (wall - s->beat > VIEW_HEARTBEAT) {
      s->beat = wall;
      view_logs_tell(s);
      view_hub_beat(s->hub);
    }
    viewOrder order;
    for (int n = 0; n < ORDERS_AT_ONCE && view_hub_take(s->hub, until, &order); n++) {
      view_simulation_obey(s, &order);
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
                        .seed = def->seed,
                        .paused = def->paused,
                        .inputs = def->inputs,
                        .log = def->log,
                        .recorder = def->recorder,
                        .loggers = def->loggers,
                        .links = def->links,
                        .run = VIEW_NO_RUN,
                        .video = {.vehicle = -1},
                        .show = true,
                        .batch = 1,
                        .pace = {.rate = 1}};
  s->car = calloc((size_t)def->hub->shape.vehicles + 1, sizeof *s->car);
  const bool ready = s->car && view_workshop_take(s->workshop, &s->now);
  if (!ready || !view_logs_begin(s) ||
      !view_tracks_create(view_simulation_model(s), s->now.data, &s->tracks)) {
    if (ready) view_build_free(&s->now);
    free(s->car);
    free(s);
    return NULL;
  }
  s->links->simulation = s;
  if (s->now.begins) take_run(s, &s->now);
  s->now.begins = false;
  s->first = view_box_share(s->now.box);
  view_history_create(&s->history, s->first->model);
  s->ground = rut_ground_watch_create();
  view_simulation_tell(s);
  if (pthread_create(&s->thread, NULL, run, s) != 0) {
    rut_ground_watch_destroy(s->ground);
    view_history_free(&s->history);
    view_build_free(&s->now);
    rut_inputs_destroy(s->run.inputs);
    view_box_drop(s->first);
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
  rutStatus status = s->failure.status;
  if (status != RUT_OK && err) *err = s->failure;
  // both are gone where there was a failure
  const rutStatus recorded = view_recorder_close(s->recorder, view_simulation_model(s), s->now.data,
                                                 status == RUT_OK ? err : NULL);
  if (status == RUT_OK) status = recorded;
  const rutStatus closed = rut_log_close(s->log, status == RUT_OK ? err : NULL);
  if (status == RUT_OK) status = closed;
  const rutStatus ended = view_logs_end(s, status == RUT_OK ? err : NULL);
  if (status == RUT_OK) status = ended;
  for (int i = 0; i < VIEW_CLIENTS; i++) rut_signals_destroy(s->plot[i]);
  rut_ground_watch_destroy(s->ground);
  view_watch_free(s);
  view_video_end(&s->video);
  view_driving_free(s);
  rut_log_close(s->live, NULL);
  view_history_free(&s->history);
  view_build_free(&s->now);
  rut_inputs_destroy(s->run.inputs);
  view_box_drop(s->first);
  view_tracks_free(&s->tracks);
  free(s->car);
  free(s);
  return status;
}
