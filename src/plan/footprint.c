// SPDX-License-Identifier: BSD-3-Clause
//
// Two convex shapes overlap unless a normal of a side of either separates them (Gottschalk, Lin,
// Manocha, "OBBTree", SIGGRAPH 1996, in the plane): here the axes of the rectangle and of the grid.
#include "plan/footprint.h"

#include "math/rut_math.h"

// In cells: a rectangle about its middle.
typedef struct Box {
  double x, y;           // middle
  double along, across;  // half length and half width
  double sine, cosine;   // of the heading
  double reach[2];       // half of what it takes along x and y
} Box;

static const double TOUCH = 1e-9;  // overlap that is rounding [cells]

static Box box_of(const rutPlanGround* g, const rutPlanFootprint* f, const rutPlanPose* pose) {
  Box b = {.along = 0.5 * (f->front + f->rear) / g->resolution,
           .across = 0.5 * f->width / g->resolution};
  rut_sincos(pose->yaw, &b.sine, &b.cosine);
  const double ahead = 0.5 * (f->front - f->rear);
  b.x = (pose->x + ahead * b.cosine - g->origin[0]) / g->resolution;
  b.y = (pose->y + ahead * b.sine - g->origin[1]) / g->resolution;
  b.reach[0] = rut_abs(b.cosine) * b.along + rut_abs(b.sine) * b.across;
  b.reach[1] = rut_abs(b.sine) * b.along + rut_abs(b.cosine) * b.across;
  return b;
}

static bool leaves(const rutPlanGround* g, const Box* b) {
  return !(b->x - b->reach[0] >= -TOUCH && b->y - b->reach[1] >= -TOUCH &&
           b->x + b->reach[0] <= g->grid.width + TOUCH &&
           b->y + b->reach[1] <= g->grid.height + TOUCH);
}

static bool overlaps_cell(const Box* b, int x, int y) {
  const double dx = x + 0.5 - b->x, dy = y + 0.5 - b->y;
  const double half = 0.5 * (rut_abs(b->cosine) + rut_abs(b->sine)) - TOUCH;
  return rut_abs(dx) < b->reach[0] + 0.5 - TOUCH && rut_abs(dy) < b->reach[1] + 0.5 - TOUCH &&
         rut_abs(b->cosine * dx + b->sine * dy) < b->along + half &&
         rut_abs(b->cosine * dy - b->sine * dx) < b->across + half;
}

// squared: distances to blocked cells, by which rows are leapt over. Nullable.
static bool overlaps_any(const rutPlanGrid* grid, const int32_t* squared, const Box* b) {
  const int left = (int)rut_max(rut_floor(b->x - b->reach[0]), 0);
  const int right = (int)rut_min(rut_floor(b->x + b->reach[0]), grid->width - 1);
  const int low = (int)rut_max(rut_floor(b->y - b->reach[1]), 0);
  const int high = (int)rut_min(rut_floor(b->y + b->reach[1]), grid->height - 1);
  for (int y = low; y <= high; y++) {
    for (int x = left; x <= right;) {
      const int cell = y * grid->width + x;
      if (grid->cost[cell] == 0 && overlaps_cell(b, x, y)) return true;
      // none is blocked as near as the nearest one
      x += squared && squared[cell] > 3 ? (int)rut_sqrt(squared[cell]) : 1;
    }
  }
  return false;
}

// Discs in a row that cover the rectangle: true if all are further from blocked cells than they are
// wide. Middles of cells are half a diagonal from any point of theirs.
static bool is_far(const rutPlanGrid* grid, const int32_t* squared, const Box* b) {
  static const double DIAGONAL = 1.4142135623730951;
  enum { DISCS = 3 };
  const double part = b->along / DISCS, radius = rut_hypot(part, b->across) + DIAGONAL;
  for (int i = 0; i < DISCS; i++) {
    const double at = (2 * i - DISCS + 1) * part;
    const double x = rut_floor(b->x + at * b->cosine), y = rut_floor(b->y + at * b->sine);
    const int cx = (int)rut_clamp(x, 0, grid->width - 1);
    const int cy = (int)rut_clamp(y, 0, grid->height - 1);
    if (squared[cy * grid->width + cx] <= radius * radius) return false;
  }
  return true;
}

bool rut_plan_collides(const rutPlanGround* ground, const rutPlanFootprint* footprint,
                       const rutPlanPose* pose) {
  const Box b = box_of(ground, footprint, pose);
  return leaves(ground, &b) || overlaps_any(&ground->grid, NULL, &b);
}

bool rut_footprint_collides(const rutPlanGround* ground, const int32_t* squared,
                            const rutPlanFootprint* footprint, const rutPlanPose* pose) {
  const Box b = box_of(ground, footprint, pose);
  if (leaves(ground, &b)) return true;
  return !is_far(&ground->grid, squared, &b) && overlaps_any(&ground->grid, squared, &b);
}

rutPlanFootprint rut_footprint_grown(const rutPlanFootprint* f, double distance, double curvature) {
  // a point turns about the centre of curvature: that of a corner on the outside moves the furthest
  const double ahead = rut_max(f->front, f->rear);
  const double by = 0.5 * distance * rut_hypot(1 + 0.5 * curvature * f->width, curvature * ahead);
  return (rutPlanFootprint){f->front + by, f->rear + by, f->width + 2 * by};
}

int rut_ground_cell(const rutPlanGround* ground, double x, double y) {
  const double cx = rut_floor((x - ground->origin[0]) / ground->resolution);
  const double cy = rut_floor((y - ground->origin[1]) / ground->resolution);
  if (!(cx >= 0 && cy >= 0 && cx < ground->grid.width && cy < ground->grid.height)) return -1;
  return (int)cy * ground->grid.width + (int)cx;
}
