// SPDX-License-Identifier: BSD-3-Clause
//
// XML of a robot to its links, joints and shapes. Of xacro, arguments with a default and properties
// that are plain texts are replaced, as files keep them that were only half processed; all else is
// refused.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "format/urdf.h"

enum { MAX_NAMES = 256, MAX_VALUE = 4096, MAX_TEXTS = 1 << 20 };
static const double LARGEST = 1e9;
#define XACRO_HINT "run xacro first: xacro robot.urdf.xacro > robot.urdf"

struct rutUrdfText {
  rutUrdfText* next;
  char text[];
};

// A property or an argument of xacro.
typedef struct Name {
  const char *name, *value;
  bool argument;
} Name;

typedef struct Reader {
  rutUrdf* robot;
  rutReporter* reporter;
  int names;
  Name name[MAX_NAMES];
} Reader;

static rutPlace place_of(const Reader* r, const rutXmlElement* element) {
  return (rutPlace){r->robot->file, element->line, element->column};
}

#define FAIL(r, element, hint, ...)                                                           \
  rut_report_error((r)->reporter, RUT_ERR_MODEL, place_of(r, element), (element)->name, hint, \
                   __VA_ARGS__)

// ---- xacro ----

static const char* value_of(const Reader* r, const char* name, size_t size, bool argument) {
  for (int i = r->names - 1; i >= 0; i--) {
    const Name* n = &r->name[i];
    if (n->argument == argument && strlen(n->name) == size && memcmp(n->name, name, size) == 0)
      return n->value;
  }
  return NULL;
}

// Value for "${name}" or "$(arg name)" at `from`; *end gets what follows. NULL: it is neither.
static const char* substitute(const Reader* r, const char* from, const char** end) {
  const bool argument = from[1] == '(';
  const char* close = strchr(from, argument ? ')' : '}');
  if (!close) return NULL;
  const char* name = from + 2;
  if (argument) {
    if (strncmp(name, "arg ", 4) != 0) return NULL;
    name += 4;
  }
  while (*name == ' ') name++;
  size_t size = (size_t)(close - name);
  while (size > 0 && name[size - 1] == ' ') size--;
  *end = close + 1;
  return value_of(r, name, size, argument);
}

const char* rut_urdf_keep(rutUrdf* robot, const char* text, size_t size) {
  robot->text_bytes += size + 1;
  rutUrdfText* kept = robot->text_bytes <= MAX_TEXTS ? malloc(sizeof *kept + size + 1) : NULL;
  if (!kept) return NULL;
  memcpy(kept->text, text, size);
  kept->text[size] = '\0';
  kept->next = robot->text;
  robot->text = kept;
  return kept->text;
}

// Default for "$(optenv NAME DEFAULT)" at `from`: nothing is read from the environment.
static const char* default_of(Reader* r, const rutXmlElement* element, const char* from,
                              const char** end) {
  static const char call[] = "$(optenv ";
  const char* close = strchr(from, ')');
  if (strncmp(from, call, sizeof call - 1) != 0 || !close) return NULL;
  const char* value = from + sizeof call - 1;
  value += strspn(value, " ");
  value += strcspn(value, " )");
  value += strspn(value, " ");
  *end = close + 1;
  rut_report_warning(r->reporter, place_of(r, element), element->name,
                     "guessed: '%.*s' is its default", (int)(*end - from), from);
  return rut_urdf_keep(r->robot, value, (size_t)(close - value));
}

// A text with what xacro would put in. "" after an error.
static const char* expand(Reader* r, const rutXmlElement* element, const char* text) {
  if (!strstr(text, "${") && !strstr(text, "$(")) return text;
  char out[MAX_VALUE];
  size_t n = 0;
  for (const char* c = text; *c;) {
    const char* value = NULL;
    const char* end = c + 1;
    if (c[0] == '$' && (c[1] == '{' || c[1] == '(')) {
      value = substitute(r, c, &end);
      if (!value) value = default_of(r, element, c, &end);
      if (!value) {
        FAIL(r, element, XACRO_HINT, "'%.60s' is left for xacro to work out", c);
        return "";
      }
    }
    const size_t more = value ? strlen(value) : 1;
    if (n + more >= sizeof out) {
      FAIL(r, element, "", "a value of more than %d bytes", MAX_VALUE - 1);
      return "";
    }
    memcpy(out + n, value ? value : c, more);
    n += more;
    c = end;
  }
  const char* kept = rut_urdf_keep(r->robot, out, n);
  if (!kept) FAIL(r, element, XACRO_HINT, "its values are too long");
  return kept ? kept : "";
}

