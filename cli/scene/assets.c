// SPDX-License-Identifier: BSD-3-Clause
#include "scene/assets.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "rut/appearance.h"
#include "scene/glb.h"
#include "scene/gltf.h"

enum {
  MAX_FILE = 256 << 20,
  MAX_FILES = 1 << 30,  // bytes of all files together
  MAX_POINTS = 20000000,
  NAME_SIZE = 4096
};

// ---- files ----

static int find(const viewAssets* assets, const char* path) {
  for (int i = 0; i < assets->count; i++) {
    if (strcmp(assets->asset[i].path, path) == 0) return i;
  }
  return -1;
}

static int append(viewAssets* assets, const char* path, viewBytes* bytes, viewContent content) {
  char* copy = assets->count < VIEW_MAX_ASSETS ? strdup(path) : NULL;
  if (!copy) {
    view_bytes_drop(bytes);
    return -1;
  }
  assets->asset[assets->count] = (viewAsset){copy, bytes, content};
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

// Add a file of which a form is asked. -1 if it is not there, or has another.
static int add_file(viewAssets* assets, const rutSpec* spec, const char* path,
                    bool (*is_asked)(viewContent)) {
  viewBytes* bytes = read_file(spec, path);
  if (!bytes) return -1;
  const viewContent content = view_content_of(bytes->data, bytes->size);
  if (!is_asked(content) || bytes->size > MAX_FILES - assets->size) {
    view_bytes_drop(bytes);
    viewRefused* refused = &assets->refused;
    if (refused->count++ == 0) snprintf(refused->path, sizeof refused->path, "%.500s", path);
    return -1;
  }
  assets->size += bytes->size;
  return append(assets, path, bytes, content);
}

// ---- what meshes refer to ----

// A mesh, and the scene that it is added to.
typedef struct Mesh {
  viewAssets* assets;
  const rutSpec* spec;
  char path[NAME_SIZE];
} Mesh;

// Path of a file beside a mesh. False if there is nothing to be added: names that lead out of its
// folder are not followed, and what is known stands there already.
static bool is_new_beside(const Mesh* mesh, const char* name, char out[NAME_SIZE], bool* known) {
  *known = false;
  if (name[0] == '/' || strstr(name, "..") || strchr(name, ':')) return false;
  const char* slash = strrchr(mesh->path, '/');
  const int folder = slash ? (int)(slash - mesh->path) + 1 : 0;
  const int n = snprintf(out, NAME_SIZE, "%.*s%s", folder, mesh->path, name);
  if (n <= 0 || n >= NAME_SIZE) return false;
  *known = find(mesh->assets, out) >= 0;
  return !*known;
}

// True if there is such an image.
static bool add_image(const Mesh* mesh, const char* name) {
  char path[NAME_SIZE];
  bool known;
  if (!is_new_beside(mesh, name, path, &known)) return known;
  return add_file(mesh->assets, mesh->spec, path, view_content_is_image) >= 0;
}

// Calls found for what follows each of some words at the beginning of a line.
static void scan_lines(const Mesh* mesh, int index, const char* const* word, int words,
                       void (*found)(const Mesh*, const char*)) {
  const viewBytes* file = mesh->assets->asset[index].bytes;
  viewBytes* text = view_bytes_of(file->data, file->size);
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
      if (*name) found(mesh, name);
    }
    line = next;
  }
  view_bytes_drop(text);
}

// The last word is the file, options stand before it.
static void add_texture(const Mesh* mesh, const char* name) {
  const char* last = strrchr(name, ' ');
  if (!add_image(mesh, name) && last) add_image(mesh, last + 1);
}

static bool is_mtl(viewContent content) { return content == VIEW_CONTENT_MTL; }

static void add_materials(const Mesh* mesh, const char* name) {
  static const char* const maps[] = {"map_Kd",   "map_Ks", "map_Ka", "map_d",
                                     "map_Bump", "bump",   "norm"};
  char path[NAME_SIZE];
  bool known;
  if (!is_new_beside(mesh, name, path, &known)) return;
  const int index = add_file(mesh->assets, mesh->spec, path, is_mtl);
  if (index >= 0) scan_lines(mesh, index, maps, (int)(sizeof maps / sizeof maps[0]), add_texture);
}

// A buffer is no text, and as long as the glTF says, but for what pads it.
static void add_buffer(const Mesh* mesh, const char* name, double size) {
  char path[NAME_SIZE];
  bool known;
  viewBytes* bytes = NULL;
  if (is_new_beside(mesh, name, path, &known)) bytes = read_file(mesh->spec, path);
  const double more = bytes ? (double)bytes->size - size : -1;
  const bool fine = more >= 0 && more < 4 && bytes->size <= MAX_FILES - mesh->assets->size &&
                    view_content_is_binary(bytes->data, bytes->size);
  if (!fine) {
    view_bytes_drop(bytes);
    return;
  }
  mesh->assets->size += bytes->size;
  append(mesh->assets, path, bytes, VIEW_CONTENT_NUMBERS);
}

