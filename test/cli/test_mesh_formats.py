#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Meshes of all formats with their materials as <visual> of a vehicle and of a block: cameras see their colours and places. Broken
meshes, images and tables of colours are refused, or replaced with a warning, each with its place."""
import json
import os
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

from harness import COMMAND
from png_reader import read_png

# A board at x = 0, 2 m wide and high, whose left half (y > 0) has another material than its right one.
COLORS = [(0.8, 0.1, 0.05), (0.05, 0.2, 0.7)]
POINTS = [(0, 1, 0), (0, 0, 0), (0, 0, 2), (0, 1, 2), (0, -1, 0), (0, -1, 2)]
HALVES = [((0, 1, 2), (0, 2, 3)), ((1, 4, 5), (1, 5, 2))]
SIDE = 64


def srgb(linear):
    """As an image shows it. glTF has linear colours, OBJ and Collada those of the screen."""
    return round(255 * (12.92 * linear if linear <= 0.0031308 else 1.055 * linear ** (1 / 2.4) - 0.055))


def write_obj():
    Path("board.mtl").write_text("".join(f"newmtl half{i}\nKd {r} {g} {b}\n" for i, (r, g, b) in enumerate(COLORS)), encoding="ascii")
    lines = ["mtllib board.mtl"] + [f"v {x} {y} {z}" for x, y, z in POINTS]
    for i, half in enumerate(HALVES):
        lines += [f"usemtl half{i}"] + [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in half]
    Path("board.obj").write_text("\n".join(lines + [""]), encoding="ascii")


def write_dae():
    numbers = " ".join(str(c) for p in POINTS for c in p)
    triangles = "".join(f'<triangles material="half{i}" count="2"><input semantic="VERTEX" source="#vertices" offset="0"/><p>'
                        + " ".join(str(c) for t in half for c in t) + "</p></triangles>" for i, half in enumerate(HALVES))
    effects = "".join(f'<effect id="effect{i}"><profile_COMMON><technique sid="common"><lambert><diffuse><color>{r} {g} {b} 1</color>'
                      "</diffuse></lambert></technique></profile_COMMON></effect>" for i, (r, g, b) in enumerate(COLORS))
    materials = "".join(f'<material id="half{i}"><instance_effect url="#effect{i}"/></material>' for i in range(2))
    bound = "".join(f'<instance_material symbol="half{i}" target="#half{i}"/>' for i in range(2))
    Path("board.dae").write_text(f"""<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset><up_axis>Y_UP</up_axis></asset>