// ---- attributes ----

static const char* attribute(Reader* r, const rutXmlElement* element, const char* name) {
  const rutXmlAttribute* a = element ? rut_xml_attribute(element, name) : NULL;
  return a ? expand(r, element, a->value) : NULL;
}

// An attribute that must be there, "" with an error if it is not.
static const char* require(Reader* r, const rutXmlElement* element, const char* name) {
  const int before = r->reporter->errors;
  const char* value = attribute(r, element, name);
  if (value && value[0]) return value;
  if (r->reporter->errors == before) FAIL(r, element, "", "needs '%s'", name);
  return "";
}

bool rut_urdf_numbers(const char* text, int n, double* out) {
  static const char blank[] = " \t\r\n,";
  for (int i = 0; i < n; i++) {
    text += strspn(text, blank);
    if (!rut_parse_number(text, &out[i], &text)) return false;
    if (!(rut_abs(out[i]) <= LARGEST)) return false;
    if (*text && !strchr(blank, *text)) return false;
  }
  return text[strspn(text, blank)] == '\0';
}

// n numbers of an attribute; *out stays where it is not there. False after an error.
static bool numbers(Reader* r, const rutXmlElement* element, const char* name, int n, double* out) {
  const int before = r->reporter->errors;
  const char* text = attribute(r, element, name);
  if (!text || r->reporter->errors > before) return !text;
  double value[6];
  if (!rut_urdf_numbers(text, n, value)) {
    FAIL(r, element, "", "'%s' must be %d number%s of at most 1e9, not '%.60s'", name, n,
         n == 1 ? "" : "s", text);
    return false;
  }
  memcpy(out, value, (size_t)n * sizeof *out);
  return true;
}

// A limit of a joint: what is beyond LARGEST, or infinite, is none.
static void limit_number(Reader* r, const rutXmlElement* element, const char* name, double* out) {
  const char* text = attribute(r, element, name);
  const char* end;
  double value;
  if (text && (strcmp(text, "inf") == 0 || strcmp(text, "-inf") == 0))
    *out = text[0] == '-' ? -LARGEST : LARGEST;
  else if (text && rut_parse_number(text, &value, &end) && !*end && !(rut_abs(value) <= LARGEST))
    *out = value < 0 ? -LARGEST : LARGEST;
  else
    numbers(r, element, name, 1, out);
}

static const rutXmlElement* child_of(const rutXmlElement* element, const char* name) {
  const rutXmlElement* child = element->first;
  while (child && strcmp(child->name, name) != 0) child = child->next;
  return child;
}

static rutFramePose read_origin(Reader* r, const rutXmlElement* element) {
  const rutXmlElement* origin = child_of(element, "origin");
  double at[3] = {0, 0, 0}, rpy[3] = {0, 0, 0};
  if (origin) {
    numbers(r, origin, "xyz", 3, at);
    numbers(r, origin, "rpy", 3, rpy);
  }
  return (rutFramePose){rut_mat3_of_rpy(rpy[0], rpy[1], rpy[2]), rut_vec3_of(at)};
}

// ---- links ----

