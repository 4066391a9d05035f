// SPDX-License-Identifier: BSD-3-Clause
//
// Magic Formula tyre PAC2002 (Pacejka, Tyre and Vehicle Dynamics, first edition 2002,
// section 4.3.2), fields named as in tyre property files (.tir). Slips kappa = (r w - v)/|v| and
// alpha, forces on the wheel in ISO axes: F_y < 0 for v_y > 0.
//
// Backward travel is that of the wheel turned about the vertical by half a turn, and the wheel of
// the other side is the mirror image; both map slips, camber and forces. What the formulas give to
// a tyre without slip (shifts, camber thrust, residual torques) and the trail belong to a tyre that
// rolls: they fade out below vxlow, so that a standing wheel is not driven. Slips beyond what was
// measured count as its limits.
#include "tyre/carcass.h"
#include "tyre/inflation.h"
#include "tyre/observe.h"
#include "tyre/slip.h"

// Fields by the sections of the files.
#define MODEL(X)                                                       \
  X(longvl, "m/s", 16.7, 1e-3, 1e3, "Speed at which it was measured.") \
  X(vxlow, "m/s", 1, 1e-3, 100, "Speed below which shifts, camber thrust and trail fade out.")
#define DIMENSION(X)                                         \
  X(unloaded_radius, "m", 0.47, 1e-3, 100,                   \
    "R0: radius of the undeflected tyre that was measured.") \
  X(width, "m", 0.3175, 1e-3, 10, "Of the section.")         \
  X(bottoming_radius, "m", 0.22, 0, 100, "Radius to which the rim stiffens it; 0: none.")
#define VERTICAL(X)                                                                               \
  X(vertical_stiffness, "N/m", 450e3, 1e-3, 1e12, "Radial stiffness.")                            \
  X(vertical_damping, "N s/m", 1000, 0, 1e12, "Radial damping.")                                  \
  X(bottoming_stiffness, "N/m", 0, 0, 1e12, "Added at the rim; 0: ten times vertical_stiffness.") \
  X(longitudinal_stiffness, "N/m", 0, 0, 1e12,                                                    \
    "Of the patch along the wheel, for sets without ptx1; 0: relaxation length half the radius.") \
  X(lateral_stiffness, "N/m", 0, 0, 1e12,                                                         \
    "Of the patch across the wheel, for sets without pty1; 0: likewise.")                         \
  X(fnomin, "N", 8500, 1, 1e9, "Nominal load.")                                                   \
  X(ip_nom, "Pa", 300000, 1, 1e9, "Nominal inflation pressure.")                                  \
  X(ip, "Pa", 300000, 1, 1e9, "Inflation pressure.")                                              \
  X(qpfz1, "", 0.7, -10, 10, "Change of the vertical stiffness with pressure.")
#define RANGES(X)                                                                           \
  X(kpumin, "", -1.5, -100, -1e-3, "Least slip of the measurements: beyond, forces stay.")  \
  X(kpumax, "", 1.5, 1e-3, 100, "Largest slip.")                                            \
  X(alpmin, "rad", -1.5708, -1.6, -1e-3, "Least slip angle.")                               \
  X(alpmax, "rad", 1.5708, 1e-3, 1.6, "Largest slip angle.")                                \
  X(cammin, "rad", -0.26181, -1.6, 0, "Least camber.")                                      \
  X(cammax, "rad", 0.26181, 0, 1.6, "Largest camber.")                                      \
  X(fzmin, "N", 0, 0, 1e9, "Least load: below it, coefficients stay.")                      \
  X(fzmax, "N", 0, 0, 1e9, "Largest load; 0: three times the nominal one.")                 \
  X(presmin, "Pa", 0, 0, 1e9, "Least inflation pressure: below it, the law stays; 0: any.") \
  X(presmax, "Pa", 0, 0, 1e9, "Largest inflation pressure; 0: any.")
#define SCALING(X)                                                     \
  X(lfzo, "", 1, 1e-3, 100, "Scales nominal load.")                    \
  X(lcx, "", 1, 1e-3, 100, "Scales shape of F_x.")                     \
  X(lmux, "", 1, 1e-3, 100, "Scales peak friction of F_x.")            \
  X(lex, "", 1, 0, 100, "Scales curvature of F_x.")                    \
  X(lkx, "", 1, 1e-3, 100, "Scales slip stiffness.")                   \
  X(lhx, "", 1, 0, 100, "Scales horizontal shift of F_x.")             \
  X(lvx, "", 1, 0, 100, "Scales vertical shift of F_x.")               \
  X(lgax, "", 1, 0, 100, "Scales camber in F_x.")                      \
  X(lcy, "", 1, 1e-3, 100, "Scales shape of F_y.")                     \
  X(lmuy, "", 1, 1e-3, 100, "Scales peak friction of F_y.")            \
  X(ley, "", 1, 0, 100, "Scales curvature of F_y.")                    \
  X(lky, "", 1, 1e-3, 100, "Scales cornering stiffness.")              \
  X(lhy, "", 1, 0, 100, "Scales horizontal shift of F_y.")             \
  X(lvy, "", 1, 0, 100, "Scales vertical shift of F_y.")               \
  X(lgay, "", 1, 0, 100, "Scales camber in F_y.")                      \
  X(lkg, "", 1, 0, 100, "Scales camber thrust.")                       \
  X(ltr, "", 1, 0, 100, "Scales trail.")                               \
  X(lres, "", 1, 0, 100, "Scales residual torque.")                    \
  X(lgaz, "", 1, 0, 100, "Scales camber in M_z.")                      \
  X(lxal, "", 1, 0, 100, "Scales influence of the slip angle on F_x.") \
  X(lyka, "", 1, 0, 100, "Scales influence of slip on F_y.")           \
  X(lvyka, "", 1, 0, 100, "Scales lateral force caused by slip.")      \
  X(ls, "", 1, 0, 100, "Scales arm of F_x in M_z.")                    \
  X(lmx, "", 1, 0, 100, "Scales overturning moment.")                  \
  X(lvmx, "", 1, 0, 100, "Scales shift of the overturning moment.")    \
  X(lmy, "", 1, 0, 100, "Scales rolling resistance.")                  \
  X(lsgkp, "", 1, 0, 100, "Scales relaxation length of F_x.")          \
  X(lsgal, "", 1, 0, 100, "Scales relaxation length of F_y.")          \
  X(lcz, "", 1, 1e-3, 100, "Scales vertical stiffness.")               \
  X(lip, "", 1, 1e-3, 100, "Scales inflation pressure.")
