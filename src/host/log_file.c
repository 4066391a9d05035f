// SPDX-License-Identifier: BSD-3-Clause
//
// Reading logs: their contents, and messages in order of time.
#include "host/log_file.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/report.h"
#include "host/bytes.h"

enum { OPEN_CHUNKS = 64, OPEN_BYTES = 512 * 1024 * 1024 };

static rutStatus no_memory(rutError* err) {
  return rut_error_set(err, RUT_ERR_MEMORY, "no memory for a log");
}

rutStatus rut_log_open(const char* path, rutLogFile** out, rutError* err) {
  *out = NULL;
  rutLogFile* file = calloc(1, sizeof *file);
  if (!file) return no_memory(err);
  file->block_of = -1;
  rutStatus status = rut_mcap_open(&file->mcap, path, err);
  if (status == RUT_OK) status = rut_log_find_signals(file, err);
  if (status != RUT_OK) {
    rut_log_file_close(file);
    return status;
  }
  *out = file;
  return RUT_OK;
}

void rut_log_file_close(rutLogFile* file) {
  if (!file) return;
  for (int i = 0; file->msg && i < file->mcap.schemas; i++) rut_msg_free(&file->msg[i]);
  for (int i = 0; i < file->signals; i++) free(file->signal[i].name);
  free(file->msg);
  free(file->parsed);
  free(file->signal);
  free(file->sorted);
  rut_mcap_block_free(&file->block);
  rut_mcap_free(&file->mcap);
  free(file);
}

rutLogInfo rut_log_info(const rutLogFile* file) {
  const rutMcap* m = &file->mcap;
  return (rutLogInfo){.start = rut_log_seconds(m->first),
                      .end = rut_log_seconds(m->last),
                      .messages = m->messages,
                      .size = m->size,
                      .channels = m->channels,
                      .attachments = m->attachments,
                      .signals = file->signals,
                      .chunks = m->chunks,
                      .whole = m->whole};
}

rutStatus rut_log_check(const rutLogFile* file, rutError* err) {
  return rut_mcap_check(&file->mcap, err);
}

static const char* or_empty(const char* text) { return text ? text : ""; }

const char* rut_log_metadata(const rutLogFile* file, const char* name, const char* key) {
  for (int i = 0; i < file->mcap.entries; i++) {
    const rutMcapEntry* e = &file->mcap.entry[i];
    if (strcmp(e->name, name) == 0 && strcmp(e->key, key) == 0) return e->value;
  }
  return "";
}

rutLogChannel rut_log_channel_at(const rutLogFile* file, int channel) {
  if (channel < 0 || channel >= file->mcap.channels) {
    return (rutLogChannel){"", "", "", "", "", 0};
  }
  const rutMcapChannel* c = &file->mcap.channel[channel];
  static const rutMcapSchema none;
  const rutMcapSchema* s = c->schema >= 0 ? &file->mcap.schema[c->schema] : &none;
  return (rutLogChannel){or_empty(c->topic),    or_empty(c->encoding), or_empty(s->name),
                         or_empty(s->encoding), or_empty(s->text),     c->messages};
}

int rut_log_channel_find(const rutLogFile* file, const char* topic) {
  for (int i = 0; i < file->mcap.channels; i++) {
    if (strcmp(or_empty(file->mcap.channel[i].topic), topic) == 0) return i;
  }
  return -1;
}

rutLogAttachment rut_log_attachment_at(const rutLogFile* file, int attachment) {
  if (attachment < 0 || attachment >= file->mcap.attachments) {
    return (rutLogAttachment){"", "", 0};
  }
  const rutMcapAttachment* a = &file->mcap.attachment[attachment];
  return (rutLogAttachment){or_empty(a->name), or_empty(a->media_type), a->size};
}

int rut_log_attachment_find(const rutLogFile* file, const char* name) {
  for (int i = 0; i < file->mcap.attachments; i++) {
    if (strcmp(or_empty(file->mcap.attachment[i].name), name) == 0) return i;
  }
  return -1;
}

// Continue a checksum over bytes of the file that are not parsed.
static rutStatus check(const rutLogFile* file, uint64_t offset, uint64_t size, uLong* sum,
                       rutError* err) {
  unsigned char part[4096];
  while (size > 0) {
    const size_t n = size < sizeof part ? (size_t)size : sizeof part;
    const rutStatus status = rut_mcap_bytes(&file->mcap, offset, part, n, err);
    if (status != RUT_OK) return status;
    *sum = crc32(*sum, part, (uInt)n);
    offset += n;
    size -= n;
  }
  return RUT_OK;
}

