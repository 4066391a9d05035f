// SPDX-License-Identifier: BSD-3-Clause
#include "sense/camera_signal.h"

#include "math/lanes.h"

// Shot noise is taken as normal, of the Poisson distribution's variance.
RUT_CLONES static void add_noise(double full_well, double read_noise, const rutCameraRow* row) {
  const double* restrict noise = row->noise;
  double* restrict signal = row->signal;
  const double floor = read_noise * read_noise;
  RUT_FOR_LANES(i, 3 * row->rays) {
    const double spread = rut_sqrt(signal[i] * full_well + floor);
    signal[i] += spread * noise[i] / full_well;
  }
}

// Codes of signals: IEC 61966-2-1.
RUT_CLONES static void code_row(const rutCameraRow* row, unsigned char* restrict code) {
  const double* restrict signal = row->signal;
  RUT_FOR_LANES(i, 3 * row->rays) {
    const double x = rut_clamp(signal[i], 0, 1);
    const double power = rut_exp(rut_log(x > 0.0031308 ? x : 1) * (1 / 2.4));
    const double coded = x > 0.0031308 ? 1.055 * power - 0.055 : 12.92 * x;
    code[i] = (unsigned char)(int)(255 * coded + 0.5);
  }
}

void rut_camera_add_noise(const rutCameraParam* p, const rutSensorIn* in, int number,
                          const rutCameraRow* row) {
  const uint32_t first = (uint32_t)number * 3 * (uint32_t)p->width;
  in->normals(in->host, first, 3 * row->rays, row->noise);
  add_noise(p->full_well, p->read_noise, row);
}

void rut_camera_code(const rutCameraRow* row, unsigned char* restrict code) { code_row(row, code); }
