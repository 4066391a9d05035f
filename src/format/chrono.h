// SPDX-License-Identifier: BSD-3-Clause
//
// Wheeled vehicles of Project Chrono: a JSON file that names those of its parts (chassis,
// suspensions, steering, driveline, wheels, brakes), and a vehicle on axles that is made of them.
// Chrono's vehicle frame is rut's: x forward, y left, z up, in metres.
#ifndef RUT_FORMAT_CHRONO_H
#define RUT_FORMAT_CHRONO_H

#include "format/frames.h"
#include "format/json_nodes.h"

enum {
  RUT_CHRONO_MAX_PARTS = 128,
  RUT_CHRONO_MAX_AXLES = 8,
  RUT_CHRONO_MAX_POINTS = 64,  // of a curve
  RUT_CHRONO_PATH = 1024
};

// A part that is read: a file, or an object that stands where its name might.
typedef struct rutChronoPart {
  char path[RUT_CHRONO_PATH];
  rutJson* json;  // NULL: an object in the file of another part
  rutJsonMaker maker;
  const rutJsonValue* root;
  const char* template_name;
} rutChronoPart;

typedef struct rutChrono {
  const rutContext* context;
  rutChronoPart* part[RUT_CHRONO_MAX_PARTS];
  int parts;
  rutChronoPart* vehicle;
  // what the user gave, or what lies beside the vehicle. Nullable
  rutChronoPart *tyre, *engine, *transmission;
} rutChrono;

// ---- files (chrono_files.c) ----

// True if a text is a wheeled vehicle of Chrono.
bool rut_chrono_recognise(const char* text, size_t size);
// Begin with the text of a vehicle's file. Errors, reported: PARSE, MEMORY, MISSING. The caller
// frees it whatever is returned.
rutStatus rut_chrono_begin(rutChrono* chrono, rutSpec* spec, rutReporter* reporter,
                           const char* text, size_t size, const char* path);
void rut_chrono_free(rutChrono* chrono);
// The part that a value names, or is. `type`: what its "Type" must be. NULL with an error reported.
rutChronoPart* rut_chrono_open(rutChrono* chrono, const rutChronoPart* from,
                               const rutJsonValue* value, const char* type);
// Where a file is that a part of this vehicle names. False with `fault` filled (base/input.h).
bool rut_chrono_find(const rutChronoPart* vehicle, const char* name, char path[RUT_CHRONO_PATH],
                     int* fault);
// Files that a user named, separated by commas, seen from the file `from` (Nullable) or as a
// vehicle names its parts: tyre, engine and transmission by their types.
void rut_chrono_take_parts(rutChrono* chrono, const char* names, const char* from, rutPlace place);
// A file of one of these templates that lies beside the vehicle in ../folder, by its name; NULL if
// there is none.
rutChronoPart* rut_chrono_beside(rutChrono* chrono, const char* folder, const char* type,
                                 const char* const* templates, int n);

// ---- values (chrono_values.c) ----

// A number of an object (Nullable: object), from `least` to 1e12 in size; `otherwise` where it is
// not.
double rut_chrono_number(rutChronoPart* part, const rutJsonValue* object, const char* key,
                         double otherwise, double least);
// Three numbers; otherwise zero. False if they are not there.
bool rut_chrono_vector(rutChronoPart* part, const rutJsonValue* object, const char* key,
                       rutVec3* out);
// An object in another, NULL with an error if `needed` and not there.
const rutJsonValue* rut_chrono_object(rutChronoPart* part, const rutJsonValue* object,
                                      const char* key, bool needed);
// "Location" and "Orientation", a quaternion with its scalar first.
rutFramePose rut_chrono_pose(rutChronoPart* part, const rutJsonValue* object);
// Moments of inertia: "Moments of Inertia" and "Products of Inertia", or "Inertia".
rutSym3 rut_chrono_inertia(rutChronoPart* part, const rutJsonValue* object);

