// SPDX-License-Identifier: BSD-3-Clause
//
// A lamp of luminous intensity I at a distance d gives a surface the illuminance
//   E = I cos(theta) / d^2,
// theta being the angle of incidence: the inverse square law and the cosine law of photometry (CIE
// S 017, International Lighting Vocabulary, 17-21-060 and 17-23-018; J. H. Lambert, Photometria,
// 1760), for a source that is small against d. Air of the extinction b leaves exp(-b d) of it. The
// lamp itself is seen as a disc of radius r that faces the camera: its luminance is I / (pi r^2). A
// disc that is smaller than a pixel is drawn as large as one, with the same flux.
#include "sense/camera_lamps.h"

#include <string.h>

#include "math/rut_math.h"
#include "math/vec.h"
#include "sense/retroreflection.h"

// Rays to a lamp begin at this distance from a surface [m], so that it does not hide itself.
static const double CLEARANCE = 1e-4;

// Luminous intensity in a direction (unit, world) [cd].
static double intensity_towards(const rutLamp* lamp, const double direction[3]) {
  double part[3];
  for (int k = 0; k < 3; k++) {
    part[k] = direction[0] * lamp->axes[k] + direction[1] * lamp->axes[3 + k] +
              direction[2] * lamp->axes[6 + k];
  }
  const double ahead = part[0], left = part[1], up = part[2];
  if (ahead < lamp->cone) return 0;
  if (up > lamp->cutoff) return lamp->stray;
  double exponent = 0;
  if (lamp->spread[0] > 0) {
    const double h = rut_atan2(left, ahead) / lamp->spread[0];
    exponent += h * h;
  }
  if (lamp->spread[1] > 0) {
    const double v = rut_asin(rut_clamp(up, -1, 1)) / lamp->spread[1];
    exponent += v * v;
  }
  return lamp->stray + lamp->intensity * rut_exp(-0.5 * exponent);
}

// ---- what it lights ----

// Rays from surfaces to the lamp, and what they bring.
typedef struct Lit {
  double *at[3], *to[3];  // [n]
  double *light, *far;    // [n] illuminance [lx], distance of the lamp [m]
  int* pixel;             // [n]
  int n;
} Lit;

static void list_pixel(const rutLamp* lamp, double extinction, const rutCameraBlock* block, int k,
                       Lit* lit) {
  double at[3], to[3], square = 0, cosine = 0;
  for (int c = 0; c < 3; c++) {
    const double origin = (c == 0 ? block->x : c == 1 ? block->y : block->z)[k];
    at[c] = origin + (block->range[k] * block->d[c][k] + CLEARANCE * block->normal[c][k]);
    to[c] = lamp->position[c] - at[c];
    square += to[c] * to[c];
    cosine += to[c] * block->normal[c][k];
  }
  if (!(cosine > 0) || square > lamp->reach * lamp->reach) return;
  const double d = rut_sqrt(square);
  double back[3];
  for (int c = 0; c < 3; c++) back[c] = -to[c] / d;
  const double towards = intensity_towards(lamp, back);
  if (!(towards > 0)) return;
  const int n = lit->n++;
  for (int c = 0; c < 3; c++) {
    lit->at[c][n] = at[c];
    lit->to[c][n] = -back[c];
  }
  lit->light[n] = towards * (cosine / d) / square * rut_exp(-extinction * d);
  lit->far[n] = d;
  lit->pixel[n] = k;
}

