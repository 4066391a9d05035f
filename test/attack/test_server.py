#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Attacks on rut view and rut replay: worlds and logs from strangers, and clients that mean harm."""
import json
import os
import random
import select
import socket
import struct
import subprocess
import sys
import time
import zlib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cli"))
from test_view import (COMMAND, DEMO, PATIENCE, Refused, Viewer, check, run_tests)  # noqa: E402

CART = '''<vehicle name="cart" max_steer="30 deg">
    <chassis mass="30 kg" outline="-0.4 -0.2, 0.4 -0.2, 0.4 0.2, -0.4 0.2"/>
    <wheel name="l" place="left" position="0 0.28 m" mass="1.5 kg" radius="0.13 m"/>
    <wheel name="r" place="right" position="0 -0.28 m" mass="1.5 kg" radius="0.13 m"/>
    <tyre type="coulomb" friction="2"/><drive type="direct"/>
    <controller type="raw"/>
  </vehicle>'''
SECRET = "token = hunter2\nuser = alice\n"
HTML = "<!doctype html><script>alert(document.domain)</script>\n"
TRIANGLE = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"


def write(path, text):
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(text, bytes):
        path.write_bytes(text)
    else:
        path.write_text(text, encoding="utf-8")
    return path


def world(name, *models):
    visuals = "".join(f'<visual model="{model}"/>' for model in models)
    return write(name, f'<world timestep="5 ms">{visuals}{CART}</world>')


def gltf(**members):
    return json.dumps({"asset": {"version": "2.0"}, **members})


def glb(text):
    text += " " * (-len(text) % 4)
    chunk = struct.pack("<I4s", len(text), b"JSON") + text.encode()
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunk)) + chunk


def png():
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(
            ">I", zlib.crc32(kind + data))
    head = struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"\0\0"))
            + chunk(b"IEND", b""))


# ---- files ----

