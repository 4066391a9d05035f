// SPDX-License-Identifier: BSD-3-Clause
//
// Layout of a compiled world. A model is one block: this struct and all arrays it
// points to. A data is another: rutData, then for every group of equal vehicles its batches, then
// blocks, sensors, contacts and scratch.
//
// Vehicles whose compiled content is equal form a group and step together, 8 to a batch, one to a
// lane (a group of one has one lane). A batch is a table of rows, each row one number per lane:
// row r of lane l stands at batch[r * lanes + l].
#ifndef RUT_SIM_MODEL_H
#define RUT_SIM_MODEL_H

#include <stdatomic.h>

#include "base/arena.h"
#include "base/thread.h"
#include "contact/contact.h"
#include "contact/space.h"
#include "geom/instances.h"
#include "geom/texture.h"
#include "mbd/tree.h"
#include "rut/component.h"
#include "rut/profile.h"
#include "rut/scenery.h"
#include "terrain/ground.h"
#include "terrain/rut_grid.h"
#include "vehicle/batch.h"
#include "vehicle/environment.h"

enum { RUT_MAX_FEET = RUT_MAX_WHEELS + 2, RUT_NAME_KINDS = RUT_KIND_COUNT };
// Numbers of a block that moves in space.
enum { RUT_SPACE_BLOCK = 13 };

// A set point of a vehicle: the controller and which of its set points, and its row. Controller -1:
// of tyre pressures, that of all axles or of axle 1, 2 and so on.
typedef struct rutGroupCommand {
  int controller, command, row;
} rutGroupCommand;

// Constants of each wheel, [wheel] and [wheel][lane]: X(name, unit, sentence). From these lists
// come the group and what fills it.
#define RUT_WHEEL_PLACES(X)                     \
  X(mount_yaw, "rad", "fixed yaw of the wheel") \
  X(mount_cos, "", "its cosine")                \
  X(mount_sin, "", "its sine")
#define RUT_WHEEL_NUMBERS(X)                                   \
  X(wheel_x, "m", "from the reference point, forward")         \
  X(wheel_y, "m", "to the left")                               \
  X(arm_x, "m", "from the centre of mass, forward")            \
  X(arm_y, "m", "to the left")                                 \
  X(steer_x, "m", "from the middle of the rear axle, forward") \
  X(steer_y, "m", "to the left")                               \
  X(radius, "m", "of the wheel")                               \
  X(inertia, "kg m2", "about its axis")                        \
  X(share, "kg", "mass that it carries")                       \
  X(side_mass, "kg", "that its lateral force stops in a step") \
  X(hold, "", "factor on the gravity that it holds")           \
  X(inverse_radius, "1/m", "see rutRolling, as the next two")  \
  X(mass_of_spin, "kg", "inertia over the squared radius")     \
  X(speed_per_torque, "rad/(s N m)", "change of the wheel's speed in a step per torque")

// Constants of the planar vehicle in each lane, [rows][lane], as the stages of a batch see them:
// X(name, rows, unit, sentence).
#define RUT_PLANE_CONSTANTS(X)                                             \
  X(lane_com, 2, "m", "centre of mass from the reference point")           \
  X(lane_mass, 1, "kg", "of the vehicle")                                  \
  X(lane_yaw_inertia, 1, "kg m2", "of the same, about the centre of mass") \
  X(lane_linear_damping, 1, "1/s", "of its motion")                        \
  X(lane_angular_damping, 1, "1/s", "of its rotation")                     \
  X(lane_wheelbase, 1, "m", "see rutVehicleLayout, as the next one")       \
  X(lane_max_steer, 1, "rad", "of the equivalent front wheel")             \
  X(lane_odometry, 4, "m, m, m, 1/m",                                      \
    "radius of the left wheel and the right, y of the left, 1 / distance of both")

