// SPDX-License-Identifier: BSD-3-Clause
#include "vehicle/side.h"

#include <stdbool.h>

enum { STATIONS = 7, PLACES = 33, HALVINGS = 16 };

// Angles of the stations around the wheel, from its lowest point: sines and cosines of 0, 25, 50
// and 75 degrees.
static const double sine[STATIONS] = {
    -0.96592582628906831, -0.76604444311897801, -0.42261826174069944, 0,
    0.42261826174069944,  0.76604444311897801,  0.96592582628906831};
static const double cosine[STATIONS] = {
    0.25881904510252074, 0.64278760968653936, 0.90630778703664994, 1,
    0.90630778703664994, 0.64278760968653936, 0.25881904510252074};
// Faces that end so much below the middle of the tube, of its radius, do not press its side.
static const double FADE = 0.25;
// How far the middle of the tube may be behind a face, of the width.
static const double BEHIND = 1;
// Gap of the tread from a face that presses it [m].
static const double GAP = 1e-3;
// A face whose normal has less of the wheel's axis stands in its way, and not beside it.
static const double ALONG = 0.5, ACROSS = 0.7;

// Middle of the tube at a station.
typedef struct Station {
  double x, y, z, level;  // level: height from which on ground is a face
} Station;

static double height_at(const rutSideIn* in, double x, double y) {
  double z, sx, sy;
  rut_ground_surface(in->world->ground, in->world->lift, &(rutGroundPoints){1, &x, &y}, &in->below,
                     &(rutGroundSurface){&z, &sx, &sy});
  return z;
}

// Ground at a distance to the left of a station.
static double height_beside(const rutSideIn* in, Station s, double left) {
  return height_at(in, s.x - left * in->ey, s.y + left * in->ex);
}

static Station station_of(const rutSideIn* in, rutVec3 up, int k) {
  const double tube = 0.5 * in->width, ring = rut_max(in->radius - tube, 0);
  const double ahead = ring * sine[k], down = ring * cosine[k];
  const double z = in->hub.z - down * up.z;
  return (Station){in->hub.x + ahead * in->ex - down * up.x,
                   in->hub.y + ahead * in->ey - down * up.y, z, z - FADE * tube};
}

// A face to one side of a station: distance to that side, and height of the ground behind it.
typedef struct Face {
  bool found;
  double distance, top;
} Face;

static Face halve(const rutSideIn* in, Station s, double side, double clear, double face) {
  double top = s.level;
  for (int pass = 0; pass < HALVINGS; pass++) {
    const double middle = 0.5 * (clear + face), z = height_beside(in, s, side * middle);
    const bool high = z > s.level;
    *(high ? &face : &clear) = middle;
    top = high ? z : top;
  }
  return (Face){true, clear, top};
}

// The face nearest to the middle of the tube on a side, 1 left, -1 right: in front of it, or, where
// that is in the ground, behind it.
static Face face_beside(const rutSideIn* in, Station s, double side) {
  const double most = 0.5 * in->width, step = 2 * most / (PLACES - 1);
  const bool inside = height_beside(in, s, 0) > s.level;
  const int places = inside ? (int)(BEHIND * in->width / step) : (PLACES - 1) / 2;
  const double way = inside ? -step : step;
  for (int k = 1; k <= places; k++) {
    const double here = k * way;
    if ((height_beside(in, s, side * here) > s.level) == inside) continue;
    const double before = here - way;
    return halve(in, s, side, inside ? here : before, inside ? before : here);
  }
  return (Face){false, 0, 0};
}

// Change of the distance of a face along the heading; 0 where it ends.
static double slant_of(const rutSideIn* in, Station s, double side, Face face) {
  static const double RUN = 0.01, SPAN = 0.04;  // [m]
  double at[2];
  for (int k = 0; k < 2; k++) {
    Station other = s;
    other.x += (k ? RUN : -RUN) * in->ex;
    other.y += (k ? RUN : -RUN) * in->ey;
    const double near = face.distance - SPAN, far = face.distance + SPAN;
    if (height_beside(in, other, side * near) > s.level) return 0;
    if (!(height_beside(in, other, side * far) > s.level)) return 0;
    at[k] = halve(in, other, side, near, far).distance;
  }
  return (at[1] - at[0]) / (2 * RUN);
}

static rutSideTouch touch_at(const rutSideIn* in, Station s, double side) {
  const double tube = 0.5 * in->width;
  const Face face = face_beside(in, s, side);
  if (!face.found) return (rutSideTouch){0};
  const double slant = slant_of(in, s, side, face);
  const double scale = 1 / rut_sqrt(1 + slant * slant), pressed = tube - face.distance;
  const double beside = rut_clamp((scale - ALONG) / (ACROSS - ALONG), 0, 1);
  const double high = rut_clamp((face.top - s.level) / (s.z - s.level), 0, 1);
  const double left = -side * in->ex, ahead = slant;
  return (rutSideTouch){
      .depth = rut_max(pressed, 0) * scale,
      .share = beside * high,
      .aside = -side * beside * high * (pressed > 0 ? pressed + GAP : 0),
      .nx = scale * (ahead * in->ex + side * in->ey),
      .ny = scale * (ahead * in->ey + left),
      .arm = rut_vec3(s.x - in->hub.x - side * face.distance * in->ey,
                      s.y - in->hub.y + side * face.distance * in->ex, s.z - in->hub.z)};
}

// Whether the ground within the width of a station stands above its flank.
static bool stands_beside(const rutSideIn* in, Station s) {
  const double tube = 0.5 * in->width;
  return height_beside(in, s, tube) > s.level || height_beside(in, s, -tube) > s.level;
}

rutSideTouch rut_side_touch(const rutSideIn* in) {
  static const double UPRIGHT = 0.2;  // part of a wheel's up that is up in the world
  const rutVec3 up = rut_vec3_cross(rut_vec3(in->ex, in->ey, 0), in->axis);
  rutSideTouch deepest = {0};
  if (!(up.z > UPRIGHT)) return deepest;
  for (int k = 0; k < STATIONS; k++) {
    const Station s = station_of(in, up, k);
    if (!stands_beside(in, s)) continue;
    const rutSideTouch left = touch_at(in, s, 1), right = touch_at(in, s, -1);
    // behind a face the nearer way out is the one that is taken
    const bool behind = rut_min(left.depth, right.depth) > 0.5 * in->width;
    const bool deeper = left.depth > right.depth, take_left = behind ? !deeper : deeper;
    const rutSideTouch t = take_left ? left : right;
    if (t.share * t.depth > deepest.share * deepest.depth) deepest = t;
  }
  return deepest;
}
