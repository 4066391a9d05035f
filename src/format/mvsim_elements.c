// SPDX-License-Identifier: BSD-3-Clause
//
// <element>: maps, ground, walls with doors, regions, and what only the viewer shows; and <walls>.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/mvsim_load.h"
#include "math/rut_math.h"

// ---- tables ----

static const rutMvsimRow occupancy_rows[] = {
    RUT_MVSIM_ROW("file", RUT_MVSIM_FILE, "file"),
    RUT_MVSIM_ROW_NUMBER("resolution", "resolution"),
    RUT_MVSIM_ROW_PART("centerpixel_x", "center_pixel", 0, 2),
    RUT_MVSIM_ROW_PART("centerpixel_y", "center_pixel", 1, 2),
    RUT_MVSIM_ROW_NUMBER("lateral_friction", "friction"),
    RUT_MVSIM_ROW_NUMBER("restitution", "restitution"),
    RUT_MVSIM_ROW_UNUSED("show_collisions"),
};
static const rutMvsimRow elevation_rows[] = {
    RUT_MVSIM_ROW("elevation_image", RUT_MVSIM_FILE, "image"),
    RUT_MVSIM_ROW_NUMBER("elevation_image_min_z", "z_min"),
    RUT_MVSIM_ROW_NUMBER("elevation_image_max_z", "z_max"),
    RUT_MVSIM_ROW("elevation_data_matrix", RUT_MVSIM_TEXT, "matrix"),
    RUT_MVSIM_ROW_NUMBER("elevation_data_matrix_scale", "matrix_scale"),
    RUT_MVSIM_ROW("dem_xyzrgb_file", RUT_MVSIM_FILE, "points"),
    RUT_MVSIM_ROW_PART("dem_offset_x", "offset", 0, 3),
    RUT_MVSIM_ROW_PART("dem_offset_y", "offset", 1, 3),
    RUT_MVSIM_ROW_PART("dem_offset_z", "offset", 2, 3),
    RUT_MVSIM_ROW_CODE("corner_min_x"),
    RUT_MVSIM_ROW_CODE("corner_min_y"),
    RUT_MVSIM_ROW_NUMBER("resolution", "resolution"),
    RUT_MVSIM_ROW("texture_image", RUT_MVSIM_PICTURE, "texture"),
    RUT_MVSIM_ROW("texture_image_rotate", RUT_MVSIM_INTEGER, "texture_rotation"),
    RUT_MVSIM_ROW_PART("texture_extension_x", "texture_size", 0, 2),
    RUT_MVSIM_ROW_PART("texture_extension_y", "texture_size", 1, 2),
    RUT_MVSIM_ROW("mesh_color", RUT_MVSIM_COLOR, "color"),
    RUT_MVSIM_ROW("apply_kernel", RUT_MVSIM_TEXT, "kernel"),
    RUT_MVSIM_ROW_CODE("model_split_size"),
    RUT_MVSIM_ROW_UNUSED("debug_show_contact_points"),
};
#define POSE_ROWS                                                     \
  RUT_MVSIM_ROW_CODE("init_pose"), RUT_MVSIM_ROW_CODE("init_pose3d"), \
      RUT_MVSIM_ROW_CODE("skip_elevation_adjust"), RUT_MVSIM_ROW_CODE("publish")
#define SURFACE_ROWS                                              \
  RUT_MVSIM_ROW("color", RUT_MVSIM_COLOR, "color"),               \
      RUT_MVSIM_ROW("texture", RUT_MVSIM_PICTURE, "texture"),     \
      RUT_MVSIM_ROW_PART("texture_size_x", "texture_size", 0, 2), \
      RUT_MVSIM_ROW_PART("texture_size_y", "texture_size", 1, 2), \
      RUT_MVSIM_ROW("cull_face", RUT_MVSIM_TEXT, "cull_face"),    \
      RUT_MVSIM_ROW_UNUSED("enable_shadows")
#define EXTENT_ROWS                                                               \
  RUT_MVSIM_ROW_NUMBER("x_min", "x_min"), RUT_MVSIM_ROW_NUMBER("x_max", "x_max"), \
      RUT_MVSIM_ROW_NUMBER("y_min", "y_min"), RUT_MVSIM_ROW_NUMBER("y_max", "y_max")