typedef struct rutGroup {
  int mechanism;  // 1: bodies on joints only; the vehicle members are then unused
  // Vehicles with suspensions, else NULL. Their tree has no bodies here; their coordinates are
  // those of the chassis's centre of mass (7 positions, 6 speeds as of a free joint), then of all
  // slides, then of all wheel spins, with `pad` rows each.
  const rutVehicleClass* spatial;
  int count, lanes, batches;
  // In a view of a model (sim/lanes.h) a batch has one vehicle of each of eight copies: 1 + the
  // lane of the copy at hand. 0: lanes hold the vehicles of the group, one after the other.
  int own_lane;
  int pad;            // of vehicles on axles, rows of a wheel array: rutVehicleClass
  const int* member;  // [batches * lanes] vehicle or mechanism index; padding repeats the last
  const int* body;    // [count] of each vehicle, in the contact model; NULL for mechanisms
  rutRows row;
  size_t batch_offset;   // of its first batch in rutData.table [doubles]
  size_t backup_offset;  // and in rutData.backup
  size_t press_offset;   // of its first wheel in rutData.press
  int shafts;            // of its drive, as the solver counts them
  rutMbdTree tree;
  const rutMbdPlan* plan;             // of the tree
  const double *damping, *stiffness;  // [speeds] of joints (mechanisms)
  // wheels
  int wheels;
  const int *wheel_body, *wheel_speed;  // body index, and index of its spin in v
  const int* steer_position;            // index of its steering angle in q, -1 if none
  const int* wheel_position;            // index of its spin angle in q
#define X(name, unit, doc) const double* name;
  RUT_WHEEL_PLACES(X)
  RUT_WHEEL_NUMBERS(X)
#undef X
#define X(name, rows, unit, doc) const double* name;
  RUT_PLANE_CONSTANTS(X)
#undef X
  int straight;  // no wheel stands or steers at an angle
  rutVehicleLayout layout;
  double com[2];                           // of the vehicle from the reference point [m]
  double mass, yaw_inertia;                // of the vehicle as one body
  double linear_damping, angular_damping;  // [1/s]
  int feet;                                // points that rest on the ground
  const double* foot;                      // [foot][2] from the reference point [m]
  // components
  const rutTyreType* tyre;
  const rutDriveType* drive;
  const double *tyre_param, *drive_param;
  const void* drive_plan;  // NULL if the drive has none
  int inputs;
  rutControlStack control;
  // Set points of the vehicle: those that no controller gives to another.
  int commands;
  rutGroupCommand command[RUT_MAX_COMMANDS];
  const char* command_names;  // space separated
  int command_rows;           // of all controllers
  // Numbers of state: of a tyre per wheel, of the others per vehicle.
  int tyre_states, drive_states, control_states;
  int control_scratch;  // numbers per vehicle
  int coupled;          // planar: wheels that roll are found together with the body's motion
  int scrubs;           // likewise: not all wheels can roll without slip in every turn
  int sinks;            // on axles: there is deformable soil
  const double* gain;   // [line][wheel][lane] of the drive where it holds for ever, else NULL
  int lines;  // demands that are known at the end of the step (rutDemandLine): all or none
  // Controllers of a vehicle that run beside the steps, the first of their jobs, and the doubles
  // that a batch of them needs.
  int jobs, first_job;
  size_t job_doubles;
  const double* odometry_scale;  // [batch][3][lane]
  // Planar vehicles that share lanes and have numbers of their own: friction and rolling resistance
  // of the tyres where the place has none, [wheel][lane]; NULL: they are those of `tyre_param`.
  const double *lane_friction, *lane_rolling;
  // The group of the vehicle in each lane, whose constants are the same in all its lanes; NULL
  // where all lanes have this one. See rut_group_of.
  const struct rutGroup* const* own;
  const rutControlOwn* own_control;  // [lane] where their controllers run lane by lane, else NULL
  int own_drive, own_tyre;           // their drives do, and their tyres
  int own_tree;                      // bodies of their trees have numbers of their own
} rutGroup;

// Group of the vehicle in a lane, for what is done lane by lane.
static inline const rutGroup* rut_group_of(const rutGroup* group, int lane) {
  return group->own ? group->own[lane] : group;
}

// What a set point is.
const rutVariable* rut_group_command(const rutGroup* group, const rutGroupCommand* command);

typedef struct rutVehicleRecord {
  int group, slot;  // slot = batch * lanes + lane
  int first_wheel;
  double start[6];     // x y z roll pitch yaw of the reference point
  double velocity[4];  // forward, left, yaw rate, up at the start
  double odometry_scale[3];
  int on_ground, rolling;  // put on the ground, wheels rolling, at the start
  double sag;              // of a vehicle on suspensions below its design position [m]
  double tilt;             // pitch that it has standing, on mechanisms [rad]
  int body;                // in the contact model
  int linked;              // it meets things in space, with its wheels
} rutVehicleRecord;

