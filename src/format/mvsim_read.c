// SPDX-License-Identifier: BSD-3-Clause
//
// The MVSim world format (MVSim 1.2, and the names of its 2020 manual): recognition, tags of the
// world, and the flow control among them.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "format/mvsim.h"
#include "format/mvsim_load.h"

// ---- recognition ----

static bool recognise(const char* text, size_t size) {
  char name[16];
  return rut_xml_first_element(text, size, name, sizeof name) && strcmp(name, "mvsim_world") == 0;
}

// ---- parameters of the world ----

static const rutMvsimRow world_rows[] = {
    RUT_MVSIM_ROW_NUMBER("simul_timestep", "timestep"),
    RUT_MVSIM_ROW_NUMBER("gravity", "gravity"),
    RUT_MVSIM_ROW_NUMBER("collision_threshold", "contact_margin"),
    RUT_MVSIM_ROW_UNUSED("b2d_vel_iters"),
    RUT_MVSIM_ROW_UNUSED("b2d_pos_iters"),
    RUT_MVSIM_ROW_UNUSED("joystick_enabled"),
    RUT_MVSIM_ROW_UNUSED("save_to_rawlog"),
    RUT_MVSIM_ROW_UNUSED("rawlog_odometry_rate"),
    RUT_MVSIM_ROW_UNUSED("save_ground_truth_trajectory"),
    RUT_MVSIM_ROW_UNUSED("ground_truth_rate"),
    RUT_MVSIM_ROW_UNUSED("max_slope_to_collide"),
    RUT_MVSIM_ROW_UNUSED("min_slope_to_collide"),
    RUT_MVSIM_ROW_UNUSED("server_address"),
    // for suggestions only: these have readers of their own
    RUT_MVSIM_ROW_CODE("vehicle"),
    RUT_MVSIM_ROW_CODE("vehicle:class"),
    RUT_MVSIM_ROW_CODE("block"),
    RUT_MVSIM_ROW_CODE("block:class"),
    RUT_MVSIM_ROW_CODE("element"),
    RUT_MVSIM_ROW_CODE("sensor"),
    RUT_MVSIM_ROW_CODE("georeference"),
    RUT_MVSIM_ROW_CODE("variable"),
    RUT_MVSIM_ROW_CODE("include"),
};
static const rutMvsimTable world_table = RUT_MVSIM_TABLE("mvsim_world", world_rows);

static void read_parameter(rutMvsim* load, rutMvsimItem item) {
  const rutMvsimItems one = {.item = &item, .n = 1, .capacity = 1};
  rut_mvsim_apply(load, &world_table, &one, load->world);
}

// ---- classes, variables ----

static char* copy_text(const char* text) {
  const size_t size = strlen(text) + 1;
  char* copy = malloc(size);
  if (copy) memcpy(copy, text, size);
  return copy;
}

// Required attribute of a tag; NULL after an error.
static const char* required(rutMvsim* load, rutMvsimItem item, const char* attribute,
                            rutPlace* place) {
  char label[RUT_MVSIM_LABEL];
  *place = rut_mvsim_place(item);
  if (rut_xml_attribute(item.element, attribute)) {
    return rut_mvsim_attribute(load, item, attribute, place);
  }
  rut_mvsim_label(item, label);
  rut_mvsim_error(load, *place, label, RUT_ERR_MODEL, "", "the attribute '%s' is missing",
                  attribute);
  return NULL;
}

static void define_class(rutMvsim* load, rutMvsimItem item) {
  static const char* const attributes[] = {"name"};
  rutPlace place;
  const char* name = required(load, item, "name", &place);
  if (!name) return;
  rut_mvsim_check_attributes(load, item, attributes, 1);
  if (load->definitions == RUT_MVSIM_MAX_CLASSES) {
    rut_mvsim_error(load, place, "", RUT_ERR_CAPACITY, "", "a world defines at most %d classes",
                    RUT_MVSIM_MAX_CLASSES);
    return;
  }
  if (load->classes == load->class_capacity) {
    const int capacity = 2 * load->class_capacity + 16;
    rutMvsimClass* grown = realloc(load->class, (size_t)capacity * sizeof *grown);
    if (!grown) {
      rut_mvsim_no_memory(load);
      return;
    }
    load->class = grown;
    load->class_capacity = capacity;
  }
  const rutMvsimClass new_class = {copy_text(item.element->name), copy_text(name), item};
  if (!new_class.kind || !new_class.name) {
    free(new_class.kind);
    free(new_class.name);
    rut_mvsim_no_memory(load);
    return;
  }
  load->class[load->classes++] = new_class;  // the last definition of a name counts
  load->definitions++;
}

