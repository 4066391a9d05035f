// SPDX-License-Identifier: BSD-3-Clause
//
// Hard ground: the coefficients of a Magic Formula tell what a surface gives at which slip.
#include "base/report.h"
#include "soil/combined_slip.h"

#define FIELDS(X)                                                                                \
  X(b, "", 10, 1e-3, 1e3, "B: stiffness factor, with surface user as all that follow.")          \
  X(c, "", 1.9, 0.1, 4, "C: shape factor.")                                                      \
  X(d, "", 1, 0, 10, "D: peak coefficient.")                                                     \
  X(e, "", 0.97, -100, 1, "E: curvature factor.")                                                \
  X(horizontal_shift, "", 0, -1, 1,                                                              \
    "S_h: added to the longitudinal slip; fades out below the "                                  \
    "peak slip, so that there is no force without slip.")                                        \
  X(vertical_shift, "", 0, -1, 1, "S_v: added to the longitudinal coefficient; fades likewise.") \
  X(b_y, "", 10, 1e-3, 1e3, "B of the lateral force, with lateral magic_formula as C, D and E.") \
  X(c_y, "", 1.9, 0.1, 4, "C of the lateral force.")                                             \
  X(d_y, "", 1, 0, 10, "D of the lateral force.")                                                \
  X(e_y, "", 0.97, -100, 1, "E of the lateral force.")                                           \
  X(rolling_resistance, "", 0.01, 0, 1, "Rolling resistance over load, on any surface.")         \
  X(horizontal_shift_y, "", 0, -1, 1,                                                            \
    "S_h of the lateral force, with lateral magic_formula: added to the tangent of the slip "    \
    "angle; fades likewise.")                                                                    \
  X(vertical_shift_y, "", 0, -1, 1,                                                              \
    "S_v of the lateral force: added to its coefficient; fades likewise.")

typedef struct Param {
  double surface, lateral;
  FIELDS(RUT_PARAM)
  double slip, variant;
} Param;

enum { DRY, WET, SNOW, ICE, GRAVEL, USER };
enum { CROLLA, MAGIC_FORMULA, CROLLA_LONGITUDINAL };

static const rutField fields[] = {
    {"surface", "", RUT_CHOICE, 1, DRY, 0, USER, "dry|wet|snow|ice|gravel|user", 0,
     "Surface whose coefficients hold in both directions, or user for those given."},
    {"lateral", "", RUT_CHOICE, 1, CROLLA, 0, 2, "crolla|magic_formula|crolla_longitudinal", 0,
     "Lateral force: exponential approach to the peak coefficient with the tyre's crossover angle, "
     "a Magic Formula in the tangent of the slip angle, or an approach to the longitudinal "
     "coefficient, as MAVS prints it, so that there is none without slip."},
    FIELDS(RUT_ROW) RUT_SOIL_SLIP_ROW{
        "variant", "", RUT_CHOICE, 1, 0, 0, 1, "corrected|as_published", 0,
        "as_published has B = 10 of ice, as MAVS prints it, and shifts in full at any slip, as "
        "VirtualBotz 3D does, so that standing wheels are driven."}};

typedef struct Curve {
  double b, c, d, e;
} Curve;

// The first four are a set in common use, in MAVS too, with ice B = 4 where its text prints 10. Of
// gravel the peak 0.6 and the 0.55 when sliding are those of Wong, Theory of Ground Vehicles, table
// of road adhesion; its B and C are chosen to meet them.
static const Curve surfaces[] = {[DRY] = {10, 1.9, 1.0, 0.97},
                                 [WET] = {12, 2.3, 0.82, 1.0},
                                 [SNOW] = {5, 2, 0.3, 1.0},
                                 [ICE] = {4, 2, 0.1, 1.0},
                                 [GRAVEL] = {6, 2.08, 0.6, 1.0}};

static const double ICE_PRINTED = 10;  // B of MAVS's text

// Slip below which a printed force is no damper: it does not vanish with slip.
#define RUT_LEAST_PUBLISHED_SECANT 1e-3

