// SPDX-License-Identifier: BSD-3-Clause
//
// Allocation, reset, and exact copies of the state.
#include "sim/data.h"

#include <string.h>

#include "base/hash.h"
#include "math/rut_math.h"
#include "sim/cast.h"
#include "sim/host_control.h"
#include "sim/kept.h"
#include "sim/scene.h"
#include "sim/soil_changes.h"
#include "sim/spec/context.h"
#include "sim/step_axles.h"
#include "sim/step_bodies.h"
#include "sim/step_ground.h"
#include "sim/step_ruts.h"
#include "sim/step_sensors.h"
#include "sim/step_space.h"
#include "vehicle/inflation.h"
#include "vehicle/observe.h"

static void take_bodies(rutArena* arena, int n, rutBodies* b) {
  double** rows[] = {&b->x, &b->y, &b->yaw, &b->z, &b->vx, &b->vy, &b->rate};
  double* all = RUT_TAKE(arena, double, n* RUT_COUNT_OF(rows));
  for (int i = 0; i < RUT_COUNT_OF(rows); i++) *rows[i] = all ? all + (size_t)i * n : NULL;
  b->n = n;
}

static uint64_t seed_of(const void* user, int lane) {
  (void)lane;
  return ((const rutData*)user)->seed;
}

static double time_of(const void* user, int lane) {
  (void)lane;
  return ((const rutData*)user)->time;
}

static void look_of(const void* user, int lane, const rutGroundPoints* at, double above,
                    double* ground, double* top) {
  (void)lane;
  rut_cast_fixed(user, at, above, ground, top);
}

rutData* rut_data_build(const rutModel* model, rutArena* arena, size_t* plain_size) {
  rutData* data = RUT_TAKE(arena, rutData, 1);
  double* table = RUT_TAKE(arena, double, model->table_size);
  double* backup = RUT_TAKE(arena, double, model->backup_size);
  rutBodies bodies = {0};
  take_bodies(arena, model->bodies, &bodies);
  double* block_z = RUT_TAKE(arena, double, model->blocks);
  double* space_block = RUT_TAKE(arena, double, RUT_SPACE_BLOCK*(size_t)model->space_blocks);
  double* lift = RUT_TAKE(arena, double, model->ground->sources);
  double* start_load = RUT_TAKE(arena, double, model->wheels);
  rutSensorState* sensor = RUT_TAKE(arena, rutSensorState, model->sensors);
  double* samples = RUT_TAKE(arena, double, model->samples_size);
  bool* unwatched = RUT_TAKE(arena, bool, model->sensors);
  const size_t presses = model->soft ? model->presses : 0;
  rutSoftPress* press = RUT_TAKE(arena, rutSoftPress, presses);
  rutSoftPress* last_press = RUT_TAKE(arena, rutSoftPress, presses);
  rutControlJob* job = RUT_TAKE(arena, rutControlJob, model->jobs);
  double* job_memory = RUT_TAKE(arena, double, model->job_doubles);
  const size_t plain = arena->used;
  rutSoilChanges* soil_changes = rut_soil_changes_take(model, arena);
  rutContactState* contact = rut_contact_state_build(model->contact, arena);
  rutSpaceState* space = model->space ? rut_space_state_build(model->space, arena) : NULL;
  const int contacts =
      model->space ? rut_contact_most(model->contact) + rut_space_most(model->space) : 0;
  rutContact* contact_list = RUT_TAKE(arena, rutContact, contacts);
  unsigned char* scratch =
      RUT_TAKE(arena, unsigned char, (size_t)model->workers * model->worker_scratch);
  double* batch_copy = RUT_TAKE(arena, double, rut_axles_largest_batch(model));
  rutSoftGround* soft = model->soft ? rut_soft_build(model->soft, arena) : NULL;
  rutScene* scene = rut_scene_take(model, arena);
  if (!data) {
    *plain_size = plain;
    return NULL;
  }
  data->model = model;
  data->made_for = model->hash;
  data->table = table;
  data->backup = backup;
  data->body_backup = backup + model->backup_size - rut_body_backup_size(model);
  data->bodies = bodies;
  data->block_z = block_z;
  data->lift = lift;
  data->ground = model->ground;
  data->soil_changes = soil_changes;
  data->start_load = start_load;
  data->batch_copy = batch_copy;
  data->sensor = sensor;
  data->samples = samples;
  data->unwatched = unwatched;
  data->control = (rutControlHost){.user = data,
                                   .read = rut_sensor_reading,
                                   .start = rut_host_start,
                                   .finish = rut_host_finish,
                                   .look = look_of,
                                   .seed = seed_of,
                                   .time = time_of};
  data->job = model->jobs > 0 ? job : NULL;
  data->job_memory = job_memory;
  data->contact = contact;
  data->space = space;
  data->contact_list = contact_list;
  data->space_block = space_block;
  data->scene = scene;
  data->scratch = scratch;
  data->soft = soft;
  data->press = soft ? press : NULL;
  data->last_press = last_press;
  return data;
}

