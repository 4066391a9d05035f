// SPDX-License-Identifier: BSD-3-Clause
//
// Controllers and actuators of a vehicle: from their elements to the class, and to the model.
#ifndef RUT_SIM_COMPILE_CONTROL_H
#define RUT_SIM_COMPILE_CONTROL_H

#include "sim/compile/draft.h"

// Read the controllers, sort them from the outermost to the one that drives, and find where their
// inputs and set points go.
void rut_draft_controllers(rutDraft* draft, rutNode vehicle, rutDraftClass* content);
// Read the actuators, once the drive is known.
void rut_draft_actuators(rutDraft* draft, rutNode vehicle, rutDraftClass* content);
// The stack of a group whose drive is attached, with a layout whose arrays are there: counts its
// numbers of state, of set points and of scratch. member: its vehicles. Rows are offsets until
// rut_place_control has added where their blocks begin.
void rut_build_control(const rutDraft* draft, const rutDraftClass* content,
                       const rutVehicleLayout* layout, const int* member, rutArena* arena,
                       rutGroup* group);
void rut_place_control(rutGroup* group);

#endif  // RUT_SIM_COMPILE_CONTROL_H