static void read_inertial(Reader* r, const rutXmlElement* element, rutUrdfLink* link) {
  const rutXmlElement* mass = child_of(element, "mass");
  const rutXmlElement* inertia = child_of(element, "inertia");
  rutBodyMass m = {0};
  if (mass) numbers(r, mass, "value", 1, &m.mass);
  if (mass && m.mass < 0) FAIL(r, mass, "", "'value' is %g: a mass is not negative", m.mass);
  if (inertia) {
    numbers(r, inertia, "ixx", 1, &m.inertia.xx);
    numbers(r, inertia, "iyy", 1, &m.inertia.yy);
    numbers(r, inertia, "izz", 1, &m.inertia.zz);
    numbers(r, inertia, "ixy", 1, &m.inertia.xy);
    numbers(r, inertia, "ixz", 1, &m.inertia.xz);
    numbers(r, inertia, "iyz", 1, &m.inertia.yz);
    if (m.inertia.xx < 0 || m.inertia.yy < 0 || m.inertia.zz < 0) {
      FAIL(r, inertia, "", "moments of inertia are not negative");
    }
  }
  link->mass = rut_body_mass_moved(m, read_origin(r, element));
}

static double least(const double* size, int n) {
  double value = size[0];
  for (int i = 1; i < n; i++) value = rut_min(value, size[i]);
  return value;
}

// Three numbers; of four, which some tools write, the last means nothing.
static bool read_scale(Reader* r, const rutXmlElement* mesh, double* scale) {
  double value[4];
  const char* text = attribute(r, mesh, "scale");
  if (!text || !rut_urdf_numbers(text, 4, value)) return numbers(r, mesh, "scale", 3, scale);
  memcpy(scale, value, 3 * sizeof *scale);
  return true;
}

static void read_geometry(Reader* r, const rutXmlElement* element, rutUrdfShape* shape) {
  static const struct {
    const char *name, *first, *second;
    rutUrdfKind kind;
    int numbers;
  } kinds[] = {{"box", "size", NULL, RUT_URDF_BOX, 3},
               {"cylinder", "radius", "length", RUT_URDF_CYLINDER, 1},
               {"sphere", "radius", NULL, RUT_URDF_SPHERE, 1},
               {"mesh", "scale", NULL, RUT_URDF_MESH, 3}};
  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
    const rutXmlElement* of = child_of(element, kinds[i].name);
    if (!of) continue;
    shape->kind = kinds[i].kind;
    shape->known = shape->kind != RUT_URDF_MESH;
    shape->place = place_of(r, of);
    if (!shape->known) {
      shape->size[0] = shape->size[1] = shape->size[2] = 1;
      shape->file = require(r, of, "filename");
    } else {
      require(r, of, kinds[i].first);
    }
    bool fine = shape->known ? numbers(r, of, kinds[i].first, kinds[i].numbers, shape->size)
                             : read_scale(r, of, shape->size);
    if (kinds[i].second) {
      require(r, of, kinds[i].second);
      fine = numbers(r, of, kinds[i].second, 1, &shape->size[1]) && fine;
    }
    const double size = least(shape->size, kinds[i].second ? 2 : kinds[i].numbers);
    if (fine && shape->known && size < 0) FAIL(r, of, "", "its lengths must be above 0");
    if (fine && shape->known && size == 0) {
      rut_report_warning(r->reporter, shape->place, of->name,
                         "dropped: a shape of no size: its lengths must be above 0");
      return;
    }
    r->robot->shapes++;
    return;
  }
}

static void read_shape(Reader* r, const rutXmlElement* element, int link, bool collision) {
  rutUrdf* robot = r->robot;
  const rutXmlElement* geometry = child_of(element, "geometry");
  if (!geometry) {
    FAIL(r, element, "", "needs <geometry>");
    return;
  }
  if (robot->shapes == RUT_URDF_MAX_SHAPES) {
    FAIL(r, element, "", "a robot has at most %d shapes", RUT_URDF_MAX_SHAPES);
    return;
  }
  rutUrdfShape* shape = &robot->shape[robot->shapes];
  *shape = (rutUrdfShape){.link = link, .collision = collision, .pose = read_origin(r, element)};
  read_geometry(r, geometry, shape);
}

