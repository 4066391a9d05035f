// SPDX-License-Identifier: BSD-3-Clause
#include "geom/solid.h"

// ---------------------------------------------------------------------------------------------
// Kinds

rutSolid rut_solid_box(double x, double y, double z) {
  return (rutSolid){.kind = RUT_SOLID_BOX, .half = {0.5 * x, 0.5 * y, 0.5 * z}};
}

rutSolid rut_solid_sphere(double radius) {
  return (rutSolid){.kind = RUT_SOLID_SPHERE, .radius = radius};
}

rutSolid rut_solid_capsule(double radius, double length) {
  return (rutSolid){.kind = RUT_SOLID_CAPSULE, .radius = radius, .length = length};
}

rutSolid rut_solid_cylinder(double radius, double length) {
  return rut_solid_tapered(radius, radius, length);
}

rutSolid rut_solid_tapered(double radius_low, double radius_high, double length) {
  return (rutSolid){.kind = RUT_SOLID_TURNED,
                    .rings = 2,
                    .z = {-0.5 * length, 0.5 * length},
                    .ring = {radius_low, radius_high}};
}

rutSolid rut_solid_wheel(double radius, double width, const double shoulder[2]) {
  const double side = 0.5 * width, tread = side - shoulder[0], small = radius - shoulder[1];
  if (!(shoulder[0] > 0) || !(shoulder[1] > 0)) return rut_solid_cylinder(radius, width);
  return (rutSolid){.kind = RUT_SOLID_TURNED,
                    .rings = 4,
                    .z = {-side, -tread, tread, side},
                    .ring = {small, radius, radius, small}};
}

rutBox rut_solid_box_of(const rutSolid* s) {
  double high[3] = {s->half[0], s->half[1], s->half[2]};
  if (s->kind == RUT_SOLID_SPHERE) high[0] = high[1] = high[2] = s->radius;
  if (s->kind == RUT_SOLID_CAPSULE) {
    high[0] = high[1] = s->radius;
    high[2] = 0.5 * s->length + s->radius;
  }
  for (int i = 0; s->kind == RUT_SOLID_TURNED && i < s->rings; i++) {
    high[0] = high[1] = rut_max(s->ring[i], high[0]);
    high[2] = rut_max(rut_abs(s->z[i]), high[2]);
  }
  const double low[3] = {-high[0], -high[1], -high[2]};
  return rut_box_around(low, high, 0x1p-22 * (high[0] + high[1] + high[2]));
}

// ---------------------------------------------------------------------------------------------
// Parts of a ray

// The part of a ray that is inside of all surfaces so far, and the normal, of any length, of the
// one by which it came in.
typedef struct Part {
  double enter, leave, normal[3];
} Part;

static void clip(Part* part, double enter, double leave, double nx, double ny, double nz) {
  part->leave = rut_min(leave, part->leave);
  if (!(enter > part->enter)) return;
  part->enter = enter;
  part->normal[0] = nx;
  part->normal[1] = ny;
  part->normal[2] = nz;
}

static void empty(Part* part) {
  part->enter = RUT_INFINITY;
  part->leave = -RUT_INFINITY;
}

// Between -half and half, or low and high, along one axis.
static void clip_slab(Part* part, const rutRay* ray, int axis, double low, double high) {
  const double o = ray->o[axis], d = ray->d[axis];
  if (d == 0) {
    if (!(o >= low && o <= high)) empty(part);
    return;
  }
  const double side = d > 0 ? -1 : 1;
  const double enter = (d > 0 ? low : high) - o, leave = (d > 0 ? high : low) - o;
  clip(part, enter / d, leave / d, axis == 0 ? side : 0, axis == 1 ? side : 0,
       axis == 2 ? side : 0);
}

// Inside a sphere. The ray's origin is its place nearest to the centre: the roots are opposite.
static void clip_sphere(Part* part, const rutRay* ray, double z, double radius) {
  const double *o = ray->o, *d = ray->d, oz = o[2] - z;
  const double a = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
  const double b = o[0] * d[0] + o[1] * d[1] + oz * d[2];
  const double middle = -b / a;
  const double x = o[0] + middle * d[0], y = o[1] + middle * d[1], h = oz + middle * d[2];
  const double rest = radius * radius - (x * x + y * y + h * h);
  if (!(rest >= 0)) {
    empty(part);
    return;
  }
  const double half = rut_sqrt(rest / a), t = middle - half;
  clip(part, t, middle + half, o[0] + t * d[0], o[1] + t * d[1], oz + t * d[2]);
}

// A line between two rings, as a cone without end: its radius is `at` + t `grows` along the ray.
typedef struct Cone {
  double slope, at, grows;
} Cone;

static Cone cone_of(const rutSolid* s, int i, const rutRay* ray) {
  const double slope = (s->ring[i + 1] - s->ring[i]) / (s->z[i + 1] - s->z[i]);
  return (Cone){slope, s->ring[i] + slope * (ray->o[2] - s->z[i]), slope * ray->d[2]};
}

