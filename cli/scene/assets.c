// SPDX-License-Identifier: BSD-3-Clause
#include "scene/assets.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

enum {
  MAX_TEXT = 256 << 20,  // bytes of a file that refers to others, or holds points
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
    {"jpg", "image/jpeg"},
    {"jpeg", "image/jpeg"},
    {"webp", "image/webp"},
    {"gif", "image/gif"},
    {"ico", "image/x-icon"},
    {"woff2", "font/woff2"},
    {"wasm", "application/wasm"},
    {"glb", "model/gltf-binary"},
    {"gltf", "model/gltf+json"},
    {"obj", "text/plain; charset=utf-8"},
    {"mtl", "text/plain; charset=utf-8"},
    {"txt", "text/plain; charset=utf-8"},
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

static int add_file(viewAssets* assets, const char* path, bool* fresh) {
  struct stat info;
  *fresh = false;
  const int known = find(assets, path);
  if (known >= 0) return known;
  if (stat(path, &info) != 0 || !S_ISREG(info.st_mode)) return -1;
  *fresh = true;
  return append(assets, path, NULL);
}

// ---- what meshes refer to ----

// Add a file beside another. Names that lead out of its folder are not followed.
static int add_beside(viewAssets* assets, const char* path, const char* name, bool* fresh) {
  char beside[NAME_SIZE];
  *fresh = false;
  if (name[0] == '/' || strstr(name, "..") || strchr(name, ':')) return -1;
  const char* slash = strrchr(path, '/');
  const int folder = slash ? (int)(slash - path) + 1 : 0;
  const int n = snprintf(beside, sizeof beside, "%.*s%s", folder, path, name);
  return n > 0 && n < (int)sizeof beside ? add_file(assets, beside, fresh) : -1;
}

// Calls found for what follows each of some words at the beginning of a line.
static void scan_lines(viewAssets* assets, const char* path, const char* const* word, int words,
                       void (*found)(viewAssets*, const char*, const char*)) {
  viewBytes* text = view_bytes_read(path, MAX_TEXT);
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
      if (*name) found(assets, path, name);
    }
    line = next;
  }
  view_bytes_drop(text);
}

// The last word is the file, options stand before it.
static void add_texture(viewAssets* assets, const char* path, const char* name) {
  bool fresh;
  const char* last = strrchr(name, ' ');
  if (add_beside(assets, path, name, &fresh) < 0 && last) {
    add_beside(assets, path, last + 1, &fresh);
  }
}

static void add_materials(viewAssets* assets, const char* path, const char* name) {
  static const char* const maps[] = {"map_Kd",   "map_Ks", "map_Ka", "map_d",
                                     "map_Bump", "bump",   "norm"};
  bool fresh = false;
  const int index = add_beside(assets, path, name, &fresh);
  if (index < 0 || !fresh) return;
  char materials[NAME_SIZE];
  snprintf(materials, sizeof materials, "%s", assets->asset[index].path);
  scan_lines(assets, materials, maps, (int)(sizeof maps / sizeof maps[0]), add_texture);
}

// Buffers and images of glTF that stand in files of their own: what each "uri" says. Whatever else
// is called so names no file, or one that lies beside the mesh anyway.
static void add_gltf_parts(viewAssets* assets, const char* path) {
  viewBytes* text = view_bytes_read(path, MAX_TEXT);
  if (!text) return;
  for (char* at = (char*)text->data; (at = strstr(at, "\"uri\"")); at++) {
    char* name = at + 5 + strspn(at + 5, " \t\r\n");
    if (*name != ':') continue;
    name += 1 + strspn(name + 1, " \t\r\n");
    const size_t length = *name == '"' ? strcspn(name + 1, "\"\\") : 0;
    if (length == 0 || length >= NAME_SIZE || name[1 + length] != '"') continue;
    char file[NAME_SIZE];
    bool fresh;
    memcpy(file, name + 1, length);
    file[length] = '\0';
    if (strncmp(file, "data:", 5) != 0) add_beside(assets, path, file, &fresh);
  }
  view_bytes_drop(text);
}

int view_assets_mesh(viewAssets* assets, const char* path) {
  static const char* const libraries[] = {"mtllib"};
  bool fresh = false;
  const int index = add_file(assets, path, &fresh);
  if (index < 0 || !fresh) return index;
  if (ends_in(path, "obj")) scan_lines(assets, path, libraries, 1, add_materials);
  if (ends_in(path, "gltf")) add_gltf_parts(assets, path);
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
  viewBytes* text = view_bytes_read(path, MAX_TEXT);
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
}
