//! `murmuration compare`: plays a preset with both models and measures them.

mod individuals;

use super::options::{EngineOptions, LookOptions, PresetOptions, check_folder, whole};
use super::progress::{RunProgress, listen};
use super::run::loss;
use super::{FAILED, INTERRUPTED, complain, remark, say, say_json};
use crate::compare::comparison::Snapshot;
use crate::compare::grain::MAX_GRAIN;
use crate::compare::measures::{AGREEMENTS, Measure, Measures, of_swarm, units_of_columns};
use crate::compare::pair::choice_for_individuals;
use crate::compare::panels::panels;
use crate::compare::report::Report;
use crate::compare::{Comparison, FinalResults, ModelPair, Pair, Resolution, spectrum};
use crate::files::frames::{FrameFolder, Schedule, series};
use crate::files::write_atomically;
use crate::observe::{Caption, Picture, StatisticsRecord, write_png};
use crate::painter::FramePainter;
use crate::provenance::{KEY, Provenance};
use crate::run::{Moment, Observer, Run, RunTime, Stepper};
use image::ExtendedColorType;
use image::codecs::jpeg::JpegEncoder;
use murmuration_core::error::Failure;
use murmuration_core::simulation::{Account, Simulation};
use murmuration_core::state::Entry;
use murmuration_core::text::readable::{boids, grouped, signed_boids};
use murmuration_core::world::Extents;
use serde_json::{Map, Value, json};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The default number of rows, enough for a smooth plot.
const USUAL_ROWS: u64 = 60;
/// The maximum number of pictures in memory for the report.
const MAX_KEPT: usize = 64;
/// The quality of the pictures in the report, 1 to 100.
const JPEG_QUALITY: u8 = 88;

/// Play a preset of the cell system with its cells and with individuals, and measure their agreement.
///
/// A preset of individuals is played by them alone, for their own measures. The folder of --out gets measures.csv,
/// statistics.json and frames/.
///
/// Both models of a preset of cells have the same start, the same rules with the same weights, and the same hunter. The
/// folder of --out gets index.html, a self-contained report with pictures; measures.csv, a row of all measures of both
/// models for each due step; spectra.csv, the structure factors of the last step; statistics.json, the statistics of
/// both at the last step; and frames/, pictures of both swarms and their difference. An interrupted run writes all of
/// this too.
///
/// Exit status: 0; 1 if boids were lost or the run failed; 2 for bad input; 130 if interrupted.
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = "\
Examples:
  murmuration compare shoal-compare --out report                        then open report/index.html
  murmuration compare mill-compare --steps 2000 --every 20 --out mill
  murmuration compare droplets --size 256x256 --set movement.wander=0 --out out
  murmuration compare hunt-compare --seed 7 --json                      the numbers alone")]
pub struct Arguments {
    /// A built-in preset (see `murmuration presets`), or the path of one
    preset: PathBuf,
    /// Steps to play
    #[arg(long, default_value_t = 600, value_name = "N", value_parser = whole::<u64>(0..=u64::MAX))]
    steps: u64,
    /// Measure every K steps, step 0 included [default: a sixtieth of the steps]
    #[arg(long, value_name = "K", value_parser = whole::<u64>(1..=u64::MAX))]
    every: Option<u64>,
    /// Write the report, tables and pictures into this folder; without it the measures of the last step are only
    /// printed
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Remove frames of other runs from the folder of --out where they would remain among the new ones; nothing else is
    /// removed
    #[arg(long, requires = "out")]
    overwrite: bool,
    /// The grain of coarse-graining: densities are compared as means over N x N cells; odd
    #[arg(long, value_name = "N", default_value_t = Resolution::default().grain, value_parser = parse_grain)]
    grain: u32,
    /// The least mean density of the grain around an occupied cell, in boids per cell
    #[arg(long, value_name = "BOIDS", default_value_t = Resolution::default().occupied, value_parser = parse_occupied)]
    occupied: f64,
    #[command(flatten)]
    overrides: PresetOptions,
    #[command(flatten)]
    look: LookOptions,
    #[command(flatten)]
    engine: EngineOptions,
    /// Print one JSON object about the run as the last thing on standard output
    #[arg(long)]
    json: bool,
}

fn parse_grain(text: &str) -> Result<u32, String> {
    let wrong = format!("write an odd number of cells, 1 to {MAX_GRAIN}");
    text.parse().ok().filter(|grain| grain % 2 == 1 && *grain <= MAX_GRAIN).ok_or(wrong)
}

fn parse_occupied(text: &str) -> Result<f64, String> {
    let wrong = "write a density in boids a cell above 0, as in 0.125";
    text.parse().ok().filter(|density| *density > 0.0 && *density <= 65536.0).ok_or(wrong.to_owned())
}

