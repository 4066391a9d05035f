// SPDX-License-Identifier: BSD-3-Clause
//
// The smallest program on librut: load a world, drive it for a second, print where the vehicle is.
//   cc main.c $(pkg-config --cflags --libs rut) -o embed && ./embed world.xml
#include <rut/rut.h>
#include <stdio.h>

int main(int argc, char** argv) {
  rutContext* context;
  rutSpec* spec;
  rutModel* model;
  rutError error = {.message = "usage: embed WORLD"};
  if (argc != 2 || rut_context_create(NULL, &context, &error) ||
      rut_spec_load(context, argv[1], &spec, &error) || rut_compile(spec, &model, &error)) {
    return fprintf(stderr, "%s\n", error.message), 1;
  }
  rutData* data = rut_data_create(model);
  while (rut_time(data) < 1.0 && rut_step(model, data, &error) == RUT_OK) continue;
  rutVehicleState vehicle = rut_vehicle_state(model, data, 0);
  printf("%s after %.3f s: x %.3f m, y %.3f m, yaw %.3f rad\n", rut_name(model, RUT_VEHICLE, 0),
         rut_time(data), vehicle.position[0], vehicle.position[1], vehicle.yaw);
  rut_data_destroy(data);
  rut_model_destroy(model);
  rut_spec_destroy(spec);
  rut_context_destroy(context);
  return 0;
}
