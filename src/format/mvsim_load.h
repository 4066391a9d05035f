// SPDX-License-Identifier: BSD-3-Clause
//
// The MVSim reader's own parts. A world is read in one pass over its elements; every value is
// expanded where it is used, with the variables of the file it stands in. Tables (rutMvsimTable)
// say which MVSim tag becomes which of our fields; a tag that no table knows is warned about.
//
// How it fits together:
//   mvsim_read.c      the format, world tags, <include>, <for>, <if>, <variable>
//   mvsim_repair.c    faults in the text that MVSim's XML parser lets pass
//   mvsim_files.c     documents, paths, scopes of included files, children with includes resolved
//   mvsim_values.c    expanded values, tables, setting fields with their place
//   mvsim_report.c    errors and warnings, each once
//   mvsim_shape.c     <shape>, <visual>, outlines from meshes
//   mvsim_place.c     poses, velocities, keyframes
//   mvsim_vehicle.c   <vehicle>: dynamics, chassis, wheels, friction
//   mvsim_control.c   <controller> and <drivetrain>
//   mvsim_trajectory.c  <controller class="trajectory">
//   mvsim_sensors.c   <sensor>
//   mvsim_cameras.c   cameras among them
//   mvsim_blocks.c    <block>, <joint>
//   mvsim_actor.c     <actor>
//   mvsim_elements.c  <element>, <walls>
//   mvsim_view.c      <gui>, <lights>, <georeference>, <marker>
#ifndef RUT_FORMAT_MVSIM_LOAD_H
#define RUT_FORMAT_MVSIM_LOAD_H

#include "base/input.h"
#include "format/expand.h"
#include "format/mesh.h"
#include "format/reader.h"
#include "format/xml.h"
#include "rut/component.h"

enum {
  RUT_MVSIM_MAX_ELEMENTS = 100000,    // vehicles, blocks and so on of one world
  RUT_MVSIM_MAX_ITERATIONS = 200000,  // of all <for> loops together
  RUT_MVSIM_MAX_WORK = 5000000,       // XML elements looked at, each time it is used
  RUT_MVSIM_MAX_FILES = 1024,         // different files of one world
  RUT_MVSIM_MAX_CLASSES = 10000,      // definitions of classes
  RUT_MVSIM_MAX_FLOW = 256,           // <for>, <if>, <include> inside one another
  RUT_MVSIM_MAX_TEXT = 256 << 20,     // bytes of all files
  RUT_MVSIM_MAX_POINTS = 4096,        // of one <shape>
  RUT_MVSIM_PATH = 4096,              // bytes of a path
  RUT_MVSIM_LABEL = 96                // bytes of an element's label, as in rutError
};

// A file of a world. Kept to the end of the load, so that loops that include it parse it once.
typedef struct rutMvsimFile {
  char* path;    // absolute, links resolved: tells whether two names mean the same file
  char* folder;  // absolute
  rutXml* xml;
} rutMvsimFile;

// An element, the file it stands in and the variables it sees.
typedef struct rutMvsimItem {
  const rutXmlElement* element;
  const rutMvsimFile* file;
  rutScope* scope;
} rutMvsimItem;

// Growing list of items; free with rut_mvsim_items_free.
typedef struct rutMvsimItems {
  rutMvsimItem* item;
  int n, capacity;
} rutMvsimItems;

// Files that include each other, from the innermost outwards; lives on the call stack.
typedef struct rutMvsimChain {
  const rutMvsimFile* file;
  const struct rutMvsimChain* up;
  int flow;  // <for>, <if> and <include> around
} rutMvsimChain;

typedef struct rutMvsimClass {
  char* kind;  // "vehicle:class" or "block:class"
  char* name;
  rutMvsimItem item;
} rutMvsimClass;

// Set of hashes.
typedef struct rutMvsimSet {
  uint64_t* slot;
  size_t used, capacity;
} rutMvsimSet;

