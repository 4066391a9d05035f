#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Attacks on rut view by clients of Foxglove's protocol: broken frames and messages, floods, and clients that
never read. The run goes on, memory is bounded, and what is left out is counted."""
import json
import random
import socket
import struct
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cli"))
sys.path.insert(0, str(Path(__file__).resolve().parent))
from foxglove_client import connect  # noqa: E402
from test_server import BROKEN, closing_code, push, resident  # noqa: E402
from test_view import DEMO, SANITIZE, SOURCE, Refused, Viewer, check, run_tests  # noqa: E402

ROS2 = SOURCE / "worlds" / "ros2.xml"
LIDAR = SOURCE / "worlds" / "lidar.xml"


def subscribe(*pairs):
    return json.dumps({"op": "subscribe", "subscriptions": [{"id": i, "channelId": c} for i, c in pairs]})


WRONG = (
    "", "{", "[]", "1", "null", '"subscribe"', "{}", '{"op":1}', '{"op":"nothing"}', '{"op":"subscribe"}',
    '{"op":"subscribe","subscriptions":{}}', '{"op":"subscribe","subscriptions":[1]}', '{"op":"subscribe","subscriptions":[{}]}',
    '{"op":"subscribe","subscriptions":[{"id":1}]}', '{"op":"subscribe","subscriptions":[{"id":"1","channelId":1}]}',
    '{"op":"subscribe","subscriptions":[{"id":1.5,"channelId":1}]}', '{"op":"subscribe","subscriptions":[{"id":-1,"channelId":1}]}',
    '{"op":"subscribe","subscriptions":[{"id":1,"channelId":4294967296}]}', '{"op":"subscribe","subscriptions":[{"id":1,"channelId":1e300}]}',
    subscribe((1, 100000)), subscribe((1, 4294967295)), subscribe((1, 2147483647)), subscribe(*((i, 1) for i in range(5000))),
    '{"op":"unsubscribe","subscriptionIds":[7]}', '{"op":"unsubscribe","subscriptionIds":7}', '{"op":"unadvertise","channelIds":[7]}',
    '{"op":"advertise","channels":[{"id":1}]}', '{"op":"advertise","channels":[{"id":1,"topic":"x","encoding":"json"}]}',
    '{"op":"advertise","channels":[{"id":1,"topic":"' + "x" * 300 + '","encoding":"json","schemaName":"geometry_msgs/Twist"}]}',
    '{"op":"advertise","channels":[' + ",".join(['{"id":1,"topic":"x","encoding":"y","schemaName":"z"}'] * 65) + "]}",
    '{"op":"advertise","channels":[{"id":1,"topic":"/cmd_vel\\u0000x","encoding":"json","schemaName":"geometry_msgs/Twist"}]}',
    '{"op":"getParameters","parameterNames":[]}', '{"op":"fetchAsset","uri":"file:///etc/passwd","requestId":1}',
    '{"op":"setParameters","parameters":[{"name":"gravity","value":0}]}', '{"type":"reset"}', '{"op":"subscribe","op":"subscribe"}',
    "[" * 30000, '{"op":' * 10000, '"' + "x" * 60000,
)


def test_wrong_messages():
    """Each is answered with what is wrong with it, and changes nothing."""
    with Viewer(ROS2, "--paused") as viewer:
        page, before = viewer.page()
        client = connect(viewer)
        client.advertised("/robot/battery")
        for text in WRONG:
            client.send_raw(1, text.encode())
            told = client.op("status")
            check(told["level"] == 2 and told["message"], f"no word about {text[:60]}")
            check("passwd" not in told["message"] or "fetchAsset" in text, told["message"])
        client.send_raw(1, b"\xff\xfe{")
        client.op("status")
        # binary: too short, other opcodes, channels that nobody has
        for data in (b"", b"\1", b"\1\0\0\0", b"\2" + bytes(20), b"\3" + bytes(20), b"\xff" * 40, b"\1" + b"\xff" * 60, bytes(5)):
            client.send_raw(2, data)
            check(client.op("status")["message"], f"no word about {data[:8]}")
        client.tell("advertise", channels=[
            {"id": 1, "topic": "/robot/cmd_vel", "encoding": "cdr", "schemaName": "geometry_msgs/Twist"},
            {"id": 2, "topic": "/robot/cmd_vel", "encoding": "json", "schemaName": "geometry_msgs/Twist"}])
        good = b"\0\1\0\0" + struct.pack("<6d", 1, 0, 0, 0, 0, 0)
        for channel, data in ((1, b""), (1, good[:-1]), (1, good + b"x"), (1, b"\0\2" + good[2:]), (1, b"\1" + good[1:]),
                              (1, b"\0\1\0\0" + struct.pack("<6d", float("nan"), 0, 0, 0, 0, 0)),
                              (1, b"\0\1\0\0" + struct.pack("<6d", 0, 0, 0, 0, 0, float("-inf"))),
                              (2, b""), (2, b"[1]"), (2, b'{"linear":{"x":"1"}}'), (2, b'{"angular":{"z":null}}'),
                              (2, b'{"linear":{"x":1e999}}'), (2, b"{" * 1000), (2, good)):
            client.publish(channel, data)
            check("Twist" in client.op("status")["message"], f"no word about {data[:20]} on {channel}")
        # too long, at once and in pieces
        for pieces in (1, 8):
            for i in range(pieces):
                client.send_raw(1 if i == 0 else 0, b"x" * 70000, final=i == pieces - 1)
            check("65536" in client.op("status")["message"], f"{pieces} pieces of 70 kB")
        odom, = client.subscribe("/robot/odom")
        client.message(odom)
        page.say("hello")
        after = page.frame()
        check(after.state() == before.state(), "one of them was obeyed")


def test_broken_frames():
    """What RFC 6455 does not allow ends the connection, with the status that it names."""
    with Viewer(ROS2, "--paused") as viewer:
        for what, (data, code) in BROKEN.items():
            client = connect(viewer)
            client.socket.sendall(data)
            got = closing_code(client)
            check(got == code, f"{what} ends with {got}")
            client.close()
        connect(viewer).op("serverInfo")


def test_random_bytes():
    """Messages of noise, and good ones with noise in them."""
    rng = random.Random(1)
    good = [subscribe((1, 1), (2, 0)).encode(), b'{"op":"unsubscribe","subscriptionIds":[1]}',
            b'{"op":"advertise","channels":[{"id":1,"topic":"/cmd_vel","encoding":"json","schemaName":"geometry_msgs/Twist"}]}',
            b"\1\1\0\0\0" + b'{"linear":{"x":1}}', b"\1\1\0\0\0\0\1\0\0" + bytes(48)]
    with Viewer(ROS2) as viewer:
        client = connect(viewer)
        client.op("serverInfo")
        for i in range(200 if SANITIZE else 1000):
            data = bytearray(rng.choice(good))
            for _ in range(rng.randrange(4)):
                data[rng.randrange(len(data))] = rng.randrange(256)
            client.send_raw(rng.choice((1, 2)), rng.randbytes(rng.randrange(200)) if i % 3 == 0 else bytes(data))
            client.read(0)
            client.texts, client.messages = [], {}
        check(connect(viewer).op("serverInfo"), "the server after noise")


def test_many_subscriptions():
    """Ten thousand messages that subscribe and unsubscribe everything: the run keeps its pace."""
    with Viewer(DEMO) as viewer:
        page, first = viewer.page()
        client = connect(viewer)
        client.advertised("/rover/laser")
        ids = [c["id"] for c in client.channels.values()]
        on = subscribe(*((i, i) for i in ids)).encode()
        off = json.dumps({"op": "unsubscribe", "subscriptionIds": ids}).encode()
        before, begin = resident(viewer), time.monotonic()
        for i in range(1000 if SANITIZE else 10000):
            if i < 200:
                client.send_raw(1, on if i % 2 == 0 else off)
            else:
                client.send_raw(1, subscribe((i, i)).encode())  # of channels that are not there
            client.read(0)
            client.texts, client.messages = client.texts[-1:], {}
        client.tell("unsubscribe", subscriptionIds=[])
        last = page.frame(lambda f: f.time > first.time + 0.5)
        factor = (last.time - first.time) / (time.monotonic() - begin)
        check(factor > 0.1, f"factor {factor:.2f} beside them")
        check(resident(viewer) - before < 60, f"{resident(viewer) - before:.0f} MB are held")
        odom, = connect(viewer).subscribe("/rover/odom")
        check(odom, "another client")


def test_slow_clients():
    """Eight that subscribe everything of two lidars and a camera and never read: the run goes on, memory is
    bounded; one that reads late is told how many messages it missed."""
    with Viewer(LIDAR) as viewer:
        page, first = viewer.page()
        slow = []
        for _ in range(8):
            client = connect(viewer)
            client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            client.advertised("/watch/instance/image_raw")
            client.subscribe(*client.channels)
            slow.append(client)
        begin = time.monotonic()
        page.drain()
        start = page.frame().time
        page.frame(lambda f: f.time > start + (0.3 if SANITIZE else 1))
        check(time.monotonic() - begin < 40, "the run stands beside slow clients")
        middle = resident(viewer)
        page.frame(lambda f: f.time > start + (0.6 if SANITIZE else 2.5))
        grown = resident(viewer) - middle
        # what is kept for all of them, and buffers of the connections
        check(grown < 60, f"{grown:.0f} MB more after a while")
        # what waits is left out after a second
        time.sleep(max(0, begin + 3 - time.monotonic()))
        slow[0].socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)
        slow[0].op("status", lambda t: t["level"] == 1 and int(t["message"].split()[0]) > 0)
        late = slow[0].channels["/rover/odom"]["id"] + 1000
        now = page.frame().time * 1e9
        slow[0].message(late, lambda stamp, _: stamp > now)
        for client in slow[1:]:
            client.close()
        page.text("status", lambda s: s["clients"] == 2)


def test_many_clients():
    """As many as there may be, and one more; pages count, too."""
    with Viewer(DEMO) as viewer:
        clients = []
        try:
            for _ in range(200):
                clients.append(connect(viewer))
            check(False, "two hundred clients")
        except Refused as refused:
            check(refused.args[0] in (503, "closed"), f"{refused}")
        check(len(clients) >= 4, f"{len(clients)} clients")
        clients[0].op("serverInfo")
        clients[-1].close()
        time.sleep(0.3)
        connect(viewer).op("serverInfo")


def test_flood_of_twists():
    """One that drives as fast as it can neither stops the run nor keeps another from driving elsewhere."""
    with Viewer(DEMO) as viewer:
        page, first = viewer.page()
        loud = connect(viewer)
        loud.advertised("/rover/odom")
        loud.tell("advertise", channels=[
            {"id": 1, "topic": "/rover/cmd_vel", "encoding": "json", "schemaName": "geometry_msgs/Twist"}])
        frame = b'{"linear":{"x":0.3}}'
        begin = time.monotonic()
        while time.monotonic() < begin + 1:
            for _ in range(200):
                loud.publish(1, frame)
            loud.read(0)
        push(loud.socket, b"\x82")  # half of a frame
        loud.close()
        last = page.frame(lambda f: f.time > first.time + 0.3)
        check(last.time > first.time, "the run beside a flood")


if __name__ == "__main__":
    sys.exit(run_tests({name: test for name, test in globals().items() if name.startswith("test_")}))
