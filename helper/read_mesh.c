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
#include <strings.h>
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
  size_t size;       // of all
  size_t mesh_size;  // the library of materials begins there
  char name[16];     // what assimp calls the mesh
} Memory;

typedef struct Reader {
  const char* bytes;
  size_t size, at;
} Reader;

static size_t read_proc(struct aiFile* file, char* out, size_t size, size_t count) {
  Reader* reader = (Reader*)file->UserData;
  if (size == 0) return 0;
  const size_t left = (reader->size - reader->at) / size;
  const size_t n = count < left ? count : left;
  memcpy(out, reader->bytes + reader->at, n * size);
  reader->at += n * size;
  return n;
}

static size_t write_proc(struct aiFile* file, const char* bytes, size_t size, size_t count) {
  (void)file, (void)bytes, (void)size, (void)count;
  return 0;
}

static size_t tell_proc(struct aiFile* file) { return ((const Reader*)file->UserData)->at; }

static size_t size_proc(struct aiFile* file) { return ((const Reader*)file->UserData)->size; }

static aiReturn seek_proc(struct aiFile* file, size_t offset, enum aiOrigin origin) {
  Reader* reader = (Reader*)file->UserData;
  const size_t size = reader->size;
  const size_t base = origin == aiOrigin_SET ? 0 : origin == aiOrigin_CUR ? reader->at : size;
  // offsets from the end, and some from the middle, are negative numbers in disguise
  const size_t to = base + offset;
  if (to > size) return aiReturn_FAILURE;
  reader->at = to;
  return aiReturn_SUCCESS;
}

static void flush_proc(struct aiFile* file) { (void)file; }

// Whatever library of materials is asked for, there is one.
static bool is_library(const char* name) {
  const size_t n = strlen(name);
  return n > 4 && strcasecmp(name + n - 4, ".mtl") == 0;
}

