// SPDX-License-Identifier: BSD-3-Clause
#include "sense/camera_signal.h"

#include "math/lanes.h"
#include "sense/camera_codes.h"

// Shot noise is taken as normal, of the Poisson distribution's variance.
RUT_CLONES static void add_noise(double full_well, double read_noise, const rutCameraBlock* block) {
  const double* restrict noise = block->noise;
  double* restrict signal = block->signal;
  const double floor = read_noise * read_noise;
  RUT_FOR_LANES(i, 3 * block->rays) {
    const double spread = rut_sqrt(signal[i] * full_well + floor);
    signal[i] += spread * noise[i] / full_well;
  }
}

void rut_camera_read_out(const rutCameraParam* p, const rutSensorIn* in,
                         const rutCameraBlock* block) {
  for (int r = 0; r < block->rows && !in->exact; r++) {
    const int first = block->first[r], n = block->first[r + 1] - first;
    const uint32_t row = (uint32_t)(block->row + r) * (uint32_t)p->width;
    in->normals(in->host, 3 * (row + (uint32_t)block->before[r]), 3 * n, block->noise + 3 * first);
  }
  if (!in->exact) add_noise(p->full_well, p->read_noise, block);
  if (block->gain == 1) return;
  for (int i = 0; i < 3 * block->rays; i++) block->signal[i] *= block->gain;
}

void rut_camera_code(const rutCameraBlock* block, unsigned char* restrict code) {
  const double* restrict signal = block->signal;
  const unsigned char* restrict of_part = block->code_of_part;
  for (int i = 0; i < 3 * block->rays; i++) code[i] = rut_camera_code_of(of_part, signal[i]);
}

// ---- vignetting ----

// The illuminance of a sensor behind a lens of a small stop is that on the axis times cos^4 of the
// angle from it (I. C. Gardner, J. Res. Natl. Bur. Stand. 39 (1947) 213). Lenses as they are get an
// even polynomial, 1 + v2 r^2 + v4 r^4 + v6 r^6 (D. B. Goldman and J.-H. Chen, ICCV 2005).
void rut_camera_vignette(const rutCameraParam* p, const rutCameraBlock* block) {
  if (p->vignetting == RUT_CAMERA_NO_VIGNETTING) return;
  const double x = 0.5 * p->width + p->offset_x, y = 0.5 * p->height + p->offset_y;
  const double corner = rut_hypot(rut_max(x, p->width - x), rut_max(y, p->height - y));
  const int width = (int)p->width;
  for (int k = 0; k < block->rays; k++) {
    const int column = block->pixel[k] % width, row = block->pixel[k] / width;
    const double u = (column + 0.5 - x) / corner, v = (row + 0.5 - y) / corner, r2 = u * u + v * v;
    const double c2 = block->ahead[k] * block->ahead[k];
    const double even = 1 + r2 * (p->v2 + r2 * (p->v4 + r2 * p->v6));
    const double share = p->vignetting == RUT_CAMERA_COS4 ? c2 * c2 : rut_max(even, 0);
    for (int i = 0; i < 3; i++) block->signal[3 * k + i] *= share;
  }
}

// ---- exposure ----

// Signals of the codes: IEC 61966-2-1.
static void decode(double signal[256]) {
  for (int i = 0; i < 256; i++) {
    const double x = i / 255.0;
    signal[i] = x <= 0.04045 ? x / 12.92 : rut_exp(2.4 * rut_log((x + 0.055) / 1.055));
  }
}

// The geometric mean of luminances (Rec. 709), as E. Reinhard et al., ACM Trans. Graphics 21 (2002)
// 267; its logarithm approaches that of the target with the time constant.
double rut_camera_meter(const rutCameraParam* p, const unsigned char* colour, double exposure) {
  static const double DARKEST = 1e-3;
  double signal[256], sum = 0;
  decode(signal);
  const int n = (int)p->width * (int)p->height;
  for (int i = 0; i < n; i++) {
    const unsigned char* c = colour + 3 * (ptrdiff_t)i;
    const double luminance = 0.2126 * signal[c[0]] + 0.7152 * signal[c[1]] + 0.0722 * signal[c[2]];
    sum += rut_log(rut_max(luminance, DARKEST));
  }
  const double share = p->exposure_lag > 0 ? 1 - rut_exp(-p->period / p->exposure_lag) : 1;
  const double step = share * (rut_log(p->exposure_target) - sum / n);
  return rut_clamp(exposure * rut_exp(step), 1e-9, p->exposure_max * p->gain_max);
}

void rut_camera_divide(const rutCameraParam* p, double product, double* exposure, double* gain) {
  *exposure = rut_min(product, p->exposure_max);
  *gain = product / *exposure;
}