#define LONGITUDINAL(X)                                                           \
  X(pcx1, "", 1.6, 0.1, 3, "C: shape of F_x.")                                    \
  X(pdx1, "", 0.9, -1e6, 1e6, "Longitudinal friction at nominal load.")           \
  X(pdx2, "", -0.08, -1e6, 1e6, "Its change with load.")                          \
  X(pdx3, "", 0, -1e6, 1e6, "Its change with camber squared.")                    \
  X(pex1, "", 0.1, -1e6, 1e6, "E: curvature of F_x at nominal load.")             \
  X(pex2, "", 0.1, -1e6, 1e6, "Its change with load.")                            \
  X(pex3, "", 0, -1e6, 1e6, "With load squared.")                                 \
  X(pex4, "", 0, -1e6, 1e6, "Its difference between driving and braking.")        \
  X(pkx1, "", 20, -1e6, 1e6, "Slip stiffness over load, at nominal load.")        \
  X(pkx2, "", 0, -1e6, 1e6, "Its change with load.")                              \
  X(pkx3, "", 0.2, -10, 10, "Exponent of its change with load.")                  \
  X(phx1, "", 0, -1e6, 1e6, "Horizontal shift of F_x.")                           \
  X(phx2, "", 0, -1e6, 1e6, "Its change with load.")                              \
  X(pvx1, "", 0, -1e6, 1e6, "Vertical shift of F_x over load.")                   \
  X(pvx2, "", 0, -1e6, 1e6, "Its change with load.")                              \
  X(ppx1, "", 0, -1e6, 1e6, "Change of slip stiffness with pressure.")            \
  X(ppx2, "", 0, -1e6, 1e6, "With pressure squared.")                             \
  X(ppx3, "", 0, -1e6, 1e6, "Change of longitudinal friction with pressure.")     \
  X(ppx4, "", 0, -1e6, 1e6, "With pressure squared.")                             \
  X(rbx1, "", 12, -1e6, 1e6, "B: decrease of F_x with slip angle.")               \
  X(rbx2, "", 10, -1e6, 1e6, "Its change with slip.")                             \
  X(rcx1, "", 1, -1e6, 1e6, "C: shape of this decrease.")                         \
  X(rhx1, "", 0, -1e6, 1e6, "Its shift.")                                         \
  X(rex1, "", 0, -1e6, 1e6, "E: its curvature.")                                  \
  X(rex2, "", 0, -1e6, 1e6, "Its change with load.")                              \
  X(ptx1, "", 0, -1e6, 1e6, "Relaxation length of F_x over R0, at nominal load.") \
  X(ptx2, "", 0, -1e6, 1e6, "Its change with load.")                              \
  X(ptx3, "", 0, -10, 10, "Exponent of its change with load.")
#define LATERAL(X)                                                                          \
  X(pcy1, "", 1.4, 0.1, 3, "C: shape of F_y.")                                              \
  X(pdy1, "", 0.85, -1e6, 1e6, "Lateral friction at nominal load.")                         \
  X(pdy2, "", -0.1, -1e6, 1e6, "Its change with load.")                                     \
  X(pdy3, "", 0, -1e6, 1e6, "Its change with camber squared.")                              \
  X(pey1, "", -0.5, -1e6, 1e6, "E: curvature of F_y at nominal load.")                      \
  X(pey2, "", 0, -1e6, 1e6, "Its change with load.")                                        \
  X(pey3, "", 0, -1e6, 1e6, "Its difference between both sides.")                           \
  X(pey4, "", 0, -1e6, 1e6, "The same per camber.")                                         \
  X(pky1, "", -12, -1e6, -1e-3, "Largest cornering stiffness over nominal load, negative.") \
  X(pky2, "", 2, 1e-3, 1e3, "Load over nominal load at which it is largest.")               \
  X(pky3, "", 0, -1e6, 1e6, "Its fall with camber.")                                        \
  X(phy1, "", 0, -1e6, 1e6, "Horizontal shift of F_y.")                                     \
  X(phy2, "", 0, -1e6, 1e6, "Its change with load.")                                        \
  X(phy3, "", 0, -1e6, 1e6, "Its change with camber.")                                      \
  X(pvy1, "", 0, -1e6, 1e6, "Vertical shift of F_y over load.")                             \
  X(pvy2, "", 0, -1e6, 1e6, "Its change with load.")                                        \
  X(pvy3, "", 0, -1e6, 1e6, "Its change with camber.")                                      \
  X(pvy4, "", 0, -1e6, 1e6, "With camber and load.")                                        \
  X(ppy1, "", 0, -1e6, 1e6, "Change of the largest cornering stiffness with pressure.")     \
  X(ppy2, "", 0, -1e6, 1e6, "Change of its load with pressure.")                            \
  X(ppy3, "", 0, -1e6, 1e6, "Change of lateral friction with pressure.")                    \
  X(ppy4, "", 0, -1e6, 1e6, "With pressure squared.")                                       \
  X(rby1, "", 10, -1e6, 1e6, "B: decrease of F_y with slip.")                               \
  X(rby2, "", 8, -1e6, 1e6, "Its change with the slip angle.")                              \
  X(rby3, "", 0, -1e6, 1e6, "Slip angle about which rby2 applies.")                         \
  X(rcy1, "", 1, -1e6, 1e6, "C: shape of this decrease.")                                   \
  X(rhy1, "", 0, -1e6, 1e6, "Its shift.")                                                   \
  X(rhy2, "", 0, -1e6, 1e6, "Its change with load.")                                        \
  X(rvy1, "", 0, -1e6, 1e6, "Lateral force caused by slip, over friction and load.")        \
  X(rvy2, "", 0, -1e6, 1e6, "Its change with load.")                                        \
  X(rvy3, "", 0, -1e6, 1e6, "Its change with camber.")                                      \
  X(rvy4, "", 0, -1e6, 1e6, "Its change with the slip angle.")                              \
  X(rvy5, "", 0, -1e6, 1e6, "Its change with slip.")                                        \
  X(rvy6, "", 0, -1e6, 1e6, "Slope in slip.")                                               \
  X(rey1, "", 0, -1e6, 1e6, "E: curvature of this decrease.")                               \
  X(rey2, "", 0, -1e6, 1e6, "Its change with load.")                                        \
  X(pty1, "", 0, -1e6, 1e6, "Largest relaxation length of F_y over R0.")                    \
  X(pty2, "", 2, 1e-3, 1e3, "Load over nominal load at which it has this value.")
