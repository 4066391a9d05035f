// SPDX-License-Identifier: BSD-3-Clause
//
// Vehicles with suspensions for validation cases, and shared parts of their comparisons.
#ifndef RUT_CLI_VALIDATE_SPATIAL_H
#define RUT_CLI_VALIDATE_SPATIAL_H

#include "lab.h"

#define CLI_GRAVITY 9.81  // default of <world gravity>

// Magic Formula next to Coulomb friction: D B s/sqrt(1 + (B s)^2), B and D given as text. It does
// not resist motion.
#define CLI_COULOMB_SOIL(b, d)                                                                 \
  "<soil name='s' type='magic_formula' surface='user' b='" b "' c='1' d='" d "' e='0' b_y='" b \
  "' c_y='1' d_y='" d "' e_y='0' lateral='magic_formula' rolling_resistance='0'/>"
#define CLI_STEEP_SOIL(d) CLI_COULOMB_SOIL("1000", d)
// Tyres whose contact patch gives by no more than a centimetre.
#define CLI_STIFF_TYRE "<tyre type='linear' stiffness='1e9' relaxation_length='0.01'/>"

// A vehicle of two axles on massless wheels of radius 0.4 m whose springs are next to rigid. Its
// reference point stands under its centre of mass.
typedef struct cliRig {
  double mass;         // [kg]
  double front, rear;  // distance of the axles from the centre of mass [m]
  double left;         // of the centre of mass from the middle between the wheels [m]
  double height;       // of the centre of mass [m]
  double track;        // [m]
  double inertia[3];   // about the centre of mass [kg m2]
  double stiffness;    // of each spring [N/m]; 0: 1e9
  double damping;      // [N s/m]; 0: that of a spring which settles in a few steps
  double timestep;     // [s]; 0: 1 ms
  // Text that is added; NULL: none.
  const char* world;       // attributes of <world>
  const char* ground;      // elements of the world
  const char* vehicle;     // attributes of <vehicle>
  const char* chassis;     // attributes of <chassis>
  const char* front_axle;  // attributes of the axles
  const char* rear_axle;
  const char* front_tyre;  // <tyre> of the axles; NULL: a stiff one
  const char* rear_tyre;
  const char* drive;     // elements of the vehicle: drive, controller; NULL: pedals on open drives
  double wheel_inertia;  // [kg m2]; 0: 0.01
} cliRig;

#define CLI_RIG_RADIUS 0.4
enum { CLI_FRONT_LEFT, CLI_FRONT_RIGHT, CLI_REAR_LEFT, CLI_REAR_RIGHT, CLI_RIG_WHEELS };

void cli_rig_build(cliLab* lab, const cliRig* rig);

// worlds/vehicles/hmmwv.xml, on a road of friction 0.8. NULL: none, or as said.
typedef struct cliHmmwv {
  const char* world;    // attributes of <world>; NULL: a step of 1 ms
  const char* ground;   // elements of the world
  const char* road;     // its <soil>; NULL: friction 0.8
  const char* start;    // attributes of the vehicle
  const char* chassis;  // of the chassis
  const char* inside;   // elements of the vehicle
  const char* tyre;     // type; NULL: fiala
  const char* drive;    // element; NULL: the powertrain
  const char* pedals;   // attributes of its controller
  // element, in place of the pedals'
  const char* controller;
  bool undamped;  // no dampers
  bool light;     // arms and uprights without mass
  double aside;   // its chassis's centre of mass to the left [m]; 0: 0.000191
  double bars;    // anti-roll of both axles [N/m]
} cliHmmwv;
void cli_hmmwv_build(cliLab* lab, const cliHmmwv* hmmwv);

// Keep the pair with the largest error, relative or absolute. The first call after both were set to
// NaN keeps its pair.
void cli_worst_relative(double got, double expected, double* value, double* reference);
void cli_worst_absolute(double got, double expected, double* value, double* reference);

// Sum of the loads of both wheels of an axle, 0 the front one.
double cli_axle_load(const cliLab* lab, int axle);
// What fails beyond an angle.
typedef struct cliAngleTest {
  bool (*fails)(cliLab* lab, double angle, const void* data);
  const void* data;  // Nullable
} cliAngleTest;
// Angle [rad] between low and high at which a test begins to fail, by bisection to 1e-4 rad.
double cli_bisect_angle(cliLab* lab, double low, double high, cliAngleTest test);
rutEnergy cli_lab_energy(const cliLab* lab);

