// SPDX-License-Identifier: BSD-3-Clause
//
// The table of validation cases.
#include "lab.h"

static const cliCase cases[] = {
    {"coast_down_ward_iagnemma", "m/s", true, 2e-4,
     "dv/dt = -g (R1 + R2 v) m/m_eff; Ward and Iagnemma 2008", cli_case_coast_ward},
    {"coast_down_rolling_resistance", "m/s", true, 2e-4, "dv/dt = -C_rr g m/m_eff",
     cli_case_coast_rolling},
    {"ramp_roll_down", "m", true, 1e-3, "a = g sin(s)/(1 + sum I/(m R^2))", cli_case_ramp_roll},
    {"ramp_climb_torque", "m/s2", true, 1e-4, "m_eff a = sum T/R - m g sin(s)",
     cli_case_ramp_climb},
    {"side_slope_hold", "m", false, 1e-4, "no motion while tan(s) < mu", cli_case_slope_hold},
    {"initial_velocity_frame", "rad", false, 1e-9, "vehicle frame of ISO 8855",
     cli_case_initial_velocity},
    {"chassis_damping", "m/s", true, 5e-4, "v = v0 exp(-c t), first order in the step",
     cli_case_chassis_damping},
    {"steady_speed_bearing_damping", "m/s", true, 1e-6, "v = R T/c", cli_case_steady_speed},
    {"wheel_slide_distance", "m", true, 5e-4, "d = v^2/(2 mu g)", cli_case_wheel_slide},
    {"ackermann_turning_radius", "m", true, 1e-3, "R = L/tan(delta)", cli_case_ackermann_radius},
    {"differential_turning_rate", "rad/s", true, 1e-3, "(w_r - w_l) R/track",
     cli_case_differential_rate},
    {"twist_controller_radius", "m", true, 1e-3, "v/w of the set point", cli_case_twist_speed},
    {"open_differential_split_mu", "", true, 1e-2, "pull = 2 mu_low N", cli_case_open_limit},
    {"torque_biasing_split_mu", "", true, 1e-2, "pull = (1 + B) mu_low N", cli_case_biasing_limit},
    {"locked_differential_split_mu", "", true, 1e-2, "pull = (mu_low + mu_high) N",
     cli_case_locked_limit},
    {"pendulum_period", "s", true, 1e-5, "2 pi sqrt(l/g)/agm(1, cos(A/2)), Gauss",
     cli_case_pendulum},
    {"free_top_energy", "J", true, 1e-9, "conservation; Euler's equations", cli_case_top_energy},
    {"free_top_momentum", "kg m2/s", true, 1e-9, "conservation; Euler's equations",
     cli_case_top_momentum},
    {"projectile_height", "m", false, 1e-9, "z = v t - g t^2/2", cli_case_projectile},
    {"inelastic_impact", "m/s", true, 1e-2, "m1 v1/(m1 + m2)", cli_case_inelastic},
    {"elastic_impact", "m/s", true, 1e-2, "2 m1 v1/(m1 + m2)", cli_case_elastic},
    {"block_slide_distance", "m", true, 5e-4, "d = v^2/(2 mu g)", cli_case_block_slide},
    {"laser_square_room", "m", false, 1e-6, "d/max(|cos a|, |sin a|), largest error of all rays",
     cli_case_laser_room},
    {"laser_ray_count", "", false, 0, "rays that hit a wall in a closed room",
     cli_case_laser_count},
};

const cliCase* cli_cases(int* n) {
  *n = CLI_COUNT(cases);
  return cases;
}