#define ROLLING(X)                                                             \
  X(qsy1, "", 0.015, -1e6, 1e6, "Rolling resistance torque over load and R0.") \
  X(qsy2, "", 0, -1e6, 1e6, "Its change with F_x.")                            \
  X(qsy3, "", 0, -1e6, 1e6, "With speed.")                                     \
  X(qsy4, "", 0, -1e6, 1e6, "With speed to the fourth.")                       \
  X(qsy5, "", 0, -1e6, 1e6, "With camber squared.")                            \
  X(qsy6, "", 0, -1e6, 1e6, "With camber squared and load.")                   \
  X(qsy7, "", 0, -10, 10, "Exponent of load.")                                 \
  X(qsy8, "", 0, -10, 10, "Exponent of pressure.")
#define ALIGNING(X)                                                                  \
  X(qbz1, "", 8, -1e6, 1e6, "B: fall of the trail with slip angle.")                 \
  X(qbz2, "", -1, -1e6, 1e6, "Its change with load.")                                \
  X(qbz3, "", 0, -1e6, 1e6, "With load squared.")                                    \
  X(qbz4, "", 0, -1e6, 1e6, "With camber.")                                          \
  X(qbz5, "", 0, -1e6, 1e6, "With the size of camber.")                              \
  X(qbz9, "", 0, -1e6, 1e6, "B of the residual torque.")                             \
  X(qbz10, "", 0, -1e6, 1e6, "B of the residual torque per that of F_y.")            \
  X(qcz1, "", 1.1, -1e6, 1e6, "C: shape of the trail.")                              \
  X(qdz1, "", 0.12, -1e6, 1e6, "Trail without slip over R0, at nominal load.")       \
  X(qdz2, "", 0, -1e6, 1e6, "Its change with load.")                                 \
  X(qdz3, "", 0, -1e6, 1e6, "With camber.")                                          \
  X(qdz4, "", 0, -1e6, 1e6, "With camber squared.")                                  \
  X(qdz6, "", 0, -1e6, 1e6, "Residual torque over load and R0.")                     \
  X(qdz7, "", 0, -1e6, 1e6, "Its change with load.")                                 \
  X(qdz8, "", 0, -1e6, 1e6, "With camber.")                                          \
  X(qdz9, "", 0, -1e6, 1e6, "With camber and load.")                                 \
  X(qez1, "", -1.5, -1e6, 1e6, "E: curvature of the trail.")                         \
  X(qez2, "", 0, -1e6, 1e6, "Its change with load.")                                 \
  X(qez3, "", 0, -1e6, 1e6, "With load squared.")                                    \
  X(qez4, "", 0, -1e6, 1e6, "Its difference between both sides.")                    \
  X(qez5, "", 0, -1e6, 1e6, "The same per camber.")                                  \
  X(qhz1, "", 0, -1e6, 1e6, "Shift of the trail.")                                   \
  X(qhz2, "", 0, -1e6, 1e6, "Its change with load.")                                 \
  X(qhz3, "", 0, -1e6, 1e6, "With camber.")                                          \
  X(qhz4, "", 0, -1e6, 1e6, "With camber and load.")                                 \
  X(qpz1, "", 0, -1e6, 1e6, "Fall of the trail with pressure.")                      \
  X(qpz2, "", 0, -1e6, 1e6, "Change of the camber's residual torque with pressure.") \
  X(ssz1, "", 0, -1e6, 1e6, "Arm of F_x over R0.")                                   \
  X(ssz2, "", 0, -1e6, 1e6, "Its change with F_y.")                                  \
  X(ssz3, "", 0, -1e6, 1e6, "With camber.")                                          \
  X(ssz4, "", 0, -1e6, 1e6, "With camber and load.")
#define OVERTURNING(X)                                                                       \
  X(qsx1, "", 0, -1e6, 1e6, "Overturning moment over load and R0.")                          \
  X(qsx2, "", 0, -1e6, 1e6, "Its decrease with inclination.")                                \
  X(qsx3, "", 0, -1e6, 1e6, "Its change with F_y.")                                          \
  X(qsx4, "", 0, -1e6, 1e6,                                                                  \
    "Amplitude of qsx4 cos(qsx5 atan((qsx6 F_z)^2)) sin(qsx7 gamma + qsx8 atan(qsx9 F_y)).") \
  X(qsx5, "", 0, -1e6, 1e6, "In that term: factor of the arctangent of the load.")           \
  X(qsx6, "", 0, -1e6, 1e6, "In that term: factor of the load.")                             \
  X(qsx7, "", 0, -1e6, 1e6, "In that term: factor of inclination.")                          \
  X(qsx8, "", 0, -1e6, 1e6, "In that term: factor of the arctangent of F_y.")                \
  X(qsx9, "", 0, -1e6, 1e6, "In that term: factor of F_y.")                                  \
  X(qsx10, "", 0, -1e6, 1e6, "Amplitude of qsx10 atan(qsx11 F_z) gamma.")                    \
  X(qsx11, "", 0, -1e6, 1e6, "In that term: factor of the load.")                            \
  X(qpx1, "", 0, -1e6, 1e6, "Change of camber's part with pressure.")
#define OWN(X)                                                                       \
  X(pressure, "Pa", 0, 0, 1e8, "Inflation pressure, as other tyres have it; 0: ip.") \
  X(road_friction, "", 0.8, 1e-3, 10,                                                \
    "Friction of the road on which it was measured; that of the place scales lmux and lmuy.")

