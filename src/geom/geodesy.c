// SPDX-License-Identifier: BSD-3-Clause
#include "geom/geodesy.h"

#include "math/rut_math.h"

static const double A = RUT_WGS84_SEMI_MAJOR_AXIS;
static const double F = RUT_WGS84_FLATTENING;

// First eccentricity squared.
static double eccentricity(void) { return F * (2 - F); }

rutVec3 rut_ecef_of_geodetic(rutGeodetic at) {
  double sine, cosine, east, prime;
  rut_sincos(at.latitude, &sine, &cosine);
  rut_sincos(at.longitude, &east, &prime);
  const double e2 = eccentricity();
  const double normal = A / rut_sqrt(1 - e2 * sine * sine);  // radius in the prime vertical
  const double ring = (normal + at.height) * cosine;
  return rut_vec3(ring * prime, ring * east, (normal * (1 - e2) + at.height) * sine);
}

// Bowring's iteration for the latitude (Survey Review 23, 1976, p. 323): with the parametric
// latitude b, tan b = (1 - f) tan(latitude),
//   tan(latitude) = (z + e'^2 B sin^3 b) / (ring - e^2 A cos^3 b).
// One pass is good to 1e-9 rad near the ground; the others serve heights of satellites. The height
// is the projection of the place on the normal, which is well-conditioned everywhere (Bowring,
// Survey Review 28, 1985, p. 202).
rutGeodetic rut_geodetic_of_ecef(rutVec3 p) {
  enum { PASSES = 4 };
  const double e2 = eccentricity(), b = A * (1 - F), second = e2 / ((1 - F) * (1 - F));
  const double ring = rut_hypot(p.x, p.y);
  double s, c, latitude = 0;
  rut_sincos(rut_atan2(p.z, (1 - F) * ring), &s, &c);
  for (int i = 0; i < PASSES; i++) {
    latitude = rut_atan2(p.z + second * b * s * s * s, ring - e2 * A * c * c * c);
    rut_sincos(latitude, &s, &c);
    rut_sincos(rut_atan2((1 - F) * s, c), &s, &c);
  }
  rut_sincos(latitude, &s, &c);
  return (rutGeodetic){latitude, rut_atan2(p.y, p.x),
                       ring * c + p.z * s - A * rut_sqrt(1 - e2 * s * s)};
}

rutTangentPlane rut_tangent_plane(rutGeodetic origin) {
  double s, c, east, prime;
  rut_sincos(origin.latitude, &s, &c);
  rut_sincos(origin.longitude, &east, &prime);
  return (rutTangentPlane){rut_ecef_of_geodetic(origin),
                           {{-east, -s * prime, c * prime,  //
                             prime, -s * east, c * east,    //
                             0, c, s}}};
}

rutVec3 rut_ecef_of_enu(const rutTangentPlane* plane, rutVec3 enu) {
  return rut_vec3_add(plane->origin, rut_mat3_apply(plane->axes, enu));
}

rutVec3 rut_enu_of_ecef(const rutTangentPlane* plane, rutVec3 ecef) {
  return rut_mat3_apply_transposed(plane->axes, rut_vec3_sub(ecef, plane->origin));
}
