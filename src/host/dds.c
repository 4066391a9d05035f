// SPDX-License-Identifier: BSD-3-Clause
#include "host/dds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/dynamic.h"
#include "base/report.h"

#ifdef RUT_HAVE_DDS

// its headers are of GNU C
#define asm __asm__
#include <dds/dds.h>
#include <dds/ddsi/ddsi_serdata.h>
#include <dds/ddsi/ddsi_sertype.h>
#include <dds/ddsi/q_radmin.h>

#define FUNCTIONS(X)                         \
  X(dds_create_domain)                       \
  X(dds_create_participant)                  \
  X(dds_create_qos)                          \
  X(dds_create_readcondition)                \
  X(dds_create_reader)                       \
  X(dds_create_topic_sertype)                \
  X(dds_create_waitset)                      \
  X(dds_create_writer)                       \
  X(dds_delete)                              \
  X(dds_delete_qos)                          \
  X(dds_get_guid)                            \
  X(dds_get_offered_incompatible_qos_status) \
  X(dds_get_publication_matched_status)      \
  X(dds_get_subscription_matched_status)     \
  X(dds_qset_durability)                     \
  X(dds_qset_history)                        \
  X(dds_qset_reliability)                    \
  X(dds_qset_userdata)                       \
  X(dds_strretcode)                          \
  X(dds_takecdr)                             \
  X(dds_waitset_attach)                      \
  X(dds_waitset_wait)                        \
  X(dds_write)                               \
  X(ddsi_serdata_init)                       \
  X(ddsi_sertype_fini)                       \
  X(ddsi_sertype_init)                       \
  X(ddsi_sertype_v0)

typedef struct Library {
#define X(name) __typeof__(name)* name;
  FUNCTIONS(X)
#undef X
} Library;

// Callbacks of Cyclone get no argument of ours that reaches the functions: a type carries them, its
// own, since all participants of a domain share types, also those of another rutDds.
typedef struct Type {
  struct ddsi_sertype base;
  struct ddsi_sertype_ops ops;
  Library library;
} Type;

// A sample: the bytes follow, padded to a multiple of four.
typedef struct Sample {
  struct ddsi_serdata base;
  size_t size;
  unsigned char bytes[];
} Sample;

// What is written: bytes of the caller's.
typedef struct Value {
  const void* bytes;
  size_t size;
} Value;

typedef struct Ends {
  dds_entity_t* entity;  // owned
  int n;
} Ends;

struct rutDds {
  Library library;
  dds_entity_t domain, waitset;  // 0: none
  // One topic has one type in a participant: a second one has those of another type.
  dds_entity_t participant[2];
  int id;           // of the domain
  char* user_data;  // of participants, owned
  Ends writers, readers;
};

// ---- samples ----

static void release(struct ddsi_serdata* d) {
  if (__atomic_sub_fetch(&d->refc.v, 1, __ATOMIC_ACQ_REL) == 0) d->ops->free(d);
}

static size_t padded(size_t size) { return (size + 3) / 4 * 4; }

static const Library* library_of(const struct ddsi_sertype* type) {
  return &((const Type*)(const void*)type)->library;
}

static Sample* new_sample(const struct ddsi_sertype* type, enum ddsi_serdata_kind kind,
                          size_t size) {
  Sample* s = malloc(sizeof *s + padded(size));
  if (!s) return NULL;
  library_of(type)->ddsi_serdata_init(&s->base, type, kind);
  s->size = size;
  memset(s->bytes + size, 0, padded(size) - size);
  return s;
}

static bool have_equal_keys(const struct ddsi_serdata* a, const struct ddsi_serdata* b) {
  (void)a;
  (void)b;
  return true;  // there are no keys
}

static uint32_t size_of(const struct ddsi_serdata* d) {
  return (uint32_t)((const Sample*)(const void*)d)->size;
}

