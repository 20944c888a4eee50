#!/bin/sh
# A sweep over the nodes of a SLURM cluster: each rank plays a part of the runs. Submit it with `sbatch examples/cluster/sweep.sh`.
# Without SLURM it runs on this machine: `RANKS=4 sh examples/cluster/sweep.sh`. Started again, it goes on.
#SBATCH --job-name=murmuration-sweep
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=32
#SBATCH --cpus-per-task=1
#SBATCH --time=01:00:00
set -eu
program=${MURMURATION_CLUSTER:-murmuration-cluster}
sweep=${SWEEP:-examples/vicsek-sweep.toml}
out=${OUT:-vicsek}

if [ -n "${SLURM_JOB_ID:-}" ]; then exec srun "$program" sweep "$sweep" --jobs 1 --out "$out"; fi
exec mpirun -n "${RANKS:-2}" "$program" sweep "$sweep" --jobs 1 --out "$out"
