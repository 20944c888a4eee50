#!/bin/sh
# One large world over the nodes of a SLURM cluster, a rank for each core. Submit it with `sbatch examples/cluster/lattice.sh`.
# Without SLURM it runs on this machine: `RANKS=4 sh examples/cluster/lattice.sh`.
#SBATCH --job-name=murmuration
#SBATCH --nodes=4
#SBATCH --ntasks-per-node=32
#SBATCH --cpus-per-task=1
#SBATCH --time=01:00:00
# The steps of srun get the signal, and end with a checkpoint. With B: the batch shell alone would get it.
#SBATCH --signal=TERM@60
set -eu
program=${MURMURATION_CLUSTER:-murmuration-cluster}
size=${SIZE:-4096x4096}
steps=${STEPS:-1000}
checkpoint=${CHECKPOINT:-lattice.checkpoint}

# The launcher of the queue, or MPI's own.
start() {
    if [ -n "${SLURM_JOB_ID:-}" ]; then exec srun "$@"; else exec mpirun -n "${RANKS:-2}" "$@"; fi
}

# A job that was ended goes on from its last checkpoint, for as many steps more.
if [ -f "$checkpoint" ]; then
    start "$program" render --resume "$checkpoint" --steps "$steps" --threads 1 --engine cpu --checkpoint "$checkpoint" --checkpoint-every 100 --json
fi
start "$program" render droplets --size "$size" --steps "$steps" --threads 1 --engine cpu --checkpoint "$checkpoint" --checkpoint-every 100 --json
