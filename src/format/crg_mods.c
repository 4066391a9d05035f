// SPDX-License-Identifier: BSD-3-Clause
#include "format/crg_mods.h"

#include "math/rut_math.h"

static double key_or(const rutCrgHead* head, int k, double none) {
  const double v = head->key[k];
  return v == v ? v : none;
}

static bool is_hole(double z) { return !(z == z); }

// ---- holes ----

// One row from one side: what lies before the first node with a height, and holes behind it.
static void fill_row(double* z, int n, double offset) {
  int first = 0;
  while (first < n && is_hole(z[first])) first++;
  if (first == n) return;
  for (int i = 0; i < first; i++) z[i] = z[first] + offset;
  double last = z[first];
  for (int i = first + 1; i < n; i++) {
    if (is_hole(z[i])) {
      z[i] = last + offset;
    } else {
      last = z[i];
    }
  }
}

bool rut_crg_fill_holes(const rutCrgHead* head, rutCrg* crg) {
  const double none = head->has[RUT_CRG_MODIFIERS] ? 0 : 2;
  const double mode = key_or(head, RUT_CRG_grid_nan_mode, none);
  const double offset = key_or(head, RUT_CRG_grid_nan_offset, 0);
  if (mode != 0 && mode != 1 && mode != 2) return false;
  for (int i = 0; mode != 0 && i < crg->nu; i++) {
    double* z = crg->z + (size_t)i * (size_t)crg->nv;
    if (mode == 2) fill_row(z, crg->nv, offset);
    for (int k = 0; mode == 1 && k < crg->nv; k++) {
      if (is_hole(z[k])) z[k] = offset;
    }
  }
  return true;
}

// ---- place ----

// Turn the line about a point and shift it.
static void turn(rutCrg* crg, const double about[2], double angle, const double shift[3]) {
  double sine, cosine;
  rut_sincos(angle, &sine, &cosine);
  for (int i = 0; i < crg->nu; i++) {
    rutCrgVertex* p = &crg->vertex[i];
    const double x = p->x - about[0], y = p->y - about[1];
    p->x = about[0] + (angle != 0 ? cosine * x - sine * y : x) + shift[0];
    p->y = about[1] + (angle != 0 ? sine * x + cosine * y : y) + shift[1];
    p->z += shift[2];
  }
}

static double along(const rutCrgHead* head, int at, double from, double to, double none) {
  const double given = head->key[at], fraction = head->key[at + 1];
  const double value = given == given         ? given
                       : fraction == fraction ? from + fraction * (to - from)
                                              : none;
  return value + key_or(head, at + 2, 0);
}

// Height of the grid in a row at v; 0 in a hole.
static double across(const rutCrg* crg, int row, double v) {
  const double* z = crg->z + (size_t)row * (size_t)crg->nv;
  int k = 0;
  while (k + 2 < crg->nv && crg->v[k + 1] < v) k++;
  const double share = rut_clamp((v - crg->v[k]) / (crg->v[k + 1] - crg->v[k]), 0, 1);
  const double height = z[k] + share * (z[k + 1] - z[k]);
  return is_hole(height) ? 0 : height;
}

// Where the reference point is, and which way the line goes there: straight on beyond its ends,
// where the heights across are those of the ends.
static double reference(const rutCrgHead* head, const rutCrg* crg, double at[3]) {
  const double start = crg->start, end = crg->start + crg->increment * (crg->nu - 1);
  const double u = along(head, RUT_CRG_refpoint_u, start, end, start);
  const double v = along(head, RUT_CRG_refpoint_v, crg->v[0], crg->v[crg->nv - 1], 0);
  const double row = (u - start) / crg->increment;
  const int i = (int)rut_clamp(row, 0, crg->nu - 2);
  const double share = row - i, within = rut_clamp(share, 0, 1);
  const rutCrgVertex *a = &crg->vertex[i], *b = a + 1;
  const double heading = rut_atan2(b->y - a->y, b->x - a->x);
  double sine, cosine;
  rut_sincos(heading, &sine, &cosine);
  at[0] = a->x + share * (b->x - a->x) - v * sine;
  at[1] = a->y + share * (b->y - a->y) + v * cosine;
  at[2] = a->z + share * (b->z - a->z) + (a->bank + within * (b->bank - a->bank)) * v +
          (1 - within) * across(crg, i, v) + within * across(crg, i + 1, v);
  return heading;
}

void rut_crg_move(const rutCrgHead* head, rutCrg* crg) {
  const double about[2] = {key_or(head, RUT_CRG_refline_rotcenter_x, crg->vertex[0].x),
                           key_or(head, RUT_CRG_refline_rotcenter_y, crg->vertex[0].y)};
  const double shift[3] = {key_or(head, RUT_CRG_refline_offset_x, 0),
                           key_or(head, RUT_CRG_refline_offset_y, 0),
                           key_or(head, RUT_CRG_refline_offset_z, 0)};
  turn(crg, about, key_or(head, RUT_CRG_refline_offset_phi, 0), shift);
  bool given = !head->has[RUT_CRG_MODIFIERS];
  for (int k = RUT_CRG_refpoint_u; k <= RUT_CRG_refpoint_phi; k++) {
    given = given || head->key[k] == head->key[k];
  }
  if (!given) return;
  double at[3];
  const double heading = reference(head, crg, at);
  const double to[3] = {key_or(head, RUT_CRG_refpoint_x, 0) - at[0],
                        key_or(head, RUT_CRG_refpoint_y, 0) - at[1],
                        key_or(head, RUT_CRG_refpoint_z, 0) - at[2]};
  turn(crg, at, key_or(head, RUT_CRG_refpoint_phi, 0) - heading, to);
}
