// SPDX-License-Identifier: BSD-3-Clause
//
// Parts that several looks share. Meshes are in the vehicle's frame unless they say otherwise.
#ifndef RUT_APPEARANCE_PARTS_H
#define RUT_APPEARANCE_PARTS_H

#include "math/vec.h"
#include "rut/appearance.h"

// Type of vehicles without <appearance>.
#define RUT_APPEARANCE_DEFAULT "plain"

// Materials that many have.
void rut_part_paint(rutMeshBuilder* builder, const rutAppearanceIn* in, double shade);
void rut_part_black(rutMeshBuilder* builder);   // plastic, underbodies
void rut_part_metal(rutMeshBuilder* builder);   // bare steel
void rut_part_glass(rutMeshBuilder* builder);   // of windows, which sensors see through
void rut_part_canvas(rutMeshBuilder* builder);  // seats
void rut_part_lamp(rutMeshBuilder* builder);    // white glass of headlamps
void rut_part_amber(rutMeshBuilder* builder);   // of turn signals
void rut_part_red(rutMeshBuilder* builder);     // of tail lamps

// Box of given centre and sizes, with bevelled edges.
void rut_part_box(rutMeshBuilder* builder, rutVec3 centre, rutVec3 size, double bevel);
// A polygon x z, extruded along y from y[0] to y[1] in the frame (pose, scale), which is set again
// afterwards. Nullable: pose.
typedef struct rutPartFrame {
  double x, y, z, scale;
} rutPartFrame;
void rut_part_frame(rutMeshBuilder* builder, const rutPartFrame* frame);
void rut_part_slab(rutMeshBuilder* builder, const rutPartFrame* frame, int n, const double* xz,
                   const double y[2], double bevel);
// A plate through four corners, counterclockwise from outside, of a thickness inwards.
void rut_part_plate(rutMeshBuilder* builder, const rutVec3 corner[4], double thickness);
// A bar between two points.
void rut_part_bar(rutMeshBuilder* builder, rutVec3 from, rutVec3 to, double radius, int sides);
// A disc that faces x, as of a lamp.
void rut_part_disc(rutMeshBuilder* builder, const rutPartFrame* frame, rutVec3 centre,
                   double radius, double depth);

// Extent of the chassis and its wheels.
typedef struct rutPartExtent {
  double x0, x1, y0, y1;  // of the outline [m]
  double length, width, height, middle;
  double front, rear;    // x of the foremost and the rearmost axle
  double track, radius;  // largest distance and mean radius of wheels
} rutPartExtent;
rutPartExtent rut_part_extent(const rutAppearanceIn* in);

// How a wheel is made.
typedef struct rutWheelStyle {
  double rim;     // radius of the rim in parts of the wheel's
  int lugs;       // blocks of the tread around each side; 0: smooth
  double lug;     // height of them in parts of the radius
  bool grousers;  // straight bars across a rigid wheel in place of a tyre
  int spokes;     // of the rim; 0: a disc with bolts
  bool painted;   // the rim is, in the body's colour
} rutWheelStyle;
// A wheel about its centre, y as its axis, its outside away from the vehicle.
void rut_part_wheel(const rutAppearanceIn* in, int i, const rutWheelStyle* style,
                    rutMeshBuilder* builder);
// The wheel of looks that have none of their own.
void rut_appearance_wheel(const rutAppearanceIn* in, int i, rutMeshBuilder* builder);

#endif  // RUT_APPEARANCE_PARTS_H
