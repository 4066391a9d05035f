// SPDX-License-Identifier: BSD-3-Clause
#define _GNU_SOURCE  // memmem
#include "scene/content.h"

#include <string.h>
#include <strings.h>

#include "scene/gltf.h"
#include "scene/little_endian.h"

enum { GLB_HEAD = 12, GLB_CHUNK = 8, STL_HEAD = 84, STL_FACET = 50, PLY_HEAD = 65536 };

// A piece of a text.
typedef struct Piece {
  const char *at, *end;
} Piece;

// ---- lines ----

// The next line, without its end. False if there is none.
static bool next_line(Piece* text, Piece* line) {
  if (text->at == text->end) return false;
  const char* end = memchr(text->at, '\n', (size_t)(text->end - text->at));
  *line = (Piece){text->at, end ? end : text->end};
  text->at = end ? end + 1 : text->end;
  if (line->end > line->at && line->end[-1] == '\r') line->end--;
  return true;
}

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

// The next word of a line, empty if there is none.
static Piece next_word(Piece* line) {
  while (line->at < line->end && is_blank(*line->at)) line->at++;
  Piece word = {line->at, line->at};
  while (word.end < line->end && !is_blank(*word.end)) word.end++;
  line->at = word.end;
  return word;
}

static bool is_word(Piece word, const char* text) {
  const size_t n = strlen(text);
  return (size_t)(word.end - word.at) == n && strncasecmp(word.at, text, n) == 0;
}

static bool is_one_of(Piece word, const char* const* words) {
  while (*words && !is_word(word, *words)) words++;
  return *words != NULL;
}

static bool starts_number(Piece word) {
  return word.at < word.end && memchr("0123456789+-.", *word.at, 13);
}

// What an element goes on with in the next line: numbers.
static bool is_continued(Piece line) {
  for (; line.at < line.end; line.at++) {
    if (!memchr("0123456789+-./eE \t\\", *line.at, 19)) return false;
  }
  return true;
}

// A text of lines that each begin with a known word, the important one among them.
typedef struct Lines {
  const char* const* words;
  const char* important;
  bool number;        // a number follows the important one, else anything
  bool continued;     // a line that ends in \ goes on
  const char* first;  // word, NULL: any
} Lines;

static bool has_lines(Piece text, const Lines* form) {
  bool found = false, goes_on = false, first = true;
  for (Piece line; next_line(&text, &line);) {
    for (const char* c = line.at; c < line.end; c++) {
      if ((unsigned char)*c < ' ' && *c != '\t' && *c != '\f') return false;
    }
    const bool more = form->continued && line.end > line.at && line.end[-1] == '\\';
    if (goes_on && !is_continued(line)) return false;
    Piece rest = line;
    const Piece word = next_word(&rest);
    const bool counts = !goes_on && word.at < word.end && *word.at != '#';
    goes_on = more;
    if (!counts) continue;
    if (first && form->first && !is_word(word, form->first)) return false;
    first = false;
    if (!is_one_of(word, form->words)) return false;
    if (!is_word(word, form->important)) continue;
    const Piece next = next_word(&rest);
    if (form->number ? !starts_number(next) : next.at == next.end) return false;
    found = true;
  }
  return found;
}

// ---- texts ----

// Statements of Wavefront OBJ (Advanced Visualizer manual, appendix B1).
static bool is_obj(Piece text) {
  static const char* const words[] = {
      "v",      "vt",         "vn",        "f",      "vp",       "l",        "p",    "o",
      "g",      "s",          "usemtl",    "mtllib", "mg",       "cstype",   "deg",  "bmat",
      "step",   "curv",       "curv2",     "surf",   "parm",     "trim",     "hole", "scrv",
      "sp",     "end",        "con",       "bevel",  "c_interp", "d_interp", "lod",  "maplib",
      "usemap", "shadow_obj", "trace_obj", "ctech",  "stech",    "csh",      "call", "scmp",
      "bzp",    "bsp",        "cdc",       "cdp",    "res",      NULL};
  static const Lines form = {.words = words, .important = "v", .number = true, .continued = true};
  return has_lines(text, &form);
}