#define NUMBERS(X) \
  MODEL(X)         \
  DIMENSION(X)     \
  VERTICAL(X)      \
  RANGES(X)        \
  SCALING(X)       \
  LONGITUDINAL(X) LATERAL(X) ROLLING(X) ALIGNING(X) OVERTURNING(X) OWN(X) RUT_TYRE_CARCASS_ROWS(X)

typedef struct Param {
  NUMBERS(RUT_PARAM)
  double tyreside, use_mode, file, deflection_load_curve, bottoming_curve;
} Param;

enum { LEFT, RIGHT, SYMMETRIC };

static const rutField fields[] = {
    NUMBERS(RUT_ROW){"tyreside", "", RUT_CHOICE, 1, LEFT, 0, SYMMETRIC, "left|right|symmetric", 0,
                     "Side on which it was measured; on the other it is mirrored."},
    {"use_mode", "", RUT_INTEGER, 1, 14, 0, 25, "", 0,
     "Last digit: 0 load only, 1 F_x, 2 F_y and its moments, 3 both without influence on each "
     "other, 4 both."},
    {"file", "file", RUT_TEXT, 1, 0, 0, 0, "", 0,
     "Tyre property file (.tir) from which all that is not given here is taken."},
    RUT_TYRE_LOAD_CURVE_ROW("deflection_load_curve"){
        "bottoming_curve", "", RUT_POINTS, 0, 0, 0, 1e12, "", 0,
        "Load that the rim adds, over deflection: pairs of [m] and [N]."}};

// Loads over the nominal one, as the coefficients take them.
typedef struct Loads {
  double nominal, inverse, low, high;
} Loads;

RUT_INLINE Loads loads_of(const Param* p) {
  const double nominal = p->fnomin * p->lfzo;
  return (Loads){nominal, 1.0 / nominal, p->fzmin, p->fzmax > 0.0 ? p->fzmax : 3.0 * nominal};
}

RUT_INLINE double over_nominal(Loads at, double load) {
  return rut_clamp(load, at.low, at.high) * at.inverse;
}

// How a wheel rolls and leans, as the tyre was measured: 1 or -1.
typedef struct Sense {
  double forward;  // it rolls forward
  double other;    // its side is the measured one
  double across;   // product of both
} Sense;

RUT_INLINE Sense sense_of(double direction, double side, double measured) {
  const double forward = direction < 0.0 ? -1.0 : 1.0;
  const double other = side * measured * forward < 0.0 ? -1.0 : 1.0;
  return (Sense){forward, other, forward * other};
}
// 1 of a tyre measured on the left, -1 on the right, 0 of one that has no side.
RUT_INLINE double measured_side(const Param* p) {
  return p->tyreside == LEFT ? 1.0 : (p->tyreside == RIGHT ? -1.0 : 0.0);
}

static rutStatus pac2002_check(const double* param, rutError* err) {
  const Param* p = (const Param*)param;
  const Loads at = loads_of(p);
  if (at.low >= at.high) {
    return rut_error_set(err, RUT_ERR_MODEL, "fzmin is not below fzmax, %g N", at.high);
  }
  if (!(p->pdx1 > 0 && p->pdy1 > 0 && p->pkx1 > 0)) {
    return rut_error_set(err, RUT_ERR_MODEL, "pdx1, pdy1 and pkx1 must be positive");
  }
  const rutStatus status =
      rut_tyre_curve_check(param, p->deflection_load_curve, "deflection_load_curve", err);
  if (status != RUT_OK) return status;
  return rut_tyre_curve_check(param, p->bottoming_curve, "bottoming_curve", err);
}

// Least stiffnesses of a patch, divisors: in space [N/m], of the law over load, and part of k_y2.
static const double LEAST_PATCH = 1e-3, LEAST_STIFFNESS = 1e-3, LEAST_PART = 1e-3;

// Relaxation lengths: by their formulas, else as the patch's stiffness tells, else half the radius.
RUT_INLINE void relax_x(const Param* p, int n, const double* load, const double* radius,
                        double* restrict length) {
  const Loads at = loads_of(p);
  const int printed = p->ptx1 != 0 || p->ptx2 != 0, soft = p->longitudinal_stiffness > 0;
  const double first = printed ? p->ptx1 : p->pkx1, second = printed ? p->ptx2 : p->pkx2;
  const double power = printed ? p->ptx3 : p->pkx3;
  const double stiff = at.nominal * p->lkx / rut_max(p->longitudinal_stiffness, LEAST_PATCH);
  const double scale = printed ? p->unloaded_radius * p->lsgkp : stiff;
  if (!printed && !soft) {
    RUT_FOR_LANES(i, n) length[i] = 0.5 * radius[i];
    return;
  }
  RUT_FOR_LANES(i, n) {
    const double q = over_nominal(at, load[i]), df = q - 1;
    const double found = scale * q * (first + second * df) * rut_exp(power * df);
    length[i] = rut_max(found, RUT_TYRE_LEAST_RELAXATION * radius[i]);
  }
}
RUT_INLINE void relax_y(const Param* p, int n, const double* load, const double* radius,
                        double* restrict length) {
  const Loads at = loads_of(p);
  const int printed = p->pty1 != 0, soft = p->lateral_stiffness > 0;
  const double per_load = at.inverse / (printed ? p->pty2 : p->pky2);
  const double stiff = -p->pky1 * at.nominal * p->lky / rut_max(p->lateral_stiffness, LEAST_PATCH);
  const double scale = printed ? p->pty1 * p->unloaded_radius * p->lsgal : stiff;
  if (!printed && !soft) {
    RUT_FOR_LANES(i, n) length[i] = 0.5 * radius[i];
    return;
  }
  RUT_FOR_LANES(i, n) {
    // sin(2 atan x) = 2x/(1 + x^2)
    const double x = rut_clamp(load[i], at.low, at.high) * per_load;
    const double found = scale * 2 * x / (1 + x * x);
    length[i] = rut_max(found, RUT_TYRE_LEAST_RELAXATION * radius[i]);
  }
}

