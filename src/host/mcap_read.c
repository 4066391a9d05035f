// SPDX-License-Identifier: BSD-3-Clause
#include "host/mcap_read.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "base/input.h"
#include "base/report.h"
#include "host/bytes.h"
#include "host/mcap.h"

enum { FOOTER_SIZE = RUT_MCAP_HEAD + 20, BARE_RUN = 1024 * 1024, MESSAGE_HEAD = 22 };
enum { SCHEMAS, CHANNELS, CHUNKS, ATTACHMENTS, ENTRIES, POINTED };

static rutStatus fail(const rutMcap* m, rutStatus status, rutError* err, const char* what) {
  rut_error_set(err, status, "'%.250s': %s", m->path, what);
  if (err) snprintf(err->file, sizeof err->file, "%.250s", m->path);
  return status;
}

static rutStatus no_memory(const rutMcap* m, rutError* err) {
  return fail(m, RUT_ERR_MEMORY, err, "no memory");
}

rutStatus rut_mcap_bytes(const rutMcap* m, uint64_t offset, void* bytes, size_t size,
                         rutError* err) {
  size_t done = 0;
  while (done < size) {
    const ssize_t n = pread(m->file, (char*)bytes + done, size - done, (off_t)(offset + done));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      char reason[128];
      if (strerror_r(errno, reason, sizeof reason) != 0) reason[0] = '\0';
      return fail(m, RUT_ERR_IO, err, reason);
    }
    if (n == 0) return fail(m, RUT_ERR_IO, err, "the file has become shorter");
    done += (size_t)n;
  }
  return RUT_OK;
}

// ---- bytes of one record ----

typedef struct Span {
  const unsigned char* at;
  size_t left;
  bool bad;  // something did not fit
} Span;

static const unsigned char* take(Span* s, size_t size) {
  if (s->bad || s->left < size) {
    s->bad = true;
    return NULL;
  }
  const unsigned char* at = s->at;
  s->at += size;
  s->left -= size;
  return at;
}

static uint16_t take_u16(Span* s) {
  const unsigned char* at = take(s, 2);
  return at ? rut_get_u16(at) : 0;
}
static uint32_t take_u32(Span* s) {
  const unsigned char* at = take(s, 4);
  return at ? rut_get_u32(at) : 0;
}
static uint64_t take_u64(Span* s) {
  const unsigned char* at = take(s, 8);
  return at ? rut_get_u64(at) : 0;
}

// Text with its length in front, owned by the caller; NULL if there is none or no memory. A zero
// inside ends it.
static char* take_text(Span* s) {
  const uint32_t length = take_u32(s);
  const unsigned char* at = take(s, length);
  char* text = at ? malloc((size_t)length + 1) : NULL;
  if (!text) {
    s->bad = true;
    return NULL;
  }
  memcpy(text, at, length);
  text[length] = '\0';
  return text;
}

// What follows as an array or map, with its length in front.
static Span take_span(Span* s) {
  const uint32_t length = take_u32(s);
  const unsigned char* at = take(s, length);
  return (Span){at, at ? length : 0, !at};
}

// Room for one more in a list; NULL if out of memory.
static void* grow(rutMcap* m, int which, void* list, int count, size_t size) {
  if (count < m->capacity[which]) return list;
  const int capacity = 2 * m->capacity[which] + 16;
  void* grown = realloc(list, (size_t)capacity * size);
  if (grown) m->capacity[which] = capacity;
  return grown;
}
#define GROW(m, which, list, count)                                         \
  do {                                                                      \
    void* grown = grow(m, which, (m)->list, (m)->count, sizeof *(m)->list); \
    if (!grown) return false;                                               \
    (m)->list = grown;                                                      \
  } while (0)

// ---- records; each returns false if it is damaged, or there is no memory ----

static bool add_schema(rutMcap* m, Span s) {
  const uint16_t id = take_u16(&s);
  if (s.bad || id == 0) return false;
  if (m->schema_of[id] >= 0) return true;  // a repeated definition, which is allowed
  GROW(m, SCHEMAS, schema, schemas);
  rutMcapSchema* schema = &m->schema[m->schemas];
  *schema = (rutMcapSchema){0};
  schema->name = take_text(&s);
  schema->encoding = take_text(&s);
  schema->text = take_text(&s);
  m->schema_of[id] = m->schemas++;
  return !s.bad;
}

