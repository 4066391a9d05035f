// SPDX-License-Identifier: BSD-3-Clause
#include "vehicle/work.h"

// Carves what a step works in, or measures it. Returns the doubles taken, up
// to those of the dynamics, which are last.
RUT_INLINE size_t carve(const rutVehicleClass* vehicle, size_t lanes, double* memory, bool measures,
                        rutWork* out) {
  const size_t n = (size_t)vehicle->body.n;
  const size_t samples = (size_t)vehicle->slices * n;
  const size_t coordinates = (size_t)(vehicle->positions + vehicle->speeds) * lanes;
  const size_t rates = (size_t)(2 * vehicle->speeds + RUT_ENERGY_COUNT) * lanes;
  const size_t beside = vehicle->mechanisms > 1 ? RUT_CORNER_ROW_COUNT * RUT_CORNER_LANES : 0;
  size_t taken = 0;
#define TAKE(member, count)                      \
  do {                                           \
    (member) = measures ? NULL : memory + taken; \
    taken += (count);                            \
  } while (0)
  TAKE(out->row, RUT_WHEEL_ROW_COUNT * n);
#define X(name, rows) TAKE(out->chassis.name, (rows)*lanes);
  RUT_CHASSIS(X)
#undef X
#define X(name) TAKE(out->look.samples.name, samples);
  RUT_ARC_SAMPLES(X)
#undef X
  TAKE(out->start, coordinates);
  TAKE(out->stage, coordinates);
  TAKE(out->sum, rates);
  TAKE(out->patch, 4 * n);
  TAKE(out->look.beside, beside);
  TAKE(out->dynamics, 0);
#undef TAKE
  return taken;
}

size_t rut_work_size(const rutVehicleClass* vehicle) {
  rutWork unused;
  const size_t before = carve(vehicle, (size_t)vehicle->lanes, NULL, true, &unused);
  return (before + rut_dynamics_scratch(vehicle)) * sizeof(double);
}

rutWork rut_work_of(const rutVehicleClass* vehicle, void* memory) {
  rutWork work;
  // at every step: the compiler is to know the lanes
  if (vehicle->lanes == 1) {
    carve(vehicle, 1, memory, false, &work);
  } else {
    carve(vehicle, RUT_MBD_LANES, memory, false, &work);
  }
  return work;
}
