// SPDX-License-Identifier: BSD-3-Clause
//
// Leaves in masses: what crowns of trees and bushes are drawn with.
#ifndef RUT_SCENERY_FOLIAGE_H
#define RUT_SCENERY_FOLIAGE_H

#include "scenery/bodies.h"

// Angle between successive leaves on a stem [rad].
#define RUT_GOLDEN_ANGLE 2.399963229728653

// A spray of leaves: a rhombus from its root to its tip, folded along the line between them. 2
// triangles.
typedef struct rutSpray {
  double root[3], tip[3];  // [m]
  double side[3];          // from the line to the left corner, half the width [m]
  double fold;             // height of the line above both corners [m]
} rutSpray;
void rut_draw_spray(rutMeshBuilder* builder, const rutSpray* spray);

// A mass of leaves: sprays all over an ellipsoid, and a dark body within.
typedef struct rutFoliage {
  double centre[3], radius[3];  // [m]
  int sprays;
  double droop;      // of the sprays' tips, over their length
  const char* leaf;  // preset of <material>
} rutFoliage;
void rut_draw_foliage(rutMeshBuilder* builder, const rutFoliage* foliage, rutDice* dice);

#endif  // RUT_SCENERY_FOLIAGE_H
