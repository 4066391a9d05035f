// SPDX-License-Identifier: BSD-3-Clause
//
// Vehicles of which nothing more is known than their chassis and wheels: large ones get bonnet,
// cabin and lamps, small ones a deck with an arrow, so that all show where their front is.
#include "appearance/parts.h"

enum { MAX_PROFILE = 128, ARCH = 12 };

// A profile x z, as it grows.
typedef struct Profile {
  int n;
  double xz[2 * MAX_PROFILE];
} Profile;

static void add(Profile* profile, double x, double z) {
  if (profile->n == MAX_PROFILE) return;
  profile->xz[2 * profile->n] = x;
  profile->xz[2 * profile->n++ + 1] = z;
}

// What the parts are built from.
typedef struct Frame {
  const rutAppearanceIn* in;
  rutMeshBuilder* builder;
  rutPartExtent e;
  double bevel;
} Frame;

static double along(const Frame* f, double u) { return f->e.x0 + u * f->e.length; }
static double up(const Frame* f, double v) { return f->in->z_min + v * f->e.height; }

// Height of an upper side, whose points go from rear to front, at x.
static double height_of(const Profile* top, double x) {
  double z = RUT_INFINITY;
  for (int i = 1; i < top->n; i++) {
    const double *a = top->xz + 2 * i - 2, *b = top->xz + 2 * i;
    if (x < a[0] || x > b[0] || !(b[0] > a[0])) continue;
    z = rut_min(z, a[1] + (b[1] - a[1]) * (x - a[0]) / (b[0] - a[0]));
  }
  return z;
}

// The underside from front to rear, around wheels that reach into the body; none above `ceiling`
// and all below the upper side.
static void add_underside(const Frame* f, double front, double rear, double ceiling,
                          const Profile* top, Profile* profile) {
  const double bottom = f->in->z_min;
  add(profile, front, bottom);
  double before = front;
  for (int k = 0; k < f->in->wheels; k++) {
    // the next axle to the rear
    const rutAppearanceWheel* next = NULL;
    for (int i = 0; i < f->in->wheels; i++) {
      const rutAppearanceWheel* w = &f->in->wheel[i];
      const bool inside = rut_abs(w->y - f->e.middle) - w->width / 2 < f->e.width / 2;
      if (inside && w->x < before - 1e-6 && (!next || w->x > next->x)) next = w;
    }
    if (!next) break;
    before = next->x;
    const double r = rut_min(1.16 * next->radius + 0.01, ceiling - next->z);
    const double sine = rut_clamp((bottom - next->z) / (r > 0 ? r : 1), -1, 1);
    if (r <= 0 || sine >= 1 || sine <= -1) continue;
    const double start = rut_asin(sine);
    for (int i = 0; i <= ARCH; i++) {
      double s, c;
      rut_sincos(start + (RUT_PI - 2 * start) * i / ARCH, &s, &c);
      const double x = next->x + r * c, last = profile->xz[2 * profile->n - 2];
      const double z = rut_min(next->z + r * s, height_of(top, x) - 0.01 * f->e.height);
      if (x < last - 1e-3 && x > rear + 0.01) add(profile, x, rut_max(bottom, z));
    }
  }
  add(profile, rear, bottom);
}

static void add_all(const Profile* from, Profile* to) {
  for (int i = 0; i < from->n; i++) add(to, from->xz[2 * i], from->xz[2 * i + 1]);
}

static void slab(const Frame* f, const Profile* profile, double width, double bevel) {
  const rutPartFrame frame = {0, f->e.middle, 0, 1};
  rut_part_slab(f->builder, &frame, profile->n, profile->xz,
                (const double[]){-width / 2, width / 2}, bevel);
}

// Fills the space between the wheels, where the arches cut through the whole width.
static void add_tub(const Frame* f, double top) {
  double inner = f->e.width / 2;
  for (int i = 0; i < f->in->wheels; i++) {
    const rutAppearanceWheel* w = &f->in->wheel[i];
    inner = rut_min(inner, rut_abs(w->y - f->e.middle) - w->width / 2);
  }
  const double half = inner - 0.06 * f->e.width, low = f->in->z_min;
  if (half < 0.1 * f->e.width || top - low < 0.02 * f->e.height) return;
  rut_part_black(f->builder);
  rut_part_box(f->builder, rut_vec3(along(f, 0.5), 0, (low + top) / 2),
               rut_vec3(0.9 * f->e.length, 2 * half, top - low), 0);
}

