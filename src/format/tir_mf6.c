// SPDX-License-Identifier: BSD-3-Clause
//
// Where the laws differ:
//   K_y = PKY1 F_0 sin(PKY4 atan(q/(PKY2 + PKY5 g^2))), q = F_z/F_0, g the camber. PAC2002 has PKY4
//   = 2.
//     Other values get PKY1 and PKY2 such that value and slope over the load are the same at q = 1:
//     with A 2 (q/b)/(1 + (q/b)^2) and r = K_y'/K_y there, b^2 = (1 + r)/(1 - r), A = K_y (b^2 +
//     1)/(2 b).
//   S_Hy has ((PKY6 + PKY7 df) - (PVY3 + PVY4 df)) F_z g/K_y in place of PHY3 g: taken at q = 1.
//   F_z = F_0 (Q_FZ1 z + Q_FZ2 z^2), z = deflection/R_0; Q_FZ1 = sqrt((C_z R_0/F_0)^2 - 4 Q_FZ2)
//   where it
//     is not given.
//   D_t has 1 + QDZ3 |g|, not 1 + QDZ3 g; M_x takes F_z/F_0, and its cosine the square of an
//   arctangent.
#include "format/tir_mf6.h"

#include <stdio.h>
#include <string.h>

#include "math/rut_math.h"

static const char* const names[RUT_TIR_MF6_KEYS] = {
#define X(name) #name,
    RUT_TIR_MF6_LIST(X)
#undef X
};

static char small(char c) { return (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c); }

int rut_tir_mf6_key(const char* key) {
  for (int i = 0; i < RUT_TIR_MF6_KEYS; i++) {
    size_t n = 0;
    while (names[i][n] && small(key[n]) == names[i][n]) n++;
    if (!names[i][n] && !key[n]) return i;
  }
  return -1;
}

typedef struct Settling {
  const rutTirMf6* mf6;
  const rutComponent* type;
  rutTir* tir;
} Settling;

static int field_named(const rutComponent* type, const char* name) {
  for (int i = 0; i < type->fields && i < RUT_TIR_FIELDS; i++) {
    if (strcmp(type->field[i].name, name) == 0) return i;
  }
  return -1;
}

// Number of the file, 0 if it has none.
static double value(const Settling* s, const char* name) {
  const int field = field_named(s->type, name);
  return field >= 0 && s->tir->given[field] ? s->tir->number[field] : 0;
}

static void set(const Settling* s, const char* name, double number) {
  const int field = field_named(s->type, name);
  if (field < 0) return;
  const rutField* f = &s->type->field[field];
  s->tir->given[field] = true;
  s->tir->number[field] = f->min < f->max ? rut_clamp(number, f->min, f->max) : number;
}

static double own(const Settling* s, int key) {
  return s->mf6->given[key] ? s->mf6->number[key] : 0;
}

// Cornering stiffness over the nominal load, at this.
static double settle_stiffness(const Settling* s) {
  static const double MOST = 0.999;
  const double a = value(s, "pky1"), b = value(s, "pky2");
  const double c = s->mf6->given[RUT_TIR_MF6_pky4] ? own(s, RUT_TIR_MF6_pky4) : 2;
  if (!(b > 1e-3)) return a;
  double sine, cosine;
  rut_sincos(c * rut_atan(1 / b), &sine, &cosine);
  const double stiff = a * sine, slope = a * cosine * c * b / (b * b + 1);
  if (c == 2 || stiff == 0) return stiff;
  const double r = rut_clamp(slope / stiff, -MOST, MOST);
  const double at = rut_sqrt((1 + r) / (1 - r));
  set(s, "pky2", at);
  // no clamp: the sign is settled with that of the whole file
  const int field = field_named(s->type, "pky1");
  if (field >= 0) s->tir->number[field] = stiff * (at * at + 1) / (2 * at);
  return stiff;
}

static void settle_camber(const Settling* s, double stiff) {
  if (!s->mf6->given[RUT_TIR_MF6_pky6] || stiff == 0) return;
  set(s, "phy3", (own(s, RUT_TIR_MF6_pky6) - value(s, "pvy3")) / stiff);
}

