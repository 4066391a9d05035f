// SPDX-License-Identifier: BSD-3-Clause
//
// Public queries of a model and its data.
#include "sim/query.h"

#include <string.h>

#include "math/quat.h"
#include "math/rut_math.h"
#include "math/vec.h"
#include "sim/spec/context.h"
#include "sim/step_space.h"
#include "vehicle/observe.h"

size_t rut_model_size(const rutModel* model) { return model->size; }
size_t rut_data_size(const rutModel* model) { return model->data_size; }
uint64_t rut_model_hash(const rutModel* model) { return model->hash; }
const rutContext* rut_model_context(const rutModel* model) { return model->context; }
double rut_model_timestep(const rutModel* model) { return model->dt; }
double rut_time(const rutData* data) { return data->time; }
int64_t rut_steps(const rutData* data) { return data->steps; }

int rut_count(const rutModel* model, rutKind kind) {
  switch (kind) {
    case RUT_VEHICLE:
      return model->vehicles;
    case RUT_WHEEL:
      return model->wheels;
    case RUT_BLOCK:
      return model->blocks;
    case RUT_SENSOR:
      return model->sensors;
    case RUT_JOINT:
      return model->joints;
    case RUT_MECHANISM:
      return model->mechanisms;
    case RUT_SOIL:
      return model->soils - 1;
    case RUT_WORLD:
      return 1;
    default:
      return 0;
  }
}

const char* rut_name(const rutModel* model, rutKind kind, int index) {
  const bool named = kind != RUT_WORLD && index >= 0 && index < rut_count(model, kind);
  return named ? model->name[kind][index] : "";
}

int rut_find(const rutModel* model, rutKind kind, const char* name) {
  if (kind == RUT_WORLD) return name[0] ? -1 : 0;
  int low = 0, high = rut_count(model, kind) - 1;
  while (low <= high) {
    int middle = low + (high - low) / 2;
    int index = model->sorted[kind][middle];
    int order = strcmp(name, model->name[kind][index]);
    if (order == 0) return index;
    if (order < 0)
      high = middle - 1;
    else
      low = middle + 1;
  }
  return -1;
}

static const char* type_name(const rutComponent* type) { return type ? type->name : ""; }

rutVehicleInfo rut_vehicle_info(const rutModel* model, int vehicle) {
  if (vehicle < 0 || vehicle >= model->vehicles) return (rutVehicleInfo){.name = ""};
  const rutVehicleRecord* r = &model->vehicle[vehicle];
  const rutGroup* g = &model->group[r->group];
  const rutController* driver = g->control.n ? &g->control.controller[g->control.n - 1] : NULL;
  return (rutVehicleInfo){
      .name = model->name[RUT_VEHICLE][vehicle],
      .tyre = g->tyre ? type_name(&g->tyre->base) : "",
      .drive = g->drive ? type_name(&g->drive->base) : "",
      .controller = driver ? type_name(&driver->type->base) : "",
      .first_wheel = r->first_wheel,
      .wheels = g->wheels,
      .commands = g->commands,
      .command_names = g->command_names,
      .mass = g->mass,
  };
}

rutSensorInfo rut_sensor_info(const rutModel* model, int sensor) {
  if (sensor < 0 || sensor >= model->sensors) return (rutSensorInfo){.name = "", .vehicle = -1};
  const rutSensorRecord* s = &model->sensor[sensor];
  const rutSensorHead* head = (const rutSensorHead*)s->param;
  return (rutSensorInfo){.name = model->name[RUT_SENSOR][sensor],
                         .type = s->type->base.name,
                         .vehicle = s->vehicle,
                         .outputs = s->type->outputs,
                         .size = s->numbers,
                         .form = s->type->form,
                         .period = head->period,
                         .phase = head->phase,
                         .latency = head->latency};
}

double rut_sensor_parameter(const rutModel* model, int sensor, const char* field) {
  if (sensor < 0 || sensor >= model->sensors) return RUT_NAN;
  const rutSensorRecord* s = &model->sensor[sensor];
  // the world may say so for all of them
  if (strcmp(field, "noise") == 0) return s->exact;
  for (int i = 0; i < s->type->base.fields; i++) {
    const rutField* f = &s->type->base.field[i];
    const bool list = f->type == RUT_VECTOR || f->type == RUT_POINTS || f->type == RUT_TEXT;
    if (!list && strcmp(f->name, field) == 0) return s->param[i];
  }
  return RUT_NAN;
}

