// SPDX-License-Identifier: BSD-3-Clause
//
// A model of SDF to links and joints as a URDF has them. The frame of a link is then that of the
// joint that carries it, so that wheels turn about their joints. The outermost model itself is the
// root, with what hangs on no joint.
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "format/sdf.h"

static const double ENDLESS = 1e6;  // range from which a revolute joint is continuous [rad]

#define FAIL(sdf, element, hint, ...)                                                             \
  rut_report_error((sdf)->reporter, RUT_ERR_MODEL, rut_sdf_place(element), (element)->name, hint, \
                   __VA_ARGS__)

// ---- links ----

static double number_in(rutSdf* sdf, const rutXmlElement* element, const char* name,
                        double otherwise) {
  double value = otherwise;
  rut_sdf_numbers(sdf, element, name, 1, &value);
  return value;
}

// In the link's own frame. Without <inertial> SDF has 1 kg and 1 kg m2.
static rutBodyMass read_mass(rutSdf* sdf, const rutXmlElement* link) {
  const rutXmlElement* inertial = rut_sdf_child(link, "inertial");
  const rutXmlElement* j = rut_sdf_child(inertial, "inertia");
  rutBodyMass m = {.mass = 1, .inertia = {1, 1, 1, 0, 0, 0}};
  if (!inertial) return m;
  m.mass = number_in(sdf, inertial, "mass", 1);
  m.inertia.xx = number_in(sdf, j, "ixx", 1);
  m.inertia.yy = number_in(sdf, j, "iyy", 1);
  m.inertia.zz = number_in(sdf, j, "izz", 1);
  m.inertia.xy = number_in(sdf, j, "ixy", 0);
  m.inertia.xz = number_in(sdf, j, "ixz", 0);
  m.inertia.yz = number_in(sdf, j, "iyz", 0);
  if (m.mass < 0) FAIL(sdf, inertial, "", "'mass' is %g: a mass is not negative", m.mass);
  if (m.inertia.xx < 0 || m.inertia.yy < 0 || m.inertia.zz < 0) {
    FAIL(sdf, j ? j : inertial, "", "moments of inertia are not negative");
  }
  return rut_body_mass_moved(m, rut_sdf_pose(sdf, inertial));
}

static bool positive(rutSdf* sdf, const rutXmlElement* element, const double* size, int n) {
  for (int i = 0; i < n; i++) {
    if (size[i] > 0) continue;
    FAIL(sdf, element, "", "its lengths must be above 0");
    return false;
  }
  return true;
}

// False if the shape is none that a robot has.
static bool read_geometry(rutSdf* sdf, const rutXmlElement* geometry, rutUrdfShape* shape) {
  const rutXmlElement* of = geometry->first;
  if (!of) return false;
  shape->place = rut_sdf_place(of);
  shape->known = true;
  if (strcmp(of->name, "box") == 0) {
    shape->kind = RUT_URDF_BOX;
    shape->size[0] = shape->size[1] = shape->size[2] = 1;
    return rut_sdf_numbers(sdf, of, "size", 3, shape->size) && positive(sdf, of, shape->size, 3);
  }
  if (strcmp(of->name, "cylinder") == 0 || strcmp(of->name, "capsule") == 0) {
    shape->kind = RUT_URDF_CYLINDER;
    shape->size[0] = number_in(sdf, of, "radius", 0.5);
    shape->size[1] = number_in(sdf, of, "length", 1);
    if (of->name[2] == 'p') shape->size[1] += 2 * shape->size[0];
    return positive(sdf, of, shape->size, 2);
  }
  if (strcmp(of->name, "sphere") == 0) {
    shape->kind = RUT_URDF_SPHERE;
    shape->size[0] = number_in(sdf, of, "radius", 0.5);
    return positive(sdf, of, shape->size, 1);
  }
  if (strcmp(of->name, "ellipsoid") == 0) {
    shape->kind = RUT_URDF_BOX;
    rut_sdf_numbers(sdf, of, "radii", 3, shape->size);
    for (int k = 0; k < 3; k++) shape->size[k] *= 2;
    return positive(sdf, of, shape->size, 3);
  }
  if (strcmp(of->name, "mesh") != 0) return false;
  shape->kind = RUT_URDF_MESH;
  shape->known = false;
  shape->file = rut_sdf_text(of, "uri");
  shape->size[0] = shape->size[1] = shape->size[2] = 1;
  return rut_sdf_numbers(sdf, of, "scale", 3, shape->size);
}