static void set_variable(rutMvsim* load, const char* name, const char* value, rutPlace place) {
  const rutStatus status = rut_scope_set(load->variables, name, value);
  if (status == RUT_ERR_MEMORY) {
    rut_mvsim_no_memory(load);
  } else if (status != RUT_OK) {
    rut_mvsim_error(load, place, "<variable>", status, "", "too many variables");
  }
}

static void read_variable(rutMvsim* load, rutMvsimItem item) {
  static const char* const attributes[] = {"name", "value"};
  rutPlace place;
  const char* name = required(load, item, "name", &place);
  const char* value = required(load, item, "value", &place);
  if (!name || !value) return;
  rut_mvsim_check_attributes(load, item, attributes, 2);
  set_variable(load, name, value, place);
}

static void read_world_sensor(rutMvsim* load, rutMvsimItem item) {
  rut_mvsim_read_sensor(load, item, load->world, "", 0);
}

// ---- flow ----

static void read_item(rutMvsim* load, rutMvsimItem item, const rutMvsimChain* chain);

static void read_children(rutMvsim* load, rutMvsimItem parent, const rutMvsimChain* chain) {
  for (const rutXmlElement* e = parent.element->first; e && !load->halted; e = e->next) {
    const rutMvsimItem item = {e, parent.file, parent.scope};
    read_item(load, item, chain);
  }
}

static void read_include(rutMvsim* load, rutMvsimItem item, const rutMvsimChain* chain) {
  rutMvsimItem root;
  if (!rut_mvsim_open_include(load, item, chain, &root)) return;
  const rutMvsimChain inner = {root.file, chain, chain->flow + 1};
  read_children(load, root, &inner);
}

static void read_if(rutMvsim* load, rutMvsimItem item, const rutMvsimChain* chain) {
  static const char* const attributes[] = {"condition"};
  rut_mvsim_check_attributes(load, item, attributes, 1);
  const rutMvsimChain inner = {chain->file, chain, chain->flow + 1};
  if (rut_mvsim_condition(load, item)) read_children(load, item, &inner);
}

// Bound of a <for>: a whole number, cut towards zero as MVSim does. False after an error.
static bool read_bound(rutMvsim* load, rutMvsimItem item, const char* attribute, long* out) {
  rutPlace place;
  const char* text = required(load, item, attribute, &place);
  double value;
  if (!text || !rut_mvsim_number(load, text, place, "<for>", &value)) return false;
  if (!(value > -2e9 && value < 2e9)) {
    rut_mvsim_error(load, place, "<for>", RUT_ERR_PARSE, "", "'%.60s' is out of range: -2e9 to 2e9",
                    text);
    return false;
  }
  *out = (long)value;
  return true;
}

// MVSim takes the loop's children one by one and counts inside each of them; the order decides
// which names unnamed blocks get, and which random numbers.
static void read_for(rutMvsim* load, rutMvsimItem item, const rutMvsimChain* chain) {
  static const char* const attributes[] = {"var", "from", "to"};
  rutPlace place;
  long from, to;
  const char* name = required(load, item, "var", &place);
  if (!name || !read_bound(load, item, "from", &from) || !read_bound(load, item, "to", &to)) return;
  rut_mvsim_check_attributes(load, item, attributes, 3);
  const rutMvsimChain inner = {chain->file, chain, chain->flow + 1};
  if (!item.element->first) {
    rut_mvsim_warn(load, rut_mvsim_place(item), "<for>", NULL, "<for> has nothing inside");
  }
  for (const rutXmlElement* e = item.element->first; e; e = e->next) {
    const rutMvsimItem child = {e, item.file, item.scope};
    for (long i = from; i <= to && !load->halted; i++) {
      if (++load->iterations > RUT_MVSIM_MAX_ITERATIONS) {
        rut_mvsim_error(load, rut_mvsim_place(item), "<for>", RUT_ERR_CAPACITY, "",
                        "loops run more than %d times", RUT_MVSIM_MAX_ITERATIONS);
        return;
      }
      char value[24];
      snprintf(value, sizeof value, "%ld", i);
      set_variable(load, name, value, place);
      read_item(load, child, &inner);
    }
  }
}

// ---- tags of the world ----

