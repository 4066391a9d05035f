// SPDX-License-Identifier: BSD-3-Clause
//
// Contact in space: bodies that lie, slide, tumble and stack, vehicles on axles that meet things at
// the height at which these are, and the upright bodies of contact.h as far as the others meet
// them. Patches between convex shapes (geom/collide.h) are held by sequential impulses in all six
// directions (ADR 39).
//
// Speeds of a body are v x y z of its centre of mass [m/s] and its angular velocity x y z [rad/s],
// both in world axes; those of a vehicle are followed by two for each wheel: of its suspension's
// coordinate, and of its spin.
#ifndef RUT_CONTACT_SPACE_H
#define RUT_CONTACT_SPACE_H

#include "contact/contact.h"
#include "math/vec.h"

enum { RUT_SPACE_RIGID = 6, RUT_SPACE_WHEELS = 16, RUT_SPACE_SPEEDS = 6 + 2 * RUT_SPACE_WHEELS };

typedef enum rutSpaceKind {
  RUT_SPACE_FREE,    // moves freely
  RUT_SPACE_PLANAR,  // upright, moves in the plane: impulses change x, y and yaw only
  RUT_SPACE_LINKED   // carries wheels: the caller tells its inverse mass matrix
} rutSpaceKind;

typedef struct rutSpaceBodyDef {
  rutSpaceKind kind;
  int speeds;         // 6, or 6 and two for each wheel
  double mass;        // 0: moved by the caller [kg]
  double inertia[6];  // about the centre of mass, its axes: xx yy zz xy xz yz [kg m2]
  double slack;       // its centre of mass is at most so far from x, y of rutBodies [m]
  bool on_ground;     // the ground carries it
  double ground_friction;
} rutSpaceBodyDef;

typedef enum rutSpaceForm { RUT_FORM_PRISM, RUT_FORM_CYLINDER, RUT_FORM_SPHERE } rutSpaceForm;

typedef struct rutSpaceShapeDef {
  int body;
  rutSpaceForm form;
  int n;                // of a prism: corners, 3 to 16
  const double* xy;     // n x 2, from the centre of mass, in the body's axes [m]
  double z_min, z_max;  // of a prism [m]
  double at[3];         // centre of a cylinder or sphere, likewise [m]
  double axis[3];       // of a cylinder: unit vector
  double radius, length;
  double friction, restitution;
  int kind, index;  // what it is in rutContact
  // A cylinder that is a wheel of its body: which one, else -1. The outer `section` of its radius
  // [m] is a spring [N/m] and damper [N s/m].
  int wheel;
  double section, stiffness, damping;
} rutSpaceShapeDef;

typedef struct rutSpaceDef {
  int bodies, shapes;
  const rutSpaceBodyDef* body;    // those of contact.h, in their order
  const rutSpaceShapeDef* shape;  // in the order of their bodies
  const rutContactModel* planar;  // whose fixed prisms and cells they meet, and whose joints
                                  // keep pairs from touching
} rutSpaceDef;

typedef struct rutSpaceModel rutSpaceModel;
typedef struct rutSpaceState rutSpaceState;

// A wheel in the world: its hub [m] and axis, and how hub and axis move per speed of the
// suspension's coordinate.
typedef struct rutSpaceWheel {
  rutVec3 hub, axis, move, turning;
} rutSpaceWheel;

// Set by the caller before rut_space_solve. Body b's speeds begin at first[b]; its wheels at
// wheel[first_wheel[b]].
typedef struct rutSpaceBodies {
  int n;
  const int *first, *first_wheel;
  rutVec3* at;    // [n] centre of mass [m]
  rutMat3* turn;  // [n] from the body's axes to the world's
  double* speed;
  rutSpaceWheel* wheel;
  // Found: displacements that take bodies out of each other, coordinates as those of the speeds;
  // and the kinetic energy that the impulses have given each body [J].
  double* shift;
  double* work;
  double* before;  // speeds before the impulses, where there were any
} rutSpaceBodies;

// Places at which the ground is asked for, n of each array: height, and slopes; not above `below`.
typedef struct rutSpaceGround {
  int n;
  const double *x, *y, *below;    // [m]
  double *z, *slope_x, *slope_y;  // found; z is NaN where there is none
} rutSpaceGround;

// What the solver asks of the world.
typedef struct rutSpaceWorld {
  double dt, time;
  void* user;
  double highest_ground;  // none is higher [m]
  bool flat_ground;       // it is level planes only
  void (*ground)(void* user, const rutSpaceGround* at);
  // Put the wheels of a LINKED body into rutSpaceBodies.wheel: it is near something.
  void (*wheels)(void* user, int body);
  // Inverse mass matrix of a LINKED body in its speeds, [speeds][speeds].
  void (*inverse_mass)(void* user, int body, double* out);
} rutSpaceWorld;

// Build in an arena (measuring or real; returns NULL while measuring).
rutSpaceModel* rut_space_build(const rutSpaceDef* def, rutArena* arena);
rutSpaceState* rut_space_state_build(const rutSpaceModel* model, rutArena* arena);
void rut_space_reset(const rutSpaceModel* model, rutSpaceState* state);
rutSpaceBodies* rut_space_bodies(rutSpaceState* state);
// Numbers of speeds of all bodies, and of wheels.
int rut_space_speeds(const rutSpaceModel* model);

// Before each solve: whether anything is near anything, seen from above at the places of contact.h.
// If not, there is nothing to solve. Only active bodies need to be filled in.
bool rut_space_near(const rutSpaceModel* model, rutSpaceState* state, const rutBodies* bodies,
                    double dt);
bool rut_space_is_active(const rutSpaceState* state, int body);
// Find touches at the present places, then change the speeds so that nothing approaches what it
// touches, with friction, restitution and tyres as springs. Serial; the result depends on nothing
// but the arguments.
void rut_space_solve(const rutSpaceModel* model, rutSpaceState* state, const rutSpaceWorld* world);
// Contacts of the last solve, one for each pair, the normal seen from above; and whether a body
// touches a thing.
const rutContact* rut_space_list(const rutSpaceState* state, int* n);
int rut_space_most(const rutSpaceModel* model);  // that there can be
bool rut_space_touching(const rutSpaceState* state, int body);
// True if the last solve has found nothing near anything.
bool rut_space_is_quiet(const rutSpaceState* state);
// False if the last solve has found nothing near a body: its speeds are unchanged.
bool rut_space_changed(const rutSpaceState* state, int body);

// Exact bytes of what must be saved and restored to continue bit for bit.
size_t rut_space_state_size(const rutSpaceModel* model);
void rut_space_state_get(const rutSpaceModel* model, const rutSpaceState* state, void* out);
void rut_space_state_set(const rutSpaceModel* model, rutSpaceState* state, const void* in);
uint64_t rut_space_state_hash(const rutSpaceState* state, uint64_t hash);

#endif  // RUT_CONTACT_SPACE_H
