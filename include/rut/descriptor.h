// SPDX-License-Identifier: BSD-3-Clause
//
// Head of every descriptor of a component: its parameters, variables, presets.
#ifndef RUT_DESCRIPTOR_H
#define RUT_DESCRIPTOR_H

#include "rut/rut.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RUT_ABI 17u
// Most outputs of a component.
#define RUT_MAX_OUTPUTS 32

typedef enum rutFieldType {
  RUT_REAL,     // one number with a unit
  RUT_INTEGER,  // one whole number
  RUT_BOOLEAN,  // true or false
  RUT_CHOICE,   // one of the words in `text`, "a|b|c"; its number is the word's index
  RUT_TEXT,     // any text
  RUT_VECTOR,   // `count` numbers (0: any number of them)
  RUT_POINTS    // any number of x y pairs
} rutFieldType;

enum {
  RUT_FIELD_REQUIRED = 1,  // has no default
  RUT_FIELD_MIXED = 2,     // VECTOR whose unit is a list, one per number: "m m rad"
  RUT_FIELD_PICTURE = 4,   // TEXT, unit "file": only for display: a world runs without the file
  RUT_FIELD_CODE = 8       // TEXT, unit "file": code of the file is run, see rut_context_allow_code
};

// One parameter. Readers, writers, checks, manual pages and the XML schema are made from these
// rows.
typedef struct rutField {
  const char* name;
  const char* unit;  // SI unit as text, "" for none: "m", "kg", "N m s/rad", "rad"
  rutFieldType type;
  int count;             // VECTOR only
  double def, min, max;  // default and range of scalars; range of each number of a vector
  const char* text;      // CHOICE: the words; TEXT, VECTOR, POINTS: the default as text
  unsigned flags;
  const char* doc;  // one sentence
} rutField;

// Meaning of a set point, for manual driving.
typedef enum rutMeaning {
  RUT_MEANS_NOTHING,        // none of these
  RUT_MEANS_THROTTLE,       // share of full throttle, -1 (reverse) to 1
  RUT_MEANS_BRAKE,          // share of the full brakes, 0 to 1
  RUT_MEANS_STEERING,       // share of full lock, -1 to 1, positive to the left
  RUT_MEANS_STEER_ANGLE,    // of the equivalent single front wheel [rad], positive to the left
  RUT_MEANS_SPEED,          // forward [m/s]
  RUT_MEANS_LATERAL_SPEED,  // to the left [m/s]
  RUT_MEANS_YAW_RATE,       // [rad/s], positive to the left
  RUT_MEANS_TORQUE,         // sum of all driven wheels [N m], positive forward
  RUT_MEANS_TORQUE_LEFT,    // of each wheel on the left
  RUT_MEANS_TORQUE_RIGHT    // of each wheel on the right
} rutMeaning;

// A named number or array: an output, a set point or a state of a component. Logs, tables, plots,
// manual and bindings are made from these rows. Nullable: shape, frame; NULL means "".
typedef struct rutVariable {
  const char* name;  // "range"
  const char* unit;  // SI, "" for ratios, counts and flags
  // "" for one number, else its dimensions, separated by spaces, row-major. Each is a number or the
  // name of an integer or boolean field of the component, or a product: "3", "rays", "height width
  // 3", "height*normals width 3" (none while the field `normals` is false). Parts of a
  // vehicle may also use "wheels" and "inputs" (torque demands of the drive), its sensors "wheels".
  const char* shape;
  // Axes of a vector or origin of an angle (REP 103): "world", "vehicle", "wheel", "sensor"; or "".
  const char* frame;
  const char* doc;     // one sentence
  rutNumberType type;  // RUT_F64 for commands, states, and outputs of drives
  bool output;         // of a state: it is also an output
  rutMeaning means;    // of a set point
} rutVariable;

