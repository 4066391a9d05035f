#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The viewer's page in a notebook: what is shown, who may show it, and that it ends with whoever started it."""
import gc
import http.client
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np
import rut

COMMAND = os.environ["RUT_COMMAND"]
PATIENCE = 60
ROVER = "demo.xml"
# programs: one that leaves its page open, one that waits to be killed
LEAVE = "import rut, sys; page = rut.load(rut.example('{}')).view(command=sys.argv[1]); print(page.url, flush=True)".format(ROVER)
WAIT = LEAVE + "; import time; time.sleep(600)"


def get(url, path="/"):
    """Status, headers and body of an answer."""
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=PATIENCE)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read()
    finally:
        connection.close()


def answers(url):
    try:
        return get(url)[0] == 200
    except OSError:
        return False


def ends(url):
    """Whether a page is gone within a time."""
    end = time.monotonic() + PATIENCE
    while answers(url) and time.monotonic() < end:
        time.sleep(0.05)
    return not answers(url)


def view(world=None, **arguments):
    return (world or rut.load(rut.example(ROVER))).view(command=COMMAND, **arguments)


def scene(page):
    return json.loads(get(page.url, "/scene.json")[2])


class Pages(unittest.TestCase):
    def test_what_is_shown(self):
        world = rut.load(rut.example(ROVER))
        with view(world, paused=True, width=700, height="50%") as page:
            shown = page._repr_html_()
            self.assertIn(f'src="{page.url}"', shown)
            self.assertIn('width="700" height="50%"', shown)
            self.assertIn("gamepad", shown)
            self.assertRegex(page.url, r"^http://127\.0\.0\.1:\d+/$")
            status, headers, _ = get(page.url)
            policy = dict((rule.strip() + " ").split(" ", 1) for rule in headers["Content-Security-Policy"].split(";"))
            self.assertEqual((status, policy["frame-ancestors"].split()), (200, ["http://localhost:*", "http://127.0.0.1:*"]))
            self.assertEqual([v["name"] for v in scene(page)["vehicles"]], [v.name for v in world.root.children("vehicle")])
            self.assertIn(page.url, repr(page))
        self.assertTrue(page.closed)
        self.assertNotIn("iframe", page._repr_html_())
        self.assertFalse(answers(page.url))
        page.close()

    def test_only_to_named_origins(self):
        with view(origins=["https://notebooks.example"]) as page:
            self.assertTrue(get(page.url)[1]["Content-Security-Policy"].endswith("frame-ancestors https://notebooks.example"))
        with view(origins=[]) as page:
            self.assertEqual(get(page.url)[1]["X-Frame-Options"], "DENY")
        with self.assertRaisesRegex(rut.Error, "--frame-ancestors .: every page"):
            view(origins=["*"])

    def test_edited_world_and_channels(self):
        world = rut.load(rut.example(ROVER))
        world["gravity"] = 3.7
        with view(world, latency="300ms", frame_rate=10, video_latency=np.float64(0.2)) as page:
            told = scene(page)
        self.assertEqual(told["gravity"], 3.7)
        self.assertEqual(told["vehicles"][0]["afar"]["video"], {"latency": 0.2, "jitter": 0, "loss": 0, "rate": 10})
        self.assertEqual(told["vehicles"][0]["afar"]["commands"]["latency"], 0.3)
        with self.assertRaisesRegex(rut.Error, "'latencey'; did you mean 'latency'"):
            view(world, latencey=1)
        with self.assertRaisesRegex(rut.Error, "--latency 5 m: .*does not fit"):
            view(world, latency="5 m")

    def test_a_run(self):
        """Of the world that was compiled, with the seed of the run."""
        world = rut.load(rut.example(ROVER))
        with world.start(seed=7) as sim:
            with tempfile.TemporaryDirectory() as folder:
                log = Path(folder, "run.mcap")
                with sim.view(command=COMMAND, options=["--record", str(log)]):
                    pass
                with rut.Log(log) as known:
                    self.assertEqual(known.metadata("seed"), "7")
        with self.assertRaisesRegex(rut.Error, "closed"):
            sim.view(command=COMMAND)

    def test_files_of_a_world(self):
        """A world reads its maps and meshes from where it lay, also where it lies now elsewhere."""
        for name in ("rocks.xml", "scenarios/urban.xml", "trailer.xml"):
            world = rut.load(rut.example(name))
            with view(world, paused=True) as page:
                self.assertEqual(len(scene(page)["vehicles"]), len(list(world.root.children("vehicle"))))

    def test_what_it_cannot_show(self):
        class Still(rut.Controller):
            name, doc, fields, command = "still", "Does nothing.", {}, {}

            def update(self, seen):
                seen.demand[:] = 0

        text = """<world><vehicle name="r"><chassis mass="9 kg" outline="0 0, 1 0, 1 1"/><wheel place="left" position="0 1"/>
                  <wheel place="right" position="0 0"/><tyre type="coulomb"/><drive type="direct"/>{}</vehicle></world>"""
        with self.assertRaisesRegex(rut.Error, "process of its own"):
            view(rut.parse(text.format('<controller type="still"/>'), controllers=[Still()]))
        with self.assertRaises(rut.Error) as caught:
            view(rut.parse(text.format('<controller type="twist_ideal" commands="nobody"/>')))
        self.assertEqual((caught.exception.line, caught.exception.file), (2, "world.xml"))
        with self.assertRaisesRegex(rut.Error, "'--domai'; did you mean '--domain'"):
            view(options=["--domai", "3"])
        with self.assertRaises(OSError):
            rut.World().view(command="/nothing/there")

    def test_ends_with_the_last_reference(self):
        page = view()
        url = page.url
        self.assertTrue(answers(url))
        del page
        gc.collect()
        self.assertFalse(answers(url))

    def test_ends_with_the_process(self):
        for text, kill in ((LEAVE, None), (WAIT, signal.SIGTERM), (WAIT, signal.SIGKILL)):
            with subprocess.Popen([sys.executable, "-B", "-c", text, COMMAND], stdout=subprocess.PIPE, text=True) as process:
                url = process.stdout.readline().strip()
                self.assertTrue(url.startswith("http://"), url)
                if kill:
                    self.assertTrue(answers(url))
                    process.send_signal(kill)
                process.wait(PATIENCE)
            self.assertTrue(ends(url), f"{kill}")

    def test_an_interrupt_is_not_for_it(self):
        """A notebook interrupts a cell by a signal to all processes of the kernel's group."""
        text = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN); " + WAIT
        with subprocess.Popen([sys.executable, "-B", "-c", text, COMMAND], stdout=subprocess.PIPE, text=True, start_new_session=True) as process:
            url = process.stdout.readline().strip()
            os.killpg(process.pid, signal.SIGINT)
            time.sleep(0.5)
            self.assertTrue(answers(url))
            process.kill()
        self.assertTrue(ends(url))


