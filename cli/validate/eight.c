// SPDX-License-Identifier: BSD-3-Clause
//
// Cases again with eight equal vehicles, which are computed in lanes of vectors: what holds for one
// must hold for each. And a vehicle whose engine's torque falls with its speed.
#include <math.h>

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

static void multiply(cliLab* lab) {
  lab->copies = COPIES;
  lab->looked_at = LOOKED_AT;
}

#define X(name, unit, relative, tolerance, source)                          \
  static void eight_##name(cliLab* lab, double* value, double* reference) { \
    multiply(lab);                                                          \
    cli_case_##name(lab, value, reference);                                 \
  }
CLI_CASES_OF_EIGHT(X)
#undef X

// Brakes hold the wheels while the engine, of T = 400 - 0.2 w up to 500 rad/s, turns the pump of a
// converter of the capacity C = w/sqrt(T): w^2/C^2 + 0.2 w - 400 = 0. Wheels have T times the
// converter's gain 2, the gear 4 and the final drive 5.
static void eight_stall(cliLab* lab, double* value, double* reference) {
  const double capacity = 15, fall = 0.2, top = 400;
  multiply(lab);
  const cliRig rig = {
      .mass = 1500,
      .front = 1.3,
      .rear = 1.3,
      .height = 0.5,
      .track = 1.5,
      .inertia = {600, 2000, 2200},
      .stiffness = 2e6,
      .damping = 5e4,
      .wheel_inertia = 1,
      .vehicle = "velocity='0 0'",
      .front_axle = "brake='1e5'",
      .rear_axle = "brake='1e5'",
      .ground = CLI_STEEP_SOIL("1"),
      .drive =
          "<drive type='powertrain' full_load='brake' full_speed='0 500 700 1000' "
          "full_torque='400 300 280 100' efficiency='1' final_drive='5' "
          "converter_ratio='0 1' converter_capacity='15 30' converter_gain='2 1' "
          "governor_band='1' gears='4'/><controller type='throttle' throttle='1' brake='1'/>"};
  cli_rig_build(lab, &rig);
  cli_lab_run_to(lab, 10);
  double torque = 0;
  for (int w = 0; w < CLI_RIG_WHEELS; w++) torque += cli_lab_wheel(lab, w).torque;
  const double square = capacity * capacity;
  const double speed = 0.5 * square * (sqrt(fall * fall + 4 * top / square) - fall);
  *value = torque;
  *reference = 4 * 5 * 2 * (top - fall * speed);
}

const cliCase cli_cases_eight[CLI_CASES_EIGHT] = {
#define X(name, unit, relative, tolerance, source) \
  {"eight_" #name, unit, relative, tolerance, source, eight_##name, NULL},
    CLI_CASES_OF_EIGHT(X)
#undef X
        {"eight_stall", "N m", true, 1e-9, "gear x final drive x R(0) T, w^2/C^2 = T(w)",
         eight_stall, NULL},
};
