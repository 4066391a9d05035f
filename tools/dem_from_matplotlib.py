#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Makes worlds/maps/jacksboro.asc, the elevation map of worlds/elevation.xml.

    apt-get install python-matplotlib-data      # Debian 12; holds jacksboro_fault_dem.npz
    tools/dem_from_matplotlib.py

The file is an elevation model of the Jacksboro fault in Tennessee, 3 arc seconds apart. It is brought
to square cells of a metric grid (x east, y north, bilinear) and written as an ESRI ASCII grid. Without
installing the package: `apt-get download python-matplotlib-data`, `dpkg -x *.deb DIR`, and --npz
DIR/usr/share/matplotlib/mpl-data/sample_data/jacksboro_fault_dem.npz. Needs nothing but Python.
"""
import argparse
import ast
import math
import struct
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OUTPUT = ROOT / "worlds" / "maps" / "jacksboro.asc"
FILE = "mpl-data/sample_data/jacksboro_fault_dem.npz"
PLACES = [Path("/usr/share/matplotlib") / FILE,
          *Path("/usr/lib/python3/dist-packages").glob(f"matplotlib/{FILE}"),
          *Path("/usr/local/lib").glob(f"python3*/*-packages/matplotlib/{FILE}")]
CODES = {"<i2": "h", "<f8": "d"}


def read_array(archive, name):
    """Numbers and shape of an array in an .npz file (NumPy's format 1.0, in rows)."""
    data = archive.read(f"{name}.npy")
    if data[:8] != b"\x93NUMPY\x01\x00":
        raise ValueError(f"{name} is not an array of format 1.0")
    size, = struct.unpack_from("<H", data, 8)
    head = ast.literal_eval(data[10:10 + size].decode("latin-1"))
    code = CODES.get(head["descr"])
    if not code or head["fortran_order"]:
        raise ValueError(f"{name} holds {head['descr']}, not rows of <i2 or <f8")
    count = math.prod(head["shape"])
    return struct.unpack_from(f"<{count}{code}", data, 10 + size), head["shape"]


def metres_per_degree(latitude):
    """East and north, on the ellipsoid of WGS 84."""
    a, e2 = 6378137.0, 0.00669437999014
    sine = math.sin(math.radians(latitude))
    w = math.sqrt(1 - e2 * sine * sine)
    east = math.radians(1) * a / w * math.cos(math.radians(latitude))
    return east, math.radians(1) * a * (1 - e2) / w ** 3


def read_model(path):
    """Rows of heights from north to south, and the distance of columns and rows in metres."""
    with zipfile.ZipFile(path) as archive:
        heights, (rows, columns) = read_array(archive, "elevation")
        one = {name: read_array(archive, name)[0][0] for name in ("ymin", "ymax", "dx", "dy")}
    east, north = metres_per_degree((one["ymin"] + one["ymax"]) / 2)
    lines = [heights[i * columns:(i + 1) * columns] for i in range(rows)]
    return lines, one["dx"] * east, one["dy"] * north


def resample(lines, east, north, cell):
    """Heights on square cells, bilinear between the nodes of the model."""
    rows = int((len(lines) - 1) * north / cell) + 1
    columns = int((len(lines[0]) - 1) * east / cell) + 1
    grid = []
    for i in range(rows):
        v = min(i * cell / north, len(lines) - 1.000001)
        upper, lower, down = lines[int(v)], lines[int(v) + 1], v - int(v)
        line = []
        for j in range(columns):
            u = min(j * cell / east, len(lines[0]) - 1.000001)
            k, right = int(u), u - int(u)
            line.append((1 - down) * ((1 - right) * upper[k] + right * upper[k + 1]) +
                        down * ((1 - right) * lower[k] + right * lower[k + 1]))
        grid.append(line)
    return grid


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--npz", type=Path, help="jacksboro_fault_dem.npz, if it is not installed")
    parser.add_argument("--cell", type=float, default=60, help="size of the cells [m], 60")
    parser.add_argument("-o", "--output", type=Path, default=OUTPUT)
    args = parser.parse_args()
    path = args.npz or next((p for p in PLACES if p.is_file()), None)
    if not path:
        print("dem_from_matplotlib: jacksboro_fault_dem.npz is not installed; apt-get install "
              "python-matplotlib-data, or give --npz FILE", file=sys.stderr)
        return 1
    try:
        grid = resample(*read_model(path), args.cell)
        # the middle of the map is the origin
        west, south = (-0.5 * args.cell * (len(line) - 1) for line in (grid[0], grid))
        text = [f"ncols {len(grid[0])}", f"nrows {len(grid)}", f"xllcenter {west:g}",
                f"yllcenter {south:g}", f"cellsize {args.cell:g}", "nodata_value -9999",
                *(" ".join(f"{z:.1f}" for z in line) for line in grid)]
        args.output.write_text("\n".join(text) + "\n", encoding="ascii")
    except (OSError, ValueError, KeyError, struct.error, zipfile.BadZipFile) as error:
        print(f"dem_from_matplotlib: {path}: {error}", file=sys.stderr)
        return 1
    low, high = min(map(min, grid)), max(map(max, grid))
    print(f"{args.output}: {len(grid[0])} x {len(grid)} heights, {low:.0f} to {high:.0f} m")
    return 0


if __name__ == "__main__":
    sys.exit(main())
