// SPDX-License-Identifier: BSD-3-Clause
//
// A truck on slides, computed a second time (twin_truck.c), for cases that compare it with rut's.
#ifndef RUT_CLI_VALIDATE_TWIN_H
#define RUT_CLI_VALIDATE_TWIN_H

#include "momentum.h"
#include "spatial.h"

enum { WHEELS = 4, SPEEDS = 6 + 2 * WHEELS };

// What is told of the truck, by the text of the world below as well.
static const double MASS = 2100, INERTIA[6] = {700, 2500, 3000, 40, 60, -30}, DRAG_AREA = 9;
static const double COM_X = 0.1, COM_Z = 0.75, BASE = 3, AHEAD = 1.5;
static const double TRACK[2] = {1.8, 1.7}, RADIUS[2] = {0.47, 0.45}, WIDTH[2] = {0.3, 0.24};
static const double HUNG[2] = {70, 55}, SPIN[2] = {11, 8}, ACROSS[2] = {6, 5}, BAR[2] = {2e4, 0};
static const double SPRING = 7e4, DAMPER = 6e3, TORQUE = 600, BRAKE = 900, PEDAL = 0.08;
static const double PULL = 3000, RAMP = 9000, HITCH[3] = {-2.5, 0.4, 0.3}, AIR = 1.225;
static const double STEER = 0.05, SLOPE[2] = {0.12, 0.07};
// Of the tyre, as Fiala has it.
static const double SLIP = 193929, CORNER = 50000, MU_MOST = 0.9835, MU_LEAST = 0.5568,
                    TRAIL = 0.318, ROLL = 0.015, STIFF = 580e3, CARCASS = 75, BEARING = 3,
                    PATCH[2] = {185004, 164448}, PATCH_TIME = 0.002;

// Rotors of motors turn GEAR times as fast as the wheels, about parallel axes on the chassis, which
// has their inertia.
static const double GEAR = 8, ROTOR = 0.03;
#define MOTORS                                                               \
  "<drive type='dc_motor' torque_constant='0.5' resistance='1e-3' gear='8' " \
  "rotor_inertia='0.03' max_current='1e6' battery_voltage='1e4' "            \
  "battery_current='1e6' coulomb_friction='1e-9' static_friction='1e-9' "    \
  "bristle_damping='0' command='wheel'/>"

// The same on other ways to look for the ground, with other drives; NULL: points, differentials. Or
// its wheels have no mass.
typedef struct cliTwinKind {
  const char *contact, *drive;
  bool massless;
  bool steers;     // slowly, from straight on
  bool light;      // rolls without resistance
  bool wishbones;  // 900 m long, in place of slides; likewise, and straight on
} cliTwinKind;
static const double STEER_RATE = 0.08, TOE = 0.1;

// Springs without preload, and friction by D B s/sqrt(1 + (B s)^2) of the slip s.
static const double SOFT = 9e4, SOFT_DAMPER = 7e3, FRICTION = 0.8, RISE = 8, RELAXATION = 0.4;

// Works of the terms of the balance.
enum { DRIVE, BRAKES, DAMPERS, BEARINGS, TYRES, SLIPS, ROLLS, AIRS, HITCHES, STEERS, WORKS };

typedef struct cliTwin {
  double place[3], attitude[4];             // of the chassis's centre of mass
  double speed[3], turn[3];                 // world
  double slide[WHEELS], rise[WHEELS];       // [m], [m/s]
  double spin[WHEELS];                      // against the chassis [rad/s]
  double patch_x[WHEELS], patch_y[WHEELS];  // deflections [m]
  double slip_work[WHEELS], tyre_work[WHEELS];
  double work[WORKS];
} cliTwin;
enum { NUMBERS = sizeof(cliTwin) / sizeof(double) };

