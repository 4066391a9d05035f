// SPDX-License-Identifier: BSD-3-Clause
//
// Poses of bodies, for display.
#include <string.h>

#include "math/quat.h"
#include "sim/query.h"
#include "vehicle/corner.h"

// A wheel of all vehicles' wheels, and the lane that its vehicle is in.
typedef struct Found {
  const rutGroup* group;
  const double* batch;
  rutVehicleBatch vehicles;  // of those on axles
  int vehicle, wheel, lane;
} Found;

static bool find_wheel(const rutModel* model, const rutData* data, int wheel, Found* out) {
  if (wheel < 0 || wheel >= model->wheels) return false;
  if (data && !rut_data_is_of(data, model)) return false;
  const int vehicle = rut_wheel_owner(model, wheel);
  const rutVehicleRecord* r = &model->vehicle[vehicle];
  const rutGroup* g = &model->group[r->group];
  *out = (Found){.group = g,
                 .batch = data ? rut_batch(data, g, r->slot / g->lanes) : NULL,
                 .vehicle = vehicle,
                 .wheel = wheel - r->first_wheel,
                 .lane = r->slot % g->lanes};
  if (data && g->spatial) out->vehicles = rut_vehicle_batch(data, g, r->slot / g->lanes);
  return true;
}

// Chassis's frame in the world: centre of mass and axes.
typedef struct Frame {
  rutVec3 origin;
  rutMat3 axes;
} Frame;

static Frame frame_of(const rutModel* model, const rutData* data, const Found* f) {
  double pose[6], rotation[9];
  rut_vehicle_pose(model, data, f->vehicle, pose, rotation);
  const rutMat3 axes = rut_mat3_of(rotation);
  rutVec3 origin = rut_vec3_of(pose);
  if (f->group->spatial) {
    const int n = f->group->lanes;
    const double* q = f->batch + f->group->row.q * n + f->lane;
    origin = rut_vec3(q[0], q[n], q[2 * n]);
  }
  return (Frame){origin, axes};
}

// Hub and axis of a wheel in that frame.
static void hub_of(const Found* f, int entry, double steer, rutVec3* hub, rutVec3* axis) {
  const rutGroup* g = f->group;
  const rutVehicleClass* s = g->spatial;
  double sine, cosine;
  rut_sincos(steer, &sine, &cosine);
  *axis = rut_vec3(-sine, cosine, 0);
  if (!s) {
    *hub = rut_vec3(g->wheel_x[entry], g->wheel_y[entry], g->radius[entry]);
  } else if (s->mechanisms && s->corner_mass[entry] > 0) {
    rutCornerLook look = {.end = 0};
    const rutCornerMotion m = rut_corner_motion(&f->vehicles, entry, &look);
    *hub = m.hub;
    *axis = m.axis;
  } else {
    const double slide = f->batch[(g->row.q + 7 + f->wheel) * g->lanes + f->lane];
    *hub = rut_vec3(s->body.x[entry], s->body.y[entry], s->body.z[entry] + slide);
  }
}

// Normal of the ground under a point.
static rutVec3 normal_at(const rutModel* model, const rutData* data, rutVec3 at) {
  double z, sx, sy;
  rut_terrain_surface(model, data, &(rutGroundPoints){1, &at.x, &at.y}, &at.z,
                      &(rutGroundSurface){&z, &sx, &sy});
  return rut_vec3_unit(rut_vec3(-sx, -sy, 1));
}

// Turned by the spin angle about the axis a, which goes to the left: rolling forward.
static rutMat3 turned(rutMat3 axes, rutVec3 a, double angle) {
  double s, c;
  rut_sincos(angle, &s, &c);
  const rutVec3 nose = rut_mat3_apply(axes, rut_vec3(1, 0, 0));
  const rutVec3 x = rut_vec3_unit(rut_vec3_add_scaled(nose, -rut_vec3_dot(nose, a), a));
  const rutVec3 z = rut_vec3_cross(x, a);
  const rutVec3 front = rut_vec3_add_scaled(rut_vec3_scale(x, c), -s, z);
  const rutVec3 top = rut_vec3_add_scaled(rut_vec3_scale(z, c), s, x);
  return (rutMat3){{front.x, a.x, top.x, front.y, a.y, top.y, front.z, a.z, top.z}};
}

