// SPDX-License-Identifier: BSD-3-Clause
#include "vehicle/envelope.h"

#include "vehicle/cam.h"
#include "vehicle/side.h"

// Ground higher than so much below the hub has a face there, of the radius.
static const double LEAST_RISE = 0.05;
// A wheel whose axis has more of the ground's normal lies flat.
static const double LYING_AXIS = 0.9;
static const double STEEPEST = 2;  // slope of the ground at large

enum { MAX_ROWS = 16, HALVINGS = 14 };

// A wheel, and the ground at large under it.
typedef struct Wheel {
  const rutEnvironment* world;
  const rutVehicleClass* vehicle;
  int own;  // entry among the wheels
  rutCam cam;
  const double* power;
  rutVec3 hub, axis;         // world
  double ex, ey, below;      // heading; height below which ground is looked for
  double grade, bank;        // slopes along it and to the left
  rutVec3 normal, across;    // of that plane; along it, in the direction of the axis
  double radius, width, in;  // in: cosine of the inclination angle
  double aside;              // by which the tread is pressed to the left [m]
  double foot;               // of the lowest point of an inclined wheel, from under its hub [m]
} Wheel;

// Ground at n places of the map.
typedef struct Look {
  int n;
  double x[RUT_CAM_PLACES], y[RUT_CAM_PLACES];
  double z[RUT_CAM_PLACES], slope_x[RUT_CAM_PLACES], slope_y[RUT_CAM_PLACES];
} Look;

static void look(const Wheel* w, Look* at) {
  double below[RUT_CAM_PLACES] = {w->below};
  for (int i = 1; i < at->n; i++) below[i] = w->below;
  rut_ground_surface(w->world->ground, w->world->lift, &(rutGroundPoints){at->n, at->x, at->y},
                     below, &(rutGroundSurface){at->z, at->slope_x, at->slope_y});
}

// ---- the ground at large ----

// The smaller of two slopes of the same sign; 0 where they differ or one is not known. So an
// obstacle that is shorter than a wheel has none.
static double common(double a, double b) {
  if (!(a * b > 0)) return 0;
  return rut_clamp(rut_abs(a) < rut_abs(b) ? a : b, -STEEPEST, STEEPEST);
}

// False where the hub is in the ground, or lies flat on it.
static bool face_ground(Wheel* w) {
  enum { AT, FRONT, REAR, LEFT, RIGHT, PLACES };
  const double r = w->radius, side = 0.5 * w->width;
  const double along[PLACES] = {0, r, -r, 0, 0}, left[PLACES] = {0, 0, 0, side, -side};
  Look at = {.n = PLACES};
  for (int i = 0; i < PLACES; i++) {
    at.x[i] = w->hub.x + along[i] * w->ex - left[i] * w->ey;
    at.y[i] = w->hub.y + along[i] * w->ey + left[i] * w->ex;
  }
  look(w, &at);
  const double* z = at.z;
  if (w->hub.z - z[AT] <= LEAST_RISE * r) return false;
  w->grade = common((z[FRONT] - z[AT]) / r, (z[AT] - z[REAR]) / r);
  w->bank = common((z[LEFT] - z[AT]) / side, (z[AT] - z[RIGHT]) / side);
  const double scale = 1 / rut_sqrt(1 + w->grade * w->grade + w->bank * w->bank);
  w->normal = rut_vec3(scale * (-w->grade * w->ex + w->bank * w->ey),
                       scale * (-w->grade * w->ey - w->bank * w->ex), scale);
  const double sine = rut_vec3_dot(w->axis, w->normal);
  if (rut_abs(sine) > LYING_AXIS) return false;
  w->in = rut_sqrt(1 - sine * sine);
  w->foot = (r - w->vehicle->crown[w->own]) * sine;
  w->across = rut_vec3_scale(rut_vec3_add_scaled(w->axis, -sine, w->normal), 1 / w->in);
  return true;
}

// ---- a line of ground ----

// Corners between places j and j + 1: where two slopes meet, or, to be halved, an upright edge.
typedef struct Edges {
  int n;
  double low[RUT_CAM_CORNERS], high[RUT_CAM_CORNERS];  // u of its lower and its upper side
  double z[RUT_CAM_CORNERS], level[RUT_CAM_CORNERS];   // of the upper side; half way up
} Edges;

