// SPDX-License-Identifier: BSD-3-Clause
#include "vehicle/work.h"

// Carves what a step works in, or measures it where memory is NULL. Returns the doubles taken.
RUT_INLINE size_t carve(const rutVehicleClass* vehicle, double* memory, rutWork* out) {
  const size_t n = (size_t)vehicle->body.n, lanes = (size_t)vehicle->lanes;
  const size_t samples = (size_t)vehicle->slices * n;
  const size_t coordinates = (size_t)(vehicle->positions + vehicle->speeds) * lanes;
  const size_t rates = (size_t)(2 * vehicle->speeds + RUT_ENERGY_COUNT) * lanes;
  const size_t beside = vehicle->mechanisms > 1 ? RUT_CORNER_ROW_COUNT * RUT_CORNER_WIDTH : 0;
  size_t taken = 0;
#define TAKE(member, count)                    \
  do {                                         \
    (member) = memory ? memory + taken : NULL; \
    taken += (count);                          \
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
  TAKE(out->dynamics, rut_dynamics_scratch(vehicle));
  TAKE(out->look.beside, beside);
#undef TAKE
  return taken;
}

size_t rut_work_size(const rutVehicleClass* vehicle) {
  rutWork unused;
  return carve(vehicle, NULL, &unused) * sizeof(double);
}

rutWork rut_work_of(const rutVehicleClass* vehicle, void* memory) {
  rutWork work = {0};
  if (memory) carve(vehicle, memory, &work);
  return work;
}
