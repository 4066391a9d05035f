// SPDX-License-Identifier: BSD-3-Clause
//
// Where a convex piece is in the ground. The ground is columns, solid from their tops downwards:
// one at each place of a lattice that is fixed in the world, and at edges of the ground. A column
// that overlaps a piece tells how deep it is in it, by the shortest way out, which gives the
// normal: the belly's on a ridge, the front's at a post. Corners of the piece are tried as well, so
// that none digs in between columns; they leave along the ground's normal, or through an upright
// face.
//
// A depth is a continuous function of where the piece is, 0 where it begins to touch, and the area
// of each place is fixed: forces that follow from depths have a potential.
#ifndef RUT_TERRAIN_PIECE_GROUND_H
#define RUT_TERRAIN_PIECE_GROUND_H

#include "geom/polyhedron.h"
#include "terrain/ground.h"

typedef struct rutColumns {
  const rutGround* ground;
  const double* lift;  // of moving sources, as of rut_ground_surface. Nullable
  double spacing;      // of the lattice [m]
  double origin[2];    // of one of its places [m]
} rutColumns;
// Columns at most so far apart; where there is a height field its nodes are among them.
rutColumns rut_ground_columns(const rutGround* ground, const double* lift, double spacing);

// A half-space: points p with n . p <= offset, n being of unit length.
typedef struct rutHalfSpace {
  rutVec3 n;
  double offset;  // [m]
} rutHalfSpace;

// A convex piece where it is in the world, and as columns of ground see it: `low` and `side` bound
// what it covers as it moves upwards. The point (x, y, h) is in that where a column up to h at x, y
// overlaps the piece, and the least of offset - n . p is the shortest way out of the column.
//
// What moves fast is deep in the ground before it is met: it leaves through the side through which
// it came. That is one which was outside, or hardly inside, before the last step, and if there is
// none the least deep one then. In the step points p have moved by shift + turn x (p - about).
typedef struct rutPieceMotion {
  rutVec3 shift, turn, about;  // [m], [rad], [m]
} rutPieceMotion;
typedef struct rutPlacedPiece {
  rutPolyhedron at;  // in the world
  double box[6];     // x_min x_max y_min y_max z_min z_max
  int lower;         // faces that look down
  rutHalfSpace low[RUT_POLYHEDRON_FACES];
  int sides;  // upright planes around it
  rutHalfSpace side[RUT_POLYHEDRON_EDGES];
  rutPieceMotion motion;
} rutPlacedPiece;
// A point p of the piece's own axes is at axes p + at. motion is 0 afterwards.
void rut_piece_place(const rutPolyhedron* piece, const rutMat3* axes, rutVec3 at,
                     rutPlacedPiece* out);

// A place where piece and ground overlap.
typedef struct rutOverlap {
  rutVec3 at;      // [m]
  rutVec3 normal;  // unit, along which the piece leaves the ground
  double depth;    // > 0, along the normal [m]
  double area;     // that it stands for [m2]
  // Of a column: how far it stands above the piece's lower side [m], and the unit normal of that,
  // upwards. 0 for upright faces of the ground and corners of the piece.
  double sunk;
  rutVec3 floor;
} rutOverlap;
enum { RUT_OVERLAPS = 64 };  // at most, in one call of a visitor
typedef void rutOverlapVisit(void* to, int n, const rutOverlap* overlap);

// A rectangle x_min x_max y_min y_max, and a plane over it: z + slope_x x + slope_y y.
typedef struct rutGroundLid {
  double box[4];
  double z, slope_x, slope_y;
} rutGroundLid;
// Whether ground may be above a plane over a rectangle. False is certain.
bool rut_ground_is_above(const rutColumns* columns, const rutGroundLid* lid);
// Visit all places where a piece overlaps the ground, in an order that depends on their places
// only. Planes, ramps and bumps let pieces pass beneath them; height fields hold those that are not
// RUT_GROUND_THICKNESS below them.
void rut_piece_meet_ground(const rutColumns* columns, const rutPlacedPiece* piece,
                           rutOverlapVisit* visit, void* to);

#endif  // RUT_TERRAIN_PIECE_GROUND_H