static void add_corner(rutCamLine* line, int n, double u, double z) {
  if (line->corners == RUT_CAM_CORNERS) return;
  line->u[line->corners] = u;
  line->z[n + line->corners++] = z;
}

static void find_corners(const Wheel* w, rutCamLine* line, Edges* edges) {
  static const double BENT = 0.02;   // least change of slope of a corner
  static const double STEEP = 0.05;  // rise that slopes do not explain, over the length
  const int n = 2 * w->cam.reach + 1;
  const double run = w->cam.spacing;
  edges->n = 0;
  for (int j = 0; j + 1 < n; j++) {
    const double low = line->z[j], high = line->z[j + 1], u = (j - w->cam.reach) * run;
    const double a = line->slope[j], b = line->slope[j + 1];
    const double rest = high - low - 0.5 * run * (a + b);
    if (low == high && a == b) continue;
    // the ground may end
    if (!(low == low && high == high)) continue;
    const double kink = (high - low - b * run) / (a - b);
    if (a - b > BENT && kink >= 0 && kink <= run) {
      add_corner(line, n, u + kink, low + a * kink);
    } else if (rut_abs(rest) > STEEP * run && edges->n < RUT_CAM_CORNERS) {
      const int k = edges->n++;
      edges->low[k] = high > low ? u : u + run;
      edges->high[k] = high > low ? u + run : u;
      edges->z[k] = rut_max(low, high);
      edges->level[k] = 0.5 * (low + high);
    }
  }
}

// Halve the intervals of upright edges.
static void halve_edges(const Wheel* w, rutVec3 middle, rutCamLine* line, Edges* edges) {
  double u[RUT_CAM_CORNERS];
  Look at;
  if (edges->n == 0) return;
  at.n = edges->n;
  for (int pass = 0; pass < HALVINGS; pass++) {
    for (int k = 0; k < edges->n; k++) {
      u[k] = 0.5 * (edges->low[k] + edges->high[k]);
      at.x[k] = middle.x + u[k] * w->ex;
      at.y[k] = middle.y + u[k] * w->ey;
    }
    look(w, &at);
    for (int k = 0; k < edges->n; k++) {
      const bool up = at.z[k] > edges->level[k];
      *(up ? &edges->high[k] : &edges->low[k]) = u[k];
      edges->z[k] = up ? at.z[k] : edges->z[k];
    }
  }
  const int n = 2 * w->cam.reach + 1;
  for (int k = 0; k < edges->n; k++) add_corner(line, n, edges->high[k], edges->z[k]);
}

static void lay_line(const Wheel* w, rutVec3 middle, rutCamLine* line) {
  const int n = 2 * w->cam.reach + 1;
  Look at;
  at.n = n;
  for (int j = 0; j < n; j++) {
    const double u = (j - w->cam.reach) * w->cam.spacing;
    at.x[j] = middle.x + u * w->ex;
    at.y[j] = middle.y + u * w->ey;
  }
  look(w, &at);
  for (int j = 0; j < n; j++) {
    line->z[j] = at.z[j];
    line->slope[j] = at.slope_x[j] * w->ex + at.slope_y[j] * w->ey;
  }
  Edges edges;
  line->corners = 0;
  find_corners(w, line, &edges);
  halve_edges(w, middle, line, &edges);
}

// ---- rows across the width ----

// Depth of a row, and what it loses per displacement of the hub along the heading and upwards.
typedef struct Row {
  double offset, depth, along, up;
} Row;

// Whether a line lies on a plane of the slope of the ground at large.
static bool is_even(const Wheel* w, const rutCamLine* line) {
  static const double EVEN = 1e-12;  // [m]
  const int n = 2 * w->cam.reach + 1;
  const double step = w->grade * w->cam.spacing;
  double off = line->corners;
  for (int j = 1; j < n; j++) off += rut_abs(line->z[j] - line->z[0] - j * step);
  return off < EVEN * n;
}

static rutCamTouch stand_on(const Wheel* w, const rutCamLine* line, double z) {
  const double scale = w->normal.z;
  // on a plane both cams are as far from it as the hub
  if (is_even(w, line)) {
    return (rutCamTouch){scale * (z - line->z[w->cam.reach]), -scale * w->grade, scale};
  }
  const rutCamPair pair =
      rut_cam_stand(&w->cam, w->power, line, (rutCamPlace){z, w->grade, w->bank});
  return (rutCamTouch){0.5 * (pair.front.distance + pair.rear.distance),
                       0.5 * (pair.front.along + pair.rear.along),
                       0.5 * (pair.front.up + pair.rear.up)};
}