static void clip_between(Part* part, const rutRay* ray, const Cone* cone, double enter,
                         double leave) {
  const double x = ray->o[0] + enter * ray->d[0], y = ray->o[1] + enter * ray->d[1];
  clip(part, enter, leave, x, y, -cone->slope * rut_hypot(x, y));
}

// Inside a cone: x^2 + y^2 - (at + t grows)^2 = a t^2 + 2 b t + c <= 0. Its other half, where the
// radius is negative, is never between the ends of the solid, so that it need not be told apart,
// unless a < 0: then the ray is inside one half and then the other, for ever.
static void clip_cone(Part* part, const rutRay* ray, const Cone* cone) {
  const double *o = ray->o, *d = ray->d;
  const double a = d[0] * d[0] + d[1] * d[1] - cone->grows * cone->grows;
  const double b = o[0] * d[0] + o[1] * d[1] - cone->at * cone->grows;
  const double c = o[0] * o[0] + o[1] * o[1] - cone->at * cone->at;
  const double discriminant = b * b - a * c;
  const bool along_axis = a == 0 && b == 0;
  if (along_axis ? c > 0 : a > 0 && !(discriminant >= 0)) {
    empty(part);
    return;
  }
  if (along_axis) return;
  // both roots without cancellation (Press et al., Numerical Recipes, 5.6); one is infinitely far
  // along a ray that is parallel to a line of the cone
  const double q = -(b + (b < 0 ? -1 : 1) * rut_sqrt(rut_max(0, discriminant)));
  const double one = a != 0 ? q / a : -rut_copysign(RUT_INFINITY, b);
  const double other = q != 0 ? c / q : one;
  const double first = rut_min(one, other), second = rut_max(one, other);
  if (a >= 0)
    clip_between(part, ray, cone, first, second);
  else if (cone->grows > 0)
    clip_between(part, ray, cone, second, RUT_INFINITY);
  else
    clip_between(part, ray, cone, -RUT_INFINITY, first);
}

// ---------------------------------------------------------------------------------------------
// Solids

static Part part_inside(const rutSolid* s, const rutRay* ray) {
  Part part = {-RUT_INFINITY, RUT_INFINITY, {0}};
  switch (s->kind) {
    case RUT_SOLID_BOX:
      for (int k = 0; k < 3; k++) clip_slab(&part, ray, k, -s->half[k], s->half[k]);
      break;
    case RUT_SOLID_SPHERE:
      clip_sphere(&part, ray, 0, s->radius);
      break;
    case RUT_SOLID_TURNED:
      clip_slab(&part, ray, 2, s->z[0], s->z[s->rings - 1]);
      for (int i = 0; i + 1 < s->rings; i++) {
        const Cone cone = cone_of(s, i, ray);
        clip_cone(&part, ray, &cone);
      }
      break;
    case RUT_SOLID_CAPSULE:
      break;
  }
  return part;
}

// The parts in two spheres and the cylinder between them join: they are parts of a convex solid.
static Part part_in_capsule(const rutSolid* s, const rutRay* ray) {
  const double half = 0.5 * s->length;
  const rutSolid middle = rut_solid_cylinder(s->radius, s->length);
  Part all = {RUT_INFINITY, -RUT_INFINITY, {0}};
  for (int i = 0; i < 3; i++) {
    Part part = {-RUT_INFINITY, RUT_INFINITY, {0}};
    if (i < 2)
      clip_sphere(&part, ray, i ? half : -half, s->radius);
    else if (half > 0)
      part = part_inside(&middle, ray);
    else
      continue;
    if (!(part.enter <= part.leave)) continue;
    const double leave = rut_max(part.leave, all.leave);
    if (part.enter < all.enter) all = part;
    all.leave = leave;
  }
  return all;
}

double rut_solid_hit(const rutSolid* solid, const rutRay* ray, double normal[3]) {
  // from the ray's place nearest to the centre: far origins would lose digits
  const double* d = ray->d;
  const double square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
  const double start = -(ray->o[0] * d[0] + ray->o[1] * d[1] + ray->o[2] * d[2]) / square;
  rutRay near = *ray;
  for (int k = 0; k < 3; k++) near.o[k] = ray->o[k] + start * d[k];
  const Part part =
      solid->kind == RUT_SOLID_CAPSULE ? part_in_capsule(solid, &near) : part_inside(solid, &near);
  const double t = start + part.enter;
  if (!(part.enter <= part.leave && t >= 0 && t < ray->limit)) return RUT_INFINITY;
  const double *n = part.normal, size = rut_sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
  for (int k = 0; k < 3; k++) normal[k] = size > 0 ? n[k] / size : -d[k] / rut_sqrt(square);
  return t;
}