rutData* rut_data_create(const rutModel* model) {
  rutArena arena = {.size = model->data_size};
  arena.base = rut_context_alloc(model->context, arena.size, RUT_ARENA_ALIGN);
  if (!arena.base) return NULL;
  // contacts, soil changes and scratch are written before they are read: pages never used stay out
  // of memory
  memset(arena.base, 0, model->data_plain);
  size_t plain = 0;
  rutData* data = rut_data_build(model, &arena, &plain);
  data->pool = rut_thread_pool_create(model->workers);
  if (!rut_host_open(model, data)) {
    rut_data_destroy(data);
    return NULL;
  }
  rut_data_reset(model, data, 0);
  return data;
}

void rut_data_destroy(rutData* data) {
  if (!data) return;
  rut_host_close(data);
  rut_thread_pool_destroy(data->pool);
  if (data->soft) rut_soft_leave(data->soft);
  rut_context_free(data->model->context, data);
}

static void reset_vehicle(const rutModel* model, rutData* data, int index) {
  const rutVehicleRecord* r = &model->vehicle[index];
  const rutGroup* g = &model->group[r->group];
  if (g->spatial) {
    rut_axles_reset(model, data, index);
    return;
  }
  double* b = rut_batch(data, g, r->slot / g->lanes);
  int lane = r->slot % g->lanes, lanes = g->lanes;
  double s, c, yaw = r->start[5];
  rut_sincos(yaw, &s, &c);

  // the root's coordinates are those of the centre of mass
  double* q = b + g->row.q * lanes + lane;
  double* v = b + g->row.v * lanes + lane;
  q[0] = r->start[0] + c * g->com[0] - s * g->com[1];
  q[lanes] = r->start[1] + s * g->com[0] + c * g->com[1];
  q[2 * lanes] = yaw;
  double vx = r->velocity[0] - r->velocity[2] * g->com[1];
  double vy = r->velocity[1] + r->velocity[2] * g->com[0];
  v[0] = c * vx - s * vy;
  v[lanes] = s * vx + c * vy;
  v[2 * lanes] = r->velocity[2];
  b[g->row.cos_yaw * lanes + lane] = c;
  b[g->row.sin_yaw * lanes + lane] = s;
  double* ground = b + g->row.ground * lanes + lane;
  ground[0] = r->start[2];
  for (int i = 0; i < 3; i++) ground[(1 + 4 * i) * lanes] = 1;
  double* odometry = b + g->row.odometry * lanes + lane;
  odometry[0] = r->start[0];
  odometry[lanes] = r->start[1];
  odometry[2 * lanes] = yaw;
  for (int w = 0; w < g->wheels; w++) {
    b[(g->row.yaw + w) * lanes + lane] = g->mount_yaw[w];
    // rolling without slip: the hub's speed along the wheel
    double hub_x = r->velocity[0] - r->velocity[2] * g->layout.y[w];
    double hub_y = r->velocity[1] + r->velocity[2] * g->layout.x[w];
    double along = g->mount_cos[w] * hub_x + g->mount_sin[w] * hub_y;
    v[g->wheel_speed[w] * lanes] = r->rolling ? along / g->layout.radius[w] : 0;
  }
  rut_control_start(&g->control, lanes, b + lane);
}