rutStatus rut_command(const rutModel* model, rutData* data, int vehicle, int n,
                      const double* command) {
  if (vehicle < 0 || vehicle >= model->vehicles || !rut_data_is_of(data, model)) {
    return RUT_ERR_ARGUMENT;
  }
  const rutVehicleRecord* r = &model->vehicle[vehicle];
  const rutGroup* g = &model->group[r->group];
  if (n < 0 || n > g->commands) return RUT_ERR_ARGUMENT;
  double* b = rut_batch(data, g, r->slot / g->lanes) + r->slot % g->lanes;
  for (int i = 0; i < n; i++) {
    if (!(command[i] - command[i] == 0)) return RUT_ERR_ARGUMENT;
  }
  for (int i = 0; i < n; i++) b[g->command[i].row * g->lanes] = command[i];
  return RUT_OK;
}

rutStatus rut_command_course(const rutModel* model, rutData* data, int vehicle, int n,
                             const double* middle, const double* end) {
  if (vehicle < 0 || vehicle >= model->vehicles || !rut_data_is_of(data, model)) {
    return RUT_ERR_ARGUMENT;
  }
  const rutVehicleRecord* r = &model->vehicle[vehicle];
  const rutGroup* g = &model->group[r->group];
  if (n < 0 || n > g->commands) return RUT_ERR_ARGUMENT;
  for (int i = 0; i < n; i++) {
    if (!(middle[i] - middle[i] == 0 && end[i] - end[i] == 0)) return RUT_ERR_ARGUMENT;
  }
  if (!model->rk4 || !g->spatial || !rut_control_is_direct(&g->control)) return RUT_ERR_MODEL;
  double* b = rut_batch(data, g, r->slot / g->lanes) + r->slot % g->lanes;
  double* course = b + g->row.course * g->lanes;
  for (int i = 0; i < 2 * g->command_rows; i++) course[i * g->lanes] = RUT_NAN;
  for (int i = 0; i < n; i++) {
    const int at = g->command[i].row - g->row.command;
    course[at * g->lanes] = middle[i];
    course[(g->command_rows + at) * g->lanes] = end[i];
  }
  course[2 * g->command_rows * g->lanes] = 1;
  return RUT_OK;
}

int rut_command_state(const rutModel* model, const rutData* data, int vehicle, int n, double* out) {
  if (vehicle < 0 || vehicle >= model->vehicles || !rut_data_is_of(data, model)) return 0;
  const rutVehicleRecord* r = &model->vehicle[vehicle];
  const rutGroup* g = &model->group[r->group];
  const double* b = rut_batch(data, g, r->slot / g->lanes) + r->slot % g->lanes;
  for (int i = 0; i < n && i < g->commands; i++) out[i] = b[g->command[i].row * g->lanes];
  return g->commands;
}

void rut_vehicle_pose(const rutModel* model, const rutData* data, int vehicle, double pose[6],
                      double rotation[9]) {
  const rutVehicleRecord* r = &model->vehicle[vehicle];
  const rutGroup* g = &model->group[r->group];
  const int n = g->lanes;
  const double* b = rut_batch(data, g, r->slot / n) + r->slot % n;
  if (g->spatial) {
    const double* at = b + g->row.spatial.position * n;
    const rutVehicleBatch vehicles = rut_vehicle_batch(data, g, r->slot / n);
    const rutVec3 angle = rut_vehicle_attitude(&vehicles, r->slot % n);
    const double* q = b + g->row.q * n;
    const rutMat3 body = rut_quat_matrix(rut_quat(q[3 * n], q[4 * n], q[5 * n], q[6 * n]));
    memcpy(rotation, body.m, sizeof body.m);
    for (int i = 0; i < 3; i++) pose[i] = at[i * n];
    rut_vec3_put(angle, pose + 3);
    return;
  }
  const double *q = b + g->row.q * n, *ground = b + g->row.ground * n;
  const double c = b[g->row.cos_yaw * n], s = b[g->row.sin_yaw * n];
  rutMat3 axes, turn = {{c, -s, 0, s, c, 0, 0, 0, 1}};
  for (int i = 0; i < 9; i++) axes.m[i] = ground[(1 + i) * n];
  rutMat3 body = rut_mat3_mul(axes, turn);
  memcpy(rotation, body.m, sizeof body.m);
  rutVec3 arm = rut_mat3_apply(body, rut_vec3(-g->com[0], -g->com[1], 0));
  rutVec3 rpy = rut_mat3_rpy(body);
  pose[0] = q[0] + arm.x;
  pose[1] = q[n] + arm.y;
  pose[2] = ground[0];
  pose[3] = rpy.x;
  pose[4] = rpy.y;
  // on level ground the heading itself, which does not wrap
  bool level = axes.m[8] == 1;
  pose[5] =
      level ? q[2 * n] : rpy.z + 2 * RUT_PI * rut_floor((q[2 * n] - rpy.z) / (2 * RUT_PI) + 0.5);
}

