// SPDX-License-Identifier: BSD-3-Clause
//
// What the stages of a step of vehicles with suspensions hand to each other.
#ifndef RUT_VEHICLE_VIEW_H
#define RUT_VEHICLE_VIEW_H

#include "math/lanes.h"
#include "math/quat.h"
#include "sim/model.h"

// Motion resistance reaches its limit after this displacement per metre of radius.
#define RUT_RESISTANCE_PATH 0.004
// Distance of the ground where there is none [m].
#define RUT_NO_GROUND 1e8

// Entries of the wheel arrays are worked through in tiles of this many, so that the rows of one
// stay in the first-level cache: one wheel of a batch of vehicles, eight of a single one. Single
// vehicles of up to four wheels are one tile of four. Long loop bodies work on parts of four, one
// vector: what is left of the loop then has nothing but constant addresses.
enum { RUT_WHEEL_TILE = 8, RUT_WHEEL_PART = 4 };

// Per wheel and lane. Vectors are in chassis axes unless said.
// clang-format off
#define RUT_WHEEL_ROWS(X)                                                                         \
  /* of the chassis, repeated, in this order: rotation, centre of mass (world), velocities */     \
  X(r0) X(r1) X(r2) X(r3) X(r4) X(r5) X(r6) X(r7) X(r8)                                           \
  X(px) X(py) X(pz) X(ox) X(oy) X(oz) X(ux) X(uy) X(uz)                                           \
  /* spin axis; hub, heading and axis in the world; velocity of the hub */                        \
  X(ax) X(ay) X(az) X(rx) X(ry) X(rz) X(cox) X(coy) X(coz) X(travel) X(hx) X(hy) X(hz) X(fx) X(fy) X(wx) X(wy) X(wz) X(vhx) X(vhy) X(vhz)                \
  /* ground in the world: height and slopes under the hub, distance of the hub from its plane, */ \
  /* normal; tread and sideways shift of the contact */                                           \
  X(gz) X(gsx) X(gsy) X(distance) X(gnx) X(gny) X(gnz) X(crown) X(shift)                          \
  /* search along the arc: heading; bracket, last try, best place */                              \
  X(ex) X(ey) X(low) X(high) X(low_z) X(high_z) X(low_grade) X(high_grade)                        \
  X(try_u) X(try_x) X(try_y) X(try_z) X(try_sx) X(try_sy) X(other_u) X(other_rate)                \
  X(best_u) X(best_z) X(best_sx) X(best_sy) X(best_value) X(settled) X(nearest)                   \
  /* upright edges */                                                                             \
  X(edge) X(edge_bound) X(edge_low) X(edge_high) X(edge_z) X(edge_level)                          \
  /* discs side by side */                                                                        \
  X(sum_depth) X(sum_x) X(sum_y) X(sum_z) X(sum_shift) X(home_x) X(home_y) X(home_z)              \
  /* contact patch: axes, offset from the hub, deflection and its rate, velocities */             \
  X(nx) X(ny) X(nz) X(tx) X(ty) X(tz) X(sx) X(sy) X(sz) X(dx) X(dy) X(dz)                         \
  X(lean) X(shaft_inertia) X(deflection) X(rate) X(vx) X(vy) X(spin) X(rolling_radius)                                     \
  /* suspension and tyre */                                                                       \
  X(spring) X(spring_k) X(spring_c) X(spring_energy)                                              \
  X(load) X(tyre_k) X(tyre_c) X(tyre_energy) X(relaxation_x) X(relaxation_y) X(crossover) X(bearing) \
  /* slip and traction */                                                                         \
  X(patch_x) X(patch_y) X(patch_rate_x) X(patch_rate_y) X(sticking) X(slip_x) X(slip_y)           \
  X(compliance_x) X(compliance_y) X(direction) X(camber) X(overturning) X(aligning) X(sinks) X(tyre_load) X(squeeze) X(depth) X(raised) X(trodden) X(earlier) X(own) X(apart) X(way) X(sunk_in) X(rut) X(pressed) X(climb) X(dir_x) X(dir_y) X(ahead) X(sunk) X(diameter) X(strength) X(friction)                                       \
  X(mu_x) X(mu_y) X(secant_x) X(secant_y) X(use) X(resistance) X(peak)                            \
  /* forces */                                                                                    \
  X(drive_torque) X(brake_part) X(locked) X(held) X(spin_known) X(spin_share) X(spin_turn) X(spin_yield) X(own_torque)        \
  X(released) X(normal) X(coupling) X(momentum) X(braking) X(bearing_torque) X(shaft)             \
  X(cx) X(cy) X(cn) X(push_x) X(push_y) X(drag) X(force_x) X(force_y) X(force_z)                  \
  X(moment_x) X(moment_y) X(moment_z) X(wxx) X(wyy) X(wzz) X(wxy) X(wxz) X(wyz) X(lift) X(soft)   \
  /* results */                                                                                   \
  X(hub_x) X(hub_y) X(hub_z) X(about) X(shaft_torque) X(out_x) X(out_y) X(out_n)                  \
  X(p_slip) X(p_twist) X(p_tyre) X(p_rolling) X(p_bearing) X(p_brake) X(p_drive)