static const struct {
  const char* tag;
  void (*read)(rutMvsim* load, rutMvsimItem item);
} readers[] = {
    {"vehicle", rut_mvsim_read_vehicle},
    {"vehicle:class", define_class},
    {"block", rut_mvsim_read_block},
    {"block:class", define_class},
    {"element", rut_mvsim_read_element},
    {"sensor", read_world_sensor},
    {"joint", rut_mvsim_read_joint},
    {"walls", rut_mvsim_read_walls},
    {"gui", rut_mvsim_read_gui},
    {"lights", rut_mvsim_read_lights},
    {"georeference", rut_mvsim_read_georeference},
    {"marker", rut_mvsim_read_marker},
    {"variable", read_variable},
    {"actor", rut_mvsim_read_actor},
    {"actor:class", define_class},
};
static const struct {
  const char* tag;
  void (*read)(rutMvsim* load, rutMvsimItem item, const rutMvsimChain* chain);
} flow_readers[] = {{"include", read_include}, {"for", read_for}, {"if", read_if}};

static void read_tag(rutMvsim* load, rutMvsimItem item, const rutMvsimChain* chain) {
  const char* tag = item.element->name;
  for (int i = 0; i < RUT_COUNT_OF(readers); i++) {
    if (strcmp(tag, readers[i].tag) == 0) {
      readers[i].read(load, item);
      return;
    }
  }
  for (int i = 0; i < RUT_COUNT_OF(flow_readers); i++) {
    if (strcmp(tag, flow_readers[i].tag) == 0) {
      flow_readers[i].read(load, item, chain);
      return;
    }
  }
  read_parameter(load, item);
}

static void read_item(rutMvsim* load, rutMvsimItem item, const rutMvsimChain* chain) {
  if (load->halted) return;
  if (++load->work > RUT_MVSIM_MAX_WORK || chain->flow > RUT_MVSIM_MAX_FLOW) {
    rut_mvsim_error(load, rut_mvsim_place(item), "", RUT_ERR_CAPACITY, "",
                    "the world is too large once its loops and includes are unrolled");
    return;
  }
  const rutMvsimMark mark = rut_mvsim_mark(load);
  read_tag(load, item, chain);
  rut_mvsim_release(load, mark);
}

// ---- the world ----

static void check_version(rutMvsim* load, rutMvsimItem root) {
  rutPlace place;
  const char* text = rut_mvsim_attribute(load, root, "version", &place);
  if (!text) return;
  const size_t major = strspn(text, "0123456789");
  const char* dot = text + major;
  const size_t minor = *dot == '.' ? strspn(dot + 1, "0123456789") : 0;
  if (!major || !minor || dot[1 + minor]) {
    rut_mvsim_error(load, place, "<mvsim_world>", RUT_ERR_PARSE, "", "version '%.40s' is not '1.0'",
                    text);
  } else if (strncmp(text, "1.", 2) != 0) {
    rut_mvsim_warn(load, place, "<mvsim_world>", NULL,
                   "version %.40s is newer than 1.x, for which this reader was made", text);
  }
}

static void read_world(rutMvsim* load, const rutMvsimFile* file) {
  static const char* const attributes[] = {"version"};
  const rutMvsimItem root = {rut_xml_root(file->xml), file, load->variables};
  if (rut_scope_set(load->variables, "MVSIM_CURRENT_FILE_DIRECTORY", file->folder) != RUT_OK) {
    rut_mvsim_no_memory(load);
    return;
  }
  if (strcmp(root.element->name, "mvsim_world") != 0) {
    rut_mvsim_error(load, rut_mvsim_place(root), "", RUT_ERR_PARSE, "",
                    "the file begins with <%.60s>, not with <mvsim_world>", root.element->name);
    return;
  }
  rut_node_place(load->spec, load->world, NULL, rut_mvsim_place(root));
  rut_mvsim_check_attributes(load, root, attributes, 1);
  check_version(load, root);
  const rutMvsimChain chain = {file, NULL, 0};
  read_children(load, root, &chain);
}

// MVSim keeps the parts that its worlds share in these folders, beside those of the worlds.
static bool allow_parts(rutSpec* spec, const char* world) {
  static const char* const folders[] = {"definitions", "models"};
  bool fine = true;
  for (int i = 0; i < RUT_COUNT_OF(folders); i++) {
    fine = fine && rut_spec_allow_beside(spec, world, folders[i]) == RUT_OK;
  }
  return fine;
}

// ---- a vehicle alone ----

bool rut_mvsim_recognise_vehicle(const char* text, size_t size) {
  char name[16];
  return rut_xml_first_element(text, size, name, sizeof name) && strcmp(name, "vehicle:class") == 0;
}

