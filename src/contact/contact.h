// SPDX-License-Identifier: BSD-3-Clause
//
// Contact in 2.5 dimensions: bodies are vertical prisms that move in the plane. Finds touching
// pairs, resolves them with sequential impulses (Catto 2006), holds joints, and casts rays.
#ifndef RUT_CONTACT_CONTACT_H
#define RUT_CONTACT_CONTACT_H

#include "base/arena.h"
#include "geom/occupancy.h"
#include "geom/rays.h"
#include "rut/rut.h"

// What rays and scans see of a prism.
typedef enum rutLook {
  RUT_LOOK_PRISM,     // the prism itself
  RUT_LOOK_CYLINDER,  // upright, of its height
  RUT_LOOK_SPHERE,    // half way up
  RUT_LOOK_WHEEL,     // a cylinder that lies, half way up
  RUT_LOOK_NOTHING    // it only collides
} rutLook;
// Shape of a cylinder, sphere or wheel, in the frame of the prism's points. It reaches beyond the
// prism at most as far as a circle does beyond a polygon in it.
typedef struct rutRound {
  double centre[2], radius;  // [m]
  double axle[2], width;     // of a wheel: unit vector, and along it [m]
} rutRound;

// A convex prism. Points are counter-clockwise, in the frame of its body's centre of mass, or in
// the world for fixed ones.
typedef struct rutPrismDef {
  int body;             // moving body that carries it, -1: fixed to the world
  int n;                // corners, 3 to 16
  const double* xy;     // n x 2 [m]
  double z_min, z_max;  // above its body's ground height, or in the world for fixed ones [m]
  double friction, restitution;
  int kind, index;  // what it is in rutContact: RUT_VEHICLE or RUT_BLOCK and its index; -1: world
  int told;         // its body takes a commanded velocity in each step: nothing bounces off it
  rutLook look;
  rutRound round;
} rutPrismDef;

// A body that moves in the plane: every vehicle, then every block that is not fixed.
typedef struct rutBodyDef {
  double mass, inertia;    // 0 mass: moved by the caller (keyframes), infinite inertia
  double ground_friction;  // Coulomb coefficient against the ground of a block; 0 for vehicles
  double ground_radius;    // mean distance of its ground patch from its centre of mass [m]
} rutBodyDef;

// Pins and ropes between bodies (-1: the world). Anchors are from the centre of mass, body axes, or
// in the world.
typedef struct rutPlanarJointDef {
  int distance;  // 1: rope or rod, 0: pin
  int body_a, body_b;
  double anchor_a[2], anchor_b[2];
  double min_length, max_length, stiffness, damping, rest_length;  // distance
  int limited;                                                     // pin
  double lower, upper;  // angle of b against a, absolute [rad]
} rutPlanarJointDef;

typedef struct rutContactDef {
  int bodies, prisms, joints, grids;
  const rutBodyDef* body;
  const unsigned char* in_space;  // [bodies] 1: it meets things as space.h says, here only joints
                                  // hold it. Nullable
  const rutPrismDef* prism;
  const rutPlanarJointDef* joint;
  const rutOccupancy* const* grid;  // occupied cells are squares that never move
  const double *grid_friction, *grid_restitution;
  const unsigned char* grid_solid;  // 0: seen by rays only
  double gravity;                   // [m/s2]
  double margin;                    // pairs nearer than this count as touching [m]
} rutContactDef;

typedef struct rutContactModel rutContactModel;  // const while stepping, lives in an arena
typedef struct rutContactState rutContactState;  // lives in an arena

// Poses and velocities of the moving bodies: centre of mass [m], angle [rad], ground height [m].
typedef struct rutBodies {
  int n;
  double *x, *y, *yaw, *z;
  double *vx, *vy, *rate;
} rutBodies;

// Build in an arena (measuring or real; returns NULL while measuring, but `used` grows the same).
rutContactModel* rut_contact_build(const rutContactDef* def, rutArena* arena);
rutContactState* rut_contact_state_build(const rutContactModel* model, rutArena* arena);
// Forget all contacts.
void rut_contact_reset(const rutContactModel* model, rutContactState* state);
// True if nothing can ever touch anything and there are no joints.
bool rut_contact_is_empty(const rutContactModel* model);

// An occupancy grid of the definition, NULL if there is none of that index.
const rutOccupancy* rut_contact_occupancy(const rutContactModel* model, int index);

