// SPDX-License-Identifier: BSD-3-Clause
//
// rut: the public API of the Rough-terrain UGV Testbed.
//
// Units are SI and radians. World frame: x east, y north, z up. Vehicle frame (ISO 8855): x
// forward, y left, z up. Quaternions are (w, x, y, z) and rotate body to world. Pointers are
// non-null unless marked Nullable. Strings are UTF-8.
//
// A world file becomes a rutSpec (an editable tree), a spec compiles to a const rutModel (flat,
// read-only, shared by any number of threads), and a rutData holds everything that changes (one per
// thread). Calls on different rutData may run in parallel.
#ifndef RUT_RUT_H
#define RUT_RUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rut/version.h"

#if defined(__GNUC__)
#define RUT_API                 __attribute__((visibility("default")))
#define RUT_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define RUT_API
#define RUT_PRINTF(text, first)
#endif

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------------------------------------
// Status and errors

#define RUT_STATUS_LIST(X)                                   \
  X(RUT_OK, 0, "success")                                    \
  X(RUT_ERR_ARGUMENT, -1, "argument is out of range")        \
  X(RUT_ERR_PARSE, -2, "file is not well formed")            \
  X(RUT_ERR_MODEL, -3, "model is inconsistent")              \
  X(RUT_ERR_MEMORY, -4, "out of memory")                     \
  X(RUT_ERR_CAPACITY, -5, "fixed capacity exceeded")         \
  X(RUT_ERR_DIVERGED, -6, "state is not finite")             \
  X(RUT_ERR_VERSION, -7, "format or ABI mismatch")           \
  X(RUT_ERR_IO, -8, "file could not be read or written")     \
  X(RUT_ERR_MISSING, -9, "an optional part is not built in") \
  X(RUT_ERR_STOPPED, -10, "stopped from outside")

#define X(name, value, text) name = value,
typedef enum rutStatus { RUT_STATUS_LIST(X) } rutStatus;
#undef X

// The first error of a call. Lines and columns count from 1; 0 means unknown.
typedef struct rutError {
  rutStatus status;
  int line, column;
  char file[256];     // file in which the error stands, or ""
  char element[96];   // element concerned, such as "<wheel name='l'>", or ""
  char message[512];  // what is wrong, and what would be right
} rutError;

typedef enum rutLevel { RUT_NOTE, RUT_WARNING, RUT_ERROR } rutLevel;

// One finding while a file is read or a spec is compiled. Strings are valid during the call only.
typedef struct rutDiagnostic {
  rutLevel level;
  const char* file;
  int line, column;
  const char* element;
  const char* message;
  const char* hint;  // suggestion ("did you mean 'mass'?"), or ""
  bool quotable;     // lines of the file may be shown, since the world may read it
                     // (rut_context_allow_dir)
} rutDiagnostic;

// English text for a status. Static storage.
RUT_API const char* rut_status_text(rutStatus status);
// Library version, major*1000000 + minor*1000 + patch. Compare with RUT_VERSION.
RUT_API int rut_version(void);

// ---------------------------------------------------------------------------------------------
// Context: host services and the registry of component types

typedef struct rutContext rutContext;
typedef struct rutComponent rutComponent;  // rut/component.h

typedef struct rutContextDef {
  size_t struct_size;                                     // set by rut_default_context
  void* (*alloc)(size_t size, size_t align, void* user);  // align is a power of two, up to 64
  void (*free)(void* ptr, void* user);
  void (*report)(const rutDiagnostic* finding, void* user);  // Nullable: findings are dropped
  void* user;
  int workers;    // threads that rut_step may use; 1 means the caller's only
  uint64_t seed;  // seed of the expressions rand() and randn() in world files
} rutContextDef;

// Definition with libc allocation, no report, one worker, seed 0.
RUT_API rutContextDef rut_default_context(void);
// Create a context. The caller owns *out. Errors: MEMORY, VERSION. Nullable: def, err.
RUT_API rutStatus rut_context_create(const rutContextDef* def, rutContext** out, rutError* err);
// Destroy a context; its specs, models and data must be gone. Nullable: context.
RUT_API void rut_context_destroy(rutContext* context);
// Allow worlds to read files in a folder and below. By default a world, and every file that it
// names, may read its own folder and below; if that lies in a folder called "worlds", all of this
// one; and a world of MVSim also "definitions" and "models" beside its folder. Links are resolved
// first; hidden files and folders are excluded. Other files are an error, RUT_ERR_IO. Specs made
// with rut_spec_create may name any file. Errors: IO (no such folder), MEMORY. Nullable: err.
RUT_API rutStatus rut_context_allow_dir(rutContext* context, const char* folder, rutError* err);
// Let worlds read files in a folder and below, as rut_context_allow_dir does, and look there for
// files that they name by a URI (https://, package://, model://), since rut fetches none, and for
// those that are not where they say. They are found by the tail of their names, the longest first:
// https://host/a/b.zip/c/d.stl is a/b.zip/c/d.stl in a folder of models, else b.zip/c/d.stl,
// c/d.stl, d.stl; b or b.out may stand for b.zip, unpacked. Folders are searched in the order in
// which they were added. Errors: IO (no such folder), MEMORY. Nullable: err.
RUT_API rutStatus rut_context_add_models(rutContext* context, const char* folder, rutError* err);
// Allow worlds to read an environment variable, by $env{NAME} or ${NAME}. By default they may read
// RUT_* and MVSIM_*. Errors: MEMORY. Nullable: err.
RUT_API rutStatus rut_context_allow_env(rutContext* context, const char* name, rutError* err);
// Let worlds name files whose code is run when they are, such as FMUs that drive: it has all rights
// of the user, so that a world which names one is an error otherwise.
RUT_API void rut_context_allow_code(rutContext* context);
// True if a file that still exists was read with this context: a world, a file that it names, or
// one from rut_context_note_input. Outputs should not replace it.
RUT_API bool rut_context_has_read(const rutContext* context, const char* path);
// Add a file to those that were read.
RUT_API void rut_context_note_input(rutContext* context, const char* path);
// Have a function told of every file that is read from now on, by its absolute name without links,
// each time that it is read. It must not read files itself. Nullable: note (nobody is told).
RUT_API void rut_context_on_read(rutContext* context, void (*note)(const char* path, void* user),
                                 void* user);
// Have worlds that are compiled from now on keep the images on their ground for rut_ground_images
// (rut/look.h), also where no camera sees them. Nothing else of a model depends on it.
RUT_API void rut_context_show_ground(rutContext* context);
// Add an external component type, which must outlive the context. Errors: VERSION, ARGUMENT.
RUT_API rutStatus rut_register(rutContext* context, const rutComponent* type, rutError* err);
// Value of an expression as in world files, in n numbers with names. Errors: PARSE (with the place
// of the fault in the message; also where the result is not finite). Nullable: name and value if n
// is 0, err.
RUT_API rutStatus rut_expression(const char* expression, int n, const char* const* name,
                                 const double* value, double* out, rutError* err);
// Number of registered component types, and the one at an index in [0, count).
RUT_API int rut_component_count(const rutContext* context);
RUT_API const rutComponent* rut_component_at(const rutContext* context, int index);

