// SPDX-License-Identifier: BSD-3-Clause
//
// What the contact model and state look like inside, shared by the files of this folder.
#ifndef RUT_CONTACT_CONTACT_DATA_H
#define RUT_CONTACT_CONTACT_DATA_H

#include "contact/contact.h"
#include "geom/convex.h"
#include "geom/solid.h"

enum {
  RUT_BODY_CONTACTS = 8,        // contacts that one body can own; the deepest are kept
  RUT_VELOCITY_ITERATIONS = 8,  // as MVSim asks of Box2D
  RUT_POSITION_ITERATIONS = 3,
};

#define RUT_CONTACT_SLOP      0.005  // overlap that is left alone [m]
#define RUT_BOUNCE_THRESHOLD  1.0    // slower approaches do not bounce [m/s] (Box2D 2.4)
#define RUT_CORRECTION_RATE   0.2    // part of an overlap that one iteration removes (Box2D 2.4)
#define RUT_CORRECTION_LIMIT  0.2    // most that one iteration moves [m]
#define RUT_SPECULATIVE_LIMIT 10.0   // most motion in one step that is looked ahead [m]

// A convex prism; its corners stand at xy, normal + 2 * first.
typedef struct rutPrism {
  int body, first, n, kind, index, told;
  double x, y, radius;  // circle around the corners, body or world axes [m]
  double box[4];        // x_min, y_min, x_max, y_max of the corners [m]
  double z_min, z_max, friction, restitution;
  double low, high;  // heights at which rays see it: as z_min, z_max, or none [m]
  int round;         // as which they see it, -1: as a prism
} rutPrism;

// Whether rays see a prism.
static inline bool rut_prism_seen(const rutPrism* p) { return p->low <= p->high; }

// A prism that rays see as a cylinder, sphere or wheel.
typedef struct rutRoundLook {
  rutLook kind;
  double x, y, z, radius;  // middle, in the prism's frame [m]
  double ux, uy;           // of a wheel: across the axle, level
  double half_width;       // of a wheel [m]
  rutSolid solid;          // of a wheel its axis is the axle
} rutRoundLook;

typedef struct rutContactBody {
  int first, prisms;  // its prisms
  int in_space;       // they are met as space.h says
  int first_joined;   // its entries in `joined`, up to those of the next body
  double radius;      // of the circle about the centre of mass that holds all prisms [m]
  double inverse_mass, inverse_inertia;
  double mass, inertia, ground_force, ground_torque;  // ground friction [N], [N m]
} rutContactBody;

// Uniform grid of cells; entries of cell c are start[c] .. start[c + 1].
typedef struct rutCellGrid {
  int nx, ny;
  double x, y, size, inverse;  // low corner, side of a cell and its inverse [m]
} rutCellGrid;

struct rutContactModel {
  int bodies, prisms, moving_prisms, joints, grids, corners, moving_corners, joined;
  int empty;  // nothing can touch, no joints, no ground friction
  int has_solid_grid;
  double gravity, margin;
  double typical_radius, largest_radius;  // of the moving bodies [m]
  rutContactBody* body;                   // bodies + 1: the last closes the ranges
  rutPrism* prism;      // those of moving bodies in body order, then the fixed ones
  double *xy, *normal;  // [corners][2]
  int* joined_to;       // bodies that a body has joints with
  int ground_bodies;    // bodies with ground friction, and which
  int* ground_body;
  rutPlanarJointDef* joint;
  const rutOccupancy** grid;
  double *grid_friction, *grid_restitution;
  unsigned char* grid_solid;
  rutCellGrid fixed_grid;  // over the fixed prisms; a prism stands in every cell that it touches
  int *fixed_start, *fixed_entry;
  double fixed_box[6];  // around the fixed prisms that rays see: low x y z, high x y z [m]
  int rounds;
  rutRoundLook* round;
  double bulge;  // rays see fixed prisms outside of their boxes by at most this [m]
};

// One touching or nearly touching pair of prisms (or prism and cells) during one step.
typedef struct rutTouch {
  int a, b;               // bodies; b = -1: fixed
  int prism, other;       // prism of a; prism of b, or -1 - grid
  int n, flip, touching;  // flip: the reference face moves with b
  int kind, index;        // of b, as in rutContact
  double normal[2], friction, restitution;
  double point[2][2], gap[2];
  uint32_t id[2];
  double ra[2][2], rb[2][2];  // points from the centres of mass, world axes
  double normal_impulse[2], tangent_impulse[2];
  double normal_mass[2], tangent_mass[2];
  double block[3];  // effective inverse mass of two points: k11, k12, k22; 0 if singular
  double approach[2], bound[2];  // normal velocity before, and least one after [m/s]
  double local_normal[2], local_plane[2], local_point[2][2];  // for position correction
  double since;
} rutTouch;

// What is kept of a touch until the next step. No padding: it is saved and hashed as bytes.
typedef struct rutTouchCache {
  int32_t prism, other, n, touching;
  uint32_t id[2];
  double normal_impulse[2], tangent_impulse[2];
  double since;
} rutTouchCache;

typedef struct rutJointWork {
  double impulse[4];  // pin: x, y, lower, upper; distance: rod or spring, -, lower, upper
  double ra[2], rb[2], u[2], mass, soft_mass, gamma, bias, length, axial_mass, angle;
  double k[3], lead[2], axial_lead;
} rutJointWork;

