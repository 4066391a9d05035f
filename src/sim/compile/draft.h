// SPDX-License-Identifier: BSD-3-Clause
//
// What the compiler collects from a spec before it lays out the model: plain lists on the heap.
#ifndef RUT_SIM_COMPILE_DRAFT_H
#define RUT_SIM_COMPILE_DRAFT_H

#include "sim/model.h"
#include "sim/spec/spec.h"

enum {
  RUT_MAX_PARAMS = 256,  // numbers of a component
  RUT_MAX_PARTS = 10,    // suspensions and tyres of a vehicle that differ
  RUT_MAX_CORNERS = 16,  // of an outline
  RUT_MAX_MODEL_BYTES = 1 << 30,
  RUT_MAX_VEHICLES = 100000,
  RUT_MAX_MECHANISMS = 100000,
  RUT_MAX_BLOCKS = 200000,
  RUT_MAX_PRISMS = 1 << 20,
  RUT_MAX_CELLS = 1 << 27,    // of all occupancy grids
  RUT_MAX_HEIGHTS = 1 << 26,  // of all elevation maps, and of all maps of ground properties
  RUT_MAX_FILE_ERRORS = 10,   // after so many errors no further map is read
  RUT_MAX_GROUPS = 16384      // vehicles and mechanisms that differ from each other
};

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

// What vehicles with suspensions have beside the rest.
typedef struct rutDraftSpatial {
  int axles;  // 0: the vehicle is planar
  int search, slices, refine, width_slices;
  double chassis_mass, com[3], inertia[6];
  double drag_area, steer_rate, steer_x, steer_base;
  double hitch[3], hitch_force, hitch_ramp, hitch_start;  // as in rutVehicleClass
  int axle[RUT_MAX_WHEELS];                               // that carries each wheel
  double z[RUT_MAX_WHEELS], transverse[RUT_MAX_WHEELS], section[RUT_MAX_WHEELS];
  double brake[RUT_MAX_WHEELS], max_steer[RUT_MAX_WHEELS], preload[RUT_MAX_WHEELS];
  double lowest[RUT_MAX_WHEELS], highest[RUT_MAX_WHEELS], anti_roll[RUT_MAX_WHEELS];
  int massless[RUT_MAX_WHEELS], partner[RUT_MAX_WHEELS];
  int mechanism[RUT_MAX_WHEELS];  // it hangs on one
  int mechanisms;                 // wheels that do
  double steer_gain[RUT_MAX_WHEELS], settled[RUT_MAX_WHEELS], corner_mass[RUT_MAX_WHEELS];
  // As it stands on mechanisms, from the chassis's centre of mass: the hubs [m], and moments of
  // their bodies, first along x and y [kg m] and second about z [kg m2].
  double hub_x[RUT_MAX_WHEELS], hub_y[RUT_MAX_WHEELS];
  double first_x[RUT_MAX_WHEELS], first_y[RUT_MAX_WHEELS], second_z[RUT_MAX_WHEELS];
  // Then, up and down at the hub: mass that moves with it [kg], and stiffness and damping of what
  // holds it [N/m], [N s/m].
  double hub_mass[RUT_MAX_WHEELS], hub_stiffness[RUT_MAX_WHEELS], hub_damping[RUT_MAX_WHEELS];
  double steer_lock, steer_full, steer_response, tilt;      // see rutVehicleClass, rutVehicleRecord
  double steer_stiffness, steer_damping, steer_inertia;     // see rutVehicleClass
  double geared[RUT_MAX_WHEELS], reaction[RUT_MAX_WHEELS];  // see rutVehicleClass
  double stiffness[RUT_MAX_WHEELS];                         // of the tyres [N/m]
  double deflection[RUT_MAX_WHEELS];  // of the tyres under the static load [m]
  double sag;                         // of the reference point under it [m]
  int hull;
  double hull_point[3 * RUT_MAX_HULL];
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
  double x[RUT_MAX_WHEELS], y[RUT_MAX_WHEELS], mount_yaw[RUT_MAX_WHEELS];
  double radius[RUT_MAX_WHEELS], width[RUT_MAX_WHEELS], inertia[RUT_MAX_WHEELS];
  double turning[RUT_MAX_WHEELS];  // inertia of wheel and drive together
  double wheel_mass[RUT_MAX_WHEELS], share[RUT_MAX_WHEELS];
  // mass that each wheel's side force stops in a step [kg], and factor on the gravity that it holds
  double side_mass[RUT_MAX_WHEELS], hold[RUT_MAX_WHEELS];
  double com[2], mass, yaw_inertia;
  double linear_damping, angular_damping, max_steer;
  double z_min, z_max, friction, restitution;
  rutOutline outline;
  int feet;
  double foot[2 * RUT_MAX_FEET];
  rutDraftComponent tyre, drive, controller;
  rutDraftSpatial spatial;
} rutDraftClass;

