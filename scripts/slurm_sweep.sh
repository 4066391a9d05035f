#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Runs a study through Slurm: a controller and a node of Debian's slurmctld, slurmd and munge on this machine, a job array that rut
# sweep --slurm submits, one task of which is requeued, and the job that merges. The merged bytes must be those of a sweep without
# Slurm. For a nightly build: needs root and the packages; else it says so and exits with 77.
#
#   scripts/slurm_sweep.sh [RUT]      RUT: the command, default build/release/rut
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
rut=$(realpath "${1:-$root/build/release/rut}")

skip() {
  echo "skipped: $*"
  exit 77
}
[ "$(id -u)" = 0 ] || skip "needs root, as slurmd does"
[ -x "$rut" ] || skip "there is no $rut"
for program in slurmctld slurmd munged sbatch scontrol squeue; do
  command -v $program >/dev/null || skip "needs $program: apt-get install slurmctld slurmd slurm-client munge"
done

work=$(mktemp -d /tmp/rut_slurm_XXXXXX)
processes=()
finish() {
  for process in "${processes[@]}"; do kill "$process" 2>/dev/null; done
  sleep 1
  rm -rf "$work"
}
trap finish EXIT

# ---- a cluster of one node ----
host=$(hostname -s)
mkdir -p "$work/state" "$work/spool" "$work/munge"
dd if=/dev/urandom of="$work/munge/key" bs=1024 count=1 2>/dev/null
chmod 700 "$work/munge"
chmod 400 "$work/munge/key"
chmod 755 "$work"
munged --force --foreground --key-file="$work/munge/key" --socket="$work/munge.socket" --pid-file="$work/munge/pid" \
  --log-file="$work/munge/log" --seed-file="$work/munge/seed" &
processes+=($!)
cat >"$work/slurm.conf" <<EOF
ClusterName=rut
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=16817
SlurmdPort=16818
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$work/munge.socket
CredType=cred/munge
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
MpiDefault=none
ReturnToService=2
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP
EOF
export SLURM_CONF=$work/slurm.conf
slurmctld -D -f "$work/slurm.conf" >"$work/controller" 2>&1 &
processes+=($!)
slurmd -D -f "$work/slurm.conf" >"$work/node" 2>&1 &
processes+=($!)
for _ in $(seq 60); do
  [[ $(sinfo -h -o %T 2>/dev/null) == *idle* ]] && break
  sleep 1
done
if [[ $(sinfo -h -o %T 2>/dev/null) != *idle* ]]; then
  tail -5 "$work"/*.log "$work/controller" "$work/node"
  echo "FAIL: the node does not come up"
  exit 1
fi

# ---- the study ----
mkdir "$work/job"
cat >"$work/job/w.xml" <<'EOF'
<world timestep="0.5 ms" duration="60 s" gravity="0"><mechanism name="m">
  <body name="b" joint="slide" axis="1 0 0" mass="1" inertia="1 1 1 0 0 0" stiffness="4" initial_position="1"/></mechanism></world>
EOF
cat >"$work/job/s.xml" <<'EOF'
<study world="w.xml" design="sobol" samples="120">
  <vary type="uniform" name="k" path="m/b.stiffness" from="1" to="9"/>
  <measure type="last" name="x" signal="m/q0"/>
</study>
EOF
cd "$work/job" || exit 1
"$rut" sweep s.xml -o alone.db --quiet || exit 1
"$rut" sweep merge alone.db -o alone_all.db --quiet || exit 1
"$rut" sweep s.xml --slurm --tasks 3 || exit 1
squeue -h -o '%F %j' >"$work/jobs"
job=$(awk '$2 == "s" { print $1; exit }' "$work/jobs")

# ---- one task is requeued while it runs ----
for _ in $(seq 100); do
  [ -s s.1-of-3.db ] && break
  sleep 0.1
done
scontrol requeue "${job}_1" && echo "requeued ${job}_1"
# a requeued job begins after two minutes, unless it is released
for _ in $(seq 300); do
  [[ $(squeue -h -o '%i %r') == *BeginTime* ]] && scontrol update "JobId=${job}_1" StartTime=now 2>/dev/null
  [ -z "$(squeue -h)" ] && break
  sleep 1
done
squeue
cat s.*.log
scontrol show job "${job}_1" 2>/dev/null | grep -o 'Restarts=[0-9]*'
if cmp s.db alone_all.db; then
  echo "Slurm: the same bytes from 3 shards, one of which was requeued"
else
  echo "FAIL: Slurm gives other bytes"
  tail -20 "$work/slurmctld.log"
  exit 1
fi