static Row stand_row(const Wheel* w, double offset) {
  const rutVec3 middle = rut_vec3_add_scaled(w->hub, offset + w->foot, w->across);
  rutCamLine line;
  lay_line(w, middle, &line);
  const rutCamTouch touch = stand_on(w, &line, middle.z);
  const double crown = w->vehicle->crown[w->own];
  const double reach = (w->radius - crown) * w->in + crown;
  return (Row){offset, reach - touch.distance, touch.along, touch.up};
}

// All rows together: depth, its loss per displacement of the hub, and where they carry.
typedef struct Stand {
  double depth, along, left, up, shift;
} Stand;

// Nothing touches: the row that is nearest does for all.
static Stand hang(const Wheel* w, int n, const Row* row) {
  const Row* best = row;
  for (int k = 1; k < n; k++) best = row[k].depth > best->depth ? row + k : best;
  return (Stand){best->depth, best->along, -w->bank * best->up, best->up, 0};
}

// Part of a depth that stands above the middle of the tube.
static double above_tube(const Wheel* w, double depth) {
  static const double FADE = 0.25;  // as of faces, vehicle/side.c
  const double tube = w->vehicle->crown[w->own];
  return rut_clamp((depth - (1 - FADE) * tube) / (FADE * tube), 0, 1);
}

// What is so high under the outer of two rows, and not under the inner one, is beside the tyre, and
// presses its side.
static void leave_sides(const Wheel* w, const Row* inner, Row* outer) {
  const double part = above_tube(w, outer->depth) * (1 - above_tube(w, inner->depth));
  if (!(w->vehicle->side_stiffness > 0)) return;
  outer->depth += part * (inner->depth - outer->depth);
  outer->along += part * (inner->along - outer->along);
  outer->up += part * (inner->up - outer->up);
}

// The ground that comes in under one end of the tread, less that which leaves at the other, is
// what a motion across changes; what lies between only changes its place. row: [-1] and [n] are
// the ends.
static Stand sum_rows(const Wheel* w, int n, const Row* row) {
  const double left_end = rut_max(row[n].depth, 0), right_end = rut_max(row[-1].depth, 0);
  Stand s = {0};
  double square = 0, carried = 0;
  for (int k = 0; k < n; k++) {
    const double depth = rut_max(row[k].depth, 0);
    square += depth * depth;
    carried += depth;
    s.along += depth * row[k].along;
    s.up += depth * row[k].up;
    s.shift += depth * row[k].offset;
  }
  if (!(carried > 0)) return hang(w, n, row);
  s.depth = rut_sqrt(square / n);
  const double each = 1 / (n * s.depth);
  s.along *= each;
  s.up *= each;
  s.left =
      -w->bank * s.up - (left_end * left_end - right_end * right_end) / (2 * w->width * s.depth);
  s.shift /= carried;
  return s;
}

static void meet_rows(const Wheel* w, rutWheels e, int i) {
  static const double LEAST_GAIN = 0.05;
  const int rows = w->vehicle->cam_rows;
  Row all[MAX_ROWS + 2], *row = all + 1;
  for (int k = 0; k < rows; k++) row[k] = stand_row(w, ((k + 0.5) / rows - 0.5) * w->width);
  row[-1] = stand_row(w, -0.5 * w->width);
  row[rows] = stand_row(w, 0.5 * w->width);
  for (int k = rows / 2 + 1; k <= rows; k++) leave_sides(w, &row[k - 1], &row[k]);
  for (int k = (rows - 1) / 2 - 1; k >= -1; k--) leave_sides(w, &row[k + 1], &row[k]);
  const Stand s = sum_rows(w, rows, row);
  if (!(s.depth > -RUT_NO_GROUND)) return;
  const rutVec3 change =
      rut_vec3(s.along * w->ex - s.left * w->ey, s.along * w->ey + s.left * w->ex, s.up);
  const double gain = rut_vec3_norm(change);
  if (!(gain > LEAST_GAIN)) return;
  const rutVec3 n = rut_vec3_scale(change, 1 / gain);
  const double sine = rut_vec3_dot(n, w->axis), crown = w->vehicle->crown[w->own];
  const double reach = (w->radius - crown) * rut_sqrt(rut_max(1 - sine * sine, 0)) + crown;
  W(crown)[i] = crown;
  W(gnx)[i] = n.x;
  W(gny)[i] = n.y;
  W(gnz)[i] = n.z;
  W(distance)[i] = reach - s.depth;
  W(gain)[i] = gain;
  // an end of the tread that comes to an edge before the rows do is no damper
  W(rate_gain)[i] = gain > 1 ? 1 / gain : gain;
  W(shift)[i] = s.shift + w->aside;
}

