// SPDX-License-Identifier: BSD-3-Clause
#include "sense/camera_light.h"

#include <string.h>

#include "math/lanes.h"
#include "sense/lidar_weather.h"

// Radiance of the sky over its mean in red, green and blue: a colour temperature of about 10000 K.
static const double SKY[3] = {0.82, 0.98, 1.20};
// Rays to the sun begin at this distance from a surface [m], so that it does not hide itself.
static const double CLEARANCE = 1e-4;

// Full light [lx] for which the exposure is the signal of a white surface.
static const double FULL_LIGHT = 1e5;

static double strength(const rutLight* light) { return light->illuminance / FULL_LIGHT; }

// Cosines of the sun's incidence where the rays hit, 0 on surfaces that face away.
RUT_CLONES static void face_sun(const rutCameraRow* row, const double sun[3]) {
  const double sx = sun[0], sy = sun[1], sz = sun[2];
  const int* restrict material = row->material;
  const double* restrict nx = row->normal[0];
  const double* restrict ny = row->normal[1];
  const double* restrict nz = row->normal[2];
  double* restrict cosine = row->sun;
  RUT_FOR_LANES(k, row->rays) {
    const double direct = nx[k] * sx + ny[k] * sy + nz[k] * sz;
    cosine[k] = ((direct > 0) & (material[k] >= 0)) ? direct : 0;
  }
}

// Rays from where surfaces face the sun to the sun take the place of those that have hit them. What
// one of them meets is in shadow.
static void cast_shadows(const rutCameraParam* p, const rutSensorIn* in, const rutCameraRow* row) {
  const double* s = in->light->sun;
  int n = 0;
  for (int k = 0; k < row->rays; k++) {
    if (!(row->sun[k] > 0)) continue;
    const double r = row->range[k];
    row->x[n] = row->x[k] + (r * row->d[0][k] + CLEARANCE * row->normal[0][k]);
    row->y[n] = row->y[k] + (r * row->d[1][k] + CLEARANCE * row->normal[1][k]);
    row->z[n] = row->z[k] + (r * row->d[2][k] + CLEARANCE * row->normal[2][k]);
    for (int i = 0; i < 3; i++) row->d[i][n] = s[i];
    row->lit[n++] = k;
  }
  rutRays rays = rut_camera_rays(row, n, p->max_range, -1);
  rays.any = true;
  in->cast(in->host, &rays, &(rutRayHits){.range = row->shadow});
  for (int i = 0; i < n; i++) {
    if (!(row->shadow[i] < 0)) row->sun[row->lit[i]] = 0;
  }
}

RUT_CLONES static void shade_row(const rutLight* light, const rutMaterial* material,
                                 double exposure, const rutCameraRow* row) {
  const double all = strength(light), ambient = all * light->ambient, sunlight = all - ambient;
  const double red = light->colour[0], green = light->colour[1], blue = light->colour[2];
  const int* restrict of_ray = row->material;
  const double* restrict cosine = row->sun;
  const double* restrict up = row->normal[2];
  double* restrict signal = row->signal;
  RUT_FOR_LANES(k, row->rays) {
    const int hit = of_ray[k] >= 0;
    const double* colour = material[hit ? of_ray[k] : 0].colour;
    const double sky = ambient * 0.5 * (1 + up[k]), lit = sunlight * cosine[k];
    const double r = colour[0] * (lit * red + sky * SKY[0]);
    const double g = colour[1] * (lit * green + sky * SKY[1]);
    const double b = colour[2] * (lit * blue + sky * SKY[2]);
    signal[3 * k] = exposure * (hit ? r : ambient * SKY[0]);
    signal[3 * k + 1] = exposure * (hit ? g : ambient * SKY[1]);
    signal[3 * k + 2] = exposure * (hit ? b : ambient * SKY[2]);
  }
}

// ---- air ----

static double extinction(const rutCameraParam* p) {
  static const double GREEN = 550e-9;  // [m]
  if (!(p->rain > 0 || p->snow > 0 || p->visibility > 0 || p->dust > 0)) return 0;
  const rutLidarParam air = {.wavelength = GREEN,
                             .rain = p->rain,
                             .snow = p->snow,
                             .wet_snow = p->wet_snow,
                             .visibility = p->visibility,
                             .dust = p->dust};
  return rut_lidar_extinction(&air);
}

// Over a distance d the air takes 1 - exp(-b d) of the light, and adds as much of its own (H.
// Koschmieder, Beitr. Phys. freien Atmosph. 12, 1924). Where it scatters alike in all directions
// and absorbs nothing, its own light is that of the sky, and 1/4 of what a white surface sends back
// that faces the sun: E/(4 pi) for E/pi. The sky is seen through the layer of this air.
static void see_through_air(const rutCameraParam* p, const rutLight* light, double b,
                            const rutCameraRow* row) {
  double own[3];
  for (int i = 0; i < 3; i++) {
    own[i] = light->ambient * SKY[i] + 0.25 * (1 - light->ambient) * light->colour[i];
    own[i] *= strength(light);
  }
  for (int k = 0; k < row->rays; k++) {
    const bool sky = row->material[k] < 0;
    const double path = sky ? p->air_height / rut_max(row->up[k], 1e-9) : row->range[k];
    const double clear = rut_exp(-b * path);
    for (int i = 0; i < 3; i++) {
      double* signal = &row->signal[3 * k + i];
      *signal = *signal * clear + row->exposure * own[i] * (1 - clear);
    }
  }
}

// Rises of the rays from the camera, before those to the lights take their place.
static void keep_rises(const rutCameraRow* row) {
  memcpy(row->up, row->d[2], (size_t)row->rays * sizeof *row->up);
}

void rut_camera_shade(const rutCameraParam* p, const rutSensorIn* in, const rutCameraRow* row) {
  const double b = extinction(p);
  if (b > 0) keep_rises(row);
  face_sun(row, in->light->sun);
  if (in->light->shadows) cast_shadows(p, in, row);
  shade_row(in->light, in->material, row->exposure, row);
  if (b > 0) see_through_air(p, in->light, b, row);
}
