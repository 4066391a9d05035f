// SPDX-License-Identifier: BSD-3-Clause
//
// A slow planner of this program: every 0.5 s it finds the direction with most room in a laser
// scan, in parallel with the steps, and its outputs take effect 0.4 s later. Results are the same
// however long the planner takes.
#include <math.h>
#include <rut/component.h>
#include <stdio.h>
#include <string.h>

static const rutField fields[] = {RUT_CONTROLLER_ROWS RUT_ROW(
    cruise, "m/s", 1, 0, 10, "Speed with room ahead, before the first command.")};
static const rutVariable commands[] = {RUT_VARIABLE(cruise, "m/s", "speed with room ahead")};
static const rutVariable outputs[] = {RUT_VARIABLE(speed, "m/s", "set point")
                                          RUT_VARIABLE(yaw_rate, "rad/s", "set point")};
static const rutVariable inputs_read[] = {RUT_VARIABLE(range, "m", "of a planar scan")};

enum { BESIDE = 6 };  // rays on each side that have to be free, 18 degrees

// Drives in the direction with most room, slower where there is little. A real planner would take
// longer here.
static void plan(const void* param, const rutVehicleLayout* layout, const rutControlIn* in,
                 double* state, const rutControlOut* out) {
  (void)param, (void)layout, (void)state;
  const int lanes = in->lanes;
  for (int l = 0; l < lanes; l++) {
    const rutControlReading* scan = &in->reading[l];
    const double* range = scan->value;
    double most = -1, side = 0;
    for (int i = BESIDE; i + BESIDE < scan->n && scan->stamp >= 0; i++) {
      double room = 10;
      for (int k = i - BESIDE; k <= i + BESIDE; k++) {
        const double r = range[k * scan->stride];
        if (r >= 0) room = fmin(room, r);
      }
      if (room <= most + 1e-9) continue;
      most = room;
      side = 2.0 * i / (scan->n - 1) - 1;
    }
    const double ahead = 1 - fmin(fabs(side) * 1.5, 1);
    out->output[l] = in->command[l] * ahead * fmin(fmax(most - 1, 0) / 3, 1);
    out->output[lanes + l] = most > 1.5 ? 0.8 * side : 0.6;
  }
}

static const rutControllerType planner = {
    .base = {.abi = RUT_ABI,
             .struct_size = sizeof(rutControllerType),
             .kind = "controller",
             .name = "room_planner",
             .parents = "vehicle",
             .doc = "Drives in the direction in which a scan has most room.",
             .field = fields,
             .fields = RUT_COUNT_OF(fields)},
    .command = commands,
    .commands = RUT_COUNT_OF(commands),
    .output = outputs,
    .outputs = RUT_COUNT_OF(outputs),
    .input = inputs_read,
    .inputs = RUT_COUNT_OF(inputs_read),
    .supervises = true,
    .update = plan};

static const char world[] =
    "<world timestep='5 ms'>"
    "<wall from='-4 -4' to='8 -4' thickness='0.2'/><wall from='8 -4' to='8 8' thickness='0.2'/>"
    "<wall from='8 8' to='-4 8' thickness='0.2'/><wall from='-4 8' to='-4 -4' thickness='0.2'/>"
    "<wall from='2 -1' to='2 5' thickness='0.2'/>"
    "<vehicle name='robot'><chassis mass='15' outline='-0.3 -0.2, 0.3 -0.2, 0.3 0.2, -0.3 0.2'/>"
    "<wheel position='0 0.25' place='left' mass='1' radius='0.1'/>"
    "<wheel position='0 -0.25' place='right' mass='1' radius='0.1'/>"
    "<tyre type='coulomb'/><drive type='direct'/>"
    "<controller type='room_planner' name='plan' commands='drive' period='0.5 s' "
    "output_delay='0.4 s' host='true'/>"
    "<controller type='twist_ideal' name='drive'/>"
    "<sensor type='laser' name='scan' z='0.3' rays='61' fov='180 deg' max_range='10'/>"
    "</vehicle></world>";

int main(void) {
  rutContext* context;
  rutSpec* spec;
  rutModel* model;
  rutError error = {0};
  if (rut_context_create(NULL, &context, &error) || rut_register(context, &planner.base, &error) ||
      rut_spec_parse(context, world, strlen(world), "room.xml", &spec, &error) ||
      rut_compile(spec, &model, &error)) {
    return fprintf(stderr, "%s\n", error.message), 1;
  }
  rutData* data = rut_data_create(model);
  double distance = 0;
  bool hit = false;
  while (rut_time(data) < 60.0 && rut_step(model, data, &error) == RUT_OK) {
    const rutVehicleState robot = rut_vehicle_state(model, data, 0);
    distance += rut_model_timestep(model) * fabs(robot.velocity[0]);
    hit = hit || robot.collision;
  }
  printf("robot drove %.1f m in %.0f s, %s\n", distance, rut_time(data),
         hit ? "and hit something" : "and hit nothing");
  rut_data_destroy(data);
  rut_model_destroy(model);
  rut_spec_destroy(spec);
  rut_context_destroy(context);
  return 0;
}