// Fragments come in order and may overlap.
static struct ddsi_serdata* from_fragments(const struct ddsi_sertype* type,
                                           enum ddsi_serdata_kind kind,
                                           const struct nn_rdata* fragment, size_t size) {
  Sample* s = new_sample(type, kind, size);
  size_t used = 0;
  for (; s && fragment; fragment = fragment->nextfrag) {
    const size_t end = fragment->maxp1 < size ? fragment->maxp1 : size;
    if (fragment->min > used || end <= used) continue;
    const unsigned char* bytes = NN_RMSG_PAYLOADOFF(fragment->rmsg, NN_RDATA_PAYLOAD_OFF(fragment));
    memcpy(s->bytes + used, bytes + used - fragment->min, end - used);
    used = end;
  }
  if (s) memset(s->bytes + used, 0, size - used);
  return s ? &s->base : NULL;
}

static struct ddsi_serdata* from_pieces(const struct ddsi_sertype* type,
                                        enum ddsi_serdata_kind kind, ddsrt_msg_iovlen_t pieces,
                                        const ddsrt_iovec_t* piece, size_t size) {
  Sample* s = new_sample(type, kind, size);
  size_t used = 0;
  for (size_t i = 0; s && i < (size_t)pieces && used < size; i++) {
    const size_t left = size - used, n = piece[i].iov_len < left ? piece[i].iov_len : left;
    if (n > 0) memcpy(s->bytes + used, piece[i].iov_base, n);
    used += n;
  }
  return s ? &s->base : NULL;
}

static struct ddsi_serdata* from_key(const struct ddsi_sertype* type,
                                     const struct ddsi_keyhash* hash) {
  (void)hash;
  Sample* s = new_sample(type, SDK_KEY, 4);
  if (s) memset(s->bytes, 0, 4);
  return s ? &s->base : NULL;
}

static struct ddsi_serdata* from_value(const struct ddsi_sertype* type, enum ddsi_serdata_kind kind,
                                       const void* value) {
  const Value* v = value;
  Sample* s = new_sample(type, kind, kind == SDK_DATA ? v->size : 4);
  if (s && kind == SDK_DATA) memcpy(s->bytes, v->bytes, v->size);
  if (s && kind != SDK_DATA) memset(s->bytes, 0, 4);
  return s ? &s->base : NULL;
}

static void copy_out(const struct ddsi_serdata* d, size_t from, size_t size, void* to) {
  memcpy(to, ((const Sample*)(const void*)d)->bytes + from, size);
}

static struct ddsi_serdata* lend(const struct ddsi_serdata* d, size_t from, size_t size,
                                 ddsrt_iovec_t* out) {
  Sample* s = (Sample*)(uintptr_t)d;
  __atomic_add_fetch(&s->base.refc.v, 1, __ATOMIC_RELAXED);
  out->iov_base = s->bytes + from;
  out->iov_len = size;
  return &s->base;
}

static void take_back(struct ddsi_serdata* d, const ddsrt_iovec_t* lent) {
  (void)lent;
  release(d);
}

static bool to_value(const struct ddsi_serdata* d, void* value, void** buffer, void* end) {
  (void)d;
  (void)value;
  (void)buffer;
  (void)end;
  return false;  // samples are taken as they are
}

static struct ddsi_serdata* without_type(const struct ddsi_serdata* d) {
  Sample* s = new_sample(d->type, SDK_KEY, 4);
  if (!s) return NULL;
  memset(s->bytes, 0, 4);
  s->base.type = NULL;
  return &s->base;
}

static bool key_to_value(const struct ddsi_sertype* type, const struct ddsi_serdata* d, void* value,
                         void** buffer, void* end) {
  (void)type;
  return to_value(d, value, buffer, end);
}

static void free_sample(struct ddsi_serdata* d) { free(d); }

static size_t print(const struct ddsi_sertype* type, const struct ddsi_serdata* d, char* text,
                    size_t size) {
  (void)type;
  (void)d;
  return (size_t)snprintf(text, size, "(bytes)");
}

static void key_of(const struct ddsi_serdata* d, struct ddsi_keyhash* hash, bool digest) {
  (void)d;
  (void)digest;
  memset(hash, 0, sizeof *hash);
}

