// SPDX-License-Identifier: BSD-3-Clause
#include "host/picture_colours.h"

#include <string.h>

#include "math/rut_math.h"

static unsigned char code(double x) { return (unsigned char)(int)(255 * rut_clamp(x, 0, 1) + 0.5); }

double rut_picture_largest_flow(const rutPicture* picture) {
  const float* flow = picture->pixel;
  double most = 0;
  for (size_t i = 0; i < (size_t)picture->width * (size_t)picture->height; i++) {
    const double size = rut_hypot((double)flow[2 * i], (double)flow[2 * i + 1]);
    if (size > most) most = size;
  }
  return most;
}

// From the optical axes (right, down, ahead) to right, up, towards the camera, as in normal maps.
static void colour_normal(const float n[3], unsigned char colour[3]) {
  const bool nothing = n[0] == 0 && n[1] == 0 && n[2] == 0;
  const double side[3] = {(double)n[0], (double)-n[1], (double)-n[2]};
  for (int i = 0; i < 3; i++) colour[i] = nothing ? 0 : code(0.5 + 0.5 * side[i]);
}

// ---- flow ----

// The colour circle of S. Baker et al., "A Database and Evaluation Methodology for Optical Flow",
// Int. J. Computer Vision 92 (2011): from red over yellow, green, cyan, blue and magenta back to
// red, in as many steps as the eye tells apart in each part.
enum { PARTS = 6 };
static const int STEPS[PARTS] = {15, 6, 4, 11, 13, 6}, ALL_STEPS = 55;

// Colour at a step of the circle, 0 <= step < ALL_STEPS.
static void wheel_colour(int step, double colour[3]) {
  // of each part: the channel that is full, the one that changes, and whether it rises
  static const int full[PARTS] = {0, 1, 1, 2, 2, 0}, changing[PARTS] = {1, 0, 2, 1, 0, 2};
  int part = 0;
  while (step >= STEPS[part]) step -= STEPS[part++];
  const double share = (double)step / STEPS[part];
  colour[0] = colour[1] = colour[2] = 0;
  colour[full[part]] = 1;
  colour[changing[part]] = part % 2 == 0 ? share : 1 - share;
}

static void colour_flow(const float v[2], double largest, unsigned char colour[3]) {
  const double x = (double)v[0], y = (double)v[1];
  memset(colour, 0, 3);
  if (!rut_is_finite(x + y)) return;
  const double size = largest > 0 ? rut_hypot(x, y) / largest : 0;
  const double turn = (rut_atan2(-y, -x) / RUT_PI + 1) / 2 * (ALL_STEPS - 1);
  const int step = (int)turn;
  double from[3], to[3];
  wheel_colour(step, from);
  wheel_colour((step + 1) % ALL_STEPS, to);
  for (int i = 0; i < 3; i++) {
    const double pure = from[i] + (turn - step) * (to[i] - from[i]);
    colour[i] = code(1 - size * (1 - pure));
  }
}

void rut_picture_colour_vectors(const rutPicture* picture, const void* row, double largest,
                                unsigned char* colour) {
  const float* vector = row;
  const bool flow = picture->format == RUT_PIXEL_VECTOR2;
  for (int i = 0; i < picture->width; i++, colour += 3, vector += flow ? 2 : 3) {
    if (flow) {
      colour_flow(vector, largest, colour);
    } else {
      colour_normal(vector, colour);
    }
  }
}