// Statements of MTL (the same, B2), and those of its extension for physically based materials.
static bool is_mtl(Piece text) {
  static const char* const words[] = {
      "newmtl",   "Ka",       "Kd",        "Ks",       "Ke",        "Tf",          "Tr",
      "illum",    "d",        "Ns",        "Ni",       "sharpness", "map_Ka",      "map_Kd",
      "map_Ks",   "map_Ke",   "map_Ns",    "map_Ni",   "map_d",     "map_Tr",      "map_aat",
      "map_Bump", "bump",     "disp",      "map_disp", "decal",     "refl",        "norm",
      "map_Kn",   "map_norm", "Pr",        "Pm",       "Ps",        "Pc",          "Pcr",
      "aniso",    "anisor",   "map_Pr",    "map_Pm",   "map_Ps",    "map_opacity", "map_refl",
      "map_RMA",  "map_ORM",  "map_decal", "rfl",      "km",        NULL};
  static const Lines form = {.words = words, .important = "newmtl", .continued = false};
  return has_lines(text, &form);
}

static bool is_stl_text(Piece text) {
  static const char* const words[] = {"solid",   "facet",    "outer",    "vertex",
                                      "endloop", "endfacet", "endsolid", NULL};
  static const Lines form = {
      .words = words, .important = "vertex", .number = true, .first = "solid"};
  return has_lines(text, &form);
}

// Its head; what follows is as the head says (Turk, The PLY polygon file format, 1994).
static bool is_ply(Piece text) {
  static const char* const words[] = {"comment", "obj_info", "element", "property", NULL};
  Piece line;
  if (text.end - text.at > PLY_HEAD) text.end = text.at + PLY_HEAD;
  if (!next_line(&text, &line) || !is_word(line, "ply")) return false;
  if (!next_line(&text, &line) || !is_word(next_word(&line), "format")) return false;
  while (next_line(&text, &line)) {
    const Piece word = next_word(&line);
    if (is_word(word, "end_header")) return true;
    if (!is_one_of(word, words)) return false;
  }
  return false;
}

static bool skip_past(Piece* text, const char* mark) {
  const char* found = memmem(text->at, (size_t)(text->end - text->at), mark, strlen(mark));
  if (found) text->at = found + strlen(mark);
  return found != NULL;
}

static bool begins(Piece text, const char* with) {
  const size_t n = strlen(with);
  return (size_t)(text.end - text.at) >= n && memcmp(text.at, with, n) == 0;
}

// XML whose root is COLLADA, without a document type, which could name entities.
static bool is_collada(Piece text) {
  if (begins(text, "\xef\xbb\xbf")) text.at += 3;
  for (;;) {
    while (text.at < text.end && memchr(" \t\r\n", *text.at, 4)) text.at++;
    if (begins(text, "<?")) {
      if (!skip_past(&text, "?>")) return false;
    } else if (begins(text, "<!--")) {
      if (!skip_past(&text, "-->")) return false;
    } else {
      return begins(text, "<COLLADA ") || begins(text, "<COLLADA>") || begins(text, "<COLLADA\n") ||
             begins(text, "<COLLADA\r");
    }
  }
}

// ---- binary forms ----

// A head, whose length is that of the file, and a first chunk that is a glTF (section 4.4).
static bool is_glb(const unsigned char* data, size_t size) {
  if (size < GLB_HEAD + GLB_CHUNK || memcmp(data, "glTF", 4) != 0) return false;
  const uint32_t version = view_get_u32(data + 4), length = view_get_u32(data + 8);
  const uint32_t chunk = view_get_u32(data + GLB_HEAD);
  if (version != 2 || length != size || memcmp(data + GLB_HEAD + 4, "JSON", 4) != 0) return false;
  if (chunk > size - GLB_HEAD - GLB_CHUNK) return false;
  return view_gltf_read((const char*)data + GLB_HEAD + GLB_CHUNK, chunk, NULL, NULL);
}

// As long as its number of facets says.
static bool is_stl_binary(const unsigned char* data, size_t size) {
  if (size < STL_HEAD + STL_FACET) return false;
  return (uint64_t)view_get_u32(data + STL_HEAD - 4) * STL_FACET + STL_HEAD == size;
}

