// SPDX-License-Identifier: BSD-3-Clause
//
// PAC2002 as rut has it takes the slip angle of ISO 8855, alpha = atan(v_y/|v_x|), so that F_y < 0
// for alpha > 0: the slope K_y = PKY1 ... is negative and D_y = mu_y F_z positive. In
//   F_y = D sin(C atan(B x - E (B x - atan(B x)))) + S_V,  x = alpha + S_H,  B = K/(C D)
// a negative D with the same K is the same curve, since sin, atan and B are odd in D: so MF-Tyre
// and ADAMS write PDY1 < 0. A positive K is that of alpha with the other sign (Pacejka's book): x
// turns round with S_H, and so does everything that goes with the sign of x.
#include "format/tir_settle.h"

#include <string.h>

typedef struct Settling {
  const rutTirKeys* keys;
  const rutComponent* type;
  rutReporter* reporter;
  rutTir* tir;
} Settling;

static int field_named(const rutComponent* type, const char* name) {
  for (int i = 0; i < type->fields && i < RUT_TIR_FIELDS; i++) {
    if (strcmp(type->field[i].name, name) == 0) return i;
  }
  return -1;
}

// Number of a key, 0 if it is not there.
static double value_of(const Settling* s, int key) {
  const int field = s->keys->field[key];
  return field < 0 ? 0 : s->tir->number[field];
}

static void set(const Settling* s, const char* name, double value) {
  const int field = field_named(s->type, name);
  if (field < 0) return;
  s->tir->given[field] = true;
  s->tir->number[field] = value;
}

// Space separated fields change sign, as far as the file has them.
static void negate(const Settling* s, const char* names) {
  while (*names) {
    char name[32] = "";
    const size_t n = strcspn(names, " ");
    memcpy(name, names, n < sizeof name ? n : sizeof name - 1);
    const int field = field_named(s->type, name);
    if (field >= 0) s->tir->number[field] = -s->tir->number[field];
    names += n;
    names += strspn(names, " ");
  }
}

static void settle_signs(const Settling* s) {
  // friction counts where it scales the force that slip causes, and in the slope B of the residual
  // torque
  if (value_of(s, RUT_TIR_pdy1) < 0) negate(s, "pdy1 pdy2 rvy1 rvy2 rvy3 qbz10");
  if (value_of(s, RUT_TIR_pdx1) < 0) negate(s, "pdx1 pdx2");
  if (value_of(s, RUT_TIR_pky1) > 0) {
    negate(s, "pky1 phy1 phy2 phy3 pey3 pey4 rhx1 rby3 qhz1 qhz2 qhz3 qhz4 qez4 qez5");
    rut_report_note(s->reporter, s->keys->place[RUT_TIR_pky1], "",
                    "PKY1 is positive: slip angles of this file have the sign of Pacejka's book, "
                    "and are reversed");
  }
}

// A range that ends at 0 was measured on one side only, such as braking: the other is its mirror
// image.
static void settle_range(const Settling* s, int least, int most) {
  const int low = s->keys->field[least], high = s->keys->field[most];
  if (low < 0 || high < 0) return;
  double *from = &s->tir->number[low], *to = &s->tir->number[high];
  if (*from == 0 && *to > 0) {
    rut_report_warning(s->reporter, s->keys->place[least], "",
                       "slips below 0 were not measured: taken as the mirror image of those above");
    *from = -*to;
  } else if (*to == 0 && *from < 0) {
    rut_report_warning(s->reporter, s->keys->place[most], "",
                       "slips above 0 were not measured: taken as the mirror image of those below");
    *to = -*from;
  } else if (*from == 0 && *to == 0) {
    s->tir->given[low] = s->tir->given[high] = false;
  }
}

// Without a relaxation length, the load at which it is largest says nothing.
static void settle_relaxation(const Settling* s) {
  const int field = s->keys->field[RUT_TIR_pty2], length = field_named(s->type, "pty1");
  if (field < 0 || length < 0) return;
  if (s->tir->number[field] == 0 && s->tir->number[length] == 0) s->tir->given[field] = false;
}

// A negative USE_MODE is a tyre of the other side.
static void settle_mode(const Settling* s) {
  const int field = s->keys->field[RUT_TIR_use_mode], side = field_named(s->type, "tyreside");
  if (field < 0 || side < 0 || s->tir->number[field] >= 0) return;
  s->tir->number[field] = -s->tir->number[field];
  const int was = s->tir->given[side] ? (int)s->tir->number[side] : (int)s->type->field[side].def;
  if (was < 2) set(s, "tyreside", 1 - was);  // left, right; symmetric is its own mirror image
}

static rutStatus check_ranges(const Settling* s) {
  rutStatus status = RUT_OK;
  for (int i = 0; i < RUT_TIR_KEYS; i++) {
    const int field = s->keys->field[i];
    if (field < 0 || !s->tir->given[field]) continue;
    const rutField* f = &s->type->field[field];
    const double value = s->tir->number[field];
    if (value >= f->min && value <= f->max) continue;
    status = rut_report_error(s->reporter, RUT_ERR_PARSE, s->keys->place[i], "", f->doc,
                              "'%s': %g is not between %g and %g%s%s", f->name, value, f->min,
                              f->max, f->unit[0] ? " " : "", f->unit);
  }
  return status;
}

rutStatus rut_tir_settle(const rutTirKeys* keys, const rutComponent* type, rutReporter* reporter,
                         rutTir* tir) {
  const Settling s = {keys, type, reporter, tir};
  settle_signs(&s);
  settle_range(&s, RUT_TIR_kpumin, RUT_TIR_kpumax);
  settle_range(&s, RUT_TIR_alpmin, RUT_TIR_alpmax);
  settle_relaxation(&s);
  settle_mode(&s);
  if (keys->ellipse) {
    set(&s, "rbx1", 0);
    set(&s, "rby1", 0);
  }
  return check_ranges(&s);
}
