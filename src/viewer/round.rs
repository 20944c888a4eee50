//! A round: a minute to catch as many boids as one can, and the best that was ever caught.
//!
//! The minute is counted in steps, so that a slow machine has as many as a fast one and the score is the swarm's own.

use super::play::Snapshot;
use super::style::INK;
use crate::error::Failure;
use crate::files::{home, reading, write_whole};
use crate::numbers::BOID;
use crate::readable::grouped;
use crate::text;
use egui::{Align2, Color32, FontId, Painter, Pos2, Rect, Stroke, pos2, vec2};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The steps of a round, and those of a second of it.
pub const STEPS: u64 = 60 * A_SECOND;
const A_SECOND: u64 = 60;
/// The last seconds are counted in another colour.
const LAST: u64 = 10;

const GOLD: Color32 = Color32::from_rgb(255, 206, 120);
const URGENT: Color32 = Color32::from_rgb(255, 140, 120);

/// Where a round stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// It begins with the command of this number, in another scene than this.
    Asked {
        command: u64,
        before: u64,
    },
    Running {
        scene: u64,
        left: u64,
        score: u64,
    },
    Over {
        score: u64,
        best: Option<u64>,
    },
}

/// The round under way, if there is one, and the best scores.
#[derive(Default)]
pub struct Round {
    stage: Option<Stage>,
    /// Under which name its score counts; `None` where numbers of the preset were changed.
    name: Option<String>,
    scores: Scores,
}

impl Round {
    /// A round begins when the command with this number is obeyed, in the scene of a snapshot taken before.
    ///
    /// # Errors
    /// Where the best scores cannot be read; the round begins, and its score is not kept.
    pub fn begin(&mut self, command: u64, before: &Snapshot) -> Result<(), Failure> {
        let facts = &before.facts;
        self.name = None;
        self.stage = Some(Stage::Asked { command, before: before.scene });
        if facts.overrides.set.is_empty() && facts.has_own_chain {
            self.scores = Scores::read(home::scores())?;
            let size = facts.overrides.size.map_or(String::new(), |(width, height)| format!(" {width}x{height}"));
            self.name = Some(facts.named.clone() + &size);
        }
        Ok(())
    }

    /// Whether a round was begun and is not over.
    pub fn is_on(&self) -> bool {
        matches!(self.stage, Some(Stage::Asked { .. } | Stage::Running { .. }))
    }

    /// The round ends without a score.
    pub fn call_off(&mut self) {
        self.stage = None;
    }

    /// Takes note of what a new snapshot tells.
    ///
    /// # Errors
    /// Where a best score cannot be kept.
    pub fn notice(&mut self, snapshot: &Snapshot) -> Result<(), Failure> {
        let score = snapshot.account.ledger.caught / u64::from(BOID);
        self.stage = match self.stage {
            Some(Stage::Asked { command, .. }) if snapshot.heard < command => self.stage,
            // The scene could not be begun.
            Some(Stage::Asked { before, .. }) if snapshot.scene == before => None,
            // It was begun anew by something else, as by a file that has changed.
            Some(Stage::Running { scene, .. }) if snapshot.scene != scene => None,
            Some(Stage::Asked { .. } | Stage::Running { .. }) if snapshot.step < STEPS => {
                Some(Stage::Running { scene: snapshot.scene, left: STEPS - snapshot.step, score })
            }
            Some(Stage::Asked { .. } | Stage::Running { .. }) => {
                let best = self.name.as_ref().and_then(|name| self.scores.best.get(name).copied());
                self.stage = Some(Stage::Over { score, best });
                if let Some(name) = self.name.take_if(|_| best.is_none_or(|best| score > best)) {
                    return self.scores.keep(name, score);
                }
                self.stage
            }
            // The result is in view until the swarm moves on.
            Some(Stage::Over { .. }) if snapshot.step == STEPS => self.stage,
            _ => None,
        };
        Ok(())
    }

    /// The score so far, and the steps left.
    pub fn running(&self) -> Option<(u64, u64)> {
        match self.stage {
            Some(Stage::Running { left, score, .. }) => Some((score, left)),
            _ => None,
        }
    }