// Velocities of a vehicle on suspensions: of its reference point in its own axes, of its chassis's
// centre of mass in the world.
static void spatial_velocity(const rutGroup* g, const double* b, const double rotation[9],
                             rutVehicleState* state) {
  const int n = g->lanes;
  const double* v = b + g->row.v * n;
  const rutVec3 com = rut_load_vec3(g->spatial->com, n, 0);
  const rutVec3 omega = rut_vec3(v[0], v[n], v[2 * n]);
  const rutVec3 linear = rut_vec3(v[3 * n], v[4 * n], v[5 * n]);
  const rutVec3 at = rut_vec3_sub(linear, rut_vec3_cross(omega, com));
  rut_vec3_put(at, state->velocity);
  rut_vec3_put(omega, state->rate);
  rut_vec3_put(rut_mat3_apply(rut_mat3_of(rotation), linear), state->com_velocity);
}

rutVehicleState rut_vehicle_state(const rutModel* model, const rutData* data, int vehicle) {
  rutVehicleState state = {0};
  if (vehicle < 0 || vehicle >= model->vehicles || !rut_data_is_of(data, model)) return state;
  const rutVehicleRecord* r = &model->vehicle[vehicle];
  const rutGroup* g = &model->group[r->group];
  const int n = g->lanes;
  const double* b = rut_batch(data, g, r->slot / n) + r->slot % n;
  double pose[6], rotation[9];
  rut_vehicle_pose(model, data, vehicle, pose, rotation);
  memcpy(state.position, pose, sizeof state.position);
  state.roll = pose[3];
  state.pitch = pose[4];
  state.yaw = pose[5];

  for (int i = 0; i < 3; i++) state.odometry[i] = b[(g->row.odometry + i) * n];
  state.odometry_velocity[0] = b[g->row.odo_speed * n];
  state.odometry_velocity[1] = b[g->row.odo_rate * n];
  state.collision = b[g->row.touching * n] != 0;
  if (g->spatial) {
    spatial_velocity(g, b, rotation, &state);
    return state;
  }
  const double *v = b + g->row.v * n, *ground = b + g->row.ground * n;
  const double c = b[g->row.cos_yaw * n], s = b[g->row.sin_yaw * n], rate = v[2 * n];
  state.velocity[0] = c * v[0] + s * v[n] + rate * g->com[1];
  state.velocity[1] = -s * v[0] + c * v[n] - rate * g->com[0];
  state.rate[2] = rate;
  for (int i = 0; i < 3; i++) {
    state.com_velocity[i] = ground[(1 + 3 * i) * n] * v[0] + ground[(2 + 3 * i) * n] * v[n];
  }
  return state;
}

double rut_wheel_load(const rutModel* model, const rutData* data, int vehicle, int w) {
  const rutVehicleRecord* r = &model->vehicle[vehicle];
  if (data->steps == 0) return data->start_load[r->first_wheel + w];
  const rutGroup* g = &model->group[r->group];
  const int n = g->lanes;
  return rut_batch(data, g, r->slot / n)[(g->row.load + w) * n + r->slot % n];
}

// Slower than this a wheel stands: its slip is that of rounding errors.
static const double STANDING = 1e-3;  // [m/s]

