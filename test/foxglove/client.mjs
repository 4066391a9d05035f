// SPDX-License-Identifier: BSD-3-Clause
//
// A client of Foxglove's own library:
//   node client.mjs URL '{"protocol": "foxglove.sdk.v1", "seconds": 3, ...}'
// It subscribes to everything, decodes it by the schemas that the server sent, and prints as JSON what it
// got: of each topic the messages by their time, each with the digest of its bytes, and the first and the
// last of them decoded. Options, all but the first two may be left out:
//   values   topics of which all messages are printed decoded
//   drive    {topic, encoding, speed, yaw_rate}: publishes a twist, twenty times a second
//   origin   that it says it comes from
import { createHash } from "node:crypto";
import schemas from "@foxglove/schemas/internal.js";
import protocolPackage from "@foxglove/ws-protocol";
import { parse } from "@foxglove/rosmsg";
import { MessageReader, MessageWriter } from "@foxglove/rosmsg2-serialization";
import WebSocket from "ws";

const { FoxgloveClient } = protocolPackage;
const TWIST = `geometry_msgs/Vector3 linear
geometry_msgs/Vector3 angular
================================================================================
MSG: geometry_msgs/Vector3
float64 x
float64 y
float64 z`;

const [url, words] = process.argv.slice(2);
const option = { values: [], ...JSON.parse(words) };
const client = new FoxgloveClient({ ws: new WebSocket(url, [option.protocol], { origin: option.origin }) });
const out = { info: [], topics: {}, times: [], status: [], messages: {} };
const channels = new Map();

// Pictures and clouds are cut, meshes are not.
const plain = (_key, value) => {
  if (typeof value === "bigint") return Number(value);
  if (value instanceof Uint32Array) return Array.from(value);
  return ArrayBuffer.isView(value) ? Array.from(value.slice(0, 400)) : value;
};

// Whether a definition of one of Foxglove's own types is theirs, comments aside.
function isKnown(channel) {
  const known = schemas.foxgloveMessageSchemas[channel.schemaName.split("/").pop()];
  const theirs = parse(schemas.generateRosMsgMergedSchema(known, { rosVersion: 2 }), { ros2: true });
  const fields = ({ definitions }) => definitions.filter((field) => !field.isConstant);
  const constants = ({ definitions }) => definitions.filter((field) => field.isConstant);
  const form = (types) =>
    types
      .filter((type) => !type.name?.startsWith("builtin_interfaces/"))
      .map((type) => JSON.stringify([type.name ?? "", fields(type), constants(type)]))
      .sort()
      .join();
  return form(parse(channel.schema, { ros2: true })) === form(theirs);
}

function finish() {
  for (const [topic, messages] of Object.entries(out.messages)) {
    messages.forEach((message, i) => {
      const told = i === 0 || i === messages.length - 1 || option.values.includes(topic);
      if (!told) delete message.value;
    });
  }
  process.stdout.write(JSON.stringify(out, plain), () => process.exit(0));
}

client.on("error", (error) => {
  console.error(String(error.message ?? error));
  process.exit(1);
});
client.on("close", () => {
  console.error("closed");
  process.exit(1);
});
client.on("serverInfo", (info) => out.info.push(info));
client.on("status", (status) => out.status.push(status));
client.on("time", ({ timestamp }) => out.times.push(Number(timestamp)));
client.on("advertise", (list) => {
  for (const channel of list) {
    const reader =
      channel.schemaEncoding === "ros2msg" ? new MessageReader(parse(channel.schema, { ros2: true })) : undefined;
    out.topics[channel.topic] = { schema: channel.schemaName, encoding: channel.encoding };
    if (channel.schemaName.startsWith("foxglove_msgs/")) out.topics[channel.topic].known = isKnown(channel);
    out.messages[channel.topic] = [];
    channels.set(client.subscribe(channel.id), { topic: channel.topic, reader });
  }
});
client.on("message", ({ subscriptionId, timestamp, data }) => {
  const { topic, reader } = channels.get(subscriptionId);
  const value = reader ? reader.readMessage(data) : JSON.parse(new TextDecoder().decode(data));
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  const digest = createHash("sha1").update(bytes).digest("hex");
  out.messages[topic].push({ time: Number(timestamp), digest, size: bytes.length, value });
});
client.on("open", () => {
  if (option.drive) {
    const { topic, encoding, speed, yaw_rate: rate } = option.drive;
    const id = client.advertise({ topic, encoding, schemaName: "geometry_msgs/msg/Twist" });
    const twist = { linear: { x: speed, y: 0, z: 0 }, angular: { x: 0, y: 0, z: rate } };
    const bytes =
      encoding === "json"
        ? new TextEncoder().encode(JSON.stringify(twist))
        : new MessageWriter(parse(TWIST, { ros2: true })).writeMessage(twist);
    setInterval(() => client.sendMessage(id, bytes), 50);
  }
  setTimeout(finish, 1000 * option.seconds);
});