pub fn run(arguments: &Arguments) -> Result<u8, Failure> {
    let choice = arguments.engine.choose()?;
    let look = arguments.look.load()?;
    check_folder(arguments.out.as_deref())?;
    let (preset, chain) = arguments.overrides.load(&arguments.preset, false)?;
    if preset.individuals.is_some() {
        return arguments.run_individuals(Simulation::new(preset, &chain, choice)?, look);
    }
    let remarks = preset.notes();
    let mut pair = Pair::new(preset, &chain, ModelPair { cells: choice, individuals: choice_for_individuals(choice) })?;
    let resolution = Resolution { grain: arguments.grain, occupied: arguments.occupied };
    let every = arguments.every.unwrap_or(arguments.steps.div_ceil(USUAL_ROWS).max(1));
    let mut recorder = ComparisonRecorder {
        arguments,
        folder: arguments.frames(every)?,
        provenance: Arc::new(Provenance::new(&pair.cells).with_look(look.as_ref())),
        frame_painter: FramePainter::with_look(look),
        comparison: Comparison::new(&pair, resolution, every),
        pictures: Vec::new(),
        between: every,
        frames: 0,
        remarks,
    };
    let progress = RunProgress::new(0..arguments.steps, &pair.cells);
    let run = Run::new(&mut pair).to(arguments.steps).stop_when(listen()?);
    let played = run.with(&mut recorder).with(progress).play()?;
    recorder.remarks.extend(played.remarks);
    let end = FinalResults::new(&mut pair)?;
    if let Some(out) = &arguments.out {
        recorder.write(out, &pair, &end)?;
    }
    let step = pair.step();
    if played.is_stopped {
        remark(format_args!("interrupted at step {step} of {}; the results so far are kept", arguments.steps));
    }
    let mut status = 0;
    for (simulation, account) in [(&pair.cells, end.accounts.cells), (&pair.individuals, end.accounts.individuals)] {
        if account.lost != 0 {
            complain(loss(simulation.chain(), account));
            status = FAILED;
        }
    }
    if arguments.json {
        say_json(recorder.object(&pair, &end))?;
    } else {
        recorder.print(&pair, &end)?;
    }
    Ok(if played.is_stopped { INTERRUPTED } else { status })
}

impl Arguments {
    /// The folder of the frames; `None` without `--out`. The last step always gets a frame.
    fn frames(&self, every: u64) -> Result<Option<FrameFolder>, Failure> {
        let Some(out) = &self.out else { return Ok(None) };
        let schedule = Schedule { first: 0, last: self.steps, every, has_last: true };
        FrameFolder::open(&out.join("frames"), &[series::COMPARISON], schedule, None, self.overwrite).map(Some)
    }
}

/// Records the measures of a pair, and draws its pictures.
struct ComparisonRecorder<'a> {
    arguments: &'a Arguments,
    folder: Option<FrameFolder>,
    comparison: Comparison,
    frame_painter: FramePainter,
    /// The provenance of the run of the cells. The individuals have the same preset.
    provenance: Arc<Provenance>,
    /// Pictures for the report as JPEG, each with its step: the picture of the first step, of the last step, and of
    /// equidistant steps between them.
    pictures: Vec<(u64, Vec<u8>)>,
    /// The number of steps from one equidistant picture to the next.
    between: u64,
    frames: usize,
    /// Notes of the preset, and messages of the run.
    remarks: Vec<String>,
}

impl Observer<Pair> for ComparisonRecorder<'_> {
    fn until_due(&self, time: RunTime) -> u64 {
        self.comparison.until_due(time)
    }

    fn takes_last(&self, _: bool) -> bool {
        true
    }

    fn observe(&mut self, moment: &mut Moment<'_, Pair>) -> Result<(), Failure> {
        if !self.comparison.sample(moment)? {
            return Ok(());
        }
        let snapshot = self.comparison.measure(moment.model)?;
        self.draw(moment.model, snapshot)?;
        self.frame_painter.remarks().into_iter().for_each(|remark| moment.note(remark));
        Ok(())
    }

    /// Writes the table of all rows that were measured until now.
    fn finish(&mut self, moment: &mut Moment<'_, Pair>) -> Result<(), Failure> {
        let Some(out) = &self.arguments.out else { return Ok(()) };
        let (table, step) = (out.join("measures.csv"), moment.time.step);
        self.comparison.write(&table)?;
        self.write_record(&table, step, units_of_columns())?;
        let left = self.folder.as_ref().filter(|_| moment.is_stopped);
        let left = left.map_or(Ok(0), |folder| folder.count_after(step))?;
        if left > 0 {
            moment.note(format!("{left} frames of an earlier run, of steps after {step}, are still there"));
        }
        Ok(())
    }
}

