// SPDX-License-Identifier: BSD-3-Clause
#include "geom/texture.h"

#include "math/colour.h"

static const double WHITE = 65535;

static int half_of(int side) { return side > 1 ? side / 2 : 1; }

size_t rut_texture_layout(rutTexture* texture, int width, int height) {
  *texture = (rutTexture){.width = width, .height = height};
  size_t numbers = 0;
  for (int w = width, h = height; texture->levels < RUT_TEXTURE_LEVELS;) {
    texture->first[texture->levels++] = numbers;
    numbers += 3 * (size_t)w * (size_t)h;
    if (w == 1 && h == 1) break;
    w = half_of(w);
    h = half_of(h);
  }
  return numbers;
}

// A side of a level, and of the one before it.
typedef struct Side {
  int from, to;
} Side;

// What number i of a side covers of the one before: the first of them, and the weights of up to 3.
static int covered(Side side, int i, double weight[3]) {
  const double step = (double)side.from / side.to;
  const double begin = i * step, end = begin + step;
  const int first = (int)begin;
  for (int k = 0; k < 3; k++) {
    const double low = rut_max(begin, first + k), high = rut_min(end, first + k + 1);
    weight[k] = rut_max(high - low, 0) / step;
  }
  return first;
}

static void halve(const uint16_t* from, Side x, Side y, uint16_t* to) {
  for (int row = 0; row < y.to; row++) {
    double down[3];
    const int top = covered(y, row, down);
    for (int column = 0; column < x.to; column++) {
      double across[3], sum[3] = {0, 0, 0};
      const int left = covered(x, column, across);
      for (int i = 0; i < 9; i++) {
        const double weight = down[i / 3] * across[i % 3];
        const int r = top + i / 3, c = left + i % 3;
        if (!(weight > 0) || r >= y.from || c >= x.from) continue;
        const uint16_t* texel = from + 3 * ((size_t)r * (size_t)x.from + (size_t)c);
        for (int k = 0; k < 3; k++) sum[k] += weight * texel[k];
      }
      for (int k = 0; k < 3; k++) *to++ = (uint16_t)(sum[k] + 0.5);
    }
  }
}

void rut_texture_fill(rutTexture* texture, const uint8_t* colour) {
  uint16_t linear[256];
  for (int i = 0; i < 256; i++) linear[i] = (uint16_t)(WHITE * rut_linear_of_srgb(i / 255.0) + 0.5);
  const size_t n = 3 * (size_t)texture->width * (size_t)texture->height;
  for (size_t i = 0; i < n; i++) texture->texel[i] = linear[colour[i]];
  Side x = {texture->width, texture->width}, y = {texture->height, texture->height};
  for (int l = 1; l < texture->levels; l++) {
    x = (Side){x.to, half_of(x.to)};
    y = (Side){y.to, half_of(y.to)};
    halve(texture->texel + texture->first[l - 1], x, y, texture->texel + texture->first[l]);
  }
}

// The two neighbours of a place along a side, and the part of the second. A place that is no number
// is the beginning.
static double neighbours(double at, int n, int index[2]) {
  const double x = rut_max(at - rut_floor(at), 0) * n - 0.5, low = rut_floor(x);
  const int first = (int)low;
  index[0] = first < 0 ? n - 1 : first;
  index[1] = first + 1 < n ? first + 1 : 0;
  return x - low;
}

static void sample_level(const rutTexture* texture, int level, const double uv[2],
                         double colour[3]) {
  int w = texture->width, h = texture->height, column[2], row[2];
  for (int l = 0; l < level; l++) {
    w = half_of(w);
    h = half_of(h);
  }
  const double right = neighbours(uv[0], w, column), down = neighbours(1 - uv[1], h, row);
  const double weight[4] = {(1 - down) * (1 - right), (1 - down) * right, down * (1 - right),
                            down * right};
  const uint16_t* texel = texture->texel + texture->first[level];
  for (int k = 0; k < 3; k++) colour[k] = 0;
  for (int i = 0; i < 4; i++) {
    const uint16_t* at = texel + 3 * ((size_t)row[i / 2] * (size_t)w + (size_t)column[i % 2]);
    for (int k = 0; k < 3; k++) colour[k] += weight[i] * at[k] / WHITE;
  }
}

void rut_texture_sample(const rutTexture* texture, const double uv[2], double size,
                        double colour[3]) {
  const double sides = (double)texture->width * texture->height;
  // texels that the square covers along a side: between levels they are mixed
  double texels = size * rut_sqrt(sides);
  int level = 0;
  while (texels >= 2 && level + 1 < texture->levels) {
    texels *= 0.5;
    level++;
  }
  sample_level(texture, level, uv, colour);
  if (!(texels > 1) || level + 1 >= texture->levels) return;
  double coarse[3];
  const double part = rut_min(texels - 1, 1);
  sample_level(texture, level + 1, uv, coarse);
  for (int k = 0; k < 3; k++) colour[k] += part * (coarse[k] - colour[k]);
}