static bool add_channel(rutMcap* m, Span s) {
  const uint16_t id = take_u16(&s), schema = take_u16(&s);
  if (s.bad) return false;
  if (m->channel_of[id] >= 0) return true;
  GROW(m, CHANNELS, channel, channels);
  rutMcapChannel* channel = &m->channel[m->channels];
  *channel = (rutMcapChannel){.id = id, .schema = schema ? m->schema_of[schema] : -1};
  channel->topic = take_text(&s);
  channel->encoding = take_text(&s);
  Span map = take_span(&s);
  while (map.left > 0 && !map.bad) {
    char* key = take_text(&map);
    char* value = take_text(&map);
    if (key && value && strcmp(key, "element") == 0 && !channel->element) {
      channel->element = value;
      value = NULL;
    }
    free(key);
    free(value);
  }
  m->channel_of[id] = m->channels++;
  return !s.bad && !map.bad;
}

static bool add_metadata(rutMcap* m, Span s) {
  char* name = take_text(&s);
  Span map = take_span(&s);
  bool fine = name && !map.bad;
  while (fine && map.left > 0) {
    rutMcapEntry entry = {.key = take_text(&map), .value = take_text(&map)};
    entry.name = malloc(strlen(name) + 1);
    if (entry.name) memcpy(entry.name, name, strlen(name) + 1);
    void* grown = grow(m, ENTRIES, m->entry, m->entries, sizeof *m->entry);
    if (grown) m->entry = grown;
    fine = grown && entry.name && !map.bad;
    if (fine) {
      m->entry[m->entries++] = entry;
    } else {
      free(entry.name);
      free(entry.key);
      free(entry.value);
    }
  }
  free(name);
  return fine;
}

// The head of an attachment, of which only the first bytes are at hand.
static bool add_attachment(rutMcap* m, Span s, uint64_t record, uint64_t length) {
  const unsigned char* begin = s.at;
  take(&s, 16);
  GROW(m, ATTACHMENTS, attachment, attachments);
  rutMcapAttachment* a = &m->attachment[m->attachments];
  *a = (rutMcapAttachment){.record = record};
  a->name = take_text(&s);
  a->media_type = take_text(&s);
  a->size = take_u64(&s);
  a->offset = s.bad ? 0 : record + RUT_MCAP_HEAD + (uint64_t)(s.at - begin);
  const uint64_t head = s.bad ? 0 : (uint64_t)(s.at - begin);
  if (!s.bad && head + 4 <= length && a->size == length - head - 4) {
    m->attachments++;
    return true;
  }
  free(a->name);
  free(a->media_type);
  return false;
}

static bool add_chunk(rutMcap* m, rutMcapChunk chunk) {
  GROW(m, CHUNKS, chunk, chunks);
  m->chunk[m->chunks++] = chunk;
  return true;
}

// Note a record that an index points to.
static bool add_pointed(rutMcap* m, unsigned char op, uint64_t record, uint64_t length) {
  const bool inside = record <= m->size && length <= m->size - record;
  if (!inside || length < RUT_MCAP_HEAD) return false;
  GROW(m, POINTED, pointed, pointeds);
  m->pointed[m->pointeds++] = (rutMcapPointed){record, length, op};
  return true;
}

static bool add_chunk_index(rutMcap* m, Span s) {
  rutMcapChunk chunk = {.start = take_u64(&s), .end = take_u64(&s)};
  chunk.offset = take_u64(&s);
  chunk.length = take_u64(&s);
  Span map = take_span(&s);
  if (s.bad || map.left % 10 != 0) return false;
  if (!add_pointed(m, RUT_MCAP_CHUNK, chunk.offset, chunk.length)) return false;
  if (map.left > 0) {
    chunk.id = malloc(map.left / 10 * sizeof *chunk.id);
    if (!chunk.id) return false;
    while (map.left > 0) {
      chunk.id[chunk.ids++] = take_u16(&map);
      take(&map, 8);
    }
  }
  if (add_chunk(m, chunk)) return true;
  free(chunk.id);
  return false;
}