impl ComparisonRecorder<'_> {
    /// Writes the picture of the states that were just measured.
    fn draw(&mut self, pair: &Pair, Snapshot { states, coarse }: Snapshot) -> Result<(), Failure> {
        let Some(folder) = &self.folder else { return Ok(()) };
        let (step, preset) = (pair.step(), pair.cells.preset());
        let pictures = ModelPair {
            cells: self.frame_painter.paint_state((&states.cells, None), None, preset)?,
            individuals: self.frame_painter.paint_state((&states.individuals, None), None, preset)?,
        };
        let picture = panels(step, preset, pictures, &coarse);
        let caption = Caption { provenance: self.provenance.clone(), step };
        write_png(&picture, &folder.file(series::COMPARISON, step, None), &caption)?;
        self.frames += 1;
        // The last stored picture is removed if its step is not one of the equidistant steps.
        self.pictures.pop_if(|(step, _)| !step.is_multiple_of(self.between));
        self.pictures.push((step, jpeg(&picture)?));
        if self.pictures.len() > MAX_KEPT {
            self.between *= 2;
            self.pictures.retain(|(step, _)| step.is_multiple_of(self.between));
        }
        Ok(())
    }

    /// Writes the record of a table into a file beside it. The record has the units of the table's columns.
    fn write_record<C: Into<String>>(
        &self,
        table: &Path,
        step: u64,
        columns: impl IntoIterator<Item = (C, &'static str)>,
    ) -> Result<(), Failure> {
        let units: Map<_, _> = columns.into_iter().map(|(name, unit)| (name.into(), unit.into())).collect();
        let more = Map::from_iter([("columns".to_owned(), Value::Object(units))]);
        self.provenance.write_beside(table, step, more)
    }

    /// Writes the spectra and the page of the report.
    fn write(&self, out: &Path, pair: &Pair, end: &FinalResults) -> Result<(), Failure> {
        let (table, step) = (out.join("spectra.csv"), pair.step());
        spectrum::write(&end.spectra, &table)?;
        self.write_statistics(out, step, end)?;
        self.write_record(&table, step, spectrum::COLUMNS)?;
        let report = Report {
            pair,
            comparison: &self.comparison,
            planned: self.arguments.steps,
            pictures: &self.pictures,
            end,
            command: &command(std::env::args_os().skip(1)),
            record: &self.provenance.text(step),
        };
        let page = report.page()?;
        write_atomically(&out.join("index.html"), |to| to.write_all(page.as_bytes()))
    }

    /// Writes the statistics of both models at the last step. The file includes its record.
    fn write_statistics(&self, out: &Path, step: u64, end: &FinalResults) -> Result<(), Failure> {
        let ModelPair { cells, individuals } = end.statistics.map_ref(StatisticsRecord::describe);
        let of = [("cells", cells), ("individuals", individuals)];
        let more = of.map(|(model, statistics)| (model.to_owned(), Value::Object(statistics)));
        let text = self.provenance.text_beside(step, Map::from_iter(more));
        write_atomically(&out.join("statistics.json"), |to| to.write_all(text.as_bytes()))
    }

    fn print(&self, pair: &Pair, end: &FinalResults) -> Result<(), Failure> {
        let (preset, engine, steps) = (pair.cells.preset(), pair.cells.describe_engine(), grouped(pair.step()));
        let (name, seed, Extents { width, height, .. }) = (&preset.name, preset.seed, preset.world.extents);
        say(format_args!("{name} · {width}x{height} · seed {seed} · {steps} steps · {engine}"))?;
        if let Some(row) = self.comparison.rows.last() {
            let figure = |value: Option<f64>| value.map_or("none".into(), |value| format!("{value:.4}"));
            say(format_args!("{:<32}{:>14}{:>14}", "at the end", "cells", "individuals"))?;
            for measure in of_swarm() {
                let ModelPair { cells, individuals } = row.of.map_ref(|model| figure((measure.of)(model)));
                say(format_args!("{:<32}{cells:>14}{individuals:>14}", measure.title))?;
            }
            let ModelPair { cells, individuals } = pair.pace();
            say(format_args!("{:<32}{cells:>14.3}{individuals:>14.3}", "Milliseconds per step"))?;
            for agreement in &AGREEMENTS {
                let by_chance = agreement.by_chance.map(|(_, of)| format!(" ({} by chance)", figure(of(row))));
                let value = figure((agreement.of)(row));
                say(format_args!("{:<32}{value:>14}{}", agreement.title, by_chance.unwrap_or_default()))?;
            }
        }
        if let Some(report) = self.report() {
            say(format_args!("{} frames, measures.csv, spectra.csv and the report {report}", self.frames))?;
        }
        let held = end.accounts.map(|account| boids(account.quanta));
        let lost = end.accounts.map(|account| signed_boids(account.lost));
        say(format_args!(
            "cells: {} boids · lost {}; individuals: {} · lost {}",
            held.cells, lost.cells, held.individuals, lost.individuals
        ))
    }

    /// The path of the page of the report; `None` without `--out`.
    fn report(&self) -> Option<String> {
        self.arguments.out.as_ref().map(|out| out.join("index.html").display().to_string())
    }

    /// The JSON object of `--json`. Amounts are in quanta.
    fn object(&self, pair: &Pair, end: &FinalResults) -> Value {
        let preset = pair.cells.preset();
        let pace = pair.pace();
        let row = self.comparison.rows.last();
        let of = |simulation: &Simulation, account: Account, hash: &str, pace: f64, model: Option<&Measures>| {
            let value = |measure: &Measure| (measure.name.to_owned(), json!(model.and_then(measure.of)));
            json!({
                "engine": simulation.engine_name(),
                "chain": simulation.chain().name,
                "quanta_start": account.ledger.sum(Entry::Start),
                "quanta_end": account.quanta,
                "spawned": account.ledger.sum(Entry::Spawned),
                "caught": account.ledger.sum(Entry::Caught),
                "lost": account.lost,
                "state_hash": hash,
                "milliseconds_per_step": pace,
                "measures": of_swarm().map(value).collect::<Map<_, _>>(),
            })
        };
        let mut agreement = Map::new();
        for one in &AGREEMENTS {
            for (name, of) in [(one.name, one.of)].into_iter().chain(one.by_chance) {
                agreement.insert(name.into(), json!(row.and_then(of)));
            }
        }
        let (cells, individuals) = (row.map(|row| &row.of.cells), row.map(|row| &row.of.individuals));
        json!({
            "preset": preset.name,
            "size": format!("{}x{}", preset.world.extents.width, preset.world.extents.height),
            "seed": preset.seed,
            "steps": pair.step(),
            "rows": self.comparison.rows.len(),
            "frames": self.frames,
            "remarks": self.remarks,
            "grain": self.comparison.resolution.grain,
            "occupied": self.comparison.resolution.occupied,
            "cells": of(&pair.cells, end.accounts.cells, &end.hashes.cells, pace.cells, cells),
            "individuals":
                of(&pair.individuals, end.accounts.individuals, &end.hashes.individuals, pace.individuals, individuals),
            "agreement": agreement,
            "report": self.report(),
            KEY: self.provenance.record(pair.step()),
        })
    }
}

