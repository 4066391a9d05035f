// SPDX-License-Identifier: BSD-3-Clause
//
// What the compiler collects from a spec before it lays out the model: plain lists on the heap.
#ifndef RUT_SIM_COMPILE_DRAFT_H
#define RUT_SIM_COMPILE_DRAFT_H

#include "sim/model.h"
#include "sim/spec/nodes.h"

enum {
  RUT_MAX_PARAMS = RUT_TYRE_NUMBERS,  // numbers of a component
  RUT_MAX_FAILURES = 16,              // of a sensor
  RUT_MAX_PARTS = 10,                 // suspensions and tyres of a vehicle that differ
  RUT_MAX_CORNERS = 16,               // of an outline
  RUT_MAX_VEHICLES = 1 << 20,
  RUT_MAX_MECHANISMS = 100000,
  RUT_MAX_BLOCKS = 200000,
  RUT_MAX_SCENERY = 200000,   // individuals
  RUT_MAX_PRISMS = 1 << 20,   // besides those of vehicles
  RUT_MAX_CELLS = 1 << 27,    // of all occupancy grids
  RUT_MAX_HEIGHTS = 1 << 26,  // of all elevation maps, and of all maps of ground properties
  RUT_MAX_FILE_ERRORS = 10,   // after so many errors no further map is read
  RUT_MAX_SETTLED = 16,
  RUT_MAX_GROUPS = 16384  // vehicles and mechanisms that differ from each other
};

// Of a model, and of its state. Much of that of a million robots is never written.
static const size_t RUT_MAX_MODEL_BYTES = (size_t)8 << 30;

// Values of the field `place` of <wheel>.
enum { LEFT, RIGHT, REAR_LEFT, REAR_RIGHT, FRONT_LEFT, FRONT_RIGHT, CASTER, OTHER };

// Growing array. Items keep their order; pointers into it do not survive a push.
typedef struct rutList {
  void* item;
  int n, capacity;
  size_t item_size;
} rutList;

typedef struct rutOutline {
  int n;
  double xy[2 * RUT_MAX_CORNERS];
} rutOutline;

// A component with its parameters; type NULL if there is none.
typedef struct rutDraftComponent {
  const rutComponent* type;
  double param[RUT_MAX_PARAMS];
} rutDraftComponent;

// Where an input of a controller comes from: an output of the vehicle's sensor of that place among
// them, or of another controller; -1: not from there.
typedef struct rutDraftControlSource {
  int sensor, controller, output;
} rutDraftControlSource;

// A controller, and the one of the same vehicle that it commands.
typedef struct rutDraftControl {
  rutDraftComponent component;
  int over;                        // -1: it drives
  int blended;                     // its place among those that that one blends, -1: it commands it
  rutChannelParam video, uplink;   // all 0: it is in the vehicle
  int set_point[RUT_MAX_OUTPUTS];  // of the other one that each output is, -1 for none
  rutDraftControlSource source[RUT_MAX_INPUTS];
} rutDraftControl;

typedef struct rutDraftActuator {
  rutActuatorChannel channel;
  rutActuatorParam param;
} rutDraftActuator;

// Data of each wheel of a class of vehicles on axles.
typedef struct rutDraftWheels {
#define X(name, unit, doc) double name[RUT_MAX_WHEELS];
  RUT_CARRIER_CONSTANTS(X)
  RUT_WHEEL_CONSTANTS(X)
#undef X
} rutDraftWheels;