static void reset_group(const rutModel* model, rutData* data, const rutGroup* g) {
  for (int batch = 0; batch < g->batches; batch++) {
    double* b = rut_batch(data, g, batch);
    memset(b, 0, (size_t)g->row.rows * (size_t)g->lanes * sizeof *b);
  }
  for (int slot = 0; slot < g->batches * g->lanes; slot++) {
    if (!g->mechanism) continue;
    const rutMechanismRecord* m = &model->mechanism[g->member[slot]];
    double* b = rut_batch(data, g, slot / g->lanes) + slot % g->lanes;
    for (int i = 0; i < g->tree.positions; i++) b[(g->row.q + i) * g->lanes] = m->q[i];
    for (int i = 0; i < g->tree.speeds; i++) b[(g->row.v + i) * g->lanes] = m->v[i];
  }
}

void rut_fill_padding(rutData* data, const rutGroup* g) {
  rut_forget_kept(data, g);
  for (int slot = g->count; slot < g->batches * g->lanes; slot++) {
    double* last = rut_batch(data, g, (g->count - 1) / g->lanes) + (g->count - 1) % g->lanes;
    double* b = rut_batch(data, g, slot / g->lanes) + slot % g->lanes;
    for (int i = 0; i < g->row.rows; i++) b[i * g->lanes] = last[i * g->lanes];
  }
}

// Drives of vehicles that start moving.
static void start_drive(const rutGroup* g, double* b) {
  if (!g->drive || !g->drive->start) return;
  const int lanes = g->lanes;
  double speed[RUT_MAX_WHEELS * RUT_MBD_LANES];
  for (int w = 0; w < g->wheels; w++) {
    memcpy(speed + w * lanes, b + (g->row.v + g->wheel_speed[w]) * lanes,
           (size_t)lanes * sizeof *speed);
  }
  g->drive->start(g->drive_param, &g->layout, lanes, speed, b + g->row.drive * lanes);
}

static void reset_block(const rutModel* model, rutData* data, int index) {
  const rutBlockRecord* r = &model->block[index];
  data->block_z[index] = r->start[2];
  if (r->body < 0) return;
  if (r->space) {
    rut_space_block_reset(model, data, index);
    return;
  }
  double s, c;
  rut_sincos(r->start[5], &s, &c);
  rutBodies* b = &data->bodies;
  double vx = r->velocity[0] - r->velocity[2] * r->com[1];
  double vy = r->velocity[1] + r->velocity[2] * r->com[0];
  b->x[r->body] = r->start[0] + c * r->com[0] - s * r->com[1];
  b->y[r->body] = r->start[1] + s * r->com[0] + c * r->com[1];
  b->yaw[r->body] = r->start[5];
  b->z[r->body] = r->start[2];
  b->vx[r->body] = c * vx - s * vy;
  b->vy[r->body] = s * vx + c * vy;
  b->rate[r->body] = r->velocity[2];
}

// Loads at the start, as the first step would find them without drive and brakes.
static void find_start_loads(const rutModel* model, rutData* data) {
  for (int i = 0; i < model->groups; i++) {
    const rutGroup* g = &model->group[i];
    if (g->spatial) rut_axles_start_loads(model, data, g, data->batch_copy);
  }
  for (int i = 0; i < model->vehicles; i++) {
    const rutVehicleRecord* r = &model->vehicle[i];
    const rutGroup* g = &model->group[r->group];
    if (g->spatial) continue;
    const int lanes = g->lanes, lane = r->slot % lanes;
    const double* b = rut_batch(data, g, r->slot / lanes);
    const double upright = b[(g->row.ground + 9) * lanes + lane];
    for (int w = 0; w < g->wheels; w++) {
      data->start_load[r->first_wheel + w] = g->share[w * lanes + lane] * model->gravity * upright;
    }
  }
}