typedef struct Derived {
  Curve along, across;
  double horizontal_shift, vertical_shift, horizontal_shift_y, vertical_shift_y;
  double fade, fade_y;       // slip from which the shifts are in full: that of the unshifted peak
  double driving, braking;   // slip of the largest longitudinal force, either sense
  double largest, limit;     // longitudinal coefficient: largest with shifts, and without
  double to_left, to_right;  // tan(slip angle) of the largest lateral force, lateral magic_formula
  double most;               // slip from which the curves are held
} Derived;

// D sin(C atan(B x - E (B x - atan(B x)))), E <= 1.
RUT_INLINE double magic(Curve m, double slip) {
  const double bx = m.b * slip;
  return m.d * rut_sin(m.c * rut_atan(bx - m.e * (bx - rut_atan(bx))));
}

// Longitudinal coefficient at a slip > 0 of sense +1 (driving) or -1 (braking). Beyond full slip,
// and where the curve would change its sign, there is nothing published: it is held at slip 1 and
// at zero. The shifts grow with slip up to the peak: a force at zero slip would drive a standing
// wheel, with no loss to end it.
RUT_INLINE double longitudinal(const Derived* k, double slip, double sense) {
  const double held = rut_min(slip, k->most), part = sense * rut_min(slip / k->fade, 1.0);
  const double shifted = magic(k->along, held + part * k->horizontal_shift);
  return rut_max(shifted + part * k->vertical_shift, 0.0);
}
// The same across, of a hub that moves to the left (+1) or to the right (-1) of its heading.
RUT_INLINE double lateral(const Derived* k, double slip, double sense) {
  const double held = rut_min(slip, 1.0), part = sense * rut_min(slip / k->fade_y, 1.0);
  const double shifted = magic(k->across, held + part * k->horizontal_shift_y);
  return rut_max(shifted + part * k->vertical_shift_y, 0.0);
}

// Slip of the largest coefficient in (0, 1]: the best of a thousand, then a golden section around
// it. `along` 0 asks for the lateral curve.
static double peak_slip(const Derived* k, int along, double sense) {
  static const double GOLDEN = 0.6180339887498949;   // (sqrt(5) - 1)/2
  static const double SPACING = 1e-3, LEAST = 1e-6;  // of slips
  enum { SAMPLES = 1000, PASSES = 40 };
  double best = 1.0, most = along ? longitudinal(k, 1.0, sense) : lateral(k, 1.0, sense);
  for (int i = SAMPLES - 1; i > 0; i--) {
    const double s = i * SPACING, mu = along ? longitudinal(k, s, sense) : lateral(k, s, sense);
    if (mu > most) {
      most = mu;
      best = s;
    }
  }
  double low = rut_max(best - SPACING, LEAST), high = rut_min(best + SPACING, 1.0);
  for (int i = 0; i < PASSES; i++) {
    const double a = high - GOLDEN * (high - low), b = low + GOLDEN * (high - low);
    const double at_a = along ? longitudinal(k, a, sense) : lateral(k, a, sense);
    const double at_b = along ? longitudinal(k, b, sense) : lateral(k, b, sense);
    if (at_a > at_b) {
      high = b;
    } else {
      low = a;
    }
  }
  return 0.5 * (low + high);
}

static Derived unshifted(const Param* p) {
  Derived k = {.fade = 1.0, .fade_y = 1.0, .most = 1.0};
  const int surface = (int)p->surface;
  if (surface >= DRY && surface < USER) {
    k.along = k.across = surfaces[surface];
    if (surface == ICE && p->variant == RUT_SOIL_AS_PUBLISHED) k.along.b = k.across.b = ICE_PRINTED;
  } else {
    k.along = (Curve){p->b, p->c, p->d, p->e};
    k.across = (Curve){p->b_y, p->c_y, p->d_y, p->e_y};
  }
  k.fade = k.driving = k.braking = peak_slip(&k, 1, 1.0);
  k.largest = k.limit = longitudinal(&k, k.fade, 1.0);
  k.fade_y = k.to_left = k.to_right = peak_slip(&k, 0, 1.0);
  return k;
}

