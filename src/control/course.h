// SPDX-License-Identifier: BSD-3-Clause
//
// Courses that a driver follows: curves with continuous curvature, given by one parameter u that
// rises along them, in a frame of their own.
#ifndef RUT_CONTROL_COURSE_H
#define RUT_CONTROL_COURSE_H

#include "base/report.h"
#include "math/lanes.h"

// Place on a course, and its derivatives by u: the point, its first and its second derivative.
typedef struct rutCourseAt {
  double x, y, dx, dy, ddx, ddy;
} rutCourseAt;

// Heading's cosine and sine, and curvature [1/m], positive to the left.
typedef struct rutCourseBend {
  double cosine, sine, curvature, rate;  // rate: length per u
} rutCourseBend;

RUT_INLINE rutCourseBend rut_course_bend(rutCourseAt at) {
  static const double LEAST_RATE = 1e-12;  // [m]
  const double rate = rut_max(rut_hypot(at.dx, at.dy), LEAST_RATE);
  return (rutCourseBend){at.dx / rate, at.dy / rate,
                         (at.dx * at.ddy - at.dy * at.ddx) / (rate * rate * rate), rate};
}

// Change of u that leads from a place on a course to the one nearest to a point: a step of Newton's
// method.
RUT_INLINE double rut_course_toward(rutCourseAt at, double x, double y) {
  static const double LEAST_SLOPE = 0.2;  // over that of a straight course
  const double ex = x - at.x, ey = y - at.y, square = at.dx * at.dx + at.dy * at.dy;
  const double slope = square - ex * at.ddx - ey * at.ddy;
  // near a centre of curvature the second derivative is of no use
  return (ex * at.dx + ey * at.dy) / rut_max(slope, LEAST_SLOPE * square);
}

// The smooth step 10 t^3 - 15 t^4 + 6 t^5 from 0 to 1, whose first two derivatives vanish at both
// ends; adds `height` of it over [from, from + length] to y(u).
RUT_INLINE void rut_course_shift(rutCourseAt* at, double u, double from, double length,
                                 double height) {
  const double t = rut_clamp((u - from) / length, 0.0, 1.0), r = 1.0 - t;
  at->y += height * t * t * t * (10.0 - t * (15.0 - 6.0 * t));
  at->dy += height / length * 30.0 * t * t * r * r;
  at->ddy += height / (length * length) * 60.0 * t * r * (1.0 - 2.0 * t);
}

// Whether points x y of a path, so many numbers, are two or more, each elsewhere than the one
// before. Errors: MODEL. Nullable: err.
static inline rutStatus rut_course_check_points(const double* xy, int numbers, rutError* err) {
  static const double SAME_PLACE = 1e-6;  // [m]
  if (numbers < 4) {
    return rut_error_set(err, RUT_ERR_MODEL, "a path needs 2 points or more, not %d", numbers / 2);
  }
  for (int i = 0; i + 3 < numbers; i += 2) {
    if (rut_hypot(xy[i + 2] - xy[i], xy[i + 3] - xy[i + 1]) > SAME_PLACE) continue;
    return rut_error_set(err, RUT_ERR_MODEL, "points %d and %d are the same place", i / 2 + 1,
                         i / 2 + 2);
  }
  return RUT_OK;
}

// Lanes of a double lane change: where they end and begin along the course, and how far to the side
// their middles lie [m].
typedef struct rutCourseLanes {
  double left_first, reached_second, left_second, reached_third;
  double second, third;
} rutCourseLanes;

// NATO AVTP 03-160W: lanes of 15, 25 and 15 m, 1.1, 1.2 and 1.3 vehicle widths + 0.25 m wide, ways
// of length + 24 m between them, edges of one side 3.5 m apart. ISO 3888-1: lanes of 15, 25 and 30
// m, ways of 30 and 25 m, the same widths and distance. `from` is where the first lane begins.
RUT_INLINE rutCourseLanes rut_course_lanes(int iso, double from, double length, double width) {
  static const double FIRST_LANE = 15, SECOND_LANE = 25;  // length [m]
  static const double ISO_OUT = 30, ISO_BACK = 25;        // way between lanes [m]
  static const double NATO_WAY = 24;  // likewise, besides the vehicle's length [m]
  static const double OFFSET = 3.5;   // of edges of one side [m]
  static const double WIDER = 0.1;    // from lane to lane, in vehicle widths
  const double out = iso ? ISO_OUT : length + NATO_WAY, back = iso ? ISO_BACK : length + NATO_WAY;
  const double a = from + FIRST_LANE, b = a + out, c = b + SECOND_LANE, d = c + back;
  return (rutCourseLanes){a, b, c, d, OFFSET + 0.5 * WIDER * width, WIDER * width};
}

RUT_INLINE rutCourseAt rut_course_change(const rutCourseLanes* lanes, double side, double u) {
  rutCourseAt at = {.x = u, .dx = 1.0};
  rut_course_shift(&at, u, lanes->left_first, lanes->reached_second - lanes->left_first,
                   side * lanes->second);
  rut_course_shift(&at, u, lanes->left_second, lanes->reached_third - lanes->left_second,
                   side * (lanes->third - lanes->second));
  return at;
}

// A sine across a straight line from `from` on, which rises to its amplitude within `fade` by the
// smooth step of rut_course_shift [m].
typedef struct rutCourseSine {
  double amplitude, wavelength, from, fade;
} rutCourseSine;

