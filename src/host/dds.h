// SPDX-License-Identifier: BSD-3-Clause
//
// Topics of DDS, whose samples are bytes that the caller has encoded or decodes: all that knows
// Cyclone DDS, which is loaded when the first participant is opened. Of one thread.
#ifndef RUT_HOST_DDS_H
#define RUT_HOST_DDS_H

#include "host/bytes.h"
#include "rut/rut.h"

typedef struct rutDds rutDds;

enum { RUT_DDS_GUID = 16, RUT_DDS_TAKEN = 1 << 20 };

typedef struct rutDdsTopic {
  const char* name;       // as it is on the wire
  const char* type;       // as DDS names it
  const char* user_data;  // of the writer or reader, "key=value;"
  bool reliable;          // else best effort
  bool kept;              // the newest samples reach readers that come later (transient local)
  int depth;              // samples of its history
} rutDdsTopic;

// Join a domain, -1: that of the environment, ROS_DOMAIN_ID or 0. user_data is that of the
// participant. Errors: IO (no Cyclone DDS in this build or on this computer, no network), MEMORY.
rutStatus rut_dds_open(int domain, const char* user_data, rutDds** out, rutError* err);
// Nullable: dds.
void rut_dds_close(rutDds* dds);

// Number of a new writer or reader, *out. Errors: IO, MEMORY.
rutStatus rut_dds_writer(rutDds* dds, const rutDdsTopic* topic, int* out, rutError* err);
rutStatus rut_dds_reader(rutDds* dds, const rutDdsTopic* topic, int* out, rutError* err);

// Write a sample, which begins with the four bytes of its encoding. One that no reader has room for
// is dropped. False if out of memory.
bool rut_dds_write(rutDds* dds, int writer, const void* bytes, size_t size);
// Take the oldest sample, into *bytes from its beginning; those of more than RUT_DDS_TAKEN bytes
// are passed over. False if there is none.
bool rut_dds_take(rutDds* dds, int reader, rutBytes* bytes);
// Wait until a reader has samples, at most so many seconds. False if none has.
bool rut_dds_wait(rutDds* dds, double seconds);

// Readers that a writer reaches now; writers that reach a reader.
int rut_dds_readers(rutDds* dds, int writer);
int rut_dds_writers(rutDds* dds, int reader);
// Readers of the topic that a writer does not reach, because they demand a better service. Returns
// how many there have been so far.
int rut_dds_refused(rutDds* dds, int writer);
// Identities on the wire.
void rut_dds_participant_guid(rutDds* dds, unsigned char guid[RUT_DDS_GUID]);
void rut_dds_writer_guid(rutDds* dds, int writer, unsigned char guid[RUT_DDS_GUID]);
void rut_dds_reader_guid(rutDds* dds, int reader, unsigned char guid[RUT_DDS_GUID]);

#endif  // RUT_HOST_DDS_H
