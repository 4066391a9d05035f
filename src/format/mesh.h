// SPDX-License-Identifier: BSD-3-Clause
//
// Meshes (Collada .dae, .obj, .stl, .ply, .off, .glb), read by the helper program rut-import with
// the assimp library: their points, triangles and lines, and the outline of what stands between two
// heights.
// Coordinates are as assimp gives them with the transformations of the nodes applied, units
// included (it turns a Z_UP Collada file by -90 deg about x, which is why MVSim worlds have
// model_roll 90).
#ifndef RUT_FORMAT_MESH_H
#define RUT_FORMAT_MESH_H

#include "base/access.h"
#include "base/report.h"
#include "format/matrix.h"

typedef struct rutMesh {
  int points, triangles, lines;
  double* point;  // [points][3] [m]
  int* triangle;  // [triangles][3] indices of points
  int* line;      // [lines][2] indices: the segments of a wire-frame, not the edges of triangles
  int materials;  // 0: the file has none
  int* material;  // [triangles] which of them each has
  // [materials] diffuse colour and opacity as the file has them, 0 to 1. NaN where there is none. A
  // texture is multiplied by it.
  double (*colour)[4];
  float (*coordinate)[2];  // [points] in the texture, u to the right, v up; NULL: no textures
  const char** texture;    // [materials] file as the mesh names it, "*n" for image n, "" for none
  char* texture_name;      // what these point into
  int images;              // files of images in the mesh
  size_t* image_end;       // [images] in `image`, where the next one begins
  unsigned char* image;
} rutMesh;

enum {
  RUT_MESH_MAX_BYTES = 256 << 20,
  RUT_MESH_MAX_POINTS = 20000000,
  RUT_OUTLINE_MAX = 16,  // corners of an outline
};

// Time that the meshes of one world may take together, so that a world of many slow ones ends.
typedef struct rutMeshTime {
  double left;  // [s]
} rutMeshTime;
#define RUT_MESH_SECONDS 120.0

// Decode a file held in memory; the format follows from the ending of name, which also stands for
// the file in messages. No other file is opened. A helper process does it, within limits of memory
// (in proportion to the file) and time: 30 s of processor, and what is left of *time, which is
// reduced. A crash, or what exceeds them, is an error. Errors: PARSE, CAPACITY, MEMORY, IO, MISSING
// (built without assimp, or rut-import is not installed; the hint says what to do).
rutStatus rut_mesh_decode(const void* bytes, size_t size, const char* name, rutMeshTime* time,
                          rutReporter* reporter, rutMesh* out);
void rut_mesh_free(rutMesh* mesh);
// The same of a file, whose colours become linear reflectances. Of an OBJ file, its library of
// materials (.mtl) is read too, if it stands in the same folder or below. Returns what is wrong
// with the file itself, as rut_input_read; other errors are reported.
int rut_mesh_read(const rutAccess* access, const char* path, rutMeshTime* time,
                  rutReporter* reporter, rutMesh* out);

// Where a <visual> puts its model: p' = Rz(yaw) Ry(pitch) Rx(roll) (scale p) + offset.
typedef struct rutMeshPose {
  double scale;
  double offset[3];         // [m]
  double yaw, pitch, roll;  // [rad]
} rutMeshPose;
// Apply a pose to all points, in place.
void rut_mesh_transform(rutMesh* mesh, rutMeshPose pose);

typedef struct rutMeshOutline {
  int n;                              // 0 if nothing is left in the band, or it has no area
  double point[2 * RUT_OUTLINE_MAX];  // convex hull in x and y, counter-clockwise [m]
  double z_min, z_max;                // of what lies in the band [m]
} rutMeshOutline;

// Outline of the part of a mesh with z in [z_min, z_max] (triangles and lines are cut there; use
// -INFINITY and INFINITY for all), with at most RUT_OUTLINE_MAX corners: those that add the least
// area are dropped. Errors: MEMORY.
rutStatus rut_mesh_outline(const rutMesh* mesh, double z_min, double z_max, const char* name,
                           rutReporter* reporter, rutMeshOutline* out);

// Heights of a mesh on a grid.
typedef struct rutMeshHeights {
  rutMatrix height;  // row r, column c is the node at corner + spacing * (r, c); NaN: nothing there
  double corner[2], spacing;  // [m]
} rutMeshHeights;

// The highest point of a mesh at every node of a grid over its extent. Without a resolution (0) the
// grid has nodes half the mean side of a triangle apart, 64 to 1024 along each side. The caller
// frees out->height with rut_matrix_free. Where `covers` is false, air below a roof, between an
// upper side of triangles and an under side of others above it, is an error. Errors, reported at
// `place`: PARSE (no area, an overhang), CAPACITY, MEMORY.
rutStatus rut_mesh_heights(const rutMesh* mesh, double resolution, bool covers, rutPlace place,
                           rutReporter* reporter, rutMeshHeights* out);

#endif  // RUT_FORMAT_MESH_H