// A mesh file, decoded once.
typedef struct rutMvsimMesh {
  char* path;
  rutMesh mesh;
  bool ok;
  bool remote;                // named by a URI, and no folder of models has it
  bool refused;               // it is there, but may not be read
  char fault[520];            // why it could not be read
  char hint[RUT_INPUT_TEXT];  // what helps, or ""
} rutMvsimMesh;

// One load.
typedef struct rutMvsim {
  rutSpec* spec;
  rutReporter* reporter;
  rutNode world;
  rutScope* variables;  // <variable>, loop counters, NAME and PARENT_NAME: seen everywhere
  rutMvsimFile** file;
  int files;
  size_t file_bytes;
  rutScope** scope;  // of included files in use
  int scopes, scope_capacity;
  rutMvsimClass* class;
  int classes, class_capacity;
  int definitions;  // of classes so far: their scopes are kept
  char** text;      // expanded values in use
  int texts, text_capacity;
  rutMvsimSet once;    // findings reported
  rutMvsimSet bodies;  // names of vehicles and blocks
  rutMvsimMesh* mesh;
  int meshes;
  rutMeshTime mesh_time;                                        // that is left for meshes
  double mesh_points;                                           // looked at so far
  int unnamed_vehicles, unnamed_blocks, unnamed_actors, walls;  // for names
  int elements, iterations, work;
  bool inside;  // a vehicle, block or sensor: NAME is set
  bool halted;  // after too many errors, or a fatal one
} rutMvsim;

// ---- mvsim_report.c ----

// Place of an item, and its label "<vehicle name='r1'>".
rutPlace rut_mvsim_place(rutMvsimItem item);
void rut_mvsim_label(rutMvsimItem item, char label[RUT_MVSIM_LABEL]);
// Report an error, unless the same was reported at the same place. Halts the load after
// RUT_READER_MAX_ERRORS and after MEMORY or CAPACITY. Returns status.
rutStatus rut_mvsim_error(rutMvsim* load, rutPlace place, const char* element, rutStatus status,
                          const char* hint, const char* format, ...) RUT_PRINTF(6, 7);
// Warn, once for each file and key. Nullable: key (the message is the key).
void rut_mvsim_warn(rutMvsim* load, rutPlace place, const char* element, const char* key,
                    const char* format, ...) RUT_PRINTF(5, 6);
// A tag or an attribute that rut does not use.
typedef struct rutMvsimUnused {
  const char* parent;  // tag around it, or of the element with the attribute
  const char* name;
  bool attribute;
  const char* const* known;  // [n] names that might be meant. Nullable
  int n;
} rutMvsimUnused;
// Warn that it is not used.
void rut_mvsim_unused(rutMvsim* load, rutPlace place, rutMvsimUnused unused);
// Out of memory.
void rut_mvsim_no_memory(rutMvsim* load);
// Add a hash to a set. *added tells whether it is new. False if out of memory.
bool rut_mvsim_set_add(rutMvsimSet* set, uint64_t hash, bool* added);
bool rut_mvsim_set_has(const rutMvsimSet* set, uint64_t hash);

// ---- mvsim_repair.c ----

// Copy of a text with what MVSim's parser lets pass made well-formed: closing tags with another
// name, < in attribute values, lone &, -- in comments. Lines are kept, columns nearly. *out is NULL
// if there is nothing to repair; else the caller frees it with free(). Each wrong closing tag is
// warned about. Errors: MEMORY.
rutStatus rut_mvsim_repair(rutMvsim* load, const char* text, size_t size, const char* file,
                           char** out, size_t* out_size);

// ---- mvsim_files.c ----

// Turn a name in a file into a path: relative ones start at the file's folder. URIs are copied as
// they are; whoever reads a file looks for them in the folders of models (base/input.h).
void rut_mvsim_resolve(const rutMvsimFile* file, const char* name, char path[RUT_MVSIM_PATH]);
// Replace a URI by the file in the folders of models. False, with an error, if there is none.
bool rut_mvsim_locate(rutMvsim* load, rutPlace place, const char* element,
                      char path[RUT_MVSIM_PATH]);