// ---------------------------------------------------------------------------------------------
// Spec: the editable tree

typedef struct rutSpec rutSpec;

// Handle of a node in a spec. Zero is null. A handle goes stale when its node is removed.
typedef struct rutNode {
  int32_t index;
  uint32_t generation;
} rutNode;

// Place in a file that a node or field came from, for messages.
typedef struct rutPlace {
  const char* file;  // "" or NULL when unknown
  int line, column;
} rutPlace;

// Empty spec with a root node of kind "world". The caller owns *out. Errors: MEMORY.
RUT_API rutStatus rut_spec_create(rutContext* context, rutSpec** out, rutError* err);
// Read a world file; the format is recognised by content. Findings go to the context's report; err
// gets the first error. Nullable: err.
RUT_API rutStatus rut_spec_load(rutContext* context, const char* path, rutSpec** out,
                                rutError* err);
// The same from memory; name is the file in messages and the base of relative file names.
RUT_API rutStatus rut_spec_parse(rutContext* context, const char* text, size_t size,
                                 const char* name, rutSpec** out, rutError* err);
// A file in memory.
typedef struct rutText {
  const char* text;  // need not be zero-terminated
  size_t size;
  const char* name;  // as in rut_spec_parse
} rutText;
// The same of another kind of file that rows describe, such as "study" (rut/study.h): the first
// element and the root have that kind. Errors: also ARGUMENT (no such kind of file).
RUT_API rutStatus rut_spec_load_as(rutContext* context, const char* kind, const char* path,
                                   rutSpec** out, rutError* err);
RUT_API rutStatus rut_spec_parse_as(rutContext* context, const char* kind, const rutText* text,
                                    rutSpec** out, rutError* err);
// True if expressions of the file drew random numbers, so that a context with another seed reads
// another spec.
RUT_API bool rut_spec_is_random(const rutSpec* spec);
// Write native XML that compiles to a bit-identical model when it is read again. Errors: IO.
RUT_API rutStatus rut_spec_save(const rutSpec* spec, const char* path, rutError* err);
// The text that rut_spec_save would write to path, zero-terminated; no file is written. File names
// in it are relative to the folder of path. The caller owns *text and frees it with free(); *size
// gets its length. Errors: MEMORY, PARSE (the spec holds what XML cannot). Nullable: err.
RUT_API rutStatus rut_spec_write(const rutSpec* spec, const char* path, char** text, size_t* size,
                                 rutError* err);
// A spec with the same content that may read the same files. The caller owns *out. Errors: MEMORY.
// Nullable: err.
RUT_API rutStatus rut_spec_copy(const rutSpec* spec, rutSpec** out, rutError* err);
// Read a file that a world names, within the limits of rut_context_allow_dir and of at most `limit`
// bytes. *bytes is zero-terminated; the caller owns it and frees it with free(). Errors: IO (not
// allowed, not a regular file, too large), MEMORY. Nullable: err.
RUT_API rutStatus rut_spec_read_file(const rutSpec* spec, const char* path, size_t limit,
                                     void** bytes, size_t* size, rutError* err);
RUT_API void rut_spec_destroy(rutSpec* spec);

// Context in which the spec was made, not const: rut_compile allocates and reports there.
RUT_API rutContext* rut_spec_context(const rutSpec* spec);
// Root node, of kind "world".
RUT_API rutNode rut_spec_root(const rutSpec* spec);
RUT_API bool rut_node_is_null(rutNode node);
// Add a child such as ("tyre", "coulomb", ""). type and name may be "". Returns the null node, with
// err filled, if the kind or type is unknown or not allowed there. Nullable: err.
RUT_API rutNode rut_spec_add(rutSpec* spec, rutNode parent, const char* kind, const char* type,
                             const char* name, rutError* err);
// Remove a node and its descendants.
RUT_API void rut_spec_remove(rutSpec* spec, rutNode node);
// Set the place of a node (field NULL) or of one of its fields. The file name is copied.
RUT_API void rut_node_place(rutSpec* spec, rutNode node, const char* field, rutPlace place);
RUT_API rutPlace rut_node_place_of(const rutSpec* spec, rutNode node, const char* field);
// Kind ("wheel"), component type or "", and name or "". Valid while the node lives.
RUT_API const char* rut_node_kind(const rutSpec* spec, rutNode node);
RUT_API const char* rut_node_type(const rutSpec* spec, rutNode node);
RUT_API const char* rut_node_name(const rutSpec* spec, rutNode node);
RUT_API const rutComponent* rut_node_component(const rutSpec* spec, rutNode node);
// First child and next sibling, of one kind if kind is given. Nullable: kind.
RUT_API rutNode rut_node_first(const rutSpec* spec, rutNode parent, const char* kind);
RUT_API rutNode rut_node_next(const rutSpec* spec, rutNode node, const char* kind);
RUT_API rutNode rut_node_parent(const rutSpec* spec, rutNode node);
// Node by path, "r1/wheel[0]" or "r1/l": names or kind[index] from the root. Null node if none.
RUT_API rutNode rut_spec_find(const rutSpec* spec, const char* path);

// Set a field from text as in a file ("12 deg", "0.5 m", "true"). The unit must match. "preset" is
// not a field, but set and read like one: the preset fills fields that were not set.
RUT_API rutStatus rut_node_set(rutSpec* spec, rutNode node, const char* field, const char* text,
                               rutError* err);
// Set a field by path, "r1/wheel[0].radius" or "r1/tyre.friction".
RUT_API rutStatus rut_spec_set(rutSpec* spec, const char* path, const char* text, rutError* err);
// Set numbers [SI] of a real, integer, boolean, vector or points field.
RUT_API rutStatus rut_node_set_numbers(rutSpec* spec, rutNode node, const char* field, int n,
                                       const double* value, rutError* err);
RUT_API rutStatus rut_node_set_number(rutSpec* spec, rutNode node, const char* field, double value,
                                      rutError* err);
// True if the field was set, or comes from a preset; false if it has its default.
RUT_API bool rut_node_has(const rutSpec* spec, rutNode node, const char* field);
// Value or default of a scalar field [SI]; a choice gives its index. NaN for an unknown field.
RUT_API double rut_node_number(const rutSpec* spec, rutNode node, const char* field);
// Values or default of a vector or points field [SI]; *n gets the count (points: 2 per point).
RUT_API const double* rut_node_numbers(const rutSpec* spec, rutNode node, const char* field,
                                       int* n);
// Text of a text or choice field, or its default. "" for an unknown field.
RUT_API const char* rut_node_text(const rutSpec* spec, rutNode node, const char* field);

// ---------------------------------------------------------------------------------------------
// Model: the compiled world

typedef struct rutModel rutModel;

