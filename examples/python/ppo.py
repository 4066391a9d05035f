#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Proximal policy optimisation (Schulman et al. 2017) in numpy alone, on a vector environment of rut.

    pip install '.[gym]'
    python examples/python/ppo.py Waypoints --svg waypoints.svg
    python examples/python/ppo.py ObstacleField --updates 150 --save obstacle_field.npz

One file, in the form of CleanRL's: lanes step together, advantages by GAE, clipped ratios, two small networks with tanh.
An episode that was cut by the horizon counts on from the value of what was seen last.
"""
import argparse
import sys
import time

import gymnasium
import numpy as np
import rut.gym


class Network:
    """Two hidden layers with tanh; gradients by hand."""

    def __init__(self, rng, widths, last):
        self.weights = [rng.standard_normal((a, b), np.float32) / np.float32(a**0.5) for a, b in zip(widths, widths[1:])]
        self.weights[-1] *= np.float32(last)
        self.biases = [np.zeros(b, np.float32) for b in widths[1:]]

    @property
    def parameters(self):
        return self.weights + self.biases

    def __call__(self, x):
        self.layers = [x]
        for weight, bias in zip(self.weights[:-1], self.biases):
            x = np.tanh(x @ weight + bias)
            self.layers.append(x)
        return x @ self.weights[-1] + self.biases[-1]

    def gradients(self, upstream):
        """Of the sum of upstream times output, after the call; in the order of parameters."""
        weights, biases = [], []
        for i in range(len(self.weights) - 1, -1, -1):
            weights.insert(0, self.layers[i].T @ upstream)
            biases.insert(0, upstream.sum(0))
            if i:
                upstream = upstream @ self.weights[i].T * (1 - self.layers[i]**2)
        return weights + biases


class Adam:
    def __init__(self, parameters, rate):
        self.parameters, self.rate, self.count = parameters, rate, 0
        self.mean = [np.zeros_like(p) for p in parameters]
        self.square = [np.zeros_like(p) for p in parameters]

    def step(self, gradients, limit=0.5):
        scale = min(1.0, limit / (np.sqrt(sum(np.sum(g**2) for g in gradients)) + 1e-8))
        self.count += 1
        rate = self.rate * np.sqrt(1 - 0.999**self.count) / (1 - 0.9**self.count)
        for p, g, m, s in zip(self.parameters, gradients, self.mean, self.square):
            g = g * scale
            m += 0.1 * (g - m)
            s += 0.001 * (g * g - s)
            p -= rate * m / (np.sqrt(s) + 1e-8)


class Agent:
    def __init__(self, rng, seen, done, width=64):
        self.rng = rng
        self.policy = Network(rng, [seen, width, width, done], 0.01)
        self.value = Network(rng, [seen, width, width, 1], 1.0)
        self.deviation = np.full(done, -0.5, np.float32)  # logarithm
        self.adam = Adam(self.policy.parameters + [self.deviation] + self.value.parameters, 3e-4)

    def act(self, seen):
        mean = self.policy(seen)
        noise = self.rng.standard_normal(mean.shape, np.float32)
        return mean + np.exp(self.deviation) * noise, -0.5 * (noise**2).sum(1) - self.deviation.sum(), self.value(seen)[:, 0]

    def improve(self, seen, action, logp, advantage, returns, clip=0.2, entropy=0.003):
        """A step of Adam down the clipped objective, the value's error and less entropy."""
        n = len(seen)
        mean = self.policy(seen)
        spread = np.exp(self.deviation)
        z = (action - mean) / spread
        ratio = np.exp(-0.5 * (z**2).sum(1) - self.deviation.sum() - logp)
        advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
        # where the clipped term is the smaller one it is constant
        free = np.where(advantage > 0, ratio < 1 + clip, ratio > 1 - clip)
        to_logp = -(free * ratio * advantage / n)[:, None]
        policy = self.policy.gradients(to_logp * z / spread)
        deviation = (to_logp * (z**2 - 1)).sum(0) - entropy
        error = self.value(seen)[:, 0] - returns
        value = self.value.gradients((error / n)[:, None])
        self.adam.step(policy + [deviation] + value)


class Scale:
    """Running mean and deviation of what is seen."""

    def __init__(self, width):
        self.count, self.mean, self.square = 1e-4, np.zeros(width), np.ones(width)

    def add(self, seen):
        total = self.count + len(seen)
        delta = seen.mean(0) - self.mean
        self.square = (self.square * self.count + seen.var(0) * len(seen) + delta**2 * self.count * len(seen) / total) / total
        self.mean = self.mean + delta * len(seen) / total
        self.count = total

    def __call__(self, seen):
        return np.clip((seen - self.mean) / np.sqrt(self.square + 1e-6), -8, 8).astype(np.float32)


def advantages(reward, value, after, ended, cut, gamma, smooth):
    """GAE; `after` is the value of what followed, of the old episode where one ended."""
    out, last = np.zeros_like(reward), 0.0
    for t in range(len(reward) - 1, -1, -1):
        delta = reward[t] + gamma * after[t] * ~ended[t] - value[t]
        last = delta + gamma * smooth * last * ~(ended[t] | cut[t])
        out[t] = last
    return out