// clang-format on

// Per lane: name and rows.
#define RUT_CHASSIS_ROWS(X) \
  X(rotation, 9)            \
  X(gravity, 3)             \
  X(force, 3)               \
  X(moment, 3)              \
  X(alpha, 3)               \
  X(acceleration, 3)        \
  X(air, 1)                 \
  X(effort, 1)              \
  X(hull_power, 1) X(hull_force, 6) X(hull_soft, RUT_SLIDERS_BODY) X(power, RUT_ENERGY_COUNT)

enum {
#define X(name) RUT_WHEEL_ROW_##name,
  RUT_WHEEL_ROWS(X)
#undef X
  // those of mechanisms
  RUT_WHEEL_CORNER,
  RUT_WHEEL_ROW_COUNT = RUT_WHEEL_CORNER + RUT_CORNER_ROW_COUNT
};
// A row of the n numbers of the tile that view e is at; and one of its mechanisms.
#define RUT_WHEEL_ROW(e, n, name) ((e)->row + (size_t)RUT_WHEEL_ROW_##name * (size_t)(n))

#define RUT_CORNER_ROW(e, n, name) \
  ((e)->row + (size_t)(RUT_WHEEL_CORNER + RUT_CORNER_##name) * (size_t)(n))

typedef struct rutSpatialScratch {
  double* row;  // [tile][RUT_WHEEL_ROW_COUNT][entry]
#define X(name, rows) double* name;
  RUT_CHASSIS_ROWS(X)
#undef X
  int* soil;
  double *sample_x, *sample_y, *sample_below, *sample_z, *sample_slope_x, *sample_slope_y;
  double *start, *stage, *sum, *patch, *sliders, *mechanism;
} rutSpatialScratch;

// One batch under evaluation.
typedef struct rutStepView {
  const rutModel* model;
  const rutGroup* group;
  const rutSpatial* spatial;
  const double* lift;  // of moving ground
  // Ground that keeps ruts, and what the wheels of this batch do to it; NULL if it does not.
  const rutSoftGround* soft;
  rutSoftPress* press;
  double* batch;
  const rutSpatialScratch* scratch;
  int n;      // entries of the wheel arrays
  int first;  // of the tile at hand, and its rows
  double* row;
  // What to evaluate: positions, speeds, patch deflections; accelerations found
  double *q, *v;
  const double *patch_x, *patch_y;
  double* rate;
  int arc;                // wheels look along their arcs
  double implicit;        // step of the implicit treatment [s]; 0: none
  double since;           // time since the start of the step [s]
  int commit;             // states that an evaluation itself advances may change
  double highest_ground;  // nothing above this touches [m]
  double hitch_force;     // that holds the vehicles back at their hitches now [N]
} rutStepView;

// Control: demands, steering angles, drive torques. Odometry over a step.
void rut_spatial_control(const rutModel* model, const rutGroup* group, double* batch);
void rut_spatial_odometry(const rutModel* model, const rutGroup* group, double* batch, int index);
// What rut_wheel_state and controllers see of the wheels in this step.
void rut_spatial_report(const rutStepView* view);

// How many tiles of n entries there are; the compiler knows of the only one.
RUT_INLINE int rut_wheel_tiles(const rutStepView* e, int n) {
  return n < RUT_WHEEL_TILE ? 1 : e->n / n;
}
// The view at a tile.
RUT_INLINE rutStepView rut_wheel_tile(const rutStepView* e, int n, int tile) {
  rutStepView at = *e;
  at.first = tile * n;
  at.row = e->row + (size_t)tile * (size_t)(RUT_WHEEL_ROW_COUNT * n);
  return at;
}

// The view at the part of a tile that begins at entry `from`.
RUT_INLINE rutStepView rut_wheel_part(const rutStepView* e, int from) {
  rutStepView at = *e;
  at.first = e->first + from;
  at.row = e->row + from;
  return at;
}

// The view at part p of all tiles.
RUT_INLINE rutStepView rut_wheel_part_at(const rutStepView* e, int n, int p) {
  const int each = n / RUT_WHEEL_PART;
  const rutStepView tile = rut_wheel_tile(e, n, p / each);
  return rut_wheel_part(&tile, p % each * RUT_WHEEL_PART);
}
// How many of them there are; the compiler knows of the only one.
RUT_INLINE int rut_wheel_parts(const rutStepView* e, int n) {
  return rut_wheel_tiles(e, n) * (n / RUT_WHEEL_PART);
}

// name(view, n, lanes, wheels), n being the size of a tile, for single vehicles of four wheels, of
// fewer, and of more, and for batches, with the counts that the compiler can know; and
// name_all(view), which takes the one that fits.
#define RUT_SPATIAL_SIZES(name)                                                                \
  RUT_CLONES static void name##_four(const rutStepView* e) { name(e, 4, 1, 4); }               \
  RUT_CLONES static void name##_few(const rutStepView* e) { name(e, 4, 1, e->group->wheels); } \
  RUT_CLONES static void name##_many(const rutStepView* e) {                                   \
    name(e, RUT_WHEEL_TILE, 1, e->group->wheels);                                              \
  }                                                                                            \
  RUT_CLONES static void name##_batch(const rutStepView* e) {                                  \
    name(e, RUT_WHEEL_TILE, RUT_MBD_LANES, e->group->wheels);                                  \
  }                                                                                            \
  static void name##_all(const rutStepView* e) {                                               \
    if (e->group->lanes > 1) {                                                                 \
      name##_batch(e);                                                                         \
    } else if (e->n > 4) {                                                                     \
      name##_many(e);                                                                          \
    } else if (e->group->wheels == 4) {                                                        \
      name##_four(e);                                                                          \
    } else {                                                                                   \
      name##_few(e);                                                                           \
    }                                                                                          \
  }