typedef struct rutChronoCurve {
  int n;
  double x[RUT_CHRONO_MAX_POINTS], y[RUT_CHRONO_MAX_POINTS];
} rutChronoCurve;

// Pairs of numbers whose first rise. False if they are not there, or wrong with an error.
bool rut_chrono_curve(rutChronoPart* part, const rutJsonValue* object, const char* key,
                      rutChronoCurve* out);
// Linear between points, straight on beyond the last ones.
double rut_chrono_curve_at(const rutChronoCurve* curve, double x);
// Set a list of pairs, each multiplied.
void rut_chrono_set_curve(rutChronoPart* part, rutNode node, const char* field,
                          const rutChronoCurve* curve, double x, double y);
rutPlace rut_chrono_place(const rutChronoPart* part, const rutJsonValue* value);

// ---- suspensions ----

// A spring and a damper between chassis and suspension, each with its ends and its force. Lengths
// [m], forces [N], positive pushing apart.
typedef struct rutChronoSpring {
  bool given;
  rutVec3 top, foot;
  double rate, free_length, preload;
  rutChronoCurve curve;      // force over elongation, pulling together, where it has points
  double shortest, longest;  // lengths at which stops begin; 0: none
} rutChronoSpring;

typedef struct rutChronoDamper {
  bool given;
  rutVec3 top, foot;
  double compression, rebound;  // [N s/m]
  // beyond these lengths, other rates; 0: everywhere the same
  double zone_short, zone_long, zone_compression, zone_rebound;
} rutChronoDamper;

typedef struct rutChronoArm {
  rutVec3 front, rear, ball, com;
  double mass;
  rutVec3 inertia;  // along the pivot axis, across it in the arm's plane, normal to both
} rutChronoArm;

typedef enum rutChronoForm {
  RUT_CHRONO_WISHBONE,  // an upright on two arms and a tie rod; springs on the lower arm
  RUT_CHRONO_REDUCED,   // the same, springs on the upright
  RUT_CHRONO_STRUT,     // MacPherson: a strut in place of the upper arm
  RUT_CHRONO_LINKS,     // upper arm, lateral and trailing link, on which the springs stand
  RUT_CHRONO_SOLID,     // an axle on four links and a track bar
  RUT_CHRONO_HINGE,     // an arm with the wheel that turns about an axis at the chassis
  RUT_CHRONO_TRAILING,  // an arm with the wheel on a ball joint at the chassis and two links
  RUT_CHRONO_STRAIGHT,  // an axle of another kind, taken to rise straight
  RUT_CHRONO_GENERIC,   // bodies and joints, whose motion is known: see `ratio`
  RUT_CHRONO_RIGID      // wheels at the chassis
} rutChronoForm;

// Changes of length per rise of the hub in the chassis.
typedef struct rutChronoRatios {
  double spring, damper;
} rutChronoRatios;

// Of an axle, in the chassis's frame, the left side.
typedef struct rutChronoSuspension {
  rutChronoForm form;
  rutChronoPart* part;
  rutVec3 hub, upright_com;
  double spindle_mass, upright_mass, axle_inertia;
  rutVec3 spindle_inertia, upright_inertia;
  rutChronoArm lower, upper;
  rutVec3 tie_inner, tie_outer;
  double tie_mass;
  // of rods and of a solid axle, per wheel: what moves with it, and what with the chassis
  double link_mass, chassis_mass;
  double strut_mass;
  double camber, toe;  // [rad]
  rutVec3 trailing_chassis, trailing_upright, lateral_chassis, lateral_upright;
  rutVec3 link_chassis[2], link_axle[2];  // of an axle or trailing arm: upper and lower one
  rutChronoSpring spring;
  rutChronoDamper damper;
  rutChronoRatios ratio;  // of RUT_CHRONO_GENERIC
} rutChronoSuspension;

