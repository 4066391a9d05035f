// SPDX-License-Identifier: BSD-3-Clause
//
// Convex pieces: polyhedra as corners, faces and edges. Bodies are made of them for contact in
// space. No function allocates.
#ifndef RUT_GEOM_PIECE_H
#define RUT_GEOM_PIECE_H

#include <stdbool.h>

#include "math/vec.h"

enum {
  RUT_PIECE_CORNERS = 32,
  RUT_PIECE_FACES = 2 * RUT_PIECE_CORNERS - 4,
  RUT_PIECE_EDGES = 3 * RUT_PIECE_CORNERS - 6
};

// A half-space: points p with n . p <= offset, n being of unit length.
typedef struct rutHalfSpace {
  rutVec3 n;
  double offset;  // [m]
} rutHalfSpace;

// In the axes of a body [m]. Faces of more than three corners are one face each.
typedef struct rutPiece {
  int corners, faces, edges;
  rutVec3 corner[RUT_PIECE_CORNERS];
  rutHalfSpace face[RUT_PIECE_FACES];
  unsigned char edge[RUT_PIECE_EDGES][4];  // its two corners, its two faces
} rutPiece;

// Prism over a convex polygon of n corners x0, y0, x1, y1, ..., counter-clockwise, between two
// heights. False, and an empty piece, if n is not between 3 and RUT_PIECE_CORNERS / 2, or it has no
// volume.
bool rut_piece_prism(int n, const double* ring, double low, double high, rutPiece* out);
// Convex hull of n points x0, y0, z0, ...; points inside it, or on its faces or edges, are left
// out. False, and an empty piece, if n is not between 4 and RUT_PIECE_CORNERS, or the points lie in
// a plane.
bool rut_piece_hull(int n, const double* point, rutPiece* out);
// The same moved by `shift`.
void rut_piece_move(rutVec3 shift, rutPiece* piece);

// Where a piece is: a point p of it is at axes p + at in the world.
typedef struct rutPiecePose {
  rutVec3 at;
  rutMat3 axes;
} rutPiecePose;

// A piece in the world.
typedef struct rutPlacedPiece {
  const rutPiece* piece;               // borrowed
  rutVec3 corner[RUT_PIECE_CORNERS];   // as of the piece
  rutHalfSpace face[RUT_PIECE_FACES];  // as of the piece
  double box[6];                       // x_min x_max y_min y_max z_min z_max
  int lower;                           // faces that look down
  rutHalfSpace low[RUT_PIECE_FACES];
  int sides;  // upright planes around it, as seen from above
  rutHalfSpace side[RUT_PIECE_EDGES + RUT_PIECE_FACES];
} rutPlacedPiece;
// `low` and `side` bound what the piece covers as it moves upwards: the point (x, y, h) is in it
// where a column of ground up to h at x, y overlaps the piece, and the least of offset - n . p is
// the shortest way on which the piece can leave the column.
void rut_piece_place(const rutPiece* piece, const rutPiecePose* pose, rutPlacedPiece* out);

#endif  // RUT_GEOM_PIECE_H