// Check and compile a spec. The model keeps no pointer into it; all sizes are fixed from here on.
RUT_API rutStatus rut_compile(const rutSpec* spec, rutModel** out, rutError* err);
RUT_API void rut_model_destroy(rutModel* model);
// Context of the spec that it was compiled from.
RUT_API const rutContext* rut_model_context(const rutModel* model);
// Bytes of the model's one allocation, and of the one allocation of a rutData made from it.
RUT_API size_t rut_model_size(const rutModel* model);
RUT_API size_t rut_data_size(const rutModel* model);
// Hash of everything in the model; equal for bit-identical models.
RUT_API uint64_t rut_model_hash(const rutModel* model);
// Fixed step [s].
RUT_API double rut_model_timestep(const rutModel* model);

typedef enum rutKind {
  RUT_VEHICLE,
  RUT_WHEEL,
  RUT_BLOCK,
  RUT_SENSOR,
  RUT_JOINT,
  RUT_MECHANISM,
  RUT_SOIL,
  RUT_WORLD,  // one, without a name
  RUT_KIND_COUNT
} rutKind;

// Number of elements of a kind. Wheels are counted over all vehicles, in vehicle order.
RUT_API int rut_count(const rutModel* model, rutKind kind);
// Index of a named element, -1 if none. Wheels are named "vehicle/wheel".
RUT_API int rut_find(const rutModel* model, rutKind kind, const char* name);
RUT_API const char* rut_name(const rutModel* model, rutKind kind, int index);

// Number type of a variable's elements.
typedef enum rutNumberType { RUT_F64, RUT_F32, RUT_U8, RUT_U16, RUT_I32 } rutNumberType;
enum { RUT_MAX_DIMENSIONS = 3 };

// Role of a variable: output of its element, set point given to it, or state that it keeps from
// step to step.
typedef enum rutRole { RUT_OUTPUT, RUT_COMMAND, RUT_STATE, RUT_ROLE_COUNT } rutRole;

// How often programs that read all variables, such as logs, should read one.
typedef enum rutReading {
  RUT_READ_ALWAYS,
  RUT_READ_RARELY,     // a few times a second: it is slow to compute
  RUT_READ_ON_REQUEST  // only on request
} rutReading;

// A number or an array with a name. Strings are borrowed from the model.
typedef struct rutVariableInfo {
  const char *name, *unit;  // SI, "" for ratios, counts and flags
  const char* frame;  // axes of a vector or origin of an angle: "world", "vehicle", ...; or ""
  const char* doc;    // one sentence
  const char* part;   // part of the element ("drive", "ruts"), "" for the element itself
  rutNumberType type;
  int dimensions;                // 0 for one number
  int size[RUT_MAX_DIMENSIONS];  // of each dimension, row-major
  int count;                     // numbers in all
  // Variables of an element and role with the same number here are computed together and are
  // adjacent: read them by one rut_variables_read.
  int set;
  rutReading reading;
  bool output;  // a state that is also an output
} rutVariableInfo;

// Constants of one vehicle. Strings are borrowed from the model.
typedef struct rutVehicleInfo {
  // Component type names, "" if none. tyre is "" for vehicles on axles, which have one per axle.
  const char *name, *tyre, *drive, *controller;
  int first_wheel, wheels;    // its wheels in the order of RUT_WHEEL
  int commands;               // length of rut_command
  const char* command_names;  // space separated: "speed steer"; see rut_variable
  double mass;                // all of it, less massless wheels [kg]
} rutVehicleInfo;
RUT_API rutVehicleInfo rut_vehicle_info(const rutModel* model, int vehicle);

// What a sample is as a whole: which outputs the sensor has, by name. Logs write samples of a form
// as its ROS 2 message, and further outputs beside it.
typedef enum rutSensorForm {
  RUT_FORM_NUMBERS,         // numbers without further meaning
  RUT_FORM_PLANAR_SCAN,     // first output "range", the ranges of a fan: see rutScanGeometry
  RUT_FORM_IMU,             // "angular_velocity" [rad/s], "specific_force" [m/s2], each x y z;
                            // optional or empty: "orientation", w x y z, to the world's axes
  RUT_FORM_MAGNETIC_FIELD,  // "magnetic_field" [T], x y z
  RUT_FORM_FLUID_PRESSURE,  // "pressure" [Pa], absolute
  // Returns of beams: "range" [m] (negative: none), "x", "y", "z" [m], "intensity",
  // "return_number", each [return][channel][column]; "time" [s] [channel][column]; "ring"
  // [channel]; optional or empty: "class", "instance", as of an image, like "range". See rut doc
  // lidar.
  RUT_FORM_POINT_CLOUD,
  RUT_FORM_NAV_SAT_FIX,  // "latitude", "longitude" [rad], "altitude" [m]; "standard_deviation"
                         // [m], east north up; "fix": none, single, DGPS, RTK float, fixed
  RUT_FORM_RANGE,        // "range" [m], -1 without an echo
  // Images, each [row][column], of which the first is [row][column][3]: "colour" (sRGB), "depth"
  // [m], "class", "instance", -1 where nothing is seen. See rutCameraGeometry.
  RUT_FORM_IMAGE,
  // Detections of a radar: "range" [m] (-1: none), "azimuth", "elevation" [rad], "range_rate"
  // [m/s], "rcs" [m2], "snr", each [detection].
  RUT_FORM_RADAR,
  // Of each wheel of its vehicle, those that the sensor has: "angle" [rad], "speed" [rad/s],
  // "steer" [rad], "steer_rate" [rad/s], "torque" [N m].
  RUT_FORM_JOINTS,
  // "voltage" [V], "current" drawn [A], "state_of_charge" [-] of a battery.
  RUT_FORM_BATTERY,
  RUT_FORM_COUNT
} rutSensorForm;

typedef struct rutSensorInfo {
  const char *name, *type;
  int vehicle;  // that it is on, or -1 for the world
  int outputs;  // see rut_variable
  int size;     // numbers in one sample, of all outputs
  rutSensorForm form;
  double period, phase, latency;  // [s]
} rutSensorInfo;
RUT_API rutSensorInfo rut_sensor_info(const rutModel* model, int sensor);
// Parameter of a sensor by the name of its field, in SI units: a number, a flag, or the index of a
// choice. NaN if there is none of that name, and for texts and lists.
RUT_API double rut_sensor_parameter(const rutModel* model, int sensor, const char* field);

// Variables of an element in a role: their number, and the one at an index in [0, count), else one
// with empty strings. Vehicles, wheels, moving blocks, mechanisms, sensors and the world have
// outputs; those of a vehicle's drive and controllers follow its own. Commands are the set points
// of a vehicle in the order of rut_command. States of a vehicle are those of its drive, controllers
// and tyres (all wheels); `part` says which.
RUT_API int rut_variables(const rutModel* model, rutKind kind, int index, rutRole role);
RUT_API rutVariableInfo rut_variable(const rutModel* model, rutKind kind, int index, rutRole role,
                                     int variable);

// ---------------------------------------------------------------------------------------------
// Data: everything that changes

typedef struct rutData rutData;

// Functions of a model and data require the model that the data was made from. With any other,
// those that return a status return RUT_ERR_ARGUMENT; the rest do nothing and return what they
// return for an index out of range: zeros, NULL, NaN.

