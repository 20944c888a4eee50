//! `murmuration-cluster`: one world over the ranks of MPI, with the options of `murmuration`.
//!
//! ```text
//! mpirun -n 4 murmuration-cluster render droplets --size 4096x4096 --steps 1000 --json
//! ```

mod communicator;

use communicator::MpiRanks;
use mpi::Threading;
use mpi::traits::Communicator;
use murmuration::cli::{self, RankEnd};
use std::io::{Write, stderr};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

/// The time that a failed rank waits for the others to end. They often fail too, because they got the same input.
const GRACE: Duration = Duration::from_secs(2);

/// The exit status if MPI cannot be used.
const FAILED: u8 = 1;
const PANICKED: u8 = 101;

fn main() -> ExitCode {
    let launched = cli::launched_processes(|name| std::env::var(name).ok());
    let Some((universe, threading)) = mpi::initialize_with_threading(Threading::Serialized) else {
        return refuse("MPI was started before");
    };
    let world = universe.world();
    if threading < Threading::Serialized {
        // All ranks have the same MPI, so only the first rank prints the problem.
        let problem = "this MPI has no thread level MPI_THREAD_SERIALIZED, which the threads of a rank need";
        return if world.rank() == 0 { refuse(problem) } else { ExitCode::from(FAILED) };
    }
    let ranks = Arc::new(MpiRanks::new(&world));
    // A rank that panics ends all others. The panic has already been printed.
    let Ok(end) = catch_unwind(AssertUnwindSafe(|| cli::run_on_ranks(ranks.clone(), launched))) else {
        ranks.abort(PANICKED)
    };
    let RankEnd { status, has_failed, unsaid } = end;
    let patience = has_failed.then_some(GRACE);
    if !ranks.wait_for_all(patience) {
        for message in unsaid {
            let _ = writeln!(stderr(), "{message}");
        }
        // A rank that only prints its help has no error, but it ends the others too.
        ranks.abort(status.max(FAILED));
    }
    ExitCode::from(status)
}

fn refuse(problem: &str) -> ExitCode {
    let _ = writeln!(stderr(), "murmuration-cluster: {problem}");
    ExitCode::from(FAILED)
}
