// SPDX-License-Identifier: BSD-3-Clause
#include "scene/assets.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "scene/asset_kind.h"

enum {
  MAX_FILE = 256 << 20,
  MAX_FILES = 1 << 30,  // bytes of all files together
  MAX_POINTS = 20000000,
  NAME_SIZE = 4096
};

static const struct {
  const char *suffix, *type;
} content_types[] = {
    {"html", "text/html; charset=utf-8"},
    {"js", "text/javascript; charset=utf-8"},
    {"css", "text/css; charset=utf-8"},
    {"json", "application/json"},
    {"svg", "image/svg+xml"},
    {"png", "image/png"},
    {"ico", "image/x-icon"},
    {"woff2", "font/woff2"},
    {"wasm", "application/wasm"},
};

const char* view_content_type(const char* path) {
  const char* dot = strrchr(path, '.');
  for (size_t i = 0; dot && i < sizeof content_types / sizeof content_types[0]; i++) {
    if (strcasecmp(dot + 1, content_types[i].suffix) == 0) return content_types[i].type;
  }
  return "application/octet-stream";
}

static bool ends_in(const char* path, const char* suffix) {
  const char* dot = strrchr(path, '.');
  return dot && strcasecmp(dot + 1, suffix) == 0;
}

static int find(const viewAssets* assets, const char* path) {
  for (int i = 0; i < assets->count; i++) {
    if (strcmp(assets->asset[i].path, path) == 0) return i;
  }
  return -1;
}

static int append(viewAssets* assets, const char* path, viewBytes* bytes) {
  char* copy = assets->count < VIEW_MAX_ASSETS ? strdup(path) : NULL;
  if (!copy) {
    view_bytes_drop(bytes);
    return -1;
  }
  assets->asset[assets->count] = (viewAsset){copy, bytes};
  return assets->count++;
}

// A file that the world names and may read. NULL if there is none.
static viewBytes* read_file(const rutSpec* spec, const char* path) {
  void* content;
  size_t size;
  if (rut_spec_read_file(spec, path, MAX_FILE, &content, &size, NULL) != RUT_OK) return NULL;
  viewBytes* bytes = view_bytes_of(content, size);
  free(content);
  return bytes;
}

// What is given away is what was looked at, so it is kept.
static int add_file(viewAssets* assets, const rutSpec* spec, const char* path, bool* fresh) {
  *fresh = false;
  const int known = find(assets, path);
  if (known >= 0) return known;
  viewBytes* bytes = read_file(spec, path);
  const bool fine = bytes && bytes->size <= MAX_FILES - assets->size &&
                    view_asset_fits(path, bytes->data, bytes->size);
  if (!fine) {
    view_bytes_drop(bytes);
    return -1;
  }
  *fresh = true;
  assets->size += bytes->size;
  return append(assets, path, bytes);
}

// ---- what meshes refer to ----

// Add a file beside another. Names that lead out of its folder are not followed.
static int add_beside(viewAssets* assets, const rutSpec* spec, const char* path, const char* name,
                      bool* fresh) {
  char beside[NAME_SIZE];
  *fresh = false;
  if (name[0] == '/' || strstr(name, "..") || strchr(name, ':')) return -1;
  const char* slash = strrchr(path, '/');
  const int folder = slash ? (int)(slash - path) + 1 : 0;
  const int n = snprintf(beside, sizeof beside, "%.*s%s", folder, path, name);
  return n > 0 && n < (int)sizeof beside ? add_file(assets, spec, beside, fresh) : -1;
}

// Calls found for what follows each of some words at the beginning of a line.
static void scan_lines(viewAssets* assets, const rutSpec* spec, int index, const char* const* word,
                       int words,
                       void (*found)(viewAssets*, const rutSpec*, const char*, const char*)) {
  const viewAsset* asset = &assets->asset[index];
  const char* path = asset->path;
  viewBytes* text = view_bytes_of(asset->bytes->data, asset->bytes->size);
  if (!text) return;
  char* line = (char*)text->data;
  while (line && *line) {
    char* next = strchr(line, '\n');
    if (next) *next++ = 0;
    line += strspn(line, " \t");
    const size_t length = strcspn(line, " \t");
    for (int i = 0; i < words; i++) {
      if (strlen(word[i]) != length || strncasecmp(line, word[i], length) != 0) continue;
      char* name = line + length + strspn(line + length, " \t");
      for (size_t n = strlen(name); n > 0 && isspace((unsigned char)name[n - 1]);) name[--n] = 0;
      if (*name) found(assets, spec, path, name);
    }
    line = next;
  }
  view_bytes_drop(text);
}

// The last word is the file, options stand before it.
static void add_texture(viewAssets* assets, const rutSpec* spec, const char* path,
                        const char* name) {
  bool fresh;
  const char* last = strrchr(name, ' ');
  if (add_beside(assets, spec, path, name, &fresh) < 0 && last) {
    add_beside(assets, spec, path, last + 1, &fresh);
  }
}

