// SPDX-License-Identifier: BSD-3-Clause
//
// Engine with locked differentials: driven wheels turn at one speed.
#include "drive/axle.h"

#define FIELDS(X)                                                                               \
  X(stiffness, "N m/rad", 1e4, 1, 1e9, "Torsional stiffness of the shafts between two wheels.") \
  X(damping, "N m s/rad", 10, 0, 1e6, "Damping of the shafts between two wheels.")              \
  X(limit, "N m", 1e6, 0, 1e9, "Torque above which the coupling slips.")

typedef struct Param {
  FIELDS(RUT_PARAM)
  double driven;
} Param;

static const rutField fields[] = {FIELDS(RUT_ROW) RUT_DRIVEN_ROW(RUT_DRIVEN_ALL)};

// State: the twist [rad] of the three couplings.
#define STATES(X)                                                  \
  X(front_twist, "rad", "angle of twist between the front wheels") \
  X(rear_twist, "rad", "angle of twist between the rear wheels")   \
  X(centre_twist, "rad", "angle of twist between the axles")
static const rutVariable states[] = {STATES(RUT_VARIABLE)};
enum { FRONT_TWIST, REAR_TWIST, CENTRE_TWIST };

// Torque of a shaft with twist q between ends that turn at w1 and w2, T = k q + c (w1 - w2), taken
// at the end of the step: with mobility m = 1/J1 + 1/J2 the speed difference falls by dt m T, hence
//   T = (k q + (k dt + c) (w1 - w2)) / (1 + dt m (k dt + c)),
// stable for any stiffness, and exactly the impulse of a rigid lock as k grows. Wheels held by the
// ground are only heavier than assumed. Return map: a coupling at its limit slips and keeps the
// twist that belongs to the limit. Energy is only lost.
RUT_INLINE double coupling_torque(const Param* p, double* twist, double w1, double w2,
                                  double mobility, double dt) {
  const double longest = p->limit / p->stiffness;
  const double q = rut_clamp(*twist + dt * (w1 - w2), -longest, longest);
  const double rate = p->stiffness * dt + p->damping;
  const double torque = (p->stiffness * q + rate * (w1 - w2)) / (1.0 + dt * mobility * rate);
  *twist = q;
  return rut_clamp(torque, -p->limit, p->limit);
}

static double mobility_of(const rutVehicleLayout* layout, rutAxle axle) {
  return 1.0 / layout->inertia[axle.left] + 1.0 / layout->inertia[axle.right];
}

// Half the casing torque, which is the demand here, on each wheel, then what the lock moves between
// them.
static void lock_axle(const Param* p, const rutVehicleLayout* layout, rutAxle axle,
                      const rutDriveIn* in, double* twist, double* torque) {
  const int lanes = in->lanes;
  const double dt = in->dt, *casing = in->demand, *speed = in->speed;
  const double mobility = mobility_of(layout, axle);
  for (int l = 0; l < lanes; l++) {
    const int left = axle.left * lanes + l, right = axle.right * lanes + l;
    const double moved = coupling_torque(p, &twist[l], speed[left], speed[right], mobility, dt);
    torque[left] = 0.5 * casing[l] - moved;
    torque[right] = 0.5 * casing[l] + moved;
  }
}

// The same between the axles. An axle turns at the mean of its wheels and passes half its torque
// to each, hence a quarter of its wheels' mobility.
static void lock_centre(const Param* p, const rutVehicleLayout* layout, const rutDriveIn* in,
                        double* twist, double* to_front, double* to_rear) {
  const int lanes = in->lanes;
  const double dt = in->dt, *demand = in->demand, *speed = in->speed;
  const rutAxles axles = rut_driven_axles(layout, p->driven);
  const rutAxle f = axles.front, r = axles.rear;
  const double mobility = 0.25 * (mobility_of(layout, f) + mobility_of(layout, r));
  for (int l = 0; l < lanes; l++) {
    const double front = 0.5 * (speed[f.left * lanes + l] + speed[f.right * lanes + l]);
    const double rear = 0.5 * (speed[r.left * lanes + l] + speed[r.right * lanes + l]);
    const double moved = coupling_torque(p, &twist[l], front, rear, mobility, dt);
    to_front[l] = 0.5 * demand[l] - moved;
    to_rear[l] = 0.5 * demand[l] + moved;
  }
}

static void locked_torque(const void* param, const rutVehicleLayout* layout, const rutDriveIn* in,
                          double* state, double* torque) {
  const int lanes = in->lanes;
  const Param* p = param;
  const rutAxles axles = rut_driven_axles(layout, p->driven);
  double to_front[8] = {0}, to_rear[8] = {0};
  rutDriveIn front = *in, rear = *in;
  rut_clear_torque(layout->wheels, lanes, torque);
  if (axles.has_front && axles.has_rear) {
    lock_centre(p, layout, in, state + CENTRE_TWIST * lanes, to_front, to_rear);
    front.demand = to_front;
    rear.demand = to_rear;
  }
  if (axles.has_front) {
    lock_axle(p, layout, axles.front, &front, state + FRONT_TWIST * lanes, torque);
  }
  if (axles.has_rear) {
    lock_axle(p, layout, axles.rear, &rear, state + REAR_TWIST * lanes, torque);
  }
}

// What the shafts move between the wheels stays as it is.
static void locked_gain(const void* param, const rutVehicleLayout* layout, const rutDriveIn* in,
                        const double* state, double* gain) {
  const int lanes = in->lanes;
  const rutAxles axles = rut_driven_axles(layout, ((const Param*)param)->driven);
  const double front = rut_front_share(axles, 0.5);
  (void)state;
  if (axles.has_front) rut_gain_axle(axles.front, front, 0.5, lanes, gain);
  if (axles.has_rear) rut_gain_axle(axles.rear, 1.0 - front, 0.5, lanes, gain);
}

const rutDriveType rut_drive_locked = {
    .base = {.abi = RUT_ABI,
             .struct_size = sizeof(rutDriveType),
             .kind = "drive",
             .name = "locked",
             .parents = "vehicle",
             .doc = "One engine torque over locked differentials: stiff shafts hold the driven "
                    "wheels, and driven axles, at one speed.",
             .field = fields,
             .fields = RUT_COUNT_OF(fields),
             .state = states,
             .states = RUT_COUNT_OF(states)},
    .inputs = rut_one_engine,
    .torque = locked_torque,
    .gain = locked_gain,
    .gain_holds = rut_gain_always_holds};
