// SPDX-License-Identifier: BSD-3-Clause
#ifndef RUT_SIM_SPEC_SCHEMA_H
#define RUT_SIM_SPEC_SCHEMA_H

#include "rut/component.h"

// Descriptors of the plain elements of a world file (world, vehicle, wheel, block, ...). Static.
const rutComponent* const* rut_schema(int* n);

#endif  // RUT_SIM_SPEC_SCHEMA_H
