// SPDX-License-Identifier: BSD-3-Clause
//
// A bench on which validation cases build small worlds from text and run them.
#ifndef RUT_CLI_VALIDATE_LAB_H
#define RUT_CLI_VALIDATE_LAB_H

#include "world.h"

typedef struct cliLab {
  cliWorld world;
  bool failed;  // something could not be built or run; world.report has the error
  // If above 1, worlds get so many of their first vehicle, CLI_LAB_APART from each other along y,
  // which have the same commands; `looked_at` is the one that is asked for. Vehicles that are equal
  // are computed in lanes.
  int copies, looked_at;
  bool unlike;  // the others have other masses, sizes, torques, stiffnesses, by some per cent
} cliLab;
#define CLI_LAB_APART 20.0  // [m]

// One number to be compared with a reference that does not come from rut.
typedef struct cliCase {
  const char* name;
  const char* unit;  // of value, reference and error
  bool relative;     // tolerance is relative to the reference
  double tolerance;
  const char* source;  // of the reference
  // Build, run, and set both numbers. Calls on a failed lab do nothing and give NaN or 0.
  void (*run)(cliLab* lab, double* value, double* reference);
  // In its place, a row of a law (law.h): tolerance is relative to each number. Nullable.
  const struct cliLawRow* row;
} cliCase;

typedef struct cliCaseGroup {
  const char* name;
  const cliCase* first;
  int cases;
} cliCaseGroup;

// All groups; *n gets their number. Static.
const cliCaseGroup* cli_case_groups(int* n);
// Case by its number among all, with the name of its group; NULL beyond the last. Nullable: group.
const cliCase* cli_case_at(int index, const char** group);

// Build a world from native XML; format as of printf.
void cli_lab_build(cliLab* lab, const char* format, ...) __attribute__((format(printf, 2, 3)));
// Step until the simulated time is at least t [s].
void cli_lab_run_to(cliLab* lab, double t);
void cli_lab_step(cliLab* lab);
double cli_lab_time(const cliLab* lab);
// State of a vehicle, or wheel w of vehicle 0. All zero on a failed lab.
rutVehicleState cli_lab_vehicle(const cliLab* lab, int vehicle);
rutWheelState cli_lab_wheel(const cliLab* lab, int w);
// Number `index` of an output of a sensor in its last sample; NaN if there is none.
double cli_lab_reading(const cliLab* lab, int sensor, const char* output, int index);
void cli_lab_command(cliLab* lab, int n, const double* command);

// The groups of cases.
typedef void cliCaseFunction(cliLab* lab, double* value, double* reference);
cliCaseFunction cli_case_coast_ward, cli_case_coast_rolling, cli_case_steady_speed,
    cli_case_direct_speed, cli_case_direct_top_speed, cli_case_chassis_damping, cli_case_ramp_roll,
    cli_case_ramp_climb, cli_case_slope_hold, cli_case_initial_velocity, cli_case_wheel_slide;
cliCaseFunction cli_case_ackermann_radius, cli_case_differential_rate, cli_case_twist_speed;
cliCaseFunction cli_case_heavy_wheels_speed, cli_case_heavy_wheels_turn, cli_case_stiff_loop,
    cli_case_effective_track;
cliCaseFunction cli_case_open_limit, cli_case_biasing_limit, cli_case_locked_limit;
cliCaseFunction cli_case_pendulum, cli_case_top_energy, cli_case_top_momentum, cli_case_projectile,
    cli_case_inelastic, cli_case_elastic, cli_case_block_slide;
cliCaseFunction cli_case_space_slide, cli_case_space_roll, cli_case_space_roll_cylinder,
    cli_case_space_bounce, cli_case_space_impact, cli_case_space_impact_spin,
    cli_case_space_impact_tilt, cli_case_space_vehicle, cli_case_space_wishbones,
    cli_case_space_wishbones_steered, cli_case_roof_slide, cli_case_post_momentum,
    cli_case_side_depth, cli_case_side_return, cli_case_cam_onset, cli_case_tyre_wall,
    cli_case_dig_rate, cli_case_dig_rate_soft, cli_case_wading_draught, cli_case_wading_drag;
cliCaseFunction cli_case_snow_layer, cli_case_snow_two_layers, cli_case_frozen_thaw,
    cli_case_muskeg;
cliCaseFunction cli_case_gnss_meridian, cli_case_gnss_curvature, cli_case_gnss_solution,
    cli_case_gnss_view, cli_case_gnss_deviation, cli_case_gnss_correlation,
    cli_case_gnss_covariance, cli_case_gnss_fixed;
cliCaseFunction cli_case_encoder_slip, cli_case_encoder_step, cli_case_encoder_eccentricity,
    cli_case_steering_sensor, cli_case_range_cone, cli_case_range_ground, cli_case_range_spread;
cliCaseFunction cli_case_laser_room, cli_case_laser_count;
cliCaseFunction cli_case_imu_rest, cli_case_imu_rest_planar, cli_case_imu_rest_axles,
    cli_case_imu_circle, cli_case_imu_lever_arm, cli_case_allan_slopes, cli_case_allan_recovered,
    cli_case_imu_turn_on_bias, cli_case_imu_resolution, cli_case_imu_range, cli_case_imu_matrix;
cliCaseFunction cli_case_magnetometer_iron, cli_case_magnetometer_dipole,
    cli_case_barometer_pressure, cli_case_barometer_drift, cli_case_barometer_correlation,
    cli_case_inclinometer_rest, cli_case_inclinometer_lag, cli_case_compass;
cliCaseFunction cli_case_bumper_push, cli_case_bumper_impulse, cli_case_battery_discharge,
    cli_case_battery_sag, cli_case_battery_stall, cli_case_battery_gauge;
cliCaseFunction cli_case_radar_plate, cli_case_radar_slope, cli_case_radar_corner,
    cli_case_radar_detection, cli_case_radar_rated, cli_case_radar_approach, cli_case_radar_turning,
    cli_case_radar_cells, cli_case_radar_rain, cli_case_radar_lobe, cli_case_radar_ghost,
    cli_case_radar_ghost_rate, cli_case_radar_false;
cliCaseFunction cli_case_lidar_plane, cli_case_lidar_vlp16_elevation, cli_case_lidar_vlp16_time,
    cli_case_lidar_rolling, cli_case_lidar_not_rolling, cli_case_lidar_noise_mean,
    cli_case_lidar_noise_deviation, cli_case_lidar_slope, cli_case_lidar_half_spot,
    cli_case_lidar_two_returns, cli_case_lidar_mixed_return, cli_case_lidar_detection,
    cli_case_lidar_rain_mavs, cli_case_lidar_fog, cli_case_lidar_fog_infrared, cli_case_lidar_rain,
    cli_case_lidar_false_returns, cli_case_lidar_overlap, cli_case_lidar_snow, cli_case_lidar_dust;
cliCaseFunction cli_case_camera_pinhole, cli_case_camera_distortion, cli_case_camera_round_trip,
    cli_case_camera_depth, cli_case_camera_linear, cli_case_camera_photon_transfer,
    cli_case_camera_read_noise, cli_case_camera_sky, cli_case_camera_rolling;

#endif  // RUT_CLI_VALIDATE_LAB_H