static void magic_formula_derive(const void* param, double* derived) {
  const Param* p = param;
  Derived k = unshifted(p);
  if (p->surface == USER) {
    k.horizontal_shift = p->horizontal_shift;
    k.vertical_shift = p->vertical_shift;
    k.driving = peak_slip(&k, 1, 1.0);
    k.braking = peak_slip(&k, 1, -1.0);
    k.largest = rut_max(longitudinal(&k, k.driving, 1.0), longitudinal(&k, k.braking, -1.0));
    k.horizontal_shift_y = p->horizontal_shift_y;
    k.vertical_shift_y = p->vertical_shift_y;
    k.to_left = peak_slip(&k, 0, 1.0);
    k.to_right = peak_slip(&k, 0, -1.0);
  }
  if (p->slip == RUT_SOIL_TWO_BRANCHES) k.most = RUT_SOIL_MOST_SLIP;
  *(Derived*)derived = k;
}

static rutStatus magic_formula_check(const double* param, rutError* err) {
  const Param* p = (const Param*)param;
  if (p->surface != USER) return RUT_OK;
  const Derived k = unshifted(p);
  if (rut_abs(p->horizontal_shift) >= k.fade && p->horizontal_shift != 0.0) {
    return rut_error_set(err, RUT_ERR_MODEL,
                         "horizontal_shift is not within the slip of the peak, %g", k.fade);
  }
  if (rut_abs(p->vertical_shift) >= k.limit && p->vertical_shift != 0.0) {
    return rut_error_set(err, RUT_ERR_MODEL, "vertical_shift is not below the peak, %g", k.limit);
  }
  const double limit_y = lateral(&k, k.fade_y, 1.0);
  if (rut_abs(p->horizontal_shift_y) >= k.fade_y && p->horizontal_shift_y != 0.0) {
    return rut_error_set(err, RUT_ERR_MODEL,
                         "horizontal_shift_y is not within the slip of the peak, %g", k.fade_y);
  }
  if (rut_abs(p->vertical_shift_y) >= limit_y && p->vertical_shift_y != 0.0) {
    return rut_error_set(err, RUT_ERR_MODEL, "vertical_shift_y is not below the peak, %g", limit_y);
  }
  return RUT_OK;
}

// Forms that were printed, beside what magic_wheels makes of a wheel: shifts in full, of each
// direction alone; the lateral force as a part of the longitudinal one.
typedef struct Slipping {
  double x, y;  // slips
  double scale, crossover;
} Slipping;
RUT_INLINE rutSoilForce printed_force(const Derived* k, const Param* p, Slipping at,
                                      rutSoilForce force) {
  const double x = at.x, y = at.y, scale = at.scale;
  const double sense = x < 0.0 ? -1.0 : 1.0, sense_y = y < 0.0 ? -1.0 : 1.0;
  const double size = rut_clamp(rut_abs(x), RUT_SOIL_LEAST_SLIP, k->most);
  const double size_y = rut_clamp(rut_abs(y), RUT_SOIL_LEAST_SLIP, RUT_SOIL_MOST_SLIP);
  const int shifted = p->variant == RUT_SOIL_AS_PUBLISHED && p->surface == USER;
  const double whole =
      scale * (sense * magic(k->along, size + sense * k->horizontal_shift) + k->vertical_shift);
  const double faded = sense * scale * longitudinal(k, size, sense);
  const double mu_x = shifted ? whole : faded;
  if (p->lateral == CROLLA_LONGITUDINAL) return rut_soil_crolla_printed(x, mu_x, y, at.crossover);
  if (!shifted) return force;
  force.mu_x = mu_x;
  force.secant_x = rut_abs(mu_x) / rut_max(size, RUT_LEAST_PUBLISHED_SECANT);
  if (p->lateral != MAGIC_FORMULA) return force;
  const double held = rut_min(size_y, 1.0);
  const double bare = sense_y * magic(k->across, held + sense_y * k->horizontal_shift_y);
  const double mu_y = scale * (bare + k->vertical_shift_y);
  force.mu_y = -mu_y;
  force.secant_y = rut_abs(mu_y) / rut_max(size_y, RUT_LEAST_PUBLISHED_SECANT);
  return force;
}

