# SPDX-License-Identifier: BSD-3-Clause
"""The DBC file of rut run --remote can: as cantools reads it."""
import struct
import subprocess
import unittest

from test_simulation import COMMAND, ROOT

try:
    import cantools
except ImportError:
    cantools = None


@unittest.skipUnless(cantools, "cantools is not there")
class Dbc(unittest.TestCase):
    def test_frames(self):
        for base in (0x400, 0x18FF0000):
            done = subprocess.run([COMMAND, "run", ROOT / "worlds" / "demo.xml", "--remote", f"can:vcan0:{base}", "--remote-dbc", "--remote-signals", "*/x",
                                   "--remote-signals", "rover/*"], check=True, capture_output=True, text=True)
            bus = cantools.database.load_string(done.stdout, "dbc")
            self.assertTrue(all(m.is_extended_frame == (base > 0x7FF) for m in bus.messages))
            self.assertEqual(sorted(m.frame_id for m in bus.messages), list(range(base, base + len(bus.messages))))
            answer = bus.get_message_by_name("rut_answer")
            self.assertEqual(answer.frame_id, base + 1)
            self.assertEqual(answer.encode({"answer_sequence": 7, "answer_layout": 0x12345678}), struct.pack("<II", 7, 0x12345678))
            self.assertEqual(bus.encode_message(base + 2, {"speed": 0.25, "yaw_rate": -3}), struct.pack("<ff", 0.25, -3))
            self.assertEqual(bus.decode_message("rut_time", struct.pack("<d", 1.5)), {"time": 1.5})
            told = bus.decode_message("signals_1", struct.pack("<ff", 0.5, 2))
            self.assertEqual(sorted(told.values()), [0.5, 2])
            self.assertEqual(bus.get_message_by_name("set_points_1").get_signal_by_name("speed").unit, "m/s")


if __name__ == "__main__":
    unittest.main()