static void add_lamps(const Frame* f, double z, double size) {
  for (int side = -1; side <= 1; side += 2) {
    const double y = side * 0.37 * f->e.width;
    rut_part_lamp(f->builder);
    rut_part_box(f->builder, rut_vec3(f->e.x1 - 0.004 * size, y, z),
                 rut_vec3(0.03 * size, 0.13 * f->e.width, 0.1 * size), 0);
    rut_part_red(f->builder);
    rut_part_box(f->builder, rut_vec3(f->e.x0 + 0.004 * size, y, z),
                 rut_vec3(0.03 * size, 0.1 * f->e.width, 0.08 * size), 0);
  }
}

// Point of the cabin: u from rear to front, v from belt to roof, side -1 (right) to 1.
static rutVec3 cabin(const Frame* f, double u, double v, double side) {
  const double rear = along(f, 0.03 + 0.07 * v), front = along(f, 0.70 - 0.14 * v);
  const double half = 0.485 * f->e.width * (1 - 0.16 * v);
  return rut_vec3(rear + u * (front - rear), side * half, up(f, 0.54 + 0.46 * v));
}

static void add_pane(const Frame* f, double u0, double u1, double side) {
  const double out = side * (1 + 0.008);
  const rutVec3 corner[4] = {cabin(f, u0, 0.18, out), cabin(f, u1, 0.18, out),
                             cabin(f, u1, 0.84, out), cabin(f, u0, 0.84, out)};
  rut_part_plate(f->builder, corner, 0);
}

static void add_screen(const Frame* f, double u) {
  const double shift = (u > 0.5 ? 1 : -1) * 0.012 * f->e.height;
  rutVec3 corner[4] = {cabin(f, u, 0.16, -0.88), cabin(f, u, 0.16, 0.88), cabin(f, u, 0.86, 0.88),
                       cabin(f, u, 0.86, -0.88)};
  for (int i = 0; i < 4; i++) corner[i].x += shift;
  rut_part_plate(f->builder, corner, 0);
}

static void add_cabin(const Frame* f) {
  // two rings, belt and roof, with the roof drawn in for a rounded edge
  double ring[3][4][3];
  static const double at[3] = {0, 0.95, 1}, inset[3] = {0, 0, 0.03};
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 4; k++) {
      const double u = k == 1 || k == 2 ? 1 - inset[i] : inset[i];
      rut_vec3_put(cabin(f, u, at[i], (k < 2 ? -1 : 1) * (1 - 1.5 * inset[i])), ring[i][k]);
    }
  }
  rut_part_paint(f->builder, f->in, 1);
  rut_mesh_loft(f->builder, 3, 4, &ring[0][0][0], RUT_LOFT_RING | RUT_LOFT_CAPS);
  rut_mesh_colour(f->builder, (const double[]){0.01, 0.014, 0.016}, 0.06, 0.04);
  for (int side = -1; side <= 1; side += 2) {
    add_pane(f, 0.06, 0.31, side);
    add_pane(f, 0.34, 0.62, side);
    add_pane(f, 0.65, 0.93, side);
  }
  add_screen(f, 1);
  add_screen(f, 0);
}

static void add_truck(const Frame* f) {
  const double belt = 0.56, h = f->e.height;
  Profile lower = {0}, top = {0};
  add(&top, along(f, 0.012), up(f, belt));
  add(&top, along(f, 0.72), up(f, belt));
  add(&top, along(f, 0.975), up(f, belt - 0.055));
  add(&top, along(f, 1), up(f, belt - 0.12));
  add_underside(f, along(f, 0.985), along(f, 0.015), up(f, belt - 0.05), &top, &lower);
  add(&lower, along(f, 0), up(f, 0.16));
  add_all(&top, &lower);
  add(&lower, along(f, 1), up(f, 0.14));
  rut_part_paint(f->builder, f->in, 1);
  slab(f, &lower, f->e.width, 0.035 * h);
  const double pose[6] = {0, f->e.middle};
  rut_mesh_frame(f->builder, pose, 1);
  add_cabin(f);
  rut_part_black(f->builder);
  rut_part_box(f->builder, rut_vec3(along(f, 1), 0, up(f, 0.31)),
               rut_vec3(0.02 * h, 0.5 * f->e.width, 0.17 * h), 0);
  for (int end = 0; end < 2; end++) {
    rut_part_box(f->builder, rut_vec3(along(f, end ? 0.988 : 0.012), 0, up(f, 0.12)),
                 rut_vec3(0.045 * f->e.length, 0.98 * f->e.width, 0.1 * h), 0.02 * h);
  }
  add_lamps(f, up(f, 0.34), h);
  add_tub(f, up(f, belt - 0.06));
}