// form: FORM_..., plain ones constants, so that each has a loop of its own.
enum { FORM_PLAIN = 0, FORM_CROLLA = 1, FORM_PRINTED = 2 };
RUT_INLINE void magic_wheels(const Derived* k, const Param* p, const int form, int n,
                             const rutTractionIn* in, const rutTractionOut* out) {
  const int crolla = form & FORM_CROLLA, printed = form & FORM_PRINTED;
  static const double LEAST_FRICTION = 1e-9;
  const double rolling = p->rolling_resistance;
  RUT_FOR_LANES(i, n) {
    const double bounded = in->slip_x[i], place = in->friction[i], y = in->slip_y[i];
    const int unbounded = printed && p->slip == RUT_SOIL_TWO_BRANCHES;
    const double x = unbounded ? rut_soil_two_branches(bounded) : bounded;
    const double sense = x < 0.0 ? -1.0 : 1.0;
    const double peak_x = x < 0.0 ? k->braking : k->driving;
    const double peak_y =
        crolla ? rut_soil_crolla_peak(in->crossover[i]) : (y < 0.0 ? k->to_right : k->to_left);
    // The place's coefficient becomes the largest; the lateral curve keeps its proportion.
    const double scale =
        place == place ? rut_max(place, 0.0) / rut_max(k->largest, LEAST_FRICTION) : 1.0;
    const rutSoilSlip s = rut_soil_slip(x, y, peak_x, peak_y);
    const double side = crolla ? k->limit * rut_soil_crolla(s.across, in->crossover[i])
                               : lateral(k, s.across, y < 0.0 ? -1.0 : 1.0);
    rutSoilForce force = rut_soil_force(s, scale * longitudinal(k, s.along, sense), scale * side);
    if (printed) {
      force = printed_force(k, p, (Slipping){x, y, scale, in->crossover[i]}, force);
    }
    out->mu_x[i] = force.mu_x;
    out->mu_y[i] = force.mu_y;
    out->secant_x[i] = force.secant_x;
    out->secant_y[i] = force.secant_y;
    out->normalised_slip[i] = s.normalised_slip;
    out->resistance[i] = rolling;
    out->peak[i] = scale * k->largest;
  }
}

RUT_CLONES static void magic_formula_traction(const void* param, const double* derived, int n,
                                              const rutTractionIn* in, const rutTractionOut* out) {
  const Param p = *(const Param*)param;
  const Derived k = *(const Derived*)derived;
  const rutTractionIn from = *in;
  const rutTractionOut to = *out;
  const int shifted = p.variant == RUT_SOIL_AS_PUBLISHED && p.surface == USER;
  if (shifted || p.slip == RUT_SOIL_TWO_BRANCHES || p.lateral == CROLLA_LONGITUDINAL) {
    const int crolla = p.lateral != MAGIC_FORMULA ? FORM_CROLLA : FORM_PLAIN;
    magic_wheels(&k, &p, FORM_PRINTED | crolla, n, &from, &to);
  } else if (p.lateral == MAGIC_FORMULA) {
    magic_wheels(&k, &p, FORM_PLAIN, n, &from, &to);
  } else {
    magic_wheels(&k, &p, FORM_CROLLA, n, &from, &to);
  }
}

// Dry ground has the friction for which a tyre was measured; other surfaces their largest one.
static double magic_formula_friction(const void* param) {
  const Param* p = param;
  const int surface = (int)p->surface;
  return surface == DRY ? RUT_NAN : (surface == USER ? p->d : surfaces[surface].d);
}

const rutSoilType rut_soil_magic_formula = {
    .base = {.abi = RUT_ABI,
             .struct_size = sizeof(rutSoilType),
             .kind = "soil",
             .name = "magic_formula",
             .parents = "world",
             .doc =
                 "Hard ground: force over load by the Magic Formula (Bakker, Nyborg and Pacejka "
                 "1987) with coefficients of a surface; lateral force after Crolla and El-Razaz, "
                 "or by the same formula.",
             .field = fields,
             .fields = RUT_COUNT_OF(fields),
             .check = magic_formula_check},
    .standard = true,
    .derived = sizeof(Derived) / sizeof(double),
    .derive = magic_formula_derive,
    .traction = magic_formula_traction,
    .friction = magic_formula_friction};
