// SPDX-License-Identifier: BSD-3-Clause
//
// Orders of pages to the thread that steps.
#include "clock.h"
#include "view/simulation_parts.h"

// ---- states ----

static void save(viewSimulation* s, const viewOrder* order) {
  const rutModel* model = view_simulation_model(s);
  viewBytes* bytes = view_bytes_create(rut_state_size(model, s->now.data, RUT_STATE_ALL));
  if (!bytes || rut_state_get(model, s->now.data, RUT_STATE_ALL, bytes->data, bytes->size)) {
    view_bytes_drop(bytes);
    view_hub_error(s->hub, order->client, "the state cannot be saved: out of memory");
    return;
  }
  view_slots_put(s->slots, order->slot, bytes, view_box_share(s->now.box));
  view_simulation_tell(s);
}

// Go to a state of another model of this world.
static rutStatus restore_older(viewSimulation* s, const viewSlot* slot, rutError* err) {
  rutData* data = rut_data_create(slot->box->model);
  if (!data) return RUT_ERR_MEMORY;
  rutStatus status =
      rut_state_set(slot->box->model, data, RUT_STATE_ALL, slot->bytes->data, slot->bytes->size);
  // at failure the present state stays
  rutData* fresh = status == RUT_OK ? rut_data_create(view_simulation_model(s)) : NULL;
  if (status == RUT_OK && !fresh) status = RUT_ERR_MEMORY;
  if (status == RUT_OK) {
    status = rut_state_adopt(view_simulation_model(s), fresh, slot->box->model, data, err);
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
  const rutStatus status = slot.box->model == view_simulation_model(s)
                               ? rut_state_set(view_simulation_model(s), s->now.data, RUT_STATE_ALL,
                                               slot.bytes->data, slot.bytes->size)
                               : restore_older(s, &slot, &err);
  view_slot_drop(&slot);
  if (status == RUT_OK) {
    view_simulation_jump(s);
  } else {
    view_hub_error(s->hub, order->client, "the state of slot %d does not fit: %s", order->slot,
                   err.message[0] ? err.message : rut_status_text(status));
  }
}

static void reset(viewSimulation* s) {
  rut_data_reset(view_simulation_model(s), s->now.data, s->seed);
  for (int i = 0; i < s->hub->shape.vehicles; i++) {
    // a vehicle that the world drives begins with the world's set points
    s->car[i].commanded = false;
    s->car[i].commands = 0;
  }
  view_simulation_jump(s);
}

// A page's signals are those of the world's first model, in which the numbers of what it subscribes
// count; they follow later models by themselves. False if out of memory.
static bool have_signals(viewSimulation* s, int client) {
  if (s->plot[client]) return true;
  if (rut_signals_create(s->first->model, &s->plot[client], NULL) == RUT_OK) return true;
  view_hub_error(s->hub, client, "no memory for curves");
  return false;
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
  const double wall = cli_clock(), dt = rut_model_timestep(view_simulation_model(s));
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
  if (order->numbers == 0 || !have_signals(s, order->client)) return;
  s->subscribers |= bit;
  view_history_recall(&s->history, &s->hub->curves[order->client], s->jumps);
}

// A page has gone: no more rows for it, and what it drove is handed back.
static void forget_page(viewSimulation* s, const viewOrder* order) {
  viewOrder silence = *order;
  silence.numbers = 0;
  view_watch_change(s, order->client, &(viewWatch){0});
  subscribe(s, &silence);
  for (int i = 0; i < s->hub->shape.vehicles; i++) {
    const viewOrder back = {.client = order->client, .vehicle = i};
    if (s->car[i].driven && s->car[i].client == order->client) view_driving_release(s, &back);
  }
}

static bool needs_vehicle(viewVerb verb) {
  return verb == VIEW_DRIVE || verb == VIEW_RELEASE || verb == VIEW_COMMAND || verb == VIEW_LET_GO;
}

void view_simulation_obey(viewSimulation* s, const viewOrder* order) {
  if (needs_vehicle(order->verb) && order->vehicle >= s->hub->shape.vehicles) {
    view_hub_error(s->hub, order->client, "there is no vehicle %d", order->vehicle);
    return;
  }
  switch (order->verb) {
    case VIEW_HELLO:
      s->show = true;
      return;
    case VIEW_DRIVE:
      view_driving_take(s, order);
      return;
    case VIEW_LET_GO:
      if (s->car[order->vehicle].client != order->client) return;
      view_driving_release(s, order);
      return;
    case VIEW_RELEASE:
      view_driving_release(s, order);
      return;
    case VIEW_COMMAND:
      view_driving_command(s, order);
      return;
    case VIEW_SUBSCRIBE:
      subscribe(s, order);
      return;
    case VIEW_WATCH:
      view_watch_change(s, order->client, &order->watch);
      return;
    case VIEW_SAVE:
      save(s, order);
      return;
    case VIEW_RESTORE:
      restore(s, order);
      break;
    case VIEW_PAUSE:
      view_simulation_pause(s);
      break;
    case VIEW_RESUME:
      resume(s, order);
      break;
    case VIEW_RESET:
      reset(s);
      break;
    case VIEW_STEP:
      if (s->diverged) break;
      view_simulation_pause(s);
      s->steps_left = order->steps;
      break;
    case VIEW_RATE:
      change_rate(s, order->value);
      break;
    case VIEW_LOG:
      view_logs_obey(s, order);
      break;
    case VIEW_GONE:
      forget_page(s, order);
      return;
    case VIEW_TOPICS:
      view_topics_change(s);
      return;
    case VIEW_SET:
    case VIEW_RUN:
    case VIEW_SEEK:
    case VIEW_LOOP:
      return;
  }
  view_simulation_tell(s);
}