static const struct ddsi_serdata_ops sample_ops = {.eqkey = have_equal_keys,
                                                   .get_size = size_of,
                                                   .from_ser = from_fragments,
                                                   .from_ser_iov = from_pieces,
                                                   .from_keyhash = from_key,
                                                   .from_sample = from_value,
                                                   .to_ser = copy_out,
                                                   .to_ser_ref = lend,
                                                   .to_ser_unref = take_back,
                                                   .to_sample = to_value,
                                                   .to_untyped = without_type,
                                                   .untyped_to_sample = key_to_value,
                                                   .free = free_sample,
                                                   .print = print,
                                                   .get_keyhash = key_of};

// ---- types ----

static void free_type(struct ddsi_sertype* type) {
  library_of(type)->ddsi_sertype_fini(type);
  free(type);
}

static void zero_values(const struct ddsi_sertype* type, void* values, size_t n) {
  (void)type;
  memset(values, 0, n * sizeof(Value));
}

static void resize_values(void** values, const struct ddsi_sertype* type, void* old, size_t before,
                          size_t n) {
  (void)type;
  (void)before;
  Value* grown = realloc(old, n * sizeof *grown);
  for (size_t i = 0; grown && i < n; i++) values[i] = grown + i;
}

static void free_values(const struct ddsi_sertype* type, void** values, size_t n,
                        dds_free_op_t how) {
  (void)type;
  if (n > 0 && (how & DDS_FREE_ALL_BIT)) free(values[0]);
}

// Types of one name are one type: none has more than that.
static bool equal_types(const struct ddsi_sertype* a, const struct ddsi_sertype* b) {
  (void)a;
  (void)b;
  return true;
}

static uint32_t hash_type(const struct ddsi_sertype* type) {
  (void)type;
  return 0;
}

static struct ddsi_sertype* new_type(const Library* library, const char* name) {
  Type* type = calloc(1, sizeof *type);
  if (!type) return NULL;
  type->library = *library;
  type->ops = (struct ddsi_sertype_ops){.version = library->ddsi_sertype_v0,
                                        .free = free_type,
                                        .zero_samples = zero_values,
                                        .realloc_samples = resize_values,
                                        .free_samples = free_values,
                                        .equal = equal_types,
                                        .hash = hash_type};
  library->ddsi_sertype_init(&type->base, name, &type->ops, &sample_ops, true);
  type->base.allowed_data_representation = DDS_DATA_REPRESENTATION_FLAG_XCDR1;
  return &type->base;
}

// ---- participants ----

static rutStatus failed(rutDds* dds, const char* what, dds_return_t code, rutError* err) {
  return rut_error_set(err, RUT_ERR_IO, "ROS 2: %.200s: %s", what,
                       dds->library.dds_strretcode(code));
}

static rutStatus no_memory(rutError* err) {
  return rut_error_set(err, RUT_ERR_MEMORY, "no memory for topics of ROS 2");
}

static rutStatus load(Library* library, rutError* err) {
  const rutSymbol symbol[] = {
#define X(name) {#name, &library->name},
      FUNCTIONS(X)
#undef X
  };
  if (rut_dynamic_load(RUT_DDS_LIBRARY, symbol, sizeof symbol / sizeof symbol[0])) return RUT_OK;
  return rut_error_set(err, RUT_ERR_IO,
                       "ROS 2 needs %s, which is not here: apt-get install libddsc0debian",
                       RUT_DDS_LIBRARY);
}

// As ROS 2 has it: what the environment says about domains and about staying on this computer.
static bool stays_here(void) {
  const char* only = getenv("ROS_LOCALHOST_ONLY");
  const char* range = getenv("ROS_AUTOMATIC_DISCOVERY_RANGE");
  return (only && strcmp(only, "1") == 0) || (range && strcmp(range, "LOCALHOST") == 0);
}