// Stiffness of the rim over that of the tyre, where none is given.
static const double RIM = 10;

RUT_CLONES static void pac2002_carcass(const void* param, int n, const double* deflection,
                                       const double* rate, const double* radius,
                                       const rutCarcassOut* out) {
  const Param* p = param;
  const rutCarcassOut to = *out;
  const double k = p->vertical_stiffness * p->lcz;
  rutTyreSpring spring = {.stiffness = k,
                          .damping = p->vertical_damping,
                          .reach = 1,
                          .crossover = p->crossover,
                          .bearing = p->bearing};
  spring.point = rut_tyre_curve(p, p->deflection_load_curve, &spring.points);
  spring.rim_point = rut_tyre_curve(p, p->bottoming_curve, &spring.rim_points);
  const double rim = p->bottoming_stiffness > 0 ? p->bottoming_stiffness : RIM * k;
  spring.rim = spring.rim_points || p->bottoming_radius <= 0 ? 0 : rim;
  spring.depth = -p->bottoming_radius;
  rut_tyre_carry(&spring, n, deflection, rate, radius, &to);

  relax_x(p, n, to.load, radius, to.relaxation_x);
  relax_y(p, n, to.load, radius, to.relaxation_y);
}

// ---- the law ----

// D sin(C atan(B x - E (B x - atan(B x)))) as a part of x, and the angle whose sine is taken over
// that of the largest force. x > 0.
typedef struct Curve {
  double over_slip, normalised_slip;
} Curve;

RUT_INLINE double bent(double bx, double e) { return bx - e * (bx - rut_atan(bx)); }
RUT_INLINE Curve magic(double b, double c, double d, double e, double x, double top) {
  const double angle = c * rut_atan(bent(b * x, e));
  return (Curve){d * rut_sin(rut_min(angle, RUT_PI)) / x, angle / top};
}
// Angle at which the sine is largest, or nearly so for curves that only rise.
RUT_INLINE double top_angle(double c) {
  static const double NEARLY = 0.95;
  return rut_min(1.0, NEARLY * c) * (0.5 * RUT_PI);
}

// cos(C atan(z)), at least 0.
RUT_INLINE double weight(double c, double z) {
  return rut_cos(rut_min(rut_abs(c * rut_atan(z)), 0.5 * RUT_PI));
}
// cos(atan x).
RUT_INLINE double cos_atan(double x) { return 1.0 / rut_sqrt(1.0 + x * x); }

// What a wheel meets, in the frame in which the tyre was measured, rolling forward.
typedef struct Meets {
  double q, df;               // load over the nominal one, less 1
  double kappa, alpha, tan;   // slips, within what was measured
  double inclination, moves;  // [rad]; 0 at standstill, 1 where it rolls
  double road;                // friction of the place over that of the measurements
} Meets;

// Forces over load.
typedef struct Forces {
  double x, y;
  double over_x, over_y;  // what the curves give, over kappa and alpha
  double normalised_x, normalised_y;
  double mu_x, mu_y;        // largest
  double stiff_x, stiff_y;  // slopes at no slip
  double shift_r;           // of the residual torque's slip angle
  double caused;            // part of y that slip causes
} Forces;

// F_x without lateral slip, and F_y without slip.
RUT_INLINE Forces pure_forces(const Param* p, double pressure, Meets w) {
  Forces f = {.caused = 0.0};
  const double df = w.df, gx = w.inclination * p->lgax, gy = w.inclination * p->lgay;
  const double more = pressure;

  const double swell_x = 1.0 + more * (p->ppx3 + p->ppx4 * more);
  const double mu_x = (p->pdx1 + p->pdx2 * df) * swell_x * (1.0 - p->pdx3 * gx * gx) * p->lmux;
  f.mu_x = rut_max(mu_x * w.road, RUT_TYRE_LEAST_FRICTION);
  const double stiff_x = (p->pkx1 + p->pkx2 * df) * rut_exp(p->pkx3 * df) * p->lkx;
  f.stiff_x = rut_max(stiff_x * (1.0 + more * (p->ppx1 + p->ppx2 * more)), LEAST_STIFFNESS);
  const double c_x = p->pcx1 * p->lcx, b_x = f.stiff_x / (c_x * f.mu_x);
  const double x = w.kappa + (p->phx1 + p->phx2 * df) * p->lhx * w.moves;
  const double bend_x = p->pex1 + df * (p->pex2 + p->pex3 * df);
  const double e_x = bend_x * (1.0 - p->pex4 * w.moves * rut_sign(x)) * p->lex;
  const Curve along = magic(b_x, c_x, f.mu_x, rut_min(e_x, 1.0),
                            rut_max(rut_abs(x), RUT_TYRE_LEAST_SLIP), top_angle(c_x));
  const double lift_x = (p->pvx1 + p->pvx2 * df) * p->lvx * p->lmux * w.road * w.moves;
  f.over_x = along.over_slip;
  f.normalised_x = along.normalised_slip;
  f.x = along.over_slip * x + lift_x;

  const double swell_y = 1.0 + more * (p->ppy3 + p->ppy4 * more);
  const double mu_y = (p->pdy1 + p->pdy2 * df) * swell_y * (1.0 - p->pdy3 * gy * gy) * p->lmuy;
  f.mu_y = rut_max(mu_y * w.road, RUT_TYRE_LEAST_FRICTION);
  // sin(2 atan q) = 2q/(1 + q^2); its sign, always negative, is taken out
  const double at = p->pky2 * rut_max(1.0 + p->ppy2 * more, LEAST_PART), q = w.q / at;
  const double steep = -p->pky1 * (1.0 + p->ppy1 * more) * p->lky * 2.0 / (at * (1.0 + q * q));
  f.stiff_y = rut_max(steep * (1.0 - p->pky3 * rut_abs(gy)), LEAST_STIFFNESS);
  const double c_y = p->pcy1 * p->lcy, b_y = f.stiff_y / (c_y * f.mu_y);
  const double shift = (p->phy1 + p->phy2 * df) * p->lhy + p->phy3 * gy * p->lkg;
  const double y = w.alpha + shift * w.moves;
  const double bend_y = (p->pey1 + p->pey2 * df) * p->ley, uneven = p->pey3 + p->pey4 * gy;
  const double e_y = bend_y * (1.0 - uneven * w.moves * rut_sign(y));
  const Curve across = magic(b_y, c_y, f.mu_y, rut_min(e_y, 1.0),
                             rut_max(rut_abs(y), RUT_TYRE_LEAST_SLIP), top_angle(c_y));
  const double lift = (p->pvy1 + p->pvy2 * df) * p->lvy + (p->pvy3 + p->pvy4 * df) * gy * p->lkg;
  const double lift_y = lift * p->lmuy * w.road * w.moves;
  f.over_y = across.over_slip;
  f.normalised_y = across.normalised_slip;
  f.y = -across.over_slip * y + lift_y;
  f.shift_r = shift * w.moves - lift_y / f.stiff_y;
  return f;
}