static const rutMvsimRow plane_rows[] = {
    EXTENT_ROWS,
    SURFACE_ROWS,
    POSE_ROWS,
    RUT_MVSIM_ROW_NUMBER("z", "z"),
    RUT_MVSIM_ROW_CODE("animation"),
};
static const rutMvsimRow wall_rows[] = {
    RUT_MVSIM_ROW_PART("x0", "from", 0, 2),
    RUT_MVSIM_ROW_PART("y0", "from", 1, 2),
    RUT_MVSIM_ROW_PART("x1", "to", 0, 2),
    RUT_MVSIM_ROW_PART("y1", "to", 1, 2),
    RUT_MVSIM_ROW_NUMBER("z", "z"),
    RUT_MVSIM_ROW_NUMBER("height", "height"),
    RUT_MVSIM_ROW_NUMBER("thickness", "thickness"),
    SURFACE_ROWS,
    RUT_MVSIM_ROW_CODE("door"),
    RUT_MVSIM_ROW_CODE("window"),
    RUT_MVSIM_ROW_UNUSED("init_pose"),
    RUT_MVSIM_ROW_UNUSED("init_pose3d"),
    RUT_MVSIM_ROW_UNUSED("animation"),
    RUT_MVSIM_ROW_CODE("publish"),
};
static const rutMvsimRow opening_rows[] = {
    RUT_MVSIM_ROW_NUMBER("position", "position"), RUT_MVSIM_ROW_NUMBER("width", "width"),
    RUT_MVSIM_ROW_NUMBER("z_min", "z_min"),       RUT_MVSIM_ROW_NUMBER("z_start", "z_min"),
    RUT_MVSIM_ROW_NUMBER("z_max", "z_max"),       RUT_MVSIM_ROW_CODE("name"),
};
static const rutMvsimRow grid_rows[] = {
    EXTENT_ROWS,
    RUT_MVSIM_ROW("floating", RUT_MVSIM_BOOLEAN, "floating"),
    RUT_MVSIM_ROW("floating_focus", RUT_MVSIM_TEXT, "focus"),
    RUT_MVSIM_ROW("color", RUT_MVSIM_COLOR, "color"),
    RUT_MVSIM_ROW_NUMBER("line_width", "line_width"),
    RUT_MVSIM_ROW_NUMBER("interval", "interval"),
};
static const rutMvsimRow cloud_rows[] = {
    RUT_MVSIM_ROW("file_txt_2d", RUT_MVSIM_FILE, "file"),
    RUT_MVSIM_ROW("file_txt_3d", RUT_MVSIM_FILE, "file"),
    RUT_MVSIM_ROW_NUMBER("points_size", "size"),
    RUT_MVSIM_ROW_CODE("pose_3d"),
};
static const rutMvsimRow sky_rows[] = {
    RUT_MVSIM_ROW("textures", RUT_MVSIM_TEXT, "textures"),
};
static const rutMvsimRow region_rows[] = {
    EXTENT_ROWS,
    RUT_MVSIM_ROW_NUMBER("z_min", "z_min"),
    RUT_MVSIM_ROW_NUMBER("z_max", "z_max"),
    RUT_MVSIM_ROW_CODE("property_name"),
    RUT_MVSIM_ROW_CODE("value_double"),
    RUT_MVSIM_ROW_CODE("value_bool"),
    RUT_MVSIM_ROW_CODE("value_string"),
};

// ---- helpers ----

// Number of the first child with a tag; false if absent or wrong.
static bool child_number(rutMvsim* load, const rutMvsimItems* items, const char* tag, double* value,
                         rutPlace* place) {
  const rutMvsimItem item = rut_mvsim_first(items, tag);
  if (!item.element) return false;
  *place = rut_mvsim_place(item);
  const char* text = rut_mvsim_text(load, item);
  char label[RUT_MVSIM_LABEL];
  rut_mvsim_label(item, label);
  return text && rut_mvsim_number(load, text, *place, label, value);
}

// ---- what a class needs beyond its table ----

static void more_elevation(rutMvsim* load, const rutMvsimItems* items, rutNode node) {
  const rutMvsimItem x = rut_mvsim_first(items, "corner_min_x");
  const rutMvsimItem y = rut_mvsim_first(items, "corner_min_y");
  double corner[2];
  rutPlace place;
  if (!x.element != !y.element) {
    rut_mvsim_error(load, rut_mvsim_place(x.element ? x : y), "<element>", RUT_ERR_MODEL, "",
                    "give both corner_min_x and corner_min_y, or neither");
  } else if (child_number(load, items, "corner_min_y", &corner[1], &place) &&
             child_number(load, items, "corner_min_x", &corner[0], &place)) {
    rut_mvsim_set_numbers(load, node, "corner", 2, corner, place);
  }
}