static bool is_webp(const unsigned char* data, size_t size) {
  return size >= 16 && memcmp(data, "RIFF", 4) == 0 && memcmp(data + 8, "WEBPVP8", 7) == 0;
}

static bool has_magic(const unsigned char* data, size_t size, const char* magic, size_t n) {
  return size > n && memcmp(data, magic, n) == 0;
}

viewContent view_content_of(const unsigned char* data, size_t size) {
  static const struct {
    viewContent content;
    const char* magic;
    size_t size;
  } magics[] = {{VIEW_CONTENT_PNG, "\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16},
                {VIEW_CONTENT_JPEG, "\xff\xd8\xff", 3},
                {VIEW_CONTENT_GIF, "GIF87a", 6},
                {VIEW_CONTENT_GIF, "GIF89a", 6}};
  for (size_t i = 0; i < sizeof magics / sizeof magics[0]; i++) {
    if (has_magic(data, size, magics[i].magic, magics[i].size)) return magics[i].content;
  }
  const Piece text = {(const char*)data, (const char*)data + size};
  if (is_webp(data, size)) return VIEW_CONTENT_WEBP;
  if (is_glb(data, size)) return VIEW_CONTENT_GLB;
  if (is_stl_binary(data, size)) return VIEW_CONTENT_STL;
  if (is_ply(text)) return VIEW_CONTENT_PLY;
  // the rest is text all through
  if (view_content_is_binary(data, size)) return VIEW_CONTENT_OTHER;
  if (is_obj(text)) return VIEW_CONTENT_OBJ;
  if (is_mtl(text)) return VIEW_CONTENT_MTL;
  if (is_stl_text(text)) return VIEW_CONTENT_STL;
  if (is_collada(text)) return VIEW_CONTENT_COLLADA;
  if (view_gltf_read(text.at, size, NULL, NULL)) return VIEW_CONTENT_GLTF;
  return VIEW_CONTENT_OTHER;
}

bool view_content_is_mesh(viewContent content) {
  return content == VIEW_CONTENT_GLB || content == VIEW_CONTENT_GLTF ||
         content == VIEW_CONTENT_OBJ || content == VIEW_CONTENT_STL ||
         content == VIEW_CONTENT_PLY || content == VIEW_CONTENT_COLLADA;
}

bool view_content_is_image(viewContent content) {
  return content == VIEW_CONTENT_PNG || content == VIEW_CONTENT_JPEG ||
         content == VIEW_CONTENT_WEBP || content == VIEW_CONTENT_GIF;
}

bool view_content_is_binary(const unsigned char* data, size_t size) {
  for (size_t i = 0; i < size; i++) {
    const bool space = data[i] >= '\t' && data[i] <= '\r';
    if (data[i] < ' ' && !space && data[i] != 0x1b) return true;
  }
  return false;
}

// ---- names ----

// XML is given out as mere bytes, since browsers show it as a page.
static const struct {
  const char *type, *suffix;
} names[VIEW_CONTENTS] = {
    [VIEW_CONTENT_OTHER] = {"application/octet-stream", ".bin"},
    [VIEW_CONTENT_GLB] = {"model/gltf-binary", ".glb"},
    [VIEW_CONTENT_GLTF] = {"model/gltf+json", ".gltf"},
    [VIEW_CONTENT_OBJ] = {"model/obj", ".obj"},
    [VIEW_CONTENT_MTL] = {"model/mtl", ".mtl"},
    [VIEW_CONTENT_STL] = {"model/stl", ".stl"},
    [VIEW_CONTENT_PLY] = {"application/octet-stream", ".ply"},
    [VIEW_CONTENT_COLLADA] = {"application/octet-stream", ".dae"},
    [VIEW_CONTENT_PNG] = {"image/png", ".png"},
    [VIEW_CONTENT_JPEG] = {"image/jpeg", ".jpg"},
    [VIEW_CONTENT_WEBP] = {"image/webp", ".webp"},
    [VIEW_CONTENT_GIF] = {"image/gif", ".gif"},
    [VIEW_CONTENT_NUMBERS] = {"application/octet-stream", ".bin"},
};

const char* view_content_type(viewContent content) { return names[content].type; }
const char* view_content_suffix(viewContent content) { return names[content].suffix; }
