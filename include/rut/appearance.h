// SPDX-License-Identifier: BSD-3-Clause
//
// What vehicles look like: the descriptor of types that make their meshes by rule, from the same
// numbers as their motion.
#ifndef RUT_APPEARANCE_H
#define RUT_APPEARANCE_H

#include "rut/descriptor.h"
#include "rut/mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rutAppearanceWheel {
  double x, y, z;        // of its centre, vehicle frame [m]
  double radius, width;  // [m]
  bool steered;
} rutAppearanceWheel;

// A vehicle, in its frame: x forward, y left, z up.
typedef struct rutAppearanceIn {
  int corners;
  const double* outline;  // [corners][2] of the chassis, counterclockwise [m]
  double z_min, z_max;    // of the chassis [m]
  double ground;          // height of level ground on which it stands [m]
  int wheels;
  const rutAppearanceWheel* wheel;
  bool driven;               // has a controller: it is no trailer
  const rutMaterial* paint;  // of its body
} rutAppearanceIn;

typedef struct rutAppearanceType {
  rutComponent base;    // kind "appearance"
  rutMaterial paint;    // where the chassis has neither a colour nor a material of its own
  bool paints_as_host;  // then it is painted as the host likes, in place of `paint`
  // Mesh of the body, in the vehicle's frame. What is wrong goes to the builder.
  void (*body)(const void* param, const rutAppearanceIn* in, rutMeshBuilder* builder);
  // Mesh of wheel i, about its centre with y as its axis, to the left. Nullable: tyre and rim.
  void (*wheel)(const void* param, const rutAppearanceIn* in, int i, rutMeshBuilder* builder);
  // Where the driver's eyes are, in the vehicle's frame [m]. Nullable: it has no driver's seat.
  void (*eye)(const void* param, const rutAppearanceIn* in, double eye[3]);
} rutAppearanceType;

// The mesh of a vehicle of a spec: of its body (part -1), or of a wheel, counted from 0. Without
// <appearance> it is of the type "plain". paint: of a body without a colour and a material of its
// own where the type does not have its own. The caller frees the mesh. Errors: ARGUMENT (no
// vehicle, no such part), MODEL (no mesh can be made from these numbers), MEMORY.
RUT_API rutStatus rut_vehicle_mesh(const rutSpec* spec, rutNode vehicle, int part,
                                   const rutMaterial* paint, rutMeshModel* out, rutError* err);
// Hash of all that such a mesh follows from: parts of the same hash have equal meshes.
RUT_API uint64_t rut_vehicle_mesh_hash(const rutSpec* spec, rutNode vehicle, int part,
                                       const rutMaterial* paint);
// Paint that a vehicle of a world, counted from 0, has where nothing says another: linear red,
// green, blue.
RUT_API void rut_vehicle_colour(int index, double colour[3]);
// Where the driver of a vehicle has the eyes, in its frame [m]; false if it has no seat.
RUT_API bool rut_vehicle_eye(const rutSpec* spec, rutNode vehicle, double eye[3]);

#ifdef __cplusplus
}
#endif

#endif  // RUT_APPEARANCE_H
