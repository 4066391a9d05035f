// SPDX-License-Identifier: BSD-3-Clause
//
// Prisms that scenery is made of, added to a list of parts.
#ifndef RUT_SCENERY_SHAPES_H
#define RUT_SCENERY_SHAPES_H

#include "math/rut_math.h"
#include "rut/scenery.h"

// Parts of one individual.
typedef struct rutParts {
  rutSceneryPart* part;  // [RUT_SCENERY_MAX_PARTS]
  int n;
} rutParts;

// Extent in height [m], material, and whether vehicles collide with it.
typedef struct rutPartKind {
  double z_min, z_max;
  const char* material;
  bool solid;
} rutPartKind;

// A regular polygon of a circumscribed radius about (x, y) [m].
static inline void rut_part_round(rutParts* parts, int corners, double x, double y, double radius,
                                  rutPartKind kind) {
  if (parts->n == RUT_SCENERY_MAX_PARTS) return;
  rutSceneryPart* p = &parts->part[parts->n++];
  *p = (rutSceneryPart){corners, {0}, kind.z_min, kind.z_max, kind.material, kind.solid};
  for (int i = 0; i < corners; i++) {
    double s, c;
    rut_sincos(2 * RUT_PI * i / corners, &s, &c);
    p->xy[2 * i] = x + radius * c;
    p->xy[2 * i + 1] = y + radius * s;
  }
}

// A rectangle x_min, y_min, x_max, y_max [m].
static inline void rut_part_box(rutParts* parts, const double box[4], rutPartKind kind) {
  if (parts->n == RUT_SCENERY_MAX_PARTS) return;
  parts->part[parts->n++] =
      (rutSceneryPart){4,
                       {box[0], box[1], box[2], box[1], box[2], box[3], box[0], box[3]},
                       kind.z_min,
                       kind.z_max,
                       kind.material,
                       kind.solid};
}

// Feet reach this far below the ground in the middle, since the ground slopes [m].
#define RUT_FOOT 0.5

#endif  // RUT_SCENERY_SHAPES_H