int rut_wheel_owner(const rutModel* model, int wheel) {
  int low = 0, high = model->vehicles - 1;
  while (low < high) {
    int middle = low + (high - low + 1) / 2;
    if (model->vehicle[middle].first_wheel <= wheel)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

rutWheelState rut_wheel_state(const rutModel* model, const rutData* data, int wheel) {
  rutWheelState state = {0};
  if (wheel < 0 || wheel >= model->wheels || !rut_data_is_of(data, model)) return state;
  const int vehicle = rut_wheel_owner(model, wheel);
  const rutVehicleRecord* r = &model->vehicle[vehicle];
  const rutGroup* g = &model->group[r->group];
  const int n = g->lanes, w = wheel - r->first_wheel;
  const double* b = rut_batch(data, g, r->slot / n) + r->slot % n;
#define WHEEL(member) b[(g->row.member + w) * n]
  state.angle = b[(g->row.q + g->wheel_position[w]) * n];
  state.speed = b[(g->row.v + g->wheel_speed[w]) * n];
  state.steer = WHEEL(yaw);
  // on axles a drive may give torque to wheels that it does not drive, which is lost
  state.torque = !g->spatial || g->layout.driven[w] ? WHEEL(torque) : 0;
  state.load = rut_wheel_load(model, data, vehicle, w);
  state.hub_velocity[0] = WHEEL(hub_vx);
  state.hub_velocity[1] = WHEEL(hub_vy);
  state.force[0] = WHEEL(fx);
  state.force[1] = WHEEL(fy);
  if (g->spatial) {
    const int moved = g->spatial->mechanisms ? g->row.spatial.travel : g->row.q + 7;
    state.travel = b[(moved + w) * n];
    state.deflection = b[(g->row.spatial.deflection + w) * n];
  }
  // slip of the last step: rolling speed against the hub's along the wheel, and the drift angle
  const double radius = g->radius[w * n] - state.deflection / 3;
  double s, c, rolling = WHEEL(start_speed) * radius;
  rut_sincos(state.steer, &s, &c);
  double along = c * state.hub_velocity[0] + s * state.hub_velocity[1];
  double across = -s * state.hub_velocity[0] + c * state.hub_velocity[1];
  double scale = rut_max(rut_abs(rolling), rut_abs(along));
  state.slip[0] = scale > STANDING ? rut_clamp((rolling - along) / scale, -1, 1) : 0;
  state.slip[1] =
      rut_max(scale, rut_abs(across)) > STANDING ? rut_atan2(across, rut_abs(along)) : 0;
#undef WHEEL
  return state;
}

void rut_block_state(const rutModel* model, const rutData* data, int block, double pose[6],
                     double velocity[3]) {
  memset(pose, 0, 6 * sizeof *pose);
  memset(velocity, 0, 3 * sizeof *velocity);
  if (block < 0 || block >= model->blocks || !rut_data_is_of(data, model)) return;
  const rutBlockRecord* r = &model->block[block];
  memcpy(pose, r->start, 6 * sizeof *pose);
  pose[2] = data->block_z[block];
  if (r->body < 0) return;
  if (r->space) {
    rutBlockMotion motion;
    rut_block_motion(model, data, block, &motion);
    const double* q = motion.quaternion;
    memcpy(pose, motion.position, sizeof motion.position);
    rut_vec3_put(rut_quat_rpy(rut_quat(q[0], q[1], q[2], q[3])), pose + 3);
    velocity[0] = motion.velocity[0];
    velocity[1] = motion.velocity[1];
    velocity[2] = motion.angular_velocity[2];
    return;
  }
  const rutBodies* b = &data->bodies;
  double s, c, rate = b->rate[r->body];
  rut_sincos(b->yaw[r->body], &s, &c);
  double ax = c * r->com[0] - s * r->com[1], ay = s * r->com[0] + c * r->com[1];
  pose[0] = b->x[r->body] - ax;
  pose[1] = b->y[r->body] - ay;
  pose[5] = b->yaw[r->body];
  velocity[0] = b->vx[r->body] + rate * ay;
  velocity[1] = b->vy[r->body] - rate * ax;
  velocity[2] = rate;
}

bool rut_block_motion(const rutModel* model, const rutData* data, int block, rutBlockMotion* out) {
  *out = (rutBlockMotion){.quaternion = {1, 0, 0, 0}};
  if (block < 0 || block >= model->blocks || !rut_data_is_of(data, model)) return false;
  rutVec3 origin, velocity;
  rutQuat attitude;
  if (model->block[block].space) {
    rut_space_block_pose(model, data, block, &origin, &attitude, &velocity);
    memcpy(out->angular_velocity, rut_space_block(model, data, block)->rate,
           sizeof out->angular_velocity);
  } else {
    double pose[6], planar[3];
    rut_block_state(model, data, block, pose, planar);
    origin = rut_vec3_of(pose);
    attitude = rut_quat_of_rpy(pose[3], pose[4], pose[5]);
    velocity = rut_vec3(planar[0], planar[1], 0);
    out->angular_velocity[2] = planar[2];
  }
  const double wxyz[4] = {attitude.w, attitude.x, attitude.y, attitude.z};
  memcpy(out->quaternion, wxyz, sizeof wxyz);
  rut_vec3_put(origin, out->position);
  rut_vec3_put(velocity, out->velocity);
  return true;
}

bool rut_block_moves(const rutModel* model, int block) {
  if (block < 0 || block >= model->blocks) return false;
  return model->block[block].body >= 0 || model->block[block].keyframes > 0;
}

static const double* mechanism_lane(const rutModel* model, const rutData* data, int mechanism,
                                    const rutGroup** group) {
  const rutMechanismRecord* m = &model->mechanism[mechanism];
  const rutGroup* g = *group = &model->group[m->group];
  return rut_batch(data, g, m->slot / g->lanes) + m->slot % g->lanes;
}

int rut_mechanism_size(const rutModel* model, int mechanism, int* positions, int* speeds) {
  *positions = *speeds = 0;
  if (mechanism < 0 || mechanism >= model->mechanisms) return 0;
  const rutGroup* g = &model->group[model->mechanism[mechanism].group];
  *positions = g->tree.positions;
  *speeds = g->tree.speeds;
  return g->tree.bodies;
}

void rut_mechanism_state(const rutModel* model, const rutData* data, int mechanism,
                         double* position, double* speed) {
  if (mechanism < 0 || mechanism >= model->mechanisms || !rut_data_is_of(data, model)) return;
  const rutGroup* g;
  const double* b = mechanism_lane(model, data, mechanism, &g);
  for (int i = 0; i < g->tree.positions; i++) position[i] = b[(g->row.q + i) * g->lanes];
  for (int i = 0; i < g->tree.speeds; i++) speed[i] = b[(g->row.v + i) * g->lanes];
}

const rutContact* rut_contacts(const rutModel* model, const rutData* data, int* n) {
  *n = 0;
  if (!model->contact || !rut_data_is_of(data, model)) return NULL;
  if (!model->space) return rut_contact_list(data->contact, n);
  *n = data->contacts;
  return data->contact_list;
}

double rut_terrain_height(const rutModel* model, const rutData* data, double x, double y,
                          double z) {
  if (!rut_data_is_of(data, model)) return RUT_NAN;
  bool found;
  double h = rut_ground_height(model->ground, data->lift, x, y, z, &found), slope[2] = {0};
  if (found && data->soft)
    rut_soft_add(data->soft, &(rutGroundPoints){1, &x, &y},
                 &(rutGroundSurface){&h, &slope[0], &slope[1]});
  return found ? h : RUT_NAN;
}

void rut_terrain_surface(const rutModel* model, const rutData* data, const rutGroundPoints* at,
                         const double* below, const rutGroundSurface* out) {
  if (!rut_data_is_of(data, model)) {
    for (int i = 0; i < at->n; i++) {
      out->z[i] = RUT_NAN;
      out->slope_x[i] = out->slope_y[i] = 0;
    }
    return;
  }
  rut_ground_surface(model->ground, data->lift, at, below, out);
  if (data->soft) rut_soft_add(data->soft, at, out);
}

double rut_mechanism_energy(const rutModel* model, const rutData* data, int mechanism) {
  if (mechanism < 0 || mechanism >= model->mechanisms || !rut_data_is_of(data, model)) {
    return RUT_NAN;
  }
  double q[RUT_MBD_MAX_BODIES * 7], v[RUT_MBD_MAX_BODIES * 6];
  rut_mechanism_state(model, data, mechanism, q, v);
  const rutGroup* g = &model->group[model->mechanism[mechanism].group];
  const double gravity[3] = {0, 0, -model->gravity};
  double energy = rut_mbd_energy(&g->tree, q, v, gravity);
  for (int b = 0; b < g->tree.bodies; b++) {
    const rutMbdBody* body = &g->tree.body[b];
    for (int i = 0; i < rut_mbd_joint_speeds((rutJointType)body->joint); i++) {
      double k = g->stiffness[body->speed + i];
      if (k > 0) energy += 0.5 * k * q[body->position + i] * q[body->position + i];
    }
  }
  return energy;
}

int rut_instance_count(const rutModel* model) { return model->seen.instances; }

bool rut_instance_info(const rutModel* model, int instance, rutInstanceInfo* out) {
  const bool exists = instance >= 0 && instance < model->seen.instances;
  *out = exists ? model->seen.instance[instance] : (rutInstanceInfo){"", ""};
  return exists;
}

int rut_class_count(const rutModel* model) { return model->seen.classes; }

const char* rut_class_name(const rutModel* model, int index) {
  return index >= 0 && index < model->seen.classes ? model->seen.class_name[index] : "";
}

void rut_model_light(const rutModel* model, rutLight* out) { *out = model->seen.light; }

double rut_model_extinction(const rutModel* model) { return model->seen.extinction; }
