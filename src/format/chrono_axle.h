// SPDX-License-Identifier: BSD-3-Clause
//
// Axles of a vehicle of Chrono, as mechanisms or on slides.
#ifndef RUT_FORMAT_CHRONO_AXLE_H
#define RUT_FORMAT_CHRONO_AXLE_H

#include "format/chrono.h"

// What an axle of the vehicle has.
typedef struct rutChronoAxle {
  const rutJsonValue* json;
  int index;   // in the file
  rutVec3 at;  // of its suspension
  rutChronoSuspension suspension;
  int steering;         // subsystem that moves its tie rods, -1: none
  rutChronoPart* tyre;  // Nullable
  rutChronoTyre size;
  double wheel_mass;  // of rim and tyre
  rutVec3 wheel_inertia;
  double brake, anti_roll;
  bool driven;
  double settle;  // how far a slide is above its design position at rest [m]
} rutChronoAxle;

// The vehicle, as far as it is read.
typedef struct rutChronoFrame {
  rutChrono* chrono;
  int axles, steerings;
  rutChronoAxle axle[RUT_CHRONO_MAX_AXLES];
  rutChronoSteering steering[RUT_CHRONO_MAX_AXLES];
  rutBodyMass body;  // all that moves with the chassis
  double gravity;
  double max_steer;  // of the file, 0: not given
  bool mechanisms;
  double half_shaft;
} rutChronoFrame;

// Unsprung mass of a wheel without arms, and that of one on a slide [kg].
double rut_chrono_wheel_mass(const rutChronoAxle* axle);
double rut_chrono_slide_mass(const rutChronoAxle* axle);
// Where the slides of all axles are at rest.
void rut_chrono_settle(rutChronoFrame* frame);
// Add <suspension> to an axle.
void rut_chrono_make_wishbone(rutChronoFrame* frame, rutChronoAxle* axle, rutNode node);
void rut_chrono_make_slide(rutChronoFrame* frame, rutChronoAxle* axle, rutNode node);

#endif  // RUT_FORMAT_CHRONO_AXLE_H