typedef struct rutKeyframe {
  double time, pose[6];  // x y z roll pitch yaw offset
} rutKeyframe;

// How far an actor has come at a keyframe.
typedef struct rutPace {
  double distance;  // along its path [m]
  double speed;     // from the keyframe before; 0: it waits or turns on the spot [m/s]
  int first, last;  // keyframes at the ends of the stretch at this speed
} rutPace;

// What moves on an actor besides itself.
typedef struct rutActor {
  const rutSceneryType* type;
  const double* param;
  double size;
  const rutPace* pace;  // [keyframes]
} rutActor;

typedef struct rutBlockRecord {
  int fixed, on_ground, intangible;
  int body;                      // in the contact model, -1 if fixed
  double com[2];                 // from its position, own frame
  double start[6], velocity[3];  // velocity in its own frame
  double mass, inertia, linear_damping, angular_damping;
  // Of one that moves in space, else 0: 1 + its place among these, height of its centre of mass and
  // moments xx yy zz xy xz yz about that in its own axes, angular velocity and velocity along z.
  int space;
  double com_z, moments[6], rate[3], rise;
  int keyframes;
  const rutKeyframe* keyframe;
  double delay;    // after which they begin [s]
  int once;        // they do not repeat
  int form;        // of an actor, what it looks like; -1: a block
  rutActor actor;  // type is NULL if it has no moving parts
} rutBlockRecord;

typedef struct rutMechanismRecord {
  int group, slot;
  double base[3];
  const double *q, *v;  // at the start
} rutMechanismRecord;

typedef struct rutOutputRecord {
  rutVariableInfo info;
  int offset;  // of its first number in a sample [doubles]
} rutOutputRecord;

// What a <failure> does to the samples of its sensor that are due from `from` until `to` [s].
typedef enum rutFailureKind {
  RUT_FAILURE_STUCK,    // the last sample repeats
  RUT_FAILURE_DROPOUT,  // no sample is taken
  RUT_FAILURE_BIAS,     // a value is added to an output
  RUT_FAILURE_NOISE     // normal numbers are, of this standard deviation
} rutFailureKind;
typedef struct rutFailureRecord {
  rutFailureKind kind;
  int output;  // index; only of bias and noise, as value
  double from, to, value;
} rutFailureRecord;

typedef struct rutSensorRecord {
  const rutSensorType* type;
  const double* param;  // begins with a rutSensorHead
  int vehicle;
  bool exact;       // gives the truth
  double mount[6];  // x y z roll pitch yaw
  const rutOutputRecord* output;
  int numbers;  // of all outputs
  // Samples wait in `slots` places, of `size` doubles each, until they can be seen; with more than
  // one the time of a sample stands at the end of its place.
  int size, slots;
  size_t sample;  // of the first place in rutData.samples [doubles]
  size_t state;   // of its state there [doubles]
  int failures;
  const rutFailureRecord* failure;
  size_t lost;  // place of samples that a failure keeps from being seen; only with failures
  int first_part, parts;  // of its samples, among those of all sensors
  int frames;             // sub-frames of a sample
  double span;            // time from the first to the last [s]
  size_t kept;  // of what it keeps between them, in rutData.samples [doubles]: the number of the
                // next one, then its own; only with several frames
  bool has_past;
  size_t past;  // of what sim/past.h keeps, in rutData.samples [doubles]; only with has_past
} rutSensorRecord;

// One batch of one group, the unit of parallel work.
typedef struct rutBatchTask {
  int group, batch;
} rutBatchTask;

// A movable ground plane or ramp follows keyframes.
typedef struct rutGroundMotion {
  int source;  // in the ground
  int keyframes;
  const rutKeyframe* keyframe;
} rutGroundMotion;

// What a ray has hit: instance and material, by their index.
typedef struct rutSurface {
  int instance, material;
} rutSurface;

// What an instance moves with: RUT_VEHICLE or RUT_BLOCK and its index; -1: it never moves.
typedef struct rutMover {
  int kind, index;
} rutMover;