static void read_friction(rutSdf* sdf, const rutXmlElement* collision, rutUrdfLink* link) {
  const rutXmlElement* surface = rut_sdf_child(collision, "surface");
  const rutXmlElement* ode = rut_sdf_child(rut_sdf_child(surface, "friction"), "ode");
  const double mu = number_in(sdf, ode, "mu", -1);
  if (ode && rut_sdf_child(ode, "mu") && mu >= 0) link->friction = mu;
}

static void read_shape(rutSdf* sdf, const rutXmlElement* element, int link, rutFramePose of_link) {
  rutUrdf* robot = sdf->robot;
  const rutXmlElement* geometry = rut_sdf_child(element, "geometry");
  if (!geometry) return;
  if (robot->shapes == RUT_URDF_MAX_SHAPES) {
    FAIL(sdf, element, "", "a robot has at most %d shapes", RUT_URDF_MAX_SHAPES);
    return;
  }
  rutUrdfShape* shape = &robot->shape[robot->shapes];
  *shape = (rutUrdfShape){.link = link,
                          .collision = strcmp(element->name, "collision") == 0,
                          .pose = rut_frame_mul(of_link, rut_sdf_pose(sdf, element))};
  if (read_geometry(sdf, geometry, shape)) robot->shapes++;
  if (shape->collision) read_friction(sdf, element, &robot->link[link]);
}

static void read_sensor(rutSdf* sdf, const rutXmlElement* element, const char* link,
                        rutFramePose of_link) {
  rutUrdf* robot = sdf->robot;
  const int before = robot->sensors;
  rut_urdf_sensor(robot, element, link, sdf->reporter);
  if (robot->sensors == before) return;
  robot->sensor[before].pose = rut_frame_mul(of_link, rut_sdf_pose(sdf, element));
}

// What stands on a link, whose own frame is `of_link` in that of its joint.
static void read_link(rutSdf* sdf, const rutSdfFrame* frame, rutFramePose of_link) {
  rutUrdfLink* link = &sdf->robot->link[frame->link];
  link->mass = rut_body_mass_moved(read_mass(sdf, frame->element), of_link);
  for (const rutXmlElement* child = frame->element->first; child; child = child->next) {
    if (sdf->reporter->errors >= RUT_READER_MAX_ERRORS) return;
    if (strcmp(child->name, "collision") == 0 || strcmp(child->name, "visual") == 0) {
      read_shape(sdf, child, frame->link, of_link);
    }
    if (strcmp(child->name, "sensor") == 0) read_sensor(sdf, child, link->name, of_link);
  }
}

// ---- joints ----

static bool motion_of(const char* type, rutUrdfMotion* motion) {
  static const struct {
    const char* name;
    rutUrdfMotion motion;
  } motions[] = {{"fixed", RUT_URDF_FIXED},       {"continuous", RUT_URDF_CONTINUOUS},
                 {"revolute", RUT_URDF_REVOLUTE}, {"prismatic", RUT_URDF_PRISMATIC},
                 {"ball", RUT_URDF_FLOATING},     {"universal", RUT_URDF_FLOATING},
                 {"screw", RUT_URDF_PRISMATIC},   {"gearbox", RUT_URDF_FLOATING},
                 {"revolute2", RUT_URDF_REVOLUTE}};
  for (int i = 0; i < RUT_COUNT_OF(motions); i++) {
    if (strcmp(type, motions[i].name) != 0) continue;
    *motion = motions[i].motion;
    return true;
  }
  return false;
}

// A limit, which may be 1e16 or "inf".
static double limit_of(const rutXmlElement* limit, const char* name, double otherwise) {
  const char* text = rut_sdf_text(limit, name);
  double value;
  if (!rut_parse_number(text, &value, &text)) return otherwise;
  return rut_clamp(value, -1e9, 1e9);
}