// How both directions weaken each other. Where the ground gives less friction, that begins at slips
// smaller in proportion (similarity, Pacejka, section 4.2), or the whole would pass the friction.
RUT_INLINE Forces combine(const Param* p, Meets w, Forces f, const int full) {
  const double df = w.df, similar = 1.0 / w.road;
  const double kappa = w.kappa * similar, alpha = w.alpha * similar;
  const double b_x = p->rbx1 * cos_atan(p->rbx2 * kappa) * p->lxal;
  const double b_y = p->rby1 * cos_atan(p->rby2 * (alpha - p->rby3 * w.moves)) * p->lyka;
  static const double LEAST_WEIGHT = 0.1;  // at slip 0, of shifted curves
  double part_x, part_y;
  if (full) {
    const double e_x = rut_min(p->rex1 + p->rex2 * df, 1.0), shift_x = p->rhx1 * w.moves;
    const double all_x = rut_max(weight(p->rcx1, bent(b_x * shift_x, e_x)), LEAST_WEIGHT);
    part_x = weight(p->rcx1, bent(b_x * (alpha + shift_x), e_x)) / all_x;
    const double e_y = rut_min(p->rey1 + p->rey2 * df, 1.0);
    const double shift_y = (p->rhy1 + p->rhy2 * df) * w.moves;
    const double all_y = rut_max(weight(p->rcy1, bent(b_y * shift_y, e_y)), LEAST_WEIGHT);
    part_y = weight(p->rcy1, bent(b_y * (kappa + shift_y), e_y)) / all_y;
    const double size = f.mu_y * (p->rvy1 + p->rvy2 * df + p->rvy3 * w.inclination);
    const double bends = rut_sin(p->rvy5 * rut_atan(p->rvy6 * kappa));
    f.caused = size * cos_atan(p->rvy4 * alpha) * bends * p->lvyka * w.moves;
  } else {
    part_x = weight(p->rcx1, b_x * alpha);
    part_y = weight(p->rcy1, b_y * kappa);
  }
  f.x *= part_x;
  f.over_x *= part_x;
  f.y = f.y * part_y + f.caused;
  f.over_y *= part_y;
  return f;
}

// Sets without numbers for that: within the ellipse of the largest forces.
RUT_INLINE Forces keep_in_ellipse(Forces f) {
  const double over = rut_max(rut_hypot(f.x / f.mu_x, f.y / f.mu_y), 1.0);
  const double scale = 1.0 / over;
  f.x *= scale;
  f.y *= scale;
  f.over_x *= scale;
  f.over_y *= scale;
  return f;
}

// Torque that is left without trail, over load; `slip` counts as slip angle.
RUT_INLINE double residual(const Param* p, double pressure, Meets w, Forces f, double slip,
                           double road) {
  const double df = w.df, g = w.inclination * p->lgaz;
  const double size = rut_atan(rut_hypot(rut_tan(w.alpha + f.shift_r), slip));
  const double b = p->qbz9 * road - p->qbz10 * f.stiff_y / f.mu_y;
  const double by_inclination = (p->qdz8 + p->qdz9 * df) * (1.0 + p->qpz2 * pressure) * g;
  const double d = (p->qdz6 + p->qdz7 * df) * p->lres + by_inclination;
  return d * p->unloaded_radius * p->lmuy * w.road * cos_atan(b * size);
}

// Moment about the ground's normal, over load.
RUT_INLINE double aligning(const Param* p, double pressure, Meets w, Forces f, const int full) {
  const double df = w.df, g = w.inclination * p->lgaz, r0 = p->unloaded_radius;
  const double slip = f.stiff_x / f.stiff_y * w.kappa, road = p->lky / (p->lmuy * w.road);
  const double b = rut_abs((p->qbz1 + df * (p->qbz2 + p->qbz3 * df)) *
                           (1.0 + p->qbz4 * g + p->qbz5 * rut_abs(g)) * road);
  double tan = w.tan, e = p->qez1 + df * (p->qez2 + p->qez3 * df), left = 0.0;
  if (full) {
    const double shift = p->qhz1 + p->qhz2 * df + (p->qhz3 + p->qhz4 * df) * g;
    const double angle = w.alpha + shift * w.moves;
    const double uneven = rut_atan(b * p->qcz1 * angle) * (2.0 / RUT_PI) * w.moves;
    tan = rut_tan(angle);
    e *= 1.0 + (p->qez4 + p->qez5 * g) * uneven;
    left = residual(p, pressure, w, f, slip, road);
  }
  const double size = rut_atan(rut_hypot(tan, slip));
  const double falls = rut_cos(p->qcz1 * rut_atan(bent(b * size, rut_min(e, 1.0))));
  const double d = (p->qdz1 + p->qdz2 * df) * (1.0 - p->qpz1 * pressure) *
                   (1.0 + p->qdz3 * g + p->qdz4 * g * g) * r0 * w.q * p->ltr;
  const double offset = p->ssz1 + (p->ssz3 + p->ssz4 * df) * w.inclination;
  const double arm = (offset * w.moves + p->ssz2 * f.y * w.q) * r0 * p->ls;
  const double moment = left - d * falls * (f.y - f.caused);
  return arm * f.x + moment * cos_atan(w.tan) * w.moves;
}