static rutStatus open_domain(rutDds* dds, int domain, rutError* err) {
  static const char here[] =
      "<CycloneDDS><Domain><General><Interfaces><NetworkInterface address=\"127.0.0.1\"/>"
      "</Interfaces><AllowMulticast>false</AllowMulticast></General><Discovery>"
      "<ParticipantIndex>auto</ParticipantIndex><MaxAutoParticipantIndex>32"
      "</MaxAutoParticipantIndex><Peers><Peer address=\"127.0.0.1\"/></Peers></Discovery>"
      "</Domain></CycloneDDS>";
  const char* own = getenv("CYCLONEDDS_URI");
  // a participant makes its domain, by the environment, where we say nothing
  if (!stays_here() || (own && own[0])) return RUT_OK;
  dds->domain = dds->library.dds_create_domain((dds_domainid_t)domain, here);
  return dds->domain > 0 ? RUT_OK : failed(dds, "no domain", dds->domain, err);
}

static rutStatus join(rutDds* dds, int which, rutError* err) {
  const Library* l = &dds->library;
  dds_qos_t* qos = l->dds_create_qos();
  if (!qos) return no_memory(err);
  l->dds_qset_userdata(qos, dds->user_data, strlen(dds->user_data));
  dds->participant[which] = l->dds_create_participant((dds_domainid_t)dds->id, qos, NULL);
  l->dds_delete_qos(qos);
  if (dds->participant[which] > 0) return RUT_OK;
  return failed(dds, "no participant", dds->participant[which], err);
}

static rutStatus make_waitset(rutDds* dds, rutError* err) {
  dds->waitset = dds->library.dds_create_waitset(DDS_CYCLONEDDS_HANDLE);
  return dds->waitset > 0 ? RUT_OK : failed(dds, "no wait set", dds->waitset, err);
}

rutStatus rut_dds_open(int domain, const char* user_data, rutDds** out, rutError* err) {
  *out = NULL;
  rutDds* dds = calloc(1, sizeof *dds);
  if (!dds) return no_memory(err);
  const char* id = getenv("ROS_DOMAIN_ID");
  if (domain < 0) domain = id ? (int)strtol(id, NULL, 10) : 0;
  rutStatus status = load(&dds->library, err);
  if (status == RUT_OK) status = open_domain(dds, domain, err);
  dds->id = domain;
  dds->user_data = malloc(strlen(user_data) + 1);
  if (!dds->user_data) status = no_memory(err);
  if (status == RUT_OK) memcpy(dds->user_data, user_data, strlen(user_data) + 1);
  if (status == RUT_OK) status = join(dds, 0, err);
  if (status == RUT_OK) status = make_waitset(dds, err);
  if (status == RUT_OK) {
    *out = dds;
  } else {
    rut_dds_close(dds);
  }
  return status;
}

void rut_dds_close(rutDds* dds) {
  if (!dds) return;
  if (dds->waitset > 0) dds->library.dds_delete(dds->waitset);
  for (int i = 0; i < 2; i++) {
    if (dds->participant[i] > 0) dds->library.dds_delete(dds->participant[i]);
  }
  if (dds->domain > 0) dds->library.dds_delete(dds->domain);
  free(dds->writers.entity);
  free(dds->readers.entity);
  free(dds->user_data);
  free(dds);
}

// ---- topics ----

static bool keep(Ends* ends, dds_entity_t entity, int* out) {
  dds_entity_t* grown = realloc(ends->entity, ((size_t)ends->n + 1) * sizeof *grown);
  if (!grown) return false;
  ends->entity = grown;
  *out = ends->n;
  ends->entity[ends->n++] = entity;
  return true;
}

// A topic, of the participant that has none of that name and another type. *participant gets which.
static rutStatus make_topic(rutDds* dds, const rutDdsTopic* def, int* participant,
                            dds_entity_t* topic, rutError* err) {
  const Library* l = &dds->library;
  *topic = DDS_RETCODE_PRECONDITION_NOT_MET;
  for (int i = 0; i < 2 && *topic == DDS_RETCODE_PRECONDITION_NOT_MET; i++) {
    if (dds->participant[i] <= 0) {
      const rutStatus status = join(dds, i, err);
      if (status != RUT_OK) return status;
    }
    struct ddsi_sertype* type = new_type(l, def->type);
    if (!type) return no_memory(err);
    *participant = i;
    *topic = l->dds_create_topic_sertype(dds->participant[i], def->name, &type, NULL, NULL, NULL);
    // it is taken over only where there is a topic
    if (*topic <= 0) free_type(type);
  }
  return *topic > 0 ? RUT_OK : failed(dds, def->name, *topic, err);
}