// Retroreflective sheeting that a lamp lights: with the illuminance E_p across its light the
// luminance R_A E_p / cos(v), v being the angle at which the camera sees it. R_A is that of its
// colour as a whole.
static void return_light(const rutSensorIn* in, const rutLamp* lamp, double extinction,
                         const rutCameraBlock* block, const Lit* lit, int n) {
  static const double EYE[3] = {0.2126, 0.7152, 0.0722};  // luminous parts (ITU-R BT.709)
  const int k = lit->pixel[n];
  const rutMaterial* m = &in->material[block->material[k]];
  double square = 0, entrance = 0, view = 0, whole = 0;
  if (!(m->retroreflection > 0)) return;
  for (int c = 0; c < 3; c++) {
    const double apart = lit->to[c][n] + block->d[c][k];
    square += apart * apart;
    entrance += lit->to[c][n] * block->normal[c][k];
    view -= block->d[c][k] * block->normal[c][k];
    whole += EYE[c] * m->colour[c];
  }
  if (!(view > 0) || !(entrance > 0) || !(whole > 0)) return;
  const double r = m->retroreflection * rut_retro_observed(square) * rut_retro_entered(entrance);
  const double across = lit->light[n] / entrance;
  const double light = RUT_PI * r * across / view * rut_exp(-extinction * block->range[k]);
  for (int c = 0; c < 3; c++) {
    block->glare[c][k] += light * lamp->colour[c] * m->colour[c] / whole;
  }
}

// The lamp as a source of light. What stands between it and a surface takes its light.
static void light_block(const rutSensorIn* in, const rutLamp* lamp, double extinction,
                        const rutCameraBlock* block) {
  const int most = block->rays;
  Lit lit = {.pixel = block->lit};
  for (int c = 0; c < 3; c++) {
    lit.at[c] = block->noise + (ptrdiff_t)c * most;
    lit.to[c] = block->signal + (ptrdiff_t)c * most;
  }
  lit.light = block->sun;
  lit.far = block->far;
  for (int k = 0; k < most; k++) {
    if (block->material[k] >= 0) list_pixel(lamp, extinction, block, k, &lit);
  }
  if (lit.n == 0) return;
  rutRays rays = rut_camera_rays(block, lit.n, lamp->reach, lamp->vehicle);
  rays.x = lit.at[0];
  rays.y = lit.at[1];
  rays.z = lit.at[2];
  rays.dx = lit.to[0];
  rays.dy = lit.to[1];
  rays.dz = lit.to[2];
  in->cast(in->host, &rays, &(rutRayHits){.range = block->shadow});
  for (int n = 0; n < lit.n; n++) {
    const double met = block->shadow[n];
    if (met >= 0 && met < lit.far[n] - lamp->radius) continue;
    for (int i = 0; i < 3; i++) {
      block->lamplight[i][lit.pixel[n]] += lit.light[n] * lamp->colour[i];
    }
    return_light(in, lamp, extinction, block, &lit, n);
  }
}

// ---- what is seen of it ----

// A lamp in front of what a ray has hit is seen, even if it stands a little inside of that.
static void show_lamp(const rutLamp* lamp, double extinction, const rutCameraBlock* block) {
  for (int k = 0; k < block->rays; k++) {
    const double to[3] = {lamp->position[0] - block->x[k], lamp->position[1] - block->y[k],
                          lamp->position[2] - block->z[k]};
    const double along = to[0] * block->d[0][k] + to[1] * block->d[1][k] + to[2] * block->d[2][k];
    const double square = to[0] * to[0] + to[1] * to[1] + to[2] * to[2];
    if (!(along > 0)) continue;
    const double radius = rut_max(lamp->radius, 0.5 * block->spread * along);
    if (square - along * along > radius * radius) continue;
    if (block->material[k] >= 0 && block->range[k] < along - 2 * lamp->radius) continue;
    const double d = rut_sqrt(square);
    const double back[3] = {-to[0] / d, -to[1] / d, -to[2] / d};
    // pi times the luminance
    const double light =
        intensity_towards(lamp, back) / (radius * radius) * rut_exp(-extinction * d);
    for (int i = 0; i < 3; i++) block->glare[i][k] += light * lamp->colour[i];
  }
}

void rut_camera_lamps(const rutSensorIn* in, double extinction, const rutCameraBlock* block) {
  const size_t bytes = (size_t)block->rays * sizeof(double);
  for (int i = 0; i < 3; i++) {
    memset(block->lamplight[i], 0, bytes);
    memset(block->glare[i], 0, bytes);
  }
  for (int i = 0; i < in->lamps; i++) {
    rutLamp lamp;
    in->lamp(in->host, i, &lamp);
    light_block(in, &lamp, extinction, block);
    show_lamp(&lamp, extinction, block);
  }
}