static bool add_statistics(rutMcap* m, Span s) {
  m->messages = take_u64(&s);
  take(&s, 2);  // schemas
  m->told_channels = take_u32(&s);
  take(&s, 3 * 4);  // attachments, metadata, chunks
  m->first = take_u64(&s);
  m->last = take_u64(&s);
  Span map = take_span(&s);
  while (map.left > 0 && !map.bad) {
    const int channel = m->channel_of[take_u16(&map)];
    const uint64_t n = take_u64(&map);
    if (channel >= 0) m->channel[channel].messages = n;
  }
  return !s.bad && !map.bad;
}

// ---- chunks ----

void rut_mcap_block_free(rutMcapBlock* b) {
  free(b->bytes);
  free(b->message);
  *b = (rutMcapBlock){0};
}

// Unpack a chunk's record, which stands in `packed`, into block->bytes.
static rutStatus unpack(const rutMcap* m, Span s, rutMcapBlock* block, size_t* size,
                        rutError* err) {
  take(&s, 16);
  const uint64_t unpacked = take_u64(&s);
  const uint32_t crc = take_u32(&s);
  char* compression = take_text(&s);
  const uint64_t length = take_u64(&s);
  const unsigned char* packed = s.bad || length > s.left ? NULL : take(&s, (size_t)length);
  rutStatus status = RUT_OK;
  if (!packed || !compression) {
    status = fail(m, RUT_ERR_PARSE, err, "a chunk is damaged");
  } else if (unpacked > RUT_MCAP_MOST) {
    status = fail(m, RUT_ERR_CAPACITY, err, "a chunk is larger than 64 MiB");
  } else if (compression[0] && strcmp(compression, "zstd") != 0) {
    status = fail(m, RUT_ERR_MISSING, err, "chunks are compressed otherwise than with zstd");
  } else {
    block->bytes = malloc((size_t)unpacked + 1);
    if (!block->bytes) status = no_memory(m, err);
  }
  *size = (size_t)unpacked;
  if (status == RUT_OK) {
    bool fine = compression[0] || unpacked == length;
    if (!compression[0] && fine) memcpy(block->bytes, packed, *size);
    if (compression[0]) {
      fine = ZSTD_decompress(block->bytes, *size, packed, (size_t)length) == *size;
    }
    fine = fine && (crc == 0 || crc32(0, block->bytes, (uInt)*size) == crc);
    if (!fine) status = fail(m, RUT_ERR_PARSE, err, "a chunk is damaged");
  }
  free(compression);
  return status;
}

static int by_time(const void* a, const void* b) {
  const rutMcapMessage *x = a, *y = b;
  if (x->time != y->time) return x->time < y->time ? -1 : 1;
  return (x->at > y->at) - (x->at < y->at);
}

// Find the messages and, while the file is being opened, take in schemas and channels that are new.
static rutStatus list_messages(rutMcap* m, rutMcapBlock* b, size_t size, rutError* err) {
  int capacity = 0;
  bool sorted = true;
  for (size_t at = 0; at < size;) {
    if (size - at < RUT_MCAP_HEAD) return fail(m, RUT_ERR_PARSE, err, "a chunk is damaged");
    const unsigned char op = b->bytes[at];
    const uint64_t length = rut_get_u64(b->bytes + at + 1);
    at += RUT_MCAP_HEAD;
    if (length > size - at) return fail(m, RUT_ERR_PARSE, err, "a chunk is damaged");
    Span s = {b->bytes + at, (size_t)length, false};
    bool fine = true;
    // once the file is open, the number of channels must not change
    if (op == RUT_MCAP_SCHEMA && !m->opened) fine = add_schema(m, s);
    if (op == RUT_MCAP_CHANNEL && !m->opened) fine = add_channel(m, s);
    if (op == RUT_MCAP_MESSAGE) {
      rutMcapMessage message = {.at = at + MESSAGE_HEAD, .size = (size_t)length - MESSAGE_HEAD};
      message.channel = m->channel_of[take_u16(&s)];
      message.sequence = take_u32(&s);
      message.time = take_u64(&s);
      take_u64(&s);
      fine = !s.bad;
      if (b->messages == capacity) {
        capacity = 2 * capacity + 256;
        rutMcapMessage* grown = realloc(b->message, (size_t)capacity * sizeof *grown);
        if (!grown) return no_memory(m, err);
        b->message = grown;
      }
      // messages of unknown channels are skipped
      if (fine && message.channel >= 0) {
        sorted = sorted && (b->messages == 0 || b->message[b->messages - 1].time <= message.time);
        b->message[b->messages++] = message;
      }
    }
    if (!fine) return fail(m, RUT_ERR_PARSE, err, "a record is damaged");
    at += (size_t)length;
  }
  if (!sorted) qsort(b->message, (size_t)b->messages, sizeof *b->message, by_time);
  return RUT_OK;
}

