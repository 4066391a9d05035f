// SPDX-License-Identifier: BSD-3-Clause
//
// Vehicle files of MVSim in worlds of other formats.
#ifndef RUT_FORMAT_MVSIM_H
#define RUT_FORMAT_MVSIM_H

#include "format/reader.h"
#include "rut/component.h"

// True if the first element is <vehicle:class>.
bool rut_mvsim_recognise_vehicle(const char* text, size_t size);
// Add a vehicle of the class that a file defines (of several, the last) to a world, at its origin.
// What is wrong with the file as a whole is reported at `at`. Errors: those of reading it,
// reported. Nullable: out.
rutStatus rut_mvsim_add_vehicle(rutContext* context, const char* path, rutPlace at,
                                const rutVehiclePlace* to, rutNode* out);

#endif  // RUT_FORMAT_MVSIM_H
