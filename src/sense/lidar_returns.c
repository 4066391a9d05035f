// SPDX-License-Identifier: BSD-3-Clause
//
// The lidar equation of a diffuse surface that fills the beam (Wagner et al., ISPRS J. 60, 2006):
//   P_r = P_0 rho cos(i) eta/(pi d^2) exp(-2 b d).
// Retroreflective sheeting has the intensity R_A over its illuminance and area: of the flux F, on
// an area S / cos(i) of the beam's cross section S, it sends F R_A / cos(i) back per solid angle,
// where a diffuse surface sends F rho cos(i)/pi. Source and receiver are in one place. Constants of
// the instrument cancel: its data sheet says at which distance a surface of a known reflectance is
// at the limit of detection.
#include "sense/lidar_returns.h"

#include "math/lanes.h"
#include "sense/retroreflection.h"

// Wavelengths that materials have reflectances at [m].
static const double NEAR = 905e-9, FAR = 1550e-9;

void rut_lidar_receiver(const rutLidarParam* param, bool exact, rutLidarReceiver* out) {
  const rutLidarParam* p = param;
  *out = (rutLidarReceiver){.param = p, .extinction = rut_lidar_extinction(p)};
  out->infrared = rut_clamp((p->wavelength - NEAR) / (FAR - NEAR), 0, 1);
  if (p->rated_range > 0) out->threshold = p->rated_reflectance / (p->rated_range * p->rated_range);
  if (!exact) rut_lidar_air(p, out->threshold, &out->air);
}

RUT_CLONES static void find_reflectances(const rutLidarReceiver* receiver, const rutLidarHits* hits,
                                         double* restrict out) {
  const double all = receiver->param->reflectance, infrared = receiver->infrared;
  const int* restrict material = hits->material;
  const rutMaterial* restrict of_materials = hits->of_materials;
  const bool given = all >= 0;
  RUT_FOR_LANES(i, hits->n) {
    const int known = material[i] >= 0;
    const rutMaterial* m = &of_materials[known ? material[i] : 0];
    const double near = m->reflectance_905, far = m->reflectance_1550;
    const double own = near + infrared * (far - near);
    out[i] = given ? all : known ? own : 0;
  }
}

RUT_CLONES static void weaken(const rutLidarReceiver* receiver, const rutLidarHits* hits,
                              double* restrict power) {
  const double rate = -2 * receiver->extinction;
  const double* restrict range = hits->range;
  RUT_FOR_LANES(i, hits->n) power[i] *= rut_exp(rate * range[i]);
}

// power: reflectances, until they are used.
RUT_CLONES static void light(const rutLidarReceiver* receiver, const rutLidarHits* hits,
                             double part, double* restrict power) {
  const double nearest = receiver->param->min_range;
  const double* restrict range = hits->range;
  const double* restrict dx = hits->direction[0];
  const double* restrict dy = hits->direction[1];
  const double* restrict dz = hits->direction[2];
  const double* restrict nx = hits->normal[0];
  const double* restrict ny = hits->normal[1];
  const double* restrict nz = hits->normal[2];
  RUT_FOR_LANES(i, hits->n) {
    const double r = range[i], incidence = dx[i] * nx[i] + dy[i] * ny[i] + dz[i] * nz[i];
    const int counts = (r >= nearest) & (r > 0);
    const double lit = part * power[i] * rut_abs(incidence);
    const double of_hit = lit / (r * r);
    power[i] = counts ? of_hit : 0;
  }
}

static void add_retroreflection(const rutLidarReceiver* receiver, const rutLidarHits* hits,
                                double part, double* power) {
  const double coaxial = rut_retro_observed(0);
  for (int i = 0; i < hits->n; i++) {
    const int m = hits->material[i];
    const double r = hits->range[i], own = m >= 0 ? hits->of_materials[m].retroreflection : 0;
    if (!(own > 0) || !(r >= receiver->param->min_range) || !(r > 0)) continue;
    double cosine = 0;
    for (int k = 0; k < 3; k++) cosine += hits->direction[k][i] * hits->normal[k][i];
    cosine = rut_abs(cosine);
    if (!(cosine > 0)) continue;
    power[i] += part * RUT_PI * own * coaxial * rut_retro_entered(cosine) / (cosine * r * r);
  }
}

void rut_lidar_powers(const rutLidarReceiver* receiver, const rutLidarHits* hits, double part,
                      double* power) {
  find_reflectances(receiver, hits, power);
  light(receiver, hits, part, power);
  const bool given = receiver->param->reflectance >= 0;
  if (hits->retroreflect && !given) add_retroreflection(receiver, hits, part, power);
  if (receiver->extinction > 0) weaken(receiver, hits, power);
}

static void sort_hits(int n, double* range, double* power) {
  for (int i = 1; i < n; i++) {
    const double r = range[i], p = power[i];
    int k = i;
    for (; k > 0 && range[k - 1] > r; k--) {
      range[k] = range[k - 1];
      power[k] = power[k - 1];
    }
    range[k] = r;
    power[k] = p;
  }
}

// Rays that hit at grazing incidence or in thick fog have no power, and no part in the range.
void rut_lidar_echoes(const rutLidarReceiver* receiver, int n, double* range, double* power,
                      rutLidarEchoes* out) {
  const double apart = receiver->param->pulse_length;
  out->n = 0;
  sort_hits(n, range, power);
  for (int i = 0; i < n;) {
    double sum = 0, moment = 0;
    const int first = i;
    do {
      sum += power[i];
      moment += power[i] * (range[i] - range[first]);
      i++;
    } while (i < n && range[i] - range[i - 1] <= apart);
    if (!(sum > 0) || out->n == RUT_LIDAR_MAX_ECHOES) continue;
    out->echo[out->n++] = (rutLidarEcho){.range = range[first] + moment / sum, .power = sum};
  }
}

void rut_lidar_add_echo(double range, double power, rutLidarEchoes* echoes) {
  if (echoes->n == RUT_LIDAR_MAX_ECHOES) return;
  int k = echoes->n++;
  for (; k > 0 && echoes->echo[k - 1].range > range; k--) echoes->echo[k] = echoes->echo[k - 1];
  echoes->echo[k] = (rutLidarEcho){.range = range, .power = power};
}

static bool comes_before(const rutLidarParam* p, const rutLidarEcho* a, const rutLidarEcho* b) {
  if (p->order == RUT_LIDAR_STRONGEST) return a->power > b->power;
  return p->order == RUT_LIDAR_LAST && a->number > b->number;
}

void rut_lidar_arrange(const rutLidarReceiver* receiver, rutLidarEchoes* echoes) {
  for (int i = 0; i < echoes->n; i++) {
    rutLidarEcho echo = echoes->echo[i];
    echo.number = i + 1;
    int k = i;
    for (; k > 0 && comes_before(receiver->param, &echo, &echoes->echo[k - 1]); k--) {
      echoes->echo[k] = echoes->echo[k - 1];
    }
    echoes->echo[k] = echo;
  }
}
