// SPDX-License-Identifier: BSD-3-Clause
//
// What the model and state of contact in space look like inside, shared by its files.
#ifndef RUT_CONTACT_SPACE_DATA_H
#define RUT_CONTACT_SPACE_DATA_H

#include "contact/contact_data.h"
#include "contact/space.h"
#include "geom/collide.h"
#include "math/sym3.h"

enum {
  RUT_SPACE_TOUCHES = 12,        // that one body can own; the deepest are kept
  RUT_SPACE_MEAN = 4,            // that there is room for per body
  RUT_SPACE_SPARE = 256,         // and besides
  RUT_SPACE_PAIRS = 32,          // near pairs per body
  RUT_SPACE_ITERATIONS = 40,     // of velocities, at most
  RUT_SPACE_CORRECTIONS = 10,    // of places
  RUT_SPACE_JACOBIAN = 8,        // rigid body, suspension and spin of one wheel
  RUT_SPACE_CYLINDER_SIDES = 16  // of a cylinder that stands for a round one
};

#define RUT_SPACE_MARGIN     0.005   // nearer things count as touching [m]
#define RUT_SPACE_SLOP       0.0005  // overlap that is left alone [m]
#define RUT_SPACE_CORRECTION 0.2     // part of an overlap that a step removes
#define RUT_SPACE_PUSH       2.0     // fastest correction [m/s]
#define RUT_SPACE_BOUNCE     0.3     // slower approaches do not bounce [m/s]
#define RUT_SPACE_SETTLED    1e-9    // changes of speed at which iterations end [m/s]

typedef struct rutSpaceShape {
  rutSpaceShapeDef def;  // xy in the model
  double reach;          // distance of its farthest point from the centre of mass [m]
} rutSpaceShape;

typedef struct rutSpaceBodyModel {
  rutSpaceBodyDef def;
  int first_shape, shapes;
  double radius;  // of the sphere about the centre of mass that holds all shapes [m]
} rutSpaceBodyModel;

struct rutSpaceModel {
  int bodies, shapes, speeds, wheels, touches, points;
  size_t responses;  // numbers in all responses of one state, at most
  const rutContactModel* planar;
  rutSpaceBodyModel* body;  // bodies + 1: the last closes the ranges
  rutSpaceShape* shape;
  int *first, *first_wheel;  // [bodies + 1] of speeds and wheels
};

// Inverse mass of a body in this step.
typedef struct rutSpaceMass {
  double mass;      // inverse [1/kg]
  rutSym3 inertia;  // inverse, world axes [1/(kg m2)]
  double* matrix;   // of a LINKED body; NULL until it is asked for
} rutSpaceMass;

// One body of a touch: its place in rutSpaceBodies (-1: fixed), and its wheel (-1: none).
typedef struct rutSpaceSide {
  int body, wheel;
} rutSpaceSide;

// One point of contact. Directions are the normal and two tangents; side 0 is a, 1 is b.
typedef struct rutSpacePoint {
  rutVec3 normal, tangent[2], at;
  double gap;  // along the normal, of rigid parts [m]
  uint32_t id;
  double jacobian[2][3][RUT_SPACE_JACOBIAN];
  double* response[2];  // [direction][speeds] change of the body's speeds per impulse
  double mass;          // effective inverse of the normal direction
  double across[3];     // inverse of the tangents' 2 x 2 matrix: 00, 01, 11
  double least;         // its smaller eigenvalue
  double impulse[3], correction;
  double approach, bound, target;  // speed along the normal before, least after, of the correction
  double softness, lead;           // of a tyre: see prepare_tyre
  bool bounces;
} rutSpacePoint;

// A touching or nearly touching pair of shapes.
typedef struct rutSpaceTouch {
  rutSpaceSide side[2];
  int shape, other;  // of a; of b: shape, or RUT_OTHER_...
  int kind, index;   // of b, as in rutContact
  int first, n;      // points
  double friction, restitution;
  double section, stiffness, damping;  // of a tyre, else 0
  double held;                         // what its spring may give back [J]: see limit_held
  double since;
  int touching;
} rutSpaceTouch;

// What a shape touches that is no shape: the ground, a fixed prism p at RUT_OTHER_FIXED - p, cells
// of the grid g at RUT_OTHER_FIXED - prisms - g.
enum { RUT_OTHER_GROUND = -1, RUT_OTHER_FIXED = -2 };

// What is kept of a touch until the next step. No padding: it is saved and hashed as bytes.
typedef struct rutSpaceCache {
  int32_t owner, shape, other, n, touching, reserved;
  uint32_t id[RUT_PATCH_POINTS];
  double normal_impulse[RUT_PATCH_POINTS];
  double tangent_impulse[RUT_PATCH_POINTS][3];  // world axes
  double since, held;
} rutSpaceCache;

struct rutSpaceState {
  rutSpaceBodies bodies;
  int touches, points, cached, contacts;
  rutSpaceTouch* touch;
  rutSpacePoint* point;
  rutSpaceCache* cache;
  int* cache_start;  // [bodies + 1]
  rutContact* contact;
  unsigned char *touching, *changed;  // [bodies]
  unsigned char *active, *wheeled;    // near anything; its wheels are in their places
  // per step
  double *reach, *low;  // [bodies] seen from above, and the lower end along x [m]
  double* motion;       // [bodies] distance that a point of it can move in the step [m]
  double* balance;      // [bodies] of the island whose root is this body
  int* island;
  rutSpaceMass* mass;
  double* matrix;         // of all LINKED bodies
  double* response;       // room for responses
  size_t responses;       // that are in use
  rutPolyhedron* placed;  // [shapes] in the world, where `is_placed`
  unsigned char* is_placed;
  int *order, *pair, *pair_start;  // bodies by x; others of each body; where they begin
};

// --- space_find.c
// All touches at the present places.
void rut_space_find(const rutSpaceModel* model, rutSpaceState* state, const rutSpaceWorld* world);

// --- space_ground.c
// Touches of a shape with the ground.
void rut_space_touch_ground(const rutSpaceModel* model, rutSpaceState* state,
                            const rutSpaceWorld* world, int shape);

// --- space_impulse.c
void rut_space_impulses(const rutSpaceModel* model, rutSpaceState* state,
                        const rutSpaceWorld* world);

// --- space_touch.c
// Place and axis of a round shape in the world.
void rut_space_round(const rutSpaceShape* shape, const rutSpaceBodies* bodies, rutVec3* centre,
                     rutVec3* axis);
// Polyhedron of a cylinder in the world with a corner towards a direction, where that is not along
// its axis.
void rut_space_cylinder(const rutSpaceShape* shape, const rutSpaceBodies* bodies, rutVec3 towards,
                        rutPolyhedron* out);
// Points of a patch, between a shape of a body and something. NULL if there is no room.
rutSpaceTouch* rut_space_add(const rutSpaceModel* model, rutSpaceState* state,
                             const rutSpaceTouch* touch, int n, const rutSpacePoint* point);

#endif  // RUT_CONTACT_SPACE_DATA_H