fn jpeg(picture: &Picture) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    JpegEncoder::new_with_quality(&mut bytes, JPEG_QUALITY)
        .encode(&picture.bytes, picture.width, picture.height, ExtendedColorType::Rgb8)
        .map_err(|error| Failure::Broken(format!("a picture of the report cannot be made: {error}")))?;
    Ok(bytes)
}

/// A command, quoted for a shell, from its arguments. Bytes that are not UTF-8 are written as numbers.
fn command(arguments: impl Iterator<Item = OsString>) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_=./,:+@%".contains(c);
    let quoted = |argument: OsString| match argument.into_string() {
        Ok(text) if !text.is_empty() && text.chars().all(is_plain) => text,
        Ok(text) => format!("'{}'", text.replace('\'', "'\\''")),
        Err(raw) => format!("$'{}'", raw.as_encoded_bytes().escape_ascii()),
    };
    std::iter::once("murmuration".to_owned()).chain(arguments.map(quoted)).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_quoted_where_a_shell_would_take_it_apart() {
        let arguments =
            ["compare", "my presets/a.toml", "--set", "hunter.path=[[0.1, 0.5]]", "it's"].map(OsString::from);
        let expected = r#"murmuration compare 'my presets/a.toml' --set 'hunter.path=[[0.1, 0.5]]' 'it'\''s'"#;
        assert_eq!(command(arguments.into_iter()), expected);
        #[cfg(unix)]
        {
            let raw = std::os::unix::ffi::OsStringExt::from_vec(b"it's \xff\\".to_vec());
            assert_eq!(command(std::iter::once(raw)), r"murmuration $'it\'s \xff\\'");
        }
    }

    #[test]
    fn a_grain_has_a_middle_and_a_threshold_is_above_nothing() {
        assert_eq!(parse_grain("7"), Ok(7));
        assert!(["0", "4", "65", "-3", "x"].iter().all(|text| parse_grain(text).is_err()));
        assert_eq!(parse_occupied("0.5"), Ok(0.5));
        assert!(["0", "-1", "NaN", "inf", "x"].iter().all(|text| parse_occupied(text).is_err()));
    }
}