static void add_materials(viewAssets* assets, const rutSpec* spec, const char* path,
                          const char* name) {
  static const char* const maps[] = {"map_Kd",   "map_Ks", "map_Ka", "map_d",
                                     "map_Bump", "bump",   "norm"};
  bool fresh = false;
  const int index = add_beside(assets, spec, path, name, &fresh);
  if (index < 0 || !fresh) return;
  scan_lines(assets, spec, index, maps, (int)(sizeof maps / sizeof maps[0]), add_texture);
}

// Buffers and images of glTF that stand in files of their own: what each "uri" says. Whatever else
// is called so names no file, or one that lies beside the mesh anyway.
static void add_gltf_parts(viewAssets* assets, const rutSpec* spec, int index) {
  const viewAsset asset = assets->asset[index];
  for (const char* at = (const char*)asset.bytes->data; (at = strstr(at, "\"uri\"")); at++) {
    const char* name = at + 5 + strspn(at + 5, " \t\r\n");
    if (*name != ':') continue;
    name += 1 + strspn(name + 1, " \t\r\n");
    const size_t length = *name == '"' ? strcspn(name + 1, "\"\\") : 0;
    if (length == 0 || length >= NAME_SIZE || name[1 + length] != '"') continue;
    char file[NAME_SIZE];
    bool fresh;
    memcpy(file, name + 1, length);
    file[length] = '\0';
    if (strncmp(file, "data:", 5) != 0) add_beside(assets, spec, asset.path, file, &fresh);
  }
}

int view_assets_mesh(viewAssets* assets, const rutSpec* spec, const char* path) {
  static const char* const libraries[] = {"mtllib"};
  bool fresh = false;
  const int index = add_file(assets, spec, path, &fresh);
  if (index < 0 || !fresh) return index;
  if (ends_in(path, "obj")) scan_lines(assets, spec, index, libraries, 1, add_materials);
  if (ends_in(path, "gltf")) add_gltf_parts(assets, spec, index);
  return index;
}

int view_assets_bytes(viewAssets* assets, const char* name, viewBytes* bytes) {
  return bytes ? append(assets, name, bytes) : -1;
}

// ---- clouds of points ----

static void rotate(double roll, double pitch, double yaw, const double p[3], double out[3]) {
  const double cr = cos(roll), sr = sin(roll), cp = cos(pitch), sp = sin(pitch);
  const double cy = cos(yaw), sy = sin(yaw);
  out[0] = cy * cp * p[0] + (cy * sp * sr - sy * cr) * p[1] + (cy * sp * cr + sy * sr) * p[2];
  out[1] = sy * cp * p[0] + (sy * sp * sr + cy * cr) * p[1] + (sy * sp * cr - cy * sr) * p[2];
  out[2] = -sp * p[0] + cp * sr * p[1] + cp * cr * p[2];
}

// Numbers at the beginning of a line, up to n of them.
static int read_numbers(const char* line, int n, double* out) {
  int found = 0;
  for (char* end; found < n; line = end) {
    line += strspn(line, " \t,;");
    out[found] = strtod(line, &end);
    if (end == line) break;
    found++;
  }
  return found;
}

int view_assets_points(viewAssets* assets, const rutSpec* spec, rutNode cloud) {
  const char* path = rut_node_text(spec, cloud, "file");
  viewBytes* text = read_file(spec, path);
  if (!text) return -1;
  size_t lines = 1, count = 0;
  for (size_t i = 0; i < text->size; i++) lines += text->data[i] == '\n';
  if (lines > MAX_POINTS) lines = MAX_POINTS;
  const int columns = (int)rut_node_number(spec, cloud, "columns");
  const double roll = rut_node_number(spec, cloud, "roll");
  const double pitch = rut_node_number(spec, cloud, "pitch");
  const double yaw = rut_node_number(spec, cloud, "yaw");
  int n = 0;
  const double* offset = rut_node_numbers(spec, cloud, "offset", &n);
  viewBytes* bytes = view_bytes_create(lines * 3 * sizeof(float));
  for (char* line = (char*)text->data; bytes && line && count < lines;) {
    char* next = strchr(line, '\n');
    if (next) *next++ = 0;
    double p[3] = {0}, at[3];
    if (read_numbers(line, columns, p) == columns) {
      rotate(roll, pitch, yaw, p, at);
      for (int i = 0; i < 3; i++) {
        const float value = (float)(at[i] + (i < n ? offset[i] : 0));
        memcpy(bytes->data + (3 * count + (size_t)i) * sizeof value, &value, sizeof value);
      }
      count++;
    }
    line = next;
  }
  if (bytes) bytes->size = count * 3 * sizeof(float);
  view_bytes_drop(text);
  return view_assets_bytes(assets, "points.f32", bytes);
}

void view_assets_free(viewAssets* assets) {
  for (int i = 0; i < assets->count; i++) {
    free(assets->asset[i].path);
    view_bytes_drop(assets->asset[i].bytes);
  }
  assets->count = 0;
  assets->size = 0;
}