// ---- the tyre's side ----

// A tread that is pressed aside stays in front of the face, as far as motion has pressed it there:
// where a tyre comes down on a face it stands on it.
static void meet_side(const rutVehicleBatch* batch, Wheel* w, rutWheels e, int i) {
  static const double GAP = 1e-3;  // of the tread from a face that presses it [m]
  const double speed = rut_abs(W(vhx)[i]) + rut_abs(W(vhy)[i]) + rut_abs(W(vhz)[i]);
  const double pressed = RUT_SPATIAL_STATE(batch, side_pressed)[w->own];
  const double most = w->world->step > 0 ? pressed + w->world->dt * speed + GAP : RUT_INFINITY;
  const rutSideTouch t = rut_side_touch(&(rutSideIn){.world = w->world,
                                                     .hub = w->hub,
                                                     .axis = w->axis,
                                                     .ex = w->ex,
                                                     .ey = w->ey,
                                                     .below = w->below,
                                                     .radius = w->radius,
                                                     .width = w->width});
  if (!(t.depth > 0)) return;
  W(side_depth)[i] = t.depth;
  W(side_share)[i] = t.share;
  W(side_nx)[i] = t.nx;
  W(side_ny)[i] = t.ny;
  W(side_x)[i] = t.arm.x;
  W(side_y)[i] = t.arm.y;
  W(side_z)[i] = t.arm.z;
  w->aside = rut_clamp(t.aside, -most, most);
  w->hub = rut_vec3_add(w->hub, rut_vec3(-w->aside * w->ey, w->aside * w->ex, 0));
}

// ---- which wheels ----

// Whether ground with upright faces is under a wheel.
static bool has_faces(const rutGround* ground, double x, double y, double reach) {
  for (int k = 0; k < ground->shapes; k++) {
    const rutGroundShape* s = &ground->shape[k];
    if (!s->faces && !s->walls) continue;
    const double* box = s->box;
    if (x + reach < box[0] || x - reach > box[1] || y + reach < box[2] || y - reach > box[3]) {
      continue;
    }
    if (rut_ground_shape_upright(s, x, y, reach)) return true;
  }
  return false;
}

void rut_envelope(const rutEnvironment* world, const rutVehicleBatch* batch, rutWheels e) {
  static const double LEVEL = 1e-9;  // level part of a heading that points up or down
  const rutVehicleClass* vehicle = batch->vehicle;
  const rutGround* ground = world->ground;
  const bool everywhere = vehicle->search == RUT_CONTACT_CAMS;
  if (!everywhere && !ground->upright) return;
  for (int i = 0; i < e.n; i++) {
    const int own = e.first + i;
    if (own >= vehicle->wheels * vehicle->lanes) return;
    const int wheel = own / vehicle->lanes;
    const rutVehicleClass* its = rut_class_of(vehicle, own - wheel * vehicle->lanes);
    const rutCam* cam = &its->cam[wheel];
    const double reach = cam->length + 0.5 * cam->distance + 0.5 * vehicle->width[own];
    const bool some = everywhere || has_faces(ground, W(hx)[i], W(hy)[i], reach);
    const double level = rut_hypot(W(fx)[i], W(fy)[i]);
    W(faced)[i] = some ? 1 : 0;
    if (!some || !(level > LEVEL)) continue;
    Wheel w = {.world = world,
               .vehicle = vehicle,
               .own = own,
               .cam = *cam,
               .power = its->cam_power + (size_t)wheel * RUT_CAM_PLACES,
               .hub = rut_vec3(W(hx)[i], W(hy)[i], W(hz)[i]),
               .axis = rut_vec3(W(wx)[i], W(wy)[i], W(wz)[i]),
               .ex = W(fx)[i] / level,
               .ey = W(fy)[i] / level,
               .below = W(look_z)[i],
               .radius = vehicle->radius[own],
               .width = vehicle->width[own]};
    if (vehicle->side_stiffness > 0) meet_side(batch, &w, e, i);
    if (face_ground(&w)) meet_rows(&w, e, i);
  }
}
