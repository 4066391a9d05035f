#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Textures of meshes in every format that has them: cameras see the same picture of an OBJ file, a Collada file and a binary glTF."""
import json
import os
import struct
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

from harness import COMMAND
from png_reader import read_png

# The texels of the image, from the upper left: each is a quarter of the square.
TEXELS = [(220, 30, 40), (30, 200, 60), (20, 60, 230), (240, 230, 120)]
CORNERS = [((5, 1, 0), (0, 0)), ((5, -1, 0), (1, 0)), ((5, -1, 2), (1, 1)), ((5, 1, 2), (0, 1))]  # place, u v
SIDE = 64


def png():
    """The image with 16 x 16 pixels for each texel."""
    rows = b""
    for y in range(32):
        rows += b"\0" + b"".join(bytes(TEXELS[2 * (y // 16) + x // 16]) for x in range(32))
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 32, 32, 8, 2, 0, 0, 0)) +
            chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def write_obj():
    Path("square.mtl").write_text("newmtl shown\nKd 1 1 1\nmap_Kd textures/image.png\n", encoding="ascii")
    lines = ["mtllib square.mtl"] + [f"v {x} {y} {z}" for (x, y, z), _ in CORNERS] + [f"vt {u} {v}" for _, (u, v) in CORNERS]
    Path("square.obj").write_text("\n".join(lines + ["usemtl shown", "f 1/1 2/2 3/3 4/4", ""]), encoding="ascii")


def write_dae():
    places = " ".join(str(c) for place, _ in CORNERS for c in place)
    coordinates = " ".join(str(c) for _, uv in CORNERS for c in uv)
    def source(name, numbers, axes):
        count = len(numbers.split())
        params = "".join(f'<param name="{a}" type="float"/>' for a in axes)
        return (f'<source id="{name}"><float_array id="{name}-array" count="{count}">{numbers}</float_array><technique_common>'
                f'<accessor source="#{name}-array" count="{count // len(axes)}" stride="{len(axes)}">{params}</accessor>'
                "</technique_common></source>")
    Path("square.dae").write_text(f"""<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset><up_axis>Y_UP</up_axis></asset>
<library_images><image id="image" name="image"><init_from>textures/image.png</init_from></image></library_images>
<library_effects><effect id="effect"><profile_COMMON>
<newparam sid="surface"><surface type="2D"><init_from>image</init_from></surface></newparam>
<newparam sid="sampler"><sampler2D><source>surface</source></sampler2D></newparam>
<technique sid="common"><lambert><diffuse><texture texture="sampler" texcoord="UV"/></diffuse></lambert></technique>
</profile_COMMON></effect></library_effects>
<library_materials><material id="shown"><instance_effect url="#effect"/></material></library_materials>
<library_geometries><geometry id="square"><mesh>{source("place", places, "XYZ")}{source("uv", coordinates, "ST")}
<vertices id="vertices"><input semantic="POSITION" source="#place"/></vertices>
<triangles material="shown" count="2"><input semantic="VERTEX" source="#vertices" offset="0"/>
<input semantic="TEXCOORD" source="#uv" offset="1" set="0"/><p>0 0 1 1 2 2 0 0 2 2 3 3</p></triangles></mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="scene"><node><instance_geometry url="#square"><bind_material><technique_common>
<instance_material symbol="shown" target="#shown"/></technique_common></bind_material></instance_geometry></node></visual_scene>
</library_visual_scenes><scene><instance_visual_scene url="#scene"/></scene></COLLADA>
""", encoding="ascii")


def write_glb():
    """Its image stands in the file; v goes down in glTF."""
    places = b"".join(struct.pack("<3f", *place) for place, _ in CORNERS)
    coordinates = b"".join(struct.pack("<2f", u, 1 - v) for _, (u, v) in CORNERS)
    indices, image = struct.pack("<6H", 0, 1, 2, 0, 2, 3), png()
    parts, views, data = [places, coordinates, indices, image], [], b""
    for part in parts:
        views.append({"buffer": 0, "byteOffset": len(data), "byteLength": len(part)})
        data += part + b"\0" * (-len(part) % 4)
    scene = {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
             "meshes": [{"primitives": [{"attributes": {"POSITION": 0, "TEXCOORD_0": 1}, "indices": 2, "material": 0}]}],
             "materials": [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}],
             "textures": [{"source": 0}], "images": [{"bufferView": 3, "mimeType": "image/png"}],
             "accessors": [{"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3",
                            "min": [5, -1, 0], "max": [5, 1, 2]},
                           {"bufferView": 1, "componentType": 5126, "count": 4, "type": "VEC2"},
                           {"bufferView": 2, "componentType": 5123, "count": 6, "type": "SCALAR"}],
             "bufferViews": views, "buffers": [{"byteLength": len(data)}]}
    text = json.dumps(scene).encode()
    text += b" " * (-len(text) % 4)
    Path("square.glb").write_bytes(b"glTF" + struct.pack("<II", 2, 28 + len(text) + len(data)) +
                                   struct.pack("<I", len(text)) + b"JSON" + text + struct.pack("<I", len(data)) + b"BIN\0" + data)


def picture(name):
    Path("world.xml").write_text(
        "<world><light ambient='0' azimuth='180 deg' elevation='0' shadows='false'/>"
        f"<visual model='{name}'/><sensor type='camera' name='eye' z='1' noise='none' width='{SIDE}' height='{SIDE}' fov='24 deg' "
        "exposure='1'/></world>", encoding="ascii")
    done = subprocess.run([COMMAND, "sense", "world.xml", "eye", "-o", "eye.png"], capture_output=True, text=True, timeout=60)
    if done.returncode:
        raise AssertionError(f"{name}: {done.stderr}")
    return read_png(Path("eye.png").read_bytes())[2]


def main():
    Path("textures").mkdir()
    Path("textures/image.png").write_bytes(png())
    write_obj()
    write_dae()
    write_glb()
    failed = 0
    # assimp throws exceptions of C++ as it reads GLB, which the sanitizer of a C program cannot follow
    files = ["square.obj", "square.dae"] + ([] if os.environ.get("RUT_SANITIZE") else ["square.glb"])
    for name in files:
        image = picture(name)
        for i, want in enumerate(TEXELS):
            # the middle of each quarter: full light on its colour
            row, column = SIDE // 4 + SIDE // 2 * (i // 2), SIDE // 4 + SIDE // 2 * (i % 2)
            got = image[row][3 * column:3 * column + 3]
            if any(abs(a - b) > 1 for a, b in zip(got, want)):
                print(f"FAIL {name}: quarter {i} is {got}, not {want}")
                failed += 1
    return failed


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        os.chdir(scratch)
        sys.exit(1 if main() else 0)
