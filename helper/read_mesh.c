// SPDX-License-Identifier: BSD-3-Clause
//
// Meshes, with assimp.
#include "read_mesh.h"

#include <assimp/cfileio.h>
#include <assimp/cimport.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/dynamic.h"
#include "confine.h"
#include "format/mesh_answer.h"

enum {
  MAX_NODE_DEPTH = 256,
  MAX_NODES = 1 << 20,
  SECONDS = 30,          // of processor time
  MEMORY = 512 << 20,    // bytes, and
  MEMORY_PER_BYTE = 16,  // of the file: assimp takes up to 12
};

// ---------------------------------------------------------------------------------------------
// The file, and no other

typedef struct Memory {
  char* bytes;
  size_t size;
  char name[16];  // what assimp calls it
} Memory;

typedef struct Reader {
  const Memory* memory;
  size_t at;
} Reader;

static size_t read_proc(struct aiFile* file, char* out, size_t size, size_t count) {
  Reader* reader = (Reader*)file->UserData;
  if (size == 0) return 0;
  const size_t left = (reader->memory->size - reader->at) / size;
  const size_t n = count < left ? count : left;
  memcpy(out, reader->memory->bytes + reader->at, n * size);
  reader->at += n * size;
  return n;
}

static size_t write_proc(struct aiFile* file, const char* bytes, size_t size, size_t count) {
  (void)file, (void)bytes, (void)size, (void)count;
  return 0;
}

static size_t tell_proc(struct aiFile* file) { return ((const Reader*)file->UserData)->at; }

static size_t size_proc(struct aiFile* file) {
  return ((const Reader*)file->UserData)->memory->size;
}

static aiReturn seek_proc(struct aiFile* file, size_t offset, enum aiOrigin origin) {
  Reader* reader = (Reader*)file->UserData;
  const size_t size = reader->memory->size;
  const size_t base = origin == aiOrigin_SET ? 0 : origin == aiOrigin_CUR ? reader->at : size;
  // offsets from the end, and some from the middle, are negative numbers in disguise
  const size_t to = base + offset;
  if (to > size) return aiReturn_FAILURE;
  reader->at = to;
  return aiReturn_SUCCESS;
}

static void flush_proc(struct aiFile* file) { (void)file; }

static struct aiFile* open_proc(struct aiFileIO* io, const char* name, const char* mode) {
  const Memory* memory = (const Memory*)io->UserData;
  const char* slash = strrchr(name, '/');
  if (strcmp(slash ? slash + 1 : name, memory->name) != 0 || mode[0] != 'r') return NULL;
  struct aiFile* file = malloc(sizeof *file);
  Reader* reader = malloc(sizeof *reader);
  if (!file || !reader) {
    free(file);
    free(reader);
    return NULL;
  }
  *reader = (Reader){memory, 0};
  *file = (struct aiFile){read_proc, write_proc, tell_proc,    size_proc,
                          seek_proc, flush_proc, (char*)reader};
  return file;
}

static void close_proc(struct aiFileIO* io, struct aiFile* file) {
  (void)io;
  if (file) free(file->UserData);
  free(file);
}

// Everything on standard input. False if there is no memory, or too much of it.
static bool read_input(Memory* memory) {
  size_t capacity = 1 << 16;
  memory->bytes = malloc(capacity);
  memory->size = 0;
  while (memory->bytes && memory->size <= RUT_MESH_MAX_BYTES) {
    if (memory->size == capacity) {
      capacity *= 2;
      char* grown = realloc(memory->bytes, capacity);
      if (!grown) return false;
      memory->bytes = grown;
    }
    const ssize_t n = read(STDIN_FILENO, memory->bytes + memory->size, capacity - memory->size);
    if (n < 0) return false;
    if (n == 0) return true;
    memory->size += (size_t)n;
  }
  return false;
}

// ---------------------------------------------------------------------------------------------
// Answers

static char buffer[1 << 16];
static size_t buffered;

static void flush_output(void) {
  for (size_t done = 0; done < buffered;) {
    const ssize_t n = write(STDOUT_FILENO, buffer + done, buffered - done);
    if (n <= 0) _exit(1);
    done += (size_t)n;
  }
  buffered = 0;
}

static void put(const void* bytes, size_t size) {
  if (buffered + size > sizeof buffer) flush_output();
  memcpy(buffer + buffered, bytes, size);
  buffered += size;
}

static int answer_error(rutStatus status, const char* format, const char* detail) {
  char text[RUT_MESH_ANSWER_TEXT + 1];
  int n = snprintf(text, sizeof text, format, detail);
  if (n > RUT_MESH_ANSWER_TEXT) n = RUT_MESH_ANSWER_TEXT;
  rutMeshAnswer head = {.status = status, .text = n > 0 ? (uint32_t)n : 0};
  memcpy(head.mark, RUT_MESH_ANSWER_MARK, sizeof head.mark);
  put(&head, sizeof head);
  put(text, head.text);
  flush_output();
  return 0;
}

// ---------------------------------------------------------------------------------------------
// The scene, flat

// Totals over all nodes. A mesh may hang below several nodes and then counts each time.
typedef struct Totals {
  uint64_t points, triangles, lines;
  int nodes;
} Totals;

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

