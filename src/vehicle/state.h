// SPDX-License-Identifier: BSD-3-Clause
//
// Rows of the table of a batch: one number per lane each, row r of lane l at [r * lanes + l]. Every
// kind of row stands once in a list below, X(name, rows, unit, sentence), from which come the
// struct of first rows and their numbering. `rows` may use the counts of the vehicle:
//   positions, speeds      of its coordinates
//   wheels                 that it has; of vehicles on axles the entries per lane of a wheel array
//   hull, shafts           convex pieces of its chassis, shafts of its drive
//   tyre_states, drive_states, control_states, control_scratch, inputs, commands   of its
//   components
//   pressures              axles whose tyres change their pressure
//   stable                 1 with a stability control
//   lines                  demands that are known at the end of a step
//   rk4, spatial, scrubs, sinks   1 with Runge-Kutta steps, on axles, where wheels may scrub, where
//   there is deformable soil (rutGroup)
#ifndef RUT_VEHICLE_STATE_H
#define RUT_VEHICLE_STATE_H

#include "rut/component.h"

#define X(name, doc) RUT_ENERGY_##name,
typedef enum rutEnergyTerm { RUT_ENERGY_LIST(X) RUT_ENERGY_COUNT } rutEnergyTerm;
#undef X

// A piece of the chassis touches hard ground from below and at its sides, and soil: three patches.
// Each keeps its displacement in the world [m], its turn [rad], and how wide it is [m].
enum { RUT_HULL_PATCHES = 3, RUT_HULL_HELD = 5, RUT_HULL_ROWS = RUT_HULL_PATCHES * RUT_HULL_HELD };

// Coordinates, which mechanisms have as well.
#define RUT_COORDINATE_ROWS(X)                                         \
  X(q, positions, "m or rad", "positions, in the order of the joints") \
  X(v, speeds, "m/s or rad/s", "speeds, in the order of the joints")

// What there is of every vehicle. Part of the state, so that a restored vehicle shows the same.
#define RUT_VEHICLE_ROWS(X)                                                                  \
  X(ground, 10, "", "z of the reference point [m], then the 9 numbers of the ground's axes") \
  X(odometry, 3, "", "x, y [m] and yaw [rad] as the wheels tell them")                       \
  X(cos_yaw, 1, "", "cosine of the heading")                                                 \
  X(sin_yaw, 1, "", "sine of the heading")                                                   \
  X(touching, 1, "", "1 while something is within the contact margin")                       \
  X(torque, wheels, "N m", "of the drive on each wheel")                                     \
  X(load, wheels, "N", "normal force under each wheel")                                      \
  X(hub_vx, wheels, "m/s", "velocity of each hub, forward in the vehicle's frame")           \
  X(hub_vy, wheels, "m/s", "velocity of each hub, to the left")                              \
  X(fx, wheels, "N", "force of the ground on each wheel, forward in the vehicle's frame")    \
  X(fy, wheels, "N", "force of the ground on each wheel, to the left")                       \
  X(yaw, wheels, "rad", "angle of each wheel in the vehicle")                                \
  X(start_speed, wheels, "rad/s", "spin of each wheel when the step began")                  \
  X(body_vx, 1, "m/s", "velocity of the reference point, forward")                           \
  X(body_vy, 1, "m/s", "velocity of the reference point, to the left")                       \
  X(yaw_rate, 1, "rad/s", "angular velocity about the vehicle's z axis")                     \
  X(odo_speed, 1, "m/s", "forward speed as the wheels tell it")                              \
  X(odo_rate, 1, "rad/s", "yaw rate as the wheels tell it")                                  \
  X(pitch, 1, "rad", "of the ground under a planar vehicle, positive nose down")