rutStatus rut_mcap_block(rutMcap* m, int chunk, rutMcapBlock* block, rutError* err) {
  const rutMcapChunk* c = &m->chunk[chunk];
  *block = (rutMcapBlock){0};
  if (c->length > 2 * (uint64_t)RUT_MCAP_MOST) {
    return fail(m, RUT_ERR_CAPACITY, err, "a chunk is larger than 64 MiB");
  }
  size_t size = (size_t)c->length;
  unsigned char* record = malloc(size + 1);
  if (!record) return no_memory(m, err);
  rutStatus status = rut_mcap_bytes(m, c->offset, record, size, err);
  if (status == RUT_OK && c->bare) {
    block->bytes = record;
    record = NULL;
  } else if (status == RUT_OK) {
    if (record[0] != RUT_MCAP_CHUNK || rut_get_u64(record + 1) != size - RUT_MCAP_HEAD) {
      status = fail(m, RUT_ERR_PARSE, err, "the index points to no chunk");
    } else {
      const Span s = {record + RUT_MCAP_HEAD, size - RUT_MCAP_HEAD, false};
      status = unpack(m, s, block, &size, err);
    }
  }
  free(record);
  block->size = size;
  if (status == RUT_OK) status = list_messages(m, block, size, err);
  if (status != RUT_OK) rut_mcap_block_free(block);
  return status;
}

bool rut_mcap_chunk_has(const rutMcap* m, int chunk, int channel) {
  const rutMcapChunk* c = &m->chunk[chunk];
  if (!c->id) return true;
  for (int i = 0; i < c->ids; i++) {
    if (c->id[i] == m->channel[channel].id) return true;
  }
  return false;
}

// ---- opening ----

// Read a record's content, at most 64 MiB of it. NULL if that cannot be; the caller frees.
static unsigned char* read_record(const rutMcap* m, uint64_t offset, uint64_t length) {
  if (length > RUT_MCAP_MOST) return NULL;
  unsigned char* bytes = malloc((size_t)length + 1);
  if (bytes && rut_mcap_bytes(m, offset, bytes, (size_t)length, NULL) == RUT_OK) return bytes;
  free(bytes);
  return NULL;
}

// Take in a record that stands in the file and is no message. False if it is damaged.
static bool add_record(rutMcap* m, unsigned char op, uint64_t record, uint64_t length) {
  if (op != RUT_MCAP_SCHEMA && op != RUT_MCAP_CHANNEL && op != RUT_MCAP_METADATA &&
      op != RUT_MCAP_ATTACHMENT) {
    return true;
  }
  // of an attachment its head only
  const uint64_t part = op == RUT_MCAP_ATTACHMENT && length > 65536 ? 65536 : length;
  unsigned char* bytes = read_record(m, record + RUT_MCAP_HEAD, part);
  if (!bytes) return false;
  const Span s = {bytes, (size_t)part, false};
  bool fine = true;
  if (op == RUT_MCAP_SCHEMA) fine = add_schema(m, s);
  if (op == RUT_MCAP_CHANNEL) fine = add_channel(m, s);
  if (op == RUT_MCAP_METADATA) fine = add_metadata(m, s);
  if (op == RUT_MCAP_ATTACHMENT) fine = add_attachment(m, s, record, length);
  free(bytes);
  return fine;
}

