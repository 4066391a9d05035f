// SPDX-License-Identifier: BSD-3-Clause
//
// Bodies that several types of scenery are drawn with.
#ifndef RUT_SCENERY_BODIES_H
#define RUT_SCENERY_BODIES_H

#include <stdint.h>

#include "rut/mesh.h"

// What random numbers are for: each use has a stream of its own.
typedef enum rutDiceUse {
  RUT_DICE_TRUNK = 1,
  RUT_DICE_BRANCHES,
  RUT_DICE_CROWN,
  RUT_DICE_LAYERS,
  RUT_DICE_BUSH,
  RUT_DICE_GRASS,
  RUT_DICE_ROCK,
  RUT_DICE_PERSON,
  RUT_DICE_WATER
} rutDiceUse;

// Random numbers of a shape, each used once.
typedef struct rutDice {
  rutDiceUse use;
  uint64_t sample;  // the variant
  uint32_t next;
} rutDice;
double rut_dice(rutDice* dice, double low, double high);

// Preset of a material, its colour as bright as a factor says.
void rut_draw_material(rutMeshBuilder* builder, const char* preset, double brightness);

// An uneven ellipsoid, such as a stone or a mass of leaves.
typedef struct rutBlob {
  double centre[3], radius[3];  // [m]
  double uneven;                // share of the radius by which points lie inside it at most
  int rows, columns;
} rutBlob;
void rut_draw_blob(rutMeshBuilder* builder, const rutBlob* blob, rutDice* dice);

// A cone or cylinder between two points, with these radii.
typedef struct rutLimb {
  double from[3], to[3], radius[2];
  int sides;
} rutLimb;
void rut_draw_limb(rutMeshBuilder* builder, const rutLimb* limb);

// A profile x z of n points, extruded along y from -half to half.
void rut_draw_profile(rutMeshBuilder* builder, int n, const double* xz, double half);
// A box x_min, y_min, z_min, x_max, y_max, z_max.
void rut_draw_box(rutMeshBuilder* builder, const double box[6]);

#endif  // RUT_SCENERY_BODIES_H