// What does not change.
typedef struct cliTwinFixed {
  double step, time;     // of rut; of the stage
  double steer[WHEELS];  // angles
  double kick[3];        // moment of the steering on the chassis in the first step, its axes
  double rate;           // of the steering angles [rad/s]
  double bars;           // 0: it has none
  double gear;           // of rotors; 0: none
  bool massless;
  double slide[WHEELS];  // found last, of wheels without mass
  // found last: normal force, the ground's on the wheel, velocity of the hub, all in the world;
  // what tyres and their patches hold
  double load[WHEELS], elastic[WHEELS];
  double along[WHEELS], across[WHEELS], aligning[WHEELS], inclination[WHEELS], pressed[WHEELS];
  cliVector force[WHEELS], hub[WHEELS];
} cliTwinFixed;

typedef struct cliTwinEquations {
  double m[SPEEDS][SPEEDS], b[SPEEDS];
} cliTwinEquations;

// Where a wheel is, and how its patch moves.
typedef struct cliTwinPatch {
  cliVector arm, up, axis, speed;   // hub from the centre of mass, slide, axis, velocity of the hub
  cliVector n, ahead, left, lever;  // of the ground; patch from the hub
  double sine, pressed, sinks;      // depth of the tread and its rate
  double vx, vy, whole, reach;      // patch without the spin; spin in the world, rolling radius
  double slide, rise;
} cliTwinPatch;

// What the ground gives a wheel: normal force, along, across, about the normal, motion resistance;
// sliding speeds, along and across.
typedef struct cliTwinGround {
  double load, fx, fy, moment, drag, slides[2];
} cliTwinGround;

// What acts on a wheel: of the ground, of its suspension, about its axle besides the ground's.
typedef struct cliTwinPush {
  cliTwinGround ground;
  double spring, torque;
} cliTwinPush;

static inline cliVector cli_vec(double x, double y, double z) { return (cliVector){{x, y, z}}; }
static inline cliVector cli_vec_of(const double v[3]) { return cli_vec(v[0], v[1], v[2]); }
static inline cliVector cli_times(double s, cliVector a) { return cli_add(cli_vec(0, 0, 0), s, a); }
static inline cliVector cli_plus(cliVector a, cliVector b) { return cli_add(a, 1, b); }

void cli_twin_build(cliLab* lab, const char* world, cliTwinKind kind);
// The second truck as rut's stands, and what does not change in steps of `step`. gear: of rotors.
void cli_twin_start(const cliLab* lab, double step, double gear, cliTwin* t, cliTwinFixed* f);
// On wishbones wheels stand with this toe-in, unsteered, and there are no anti-roll bars.
void cli_twin_set_toe(cliTwinFixed* f);
// A step by Runge and Kutta's method.
void cli_twin_step(cliTwin* t, cliTwinFixed* f, double from, double h);

// Inertia times a vector, in the world.
cliVector cli_twin_inertia(const double q[4], const double j[6], cliVector w);
// Place of the hub from the centre of mass, in the chassis's axes; of the weight on a spring.
cliVector cli_twin_hub(int w, double slide);
double cli_twin_share(int axle);
cliTwinPatch cli_twin_patch(const cliTwin* t, const cliTwinFixed* f, int w);
// Force of a suspension, upwards on the chassis.
double cli_twin_spring(const cliTwin* t, const cliTwinFixed* f, int w, const cliTwinPatch* p);
// Add what a wheel moves, and forces on it, to the equations; or with its own forces, whose works
// go to `rate`.
void cli_twin_add_forces(const cliTwin* t, const cliTwinFixed* f, int w, const cliTwinPatch* p,
                         const cliTwinPush* push, cliTwinEquations* e);
void cli_twin_add_wheel(const cliTwin* t, cliTwinFixed* f, int w, cliTwin* rate,
                        cliTwinEquations* e);
void cli_twin_add_chassis(const cliTwin* t, const cliTwinFixed* f, cliTwin* rate,
                          cliTwinEquations* e);
// e->b gets the solution.
void cli_twin_eliminate(cliTwinEquations* e);
// A number that a wheel puts out.
double cli_twin_output(const cliLab* lab, int w, const char* name);

#endif  // RUT_CLI_VALIDATE_TWIN_H
