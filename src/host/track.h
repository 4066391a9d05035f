// SPDX-License-Identifier: BSD-3-Clause
//
// A test track: one vehicle of a world, alone, on ground that a test builds. Trials and drawbar
// tests are made of it.
#ifndef RUT_HOST_TRACK_H
#define RUT_HOST_TRACK_H

#include "host/seat.h"
#include "rut/host.h"

enum { RUT_TRACK_WHEELS = 32 };
typedef struct rutTrack {
  rutSpec* spec;  // owned, as all that follow
  rutModel* model;
  rutData* data;
  rutMetrics* metrics;
  rutSeat seat;
  rutNode vehicle, driver, ground;  // ground: its soil. Null driver: its own controller drives
  int speed, controls;              // index of the set point speed of that controller; set points
  int wheels;
  int side[RUT_TRACK_WHEELS];  // of each wheel: 1 left, -1 right, 0 in the middle
  // of the vehicle at its design position [m]
  double front, rear;     // hubs of the first and the last axle, from the reference point
  double radius, width;   // largest wheel; largest track
  double length, across;  // of outline and wheels
  double slices;          // contact slices of its wheels
} rutTrack;

// Take a vehicle of a world; NULL or "": its first one. It loses hitch and lamps, and, where a
// driver can steer it, controllers and sensors. The spec stays as it is. Errors: MODEL (no such
// vehicle, or not on axles), MEMORY. Nullable: name, err.
rutStatus rut_track_open(const rutSpec* world, const char* name, rutTrack* track, rutError* err);
void rut_track_close(rutTrack* track);

// Ground of a test, before it begins. Each replaces the ground of the last test.
//
// Level hard ground whose friction does not fall with slip.
rutStatus rut_track_road(rutTrack* track, double friction, rutError* err);
// Level ground of a soil: a type, or a preset of Bekker's; then settings "field=value". Errors:
// ARGUMENT (no such soil, or setting).
rutStatus rut_track_soil(rutTrack* track, const char* soil, int settings,
                         const char* const* setting, rutError* err);
// A shape on it, with up to four numbers; name NULL ends them.
typedef struct rutTrackNumber {
  const char* name;
  double value;
} rutTrackNumber;
enum { RUT_TRACK_NUMBERS = 4 };
rutStatus rut_track_shape(rutTrack* track, const char* type, double x,
                          const rutTrackNumber number[RUT_TRACK_NUMBERS], rutError* err);
void rut_track_clear(rutTrack* track);  // removes all shapes

// How the vehicle drives: a manoeuvre of the driver, at a speed that it has from the start.
typedef struct rutTrackDrive {
  const char* manoeuvre;
  double speed, start;  // start: of the manoeuvre, distance and time from the start [m, s]
  double radius;        // of a circle [m]; 0: that of the driver
  bool at_rest;         // begin at rest
  bool coasts;          // nobody drives
  bool edges;           // wheels look for edges closely: they may stand on two
  double gain;          // demanded acceleration per speed error; 0: a usual driver's [1/s]
} rutTrackDrive;
// Compile the world and begin. Errors: those of rut_compile.
rutStatus rut_track_begin(rutTrack* track, const rutTrackDrive* drive, double duration,
                          rutError* err);
// One step. Errors: DIVERGED.
rutStatus rut_track_step(rutTrack* track, rutError* err);
// Free what rut_track_begin has made.
void rut_track_end(rutTrack* track);

rutVehicleState rut_track_state(const rutTrack* track);
// Weight on all wheels, and on those of a side: 1 left, -1 right; 0 both [N].
double rut_track_load(const rutTrack* track, int side);
// A metric by its name; NaN if there is none.
double rut_track_metric(const rutTrack* track, const char* name);
// Centre of mass of the chassis, from the reference point [m].
void rut_track_centre(const rutTrack* track, double centre[3]);
// Height of the centre of mass of all over the ground, on level ground [m].
double rut_track_height(const rutTrack* track);

#endif  // RUT_HOST_TRACK_H