static void more_plane(rutMvsim* load, const rutMvsimItems* items, rutNode node) {
  rut_mvsim_pose(load, items, node, false, 0);
  rut_mvsim_animation(load, items, node);
}

static void more_wall(rutMvsim* load, const rutMvsimItems* items, rutNode node) {
  for (int i = 0; i < items->n && !load->halted; i++) {
    const rutMvsimItem item = items->item[i];
    const char* tag = item.element->name;
    if (strcmp(tag, "door") != 0 && strcmp(tag, "window") != 0) continue;
    const rutPlace place = rut_mvsim_place(item);
    const rutNode opening = rut_mvsim_add(load, node, "opening", "", "", place);
    if (rut_node_is_null(opening)) return;
    rut_mvsim_set(load, opening, "position", 0, place);
    const rutMvsimTable table = {tag, opening_rows, RUT_COUNT_OF(opening_rows)};
    rut_mvsim_apply_item(load, &table, item, opening);
  }
}

static void more_cloud(rutMvsim* load, const rutMvsimItems* items, rutNode node) {
  const rutMvsimItem flat = rut_mvsim_first(items, "file_txt_2d");
  const rutMvsimItem pose = rut_mvsim_first(items, "pose_3d");
  if (flat.element) rut_mvsim_set(load, node, "columns", 2, rut_mvsim_place(flat));
  if (!pose.element) return;
  const rutPlace place = rut_mvsim_place(pose);
  const char* text = rut_mvsim_text(load, pose);
  double p[6];
  if (!text || rut_mvsim_numbers(load, text, place, "<pose_3d>",
                                 (rutMvsimForm){"x y z yaw pitch roll", 6, 6}, p) < 0) {
    return;
  }
  rut_mvsim_set_numbers(load, node, "offset", 3, p, place);
  rut_mvsim_set(load, node, "yaw", p[3] * RUT_MVSIM_DEGREE, place);
  rut_mvsim_set(load, node, "pitch", p[4] * RUT_MVSIM_DEGREE, place);
  rut_mvsim_set(load, node, "roll", p[5] * RUT_MVSIM_DEGREE, place);
}

// The name says what the value is for.
static void more_region(rutMvsim* load, const rutMvsimItems* items, rutNode node) {
  static const struct {
    const char *name, *tag, *field;
  } properties[] = {{"friction_mu", "value_double", "friction"},
                    {"friction_C_rr", "value_double", "rolling_resistance"},
                    {"gps_no_coverage", "value_bool", "no_gps"}};
  const rutMvsimItem item = rut_mvsim_first(items, "property_name");
  const rutPlace none = {0};
  const rutPlace place = item.element ? rut_mvsim_place(item) : none;
  const char* name = item.element ? rut_mvsim_text(load, item) : "";
  if (!name) return;
  for (int i = 0; i < RUT_COUNT_OF(properties); i++) {
    if (strcmp(name, properties[i].name) != 0) continue;
    const rutMvsimItem value = rut_mvsim_first(items, properties[i].tag);
    if (!value.element) {
      rut_mvsim_error(load, place, "<property_name>", RUT_ERR_MODEL, "", "%s needs the tag <%s>",
                      name, properties[i].tag);
      return;
    }
    const char* text = rut_mvsim_text(load, value);
    const rutPlace at = rut_mvsim_place(value);
    double number = 0;
    bool truth = false;
    if (!text) return;
    if (i == 2 ? !rut_mvsim_boolean(load, text, at, "<value_bool>", &truth)
               : !rut_mvsim_number(load, text, at, "<value_double>", &number)) {
      return;
    }
    rut_mvsim_set(load, node, properties[i].field, i == 2 ? truth : number, at);
    return;
  }
  rut_mvsim_warn(load, place, "<property_name>", NULL, "property '%.80s' is not used by rut", name);
}

// ---- elements ----

typedef struct Element {
  const char *name, *kind;
  rutMvsimTable table;
  void (*more)(rutMvsim* load, const rutMvsimItems* items, rutNode node);
} Element;