// The groups of cases.
cliCaseFunction cli_case_torque_front_load, cli_case_torque_rear_load, cli_case_torque_pitch,
    cli_case_torque_table, cli_case_jump_range, cli_case_jump_pitch, cli_case_jump_default,
    cli_case_jump_ramp, cli_case_slices_height, cli_case_refined_height;
cliCaseFunction cli_case_static_loads, cli_case_static_offset, cli_case_slope_loads,
    cli_case_roll_slope, cli_case_roll_bars, cli_case_tilt_table, cli_case_tip_over,
    cli_case_grade_all, cli_case_grade_rear, cli_case_grade_front, cli_case_hold_creep,
    cli_case_hold_speed, cli_case_hold_shift, cli_case_slide_down, cli_case_at_rest;
cliCaseFunction cli_case_coast_speed, cli_case_coast_stop, cli_case_coast_rest, cli_case_top_speed,
    cli_case_brake_distance, cli_case_brake_loads, cli_case_brake_share, cli_case_spin_up,
    cli_case_spin_reaction, cli_case_spatial_open, cli_case_spatial_biasing,
    cli_case_spatial_locked;
cliCaseFunction cli_case_mavs_hard, cli_case_mavs_clay, cli_case_clay, cli_case_sand_resistance,
    cli_case_sand_traction, cli_case_mavs_slip, cli_case_clay_grade;
cliCaseFunction cli_case_body_frequency, cli_case_hop_frequency, cli_case_response_gain,
    cli_case_response_phase, cli_case_wheelbase_heave, cli_case_wheelbase_pitch,
    cli_case_step_circle, cli_case_step_push, cli_case_half_round_circle;
cliCaseFunction cli_case_yaw_gain, cli_case_turn_radius, cli_case_yaw_step, cli_case_critical_speed,
    cli_case_side_transfer, cli_case_turn_rollover, cli_case_spin_moment, cli_case_mirror,
    cli_case_heading;
cliCaseFunction cli_case_energy_rk4, cli_case_energy_default, cli_case_energy_falls,
    cli_case_energy_stop, cli_case_tumbling, cli_case_converges, cli_case_coarse_step;
cliCaseFunction cli_case_motor_spin_up, cli_case_refined_waves;
cliCaseFunction cli_case_hmmwv_bars, cli_case_stability_steering, cli_case_stability_reference,
    cli_case_stability_transfer, cli_case_stability_brakes, cli_case_stability_throttle,
    cli_case_stability_all;
cliCaseFunction cli_case_ramp_proportional, cli_case_ramp_cdta, cli_case_level_time,
    cli_case_level_energy, cli_case_waves_time, cli_case_waves_energy;
cliCaseFunction cli_case_wishbone_loads, cli_case_wishbone_toe, cli_case_wishbone_ratio,
    cli_case_wishbone_mirror, cli_case_converter_stall, cli_case_falling_stall,
    cli_case_shafts_spin, cli_case_shafts_pull, cli_case_governed_speed, cli_case_compaction,
    cli_case_standing_sinkage, cli_case_rut_volume, cli_case_rut_bank, cli_case_print_place;

cliCaseFunction cli_case_hmmwv_energy, cli_case_hmmwv_tumbles, cli_case_hmmwv_parabola,
    cli_case_hmmwv_gyrostat, cli_case_hmmwv_balance_fiala, cli_case_hmmwv_balance_tmeasy,
    cli_case_hmmwv_balance_pac2002, cli_case_hmmwv_balance_soil, cli_case_hmmwv_balance_column,
    cli_case_hmmwv_balance_belly, cli_case_hmmwv_balance_hitch, cli_case_hmmwv_balance_shifts,
    cli_case_hmmwv_balance_stop, cli_case_hmmwv_reverse;
cliCaseFunction cli_case_tree_momentum, cli_case_tree_sides, cli_case_tree_energy,
    cli_case_tree_falls, cli_case_tree_plane;
cliCaseFunction cli_case_steer_response, cli_case_steer_sine, cli_case_steer_rate,
    cli_case_steer_column;
cliCaseFunction cli_case_ideal_circle, cli_case_ideal_slope, cli_case_ideal_loads,
    cli_case_ideal_gap, cli_case_ideal_turn, cli_case_ideal_grade, cli_case_ideal_waves,
    cli_case_ideal_wheels, cli_case_glide, cli_case_glide_turned, cli_case_ideal_steering,
    cli_case_rod_spring, cli_case_rod_damper, cli_case_pin_whirl, cli_case_rope_stops;

#endif  // RUT_CLI_VALIDATE_SPATIAL_H