struct rutContactState {
  int touches, cached, contacts;
  rutTouch* touch;          // [RUT_BODY_CONTACTS * bodies], in order of the owner a
  rutTouchCache* cache;     // the same of the last step
  int* cache_start;         // [bodies + 1] first cached touch of each owner
  rutContact* contact;      // what rut_contact_list shows
  unsigned char* touching;  // [bodies]
  rutJointWork* joint;
  // per step and body
  double *sine, *cosine, *motion;     // motion: distance a point of it can move in the step [m]
  double (*before)[3];                // velocities x, y, angular before the impulses
  double (*balance)[2];               // of the island whose root is this body, see energy.c
  int* island;                        // towards the root of the body's island
  double (*ground)[3];                // friction impulses x, y [N s], angular [N m s]
  double *corner_xy, *corner_normal;  // moving prisms in the world, where `placed`
  unsigned char* placed;              // [bodies]
  unsigned char* crowded;             // [bodies] 1: another body is near
  double most_motion;                 // the largest motion [m]
  // moving bodies in cells
  rutCellGrid cells;
  int *cell_of, *cell_start, *entry;  // entry: body, in order of cell, then body
  double *entry_x, *entry_y;
};

// Index of the cell row or column of a coordinate, cut to the grid. Monotone, also outside.
static inline int rut_cell_index(double coordinate, double low, double inverse, int n) {
  double f = (coordinate - low) * inverse;
  if (!(f > 0)) return 0;
  return f < n - 1 ? (int)f : n - 1;
}

// First and last column and row of the cells that a box touches: x0, y0, x1, y1.
static inline void rut_cell_range(const rutCellGrid* grid, const double box[4], int range[4]) {
  range[0] = rut_cell_index(box[0], grid->x, grid->inverse, grid->nx);
  range[1] = rut_cell_index(box[1], grid->y, grid->inverse, grid->ny);
  range[2] = rut_cell_index(box[2], grid->x, grid->inverse, grid->nx);
  range[3] = rut_cell_index(box[3], grid->y, grid->inverse, grid->ny);
}

// --- body_grid.c, fixed_grid.c
// Most cells that the grid of moving bodies has.
int rut_body_cells(int bodies);
// Cells and entries of the grid over the fixed prisms of a definition, without memory.
typedef struct rutFixedPlan {
  rutCellGrid grid;
  int entries;
} rutFixedPlan;
rutFixedPlan rut_fixed_plan(const rutContactDef* def);
// Fill the grid planned before; prisms are those of the model.
void rut_fixed_fill(rutContactModel* model);

// --- touch.c
// Find all touches at the present poses, into state->touch.
void rut_touch_find(const rutContactModel* model, rutContactState* state, double time,
                    const rutBodies* bodies);

// --- touch_cells.c
// Touches of a convex of a body with the occupied cells of a grid, offered one by one. box: x_min,
// y_min, x_max, y_max of the convex, wider by reach on all sides.
typedef void rutTouchOffer(void* user, const rutManifold* manifold);
void rut_touch_cells(const rutOccupancy* grid, const rutConvex* convex, const double box[4],
                     double reach, rutTouchOffer* offer, void* user);

// --- impulse.c
void rut_touch_prepare(const rutContactModel* model, rutContactState* state, double dt,
                       rutBodies* bodies);
void rut_touch_velocity(const rutContactModel* model, rutTouch* touch, rutBodies* bodies);
// Set the bounce of touches that approached fast and have met. Returns how many points bounce.
int rut_touch_bounce(rutContactState* state);
void rut_touch_position(const rutContactModel* model, rutTouch* touch, rutBodies* bodies);

// --- energy.c
// Note the velocities before any impulse, and which bodies push each other.
void rut_energy_begin(const rutContactModel* model, rutContactState* state,
                      const rutBodies* bodies);
// Scale the impulses of each island down until they add no energy to it.
void rut_energy_limit(const rutContactModel* model, rutContactState* state, rutBodies* bodies);

// --- joint.c
void rut_joint_prepare(const rutContactModel* model, int joint, rutJointWork* work, double dt,
                       rutBodies* bodies);
void rut_joint_velocity(const rutContactModel* model, int joint, rutJointWork* work, double dt,
                        rutBodies* bodies);
// True for a spring, which can give energy back.
bool rut_joint_is_sprung(const rutContactModel* model, int joint);
void rut_joint_position(const rutContactModel* model, int joint, rutBodies* bodies);

// ---------------------------------------------------------------------------------------------
// Small things used by the solvers

static inline double rut_inverse_mass(const rutContactModel* model, int body) {
  return body < 0 ? 0 : model->body[body].inverse_mass;
}
static inline double rut_inverse_inertia(const rutContactModel* model, int body) {
  return body < 0 ? 0 : model->body[body].inverse_inertia;
}
// Velocity of a point at r from the centre of mass, and its change by an impulse p there.
static inline void rut_point_velocity(const rutBodies* bodies, int body, const double r[2],
                                      double out[2]) {
  out[0] = body < 0 ? 0 : bodies->vx[body] - bodies->rate[body] * r[1];
  out[1] = body < 0 ? 0 : bodies->vy[body] + bodies->rate[body] * r[0];
}
static inline void rut_apply_impulse(const rutContactModel* model, rutBodies* bodies, int body,
                                     const double r[2], double px, double py) {
  if (body < 0) return;
  const rutContactBody* b = &model->body[body];
  bodies->vx[body] += b->inverse_mass * px;
  bodies->vy[body] += b->inverse_mass * py;
  bodies->rate[body] += b->inverse_inertia * (r[0] * py - r[1] * px);
}
// The same for poses.
static inline void rut_shift(const rutContactModel* model, rutBodies* bodies, int body,
                             const double r[2], double px, double py) {
  if (body < 0) return;
  const rutContactBody* b = &model->body[body];
  bodies->x[body] += b->inverse_mass * px;
  bodies->y[body] += b->inverse_mass * py;
  bodies->yaw[body] += b->inverse_inertia * (r[0] * py - r[1] * px);
}

#endif  // RUT_CONTACT_CONTACT_DATA_H