// An image that lies on the ground, seen from above: u and v are a[0] + a[1] x + a[2] y of the
// world.
typedef struct rutGroundTexture {
  int texture;  // index in rutSeen.texture
  double u[3], v[3];
  double density;  // side of a square of the image over that on level ground [1/m]
} rutGroundTexture;

// A lamp. Position and axes are unset, vehicle is that which carries it.
typedef struct rutLampRecord {
  rutLamp lamp;
  double mount[6];  // x y z roll pitch yaw, as of a sensor
} rutLampRecord;

// What sensors see of the elements.
typedef struct rutSeen {
  int materials, instances, classes;
  const rutMaterial* material;
  const rutInstanceInfo* instance;
  const rutMover* mover;  // [instances]
  const char* const* class_name;
  rutLight light;
  double extinction;         // of the air, as of rut_model_extinction
  rutSurface ground;         // without a source of its own
  const rutSurface* prism;   // of the contact model
  const int* prism_wheel;    // wheel of all vehicles that a prism spins with, -1: it does not
  const rutSurface* grid;    // occupancy grids
  const rutSurface* source;  // of the ground
  const int* soil;           // material of each, -1: that of the ground; NULL if all are -1
  int textures;
  const rutTexture* texture;
  int ground_textures;  // 0: the two lists below are NULL
  const rutGroundTexture* ground_texture;
  const int* source_texture;    // [sources of the ground] index of its own one, -1: none
  const int* material_texture;  // [materials] the same
  int lamps;
  const rutLampRecord* lamp;
  int ground_material;  // of the world's default soil, or of ground without one
} rutSeen;

// What carries a mesh or solid, and its frame.
typedef enum rutCarrierKind {
  RUT_CARRIER_WORLD,
  RUT_CARRIER_BLOCK,    // index: block; its position and attitude; part: 1 + moving part, 0: none
  RUT_CARRIER_VEHICLE,  // index: vehicle; its reference point
  RUT_CARRIER_WHEEL,  // index: of all vehicles' wheels; its hub, y along the axle, turning with it
  RUT_CARRIER_LINK,   // index: wheel, part: link of its suspension, from z = 0 to z = 1
  RUT_CARRIER_BODY,   // index: mechanism, part: body; its joint
  RUT_CARRIER_JOINT   // index: of joint looks, part: piece, from z = 0 to z = 1
} rutCarrierKind;
typedef struct rutCarrier {
  rutCarrierKind kind;
  int index, part;
} rutCarrier;

// Textures of a mesh.
typedef struct rutMeshTexture {
  const float (*coordinate)[3][2];  // [triangles] of their corners; NaN: it shows none
  const float* density;  // [triangles] side of a square of the texture over that in space [1/m]
  const int* texture;    // [materials of the mesh] index in seen.texture, -1: none
  const double (*factor)[3];  // [materials] by which it is multiplied
} rutMeshTexture;

// A mesh or solid that rays hit.
typedef struct rutVisual {
  rutCarrier carrier;
  double pose[12];                // [row][4]: from its own frame to the carrier's
  int vehicle;                    // that it belongs to, -1: none
  rutSurface surface;             // material: of a solid; of a mesh -1
  const rutTriangles* mesh;       // NULL for a solid
  const rutSolid* solid;          // NULL for a mesh
  const int* triangle_paint;      // of a mesh, [triangles] index in
  const int* paint;               // materials
  const rutMeshTexture* texture;  // of a mesh, NULL: none
  double scale;                   // of its lengths, by its pose
} rutVisual;

// A rope, rod or spring, as rays see it: pieces in a row between points of what it holds.
enum { RUT_ROPE_PIECES = 14 };
typedef struct rutJointLook {
  rutCarrier end[2];    // blocks or vehicles
  double anchor[2][3];  // in their frames [m]
  int pieces;           // RUT_ROPE_PIECES of a rope, else 1
  double length;        // of a rope, which hangs through where it is slack [m]
  double radius;        // of a rope, which lies on the ground at most [m]
} rutJointLook;

