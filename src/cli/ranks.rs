//! The program on several ranks (processes of MPI): its commands, and the checks before the first step that all ranks
//! have equal options.

use super::remark;
use crate::host::{bound_memory, free_memory};
use crate::ranks::{RankFacts, set_facts, set_ranks};
use clap::{Arg, ArgAction, ArgMatches, Command};
use murmuration_core::error::{BadInput, Failure};
use murmuration_core::ranks::{Ranks, SharedInput, check_shared_inputs, concat};
use std::ffi::OsStr;
use std::num::NonZero;
use std::sync::Arc;
use std::thread::available_parallelism;
use sysinfo::System;

/// The commands that ranks can play, and whether all ranks play one world together. The ranks of `sweep` play different
/// runs.
const COMMANDS: [(&str, bool); 4] = [("render", true), ("replay", true), ("verify", true), ("sweep", false)];

/// The options that may differ between ranks, because they do not change results.
const OWN_OPTIONS: [&str; 4] = ["engine", "dispatch", "threads", "jobs"];

/// The environment variables in which launchers, such as `srun`, store the number of processes.
const COUNTS: [&str; 3] = ["SLURM_STEP_NUM_TASKS", "PMI_SIZE", "OMPI_COMM_WORLD_SIZE"];
/// The environment variable in which PMIx stores the number of the process, from 0.
const NUMBER: &str = "PMIX_RANK";

const EXAMPLES: &str = "\
Examples:
  mpirun -n 4 murmuration-cluster render droplets --size 4096x4096 --steps 1000 --threads 1 --json
  mpirun -n 4 murmuration-cluster render --resume end.checkpoint --steps 1000 --threads 1 --checkpoint end.checkpoint
  mpirun -n 2 murmuration-cluster verify '#preset=droplets&steps=60&hash=…'
  mpirun -n 8 murmuration-cluster sweep droplets --set weights.cohesion=0:1:0.25 --seeds 1..5 --out cohesion
All ranks get the same options, except --engine, --dispatch, --threads and --jobs.";

/// The arguments of the program on ranks. The help shows only the commands that ranks can play.
pub fn command(ranks: &dyn Ranks) -> Command {
    let all = <super::Arguments as clap::CommandFactory>::command();
    let names: Vec<String> = all.get_subcommands().map(|command| command.get_name().to_owned()).collect();
    let is_played = |name: &str| COMMANDS.iter().any(|(played, _)| *played == name);
    let hidden = names.into_iter().filter(|name| !is_played(name));
    let all = hidden.fold(all, |all, name| all.mut_subcommand(name, |command| command.hide(true)));
    let version = format!("{} ({})", env!("CARGO_PKG_VERSION"), ranks.library());
    let help = "Play alone although a launcher has started several processes without a common MPI";
    all.name("murmuration-cluster")
        // clap needs a text that lives as long as the program.
        .version(&*version.leak())
        .after_help(EXAMPLES)
        .arg(Arg::new("alone").long("alone").global(true).action(ArgAction::SetTrue).help(help))
}

/// Checks that the ranks can play the command together, and divides the memory of each machine among its ranks. Every
/// rank calls this function. `launched`: the value of [`launched_processes`] before MPI began.
///
/// # Errors
/// `BadInput` if options differ between ranks, ranks cannot play the command, or the processes have no common MPI.
/// Another `Failure` if another rank has ended.
pub fn begin(
    ranks: &Arc<dyn Ranks>,
    launched: Option<&str>,
    table: &Command,
    matches: &ArgMatches,
) -> Result<(), Failure> {
    if !matches.get_flag("alone") {
        check_launcher(&**ranks, launched)?;
    }
    let mut inputs = vec![SharedInput::new("version", env!("CARGO_PKG_VERSION"))];
    add_options(table, matches, &mut inputs);
    let own = OWN_OPTIONS.map(|option| format!("--{option}")).join(", ");
    check_shared_inputs(&**ranks, &inputs, &format!("give all ranks the same options; {own} may differ"))?;
    let name = matches.subcommand_name().unwrap_or_default();
    let Some((_, is_one_world)) = COMMANDS.iter().find(|(played, _)| *played == name) else {
        let played = COMMANDS.map(|(played, _)| played).join(", ");
        let problem = if name.is_empty() { "is missing" } else { "is not played over ranks" };
        let cure = format!("ranks play {played}; start other commands with `murmuration`, without ranks");
        return Err(BadInput::new(format!("the command {name}").trim_end(), problem, cure).into());
    };
    let hosts = ranks.gather(System::host_name().unwrap_or_default().as_bytes())?;
    share_memory(&hosts[ranks.rank()], &hosts);
    if *is_one_world {
        set_ranks(ranks.clone());
        set_facts(RankFacts::new(&hosts, ranks.library()));
    }
    let threads = matches.subcommand().and_then(|(_, matches)| matches.try_get_one::<u16>("threads").ok().flatten());
    compare_threads(&**ranks, threads.copied())
}

