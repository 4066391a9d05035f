# SPDX-License-Identifier: BSD-3-Clause
"""Roads of OpenCRG: heights as PyOpenCRG finds them, which follows the MATLAB tools of the standard."""
import sys
import tempfile
import unittest
import warnings
from pathlib import Path

import numpy as np
import rut

try:
    import pyopencrg
except ImportError:
    print("skipped: no PyOpenCRG from PyPI")
    sys.exit(77)

ROWS, COLUMNS = 40, 9
# of what a modifier is drawn
SCALE, ANGLE, PLACE = (0.5, 2), (-3, 3), (-50, 50)
MODIFIERS = [
    {},
    {"scale_z_grid": SCALE},
    {"scale_slope": SCALE},
    {"scale_banking": SCALE},
    {"scale_length": SCALE},
    {"scale_width": SCALE},
    {"scale_curvature": SCALE},
    {"scale_length": SCALE, "scale_curvature": SCALE, "scale_slope": SCALE, "refpoint_u": (6, 18)},
    {"refline_offset_phi": ANGLE, "refline_offset_x": PLACE, "refline_offset_z": ANGLE},
    {"refline_offset_phi": ANGLE, "refline_rotcenter_x": PLACE, "refline_rotcenter_y": PLACE},
    {"refpoint_u": (6, 18), "refpoint_x": PLACE, "refpoint_y": PLACE},
    {"refpoint_u_fraction": (0.1, 0.9), "refpoint_u_offset": (-1, 1), "refpoint_phi": ANGLE},
    {"scale_width": SCALE, "refpoint_v": (-1, 1), "refpoint_z": ANGLE},
    {"refpoint_v_fraction": (0.1, 0.9), "refpoint_v_offset": (-0.5, 0.5), "refpoint_phi": ANGLE},
    {"refpoint_x": PLACE, "refline_offset_x": PLACE},
    None,  # no block of modifiers
]


def either(random, n, limit):
    """A constant, or a value for each row."""
    return random.uniform(-limit, limit, n if random.random() < 0.5 else None)


def road(random, modifiers):
    v = np.sort(random.uniform(-3, 3, COLUMNS)) if random.random() < 0.5 else np.linspace(-3, 3, COLUMNS)
    turns = np.cumsum(random.uniform(-0.04, 0.04, ROWS - 1)) if random.random() < 0.8 else 0
    made = pyopencrg.CrgRoad(random.normal(0, 0.05, (ROWS, COLUMNS)), 1.0, v, u_start=random.choice([0.0, 5.0]), heading=random.uniform(-1, 1) + turns, slope=either(random, ROWS - 1, 0.05), banking=either(random, ROWS, 0.03), x_start=random.uniform(-20, 20), y_start=random.uniform(-20, 20), z_start=random.uniform(-2, 2))
    made.mods = None if modifiers is None else {name: float(random.uniform(*limits)) for name, limits in modifiers.items()}
    return made


class Heights(unittest.TestCase):
    def compare(self, folder, path, random, within):
        """Heights of a file at places between its nodes."""
        world = folder / "world.xml"
        world.write_text(f'<world duration="1 s"><terrain type="opencrg" file="{path.name}" margin="0.01 m"/></world>', encoding="utf-8")
        told = pyopencrg.read(path).apply_mods()
        u = random.uniform(told.u_start + 0.05, told.u_end - 0.05, 100)
        v = random.uniform(told.v_min + 0.02, told.v_max - 0.02, 100)
        x, y = told.uv_to_xy(u, v)
        found = rut.load(world).start().terrain_height(x, y)
        np.testing.assert_allclose(found, told.xy_to_z(x, y), rtol=0, atol=within)

    def test_roads(self):
        warnings.simplefilter("ignore")  # of offsets that a reference point replaces
        random = np.random.default_rng(1)
        with tempfile.TemporaryDirectory() as name:
            for modifiers in MODIFIERS:
                for form in ("KRBI", "KDBI", "LRFI", "LDFI"):
                    with self.subTest(modifiers=modifiers, form=form):
                        path = Path(name) / "road.crg"
                        road(random, modifiers).save(path, form)
                        # where angles have 24 bits and the road is 40 m long
                        self.compare(Path(name), path, random, 1e-6 if form[1] == "R" else 1e-10)


if __name__ == "__main__":
    unittest.main()
