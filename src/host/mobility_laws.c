// SPDX-License-Identifier: BSD-3-Clause
//
// Mobility by cone index. Ratings are made of pounds, inches and psi; numbers here are SI.
#include <string.h>

#include "math/rut_math.h"
#include "rut/mobility.h"

static const double INCH = 0.0254, POUND = 4.4482216152605, PSI = 6894.757293168361;
static const double MOST_FLATTENED = 0.9;

// ---- a tyre ----

static double flattened(const rutMobilityTyre* t) {
  return rut_clamp(t->deflection / t->section_height, 0, MOST_FLATTENED);
}

double rut_wheel_numeric(const rutMobilityTyre* t, double cone_index) {
  return cone_index * t->width * t->diameter / t->load;
}

double rut_clay_numeric(const rutMobilityTyre* t, double cone_index) {
  return rut_wheel_numeric(t, cone_index) * rut_sqrt(flattened(t)) /
         (1 + 0.5 * t->width / t->diameter);
}

double rut_clay_numeric_drove(const rutMobilityTyre* t, double cone_index) {
  return rut_wheel_numeric(t, cone_index) /
         (rut_pow(1 - flattened(t), 1.5) * rut_pow(1 + t->width / t->diameter, 0.75));
}

double rut_sand_numeric(const rutMobilityTyre* t, double cone_index) {
  static const double DEPTH = 3.47;  // over which the cone index is taken [in]
  const double gradient = cone_index / (DEPTH * INCH);
  return gradient * rut_pow(t->width * t->diameter, 1.5) / t->load * flattened(t);
}

// ---- a vehicle ----

static int tyres_of(const rutMobilityVehicle* v) {
  int n = 0;
  for (int i = 0; i < v->axles; i++) n += v->axle[i].tyres;
  return n;
}

double rut_mobility_weight(const rutMobilityVehicle* v) {
  double sum = 0;
  for (int i = 0; i < v->axles; i++) sum += v->axle[i].tyres * v->axle[i].tyre.load;
  return sum;
}

// The mean tyre, which ratings of a vehicle take.
static rutMobilityTyre mean_tyre(const rutMobilityVehicle* v) {
  rutMobilityTyre mean = {0};
  const int n = tyres_of(v);
  for (int i = 0; i < v->axles; i++) {
    const rutMobilityTyre* t = &v->axle[i].tyre;
    const double part = (double)v->axle[i].tyres / n;
    mean.load += part * t->load;
    mean.diameter += part * t->diameter;
    mean.width += part * t->width;
    mean.section_height += part * t->section_height;
    mean.deflection += part * t->deflection;
  }
  return mean;
}

// Contact pressure factor W/(n b d/2) [psi].
static double contact_pressure(const rutMobilityVehicle* v) {
  const rutMobilityTyre t = mean_tyre(v);
  return t.load / POUND / (0.5 * t.width * t.diameter / (INCH * INCH));
}

// Weight factor by the weight on an axle [1000 lb].
static double weight_factor(double w) {
  if (w < 2) return 0.553 * w;
  if (w < 13.5) return 0.033 * w + 1.05;
  if (w < 20) return 0.142 * w - 0.42;
  return 0.278 * w - 3.115;
}

double rut_mobility_index(const rutMobilityVehicle* v) {
  const rutMobilityTyre t = mean_tyre(v);
  const double axle = rut_mobility_weight(v) / v->axles / POUND * 1e-3;
  const double tyre = (10 + t.width / INCH) / 100, grouser = v->chains ? 1.05 : 1;
  const double wheel = 0.5 * axle, clearance = v->clearance / INCH / 10;
  const double engine = v->low_power ? 1.05 : 1, gearbox = v->manual ? 1.05 : 1;
  return (contact_pressure(v) * weight_factor(axle) / (tyre * grouser) + wheel - clearance) *
         engine * gearbox;
}

// Deflection correction (0.15 h/delta)^(1/4).
static double deflection_factor(const rutMobilityVehicle* v) {
  const rutMobilityTyre t = mean_tyre(v);
  return rut_sqrt(rut_sqrt(0.15 / flattened(&t)));
}

static const double LARGE_INDEX = 115;  // from which on vehicles are rated by a power
double rut_vci1(const rutMobilityVehicle* v) {
  const double mi = rut_mobility_index(v);
  const double psi =
      mi <= LARGE_INDEX ? 11.48 + 0.2 * mi - 39.2 / (mi + 3.74) : 4.1 * rut_pow(mi, 0.446);
  return psi * PSI * deflection_factor(v);
}

double rut_vci50(const rutMobilityVehicle* v) {
  const double mi = rut_mobility_index(v);
  const double psi =
      mi <= LARGE_INDEX ? 28.23 + 0.43 * mi - 92.67 / (mi + 3.74) : 9.0 * rut_pow(mi, 0.446);
  return psi * PSI * deflection_factor(v);
}

double rut_mmp(const rutMobilityVehicle* v) {
  const rutMobilityTyre t = mean_tyre(v);
  const double k = v->axles >= 4 ? 4.10 : v->axles == 3 ? 3.90 : 3.65;
  int driven = 0;
  for (int i = 0; i < v->axles; i++) driven += v->axle[i].driven;
  if (v->axles < 2 || driven < v->axles) return RUT_NAN;
  return k * rut_mobility_weight(v) /
         (2 * v->axles * rut_pow(t.width, 0.85) * rut_pow(t.diameter, 1.15) *
          rut_sqrt(flattened(&t)));
}

double rut_mobility_slope(double pull) { return pull > 0 ? rut_atan(pull) : 0; }

// ---- laws ----

