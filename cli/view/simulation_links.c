// SPDX-License-Identifier: BSD-3-Clause
//
// Programs that drive in the viewer. What nodes of ROS 2 ask is what a page may order.
#include "view/simulation_parts.h"

static void give(void* user, viewVerb verb, int64_t steps, double value) {
  const viewLinks* link = user;
  const viewOrder order = {.verb = verb, .client = -1, .steps = steps, .value = value};
  view_simulation_obey(link->simulation, &order);
}

static rutRos2State tell_state(void* user) {
  const viewSimulation* s = ((const viewLinks*)user)->simulation;
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
static void ask_reset(void* user) { ((viewLinks*)user)->reset = true; }

rutRos2Control view_links_control(viewLinks* link) {
  return (rutRos2Control){link, tell_state, ask_pause, ask_steps, ask_reset, ask_speed, NULL};
}

// Nodes of ROS 2 that cannot go on are left alone. Without another program the vehicle would go on
// as it was told last, so that the run stands.
static void end_at_failure(viewSimulation* s, const rutError* err) {
  cliLinks* links = &s->links->links;
  if (links->failed == CLI_ROS2) {
    view_hub_error(s->hub, -1, "ROS 2 was given up: %.300s", err->message);
    rut_ros2_close(links->ros2);
    links->ros2 = NULL;
    return;
  }
  view_hub_error(s->hub, -1, "the run stands, since %s does not go on: %.300s",
                 cli_links_failed(links), err->message);
  // what is said to it from now on would be an answer to nothing
  if (links->failed == CLI_PEER) cli_links_leave(links, "error", NULL);
  view_simulation_pause(s);
  view_simulation_tell(s);
}

static bool reset(viewSimulation* s) {
  if (!s->links->reset) return false;
  s->links->reset = false;
  give(s->links, VIEW_RESET, 0, 0);
  return true;
}

bool view_links_step(viewSimulation* s) {
  rutError err = {0};
  cliLinks* links = &s->links->links;
  const rutStatus status = cli_links_step(links, view_simulation_model(s), s->now.data, &err);
  if (status != RUT_OK) end_at_failure(s, &err);
  return !reset(s) && status == RUT_OK && !cli_links_put_off(links);
}

void view_links_idle(viewSimulation* s) {
  rutError err = {0};
  cliLinks* links = &s->links->links;
  if (cli_links_idle(links, view_simulation_model(s), s->now.data, 0, &err) != RUT_OK) {
    end_at_failure(s, &err);
  }
  reset(s);
}