// Quality of service, which the caller deletes. NULL if out of memory.
static dds_qos_t* make_qos(const rutDds* dds, const rutDdsTopic* def) {
  const Library* l = &dds->library;
  dds_qos_t* qos = l->dds_create_qos();
  if (!qos) return NULL;
  l->dds_qset_durability(qos, def->kept ? DDS_DURABILITY_TRANSIENT_LOCAL : DDS_DURABILITY_VOLATILE);
  l->dds_qset_history(qos, DDS_HISTORY_KEEP_LAST, def->depth);
  // a slow reader loses samples, and never holds the run up
  l->dds_qset_reliability(
      qos, def->reliable ? DDS_RELIABILITY_RELIABLE : DDS_RELIABILITY_BEST_EFFORT, 0);
  l->dds_qset_userdata(qos, def->user_data, strlen(def->user_data));
  return qos;
}

rutStatus rut_dds_writer(rutDds* dds, const rutDdsTopic* def, int* out, rutError* err) {
  dds_entity_t topic = 0;
  int at = 0;
  rutStatus status = make_topic(dds, def, &at, &topic, err);
  if (status != RUT_OK) return status;
  dds_qos_t* qos = make_qos(dds, def);
  if (!qos) return no_memory(err);
  const dds_entity_t writer =
      dds->library.dds_create_writer(dds->participant[at], topic, qos, NULL);
  dds->library.dds_delete_qos(qos);
  if (writer <= 0) return failed(dds, def->name, writer, err);
  return keep(&dds->writers, writer, out) ? RUT_OK : no_memory(err);
}

rutStatus rut_dds_reader(rutDds* dds, const rutDdsTopic* def, int* out, rutError* err) {
  dds_entity_t topic = 0;
  int at = 0;
  const Library* l = &dds->library;
  rutStatus status = make_topic(dds, def, &at, &topic, err);
  if (status != RUT_OK) return status;
  dds_qos_t* qos = make_qos(dds, def);
  if (!qos) return no_memory(err);
  const dds_entity_t reader = l->dds_create_reader(dds->participant[at], topic, qos, NULL);
  l->dds_delete_qos(qos);
  if (reader <= 0) return failed(dds, def->name, reader, err);
  const dds_entity_t some = l->dds_create_readcondition(reader, DDS_ANY_STATE);
  if (some > 0) l->dds_waitset_attach(dds->waitset, some, 0);
  return keep(&dds->readers, reader, out) ? RUT_OK : no_memory(err);
}

bool rut_dds_write(rutDds* dds, int writer, const void* bytes, size_t size) {
  const Value value = {bytes, size};
  // one that nobody has room for is dropped (DDS_RETCODE_TIMEOUT)
  return dds->library.dds_write(dds->writers.entity[writer], &value) !=
         DDS_RETCODE_OUT_OF_RESOURCES;
}

bool rut_dds_take(rutDds* dds, int reader, rutBytes* bytes) {
  struct ddsi_serdata* d = NULL;
  dds_sample_info_t info;
  bytes->used = 0;
  // once there was no memory, there may be some again
  bytes->failed = false;
  for (;;) {
    const dds_return_t n =
        dds->library.dds_takecdr(dds->readers.entity[reader], &d, 1, &info, DDS_ANY_STATE);
    if (n <= 0) return false;
    const Sample* s = (const Sample*)(const void*)d;
    const bool valid = info.valid_data && d->kind == SDK_DATA && s->size <= RUT_DDS_TAKEN;
    if (valid) rut_bytes_put(bytes, s->bytes, s->size);
    release(d);
    if (valid) return !bytes->failed;
  }
}

