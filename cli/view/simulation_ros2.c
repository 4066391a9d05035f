// SPDX-License-Identifier: BSD-3-Clause
//
// Nodes of ROS 2 in the viewer: what they ask is what a page may order.
#include "view/simulation_parts.h"

static void give(void* user, viewVerb verb, int64_t steps, double value) {
  const viewRos2* link = user;
  const viewOrder order = {.verb = verb, .client = -1, .steps = steps, .value = value};
  view_simulation_obey(link->simulation, &order);
}

static rutRos2State tell_state(void* user) {
  const viewSimulation* s = ((const viewRos2*)user)->simulation;
  return (rutRos2State){s->paused, s->paused ? s->steps_left : 0};
}

static void ask_pause(void* user, bool paused) {
  give(user, paused ? VIEW_PAUSE : VIEW_RESUME, 0, 0);
}

static void ask_steps(void* user, int64_t steps) {
  static const int64_t MOST = 1000000000;
  give(user, VIEW_STEP, steps < MOST ? steps : MOST, 0);
}

static void ask_speed(void* user, double realtime) { give(user, VIEW_RATE, 0, realtime); }

// The state is still read where this is called from.
static void ask_reset(void* user) { ((viewRos2*)user)->reset = true; }

rutRos2Control view_ros2_control(viewRos2* link) {
  return (rutRos2Control){link, tell_state, ask_pause, ask_steps, ask_reset, ask_speed, NULL};
}

// A node that cannot go on is left alone, and the run goes on.
static void end_at_failure(viewSimulation* s, rutStatus status, const rutError* err) {
  if (status == RUT_OK) return;
  view_hub_error(s->hub, -1, "ROS 2 was given up: %.300s", err->message);
  rut_ros2_close(s->ros2->ros2);
  s->ros2->ros2 = NULL;
}

static bool reset(viewSimulation* s) {
  if (!s->ros2->reset) return false;
  s->ros2->reset = false;
  give(s->ros2, VIEW_RESET, 0, 0);
  return true;
}

bool view_ros2_step(viewSimulation* s) {
  rutError err = {0};
  end_at_failure(s, rut_ros2_step(s->ros2->ros2, view_simulation_model(s), s->now.data, &err),
                 &err);
  return !reset(s);
}

void view_ros2_idle(viewSimulation* s) {
  rutError err = {0};
  end_at_failure(s, rut_ros2_idle(s->ros2->ros2, view_simulation_model(s), s->now.data, 0, &err),
                 &err);
  reset(s);
}
