// SPDX-License-Identifier: BSD-3-Clause
//
// Reads the size that an image header claims, so that a decoder that trusts it is not called for an
// image that is too large.
#include <string.h>

#include "format/image.h"
#include "math/rut_math.h"

typedef struct Bytes {
  const uint8_t* at;
  size_t size;
} Bytes;

// Unsigned number of n bytes at an offset; 0 beyond the end.
static uint32_t little(Bytes b, size_t offset, int n) {
  uint32_t value = 0;
  if (offset > b.size || b.size - offset < (size_t)n) return 0;
  for (int i = n - 1; i >= 0; i--) value = value << 8 | b.at[offset + (size_t)i];
  return value;
}

static uint32_t big(Bytes b, size_t offset, int n) {
  uint32_t value = 0;
  if (offset > b.size || b.size - offset < (size_t)n) return 0;
  for (int i = 0; i < n; i++) value = value << 8 | b.at[offset + (size_t)i];
  return value;
}

static bool starts(Bytes b, size_t offset, const char* text) {
  size_t length = strlen(text);
  return offset <= b.size && b.size - offset >= length && !memcmp(b.at + offset, text, length);
}

// Markers up to the first frame header SOF0 to SOF15 (not DHT c4, JPG c8, DAC cc).
static void claim_jpeg(Bytes b, int64_t* width, int64_t* height) {
  size_t at = 2;
  while (at + 4 <= b.size) {
    if (b.at[at] != 0xff) return;
    uint8_t marker = b.at[at + 1];
    if (marker == 0xff) {  // fill byte
      at++;
      continue;
    }
    bool frame =
        marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc;
    if (frame) {
      *height = big(b, at + 5, 2);
      *width = big(b, at + 7, 2);
      return;
    }
    bool bare = marker == 0x01 || (marker >= 0xd0 && marker <= 0xd8);
    at += bare ? 2 : 2 + (size_t)big(b, at + 2, 2);
  }
}

static void claim_bmp(Bytes b, int64_t* width, int64_t* height) {
  uint32_t header = little(b, 14, 4);
  if (header == 12) {
    *width = little(b, 18, 2);
    *height = little(b, 20, 2);
    return;
  }
  int64_t rows = (int32_t)little(b, 22, 4);
  *width = (int32_t)little(b, 18, 4);
  *height = rows < 0 ? -rows : rows;
}

// End of the chain of data blocks that starts at an offset.
static size_t skip_blocks(Bytes b, size_t at) {
  while (at < b.size && b.at[at] != 0) at += 1 + (size_t)b.at[at];
  return at + 1;
}

// The larger of the screen and the first picture, which a file may give differently.
static void claim_gif(Bytes b, int64_t* width, int64_t* height) {
  if (b.size < 13) return;
  int64_t screen_width = little(b, 6, 2), screen_height = little(b, 8, 2);
  size_t at = 13;
  if (b.at[10] & 0x80) at += (size_t)3 << ((b.at[10] & 7) + 1);
  while (at + 10 <= b.size) {
    if (b.at[at] == 0x2c) {
      int64_t w = little(b, at + 5, 2), h = little(b, at + 7, 2);
      *width = w > screen_width ? w : screen_width;
      *height = h > screen_height ? h : screen_height;
      return;
    }
    if (b.at[at] != 0x21) return;
    at = skip_blocks(b, at + 2);
  }
}

// Tags 256 (width) and 257 (height) of the first directory; type 3 is 16-bit, type 4 32-bit.
static void claim_tiff(Bytes b, int64_t* width, int64_t* height) {
  uint32_t (*number)(Bytes, size_t, int) = b.at[0] == 'I' ? little : big;
  size_t at = number(b, 4, 4);
  uint32_t entries = number(b, at, 2);
  for (uint32_t i = 0; i < entries && at + 14 <= b.size; i++, at += 12) {
    uint32_t tag = number(b, at + 2, 2), type = number(b, at + 4, 2);
    int64_t value = number(b, at + 10, type == 3 ? 2 : 4);
    if (tag == 256) *width = value;
    if (tag == 257) *height = value;
  }
}

static void claim_webp(Bytes b, int64_t* width, int64_t* height) {
  if (starts(b, 12, "VP8X")) {
    *width = (int64_t)little(b, 24, 3) + 1;
    *height = (int64_t)little(b, 27, 3) + 1;
  } else if (starts(b, 12, "VP8L")) {
    uint32_t both = little(b, 21, 4);
    *width = (both & 0x3fff) + 1;
    *height = (both >> 14 & 0x3fff) + 1;
  } else if (starts(b, 12, "VP8 ")) {
    *width = little(b, 26, 2) & 0x3fff;
    *height = little(b, 28, 2) & 0x3fff;
  }
}

typedef struct Format {
  const char* name;
  // Most pixels that a byte can stand for, with room to spare.
  double pixels_per_byte;
  void (*claim)(Bytes b, int64_t* width, int64_t* height);
} Format;

// A JPEG block of 8 x 8 takes a bit, a GIF code of 12 bits at most 4096 pixels, a BMP run of two
// bytes 255. TIFF and WebP can store a blank picture in next to nothing; their sizes are limited by
// the number of pixels only.
static const Format jpeg = {"JPEG", 1024, claim_jpeg}, gif = {"GIF", 4096, claim_gif},
                    bmp = {"BMP", 2048, claim_bmp}, tiff = {"TIFF", HUGE_VAL, claim_tiff},
                    webp = {"WebP", HUGE_VAL, claim_webp};

// Format by how a file begins, NULL if it is none of them.
static const Format* format_of(Bytes b) {
  if (starts(b, 0, "\xff\xd8\xff")) return &jpeg;
  if (starts(b, 0, "GIF8")) return &gif;
  if (starts(b, 0, "RIFF") && starts(b, 8, "WEBP")) return &webp;
  const bool is_tiff = b.size >= 8 && ((starts(b, 0, "II*") && b.at[3] == 0) ||
                                       (starts(b, 0, "MM") && b.at[2] == 0 && b.at[3] == '*'));
  if (is_tiff) return &tiff;
  return starts(b, 0, "BM") && b.size >= 26 ? &bmp : NULL;
}

bool rut_image_claim(const uint8_t* data, size_t size, rutImageClaim* out) {
  const Bytes b = {data, size};
  const Format* format = format_of(b);
  *out = (rutImageClaim){.max = 255, .size = size};
  if (!format) return false;
  format->claim(b, &out->width, &out->height);
  out->format = format->name;
  out->least_bytes = (double)out->width * (double)out->height / format->pixels_per_byte;
  return true;
}
