// SPDX-License-Identifier: BSD-3-Clause
//
// Momenta of bodies from their poses at five instants: nothing but places and attitudes is asked.
#ifndef RUT_CLI_VALIDATE_MOMENTUM_H
#define RUT_CLI_VALIDATE_MOMENTUM_H

typedef struct cliVector {
  double v[3];
} cliVector;

cliVector cli_cross(cliVector a, cliVector b);
// a + s b.
cliVector cli_add(cliVector a, double s, cliVector b);
double cli_dot(cliVector a, cliVector b);
// A vector in a body's axes, turned by a quaternion w x y z.
cliVector cli_turned(const double q[4], cliVector a);

enum { CLI_INSTANTS = 5 };
// A body: mass, moments of inertia about its centre of mass xx yy zz xy xz yz in its axes, and at
// each instant, a step apart, the place of the centre of mass and the attitude.
typedef struct cliTrack {
  double mass, inertia[6];
  cliVector place[CLI_INSTANTS];
  double quaternion[CLI_INSTANTS][4];
} cliTrack;

// Of bodies together in the middle instant: angular momentum about their centre of mass.
typedef struct cliMomenta {
  double mass, kinetic;
  cliVector centre, linear, angular;
} cliMomenta;
cliMomenta cli_momenta(int bodies, const cliTrack* track, double step);

#endif  // RUT_CLI_VALIDATE_MOMENTUM_H