// Read a suspension that stands at a point of the chassis. False after an error.
bool rut_chrono_read_suspension(rutChronoPart* part, rutVec3 at, rutChronoSuspension* out);
// What is known of one that rut has no mechanism for: its motion, springs, dampers and masses of
// links. False, with an error, if nothing tells how it moves or springs.
bool rut_chrono_read_other(rutChronoPart* part, rutVec3 at, rutChronoSuspension* out);
// The same of a GenericWheeledSuspension. False, with an error, if its joints do not tell how it
// moves.
bool rut_chrono_read_generic(rutChronoPart* part, rutVec3 at, rutChronoSuspension* out);

// Keys of the two ends of a spring or damper, the first of which is at the chassis.
typedef struct rutChronoEnds {
  const char *top, *foot;
} rutChronoEnds;

// Spring and damper of a suspension that stands at a point.
void rut_chrono_read_spring(rutChronoPart* part, const rutJsonValue* object, rutChronoEnds ends,
                            rutVec3 at, rutChronoSpring* out);
void rut_chrono_read_damper(rutChronoPart* part, const rutJsonValue* object, rutChronoEnds ends,
                            rutVec3 at, rutChronoDamper* out);
// Moments of an arm along and across its pivot axis, and normal to it. vehicle_axes: those that are
// given are in the vehicle's axes, else they are these already.
rutVec3 rut_chrono_arm_moments(const rutChronoArm* arm, rutSym3 j, bool vehicle_axes);

// Change of the lengths of spring and damper at the design position, from the velocities that the
// links allow. 0 where there is none.
rutChronoRatios rut_chrono_ratios(const rutChronoSuspension* s);
// Give a suspension whose springs stand on the upright, or a strut, the form of a wishbone that
// moves its wheel alike: see chrono_links.c. False if its links have a dead point.
bool rut_chrono_as_wishbone(rutChronoSuspension* s);

// ---- steering ----

// The linkage that moves the tie rods' inner ends.
typedef struct rutChronoSteering {
  bool given;
  rutVec3 arm, axis;  // of a Pitman arm: to its end, and about
  double rack;        // of a rack: travel per angle [m/rad]
  double most;        // largest angle of arm or pinion [rad]
  rutBodyMass mass;   // of link and arm
} rutChronoSteering;
void rut_chrono_read_steering(rutChronoPart* part, rutFramePose pose, rutChronoSteering* out);

// ---- tyres, drive ----

typedef struct rutChronoTyre {
  double radius, width, mass, section;
  rutVec3 inertia;
} rutChronoTyre;

void rut_chrono_read_tyre(rutChronoPart* part, const rutChronoPart* vehicle, rutChronoTyre* out);
// Add a <tyre> to an axle or vehicle. load: of a wheel at rest, for tyres that are guessed [N].
// Nullable: part (none is known).
void rut_chrono_make_tyre(rutChrono* chrono, rutChronoPart* part, rutNode parent, double load);

// What a drive needs to know of the vehicle.
typedef struct rutChronoTrain {
  rutChronoPart* driveline;  // Nullable
  bool front, rear;          // which end of the vehicle it drives
  double half_shaft;         // inertia at each driven wheel [kg m2]
} rutChronoTrain;
// Add a <drive>. False if the vehicle has no driveline, and gets none.
bool rut_chrono_make_drive(rutChrono* chrono, rutNode vehicle, const rutChronoTrain* train);

// ---- the vehicle ----

// Read a file into a world as one more vehicle. parts: see rut_chrono_take_parts, NULL for none,
// seen from `from`, named at `place`. Findings are reported; the first error is returned. Nullable:
// out, parts, from.
typedef struct rutChronoOrder {
  const char *text, *path, *parts, *from;
  size_t size;
  rutPlace place;
} rutChronoOrder;
rutStatus rut_chrono_add_vehicle(rutContext* context, const rutChronoOrder* order,
                                 const rutVehiclePlace* to, rutNode* out);

#endif  // RUT_FORMAT_CHRONO_H