// An arrow on the deck, which points ahead.
static void add_arrow(const Frame* f, double z) {
  const double l = 0.17 * f->e.length, w = 0.18 * f->e.width;
  const double arrow[] = {l,        0,  -0.2 * l,  w,        -0.2 * l,  0.42 * w, -l,
                          0.42 * w, -l, -0.42 * w, -0.2 * l, -0.42 * w, -0.2 * l, -w};
  const double pose[6] = {along(f, 0.52), f->e.middle, z};
  rut_mesh_preset(f->builder, "road_paint");
  rut_mesh_frame(f->builder, pose, 1);
  rut_mesh_prism(f->builder, RUT_COUNT_OF(arrow) / 2, arrow, 0, 0.004 * f->e.length);
}

static void add_robot(const Frame* f) {
  const bool driven = f->in->driven;
  const double nose = driven ? rut_min(0.14, 0.45 * f->e.height / f->e.length) : 0.02;
  Profile profile = {0}, top = {0};
  add(&top, along(f, 0), up(f, 0.93));
  add(&top, along(f, 0.02), up(f, 1));
  add(&top, along(f, 1 - nose), up(f, 1));
  add(&top, along(f, 1), up(f, 0.52));
  add_underside(f, along(f, 0.97), along(f, 0.03), up(f, 0.86), &top, &profile);
  add(&profile, along(f, 0), up(f, 0.14));
  add_all(&top, &profile);
  add(&profile, along(f, 1), up(f, 0.14));
  rut_part_paint(f->builder, f->in, 1);
  slab(f, &profile, f->e.width, f->bevel);
  const double pose[6] = {0, f->e.middle}, lift = 0.012 * rut_min(f->e.length, f->e.width);
  rut_mesh_frame(f->builder, pose, 1);
  rut_part_black(f->builder);
  rut_part_box(f->builder, rut_vec3(along(f, (0.9 - nose) / 2 + 0.05), 0, up(f, 1)),
               rut_vec3((0.9 - nose) * f->e.length, 0.78 * f->e.width, 2 * lift), 0);
  if (driven) {
    const double out = 0.006 * f->e.length;
    rutVec3 visor[4];
    for (int i = 0; i < 4; i++) {
      const double t = i < 2 ? 0.16 : 0.84, side = i == 0 || i == 3 ? -1 : 1;
      visor[i] = rut_vec3(along(f, 1 - nose * t) + out, side * 0.4 * f->e.width,
                          up(f, 0.52 + 0.48 * t) + out);
    }
    rut_mesh_colour(f->builder, (const double[]){0.01, 0.014, 0.016}, 0.1, 0.04);
    rut_part_plate(f->builder, visor, 0);
    add_lamps(f, up(f, 0.36), 0.9 * f->e.height);
  }
  add_tub(f, up(f, 0.84));
  if (driven) add_arrow(f, up(f, 1) + lift);
}

// A chassis that is no rectangle: a prism with a deck.
static void add_prism(const Frame* f) {
  const rutAppearanceIn* in = f->in;
  rut_mesh_frame(f->builder, NULL, 1);
  rut_part_paint(f->builder, in, 1);
  rut_mesh_bevelled_prism(f->builder, in->corners, in->outline,
                          (const double[]){in->z_min, in->z_max}, f->bevel);
  if (in->driven) add_arrow(f, in->z_max);
}

static double area_of(const rutAppearanceIn* in) {
  double sum = 0;
  for (int i = 0; i < in->corners; i++) {
    const double *a = in->outline + 2 * i, *b = in->outline + 2 * ((i + 1) % in->corners);
    sum += 0.5 * (a[0] * b[1] - a[1] * b[0]);
  }
  return rut_abs(sum);
}

static void plain_body(const void* param, const rutAppearanceIn* in, rutMeshBuilder* builder) {
  (void)param;
  Frame f = {in, builder, rut_part_extent(in), 0};
  f.bevel = 0.035 * rut_min(rut_min(f.e.height, f.e.width), f.e.length);
  const bool rectangular = area_of(in) > 0.86 * f.e.length * f.e.width;
  const bool large = f.e.length > 1.8 && f.e.height > 0.55 && f.e.width > 0.9;
  if (!rectangular) {
    add_prism(&f);
  } else if (large && in->driven && in->wheels >= 3) {
    add_truck(&f);
  } else {
    add_robot(&f);
  }
}

const rutAppearanceType rut_appearance_plain = {
    .base = {.abi = RUT_ABI,
             .struct_size = sizeof(rutAppearanceType),
             .kind = "appearance",
             .name = RUT_APPEARANCE_DEFAULT,
             .parents = "vehicle",
             .doc = "A car, a robot or a prism, from outline and wheels alone; what vehicles have "
                    "that say nothing."},
    .paint = {{0.3, 0.3, 0.3}, 0.4, 0.4, 0.5, 0.04, 1, 0, 0},
    .paints_as_host = true,
    .body = plain_body,
};