// Direction and range of an axis, in the frame of the child.
static void read_axis(rutSdf* sdf, const rutSdfFrame* frame, const char* name,
                      rutUrdfJoint* joint) {
  const rutXmlElement* axis = rut_sdf_child(frame->element, name);
  const rutXmlElement* xyz = rut_sdf_child(axis, "xyz");
  const rutXmlElement* limit = rut_sdf_child(axis, "limit");
  double a[3] = {0, 0, 1};
  rut_sdf_numbers(sdf, axis, "xyz", 3, a);
  rutVec3 along = rut_vec3_of(a);
  if (joint->motion != RUT_URDF_FIXED && !(rut_vec3_norm(along) > 1e-9)) {
    FAIL(sdf, xyz, "", "an axis has a direction, not '0 0 0'");
  }
  const char* in = xyz ? rut_sdf_attribute(xyz, "expressed_in") : "";
  const char* model = rut_sdf_text(axis, "use_parent_model_frame");
  rutMat3 turn = frame->pose.turn;
  if (in[0]) {
    const int other = rut_sdf_find(sdf, frame->scope, in);
    if (other >= 0) {
      turn = rut_sdf_place_frame(sdf, other).turn;
    } else {
      FAIL(sdf, xyz, "", "there is no frame '%.60s'", in);
    }
  } else if (strcmp(model, "true") == 0 || strcmp(model, "1") == 0) {
    turn = rut_sdf_place_frame(sdf, frame->scope).turn;
  }
  along = rut_mat3_apply(turn, rut_vec3_unit(along));
  joint->axis = rut_mat3_apply_transposed(frame->pose.turn, along);
  joint->lower = limit_of(limit, "lower", -1e9);
  joint->upper = limit_of(limit, "upper", 1e9);
  joint->effort = rut_max(limit_of(limit, "effort", 0), 0);
  joint->velocity = rut_max(limit_of(limit, "velocity", 0), 0);
  const bool endless = joint->upper - joint->lower >= ENDLESS;
  if (joint->motion == RUT_URDF_REVOLUTE && endless) joint->motion = RUT_URDF_CONTINUOUS;
  const rutXmlElement* mimic = rut_sdf_child(axis, "mimic");
  if (mimic) joint->mimics = rut_sdf_attribute(mimic, "joint");
}

static rutUrdfJoint* add_joint(rutSdf* sdf, const rutSdfFrame* frame, int parent, int child,
                               const char* name) {
  rutUrdf* robot = sdf->robot;
  if (robot->joints == RUT_URDF_MAX_LINKS) {
    FAIL(sdf, frame->element, "", "a robot has at most %d joints", RUT_URDF_MAX_LINKS);
    return NULL;
  }
  rutUrdfJoint* joint = &robot->joint[robot->joints++];
  *joint = (rutUrdfJoint){.name = name,
                          .parent_name = robot->link[parent].name,
                          .child_name = robot->link[child].name,
                          .place = rut_sdf_place(frame->element),
                          .pose = {rut_mat3_identity(), {0, 0, 0}},
                          .axis = {0, 0, 1}};
  return joint;
}

static int add_link(rutSdf* sdf, const char* name, rutPlace place) {
  rutUrdf* robot = sdf->robot;
  if (robot->links == RUT_URDF_MAX_LINKS) {
    rut_report_error(sdf->reporter, RUT_ERR_CAPACITY, place, "link", "",
                     "a robot has at most %d links", RUT_URDF_MAX_LINKS);
    return -1;
  }
  robot->link[robot->links] =
      (rutUrdfLink){.name = name, .place = place, .friction = -1, .joint = -1};
  return robot->links++;
}

static const char* joined(rutSdf* sdf, const char* a, const char* b) {
  char text[1024];
  const size_t n = strlen(a), k = strlen(b);
  if (n + k >= sizeof text) return a;
  memcpy(text, a, n);
  memcpy(text + n, b, k);
  const char* kept = rut_urdf_keep(sdf->robot, text, n + k);
  return kept ? kept : a;
}

