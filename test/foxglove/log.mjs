// SPDX-License-Identifier: BSD-3-Clause
//
// The messages of a log by topic, with their times and the digests of their bytes, as client.mjs prints those
// that it was sent:
//   node log.mjs LOG
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { parse } from "@foxglove/rosmsg";
import { MessageReader } from "@foxglove/rosmsg2-serialization";
import { McapIndexedReader } from "@mcap/core";
import { decompress } from "fzstd";

const bytes = await readFile(process.argv[2]);
const readable = {
  size: async () => BigInt(bytes.length),
  read: async (offset, size) => bytes.subarray(Number(offset), Number(offset + size)),
};
const decompressHandlers = { zstd: (data, size) => decompress(data, new Uint8Array(Number(size))) };
const reader = await McapIndexedReader.Initialize({ readable, decompressHandlers });
// Pictures and clouds are cut, meshes are not.
const plain = (_key, value) => {
  if (typeof value === "bigint") return Number(value);
  if (value instanceof Uint32Array) return Array.from(value);
  return ArrayBuffer.isView(value) ? Array.from(value.slice(0, 400)) : value;
};
const out = { topics: {}, messages: {} };
const decoders = new Map();
for (const channel of reader.channelsById.values()) {
  const schema = reader.schemasById.get(channel.schemaId);
  const definition = new TextDecoder().decode(schema.data);
  out.topics[channel.topic] = { schema: schema.name, encoding: channel.messageEncoding };
  out.messages[channel.topic] = [];
  decoders.set(channel.id, new MessageReader(parse(definition, { ros2: true })));
}
for await (const message of reader.readMessages()) {
  const { topic } = reader.channelsById.get(message.channelId);
  out.messages[topic].push({
    time: Number(message.logTime),
    digest: createHash("sha1").update(message.data).digest("hex"),
    size: message.data.length,
    value: topic === "/scene" ? decoders.get(message.channelId).readMessage(message.data) : undefined,
  });
}
process.stdout.write(JSON.stringify(out, plain));