void rut_data_reset(const rutModel* model, rutData* data, uint64_t seed) {
  if (!rut_data_is_of(data, model)) return;
  rut_host_forget(data);
  atomic_store(&data->misses, 0);
  data->time = 0;
  data->steps = 0;
  data->seed = seed;
  rut_soil_changes_reset(model, data);
  for (int i = 0; i < model->groups; i++) reset_group(model, data, &model->group[i]);
  for (int i = 0; i < model->blocks; i++) reset_block(model, data, i);
  rut_ruts_reset(model, data);
  // vehicles are put on the ground where it is at the start, not where the last run left it
  rut_keyframes_apply(model, data);
  for (int i = 0; i < model->vehicles; i++) reset_vehicle(model, data, i);
  if (model->contact) rut_contact_reset(model->contact, data->contact);
  if (model->space) rut_space_reset(model->space, data->space);
  rut_space_join_lists(model, data);
  for (int i = 0; i < RUT_STAGE_COUNT; i++) data->stage[i] = 0;
  rut_ground_settle(model, data);
  for (int i = 0; i < model->groups; i++) {
    if (!model->group[i].spatial) continue;
    rut_fill_padding(data, &model->group[i]);
    rut_axles_settle(model, data, &model->group[i]);
  }
  for (int i = 0; i < model->vehicles; i++) {
    if (model->group[model->vehicle[i].group].spatial) rut_axles_begin_energy(model, data, i);
  }
  for (int i = 0; i < model->groups; i++) {
    const rutGroup* g = &model->group[i];
    rut_fill_padding(data, g);
    for (int b = 0; b < g->batches; b++) start_drive(g, rut_batch(data, g, b));
    for (int b = 0; g->spatial && b < g->batches; b++) {
      const rutVehicleBatch vehicles = rut_vehicle_batch(data, g, b);
      rut_vehicle_observe(&vehicles);
    }
  }
  for (int i = 0; i < model->groups; i++) rut_keep_state(data, &model->group[i]);
  find_start_loads(model, data);
  rut_bodies_gather_all(model, data);
  rut_sensors_reset(model, data);
}

void rut_keep_state(rutData* data, const rutGroup* g) {
  const size_t size = (size_t)g->row.state_rows * (size_t)g->lanes * sizeof(double);
  for (int b = 0; b < g->batches; b++) memcpy(rut_backup(data, g, b), rut_batch(data, g, b), size);
}

// ---- state parts ----

// Calls visit for every piece of the parts in mask, always in the same order.
typedef void StateVisit(void* user, void* piece, size_t size);

static void hash_piece(void* user, void* piece, size_t size) {
  uint64_t* hash = user;
  *hash = rut_hash(*hash, piece, size);
}

static void visit_state(const rutModel* model, const rutData* data, unsigned mask,
                        StateVisit* visit, void* user) {
  rutData* d = (rutData*)(uintptr_t)data;
  if (mask & RUT_STATE_MOTION) {
    visit(user, &d->time, sizeof d->time);
    visit(user, &d->steps, sizeof d->steps);
  }
  for (int i = 0; i < model->groups; i++) {
    const rutGroup* g = &model->group[i];
    const int end[4] = {0, g->row.motion_end, g->row.component_end, g->row.command_end};
    for (int batch = 0; batch < g->batches; batch++) {
      double* b = d->table ? rut_batch(d, g, batch) : NULL;
      for (int part = 0; part < 3; part++) {
        if (!(mask & (1u << part))) continue;
        size_t rows = (size_t)(end[part + 1] - end[part]);
        visit(user, b ? b + end[part] * g->lanes : NULL, rows * (size_t)g->lanes * sizeof *b);
      }
    }
  }
  if (mask & RUT_STATE_MOTION) {
    visit(user, d->bodies.x, 7 * (size_t)d->bodies.n * sizeof(double));
    visit(user, d->block_z, (size_t)model->blocks * sizeof(double));
    visit(user, d->space_block, RUT_SPACE_BLOCK * (size_t)model->space_blocks * sizeof(double));
    visit(user, d->lift, (size_t)model->ground->sources * sizeof(double));
  }
  // a world whose soils stay has the hash that it had
  rutSoilChangeList* places = d->soil_changes ? rut_soil_change_list(d->soil_changes) : NULL;
  if ((mask & RUT_STATE_GROUND) && (visit != hash_piece || (places && places->n > 0))) {
    visit(user, places, sizeof *places);
  }
  if ((mask & RUT_STATE_GROUND) && model->soft) {
    visit(user, d->last_press, model->presses * sizeof *d->last_press);
  }
  if (mask & RUT_STATE_SENSOR) {
    visit(user, &d->seed, sizeof d->seed);
    visit(user, d->sensor, (size_t)model->sensors * sizeof *d->sensor);
    visit(user, d->samples, model->samples_size * sizeof(double));
  }
}