static struct aiFile* open_proc(struct aiFileIO* io, const char* name, const char* mode) {
  const Memory* memory = (const Memory*)io->UserData;
  const char* slash = strrchr(name, '/');
  const bool library = memory->mesh_size < memory->size && is_library(name);
  const bool mesh = strcmp(slash ? slash + 1 : name, memory->name) == 0;
  if (!(mesh || library) || mode[0] != 'r') return NULL;
  const size_t from = library ? memory->mesh_size : 0;
  const size_t to = library ? memory->size : memory->mesh_size;
  struct aiFile* file = malloc(sizeof *file);
  Reader* reader = malloc(sizeof *reader);
  if (!file || !reader) {
    free(file);
    free(reader);
    return NULL;
  }
  *reader = (Reader){memory->bytes + from, to - from, 0};
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
  enum { MOST = RUT_MESH_MAX_BYTES + (32 << 20) };
  size_t capacity = 1 << 16;
  memory->bytes = malloc(capacity);
  memory->size = 0;
  while (memory->bytes && memory->size <= MOST) {
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

// ---------------------------------------------------------------------------------------------
// Materials

// What is used of the library.
typedef struct Assimp {
  const struct aiScene* (*import)(const char*, unsigned, struct aiFileIO*);
  const char* (*error)(void);
  enum aiReturn (*colour)(const struct aiMaterial*, const char*, unsigned, unsigned,
                          struct aiColor4D*);
  enum aiReturn (*number)(const struct aiMaterial*, const char*, unsigned, unsigned, ai_real*,
                          unsigned*);
  enum aiReturn (*text)(const struct aiMaterial*, const char*, unsigned, unsigned,
                        struct aiString*);
} Assimp;

static double share(ai_real value) {
  if (!is_number(value)) return (double)NAN;
  return fmin(fmax((double)value, 0), 1);
}

// Name of the image that a material shows: a file, "*n" for one in the mesh, "" for none.
static void texture_of(const Assimp* lib, const struct aiMaterial* material,
                       struct aiString* name) {
  name->data[0] = '\0';
  if (lib->text(material, AI_MATKEY_TEXTURE_DIFFUSE(0), name) != aiReturn_SUCCESS) {
    name->data[0] = '\0';
  }
}

// Diffuse colour and opacity. Those that assimp gives to meshes that have none have no colour.
static void colour_of(const Assimp* lib, const struct aiMaterial* material, double colour[4]) {
  struct aiColor4D c = {0};
  struct aiString name;
  ai_real opacity = 1;
  unsigned one = 1;
  for (int i = 0; i < 3; i++) colour[i] = (double)NAN;
  const bool see_through =
      lib->number(material, AI_MATKEY_OPACITY, &opacity, &one) == aiReturn_SUCCESS;
  colour[3] = see_through && is_number(opacity) ? share(opacity) : 1;
  if (lib->text(material, AI_MATKEY_NAME, &name) == aiReturn_SUCCESS &&
      strcmp(name.data, AI_DEFAULT_MATERIAL_NAME) == 0) {
    return;
  }
  if (lib->colour(material, AI_MATKEY_COLOR_DIFFUSE, &c) != aiReturn_SUCCESS) return;
  colour[0] = share(c.r);
  colour[1] = share(c.g);
  colour[2] = share(c.b);
}

static void put_colours(const Assimp* lib, const struct aiScene* scene, unsigned materials) {
  for (unsigned i = 0; i < materials; i++) {
    double colour[4];
    colour_of(lib, scene->mMaterials[i], colour);
    put(colour, sizeof colour);
  }
}

// Of each triangle, in the order of put_all_faces.
static void put_all_materials(const struct aiScene* scene, const struct aiNode* node,
                              unsigned materials) {
  for (unsigned i = 0; i < node->mNumMeshes; i++) {
    const struct aiMesh* mesh = scene->mMeshes[node->mMeshes[i]];
    const int32_t material = mesh->mMaterialIndex < materials ? (int32_t)mesh->mMaterialIndex : 0;
    for (unsigned k = 0; k < mesh->mNumFaces; k++) {
      if (mesh->mFaces[k].mNumIndices == 3) put(&material, sizeof material);
    }
  }
  for (unsigned i = 0; i < node->mNumChildren; i++) {
    put_all_materials(scene, node->mChildren[i], materials);
  }
}

// ---------------------------------------------------------------------------------------------
// Textures

// Whether a material of the scene shows an image.
static bool is_textured(const Assimp* lib, const struct aiScene* scene, unsigned materials) {
  bool any = false;
  for (unsigned i = 0; i < materials; i++) {
    struct aiString name;
    texture_of(lib, scene->mMaterials[i], &name);
    any = any || name.data[0];
  }
  return any;
}

// Of each point, in the order of put_all_points; NaN where it has none.
static void put_all_coordinates(const struct aiScene* scene, const struct aiNode* node) {
  for (unsigned i = 0; i < node->mNumMeshes; i++) {
    const struct aiMesh* mesh = scene->mMeshes[node->mMeshes[i]];
    const struct aiVector3D* from = mesh->mTextureCoords[0];
    for (unsigned k = 0; k < mesh->mNumVertices; k++) {
      const bool good = from && is_number(from[k].x) && is_number(from[k].y);
      const float at[2] = {good ? (float)from[k].x : NAN, good ? (float)from[k].y : NAN};
      put(at, sizeof at);
    }
  }
  for (unsigned i = 0; i < node->mNumChildren; i++) {
    put_all_coordinates(scene, node->mChildren[i]);
  }
}

// Names of the images of all materials, each with its zero; returns their bytes, and writes them if
// asked to.
static uint32_t put_names(const Assimp* lib, const struct aiScene* scene, unsigned materials,
                          bool write) {
  size_t bytes = 0;
  for (unsigned i = 0; i < materials; i++) {
    struct aiString name;
    texture_of(lib, scene->mMaterials[i], &name);
    const size_t n = strnlen(name.data, sizeof name.data - 1);
    name.data[n] = '\0';
    if (write) put(name.data, n + 1);
    bytes += n + 1;
  }
  return (uint32_t)bytes;
}

// Bytes of an image in the mesh that is packed as a file is; 0 for others.
static uint32_t image_size(const struct aiTexture* image) {
  return image->mHeight == 0 && image->pcData ? image->mWidth : 0;
}

static void put_images(const struct aiScene* scene, unsigned images) {
  for (unsigned i = 0; i < images; i++) {
    const uint32_t size = image_size(scene->mTextures[i]);
    put(&size, sizeof size);
  }
  for (unsigned i = 0; i < images; i++) {
    const char* from = (const char*)scene->mTextures[i]->pcData;
    for (uint32_t left = image_size(scene->mTextures[i]); left > 0;) {
      const uint32_t n = left < sizeof buffer ? left : (uint32_t)sizeof buffer;
      put(from, n);
      from += n;
      left -= n;
    }
  }
}

static int answer_scene(const Assimp* lib, const struct aiScene* scene) {
  Totals t = {0};
  if (!scene->mRootNode || !count_node(scene, scene->mRootNode, 0, &t)) {
    return answer_error(RUT_ERR_CAPACITY, "mesh has too many vertices or nodes%s", "");
  }
  if (t.points == 0) return answer_error(RUT_ERR_PARSE, "mesh has no vertices%s", "");
  const unsigned materials =
      scene->mNumMaterials <= RUT_MESH_MAX_MATERIALS ? scene->mNumMaterials : 0;
  const bool textured = is_textured(lib, scene, materials);
  const unsigned images =
      textured && scene->mNumTextures <= RUT_MESH_MAX_IMAGES ? scene->mNumTextures : 0;
  rutMeshAnswer head = {.points = (uint32_t)t.points,
                        .triangles = (uint32_t)t.triangles,
                        .lines = (uint32_t)t.lines,
                        .materials = materials,
                        .coordinates = textured ? (uint32_t)t.points : 0,
                        .text = textured ? put_names(lib, scene, materials, false) : 0,
                        .images = images};
  memcpy(head.mark, RUT_MESH_ANSWER_MARK, sizeof head.mark);
  put(&head, sizeof head);
  static const Affine identity = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
  uint64_t first = 0;
  put_all_points(scene, scene->mRootNode, &identity);
  put_colours(lib, scene, materials);
  put_all_faces(scene, scene->mRootNode, 3, &first);
  first = 0;
  put_all_faces(scene, scene->mRootNode, 2, &first);
  if (materials > 0) put_all_materials(scene, scene->mRootNode, materials);
  if (textured) {
    put_all_coordinates(scene, scene->mRootNode);
    put_names(lib, scene, materials, true);
    put_images(scene, images);
  }
  flush_output();
  return 0;
}

// ---------------------------------------------------------------------------------------------

static bool load_assimp(Assimp* lib) {
  const rutSymbol symbols[] = {{"aiImportFileEx", &lib->import},
                               {"aiGetErrorString", &lib->error},
                               {"aiGetMaterialColor", &lib->colour},
                               {"aiGetMaterialFloatArray", &lib->number},
                               {"aiGetMaterialString", &lib->text}};
  return rut_dynamic_load(RUT_ASSIMP_LIBRARY, symbols, sizeof symbols / sizeof symbols[0]);
}

int read_mesh(const char* ending, const char* bytes) {
  Assimp lib;
  if (!load_assimp(&lib)) {
    return answer_error(RUT_ERR_MISSING, "meshes need the assimp library: %s",
                        "apt-get install libassimp5");
  }
  Memory memory;
  if (!read_input(&memory)) return answer_error(RUT_ERR_MEMORY, "no memory for a mesh%s", "");
  memory.mesh_size = strtoul(bytes, NULL, 10);
  if (memory.mesh_size > memory.size) memory.mesh_size = memory.size;
  snprintf(memory.name, sizeof memory.name, "mesh.%.8s", ending);
  if (!confine(MEMORY + MEMORY_PER_BYTE * memory.size, SECONDS)) {
    return answer_error(RUT_ERR_MEMORY, "the process that reads meshes cannot be confined%s", "");
  }
  struct aiFileIO io = {open_proc, close_proc, (char*)&memory};
  const struct aiScene* scene = lib.import(memory.name, aiProcess_Triangulate, &io);
  int status;
  if (scene) {
    status = answer_scene(&lib, scene);
  } else if (strstr(lib.error(), "bad_alloc")) {
    status = answer_error(RUT_ERR_MEMORY, "mesh takes too much memory to read%s", "");
  } else {
    status = answer_error(RUT_ERR_PARSE, "mesh cannot be read: %s", lib.error());
  }
  // the process ends here: what it holds is not worth putting in order
  _exit(status);
}
