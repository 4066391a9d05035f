// SPDX-License-Identifier: BSD-3-Clause
#include "scene/asset_kind.h"

#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "options.h"

static const char octets[] = "application/octet-stream";
static const char text_plain[] = "text/plain; charset=utf-8";

static bool starts(const char* bytes, size_t size, const char* magic, size_t length) {
  return size >= length && memcmp(bytes, magic, length) == 0;
}
#define STARTS(bytes, size, magic) starts(bytes, size, magic, sizeof(magic) - 1)

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

// ---- binary kinds ----

static bool is_png(const char* b, size_t n) { return STARTS(b, n, "\x89PNG\r\n\x1a\n"); }
static bool is_jpeg(const char* b, size_t n) { return STARTS(b, n, "\xff\xd8\xff"); }
static bool is_gif(const char* b, size_t n) {
  return STARTS(b, n, "GIF87a") || STARTS(b, n, "GIF89a");
}
static bool is_webp(const char* b, size_t n) {
  return STARTS(b, n, "RIFF") && n >= 12 && memcmp(b + 8, "WEBP", 4) == 0;
}
static bool is_glb(const char* b, size_t n) { return STARTS(b, n, "glTF"); }

// Numbers of a glTF file have no head of their own; text is none of them.
static bool is_buffer(const char* b, size_t n) {
  for (size_t i = 0; i < n && i < 4096; i++) {
    const unsigned char c = (unsigned char)b[i];
    if (c < 32 && !is_blank((char)c)) return true;
  }
  return false;
}

static bool is_stl(const char* b, size_t n) {
  uint32_t triangles = 0;
  if (n >= 84) {
    const unsigned char* count = (const unsigned char*)b + 80;
    for (int i = 3; i >= 0; i--) triangles = triangles << 8 | count[i];
    if (n == 84 + 50 * (size_t)triangles) return true;
  }
  return STARTS(b, n, "solid") && n > 5 && is_blank(b[5]);
}

// ---- text kinds ----

static bool is_ply(const char* b, size_t n) {
  return STARTS(b, n, "ply\n") || STARTS(b, n, "ply\r");
}
static bool is_off(const char* b, size_t n) {
  return STARTS(b, n, "OFF") || STARTS(b, n, "COFF") || STARTS(b, n, "NOFF");
}

// A zero, as a buffer of a scene has behind it, ends the text.
static const char* find(const char* bytes, size_t size, const char* word) {
  const size_t length = strlen(word);
  for (size_t i = 0; i + length <= size; i++) {
    if (memcmp(bytes + i, word, length) == 0) return bytes + i;
  }
  return NULL;
}

static bool is_gltf(const char* b, size_t n) {
  size_t i = STARTS(b, n, "\xef\xbb\xbf") ? 3 : 0;
  while (i < n && is_blank(b[i])) i++;
  return i < n && b[i] == '{' && find(b, n, "\"asset\"");
}

static bool is_collada(const char* b, size_t n) {
  size_t i = STARTS(b, n, "\xef\xbb\xbf") ? 3 : 0;
  while (i < n && is_blank(b[i])) i++;
  return i < n && b[i] == '<' && find(b, n < 4096 ? n : 4096, "<COLLADA");
}

// True if every line begins with one of some words, up to so many lines, and there is one.
static bool is_lines(const char* b, size_t n, const char* const* word, int words) {
  enum { LINES = 1000 };
  int lines = 0;
  for (size_t i = 0; i < n && lines < LINES;) {
    const char* end = memchr(b + i, '\n', n - i);
    const size_t next = end ? (size_t)(end - b) + 1 : n;
    while (i < next && is_blank(b[i])) i++;
    size_t length = 0;
    while (i + length < next && !is_blank(b[i + length])) length++;
    bool known = length == 0 || b[i] == '#';
    lines += !known;
    for (int k = 0; k < words && !known; k++) {
      known = strlen(word[k]) == length && strncasecmp(b + i, word[k], length) == 0;
    }
    if (!known) return false;
    // a line that goes on behind a '\' counts as one
    i = next;
    while (i >= 2 && i < n &&
           (b[i - 2] == '\\' || (i >= 3 && b[i - 2] == '\r' && b[i - 3] == '\\'))) {
      end = memchr(b + i, '\n', n - i);
      i = end ? (size_t)(end - b) + 1 : n;
    }
  }
  return lines > 0;
}

static bool is_obj(const char* b, size_t n) {
  static const char* const words[] = {
      "v",        "vn",       "vt",         "vp",        "f",      "fo",     "l",      "p",
      "o",        "g",        "s",          "mtllib",    "usemtl", "usemap", "maplib", "bevel",
      "mg",       "lod",      "curv",       "curv2",     "surf",   "deg",    "bmat",   "step",
      "cstype",   "parm",     "trim",       "hole",      "scrv",   "sp",     "end",    "con",
      "c_interp", "d_interp", "shadow_obj", "trace_obj", "ctech",  "stech"};
  return is_lines(b, n, words, CLI_COUNT(words));
}

static bool is_mtl(const char* b, size_t n) {
  static const char* const words[] = {
      "newmtl",  "Ka",     "Kd",     "Ks",       "Ke",       "Kt",       "Tf",
      "illum",   "d",      "Tr",     "Ns",       "Ni",       "Pr",       "Pm",
      "Ps",      "Pc",     "Pcr",    "aniso",    "anisor",   "map_Ka",   "map_Kd",
      "map_Ks",  "map_Ke", "map_Ns", "map_d",    "map_Tr",   "map_Bump", "bump",
      "disp",    "decal",  "refl",   "norm",     "map_Pr",   "map_Pm",   "map_Ps",
      "map_aat", "map_Kn", "map_Ni", "map_bump", "map_refl", "sharpness"};
  return is_lines(b, n, words, CLI_COUNT(words));
}

static const struct {
  const char *suffix, *type;
  bool (*fits)(const char* bytes, size_t size);
} kinds[] = {
    {"png", "image/png", is_png},
    {"jpg", "image/jpeg", is_jpeg},
    {"jpeg", "image/jpeg", is_jpeg},
    {"webp", "image/webp", is_webp},
    {"gif", "image/gif", is_gif},
    {"glb", "model/gltf-binary", is_glb},
    {"gltf", "model/gltf+json", is_gltf},
    {"bin", octets, is_buffer},
    {"obj", text_plain, is_obj},
    {"mtl", text_plain, is_mtl},
    {"dae", octets, is_collada},
    {"stl", octets, is_stl},
    {"ply", octets, is_ply},
    {"off", octets, is_off},
};

static int kind_of(const char* name) {
  const char* dot = strrchr(name, '.');
  for (int i = 0; dot && i < CLI_COUNT(kinds); i++) {
    if (strcasecmp(dot + 1, kinds[i].suffix) == 0) return i;
  }
  return -1;
}

bool view_asset_fits(const char* name, const void* bytes, size_t size) {
  const int kind = kind_of(name);
  return kind >= 0 && kinds[kind].fits(bytes, size);
}

const char* view_asset_type(const char* name) {
  const int kind = kind_of(name);
  return kind >= 0 ? kinds[kind].type : octets;
}
