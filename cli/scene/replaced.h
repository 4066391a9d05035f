// SPDX-License-Identifier: BSD-3-Clause
//
// Which controllers of a vehicle a person takes the place of: of a blend the person and all that
// command it, else all that drive or command.
#ifndef RUT_SCENE_REPLACED_H
#define RUT_SCENE_REPLACED_H

#include "rut/rut.h"

// Name of the first that a controller of the vehicle blends, which is the person; "" where none
// blends others. Part of the spec.
const char* view_person_blended(const rutSpec* spec, rutNode vehicle);
// The outermost of those that are replaced, null if there is none.
rutNode view_replaced_outermost(const rutSpec* spec, rutNode vehicle);
// The one of them that drives from afar, null if none does.
rutNode view_replaced_afar(const rutSpec* spec, rutNode vehicle);
// The one of them that drives, so that it may do so from afar; null if there is none.
rutNode view_replaced_driver(const rutSpec* spec, rutNode vehicle);

#endif  // RUT_SCENE_REPLACED_H
