// SPDX-License-Identifier: BSD-3-Clause
//
// Vehicles that pages drive.
#include <string.h>

#include "clock.h"
#include "view/simulation_parts.h"

// A page that is silent for so long has let go [s].
static const double SILENCE = 0.5;

// Have the controllers compiled that a page drives.
static void ask_for_controllers(viewSimulation* s, int vehicle) {
  viewCar* car = &s->car[vehicle];
  if (!s->now.driver[vehicle].changes || car->asked) return;
  car->asked = view_workshop_substitute(s->workshop, car->client, vehicle, true);
}

// What has come to a vehicle of what its driver wants, NULL: nothing yet.
static const viewAsked* by_radio(viewSimulation* s, int vehicle) {
  viewCar* car = &s->car[vehicle];
  if (!car->radio.letter) return &car->wanted;
  const int64_t now = rut_steps(s->now.data);
  // random numbers of its own: pictures have those of the vehicle's number
  const int64_t arrives =
      rut_packet_arrival(view_simulation_model(s), s->now.data, s->hub->shape.vehicles + vehicle,
                         &s->now.driver[vehicle].radio, now);
  if (arrives >= 0) view_radio_send(&car->radio, now, arrives, &car->wanted);
  const viewAsked* asked = view_radio_receive(&car->radio, now);
  if (asked) ask_for_controllers(s, vehicle);
  return asked;
}

static void apply_pedals(viewSimulation* s, int vehicle) {
  const viewDriver* driver = &s->now.driver[vehicle];
  const viewAsked* asked = by_radio(s, vehicle);
  // until the controllers that a page drives have come, the world's own go on
  if (!asked || (driver->changes && !s->now.substituted[vehicle])) return;
  double command[VIEW_COMMANDS];
  const double speed =
      rut_vehicle_state(view_simulation_model(s), s->now.data, vehicle).velocity[0];
  if (asked->twisted) {
    view_driver_follow(driver, &asked->twist, speed, command);
  } else {
    view_driver_command(driver, &asked->pedals, speed, command);
  }
  view_driver_give(driver, view_simulation_model(s), s->now.data, vehicle, driver->commands,
                   command);
}

void view_driving_all(viewSimulation* s) {
  for (int i = 0, left = s->driven; left > 0; i++) {
    if (!s->car[i].driven) continue;
    apply_pedals(s, i);
    left--;
  }
}

void view_driving_let_go(viewSimulation* s, double wall) {
  for (int i = 0, left = s->driven; left > 0; i++) {
    if (!s->car[i].driven) continue;
    if (wall - s->car[i].heard > SILENCE) {
      s->car[i].wanted.pedals = (viewPedals){0};
      s->car[i].wanted.twist = (viewTwist){0};
    }
    left--;
  }
}

// A vehicle that is driven from afar gets what its driver wants by radio.
static void begin_radio(viewSimulation* s, int vehicle) {
  const viewDriver* driver = &s->now.driver[vehicle];
  if (!driver->by_radio) return;
  const double dt = rut_model_timestep(view_simulation_model(s));
  if (view_radio_begin(&driver->radio, dt, &s->car[vehicle].radio)) return;
  view_hub_error(s->hub, -1, "no memory for commands that are late: they come at once");
}

void view_driving_take(viewSimulation* s, const viewOrder* order) {
  viewCar* car = &s->car[order->vehicle];
  const viewDriver* driver = &s->now.driver[order->vehicle];
  if (!driver->drivable) {
    view_hub_error(s->hub, order->client, "vehicle %d cannot be driven", order->vehicle);
    return;
  }
  if (car->restore) {
    // it is still there
    car->restore = false;
    s->restoring--;
  }
  car->wanted = (viewAsked){order->pedals, order->twisted, order->twist};
  car->client = order->client;
  car->heard = cli_clock();
  // one that stands in has no set points until the first command is there
  if (!driver->by_radio || !driver->substitute) ask_for_controllers(s, order->vehicle);
  if (car->driven) return;
  car->driven = true;
  begin_radio(s, order->vehicle);
  s->driven++;
  view_video_take(s, order->vehicle);
  view_simulation_tell(s);
}

void view_driving_restore(viewSimulation* s, int vehicle) {
  const viewCar* car = &s->car[vehicle];
  const viewDriver* driver = &s->now.driver[vehicle];
  if (car->commanded) {
    rut_command(view_simulation_model(s), s->now.data, vehicle, car->commands, car->command);
  } else if (!driver->substitute) {
    view_driver_give(driver, view_simulation_model(s), s->now.data, vehicle, driver->world_commands,
                     driver->world_command);
  }
}

void view_driving_give_back(viewSimulation* s) {
  for (int i = 0; i < s->hub->shape.vehicles; i++) {
    viewCar* car = &s->car[i];
    if (!car->restore || !view_workshop_substitute(s->workshop, car->client, i, false)) continue;
    car->restore = car->asked = false;
    s->restoring--;
  }
}

void view_driving_release(viewSimulation* s, const viewOrder* order) {
  viewCar* car = &s->car[order->vehicle];
  if (!car->driven) return;
  car->driven = false;
  s->driven--;
  car->wanted = (viewAsked){.twisted = false};
  view_radio_end(&car->radio);
  view_video_release(s, order->vehicle);
  const viewDriver* driver = &s->now.driver[order->vehicle];
  if (!driver->substitute) {
    view_driving_restore(s, order->vehicle);
    view_simulation_rewind(s);
  } else if (s->now.substituted[order->vehicle]) {
    apply_pedals(s, order->vehicle);
  }
  if (driver->changes && car->asked) {
    car->restore = true;
    s->restoring++;
    view_driving_give_back(s);
  }
  view_simulation_tell(s);
}

void view_driving_jump(viewSimulation* s) {
  for (int i = 0; i < s->hub->shape.vehicles; i++) view_radio_restart(&s->car[i].radio);
}

void view_driving_free(viewSimulation* s) {
  for (int i = 0; i < s->hub->shape.vehicles; i++) view_radio_end(&s->car[i].radio);
}

void view_driving_command(viewSimulation* s, const viewOrder* order) {
  viewCar* car = &s->car[order->vehicle];
  if (car->driven || s->now.substituted[order->vehicle]) {
    view_hub_error(s->hub, order->client, "vehicle %d is driven by a page: release it first",
                   order->vehicle);
    return;
  }
  const rutStatus status = rut_command(view_simulation_model(s), s->now.data, order->vehicle,
                                       order->numbers, order->number);
  if (status != RUT_OK) {
    const rutVehicleInfo info = rut_vehicle_info(view_simulation_model(s), order->vehicle);
    view_hub_error(s->hub, order->client, "%s takes at most %d set points: %s", info.name,
                   info.commands, info.command_names);
    return;
  }
  car->commanded = true;
  // those that were not given stay what they were
  if (car->commands < order->numbers) car->commands = order->numbers;
  memcpy(car->command, order->number, (size_t)order->numbers * sizeof *order->number);
}