// The world's own file from memory. NULL after an error.
const rutMvsimFile* rut_mvsim_open_main(rutMvsim* load, const char* text, size_t size,
                                        const char* name);
// Open the file that an <include> names, with a scope that holds its other attributes. False after
// an error. The scope stays in use until rut_mvsim_release.
bool rut_mvsim_open_include(rutMvsim* load, rutMvsimItem include, const rutMvsimChain* chain,
                            rutMvsimItem* out);
// Free scopes and values taken since a mark; scopes stay if a class was defined since.
typedef struct rutMvsimMark {
  int scopes, texts, definitions;
} rutMvsimMark;
rutMvsimMark rut_mvsim_mark(const rutMvsim* load);
void rut_mvsim_release(rutMvsim* load, rutMvsimMark mark);
// True if an <if> holds.
bool rut_mvsim_condition(rutMvsim* load, rutMvsimItem item);
// Append the children of an item, <include> and <if> resolved.
void rut_mvsim_children(rutMvsim* load, rutMvsimItem item, rutMvsimItems* items);
// The same for an instance: the files it includes first, then its own children, then those of the
// class it names. False if the class is unknown.
bool rut_mvsim_collect(rutMvsim* load, rutMvsimItem item, const char* class_kind,
                       rutMvsimItems* items);
void rut_mvsim_items_free(rutMvsimItems* items);
// First item with this tag; element NULL if there is none.
rutMvsimItem rut_mvsim_first(const rutMvsimItems* items, const char* tag);
// Close everything.
void rut_mvsim_close(rutMvsim* load);

// ---- mvsim_values.c ----

// Expanded text of an element, of an attribute (NULL if absent or wrong), or any other text. Valid
// until the release of a mark taken before. Nullable: place.
const char* rut_mvsim_text(rutMvsim* load, rutMvsimItem item);
const char* rut_mvsim_attribute(rutMvsim* load, rutMvsimItem item, const char* name,
                                rutPlace* place);
const char* rut_mvsim_expand(rutMvsim* load, rutScope* scope, const char* text, rutPlace place,
                             const char* element);
// Keep a text from malloc until a release. NULL (memory) is reported.
const char* rut_mvsim_keep(rutMvsim* load, char* text);
// Numbers that are expected, separated by blanks.
typedef struct rutMvsimForm {
  const char* text;  // for people: "x y [yaw]"
  int at_least, at_most;
} rutMvsimForm;
// Read numbers. Returns how many, or -1 after an error.
int rut_mvsim_numbers(rutMvsim* load, const char* text, rutPlace place, const char* element,
                      rutMvsimForm form, double* out);
// One number, or a truth value, of an element's text. False after an error.
bool rut_mvsim_number(rutMvsim* load, const char* text, rutPlace place, const char* element,
                      double* out);
bool rut_mvsim_boolean(rutMvsim* load, const char* text, rutPlace place, const char* element,
                       bool* out);
// Value of an attribute that must be one of some words. Returns its index, `otherwise` if absent,
// -1 after an error.
int rut_mvsim_word(rutMvsim* load, rutMvsimItem item, const char* attribute,
                   const char* const* word, int n, int otherwise);

// Add a node, with its place. Null node after an error.
rutNode rut_mvsim_add(rutMvsim* load, rutNode parent, const char* kind, const char* type,
                      const char* name, rutPlace place);
// Set a field, with its place.
void rut_mvsim_set(rutMvsim* load, rutNode node, const char* field, double value, rutPlace place);
void rut_mvsim_set_numbers(rutMvsim* load, rutNode node, const char* field, int n,
                           const double* value, rutPlace place);
void rut_mvsim_set_text(rutMvsim* load, rutNode node, const char* field, const char* text,
                        rutPlace place);