// What does not affect the future and is not hashed: accounts, and the motion at the beginning of
// the last step, from which accelerations follow.
static void visit_past(const rutModel* model, const rutData* data, unsigned mask, StateVisit* visit,
                       void* user) {
  if (!(mask & RUT_STATE_MOTION)) return;
  for (int i = 0; i < model->groups; i++) {
    const rutGroup* g = &model->group[i];
    if (g->mechanism) continue;
    const size_t size = (size_t)g->row.touching * (size_t)g->lanes * sizeof(double);
    const int accounts = g->row.state_rows - g->row.command_end;
    for (int b = 0; b < g->batches; b++) {
      visit(user, data->backup ? rut_backup(data, g, b) : NULL, size);
      double* rows = data->table ? rut_batch(data, g, b) + g->row.command_end * g->lanes : NULL;
      visit(user, rows, (size_t)accounts * (size_t)g->lanes * sizeof *rows);
    }
  }
}

static void add_size(void* user, void* piece, size_t size) {
  (void)piece;
  *(size_t*)user += size;
}

static void copy_out(void* user, void* piece, size_t size) {
  unsigned char** to = user;
  if (size) memcpy(*to, piece, size);
  *to += size;
}

static void copy_in(void* user, void* piece, size_t size) {
  const unsigned char** from = user;
  if (size) memcpy(piece, *from, size);
  *from += size;
}

// A saved state begins with the mask and the model it belongs to.
typedef struct StateHead {
  uint64_t mask, model;
} StateHead;

// Bytes of all parts but the cells of the ground, whose number changes.
static size_t fixed_size(const rutModel* model, unsigned mask) {
  rutData none = {.bodies.n = model->bodies};
  size_t size = sizeof(StateHead);
  visit_state(model, &none, mask, add_size, &size);
  visit_past(model, &none, mask, add_size, &size);
  if (mask & RUT_STATE_CONTACT) {
    size += rut_contact_state_size(model->contact);
    if (model->space) size += rut_space_state_size(model->space);
  }
  return size;
}

size_t rut_state_size(const rutModel* model, const rutData* data, unsigned mask) {
  if (!rut_data_is_of(data, model)) return 0;
  const bool ground = data->soft && (mask & RUT_STATE_GROUND);
  return fixed_size(model, mask) + (ground ? rut_soft_size(data->soft) : 0);
}

// All but the ruts.
static void get_fixed(const rutModel* model, const rutData* data, unsigned mask, void* buffer) {
  rut_host_collect(data);
  StateHead head = {mask, model->hash};
  unsigned char* to = buffer;
  memcpy(to, &head, sizeof head);
  to += sizeof head;
  visit_state(model, data, mask, copy_out, &to);
  visit_past(model, data, mask, copy_out, &to);
  if (mask & RUT_STATE_CONTACT) {
    rut_contact_state_get(model->contact, data->contact, to);
    to += rut_contact_state_size(model->contact);
    if (model->space) rut_space_state_get(model->space, data->space, to);
  }
}

rutStatus rut_state_get(const rutModel* model, const rutData* data, unsigned mask, void* buffer,
                        size_t size) {
  if (!rut_data_is_of(data, model)) return RUT_ERR_ARGUMENT;
  if (size != rut_state_size(model, data, mask)) return RUT_ERR_ARGUMENT;
  get_fixed(model, data, mask, buffer);
  if (data->soft && (mask & RUT_STATE_GROUND)) {
    rut_soft_get(data->soft, (unsigned char*)buffer + fixed_size(model, mask));
  }
  return RUT_OK;
}

