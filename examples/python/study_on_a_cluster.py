#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A study of rut on Dask or Ray: its shards are their tasks, and the merged database has the bytes of one process.

    python study_on_a_cluster.py worlds/studies/ramp.xml -o ramp.db                       # a local cluster of Dask
    python study_on_a_cluster.py study.xml -o study.db --shards 200 --address tcp://head:8786
    python study_on_a_cluster.py study.xml -o study.db --engine ray

The folder of the output is seen by all machines, and the command rut is on their PATH (or RUT_COMMAND names it). A task
that is run again, since its machine went away, goes on with what its shard has.
"""
import argparse
import os
import subprocess
from pathlib import Path

RUT = os.environ.get("RUT_COMMAND", "rut")
SOME_FAILED = 4  # runs that diverged are rows as well


def rut(*words):
    done = subprocess.run([RUT, "sweep", *map(str, words), "--quiet"], capture_output=True, text=True, check=False)
    if done.returncode not in (0, SOME_FAILED):
        raise RuntimeError(done.stderr)


def run_shard(study, k, shards, output):
    """Runs part k of a study; returns its database."""
    base = f"{output}.{k}-of-{shards}.db"
    rut(study, "--shard", f"{k}/{shards}", "-o", base, "--resume", "--workers", 1)
    return base


def with_dask(tasks, address):
    from dask.distributed import Client
    with Client(address) if address else Client(threads_per_worker=1, dashboard_address=None) as client:
        return client.gather([client.submit(run_shard, *task, pure=False) for task in tasks])


def with_ray(tasks, address):
    import ray
    ray.init(address=address)
    remote = ray.remote(run_shard)
    return ray.get([remote.remote(*task) for task in tasks])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("study", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True, help="database of all results")
    parser.add_argument("--shards", type=int, default=8)
    parser.add_argument("--engine", choices=("dask", "ray"), default="dask")
    parser.add_argument("--address", help="of a scheduler; without it a cluster on this machine")
    chosen = parser.parse_args()
    output = chosen.output.resolve()
    tasks = [(str(chosen.study.resolve()), k + 1, chosen.shards, str(output)) for k in range(chosen.shards)]
    bases = (with_ray if chosen.engine == "ray" else with_dask)(tasks, chosen.address)
    rut("merge", *bases, "-o", output)
    print(f"{chosen.shards} shards in {output}")


if __name__ == "__main__":
    main()
