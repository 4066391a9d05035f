// SPDX-License-Identifier: BSD-3-Clause
//
// Meshes and solids that rays of sensors hit. A world without sensors has none: calls then keep
// nothing, so that nothing is built that nobody looks at.
#ifndef RUT_SIM_COMPILE_SCENE_H
#define RUT_SIM_COMPILE_SCENE_H

#include "geom/mesh_builder.h"
#include "sim/compile/draft.h"

// Keep a mesh, which is copied, but for triangles through which more than half of the light passes.
// Returns its index; -1 if it is not kept.
int rut_draft_mesh(rutDraft* draft, const rutMeshModel* mesh);
// Index of a solid. Equal ones are kept once.
int rut_draft_solid(rutDraft* draft, const rutSolid* solid);

// A mesh or solid in its place.
typedef struct rutDraftVisual {
  rutCarrier carrier;
  double pose[12];     // [row][4]: from its own frame to the carrier's, any regular matrix
  int vehicle;         // that it belongs to, -1: none
  rutSurface surface;  // instance; material, -1 for a mesh: those of its triangles
  int mesh, solid;     // index of one of them; -1: not this
  int semantic_class;  // of the materials of a mesh, as of rut_draft_class
  int paint;           // where these begin in the draft's list; -1: rut_draft_visual lists them
} rutDraftVisual;
// Add it, unless its mesh was not kept. The prism for which it stands is to be marked as unseen
// (rutPrismDef), or rays hit both.
void rut_draft_visual(rutDraft* draft, const rutDraftVisual* visual);
// One that stands in the world: foot x y z [m], yaw [rad], factor on its size. The caller sets mesh
// or solid, surface and class.
rutDraftVisual rut_draft_standing(const double position[3], double yaw, double scale);

// Element of a wheel of a vehicle: its own, or its axle.
rutNode rut_draft_wheel_node(const rutDraft* draft, const rutDraftVehicle* vehicle,
                             const rutDraftClass* content, int wheel);
// Rays see something else in place of the prism of a wheel, -1: of the chassis.
void rut_draft_hide(rutDraft* draft, int vehicle, int wheel);

// Wheels, links and bodies of mechanisms, but for wheels that have meshes.
void rut_draft_scene(rutDraft* draft);
void rut_draft_scene_free(rutDraft* draft);
void rut_build_scene(const rutDraft* draft, rutArena* arena, rutModel* model);

#endif  // RUT_SIM_COMPILE_SCENE_H
