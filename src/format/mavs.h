// SPDX-License-Identifier: BSD-3-Clause
//
// Vehicle files of MAVS (github.com/CGoodin/mavs, "RP3D" vehicles): the numbers of a file, and the
// vehicle that is made of them. What the keys mean follows MAVS's code, and its manual page
// "Creating a New Vehicle File" where the two agree.
#ifndef RUT_FORMAT_MAVS_H
#define RUT_FORMAT_MAVS_H

#include "format/json.h"
#include "rut/component.h"

enum { RUT_MAVS_MAX_AXLES = 32 };

// A number of a file.
typedef struct rutMavsNumber {
  double value;
  bool given;
  rutPlace place;  // of its key, or of the object that lacks it
} rutMavsNumber;

// Rows: member, key, value if the file gives none, least and greatest value. MAVS takes its own
// values for missing keys without a word. Length of springs and wheels [m], masses [kg], rates [N/m],
// [N s/m], angles [deg].
#define RUT_MAVS_CHASSIS(X)                         \
  X(mass, "Sprung Mass", REQUIRED, 1e-3, 1e7)       \
  X(cg_height, "CG Offset", 0.25, -100, 100)        \
  X(cg_left, "CG Lateral Offset", SILENT(0), -100, 100) \
  X(drag, "Drag Coefficient", SILENT(0.3), 0, 1e6)
#define RUT_MAVS_POWERTRAIN(X)                            \
  X(ratio, "Final Drive Ratio", 1, 1e-3, 1e3)             \
  X(torque, "Max Engine Torque", 500, 0, 1e7)             \
  X(rpm, "Max Engine Rpm", 6000, 10, 1e6)                 \
  X(brake, "Max Braking Torque", 500, 0, 1e9)             \
  X(idle, "Idle Rpm", 1000, 0, 1e6)                       \
  X(governor, "Speed Governor", SILENT(0), 1e-3, 1e3)
#define RUT_MAVS_AXLE(X)                                \
  X(x, "Longitudinal Offset", REQUIRED, -1e3, 1e3)      \
  X(track, "Track Width", 1.5, 1e-3, 1e3)               \
  X(spring, "Spring Constant", 37044, 1e-6, 1e12)       \
  X(damping, "Damping Constant", 1058.4, 0, 1e12)       \
  X(length, "Spring Length", 0.3, 0, 100)               \
  X(steer, "Max Steer Angle", SILENT(5), 0, 89)         \
  X(mass, "Unsprung Mass", 60, 1e-6, 1e6)
#define RUT_MAVS_TYRE(X)                                        \
  X(tyre, "Spring Constant", REQUIRED, 1e-3, 1e12)              \
  X(tyre_damping, "Damping Constant", SILENT(0), 0, 1e12)       \
  X(radius, "Radius", REQUIRED, 1e-3, 100)                      \
  X(width, "Width", 0.25, 0, 100)                               \
  X(section, "Section Height", 0.25, 1e-3, 100)                 \
  X(crossover, "High Slip Crossover Angle", 5, 0.01, 85)        \
  X(friction, "Viscous Friction Coefficient", SILENT(0), 0, 1e6)

#define RUT_MAVS_MEMBER(member, key, ...) rutMavsNumber member;
typedef struct rutMavsAxle {
  rutPlace place;
  bool steered, powered;
  RUT_MAVS_AXLE(RUT_MAVS_MEMBER)
  RUT_MAVS_TYRE(RUT_MAVS_MEMBER)
} rutMavsAxle;

typedef struct rutMavsVehicle {
  rutPlace place, chassis, powertrain, dimensions;
  double size[3];     // of the chassis [m]
  bool skid_steered;  // both sides have their own throttle, and no wheel turns
  RUT_MAVS_CHASSIS(RUT_MAVS_MEMBER)
  RUT_MAVS_POWERTRAIN(RUT_MAVS_MEMBER)
  int axles;
  rutMavsAxle axle[RUT_MAVS_MAX_AXLES];
  int tyre_discs;     // "Num Slices", 0 if not given
  rutPlace discs;
  double position[3], orientation[4];  // quaternion w x y z
  rutPlace pose;
  bool has_mesh;
  rutPlace mesh;
  const char* mesh_file;  // borrowed from the JSON document
  double mesh_offset[3], mesh_scale[3];
  bool x_to_y, y_to_x, y_to_z;
} rutMavsVehicle;
#undef RUT_MAVS_MEMBER

// True if a text looks like such a file.
bool rut_mavs_recognise(const char* text, size_t size);
// The numbers of a document. Findings go to the reporter; a file with errors leaves some at 0.
void rut_mavs_read(const rutJsonValue* root, const char* file, rutReporter* reporter,
                   rutMavsVehicle* out);

// Read a file into a world as one more vehicle. Nullable: vehicle_name (that of the file), out.
// Errors are reported.
rutStatus rut_mavs_add_vehicle(rutContext* context, const char* text, size_t size,
                               const char* file, rutSpec* spec, rutNode world,
                               const char* vehicle_name, rutNode* out);

#endif  // RUT_FORMAT_MAVS_H