typedef enum rutMvsimKind {
  RUT_MVSIM_NUMBER,   // times `factor`
  RUT_MVSIM_INTEGER,  // cut towards zero, as sscanf("%i") does
  RUT_MVSIM_BOOLEAN,  // true false 1 0
  RUT_MVSIM_TEXT,
  RUT_MVSIM_FILE,     // resolved
  RUT_MVSIM_PICTURE,  // the same, of which the world can do without
  RUT_MVSIM_COLOR,    // #RRGGBB[AA]
  RUT_MVSIM_POINT3,   // x y [z]
  RUT_MVSIM_CODE,     // read elsewhere
  RUT_MVSIM_UNUSED    // known to MVSim, not used by rut: warned about
} rutMvsimKind;

// One tag (or attribute) of MVSim and what becomes of it.
typedef struct rutMvsimRow {
  const char* tag;
  rutMvsimKind kind;
  const char* field;
  double factor;
  int part, parts;  // number `part` of a vector of `parts`; parts 0 for a scalar
} rutMvsimRow;

#define RUT_MVSIM_DEGREE 0.017453292519943295
#define RUT_MVSIM_ROW(tag, kind, field) \
  { tag, kind, field, 1, 0, 0 }
#define RUT_MVSIM_ROW_NUMBER(tag, field) \
  { tag, RUT_MVSIM_NUMBER, field, 1, 0, 0 }
#define RUT_MVSIM_ROW_DEGREES(tag, field) \
  { tag, RUT_MVSIM_NUMBER, field, RUT_MVSIM_DEGREE, 0, 0 }
#define RUT_MVSIM_ROW_PART(tag, field, part, parts) \
  { tag, RUT_MVSIM_NUMBER, field, 1, part, parts }
#define RUT_MVSIM_ROW_CODE(tag) \
  { tag, RUT_MVSIM_CODE, "", 1, 0, 0 }
#define RUT_MVSIM_ROW_UNUSED(tag) \
  { tag, RUT_MVSIM_UNUSED, "", 1, 0, 0 }

enum { RUT_MVSIM_MAX_ROWS = 64 };
typedef struct rutMvsimTable {
  const char* parent;  // for messages: "gui"
  const rutMvsimRow* row;
  int rows;
} rutMvsimTable;
#define RUT_MVSIM_TABLE(parent, rows) \
  { parent, rows, RUT_COUNT_OF(rows) }

// Apply a table to items, the first of a tag counts; and to an item's attributes (CODE attributes
// are left alone) and then its children.
void rut_mvsim_apply(rutMvsim* load, const rutMvsimTable* table, const rutMvsimItems* items,
                     rutNode node);
void rut_mvsim_apply_item(rutMvsim* load, const rutMvsimTable* table, rutMvsimItem item,
                          rutNode node);
// Warn about attributes of an item that are not in a list of words.
void rut_mvsim_check_attributes(rutMvsim* load, rutMvsimItem item, const char* const* known, int n);

// ---- mvsim_shape.c ----

// Read <shape><pt>x y</pt>...; the caller frees *point with free(). Returns the number of points,
// -1 after an error. With `closed` they must enclose an area.
int rut_mvsim_shape(rutMvsim* load, rutMvsimItem shape, bool closed, double** point);
// Add a <visual> to a node. scale multiplies its own.
void rut_mvsim_visual(rutMvsim* load, rutMvsimItem visual, rutNode parent, double scale);
// The part of a mesh whose outline is wanted.
typedef struct rutMvsimSlice {
  double scale;  // of the mesh, beside its own
  // Heights between which it counts; if nothing lies there, all of it does [m].
  double z_min, z_max;
  const char* instead;  // tells people what stands in the place of a mesh that cannot be had
} rutMvsimSlice;
// Outline of everything in the <visual>s of a list. n is 0 if no mesh can be had.
void rut_mvsim_outline(rutMvsim* load, const rutMvsimItems* items, const rutMvsimSlice* slice,
                       rutMeshOutline* out);
// Name of the first mesh of the <visual>s of a list, NULL if there is none. *place gets where it
// stands.
const char* rut_mvsim_model_name(rutMvsim* load, const rutMvsimItems* items, rutPlace* place);
// Mesh of a file, or NULL with a fault. Kept to the end of the load.
const rutMvsimMesh* rut_mvsim_mesh(rutMvsim* load, const char* path, rutPlace place);