static void read_link(Reader* r, const rutXmlElement* element) {
  rutUrdf* robot = r->robot;
  if (robot->links == RUT_URDF_MAX_LINKS) {
    FAIL(r, element, "", "a robot has at most %d links", RUT_URDF_MAX_LINKS);
    return;
  }
  const char* name = require(r, element, "name");
  if (name[0] && rut_urdf_link(robot, name) >= 0) {
    FAIL(r, element, "", "there are two links '%.60s'", name);
    return;
  }
  rutUrdfLink* link = &robot->link[robot->links];
  *link = (rutUrdfLink){.name = name, .place = place_of(r, element), .friction = -1, .joint = -1};
  for (const rutXmlElement* child = element->first; child; child = child->next) {
    if (r->reporter->errors >= RUT_READER_MAX_ERRORS) return;
    if (strcmp(child->name, "inertial") == 0) read_inertial(r, child, link);
    if (strcmp(child->name, "collision") == 0) read_shape(r, child, robot->links, true);
    if (strcmp(child->name, "visual") == 0) read_shape(r, child, robot->links, false);
  }
  robot->links++;
}

// ---- joints ----

static void read_motion(Reader* r, const rutXmlElement* element, rutUrdfJoint* joint) {
  static const char* const motions[] = {"fixed",     "continuous", "revolute",
                                        "prismatic", "floating",   "planar"};
  const char* type = require(r, element, "type");
  for (int i = 0; i < RUT_COUNT_OF(motions); i++) {
    if (strcmp(type, motions[i]) != 0) continue;
    joint->motion = (rutUrdfMotion)i;
    return;
  }
  if (type[0]) {
    FAIL(r, element, "types are fixed, continuous, revolute, prismatic, floating and planar",
         "there is no joint of type '%.60s'", type);
  }
}

static void read_axis(Reader* r, const rutXmlElement* element, rutUrdfJoint* joint) {
  const rutXmlElement* axis = child_of(element, "axis");
  double a[3] = {1, 0, 0};
  if (axis) numbers(r, axis, "xyz", 3, a);
  const double norm = rut_vec3_norm(rut_vec3_of(a));
  joint->axis = rut_vec3_unit(rut_vec3_of(a));
  if (axis && norm < 1e-9 && joint->motion != RUT_URDF_FIXED) {
    FAIL(r, axis, "", "an axis has a direction, not '0 0 0'");
  }
}

static void read_joint(Reader* r, const rutXmlElement* element) {
  rutUrdf* robot = r->robot;
  if (robot->joints == RUT_URDF_MAX_LINKS) {
    FAIL(r, element, "", "a robot has at most %d joints", RUT_URDF_MAX_LINKS);
    return;
  }
  const rutXmlElement* parent = child_of(element, "parent");
  const rutXmlElement* child = child_of(element, "child");
  const rutXmlElement* limit = child_of(element, "limit");
  const rutXmlElement* mimic = child_of(element, "mimic");
  if (!parent || !child) {
    FAIL(r, element, "", "needs <parent link=\"...\"/> and <child link=\"...\"/>");
    return;
  }
  rutUrdfJoint* joint = &robot->joint[robot->joints];
  *joint = (rutUrdfJoint){.name = require(r, element, "name"),
                          .parent_name = require(r, parent, "link"),
                          .child_name = require(r, child, "link"),
                          .place = place_of(r, element),
                          .pose = read_origin(r, element)};
  read_motion(r, element, joint);
  read_axis(r, element, joint);
  if (limit) {
    limit_number(r, limit, "lower", &joint->lower);
    limit_number(r, limit, "upper", &joint->upper);
    limit_number(r, limit, "effort", &joint->effort);
    limit_number(r, limit, "velocity", &joint->velocity);
  }
  if (mimic) joint->mimics = require(r, mimic, "joint");
  if (joint->name[0] && rut_urdf_joint(robot, joint->name) >= 0) {
    FAIL(r, element, "", "there are two joints '%.60s'", joint->name);
    return;
  }
  robot->joints++;
}

// ---- the document ----

static void read_xacro(Reader* r, const rutXmlElement* element) {
  const bool argument = strcmp(element->name, "xacro:arg") == 0;
  const char* value = attribute(r, element, argument ? "default" : "value");
  if ((!argument && strcmp(element->name, "xacro:property") != 0) || !value) {
    FAIL(r, element, XACRO_HINT, "this is left for xacro to work out");
    return;
  }
  if (r->names == MAX_NAMES) {
    FAIL(r, element, XACRO_HINT, "more than %d properties of xacro", MAX_NAMES);
    return;
  }
  r->name[r->names++] = (Name){require(r, element, "name"), value, argument};
}

