// SPDX-License-Identifier: BSD-3-Clause
#include "host/mcap_write.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "base/report.h"
#include "host/mcap.h"
#include "host/write_file.h"

enum { LEVEL = 1, MAX_CHANNELS = 65536 };

// A message of the chunk that is being filled.
typedef struct Place {
  uint64_t time, offset;
  uint16_t channel;
} Place;

struct rutMcapWriter {
  char* path;  // owned, for messages
  int file;
  uint64_t written;  // bytes in the file
  uint32_t crc;      // of all of them
  bool broken;       // a write has failed: nothing more is written
  ZSTD_CCtx* zstd;

  int schemas, channels, chunks, attachments, metadata;
  uint64_t messages, first, last;
  uint64_t* count;     // [MAX_CHANNELS] messages of each channel
  uint32_t* sequence;  // [MAX_CHANNELS]
  // copies of records for the end of the file
  rutBytes schema_records, channel_records, chunk_index, attachment_index, metadata_index;

  rutBytes chunk;  // records of the chunk
  size_t message;  // where the message begins that is being written
  Place* place;    // of its messages
  size_t places, room;
  uint32_t* in_chunk;  // [MAX_CHANNELS] messages of each channel in it
  uint64_t* next;      // [MAX_CHANNELS] scratch
  rutBytes out;        // record to be written next
  rutMcapTap tap;      // message NULL: there is a file
  Place tapped;        // message that is being made for it
};

// ---- into the file ----

static rutStatus no_memory(rutError* err) {
  return rut_error_set(err, RUT_ERR_MEMORY, "no memory for a log");
}

static uint32_t crc_of(uint32_t crc, const void* bytes, size_t size) {
  const unsigned char* at = bytes;
  while (size > 0) {
    const uInt part = size > 1u << 30 ? 1u << 30 : (uInt)size;
    crc = (uint32_t)crc32(crc, at, part);
    at += part;
    size -= part;
  }
  return crc;
}

// Write the contents of w->out.
static rutStatus write_out(rutMcapWriter* w, rutError* err) {
  if (w->out.failed) return no_memory(err);
  if (w->tap.message) return RUT_OK;
  if (w->broken)
    return rut_error_set(err, RUT_ERR_IO, "an earlier write to '%.250s' failed", w->path);
  size_t done = 0;
  while (done < w->out.used) {
    const ssize_t n = write(w->file, w->out.data + done, w->out.used - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) {
      const int code = n < 0 ? errno : ENOSPC;
      w->broken = true;
      // readers shall find whole records; this fails for what is not a file, such as /dev/full
      const int cut = ftruncate(w->file, (off_t)w->written);
      (void)cut;
      return rut_output_error(code, w->path, err);
    }
    done += (size_t)n;
  }
  w->crc = crc_of(w->crc, w->out.data, w->out.used);
  w->written += w->out.used;
  return RUT_OK;
}

// Begin a record, and end it by filling in its length. Returns where it begins.
static size_t begin(rutBytes* b, rutMcapOp op) {
  const size_t start = b->used;
  rut_bytes_u8(b, (uint8_t)op);
  rut_bytes_u64(b, 0);
  return start;
}
static void end(rutBytes* b, size_t start) {
  rut_bytes_u64_at(b, start + 1, b->used - start - RUT_MCAP_HEAD);
}

static void put_pairs(rutBytes* b, int pairs, const rutMcapPair* pair) {
  const size_t start = b->used;
  rut_bytes_u32(b, 0);
  for (int i = 0; i < pairs; i++) {
    rut_bytes_text(b, pair[i].key);
    rut_bytes_text(b, pair[i].value);
  }
  rut_bytes_u32_at(b, start, (uint32_t)(b->used - start - 4));
}

// ---- beginning ----

static void destroy(rutMcapWriter* w) {
  if (w->file >= 0) close(w->file);
  ZSTD_freeCCtx(w->zstd);
  rutBytes* const all[] = {
      &w->schema_records, &w->channel_records, &w->chunk_index, &w->attachment_index,
      &w->metadata_index, &w->chunk,           &w->out};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) rut_bytes_free(all[i]);
  free(w->path);
  free(w->count);
  free(w->sequence);
  free(w->in_chunk);
  free(w->next);
  free(w->place);
  free(w);
}

