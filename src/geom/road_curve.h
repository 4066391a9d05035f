// SPDX-License-Identifier: BSD-3-Clause
//
// Curves that reference lines of roads are made of (ASAM OpenDRIVE 1.8, section 8): straight lines,
// arcs, clothoids and cubics in the plane, all by their length, and cubic functions along them.
#ifndef RUT_GEOM_ROAD_CURVE_H
#define RUT_GEOM_ROAD_CURVE_H

#include <stdbool.h>

// a + b ds + c ds^2 + d ds^3 from a place s on, ds = s - start.
typedef struct rutRoadCubic {
  double s, a, b, c, d;
} rutRoadCubic;

// Value of a cubic and its first two derivatives.
typedef struct rutRoadValue {
  double v, d, dd;
} rutRoadValue;

rutRoadValue rut_road_cubic_at(const rutRoadCubic* cubic, double s);
// The same function with another start.
rutRoadCubic rut_road_cubic_moved(const rutRoadCubic* cubic, double s);
// Sum of both, which begins where the first does: a(s) + factor b(s).
rutRoadCubic rut_road_cubic_sum(const rutRoadCubic* a, const rutRoadCubic* b, double factor);

typedef enum rutRoadShape {
  RUT_ROAD_CLOTHOID,  // curvature linear in the length: lines and arcs are special cases
  RUT_ROAD_CUBIC      // u(p), v(p), p from 0 to `p_end`, by their length
} rutRoadShape;

enum { RUT_ROAD_PANELS = 32 };

// One curve. Its own frame is at x, y in the world, turned by the heading.
typedef struct rutRoadCurve {
  rutRoadShape shape;
  double s, length;                 // where it begins on the road, and how long it says it is [m]
  double x, y, heading;             // of its start [m], [rad]
  double curvature[2];              // of a clothoid, at its start and end [1/m]
  double u[4], v[4];                // coefficients of a cubic [m]
  double p_end;                     // parameter of its end
  double arc[RUT_ROAD_PANELS + 1];  // length of a cubic up to each panel's end [m]
} rutRoadCurve;

// A place on a curve.
typedef struct rutRoadPlace {
  double x, y, heading;  // [m], [rad]
  double curvature;      // [1/m]
  double rate;           // length per s: 1 unless a cubic is not as long as it says
} rutRoadPlace;

// Largest change of heading along one clothoid [rad].
#define RUT_ROAD_MOST_TURN 2000.0

// Set up what follows from the coefficients of a cubic: call it once they are known. function:
// v(u), whose length ends at `length`; p_end is found. Without effect on a clothoid.
void rut_road_curve_settle(rutRoadCurve* curve, bool function);
// The place at ds from the start of a curve, 0 <= ds <= length. Clothoids are integrated by
// Gauss-Legendre quadrature to rounding, which is the Fresnel integrals' own value.
rutRoadPlace rut_road_curve_at(const rutRoadCurve* curve, double ds);
// Length of a cubic by its parameter; that of a clothoid is `length` [m].
double rut_road_curve_length(const rutRoadCurve* curve);

// A part of a curve as a polynomial of its length: r(w) of w = s - its start, of degree 5, with
// place, direction and curvature of the curve at both ends.
typedef struct rutRoadArc {
  double length;      // in s [m]
  double x[6], y[6];  // coefficients of powers of w, in the world
} rutRoadArc;

// Place and derivatives by w.
typedef struct rutRoadArcAt {
  double x, y, dx, dy, ddx, ddy;
} rutRoadArcAt;

static inline rutRoadArcAt rut_road_arc_at(const rutRoadArc* a, double w) {
  const double *x = a->x, *y = a->y;
  return (rutRoadArcAt){x[0] + w * (x[1] + w * (x[2] + w * (x[3] + w * (x[4] + w * x[5])))),
                        y[0] + w * (y[1] + w * (y[2] + w * (y[3] + w * (y[4] + w * y[5])))),
                        x[1] + w * (2 * x[2] + w * (3 * x[3] + w * (4 * x[4] + w * 5 * x[5]))),
                        y[1] + w * (2 * y[2] + w * (3 * y[3] + w * (4 * y[4] + w * 5 * y[5]))),
                        2 * x[2] + w * (6 * x[3] + w * (12 * x[4] + w * 20 * x[5])),
                        2 * y[2] + w * (6 * y[3] + w * (12 * y[4] + w * 20 * y[5]))};
}

// The part between two places, from < to, which are ds of the curve. Returns the largest distance
// from the curve at its quarters [m].
double rut_road_arc_make(const rutRoadCurve* curve, double from, double to, rutRoadArc* out);

#endif  // RUT_GEOM_ROAD_CURVE_H