static const Element elements[] = {
    {"occupancy_grid", "occupancy_grid", RUT_MVSIM_TABLE("element", occupancy_rows), NULL},
    {"elevation_map", "elevation_map", RUT_MVSIM_TABLE("element", elevation_rows), more_elevation},
    {"horizontal_plane", "plane", RUT_MVSIM_TABLE("element", plane_rows), more_plane},
    {"vertical_plane", "wall", RUT_MVSIM_TABLE("element", wall_rows), more_wall},
    {"ground_grid", "ground_grid", RUT_MVSIM_TABLE("element", grid_rows), NULL},
    {"pointcloud", "point_cloud", RUT_MVSIM_TABLE("element", cloud_rows), more_cloud},
    {"skybox", "skybox", RUT_MVSIM_TABLE("element", sky_rows), NULL},
    {"property_region", "region", RUT_MVSIM_TABLE("element", region_rows), more_region},
};
enum { WALL = 3 };

// Where a vertical plane stands unless told otherwise.
static void set_wall_defaults(rutMvsim* load, rutNode node, rutPlace place) {
  static const double from[2] = {-10, -10}, to[2] = {-10, 10};
  rut_mvsim_set_numbers(load, node, "from", 2, from, place);
  rut_mvsim_set_numbers(load, node, "to", 2, to, place);
  rut_mvsim_set_text(load, node, "color", "#a0a0a0", place);
}

// A tag that an element requires.
static bool has_required(rutMvsim* load, rutMvsimItem item, const rutMvsimItems* items, int which) {
  static const char* const file[] = {"file", NULL};
  static const char* const clouds[] = {"file_txt_3d", "file_txt_2d", NULL};
  const char* const* tag = which == 0 ? file : which == 5 ? clouds : NULL;
  if (!tag) return true;
  for (int i = 0; tag[i]; i++) {
    if (rut_mvsim_first(items, tag[i]).element) return true;
  }
  rut_mvsim_error(load, rut_mvsim_place(item), "<element>", RUT_ERR_MODEL, "",
                  "the tag <%s> is missing", tag[0]);
  return false;
}

void rut_mvsim_read_element(rutMvsim* load, rutMvsimItem item) {
  static const char* const attributes[] = {"class", "name"};
  const char* names[RUT_COUNT_OF(elements)];
  for (int i = 0; i < RUT_COUNT_OF(elements); i++) names[i] = elements[i].name;
  const rutPlace place = rut_mvsim_place(item);
  const int which = rut_mvsim_word(load, item, "class", names, RUT_COUNT_OF(elements), -2);
  if (which == -2) {
    rut_mvsim_error(load, place, "<element>", RUT_ERR_MODEL,
                    "write <element class=\"ground_grid\">", "the attribute 'class' is missing");
  }
  if (which < 0) return;
  rut_mvsim_check_attributes(load, item, attributes, 2);
  const Element* element = &elements[which];
  rutMvsimItems items = {0};
  rut_mvsim_children(load, item, &items);
  if (has_required(load, item, &items, which)) {
    const rutNode node = rut_mvsim_add(load, load->world, element->kind, "", "", place);
    if (which == WALL) set_wall_defaults(load, node, place);
    if (!rut_node_is_null(node)) {
      rut_mvsim_apply(load, &element->table, &items, node);
      if (element->more) element->more(load, &items, node);
      rut_mvsim_publish(load, &items);
    }
  }
  rut_mvsim_items_free(&items);
}

// ---- walls ----

static const rutMvsimRow walls_rows[] = {
    RUT_MVSIM_ROW("color", RUT_MVSIM_COLOR, "color"),
    RUT_MVSIM_ROW_NUMBER("wallThickness", "thickness"),
    RUT_MVSIM_ROW_NUMBER("wallHeight", "height"),
    RUT_MVSIM_ROW_CODE("model_uri"),
    RUT_MVSIM_ROW_CODE("shape"),
    RUT_MVSIM_ROW_CODE("transformation"),
    RUT_MVSIM_ROW_UNUSED("scale"),
};
static const rutMvsimTable walls_table = RUT_MVSIM_TABLE("walls", walls_rows);

// Read a 4 x 4 matrix "[a b c d; ...]" by rows. False, with an error, if it is none.
static bool read_transformation(rutMvsim* load, const rutMvsimItems* items, double m[16]) {
  const rutMvsimItem item = rut_mvsim_first(items, "transformation");
  for (int i = 0; i < 16; i++) m[i] = i % 5 == 0;
  if (!item.element) return true;
  const char* text = rut_mvsim_text(load, item);
  if (!text) return false;
  char plain[1024];
  size_t n = 0;
  for (; text[n] && n + 1 < sizeof plain; n++) plain[n] = strchr("[];,", text[n]) ? ' ' : text[n];
  plain[n] = '\0';
  return rut_mvsim_numbers(load, plain, rut_mvsim_place(item), "<transformation>",
                           (rutMvsimForm){"[a b c d; e f g h; i j k l; 0 0 0 1]", 16, 16}, m) > 0;
}