static bool allocate(rutMcapWriter* w, const char* path) {
  const size_t length = strlen(path) + 1;
  w->path = malloc(length);
  w->zstd = ZSTD_createCCtx();
  w->count = calloc(MAX_CHANNELS, sizeof *w->count);
  w->sequence = calloc(MAX_CHANNELS, sizeof *w->sequence);
  w->in_chunk = calloc(MAX_CHANNELS, sizeof *w->in_chunk);
  w->next = calloc(MAX_CHANNELS, sizeof *w->next);
  if (!w->path || !w->zstd || !w->count || !w->sequence || !w->in_chunk || !w->next) return false;
  memcpy(w->path, path, length);
  ZSTD_CCtx_setParameter(w->zstd, ZSTD_c_compressionLevel, LEVEL);
  return true;
}

rutStatus rut_mcap_begin(int file, const char* path, const char* profile, const char* library,
                         rutMcapWriter** out, rutError* err) {
  *out = NULL;
  rutMcapWriter* w = calloc(1, sizeof *w);
  if (!w) return no_memory(err);
  w->file = file;
  w->first = UINT64_MAX;
  rutStatus status = allocate(w, path) ? RUT_OK : no_memory(err);
  rut_bytes_put(&w->out, RUT_MCAP_MAGIC, RUT_MCAP_MAGIC_SIZE);
  const size_t start = begin(&w->out, RUT_MCAP_HEADER);
  rut_bytes_text(&w->out, profile);
  rut_bytes_text(&w->out, library);
  end(&w->out, start);
  if (status == RUT_OK) status = write_out(w, err);
  if (status == RUT_OK) {
    *out = w;
  } else {
    w->file = -1;
    destroy(w);
  }
  return status;
}

rutStatus rut_mcap_create(const rutModel* model, const char* path, const char* profile,
                          const char* library, rutMcapWriter** out, rutError* err) {
  *out = NULL;
  rutOutput output;
  rutStatus status = rut_output_open(model, path, &output, err);
  if (status != RUT_OK) return status;
  status = rut_mcap_begin(output.file, path, profile, library, out, err);
  // it can be read while it grows, so it gets its name now
  const int fault = status == RUT_OK ? rut_output_place(&output) : 0;
  if (fault) {
    status = rut_output_error(fault, path, err);
    (*out)->file = -1;
    destroy(*out);
    *out = NULL;
  }
  if (status == RUT_OK) {
    rut_output_release(&output);
  } else {
    rut_output_cancel(&output);
  }
  return status;
}

rutStatus rut_mcap_tap(const rutMcapTap* tap, rutMcapWriter** out, rutError* err) {
  rutMcapWriter* w = calloc(1, sizeof *w);
  *out = w;
  if (!w) return no_memory(err);
  w->file = -1;
  w->tap = *tap;
  if (allocate(w, "")) return RUT_OK;
  destroy(w);
  *out = NULL;
  return no_memory(err);
}

// ---- records ----

// Write the record at `start` of a list that is repeated at the end of the file.
static rutStatus write_copy(rutMcapWriter* w, const rutBytes* list, size_t start, rutError* err) {
  if (list->failed) return no_memory(err);
  w->out.used = 0;
  rut_bytes_put(&w->out, list->data + start, list->used - start);
  return write_out(w, err);
}

rutStatus rut_mcap_schema(rutMcapWriter* w, const char* name, const char* encoding,
                          const char* text, rutError* err) {
  if (w->schemas + 1 >= MAX_CHANNELS) {
    return rut_error_set(err, RUT_ERR_CAPACITY, "more than %d schemas", MAX_CHANNELS - 1);
  }
  rutBytes* b = &w->schema_records;
  const size_t start = begin(b, RUT_MCAP_SCHEMA);
  rut_bytes_u16(b, (uint16_t)++w->schemas);
  rut_bytes_text(b, name);
  rut_bytes_text(b, encoding);
  rut_bytes_text(b, text);
  end(b, start);
  if (w->tap.message) w->tap.schema(w->tap.user, name, text);
  return write_copy(w, b, start, err);
}