static void add_gltf_part(const viewGltfPart* part, void* user) {
  char name[NAME_SIZE];
  if (part->length == 0 || part->length >= sizeof name) return;
  memcpy(name, part->uri, part->length);
  name[part->length] = '\0';
  if (part->buffer) {
    add_buffer(user, name, part->bytes);
  } else {
    add_image(user, name);
  }
}

// ---- meshes ----

int view_assets_mesh(viewAssets* assets, const rutSpec* spec, const char* path) {
  static const char* const libraries[] = {"mtllib"};
  const int known = find(assets, path);
  if (known >= 0) return known;
  const int index = add_file(assets, spec, path, view_content_is_mesh);
  if (index < 0) return -1;
  const viewAsset mesh_file = assets->asset[index];
  Mesh mesh = {.assets = assets, .spec = spec};
  snprintf(mesh.path, sizeof mesh.path, "%s", path);
  if (mesh_file.content == VIEW_CONTENT_OBJ) scan_lines(&mesh, index, libraries, 1, add_materials);
  if (mesh_file.content == VIEW_CONTENT_GLTF) {
    view_gltf_read((const char*)mesh_file.bytes->data, mesh_file.bytes->size, add_gltf_part, &mesh);
  }
  return index;
}

int view_assets_bytes(viewAssets* assets, const char* name, viewBytes* bytes) {
  return bytes ? append(assets, name, bytes, VIEW_CONTENT_NUMBERS) : -1;
}

// One of the same content. -1 if there is none.
static int find_equal(const viewAssets* assets, const viewBytes* bytes) {
  for (int i = 0; i < assets->count; i++) {
    const viewBytes* other = assets->asset[i].bytes;
    if (other->size == bytes->size && memcmp(other->data, bytes->data, bytes->size) == 0) return i;
  }
  return -1;
}

static int add_made(viewAssets* assets, const char* suffix, viewBytes* bytes, viewContent content) {
  char name[40];
  if (!bytes) return -1;
  const int equal = find_equal(assets, bytes);
  if (equal >= 0) {
    view_bytes_drop(bytes);
    return equal;
  }
  snprintf(name, sizeof name, "made/%016" PRIx64 "%s", view_hash(bytes->data, bytes->size), suffix);
  return append(assets, name, bytes, content);
}

int view_assets_glb(viewAssets* assets, viewBytes* bytes) {
  return add_made(assets, ".glb", bytes, VIEW_CONTENT_GLB);
}

int view_assets_places(viewAssets* assets, viewBytes* bytes) {
  return add_made(assets, ".f32", bytes, VIEW_CONTENT_NUMBERS);
}

int view_assets_made(viewAssets* assets, const rutSpec* spec, rutNode vehicle, int part,
                     const rutMaterial* paint) {
  char name[40];
  const uint64_t hash = rut_vehicle_mesh_hash(spec, vehicle, part, paint);
  snprintf(name, sizeof name, "made/%016" PRIx64 ".glb", hash);
  const int known = find(assets, name);
  if (known >= 0) return known;
  rutMeshModel mesh;
  if (rut_vehicle_mesh(spec, vehicle, part, paint, &mesh, NULL) != RUT_OK) return -1;
  viewBytes* bytes = view_glb_write(&mesh);
  rut_mesh_model_free(&mesh);
  const int equal = bytes ? find_equal(assets, bytes) : -1;
  if (equal < 0) return bytes ? append(assets, name, bytes, VIEW_CONTENT_GLB) : -1;
  view_bytes_drop(bytes);
  return equal;
}

void view_refused_warn(const viewRefused* refused, cliReport* report) {
  if (refused->count == 0) return;
  char text[700], more[40] = "";
  if (refused->count > 1) snprintf(more, sizeof more, " (and %d more)", refused->count - 1);
  snprintf(
      text, sizeof text,
      "%s%s is not shown: it holds neither a mesh (glTF, GLB, OBJ, STL, PLY, COLLADA) nor what "
      "belongs to one (MTL, PNG, JPEG, WebP, GIF)",
      refused->path, more);
  const rutDiagnostic finding = {
      .level = RUT_WARNING, .file = "", .element = "", .message = text, .hint = ""};
  cli_report_finding(&finding, report);
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
  size_t lines = 1, count = 0, filled = 0;
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
    filled += line[strspn(line, " \t\r")] && line[strspn(line, " \t")] != '#';
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
  view_bytes_drop(text);
  if (!bytes || 2 * count < filled) {
    // mostly other things than points
    view_bytes_drop(bytes);
    return -1;
  }
  bytes->size = count * 3 * sizeof(float);
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
