// SPDX-License-Identifier: BSD-3-Clause
#ifndef RUT_SIM_SPEC_MAP_H
#define RUT_SIM_SPEC_MAP_H

#include "rut/component.h"

// Descriptors of the elements of a map file, whose root is <map>. Static.
const rutComponent* const* rut_map_schema(int* n);

#endif  // RUT_SIM_SPEC_MAP_H