rutStatus rut_mcap_channel(rutMcapWriter* w, const rutMcapChannelDef* def, rutError* err) {
  if (w->channels >= MAX_CHANNELS) {
    return rut_error_set(err, RUT_ERR_CAPACITY, "more than %d channels", MAX_CHANNELS);
  }
  rutBytes* b = &w->channel_records;
  const size_t start = begin(b, RUT_MCAP_CHANNEL);
  rut_bytes_u16(b, (uint16_t)w->channels++);
  rut_bytes_u16(b, (uint16_t)def->schema);
  rut_bytes_text(b, def->topic);
  rut_bytes_text(b, def->encoding);
  put_pairs(b, def->pairs, def->pair);
  end(b, start);
  if (w->tap.message) w->tap.channel(w->tap.user, def);
  return write_copy(w, b, start, err);
}

rutStatus rut_mcap_attachment(rutMcapWriter* w, const rutMcapAttachmentDef* def, rutError* err) {
  rutBytes* b = &w->out;
  b->used = 0;
  const uint64_t offset = w->written;
  const size_t start = begin(b, RUT_MCAP_ATTACHMENT);
  rut_bytes_u64(b, (uint64_t)def->time);
  rut_bytes_u64(b, (uint64_t)def->time);
  rut_bytes_text(b, def->name);
  rut_bytes_text(b, def->media_type);
  rut_bytes_u64(b, def->size);
  rut_bytes_put(b, def->bytes, def->size);
  if (b->failed) return no_memory(err);
  rut_bytes_u32(b, crc_of(0, b->data + start + RUT_MCAP_HEAD, b->used - start - RUT_MCAP_HEAD));
  end(b, start);
  const rutStatus status = write_out(w, err);
  if (status != RUT_OK) return status;

  b = &w->attachment_index;
  const size_t index = begin(b, RUT_MCAP_ATTACHMENT_INDEX);
  rut_bytes_u64(b, offset);
  rut_bytes_u64(b, w->written - offset);
  rut_bytes_u64(b, (uint64_t)def->time);
  rut_bytes_u64(b, (uint64_t)def->time);
  rut_bytes_u64(b, def->size);
  rut_bytes_text(b, def->name);
  rut_bytes_text(b, def->media_type);
  end(b, index);
  w->attachments++;
  return RUT_OK;
}

rutStatus rut_mcap_metadata(rutMcapWriter* w, const char* name, int pairs, const rutMcapPair* pair,
                            rutError* err) {
  rutBytes* b = &w->out;
  b->used = 0;
  const uint64_t offset = w->written;
  const size_t start = begin(b, RUT_MCAP_METADATA);
  rut_bytes_text(b, name);
  put_pairs(b, pairs, pair);
  end(b, start);
  const rutStatus status = write_out(w, err);
  if (status != RUT_OK) return status;

  b = &w->metadata_index;
  const size_t index = begin(b, RUT_MCAP_METADATA_INDEX);
  rut_bytes_u64(b, offset);
  rut_bytes_u64(b, w->written - offset);
  rut_bytes_text(b, name);
  end(b, index);
  w->metadata++;
  return RUT_OK;
}

// ---- messages ----

rutBytes* rut_mcap_message(rutMcapWriter* w, int channel, int64_t time) {
  rutBytes* b = &w->chunk;
  if (w->tap.message) {
    b->used = 0;
    b->failed = false;
    w->tapped = (Place){(uint64_t)time, 0, (uint16_t)channel};
    return b;
  }
  if (w->places == w->room) {
    const size_t room = 2 * w->room + 1024;
    Place* grown = realloc(w->place, room * sizeof *grown);
    if (grown) {
      w->place = grown;
      w->room = room;
    } else {
      b->failed = true;
    }
  }
  if (w->places < w->room) {
    w->place[w->places++] = (Place){(uint64_t)time, b->used, (uint16_t)channel};
  }
  w->message = begin(b, RUT_MCAP_MESSAGE);
  rut_bytes_u16(b, (uint16_t)channel);
  rut_bytes_u32(b, w->sequence[channel]++);
  rut_bytes_u64(b, (uint64_t)time);
  rut_bytes_u64(b, (uint64_t)time);
  return b;
}

