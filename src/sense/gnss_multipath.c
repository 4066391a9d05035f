// SPDX-License-Identifier: BSD-3-Clause
//
// Multipath of GNSS. The laws are those of one reflected ray (Braasch, Multipath Effects, in
// Parkinson and Spilker, Global Positioning System: Theory and Applications, vol. I, AIAA, 1996,
// chapter 14).
//
// The receiver sees the sum of the direct signal and of a reflection with the amplitude a and the
// phase -(2 pi d/lambda + pi), d being the extra path: the field turns over at the wall. In phase
// with the direct signal the reflection is A = -a cos(2 pi d/lambda).
//
// Code. With R(t) = 1 - |t|, t in chips, correlators s apart, and an error e, the early-late
// discriminator is zero where
//   R(e - s/2) - R(e + s/2) + A (R(e - d - s/2) - R(e - d + s/2)) = 0.
// The first difference is 2 e. The second is 2 (e - d) while |e - d| < s/2, then -s, and
// -(1 + s/2 + e - d) once the early correlator has left the peak, until it is 0. Hence
//   e = A d/(1 + A),  A s/2,  A (1 + s/2 - d)/(2 - A),
// one after the other with growing d: always the least of the three factors of A.
//
// Carrier. The phase of the sum is that of 1 - a exp(-i 2 pi d/lambda).
#include "sense/gnss_multipath.h"

#include "geom/satellites.h"
#include "math/rut_math.h"

static const double CHIP = 299792458.0 / 1.023e6;          // of the C/A code [m]
static const double WAVELENGTH = 299792458.0 / 1575.42e6;  // L1 [m]

double rut_code_multipath(double amplitude, double extra, double spacing) {
  const double in_phase = -amplitude * rut_cos(2 * RUT_PI * extra / WAVELENGTH);
  const double d = extra / CHIP;
  const double rising = d / (1 + in_phase), falling = (1 + 0.5 * spacing - d) / (2 - in_phase);
  return CHIP * in_phase * rut_max(0, rut_min(rut_min(rising, 0.5 * spacing), falling));
}

double rut_carrier_multipath(double amplitude, double extra) {
  const double phase = 2 * RUT_PI * extra / WAVELENGTH;
  const double turned = rut_atan2(-amplitude * rut_sin(phase), 1 - amplitude * rut_cos(phase));
  return WAVELENGTH / (2 * RUT_PI) * turned;
}

// ---- where walls are ----

enum { PROBES = 36 };
_Static_assert((int)RUT_SATELLITES <= (int)PROBES, "a ray to each satellite");

typedef struct Plane {
  rutVec3 normal;   // towards the antenna
  double distance;  // of the antenna from it [m]
} Plane;

// Rays and what they meet.
typedef struct Beams {
  int n;
  double at[3][PROBES], along[3][PROBES], range[PROBES], normal[3][PROBES];
} Beams;

static void add_beam(Beams* b, rutVec3 from, rutVec3 direction) {
  double at[3], along[3];
  rut_vec3_put(from, at);
  rut_vec3_put(direction, along);
  for (int k = 0; k < 3; k++) {
    b->at[k][b->n] = at[k];
    b->along[k][b->n] = along[k];
  }
  b->n++;
}

static void cast(const rutSensorIn* in, double max_range, bool ground, Beams* b) {
  const rutRays rays = {.n = b->n,
                        .x = b->at[0],
                        .y = b->at[1],
                        .z = b->at[2],
                        .dx = b->along[0],
                        .dy = b->along[1],
                        .dz = b->along[2],
                        .max_range = max_range,
                        .bodies = true,
                        .ground = ground,
                        .skip_vehicle = in->vehicle};
  const rutRayHits hits = {.range = b->range, .normal = {b->normal[0], b->normal[1], b->normal[2]}};
  if (b->n > 0) in->cast(in->host, &rays, &hits);
}