// Allocate data for a model and reset it with seed 0. NULL if out of memory.
RUT_API rutData* rut_data_create(const rutModel* model);
// Return to the initial state, with noise streams from seed. Never allocates.
RUT_API void rut_data_reset(const rutModel* model, rutData* data, uint64_t seed);
RUT_API void rut_data_destroy(rutData* data);
// Advance by one fixed step. Never allocates. Errors: DIVERGED (data keeps the last finite state).
RUT_API rutStatus rut_step(const rutModel* model, rutData* data, rutError* err);
// Simulated time [s] and number of completed steps.
RUT_API double rut_time(const rutData* data);
RUT_API int64_t rut_steps(const rutData* data);

// Set the first n of rutVehicleInfo.commands set points of a vehicle, in the order of command_names
// [SI], positive forward. They hold until changed. Errors: ARGUMENT (too many, or not finite; none
// is set).
RUT_API rutStatus rut_command(const rutModel* model, rutData* data, int vehicle, int n,
                              const double* command);
// The course of the first n set points through the coming step alone: what they are in its middle
// and at its end, each in the order of command_names; rut_command has those of its start. Between
// the three they follow a parabola, and so the steering, torques and brakes that a Runge-Kutta step
// evaluates within the step: it is of fourth order for smooth courses, and of first order where set
// points hold. Errors: ARGUMENT (as rut_command), MODEL (steps evaluate once, the vehicle is not on
// axles, or its set points pass through states, delays, actuators or other controllers; they hold).
RUT_API rutStatus rut_command_course(const rutModel* model, rutData* data, int vehicle, int n,
                                     const double* middle, const double* end);
// Present set points: up to n of them in out. Returns their number, rutVehicleInfo.commands, or 0
// if there is no such vehicle. Nullable: out if n is 0.
RUT_API int rut_command_state(const rutModel* model, const rutData* data, int vehicle, int n,
                              double* out);

// Give the torques [N m] of all n wheels of a vehicle, in their order, positive forward, to a drive
// that has none of its own: <drive type="fmu">, or another whose first state is RUT_HELD_TORQUE.
// They hold until changed; wheels that are not driven take none. Errors: MODEL (another drive),
// ARGUMENT (no such vehicle, another number of wheels, or not finite; none is set).
RUT_API rutStatus rut_hold_torques(const rutModel* model, rutData* data, int vehicle, int n,
                                   const double* torque);

// Packets that are late, lost, or overtaken, as those of a <teleoperation>: a packet arrives after
// latency + u jitter, u uniform in (0, 1), to the nearest step.
typedef struct rutPackets {
  double latency, jitter;  // [s]
  double loss;             // probability that one is lost
  double rate;             // packets per second; 0: one at every step
} rutPackets;
// Packets to one who watches a vehicle from afar: the number of steps made when the packet arrives
// that is sent after `step` steps. -1: it is lost, none is sent then, or it is late by more than
// 2^30 steps or less than none. A function of seed, vehicle, packets and step alone, with random
// numbers of its own: nothing of the run changes. There may be no vehicle of this number.
RUT_API int64_t rut_packet_arrival(const rutModel* model, const rutData* data, int vehicle,
                                   const rutPackets* packets, int64_t step);

// State of one vehicle at its reference point. Velocities are in the vehicle frame.
typedef struct rutVehicleState {
  double position[3];           // world [m]
  double roll, pitch, yaw;      // intrinsic z-y-x [rad]; pitch is positive nose down (ISO 8855)
  double velocity[3];           // [m/s]
  double rate[3];               // [rad/s]
  double com_velocity[3];       // of the centre of mass (chassis's on axles), world frame [m/s]
  double odometry[3];           // wheel odometry pose x [m], y [m], yaw [rad]
  double odometry_velocity[2];  // speed [m/s] and yaw rate [rad/s] from the wheels
  bool collision;               // in contact in the last step
} rutVehicleState;
RUT_API rutVehicleState rut_vehicle_state(const rutModel* model, const rutData* data, int vehicle);

// Motion of a frame. Vectors are in its own axes, positions in the world.
typedef struct rutMotion {
  double position[3];              // of its origin, world [m]
  double attitude[4];              // quaternion w x y z, from its own axes to the world's
  double velocity[3];              // of its origin [m/s]
  double angular_velocity[3];      // [rad/s]
  double proper_acceleration[3];   // acceleration of its origin less gravity: g up at rest [m/s2]
  double angular_acceleration[3];  // [rad/s2]
} rutMotion;

// Motion of a frame fixed to a vehicle at mount, x y z [m] and roll pitch yaw [rad] from its
// reference point. Accelerations are the mean of the last step. False, and at rest, if there is no
// such vehicle. Nullable: mount (the reference point).
RUT_API bool rut_motion(const rutModel* model, const rutData* data, int vehicle,
                        const double mount[6], rutMotion* out);

// State of one wheel. Forces are those of the last step, velocities those at its start.
typedef struct rutWheelState {
  double steer, angle, speed;  // [rad], [rad], [rad/s]; positive speed rolls forward
  double torque;               // from the drive [N m]
  double load;                 // normal force [N]
  double hub_velocity[2];      // vehicle frame, x and y [m/s]
  double force[2];             // on the vehicle, vehicle frame, x and y [N]
  double slip[2];              // longitudinal ratio [-] and lateral angle [rad]; 0 below 1 mm/s
  double travel;               // of the hub up in the chassis from the design position [m]
  double deflection;           // of the tyre [m]
} rutWheelState;
RUT_API rutWheelState rut_wheel_state(const rutModel* model, const rutData* data, int wheel);

// A joint of a vehicle, as models of robots have them: spin of a wheel, its steering if it steers,
// and on axles its travel up in the chassis.
typedef struct rutJointState {
  int wheel;         // of all wheels
  const char* part;  // "wheel", "steering" or "suspension"
  double position;  // [rad] or, of a suspension, [m]; spin is positive rolling forward, steering to
                    // the left
  double velocity;  // [rad/s] or [m/s]; of steering the mean of the last step
  double effort;    // of a wheel the torque of the drive [N m]; NaN of others
} rutJointState;
// Up to n joints of a vehicle, wheel by wheel. Returns their number, always the same. Nullable:
// data (numbers are then NaN), and out if n is 0.
RUT_API int rut_vehicle_joints(const rutModel* model, const rutData* data, int vehicle, int n,
                               rutJointState* out);

// Pose of a wheel for display, world frame. The force is that of the last step.
typedef struct rutWheelPose {
  double position[3];    // of the centre [m]
  double quaternion[4];  // w x y z, with steer, camber and wheel angle; y is its axis
  double contact[3];     // point of the undeformed tread nearest to the ground [m]
  double force[3];       // of the ground on the wheel [N]
  double sinkage;        // of its lowest point below the undisturbed soil [m]
  bool touches;
} rutWheelPose;
RUT_API rutWheelPose rut_wheel_pose(const rutModel* model, const rutData* data, int wheel);

// A straight link of a suspension, for display: its ends in the world [m].
typedef struct rutLink {
  const char* name;  // "lower arm", "tie rod", "spring"
  double from[3], to[3];
} rutLink;
// Up to n links of a wheel. Returns their number, always the same, 0 for wheels without links.
// Nullable: data and out if n is 0.
RUT_API int rut_suspension_links(const rutModel* model, const rutData* data, int wheel, int n,
                                 rutLink* out);