<library_effects>{effects}</library_effects><library_materials>{materials}</library_materials>
<library_geometries><geometry id="board"><mesh><source id="place"><float_array id="places" count="18">{numbers}</float_array>
<technique_common><accessor source="#places" count="6" stride="3"><param name="X" type="float"/><param name="Y" type="float"/>
<param name="Z" type="float"/></accessor></technique_common></source>
<vertices id="vertices"><input semantic="POSITION" source="#place"/></vertices>{triangles}</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="scene"><node><instance_geometry url="#board"><bind_material><technique_common>{bound}
</technique_common></bind_material></instance_geometry></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#scene"/></scene></COLLADA>
""", encoding="ascii")


def write_glb():
    parts = [b"".join(struct.pack("<3f", *p) for p in POINTS)]
    parts += [b"".join(struct.pack("<3H", *t) for t in half) for half in HALVES]
    views, data = [], b""
    for part in parts:
        views.append({"buffer": 0, "byteOffset": len(data), "byteLength": len(part)})
        data += part + b"\0" * (-len(part) % 4)
    scene = {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
             "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1 + i, "material": i} for i in range(2)]}],
             "materials": [{"pbrMetallicRoughness": {"baseColorFactor": [*color, 1]}} for color in COLORS],
             "accessors": [{"bufferView": 0, "componentType": 5126, "count": 6, "type": "VEC3", "min": [0, -1, 0], "max": [0, 1, 2]}] +
                          [{"bufferView": 1 + i, "componentType": 5123, "count": 6, "type": "SCALAR"} for i in range(2)],
             "bufferViews": views, "buffers": [{"byteLength": len(data)}]}
    text = json.dumps(scene).encode()
    text += b" " * (-len(text) % 4)
    Path("board.glb").write_bytes(b"glTF" + struct.pack("<II", 2, 28 + len(text) + len(data)) +
                                  struct.pack("<I", len(text)) + b"JSON" + text + struct.pack("<I", len(data)) + b"BIN\0" + data)


def write_stl():
    """STL has no colours: it gets them by <visual color=>."""
    triangles = [t for half in HALVES for t in half]
    Path("board.stl").write_bytes(b"board".ljust(80) + struct.pack("<I", len(triangles)) +
                                  b"".join(struct.pack("<3f", -1, 0, 0) + b"".join(struct.pack("<3f", *POINTS[i]) for i in t) + b"\0\0"
                                           for t in triangles))


# The board 5 m ahead of the camera, turned to it.
CARRIERS = {
    "vehicle": "<vehicle name='v' position='5 0'><chassis mass='10' outline='-0.1 -0.1 0.1 -0.1 0.1 0.1 -0.1 0.1' z_min='0.05' "
               "z_max='0.1'/>{}<wheel name='l' position='0.3 0.2' mass='1' radius='0.05' width='0.01'/>"
               "<wheel name='r' position='0.3 -0.2' mass='1' radius='0.05' width='0.01'/><tyre type='coulomb'/></vehicle>",
    "block": "<block name='b' position='5 0' shape='box' size='0.1 0.1 0.1' fixed='true'>{}</block>",
}
EYE = ("<light ambient='0' azimuth='180 deg' elevation='0' shadows='false'/><sensor type='camera' name='eye' z='1' noise='none' "
       f"width='{SIDE}' height='{SIDE}' fov='24 deg' exposure='1'/>")


def sense(elements):
    Path("world.xml").write_text(f"<world timestep='5 ms'>\n{elements}\n{EYE}</world>", encoding="ascii")
    return subprocess.run([COMMAND, "sense", "world.xml", "eye", "-o", "eye.png"], capture_output=True, text=True, timeout=60, check=False)


def test_colours():
    failed = 0
    # assimp throws exceptions of C++ as it reads GLB, which the sanitizer of a C program cannot follow
    files = ["board.obj", "board.dae", "board.stl"] + ([] if os.environ.get("RUT_SANITIZE") else ["board.glb"])
    for carrier, text in CARRIERS.items():
        for name in files:
            plain = name.endswith(".stl")
            done = sense(text.format(f"<visual model='{name}'" + (" color='#ff8000'/>" if plain else "/>")))
            if done.returncode or "warning" in done.stderr:
                print(f"FAIL {name} of a {carrier}: {done.stderr}")
                failed += 1
                continue
            image = read_png(Path("eye.png").read_bytes())[2]
            for i, color in enumerate(COLORS):
                want = [255, 128, 0] if plain else [srgb(c) if name.endswith(".glb") else round(255 * c) for c in color]
                column = SIDE // 4 + SIDE // 2 * i
                got = list(image[SIDE // 4][3 * column:3 * column + 3])
                if any(abs(a - b) > 2 for a, b in zip(got, want)):
                    print(f"FAIL {name} of a {carrier}: half {i} is {got}, not {want}")
                    failed += 1
            # the board is 2 m wide, the image 2.13 m: its edge is at 2 of 64 pixels
            if list(image[SIDE // 4][0:3]) == list(image[SIDE // 4][12:15]):
                print(f"FAIL {name} of a {carrier}: it is too wide")
                failed += 1
    return failed


# What is broken, and what the message says of it.
BROKEN = [("board.obj", "v 0 0 zero\nf 1 2 3\n", "broken.obj"), ("board.obj", "", "broken.obj"),
          ("board.dae", "<COLLADA><library_geometries>", "broken.dae"), ("board.stl", "solid\nfacet nonsense\n", "broken.stl"),
          ("board.glb", "glTF", "broken.glb")]


def test_broken():
    failed = 0
    for name, text, says in BROKEN:
        file = "broken" + Path(name).suffix
        Path(file).write_text(text, encoding="ascii")
        for carrier, element in CARRIERS.items():
            done = sense(element.format(f"\n<visual model='{file}'/>"))
            # the visual stands in line 3 of the world, its model in column 9
            if done.returncode == 3 and says in done.stderr and "world.xml:3:9: error: " in done.stderr:
                continue
            print(f"FAIL {file} of a {carrier}: exit {done.returncode}, {done.stderr!r}")
            failed += 1
    return failed


def test_broken_tables_and_images():
    """Tables of materials and images that an OBJ names."""
    failed = 0
    cases = [("map_Kd nowhere.png\n", "nowhere.png"), ("map_Kd broken.png\n", "broken.png"), ("Kd red green\n", "\"red\"")]
    # assimp throws exceptions of C++ at numbers that are none, which the sanitizer of a C program cannot follow
    if os.environ.get("RUT_SANITIZE"):
        cases = cases[:2]
    Path("broken.png").write_bytes(b"\x89PNG\r\n\x1a\nnothing")
    faces = "\n".join(["mtllib broken.mtl"] + [f"v {x} {y} {z}" for x, y, z in POINTS] + ["vt 0 0", "vt 1 0", "vt 1 1", "usemtl half0"] +
                      [f"f {a + 1}/1 {b + 1}/2 {c + 1}/3" for half in HALVES for a, b, c in half] + [""])
    for table, says in cases:
        Path("broken.mtl").write_text("newmtl half0\n" + table, encoding="ascii")
        Path("textured.obj").write_text(faces, encoding="ascii")
        done = sense(CARRIERS["block"].format("\n<visual model='textured.obj'/>"))
        if says not in done.stderr or "world.xml:3:" not in done.stderr:
            print(f"FAIL {table.strip()}: exit {done.returncode}, {done.stderr!r}")
            failed += 1
    return failed


def main():
    write_obj()
    write_dae()
    write_glb()
    write_stl()
    return test_colours() + test_broken() + test_broken_tables_and_images()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        os.chdir(scratch)
        sys.exit(1 if main() else 0)