// Additional data of vehicles on axles.
typedef struct rutDraftSpatial {
  int axles;  // 0: the vehicle is planar
  int search, slices, refine, width_slices;
  double chassis_mass, com[3], inertia[6], hitch[3];
#define X(name, unit, doc) double name;
  RUT_VEHICLE_CONSTANTS(X)
#undef X
  rutDraftWheels wheel;
  int axle[RUT_MAX_WHEELS];  // that carries each wheel
  double z[RUT_MAX_WHEELS];  // of its hub from the reference point [m]
  int massless[RUT_MAX_WHEELS], partner[RUT_MAX_WHEELS];
  int mechanism[RUT_MAX_WHEELS];  // it hangs on one
  int mechanisms;                 // wheels that do
  // As it stands on mechanisms, from the chassis's centre of mass: the hubs [m], and moments of
  // their bodies, first along x and y [kg m] and second about z [kg m2].
  double hub_x[RUT_MAX_WHEELS], hub_y[RUT_MAX_WHEELS];
  double first_x[RUT_MAX_WHEELS], first_y[RUT_MAX_WHEELS], second_z[RUT_MAX_WHEELS];
  // Then, up and down at the hub: mass that moves with it [kg], and stiffness and damping of what
  // holds it [N/m], [N s/m].
  double hub_mass[RUT_MAX_WHEELS], hub_stiffness[RUT_MAX_WHEELS], hub_damping[RUT_MAX_WHEELS];
  double sag, tilt;  // of the reference point under the static load; see rutVehicleRecord
  // Corners of convex pieces of the chassis, from its centre of mass [m].
  int hull, hull_corners[RUT_MAX_HULL];
  double hull_point[RUT_MAX_HULL][3 * RUT_POLYHEDRON_CORNERS];
  // Suspensions and tyres, each once, and those of every axle among them.
  int parts, suspension[RUT_MAX_AXLES], tyre[RUT_MAX_AXLES];
  rutDraftComponent part[RUT_MAX_PARTS];
} rutDraftSpatial;

static inline const rutDraftComponent* rut_suspension_of(const rutDraftSpatial* s, int wheel) {
  return &s->part[s->suspension[s->axle[wheel]]];
}
static inline const rutDraftComponent* rut_tyre_of(const rutDraftSpatial* s, int wheel) {
  return &s->part[s->tyre[s->axle[wheel]]];
}

// Numbers of each wheel, from which its constants follow: X(name, unit, sentence). From this list
// come the class and its hash.
#define RUT_DRAFT_WHEEL_NUMBERS(X)                             \
  X(x, "m", "from the reference point, forward")               \
  X(y, "m", "to the left")                                     \
  X(mount_yaw, "rad", "fixed yaw")                             \
  X(radius, "m", "of the wheel")                               \
  X(width, "m", "of the wheel")                                \
  X(inertia, "kg m2", "about its axis")                        \
  X(wheel_mass, "kg", "of the wheel")                          \
  X(share, "kg", "mass that it carries")                       \
  X(side_mass, "kg", "that its lateral force stops in a step") \
  X(hold, "", "factor on the gravity that it holds")

// Everything about a vehicle or mechanism that its group shares. Compared byte by byte, so it is
// zeroed before it is filled.
typedef struct rutDraftClass {
  int mechanism;
  int wheels, bodies, positions, speeds;
  rutMbdBody body[RUT_MBD_MAX_BODIES];
  double damping[RUT_MBD_MAX_BODIES * 6], stiffness[RUT_MBD_MAX_BODIES * 6];
  int wheel_body[RUT_MAX_WHEELS], wheel_position[RUT_MAX_WHEELS], wheel_speed[RUT_MAX_WHEELS];
  int steer_position[RUT_MAX_WHEELS], steered[RUT_MAX_WHEELS], place[RUT_MAX_WHEELS];
  int driven[RUT_MAX_WHEELS];
#define X(name, unit, doc) double name[RUT_MAX_WHEELS];
  RUT_DRAFT_WHEEL_NUMBERS(X)
#undef X
  double turning[RUT_MAX_WHEELS];  // inertia of wheel and drive together
  double com[2], mass, yaw_inertia;
  double linear_damping, angular_damping, max_steer;
  int coupled, scrubs;  // of rutGroup
  double z_min, z_max, friction, restitution;
  rutOutline outline;
  int feet;
  double foot[2 * RUT_MAX_FEET];
  rutDraftComponent tyre, drive;
  rutDraftComponent controller;  // that which drives: the last of the following
  int controllers, actuators;
  rutDraftControl control[RUT_MAX_CONTROLLERS];  // the outermost first
  rutDraftActuator actuator[RUT_MAX_ACTUATORS];
  rutDraftSpatial spatial;
} rutDraftClass;