typedef struct rutSceneModel {
  int visuals, fixed;  // the first `fixed` do not move
  const rutVisual* visual;
  rutInstances standing;  // these
  int only_vehicle;       // all that move belong to this vehicle; -1: not so
  const rutJointLook* joint;
} rutSceneModel;
typedef struct rutScene rutScene;  // see sim/scene.h
// An individual of scenery, and the variant of its element that it is.
typedef struct rutSceneryItem {
  int form, instance;
  double position[3], yaw, size;  // of its foot in the world [m], [rad], factor
} rutSceneryItem;
typedef struct rutSceneryForm {
  const char *type, *name;  // of its element
  int variant, first, parts;
  int mesh;     // that the compiler lists; -1 in a world without sensors
  int element;  // as in rutSceneryInfo
  bool water;   // as in rutSceneryType
} rutSceneryForm;
typedef struct rutSceneryPartRecord {
  rutSceneryPart part;
  int material;
} rutSceneryPartRecord;
typedef struct rutScenery {
  int items, forms;
  const rutSceneryItem* item;
  const rutSceneryForm* form;
  const rutSceneryPartRecord* part;
} rutScenery;

struct rutModel {
  rutContext* context;
  size_t size, data_size;
  size_t data_plain;  // first bytes of a data that must be zero before it is built
  double dt, gravity;
  // Of the world's origin: latitude, longitude [rad], altitude [m], or NaN; and the angle of the
  // world's x axis from east, towards north [rad].
  double origin[4];
  int rk4, workers;
  int groups, batches, vehicles, wheels, blocks, joints, sensors, mechanisms, bodies;
  const rutGroup* group;
  const rutBatchTask* task;  // [batches]
  const rutVehicleRecord* vehicle;
  const rutBlockRecord* block;
  const int* moving_block;  // [moving_blocks] in order of index
  const rutMechanismRecord* mechanism;
  const rutSensorRecord* sensor;
  const char* const* name[RUT_NAME_KINDS];  // [kind][index]
  const int* sorted[RUT_NAME_KINDS];        // indices in order of name
  const rutGround* ground;
  const rutSoftDef* soft;     // of ground that keeps ruts, NULL if there is none
  size_t presses;             // entries of the wheel arrays of all vehicles with suspensions
  int soils;                  // that the world lists, and the default in front of them
  const rutSoilRecord* soil;  // [soils]
  int soft_soils;             // some of them are deformable
  int ground_motions;
  const rutGroundMotion* ground_motion;
  const rutContactModel* contact;
  const rutSpaceModel* space;  // NULL if nothing moves or meets in space
  int space_blocks;            // that do
  int moving_blocks;           // that are not fixed
  rutSeen seen;
  rutSceneModel scene;
  rutScenery scenery;
  int touchable;                                 // something can touch something, or is jointed
  size_t table_size, samples_size, backup_size;  // [doubles]
  rutWaters waters;
  double highest_ground;   // none is higher [m]; 1e300 where that is not known
  size_t worker_scratch;   // [bytes]
  uint64_t hash;           // of everything that was compiled
  size_t sensor_scratch;   // [bytes] largest that a sensor asks for
  int sensor_parts;        // parts of samples of all sensors
  const int* part_sensor;  // [sensor_parts] whose they are
  int jobs;                // of controllers that run beside the steps
  size_t job_doubles;      // that they take in all
};

typedef struct rutSensorState {
  int64_t count;  // samples that were due so far
  double stamp;   // time of the last one that was taken, -1 before the first
} rutSensorState;

// Places whose soil was changed in a run, the last one on top.
enum { RUT_SOIL_CHANGES = 64 };
typedef struct rutSoilChange {
  rutSoilArea area;
  int64_t soil;  // index among the model's
} rutSoilChange;
typedef struct rutSoilChangeList {
  int64_t n;
  rutSoilChange place[RUT_SOIL_CHANGES];  // those not in use are 0
} rutSoilChangeList;
typedef struct rutSoilChanges rutSoilChanges;