void rut_mcap_message_end(rutMcapWriter* w) {
  rutBytes* b = &w->chunk;
  if (!w->tap.message) {
    end(b, w->message);
    return;
  }
  // what there is no memory for is left out
  if (!b->failed) {
    w->tap.message(w->tap.user, w->tapped.channel, (int64_t)w->tapped.time, b->data, b->used);
  }
  b->used = 0;
}

size_t rut_mcap_pending(const rutMcapWriter* w) { return w->chunk.used; }

// Index records of the chunk's messages behind it, channel by channel, and where they stand. Each
// channel's messages stay in the order in which they came.
static void put_message_indices(rutMcapWriter* w, uint64_t offset, rutBytes* map) {
  for (size_t i = 0; i < w->places; i++) w->in_chunk[w->place[i].channel]++;
  for (int c = 0; c < w->channels; c++) {
    if (w->in_chunk[c] == 0) continue;
    rut_bytes_u16(map, (uint16_t)c);
    rut_bytes_u64(map, offset + w->out.used);
    const size_t start = begin(&w->out, RUT_MCAP_MESSAGE_INDEX);
    rut_bytes_u16(&w->out, (uint16_t)c);
    rut_bytes_u32(&w->out, 16 * w->in_chunk[c]);
    w->next[c] = w->out.used;
    rut_bytes_extend(&w->out, 16 * (size_t)w->in_chunk[c]);
    end(&w->out, start);
  }
  for (size_t i = 0; i < w->places; i++) {
    const Place* p = &w->place[i];
    rut_bytes_u64_at(&w->out, w->next[p->channel], p->time);
    rut_bytes_u64_at(&w->out, w->next[p->channel] + 8, p->offset);
    w->next[p->channel] += 16;
    w->count[p->channel]++;
  }
  for (size_t i = 0; i < w->places; i++) w->in_chunk[w->place[i].channel] = 0;
}

static void put_compressed(rutMcapWriter* w, size_t* size) {
  const size_t most = ZSTD_compressBound(w->chunk.used);
  const size_t at = w->out.used + 8;
  rut_bytes_u64(&w->out, 0);
  unsigned char* place = rut_bytes_extend(&w->out, most);
  if (!place) return;
  *size = ZSTD_compress2(w->zstd, place, most, w->chunk.data, w->chunk.used);
  if (ZSTD_isError(*size)) {
    w->out.failed = true;
    return;
  }
  w->out.used = at + *size;
  rut_bytes_u64_at(&w->out, at - 8, *size);
}

rutStatus rut_mcap_flush(rutMcapWriter* w, rutError* err) {
  if (w->places == 0) return RUT_OK;
  if (w->chunk.failed) return no_memory(err);
  uint64_t first = UINT64_MAX, last = 0;
  for (size_t i = 0; i < w->places; i++) {
    if (w->place[i].time < first) first = w->place[i].time;
    if (w->place[i].time > last) last = w->place[i].time;
  }
  const uint64_t offset = w->written;
  size_t compressed = 0;
  rutBytes* b = &w->out;
  b->used = 0;
  const size_t start = begin(b, RUT_MCAP_CHUNK);
  rut_bytes_u64(b, first);
  rut_bytes_u64(b, last);
  rut_bytes_u64(b, w->chunk.used);
  rut_bytes_u32(b, crc_of(0, w->chunk.data, w->chunk.used));
  rut_bytes_text(b, "zstd");
  put_compressed(w, &compressed);
  end(b, start);
  const uint64_t length = b->used;

  rutBytes* index = &w->chunk_index;
  const size_t index_start = begin(index, RUT_MCAP_CHUNK_INDEX);
  rut_bytes_u64(index, first);
  rut_bytes_u64(index, last);
  rut_bytes_u64(index, offset);
  rut_bytes_u64(index, length);
  const size_t map = index->used;
  rut_bytes_u32(index, 0);
  put_message_indices(w, offset, index);
  rut_bytes_u32_at(index, map, (uint32_t)(index->used - map - 4));
  rut_bytes_u64(index, w->out.used - length);
  rut_bytes_text(index, "zstd");
  rut_bytes_u64(index, compressed);
  rut_bytes_u64(index, w->chunk.used);
  end(index, index_start);

  const size_t messages = w->places;
  w->chunk.used = w->places = 0;
  const rutStatus status = write_out(w, err);
  if (status != RUT_OK) {
    index->used = index_start;
    return status;
  }
  w->chunks++;
  w->messages += messages;
  if (first < w->first) w->first = first;
  if (last > w->last) w->last = last;
  return RUT_OK;
}