static void transform(const double m[16], const double p[3], double out[2]) {
  for (int i = 0; i < 2; i++) {
    out[i] = m[4 * i] * p[0] + m[4 * i + 1] * p[1] + m[4 * i + 2] * p[2] + m[4 * i + 3];
  }
}

// Add the wall between two points. Lines that rise straight up give none.
static void add_wall(rutMvsim* load, const rutMvsimItems* items, const double m[16],
                     const double a[3], const double b[3], rutPlace place) {
  double from[2], to[2];
  transform(m, a, from);
  transform(m, b, to);
  if (!(rut_hypot(to[0] - from[0], to[1] - from[1]) > 1e-6)) return;
  char name[32];
  snprintf(name, sizeof name, "wall_%d", ++load->walls);
  const rutNode wall = rut_mvsim_add(load, load->world, "wall", "", name, place);
  rut_mvsim_set_numbers(load, wall, "from", 2, from, place);
  rut_mvsim_set_numbers(load, wall, "to", 2, to, place);
  rut_mvsim_set(load, wall, "thickness", 0.1, place);
  rut_mvsim_set(load, wall, "height", 2, place);
  rut_mvsim_set_text(load, wall, "color", "#323232", place);
  if (!rut_node_is_null(wall)) rut_mvsim_apply(load, &walls_table, items, wall);
}

static void walls_from_points(rutMvsim* load, const rutMvsimItems* items, const double m[16],
                              rutMvsimItem shape) {
  double* point = NULL;
  const rutPlace place = rut_mvsim_place(shape);
  const int n = rut_mvsim_shape(load, shape, false, &point);
  if (n == 0 || n % 2 != 0) {
    if (n >= 0) {
      rut_mvsim_error(load, place, "<shape>", RUT_ERR_MODEL, "",
                      "walls take their points in pairs, and there are %d", n);
    }
    free(point);
    return;
  }
  for (int i = 0; i + 1 < n && !load->halted; i += 2) {
    const double a[3] = {point[2 * i], point[2 * i + 1], 0};
    const double b[3] = {point[2 * i + 2], point[2 * i + 3], 0};
    add_wall(load, items, m, a, b, place);
  }
  free(point);
}

static void walls_from_mesh(rutMvsim* load, const rutMvsimItems* items, const double m[16],
                            rutMvsimItem model) {
  const rutPlace place = rut_mvsim_place(model);
  const char* uri = rut_mvsim_text(load, model);
  if (!uri) return;
  char path[RUT_MVSIM_PATH];
  rut_mvsim_resolve(model.file, uri, path);
  const rutMvsimMesh* mesh = rut_mvsim_mesh(load, path, place);
  if (!mesh) return;
  if (mesh->remote) {
    rut_mvsim_warn(load, place, "<model_uri>", uri, "%s: these walls are left out; %s", mesh->fault,
                   mesh->hint);
  } else if (!mesh->ok) {
    rut_mvsim_error(load, place, "<model_uri>", RUT_ERR_IO, mesh->hint, "%s", mesh->fault);
  }
  if (!mesh->ok) return;
  const int before = load->walls;
  for (int i = 0; i < mesh->mesh.lines && !load->halted; i++) {
    const int* line = mesh->mesh.line + 2 * i;
    add_wall(load, items, m, mesh->mesh.point + 3 * line[0], mesh->mesh.point + 3 * line[1], place);
  }
  if (load->walls == before) {
    rut_mvsim_warn(load, place, "<model_uri>", NULL,
                   "'%.200s' has no lines: there are no walls in it", uri);
  }
}

void rut_mvsim_read_walls(rutMvsim* load, rutMvsimItem item) {
  rut_mvsim_check_attributes(load, item, NULL, 0);
  rutMvsimItems items = {0};
  rut_mvsim_children(load, item, &items);
  const rutMvsimItem model = rut_mvsim_first(&items, "model_uri");
  const rutMvsimItem shape = rut_mvsim_first(&items, "shape");
  double m[16];
  if (!model.element && !shape.element) {
    rut_mvsim_error(load, rut_mvsim_place(item), "<walls>", RUT_ERR_MODEL, "",
                    "the tag <model_uri> or <shape> is missing");
  } else if (read_transformation(load, &items, m)) {
    if (shape.element) walls_from_points(load, &items, m, shape);
    if (model.element) walls_from_mesh(load, &items, m, model);
  }
  rut_mvsim_items_free(&items);
}
