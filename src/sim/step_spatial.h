// SPDX-License-Identifier: BSD-3-Clause
//
// What the stages of a step of vehicles with suspensions hand to each other.
#ifndef RUT_SIM_STEP_SPATIAL_H
#define RUT_SIM_STEP_SPATIAL_H

#include "math/lanes.h"
#include "sim/model.h"

// Distance of the ground where there is none [m].
#define RUT_NO_GROUND 1e8

// Per wheel and lane. Vectors are in chassis axes unless said.
#define RUT_WHEEL_ROWS(X)                                                                        \
  /* of the chassis, repeated, in this order: rotation, centre of mass (world), velocities */    \
  X(r0)                                                                                          \
  X(r1)                                                                                          \
  X(r2)                                                                                          \
  X(r3)                                                                                          \
  X(r4)                                                                                          \
  X(r5)                                                                                          \
  X(r6)                                                                                          \
  X(r7)                                                                                          \
  X(r8)                                                                                          \
  X(px)                                                                                          \
  X(py)                                                                                          \
  X(pz)                                                                                          \
  X(ox)                                                                                          \
  X(oy)                                                                                          \
  X(oz)                                                                                          \
  X(ux)                                                                                          \
  X(uy)                                                                                          \
  X(uz) /* spin axis; hub, heading and axis in the world; velocity of the hub */                 \
  X(ax)                                                                                          \
  X(ay)                                                                                          \
  X(hx)                                                                                          \
  X(hy)                                                                                          \
  X(hz)                                                                                          \
  X(fx)                                                                                          \
  X(fy)                                                                                          \
  X(wx) X(wy) X(wz) X(vhx) X(vhy) X(vhz) /* ground in the world: distance of the hub from        \
                                            its plane, normal, place of contact */               \
      X(gz) X(gsx) X(gsy) X(distance) X(gnx) X(gny) X(gnz) X(crown)                              \
          X(shift) /* search along the arc */                                                    \
      X(low) X(high) X(low_value) X(high_value) X(low_slope) X(high_slope) X(try_u) X(try_x)     \
          X(try_y) X(try_z) X(try_sx) X(try_sy) X(best_u) X(best_z) X(best_sx) X(best_sy)        \
              X(best_value) X(settled) X(edge_bound) X(edge_low) X(edge_high) X(edge_z)          \
                  X(edge_level) X(ex) X(ey) X(sum_depth) X(sum_x) X(sum_y) X(sum_z) X(sum_shift) \
                      X(home_x) X(home_y) X(home_z) /* contact patch: axes, offset from the hub, \
                                                       deflection and its rate, velocities */    \
      X(nx) X(ny) X(nz) X(tx) X(ty) X(tz) X(sx) X(sy) X(sz) X(dx) X(dy) X(dz) X(deflection)      \
          X(rate) X(vx) X(vy) X(spin) X(rolling_radius) /* suspension and tyre */                \
      X(spring) X(spring_k) X(spring_c) X(spring_energy) X(load) X(tyre_k) X(tyre_c)             \
          X(tyre_energy) X(relaxation) X(crossover) X(bearing) /* slip and traction */           \
      X(patch_x) X(patch_y) X(patch_rate_x) X(patch_rate_y) X(sticking) X(slip_x) X(slip_y)      \
          X(compliance) X(sunk) X(diameter) X(strength) X(friction) X(mu_x) X(mu_y) X(secant_x)  \
              X(secant_y) X(use) X(resistance) X(peak) /* forces */                              \
      X(drive_torque) X(brake_part) X(locked) X(held) X(spin_known) X(spin_share) X(spin_turn)   \
          X(released) X(normal) X(coupling) X(momentum) X(braking) X(bearing_torque) X(shaft)    \
              X(cx) X(cy) X(cn) X(push_x) X(push_y) X(drag) X(force_x) X(force_y) X(force_z)     \
                  X(moment_x) X(moment_y) X(moment_z) X(wxx) X(wyy) X(wzz) X(wxy) X(wxz) X(wyz)  \
                      X(lift) X(soft) /* results */                                              \
      X(hub_x) X(hub_y) X(hub_z) X(out_x) X(out_y) X(out_n) X(p_slip) X(p_tyre) X(p_rolling)     \
          X(p_bearing) X(p_brake) X(p_drive)

