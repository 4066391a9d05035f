// SPDX-License-Identifier: BSD-3-Clause
#include "sense/camera_light.h"

#include <string.h>

#include "math/lanes.h"
#include "sense/camera_lamps.h"
#include "sense/lidar_weather.h"

// Radiance of the sky over its mean in red, green and blue: a colour temperature of about 10000 K.
static const double SKY[3] = {0.82, 0.98, 1.20};
// Rays to the sun begin at this distance from a surface [m], so that it does not hide itself.
static const double CLEARANCE = 1e-4;

// Full light [lx] for which the exposure is the signal of a white surface.
static const double FULL_LIGHT = 1e5;

static double strength(const rutLight* light) { return light->illuminance / FULL_LIGHT; }

// Cosines of the sun's incidence where the rays hit, 0 on surfaces that face away.
RUT_CLONES static void face_sun(const rutCameraBlock* block, const double sun[3]) {
  const double sx = sun[0], sy = sun[1], sz = sun[2];
  const int* restrict material = block->material;
  const double* restrict nx = block->normal[0];
  const double* restrict ny = block->normal[1];
  const double* restrict nz = block->normal[2];
  double* restrict cosine = block->sun;
  RUT_FOR_LANES(k, block->rays) {
    const double direct = nx[k] * sx + ny[k] * sy + nz[k] * sz;
    cosine[k] = ((direct > 0) & (material[k] >= 0)) ? direct : 0;
  }
}

// Rays that face the sun, in an order in which those that follow each other are near each other:
// squares of pixels.
static int list_lit(const rutCameraBlock* block) {
  enum { SIDE = RUT_CAMERA_BLOCK_ROWS };
  const bool whole = rut_camera_is_whole(block);
  const int columns = whole ? block->columns : block->rays, rows = whole ? block->rows : 1;
  int n = 0;
  for (int left = 0; left < columns; left += SIDE) {
    const int right = columns - left < SIDE ? columns : left + SIDE;
    for (int r = 0; r < rows; r++) {
      for (int k = r * columns + left; k < r * columns + right; k++) {
        block->lit[n] = k;
        n += block->sun[k] > 0;
      }
    }
  }
  return n;
}

// What a ray from a surface that faces the sun to the sun meets is in shadow. These rays take the
// places of noise, which is not drawn yet, and of the directions from the camera.
static void cast_shadows(const rutCameraParam* p, const rutSensorIn* in,
                         const rutCameraBlock* block) {
  const int n = list_lit(block);
  double* const from[3] = {block->noise, block->noise + n, block->noise + 2 * (ptrdiff_t)n};
  const double* const camera[3] = {block->x, block->y, block->z};
  for (int c = 0; c < 3; c++) {
    const double *d = block->d[c], *normal = block->normal[c], *at = camera[c];
    for (int i = 0; i < n; i++) {
      const int k = block->lit[i];
      from[c][i] = at[k] + (block->range[k] * d[k] + CLEARANCE * normal[k]);
    }
  }
  for (int c = 0; c < 3; c++)
    for (int i = 0; i < n; i++) block->d[c][i] = in->light->sun[c];
  rutRays rays = rut_camera_rays(block, n, p->max_range, -1);
  rays.x = from[0];
  rays.y = from[1];
  rays.z = from[2];
  rays.any = true;
  in->cast(in->host, &rays, &(rutRayHits){.range = block->shadow});
  for (int i = 0; i < n; i++) {
    if (!(block->shadow[i] < 0)) block->sun[block->lit[i]] = 0;
  }
}