// Read a record of the summary.
static bool add_summary_record(rutMcap* m, unsigned char op, Span s) {
  switch (op) {
    case RUT_MCAP_SCHEMA:
      return add_schema(m, s);
    case RUT_MCAP_CHANNEL:
      return add_channel(m, s);
    case RUT_MCAP_CHUNK_INDEX:
      return add_chunk_index(m, s);
    case RUT_MCAP_STATISTICS:
      return add_statistics(m, s);
    case RUT_MCAP_ATTACHMENT_INDEX:
    case RUT_MCAP_METADATA_INDEX: {
      const uint64_t record = take_u64(&s), length = take_u64(&s);
      const bool metadata = op == RUT_MCAP_METADATA_INDEX;
      return !s.bad &&
             add_pointed(m, metadata ? RUT_MCAP_METADATA : RUT_MCAP_ATTACHMENT, record, length);
    }
    default:
      return true;
  }
}

static int by_record(const void* a, const void* b) {
  const rutMcapPointed *x = a, *y = b;
  return (x->record > y->record) - (x->record < y->record);
}

// True if a record of that kind and length stands where the index points to.
static bool is_pointed(const rutMcap* m, const rutMcapPointed* p) {
  unsigned char head[RUT_MCAP_HEAD];
  if (rut_mcap_bytes(m, p->record, head, sizeof head, NULL) != RUT_OK) return false;
  return head[0] == p->op && rut_get_u64(head + 1) == p->length - RUT_MCAP_HEAD;
}

// Read the attachments and metadata that the index points to. False if it points to records that
// overlap, by which a small file could stand for any number of bytes. A record that differs from an
// index with the right checksum is damaged, and the rest is read; without a checksum the index is
// wrong itself.
static bool add_pointed_records(rutMcap* m, bool checked) {
  if (m->pointeds > 1) qsort(m->pointed, (size_t)m->pointeds, sizeof *m->pointed, by_record);
  uint64_t end = 0;
  for (int i = 0; i < m->pointeds; i++) {
    const rutMcapPointed* p = &m->pointed[i];
    if (p->record < end) return false;
    end = p->record + p->length;
    const bool fine =
        is_pointed(m, p) &&
        (p->op == RUT_MCAP_CHUNK || add_record(m, p->op, p->record, p->length - RUT_MCAP_HEAD));
    if (!fine && !checked) return false;
    if (!fine) m->whole = false;
  }
  return true;
}

// Open by the index at the end. False if there is none that can be used.
static bool open_by_index(rutMcap* m) {
  unsigned char tail[FOOTER_SIZE + RUT_MCAP_MAGIC_SIZE];
  if (m->size < sizeof tail + RUT_MCAP_MAGIC_SIZE) return false;
  const uint64_t footer = m->size - sizeof tail;
  if (rut_mcap_bytes(m, footer, tail, sizeof tail, NULL) != RUT_OK) return false;
  if (memcmp(tail + FOOTER_SIZE, RUT_MCAP_MAGIC, RUT_MCAP_MAGIC_SIZE) != 0) return false;
  if (tail[0] != RUT_MCAP_FOOTER || rut_get_u64(tail + 1) != 20) return false;
  const uint64_t start = rut_get_u64(tail + 9);
  const uint32_t crc = rut_get_u32(tail + 25);
  m->whole = m->closed = true;
  if (start == 0 || start > footer || footer - start > RUT_MCAP_MOST) return false;
  const size_t size = (size_t)(footer - start);
  unsigned char* bytes = read_record(m, start, size);
  if (!bytes) return false;
  bool fine = true, statistics = false;
  if (crc != 0) {
    const uLong sum = crc32(crc32(0, bytes, (uInt)size), tail, FOOTER_SIZE - 4);
    fine = (uint32_t)sum == crc;
  }
  for (size_t at = 0; fine && at < size;) {
    fine = size - at >= RUT_MCAP_HEAD;
    const uint64_t length = fine ? rut_get_u64(bytes + at + 1) : 0;
    fine = fine && length <= size - at - RUT_MCAP_HEAD;
    if (!fine) break;
    const Span s = {bytes + at + RUT_MCAP_HEAD, (size_t)length, false};
    fine = add_summary_record(m, bytes[at], s);
    statistics = statistics || bytes[at] == RUT_MCAP_STATISTICS;
    at += RUT_MCAP_HEAD + (size_t)length;
  }
  free(bytes);
  // the summary may leave channels out, and messages without chunks are in no index
  return fine && statistics && m->told_channels == (uint64_t)m->channels &&
         (m->chunks > 0 || m->messages == 0) && add_pointed_records(m, crc != 0);
}

