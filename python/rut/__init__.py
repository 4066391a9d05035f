# SPDX-License-Identifier: BSD-3-Clause
"""rut simulates unmanned ground vehicles on rough and soft ground.

    import rut
    world = rut.load(rut.example("hmmwv.xml"), {"hmmwv/chassis.mass": "2600 kg"})
    with world.start(seed=1) as sim:
        sim.vehicle("hmmwv").command(throttle=0.3)
        sim.step(1000)
        print(sim["hmmwv/speed"], sim.state["position"])

All is SI: metres, radians, seconds. docs/manual/python.md is the manual page.
"""
from ._native import lib as _lib
from .batch import Batch
from .controller import Controller
from .elements import Block, Element, Mechanism, Sensor, Vehicle, Wheel
from .errors import Diverged, Error, Finding, Stopped
from .logs import Log
from .navigation import Navigation
from .page import Page
from .rows import Component, Field, Variable
from .sensor import SensorType
from .simulation import Simulation
from .studies import read_study
from .terrain import TerrainType
from .world import Node, World, components, example, help, load, parse

__version__ = "{}.{}.{}".format(_lib.rut_version() // 1000000, _lib.rut_version() // 1000 % 1000, _lib.rut_version() % 1000)
__all__ = ["Batch", "Block", "Component", "Controller", "Diverged", "Element", "Error", "Field", "Finding", "Log", "Mechanism", "Navigation",
           "Node", "Page", "Sensor", "SensorType", "Simulation", "Stopped", "TerrainType", "Variable", "Vehicle", "Wheel", "World", "components", "example", "help",
           "load", "parse", "read_study"]