bool rut_dds_wait(rutDds* dds, double seconds) {
  const dds_duration_t most = (dds_duration_t)(seconds * 1e9);
  return dds->library.dds_waitset_wait(dds->waitset, NULL, 0, most) > 0;
}

int rut_dds_readers(rutDds* dds, int writer) {
  dds_publication_matched_status_t status = {0};
  dds->library.dds_get_publication_matched_status(dds->writers.entity[writer], &status);
  return (int)status.current_count;
}

int rut_dds_writers(rutDds* dds, int reader) {
  dds_subscription_matched_status_t status = {0};
  dds->library.dds_get_subscription_matched_status(dds->readers.entity[reader], &status);
  return (int)status.current_count;
}

int rut_dds_refused(rutDds* dds, int writer) {
  dds_offered_incompatible_qos_status_t status = {0};
  dds->library.dds_get_offered_incompatible_qos_status(dds->writers.entity[writer], &status);
  return (int)status.total_count;
}

static void guid_of(rutDds* dds, dds_entity_t entity, unsigned char guid[RUT_DDS_GUID]) {
  dds_guid_t own = {{0}};
  dds->library.dds_get_guid(entity, &own);
  memcpy(guid, own.v, RUT_DDS_GUID);
}

void rut_dds_participant_guid(rutDds* dds, unsigned char guid[RUT_DDS_GUID]) {
  guid_of(dds, dds->participant[0], guid);
}

void rut_dds_writer_guid(rutDds* dds, int writer, unsigned char guid[RUT_DDS_GUID]) {
  guid_of(dds, dds->writers.entity[writer], guid);
}

void rut_dds_reader_guid(rutDds* dds, int reader, unsigned char guid[RUT_DDS_GUID]) {
  guid_of(dds, dds->readers.entity[reader], guid);
}

#else

rutStatus rut_dds_open(int domain, const char* user_data, rutDds** out, rutError* err) {
  (void)domain;
  (void)user_data;
  *out = NULL;
  return rut_error_set(err, RUT_ERR_IO,
                       "this rut was built without ROS 2: apt-get install cyclonedds-dev, and "
                       "build it again");
}

void rut_dds_close(rutDds* dds) { (void)dds; }

static rutStatus none(rutError* err) { return rut_error_set(err, RUT_ERR_IO, "no ROS 2"); }

rutStatus rut_dds_writer(rutDds* dds, const rutDdsTopic* topic, int* out, rutError* err) {
  (void)dds;
  (void)topic;
  *out = -1;
  return none(err);
}

rutStatus rut_dds_reader(rutDds* dds, const rutDdsTopic* topic, int* out, rutError* err) {
  return rut_dds_writer(dds, topic, out, err);
}

bool rut_dds_write(rutDds* dds, int writer, const void* bytes, size_t size) {
  (void)dds;
  (void)writer;
  (void)bytes;
  return size == 0;
}

bool rut_dds_take(rutDds* dds, int reader, rutBytes* bytes) {
  (void)dds;
  (void)reader;
  bytes->used = 0;
  return false;
}

bool rut_dds_wait(rutDds* dds, double seconds) {
  (void)dds;
  (void)seconds;
  return false;
}

int rut_dds_readers(rutDds* dds, int writer) {
  (void)dds;
  (void)writer;
  return 0;
}

int rut_dds_writers(rutDds* dds, int reader) { return rut_dds_readers(dds, reader); }

int rut_dds_refused(rutDds* dds, int writer) { return rut_dds_readers(dds, writer); }

void rut_dds_participant_guid(rutDds* dds, unsigned char guid[RUT_DDS_GUID]) {
  (void)dds;
  memset(guid, 0, RUT_DDS_GUID);
}

void rut_dds_writer_guid(rutDds* dds, int writer, unsigned char guid[RUT_DDS_GUID]) {
  (void)writer;
  rut_dds_participant_guid(dds, guid);
}

void rut_dds_reader_guid(rutDds* dds, int reader, unsigned char guid[RUT_DDS_GUID]) {
  (void)reader;
  rut_dds_participant_guid(dds, guid);
}

#endif