RUT_INLINE rutCourseAt rut_course_sine(const rutCourseSine* c, double u) {
  rutCourseAt part = {0};
  rut_course_shift(&part, u, c->from, c->fade, c->amplitude);
  const double w = 2 * RUT_PI / c->wavelength;
  double s, k;
  rut_sincos(w * (u - c->from), &s, &k);
  return (rutCourseAt){.x = u,
                       .y = part.y * s,
                       .dx = 1.0,
                       .dy = part.dy * s + part.y * w * k,
                       .ddy = part.ddy * s + 2 * part.dy * w * k - part.y * w * w * s};
}

// Straight on to `from`, then a circle.
RUT_INLINE rutCourseAt rut_course_circle(double from, double radius, double side, double u) {
  const double angle = rut_max(u - from, 0.0) / radius;
  double s, c;
  rut_sincos(angle, &s, &c);
  const int on = u > from;
  return (rutCourseAt){
      on ? from + radius * s : u, on ? side * radius * (1.0 - c) : 0.0, c, side * s,
      on ? -s / radius : 0.0,     on ? side * c / radius : 0.0};
}

// Curve through points with continuous second derivatives: quintics between them, whose derivatives
// at a point are those of the parabola through it and its neighbours. u is the sum of the chords.
// knot: x, y and u of the point, and the derivatives there.
typedef struct rutCourseKnot {
  double u;
  rutCourseAt at;
} rutCourseKnot;

RUT_INLINE rutCourseKnot rut_course_knot(const double* xy, int points, int i, double u) {
  const double* p = xy + 2 * i;
  rutCourseKnot k = {.u = u, .at = {.x = p[0], .y = p[1]}};
  const int first = i == 0, last = i == points - 1;
  const double* a = first ? p : p - 2;
  const double* b = last ? p : p + 2;
  const double before = rut_hypot(p[0] - a[0], p[1] - a[1]);
  const double after = rut_hypot(b[0] - p[0], b[1] - p[1]);
  const double ax = first ? 0.0 : (p[0] - a[0]) / before, ay = first ? 0.0 : (p[1] - a[1]) / before;
  const double bx = last ? 0.0 : (b[0] - p[0]) / after, by = last ? 0.0 : (b[1] - p[1]) / after;
  const double w = 1.0 / (before + after), end = first || last ? 0.0 : 2.0;
  // at an end only one chord is there, and the curvature is 0
  k.at.dx = first ? bx : (last ? ax : w * (ax * after + bx * before));
  k.at.dy = first ? by : (last ? ay : w * (ay * after + by * before));
  k.at.ddx = end * w * (bx - ax);
  k.at.ddy = end * w * (by - ay);
  return k;
}

// One coordinate: value, first and second derivative.
typedef struct rutCourseValue {
  double p, v, a;
} rutCourseValue;

// Quintic of one coordinate between two ends a distance h apart, at the share t in [0, 1] of it.
RUT_INLINE rutCourseValue rut_course_quintic(rutCourseValue from, rutCourseValue to, double t,
                                             double h) {
  const double p0 = from.p, d = to.p - p0, w0 = h * from.v, w1 = h * to.v;
  const double b0 = h * h * from.a, b1 = h * h * to.a;
  const double c3 = 10.0 * d - 6.0 * w0 - 4.0 * w1 - 1.5 * b0 + 0.5 * b1;
  const double c4 = -15.0 * d + 8.0 * w0 + 7.0 * w1 + 1.5 * b0 - b1;
  const double c5 = 6.0 * d - 3.0 * (w0 + w1) - 0.5 * (b0 - b1);
  return (rutCourseValue){p0 + t * (w0 + t * (0.5 * b0 + t * (c3 + t * (c4 + t * c5)))),
                          (w0 + t * (b0 + t * (3.0 * c3 + t * (4.0 * c4 + t * 5.0 * c5)))) / h,
                          (b0 + t * (6.0 * c3 + t * (12.0 * c4 + t * 20.0 * c5))) / (h * h)};
}

// Straight on before the first point and after the last.
RUT_INLINE rutCourseAt rut_course_points(const double* xy, int points, double u) {
  double from = 0.0, length = 0.0;
  int i = 0;
  for (; i < points - 1; i++) {
    length = rut_hypot(xy[2 * i + 2] - xy[2 * i], xy[2 * i + 3] - xy[2 * i + 1]);
    if (u < from + length || i == points - 2) break;
    from += length;
  }
  const rutCourseKnot a = rut_course_knot(xy, points, i, from);
  const rutCourseKnot b = rut_course_knot(xy, points, i + 1, from + length);
  const double t = (u - from) / length;
  if (t < 0.0 || t > 1.0) {
    const rutCourseAt end = t < 0.0 ? a.at : b.at;
    const double beyond = t < 0.0 ? u - a.u : u - b.u;
    return (rutCourseAt){
        end.x + beyond * end.dx, end.y + beyond * end.dy, end.dx, end.dy, 0.0, 0.0};
  }
  const rutCourseValue x =
      rut_course_quintic((rutCourseValue){a.at.x, a.at.dx, a.at.ddx},
                         (rutCourseValue){b.at.x, b.at.dx, b.at.ddx}, t, length);
  const rutCourseValue y =
      rut_course_quintic((rutCourseValue){a.at.y, a.at.dy, a.at.ddy},
                         (rutCourseValue){b.at.y, b.at.dy, b.at.ddy}, t, length);
  return (rutCourseAt){x.p, y.p, x.v, y.v, x.a, y.a};
}

#endif  // RUT_CONTROL_COURSE_H