void rut_wheel_frame(const rutModel* model, const rutData* data, int wheel, double frame[12]) {
  Found f;
  if (!find_wheel(model, data, wheel, &f)) return;
  const rutGroup* g = f.group;
  const double* b = f.batch + f.lane;
  const Frame chassis = frame_of(model, data, &f);
  rutVec3 hub, axis;
  hub_of(&f, f.wheel * g->lanes + f.lane, b[(g->row.yaw + f.wheel) * g->lanes], &hub, &axis);
  const double angle = b[(g->row.q + g->wheel_position[f.wheel]) * g->lanes];
  const rutMat3 turn = turned(chassis.axes, rut_mat3_apply(chassis.axes, axis), angle);
  const rutVec3 at = rut_vec3_add(chassis.origin, rut_mat3_apply(chassis.axes, hub));
  const double place[3] = {at.x, at.y, at.z};
  for (int i = 0; i < 3; i++) {
    memcpy(frame + 4 * i, turn.m + 3 * i, 3 * sizeof *frame);
    frame[4 * i + 3] = place[i];
  }
}

rutWheelPose rut_wheel_pose(const rutModel* model, const rutData* data, int wheel) {
  rutWheelPose out = {.quaternion = {1, 0, 0, 0}};
  Found f;
  if (!find_wheel(model, data, wheel, &f)) return out;
  const rutGroup* g = f.group;
  const int entry = f.wheel * g->lanes + f.lane;
  const rutWheelState state = rut_wheel_state(model, data, wheel);
  const Frame frame = frame_of(model, data, &f);
  rutVec3 hub, axis;
  hub_of(&f, entry, state.steer, &hub, &axis);
  const rutVec3 at = rut_vec3_add(frame.origin, rut_mat3_apply(frame.axes, hub));
  const rutVec3 a = rut_mat3_apply(frame.axes, axis);
  const rutVec3 up = rut_mat3_apply(frame.axes, rut_vec3(0, 0, 1));
  const rutVec3 normal = g->spatial ? normal_at(model, data, at) : up;
  // straight down in the wheel's plane
  const rutVec3 down =
      rut_vec3_unit(rut_vec3_add_scaled(rut_vec3_scale(normal, -1), rut_vec3_dot(normal, a), a));
  const rutQuat turn = rut_quat_of_matrix(turned(frame.axes, a, state.angle));
  rut_vec3_put(at, out.position);
  out.quaternion[0] = turn.w;
  out.quaternion[1] = turn.x;
  out.quaternion[2] = turn.y;
  out.quaternion[3] = turn.z;
  rut_vec3_put(rut_vec3_add_scaled(at, g->radius[entry], down), out.contact);
  // the force is known by two components in the vehicle's frame and the one along the normal
  const rutVec3 n = rut_mat3_apply_transposed(frame.axes, normal);
  const double flat = state.load - state.force[0] * n.x - state.force[1] * n.y;
  const double lift = g->spatial ? (n.z > 0.1 ? flat / n.z : 0) : state.load;
  rut_vec3_put(rut_mat3_apply(frame.axes, rut_vec3(state.force[0], state.force[1], lift)),
               out.force);
  if (g->spatial) {
    const int dug = g->row.spatial.dug + f.wheel, sunk = g->row.spatial.sinkage + f.wheel;
    out.sinkage = f.batch[sunk * g->lanes + f.lane] + f.batch[dug * g->lanes + f.lane];
  }
  out.touches = state.load > 0;
  return out;
}

// That of its carrier, then its own mount.
void rut_sensor_pose(const rutModel* model, const rutData* data, int sensor, double pose[6]) {
  memset(pose, 0, 6 * sizeof *pose);
  if (sensor < 0 || sensor >= model->sensors || !rut_data_is_of(data, model)) return;
  const rutSensorRecord* s = &model->sensor[sensor];
  memcpy(pose, s->mount, 6 * sizeof *pose);
  if (s->vehicle < 0) return;
  double carrier[6], rotation[9];
  rut_vehicle_pose(model, data, s->vehicle, carrier, rotation);
  rutMat3 r = rut_mat3_of(rotation);
  rutVec3 at = rut_mat3_apply(r, rut_vec3_of(s->mount));
  rutVec3 rpy =
      rut_mat3_rpy(rut_mat3_mul(r, rut_mat3_of_rpy(s->mount[3], s->mount[4], s->mount[5])));
  pose[0] = carrier[0] + at.x;
  pose[1] = carrier[1] + at.y;
  pose[2] = carrier[2] + at.z;
  pose[3] = rpy.x;
  pose[4] = rpy.y;
  pose[5] = rpy.z;
}

