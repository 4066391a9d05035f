// SPDX-License-Identifier: BSD-3-Clause
//
// Vegetation whose density and diameter were measured at places ("zones"), and people who are
// animated meshes in MAVS.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/mavs_scene.h"
#include "math/rut_math.h"

enum { MOST_SPECIES = 64, MOST_ZONES = 256, MOST_CORNERS = 2 * MOST_ZONES + 8 };
#define AROUND 20.0  // ground around the zones, where the scene has none [m]

// ---- zones ----

typedef struct Species {
  const char *name, *mesh;
  rutPlace place;
  double height;  // of the mesh [m]
} Species;

typedef struct Zone {
  rutPlace place;
  double at[2];
  const rutJsonValue* species;  // one entry for each
} Zone;

typedef struct Vegetation {
  Species species[MOST_SPECIES];
  Zone zone[MOST_ZONES];
  int kinds, zones;
  double box[4];
} Vegetation;

static void read_species(rutMavsScene* s, const rutJsonValue* list, Vegetation* v) {
  rutJsonMaker* m = &s->maker;
  if (list->children > MOST_SPECIES) {
    rut_json_error(m, list, "Species", "at most %d species", MOST_SPECIES);
    return;
  }
  for (const rutJsonValue* item = list->first; item; item = item->next) {
    Species* kind = &v->species[v->kinds++];
    *kind = (Species){"", "", rut_json_place(m, item), 10};
    if (item->kind != RUT_JSON_OBJECT) {
      rut_json_error(m, item, "Species", "a species must be an object, not %s",
                     rut_json_kind_text(item->kind));
      continue;
    }
    RUT_JSON_CHECK_KEYS(m, item, "Species", "Name", "Mesh", "Mesh Height", "Rotated");
    kind->name = rut_json_text(m, item, "Species", "Name");
    kind->mesh = rut_json_text(m, item, "Species", "Mesh");
    kind->height =
        rut_json_number(m, item, "Species", "Mesh Height", (rutJsonRange){10, 0.01, 200});
  }
}

static void read_zones(rutMavsScene* s, const rutJsonValue* list, Vegetation* v) {
  rutJsonMaker* m = &s->maker;
  if (list->children > MOST_ZONES) {
    rut_json_error(m, list, "Zones", "at most %d zones", MOST_ZONES);
    return;
  }
  for (const rutJsonValue* item = list->first; item && !rut_json_halted(m); item = item->next) {
    Zone zone = {.place = rut_json_place(m, item)};
    if (item->kind != RUT_JSON_OBJECT ||
        !rut_json_list(m, item, "Zones", "Coordinates", 2, zone.at)) {
      rut_json_error(m, item, "Zones", "a zone must be an object with 'Coordinates' and 'Species'");
      continue;
    }
    RUT_JSON_CHECK_KEYS(m, item, "Zones", "Coordinates", "Species");
    zone.species = rut_json_child(m, item, "Zones", "Species", RUT_JSON_ARRAY);
    if (!zone.species || zone.species->children != v->kinds) {
      rut_json_error(m, item, "Zones", "'Species' must have one entry for each of the %d species",
                     v->kinds);
      continue;
    }
    v->zone[v->zones++] = zone;
  }
}

// The part of a polygon that is nearer to a than to b. Returns its corners.
static int clip(int n, const double* xy, const double a[2], const double b[2], double* out) {
  const double dx = b[0] - a[0], dy = b[1] - a[1];
  const double c = 0.5 * (b[0] * b[0] - a[0] * a[0] + b[1] * b[1] - a[1] * a[1]);
  int count = 0;
  for (int i = 0; i < n; i++) {
    const double *p = xy + 2 * i, *q = xy + 2 * ((i + 1) % n);
    const double fp = dx * p[0] + dy * p[1] - c, fq = dx * q[0] + dy * q[1] - c;
    if (fp <= 0) {
      out[2 * count] = p[0];
      out[2 * count++ + 1] = p[1];
    }
    if ((fp < 0 && fq > 0) || (fp > 0 && fq < 0)) {
      const double t = fp / (fp - fq);
      out[2 * count] = p[0] + t * (q[0] - p[0]);
      out[2 * count++ + 1] = p[1] + t * (q[1] - p[1]);
    }
  }
  return count;
}

// Places that are nearer to a zone than to any other. MAVS weights zones by the inverse sixth power
// of the distance, which is nearly that.
static int zone_area(const Vegetation* v, int zone, double xy[2 * MOST_CORNERS]) {
  double other[2 * MOST_CORNERS];
  const double box[8] = {v->box[0], v->box[1], v->box[2], v->box[1],
                         v->box[2], v->box[3], v->box[0], v->box[3]};
  memcpy(xy, box, sizeof box);
  int n = 4;
  for (int i = 0; i < v->zones && n >= 3; i++) {
    const double *a = v->zone[zone].at, *b = v->zone[i].at;
    if (i == zone || (a[0] == b[0] && a[1] == b[1])) continue;
    n = clip(n, xy, a, b, other);
    memcpy(xy, other, (size_t)n * 2 * sizeof *xy);
  }
  return n;
}

