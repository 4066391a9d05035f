// SPDX-License-Identifier: BSD-3-Clause
//
// Vehicle files of other programs in worlds of rut.
#ifndef RUT_FORMAT_FOREIGN_H
#define RUT_FORMAT_FOREIGN_H

#include "format/reader.h"

// A file that was read, and where it was named.
typedef struct rutForeignFile {
  const char* text;
  size_t size;
  const char* path;
  rutPlace at;
  const char* parts;  // names of files that belong to it, separated by commas, or NULL
} rutForeignFile;

// Add the vehicle of a file of MAVS, MVSim, ROS, Gazebo or Project Chrono to a world. Findings are
// reported, what is wrong with the file as a whole at file->at. False if the text is of none of
// them. Nullable: out.
bool rut_foreign_add_vehicle(rutContext* context, const rutForeignFile* file,
                             const rutVehiclePlace* to, rutNode* out);

#endif  // RUT_FORMAT_FOREIGN_H
