// SPDX-License-Identifier: BSD-3-Clause
#include "scene/glb.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "scene/little_endian.h"

#define CREASE_COSINE 0.766  // of 40 deg
enum { GLTF_FLOAT = 5126, GLTF_UINT = 5125, GLTF_VERTICES = 34962, GLTF_INDICES = 34963 };

// A corner of a triangle, in order of places: those at one place stand together.
typedef struct Corner {
  double at[3];
  int triangle, corner;
} Corner;

// A vertex of the file.
typedef struct Vertex {
  float position[3], normal[3];
} Vertex;

typedef struct Writer {
  const rutMeshModel* mesh;
  double (*normal)[3];  // [triangles] of length twice the area
  Corner* corner;       // [3 triangles]
  Vertex* vertex;       // [vertices]
  int vertices;
  uint32_t (*index)[3];  // [triangles] vertices
  int* count;            // [materials] triangles of each
} Writer;

// ---- normals ----

static double dot(const double* a, const double* b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void find_normal(const rutMeshModel* mesh, int triangle, double out[3]) {
  const int* t = mesh->triangle[triangle];
  double u[3], v[3];
  for (int k = 0; k < 3; k++) {
    u[k] = mesh->point[t[1]][k] - mesh->point[t[0]][k];
    v[k] = mesh->point[t[2]][k] - mesh->point[t[0]][k];
  }
  out[0] = u[1] * v[2] - u[2] * v[1];
  out[1] = u[2] * v[0] - u[0] * v[2];
  out[2] = u[0] * v[1] - u[1] * v[0];
}

static int compare_places(const Corner* a, const Corner* b) {
  for (int k = 0; k < 3; k++) {
    if (a->at[k] != b->at[k]) return a->at[k] < b->at[k] ? -1 : 1;
  }
  return 0;
}

static int compare_corners(const void* a, const void* b) {
  const Corner *p = a, *q = b;
  const int place = compare_places(p, q);
  if (place) return place;
  return p->triangle != q->triangle ? p->triangle - q->triangle : p->corner - q->corner;
}

static void list_corners(Writer* w) {
  const rutMeshModel* mesh = w->mesh;
  for (int i = 0; i < 3 * mesh->triangles; i++) {
    Corner* c = &w->corner[i];
    c->triangle = i / 3;
    c->corner = i % 3;
    memcpy(c->at, mesh->point[mesh->triangle[c->triangle][c->corner]], sizeof c->at);
  }
  qsort(w->corner, 3 * (size_t)mesh->triangles, sizeof *w->corner, compare_corners);
}

// Mean normal of the triangles of a place that make less than the crease angle with one of them,
// weighted with their areas.
static void smooth_normal(const Writer* w, const Corner* first, int n, int triangle, float out[3]) {
  const double* own = w->normal[triangle];
  const double length = sqrt(dot(own, own));
  double sum[3] = {0};
  for (int i = 0; i < n; i++) {
    const double* other = w->normal[first[i].triangle];
    if (dot(own, other) < CREASE_COSINE * length * sqrt(dot(other, other))) continue;
    for (int k = 0; k < 3; k++) sum[k] += other[k];
  }
  const double size = sqrt(dot(sum, sum));
  for (int k = 0; k < 3; k++) {
    // a triangle without an area takes any
    out[k] = size > 0 ? (float)(sum[k] / size) : (float)(k == 2);
  }
}

static bool equal(const float a[3], const float b[3]) {
  return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

// Vertices of the corners at one place: one for each normal.
static void add_place(Writer* w, const Corner* first, int n) {
  const int begin = w->vertices;
  for (int i = 0; i < n; i++) {
    Vertex v;
    for (int k = 0; k < 3; k++) v.position[k] = (float)first[i].at[k];
    smooth_normal(w, first, n, first[i].triangle, v.normal);
    int at = begin;
    while (at < w->vertices && !equal(w->vertex[at].normal, v.normal)) at++;
    if (at == w->vertices) w->vertex[w->vertices++] = v;
    w->index[first[i].triangle][first[i].corner] = (uint32_t)at;
  }
}

static void add_vertices(Writer* w) {
  for (int i = 0; i < w->mesh->triangles; i++) find_normal(w->mesh, i, w->normal[i]);
  list_corners(w);
  const int corners = 3 * w->mesh->triangles;
  for (int i = 0; i < corners;) {
    int end = i + 1;
    while (end < corners && compare_places(&w->corner[i], &w->corner[end]) == 0) end++;
    add_place(w, w->corner + i, end - i);
    i = end;
  }
}

// ---- JSON ----

static void put_floats(cliJson* json, const char* key, int n, const double* value) {
  cli_json_array(json, key);
  for (int i = 0; i < n; i++) cli_json_number(json, NULL, value[i]);
  cli_json_end(json);
}

// Metals have no diffuse colour of their own: glTF's base colour is then what they mirror.
static void put_material(cliJson* json, const rutMaterial* m, double transmission) {
  const double metal = fmin(1, fmax(0, (m->specular - 0.04) / 0.46));
  double colour[4] = {0, 0, 0, 1 - transmission};
  for (int k = 0; k < 3; k++) {
    colour[k] = (1 - metal) * m->colour[k] + metal * fmax(m->colour[k], m->specular);
  }
  cli_json_object(json, NULL);
  cli_json_object(json, "pbrMetallicRoughness");
  put_floats(json, "baseColorFactor", 4, colour);
  cli_json_number(json, "metallicFactor", metal);
  cli_json_number(json, "roughnessFactor", m->roughness);
  cli_json_end(json);
  if (transmission > 0) cli_json_text(json, "alphaMode", "BLEND");
  cli_json_end(json);
}

static void put_view(cliJson* json, size_t offset, size_t size, size_t stride, int target) {
  cli_json_object(json, NULL);
  cli_json_integer(json, "buffer", 0);
  cli_json_integer(json, "byteOffset", (int64_t)offset);
  cli_json_integer(json, "byteLength", (int64_t)size);
  if (stride) cli_json_integer(json, "byteStride", (int64_t)stride);
  cli_json_integer(json, "target", target);
  cli_json_end(json);
}

static void put_accessor(cliJson* json, int view, size_t offset, int type, int count) {
  cli_json_integer(json, "bufferView", view);
  cli_json_integer(json, "byteOffset", (int64_t)offset);
  cli_json_integer(json, "componentType", type);
  cli_json_integer(json, "count", count);
  cli_json_text(json, "type", type == GLTF_FLOAT ? "VEC3" : "SCALAR");
}

static void put_bounds(const Writer* w, cliJson* json) {
  double low[3] = {0}, high[3] = {0};
  for (int i = 0; i < w->vertices; i++) {
    for (int k = 0; k < 3; k++) {
      const double p = (double)w->vertex[i].position[k];
      low[k] = i ? fmin(low[k], p) : p;
      high[k] = i ? fmax(high[k], p) : p;
    }
  }
  put_floats(json, "min", 3, low);
  put_floats(json, "max", 3, high);
}

// Accessors 0 and 1 are positions and normals, then the indices of each material follow.
static void put_accessors(const Writer* w, cliJson* json) {
  cli_json_array(json, "accessors");
  cli_json_object(json, NULL);
  put_accessor(json, 0, 0, GLTF_FLOAT, w->vertices);
  put_bounds(w, json);
  cli_json_end(json);
  cli_json_object(json, NULL);
  put_accessor(json, 0, sizeof(float[3]), GLTF_FLOAT, w->vertices);
  cli_json_end(json);
  size_t offset = 0;
  for (int m = 0; m < w->mesh->materials; m++) {
    if (w->count[m] == 0) continue;
    cli_json_object(json, NULL);
    put_accessor(json, 1, offset, GLTF_UINT, 3 * w->count[m]);
    cli_json_end(json);
    offset += (size_t)w->count[m] * sizeof *w->index;
  }
  cli_json_end(json);
}

static void put_meshes(const Writer* w, cliJson* json) {
  int accessor = 2;
  cli_json_array(json, "meshes");
  cli_json_object(json, NULL);
  cli_json_array(json, "primitives");
  for (int m = 0; m < w->mesh->materials; m++) {
    if (w->count[m] == 0) continue;
    cli_json_object(json, NULL);
    cli_json_object(json, "attributes");
    cli_json_integer(json, "POSITION", 0);
    cli_json_integer(json, "NORMAL", 1);
    cli_json_end(json);
    cli_json_integer(json, "indices", accessor++);
    cli_json_integer(json, "material", m);
    cli_json_end(json);
  }
  for (int i = 0; i < 3; i++) cli_json_end(json);
  cli_json_array(json, "materials");
  for (int m = 0; m < w->mesh->materials; m++) {
    put_material(json, &w->mesh->surface[m], w->mesh->transmission[m]);
  }
  cli_json_end(json);
}

static void put_nodes(cliJson* json) {
  static const double turn[4] = {-0.70710678118654752, 0, 0, 0.70710678118654752};
  cli_json_object(json, "asset");
  cli_json_text(json, "version", "2.0");
  cli_json_text(json, "generator", "rut");
  cli_json_end(json);
  cli_json_integer(json, "scene", 0);
  cli_json_array(json, "scenes");
  cli_json_object(json, NULL);
  cli_json_array(json, "nodes");
  cli_json_integer(json, NULL, 0);
  for (int i = 0; i < 3; i++) cli_json_end(json);
  cli_json_array(json, "nodes");
  cli_json_object(json, NULL);
  cli_json_integer(json, "mesh", 0);
  put_floats(json, "rotation", 4, turn);
  for (int i = 0; i < 2; i++) cli_json_end(json);
}

static char* write_json(const Writer* w, size_t vertices, size_t indices, size_t* size) {
  char* text = NULL;
  FILE* out = open_memstream(&text, size);
  if (!out) return NULL;
  cliJson json;
  cli_json_init(&json, out);
  cli_json_object(&json, NULL);
  put_nodes(&json);
  put_meshes(w, &json);
  put_accessors(w, &json);
  cli_json_array(&json, "bufferViews");
  put_view(&json, 0, vertices, sizeof(Vertex), GLTF_VERTICES);
  put_view(&json, vertices, indices, 0, GLTF_INDICES);
  cli_json_end(&json);
  cli_json_array(&json, "buffers");
  cli_json_object(&json, NULL);
  cli_json_integer(&json, "byteLength", (int64_t)(vertices + indices));
  for (int i = 0; i < 3; i++) cli_json_end(&json);
  if (fclose(out) == 0) return text;
  free(text);
  return NULL;
}

// ---- file ----

static unsigned char* put_uint(unsigned char* at, size_t value) {
  for (int i = 0; i < 4; i++) at[i] = (unsigned char)(value >> (8 * i));
  return at + 4;
}

static unsigned char* put_float(unsigned char* at, float value) {
  view_put_f32(at, value);
  return at + 4;
}

static void put_binary(const Writer* w, unsigned char* at) {
  for (int i = 0; i < w->vertices; i++) {
    for (int k = 0; k < 3; k++) at = put_float(at, w->vertex[i].position[k]);
    for (int k = 0; k < 3; k++) at = put_float(at, w->vertex[i].normal[k]);
  }
  for (int m = 0; m < w->mesh->materials; m++) {
    for (int i = 0; i < w->mesh->triangles; i++) {
      if (w->mesh->material[i] != m) continue;
      for (int k = 0; k < 3; k++) at = put_uint(at, w->index[i][k]);
    }
  }
}

static viewBytes* write_file(const Writer* w) {
  const size_t vertices = (size_t)w->vertices * sizeof(Vertex);
  const size_t indices = (size_t)w->mesh->triangles * sizeof *w->index;
  const size_t binary = vertices + indices;
  size_t length = 0;
  char* text = write_json(w, vertices, indices, &length);
  if (!text) return NULL;
  const size_t padded = (length + 3) & ~(size_t)3, size = 12 + 8 + padded + 8 + binary;
  viewBytes* bytes = size < UINT32_MAX ? view_bytes_create(size) : NULL;
  if (bytes) {
    unsigned char* at = bytes->data;
    at = put_uint(put_uint(put_uint(at, 0x46546C67), 2), size);  // "glTF", version
    at = put_uint(put_uint(at, padded), 0x4E4F534A);             // "JSON"
    memset(at, ' ', padded);
    memcpy(at, text, length);
    at = put_uint(put_uint(at + padded, binary), 0x004E4942);  // "BIN"
    put_binary(w, at);
  }
  free(text);
  return bytes;
}

viewBytes* view_glb_write(const rutMeshModel* mesh) {
  const size_t triangles = (size_t)mesh->triangles + 1;
  Writer w = {.mesh = mesh,
              .normal = calloc(triangles, sizeof *w.normal),
              .corner = calloc(3 * triangles, sizeof *w.corner),
              .vertex = calloc(3 * triangles, sizeof *w.vertex),
              .index = calloc(triangles, sizeof *w.index),
              .count = calloc((size_t)mesh->materials + 1, sizeof *w.count)};
  viewBytes* bytes = NULL;
  if (w.normal && w.corner && w.vertex && w.index && w.count && mesh->triangles > 0) {
    for (int i = 0; i < mesh->triangles; i++) w.count[mesh->material[i]]++;
    add_vertices(&w);
    bytes = write_file(&w);
  }
  free(w.normal);
  free(w.corner);
  free(w.vertex);
  free(w.index);
  free(w.count);
  return bytes;
}
