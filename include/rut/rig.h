// SPDX-License-Identifier: BSD-3-Clause
//
// A rig for a single wheel: one tyre on one soil, whose hub a program guides step by step. What the
// hub does goes in, the forces of the ground on the wheel come out, and the soil, the spin and the
// contact patch are kept from step to step. The laws are those of wheels of vehicles, in the same
// code. A step is the update of a tyre in six steps (MAVS, "A Simulator for Autonomous Ground
// Vehicles"): velocity in the wheel's frame, deflection, load, slip and slip angle, forces, spin;
// here with the contact patch's memory and the sinkage of the soil, and with load and spin found
// for the end of the step.
//
//   rutRigDef def = rut_default_rig();
//   def.soil = "lete_sand";
//   rut_rig_model(context, &def, &model, &error);
//   rutData* data = rut_data_create(model);
//   rutRigMotion motion = rut_default_rig_motion();
//   motion.velocity[0] = 2, motion.load = 6500, motion.torque = 800;
//   rut_rig_step(model, data, &motion, &forces, &error);
//
// The model is shared by any number of threads, each with its own rutData, which is the state:
// rut_state_get and rut_state_set copy it, rut_data_reset begins anew on untouched soil, rut_ruts
// tells the ruts, rut_set_soil changes the soil of a place, rut_wheel_state and outputs see the
// wheel.
#ifndef RUT_RIG_H
#define RUT_RIG_H

#include "rut/rut.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- the wheel and its ground ----

// Numbers that are NaN are those of the axle that the world gives; without a world those of the
// .tir file, or of the element <axle>.
typedef struct rutRigDef {
  size_t struct_size;  // set by rut_default_rig
  // World whose tyre and ground are taken; other elements are left out. Nullable: none.
  const rutSpec* world;
  const char* vehicle;  // whose tyre, of those on axles. Nullable: the first one
  int axle;             // and of which axle, in their order in the world
  // A tyre in place of that: a file that ends in .tir, seen from the current folder and with a
  // world within the limits of rut_context_allow_dir; a type of tyre; or a preset of one. Nullable:
  // "linear" without a world. Then settings "field=value" of it.
  const char* tyre;
  int tyre_settings;
  const char* const* tyre_setting;
  // Level ground of a soil, a type or a preset, in place of the ground of the world. Nullable: hard
  // ground of friction 0.8 without a world. Then settings of it, also "curve=...".
  const char* soil;
  int soil_settings;
  const char* const* soil_setting;
  double radius, width;   // without load [m]
  double section_height;  // from rim to tread, 0: 0.4 radius [m]
  double wheel_mass;      // [kg]
  double wheel_inertia;   // about the axis, with all that turns with it [kg m2]
  // Cells of soil that keeps ruts [m]; 0: it keeps none, and each step meets untouched soil. NaN:
  // as the world says, without a world or on a soil of its own 5 cm, half the width if that is
  // less.
  double cell;
  double timestep;  // of rut_rig_step where none is told [s]; NaN: that of the world, or 1 ms
} rutRigDef;
// No world; tyre "linear", hard ground, all numbers NaN.
RUT_API rutRigDef rut_default_rig(void);

// A model of one vehicle with one wheel for rut_rig_step; the caller owns it. Errors: ARGUMENT (no
// such tyre, soil or setting, number out of range), MODEL (the world has no such vehicle on axles
// or axle, or a planar tyre), IO, those of rut_compile. Nullable: err.
RUT_API rutStatus rut_rig_model(rutContext* context, const rutRigDef* def, rutModel** out,
                                rutError* err);

// ---- a step ----

// How the hub moves as the step begins, and what acts on the wheel. The carriage is what guides the
// hub: x along its heading, y to the left, z up.
typedef struct rutRigMotion {
  size_t struct_size;  // set by rut_default_rig_motion
  double dt;           // [s], up to 1; NaN: the model's
  // Of the hub on the map, world [m]; NaN: where the last step has brought it, at the start 0.
  double place[2];
  // Of the hub, world [m]. NaN: the load presses the wheel down, and its height follows; at the
  // start it just touches the ground.
  double height;
  double heading;          // of the carriage from the world's x axis [rad]
  double yaw_rate;         // of the same [rad/s]
  double steer;            // angle of the wheel on the carriage, positive to the left [rad]
  double inclination;      // of the wheel's plane, top to the right, within 1.5 [rad]
  double velocity[3];      // of the hub along the carriage's axes [m/s]; up only with a height
  double acceleration[3];  // of the hub within the step, likewise [m/s2]
  // Without a height: weight on the wheel, its own included [N]. It has the mass load/gravity, or
  // the wheel's mass if that is more, and hangs on a damper.
  double load;
  double damping;  // of that damper [N s/m]; NaN: 0.1 of critical on the tyre's stiffness
  // About the axis, forward positive [rad/s]; NaN: as the torques turn it, at the start 0.
  double spin;
  double spin_rate;  // its change within the step, where the spin is given [rad/s2]
  double torque;     // of the drive, where it is not [N m]
  double brake;  // largest torque of the brake, which holds a wheel that stands; up to 1e9 [N m]
} rutRigMotion;
// A free wheel of 4000 N at rest: all numbers 0, those that may be NaN are NaN.
RUT_API rutRigMotion rut_default_rig_motion(void);

// What has acted in the step. Along the axes W of ISO 8855, from the contact: the point of the
// ground under the hub in the wheel's plane; x where that plane meets the ground, forward, y to the
// left, z along the ground's normal.
typedef struct rutRigForces {
  double fx, fy, fz;  // of the ground on the wheel, with motion resistance [N]
  double mx, my, mz;  // about the contact: overturning, of rolling resistance, aligning [N m]
  double force[3];    // the same force, world [N]
  double contact[3];  // as the step began, world [m]
  // Of the hub, and spin, at the end of the step, world.
  double position[3], velocity[3];  // [m], [m/s]
  double spin;                      // [rad/s]
  // On the axle, of drive and brake, or what the given spin takes: inertia times the change of the
  // spin is torque + my - loaded_radius fx - bearing [N m].
  double torque, bearing;
  double slip;        // (r w - v)/max(|r w|, |v|), r being the rolling radius
  double slip_angle;  // of the contact's velocity, to the left of the wheel's plane [rad]
  double rolling_radius, loaded_radius;  // [m]
  double deflection;                     // of the tyre [m]
  // Of the wheel below the untouched soil; depth of the rut that it leaves; depth to which the soil
  // is pressed under load; pit that its slip has dug under it [m]. 0 on hard ground.
  double sinkage, rut, pressed, dug;
  // Of the contact between soil or road and the undeformed tread, from where it enters to the end
  // of the flat part [m].
  double contact_length;
  double resistance;  // motion resistance, against the rolling direction [N]
  double pressure;    // largest of deformable soil [Pa]
  int soil;           // index in the model of deformable soil under it, else -1
} rutRigForces;

// Advance the wheel by a step. No memory is allocated. Errors: ARGUMENT (the model is not from
// rut_rig_model, the data not of it, a number is not finite or out of range; message names it),
// DIVERGED; the state is then as before. Nullable: err.
RUT_API rutStatus rut_rig_step(const rutModel* model, rutData* data, const rutRigMotion* motion,
                               rutRigForces* out, rutError* err);

#ifdef __cplusplus
}
#endif

#endif  // RUT_RIG_H
