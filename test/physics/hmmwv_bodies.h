// SPDX-License-Identifier: BSD-3-Clause
//
// All bodies of the project's HMMWV (worlds/vehicles/hmmwv.xml) by themselves: where they are and
// how they move, from the hardpoints as they are published and loops closed by Newton's method.
// Nothing of the library's kinematics is used; from its data come the coordinates alone.
#ifndef HMMWV_BODIES_H
#define HMMWV_BODIES_H

#include "rut/rut.h"

enum { HMMWV_CORNERS = 4, HMMWV_BODIES = 1 + 4 * HMMWV_CORNERS };

// Coordinates of the mechanisms: angle of the lower arm, its rate, and spin of the wheel against
// its carrier; linkage of the steering and its rate.
typedef struct hmmwvCoordinates {
  double q[HMMWV_CORNERS], rate[HMMWV_CORNERS], spin[HMMWV_CORNERS];
  double steer, steer_rate;
} hmmwvCoordinates;
// Of the only vehicle of a world.
hmmwvCoordinates hmmwv_coordinates(const rutModel* model, const rutData* data);
// Puts the lower arm of each corner at an angle, at rest.
void hmmwv_place(const rutModel* model, rutData* data, double q);

typedef struct hmmwvBody {
  double mass;
  double position[3], velocity[3];  // of the centre of mass, world
  double momentum[3];               // angular, about its centre of mass, world
  double kinetic;
} hmmwvBody;
// Chassis, then of each corner lower arm, upper arm, upright and wheel.
void hmmwv_bodies(const rutModel* model, const rutData* data, hmmwvBody body[HMMWV_BODIES]);

typedef struct hmmwvMomentum {
  double mass, position[3];      // of all, centre of mass
  double linear[3], angular[3];  // angular about the centre of mass
  double kinetic;
} hmmwvMomentum;
hmmwvMomentum hmmwv_momentum(const rutModel* model, const rutData* data);

// A corner (front left, front right, rear left, rear right) by itself in a chassis at rest.
typedef struct hmmwvCorner {
  double inertia;              // kinetic energy is half of this times the rate squared
  double travel;               // of the hub up from the design position [m]
  double spring, spring_rate;  // length, and its change per q
  double damper, damper_rate;  // the same of the damper
  double tilt_rate;            // turning of the carrier about the wheel's axis, per q
} hmmwvCorner;
hmmwvCorner hmmwv_corner(int corner, double q, double steer);

// Force that spring and stops press with at a length of the spring, and what they hold [N], [J].
double hmmwv_spring(int corner, double length);
double hmmwv_spring_energy(int corner, double length);
// Force of the damper at a length and its rate, positive if it lengthens [N]; pulls if positive.
double hmmwv_damper(int corner, double length, double rate);
// Number of the pieces of spring, stops and damper that hold: where it stays the same, forces are
// smooth.
int hmmwv_piece(int corner, const hmmwvCorner* at, double rate);

#endif  // HMMWV_BODIES_H
