// SPDX-License-Identifier: BSD-3-Clause
#include "format/mesh.h"

#include <stdlib.h>
#include <string.h>

#include "base/dynamic.h"
#include "geom/polygon.h"
#include "math/rut_math.h"

#ifdef RUT_HAVE_ASSIMP
#include <assimp/cimport.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#endif

void rut_mesh_free(rutMesh* mesh) {
  free(mesh->point);
  free(mesh->triangle);
  free(mesh->line);
  *mesh = (rutMesh){0};
}

// ---------------------------------------------------------------------------------------------
// Reading

static rutStatus without_assimp(const char* name, rutReporter* reporter) {
  return rut_report_error(reporter, RUT_ERR_MISSING, (rutPlace){name, 0, 0}, "",
                          "apt-get install libassimp-dev, and build again if rut was built without",
                          "meshes need the assimp library, which is not there");
}

#ifdef RUT_HAVE_ASSIMP

enum { MAX_NODE_DEPTH = 256, MAX_NODES = 1 << 20 };

// Totals over all nodes. A mesh may hang below several nodes and then counts each time.
typedef struct Totals {
  uint64_t points, triangles, lines;
  int nodes;
} Totals;

static bool is_number(ai_real value) { return rut_is_finite((double)value); }

static void count_faces(const struct aiMesh* mesh, Totals* t) {
  for (unsigned i = 0; i < mesh->mNumFaces; i++) {
    if (mesh->mFaces[i].mNumIndices == 3) t->triangles++;
    if (mesh->mFaces[i].mNumIndices == 2) t->lines++;
  }
}

// False if the tree is too deep or too large.
static bool count_node(const struct aiScene* scene, const struct aiNode* node, int depth,
                       Totals* t) {
  if (depth > MAX_NODE_DEPTH || ++t->nodes > MAX_NODES) return false;
  for (unsigned i = 0; i < node->mNumMeshes; i++) {
    const struct aiMesh* mesh = scene->mMeshes[node->mMeshes[i]];
    t->points += mesh->mNumVertices;
    if (t->points > RUT_MESH_MAX_POINTS) return false;
    count_faces(mesh, t);
    if (t->triangles > RUT_MESH_MAX_POINTS || t->lines > RUT_MESH_MAX_POINTS) return false;
  }
  for (unsigned i = 0; i < node->mNumChildren; i++) {
    if (!count_node(scene, node->mChildren[i], depth + 1, t)) return false;
  }
  return true;
}

// Affine transformation of a node, rows of [3][4].
typedef struct Affine {
  double m[3][4];
} Affine;

static Affine affine_of(const struct aiMatrix4x4* a) {
  return (Affine){{{(double)a->a1, (double)a->a2, (double)a->a3, (double)a->a4},
                   {(double)a->b1, (double)a->b2, (double)a->b3, (double)a->b4},
                   {(double)a->c1, (double)a->c2, (double)a->c3, (double)a->c4}}};
}

static Affine compose(const Affine* a, const Affine* b) {
  Affine out;
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 4; j++) {
      out.m[i][j] = j == 3 ? a->m[i][3] : 0;
      for (int k = 0; k < 3; k++) out.m[i][j] += a->m[i][k] * b->m[k][j];
    }
  }
  return out;
}

static void add_mesh(const struct aiMesh* mesh, const Affine* tf, rutMesh* out) {
  int first = out->points;
  for (unsigned i = 0; i < mesh->mNumVertices; i++) {
    const struct aiVector3D* v = &mesh->mVertices[i];
    double* p = out->point + 3 * (size_t)out->points++;
    bool good = is_number(v->x) && is_number(v->y) && is_number(v->z);
    for (int k = 0; k < 3; k++) {
      const double* row = tf->m[k];
      // a vertex that is not finite keeps its place, as NaN, so that indices stay right
      p[k] = good ? row[0] * (double)v->x + row[1] * (double)v->y + row[2] * (double)v->z + row[3]
                  : (double)NAN;
    }
  }
  for (unsigned i = 0; i < mesh->mNumFaces; i++) {
    const struct aiFace* face = &mesh->mFaces[i];
    unsigned n = face->mNumIndices;
    if (n != 2 && n != 3) continue;
    int* at = n == 3 ? out->triangle + 3 * (size_t)out->triangles++
                     : out->line + 2 * (size_t)out->lines++;
    for (unsigned k = 0; k < n; k++) {
      unsigned index = face->mIndices[k] < mesh->mNumVertices ? face->mIndices[k] : 0;
      at[k] = first + (int)index;
    }
  }
}