// A class of vehicles on mechanisms as it came, and as it stands.
typedef struct rutDraftSettled {
  rutDraftClass before, after;
} rutDraftSettled;

typedef struct rutDraftVehicle {
  rutNode node;
  int group, member;  // group, and place in it
  rutVehicleRecord record;
  int instance;             // for sensors
  int first_prism, prisms;  // of chassis and wheels
} rutDraftVehicle;

typedef struct rutDraftMechanism {
  rutNode node;
  int group, member;
  double base[3];
  double q[RUT_MBD_MAX_BODIES * 7], v[RUT_MBD_MAX_BODIES * 6];
} rutDraftMechanism;

typedef struct rutDraftBlock {
  rutNode node;
  rutBlockRecord record;
  rutOutline outline;   // in its own frame
  double z_min, z_max;  // above its position
  double friction, restitution, ground_friction, ground_radius;
  rutList keyframe;  // rutKeyframe
  bool actor;        // its node is an <actor>
  rutList pace;      // rutPace, of an actor
  int params;
  double* param;  // [params] of the scenery that it looks like, heap
} rutDraftBlock;

typedef struct rutDraftPrism {
  rutPrismDef def;
  int wheel;  // of its vehicle; -1: another part
  int spins;  // 1 + the wheel of all vehicles with which it spins as it is seen; 0: it does not
  rutSurface surface;
  rutOutline outline;
} rutDraftPrism;

// What a joint holds, for what it looks like.
typedef struct rutDraftJoint {
  rutNode node;
  rutCarrier end[2];    // blocks or vehicles
  double anchor[2][2];  // in their frames [m]
} rutDraftJoint;

typedef struct rutDraftGrid {
  rutOccupancy grid;
  void* block;
  double friction, restitution;
  int solid;
  rutSurface surface;
} rutDraftGrid;

typedef struct rutDraftSource {
  rutGroundSource source;
  rutHeightField field;
  double* height;    // of a field, heap
  rutList keyframe;  // rutKeyframe, of moving ground
  rutSurface surface;
} rutDraftSource;

// Cells of a map of ground properties.
typedef struct rutDraftMap {
  rutGroundMap map;
  void* cells;  // heap
} rutDraftMap;

typedef struct rutDraftSensor {
  rutNode node;
  rutDraftComponent component;
  int vehicle;
  int exact;  // noise="none"
  int failures;
  rutFailureRecord failure[RUT_MAX_FAILURES];
} rutDraftSensor;

typedef struct rutDraftSoil {
  rutNode node;
  rutDraftComponent component;
  int material;  // -1: that of the ground
} rutDraftSoil;

// A mesh for rays of sensors.
typedef struct rutDraftMesh {
  rutTriangles set;
  void* block;  // of the set, heap
  int triangles, materials;
  int* triangle_paint;  // [triangles] which of its materials each has, heap
  int surface;          // first of them in mesh_surface
  uint64_t hash;        // of its content
  // For which class, or material of an element, its materials were listed last, and where in
  // `paint`.
  int painted_for, paint;
  // Textures, heap; coordinate is NULL if it has none. As in rutMeshTexture.
  float (*coordinate)[3][2];
  float* density;
  int* texture;
  double (*factor)[3];
} rutDraftMesh;

// What shows an image of the draft's list of those on the ground.
typedef struct rutDraftTextured {
  int source, material;  // -1: the other
} rutDraftTextured;

// An image that meshes show, or the ground.
typedef struct rutDraftTexture {
  const char* name;    // of its file, heap
  rutTexture texture;  // texels on the heap
} rutDraftTexture;