// Checksums of the file up to `end`: of all of it, and of what comes from `behind` on.
static bool sum_up(const rutMcap* m, uint64_t end, uint64_t behind, uLong sum[2]) {
  unsigned char part[16 * 1024];
  for (uint64_t at = 0; at < end;) {
    const uint64_t stop = at < behind ? behind : end;
    const size_t n = stop - at < sizeof part ? (size_t)(stop - at) : sizeof part;
    if (rut_mcap_bytes(m, at, part, n, NULL) != RUT_OK) return false;
    sum[0] = crc32(sum[0], part, (uInt)n);
    if (at >= behind) sum[1] = crc32(sum[1], part, (uInt)n);
    at += n;
  }
  return true;
}

// Whether the checksum of the data section, which ends at `end` with a record of its own, is right.
// Some programs begin it with the file, some behind its header.
static bool data_is_right(const rutMcap* m, uint64_t end) {
  unsigned char head[RUT_MCAP_HEAD], last[RUT_MCAP_HEAD + 4];
  if (end < RUT_MCAP_MAGIC_SIZE + sizeof head + sizeof last) return false;
  end -= sizeof last;
  if (rut_mcap_bytes(m, RUT_MCAP_MAGIC_SIZE, head, sizeof head, NULL) != RUT_OK) return false;
  if (rut_mcap_bytes(m, end, last, sizeof last, NULL) != RUT_OK) return false;
  if (last[0] != RUT_MCAP_DATA_END || rut_get_u64(last + 1) != 4) return false;
  const uint32_t told = rut_get_u32(last + RUT_MCAP_HEAD);
  const uint64_t length = rut_get_u64(head + 1), first = RUT_MCAP_MAGIC_SIZE + sizeof head;
  if (told == 0) return true;
  if (length > end - first) return false;
  uLong sum[2] = {0, 0};
  return sum_up(m, end, first + length, sum) &&
         (told == (uint32_t)sum[0] || told == (uint32_t)sum[1]);
}

rutStatus rut_mcap_check(const rutMcap* m, rutError* err) {
  unsigned char tail[FOOTER_SIZE + RUT_MCAP_MAGIC_SIZE] = {0};
  bool fine = m->whole && m->size >= sizeof tail;
  const uint64_t footer = fine ? m->size - sizeof tail : 0;
  fine = fine && rut_mcap_bytes(m, footer, tail, sizeof tail, NULL) == RUT_OK &&
         memcmp(tail + FOOTER_SIZE, RUT_MCAP_MAGIC, RUT_MCAP_MAGIC_SIZE) == 0 &&
         tail[0] == RUT_MCAP_FOOTER && rut_get_u64(tail + 1) == 20;
  const uint64_t start = rut_get_u64(tail + 9), end = start > 0 ? start : footer;
  const uint32_t crc = rut_get_u32(tail + 25);
  fine = fine && end <= footer && footer - end <= RUT_MCAP_MOST;
  if (fine && crc != 0) {
    const size_t size = (size_t)(footer - end);
    unsigned char* bytes = read_record(m, end, size);
    if (!bytes) return rut_error_set(err, RUT_ERR_IO, "'%.250s' cannot be read", m->path);
    fine = (uint32_t)crc32(crc32(0, bytes, (uInt)size), tail, FOOTER_SIZE - 4) == crc;
    free(bytes);
  }
  if (fine && data_is_right(m, end)) return RUT_OK;
  return rut_error_set(err, RUT_ERR_PARSE, "'%.250s' was cut off, or is damaged", m->path);
}

// Scratch of a survey, by index of a channel.
typedef struct Seen {
  int* chunk;    // [RUT_MCAP_IDS] the last one that had a message of it, and 1
  uint16_t* id;  // [RUT_MCAP_IDS] those of one chunk
} Seen;