rutStatus rut_log_attachment_read(const rutLogFile* file, int attachment, void* bytes,
                                  rutError* err) {
  if (attachment < 0 || attachment >= file->mcap.attachments) {
    return rut_error_set(err, RUT_ERR_ARGUMENT, "no such attachment");
  }
  const rutMcapAttachment* a = &file->mcap.attachment[attachment];
  uLong sum = 0;
  unsigned char crc[4];
  rutStatus status = check(file, a->record + 9, a->offset - a->record - 9, &sum, err);
  if (status == RUT_OK) {
    status = rut_mcap_bytes(&file->mcap, a->offset, bytes, (size_t)a->size, err);
  }
  if (status == RUT_OK) {
    status = rut_mcap_bytes(&file->mcap, a->offset + a->size, crc, sizeof crc, err);
  }
  if (status != RUT_OK) return status;
  const unsigned char* at = bytes;
  for (uint64_t left = a->size; left > 0;) {
    const uInt n = left > 1u << 30 ? 1u << 30 : (uInt)left;
    sum = crc32(sum, at, n);
    at += n;
    left -= n;
  }
  const uint32_t told = rut_get_u32(crc);
  if (told == 0 || told == (uint32_t)sum) return RUT_OK;
  return rut_error_set(err, RUT_ERR_PARSE, "'%.250s': attachment '%.100s' is damaged",
                       file->mcap.path, or_empty(a->name));
}

// ---- the message at a time ----

// Load a chunk, unless it is the one in memory.
static bool hold(rutLogFile* file, int chunk) {
  if (file->block_of == chunk) return true;
  rut_mcap_block_free(&file->block);
  file->block_of = -1;
  if (rut_mcap_block(&file->mcap, chunk, &file->block, NULL) != RUT_OK) return false;
  file->block_of = chunk;
  return true;
}

// Last message of a channel in the loaded chunk that is not later than `time`, or its first. -1 if
// there is none.
static int pick(const rutLogFile* file, int channel, double time, bool first) {
  int found = -1;
  for (int i = 0; i < file->block.messages; i++) {
    const rutMcapMessage* m = &file->block.message[i];
    if (m->channel != channel) continue;
    if (first) return i;
    if (rut_log_seconds(m->time) > time) break;
    found = i;
  }
  return found;
}

static void give(const rutMcapBlock* block, int message, rutLogMessage* out) {
  const rutMcapMessage* m = &block->message[message];
  *out = (rutLogMessage){.channel = m->channel,
                         .time = rut_log_seconds(m->time),
                         .sequence = m->sequence,
                         .bytes = block->bytes + m->at,
                         .size = m->size};
}

bool rut_log_message_at(rutLogFile* file, int channel, double time, rutLogMessage* out) {
  const rutMcap* m = &file->mcap;
  if (channel < 0 || channel >= m->channels) return false;
  int best = -1;
  uint64_t best_time = 0;
  for (int c = m->chunks - 1; c >= 0; c--) {
    if (rut_log_seconds(m->chunk[c].start) > time) continue;
    // chunks that overlap may each have the latest
    if (best >= 0 && m->chunk[c].end <= best_time) continue;
    if (!rut_mcap_chunk_has(m, c, channel) || !hold(file, c)) continue;
    const int at = pick(file, channel, time, false);
    if (at < 0 || (best >= 0 && file->block.message[at].time <= best_time)) continue;
    best = c;
    best_time = file->block.message[at].time;
  }
  const bool first = best < 0;
  for (int c = 0; c < m->chunks && best < 0; c++) {
    if (rut_mcap_chunk_has(m, c, channel) && hold(file, c) &&
        pick(file, channel, time, true) >= 0) {
      best = c;
    }
  }
  if (best < 0 || !hold(file, best)) return false;
  give(&file->block, pick(file, channel, time, first), out);
  return true;
}

// ---- messages in order ----

typedef struct Open {
  rutMcapBlock block;
  int next;
} Open;

struct rutLogCursor {
  rutLogFile* file;
  bool* wanted;  // [channels]
  double from, to;
  int chunk;  // next to be opened
  Open open[OPEN_CHUNKS];
  int n;
  int last;  // chunk of the last message, -1: none
};

