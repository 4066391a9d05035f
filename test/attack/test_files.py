#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Files made to harm, and places where none should be written: what a world, log, raster or table
names is neither read from outside its folder, nor quoted, logged or waited for; nothing is written but
what the user named, and nothing is sent.

Each attack states its end: exit code, part of the message, and that what is around it stays as it was.
RUT_COMMAND is the command, RUT_SANITIZE is not empty if it was built with sanitizers."""
import hashlib
import os
import re
import resource
import shutil
import signal
import socket
import stat
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SOURCE = Path(os.environ.get("RUT_SOURCE_DIR", Path(__file__).resolve().parents[2]))
COMMAND = os.environ.get("RUT_COMMAND", str(SOURCE / "build" / "dev" / "rut"))
SANITIZE = os.environ.get("RUT_SANITIZE", "")
CPU_SECONDS = 60 if SANITIZE else 10
PATIENCE = 120  # wall time after which a command counts as hanging [s]
LIMITED = ["prlimit", f"--cpu={CPU_SECONDS}", "--core=0"] + ([] if SANITIZE else [f"--as={3 << 30}"])
DONE, USAGE, INVALID, MISSING, IO = 0, 2, 3, 5, 6
SECRET = "hunter2-do-not-tell"
CART = '''<vehicle name="cart"><chassis mass="30 kg" outline="-0.4 -0.2, 0.4 -0.2, 0.4 0.2, -0.4 0.2"/>
<wheel name="l" place="left" position="0 0.28 m" mass="1.5 kg" radius="0.13 m"/>
<wheel name="r" place="right" position="0 -0.28 m" mass="1.5 kg" radius="0.13 m"/>
<tyre type="coulomb"/><drive type="direct"/><controller type="twist_ideal" speed="1"/>{}</vehicle>'''
TRIANGLE = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"

passed = failed = 0


def check(name, fault):
    global passed, failed
    passed += not fault
    failed += bool(fault)
    if fault:
        print(f"FAILED {name}: {fault}")


def write(path, content):
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def picture_of(*roots):
    """What stands below some folders: kinds, sizes, contents. Devices and links are not followed."""
    out = {}
    for root in roots:
        for path in [Path(root), *sorted(Path(root).rglob("*"))]:
            info = os.lstat(path)
            content = ""
            if stat.S_ISREG(info.st_mode):
                content = hashlib.sha256(path.read_bytes()).hexdigest()
            elif stat.S_ISLNK(info.st_mode):
                content = os.readlink(path)
            out[str(path)] = (stat.S_IFMT(info.st_mode), content)
    return out


def rut(*arguments, environment=None, limits=()):
    """Exit code (None: it hangs), and all output."""
    process = subprocess.Popen([*LIMITED, *limits, COMMAND, *map(str, arguments)],
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT,
                               env=dict(os.environ, NO_COLOR="1", **(environment or {})))
    with process:
        try:
            output = process.communicate(timeout=PATIENCE)[0]
        except subprocess.TimeoutExpired:
            process.kill()
            return None, process.communicate()[0].decode("utf-8", "replace")
    return process.returncode, output.decode("utf-8", "replace")


def expect(name, arguments, code, says, around=(), same=True, **options):
    """A command ends so, says that, tells no secret, and leaves the folders `around` as they were."""
    codes = code if isinstance(code, tuple) else (code,)
    before = picture_of(*around)
    got, output = rut(*arguments, **options)
    fault = ""
    if got is None:
        fault = "it hangs"
    elif got < 0:
        fault = f"killed by signal {-got}: {output[-300:]}"
    elif got not in codes:
        fault = f"exit code {got} instead of {codes}: {output[:400]}"
    elif says not in output:
        fault = f"it does not say '{says}': {output[:400]}"
    elif SECRET in output:
        fault = f"it tells the secret: {output[:400]}"
    elif same and picture_of(*around) != before:
        changed = {k for k in {*before, *picture_of(*around)}
                   if before.get(k) != picture_of(*around).get(k)}
        fault = f"it changed {sorted(changed)}"
    check(name, fault)
    return output


# ---- what worlds name ----

OUTSIDE = {
    "elevation map": '<world><elevation_map file="{}"/></world>',
    "elevation points": '<world><elevation_map points="{}"/></world>',
    "elevation image": '<world><elevation_map image="{}"/></world>',
    "grid": '<world><occupancy_grid file="{}"/></world>',
    "soil map": '<world><soil type="clay" name="s"/><soil_map file="{}" soils="s"/></world>',
    "include": '<world><include file="{}"/></world>',
    "vehicle": '<world><vehicle file="{}" name="v"/></world>',
    "include of MVSim": '<mvsim_world version="1.0"><include file="{}"/></mvsim_world>',
    "path of an actor": '<world><actor name="a"><value field="path" file="{}"/><scenery type="person"/></actor></world>',
    "ground of a mesh": '<world><elevation_map mesh="{}"/></world>',
    "surface of MAVS": '{{"Surface Mesh": [{{"Mesh": "{}"}}]}}',
    "object of MAVS": '{{"Surface Mesh": [], "Objects": [{{"Mesh": "{}", "Instances": [{{}}]}}]}}',
    "height map of MAVS": '{{"Layered Surface": {{"Heightmap": {{"Map": "{}"}}}}}}',
    "trail of MAVS": '{{"Layered Surface": {{"Trail": {{"Path": ["{}"]}}}}}}',
    "labels of MAVS": '{{"Object Labels": "{}"}}',
    "grid of MVSim": '<mvsim_world version="1.0"><element class="occupancy_grid"><file>{}</file>'
                     '</element></mvsim_world>',
}


def outside():
    """Files elsewhere, by four ways to name them: refused by name, with the option that allows them."""
    write("private/secret.txt", f"{SECRET}\n1 2\n3 4\n")
    Path("w").mkdir()
    os.symlink("../private/secret.txt", "w/link.txt")
    os.symlink("../private", "w/folder")
    ways = ["../private/secret.txt", str(Path("private/secret.txt").resolve()), "link.txt",
            "folder/secret.txt"]
    for what, world in OUTSIDE.items():
        for way in ways:
            write("w/w.xml", world.format(way))
            expect(f"{what}: {way}", ["check", "w/w.xml"], IO, "lies outside of the world's folder",
                   around=["private", "w"])
    # one is enough to see that a run and a conversion do the same
    expect("a run", ["run", "w/w.xml"], IO, "--allow-dir", around=["private", "w"])
    write("w/w.xml", OUTSIDE["include"].format("link.txt"))
    expect("a conversion", ["convert", "w/w.xml", "-o", "out.xml"], IO, "--allow-dir")
    check("no output of it", "out.xml is there" if Path("out.xml").exists() else "")


def environment():
    """Variables of the environment that are not meant for worlds."""
    secret = {"BUILD_TOKEN": SECRET, "RUT_MASS": "7 kg"}
    block = '<world><block name="{}" shape="box" size="1 1 1" mass="{}"/></world>'
    write("e/w.xml", block.format("$env{BUILD_TOKEN}", "1 kg"))
    expect("a secret by $env", ["check", "e/w.xml"], INVALID, "not one that worlds may see",
           environment=secret)
    write("e/w.xml", block.format("${BUILD_TOKEN}", "1 kg"))
    expect("a secret by its name", ["check", "e/w.xml"], INVALID, "worlds may not see",
           environment=secret)
    write("e/w.xml", block.format("${BUILD_TOKEN|box}", "$env{RUT_MASS}"))
    expect("a default in its place", ["check", "e/w.xml"], DONE, "0 errors, 1 warning",
           environment=secret)
    write("e/w.xml", '<world><elevation_map file="$env{RUT_FILE}"/></world>')
    expect("a path by $env", ["check", "e/w.xml"], IO, "lies outside",
           environment={"RUT_FILE": "/etc/hostname"})


def quotes():
    """Lines of files that are no worlds are not shown, be they inside."""
    text = f"{SECRET}:x:0:0\n"
    write("q/notes.txt", text)
    write("q/w.xml", '<world><include file="notes.txt"/></world>')
    expect("an include of text", ["check", "q/w.xml"], INVALID, "does not begin with '<'")
    write("q/w.xml", '<mvsim_world version="1.0"><include file="notes.txt"/></mvsim_world>')
    expect("the same of MVSim", ["check", "q/w.xml"], INVALID, "")
    expect("text as a world", ["check", "q/notes.txt"], INVALID, "not a world file")
    os.symlink("../private/secret.xml", "q/world.xml")
    write("private/secret.xml", f"<{SECRET}>\n")
    got, output = rut("check", "q/world.xml")
    check("a link as a world", "" if got == INVALID and " | " not in output else output)


def pictures():
    """What a log gets of files that a world only shows: nothing from elsewhere, nothing that is no
    mesh."""
    write("private/mesh.obj", TRIANGLE + f"# {SECRET}\n")
    write("p/fake.obj", f"{SECRET}\n")
    write("p/page.html", f"<script>{SECRET}</script>")
    write("p/good.obj", "mtllib ../private/secret.mtl\n" + TRIANGLE)
    write("private/secret.mtl", f"newmtl a\n# {SECRET}\n")
    os.symlink("../private/mesh.obj", "p/link.obj")
    os.mkfifo("p/pipe.obj")
    names = ["../private/mesh.obj", "link.obj", "fake.obj", "page.html", "pipe.obj", "/etc/passwd",
             "/dev/zero", "good.obj"]
    visuals = "".join(f'<visual model="{name}"/>' for name in names)
    write("p/w.xml", f"<world>{CART.format(visuals)}"
                     '<point_cloud file="../private/secret.txt"/></world>')
    expect("pictures", ["run", "p/w.xml", "-d", "0.1", "--log", "p.mcap"], DONE, "is not shown",
           around=["p", "private"])
    whole = b""
    code, listed = rut("log", "p.mcap")
    for line in listed.splitlines():
        if line.startswith("attachment "):
            done = subprocess.run([COMMAND, "log", "p.mcap", "--attachment",
                                   line.split()[1].rstrip(":")], capture_output=True, check=False)
            whole += done.stdout
    whole += Path("p.mcap").read_bytes()
    check("the log", "" if code == DONE and b"f 1 2 3" in whole else "it has no mesh at all")
    check("the log's secret", "it has the secret" if SECRET.encode() in whole else "")
    check("the log's passwords", "it has /etc/passwd" if b"root:x:" in whole else "")


# ---- what would be waited for ----

def pipes():
    """FIFOs and devices where files should be."""
    Path("f").mkdir()
    os.mkfifo("f/pipe")
    worlds = [w.format("pipe") for w in OUTSIDE.values()]
    worlds.append('<world><vehicle name="v"><tyre type="pac2002" file="pipe"/></vehicle></world>')
    for i, world in enumerate(worlds):
        write("f/w.xml", world)
        expect(f"FIFO {i}", ["check", "f/w.xml"], (INVALID, IO), "is not a file")
    write("f/w.xml", f"<world>{CART.format('')}</world>")
    expect("FIFO as inputs", ["run", "f/w.xml", "--inputs", "f/pipe"], IO, "is not a file")
    expect("device as inputs", ["run", "f/w.xml", "--inputs", "/dev/zero"], IO, "is not a file")
    expect("FIFO as plug-in", ["check", "f/w.xml", "--plugin", "f/pipe"], IO, "no file")
    expect("FIFO as log", ["log", "f/pipe"], IO, "is no file")
    expect("FIFO as world", ["check", "f/pipe"], IO, "is not a file")
    write("f/m.yaml", "image: pipe\nresolution: 0.1\norigin: [0, 0, 0]\n")
    write("f/w.xml", '<world><occupancy_grid file="m.yaml"/></world>')
    expect("FIFO as image of a map", ["check", "f/w.xml"], IO, "is not a file")
    write("f/m.yaml", f"image: {Path('private/secret.txt').resolve()}\nresolution: 0.1\n"
                      "origin: [0, 0, 0]\n")
    expect("image of a map elsewhere", ["check", "f/w.xml"], IO, "lies outside")


# ---- rasters that lead elsewhere ----

def rasters():
    """Rasters whose files tell GDAL to read, write or fetch something else."""
    server = socket.create_server(("127.0.0.1", 0))
    server.settimeout(0)
    url = f"http://127.0.0.1:{server.getsockname()[1]}/x.tif"
    victim = write("private/victim", "kept")
    mrf = ('<MRF_META><CachedSource><Source>{}</Source></CachedSource><Raster><Size x="2" y="2"/>'
           "<DataFile>{}</DataFile><IndexFile>{}</IndexFile></Raster></MRF_META>")
    vrt = ('<VRTDataset rasterXSize="2" rasterYSize="2"><VRTRasterBand dataType="Float32" band="1">'
           "<SimpleSource><SourceFilename>{}</SourceFilename><SourceBand>1</SourceBand></SimpleSource>"
           "</VRTRasterBand></VRTDataset>")
    wms = ('<GDAL_WMS><Service name="TMS"><ServerUrl>{}</ServerUrl></Service><DataWindow><UpperLeftX>0'
           "</UpperLeftX><UpperLeftY>1</UpperLeftY><LowerRightX>1</LowerRightX><LowerRightY>0"
           "</LowerRightY><SizeX>2</SizeX><SizeY>2</SizeY></DataWindow></GDAL_WMS>")
    target, index = victim.resolve(), Path("private/index").resolve()
    files = {
        "h.mrf": mrf.format(victim.resolve(), target, index),
        "net.mrf": mrf.format(f"/vsicurl/{url}", target, index),
        "h.vrt": vrt.format(victim.resolve()),
        "net.vrt": vrt.format(f"/vsicurl/{url}"),
        "sub.vrt": vrt.format(f"GTIFF_DIR:1:{victim.resolve()}"),
        "net.xml": wms.format(url),
        "h.ers": "DatasetHeader Begin\n\tVersion = \"6.0\"\n\tDataFile = \"../private/victim\"\n",
        "h.json": '{"type": "application/geotrans", "href": "' + url + '"}',
        "wms.txt": f"<WMT_MS_Capabilities>{url}",
        "cut.tif": b"II*\0\x08\0\0\0",
        "large.tif": b"II*\0\x08\0\0\0\x02\0" + struct.pack("<HHII", 256, 4, 1, 0xffffffff) +
                     struct.pack("<HHII", 257, 4, 1, 0xffffffff) + b"\0\0\0\0",
    }
    for name, content in files.items():
        write(f"r/{name}", content)
        write("r/w.xml", f'<world><elevation_map file="{name}"/></world>')
        expect(f"raster {name}", ["check", "r/w.xml"], (INVALID, IO, MISSING), "error",
               around=["r", "private"])
    for name in (f"/vsicurl/{url}", "/vsimem/x.tif", "/vsistdin/", "/vsizip/r/x.zip/x.tif",
                 f"WMS:{url}", f"{url}", f'GTIFF_DIR:1:{victim.resolve()}'):
        write("r/w.xml", f'<world><elevation_map file="{name}"/></world>')
        expect(f"raster named {name}", ["check", "r/w.xml"], (INVALID, IO, MISSING), "error",
               around=["r", "private"])
    # beside a raster, what GDAL would look for: statistics with another source, a mask, an overview
    write("r/h.tif", files["cut.tif"])
    for suffix in (".aux.xml", ".msk", ".ovr"):
        write(f"r/h.tif{suffix}", vrt.format(f"/vsicurl/{url}"))
    write("r/w.xml", '<world><elevation_map file="h.tif"/></world>')
    expect("side files", ["check", "r/w.xml"], (INVALID, IO, MISSING), "error", around=["r", "private"])
    try:
        server.accept()
        check("connections", "something was asked of the network")
    except BlockingIOError:
        check("connections", "")
    server.close()


# ---- where nothing is written ----

def scenes():
    """Scenes of MAVS that are deep, long, or full; what they name is a pipe, or no mesh."""
    cube = "".join(f"v {x} {y} {z}\n" for z in (0, 1) for y in (0, 1) for x in (0, 1))
    cube += "f 1 3 2\nf 2 3 4\nf 5 6 7\nf 6 8 7\nf 1 2 5\nf 2 6 5\nf 3 7 4\nf 4 7 8\n"
    scene = '{"Surface Mesh": [], "Objects": [%s]}'
    write("m/meshes/cube.obj", cube)
    write("m/deep.json", '{"Surface Mesh": ' + "[" * 200000)
    expect("deep", ["check", "m/deep.json"], INVALID, "maximum parsing depth")
    one = '{"Mesh": "%s", "Instances": [%s]}'
    write("m/long.json", scene % (one % ("cube.obj", ",".join(['{"Position": [1, 2, 3]}'] * 250000))))
    expect("many blocks", ["check", "m/long.json"], (INVALID, 4), "more than 200000 blocks")
    write("m/long.json", scene % (one % ("tree.obj", ",".join(["{}"] * 600000))))
    expect("many trees", ["check", "m/long.json"], (INVALID, 4), "more than")
    crowd = '{"Mesh": "%d.obj", "Random": {"Number": 1e9, "Polygon": [[0,0],[1,0],[0,1]], "Minimum Spacing": 1}}'
    write("m/full.json", scene % ",".join(crowd % i for i in range(200)))
    expect("no room", ["check", "m/full.json"], DONE, "0 errors")
    write("m/names.json", scene % ",".join(one % (f"{i}.obj", "") for i in range(2000)))
    expect("many meshes", ["check", "m/names.json"], INVALID, "1 error")
    os.mkfifo("m/meshes/pipe.obj")
    write("m/pipe.json", scene % (one % ("pipe.obj", "{}")))
    expect("a pipe", ["check", "m/pipe.json"], IO, "pipe.obj")
    write("m/meshes/junk.obj", b"v 1 2 3\nf 1 2 9999999\n" * 1000)
    write("m/junk.json", scene % (one % ("junk.obj", "{}")))
    expect("junk", ["check", "m/junk.json"], DONE, "stands in its place")
    write("m/loop.xml", '<world>' + '<include file="junk.json"/>' * 100 + '</world>')
    expect("again and again", ["check", "m/loop.xml"], INVALID, "too many scenes are included")


def outputs():
    """Outputs onto links, devices, folders and inputs: refused, and all stays."""
    write("o/w.xml", f"<world>{CART.format('')}</world>")
    write("o/in.csv", "t,vehicle,speed\n0,cart,1\n")
    write("o/kept", "kept")
    os.symlink("kept", "o/link")
    os.symlink("absent", "o/broken")
    os.mkfifo("o/pipe")
    run = ["run", "o/w.xml", "-d", "0.05", "-q"]
    around = ["o"]
    for place, says in (("o/link", "there is a link"), ("o/broken", "there is a link"),
                        ("o/pipe", "there is a device"), ("/dev/full", "there is a device"),
                        ("/dev/null", "there is a device"), ("o", "Is a directory"),
                        ("o/w.xml", "read as an input"), ("o/../o/w.xml", "read as an input")):
        expect(f"log onto {place}", [*run, "--log", place], IO, says, around=around)
        expect(f"conversion onto {place}", ["convert", "o/w.xml", "-o", place], IO, says,
               around=around)
    check("/dev/full", "" if stat.S_ISCHR(os.stat("/dev/full").st_mode) else "it is no device")
    expect("log onto inputs", [*run, "--inputs", "o/in.csv", "--log", "o/in.csv"], IO,
           "read as an input", around=around)
    Path("real").mkdir()
    os.symlink("real", "tables")
    expect("tables behind a link", [*run, "--csv", "tables"], IO, "there is a link", around=["real"])
    Path("t").mkdir()
    os.symlink("../o/kept", "t/cart.csv")
    expect("a table through a link", [*run, "--csv", "t"], IO, "there is a link", around=around)
    write("u/w.xml", f"<world>{CART.format('')}</world>")
    shutil.copy("o/in.csv", "u/cart.csv")
    expect("a table onto inputs", ["run", "u/w.xml", "-d", "0.05", "--inputs", "u/cart.csv", "--csv",
                                   "u"], IO, "read as an input", around=["u/cart.csv"])
    Path("d").mkdir()
    os.symlink("../o/kept", "d/index.md")
    expect("pages through a link", ["doc", "-o", "d"], IO, "there is a link", around=around)


def named_logs():
    """Logs that a world names stay in the folder that the user names, and replace nothing."""
    world = '<world timestep="5 ms">{}' + CART + '</world>'
    for name in ("../evil", "/tmp/evil", "a/b", "..", ".hidden", "-rf", "a.csv", "n\\..", "", "a&#10;b", "$(id)"):
        write("n/w.xml", world.format(f'<log name="{name}"/>', ""))
        expect(f"a log called '{name}'", ["run", "n/w.xml", "-d", "0.05", "--output", "n/out"], INVALID,
               "name", around=["n"])
    # a vehicle may be called anything: its file is not
    for name in ("../../evil", "/tmp/evil", "..", "x&quot;; rm -rf ~ #"):
        shutil.rmtree("n/out", ignore_errors=True)
        write("n/w.xml", world.format("", '<log name="run"/>').replace('name="cart"', f'name="{name}"'))
        before = picture_of("n/w.xml", "/tmp/evil") if os.path.lexists("/tmp/evil") else picture_of("n/w.xml")
        expect(f"a log of the vehicle '{name}'", ["run", "n/w.xml", "-d", "0.05", "-q", "--output", "n/out"],
               DONE, "")
        inside = [path.name for path in Path("n/out").iterdir()]
        fault = "" if len(inside) == 1 and re.fullmatch(r"[A-Za-z0-9_+-][A-Za-z0-9._+-]*\.run\.csv", inside[0]) else f"{inside}"
        check(f"the file of the vehicle '{name}'", fault)
        check(f"around the vehicle '{name}'", "" if all(picture_of(k).get(k) == v for k, v in before.items())
              else "it changed")
        check("files beside", "" if sorted(p.name for p in Path("n").iterdir()) == ["out", "w.xml"] else "there are")

    # what stands in the folder stays: files, links to files, to folders and to nothing, pipes
    shutil.rmtree("n/out")
    write("n/w.xml", world.format('<log name="run" rate="200"/><log name="film" format="mcap"/>', ""))
    write("n/kept", SECRET)
    write("n/out/run.csv", SECRET)
    os.symlink("../kept", "n/out/run-2.csv")
    os.symlink("../absent", "n/out/run-3.csv")
    os.mkfifo("n/out/run-4.csv")
    os.symlink("/dev/full", "n/out/film.mcap")
    os.mkdir("n/out/film-2.mcap")
    before = picture_of("n")
    expect("logs among others' files", ["run", "n/w.xml", "-d", "0.05", "-q", "--output", "n/out"], DONE, "")
    after = picture_of("n")
    check("others' files", "" if {k: after.get(k) for k in before} == before else "they changed")
    check("new files", "" if sorted(set(after) - set(before)) == ["n/out/film-3.mcap", "n/out/run-5.csv"]
          else f"{sorted(set(after) - set(before))}")

    # the folder itself: a link, a file, one that cannot be written
    os.symlink("out", "n/link")
    for folder, says in (("n/link", "there is a link"), ("n/link/", "there is a link"), ("n/w.xml", "n/w.xml"),
                         ("/dev/null", "/dev/null")):
        expect(f"logs into {folder}", ["run", "n/w.xml", "-d", "0.05", "--output", folder], IO, says, around=["n"])

    # a disk that is full: one error, and what is written is whole up to there
    full = ["prlimit", "--fsize=20000"]
    output = expect("logs that do not fit", ["run", "n/w.xml", "-d", "500", "-q", "--output", "n/small"], IO,
                    "cannot be written", limits=full)
    check("errors of a full disk", "" if output.count("error") == 1 else output[:300])
    expect("the log that did not fit", ["log", "n/small/film.mcap"], DONE, "/cart/state")

    # orders that never end, and that are none
    endless = subprocess.Popen([COMMAND, "run", "n/w.xml", "-d", "2", "-q", "--output", "n/orders", "--orders"],
                               stdin=open("/dev/zero", "rb"), stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    with endless:
        said = endless.communicate(timeout=PATIENCE)[0].decode("utf-8", "replace")
    check("endless orders", "" if endless.returncode in (0, 2) and said.count("error") <= 1 else said[:300])
    many = "1 pause run\n" * 200000
    with subprocess.Popen([COMMAND, "run", "n/w.xml", "-d", "2", "-q", "--output", "n/many", "--orders"],
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
        said = process.communicate(many.encode(), timeout=PATIENCE)[0]
    check("many orders", "" if process.returncode == 0 else said[:300])


def two_runs():
    """A log that a run is writing is not taken by another, and is whole at the end."""
    write("l/w.xml", f"<world duration='60'>{CART.format('')}</world>")
    with subprocess.Popen([COMMAND, "run", "l/w.xml", "-q", "--realtime", "--log", "l/run.mcap",
                           "--csv", "l/t"], stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL) as first:
        # it steps once its log has messages: before that, an interrupt would end it at once
        until = time.monotonic() + PATIENCE
        while not re.search(r'"messages": [1-9]', rut("log", "l/run.mcap", "-j")[1]):
            if time.monotonic() > until or first.poll() is not None:
                break
            time.sleep(0.1)
        expect("a second run on one log", ["run", "l/w.xml", "-d", "0.1", "--log", "l/run.mcap"], IO,
               "another run is writing there")
        expect("a second run on one folder", ["run", "l/w.xml", "-d", "0.1", "--csv", "l/t"], IO,
               "another run is writing there")
        first.send_signal(signal.SIGINT)
        first.wait(PATIENCE)
    code, output = rut("log", "l/run.mcap")
    check("the first log", "" if code == DONE and "cut off" not in output else output)
    expect("a run after it", ["run", "l/w.xml", "-d", "0.1", "-q", "--log", "l/run.mcap", "--csv",
                              "l/t"], DONE, "")


def limits():
    """A limit on the size of files ends in an error, and what stood there before stays readable."""
    write("s/w.xml", f"<world>{CART.format('')}</world>")
    small = ["prlimit", "--fsize=20000"]
    expect("a log that does not fit", ["run", "s/w.xml", "-d", "200", "--log", "s/run.mcap", "-q"], IO,
           "File too large", limits=small)
    expect("tables that do not fit", ["run", "s/w.xml", "-d", "50", "--csv", "s/t", "-q"], IO,
           "File too large", limits=small)
    before = write("s/out.xml", "<world/>").read_bytes()
    write("s/long.xml", "<world>" + "".join(f'<block name="b{i}" shape="box" size="1 1 1" '
                                            f'position="{2 * i} 0"/>' for i in range(2000)) + "</world>")
    expect("a conversion that does not fit", ["convert", "s/long.xml", "-o", "s/out.xml"], IO,
           "File too large", limits=small)
    check("what it would replace", "" if Path("s/out.xml").read_bytes() == before else "it changed")
    left = [p.name for p in Path("s").rglob("*.part*")]
    check("leftovers", f"{left}" if left else "")


# ---- logs ----

def damaged_logs():
    """A wrong bit in the length of an attachment is told, and costs no message."""
    write("g/w.xml", f"<world>{CART.format('')}</world>")
    rut("run", "g/w.xml", "-d", "0.3", "-q", "--log", "g/run.mcap")
    whole = Path("g/run.mcap").read_bytes()
    messages = [line for line in rut("log", "g/run.mcap", "-j")[1].splitlines() if '"messages"' in line]
    at = whole.find(b"\x0a\0\0\0scene.json") - 16 - 8
    check("the attachment", "" if at > 0 and whole[at - 1] == 9 else "it is not where it should be")
    for bit in range(0, 64, 7):
        wrong = bytearray(whole)
        wrong[at + bit // 8] ^= 1 << bit % 8
        write("g/bad.mcap", bytes(wrong))
        output = expect(f"bit {bit} of a length", ["log", "g/bad.mcap", "-j"], DONE, '"whole": false')
        kept = [line for line in output.splitlines() if '"messages"' in line]
        check(f"messages with bit {bit}", "" if kept[:1] == messages[:1] else f"{kept} of {messages}")


def main():
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with tempfile.TemporaryDirectory(prefix="rut_attack_") as folder:
        os.chdir(folder)
        for attack in (outside, environment, quotes, pictures, pipes, rasters, scenes, outputs, named_logs, two_runs,
                       limits, damaged_logs):
            try:
                attack()
            except (OSError, subprocess.SubprocessError) as error:
                check(attack.__name__, repr(error))
        os.chdir("/")
    print(f"{passed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
