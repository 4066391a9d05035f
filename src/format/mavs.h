// SPDX-License-Identifier: BSD-3-Clause
//
// Vehicle files of MAVS (Mississippi State University Autonomous Vehicle Simulator, "RP3D"
// vehicles): the numbers of a file, and the vehicle that is made of them. What the keys mean
// follows MAVS's code, and its page "Creating a New Vehicle File" where the two agree.
#ifndef RUT_FORMAT_MAVS_H
#define RUT_FORMAT_MAVS_H

#include "format/json.h"
#include "format/reader.h"
#include "rut/component.h"

enum { RUT_MAVS_MAX_AXLES = 32 };

// A number of a file.
typedef struct rutMavsNumber {
  double value;
  bool given;
  rutPlace place;  // of its key, or of the object that lacks it
} rutMavsNumber;

// What becomes of a key that a file lacks: an error, MAVS's own value with a warning, or without.
typedef enum rutMavsLack { RUT_MAVS_ERROR, RUT_MAVS_WARN, RUT_MAVS_SILENT } rutMavsLack;

// Rows: member, key, what if it lacks, value then, least and greatest value. Lengths in m, masses
// in kg, rates in N/m and N s/m, angles in degrees; the masses and rates of an axle are per wheel.
#define RUT_MAVS_CHASSIS(X)                             \
  X(mass, "Sprung Mass", ERROR, 0, 1e-3, 1e7)           \
  X(cg_height, "CG Offset", WARN, 0.25, -100, 100)      \
  X(cg_left, "CG Lateral Offset", SILENT, 0, -100, 100) \
  X(drag, "Drag Coefficient", SILENT, 0.3, 0, 1e6)
#define RUT_MAVS_POWERTRAIN(X)                         \
  X(ratio, "Final Drive Ratio", WARN, 1, 1e-3, 400)    \
  X(torque, "Max Engine Torque", WARN, 500, 1e-6, 1e6) \
  X(rpm, "Max Engine Rpm", WARN, 6000, 20, 5e5)        \
  X(brake, "Max Braking Torque", WARN, 500, 0, 1e9)    \
  X(idle, "Idle Rpm", WARN, 1000, 0, 5e5)              \
  X(governor, "Speed Governor", SILENT, 0, 1e-2, 1e3)
#define RUT_MAVS_AXLE(X)                                \
  X(x, "Longitudinal Offset", ERROR, 0, -1e3, 1e3)      \
  X(track, "Track Width", WARN, 1.5, 1e-3, 1e3)         \
  X(spring, "Spring Constant", WARN, 37044, 1e-6, 1e12) \
  X(damping, "Damping Constant", WARN, 1058.4, 0, 1e12) \
  X(length, "Spring Length", WARN, 0.3, 0, 100)         \
  X(steer, "Max Steer Angle", SILENT, 5, 0, 85)         \
  X(wheel_mass, "Unsprung Mass", WARN, 60, 1e-6, 1e6)
#define RUT_MAVS_TYRE(X)                                       \
  X(tyre, "Spring Constant", ERROR, 0, 1e-3, 1e12)             \
  X(tyre_damping, "Damping Constant", SILENT, 0, 0, 1e12)      \
  X(radius, "Radius", ERROR, 0, 1e-3, 100)                     \
  X(width, "Width", WARN, 0.25, 0, 100)                        \
  X(section, "Section Height", WARN, 0.25, 1e-3, 100)          \
  X(crossover, "High Slip Crossover Angle", WARN, 5, 0.01, 85) \
  X(friction, "Viscous Friction Coefficient", SILENT, 0, 0, 1e6)

#define RUT_MAVS_MEMBER(member, key, lack, otherwise, least, greatest) rutMavsNumber member;
typedef struct rutMavsAxle {
  rutPlace place;
  bool steered, powered;
  RUT_MAVS_AXLE(RUT_MAVS_MEMBER)
  RUT_MAVS_TYRE(RUT_MAVS_MEMBER)
} rutMavsAxle;

// Mesh for the viewer, file NULL if there is none.
typedef struct rutMavsMesh {
  rutPlace place;
  const char* file;  // borrowed from the JSON document
  double offset[3], scale[3];
  bool x_to_y, y_to_x, y_to_z;
} rutMavsMesh;

typedef struct rutMavsVehicle {
  rutPlace place, chassis, powertrain, size_place, pose, discs_place;
  bool skid_steered;  // each side has its own throttle, and no wheel turns
  double size[3];     // length, width, height of the chassis
  RUT_MAVS_CHASSIS(RUT_MAVS_MEMBER)
  RUT_MAVS_POWERTRAIN(RUT_MAVS_MEMBER)
  int axles;
  rutMavsAxle axle[RUT_MAVS_MAX_AXLES];
  int discs;                           // that stand for a tyre's width, 0 if not given
  double position[3], orientation[4];  // quaternion w x y z
  rutMavsMesh mesh;
} rutMavsVehicle;
#undef RUT_MAVS_MEMBER

// True if a text looks like such a file.
bool rut_mavs_recognise(const char* text, size_t size);
// The numbers of a document. Findings, errors among them, go to the reporter. file must outlive
// out.
void rut_mavs_read(const rutJsonValue* root, const char* file, rutReporter* reporter,
                   rutMavsVehicle* out);

// Read a file into a world as one more vehicle. Findings are reported; the first error is returned.
// Nullable: out.
rutStatus rut_mavs_add_vehicle(rutContext* context, const char* text, size_t size, const char* file,
                               const rutVehiclePlace* to, rutNode* out);

#endif  // RUT_FORMAT_MAVS_H