// Rolling resistance torque over load.
RUT_INLINE double rolling(const Param* p, Meets w, double speed, double force_x) {
  const double v = rut_abs(speed) / p->longvl, v2 = v * v, g2 = w.inclination * w.inclination;
  const double sum = p->qsy1 + p->qsy2 * force_x * w.moves * w.q + p->qsy3 * v + p->qsy4 * v2 * v2 +
                     g2 * (p->qsy5 + p->qsy6 * w.q);
  return rut_max(sum * p->unloaded_radius * p->lmy, 0.0);
}

enum { NOT_COMBINED, ELLIPSE, WEIGHTS };

// Which forces there are.
typedef struct Mode {
  double x, y;  // 1 or 0
  int combined;
  int full;            // the set has shifts, or curvature in its weights, or residual torques
  double least, most;  // tangents of the slip angles beyond which nothing changes
} Mode;

static bool is_full(const Param* p) {
  const double some[] = {p->rhx1, p->rhy1, p->rhy2, p->rex1, p->rex2, p->rey1, p->rey2,
                         p->rvy1, p->rvy2, p->rvy3, p->qhz1, p->qhz2, p->qhz3, p->qhz4,
                         p->qez4, p->qez5, p->qdz6, p->qdz7, p->qdz8, p->qdz9};
  bool full = false;
  for (int i = 0; i < RUT_COUNT_OF(some); i++) full = full || some[i] != 0.0;
  return full;
}

static Mode mode_of(const Param* p) {
  static const double UPRIGHT = 1.57;  // slip angles up to here have a tangent [rad]
  const int digit = (int)p->use_mode % 10;
  const int weighted = p->rbx1 != 0.0 || p->rby1 != 0.0;
  return (Mode){.x = digit == 1 || digit >= 3,
                .y = digit >= 2,
                .combined = digit < 4 ? NOT_COMBINED : (weighted ? WEIGHTS : ELLIPSE),
                .full = is_full(p),
                .least = p->alpmin > -UPRIGHT ? rut_tan(p->alpmin) : -RUT_INFINITY,
                .most = p->alpmax < UPRIGHT ? rut_tan(p->alpmax) : RUT_INFINITY};
}

RUT_INLINE void pac2002_wheels(Param whole, Mode mode, int n, rutTyreGripIn from,
                               rutTyreGripOut to) {
  const Param* p = &whole;
  const Loads at = loads_of(p);
  const double pressure = p->ip * p->lip / p->ip_nom - 1.0, per_road = 1.0 / p->road_friction;
  const double measured = measured_side(p);
  const double c_x = p->pcx1 * p->lcx, rises = c_x < 1.0 ? rut_sin(0.5 * RUT_PI * c_x) : 1.0;
  const double inflated = p->qsy8 != 0.0 ? rut_pow(p->ip * p->lip / p->ip_nom, p->qsy8) : 1.0;
  const double slow = 1.0 / p->vxlow;
  RUT_FOR_LANES(i, n) {
    const double load = from.load[i], on = load > 0.0 ? 1.0 : 0.0, speed = from.speed[i];
    const Sense sense = sense_of(from.direction[i], from.side[i], measured);
    const double forward = sense.forward, across = sense.across;
    const rutTyreSlip s = rut_tyre_slip(from.slip_x[i], from.slip_y[i], forward, speed);
    const double tan = across * s.across_y, angle = rut_atan(tan), kappa = forward * s.along_x;
    const double q = over_nominal(at, load);
    const Meets w = {.q = q,
                     .df = q - 1.0,
                     .kappa = rut_clamp(kappa, p->kpumin, p->kpumax),
                     .alpha = rut_clamp(angle, p->alpmin, p->alpmax),
                     .tan = rut_clamp(tan, mode.least, mode.most),
                     .inclination = rut_clamp(across * from.inclination[i], p->cammin, p->cammax),
                     .moves = rut_tyre_rise(rut_abs(speed) * slow),
                     .road = rut_tyre_road(from.friction[i], per_road)};
    Forces f = pure_forces(p, pressure, w);
    f.x *= mode.x;
    f.y *= mode.y;
    f.over_x *= mode.x;
    f.over_y *= mode.y;
    if (mode.combined == WEIGHTS) f = combine(p, w, f, mode.full);
    if (mode.combined == ELLIPSE) f = keep_in_ellipse(f);

    to.mu_x[i] = on * forward * f.x;
    to.mu_y[i] = on * across * f.y;
    const double size_x = rut_max(rut_abs(kappa), RUT_TYRE_LEAST_SLIP);
    const double size_y = rut_max(rut_abs(tan), RUT_TYRE_LEAST_SLIP);
    const double held_x = rut_min(rut_max(rut_abs(w.kappa), RUT_TYRE_LEAST_SLIP), size_x);
    const double held_y = rut_min(rut_max(rut_abs(w.alpha), RUT_TYRE_LEAST_SLIP), size_y);
    const double counts = on * s.over_hub / (size_x * size_y);
    to.secant_x[i] = f.over_x * held_x * size_y * counts;
    to.secant_y[i] = f.over_y * held_y * size_x * counts;
    to.normalised_slip[i] = on * rut_hypot(f.normalised_x, f.normalised_y);
    to.peak[i] = f.mu_x * rises;
    to.resistance[i] = rolling(p, w, speed, f.x) * inflated / from.radius[i];
    to.aligning[i] = on * mode.y * load * sense.other * aligning(p, pressure, w, f, mode.full);
    to.overturning[i] = 0.0;
  }
}