// ---- end ----

static void put_statistics(const rutMcapWriter* w, rutBytes* b) {
  const size_t start = begin(b, RUT_MCAP_STATISTICS);
  rut_bytes_u64(b, w->messages);
  rut_bytes_u16(b, (uint16_t)w->schemas);
  rut_bytes_u32(b, (uint32_t)w->channels);
  rut_bytes_u32(b, (uint32_t)w->attachments);
  rut_bytes_u32(b, (uint32_t)w->metadata);
  rut_bytes_u32(b, (uint32_t)w->chunks);
  rut_bytes_u64(b, w->messages ? w->first : 0);
  rut_bytes_u64(b, w->last);
  const size_t map = b->used;
  rut_bytes_u32(b, 0);
  for (int c = 0; c < w->channels; c++) {
    if (w->count[c] == 0) continue;
    rut_bytes_u16(b, (uint16_t)c);
    rut_bytes_u64(b, w->count[c]);
  }
  rut_bytes_u32_at(b, map, (uint32_t)(b->used - map - 4));
  end(b, start);
}

typedef struct Group {
  rutMcapOp op;
  uint64_t start, length;
} Group;

// Schemas, channels, statistics and indices, then their offsets, then the footer.
static rutStatus write_summary(rutMcapWriter* w, rutError* err) {
  rutBytes statistics = {0}, *b = &w->out;
  put_statistics(w, &statistics);
  const struct {
    rutMcapOp op;
    const rutBytes* records;
  } part[] = {{RUT_MCAP_SCHEMA, &w->schema_records},
              {RUT_MCAP_CHANNEL, &w->channel_records},
              {RUT_MCAP_STATISTICS, &statistics},
              {RUT_MCAP_CHUNK_INDEX, &w->chunk_index},
              {RUT_MCAP_ATTACHMENT_INDEX, &w->attachment_index},
              {RUT_MCAP_METADATA_INDEX, &w->metadata_index}};
  enum { PARTS = sizeof part / sizeof part[0] };
  Group group[PARTS];
  const uint64_t at = w->written;
  b->used = 0;
  for (int i = 0; i < PARTS; i++) {
    group[i] = (Group){part[i].op, at + b->used, part[i].records->used};
    rut_bytes_put(b, part[i].records->data, part[i].records->used);
    b->failed = b->failed || part[i].records->failed;
  }
  const uint64_t offsets = at + b->used;
  for (int i = 0; i < PARTS; i++) {
    if (group[i].length == 0) continue;
    const size_t start = begin(b, RUT_MCAP_SUMMARY_OFFSET);
    rut_bytes_u8(b, (uint8_t)group[i].op);
    rut_bytes_u64(b, group[i].start);
    rut_bytes_u64(b, group[i].length);
    end(b, start);
  }
  const size_t footer = begin(b, RUT_MCAP_FOOTER);
  rut_bytes_u64(b, at);
  rut_bytes_u64(b, offsets);
  rut_bytes_u32(b, 0);
  end(b, footer);
  // the checksum covers the footer up to itself
  if (!b->failed) rut_bytes_u32_at(b, b->used - 4, crc_of(0, b->data, b->used - 4));
  rut_bytes_put(b, RUT_MCAP_MAGIC, RUT_MCAP_MAGIC_SIZE);
  rut_bytes_free(&statistics);
  return write_out(w, err);
}

rutStatus rut_mcap_close(rutMcapWriter* w, rutError* err) {
  if (w->tap.message) {
    destroy(w);
    return RUT_OK;
  }
  rutStatus status = rut_mcap_flush(w, err);
  if (status == RUT_OK && !w->broken) {
    w->out.used = 0;
    const size_t start = begin(&w->out, RUT_MCAP_DATA_END);
    rut_bytes_u32(&w->out, w->crc);
    end(&w->out, start);
    status = write_out(w, err);
  }
  if (status == RUT_OK && !w->broken) status = write_summary(w, err);
  const int file = w->file;
  w->file = -1;
  if (close(file) != 0 && status == RUT_OK) status = rut_output_error(errno, w->path, err);
  destroy(w);
  return status;
}