def collect(env, agent, scale, seen, steps, gamma):
    """Steps of all lanes with the present policy: rows of what PPO learns from, and returns of finished episodes."""
    rows = {name: [] for name in ("seen", "action", "logp", "value", "reward", "after", "ended", "cut")}
    finished = []
    for _ in range(steps):
        scaled = scale(seen)
        action, logp, value = agent.act(scaled)
        following, reward, ended, cut, infos = env.step(action.astype(np.float32))
        env.returns += reward
        after = agent.value(scale(following))[:, 0]
        for lane in np.flatnonzero(ended | cut):
            finished.append((env.returns[lane], bool(ended[lane] and reward[lane] > 0)))
            env.returns[lane] = 0
            if cut[lane]:
                after[lane] = agent.value(scale(infos["final_obs"][lane][None]))[0, 0]
        # rewards of order 0.1, in single precision as all that is learned from
        for name, item in zip(rows, (scaled, action, logp, value, reward * 0.1, after, ended, cut)):
            rows[name].append(item)
        scale.add(following)
        seen = following.copy()
    return {name: np.array(items) for name, items in rows.items()}, finished, seen


def train(name, given):
    rng = np.random.default_rng(given.seed)
    env = gymnasium.make_vec(f"rut/{name}-v0", num_envs=given.lanes, threads=given.threads, autoreset_mode="SameStep")
    seen = env.reset(seed=given.seed)[0].copy()
    env.returns = np.zeros(given.lanes)
    agent, scale = Agent(rng, seen.shape[1], env.single_action_space.shape[0]), Scale(seen.shape[1])
    scale.add(seen)
    gamma, curve, begin, recent = 0.98, [], time.time(), []
    for update in range(given.updates):
        agent.adam.rate = 1e-3 * (1 - 0.9 * update / given.updates)
        rows, finished, seen = collect(env, agent, scale, seen, given.steps, gamma)
        gain = advantages(rows["reward"], rows["value"], rows["after"], rows["ended"], rows["cut"], gamma, 0.95)
        flat = {k: rows[k].reshape(-1, *rows[k].shape[2:]) for k in ("seen", "action", "logp")}
        gain, returns = gain.ravel().astype(np.float32), (gain + rows["value"]).ravel().astype(np.float32)
        for _ in range(given.epochs):
            for part in np.array_split(rng.permutation(len(gain)), given.parts):
                agent.improve(flat["seen"][part], flat["action"][part], flat["logp"][part], gain[part], returns[part])
        recent = (recent + finished)[-4 * given.lanes:]
        if recent:
            curve.append(((update + 1) * given.steps * given.lanes, time.time() - begin, *np.mean(recent, 0)))
            if update % 10 == 9 or update == given.updates - 1:
                print("{:>9} actions, {:6.1f} s: return {:7.2f}, reached {:.2f}".format(*curve[-1]), flush=True)
    env.close()
    return agent, scale, np.array(curve)


def round_ticks(low, high):
    """A handful of round numbers in a range."""
    step = 10.0 ** np.floor(np.log10((high - low) / 4))
    step *= next(k for k in (1, 2, 5, 10) if (high - low) / (k * step) <= 6)
    return step * np.arange(np.ceil(low / step), np.floor(high / step) + 1)


def draw(path, name, curve):
    """The learning curve as SVG: mean return of the last episodes over actions."""
    x, y = curve[:, 0] / 1e6, curve[:, 2]
    low, high = min(0, y.min()), y.max() * 1.05

    def across(value):
        return 60 + 500 * value / x.max()

    def down(value):
        return 270 - 240 * (value - low) / (high - low)

    points = " ".join(f"{across(a):.1f},{down(b):.1f}" for a, b in zip(x, y))
    ticks = "".join(f'<path d="M60 {down(v):.1f}H560" stroke="#ddd"/><text x="52" y="{down(v) + 4:.1f}" text-anchor="end">{v:g}</text>'
                    for v in round_ticks(low, high))
    ticks += "".join(f'<text x="{across(v):.1f}" y="288" text-anchor="middle">{v:.3g}</text>' for v in round_ticks(0, x.max()))
    text = (f'<svg xmlns="http://www.w3.org/2000/svg" width="600" height="320" font-family="sans-serif" font-size="12">'
            f'<rect width="600" height="320" fill="white"/>{ticks}<path d="M60 30V270H560" fill="none" stroke="#888"/>'
            f'<polyline points="{points}" fill="none" stroke="#1565c0" stroke-width="2"/>'
            f'<text x="310" y="312" text-anchor="middle">actions [million]; {curve[-1, 1]:.0f} s in all</text>'
            f'<text x="60" y="20">{name}: mean return of an episode</text></svg>\n')
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("task", choices=list(rut.gym.TASKS))
    for name, value in (("lanes", 256), ("steps", 32), ("updates", 100), ("epochs", 6), ("parts", 8), ("threads", 1), ("seed", 1)):
        parser.add_argument(f"--{name}", type=int, default=value)
    parser.add_argument("--save", help="write the policy to this .npz")
    parser.add_argument("--svg", help="draw the learning curve")
    given = parser.parse_args()
    agent, scale, curve = train(given.task, given)
    if given.save:
        np.savez(given.save, mean=scale.mean, square=scale.square, **{f"p{i}": p for i, p in enumerate(agent.policy.parameters)})
    if given.svg:
        draw(given.svg, f"rut/{given.task}-v0", curve)
    return 0


if __name__ == "__main__":
    sys.exit(main())