// Per lane: name and rows.
#define RUT_CHASSIS_ROWS(X) \
  X(rotation, 9)            \
  X(gravity, 3)             \
  X(force, 3)               \
  X(moment, 3)              \
  X(alpha, 3)               \
  X(acceleration, 3)        \
  X(air, 1)                 \
  X(hull_power, 1) X(hull_force, 6) X(hull_soft, RUT_SLIDERS_BODY) X(power, RUT_ENERGY_COUNT)

enum {
#define X(name) RUT_WHEEL_ROW_##name,
  RUT_WHEEL_ROWS(X)
#undef X
      RUT_WHEEL_ROW_COUNT
};
// A row of n numbers in scratch k.
#define RUT_WHEEL_ROW(k, n, name) ((k)->row + (size_t)RUT_WHEEL_ROW_##name * (size_t)(n))

typedef struct rutSpatialScratch {
  double* row;  // [RUT_WHEEL_ROW_COUNT][n]
#define X(name, rows) double* name;
  RUT_CHASSIS_ROWS(X)
#undef X
  int* soil;
  double *sample_x, *sample_y, *sample_below, *sample_z, *sample_slope_x, *sample_slope_y;
  double *start, *stage, *sum, *patch, *sliders;
} rutSpatialScratch;

// One batch under evaluation.
typedef struct rutStepView {
  const rutModel* model;
  const rutGroup* group;
  const rutSpatial* spatial;
  const double* lift;  // of moving ground
  double* batch;
  const rutSpatialScratch* scratch;
  int n;  // entries of the wheel arrays
  // What to evaluate: positions, speeds, patch deflections; accelerations found
  double *q, *v;
  const double *patch_x, *patch_y;
  double* rate;
  int arc;                // wheels look along their arcs
  double implicit;        // step of the implicit treatment [s]; 0: none
  int commit;             // states that an evaluation itself advances may change
  double highest_ground;  // nothing above this touches [m]
} rutStepView;

// Control: demands, steering angles, drive torques. Odometry over a step.
void rut_spatial_control(const rutModel* model, const rutGroup* group, double* batch);
void rut_spatial_odometry(const rutModel* model, const rutGroup* group, double* batch, int index);
// What rut_wheel_state and controllers see of the wheels in this step.
void rut_spatial_report(const rutStepView* view);

// name(view, n, lanes, wheels) for single vehicles of four wheels, of fewer, and of more, and for
// batches, with the counts that the compiler can know; and name_all(view), which takes the one that
// fits.
#define RUT_SPATIAL_SIZES(name)                                                                    \
  RUT_CLONES static void name##_four(const rutStepView* e) { name(e, 4, 1, 4); }                   \
  RUT_CLONES static void name##_few(const rutStepView* e) { name(e, 4, 1, e->group->wheels); }     \
  RUT_CLONES static void name##_many(const rutStepView* e) { name(e, e->n, 1, e->group->wheels); } \
  RUT_CLONES static void name##_batch(const rutStepView* e) {                                      \
    name(e, e->n, RUT_MBD_LANES, e->group->wheels);                                                \
  }                                                                                                \
  static void name##_all(const rutStepView* e) {                                                   \
    if (e->group->lanes > 1) {                                                                     \
      name##_batch(e);                                                                             \
    } else if (e->n > 4) {                                                                         \
      name##_many(e);                                                                              \
    } else if (e->group->wheels == 4) {                                                            \
      name##_four(e);                                                                              \
    } else {                                                                                       \
      name##_few(e);                                                                               \
    }                                                                                              \
  }

// Bytes of a worker's scratch, and its parts in memory aligned to 64 bytes.
size_t rut_spatial_scratch_size(const rutGroup* group);
void rut_spatial_scratch(const rutGroup* group, void* memory, rutSpatialScratch* out);

// Ground under all wheels: distance of the hub from the plane that touches it, its normal and
// height (scratch distance, gn*, gz), tread and sideways shift of the contact (crown, shift).
void rut_wheel_ground(const rutStepView* view);

// Accelerations rate[speeds] at positions q and speeds v with patch deflections at hand. Slides of
// massless wheels, and their speeds, are found and written to q and v.
void rut_spatial_evaluate(const rutStepView* view);

#endif  // RUT_SIM_STEP_SPATIAL_H