// Height of a tree from the diameter of its trunk in centimetres, as MAVS has it [m].
static double height_of(double diameter) {
  return 0.5 * (1.3 + 0.6208 * diameter - 0.00308 * diameter * diameter);
}

static void add_stand(rutMavsScene* s, const Vegetation* v, int zone, int kind,
                      const rutJsonValue* entry) {
  rutJsonMaker* m = &s->maker;
  static const char label[] = "Zones";
  double xy[2 * MOST_CORNERS];
  if (entry->kind != RUT_JSON_OBJECT) {
    rut_json_error(m, entry, label, "must be an object with 'Density', 'MinDiam' and 'MaxDiam'");
    return;
  }
  RUT_JSON_CHECK_KEYS(m, entry, label, "Density", "MinDiam", "MaxDiam");
  const double density = rut_json_number(m, entry, label, "Density", (rutJsonRange){0, 0, 1e4});
  const double thin = rut_json_number(m, entry, label, "MinDiam", (rutJsonRange){0, 0, 100});
  const double thick = rut_json_number(m, entry, label, "MaxDiam", (rutJsonRange){thin, 0, 100});
  const int corners = zone_area(v, zone, xy);
  if (density == 0 || corners < 3) return;
  const Species* species = &v->species[kind];
  const rutPlace place = rut_json_place(m, entry);
  rutMavsThing thing = rut_mavs_thing(species->mesh, rut_mavs_scene_label(s, species->mesh));
  thing.height = species->height;
  const double size[2] = {height_of(rut_min(thin, thick)) / species->height,
                          height_of(rut_max(thin, thick)) / species->height};
  const rutNode node = rut_json_add(m, s->world, "scenery", thing.type, "", place);
  rut_mavs_thing_set(m, node, &thing, place);
  rut_json_set(m, node, "density", density, place);
  rut_json_set_list(m, node, "area", 2 * corners, xy, place);
  rut_json_set_list(m, node, "size", 2, size, place);
  rut_json_set(m, node, "seed", 1 + zone * MOST_SPECIES + kind, place);
}

void rut_mavs_scene_vegetation(rutMavsScene* s, const rutJsonValue* root) {
  rutJsonMaker* m = &s->maker;
  static const char label[] = "Vegetation Distribution";
  const rutJsonValue* value = rut_json_child(m, root, "", label, RUT_JSON_OBJECT);
  Vegetation* v = value ? calloc(1, sizeof *v) : NULL;
  if (!v) return;
  RUT_JSON_CHECK_KEYS(m, value, label, "Species", "Zones", "Write Check File");
  const rutJsonValue* species = rut_json_child(m, value, label, "Species", RUT_JSON_ARRAY);
  const rutJsonValue* zones = rut_json_child(m, value, label, "Zones", RUT_JSON_ARRAY);
  if (species) read_species(s, species, v);
  if (zones) read_zones(s, zones, v);
  memcpy(v->box, s->box, sizeof v->box);
  for (int i = 0; i < v->zones && !s->has_box; i++) {
    for (int k = 0; k < 2; k++) {
      const double at = v->zone[i].at[k];
      v->box[k] = i ? rut_min(v->box[k], at - AROUND) : at - AROUND;
      v->box[k + 2] = i ? rut_max(v->box[k + 2], at + AROUND) : at + AROUND;
    }
  }
  if (v->zones > 0 && !s->has_box) {
    rut_json_warn(m, value, label,
                  "the extent of the ground is not known: plants stand within %g m of the zones",
                  AROUND);
  }
  for (int z = 0; z < v->zones; z++) {
    int kind = 0;
    for (const rutJsonValue* e = v->zone[z].species->first; e; e = e->next) {
      add_stand(s, v, z, kind++, e);
    }
  }
  free(v);
}

// ---- animations ----

static void set_person(rutJsonMaker* m, rutNode node, const double at[3], double heading,
                       rutPlace where) {
  const rutNode place = rut_json_add(m, node, "place", "", "", where);
  rut_json_set_list(m, place, "position", 2, at, where);
  rut_json_set(m, place, "yaw", heading, where);
}

static void add_walker(rutMavsScene* s, int n, const double* xy, double speed, const char* end,
                       rutPlace place) {
  rutJsonMaker* m = &s->maker;
  const rutNode node = rut_json_add(m, s->world, "actor", "", "", place);
  rut_json_set_list(m, node, "path", 2 * n, xy, place);
  rut_json_set(m, node, "speed", speed, place);
  rut_json_set_text(m, node, "end", end, place);
  rut_json_add(m, node, "scenery", "person", "", place);
}