    /// Draws the clock and the score over the middle of `area`'s top, and the result over its middle.
    pub fn show(&self, painter: &Painter, area: Rect) {
        match self.stage {
            Some(Stage::Running { left, score, .. }) => {
                let seconds = left.div_ceil(A_SECOND);
                let ink = if seconds <= LAST { URGENT } else { INK };
                let top = pos2(area.center().x, area.top() + if area.width() < 900.0 { 74.0 } else { 18.0 });
                let clock = format!("{}:{:02}", seconds / 60, seconds % 60);
                let below = words(painter, top, &clock, 34.0, ink);
                let best = self.name.as_ref().and_then(|name| self.scores.best.get(name));
                let best = best.map_or(String::new(), |best| format!("  ·  best {}", grouped(*best)));
                words(painter, below, &format!("{} caught{best}", grouped(score)), 15.0, INK.gamma_multiply(0.8));
            }
            Some(Stage::Over { score, best }) => {
                let middle = area.center() - vec2(0.0, 60.0);
                let card = Rect::from_center_size(middle + vec2(0.0, 56.0), vec2(430.0, 178.0));
                painter.rect_filled(card, 16.0, Color32::from_rgb(5, 8, 16).gamma_multiply(0.82));
                painter.rect_stroke(card, 16.0, Stroke::new(1.0, INK.gamma_multiply(0.15)), egui::StrokeKind::Inside);
                let below = words(painter, middle, &format!("{} boids", grouped(score)), 40.0, INK);
                let (line, ink) = match best {
                    Some(best) if score <= best => (format!("the best so far are {}", grouped(best)), INK),
                    Some(best) => (format!("a new best: it was {}", grouped(best)), GOLD),
                    None => ("caught in a minute".into(), INK),
                };
                let below = words(painter, below + vec2(0.0, 6.0), &line, 17.0, ink.gamma_multiply(0.9));
                let keys = "g  another round   ·   w  watch it again   ·   space  go on";
                words(painter, below + vec2(0.0, 12.0), keys, 13.0, INK.gamma_multiply(0.65));
            }
            _ => {}
        }
    }
}

/// Words whose upper middle is at a place, with a soft shadow; the place below them.
fn words(painter: &Painter, at: Pos2, words: &str, size: f32, ink: Color32) -> Pos2 {
    let font = FontId::proportional(size);
    let shadow = Color32::from_rgb(3, 5, 12).gamma_multiply(0.6);
    painter.text(at + vec2(0.0, 1.5), Align2::CENTER_TOP, words, font.clone(), shadow);
    painter.text(at, Align2::CENTER_TOP, words, font, ink).center_bottom() + vec2(0.0, 4.0)
}

/// The best scores, by preset, and by size where it is not the preset's own.
#[derive(Debug, Default)]
struct Scores {
    path: Option<PathBuf>,
    best: BTreeMap<String, u64>,
}

#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    best: BTreeMap<String, u64>,
}

impl Scores {
    /// The scores in a file; none where there is no file yet.
    fn read(path: Option<PathBuf>) -> Result<Self, Failure> {
        let Some(file) = path.as_ref().filter(|path| path.exists()) else {
            return Ok(Self { path, best: BTreeMap::new() });
        };
        let origin = file.display().to_string();
        let table: Table = text::parse_toml(&origin, &reading::text(&origin)?, "the best scores")?;
        Ok(Self { best: table.best, path })
    }

    /// Takes a score in, and writes the file, with what another window may have written meanwhile.
    fn keep(&mut self, name: String, score: u64) -> Result<(), Failure> {
        *self = Self::read(self.path.take())?;
        let best = self.best.entry(name).or_insert(score);
        *best = score.max(*best);
        let Some(path) = &self.path else { return Ok(()) };
        home::create()?;
        let table = Table { best: self.best.clone() };
        let written = toml::to_string(&table).expect("names and numbers can be written");
        write_whole(path, |to| to.write_all(written.as_bytes()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_outlive_the_program_and_a_spoilt_file_is_not_written_over() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("scores.toml");
        let mut scores = Scores::read(Some(path.clone())).unwrap();
        scores.keep("droplets".into(), 1200).unwrap();
        scores.keep("fog 64x64".into(), 7).unwrap();
        // Another window knows nothing of these.
        Scores { path: Some(path.clone()), ..Scores::default() }.keep("fog".into(), 3).unwrap();
        scores.keep("fog".into(), 2).unwrap();
        let again = Scores::read(Some(path.clone())).unwrap();
        assert_eq!(again.best, BTreeMap::from([("droplets".into(), 1200), ("fog".into(), 3), ("fog 64x64".into(), 7)]));
        std::fs::write(&path, "[best]\ndroplets = -3\n").unwrap();
        let wrong = Scores::read(Some(path.clone())).unwrap_err().to_string();
        assert!(wrong.contains("scores.toml:2"), "{wrong}");
    }
}