// Bytes of a worker's scratch, and its parts in memory aligned to 64 bytes.
size_t rut_spatial_scratch_size(const rutGroup* group);
void rut_spatial_scratch(const rutGroup* group, void* memory, rutSpatialScratch* out);

// Ground under the wheels of the tile at hand: distance of the hub from the plane that touches it,
// its normal and height (scratch distance, gn*, gz), tread and sideways shift of the contact
// (crown, shift).
void rut_wheel_ground(const rutStepView* view);

// Soils under the wheels of a tile, and what of their depth the tyres take (squeeze); and what the
// ground gives to their patches.
void rut_wheel_soils(const rutStepView* view, int n, const double* spin);
void rut_wheel_traction(const rutStepView* view, int n);
// Wheels in soil that gives way touch it however little their tyres carry.
void rut_wheel_touch_soil(const rutStepView* view, int n);

// Wheels on mechanisms. Place of a part: hubs, axes and carriers in chassis axes, and what the
// mechanisms bring to the dynamics.
void rut_corner_place(const rutStepView* view, int n, const double* slide,
                      const double* slide_speed);
// Their springs and dampers, of a tile.
void rut_corner_suspend(const rutStepView* view, int n);
// All accelerations from the forces at hand, of vehicles with mechanisms or shafts.
void rut_corner_accelerate(const rutStepView* view, int n, bool touches);