// Row of one number without a frame; the same of a state that is also an output.
#define RUT_VARIABLE(name, unit, doc) {#name, unit, "", "", doc, RUT_F64, false, RUT_MEANS_NOTHING},
#define RUT_STATE_OUTPUT(name, unit, doc) \
  {#name, unit, "", "", doc, RUT_F64, true, RUT_MEANS_NOTHING},
// A set point for manual driving.
#define RUT_SET_POINT(name, unit, meaning, doc) \
  {#name, unit, "", "", doc, RUT_F64, false, RUT_MEANS_##meaning},

// Built-in output of a kind of element, index from 0; NULL after the last. *part gets the part of
// the element that it belongs to, *where which elements have it ("": all).
RUT_API const rutVariable* rut_kind_output(rutKind kind, int index, const char** part,
                                           const char** where);

// Named values for some fields of a component, as of a product by its data sheet: preset="NAME" on
// the element of a world file. Fields that the element gives itself win.
typedef struct rutPresetValue {
  const char* field;
  const char* value;  // as in a world file: "100 m", "true", "0 0.1 0.2 m"
} rutPresetValue;
typedef struct rutPreset {
  const char* name;
  const char* doc;  // one line: what it is, and the source of the values
  const rutPresetValue* value;
  int values;
} rutPreset;
// Row of a table of presets; values is an array of rutPresetValue.
#define RUT_PRESET(called, what_it_is, has_values)                \
  {                                                               \
    .name = (called), .doc = (what_it_is), .value = (has_values), \
    .values = RUT_COUNT_OF(has_values)                            \
  }
// Members of a rutComponent with a table of presets.
#define RUT_PRESETS(rows) .preset = (rows), .presets = RUT_COUNT_OF(rows)

// Common head of every descriptor.
struct rutComponent {
  uint32_t abi;          // RUT_ABI
  uint32_t struct_size;  // of the whole descriptor
  // "tyre", "soil", "suspension", "terrain", "drive", "controller", "sensor", "format", or a plain
  // element ("wheel")
  const char* kind;
  const char* name;     // component type, "" for a kind that has none
  const char* parents;  // kinds of its possible parents, separated by spaces
  const char* doc;      // what it is, one to three sentences, with the source of its law
  const rutField* field;
  int fields;
  // State, kept by the engine and zero at the start: per wheel (tyre), vehicle (drive, controller)
  // or sensor, in the order of these rows.
  const rutVariable* state;
  int states;
  // Check of fields against each other. Nullable. param has one double per field, in order. A text
  // field is NaN; a VECTOR or POINTS field is the index in param of its count, which is followed by
  // its numbers (rut_param_list).
  rutStatus (*check)(const double* param, rutError* err);
  // Nullable: none. A type with presets has no field of the name "preset", and no preset fills a
  // field that names a file.
  const rutPreset* preset;
  int presets;
};

// Variables of a component type in a role; *n gets their number.
RUT_API const rutVariable* rut_component_variables(const rutComponent* type, rutRole role, int* n);

// A parameter struct is one double per field, in the order of the rows. Write the rows once as an
// X-macro and expand it twice:
//   #define FIELDS(X) X(friction, "1", 0.8, 0, 10, "Coulomb friction coefficient") ...
//   typedef struct Param { FIELDS(RUT_PARAM) } Param;
//   static const rutField fields[] = { FIELDS(RUT_ROW) };
#define RUT_PARAM(name, ...) double name;
#define RUT_ROW(name, unit, def, min, max, doc) \
  {#name, unit, RUT_REAL, 1, def, min, max, "", 0, doc},
// Rows of other types: a whole number, true or false, one of the words "a|b|c" (def is its index).
#define RUT_WHOLE_ROW(name, unit, def, min, max, doc) \
  {#name, unit, RUT_INTEGER, 1, def, min, max, "", 0, doc},
#define RUT_FLAG_ROW(name, def, doc)          {#name, "", RUT_BOOLEAN, 1, def, 0, 1, "", 0, doc},
#define RUT_CHOICE_ROW(name, words, def, doc) {#name, "", RUT_CHOICE, 1, def, 0, 0, words, 0, doc},
#define RUT_COUNT_OF(array)                   ((int)(sizeof(array) / sizeof((array)[0])))
// First members of a descriptor: its C type, kind, name, possible parents, description and fields.
//   static const rutTyreType viscous = {
//       .base = {RUT_HEAD(rutTyreType, "tyre", "viscous", "vehicle", "Tyre on oil.", fields)}, ...
#define RUT_HEAD(descriptor, is_kind, is_called, stands_in, what_it_is, has_fields)          \
  .abi = RUT_ABI, .struct_size = sizeof(descriptor), .kind = (is_kind), .name = (is_called), \
  .parents = (stands_in), .doc = (what_it_is), .field = (has_fields),                        \
  .fields = RUT_COUNT_OF(has_fields)
// Members of a tyre or drive with outputs that are computed when they are read.
#define RUT_OBSERVED(rows, function) \
  .output = (rows), .outputs = RUT_COUNT_OF(rows), .observe = (function)
// Defines the function of a shared library that rut_plugin_load calls:
//   RUT_PLUGIN(&careful.base, &viscous.base)
#define RUT_PLUGIN(...)                                                               \
  __attribute__((visibility("default"))) const rutComponent* const* rut_plugin(void); \
  const rutComponent* const* rut_plugin(void) {                                       \
    static const rutComponent* const types[] = {__VA_ARGS__, 0};                      \
    return types;                                                                     \
  }
// Numbers of a VECTOR or POINTS field, from the value of its parameter; *n gets their count.
static inline const double* rut_param_list(const void* param, double value, int* n) {
  const double* at = (const double*)param + (int)value;
  *n = (int)at[0];
  return at + 1;
}

// What a component has to ask for, since it takes time to compute or is the truth.
enum {
  RUT_USES_WHEELS = 1,     // sensors: wheels of the vehicle
  RUT_USES_SITE = 2,       // sensors: what is known of the place
  RUT_USES_MOTION = 4,     // motion of the sensor; controllers: true velocity and yaw rate
  RUT_USES_POSE = 8,       // controllers: true position and attitude
  RUT_USES_CONTACT = 16,   // controllers: true contacts of the wheels; on axles only
  RUT_USES_PITCH = 32,     // controllers: pitch alone, as from an inclinometer
  RUT_USES_POWER = 64,     // sensors: power that the drive draws
  RUT_USES_LOOKS = 128,    // sensors: rays in space that meet vehicles as they are drawn
  RUT_USES_CURRENT = 256,  // sensors: currents of the motors
  RUT_USES_RANDOM = 512,   // controllers: keys for random numbers
  RUT_USES_WORLD = 1024,   // controllers: what is fixed in the world
  RUT_USES_TYRES = 2048,   // controllers: stiffness of the tyres of rutVehicleLayout
  RUT_USES_TIME = 4096     // controllers: time of the world
};

#ifdef __cplusplus
}
#endif

#endif  // RUT_DESCRIPTOR_H
