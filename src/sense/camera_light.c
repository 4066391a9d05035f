// SPDX-License-Identifier: BSD-3-Clause
#include "sense/camera_light.h"

#include "math/lanes.h"

// Radiance of the sky over its mean in red, green and blue: a colour temperature of about 10000 K.
static const double SKY[3] = {0.82, 0.98, 1.20};
// Rays to the sun begin at this distance from a surface [m], so that it does not hide itself.
static const double CLEARANCE = 1e-4;

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
  const rutRays rays = rut_camera_rays(row, n, p->max_range, -1);
  in->cast(in->host, &rays, &(rutRayHits){.range = row->shadow});
  for (int i = 0; i < n; i++) {
    if (!(row->shadow[i] < 0)) row->sun[row->lit[i]] = 0;
  }
}

RUT_CLONES static void shade_row(const rutLight* light, const rutMaterial* material,
                                 double exposure, const rutCameraRow* row) {
  const double ambient = light->ambient, sunlight = 1 - ambient;
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

void rut_camera_shade(const rutCameraParam* p, const rutSensorIn* in, const rutCameraRow* row) {
  face_sun(row, in->light->sun);
  if (in->light->shadows) cast_shadows(p, in, row);
  shade_row(in->light, in->material, row->exposure, row);
}