// ---- mvsim_place.c ----

// Set position, yaw, pitch, roll from <init_pose> or <init_pose3d>, and on_ground if `ground`.
// along shifts the position along the heading [m]. False if there is none.
bool rut_mvsim_pose(rutMvsim* load, const rutMvsimItems* items, rutNode node, bool ground,
                    double along);
// Set velocity and yaw_rate from <init_vel>.
void rut_mvsim_velocity(rutMvsim* load, const rutMvsimItems* items, rutNode node);
// Add keyframes from <animation>.
void rut_mvsim_animation(rutMvsim* load, const rutMvsimItems* items, rutNode node);
// Pose of a sensor from <pose>, <pose_3d> and <height>: x y z [m], yaw pitch roll [deg]. A flat
// pose says nothing about height, which is then z. Returns the place of the last of them, or
// `place`.
rutPlace rut_mvsim_mount(rutMvsim* load, const rutMvsimItems* items, rutPlace place, double z,
                         double pose[6]);
// Every <visual> of a sensor.
void rut_mvsim_mount_visuals(rutMvsim* load, const rutMvsimItems* items, rutNode node);
// Warn about every <publish> that is not switched off.
void rut_mvsim_publish(rutMvsim* load, const rutMvsimItems* items);

// ---- the readers of one tag each ----

void rut_mvsim_read_vehicle(rutMvsim* load, rutMvsimItem item);
void rut_mvsim_read_block(rutMvsim* load, rutMvsimItem item);
void rut_mvsim_read_joint(rutMvsim* load, rutMvsimItem item);
void rut_mvsim_read_actor(rutMvsim* load, rutMvsimItem item);
void rut_mvsim_read_element(rutMvsim* load, rutMvsimItem item);
void rut_mvsim_read_walls(rutMvsim* load, rutMvsimItem item);
void rut_mvsim_read_gui(rutMvsim* load, rutMvsimItem item);
void rut_mvsim_read_lights(rutMvsim* load, rutMvsimItem item);
void rut_mvsim_read_georeference(rutMvsim* load, rutMvsimItem item);
void rut_mvsim_read_marker(rutMvsim* load, rutMvsimItem item);
// parent is the world or a vehicle; index counts the parent's sensors for their default names.
void rut_mvsim_read_sensor(rutMvsim* load, rutMvsimItem item, rutNode parent,
                           const char* parent_name, int index);

// Fill the node of a camera, and add that of a second one for the colours of an rgbd_camera.
void rut_mvsim_read_camera(rutMvsim* load, const rutMvsimItems* items, rutNode node,
                           rutPlace place);
void rut_mvsim_read_rgbd_camera(rutMvsim* load, const rutMvsimItems* items, rutNode node,
                                rutPlace place);

// How MVSim drives and steers a vehicle: decides what <controller> and <drivetrain> mean.
typedef enum rutMvsimDynamics {
  RUT_MVSIM_DIFFERENTIAL,
  RUT_MVSIM_ACKERMANN,
  RUT_MVSIM_DRIVETRAIN
} rutMvsimDynamics;
// Add the controller and the drive of a vehicle from the children of <dynamics>.
void rut_mvsim_control(rutMvsim* load, const rutMvsimItems* items, rutMvsimDynamics dynamics,
                       rutNode vehicle, rutPlace place);
// The two controllers of a <controller class="trajectory">: the path and what it commands.
void rut_mvsim_trajectory(rutMvsim* load, rutMvsimItem item, rutNode vehicle);

// Name of a vehicle or block: its attribute, or veh1, block001 and so on, as MVSim counts. NULL
// after an error; a name that is taken is one.
const char* rut_mvsim_body_name(rutMvsim* load, rutMvsimItem item, bool vehicle);
// True if a vehicle or block of this name was read.
bool rut_mvsim_has_body(const rutMvsim* load, const char* name);

#endif  // RUT_FORMAT_MVSIM_LOAD_H