// The link that a joint names, or -1: the world. -2 after an error, or if it may be in a model that
// was not found.
static int end_of(rutSdf* sdf, const rutSdfFrame* frame, const char* name) {
  const rutXmlElement* element = rut_sdf_child(frame->element, name);
  // from 1.7 a child may be an attribute's
  const char* text = element ? element->text : "";
  if (!text[0]) {
    FAIL(sdf, frame->element, "", "needs <%s>", name);
    return -2;
  }
  if (strcmp(text, "world") == 0) return -1;
  const int other = rut_sdf_find(sdf, frame->scope, text);
  const int link = other >= 0 ? rut_sdf_link_of(sdf, other) : -1;
  if (link >= 0) return link;
  if (rut_sdf_child(sdf->frame[frame->scope].element, "include")) {
    rut_report_warning(sdf->reporter, rut_sdf_place(element), "joint",
                       "dropped: '%.60s', as its link '%.60s' is not here", frame->name, text);
    return -2;
  }
  FAIL(sdf, element, "", "there is no link '%.60s'", text);
  return -2;
}

// What carries a link: its joint, and the frame it has by it.
typedef struct Carrier {
  int joint;  // frame, -1: none
  int parent;
} Carrier;

static void find_carriers(rutSdf* sdf, Carrier* carrier) {
  for (int i = 0; i < sdf->frames; i++) carrier[i] = (Carrier){-1, -1};
  for (int i = 0; i < sdf->frames; i++) {
    const rutSdfFrame* frame = &sdf->frame[i];
    rutUrdfMotion motion;
    if (frame->kind != RUT_SDF_JOINT) continue;
    const char* type = rut_sdf_attribute(frame->element, "type");
    if (!motion_of(type, &motion)) {
      FAIL(sdf, frame->element,
           "types are fixed, revolute, continuous, prismatic, ball, revolute2, universal, screw "
           "and gearbox",
           "there is no joint of type '%.60s'", type);
      continue;
    }
    const int parent = end_of(sdf, frame, "parent"), child = end_of(sdf, frame, "child");
    if (parent < -1 || child < -1) continue;
    if (parent < 0 || child < 0) {
      rut_report_warning(sdf->reporter, rut_sdf_place(frame->element), "joint",
                         "dropped: '%.60s' holds the model at the world: a vehicle drives",
                         frame->name);
    } else if (carrier[child].joint >= 0) {
      FAIL(sdf, frame->element, "", "the link '%.60s' hangs on another joint already, '%.60s'",
           sdf->frame[child].name, sdf->frame[carrier[child].joint].name);
    } else {
      carrier[child] = (Carrier){i, parent};
    }
  }
}

// The frame of a link in the robot: that of its joint.
static rutFramePose frame_of(rutSdf* sdf, const Carrier* carrier, int link) {
  const int joint = carrier[link].joint;
  return rut_sdf_place_frame(sdf, joint >= 0 ? joint : link);
}

static void hang(rutSdf* sdf, const Carrier* carrier, int index) {
  const rutSdfFrame* child = &sdf->frame[index];
  const Carrier* by = &carrier[index];
  const rutFramePose pose = frame_of(sdf, carrier, index);
  if (by->joint < 0) {
    rutUrdfJoint* joint = add_joint(sdf, child, 0, child->link, child->name);
    if (joint) joint->pose = pose;
    return;
  }
  const rutSdfFrame* frame = &sdf->frame[by->joint];
  const rutSdfFrame* parent = &sdf->frame[by->parent];
  const rutFramePose around = frame_of(sdf, carrier, by->parent);
  const rutFramePose between = rut_frame_mul(rut_frame_inverse(around), pose);
  const char* type = rut_sdf_attribute(frame->element, "type");
  int carrying = parent->link;
  const char* spin = "axis";
  if (strcmp(type, "revolute2") == 0) {
    // two joints, with a link between them that has no mass
    const char* name = joined(sdf, frame->name, "::axis");
    const int middle = add_link(sdf, name, rut_sdf_place(frame->element));
    rutUrdfJoint* first = middle >= 0 ? add_joint(sdf, frame, carrying, middle, name) : NULL;
    if (!first) return;
    sdf->robot->added++;
    first->motion = RUT_URDF_REVOLUTE;
    first->pose = between;
    read_axis(sdf, frame, "axis", first);
    carrying = middle;
    spin = "axis2";
  }
  rutUrdfJoint* joint = add_joint(sdf, frame, carrying, child->link, frame->name);
  if (!joint) return;
  motion_of(type, &joint->motion);
  if (carrying == parent->link) joint->pose = between;
  if (joint->motion != RUT_URDF_FIXED) read_axis(sdf, frame, spin, joint);
}

