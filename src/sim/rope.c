// SPDX-License-Identifier: BSD-3-Clause
//
// A rope that is longer than the way between its ends hangs through as a parabola, which a shallow
// catenary is, and lies on the ground at most. The length of a parabola of span d and sag h, with
// u = 4 h / d the slope at its ends, is d / 2 (sqrt(1 + u^2) + asinh(u) / u).
#include "sim/rope.h"

#include "sim/query.h"

static double length_of(double distance, double sag) {
  if (!(sag > 0)) return distance;
  // steeper than this it is two straight lines, also to rounding
  if (!(sag < 1e9 * distance)) return 2 * sag;
  const double u = 4 * sag / distance, root = rut_sqrt(1 + u * u);
  return 0.5 * distance * (root + rut_log(u + root) / u);
}

// The sag by bisection; 0 if the rope is taut.
static double sag_of(double distance, double length) {
  enum { HALVINGS = 40 };
  double low = 0, high = 0.5 * length;
  if (!(length > distance)) return 0;
  for (int i = 0; i < HALVINGS; i++) {
    const double middle = 0.5 * (low + high);
    if (length_of(distance, middle) < length) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

void rut_rope_points(const rutModel* model, const rutData* data, const rutJointLook* look,
                     const rutVec3 end[2], rutVec3* point) {
  const rutVec3 along = rut_vec3_sub(end[1], end[0]);
  const int n = look->pieces;
  point[0] = end[0];
  point[n] = end[1];
  if (n == 1) return;
  const double sag = sag_of(rut_vec3_norm(along), look->length);
  for (int i = 0; i <= n; i++) {
    const double t = (double)i / n;
    rutVec3 p = rut_vec3_add_scaled(end[0], t, along);
    double ground, slope[2];
    rut_terrain_surface(model, data, &(rutGroundPoints){1, &p.x, &p.y}, &p.z,
                        &(rutGroundSurface){&ground, &slope[0], &slope[1]});
    const double lowest = ground + look->radius, z = p.z - 4 * sag * t * (1 - t);
    // an end below the ground stays where it is
    p.z = lowest > z ? rut_min(p.z, lowest) : z;
    point[i] = p;
  }
}
