// SPDX-License-Identifier: BSD-3-Clause
//
// The hull on soil that yields: every place is a part of a plate, which bears the pressure of its
// depth and hardly springs back. What the plate drags along shears off inside the soil or slides
// over it, whichever is less; its front compacts fresh soil, and pushes it where the soil's law has
// bulldozing.
#ifndef RUT_VEHICLE_HULL_SOIL_H
#define RUT_VEHICLE_HULL_SOIL_H

#include "terrain/piece_ground.h"
#include "vehicle/batch.h"
#include "vehicle/environment.h"
#include "vehicle/hull_patch.h"

// Sums over the places in soil of one kind, in the chassis's axes as in rutHullPatch.
typedef struct rutHullSoil {
  double force[RUT_HULL_MOTIONS];
  double stiff[RUT_HULL_PAIRS];  // per depth [N/m] and so on
  double load, area;             // [N], [m2]
  double held;                   // work that a slow rise gives back [J]
  rutVec3 first;                 // sum of load times r
  double second;                 // sum of load times r . r
  double place[2], moment[3];    // of the area: sums of x, y, and of x^2, x y, y^2
  double front;                  // sum of area times what its front takes [N m]
  double cohesion, tan_phi, adhesion, tan_delta;
} rutHullSoil;

// A place in soil.
typedef struct rutHullPress {
  rutVec3 r, n, velocity;  // in the chassis's axes
  double sunk, area;       // [m], [m2]
  double slope;            // area of the hull over it
  double front;            // 1 at the front of the plate, 0 elsewhere
} rutHullPress;
// Some of one soil.
typedef struct rutHullPlaces {
  int n;                       // <= RUT_OVERLAPS
  const rutHullPress* at;      // [n]
  const rutSoilPlaces* local;  // NULL: the soil's own numbers hold
  const double* pressed;       // [n] depth to which it was pressed before [m]; NULL: untouched
} rutHullPlaces;

// On ground that keeps ruts places in soil are blocks of cells, about `spacing` wide, each of which
// remembers how deep it was pressed.
typedef struct rutHullCells {
  rutColumns columns;
  int32_t side;  // of a block, in cells
} rutHullCells;
rutHullCells rut_hull_cells(const rutEnvironment* world, double spacing);
// The chassis of a lane leaves its print where it stands: ground of `world`, which is `soft`.
void rut_hull_print(const rutEnvironment* world, const rutVehicleBatch* batch, int lane,
                    rutSoftGround* soft);

// side: the smaller one of the plate [m].
void rut_hull_soil_add(const rutSoilRecord* soil, const rutHullPlaces* places, double side,
                       rutHullSoil* p);
// The smaller side of a rectangle with the same moments of area [m].
double rut_hull_soil_side(const rutHullSoil* p);
// Largest force across the plate [N], with a front strip of this length [m].
double rut_hull_soil_drag(const rutHullSoil* p, double strip);

#endif  // RUT_VEHICLE_HULL_SOIL_H