# What a world may try to have shown, none of which is a mesh.
def bait():
    folder = Path("bait").absolute()
    write(folder / "x.html", HTML)
    write(folder / "x.svg", '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
    write(folder / "secret.txt", SECRET)
    write(folder / "secret.glb", SECRET)
    write(folder / "page.obj", HTML)
    write(folder / "half.obj", TRIANGLE + SECRET)
    write(folder / "config.json", '{"auths": {"registry": {"auth": "aHVudGVyMg=="}}}')
    write(folder / "named.gltf", '{"key": "hunter2", "note": "asset version 2.0"}')
    write(folder / "long.glb", struct.pack("<4sII", b"glTF", 2, 0xffffffff) + SECRET.encode())
    write(folder / "entity.dae", '<?xml version="1.0"?><!DOCTYPE COLLADA [<!ENTITY a SYSTEM '
          '"secret.txt">]><COLLADA>&a;</COLLADA>')
    write(folder / "page.dae", "<html><!-- <COLLADA > -->" + HTML)
    link = folder / "link.obj"
    if not link.is_symlink():
        link.symlink_to("secret.txt")
    # nobody will ever write into it
    if not (folder / "pipe.glb").exists():
        os.mkfifo(folder / "pipe.glb")
    return [str(folder / name) for name in (
        "x.html", "x.svg", "secret.txt", "secret.glb", "page.obj", "half.obj", "config.json",
        "named.gltf", "long.glb", "entity.dae", "page.dae", "link.obj", "pipe.glb")] + [
            "/etc/passwd", "/dev/zero"]


def leaks(data):
    return any(word in data for word in (b"hunter2", b"alert(", b"root:", b"alice"))


def own_meshes(assets):
    """How many meshes of vehicles stand before those of files."""
    return sum(a.startswith("made/") for a in assets)


def test_files_of_a_world():
    """By whatever name, a file that holds no mesh is neither listed nor served."""
    models = bait()
    name = world("bait.xml", *models, str(write("good/box.obj", TRIANGLE).absolute()))
    with Viewer(name, "--paused") as viewer:
        assets = viewer.scene()["assets"]
        made = own_meshes(assets)
        check([Path(a).name for a in assets[made:]] == ["box.obj"], f"assets {assets}")
        for i in range(len(models) + made + 2):
            status, _, body = viewer.get(f"/asset/{i}")
            check(not leaks(body), f"asset {i} tells {body[:40]}")
            check(status == (200 if i <= made else 404), f"asset {i}: {status}")
    check("is not shown" in viewer.errors, f"no word about it: {viewer.errors!r}")


def test_files_of_a_log():
    """The same in a log."""
    log = Path("bait.mcap").absolute()
    name = world("bait_log.xml", *bait(), str(write("good/box.obj", TRIANGLE).absolute()))
    done = subprocess.run([COMMAND, "run", str(name), "--duration", "0.1", "--log", str(log)],
                          capture_output=True, text=True, check=False)
    check(done.returncode == 0 and "is not shown" in done.stderr, f"{done.stderr}")
    data = log.read_bytes()
    check(TRIANGLE.encode() in data, "the mesh of the log")
    check(not leaks(data), "the log holds what is no mesh")


def test_files_beside_a_mesh():
    """Materials, textures and buffers are what they should be, and lie where the mesh lies."""
    folder = Path("beside").absolute()
    write(folder / "outside.mtl", "newmtl hunter2\n")
    write(folder / "outside.bin", struct.pack("<6f", *range(6)) + b"hunter2")
    inside = folder / "world" / "meshes"
    write(inside / "secret.txt", SECRET)
    write(inside / "x.html", HTML)
    write(inside / "good.mtl", "newmtl a\nmap_Kd good.png\nmap_Ks x.html\nmap_d ../good.png\n")
    write(inside / "good.png", png())
    write(inside / "good.bin", struct.pack("<9f", *range(9)))
    write(inside / "long.bin", struct.pack("<9f", *range(9)) + b"hunter2")
    for link, to in (("link.mtl", "../../outside.mtl"), ("link.bin", "../../outside.bin")):
        if not (inside / link).is_symlink():
            (inside / link).symlink_to(to)
    libraries = ("good.mtl", "secret.txt", "x.html", "link.mtl", "../../outside.mtl", "/etc/passwd",
                 str(folder / "outside.mtl"))
    write(inside / "a.obj", "".join(f"mtllib {name}\n" for name in libraries) + TRIANGLE)
    buffers = [{"uri": uri, "byteLength": n} for uri, n in (
        ("good.bin", 36), ("long.bin", 36), ("secret.txt", len(SECRET)), ("x.html", len(HTML)),
        ("link.bin", 31), ("../../outside.bin", 31), ("/etc/passwd", 1000), ("file:///etc/passwd", 9),
        ("http://127.0.0.1/x", 9))]
    images = [{"uri": uri} for uri in ("good.png", "x.html", "secret.txt", "../good.png")]
    write(inside / "a.gltf", gltf(buffers=buffers, images=images))
    write(inside / "a.glb", glb(gltf()))
    name = world(inside.parent / "beside.xml", *(str(inside / mesh) for mesh in ("a.obj", "a.gltf", "a.glb")))
    with Viewer(name, "--paused") as viewer:
        everything = viewer.scene()["assets"]
        made = own_meshes(everything)
        assets = everything[made:]
        names = [str(Path(a).relative_to(inside)) for a in assets]
        check(names == ["a.obj", "good.mtl", "good.png", "a.gltf", "good.bin", "a.glb"], f"{names}")
        answers = [viewer.get(f"/asset/{made + i}") for i in range(len(assets))]
        types = [headers["Content-Type"] for _, headers, _ in answers]
        sizes = [len(body) for _, _, body in answers]
        check(types == ["model/obj", "model/mtl", "image/png", "model/gltf+json",
                        "application/octet-stream", "model/gltf-binary"], f"{types}")
        # changed behind its back
        write(inside / "a.obj", SECRET)
        (inside / "good.bin").unlink()
        (inside / "good.bin").symlink_to("secret.txt")
        for i in (0, 4):
            status, _, body = viewer.get(f"/asset/{made + i}")
            check(not leaks(body) and (status, len(body)) == (200, sizes[i]),
                  f"changed file {assets[i]}: {status} {body[:40]}")


def test_headers():
    """What a browser is told about every answer."""
    mesh = str(write("good/box.obj", TRIANGLE).absolute())
    with Viewer(world("headers.xml", mesh), "--paused") as viewer:
        client, _ = viewer.page()
        client.say("save", slot=1)
        client.text("status", lambda s: s["slots"] == [1])
        status, headers, _ = viewer.get("/")
        policy = headers["Content-Security-Policy"]
        rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
        check(status == 200 and "unsafe" not in policy and "*" not in policy, f"policy {policy}")
        check(rules["default-src"] == "'none'", f"what the page may load: {policy}")
        check(all(s.startswith("'sha256-") for s in rules["script-src"].split()), f"{policy}")
        check(rules["connect-src"].split()[0] == "'self'" and "ws:" not in policy, f"{policy}")
        for path in ("/asset/0", "/scene.json", "/state/1", "/nothing",
                     "/terrain?x0=0&y0=0&x1=1&y1=1&nx=2&ny=2"):
            _, headers, _ = viewer.get(path)
            policy = headers["Content-Security-Policy"]
            check("default-src 'none'" in policy and "sandbox" in policy, f"{path}: {policy}")
            check(headers["X-Content-Type-Options"] == "nosniff", f"{path}: nosniff")
            check("html" not in headers["Content-Type"], f"{path}: {headers['Content-Type']}")
        for path in ("/asset/0", "/state/1"):
            shown = viewer.get(path)[1].get("Content-Disposition", "inline")
            check(shown.startswith("attachment; filename="), f"{path}: {shown}")


def test_pages_around_it():
    """Which pages may show the page within theirs: none, or those that were named; of nothing else any."""
    name = world("framed.xml")
    named = ("http://localhost:*", "https://notebooks.example:8443")
    for options, want in (((), "'none'"), (named, " ".join(named))):
        words = [word for origin in options for word in ("--frame-ancestors", origin)]
        with Viewer(name, "--paused", *words) as viewer:
            for path in ("/", "/scene.json", "/nothing"):
                _, headers, _ = viewer.get(path)
                policy = headers.get_all("Content-Security-Policy")
                check(len(policy) == 1, f"{path}: policies {policy}")
                rules = dict((rule.strip() + " ").split(" ", 1) for rule in policy[0].split(";"))
                own = path == "/" and options
                check(rules["frame-ancestors"].strip() == (want if own else "'none'"), f"{path}: {policy}")
                check(headers.get("X-Frame-Options") == (None if own else "DENY"), f"{path}: X-Frame-Options")
            # what else is asked of a request holds as before
            check(viewer.get("/", {"Host": "evil.example"})[0] == 403, "another host")
            fetch = {"Origin": "http://localhost:8888", "Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "cors"}
            check(viewer.get("/scene.json", fetch)[0] == 403, "a page around it that asks itself")
            try:
                viewer.client(headers={"Origin": "http://localhost:8888"})
                check(False, "a stream to the page around it")
            except Refused:
                pass
    bad = ("*", "http://*", "https://*.example", "http://example:*", "http://localhost:0", "http://localhost:65536", "http://localhost:8888/",
           "http://localhost:88 https://evil.example", "http://a; script-src *", "http://a\r\nSet-Cookie: x", "http://a\n", "'self'", "null", "",
           "data:", "file://", "javascript:0", "http://", "http://-a", "http://a-", "http://u@a", "http://a,http://b", "http://[::1]:8888", "HTTP://a",
           "http://\u00e4", "http://" + "a" * 254)
    for origin in bad:
        done = subprocess.run([COMMAND, "view", str(name), "--port", "0", "--no-open", "--end-with-input", f"--frame-ancestors={origin}"],
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
        check(done.returncode == 2 and "--frame-ancestors" in done.stderr and "listening" not in done.stdout,
              f"{origin!r}: {done.returncode} {done.stderr}")
    many = [f"--frame-ancestors=http://{'a' * 60}{i:03}.example" for i in range(100)]
    done = subprocess.run([COMMAND, "view", str(name), "--port", "0", "--no-open", "--end-with-input", *many], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=60)
    check(done.returncode == 2 and "listening" not in done.stdout, f"many: {done.returncode} {done.stderr}")


# ---- logs of strangers ----


def forge(log, change):
    """A log whose attachments change(name, data) has changed, byte for byte of the same length."""
    data = bytearray(Path(log).read_bytes())
    at = 8
    while at + 9 <= len(data):
        opcode, size = data[at], struct.unpack_from("<Q", data, at + 1)[0]
        content = at + 9
        if opcode == 0x09:
            place = content + 16
            texts = []
            for _ in range(2):
                n = struct.unpack_from("<I", data, place)[0]
                texts.append(bytes(data[place + 4:place + 4 + n]).decode())
                place += 4 + n
            n = struct.unpack_from("<Q", data, place)[0]
            new = change(texts[0], bytes(data[place + 8:place + 8 + n]))
            if new is not None:
                assert len(new) == n, f"{len(new)} bytes for {n}"
                data[place + 8:place + 8 + n] = new
                end = content + size - 4
                struct.pack_into("<I", data, end, zlib.crc32(data[content:end]))
        if opcode == 0x0f:  # end of data, with a sum of all before it, where 0 is none
            struct.pack_into("<I", data, content, 0)
        at = content + size
        if opcode == 0x02:
            break
    forged = Path(log).with_suffix(".forged.mcap")
    forged.write_bytes(data)
    return forged


def test_log_of_a_stranger():
    """A log may hold anything under the names of its meshes."""
    room = "# " + "x" * 200 + "\n"
    meshes = [str(write(f"log/{i}.obj", room + TRIANGLE).absolute()) for i in range(3)]
    name = world("stranger.xml", *meshes)
    log = Path("stranger.mcap").absolute()
    subprocess.run([COMMAND, "run", str(name), "--duration", "0.1", "--quiet", "--log", str(log)],
                   check=True, capture_output=True)
    with Viewer(log, "--paused", verb="replay") as viewer:
        made = own_meshes(viewer.scene()["assets"])
    size = len(room + TRIANGLE)
    inside = {f"asset/{made}": HTML.ljust(size).encode(),
              f"asset/{made + 1}":
                  f"<svg xmlns='http://www.w3.org/2000/svg'>{HTML}</svg>".ljust(size).encode()}
    forged = forge(log, lambda what, _: inside.get(what))
    with Viewer(forged, "--paused", verb="replay") as viewer:
        for i, want in enumerate((404, 404, 200), made):
            status, headers, body = viewer.get(f"/asset/{i}")
            check(status == want and not leaks(body), f"asset {i}: {status} {body[:40]}")
            check("html" not in headers["Content-Type"] and "svg" not in headers["Content-Type"],
                  f"asset {i} as {headers['Content-Type']}")
            check("sandbox" in headers["Content-Security-Policy"], "policy")


def packed(data, size):
    """gzip of some bytes that is so long: a comment in its head fills it (RFC 1952)."""
    deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
    body = deflate.compress(data) + deflate.flush() + struct.pack("<II", zlib.crc32(data), len(data))
    return b"\x1f\x8b\x08\x10" + bytes(6) + b"x" * (size - 11 - len(body)) + b"\0" + body


def test_packed_log_of_a_stranger():
    """The same for meshes that are packed, and for packed ones that say they are huge."""
    random.seed(5)
    room = "".join(f"# {random.getrandbits(512):x}\n" for _ in range(60))
    meshes = [str(write(f"packed/{i}.obj", room + TRIANGLE).absolute()) for i in range(3)]
    log = Path("packed.mcap").absolute()
    subprocess.run([COMMAND, "run", str(world("packed.xml", *meshes)), "--duration", "0.1", "--quiet",
                    "--log", str(log)], check=True, capture_output=True)
    with Viewer(log, "--paused", verb="replay") as viewer:
        made = own_meshes(viewer.scene()["assets"])
        body = viewer.get(f"/asset/{made}")[2]
        check(body == (room + TRIANGLE).encode(), "a packed mesh is what it was")
    seen = []

    def change(name, data):
        seen.append(name)
        if name == f"asset/{made}.gz":
            return packed(HTML.encode(), len(data))
        return data[:-4] + b"\xff" * 4 if name == f"asset/{made + 1}.gz" else None

    with Viewer(forge(log, change), "--paused", verb="replay") as viewer:
        check(f"asset/{made}.gz" in seen, f"attachments {seen}")
        for i, want in enumerate((404, 404, 200), made):
            status, _, body = viewer.get(f"/asset/{i}")
            check(status == want and not leaks(body), f"asset {i}: {status} {body[:40]}")


def test_bombs_in_a_log():
    """Files that unpack to 256 MB of nothing, or say so, count as that much read: after them no more are,
    and a small log does not keep the viewer busy for minutes."""
    random.seed(6)
    room = "".join(f"# {random.getrandbits(512):x}\n" for _ in range(6000))
    meshes = [str(write(f"bomb/{i}.obj", room + TRIANGLE).absolute()) for i in range(3)]
    log = Path("bombs.mcap").absolute()
    subprocess.run([COMMAND, "run", str(world("bombs.xml", *meshes)), "--duration", "0.1", "--quiet",
                    "--log", str(log)], check=True, capture_output=True)
    with Viewer(log, "--paused", verb="replay") as viewer:
        made = own_meshes(viewer.scene()["assets"])
        check(viewer.get(f"/asset/{made + 2}")[0] == 200, "the last mesh is there")

    def change(name, data):
        if name == f"asset/{made}.gz":
            return packed(b" " * 2 ** 28, len(data))
        if name == f"asset/{made + 1}.gz":
            return packed(b" ", len(data))[:-4] + struct.pack("<I", 2 ** 28)
        return None

    with Viewer(forge(log, change), "--paused", verb="replay") as viewer:
        status = [viewer.get(f"/asset/{made + i}")[0] for i in range(3)]
        check(status == [404, 404, 404], f"bombs: {status}")


def test_scene_of_a_stranger():
    """Nor are the numbers of its scene those that rut has written."""
    room = "x" * 3000
    name = write("numbers.xml", f'<world timestep="5 ms" description="{room}">'
                 f'<visual model="{write("good/box.obj", TRIANGLE).absolute()}"/>{CART}</world>')
    log = Path("numbers.mcap").absolute()
    subprocess.run([COMMAND, "run", str(name), "--duration", "0.1", "--quiet", "--log", str(log)],
                   check=True, capture_output=True)
    deep = lambda n: [deep(n - 1)] if n else []  # noqa: E731
    largest = 2 ** 63 - 1
    for changes in ({"visuals": [{"asset": largest}, {"asset": -largest - 1}, {"asset": "x"}, 7]},
                    {"grids": [{"asset": largest}, {"asset": -5}, {"asset": None}, []],
                     "points": {"asset": 0}}, {"assets": 7}, {"assets": [1, None, {}]},
                    {"vehicles": [{"visuals": [{"asset": largest}], "wheels": [
                        {"links": largest, "visuals": [{"asset": largest}]}, 3]}]},
                    {"sensors": [{"rays": largest}, {"rays": -1}]}, {"title": deep(900)},
                    {"__proto__": {"polluted": 1}, "constructor": {}}):

        def change(what, data):
            if what != "scene.json":
                return None
            scene = json.loads(data)
            del scene["description"]
            scene.update(changes)
            text = json.dumps(scene, separators=(",", ":"))
            return text.ljust(len(data)).encode()

        forged = forge(log, change)
        # with itself for comparison, so that numbers of assets are shifted
        process = subprocess.Popen(
            [COMMAND, "replay", str(forged), "--compare", str(forged), "--port", "0", "--no-open",
             "--paused"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        line = process.stdout.readline()
        if line.startswith("listening"):
            process.terminate()
        _, errors = process.communicate(timeout=PATIENCE)
        check(process.returncode in (0, 4), f"{changes}: {process.returncode} {errors[-300:]}")


# ---- bodies that never end ----


def resident(viewer):
    """Memory of the command [MB]."""
    text = Path(f"/proc/{viewer.process.pid}/status").read_text(encoding="ascii")
    return int(text.split("VmRSS:")[1].split()[0]) / 1024


def request(viewer, head, body=b""):
    """A connection on which a request was sent, perhaps not all of it."""
    connection = socket.create_connection(("127.0.0.1", viewer.port), timeout=PATIENCE)
    text = f"{head}\r\nHost: 127.0.0.1:{viewer.port}\r\n"
    connection.sendall(text.encode() + body)
    return connection


def put(viewer, slot, size, body):
    return request(viewer, f"PUT /state/{slot} HTTP/1.1",
                   f"Content-Length: {size}\r\n\r\n".encode() + body)


def push(connection, data):
    """Send what can be sent; a server may have closed."""
    try:
        connection.sendall(data)
        return True
    except OSError:
        return False


def is_closed(connection):
    try:
        while select.select([connection], [], [], 0)[0]:
            if not connection.recv(65536):
                return True
    except OSError:
        return True
    return False


def test_unfinished_states():
    """Twenty states of 40 MB that never end take no memory, and no one's place."""
    size = 40 << 20
    with Viewer(DEMO, "--paused") as viewer:
        client, _ = viewer.page()
        client.say("save", slot=1)
        client.text("status", lambda s: s["slots"] == [1])
        state = viewer.get("/state/1")[2]
        before = resident(viewer)
        block = bytes(1 << 20)
        held = []
        for slot in range(20):
            connection = put(viewer, slot % 10, size, b"")
            for _ in range(size // len(block) - 1):
                if not push(connection, block):
                    break
            held.append(connection)
        check(resident(viewer) - before < 50, f"{resident(viewer) - before:.0f} MB are held")
        check(viewer.get("/state/2", method="PUT", body=state)[0] == 200, "a state in good order")
        # no larger than what was given, digits only
        for announced in (len(state) + 1, 7, 0, -1, "1e9", "+40", "99999999999999999999"):
            with put(viewer, 3, announced, b"x" * 20) as connection:
                answer = connection.recv(100)
                check(not answer or int(answer.split()[1]) in (400, 413), f"{announced}: {answer}")
        check(viewer.get("/state/3")[0] == 404, "a slot that nothing came into")


def test_late_bodies():
    """Requests that drip, and answers that are not read, end in time; silence too."""
    with Viewer(DEMO, "--paused") as viewer:
        client, _ = viewer.page()
        client.say("save", slot=1)
        client.text("status", lambda s: s["slots"] == [1])
        state = viewer.get("/state/1")[2]
        silent = {"nothing": socket.create_connection(("127.0.0.1", viewer.port), timeout=PATIENCE),
                  # which the library takes for the first line of something else
                  "CONNECT": request(viewer, "CONNECT evil.example:80 HTTP/1.1", b"\r\n")}
        dripping = {"a head": request(viewer, "GET / HTTP/1.1"),
                    "a body": put(viewer, 2, len(state), b"x")}
        end = time.monotonic() + 40
        while dripping and time.monotonic() < end:
            client.drain()
            time.sleep(0.25)
            for name, connection in list(dripping.items()):
                if is_closed(connection) or not push(connection, b"X" if name == "a body"
                                                     else b"X: y\r\n"):
                    del dripping[name]
        check(not dripping, f"still there after 40 s: {list(dripping)}")
        for what, connection in silent.items():
            check(is_closed(connection), f"a connection that says {what} is still there after 20 s")
        client.say("hello")
        check(client.frame(), "the page that was there")


def test_many_connections():
    """More connections than there may be: those that say nothing go, pages stay, others come in."""
    with Viewer(DEMO) as viewer:
        client, _ = viewer.page()
        held = [request(viewer, "GET / HTTP/1.1") for _ in range(400)]
        # it accepts and closes in turns
        end = time.monotonic() + 10
        files = 400
        while files >= 350 and time.monotonic() < end:
            files = len(os.listdir(f"/proc/{viewer.process.pid}/fd"))
            time.sleep(0.05)
        check(files < 350, f"{files} files are open")
        check(viewer.get("/scene.json")[0] == 200, "a page among many connections")
        late, frame = viewer.page()
        check(frame, "a stream among many connections")
        client.drain()
        t = client.frame().time
        client.frame(lambda f: f.time > t + 0.2, "the page that was there before")
        check(sum(is_closed(c) for c in held) > 100, "too many connections are kept")


# ---- WebSocket ----


def head(opcode, n, masked=True, final=True, reserved=0):
    first = (0x80 if final else 0) | reserved << 4 | opcode
    bit = 0x80 if masked else 0
    if n < 126:
        return bytes([first, bit | n])
    if n < 65536:
        return bytes([first, bit | 126]) + struct.pack("!H", n)
    return bytes([first, bit | 127]) + struct.pack("!Q", n)


STEP = json.dumps({"type": "step", "n": 5}).encode()
MASK = bytes(4)
# What a client must not send, and the status with which it is closed (RFC 6455, 5 and 7.4.1).
BROKEN = {
    "a frame without a mask": (head(1, len(STEP), masked=False) + STEP, 1002),
    "a mask in the second piece only": (
        head(1, 5, masked=False, final=False) + STEP[:5] + head(0, len(STEP) - 5) + MASK + STEP[5:],
        1002),
    "a ping without a mask": (head(9, 0, masked=False), 1002),
    "reserved bits": (head(1, len(STEP), reserved=4) + MASK + STEP, 1002),
    "an opcode that is none": (head(3, len(STEP)) + MASK + STEP, 1002),
    "a piece of nothing": (head(0, len(STEP)) + MASK + STEP, 1002),
    "a message in a message": (
        head(1, 1, final=False) + MASK + b"{" + head(1, len(STEP)) + MASK + STEP, 1002),
    "a ping in pieces": (head(9, 0, final=False) + MASK, 1002),
    "a ping that is too long": (head(9, 126) + MASK + bytes(126), 1002),
    "a frame without end": (head(1, 2 ** 62) + MASK + b"{", 1009),
}


def closing_code(client):
    """The status that a close says, None if the connection ends without one."""
    data = client.buffer
    client.socket.settimeout(PATIENCE)
    try:
        while True:
            at = 0
            while at + 2 <= len(data):
                n, start = data[at + 1] & 127, at + 2
                if n == 126:
                    n, start = struct.unpack_from("!H", data, start)[0], start + 2
                elif n == 127:
                    n, start = struct.unpack_from("!Q", data, start)[0], start + 8
                if start + n > len(data):
                    break
                if data[at] & 15 == 8:
                    return struct.unpack_from("!H", data, start)[0]
                at = start + n
            more = client.socket.recv(65536)
            if not more:
                return None
            data += more
    except OSError:
        return None


def test_broken_frames():
    with Viewer(DEMO, "--paused") as viewer:
        watch, before = viewer.page()
        for what, (data, code) in BROKEN.items():
            client = viewer.client()
            client.socket.sendall(data)
            # whatever comes behind it means nothing
            push(client.socket, head(1, len(STEP)) + MASK + STEP)
            got = closing_code(client)
            check(got == code, f"{what} ends with {got}")
            client.close()
        watch.say("hello")
        check(watch.frame().steps == before.steps, "one of them was obeyed")
        watch.text("status", lambda s: s["clients"] == 1)
        # and what a client may send
        watch.send_raw(9, b"are you there")
        watch.send_raw(1, b'{"type":', final=False)
        watch.send_raw(9, b"between two pieces")
        watch.send_raw(0, b'"step"}')
        watch.frame(lambda f: f.steps == before.steps + 1, "a message with a ping in it")
        watch.send_raw(8, struct.pack("!H", 1000))
        check(closing_code(watch) == 1000, "the end of a good client")


def test_other_protocols():
    """The one port speaks HTTP/1.1 and WebSocket, not what the library could speak besides."""
    with Viewer(DEMO, "--paused") as viewer:
        for protocol in (None, "http", "rut.input", "rut.2", "rut.1, http"):
            try:
                viewer.client(headers={"Sec-WebSocket-Protocol": protocol})
                check(False, f"a stream of protocol {protocol}")
            except Refused:
                pass
        for path in ("/", "/stream", "/scene.json"):
            with request(viewer, f"GET {path} HTTP/1.1",
                         b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n"
                         b"HTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n") as connection:
                answer = connection.recv(200)
                check(not answer.startswith(b"HTTP/1.1 101"), f"{path}: HTTP/2")
        for line in ("GET http://evil.example/ HTTP/1.1", "OPTIONS * HTTP/1.1", "TRACE / HTTP/1.1", "DELETE /state/1 HTTP/1.1",
                     "GET /asset/../../../../etc/passwd HTTP/1.1", "GET //etc/passwd HTTP/1.1",
                     "GET /%2e%2e/%2e%2e/etc/passwd HTTP/1.1", "GET /asset/0%00.obj HTTP/1.1",
                     "GET /asset/0/../99 HTTP/1.1", "GET \\etc\\passwd HTTP/1.1",
                     "GET /nothing%0d%0aX-Evil:%201 HTTP/1.1"):
            with request(viewer, line, b"\r\n") as connection:
                answer = connection.recv(4096)
                check(not leaks(answer) and b"X-Evil" not in answer, f"{line}: {answer[:60]}")
                check(not answer or int(answer.split()[1]) >= 400, f"{line}: {answer[:60]}")
        viewer.page()


if __name__ == "__main__":
    sys.exit(run_tests(globals()))