// Kinematics of a wheel on a mechanism at a coordinate of its suspension and a share of full lock.
typedef struct rutSuspensionPoint {
  double coordinate;        // of the mechanism (double_wishbone: the lower arm's angle [rad])
  double travel;            // of the hub up from the design position [m]
  double forward, outward;  // displacement of the hub from there, forward and outboard [m]
  double toe, camber;       // [rad], toe-in and top outboard positive
  double motion_ratio;      // change of spring length per travel
  double force;             // vertical force on the wheel that balances springs and stops [N]
  double rate;              // wheel rate: change of that force per travel [N/m]
} rutSuspensionPoint;
// False if this wheel of the vehicle is not on a mechanism.
RUT_API bool rut_suspension_point(const rutModel* model, int vehicle, int wheel, double coordinate,
                                  double steering, rutSuspensionPoint* out);
// Coordinates of the mechanism: least, under the static load, greatest.
RUT_API bool rut_suspension_range(const rutModel* model, int vehicle, int wheel, double range[3]);

typedef struct rutSoilInfo {
  const char *name, *type;  // borrowed from the model
  bool deformable;          // wheels sink into it and leave ruts
} rutSoilInfo;
// A <soil> of the world, in the order of RUT_SOIL. Empty strings if there is none.
RUT_API rutSoilInfo rut_soil_info(const rutModel* model, int soil);

// What takes a wheel, or a vehicle, out of the range in which the laws of deformable soil hold:
// bits of a mask in this order.
#define RUT_SOIL_LIMIT_LIST(X)                                                                \
  X(deep, "sunk by more than half the wheel's radius: pressures of plates do not hold there") \
  X(buried, "sunk by the wheel's radius or more: there is no law for that")                   \
  X(pressure, "more pressure than in the soil's plate tests")                                 \
  X(sinkage, "deeper than in the soil's plate tests")                                         \
  X(hull, "the ground carries the chassis by a tenth of the weight or more")
#define X(name, doc) RUT_SOIL_LIMIT_##name,
typedef enum rutSoilLimit { RUT_SOIL_LIMIT_LIST(X) RUT_SOIL_LIMIT_COUNT } rutSoilLimit;
#undef X
// Its name ("deep"), and what it means. "" if there is none.
RUT_API const char* rut_soil_limit_name(rutSoilLimit limit);
RUT_API const char* rut_soil_limit_doc(rutSoilLimit limit);

// A wheel in deformable soil, of the last step.
typedef struct rutSoilContact {
  int soil;         // of RUT_SOIL; -1: it is in none
  double sinkage;   // of its lowest point below the untouched soil [m]
  double dug;       // part of that: the pit from which slipping wheels have carried soil [m]
  double pressure;  // largest normal pressure [Pa]
  unsigned limits;  // 1 << rutSoilLimit of those that hold, without `hull`
} rutSoilContact;
RUT_API rutSoilContact rut_soil_contact(const rutModel* model, const rutData* data, int wheel);
// Upward force of the ground on the chassis of a vehicle on axles over its weight; 0 of others.
RUT_API double rut_hull_share(const rutModel* model, const rutData* data, int vehicle);

// A single wheel that rolls steadily over a soil, as in a test rig.
typedef struct rutSoilWheel {
  size_t struct_size;     // set by rut_default_soil_wheel
  double radius, width;   // of the undeflected tyre, 1e-3 to 1e3 [m]
  double section_height;  // from rim to tread, at most 1e3 [m]; 0: 0.4 radius
  double load;            // 1e-6 to 1e9 [N]
  double stiffness;       // of the tyre, at most 1e15 [N/m]; 0: rigid
  // Slip angle at which the lateral force on hard ground reaches 1 - 1/e of its limit, 1e-4 to 1.5
  // [rad].
  double crossover;
  double slip;        // (r w - v)/max(|r w|, |v|), from -1 (locked) over 0 to 1 (spinning)
  double slip_angle;  // of the hub's velocity, to the left of the wheel's plane, within 1.57 [rad]
  double pressed;     // depth to which earlier passes have pressed the soil, 0 to 1e3 [m]
  // What maps and regions say of a place: cone index [Pa], water over dry weight, depth of the soft
  // layer [m], 0 to 1e12. 0: the soil's own numbers hold.
  double cone_index, moisture, soft_depth;
} rutSoilWheel;
// A wheel of a HMMWV under its share of the weight, without slip, on undisturbed soil.
RUT_API rutSoilWheel rut_default_soil_wheel(void);

// Forces and sinkage of such a wheel. On hard ground sinkage and rut are 0 and the deflection is
// load over stiffness.
typedef struct rutSoilPoint {
  double sinkage;         // of the wheel's lowest point below the undisturbed surface [m]
  double deflection;      // of the tyre [m]
  double rut;             // depth of the surface that is left behind the wheel [m]
  double pressed;         // as in rutSoilWheel, of the next pass [m]
  double torque;          // on the wheel about its axis [N m]
  double traction;        // torque over rolling radius (radius less deflection / 3) [N]
  double resistance;      // motion resistance, >= 0 [N]
  double drawbar_pull;    // traction less resistance: net force forward [N]
  double lateral_force;   // to the left, against the slip angle [N]
  double efficiency;      // power of the pull over that of the torque; 0 unless both are positive
  double traction_limit;  // largest traction at any slip [N]
  double pressure;        // largest normal pressure of deformable soil [Pa]
  unsigned limits;        // as in rutSoilContact
} rutSoilPoint;
// False, and all zero, if there is no such soil, a number of the wheel is out of range, or the soil
// does not bear the load at a sinkage less than the wheel's radius.
RUT_API bool rut_soil_point(const rutModel* model, int soil, const rutSoilWheel* wheel,
                            rutSoilPoint* out);

// A tyre on hard ground, steadily rolling or slipping, as on a test drum.
typedef struct rutTyreTest {
  size_t struct_size;  // set by rut_default_tyre_test
  double load;         // 1 to 1e9 [N]
  double slip;         // (r w - v)/max(|r w|, |v|), from -1 (locked) over 0 to 1 (spinning)
  double slip_angle;   // of the hub's velocity, to the left of the wheel's plane, within 1.5 [rad]
  double inclination;  // of the wheel's plane from the normal, top to the right, within 1.5 [rad]
  double speed;        // of the hub, forward, 0.1 to 1e3 [m/s]
  double friction;     // coefficient of the ground; NaN: that of the tyre's own law
  double pressure;     // inflation, up to 1e8 [Pa]; NaN: that which the tyre names
} rutTyreTest;
// 4000 N, no slip, upright, 16.7 m/s, the tyre's own friction and pressure.
RUT_API rutTyreTest rut_default_tyre_test(void);