static void add_node(const struct aiScene* scene, const struct aiNode* node, const Affine* parent,
                     rutMesh* out) {
  Affine own = affine_of(&node->mTransformation);
  Affine tf = compose(parent, &own);
  for (unsigned i = 0; i < node->mNumMeshes; i++) {
    add_mesh(scene->mMeshes[node->mMeshes[i]], &tf, out);
  }
  for (unsigned i = 0; i < node->mNumChildren; i++) {
    add_node(scene, node->mChildren[i], &tf, out);
  }
}

static rutStatus flatten(const struct aiScene* scene, const char* name, rutReporter* reporter,
                         rutMesh* out) {
  rutPlace place = {name, 0, 0};
  Totals t = {0};
  if (!scene->mRootNode || !count_node(scene, scene->mRootNode, 0, &t)) {
    return rut_report_error(reporter, RUT_ERR_CAPACITY, place, "", "use a simpler mesh",
                            "mesh has too many vertices or nodes, the limit is %d",
                            RUT_MESH_MAX_POINTS);
  }
  if (t.points == 0) {
    return rut_report_error(reporter, RUT_ERR_PARSE, place, "", "", "mesh has no vertices");
  }
  out->point = malloc(3 * sizeof *out->point * t.points);
  out->triangle = malloc(3 * sizeof *out->triangle * (t.triangles + 1));
  out->line = malloc(2 * sizeof *out->line * (t.lines + 1));
  if (!out->point || !out->triangle || !out->line) {
    rut_mesh_free(out);
    return rut_report_error(reporter, RUT_ERR_MEMORY, place, "", "", "no memory for a mesh");
  }
  const Affine identity = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
  add_node(scene, scene->mRootNode, &identity, out);
  return RUT_OK;
}

static bool known_ending(const char* ending) {
  static const char* const known[] = {"dae", "obj", "stl", "ply", "off", "glb"};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    bool same = strlen(ending) == 3;
    for (int k = 0; same && k < 3; k++) {
      char c = ending[k];
      same = (c >= 'A' && c <= 'Z' ? c + 32 : c) == known[i][k];
    }
    if (same) return true;
  }
  return false;
}

// What is used of the library, which is loaded when the first mesh is read.
typedef struct Assimp {
  const struct aiScene* (*import)(const char*, unsigned, unsigned, const char*);
  void (*release)(const struct aiScene*);
  const char* (*error)(void);
} Assimp;

static bool load_assimp(Assimp* lib) {
  const rutSymbol symbols[] = {{"aiImportFileFromMemory", &lib->import},
                               {"aiReleaseImport", &lib->release},
                               {"aiGetErrorString", &lib->error}};
  return rut_dynamic_load(RUT_ASSIMP_LIBRARY, symbols, sizeof symbols / sizeof symbols[0]);
}

rutStatus rut_mesh_decode(const void* bytes, size_t size, const char* name, rutReporter* reporter,
                          rutMesh* out) {
  *out = (rutMesh){0};
  rutPlace place = {name, 0, 0};
  const char* dot = strrchr(name, '.');
  if (!dot || !known_ending(dot + 1)) {
    return rut_report_error(reporter, RUT_ERR_PARSE, place, "",
                            "use .dae, .obj, .stl, .ply, .off or .glb",
                            "mesh format is not known from the file's ending");
  }
  if (size == 0 || size > RUT_MESH_MAX_BYTES) {
    return rut_report_error(reporter, RUT_ERR_CAPACITY, place, "", "",
                            "mesh file must have from 1 to %d bytes", RUT_MESH_MAX_BYTES);
  }
  Assimp lib;
  if (!load_assimp(&lib)) return without_assimp(name, reporter);
  const struct aiScene* scene = lib.import(bytes, (unsigned)size, aiProcess_Triangulate, dot + 1);
  if (!scene) {
    return rut_report_error(reporter, RUT_ERR_PARSE, place, "", "", "mesh cannot be read: %.300s",
                            lib.error());
  }
  rutStatus status = flatten(scene, name, reporter, out);
  lib.release(scene);
  return status;
}

#else

rutStatus rut_mesh_decode(const void* bytes, size_t size, const char* name, rutReporter* reporter,
                          rutMesh* out) {
  (void)bytes, (void)size;
  *out = (rutMesh){0};
  return without_assimp(name, reporter);
}

#endif

// ---------------------------------------------------------------------------------------------
// Geometry

void rut_mesh_transform(rutMesh* mesh, rutMeshPose pose) {
  double sy, cy, sp, cp, sr, cr;
  rut_sincos(pose.yaw, &sy, &cy);
  rut_sincos(pose.pitch, &sp, &cp);
  rut_sincos(pose.roll, &sr, &cr);
  const double rotation[3][3] = {
      {cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr},
      {sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr},
      {-sp, cp * sr, cp * cr},
  };
  for (size_t i = 0; i < (size_t)mesh->points; i++) {
    double* p = mesh->point + 3 * i;
    double x = pose.scale * p[0], y = pose.scale * p[1], z = pose.scale * p[2];
    for (int k = 0; k < 3; k++) {
      p[k] = rotation[k][0] * x + rotation[k][1] * y + rotation[k][2] * z + pose.offset[k];
    }
  }
}