// Read elements that stand in no file, as if they stood at a place of one.
static void read_made(rutMvsim* load, rutPlace at, const char* elements) {
  const int down = at.line > 1 ? at.line - 1 : 0, right = at.column > 1 ? at.column - 1 : 0;
  const size_t size = (size_t)down + (size_t)right + strlen(elements) + 1;
  char* text = malloc(size);
  if (!text) {
    rut_mvsim_no_memory(load);
    return;
  }
  memset(text, '\n', (size_t)down);
  snprintf(text + down, size - (size_t)down, "%*s%s", right, "", elements);
  const rutMvsimFile* file = rut_mvsim_open_main(load, text, strlen(text), at.file);
  free(text);
  if (!file) return;
  const rutMvsimItem root = {rut_xml_root(file->xml), file, load->variables};
  const rutMvsimChain chain = {file, NULL, 0};
  read_children(load, root, &chain);
}

// Copy a text with what XML escapes.
static void escape(const char* text, char* out, size_t size) {
  size_t n = 0;
  for (; *text && n + 8 < size; text++) {
    const char* entity = *text == '&'   ? "&amp;"
                         : *text == '<' ? "&lt;"
                         : *text == '"' ? "&quot;"
                                        : "";
    n += (size_t)(entity[0] ? snprintf(out + n, size - n, "%s", entity)
                            : snprintf(out + n, size - n, "%c", *text));
  }
  out[n] = '\0';
}

static void read_alone(rutMvsim* load, const char* path, rutPlace at, const char* name,
                       rutNode* out) {
  char made[2 * RUT_MVSIM_PATH], one[RUT_MVSIM_PATH], other[RUT_MVSIM_LABEL * 6];
  escape(path, one, sizeof one);
  snprintf(made, sizeof made, "<made><include file=\"%s\"/></made>", one);
  read_made(load, at, made);
  const char* class = NULL;
  for (int i = 0; i < load->classes; i++) {
    if (strcmp(load->class[i].kind, "vehicle:class") == 0) class = load->class[i].name;
  }
  if (load->reporter->errors) return;
  if (!class) {
    rut_mvsim_error(load, at, "<vehicle>", RUT_ERR_MODEL, "", "'%.200s' defines no vehicle", path);
    return;
  }
  escape(name ? name : class, one, sizeof one);
  escape(class, other, sizeof other);
  snprintf(made, sizeof made,
           "<made><vehicle name=\"%.1000s\" class=\"%s\"><init_pose>0 0 0</init_pose></vehicle>"
           "</made>",
           one, other);
  read_made(load, at, made);
  if (out) *out = rut_spec_find(load->spec, name ? name : class);
}

rutStatus rut_mvsim_add_vehicle(rutContext* context, const char* path, rutPlace at,
                                const rutVehiclePlace* to, rutNode* out) {
  rutMvsim load = {
      .spec = to->spec,
      .reporter = rut_context_reporter(context),
      .world = to->world,
      .mesh_time = {RUT_MESH_SECONDS},
      .variables = rut_scope_create(NULL, rut_context_seed(context)),
  };
  const int before = load.reporter->errors;
  if (!load.variables) {
    rut_mvsim_no_memory(&load);
  } else {
    read_alone(&load, path, at, to->name, out);
  }
  rut_mvsim_close(&load);
  return load.reporter->errors == before ? RUT_OK : load.reporter->first.status;
}

// ---- the format ----

static rutStatus read(rutContext* context, const char* text, size_t size, const char* name,
                      rutSpec* spec, rutError* err) {
  rutMvsim load = {
      .spec = spec,
      .reporter = rut_context_reporter(context),
      .world = rut_spec_root(spec),
      .mesh_time = {RUT_MESH_SECONDS},
      .variables = rut_scope_create(NULL, rut_context_seed(context)),
  };
  if (!load.variables || !allow_parts(spec, name)) {
    rut_mvsim_no_memory(&load);
  } else {
    const rutMvsimFile* file = rut_mvsim_open_main(&load, text, size, name);
    if (file) read_world(&load, file);
  }
  rut_mvsim_close(&load);
  if (!load.reporter->errors) return RUT_OK;
  if (err) *err = load.reporter->first;
  return load.reporter->first.status;
}

const rutFormatType rut_format_mvsim = {
    .base = {.abi = RUT_ABI,
             .struct_size = sizeof(rutFormatType),
             .kind = "format",
             .name = "mvsim",
             .parents = "",
             .doc = "World files of MVSim (github.com/MRPT/mvsim), version 1.2, with the names of "
                    "its 2020 manual as well."},
    .recognise = recognise,
    .read = read};