// What the compiler knows of mode and count becomes vector code without branches and remainders.
RUT_CLONES static void plain_grip(const Param* p, Mode mode, int n, const rutTyreGripIn* in,
                                  const rutTyreGripOut* out) {
  mode.combined = WEIGHTS;
  mode.full = 0;
  if (n == 4) {
    pac2002_wheels(*p, mode, 4, *in, *out);
  } else {
    pac2002_wheels(*p, mode, n, *in, *out);
  }
}
RUT_CLONES static void full_grip(const Param* p, Mode mode, int n, const rutTyreGripIn* in,
                                 const rutTyreGripOut* out) {
  mode.combined = WEIGHTS;
  mode.full = 1;
  pac2002_wheels(*p, mode, n, *in, *out);
}
RUT_CLONES static void ellipse_grip(const Param* p, Mode mode, int n, const rutTyreGripIn* in,
                                    const rutTyreGripOut* out) {
  mode.combined = ELLIPSE;
  mode.full = 1;
  pac2002_wheels(*p, mode, n, *in, *out);
}
RUT_CLONES static void single_grip(const Param* p, Mode mode, int n, const rutTyreGripIn* in,
                                   const rutTyreGripOut* out) {
  mode.combined = NOT_COMBINED;
  mode.full = 1;
  pac2002_wheels(*p, mode, n, *in, *out);
}

// ---- what few sets have ----

// Moment about the rolling direction.
RUT_CLONES static void overturn(const Param* whole, int n, const rutTyreGripIn* in,
                                const rutTyreGripOut* out) {
  const Param p = *whole;
  const rutTyreGripIn from = *in;
  const rutTyreGripOut to = *out;
  const Loads at = loads_of(&p);
  const double pressure = p.ip * p.lip / p.ip_nom - 1.0, slow = 1.0 / p.vxlow;
  const double measured = measured_side(&p);
  const double against = p.qsx2 * (1.0 + p.qpx1 * pressure);
  RUT_FOR_LANES(i, n) {
    const double load = rut_max(from.load[i], 0.0);
    const double q = over_nominal(at, load);
    const double across = sense_of(from.direction[i], from.side[i], measured).across;
    const double side = across * to.mu_y[i] * q;
    const double g = rut_clamp(across * from.inclination[i], p.cammin, p.cammax);
    const double moves = rut_tyre_rise(rut_abs(from.speed[i]) * slow), hard = p.qsx6 * q;
    const double shift = rut_sin(p.qsx7 * g + p.qsx8 * rut_atan(p.qsx9 * side));
    const double shifts = p.qsx4 * rut_cos(p.qsx5 * rut_atan(hard * hard)) * shift;
    const double offset = p.qsx10 * rut_atan(p.qsx11 * q) - against;
    const double rest = (offset * g + p.qsx3 * side + shifts) * p.lmx;
    const double arm = p.unloaded_radius * (p.qsx1 * p.lvmx * moves + rest);
    to.overturning[i] = load * across * arm;
  }
}

// Rolling resistance that is a power of the load.
RUT_CLONES static void follow_load(const Param* whole, int n, const rutTyreGripIn* in,
                                   const rutTyreGripOut* out) {
  const Param p = *whole;
  const double* load = in->load;
  double* resistance = out->resistance;
  static const double LEAST_LOAD = 1e-6;  // over the nominal
  const Loads at = loads_of(&p);
  RUT_FOR_LANES(i, n) {
    const double q = over_nominal(at, load[i]);
    resistance[i] *= rut_pow(rut_max(q, LEAST_LOAD), p.qsy7);
  }
}

static void pac2002_grip(const void* param, int n, const rutTyreGripIn* in,
                         const rutTyreGripOut* out) {
  const Param* p = param;
  const Mode mode = mode_of(p);
  if (mode.combined == WEIGHTS && !mode.full) {
    plain_grip(p, mode, n, in, out);
  } else if (mode.combined == WEIGHTS) {
    full_grip(p, mode, n, in, out);
  } else if (mode.combined == ELLIPSE) {
    ellipse_grip(p, mode, n, in, out);
  } else {
    single_grip(p, mode, n, in, out);
  }
  const bool overturns =
      p->qsx1 != 0.0 || p->qsx2 != 0.0 || p->qsx3 != 0.0 || p->qsx4 != 0.0 || p->qsx10 != 0.0;
  if (mode.y > 0 && overturns) overturn(p, n, in, out);
  if (p->qsy7 != 0.0) follow_load(p, n, in, out);
}

// The law itself takes the pressure, as far as it was measured; the spring is straight beyond.
static double pac2002_inflate(double* param, double pressure) {
  Param* p = (Param*)param;
  pressure = rut_tyre_asked_pressure(p->pressure, p->ip, pressure);
  p->ip = rut_max(pressure, p->presmin);
  if (p->presmax > 0.0) p->ip = rut_min(p->ip, p->presmax);
  if (pressure * p->lip == p->ip_nom) return pressure;
  const double inflated = rut_tyre_inflated(pressure * p->lip, p->ip_nom);
  const double stiffer = rut_tyre_stiffened(p->qpfz1, inflated);
  // the rim keeps its own
  if (!(p->bottoming_stiffness > 0)) p->bottoming_stiffness = RIM * p->vertical_stiffness * p->lcz;
  p->vertical_stiffness *= stiffer;
  rut_tyre_scale_loads(param, p->deflection_load_curve, stiffer);
  return pressure;
}

static const rutVariable outputs[] = {RUT_TYRE_CARCASS_OUTPUT_ROWS RUT_TYRE_GRIP_OUTPUT_ROWS};

static void pac2002_observe(const void* param, const rutTyreResult* in, double* out) {
  out = rut_tyre_observe_carcass(pac2002_carcass, param, in, out);
  rut_tyre_observe_grip(pac2002_grip, param, in, out);
}

const rutTyreType rut_tyre_pac2002 = {
    .base = {.abi = RUT_ABI,
             .struct_size = sizeof(rutTyreType),
             .kind = "tyre",
             .name = "pac2002",
             .parents = "vehicle axle",
             .doc = "For vehicles with suspensions: Magic Formula tyre PAC2002 (Pacejka, Tyre and "
                    "Vehicle Dynamics, 2002) with the coefficients of .tir files as fields. The "
                    "defaults are round numbers for a tyre of the class 37x12.5.",
             .field = fields,
             .fields = RUT_COUNT_OF(fields),
             .check = pac2002_check},
    RUT_OBSERVED(outputs, pac2002_observe),
    .carcass = pac2002_carcass,
    .grip = pac2002_grip,
    .inflate = pac2002_inflate};