/// The environment variable by which a launcher shows that it has started several processes, as `NAME=VALUE`. `None` if
/// there is no such variable. MPI changes such variables when it begins. `variable` reads the environment.
pub fn launched_processes(variable: impl Fn(&str) -> Option<String>) -> Option<String> {
    let is_above = |name: &str, bound: u64| {
        let number = variable(name).and_then(|text| text.parse::<u64>().ok());
        number.filter(|number| *number > bound).map(|number| format!("{name}={number}"))
    };
    COUNTS.into_iter().find_map(|name| is_above(name, 1)).or_else(|| is_above(NUMBER, 0))
}

/// Fails if a launcher has started several processes that MPI does not join. `launched`: the value of
/// [`launched_processes`].
fn check_launcher(ranks: &dyn Ranks, launched: Option<&str>) -> Result<(), BadInput> {
    let Some(launched) = launched.filter(|_| ranks.size() == 1) else { return Ok(()) };
    let problem = "a launcher has started several processes, which have no common MPI: each would play the whole run";
    let cure = format!(
        "use the mpirun of this MPI ({}), or srun with its plugin, as in `srun --mpi=pmix`; --alone plays alone",
        ranks.library()
    );
    Err(BadInput::new(launched, problem, cure))
}

/// Adds the names and values of all options of a command and its subcommands, except [`OWN_OPTIONS`].
fn add_options(table: &Command, matches: &ArgMatches, inputs: &mut Vec<SharedInput>) {
    for argument in table.get_arguments() {
        let id = argument.get_id().as_str();
        let Ok(Some(values)) = matches.try_get_raw(id) else { continue };
        if OWN_OPTIONS.contains(&id) {
            continue;
        }
        let values: Vec<_> = values.map(OsStr::to_string_lossy).collect();
        let name = argument.get_long().map_or_else(|| id.to_owned(), |long| format!("--{long}"));
        inputs.push(SharedInput::new(name, values.join(" ")));
    }
    if let Some((name, below)) = matches.subcommand() {
        inputs.push(SharedInput::new(format!("the command of {}", table.get_name()), name));
        if let Some(table) = table.find_subcommand(name) {
            add_options(table, below, inputs);
        }
    }
}

/// Sets the maximum memory of this rank: its share of the machine's free memory. `own`: the name of this rank's
/// machine. `hosts`: the names of the machines of all ranks.
fn share_memory(own: &[u8], hosts: &[Vec<u8>]) {
    let beside = hosts.iter().filter(|name| *name == own).count();
    if let Some(free) = free_memory().filter(|_| beside > 1) {
        bound_memory(free / beside as u64);
    }
}

/// Reports a rank with more threads than cores. `threads`: the option `--threads` of this rank.
fn compare_threads(ranks: &dyn Ranks, threads: Option<u16>) -> Result<(), Failure> {
    let cores = available_parallelism().map_or(1, NonZero::get) as u64;
    let own = [threads.map_or(cores, u64::from), cores];
    let all: Vec<u64> = concat(&ranks.gather(own.map(u64::to_ne_bytes).as_flattened())?);
    if let Some((rank, pair)) = all.chunks_exact(2).enumerate().find(|(_, pair)| pair[0] > pair[1]) {
        remark(format_args!(
            "rank {rank} has {} threads and may use {} {}; give mpirun `--bind-to none`, or srun `--cpus-per-task`",
            pair[0],
            pair[1],
            if pair[1] == 1 { "core" } else { "cores" }
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use murmuration_core::ranks::{SingleRank, ThreadRanks};

    #[test]
    fn processes_without_a_common_mpi_are_refused() {
        let told = |name: &'static str, value: &str| {
            let value = value.to_owned();
            launched_processes(move |asked: &str| (asked == name).then(|| value.clone()))
        };
        for name in COUNTS {
            assert_eq!(told(name, "2"), Some(format!("{name}=2")));
            assert_eq!(told(name, "1"), None);
        }
        assert_eq!((told(NUMBER, "1"), told(NUMBER, "0")), (Some("PMIX_RANK=1".into()), None));
        // A batch script, which is one process, has this variable too.
        assert_eq!(told("SLURM_NTASKS", "64"), None);
        check_launcher(&SingleRank, None).unwrap();
        assert_eq!(check_launcher(&SingleRank, Some("PMI_SIZE=2")).unwrap_err().origin, "PMI_SIZE=2");
        let pair = ThreadRanks::all(2);
        check_launcher(&pair[0], Some("PMI_SIZE=2")).unwrap();
    }

    #[test]
    fn options_are_compared_without_those_of_a_rank() {
        let table = command(&SingleRank);
        let inputs = |line: &str| {
            let matches = table.clone().try_get_matches_from(line.split(' ')).unwrap();
            let mut inputs = Vec::new();
            add_options(&table, &matches, &mut inputs);
            inputs
        };
        let plain = inputs("x render droplets --seed 1 --set a=1 --set b=2");
        assert_eq!(plain, inputs("x render droplets --seed 1 --set a=1 --set b=2 --engine cpu --threads 3"));
        assert!(plain.contains(&SharedInput::new("--set", "a=1 b=2")), "{plain:?}");
        assert_ne!(plain, inputs("x render droplets --seed 2 --set a=1 --set b=2"));
        assert_ne!(plain, inputs("x sweep droplets --set a=1 --set b=2 --out c"));
    }
}