// Sort the moving bodies into the grid that pairs and rays use. Call when poses have changed.
void rut_contact_index(const rutContactModel* model, rutContactState* state,
                       const rutBodies* bodies);
// How far bodies can move in a step of dt [s]; then, for each tile of some bodies, in any order and
// in parallel, which of them have others near. Before rut_contact_solve, after rut_contact_index.
void rut_contact_begin(const rutContactModel* model, rutContactState* state, double dt,
                       const rutBodies* bodies);
int rut_contact_tiles(const rutContactModel* model);
void rut_contact_look(const rutContactModel* model, rutContactState* state, const rutBodies* bodies,
                      int tile);
// Find pairs at the present poses, then change velocities so that bodies do not approach, joints
// hold, and friction slows blocks on the ground. time [s] stamps new contacts. Serial; result
// independent of anything but its arguments.
void rut_contact_solve(const rutContactModel* model, rutContactState* state, double dt, double time,
                       rutBodies* bodies);
// After positions have been integrated: push overlapping bodies apart and pull joints together.
void rut_contact_correct(const rutContactModel* model, rutContactState* state, rutBodies* bodies);
// True if the last solve found nothing that touches and there are no joints: nothing to correct.
bool rut_contact_is_quiet(const rutContactModel* model, const rutContactState* state);
// Contacts of the last solve (world frame), and whether a body is within the margin of anything.
const rutContact* rut_contact_list(const rutContactState* state, int* n);
int rut_contact_most(const rutContactModel* model);  // that there can be
bool rut_contact_touching(const rutContactState* state, int body);

// Exact bytes of what must be saved and restored to continue bit for bit (warm start, times).
size_t rut_contact_state_size(const rutContactModel* model);
void rut_contact_state_get(const rutContactModel* model, const rutContactState* state, void* out);
void rut_contact_state_set(const rutContactModel* model, rutContactState* state, const void* in);
uint64_t rut_contact_state_hash(const rutContactModel* model, const rutContactState* state,
                                uint64_t hash);

// Rays in the horizontal plane z from one origin. angle[n] ascending, from world x [rad].
typedef struct rutScan {
  double x, y, z;
  int n;
  const double* angle;
  double max_range;
  bool bodies;    // see moving bodies
  int skip_body;  // moving body that is not seen, -1 for none
} rutScan;
// Bytes of scratch for scans of up to n rays.
size_t rut_scan_scratch(const rutContactModel* model, int n);
// What the rays of a scan find, owned by the caller.
typedef struct rutScanResult {
  double* range;  // [n] to the nearest prism or occupied cell, negative beyond max_range [m]
  unsigned char* on_grid;  // [n] 1 where that is a cell. Nullable
} rutScanResult;
// May run in parallel; needs rut_contact_index to be current.
void rut_scan_cast(const rutContactModel* model, const rutContactState* state,
                   const rutBodies* bodies, const rutScan* scan, void* scratch, rutScanResult out);

// What rays in space see at one instant; valid until bodies move. May be shared by threads.
typedef struct rutCastScene {
  const rutContactModel* model;
  const rutContactState* state;
  const rutBodies* bodies;
  double moving_box[6];  // around the moving prisms that rays see: low x y z, high x y z [m]
} rutCastScene;
// Look at the bodies. Needs rut_contact_index to be current.
rutCastScene rut_contact_scene(const rutContactModel* model, const rutContactState* state,
                               const rutBodies* bodies);
// Shorten rays to the prisms and occupied cells that they hit: sides, tops and bottoms. Moving
// bodies count if see_moving, except skip_body (-1: none is skipped). A ray that starts inside a
// prism does not see that prism. Cells are upright columns without end, as scans see them at any
// height; a ray that starts in an occupied one hits it at 0, and the normal points back along the
// ray. A level ray gives the range of rut_scan_cast. Needs no scratch; may run in parallel.
void rut_contact_cast(const rutCastScene* scene, bool see_moving, int skip_body,
                      const rutRayBatch* rays, const rutRayResult* out);
// Whose prism a ray has hit: its moving body, -1 if it is fixed; kind and index as in rutPrismDef.
typedef struct rutPrismOwner {
  int body, kind, index;
} rutPrismOwner;
rutPrismOwner rut_contact_owner(const rutContactModel* model, int prism);
// A prism as it was defined; its points are borrowed. False if there is none.
bool rut_contact_prism(const rutContactModel* model, int prism, rutPrismDef* out);

#endif  // RUT_CONTACT_CONTACT_H