static bool begins(const char* text, const char* with) {
  return strncmp(text, with, strlen(with)) == 0;
}

static void read_root(Reader* r, const rutXmlElement* root) {
  for (const rutXmlElement* child = root->first; child; child = child->next) {
    if (r->reporter->errors >= RUT_READER_MAX_ERRORS) return;
    if (begins(child->name, "xacro:")) read_xacro(r, child);
    if (strcmp(child->name, "link") == 0) read_link(r, child);
    if (strcmp(child->name, "joint") == 0) read_joint(r, child);
    if (strcmp(child->name, "transmission") == 0) r->robot->transmissions++;
  }
  // what they refer to may stand behind them
  for (const rutXmlElement* child = root->first; child; child = child->next) {
    if (strcmp(child->name, "gazebo") == 0) rut_urdf_gazebo(r->robot, child, r->reporter);
  }
}

bool rut_urdf_recognise(const char* text, size_t size) {
  char name[16];
  return rut_xml_first_element(text, size, name, sizeof name) && strcmp(name, "robot") == 0;
}

rutStatus rut_urdf_begin(rutUrdf* robot, rutPlace place, int elements, rutReporter* reporter) {
  // there are no more of any than elements
  const size_t n = (size_t)elements + 1;
  robot->file = place.file;
  robot->place = place;
  robot->link = calloc(n < RUT_URDF_MAX_LINKS ? n : RUT_URDF_MAX_LINKS, sizeof *robot->link);
  robot->joint = calloc(n < RUT_URDF_MAX_LINKS ? n : RUT_URDF_MAX_LINKS, sizeof *robot->joint);
  robot->shape = calloc(n < RUT_URDF_MAX_SHAPES ? n : RUT_URDF_MAX_SHAPES, sizeof *robot->shape);
  robot->sensor =
      calloc(n < RUT_URDF_MAX_SENSORS ? n : RUT_URDF_MAX_SENSORS, sizeof *robot->sensor);
  if (robot->link && robot->joint && robot->shape && robot->sensor) return RUT_OK;
  return rut_report_error(reporter, RUT_ERR_MEMORY, place, "", "", "out of memory");
}

rutStatus rut_urdf_read(const char* text, size_t size, const char* file, rutReporter* reporter,
                        rutUrdf* out) {
  const int before = reporter->errors;
  *out = (rutUrdf){.file = file};
  rutStatus status = rut_xml_parse(text, size, file, false, reporter, &out->xml);
  if (status != RUT_OK) return status;
  const rutXmlElement* root = rut_xml_root(out->xml);
  const rutPlace place = {file, root->line, root->column};
  status = rut_urdf_begin(out, place, rut_xml_elements(out->xml), reporter);
  if (status != RUT_OK) return status;
  Reader* r = calloc(1, sizeof *r);
  if (!r) return rut_report_error(reporter, RUT_ERR_MEMORY, place, "", "", "out of memory");
  *r = (Reader){.robot = out, .reporter = reporter};
  if (strcmp(root->name, "robot") != 0) FAIL(r, root, "", "a robot begins with <robot>");
  const rutXmlAttribute* name = rut_xml_attribute(root, "name");
  out->name = name ? name->value : "";
  read_root(r, root);
  if (out->links == 0 && reporter->errors == before) FAIL(r, root, "", "it has no <link>");
  free(r);
  return reporter->errors == before ? RUT_OK : reporter->first.status;
}

void rut_urdf_free(rutUrdf* robot) {
  while (robot->text) {
    rutUrdfText* next = robot->text->next;
    free(robot->text);
    robot->text = next;
  }
  free(robot->link);
  free(robot->joint);
  free(robot->shape);
  free(robot->sensor);
  rut_xml_destroy(robot->xml);
  *robot = (rutUrdf){0};
}