typedef struct rutDraftVehicle {
  rutNode node;
  int group, member;  // group, and place in it
  rutVehicleRecord record;
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
} rutDraftBlock;

typedef struct rutDraftPrism {
  rutPrismDef def;
  rutOutline outline;
} rutDraftPrism;

typedef struct rutDraftGrid {
  rutOccupancy grid;
  void* block;
  double friction, restitution;
  int solid;
} rutDraftGrid;

typedef struct rutDraftSource {
  rutGroundSource source;
  rutHeightField field;
  double* height;    // of a field, heap
  rutList keyframe;  // rutKeyframe, of moving ground
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
} rutDraftSensor;

typedef struct rutDraftSoil {
  rutNode node;
  rutDraftComponent component;
} rutDraftSoil;

typedef struct rutDraft {
  const rutSpec* spec;
  rutContext* context;
  rutReporter* reporter;
  double dt, gravity, margin;
  double origin[3];  // as in rutModel
  int rk4;
  rutList group;        // rutDraftClass
  rutList group_hash;   // uint64_t of each group's content
  int* group_slot;      // table of group indices + 1 by hash, 2 RUT_MAX_GROUPS places, heap
  rutList vehicle;      // rutDraftVehicle
  rutList mechanism;    // rutDraftMechanism
  rutList block;        // rutDraftBlock
  rutList sensor;       // rutDraftSensor
  rutList soil;         // rutDraftSoil
  rutList prism;        // rutDraftPrism
  rutList grid;         // rutDraftGrid
  rutList source;       // rutDraftSource
  rutList region;       // rutRegion, outlines borrowed from the spec
  rutList shape;        // rutGroundShape, parameters and plans on the heap
  rutList ground_map;   // rutDraftMap
  rutSoftDef soft;      // of ground that keeps ruts; cell 0 if there is none
  int ground_soil;      // soil of places that say nothing else, 0 for none
  rutList joint;        // rutPlanarJointDef
  bool groups_full;     // an error said that there are too many
  int hardly_meant[5];  // vehicles that each warning of plausible.c was about
  int* member;          // vehicles, then mechanisms, group by group in order of index, heap
  int* member_start;    // [groups + 1] where each group's begin in member, heap
  int bodies;
  size_t cells, heights, properties;  // of all grids, elevation and property maps so far
  void* scratch;                      // of rut_model_build, 64-byte aligned
  size_t scratch_size;
} rutDraft;

// Append a zeroed item; NULL (and a reported error) if out of memory.
void* rut_draft_push(rutDraft* draft, rutList* list);
static inline void* rut_list_at(const rutList* list, int i) {
  return (char*)list->item + (size_t)i * list->item_size;
}
// Hull of a points field with at most 16 corners. False, with an error at the node, if it is not a
// polygon.
bool rut_draft_outline(rutDraft* draft, rutNode node, const char* field, rutOutline* outline);
// Parameters of a component node. False, with an error, if there are too many.
bool rut_draft_params(rutDraft* draft, rutNode node, double param[RUT_MAX_PARAMS]);
// Component child of a kind; type NULL if the node has none.
void rut_draft_component(rutDraft* draft, rutNode parent, const char* kind,
                         rutDraftComponent* component);
// An error at a field of numbers that has less or more of them than it may have.
void rut_draft_check_count(const rutDraft* draft, rutNode node, const char* field, int least,
                           int most);
// x y z roll pitch yaw of a node with the common pose fields; *has_z (Nullable) tells if z is
// given.
void rut_draft_pose(const rutDraft* draft, rutNode node, double pose[6], bool* has_z);
// After an error in a map file, which may have no lines: tell where the world asks for it.
void rut_draft_map_failed(rutDraft* draft, rutNode node, const char* field, rutStatus status);
void rut_draft_keyframes(rutDraft* draft, rutNode node, rutList* list);
// Index of the class among the groups, added if new; -1 (and a reported error at the node) if there
// are too many or memory is out.
int rut_draft_group(rutDraft* draft, rutNode node, const rutDraftClass* content);