// What vehicles on axles have beside that. Entries of wheel arrays are as in vehicle/wheels.h.
#define RUT_SPATIAL_ROWS(X)                                                                     \
  X(steer_goal, wheels, "rad", "steer angle that is asked for")                                 \
  X(steer_sin, wheels, "", "sine of the present angle")                                         \
  X(steer_cos, wheels, "", "cosine of the present angle")                                       \
  X(slip_x, wheels, "m", "deflection of the contact patch along the rolling direction")         \
  X(slip_y, wheels, "m", "deflection of the contact patch to the left")                         \
  X(rolling, wheels, "", "displacement of the resistance's spring, over that at its limit")     \
  X(steer, wheels, "rad", "present angle of each wheel on a slide")                             \
  X(normal_along, wheels, "", "ground's normal at the contact, along the heading")              \
  X(normal_up, wheels, "", "ground's normal at the contact, upwards")                           \
  X(arm_x, wheels, "m", "contact from the centre of mass, along the heading")                   \
  X(arm_z, wheels, "m", "contact from the centre of mass, upwards")                             \
  X(grip, wheels, "", "largest longitudinal force over load here")                              \
  X(lateral_load, wheels, "N", "force across the wheel")                                        \
  X(deflection, wheels, "m", "deflection of the tyre")                                          \
  X(floor, wheels, "m", "height of the ground that earlier passes left, above the undisturbed") \
  X(floor_slope, wheels, "", "slope of that height along the path")                             \
  X(tilting, wheels, "rad/s", "of the carrier against the chassis about the wheel's axis")      \
  X(sinkage, wheels, "m", "of the wheel in the soil")                                           \
  X(footprint, wheels, "m", "depth to which the wheel has pressed the soil under it")           \
  X(shaft_inertia, wheels, "kg m2", "of the shafts, seen at the wheel as all turn alike")       \
  X(travel, wheels, "m", "of hubs on mechanisms, up from the design position")                  \
  X(prior_depth, wheels, "m", "depth to which earlier passes have pressed the soil")            \
  X(rolled, wheels, "", "distance that the wheel has come over its contact's length, -1 to 1")  \
  X(resistance, wheels, "", "motion resistance over load")                                      \
  X(normalised_slip, wheels, "", "combined slip over that of the largest force")                \
  X(transported, wheels, "m", "sinkage that soil carried away by slip would bring")             \
  X(dug, wheels, "m", "depth of the pit that the wheel has dug, where it stands")               \
  X(to_dig, wheels, "m", "of that what the ground has not followed yet, where it keeps ruts")   \
  X(undug, wheels, "m", "distance since it followed")                                           \
  X(face_paid, wheels, "m2", "square of the depth to which motion has pressed it at faces")     \
  X(face_depth, wheels, "m", "its depth there, RUT_NO_GROUND elsewhere")                        \
  X(face_rate, wheels, "m/s", "rate of that depth")                                             \
  X(face_travel, wheels, "m", "what a massless wheel lacks to its ground there")                \
  X(side_pressed, wheels, "m", "depth to which motion has pressed the tyre's side")             \
  X(side_part, wheels, "", "share of the side's force")                                         \
  X(side_rate, wheels, "m/s", "rate of that depth")                                             \
  X(energy, RUT_ENERGY_COUNT, "J", "that has flowed into each term of the balance")             \
  X(update, 1, "s", "time until the controller is due")                                         \
  X(steer_asked, 1, "rad", "angle of the equivalent wheel that the goals are for")              \
  X(reaction, 2, "N m s", "of steered, spinning wheels on the chassis in this step, x and y")   \
  X(brake, 1, "", "part of the full brake torque")                                              \
  X(consumed, 1, "J", "energy drawn from battery or fuel")                                      \
  X(mechanical, 2, "J", "kinetic, then potential energy at the start")                          \
  X(hull, RUT_HULL_ROWS* hull, "m or rad",                                                      \
    "displacements of patches of the chassis, 0 off ground")                                    \
  X(position, 3, "m", "of the reference point, world")                                          \
  X(turned, 1, "", "whole turns of the heading beyond its sine and cosine")                     \
  X(linkage, 2, "", "coordinate of the steering linkage, and its rate")                         \
  X(linkage_change, 1, "", "rate of that rate in this step")                                    \
  X(column, 2, "", "coordinate of the steering column's upper end, and its rate")               \
  X(column_change, 1, "", "rate of that rate in this step")                                     \
  X(shaft_ratio, shafts* wheels, "", "speed of each shaft per wheel speed")                     \
  X(inverse_inertia, shafts, "1/(kg m2)", "inverse of each shaft's inertia, 0: it cannot turn") \
  X(coupled, 1, "", "state of the drive that these two belong to")

// What components keep.
#define RUT_COMPONENT_ROWS(X)                                                            \
  X(tyre, tyre_states, "", "states of the tyre of a planar vehicle, for each wheel")     \
  X(scrub, scrubs* wheels, "m/s2",                                                       \
    "across each wheel, what other wheels gave its hub in the last step")                \
  X(sinking, sinks* wheels, "m",                                                         \
    "what each wheel has sunk in the last step, for the search of the next sinkage")     \
  X(drive, drive_states, "", "states of the drive")                                      \
  X(control, control_states, "", "what vehicle/control_stack.h keeps of controllers")    \
  X(demand, inputs, "N m", "torques that the controller demands")                        \
  X(steer, 1, "rad", "angle of the equivalent front wheel that the controller asks for") \
  X(pressure, pressures, "Pa", "inflation pressure of the tyres of each axle")           \
  X(yaw_reference, stable, "rad/s", "yaw rate that the stability control wants")         \
  X(load_transfer, stable, "", "load transfer ratio as it sees it, with a lag")          \
  X(wheel_brake, stable* wheels, "", "part of its full brake that it applies to each wheel")

