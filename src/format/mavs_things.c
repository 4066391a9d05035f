// SPDX-License-Identifier: BSD-3-Clause
//
// What stands for a mesh that is drawn by rule here, or is not at hand. Measures of plants are
// those of MAVS's own meshes (its file veg_override_data.json).
#include <ctype.h>
#include <string.h>

#include "format/mavs_scene.h"

typedef struct Row {
  const char* word;  // in the name of the mesh, in small letters
  rutMavsThing thing;
} Row;

#define TREE(word, kind, height, trunk)         \
  {                                             \
    word, { "tree", kind, height, trunk, true } \
  }
#define PLANT(word, type, height)       \
  {                                     \
    word, { type, "", height, 0, true } \
  }
#define THING(word, type)           \
  {                                 \
    word, { type, "", 0, 0, false } \
  }
#define SOLID(word, kind, height, width)          \
  {                                               \
    word, { "solid", kind, height, width, false } \
  }

// The first match counts.
static const Row rows[] = {
    TREE("pine_tree", "conifer", 16.31, 0.637),
    TREE("conifer", "conifer", 16.31, 0.637),
    TREE("honey_locust", "broadleaf", 11.2122, 0.35),
    TREE("oak", "broadleaf", 17.5, 0.791),
    TREE("cherry", "broadleaf", 6.02, 0.315),
    TREE("paperbark", "broadleaf", 6.9, 0.11),
    TREE("lemon", "broadleaf", 4.6, 0.42),
    {"bamboo", {"bush", "", 4.29841, 0.05, true}},
    PLANT("oat_grass", "grass", 0.968388),
    PLANT("grass_clump_1", "grass", 0.29),
    PLANT("grass_clump_2", "grass", 0.9),
    PLANT("grass", "grass", 0),
    PLANT("fern", "bush", 0.38),
    PLANT("celandine", "bush", 0.39),
    PLANT("groundcover", "grass", 0),
    PLANT("bush", "bush", 0),
    PLANT("shrub", "bush", 0),
    THING("rock", "rock"),
    THING("stump", "stump"),
    THING("sign", "sign"),
    THING("lamp", "pole"),
    THING("pole", "pole"),
    THING("fence", "fence"),
    THING("building", "building"),
    THING("house", "building"),
    THING("cone", "cone"),
    THING("pedestrian", "person"),
    THING("vehicles/", "car"),
    SOLID("cylinder", "cylinder", 1, 1),
    SOLID("barrel", "cylinder", 0.9, 0.6),
    SOLID("cube", "box", 1, 1),
    TREE("tree", "broadleaf", 0, 0),
    TREE("vegetation/", "broadleaf", 0, 0),
};
static const Row label_rows[] = {
    TREE("high vegetation", "broadleaf", 0, 0),
    PLANT("low vegetation", "grass", 0),
    THING("building", "building"),
    THING("pedestrian", "person"),
    THING("vehicle", "car"),
    THING("fence", "fence"),
    THING("sign", "sign"),
};

static const rutMavsThing* find(const Row* row, int n, const char* text) {
  char small[400];
  size_t length = 0;
  for (; text[length] && length + 1 < sizeof small; length++) {
    small[length] = (char)tolower((unsigned char)text[length]);
  }
  small[length] = '\0';
  for (int i = 0; i < n; i++) {
    if (strstr(small, row[i].word)) return &row[i].thing;
  }
  return NULL;
}

rutMavsThing rut_mavs_thing(const char* mesh, const char* label) {
  static const rutMavsThing box = {"solid", "box", 1, 1, false};
  const rutMavsThing* thing = find(rows, RUT_COUNT_OF(rows), mesh);
  if (!thing) thing = find(label_rows, RUT_COUNT_OF(label_rows), label);
  return thing ? *thing : box;
}

void rut_mavs_thing_set(rutJsonMaker* m, rutNode node, const rutMavsThing* thing, rutPlace place) {
  const bool solid = strcmp(thing->type, "solid") == 0, tree = strcmp(thing->type, "tree") == 0;
  const bool bush = strcmp(thing->type, "bush") == 0;
  if (thing->kind[0]) rut_json_set_text(m, node, solid ? "shape" : "kind", thing->kind, place);
  const bool tall = thing->plant || solid;
  if (tall && thing->height > 0) rut_json_set(m, node, "height", thing->height, place);
  if (solid) rut_json_set(m, node, "length", thing->width, place);
  if (solid && strcmp(thing->kind, "box") == 0) rut_json_set(m, node, "width", thing->width, place);
  if (tree && thing->width > 0) rut_json_set(m, node, "trunk", thing->width, place);
  if (bush && thing->width > 0) rut_json_set(m, node, "stem", thing->width, place);
  if (bush && thing->height > 0) rut_json_set(m, node, "width", 0.8 * thing->height, place);
}