static void settle_vertical(const Settling* s) {
  enum { N = 16 };
  static const double MOST = 0.3;  // deflection over the radius
  rutTirCurve* curve = &s->tir->curve[0];
  const double load = value(s, "fnomin"), radius = value(s, "unloaded_radius");
  const double square = own(s, RUT_TIR_MF6_q_fz2);
  if (!s->mf6->given[RUT_TIR_MF6_q_fz2] || curve->points > 0 || !(load > 0) || !(radius > 0))
    return;
  const double stiff = value(s, "vertical_stiffness") * radius / load;
  double linear = own(s, RUT_TIR_MF6_q_fz1);
  if (!(linear > 0)) linear = rut_sqrt(rut_max(stiff * stiff - 4 * square, 0));
  if (!(linear > 0) || linear + 2 * square * MOST <= 0) return;
  curve->field = field_named(s->type, "deflection_load_curve");
  for (int i = 0; i < N; i++) {
    const double z = MOST * i / (N - 1);
    curve->point[2 * i] = z * radius;
    curve->point[2 * i + 1] = load * z * (linear + square * z);
  }
  curve->points = N;
}

static void settle_moments(const Settling* s) {
  const double load = rut_max(value(s, "fnomin"), 1);
  set(s, "qsx11", value(s, "qsx11") / load);
  set(s, "qsx4", 0);
  set(s, "qdz3", 0);
  if (s->mf6->given[RUT_TIR_MF6_ppz1]) set(s, "qpz1", own(s, RUT_TIR_MF6_ppz1));
  if (s->mf6->given[RUT_TIR_MF6_ppz2]) set(s, "qpz2", own(s, RUT_TIR_MF6_ppz2));
  if (s->mf6->given[RUT_TIR_MF6_ppmx1]) set(s, "qpx1", own(s, RUT_TIR_MF6_ppmx1));
}

// The last digit tells the forces; 5 is 4 with those of turning on the spot.
static void settle_mode(const Settling* s) {
  const int field = field_named(s->type, "use_mode");
  if (field < 0 || !s->tir->given[field]) return;
  const double mode = s->tir->number[field], size = rut_abs(mode);
  const double digit = size - 10 * rut_floor(size / 10);
  if (!(size <= 1e6)) return;
  s->tir->number[field] = (mode < 0 ? -1 : 1) * (10 + rut_min(digit, 4));
}

// Terms of the law that no number of PAC2002 has, where the file has them.
static void tell(const Settling* s, rutReporter* reporter) {
  static const int terms[] = {RUT_TIR_MF6_pky5,  RUT_TIR_MF6_pky7,  RUT_TIR_MF6_pey5,
                              RUT_TIR_MF6_ppy5,  RUT_TIR_MF6_rbx3,  RUT_TIR_MF6_rby4,
                              RUT_TIR_MF6_qbz6,  RUT_TIR_MF6_qdz10, RUT_TIR_MF6_qdz11,
                              RUT_TIR_MF6_qsx12, RUT_TIR_MF6_qsx13, RUT_TIR_MF6_qsx14};
  char text[160] = "";
  size_t n = 0;
  for (int i = 0; i < RUT_COUNT_OF(terms); i++) {
    if (own(s, terms[i]) == 0 || n + 10 > sizeof text) continue;
    n += (size_t)snprintf(text + n, sizeof text - n, "%s%s", n ? ", " : "", names[terms[i]]);
  }
  for (char* c = text; *c; c++) *c = (char)(*c >= 'a' && *c <= 'z' ? *c - 'a' + 'A' : *c);
  rut_report_note(
      reporter, s->mf6->place, "",
      "MF-Tyre 6 is read as PAC2002, whose law has fewer terms: the cornering stiffness "
      "and camber thrust are those at the nominal load%s%s",
      text[0] ? "; these have no effect: QSX4, QDZ3, " : "", text);
}

void rut_tir_mf6_settle(const rutTirMf6* mf6, const rutComponent* type, rutReporter* reporter,
                        rutTir* tir) {
  const Settling s = {mf6, type, tir};
  if (!mf6->is) return;
  const double stiff = settle_stiffness(&s);
  settle_camber(&s, stiff);
  settle_vertical(&s);
  settle_moments(&s);
  settle_mode(&s);
  tell(&s, reporter);
}
