// SPDX-License-Identifier: BSD-3-Clause
//
// Meshes made by rule, as by components that give things their looks. A builder collects points,
// triangles and materials while a world is compiled. Of what is wrong it keeps the first error,
// and ignores all that follows; whoever runs the component reports it. Lengths are in m.
#ifndef RUT_MESH_H
#define RUT_MESH_H

#include "rut/sensor.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RUT_MESH_MOST_POINTS    4000000
#define RUT_MESH_MOST_TRIANGLES 4000000
#define RUT_MESH_MOST_MATERIALS 1000
// Most corners of a polygon, points of a profile or a path, sides of a ring.
#define RUT_MESH_MOST_CORNERS 1000

typedef struct rutMeshBuilder rutMeshBuilder;

// A mesh whose triangles have materials.
typedef struct rutMeshModel {
  int points, triangles, materials;
  double (*point)[3];    // [m]
  int (*triangle)[3];    // indices of points, counterclockwise from outside
  int* material;         // [triangles] index in surface
  rutMaterial* surface;  // [materials] each differs; semantic_class is 0
  double* transmission;  // [materials] part of the light that passes, 0 to 1
} rutMeshModel;
RUT_API void rut_mesh_model_free(rutMeshModel* model);

// ---------------------------------------------------------------------------------------------
// Materials, of the triangles that follow. At first: concrete.

// The semantic class is that of the element which the mesh belongs to, whatever the material says.
RUT_API void rut_mesh_material(rutMeshBuilder* builder, const rutMaterial* material);
// A preset of <material>: "asphalt", "rubber", ... Other names are an error.
RUT_API void rut_mesh_preset(rutMeshBuilder* builder, const char* name);
// Paint or plastic: linear reflectances of red, green and blue light, the mean of which also holds
// at 905 and 1550 nm; roughness and specular as in rutMaterial.
RUT_API void rut_mesh_colour(rutMeshBuilder* builder, const double colour[3], double roughness,
                             double specular);
// Factors on what the current material reflects of red, green and blue light, as for leaves that
// are younger than others; at most 1 is reflected. Its other bands stay as they are.
RUT_API void rut_mesh_tint(rutMeshBuilder* builder, const double factor[3]);
// Part of the light that passes through the triangles that follow, 0 to 1. Rays of sensors pass
// surfaces of more than 0.5 unhindered. Materials begin at 0.
RUT_API void rut_mesh_transmission(rutMeshBuilder* builder, double transmission);

// ---------------------------------------------------------------------------------------------
// Points and triangles

// Frame of all points that follow: p' = Rz(yaw) Ry(pitch) Rx(roll) (scale p) + (x, y, z), pose
// being x y z roll pitch yaw. At first, and with a pose of NULL, that of the mesh itself.
RUT_API void rut_mesh_frame(rutMeshBuilder* builder, const double pose[6], double scale);
// Adds a point and returns its index, from 0; -1 after an error, which other functions ignore.
RUT_API int rut_mesh_vertex(rutMeshBuilder* builder, double x, double y, double z);
// Corners are counterclockwise, seen from outside. A triangle that repeats a corner is left out.
RUT_API void rut_mesh_triangle(rutMeshBuilder* builder, int a, int b, int c);
RUT_API void rut_mesh_quad(rutMeshBuilder* builder, int a, int b, int c, int d);

// All that is built so far: start of a part that is repeated.
typedef struct rutMeshMark {
  int points, triangles;
} rutMeshMark;
RUT_API rutMeshMark rut_mesh_mark(const rutMeshBuilder* builder);
// Adds a mirror image of everything after the mark: y becomes -y, in the current frame.
RUT_API void rut_mesh_mirror(rutMeshBuilder* builder, rutMeshMark from);
// Adds a copy of everything after the mark, moved as by rut_mesh_frame in the frame of the mesh.
RUT_API void rut_mesh_repeat(rutMeshBuilder* builder, rutMeshMark from, const double pose[6],
                             double scale);
// Moves everything after the mark in the same way.
RUT_API void rut_mesh_move(rutMeshBuilder* builder, rutMeshMark from, const double pose[6],
                           double scale);

// ---------------------------------------------------------------------------------------------
// Shapes. All are closed surfaces unless they say otherwise; neighbours share their points.

// From one corner to the opposite one.
RUT_API void rut_mesh_box(rutMeshBuilder* builder, const double low[3], const double high[3]);
// A box whose edges are cut off at 45 deg, `bevel` from the edge on both faces; at most 0.49 of the
// shortest side.
RUT_API void rut_mesh_bevelled_box(rutMeshBuilder* builder, const double low[3],
                                   const double high[3], double bevel);
// A polygon in the x-y plane, extruded along z. xy has n corners x y in either order, which need
// not be convex but must not cross itself.
RUT_API void rut_mesh_prism(rutMeshBuilder* builder, int n, const double* xy, double low,
                            double high);
// The same with the edges of both ends cut off at 45 deg, `bevel` deep; at most 0.49 of the height,
// and not at all where the ends, which are the polygon moved inwards by as much, would cross
// themselves.
RUT_API void rut_mesh_bevelled_prism(rutMeshBuilder* builder, int n, const double* xy,
                                     const double height[2], double bevel);
// A profile turned about the z axis in `sides` steps. profile has n points (radius, z), upwards on
// the outside. Closed if both ends have radius 0, or if it ends where it began.
RUT_API void rut_mesh_turned(rutMeshBuilder* builder, int n, const double* profile, int sides);
// Along z, its centre at the origin.
RUT_API void rut_mesh_cylinder(rutMeshBuilder* builder, double radius, double length, int sides);
// An icosahedron whose edges are divided into 2^level parts, 0 to 7, with all points on the sphere.
RUT_API void rut_mesh_sphere(rutMeshBuilder* builder, double radius, int level);
// Along a path of n points x y z, with a radius at each. Ends are flat, or pointed where the radius
// is 0. No two successive points are equal.
RUT_API void rut_mesh_tube(rutMeshBuilder* builder, int n, const double* path, const double* radius,
                           int sides);

enum {
  RUT_LOFT_RING = 1,  // the last column joins the first
  RUT_LOFT_LOOP = 2,  // the last row joins the first
  RUT_LOFT_CAPS = 4   // the first and the last row are closed, each by a fan about its mean
};
// A surface through rows x columns points [row][column] x y z, seen from outside with columns to
// the right and rows upwards. Open, unless the flags close it.
RUT_API void rut_mesh_loft(rutMeshBuilder* builder, int rows, int columns, const double* point,
                           unsigned flags);

#ifdef __cplusplus
}
#endif

#endif  // RUT_MESH_H