// Count the messages of a chunk, and find its channels.
static rutStatus survey(rutMcap* m, int chunk, Seen* seen, rutError* err) {
  rutMcapBlock block;
  const rutStatus status = rut_mcap_block(m, chunk, &block, err);
  if (status != RUT_OK) return status;
  rutMcapChunk* c = &m->chunk[chunk];
  c->start = UINT64_MAX;
  for (int i = 0; i < block.messages; i++) {
    const rutMcapMessage* message = &block.message[i];
    m->channel[message->channel].messages++;
    if (message->time < c->start) c->start = message->time;
    if (message->time > c->end) c->end = message->time;
    if (seen->chunk[message->channel] == chunk + 1) continue;
    seen->chunk[message->channel] = chunk + 1;
    seen->id[c->ids++] = m->channel[message->channel].id;
  }
  if (block.messages > 0) {
    if (c->start < m->first) m->first = c->start;
    if (c->end > m->last) m->last = c->end;
  }
  m->messages += (uint64_t)block.messages;
  rut_mcap_block_free(&block);
  c->id = malloc(((size_t)c->ids + 1) * sizeof *c->id);
  if (!c->id) return no_memory(m, err);
  memcpy(c->id, seen->id, (size_t)c->ids * sizeof *c->id);
  return RUT_OK;
}

// Survey all chunks, and forget those that are damaged: what can be read of a file is better than
// nothing.
static rutStatus survey_all(rutMcap* m, rutError* err) {
  Seen seen = {calloc(RUT_MCAP_IDS, sizeof *seen.chunk), malloc(RUT_MCAP_IDS * sizeof *seen.id)};
  rutStatus status = seen.chunk && seen.id ? RUT_OK : no_memory(m, err);
  rutError fault = {.status = RUT_OK};
  int kept = 0;
  for (int i = 0; i < m->chunks; i++) {
    const rutStatus found = status == RUT_OK ? survey(m, i, &seen, &fault) : RUT_OK;
    if (found == RUT_ERR_PARSE) {
      m->whole = false;
      continue;
    }
    if (found != RUT_OK) {
      status = found;
      if (err) *err = fault;
    }
    // after a failure the rest stays in the list, since each owns memory
    m->chunk[kept++] = m->chunk[i];
  }
  m->chunks = kept;
  free(seen.chunk);
  free(seen.id);
  return status;
}

// Note a message outside of chunks; consecutive ones are counted together.
static bool add_bare(rutMcap* m, uint64_t record, uint64_t length) {
  rutMcapChunk* last = m->chunks > 0 ? &m->chunk[m->chunks - 1] : NULL;
  if (last && last->bare && last->offset + last->length == record && last->length < BARE_RUN) {
    last->length += length;
    return true;
  }
  return add_chunk(m, (rutMcapChunk){.offset = record, .length = length, .bare = true});
}

// Scan the file from its beginning up to its end or to the first invalid record.
static rutStatus open_by_scan(rutMcap* m, rutError* err) {
  uint64_t at = RUT_MCAP_MAGIC_SIZE;
  m->first = UINT64_MAX;
  m->whole = false;
  bool end = false;
  while (!end && m->size - at >= RUT_MCAP_HEAD) {
    unsigned char head[RUT_MCAP_HEAD];
    const rutStatus status = rut_mcap_bytes(m, at, head, sizeof head, err);
    if (status != RUT_OK) return status;
    const uint64_t length = rut_get_u64(head + 1);
    if (length > m->size - at - RUT_MCAP_HEAD) break;
    bool fine = true;
    if (head[0] == RUT_MCAP_CHUNK || head[0] == RUT_MCAP_MESSAGE) {
      const rutMcapChunk chunk = {.offset = at, .length = RUT_MCAP_HEAD + length};
      fine = head[0] == RUT_MCAP_CHUNK ? add_chunk(m, chunk) : add_bare(m, at, chunk.length);
      if (!fine) return no_memory(m, err);
    } else {
      fine = add_record(m, head[0], at, length);
    }
    const bool last = head[0] == RUT_MCAP_DATA_END || head[0] == RUT_MCAP_FOOTER;
    // reached by valid lengths: nothing is missing
    if (fine && last) m->whole = m->closed;
    end = !fine || last;
    at += RUT_MCAP_HEAD + length;
  }
  const rutStatus status = survey_all(m, err);
  if (m->messages == 0) m->first = 0;
  return status;
}