// Many who stand at random places in a box.
static void add_crowd(rutMavsScene* s, const rutJsonValue* item, const char* label,
                      rutPlace place) {
  rutJsonMaker* m = &s->maker;
  double low[2] = {-100, -100}, high[2] = {100, 100};
  const double number = rut_json_number(m, item, label, "Number", (rutJsonRange){0, 0, 200000});
  const rutJsonValue* box = rut_json_child(m, item, label, "Bounding Box", RUT_JSON_ARRAY);
  if (box && (box->children != 2 || !rut_json_numbers(m, box->first, label, 2, low) ||
              !rut_json_numbers(m, box->first->next, label, 2, high))) {
    rut_json_error(m, box, label, "'Bounding Box' must be two corners");
    return;
  }
  const double xy[8] = {low[0], low[1], high[0], low[1], high[0], high[1], low[0], high[1]};
  const rutNode node = rut_json_add(m, s->world, "scenery", "person", "", place);
  rut_json_set(m, node, "number", rut_floor(number), place);
  rut_json_set_list(m, node, "area", 8, xy, place);
}

static void read_animation(rutMavsScene* s, const rutJsonValue* item, int index) {
  rutJsonMaker* m = &s->maker;
  static const double FAR = 1000;  // that one who walks straight on goes [m]
  char label[40];
  snprintf(label, sizeof label, "Animations[%d]", index);
  if (item->kind != RUT_JSON_OBJECT) {
    rut_json_error(m, item, label, "an animation must be an object, not %s",
                   rut_json_kind_text(item->kind));
    return;
  }
  RUT_JSON_CHECK_KEYS(m, item, label, "Animation Folder", "Frame List", "Frame Rate", "Mesh Scale",
                      "Path", "Behavior", "Speed", "Initial Position", "Initial Heading", "Number",
                      "Bounding Box", "Rotate Y to X", "Rotate Y to Z", "Smooth Normals");
  const rutPlace place = rut_json_place(m, item);
  const double speed = rut_json_number(m, item, label, "Speed", (rutJsonRange){1.5, 0, 1e3});
  const double heading =
      rut_json_number(m, item, label, "Initial Heading", (rutJsonRange){0, -100, 100});
  const rutJsonValue* path = rut_json_child(m, item, label, "Path", RUT_JSON_STRING);
  const char* behaviour = rut_json_text(m, item, label, "Behavior");
  double at[3] = {0};
  rut_json_list(m, item, label, "Initial Position", 3, at);
  rutPathPoints points = {0};
  if (path && speed >= 1e-3 &&
      rut_mavs_scene_points(s, path, label, "this person stands", &points) && points.n >= 2) {
    add_walker(s, rut_min(points.n, 10000) < points.n ? 10000 : points.n, points.xy, speed, "stop",
               place);
  } else if (!path && speed >= 1e-3 && strcmp(behaviour, "straight") == 0) {
    double sine, cosine;
    rut_sincos(heading, &sine, &cosine);
    const double xy[4] = {at[0], at[1], at[0] + FAR * cosine, at[1] + FAR * sine};
    add_walker(s, 2, xy, speed, "stop", place);
  } else if (!path && strcmp(behaviour, "crowd") == 0) {
    rut_json_warn(m, item, label, "the people of a crowd stand where they are");
    add_crowd(s, item, label, place);
  } else {
    if (!path)
      rut_json_warn(m, item, label, "'%.40s' is not simulated: this person stands", behaviour);
    const rutNode node = rut_json_add(m, s->world, "scenery", "person", "", place);
    set_person(m, node, at, heading, place);
  }
  rut_path_points_free(&points);
}

// A list, as the manual has it, or the name of a file that holds one, as the code reads it.
void rut_mavs_scene_animations(rutMavsScene* s, const rutJsonValue* root) {
  rutJsonMaker* m = &s->maker;
  static const char label[] = "Animations";
  const rutJsonValue* list = rut_json_find(root, label);
  char path[RUT_MAVS_PATH];
  const char* file = m->file;
  rutJson* json = NULL;
  if (list && list->kind == RUT_JSON_STRING) {
    if (!rut_mavs_scene_data_path(s, list, label, "there are no animations", path)) return;
    json = rut_mavs_scene_json(s, path, list, label);
    if (!json) return;
    m->file = path;
    list = rut_json_find(rut_json_root(json), label);
  }
  if (list && list->kind != RUT_JSON_ARRAY) {
    rut_json_error(m, list, label, "must be a list, or the name of a file that has one");
  } else if (list) {
    int i = 0;
    for (const rutJsonValue* e = list->first; e && !rut_json_halted(m); e = e->next) {
      read_animation(s, e, i++);
    }
  }
  m->file = file;
  rut_json_destroy(json);
}