class Notebook(unittest.TestCase):
    def test_cells(self):
        """A notebook that is executed as Jupyter does: a cell's last line shows the page, which ends with the kernel."""
        try:
            import nbclient
            import nbformat
        except ImportError:
            self.skipTest("nbclient and ipykernel cannot be had")
        cells = [f"import rut\nworld = rut.load(rut.example({ROVER!r}))\npage = world.view(command={COMMAND!r})", "page",
                 "import http.client\nc = http.client.HTTPConnection(page.url.split('/')[2])\nc.request('GET', '/')\nc.getresponse().status"]
        book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
        nbclient.NotebookClient(book, timeout=PATIENCE, kernel_name="python3").execute()
        outputs = [cell.outputs[0].data for cell in book.cells[1:]]
        found = re.search(r'<iframe src="(http://127\.0\.0\.1:\d+/)"', outputs[0]["text/html"])
        self.assertTrue(found, outputs[0])
        self.assertIn("rut.Page at", outputs[0]["text/plain"])
        self.assertEqual(outputs[1]["text/plain"], "200")
        self.assertTrue(ends(found[1]))


def setUpModule():
    # 5: built without the viewer
    done = subprocess.run([COMMAND, "view", rut.example(ROVER), "--host", "no such address"], stdin=subprocess.DEVNULL, capture_output=True, check=False)
    if done.returncode == 5:
        print("skipped: built without the viewer")
        sys.exit(77)


if __name__ == "__main__":
    unittest.main()