RUT_CLONES static void shade_block(const rutLight* light, const rutMaterial* material,
                                   double exposure, const rutCameraBlock* block) {
  const double all = strength(light), ambient = all * light->ambient, sunlight = all - ambient;
  const double red = light->colour[0], green = light->colour[1], blue = light->colour[2];
  const int* restrict of_ray = block->material;
  const double* restrict cosine = block->sun;
  const double* restrict up = block->normal[2];
  double* restrict signal = block->signal;
  RUT_FOR_LANES(k, block->rays) {
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

// The same where every ray has a colour of its own.
static void shade_textured_block(const rutLight* light, double exposure,
                                 const rutCameraBlock* block) {
  const double all = strength(light), ambient = all * light->ambient, sunlight = all - ambient;
  for (int k = 0; k < block->rays; k++) {
    const bool hit = block->material[k] >= 0;
    const double sky = ambient * 0.5 * (1 + block->normal[2][k]), lit = sunlight * block->sun[k];
    for (int i = 0; i < 3; i++) {
      const double sent = block->colour[i][k] * (lit * light->colour[i] + sky * SKY[i]);
      block->signal[3 * k + i] = exposure * (hit ? sent : ambient * SKY[i]);
    }
  }
}

// ---- water ----

// A level surface that is smoother than this mirrors the sky.
static const double SMOOTH = 0.08;

// Fresnel's reflectance of light that is not polarised, at an angle of incidence of this cosine, of
// a surface that reflects f0 at normal incidence: f0 = ((n - 1)/(n + 1))^2.
static double fresnel(double f0, double cosine) {
  const double root = rut_sqrt(f0), n = (1 + root) / (1 - root);
  const double inside = rut_sqrt(1 - (1 - cosine * cosine) / (n * n));
  const double s = (cosine - n * inside) / (cosine + n * inside);
  const double p = (n * cosine - inside) / (n * cosine + inside);
  return 0.5 * (s * s + p * p);
}

static bool any_smooth(const rutSensorIn* in) {
  for (int i = 0; i < in->materials; i++) {
    if (in->material[i].roughness < SMOOTH) return true;
  }
  return false;
}

// The sky is alike in all directions; what stands at the bank is not mirrored.
static void mirror_sky(const rutLight* light, const rutMaterial* material,
                       const rutCameraBlock* block) {
  const double ambient = strength(light) * light->ambient;
  for (int k = 0; k < block->rays; k++) {
    const rutMaterial* m = block->material[k] >= 0 ? &material[block->material[k]] : NULL;
    if (!m || m->roughness >= SMOOTH || block->normal[2][k] < 0.999) continue;
    const double share = fresnel(rut_min(m->specular, 0.99), rut_min(1, rut_abs(block->up[k])));
    for (int i = 0; i < 3; i++) {
      double* signal = &block->signal[3 * k + i];
      *signal = (1 - share) * *signal + share * block->exposure * ambient * SKY[i];
    }
  }
}

// ---- air ----

static double extinction(const rutCameraParam* p) {
  return rut_visible_extinction(&(rutWeather){.rain = p->rain,
                                              .snow = p->snow,
                                              .wet_snow = p->wet_snow,
                                              .visibility = p->visibility,
                                              .dust = p->dust});
}

// Over a distance d the air takes 1 - exp(-b d) of the light, and adds as much of its own (H.
// Koschmieder, Beitr. Phys. freien Atmosph. 12, 1924). Where it scatters alike in all directions
// and absorbs nothing, its own light is that of the sky, and 1/4 of what a white surface sends back
// that faces the sun: E/(4 pi) for E/pi. The sky is seen through the layer of this air.
static void see_through_air(const rutCameraParam* p, const rutLight* light, double b,
                            const rutCameraBlock* block) {
  double own[3];
  for (int i = 0; i < 3; i++) {
    own[i] = light->ambient * SKY[i] + 0.25 * (1 - light->ambient) * light->colour[i];
    own[i] *= strength(light);
  }
  for (int k = 0; k < block->rays; k++) {
    const bool sky = block->material[k] < 0;
    const double path = sky ? p->air_height / rut_max(block->up[k], 1e-9) : block->range[k];
    const double clear = rut_exp(-b * path);
    for (int i = 0; i < 3; i++) {
      double* signal = &block->signal[3 * k + i];
      *signal = *signal * clear + block->exposure * own[i] * (1 - clear);
    }
  }
}

// What lamps add: Lambert's law where a surface is lit, and the lamps themselves.
static void add_lamps(const rutSensorIn* in, const rutCameraBlock* block) {
  const double scale = block->exposure / FULL_LIGHT;
  for (int k = 0; k < block->rays; k++) {
    const int m = block->material[k];
    for (int i = 0; i < 3; i++) {
      const double own = m >= 0 ? in->material[m].colour[i] : 0;
      const double reflectance = in->textured ? block->colour[i][k] : own;
      block->signal[3 * k + i] += scale * (reflectance * block->lamplight[i][k]);
    }
  }
}

static void add_glare(const rutCameraBlock* block) {
  for (int k = 0; k < block->rays; k++) {
    for (int i = 0; i < 3; i++) {
      block->signal[3 * k + i] += block->exposure / FULL_LIGHT * block->glare[i][k];
    }
  }
}

// Rises of the rays from the camera, before those to the lights take their place.
static void keep_rises(const rutCameraBlock* block) {
  memcpy(block->up, block->d[2], (size_t)block->rays * sizeof *block->up);
}

void rut_camera_shade(const rutCameraParam* p, const rutSensorIn* in, const rutCameraBlock* block) {
  const double b = extinction(p);
  const bool mirrors = any_smooth(in);
  if (b > 0 || mirrors) keep_rises(block);
  if (in->lamps > 0) rut_camera_lamps(in, b, block);
  face_sun(block, in->light->sun);
  if (in->light->shadows) cast_shadows(p, in, block);
  if (in->textured) {
    shade_textured_block(in->light, block->exposure, block);
  } else {
    shade_block(in->light, in->material, block->exposure, block);
  }
  if (in->lamps > 0) add_lamps(in, block);
  if (mirrors) mirror_sky(in->light, in->material, block);
  if (b > 0) see_through_air(p, in->light, b, block);
  if (in->lamps > 0) add_glare(block);
}