static void forget(rutMcap* m) {
  for (int i = 0; i < m->schemas; i++) {
    free(m->schema[i].name);
    free(m->schema[i].encoding);
    free(m->schema[i].text);
  }
  for (int i = 0; i < m->channels; i++) {
    free(m->channel[i].topic);
    free(m->channel[i].encoding);
    free(m->channel[i].element);
  }
  for (int i = 0; i < m->chunks; i++) free(m->chunk[i].id);
  for (int i = 0; i < m->attachments; i++) {
    free(m->attachment[i].name);
    free(m->attachment[i].media_type);
  }
  for (int i = 0; i < m->entries; i++) {
    free(m->entry[i].name);
    free(m->entry[i].key);
    free(m->entry[i].value);
  }
  m->schemas = m->channels = m->chunks = m->attachments = m->entries = m->pointeds = 0;
  m->messages = m->first = m->last = m->told_channels = 0;
  for (int i = 0; m->schema_of && m->channel_of && i < RUT_MCAP_IDS; i++) {
    m->schema_of[i] = m->channel_of[i] = -1;
  }
}

void rut_mcap_free(rutMcap* m) {
  forget(m);
  if (m->file >= 0) close(m->file);
  free(m->path);
  free(m->schema);
  free(m->channel);
  free(m->chunk);
  free(m->attachment);
  free(m->entry);
  free(m->pointed);
  free(m->schema_of);
  free(m->channel_of);
}

static int by_start(const void* a, const void* b) {
  const rutMcapChunk *x = a, *y = b;
  if (x->start != y->start) return x->start < y->start ? -1 : 1;
  return (x->offset > y->offset) - (x->offset < y->offset);
}

static rutStatus open_file(rutMcap* m, rutError* err) {
  const int fault = rut_input_open(&rut_access_any, m->path, &m->file, &m->size);
  if (fault == RUT_INPUT_NO_FILE) return fail(m, RUT_ERR_IO, err, "is no file");
  if (fault) {
    char reason[128];
    if (strerror_r(fault, reason, sizeof reason) != 0) reason[0] = '\0';
    return fail(m, RUT_ERR_IO, err, reason);
  }
  unsigned char magic[RUT_MCAP_MAGIC_SIZE];
  if (m->size < sizeof magic) return fail(m, RUT_ERR_PARSE, err, "is no log (MCAP): too short");
  const rutStatus status = rut_mcap_bytes(m, 0, magic, sizeof magic, err);
  if (status != RUT_OK) return status;
  if (memcmp(magic, RUT_MCAP_MAGIC, 5) != 0) return fail(m, RUT_ERR_PARSE, err, "is no log (MCAP)");
  if (memcmp(magic, RUT_MCAP_MAGIC, sizeof magic) != 0) {
    return fail(m, RUT_ERR_VERSION, err, "is an MCAP file of another version");
  }
  return RUT_OK;
}

rutStatus rut_mcap_open(rutMcap* m, const char* path, rutError* err) {
  *m = (rutMcap){.file = -1};
  m->path = malloc(strlen(path) + 1);
  m->schema_of = malloc(RUT_MCAP_IDS * sizeof *m->schema_of);
  m->channel_of = malloc(RUT_MCAP_IDS * sizeof *m->channel_of);
  if (!m->path || !m->schema_of || !m->channel_of) {
    return rut_error_set(err, RUT_ERR_MEMORY, "no memory for a log");
  }
  memcpy(m->path, path, strlen(path) + 1);
  forget(m);
  rutStatus status = open_file(m, err);
  if (status == RUT_OK && !open_by_index(m)) {
    forget(m);
    status = open_by_scan(m, err);
  }
  if (status == RUT_OK && m->chunks > 1)
    qsort(m->chunk, (size_t)m->chunks, sizeof *m->chunk, by_start);
  m->opened = true;
  return status;
}
