// SPDX-License-Identifier: BSD-3-Clause
//
// Cases again with eight equal vehicles, which are computed in lanes of vectors: what holds for one
// must hold for each.
#include "spatial.h"
#include "touching.h"

enum { COPIES = 8, LOOKED_AT = 5 };

// X(name, unit, relative, tolerance, source): as the case of that name has them.
#define CLI_CASES_OF_EIGHT(X)                                                                  \
  X(coast_ward, "m/s", true, 1.3e-4, "dv/dt = -g (R1 + R2 v) m/m_eff; Ward and Iagnemma 2008") \
  X(direct_speed, "m/s", true, 8.6e-4, "v0 (1 - exp(-t F/(m_eff v0)))")                        \
  X(heavy_wheels_speed, "m/s", true, 2e-3, "T r/c (1 - exp(-2 c t/(r^2 m + 2 I)))")            \
  X(heavy_wheels_turn, "rad/s", true, 1e-9, "(I_z + sum I y^2/r^2) w' = sum T y/r")            \
  X(stiff_loop, "m/s", true, 1e-9, "v = mu g t; gains of MVSim's Jackal")                      \
  X(wishbone_loads, "N", true, 1.3e-4, "HMMWV at rest in Project Chrono")                      \
  X(shafts_spin, "rad/s", true, 3.8e-4, "4000 N m over all that turns, in the air")            \
  X(falling_stall, "N m", true, 1e-9, "gear x final drive x R(0) T, w^2/C^2 = T(w)")           \
  X(spin_up, "rad/s", true, 1e-9, "T/beta (1 - exp(-beta t/I)), Runge-Kutta")                  \
  X(motor_spin_up, "rad/s", true, 1.4e-4, "V/(g K) (1 - exp(-t/tau)), tau = R J/(g K)^2")      \
  X(turn_radius, "m", true, 2.9e-6, "R = L/tan(delta)")                                        \
  X(yaw_gain, "1/s", true, 1e-2, "u/(L + K u^2), K = (m/L)(b/C_f - a/C_r)")                    \
  X(steer_column, "", true, 1.1e-2, "overshoot of J s'' = k (g - s) + c (g' - s')")            \
  X(standing_sinkage, "m", true, 1.7e-5, "N = b k R^2 (a/2 - sin(2 a)/4), h = R (1 - cos a)")  \
  X(hmmwv_energy, "", false, 1e-9, "kinetic, potential and elastic energy stay")               \
  X(hmmwv_balance_fiala, "", false, 4.6e-7, "work of the drive is gain and losses")            \
  X(hmmwv_balance_tmeasy, "", false, 9.1e-7, "the same")                                       \
  X(hmmwv_balance_soil, "", false, 2.3e-5, "the same in soil, default integrator")             \
  X(hmmwv_balance_column, "", false, 7.3e-7, "the same, elastic steering column")

#define X(name, unit, relative, tolerance, source)                          \
  static void eight_##name(cliLab* lab, double* value, double* reference) { \
    lab->copies = COPIES;                                                   \
    lab->looked_at = LOOKED_AT;                                             \
    cli_case_##name(lab, value, reference);                                 \
  }
CLI_CASES_OF_EIGHT(X)
#undef X

// The same among seven of other masses, sizes, torques, which share the lanes.
#define CLI_CASES_OF_UNLIKE(X)                                                      \
  X(coast_rolling, "m/s", true, 1e-9, "dv/dt = -C_rr g m/m_eff")                    \
  X(steady_speed, "m/s", true, 1e-9, "v = R T/c")                                   \
  X(heavy_wheels_turn, "rad/s", true, 1e-9, "(I_z + sum I y^2/r^2) w' = sum T y/r") \
  X(wishbone_loads, "N", true, 1.3e-4, "HMMWV at rest in Project Chrono")           \
  X(shafts_spin, "rad/s", true, 3.8e-4, "4000 N m over all that turns, in the air") \
  X(spin_up, "rad/s", true, 1e-9, "T/beta (1 - exp(-beta t/I)), Runge-Kutta")       \
  X(motor_spin_up, "rad/s", true, 1.4e-4, "V/(g K) (1 - exp(-t/tau))")              \
  X(static_loads, "N", true, 1e-8, "m g b/L, m g a/L")                              \
  X(hmmwv_energy, "", false, 1e-9, "kinetic, potential and elastic energy stay")    \
  X(hmmwv_balance_fiala, "", false, 4.6e-7, "work of the drive is gain and losses") \
  X(hmmwv_balance_soil, "", false, 2.3e-5, "the same in soil, default integrator")

#define X(name, unit, relative, tolerance, source)                           \
  static void unlike_##name(cliLab* lab, double* value, double* reference) { \
    lab->copies = COPIES;                                                    \
    lab->looked_at = LOOKED_AT;                                              \
    lab->unlike = true;                                                      \
    cli_case_##name(lab, value, reference);                                  \
  }
CLI_CASES_OF_UNLIKE(X)
#undef X

const cliCase cli_cases_eight[CLI_CASES_EIGHT] = {
#define X(name, unit, relative, tolerance, source) \
  {"eight_" #name, unit, relative, tolerance, source, eight_##name, NULL},
    CLI_CASES_OF_EIGHT(X)
#undef X
#define X(name, unit, relative, tolerance, source) \
  {"unlike_" #name, unit, relative, tolerance, source, unlike_##name, NULL},
        CLI_CASES_OF_UNLIKE(X)
#undef X
};
