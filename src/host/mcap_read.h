// SPDX-License-Identifier: BSD-3-Clause
//
// The layout of an MCAP file, and its chunks one by one. A file with an index at its end is opened
// by that index; any other is scanned as far as it is whole.
#ifndef RUT_HOST_MCAP_READ_H
#define RUT_HOST_MCAP_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rut/rut.h"

enum { RUT_MCAP_IDS = 65536, RUT_MCAP_MOST = 64 * 1024 * 1024 /* bytes of a chunk or record */ };

typedef struct rutMcapSchema {
  char *name, *encoding, *text;  // owned
} rutMcapSchema;

typedef struct rutMcapChannel {
  uint16_t id;
  int schema;                        // index, -1 if none
  char *topic, *encoding, *element;  // owned; element: of the metadata, "" if none
  uint64_t messages;
} rutMcapChannel;

// A chunk, or messages that stand in a file without one.
typedef struct rutMcapChunk {
  uint64_t start, end;      // times of messages [ns]
  uint64_t offset, length;  // of the record, or of all the messages' records
  bool bare;                // no chunk
  uint16_t* id;             // owned: of its channels; NULL if that is not known
  int ids;
} rutMcapChunk;

typedef struct rutMcapAttachment {
  char *name, *media_type;  // owned
  uint64_t offset, size;    // of the bytes; the checksum stands behind them
  uint64_t record;          // where the record begins
} rutMcapAttachment;

typedef struct rutMcapEntry {
  char *name, *key, *value;  // owned
} rutMcapEntry;

// A record that the index at the end points to.
typedef struct rutMcapPointed {
  uint64_t record, length;  // of all of it
  unsigned char op;         // expected type
} rutMcapPointed;

typedef struct rutMcap {
  int file;
  char* path;  // owned
  uint64_t size;
  bool whole;
  bool closed;  // the file was closed properly
  bool opened;  // no more channels are added
  uint64_t messages, first, last;
  uint64_t told_channels;  // number by the statistics record
  rutMcapSchema* schema;
  rutMcapChannel* channel;
  rutMcapChunk* chunk;  // ascending in start
  rutMcapAttachment* attachment;
  rutMcapEntry* entry;  // of the metadata
  rutMcapPointed* pointed;
  int schemas, channels, chunks, attachments, entries, pointeds;
  int capacity[6];
  int *schema_of, *channel_of;  // [RUT_MCAP_IDS] index of an id, -1 if there is none
} rutMcap;

// Errors: IO, PARSE, CAPACITY, MISSING (compressed otherwise), MEMORY. To be closed even then.
rutStatus rut_mcap_open(rutMcap* mcap, const char* path, rutError* err);
// Read all of the file and compare its checksums. Errors: PARSE, IO.
rutStatus rut_mcap_check(const rutMcap* mcap, rutError* err);
void rut_mcap_free(rutMcap* mcap);

// One message of a chunk that was read.
typedef struct rutMcapMessage {
  uint64_t time;
  size_t at, size;  // of its bytes in the chunk
  uint32_t sequence;
  int channel;  // index
} rutMcapMessage;

typedef struct rutMcapBlock {
  unsigned char* bytes;  // owned
  size_t size;
  rutMcapMessage* message;  // owned; ascending in time, else as they came
  int messages;
} rutMcapBlock;

// Read and decompress a chunk. Messages of channels that the file has not defined are left out.
// Errors: as above. Nullable: err.
rutStatus rut_mcap_block(rutMcap* mcap, int chunk, rutMcapBlock* block, rutError* err);
void rut_mcap_block_free(rutMcapBlock* block);
// False if a chunk certainly has no message of a channel.
bool rut_mcap_chunk_has(const rutMcap* mcap, int chunk, int channel);
// Read bytes of the file. Errors: IO.
rutStatus rut_mcap_bytes(const rutMcap* mcap, uint64_t offset, void* bytes, size_t size,
                         rutError* err);

#endif  // RUT_HOST_MCAP_READ_H