// Forces on the wheel at its contact, along the W axes of ISO 8855: x where the wheel's plane meets
// the ground, forward, y to the left, z up.
typedef struct rutTyrePoint {
  double fx, fy;                      // [N], without the motion resistance
  double mx, mz;                      // overturning and aligning moment [N m]
  double resistance;                  // motion resistance, against the travel [N]
  double deflection;                  // [m]
  double stiffness;                   // d load / d deflection there [N/m]
  double relaxation_x, relaxation_y;  // relaxation lengths [m]
  double peak;                        // largest longitudinal force at any slip [N]
} rutTyrePoint;
// Answer of the tyre of a wheel (as of rut_wheel_state) of a vehicle on axles. A tyre without a law
// of its own has that of dry hard ground. False, and all zero, if there is no such wheel, it is not
// on an axle, or a number is out of range.
RUT_API bool rut_tyre_point(const rutModel* model, int wheel, const rutTyreTest* test,
                            rutTyrePoint* out);
typedef struct rutTyreInfo {
  const char* type;      // of its law, borrowed
  double radius, width;  // undeflected [m]
  double rest_load;      // normal force as the vehicle stands on level ground [N]
  // With which the tyre was measured, 0 where its law does not tell [m], [N].
  double measured_radius, measured_width, nominal_load;
  double pressure;  // that the tyre names [Pa], 0 if it knows none
} rutTyreInfo;
// Empty text and zeros for a wheel that is not on an axle.
RUT_API rutTyreInfo rut_tyre_info(const rutModel* model, int wheel);

// Set the pressure [Pa] that the tyres of a vehicle with <inflation> are to have: of an axle, from
// the front, where each has its own, or -1 of all; 0: that which they name. They get there at the
// rates of the system. The set points tyre_pressure of rut_command are the same. Errors: MODEL (it
// has no such system, or one set point for all axles), ARGUMENT (no such vehicle or axle, negative,
// not finite).
RUT_API rutStatus rut_set_tyre_pressure(const rutModel* model, rutData* data, int vehicle, int axle,
                                        double pressure);
// Present inflation pressure of the tyre of a wheel [Pa], 0 if it knows none or there is no such
// wheel.
RUT_API double rut_tyre_pressure(const rutModel* model, const rutData* data, int wheel);

// Energy balance of a vehicle on axles since the start of the run [J]. Losses count positive;
// elastic energy is part of damper and tyre.
#define RUT_ENERGY_LIST(X)                                         \
  X(drive, "work of the drive on the wheels, the only gain")       \
  X(brake, "heat of the brakes")                                   \
  X(damper, "work taken in by the suspensions")                    \
  X(bearing, "heat of the bearings")                               \
  X(tyre, "work that deflects tyres and their contact patches")    \
  X(slip, "work of slipping tyres")                                \
  X(rolling, "motion resistance")                                  \
  X(air, "drag of the air")                                        \
  X(water, "drag of water, and work against its buoyancy")         \
  X(hull, "work of the chassis against the ground")                \
  X(obstacle, "work against obstacles, other vehicles and joints") \
  X(steering, "work against the steering; negative where the steering works on spinning wheels")
#define X(name, doc) double name;
typedef struct rutEnergy {
  RUT_ENERGY_LIST(X)
  double kinetic, potential;  // at present; potential: of height, 0 at z = 0
  double start;               // their sum at the start of the run
  double elastic;             // in springs and tyres at present, a part of damper, tyre, hull
  double consumed;            // drawn from battery or fuel
  // residual: drive less losses less the gain of kinetic and potential energy, a measure of the
  // integration error; throughput: energy that passed through the balance.
  double residual, throughput;
  // Part of the residual that goes with the vertical speed v: in free flight steps h of the default
  // integrator keep E - m g h v/2 (m g: less what wheels carry). It comes back when the flight
  // ends.
  double flight;
} rutEnergy;
#undef X
// False, and all zero, for planar vehicles. Nullable: out, to ask only whether it is on axles.
RUT_API bool rut_vehicle_energy(const rutModel* model, const rutData* data, int vehicle,
                                rutEnergy* out);

// Pose of a block: x, y, z [m], roll, pitch, yaw [rad]; and planar velocity x, y [m/s], yaw
// [rad/s].
RUT_API void rut_block_state(const rutModel* model, const rutData* data, int block, double pose[6],
                             double velocity[3]);
// Pose and velocity of the frame of a block.
typedef struct rutBlockMotion {
  double position[3];          // of its origin, world [m]
  double quaternion[4];        // w x y z, from its axes to the world
  double velocity[3];          // of its origin, world axes [m/s]
  double angular_velocity[3];  // world axes [rad/s]
} rutBlockMotion;
// False, and at rest in the origin, if there is no such block.
RUT_API bool rut_block_motion(const rutModel* model, const rutData* data, int block,
                              rutBlockMotion* out);
// True if a block moves, by forces or along keyframes.
RUT_API bool rut_block_moves(const rutModel* model, int block);
// Joint positions and speeds of a mechanism, borrowed from data; *n gets the count.
RUT_API int rut_mechanism_size(const rutModel* model, int mechanism, int* positions, int* speeds);
RUT_API void rut_mechanism_state(const rutModel* model, const rutData* data, int mechanism,
                                 double* position, double* speed);
// A body of a mechanism in the world, for display.
typedef struct rutBodyPose {
  double position[3];    // of its joint, the origin of its axes [m]
  double quaternion[4];  // w x y z, from its axes to the world
  double com[3];         // centre of mass in its axes [m]
  // Sides of the homogeneous cuboid with its mass and moments of inertia, along its axes [m]; 0 for
  // no extent.
  double sides[3];
} rutBodyPose;
// Up to n bodies of a mechanism; returns their number. Nullable: data and out if n is 0.
RUT_API int rut_mechanism_bodies(const rutModel* model, const rutData* data, int mechanism, int n,
                                 rutBodyPose* out);
// Kinetic plus potential energy of a mechanism [J].
RUT_API double rut_mechanism_energy(const rutModel* model, const rutData* data, int mechanism);

// A range of an element's variables in a role: `count` of them from `first` on.
typedef struct rutVariableRange {
  rutKind kind;
  int index;  // of the element
  rutRole role;
  int first, count;
} rutVariableRange;
// Present numbers of a range of variables, n in all, into out[n]; of sensors those of the visible
// sample. Outputs are computed set by set. Errors: ARGUMENT (no such variables, or n is not the
// count of their numbers).
RUT_API rutStatus rut_variables_read(const rutModel* model, const rutData* data,
                                     const rutVariableRange* range, int n, double* out);

// Latest visible sample of a sensor: its output at an index in [0, count), borrowed from data until
// the next step, with type and shape as in rut_variable. *stamp gets the time of the sample [s], -1
// before the first. NULL if there is no such output. Nullable: stamp.
RUT_API const void* rut_sensor_output(const rutModel* model, const rutData* data, int sensor,
                                      int output, double* stamp);
// Whether a sensor takes its samples; all do, unless told otherwise. Images and clouds of points
// cost more than the steps between them: a program that does not look at them can do without. One
// that is not watched shows no sample (stamp -1), and shows the same ones as ever from the next
// that is due once it is watched again. Sensors that keep a state, that have failures or motion
// blur, or that a controller reads go on all the same. No part of the state: copies and resets
// leave it.
RUT_API void rut_sensor_watch(const rutModel* model, rutData* data, int sensor, bool watched);
// All outputs, in order, of a sensor whose outputs are all RUT_F64; *n gets the count of their
// numbers. Those of a laser are ranges [m], -1 without a hit. NULL for other sensors.
RUT_API const double* rut_sensor(const rutModel* model, const rutData* data, int sensor,
                                 double* stamp, int* n);

