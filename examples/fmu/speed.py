# SPDX-License-Identifier: BSD-3-Clause
"""A speed controller as an FMU, by PythonFMU (pip install pythonfmu):

    pythonfmu build -f speed.py
    rut run world.xml --allow-fmu
"""
from pythonfmu import Fmi2Causality, Fmi2Slave, Fmi2Variability, Real


class Speed(Fmi2Slave):
    """Proportional and integral, with a limit of the torque that also holds the integral."""

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.measured, self.torque, self.integral = 0.0, 0.0, 0.0
        self.goal, self.gain, self.time, self.limit = 1.0, 8.0, 0.5, 6.0
        self.register_variable(Real("measured", causality=Fmi2Causality.input))
        self.register_variable(Real("torque", causality=Fmi2Causality.output))
        for name in ("goal", "gain", "time", "limit"):
            self.register_variable(Real(name, causality=Fmi2Causality.parameter, variability=Fmi2Variability.fixed))

    def do_step(self, current_time, step_size):
        error = self.goal - self.measured
        wanted = self.gain * (error + self.integral / self.time)
        self.torque = min(self.limit, max(-self.limit, wanted))
        if wanted == self.torque:
            self.integral += error * step_size
        return True
