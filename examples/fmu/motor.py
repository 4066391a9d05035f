# SPDX-License-Identifier: BSD-3-Clause
"""A direct current motor on each side of a robot as an FMU, by PythonFMU (pip install pythonfmu):

    pythonfmu build -f motor.py
    rut run drive.xml --allow-fmu
"""
from pythonfmu import Fmi2Causality, Fmi2Slave, Fmi2Variability, Real


class Motor(Fmi2Slave):
    """torque = torque at rest (throttle - speed / no-load speed): the speed falls behind the throttle exponentially."""

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.throttle, self.speed_left, self.speed_right = 0.0, 0.0, 0.0
        self.torque_left, self.torque_right = 0.0, 0.0
        self.rest_torque, self.top_speed = 1.5, 20.0
        for name in ("throttle", "speed_left", "speed_right"):
            self.register_variable(Real(name, causality=Fmi2Causality.input))
        for name in ("torque_left", "torque_right"):
            self.register_variable(Real(name, causality=Fmi2Causality.output))
        for name in ("rest_torque", "top_speed"):
            self.register_variable(Real(name, causality=Fmi2Causality.parameter, variability=Fmi2Variability.fixed))

    def turn(self):
        self.torque_left = self.rest_torque * (self.throttle - self.speed_left / self.top_speed)
        self.torque_right = self.rest_torque * (self.throttle - self.speed_right / self.top_speed)

    def exit_initialization_mode(self):
        self.turn()

    def do_step(self, current_time, step_size):
        self.turn()
        return True
