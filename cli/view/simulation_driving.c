// SPDX-License-Identifier: BSD-3-Clause
//
// Vehicles that pages drive.
#include <string.h>

#include "clock.h"
#include "view/simulation_parts.h"

// A page that is silent for so long has let go [s].
static const double SILENCE = 0.5;

static void apply_pedals(viewSimulation* s, int vehicle) {
  const viewCar* car = &s->car[vehicle];
  const viewDriver* driver = &s->now.driver[vehicle];
  // until the controller that stands in has come, the world's own goes on
  if (driver->substitute && !s->now.substituted[vehicle]) return;
  double command[VIEW_COMMANDS];
  const double speed =
      rut_vehicle_state(view_simulation_model(s), s->now.data, vehicle).velocity[0];
  if (car->twisted) {
    view_driver_follow(driver, &car->twist, speed, command);
  } else {
    view_driver_command(driver, &car->pedals, speed, command);
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
      s->car[i].pedals = (viewPedals){0};
      s->car[i].twist = (viewTwist){0};
    }
    left--;
  }
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
  if (driver->substitute && !car->asked) {
    car->asked = view_workshop_substitute(s->workshop, order->client, order->vehicle, true);
  }
  car->pedals = order->pedals;
  car->twisted = order->twisted;
  car->twist = order->twist;
  car->client = order->client;
  car->heard = cli_clock();
  if (car->driven) return;
  car->driven = true;
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
  car->pedals = (viewPedals){0};
  view_video_release(s, order->vehicle);
  car->twisted = false;
  if (s->now.driver[order->vehicle].substitute) {
    if (s->now.substituted[order->vehicle]) apply_pedals(s, order->vehicle);
    if (car->asked) {
      car->restore = true;
      s->restoring++;
      view_driving_give_back(s);
    }
  } else {
    view_driving_restore(s, order->vehicle);
    view_simulation_rewind(s);
  }
  view_simulation_tell(s);
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
