// SPDX-License-Identifier: BSD-3-Clause
//
// Reads a log with the reference implementation of MCAP and prints what it finds as JSON:
//   node read_log.mjs LOG
// Every checksum is verified, every message decoded by the definition that stands in the file.
import { readFile } from "node:fs/promises";
import { McapIndexedReader, McapStreamReader } from "@mcap/core";
import { parse } from "@foxglove/rosmsg";
import { MessageReader } from "@foxglove/rosmsg2-serialization";
import { decompress } from "fzstd";

const bytes = await readFile(process.argv[2]);
const readable = {
  size: async () => BigInt(bytes.length),
  read: async (offset, size) => bytes.subarray(Number(offset), Number(offset + size)),
};
const decompressHandlers = { zstd: (data, size) => decompress(data, new Uint8Array(Number(size))) };

function decoder(schema) {
  const text = new TextDecoder().decode(schema.data);
  return { text, reader: new MessageReader(parse(text, { ros2: true })) };
}

// Numbers of a message by path; arrays only where they are short.
function flatten(value, path, out) {
  if (typeof value === "number" || typeof value === "bigint" || typeof value === "string") {
    out[path] = typeof value === "bigint" ? Number(value) : value;
  } else if (ArrayBuffer.isView(value) || Array.isArray(value)) {
    out[`${path}.length`] = value.length;
    for (let i = 0; i < Math.min(value.length, 8); i++) flatten(value[i], `${path}[${i}]`, out);
  } else {
    for (const [key, inner] of Object.entries(value)) {
      flatten(inner, path ? `${path}.${key}` : key, out);
    }
  }
}

// ---- record by record, as a pipe would be read ----
const stream = new McapStreamReader({ includeChunks: true, validateCrcs: true, decompressHandlers });
stream.append(bytes);
const records = {};
const streamed = {};
for (let record = stream.nextRecord(); record; record = stream.nextRecord()) {
  records[record.type] = (records[record.type] ?? 0) + 1;
  if (record.type === "Message") streamed[record.channelId] = (streamed[record.channelId] ?? 0) + 1;
}

// ---- by the index ----
const reader = await McapIndexedReader.Initialize({ readable, decompressHandlers });
const channels = {};
const decoders = new Map();
for (const channel of reader.channelsById.values()) {
  const schema = reader.schemasById.get(channel.schemaId);
  if (!decoders.has(schema.id)) decoders.set(schema.id, decoder(schema));
  channels[channel.topic] = {
    id: channel.id,
    encoding: channel.messageEncoding,
    schema: schema.name,
    schemaEncoding: schema.encoding,
    definition: decoders.get(schema.id).text,
    metadata: Object.fromEntries(channel.metadata),
    streamed: streamed[channel.id] ?? 0,
    messages: [],
  };
}
let last = -1n;
for await (const message of reader.readMessages({ validateCrcs: true })) {
  if (message.logTime < last) throw new Error("messages are out of order");
  last = message.logTime;
  const channel = reader.channelsById.get(message.channelId);
  const values = {};
  flatten(decoders.get(channel.schemaId).reader.readMessage(message.data), "", values);
  channels[channel.topic].messages.push({ ns: Number(message.logTime), values });
}
const attachments = {};
for await (const attachment of reader.readAttachments({ validateCrcs: true })) {
  attachments[attachment.name] = {
    type: attachment.mediaType,
    text: new TextDecoder().decode(attachment.data),
  };
}
const metadata = {};
for await (const entry of reader.readMetadata()) {
  metadata[entry.name] = Object.fromEntries(entry.metadata);
}
const number = (key, value) => (typeof value === "bigint" ? Number(value) : value);
const finite = (key, value) =>
  typeof value === "number" && !Number.isFinite(value) ? String(value) : number(key, value);
console.log(
  JSON.stringify(
    {
      profile: reader.header.profile,
      library: reader.header.library,
      statistics: {
        messages: reader.statistics.messageCount,
        channels: reader.statistics.channelCount,
        chunks: reader.statistics.chunkCount,
        attachments: reader.statistics.attachmentCount,
      },
      chunkIndexes: reader.chunkIndexes.length,
      records,
      channels,
      attachments,
      metadata,
    },
    finite,
  ),
);