rutStatus rut_log_cursor_create(rutLogFile* file, const rutLogSelection* channels,
                                rutLogCursor** out, rutError* err) {
  *out = NULL;
  rutLogCursor* c = calloc(1, sizeof *c);
  bool* wanted = calloc((size_t)file->mcap.channels + 1, sizeof *wanted);
  if (!c || !wanted) {
    free(c);
    free(wanted);
    return no_memory(err);
  }
  for (int i = 0; i < file->mcap.channels; i++) wanted[i] = channels->n == 0;
  for (int i = 0; i < channels->n; i++) {
    const int channel = channels->index[i];
    if (channel >= 0 && channel < file->mcap.channels) wanted[channel] = true;
  }
  *c = (rutLogCursor){
      .file = file, .wanted = wanted, .from = channels->from, .to = channels->to, .last = -1};
  *out = c;
  return RUT_OK;
}

void rut_log_cursor_destroy(rutLogCursor* c) {
  if (!c) return;
  for (int i = 0; i < c->n; i++) rut_mcap_block_free(&c->open[i].block);
  free(c->wanted);
  free(c);
}

static bool is_wanted(const rutLogCursor* c, const rutMcapMessage* m) {
  const double time = rut_log_seconds(m->time);
  return c->wanted[m->channel] && time >= c->from && time <= c->to;
}

// Advance to the next selected message of an open chunk. Closes the chunk, and returns false,
// if there is none.
static bool advance(rutLogCursor* c, int i) {
  Open* o = &c->open[i];
  while (o->next < o->block.messages && !is_wanted(c, &o->block.message[o->next])) o->next++;
  if (o->next < o->block.messages) return true;
  rut_mcap_block_free(&o->block);
  c->open[i] = c->open[--c->n];
  return false;
}

static bool chunk_wanted(const rutLogCursor* c, int chunk) {
  const rutMcap* m = &c->file->mcap;
  if (rut_log_seconds(m->chunk[chunk].end) < c->from) return false;
  for (int i = 0; i < m->channels; i++) {
    if (c->wanted[i] && rut_mcap_chunk_has(m, chunk, i)) return true;
  }
  return false;
}

// The open chunk whose next message is the earliest, -1 if none is open.
static int earliest(const rutLogCursor* c) {
  int best = -1;
  for (int i = 0; i < c->n; i++) {
    if (best < 0) best = i;
    const uint64_t time = c->open[i].block.message[c->open[i].next].time;
    if (time < c->open[best].block.message[c->open[best].next].time) best = i;
  }
  return best;
}

// Open all chunks that may have a message earlier than those of the open chunks.
static rutStatus open_chunks(rutLogCursor* c, rutError* err) {
  const rutMcap* m = &c->file->mcap;
  for (; c->chunk < m->chunks; c->chunk++) {
    const rutMcapChunk* chunk = &m->chunk[c->chunk];
    if (rut_log_seconds(chunk->start) > c->to) return RUT_OK;
    const int best = earliest(c);
    if (best >= 0 && chunk->start > c->open[best].block.message[c->open[best].next].time) {
      return RUT_OK;
    }
    if (!chunk_wanted(c, c->chunk)) continue;
    if (c->n == OPEN_CHUNKS) {
      return rut_error_set(err, RUT_ERR_CAPACITY, "'%.250s': more than %d chunks overlap in time",
                           m->path, OPEN_CHUNKS);
    }
    Open* o = &c->open[c->n];
    o->next = 0;
    const rutStatus status = rut_mcap_block(&c->file->mcap, c->chunk, &o->block, err);
    if (status != RUT_OK) return status;
    size_t bytes = 0;
    for (int i = 0; i <= c->n; i++) bytes += c->open[i].block.size;
    if (bytes > OPEN_BYTES) {
      rut_mcap_block_free(&o->block);
      return rut_error_set(err, RUT_ERR_CAPACITY, "'%.250s': more than %d MiB overlap in time",
                           m->path, OPEN_BYTES / (1024 * 1024));
    }
    c->n++;
    advance(c, c->n - 1);
  }
  return RUT_OK;
}

bool rut_log_next(rutLogCursor* c, rutLogMessage* out, rutError* err) {
  if (err) *err = (rutError){.status = RUT_OK};
  // the bytes of the last message were valid until now
  if (c->last >= 0) {
    c->open[c->last].next++;
    advance(c, c->last);
    c->last = -1;
  }
  const rutStatus status = open_chunks(c, err);
  if (status != RUT_OK) return false;
  c->last = earliest(c);
  if (c->last < 0) return false;
  give(&c->open[c->last].block, c->open[c->last].next, out);
  return true;
}