// Net pull over load of a driven tyre at a slip; motion resistance over load.
typedef double Pull(const rutMobilityTyre* tyre, double cone_index, double slip);
typedef double Resistance(const rutMobilityTyre* tyre, double cone_index);

// Wismer and Luth 1974: 0.75 (1 - exp(-0.3 C s)) and 1.2/C + 0.04.
static double wismer_resistance(const rutMobilityTyre* t, double ci) {
  return 1.2 / rut_wheel_numeric(t, ci) + 0.04;
}
static double wismer_pull(const rutMobilityTyre* t, double ci, double slip) {
  const double gross = -0.75 * rut_expm1(-0.3 * rut_wheel_numeric(t, ci) * slip);
  return gross - wismer_resistance(t, ci);
}

// Curves of the Waterways Experiment Station are of 20 % slip.
static bool at_20(double slip) { return rut_abs(slip - 0.2) < 1e-9; }

static double wes_clay_pull(const rutMobilityTyre* t, double ci, double slip) {
  static const double curve[][2] = {{4, 0}, {6, 0.25}, {10, 0.5}, {20, 0.65}};
  enum { POINTS = sizeof curve / sizeof curve[0] };
  const double n = rut_clay_numeric(t, ci);
  if (!at_20(slip)) return RUT_NAN;
  for (int i = 1; i < POINTS; i++) {
    const double *a = curve[i - 1], *b = curve[i];
    if (n >= a[0] && n <= b[0]) return a[1] + (b[1] - a[1]) * (n - a[0]) / (b[0] - a[0]);
  }
  return RUT_NAN;
}
static double wes_clay_resistance(const rutMobilityTyre* t, double ci) {
  static const double LEAST = 3;  // numeric: near 2.5 the fit has no bound
  const double n = rut_clay_numeric(t, ci);
  return n >= LEAST ? 0.04 + 0.2 / (n - 2.5) : RUT_NAN;
}

static double wes_sand_pull(const rutMobilityTyre* t, double ci, double slip) {
  const double n = rut_sand_numeric(t, ci);
  return at_20(slip) && n >= 8 ? 0.53 - 4.5 / (n + 3.7) : RUT_NAN;
}
static double no_resistance(const rutMobilityTyre* t, double ci) {
  (void)t;
  (void)ci;
  return RUT_NAN;
}

// NATO Reference Mobility Model, of a whole vehicle: x is the excess RCI - VCI1 [psi]. Pull is the
// largest, whatever the slip, and net.
static double nrmm_pull(const rutMobilityVehicle* v, double x) {
  const bool light = contact_pressure(v) < 4;
  const double a = light ? 0.5443 + 0.0463 * x : 0.4554 + 0.0392 * x, b = light ? 0.0702 : 0.0526;
  return x >= 0 ? a - rut_sqrt(a * a - b * x) : RUT_NAN;
}
static double nrmm_resistance(const rutMobilityVehicle* v, double x) {
  if (!(x >= 0)) return RUT_NAN;
  return contact_pressure(v) < 4 ? 0.035 + 0.861 / (x + 3.249) : 0.045 + 2.3075 / (x + 6.5);
}

typedef struct Law {
  rutMobilityLaw told;
  Pull* pull;  // of single tyres; NULL: of the vehicle
  Resistance* resistance;
} Law;
static const Law laws[] = {
    {{"nrmm", "NATO Reference Mobility Model, fine-grained soil, by the excess of RCI over VCI1",
      RUT_GRAIN_FINE, true},
     NULL,
     NULL},
    {{"wismer_luth", "Wismer and Luth 1974", RUT_GRAIN_ANY, true}, wismer_pull, wismer_resistance},
    {{"wes_clay", "Waterways Experiment Station, clay numeric, 20 % slip", RUT_GRAIN_FINE, true},
     wes_clay_pull,
     wes_clay_resistance},
    {{"wes_sand", "Waterways Experiment Station, sand numeric, 20 % slip", RUT_GRAIN_COARSE, true},
     wes_sand_pull,
     no_resistance},
};
enum { LAWS = sizeof laws / sizeof laws[0] };

int rut_mobility_laws(void) { return LAWS; }

rutMobilityLaw rut_mobility_law(int law) {
  return law >= 0 && law < LAWS ? laws[law].told : (rutMobilityLaw){.name = "", .source = ""};
}

int rut_mobility_law_find(const char* name) {
  for (int i = 0; i < LAWS; i++) {
    if (strcmp(laws[i].told.name, name) == 0) return i;
  }
  return -1;
}

static double excess(const rutMobilityVehicle* v, double rci) { return (rci - rut_vci1(v)) / PSI; }

double rut_mobility_resistance(int law, const rutMobilityVehicle* v, double ci) {
  if (law < 0 || law >= LAWS) return RUT_NAN;
  const Law* l = &laws[law];
  if (!l->resistance) return nrmm_resistance(v, excess(v, ci));
  double sum = 0;
  for (int i = 0; i < v->axles; i++) {
    const rutMobilityAxle* a = &v->axle[i];
    sum += a->tyres * a->tyre.load * l->resistance(&a->tyre, ci);
  }
  return sum / rut_mobility_weight(v);
}

double rut_mobility_pull(int law, const rutMobilityVehicle* v, double ci, double slip) {
  if (law < 0 || law >= LAWS) return RUT_NAN;
  const Law* l = &laws[law];
  if (!l->pull) return nrmm_pull(v, excess(v, ci));
  double sum = 0;
  for (int i = 0; i < v->axles; i++) {
    const rutMobilityAxle* a = &v->axle[i];
    const double net = a->driven ? l->pull(&a->tyre, ci, slip) : -l->resistance(&a->tyre, ci);
    sum += a->tyres * a->tyre.load * net;
  }
  return sum / rut_mobility_weight(v);
}