static bool is_number(ai_real value) { return isfinite((double)value); }

static void put_points(const struct aiMesh* mesh, const Affine* tf) {
  for (unsigned i = 0; i < mesh->mNumVertices; i++) {
    const struct aiVector3D* v = &mesh->mVertices[i];
    const bool good = is_number(v->x) && is_number(v->y) && is_number(v->z);
    double p[3];
    for (int k = 0; k < 3; k++) {
      const double* row = tf->m[k];
      // a vertex that is not finite keeps its place, as NaN, so that indices stay right
      p[k] = good ? row[0] * (double)v->x + row[1] * (double)v->y + row[2] * (double)v->z + row[3]
                  : (double)NAN;
    }
    put(p, sizeof p);
  }
}

// Faces of `corners` corners, whose indices count from the mesh's first point.
static void put_faces(const struct aiMesh* mesh, unsigned corners, uint64_t first) {
  for (unsigned i = 0; i < mesh->mNumFaces; i++) {
    const struct aiFace* face = &mesh->mFaces[i];
    if (face->mNumIndices != corners) continue;
    for (unsigned k = 0; k < corners; k++) {
      const unsigned index = face->mIndices[k] < mesh->mNumVertices ? face->mIndices[k] : 0;
      const int32_t at = (int32_t)(first + index);
      put(&at, sizeof at);
    }
  }
}

static void put_all_points(const struct aiScene* scene, const struct aiNode* node,
                           const Affine* parent) {
  const Affine own = affine_of(&node->mTransformation), tf = compose(parent, &own);
  for (unsigned i = 0; i < node->mNumMeshes; i++) put_points(scene->mMeshes[node->mMeshes[i]], &tf);
  for (unsigned i = 0; i < node->mNumChildren; i++) put_all_points(scene, node->mChildren[i], &tf);
}

static void put_all_faces(const struct aiScene* scene, const struct aiNode* node, unsigned corners,
                          uint64_t* first) {
  for (unsigned i = 0; i < node->mNumMeshes; i++) {
    const struct aiMesh* mesh = scene->mMeshes[node->mMeshes[i]];
    put_faces(mesh, corners, *first);
    *first += mesh->mNumVertices;
  }
  for (unsigned i = 0; i < node->mNumChildren; i++) {
    put_all_faces(scene, node->mChildren[i], corners, first);
  }
}

static int answer_scene(const struct aiScene* scene) {
  Totals t = {0};
  if (!scene->mRootNode || !count_node(scene, scene->mRootNode, 0, &t)) {
    return answer_error(RUT_ERR_CAPACITY, "mesh has too many vertices or nodes%s", "");
  }
  if (t.points == 0) return answer_error(RUT_ERR_PARSE, "mesh has no vertices%s", "");
  rutMeshAnswer head = {
      .points = (uint32_t)t.points, .triangles = (uint32_t)t.triangles, .lines = (uint32_t)t.lines};
  memcpy(head.mark, RUT_MESH_ANSWER_MARK, sizeof head.mark);
  put(&head, sizeof head);
  static const Affine identity = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
  uint64_t first = 0;
  put_all_points(scene, scene->mRootNode, &identity);
  put_all_faces(scene, scene->mRootNode, 3, &first);
  first = 0;
  put_all_faces(scene, scene->mRootNode, 2, &first);
  flush_output();
  return 0;
}

// ---------------------------------------------------------------------------------------------

// What is used of the library.
typedef struct Assimp {
  const struct aiScene* (*import)(const char*, unsigned, struct aiFileIO*);
  const char* (*error)(void);
} Assimp;

static bool load_assimp(Assimp* lib) {
  const rutSymbol symbols[] = {{"aiImportFileEx", &lib->import}, {"aiGetErrorString", &lib->error}};
  return rut_dynamic_load(RUT_ASSIMP_LIBRARY, symbols, sizeof symbols / sizeof symbols[0]);
}

int read_mesh(const char* ending) {
  Assimp lib;
  if (!load_assimp(&lib)) {
    return answer_error(RUT_ERR_MISSING, "meshes need the assimp library: %s",
                        "apt-get install libassimp5");
  }
  Memory memory;
  if (!read_input(&memory)) return answer_error(RUT_ERR_MEMORY, "no memory for a mesh%s", "");
  snprintf(memory.name, sizeof memory.name, "mesh.%.8s", ending);
  if (!confine(MEMORY + MEMORY_PER_BYTE * memory.size, SECONDS)) {
    return answer_error(RUT_ERR_MEMORY, "the process that reads meshes cannot be confined%s", "");
  }
  struct aiFileIO io = {open_proc, close_proc, (char*)&memory};
  const struct aiScene* scene = lib.import(memory.name, aiProcess_Triangulate, &io);
  int status;
  if (scene) {
    status = answer_scene(scene);
  } else if (strstr(lib.error(), "bad_alloc")) {
    status = answer_error(RUT_ERR_MEMORY, "mesh takes too much memory to read%s", "");
  } else {
    status = answer_error(RUT_ERR_PARSE, "mesh cannot be read: %s", lib.error());
  }
  // the process ends here: what it holds is not worth putting in order
  _exit(status);
}