struct rutData {
  const rutModel* model;
  uint64_t made_for;  // hash of that model: another may get its address once it is destroyed
  double time;
  int64_t steps;
  uint64_t seed;
  double* table;        // batches of all groups
  double* backup;       // state rows at the start of the step
  double* body_backup;  // bodies and blocks at the start of the step
  rutBodies bodies;     // contact bodies; movable blocks keep their state here
  double* block_z;      // [blocks] height of each block's foot
  double* lift;         // [ground sources] how far moving ground has risen
  // What the ground is made of: the model's, or that with places whose soil was changed.
  const rutGround* ground;
  rutSoilChanges* soil_changes;
  // [wheels] loads before the first step [N]; later ones are rows of the table. No part of the
  // state: controllers see no loads before the first step has found some.
  double* start_load;
  double* batch_copy;  // room for a batch of vehicles on axles
  // Ruts, and what each wheel does to them in this step; NULL without <deformable>.
  rutSoftGround* soft;
  rutSoftPress* press;       // [presses] a group's batches one after the other, as its wheel arrays
  rutSoftPress* last_press;  // [presses] that changed something
  rutSensorState* sensor;
  double* samples;
  bool* unwatched;         // [sensors] no samples are taken
  rutControlHost control;  // what controllers read of sensors, and who runs them beside the steps
  // Ground that keeps ruts of every lane, of data whose vehicles are in a lane beside those of
  // other copies (sim/lanes.h); else NULL.
  const rutSoftGround* const* lane_soft;
  const rutSoilRecord* lane_soil;  // [lane][model's soils] likewise, where copies in lanes differ
  rutControlJob* job;              // [jobs]
  double* job_memory;              // [job_doubles]
  rutTaskQueue* queue;             // that runs them; NULL without any
  atomic_llong misses;             // answers that came late
  rutContactState* contact;
  rutSpaceState* space;
  int contacts;  // in contact_list: those of both, only with a rutSpaceModel
  rutContact* contact_list;
  double* space_block;     // [space_blocks][RUT_SPACE_BLOCK] see sim/step_space.h
  rutScene* scene;         // what moves of model->scene, NULL if nothing does
  unsigned char* scratch;  // [workers][worker_scratch]
  rutThreadPool* pool;
  atomic_int not_finite;  // set by a batch whose state overflowed
  int profile;
  double stage[RUT_STAGE_COUNT];
  rutProfileFunction work;  // told of decisions and samples. Nullable
  void* work_user;
};

static inline double* rut_batch(const rutData* data, const rutGroup* group, int batch) {
  return data->table + group->batch_offset +
         (size_t)batch * (size_t)group->row.rows * (size_t)group->lanes;
}

// The lanes of a batch that hold vehicles or mechanisms of the world at hand; the others are
// padding, or those of other copies.
typedef struct rutLaneRange {
  int first, end;
} rutLaneRange;
static inline rutLaneRange rut_batch_lanes(const rutGroup* group, int batch) {
  if (group->own_lane) return (rutLaneRange){group->own_lane - 1, group->own_lane};
  const int left = group->count - batch * group->lanes;
  return (rutLaneRange){0, left < group->lanes ? left : group->lanes};
}

// Where the member k of a group is, in its order: its body in the contact model, and its slot.
static inline int rut_group_body(const rutGroup* group, int batch, int lane) {
  return group->body[group->own_lane ? batch : batch * group->lanes + lane];
}
static inline int rut_group_slot(const rutGroup* group, int k) {
  return group->own_lane ? k * group->lanes + group->own_lane - 1 : k;
}

// The state rows of a batch as they were when the last step began.
static inline double* rut_backup(const rutData* data, const rutGroup* group, int batch) {
  return data->backup + group->backup_offset +
         (size_t)batch * (size_t)group->row.state_rows * (size_t)group->lanes;
}

// Jobs of a batch.
static inline rutControlJob* rut_batch_jobs(const rutData* data, const rutGroup* group, int batch) {
  return data->job ? data->job + group->first_job + (size_t)(batch * group->jobs) : NULL;
}

// A batch of vehicles on axles, as src/vehicle sees it.
static inline rutVehicleBatch rut_vehicle_batch(const rutData* data, const rutGroup* group,
                                                int batch) {
  const size_t entries = (size_t)batch * (size_t)group->spatial->body.n;
  return (rutVehicleBatch){
      .vehicle = group->spatial,
      .table = rut_batch(data, group, batch),
      .job = rut_batch_jobs(data, group, batch),
      .press = data->press ? data->press + group->press_offset + entries : NULL};
}

// True if the data was made from this model. Every public function that takes both checks it, since
// the arrays of another model's data lie elsewhere.
static inline bool rut_data_is_of(const rutData* data, const rutModel* model) {
  return data->model == model && data->made_for == model->hash;
}

#endif  // RUT_SIM_MODEL_H