// Stages of rut_compile, each reading its part of the spec into the draft.
void rut_draft_vehicles(rutDraft* draft);
// Error at the node's `inertia` if no body can have these moments (xx yy zz xy xz yz).
void rut_draft_check_tensor(rutDraft* draft, rutNode node, const double inertia[6]);
// The part of it for vehicles with axles: fills the class except its drive and controller.
void rut_draft_spatial(rutDraft* draft, rutNode node, rutDraftClass* content);
double rut_draft_drive_inertia(const rutDraftClass* content, double* momentum);
// Errors for vehicles on axles that start inside the ground, when all of it is known.
void rut_draft_check_starts(rutDraft* draft);
void rut_draft_soils(rutDraft* draft);
// Is there soil that wheels sink into?
bool rut_draft_some_soil_sinks(const rutDraft* draft);
void rut_draft_mechanisms(rutDraft* draft);
void rut_draft_blocks(rutDraft* draft);
void rut_draft_walls(rutDraft* draft);
void rut_draft_grids(rutDraft* draft);
void rut_draft_ground(rutDraft* draft);
void rut_draft_ground_free(rutDraft* draft);
// Parts of it: extents, regions, maps and the default of what the ground is made of.
// Distance of the values of a raster file [m]: as the node or else the file says. False, with an
// error, if neither tells.
struct rutRaster;
bool rut_draft_raster_spacing(rutDraft* draft, rutNode node, const struct rutRaster* raster,
                              double* spacing);
// False, with an error, if a box's limits along one axis are the wrong way round.
bool rut_draft_extent(rutDraft* draft, rutNode node, const char* low, const char* high);
void rut_draft_region(rutDraft* draft, rutNode node);
void rut_draft_soil_map(rutDraft* draft, rutNode node);
void rut_draft_default_soil(rutDraft* draft);
void rut_draft_deformable(rutDraft* draft, rutNode node);
// Height of the ground that the draft has so far, as rut_ground_height tells it; 0 off all ground.
double rut_draft_ground_height(const rutDraft* draft, double x, double y, double z);
// The same; false, and height 0, off all ground.
bool rut_draft_finds_ground(const rutDraft* draft, double x, double y, double z, double* height);
void rut_draft_joints(rutDraft* draft);
// Prisms of vehicles and blocks, once all ground is known.
void rut_draft_prisms(rutDraft* draft);
void rut_draft_sensors(rutDraft* draft);

// Hash of everything that is compiled: equal drafts make bit-identical models.
uint64_t rut_draft_hash(const rutDraft* draft);

// Bytes of scratch that rut_model_build needs.
size_t rut_model_scratch(const rutDraft* draft);
// Constants of a group of vehicles on axles, without rows and components; NULL while measuring.
rutVehicleClass* rut_build_axles(const rutDraftClass* content, double gravity, double explicit_step,
                                 int lanes, int shafts, bool soft, rutArena* arena);
// Constants of the mechanism of wheel w, RUT_CORNER_WIDTH apart. Reports errors at the axle's
// suspension.
bool rut_draft_derive_corner(rutDraft* draft, rutNode node, const rutDraftClass* content, int w,
                             double* constant, double range[2]);
// Loads, and how the vehicle stands on mechanisms.
void rut_draft_settle_corners(rutDraft* draft, rutNode node, rutDraftClass* content);
// Mass that moves up and down with a wheel of a vehicle on axles, and the stiffnesses of the spring
// and the tyre that hold it [N/m].
double rut_draft_unsprung(const rutDraftClass* content, int w, double* spring, double* tyre);
// Warnings of numbers that are allowed but hardly meant: of all fields, and of a vehicle as a
// whole, once for each class.
void rut_draft_look_at_fields(rutDraft* draft);
void rut_draft_look_at_vehicle(rutDraft* draft, rutNode node, const rutDraftClass* content);
const rutSoilRecord* rut_build_soils(const rutDraft* draft, rutArena* arena, int* count);
// Lay the model out: measuring if arena->base is NULL, else for real.
rutModel* rut_model_build(rutDraft* draft, rutArena* arena);

#endif  // RUT_SIM_COMPILE_DRAFT_H
