// SPDX-License-Identifier: BSD-3-Clause
//
// Writes one MCAP file, record by record, from one thread. Messages gather in chunks, which are
// compressed with zstd; whatever write fails, the file ends behind a whole record.
#ifndef RUT_HOST_MCAP_WRITE_H
#define RUT_HOST_MCAP_WRITE_H

#include "host/bytes.h"
#include "rut/rut.h"

typedef struct rutMcapWriter rutMcapWriter;

typedef struct rutMcapPair {
  const char *key, *value;
} rutMcapPair;

typedef struct rutMcapChannelDef {
  int schema;  // number of its schema
  const char *topic, *encoding;
  int pairs;  // of metadata
  const rutMcapPair* pair;
} rutMcapChannelDef;

typedef struct rutMcapAttachmentDef {
  const char *name, *media_type;
  int64_t time;  // log time, also of its creation [ns]
  const void* bytes;
  size_t size;
} rutMcapAttachmentDef;

// Begin the file, in place of an older one but never of one that the model's world was read from.
// No other run can write there until it is closed. Errors: IO, MEMORY. Nullable: model.
rutStatus rut_mcap_create(const rutModel* model, const char* path, const char* profile,
                          const char* library, rutMcapWriter** out, rutError* err);
// The same in an empty file, which the writer closes; path is its name in messages. Errors: IO,
// MEMORY; the file is then still the caller's.
rutStatus rut_mcap_begin(int file, const char* path, const char* profile, const char* library,
                         rutMcapWriter** out, rutError* err);
// Takes what would stand in a file. Texts and bytes are borrowed.
typedef struct rutMcapTap {
  void* user;  // Nullable; of both functions
  void (*schema)(void* user, const char* name, const char* text);
  void (*channel)(void* user, const rutMcapChannelDef* def);
  void (*message)(void* user, int channel, int64_t time, const void* bytes, size_t size);
} rutMcapTap;
// Begin without a file: schemas, channels and messages go to a tap at once, attachments and
// metadata nowhere. Errors: MEMORY.
rutStatus rut_mcap_tap(const rutMcapTap* tap, rutMcapWriter** out, rutError* err);
// Schemas count from 1, channels from 0, in the order in which they are added.
rutStatus rut_mcap_schema(rutMcapWriter* writer, const char* name, const char* encoding,
                          const char* text, rutError* err);
rutStatus rut_mcap_channel(rutMcapWriter* writer, const rutMcapChannelDef* def, rutError* err);
// Begin a message in the chunk; its bytes are then put into the buffer that this returns, and
// rut_mcap_message_end ends it. Nothing else may happen between.
rutBytes* rut_mcap_message(rutMcapWriter* writer, int channel, int64_t time);
void rut_mcap_message_end(rutMcapWriter* writer);
// Bytes of messages that are not in the file yet.
size_t rut_mcap_pending(const rutMcapWriter* writer);
// Compress and write them. Errors: IO, MEMORY.
rutStatus rut_mcap_flush(rutMcapWriter* writer, rutError* err);
rutStatus rut_mcap_attachment(rutMcapWriter* writer, const rutMcapAttachmentDef* def,
                              rutError* err);
rutStatus rut_mcap_metadata(rutMcapWriter* writer, const char* name, int pairs,
                            const rutMcapPair* pair, rutError* err);
// Flush, write index and statistics, close, and free, also after a failure. Errors: IO, MEMORY.
rutStatus rut_mcap_close(rutMcapWriter* writer, rutError* err);

#endif  // RUT_HOST_MCAP_WRITE_H