int rut_suspension_links(const rutModel* model, const rutData* data, int wheel, int n,
                         rutLink* out) {
  Found f;
  rutCornerLink link[RUT_MAX_CORNER_LINKS];
  if (!find_wheel(model, data, wheel, &f) || !f.group->spatial) return 0;
  const rutGroup* g = f.group;
  const rutVehicleClass* s = g->spatial;
  const int entry = f.wheel * g->lanes + f.lane;
  const rutSuspensionType* type = rut_corner_type(s, entry);
  if (!type || !type->links) return 0;
  const double* constant = rut_corner_constants(s, entry) + entry % RUT_CORNER_WIDTH;
  double q = 0, steer = 0;
  if (data) {
    q = f.batch[(g->row.q + 7 + f.wheel) * g->lanes + f.lane];
    steer = s->steer_gain[entry] * f.batch[g->row.spatial.linkage * g->lanes + f.lane];
  }
  const int links = type->links(constant, q, steer, link);
  if (n <= 0) return links;
  const Frame frame = frame_of(model, data, &f);
  for (int i = 0; i < links && i < n; i++) {
    out[i].name = link[i].name;
    rut_vec3_put(rut_vec3_add(frame.origin, rut_mat3_apply(frame.axes, rut_vec3_of(link[i].from))),
                 out[i].from);
    rut_vec3_put(rut_vec3_add(frame.origin, rut_mat3_apply(frame.axes, rut_vec3_of(link[i].to))),
                 out[i].to);
  }
  return links;
}

int rut_mechanism_bodies(const rutModel* model, const rutData* data, int mechanism, int n,
                         rutBodyPose* out) {
  int positions, speeds;
  const int bodies = rut_mechanism_size(model, mechanism, &positions, &speeds);
  if (bodies == 0 || n <= 0) return bodies;
  if (!rut_data_is_of(data, model)) return 0;
  double q[RUT_MBD_MAX_BODIES * 7], v[RUT_MBD_MAX_BODIES * 6];
  double place[RUT_MBD_MAX_BODIES * 3], rotation[RUT_MBD_MAX_BODIES * 9];
  const rutMbdTree* tree = &model->group[model->mechanism[mechanism].group].tree;
  rut_mechanism_state(model, data, mechanism, q, v);
  rut_mbd_poses(tree, 1, q, place, rotation);
  for (int i = 0; i < bodies && i < n; i++) {
    const rutQuat turn = rut_quat_of_matrix(rut_mat3_of(rotation + 9 * i));
    const double w[4] = {turn.w, turn.x, turn.y, turn.z};
    const double* base = model->mechanism[mechanism].base;
    for (int k = 0; k < 3; k++) out[i].position[k] = base[k] + place[3 * i + k];
    for (int k = 0; k < 4; k++) out[i].quaternion[k] = w[k];
    for (int k = 0; k < 3; k++) out[i].com[k] = tree->body[i].com[k];
    rut_mbd_cuboid(&tree->body[i], out[i].sides);
  }
  return bodies;
}

void rut_terrain_places(const rutModel* model, const rutData* data, const rutGroundPoints* at,
                        rutTerrainPlace* out) {
  const bool fine = rut_data_is_of(data, model);
  const double top = 1e9;
  for (int i = 0; i < at->n; i++) {
    out[i] = (rutTerrainPlace){-1, RUT_NAN, RUT_NAN, RUT_NAN, RUT_NAN};
    if (!fine) continue;
    const rutGroundPoints one = {1, &at->x[i], &at->y[i]};
    double z, sx, sy;
    rut_ground_surface(model->ground, data->lift, &one, &top, &(rutGroundSurface){&z, &sx, &sy});
    rut_ground_material(data->ground, &one, &z,
                        &(rutGroundMaterial){&out[i].soil, &out[i].cone_index, &out[i].friction,
                                             &out[i].moisture, &out[i].soft_depth});
    out[i].soil -= 1;
  }
}

void rut_terrain_soils(const rutModel* model, const rutData* data, const rutGroundPoints* at,
                       int* soil) {
  for (int i = 0; i < at->n; i++) {
    rutTerrainPlace place;
    rut_terrain_places(model, data, &(rutGroundPoints){1, &at->x[i], &at->y[i]}, &place);
    soil[i] = place.soil;
  }
}

bool rut_grid(const rutModel* model, int index, rutGrid* out) {
  const rutOccupancy* g = model->contact ? rut_contact_occupancy(model->contact, index) : NULL;
  *out = (rutGrid){0};
  if (g) *out = (rutGrid){g->origin[0], g->origin[1], g->resolution, g->nx, g->ny, g->cell};
  return g != NULL;
}