// Points of the cut mesh in the plane, gathered for the hull.
typedef struct Gather {
  double low, high;
  double* xy;
  int n, capacity;
  double z_min, z_max;
  bool failed;  // out of memory
} Gather;

// When the buffer is full, its hull takes the place of its points: that keeps it small.
static void compact(Gather* g) {
  double* hull = malloc(2 * sizeof *hull * ((size_t)g->n + 1));
  if (!hull) {
    g->failed = true;
    return;
  }
  int n = rut_polygon_hull(g->n, g->xy, hull);
  memcpy(g->xy, hull, 2 * sizeof *hull * (size_t)n);
  free(hull);
  g->n = n;
  if (2 * n < g->capacity) return;
  double* grown = realloc(g->xy, 4 * sizeof *grown * (size_t)g->capacity);
  if (!grown) {
    g->failed = true;
    return;
  }
  g->xy = grown;
  g->capacity *= 2;
}

static void add_point(Gather* g, double x, double y, double z) {
  if (g->failed || !(rut_is_finite(x) && rut_is_finite(y) && rut_is_finite(z))) return;
  if (g->n == g->capacity) compact(g);
  if (g->failed) return;
  g->xy[2 * g->n] = x;
  g->xy[2 * g->n + 1] = y;
  g->n++;
  g->z_min = rut_min(g->z_min, z);
  g->z_max = rut_max(g->z_max, z);
}

// Where an edge crosses the plane at height z.
static void add_crossing(Gather* g, const double* a, const double* b, double z) {
  if (!((a[2] < z && b[2] > z) || (a[2] > z && b[2] < z))) return;
  double t = (z - a[2]) / (b[2] - a[2]);
  add_point(g, a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]), z);
}

static void add_edge(Gather* g, const double* a, const double* b) {
  if (a[2] >= g->low && a[2] <= g->high) add_point(g, a[0], a[1], a[2]);
  add_crossing(g, a, b, g->low);
  add_crossing(g, a, b, g->high);
}

static void gather_mesh(const rutMesh* mesh, Gather* g) {
  // the corners of a cut triangle are its corners in the band and the crossings of its edges
  for (size_t i = 0; i < (size_t)mesh->triangles; i++) {
    const int* corner = mesh->triangle + 3 * i;
    for (int k = 0; k < 3; k++) {
      add_edge(g, mesh->point + 3 * (size_t)corner[k],
               mesh->point + 3 * (size_t)corner[(k + 1) % 3]);
    }
  }
  for (size_t i = 0; i < (size_t)mesh->lines; i++) {
    const double* a = mesh->point + 3 * (size_t)mesh->line[2 * i];
    const double* b = mesh->point + 3 * (size_t)mesh->line[2 * i + 1];
    add_edge(g, a, b);
    if (b[2] >= g->low && b[2] <= g->high) add_point(g, b[0], b[1], b[2]);
  }
  if (mesh->triangles > 0 || mesh->lines > 0) return;
  for (size_t i = 0; i < (size_t)mesh->points; i++) {
    const double* p = mesh->point + 3 * i;
    if (p[2] >= g->low && p[2] <= g->high) add_point(g, p[0], p[1], p[2]);
  }
}

rutStatus rut_mesh_outline(const rutMesh* mesh, double z_min, double z_max, const char* name,
                           rutReporter* reporter, rutMeshOutline* out) {
  enum { FIRST_CAPACITY = 4096 };
  *out = (rutMeshOutline){0};
  Gather g = {.low = z_min,
              .high = z_max,
              .capacity = FIRST_CAPACITY,
              .z_min = HUGE_VAL,
              .z_max = -HUGE_VAL};
  g.xy = malloc(2 * sizeof *g.xy * FIRST_CAPACITY);
  double* hull = NULL;
  if (g.xy) {
    gather_mesh(mesh, &g);
    hull = malloc(2 * sizeof *hull * ((size_t)g.n + 1));
  }
  if (!g.xy || !hull || g.failed) {
    free(g.xy);
    free(hull);
    return rut_report_error(reporter, RUT_ERR_MEMORY, (rutPlace){name, 0, 0}, "", "",
                            "no memory for the outline of a mesh");
  }
  int n = rut_polygon_hull(g.n, g.xy, hull);
  if (n >= 3) {
    out->n = rut_polygon_simplify(n, hull, RUT_OUTLINE_MAX);
    memcpy(out->point, hull, 2 * sizeof *hull * (size_t)out->n);
    out->z_min = g.z_min;
    out->z_max = g.z_max;
  }
  free(g.xy);
  free(hull);
  return RUT_OK;
}
