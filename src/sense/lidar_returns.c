// SPDX-License-Identifier: BSD-3-Clause
//
// The lidar equation of a diffuse surface that fills the beam (Wagner et al., ISPRS J. 60, 2006):
//   P_r = P_0 rho cos(i) eta/(pi d^2) exp(-2 b d).
// Constants of the instrument cancel: its data sheet says at which distance a surface of a known
// reflectance is at the limit of detection.
#include "sense/lidar_returns.h"

void rut_lidar_receiver(const rutLidarParam* param, bool exact, rutLidarReceiver* out) {
  const rutLidarParam* p = param;
  *out = (rutLidarReceiver){.param = p, .extinction = rut_lidar_extinction(p)};
  if (p->rated_range > 0) out->threshold = p->rated_reflectance / (p->rated_range * p->rated_range);
  if (!exact) rut_lidar_air(p, out->threshold, &out->air);
}

double rut_lidar_power(const rutLidarReceiver* receiver, double range, double incidence,
                       double part) {
  const double lit = part * receiver->param->reflectance * rut_abs(incidence);
  const double power = lit / (range * range);
  return receiver->extinction > 0 ? power * rut_exp(-2 * receiver->extinction * range) : power;
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

double rut_lidar_range_deviation(const rutLidarReceiver* receiver, double power) {
  const rutLidarParam* p = receiver->param;
  const double strong = p->range_noise, weak = p->weak_range_noise;
  return rut_sqrt(strong * strong + weak * weak * receiver->threshold / power);
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