// Rays of a planar scan: ray i is at angle_min + i angle_increment from the sensor's x axis towards
// its y axis.
typedef struct rutScanGeometry {
  int rays;
  double angle_min, angle_increment;  // [rad]
  double range_min, range_max;        // that can be measured [m]
  bool level;                         // the rays are level whatever the sensor's roll and pitch
} rutScanGeometry;
// False, and all zero, if the sensor's samples are no planar scans.
RUT_API bool rut_sensor_scan(const rutModel* model, int sensor, rutScanGeometry* out);

// Distance of an image point from the principal point at the angle t from the optical axis, over
// the focal length: tan t; t, 2 sin(t/2) and 2 tan(t/2).
typedef enum rutLensModel {
  RUT_LENS_PERSPECTIVE,
  RUT_LENS_EQUIDISTANT,
  RUT_LENS_EQUISOLID,
  RUT_LENS_STEREOGRAPHIC
} rutLensModel;

// Projection of a camera. Its optical axes are x right, y down, z ahead (REP 103); the sensor's own
// x axis is their z axis. Pixel (column i, row j) covers [i, i + 1] x [j, j + 1] of the image, so
// that its middle is at i + 0.5.
typedef struct rutCameraGeometry {
  int width, height;  // [pixel]
  rutLensModel lens;
  double focal;   // focal length [pixel]
  double cx, cy;  // principal point [pixel]
  // k1 k2 p1 p2 k3 of the perspective lens (Brown, 1971; the order of OpenCV).
  double distortion[5];
  // Square of the distance, over the focal length, from which on that distortion folds back:
  // nothing is seen there.
  double fold;
  double max_range;  // [m]
  double row_time;   // of a rolling shutter, from row to row [s]
  bool ray_depth;    // depths are distances along the rays, not along the optical axis
} rutCameraGeometry;
// False, and all zero, if the sensor's samples are no images.
RUT_API bool rut_camera_geometry(const rutModel* model, int sensor, rutCameraGeometry* out);
// Place in the image of a point in optical axes [m], inside the image or not. False if the lens
// does not see it.
RUT_API bool rut_camera_project(const rutCameraGeometry* camera, const double point[3],
                                double pixel[2]);
// Unit vector in optical axes towards what is seen at a place of the image. False if that is
// nothing.
RUT_API bool rut_camera_ray(const rutCameraGeometry* camera, const double pixel[2],
                            double direction[3]);

// Pose of a sensor in the world: x y z [m], roll pitch yaw [rad]. Zeros if there is no such sensor.
RUT_API void rut_sensor_pose(const rutModel* model, const rutData* data, int sensor,
                             double pose[6]);

// One pair of bodies in contact. Kinds are RUT_VEHICLE or RUT_BLOCK; kind -1 is the fixed world.
typedef struct rutContact {
  int kind_a, index_a, kind_b, index_b;
  double position[2], normal[2];  // world; the normal points from a to b
  double impulse;                 // along the normal in the last step [N s]
  double since;                   // time at which the contact began [s]
} rutContact;
// Contacts of the last step, borrowed from data; *n gets the count.
RUT_API const rutContact* rut_contacts(const rutModel* model, const rutData* data, int* n);

// Heights and slopes of the ground include ruts.
//
// Height [m] of the highest ground at or below z + 0.1 m over world x, y; NaN off all ground.
RUT_API double rut_terrain_height(const rutModel* model, const rutData* data, double x, double y,
                                  double z);
// n points of the map, and the surface there; each array has n numbers.
typedef struct rutGroundPoints {
  int n;
  const double *x, *y;  // [m]
} rutGroundPoints;
typedef struct rutGroundSurface {
  double* z;                  // height [m]
  double *slope_x, *slope_y;  // dz/dx, dz/dy
} rutGroundSurface;
// Surface at n points: the highest ground that a wheel with its hub at height below[i] [m] can
// stand on. Off all ground z is NaN and the slopes are 0; a world without ground is level at 0.
RUT_API void rut_terrain_surface(const rutModel* model, const rutData* data,
                                 const rutGroundPoints* at, const double* below,
                                 const rutGroundSurface* out);

// Soil at n points: index as in RUT_SOIL, -1 where the world names none.
RUT_API void rut_terrain_soils(const rutModel* model, const rutData* data,
                               const rutGroundPoints* at, int* soil);
// The same, with what maps and regions say of the place: NaN where they say nothing.
typedef struct rutTerrainPlace {
  int soil;           // as in RUT_SOIL, -1 where the world names none
  double cone_index;  // [Pa]
  double friction;    // coefficient of hard ground
  double moisture;    // water over dry weight
  double soft_depth;  // depth of the soft layer of the soil: snow, peat, thaw [m]
} rutTerrainPlace;
RUT_API void rut_terrain_places(const rutModel* model, const rutData* data,
                                const rutGroundPoints* at, rutTerrainPlace* out);

// A part of the ground, seen from above: a rectangle, or a circle where the radius is not 0.
typedef struct rutSoilArea {
  double x, y;           // of its middle, world [m]
  double length, width;  // of a rectangle, along its own x and y [m]
  double yaw;            // of its x axis [rad]
  double radius;         // of a circle [m]; a polygon of 32 corners and the same area stands for it
} rutSoilArea;
// Change the soil of a part of the ground, between steps, for vehicles on axles: an index of
// RUT_SOIL, -1 for the world's own default. The last change of a place holds; ruts stay; friction
// and cone index that the world gives the place stay as well. Part of the state
// (RUT_STATE_GROUND), undone by rut_data_reset. Errors: ARGUMENT (no such soil, no area), CAPACITY
// (64 areas; the same area again takes the room of the former).
RUT_API rutStatus rut_set_soil(const rutModel* model, rutData* data, int soil,
                               const rutSoilArea* area);
// The same in a circle around the place where a wheel is.
RUT_API rutStatus rut_set_soil_under(const rutModel* model, rutData* data, int wheel, int soil,
                                     double radius);

// What cameras tell apart: elements of the world that rays can hit, by their index from 0, and
// semantic classes. Names are borrowed from the model.
typedef struct rutInstanceInfo {
  const char *kind, *name;  // of its element, such as "vehicle"; the ground is the "world"
} rutInstanceInfo;
RUT_API int rut_instance_count(const rutModel* model);
// False, and empty texts, if there is no such instance.
RUT_API bool rut_instance_info(const rutModel* model, int instance, rutInstanceInfo* out);
// Box around what rays see of an element at present, along its own axes.
typedef struct rutInstanceBox {
  double centre[3];      // world [m]
  double quaternion[4];  // w x y z, from its axes (x ahead, y left, z up) to the world's
  double size[3];        // along its axes [m]
} rutInstanceBox;
// Boxes of vehicles and blocks are upright where they are seen as prisms, else they have the
// attitude of their element. False, and all zero but no rotation, for the ground, occupancy grids,
// walls and what rays cannot hit.
RUT_API bool rut_instance_box(const rutModel* model, const rutData* data, int instance,
                              rutInstanceBox* out);