// What the wheels of all tiles get, the view being at the first, for the dynamics; torque: from
// their carriers.
RUT_INLINE rutWheelForces rut_wheel_forces(const rutStepView* e, int n, const double* torque) {
  return (rutWheelForces){
      .momentum = RUT_WHEEL_ROW(e, n, momentum),
      .held = RUT_WHEEL_ROW(e, n, held),
      .coupling = RUT_WHEEL_ROW(e, n, coupling),
      .along_x = RUT_WHEEL_ROW(e, n, tx),
      .along_y = RUT_WHEEL_ROW(e, n, ty),
      .along_z = RUT_WHEEL_ROW(e, n, tz),
      .fx = RUT_WHEEL_ROW(e, n, force_x),
      .fy = RUT_WHEEL_ROW(e, n, force_y),
      .fz = RUT_WHEEL_ROW(e, n, force_z),
      .mx = RUT_WHEEL_ROW(e, n, moment_x),
      .my = RUT_WHEEL_ROW(e, n, moment_y),
      .mz = RUT_WHEEL_ROW(e, n, moment_z),
      .torque = torque,
      .lift = RUT_WHEEL_ROW(e, n, lift),
      .soft = RUT_WHEEL_ROW(e, n, soft),
      .wxx = RUT_WHEEL_ROW(e, n, wxx),
      .wyy = RUT_WHEEL_ROW(e, n, wyy),
      .wzz = RUT_WHEEL_ROW(e, n, wzz),
      .wxy = RUT_WHEEL_ROW(e, n, wxy),
      .wxz = RUT_WHEEL_ROW(e, n, wxz),
      .wyz = RUT_WHEEL_ROW(e, n, wyz),
  };
}

// Motion of one wheel's carrier against its chassis (entry of the wheel arrays), in its axes: hub,
// axis, velocity, angular velocity; mass times place of its bodies, energy of its springs.
typedef struct rutCornerMotion {
  rutVec3 hub, axis, velocity, turning, first;
  double spring;
} rutCornerMotion;
// Type of its mechanism, NULL if it has none.
const rutSuspensionType* rut_spatial_mechanism(const rutSpatial* s, int entry);
rutCornerMotion rut_corner_motion(const rutGroup* group, const double* batch, int entry);
// Kinetic energy of its bodies, the chassis moving so [J].
double rut_corner_bodies_energy(const rutGroup* group, const double* batch, int entry,
                                rutVec3 linear, rutVec3 omega);

// Forces of the ground on the chassis itself, and W of them (hull_force, hull_soft; added to force
// and moment). Nearly always none is near: then false, and nothing is written.
bool rut_hull_touch(const rutStepView* view, const double* q, const double* v);
// Its power, with the forces and in the middle of the step: F - W a and v + a h/2 in the six
// coordinates of the chassis (hull_power).
void rut_hull_power(const rutStepView* view, const double* v);

// Accelerations rate[speeds] at positions q and speeds v with patch deflections at hand. Slides of
// massless wheels, and their speeds, are found and written to q and v.
void rut_spatial_evaluate(const rutStepView* view);

#endif  // RUT_VEHICLE_VIEW_H