// Tyres at the pressures of a state.
static void fit_tyres(const rutModel* model, rutData* data) {
  for (int i = 0; i < model->groups; i++) {
    const rutGroup* g = &model->group[i];
    for (int b = 0; g->spatial && g->spatial->pressures && b < g->batches; b++) {
      const rutVehicleBatch vehicles = rut_vehicle_batch(data, g, b);
      rut_vehicle_inflate(&vehicles, 0);
    }
  }
}

// All but the ruts. The bytes are as many as it takes.
static rutStatus set_fixed(const rutModel* model, rutData* data, unsigned mask,
                           const void* buffer) {
  StateHead head;
  const unsigned char* from = buffer;
  memcpy(&head, from, sizeof head);
  if (head.mask != mask || head.model != model->hash) return RUT_ERR_VERSION;
  from += sizeof head;
  rut_host_collect(data);
  rut_host_forget(data);
  visit_state(model, data, mask, copy_in, &from);
  visit_past(model, data, mask, copy_in, &from);
  if (mask & RUT_STATE_CONTACT) {
    rut_contact_state_set(model->contact, data->contact, from);
    from += rut_contact_state_size(model->contact);
    if (model->space) rut_space_state_set(model->space, data->space, from);
    rut_space_join_lists(model, data);
  }
  return RUT_OK;
}

// What follows from a state that has been set.
static void set_up(const rutModel* model, rutData* data) {
  for (int i = 0; i < model->groups; i++) rut_forget_kept(data, &model->group[i]);
  fit_tyres(model, data);
  rut_soil_changes_lay(model, data);
}

rutStatus rut_state_set(const rutModel* model, rutData* data, unsigned mask, const void* buffer,
                        size_t size) {
  if (!rut_data_is_of(data, model)) return RUT_ERR_ARGUMENT;
  const size_t fixed = fixed_size(model, mask);
  if (mask & ~(unsigned)RUT_STATE_ALL || size < fixed) return RUT_ERR_ARGUMENT;
  const unsigned char* ruts = (const unsigned char*)buffer + fixed;
  const bool ground = data->soft && (mask & RUT_STATE_GROUND);
  const size_t rest = ground ? rut_soft_saved_size(data->soft, ruts, size - fixed) : 0;
  if (size != fixed + rest || (ground && rest == 0)) return RUT_ERR_ARGUMENT;
  const rutStatus status = set_fixed(model, data, mask, buffer);
  if (status != RUT_OK) return status;
  if (ground) rut_soft_set(data->soft, ruts);
  set_up(model, data);
  return RUT_OK;
}

size_t rut_state_fixed_size(const rutModel* model) { return fixed_size(model, RUT_STATE_ALL); }

rutStatus rut_state_get_fixed(const rutModel* model, const rutData* data, void* buffer) {
  if (!rut_data_is_of(data, model)) return RUT_ERR_ARGUMENT;
  get_fixed(model, data, RUT_STATE_ALL, buffer);
  return RUT_OK;
}

rutStatus rut_state_set_fixed(const rutModel* model, rutData* data, const void* buffer,
                              rutSoftBase* ruts) {
  if (!rut_data_is_of(data, model)) return RUT_ERR_ARGUMENT;
  const rutStatus status = set_fixed(model, data, RUT_STATE_ALL, buffer);
  if (status != RUT_OK) return status;
  if (data->soft) rut_soft_share(data->soft, ruts);
  set_up(model, data);
  return RUT_OK;
}

uint64_t rut_state_hash(const rutModel* model, const rutData* data) {
  uint64_t hash = RUT_HASH_START;
  if (!rut_data_is_of(data, model)) return 0;
  rut_host_collect(data);
  visit_state(model, data, RUT_STATE_ALL, hash_piece, &hash);
  hash = rut_contact_state_hash(model->contact, data->contact, hash);
  if (model->space) hash = rut_space_state_hash(data->space, hash);
  return data->soft ? rut_soft_hash(data->soft, hash) : hash;
}