#define RUT_COMMAND_ROWS(X) X(command, commands, "", "set points of the controller")

// What has been accounted for so far. Kept with the state, but it says nothing about the future.
#define RUT_ACCOUNT_ROWS(X)                                                                \
  X(slip_work, wheels, "J", "that slipping of each wheel has dissipated")                  \
  X(tyre_work, spatial ? wheels : 0, "J", "that tyre and ground have taken at each wheel") \
  X(longitudinal_load, spatial ? wheels : 0, "N", "force along the rolling direction")     \
  X(drag, spatial ? wheels : 0, "N", "of that, motion resistance")                         \
  X(held, spatial ? 1 : 0, "J",                                                            \
    "that springs hold between the chassis or the sides of tyres and the ground")

// Overwritten every step, and no part of the state.
#define RUT_TRANSIENT_ROWS(X)                                                                     \
  X(control_scratch, control_scratch, "", "of the controllers")                                   \
  X(kept, kept, "", "1: the state before the step has the rows that controllers change seldom")   \
  X(twist, 3, "", "velocity and yaw rate that a controller imposes")                              \
  X(line, 4 * lines, "N m", "demands at the end of the step, of a planar vehicle: rutDemandLine") \
  X(drift, rk4 ? positions : 0, "m or rad", "of a Runge-Kutta step of a planar vehicle")          \
  X(course, rk4&& spatial ? 2 * commands + 1 : 0, "",                                             \
    "set points in the middle and at the end of the step, NaN: that of its start; 1 where given") \
  X(later, rk4&& spatial ? 2 * (inputs + 2) : 0, "",                                              \
    "demands, steer and brake in the middle of the step, then at its end")                        \
  X(sin_inclination, spatial ? wheels : 0, "", "sine of the inclination angle")                   \
  X(aligning, spatial ? wheels : 0, "N m", "moment about the ground's normal")                    \
  X(slip_power, wheels, "W", "that slipping takes")                                               \
  X(suspension_force, spatial ? wheels : 0, "N", "of each along its coordinate")                  \
  X(patch_x, spatial ? wheels : 0, "m", "contact from the chassis's centre of mass, its x axis")  \
  X(patch_y, spatial ? wheels : 0, "m", "along its y axis")                                       \
  X(patch_z, spatial ? wheels : 0, "m", "along its z axis")                                       \
  X(fz, spatial ? wheels : 0, "N", "force of the ground on each wheel, along its z axis")         \
  X(regeared, spatial ? 1 : 0, "J", "that shafts have gained as the gear changed, in this step")  \
  X(joined, spatial ? 1 : 0, "", "whether the engine was part of the shafts then")                \
  X(soil_pressure, spatial ? wheels : 0, "Pa", "largest of deformable soil under each wheel")     \
  X(on_soil, spatial ? wheels : 0, "", "index of the deformable soil, 0: none")                   \
  X(hull_load, spatial ? 1 : 0, "N", "upward force of the ground on the chassis")                 \
  X(tyre_power, spatial ? wheels : 0, "W", "that deflection, slipping and resistance take")       \
  X(inflated, RUT_TYRE_NUMBERS* pressures, "",                                                    \
    "parameters of the tyres of each axle at its pressure")                                       \
  X(inflated_for, pressures, "Pa", "that pressure")                                               \
  X(eased_demand, stable* inputs, "N m", "demands to the drive that a stability control leaves")  \
  X(eased_steer, stable, "rad", "angle of the equivalent front wheel that it leaves")

// First row of each.
#define X(name, rows, unit, doc) int name;
typedef struct rutSpatialRows {
  RUT_SPATIAL_ROWS(X)
} rutSpatialRows;

typedef struct rutRows {
  RUT_COORDINATE_ROWS(X)
  RUT_VEHICLE_ROWS(X)
  rutSpatialRows spatial;
  // rows up to it are motion, then of components, then commands, then accounts: the state
  int motion_end;
  RUT_COMPONENT_ROWS(X)
  int component_end;
  RUT_COMMAND_ROWS(X)
  int command_end;  // what says something about the future, and is hashed
  RUT_ACCOUNT_ROWS(X)
  int state_rows;
  RUT_TRANSIENT_ROWS(X)
  int rows;
} rutRows;
#undef X

#endif  // RUT_VEHICLE_STATE_H
