# SPDX-License-Identifier: BSD-3-Clause
"""A client of the Foxglove WebSocket protocol with the standard library only, for tests of rut view."""
import json
import struct
import time

from test_view import PATIENCE, Client, Viewer

SDK, WEBSOCKET = "foxglove.sdk.v1", "foxglove.websocket.v1"


class Foxglove(Client):
    """Messages are (time [ns], bytes) by subscription."""

    def __init__(self, port, protocol=SDK, headers=None, path="/"):
        self.messages, self.times, self.channels = {}, [], {}
        super().__init__(port, path, {"Sec-WebSocket-Protocol": protocol, **(headers or {})})

    def take_binary(self, data):
        if data[0] == 1:
            subscription, stamp = struct.unpack_from("<IQ", data, 1)
            self.messages.setdefault(subscription, []).append((stamp, data[13:]))
        else:
            self.times.append(struct.unpack_from("<Q", data, 1)[0])

    def tell(self, op, **members):
        self.send_raw(1, json.dumps({"op": op, **members}).encode())

    def publish(self, channel, data):
        self.send_raw(2, struct.pack("<BI", 1, channel) + data)

    def op(self, op, want=lambda text: True):
        """The first text of a kind that is wanted; those before it are passed over."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            while self.texts:
                text = self.texts.pop(0)
                if text["op"] == "advertise":
                    self.channels.update((c["topic"], c) for c in text["channels"])
                if text["op"] == op and want(text):
                    return text
            self.read(end - time.monotonic())
        raise RuntimeError(f"no {op} in {PATIENCE} s")

    def advertised(self, topic):
        """The channel of a topic, once it was told."""
        while topic not in self.channels:
            self.op("advertise")
        return self.channels[topic]

    def subscribe(self, *topics):
        """Numbers of the subscriptions, which are those of the channels and a thousand."""
        ids = [self.advertised(topic)["id"] for topic in topics]
        self.tell("subscribe", subscriptions=[{"id": 1000 + i, "channelId": i} for i in ids])
        return [1000 + i for i in ids]

    def message(self, subscription, want=lambda stamp, data: True):
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            waiting = self.messages.get(subscription, [])
            while waiting:
                stamp, data = waiting.pop(0)
                if want(stamp, data):
                    return stamp, data
            self.read(end - time.monotonic())
        raise RuntimeError(f"no message of {subscription} in {PATIENCE} s")


def connect(viewer: Viewer, **options):
    client = Foxglove(viewer.port, **options)
    viewer.clients.append(client)
    return client
