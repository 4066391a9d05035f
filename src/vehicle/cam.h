// SPDX-License-Identifier: BSD-3-Clause
//
// Tandem cams (Schmeitz 2004; Pacejka, Tire and Vehicle Dynamics, 2012, 10.2): two superellipses
// (|x|/length)^order + (|z|/height)^order = 1, one in front of the hub and one behind it, stand on
// a line of ground in the plane of the wheel. They rise before a round wheel does, and stay lower
// on what is shorter than the tyre's contact.
//
// The distance of a cam from the ground is its size at which it touches: `height` times the least
// gauge of all points, so that the distance over level ground is that of the hub. Beside an
// obstacle the tyre is no longer than its round: no point is nearer than it is to the hub, but for
// the little that the feet of the cams are.
#ifndef RUT_VEHICLE_CAM_H
#define RUT_VEHICLE_CAM_H

#include "math/rut_math.h"

enum {
  RUT_CAM_REACH = 128,  // places ahead of the hub, and behind it
  RUT_CAM_PLACES = 2 * RUT_CAM_REACH + 1,
  RUT_CAM_CORNERS = 24,
  RUT_CAM_POINTS = RUT_CAM_PLACES + RUT_CAM_CORNERS
};

typedef struct rutCam {
  double radius;  // of the wheel [m]
  double length;  // half of it [m]
  double height;  // half of it [m]
  double order;
  double distance;  // of the middles of the two cams [m]
  double spacing;   // of the places at which the ground is looked at [m]
  double guard;     // by which the feet of the cams are farther from the hub than it is high [m]
  int reach;        // places to each side
} rutCam;

rutCam rut_cam_of(double radius, double length, double height, double order, double distance);
// (|u - distance/2|/length)^order of all places u, from the rear to the front: [2 reach + 1].
void rut_cam_powers(const rutCam* cam, double* power);

// A line of ground under a wheel: heights, NaN where there is none, and slopes along it at
// places that move with the wheel, from the rear to the front; then corners, which stay where they
// are in the world, at u from the hub.
typedef struct rutCamLine {
  int corners;
  double z[RUT_CAM_POINTS], slope[RUT_CAM_PLACES];
  double u[RUT_CAM_CORNERS];
} rutCamLine;

// Distance of a cam, and its change per displacement of the hub along the line and upwards.
typedef struct rutCamTouch {
  double distance, along, up;
} rutCamTouch;

typedef struct rutCamPair {
  rutCamTouch front, rear;
} rutCamPair;
// Height of the hub, and slopes of the ground at large along the line and across it: on a plane of
// these slopes the distance is that from the plane.
typedef struct rutCamPlace {
  double z, grade, bank;
} rutCamPlace;
// Without any ground the distance is infinite.
rutCamPair rut_cam_stand(const rutCam* cam, const double* power, const rutCamLine* line,
                         rutCamPlace at);

#endif  // RUT_VEHICLE_CAM_H
