// SPDX-License-Identifier: BSD-3-Clause
//
// Records of MCAP, version 0 (https://mcap.dev/spec): a byte that says which, the length of what
// follows as u64, and that. Numbers are little-endian; texts, maps and arrays begin with their
// length in bytes as u32.
#ifndef RUT_HOST_MCAP_H
#define RUT_HOST_MCAP_H

enum { RUT_MCAP_MAGIC_SIZE = 8, RUT_MCAP_HEAD = 9 };
#define RUT_MCAP_MAGIC "\x89MCAP0\r\n"

typedef enum rutMcapOp {
  RUT_MCAP_HEADER = 1,
  RUT_MCAP_FOOTER,
  RUT_MCAP_SCHEMA,
  RUT_MCAP_CHANNEL,
  RUT_MCAP_MESSAGE,
  RUT_MCAP_CHUNK,
  RUT_MCAP_MESSAGE_INDEX,
  RUT_MCAP_CHUNK_INDEX,
  RUT_MCAP_ATTACHMENT,
  RUT_MCAP_ATTACHMENT_INDEX,
  RUT_MCAP_STATISTICS,
  RUT_MCAP_METADATA,
  RUT_MCAP_METADATA_INDEX,
  RUT_MCAP_SUMMARY_OFFSET,
  RUT_MCAP_DATA_END
} rutMcapOp;

#endif  // RUT_HOST_MCAP_H