typedef struct rutDraft {
  const rutSpec* spec;
  rutContext* context;
  rutReporter* reporter;
  double dt, gravity, margin;
  double origin[4];  // as in rutModel
  int rk4;
  rutList group;           // rutDraftClass
  rutList group_hash;      // uint64_t of each group's content
  rutList settled;         // rutDraftSettled, of the first RUT_MAX_SETTLED that differ
  int* group_slot;         // table of group indices + 1 by hash, 2 RUT_MAX_GROUPS places, heap
  rutList vehicle;         // rutDraftVehicle
  rutList mechanism;       // rutDraftMechanism
  rutList block;           // rutDraftBlock
  rutList sensor;          // rutDraftSensor
  rutList soil;            // rutDraftSoil
  rutList prism;           // rutDraftPrism
  rutList grid;            // rutDraftGrid
  rutList source;          // rutDraftSource
  rutList region;          // rutRegion, outlines borrowed from the spec
  rutList shape;           // rutGroundShape, parameters and plans on the heap
  rutList ground_map;      // rutDraftMap
  rutSoftDef soft;         // of ground that keeps ruts; cell 0 if there is none
  int ground_soil;         // default soil, 0 for none
  rutList joint;           // rutPlanarJointDef
  rutList joint_end;       // rutDraftJoint, of each of them
  rutList joint_look;      // rutJointLook
  rutList material;        // rutMaterial, each once
  rutList class_name;      // const char*, borrowed
  rutList instance;        // rutNode
  rutList mesh;            // rutDraftMesh
  rutList mesh_surface;    // rutMaterial, those of the meshes
  rutList solid;           // rutSolid
  rutList paint;           // int, materials of meshes as they are seen
  rutList visual;          // rutDraftVisual
  rutList texture;         // rutDraftTexture
  int64_t texels;          // of all textures
  rutList ground_texture;  // rutGroundTexture
  rutList textured;        // rutDraftTextured, of each of them
  int64_t triangles;       // of all meshes
  int watched;             // the world has a sensor: 1, -1: it has none, 0: not asked yet
  rutList road_outline;    // double*, heap: corners of regions
  rutList scenery_item;    // rutSceneryItem
  rutList scenery_form;    // rutSceneryForm, names borrowed from the spec
  rutList scenery_part;    // rutSceneryPartRecord
  bool coloured_soils;     // some have a material of their own
  rutSurface ground_surface;
  rutLight light;
  double extinction;     // of the air, for green light [1/m]
  rutList lamp;          // rutLampRecord
  bool groups_full;      // an error said that there are too many
  int hardly_meant[10];  // vehicles that each warning of plausible.c was about
  int* member;           // vehicles, then mechanisms, group by group in order of index, heap
  bool copies;           // groups are laid out for copies of the world (sim/lanes.h)
  int workers;           // that steps of the model may use
  int* member_start;     // [groups + 1] where each group's begin in member, heap
  int bodies, space_blocks;
  int vehicle_prisms;                 // prisms of vehicles
  size_t cells, heights, properties;  // of all grids, elevation and property maps so far
  void* scratch;                      // of rut_model_build, 64-byte aligned
  size_t scratch_size;
} rutDraft;

// Append a zeroed item; NULL (and a reported error) if out of memory.
void* rut_draft_push(rutDraft* draft, rutList* list);
// Make room for that many more, so that a long list is not moved as it grows. Items are pushed in
// any case.
void rut_draft_reserve(rutDraft* draft, rutList* list, int more);
// True if the world has a sensor. Asked before the model is laid out, which reads draft->watched.
bool rut_draft_is_watched(rutDraft* draft);
static inline void* rut_list_at(const rutList* list, int i) {
  return (char*)list->item + (size_t)i * list->item_size;
}

#endif  // RUT_SIM_COMPILE_DRAFT_H