// ---- the model ----

// What a model has besides links and joints.
static void read_rest(rutSdf* sdf) {
  for (int i = 0; i < sdf->frames; i++) {
    if (sdf->frame[i].kind != RUT_SDF_MODEL) continue;
    const rutXmlElement* child = sdf->frame[i].element->first;
    for (; child; child = child->next) {
      if (strcmp(child->name, "plugin") == 0) {
        rut_urdf_plugin(sdf->robot, child, sdf->reporter);
      }
    }
  }
}

static void build(rutSdf* sdf, Carrier* carrier) {
  rutReporter* reporter = sdf->reporter;
  const int before = reporter->errors;
  int bodies = 0;
  for (int i = 0; i < sdf->frames; i++) rut_sdf_place_frame(sdf, i);
  find_carriers(sdf, carrier);
  add_link(sdf, "__model__", sdf->robot->place);
  sdf->robot->added = 1;
  for (int i = 0; i < sdf->frames && reporter->errors == before; i++) {
    rutSdfFrame* frame = &sdf->frame[i];
    if (frame->kind != RUT_SDF_LINK) continue;
    frame->link = add_link(sdf, frame->name, rut_sdf_place(frame->element));
    bodies += carrier[i].joint < 0;
  }
  for (int i = 0; i < sdf->frames && reporter->errors == before; i++) {
    rutSdfFrame* frame = &sdf->frame[i];
    if (frame->kind != RUT_SDF_LINK) continue;
    hang(sdf, carrier, i);
    read_link(sdf, frame, rut_frame_mul(rut_frame_inverse(frame_of(sdf, carrier, i)), frame->pose));
  }
  if (reporter->errors > before) return;
  if (bodies > 1) {
    rut_report_warning(reporter, sdf->robot->place, "model",
                       "guessed: %d links hang on no joint; all of them are its body", bodies);
  }
  read_rest(sdf);
}

rutStatus rut_sdf_read_model(const rutXmlElement* model, const char* file, double version,
                             rutReporter* reporter, rutUrdf* out) {
  const int before = reporter->errors;
  const rutPlace place = rut_sdf_place(model);
  rutSdf sdf = {.robot = out, .reporter = reporter, .version = version};
  *out = (rutUrdf){.file = file, .name = rut_sdf_attribute(model, "name")};
  const rutStatus status = rut_urdf_begin(out, place, RUT_SDF_MAX_FRAMES * 2, reporter);
  if (status != RUT_OK) return status;
  sdf.frame = calloc(RUT_SDF_MAX_FRAMES, sizeof *sdf.frame);
  Carrier* carrier = calloc(RUT_SDF_MAX_FRAMES, sizeof *carrier);
  if (sdf.frame && carrier) {
    rut_sdf_list(&sdf, model);
    if (reporter->errors == before) build(&sdf, carrier);
  } else {
    rut_report_error(reporter, RUT_ERR_MEMORY, place, "", "", "out of memory");
  }
  free(carrier);
  free(sdf.frame);
  return reporter->errors == before ? RUT_OK : reporter->first.status;
}

rutFramePose rut_sdf_model_pose(const rutXmlElement* model, const char* file,
                                rutReporter* reporter) {
  const int before = reporter->errors;
  rutUrdf names = {.file = file};
  rutSdf sdf = {.robot = &names, .reporter = reporter};
  rutFramePose pose = rut_sdf_pose(&sdf, model);
  if (!rut_sdf_attribute(model, "placement_frame")[0]) return pose;
  sdf.frame = calloc(RUT_SDF_MAX_FRAMES, sizeof *sdf.frame);
  if (sdf.frame) {
    rut_sdf_list(&sdf, model);
    if (reporter->errors == before) pose = rut_sdf_outer_pose(&sdf);
  } else {
    rut_report_error(reporter, RUT_ERR_MEMORY, rut_sdf_place(model), "", "", "out of memory");
  }
  free(sdf.frame);
  rut_urdf_free(&names);
  return pose;
}
