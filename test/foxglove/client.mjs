// SPDX-License-Identifier: BSD-3-Clause
//
// A client of Foxglove's own library:
//   node client.mjs URL SUBPROTOCOL SECONDS [VEHICLE SPEED]
// It subscribes to everything, decodes it by the schemas that the server sent, drives a vehicle if one
// is named, and prints as JSON what it got: of each topic the messages, by their time.
import protocolPackage from "@foxglove/ws-protocol";
import { parse } from "@foxglove/rosmsg";
import { MessageReader } from "@foxglove/rosmsg2-serialization";
import WebSocket from "ws";

const { FoxgloveClient } = protocolPackage;

const [url, protocol, seconds, vehicle, speed] = process.argv.slice(2);
const client = new FoxgloveClient({ ws: new WebSocket(url, [protocol]) });
const out = { info: [], topics: {}, times: 0, status: [], messages: {} };
const channels = new Map();

const plain = (_key, value) =>
  typeof value === "bigint" ? Number(value) : ArrayBuffer.isView(value) ? Array.from(value).slice(0, 64) : value;

client.on("error", (error) => {
  console.error(String(error.message ?? error));
  process.exit(1);
});
client.on("serverInfo", (info) => out.info.push(info));
client.on("status", (status) => out.status.push(status));
client.on("time", () => out.times++);
client.on("advertise", (list) => {
  for (const channel of list) {
    const reader =
      channel.schemaEncoding === "ros2msg" ? new MessageReader(parse(channel.schema, { ros2: true })) : undefined;
    out.topics[channel.topic] = { schema: channel.schemaName, encoding: channel.encoding };
    out.messages[channel.topic] = [];
    channels.set(client.subscribe(channel.id), { topic: channel.topic, reader });
  }
});
client.on("message", ({ subscriptionId, timestamp, data }) => {
  const { topic, reader } = channels.get(subscriptionId);
  const value = reader ? reader.readMessage(data) : JSON.parse(new TextDecoder().decode(data));
  out.messages[topic].push({ time: Number(timestamp), value });
});
client.on("open", () => {
  if (vehicle) {
    const id = client.advertise({ topic: `/${vehicle}/cmd_vel`, encoding: "json", schemaName: "geometry_msgs/Twist" });
    const twist = { linear: { x: Number(speed) }, angular: { z: 0 } };
    setInterval(() => client.sendMessage(id, new TextEncoder().encode(JSON.stringify(twist))), 50);
  }
  setTimeout(() => process.stdout.write(JSON.stringify(out, plain), () => process.exit(0)), 1000 * Number(seconds));
});
