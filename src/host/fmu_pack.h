// SPDX-License-Identifier: BSD-3-Clause
//
// The resources of an FMU: a world and the files that it reads, in a folder of their own.
#ifndef RUT_HOST_FMU_PACK_H
#define RUT_HOST_FMU_PACK_H

#include "host/fmu_settings.h"

typedef struct rutFmuFile {
  char* real;  // absolute, without links; NULL: it was made here
  char* name;  // below the resources: "files/maps/hill.png"
} rutFmuFile;

typedef struct rutFmuPack {
  char folder[512];  // of the resources, temporary; "" before it is made
  rutFmuFile* file;
  int n, capacity;
  char token[RUT_FMU_TOKEN];
  bool failed;  // out of memory
} rutFmuPack;

// Make a temporary folder with world.xml, fmu.txt and all files that the world names or reads when
// it is compiled. *hash gets that of its model. Errors: those of rut_compile, IO, MEMORY. Free it
// in every case.
rutStatus rut_fmu_pack(const rutSpec* spec, const rutFmuChoice* choice, rutFmuPack* out,
                       uint64_t* hash, rutError* err);
// Remove the folder.
void rut_fmu_pack_free(rutFmuPack* pack);

#endif  // RUT_HOST_FMU_PACK_H