static rutVec3 normal_at(const Beams* b, int i) {
  return rut_vec3(b->normal[0][i], b->normal[1][i], b->normal[2][i]);
}

// The plane that a beam from the antenna has met.
static Plane plane_at(const Beams* b, int i) {
  const rutVec3 path =
      rut_vec3_scale(rut_vec3(b->along[0][i], b->along[1][i], b->along[2][i]), b->range[i]);
  const rutVec3 normal = normal_at(b, i);
  return (Plane){normal, -rut_vec3_dot(path, normal)};
}

static bool same_plane(const Plane* a, const Plane* b) {
  return rut_vec3_dot(a->normal, b->normal) > 1 - 1e-6 &&
         rut_abs(a->distance - b->distance) < 1e-3 * (1 + a->distance);
}

// Planes of the walls that level rays meet, each once.
static int find_planes(const rutSensorIn* in, double wall_range, Plane plane[PROBES]) {
  Beams probe = {0};
  int planes = 0;
  for (int i = 0; i < PROBES; i++) {
    double s, c;
    rut_sincos(2 * RUT_PI * i / PROBES, &s, &c);
    add_beam(&probe, rut_vec3_of(in->motion.position), rut_vec3(c, s, 0));
  }
  cast(in, wall_range, false, &probe);
  for (int i = 0; i < PROBES; i++) {
    if (probe.range[i] < 0) continue;
    const Plane found = plane_at(&probe, i);
    bool known = false;
    for (int k = 0; k < planes && !known; k++) known = same_plane(&plane[k], &found);
    if (!known) plane[planes++] = found;
  }
  return planes;
}

// ---- reflections ----

// Shorten `extra` by the reflections at one plane. The mirror image of a satellite is in the
// direction u - 2 (u . n) n: a ray there must meet the plane, and from that point the satellite
// must be in sight.
static void reflect(const rutSensorIn* in, const rutMirrors* mirrors, const Plane* plane, int n,
                    const rutVec3* direction, double* extra) {
  const rutVec3 antenna = rut_vec3_of(in->motion.position);
  Beams towards = {0}, onward = {0};
  int satellite[RUT_SATELLITES], seen[RUT_SATELLITES];
  for (int i = 0; i < n; i++) {
    const double facing = rut_vec3_dot(direction[i], plane->normal);
    if (facing <= 0) continue;
    satellite[towards.n] = i;
    add_beam(&towards, antenna, rut_vec3_add_scaled(direction[i], -2 * facing, plane->normal));
  }
  cast(in, mirrors->wall_range, true, &towards);
  for (int i = 0; i < towards.n; i++) {
    if (towards.range[i] < 0) continue;
    const Plane met = plane_at(&towards, i);
    if (!same_plane(plane, &met)) continue;
    const rutVec3 ray = rut_vec3(towards.along[0][i], towards.along[1][i], towards.along[2][i]);
    const rutVec3 off = rut_vec3_scale(plane->normal, 1e-6 * (1 + towards.range[i]));
    seen[onward.n] = satellite[i];
    add_beam(&onward, rut_vec3_add(rut_vec3_add_scaled(antenna, towards.range[i], ray), off),
             direction[satellite[i]]);
  }
  cast(in, mirrors->obstruction_range, true, &onward);
  for (int i = 0; i < onward.n; i++) {
    if (onward.range[i] >= 0) continue;
    const int k = seen[i];
    const double longer = 2 * plane->distance * rut_vec3_dot(direction[k], plane->normal);
    if (extra[k] < 0 || longer < extra[k]) extra[k] = longer;
  }
}

void rut_reflected_paths(const rutSensorIn* in, const rutMirrors* mirrors, int n,
                         const rutVec3* direction, double* extra) {
  Plane plane[PROBES];
  const int planes = find_planes(in, mirrors->wall_range, plane);
  for (int i = 0; i < n; i++) extra[i] = -1;
  for (int k = 0; k < planes; k++) {
    reflect(in, mirrors, &plane[k], n, direction, extra);
  }
}
