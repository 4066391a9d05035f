// SPDX-License-Identifier: BSD-3-Clause
//
// A single-wheel tester: pull, torque and sinkage of a wheel over slip on a soil, then what a
// second pass in its rut meets.
#include <rut/rig.h>
#include <stdio.h>

enum { COUNT = 8 };
static const double slips[COUNT] = {0, 0, 0.05, 0.1, 0.2, 0.2, 0.3, 0.5};
static const double SPEED = 1, LENGTH = 4;  // [m/s], [m]

// Roll from x = 0 on at a slip, and take the mean of the second half of the way.
static rutStatus roll(const rutModel* model, rutData* data, double slip, rutRigForces* mean,
                      rutError* error) {
  rutRigMotion motion = rut_default_rig_motion();
  rutRigForces now = {.rolling_radius = 0.47};
  int taken = 0;
  *mean = (rutRigForces){.fx = 0};
  motion.load = 6500;
  motion.velocity[0] = SPEED;
  const double way = SPEED * rut_model_timestep(model);
  for (int i = 0; i * way < LENGTH; i++) {
    const double x = i * way;
    motion.place[0] = x;
    motion.spin = SPEED / ((1 - slip) * now.rolling_radius);
    const rutStatus status = rut_rig_step(model, data, &motion, &now, error);
    if (status != RUT_OK) return status;
    if (x < LENGTH / 2) continue;
    mean->fx += now.fx;
    mean->torque += now.torque;
    mean->sinkage += now.sinkage;
    taken++;
  }
  mean->fx /= taken;
  mean->torque /= taken;
  mean->sinkage /= taken;
  return RUT_OK;
}

int main(int argc, char** argv) {
  rutContext* context;
  rutModel* model;
  rutError error = {.message = ""};
  rutRigDef def = rut_default_rig();
  rutRigForces mean;
  const char* const tyre[] = {"stiffness=411 kN/m"};
  def.tyre = "linear";
  def.tyre_setting = tyre;
  def.tyre_settings = 1;
  def.soil = argc > 1 ? argv[1] : "lete_sand";
  def.radius = 0.47;
  def.width = 0.3175;
  if (rut_context_create(NULL, &context, &error) || rut_rig_model(context, &def, &model, &error)) {
    return fprintf(stderr, "%s\n", error.message), 1;
  }
  rutData* data = rut_data_create(model);
  printf("slip  pull [N]  torque [N m]  sinkage [mm]\n");
  for (int i = 0; i < COUNT; i++) {
    const bool again = i > 0 && slips[i] == slips[i - 1];
    if (!again) rut_data_reset(model, data, 0);  // untouched soil
    if (roll(model, data, slips[i], &mean, &error)) {
      return fprintf(stderr, "%s\n", error.message), 1;
    }
    printf("%4.2f  %8.0f  %12.1f  %12.2f%s\n", slips[i], mean.fx, mean.torque, 1e3 * mean.sinkage,
           again ? "  second pass" : "");
  }
  rut_data_destroy(data);
  rut_model_destroy(model);
  rut_context_destroy(context);
  return 0;
}