RUT_API int rut_class_count(const rutModel* model);
// "" if there is no such class.
RUT_API const char* rut_class_name(const rutModel* model, int index);

// Scenery: individuals of <scenery> elements by their index from 0. Names are borrowed from the
// model.
typedef struct rutSceneryInfo {
  const char *type, *name;        // of its element
  double position[3], yaw, size;  // of its foot in the world [m], [rad], factor on dimensions
  int variant;                    // which of the type's shapes
  int instance;                   // as in rut_instance_info
  int parts;                      // that it is made of
  int element;                    // which <scenery> of the world, from 0; -1: part of a road
} rutSceneryInfo;
RUT_API int rut_scenery_count(const rutModel* model);
// False, and all zero, if there is no such individual.
RUT_API bool rut_scenery_info(const rutModel* model, int index, rutSceneryInfo* out);
// A part of an individual: an upright prism in the world, counter-clockwise corners x y [m].
typedef struct rutSceneryPrism {
  int corners;
  double xy[32];
  double z_min, z_max;  // [m]
  bool solid;           // vehicles collide with it
  double colour[3];     // reflectance in red, green and blue light, linear
} rutSceneryPrism;
// False, and all zero, if there is no such part.
RUT_API bool rut_scenery_prism(const rutModel* model, int index, int part, rutSceneryPrism* out);
// The same of an actor, by its index as a block, in its own frame. No other block has parts.
RUT_API bool rut_block_prism(const rutModel* model, int block, int part, rutSceneryPrism* out);
// Parts of an actor that move as it goes, such as limbs and wheels: their number, 0 for others.
RUT_API int rut_block_moving_parts(const rutModel* model, int block);
// Frame of such a part in the world: x y z [m], quaternion w x y z. It follows from the time and
// the actor's path alone. False, and no rotation, if there is no such part.
RUT_API bool rut_block_moving_part(const rutModel* model, const rutData* data, int block, int part,
                                   double pose[7]);

// Occupancy grid: cell (column, row) is at [row * columns + column], the first at the lower left; 0
// is free, 1 occupied, 2 unknown. Borrowed from the model.
typedef struct rutGrid {
  double x, y, cell;  // lower left corner, side of a square [m]
  int columns, rows;
  const unsigned char* state;
} rutGrid;
// False, and all zero, if the world has no grid of this index.
RUT_API bool rut_grid(const rutModel* model, int index, rutGrid* out);

// Ruts so far, in worlds with <deformable>.
typedef struct rutRuts {
  double cell;                   // side of a cell [m]
  double area;                   // where the surface is below the initial one [m2]
  double mean_depth, max_depth;  // there, below the initial surface [m]
  double volume;                 // by which wheels have lowered the surface [m3]
  double displaced;              // part of that volume that went to the borders of ruts [m3]
  double memory, capacity;       // in use, without what copies of a batch share, and at most [B]
  bool full;                     // memory was exhausted: some ruts are missing
} rutRuts;
// False, and all zero, if this world keeps no ruts.
RUT_API bool rut_ruts(const rutModel* model, const rutData* data, rutRuts* out);
// A cell that wheels have changed.
typedef struct rutRutCell {
  double x, y;     // of its middle, world [m]
  double height;   // change of the surface height, negative in ruts [m]
  double pressed;  // depth of the pressed soil below the surface with displaced soil [m]
} rutRutCell;
// Next cells, up to n; returns their number, 0 at the end. *cursor is 0 for the first call.
RUT_API int rut_ruts_next(const rutModel* model, const rutData* data, size_t* cursor, int n,
                          rutRutCell* cell);

// ---------------------------------------------------------------------------------------------
// State: exact copies of parts of data

enum {
  RUT_STATE_MOTION = 1,     // time, joint positions and speeds
  RUT_STATE_COMPONENT = 2,  // states of tyres, drives, controllers
  RUT_STATE_COMMAND = 4,    // set points
  RUT_STATE_SENSOR = 8,     // samples, schedules and noise counters
  RUT_STATE_CONTACT = 16,   // contact cache and events
  RUT_STATE_GROUND = 32,  // ruts; the only part whose size grows, with the ground that wheels touch
  RUT_STATE_ALL = 63
};
// Bytes of the parts in mask at present, and their exact get and set. Errors: ARGUMENT, VERSION.
RUT_API size_t rut_state_size(const rutModel* model, const rutData* data, unsigned mask);
RUT_API rutStatus rut_state_get(const rutModel* model, const rutData* data, unsigned mask,
                                void* buffer, size_t size);
RUT_API rutStatus rut_state_set(const rutModel* model, rutData* data, unsigned mask,
                                const void* buffer, size_t size);
// Copy the state of a run to a model of the same world with other parameters: motion, commands,
// ruts, and states of components of the same type. Other component states, contacts and noise are
// reset. Errors: VERSION (vehicles, wheels or blocks differ; data is then as after a reset).
// Nullable: err.
RUT_API rutStatus rut_state_adopt(const rutModel* model, rutData* data, const rutModel* from_model,
                                  const rutData* from, rutError* err);
// Hash of all of the state that the future depends on, the same for any worker count, compiler and
// build type. The work of tyres so far is part of RUT_STATE_MOTION, but not of the hash.
RUT_API uint64_t rut_state_hash(const rutModel* model, const rutData* data);

// ---------------------------------------------------------------------------------------------
// Controllers that run beside the steps (host="true")
//
// Such a controller is asked at its own times with a copy of what it sees; its answer acts when its
// output_delay is over, and the step then waits for it (late="hold": goes on without). Data that is
// copied, saved, hashed or reset waits for it first.

// Whether a thread of the data runs them, as at first. Otherwise, and where no thread can be had,
// they run in rut_host_run, or else in the step in which their answer is due.
RUT_API void rut_host_thread(rutData* data, bool on);
// Run in the caller's thread what nobody has begun; returns the number of updates.
RUT_API int rut_host_run(rutData* data);
// Number of answers that were not there when they were due, with late="hold", since the reset.
RUT_API int64_t rut_host_misses(const rutData* data);

// ---------------------------------------------------------------------------------------------
// Timers

// Seconds spent in each stage of rut_step since the last reset, for rut bench.
#define RUT_STAGE_LIST(X) \
  X(terrain)              \
  X(control)              \
  X(tyre)                 \
  X(dynamics)             \
  X(contact)              \
  X(sensor)
#define X(name) RUT_STAGE_##name,
typedef enum rutStage { RUT_STAGE_LIST(X) RUT_STAGE_COUNT } rutStage;
#undef X
// Turn stage timers on or off (initially off: they cost a few percent), and read them [s].
RUT_API void rut_profile(rutData* data, bool on);
RUT_API double rut_stage_time(const rutData* data, rutStage stage);
RUT_API const char* rut_stage_name(rutStage stage);

#ifdef __cplusplus
}
#endif

#endif  // RUT_RUT_H
