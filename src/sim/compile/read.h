// SPDX-License-Identifier: BSD-3-Clause
//
// Reading of fields that several elements share, from the spec into the draft.
#ifndef RUT_SIM_COMPILE_READ_H
#define RUT_SIM_COMPILE_READ_H

#include "sim/compile/draft.h"

// Hull of a points field with at most 16 corners. False, with an error at the node, if it is not a
// polygon.
bool rut_draft_outline(rutDraft* draft, rutNode node, const char* field, rutOutline* outline);
// Parameters of a component node. False, with an error, if there are too many.
bool rut_draft_params(rutDraft* draft, rutNode node, double param[RUT_MAX_PARAMS]);
// Component child of a kind; type NULL if the node has none.
void rut_draft_component(rutDraft* draft, rutNode parent, const char* kind,
                         rutDraftComponent* component);
// An error at the second child of a kind.
void rut_draft_check_single(rutDraft* draft, rutNode parent, const char* kind);
// An error at a field of numbers that has less or more of them than it may have.
void rut_draft_check_count(const rutDraft* draft, rutNode node, const char* field, int least,
                           int most);
// x y z roll pitch yaw of a node with the common pose fields; *has_z (Nullable) tells if z is
// given.
void rut_draft_pose(const rutDraft* draft, rutNode node, double pose[6], bool* has_z);
void rut_draft_keyframes(rutDraft* draft, rutNode node, rutList* list);
// False, with an error, if a box's limits along one axis are the wrong way round.
bool rut_draft_extent(rutDraft* draft, rutNode node, const char* low, const char* high);
// Error at the node's `inertia` if no body can have these moments (xx yy zz xy xz yz).
void rut_draft_check_tensor(rutDraft* draft, rutNode node, const double inertia[6]);
// Distance of the values of a raster file [m]: as the node or else the file says. False, with an
// error, if neither tells.
struct rutRaster;
bool rut_draft_raster_spacing(rutDraft* draft, rutNode node, const struct rutRaster* raster,
                              double* spacing);
// After an error in a map file, which may have no lines: tell where the world asks for it.
void rut_draft_map_failed(rutDraft* draft, rutNode node, const char* field, rutStatus status);
// Inertia of the drive that turns with a driven wheel, and its momentum: rutDriveType.inertia.
double rut_draft_drive_inertia(const rutDraftClass* content, double* momentum);

#endif  // RUT_SIM_COMPILE_READ_H
