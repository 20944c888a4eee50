//! The clock, the score and the result of a round, over the swarm.

use super::style::INK;
use crate::controller::round::{Round, RoundState, STEPS_A_SECOND};
use crate::readable::grouped;
use egui::{Align2, Color32, FontId, Painter, Pos2, Rect, Stroke, pos2, vec2};

/// The last seconds have another colour.
const LAST_SECONDS: u64 = 10;

const GOLD: Color32 = Color32::from_rgb(255, 206, 120);
const URGENT: Color32 = Color32::from_rgb(255, 140, 120);

/// Draws the clock and the score over the middle of the top of `area`, and the result over its middle.
pub fn show(round: &Round, painter: &Painter, area: Rect) {
    match round.state() {
        Some(RoundState::Running { left, score }) => {
            let seconds = left.div_ceil(STEPS_A_SECOND);
            let ink = if seconds <= LAST_SECONDS { URGENT } else { INK };
            let top = pos2(area.center().x, area.top() + if area.width() < 900.0 { 74.0 } else { 18.0 });
            let clock = format!("{}:{:02}", seconds / 60, seconds % 60);
            let below = text(painter, top, &clock, 34.0, ink);
            let best = round.best().map_or(String::new(), |best| format!("  ·  best {}", grouped(best)));
            text(painter, below, &format!("{} caught{best}", grouped(score)), 15.0, INK.gamma_multiply(0.8));
        }
        Some(RoundState::Over { score, best }) => {
            let middle = area.center() - vec2(0.0, 60.0);
            let card = Rect::from_center_size(middle + vec2(0.0, 56.0), vec2(430.0, 178.0));
            painter.rect_filled(card, 16.0, Color32::from_rgb(5, 8, 16).gamma_multiply(0.82));
            painter.rect_stroke(card, 16.0, Stroke::new(1.0, INK.gamma_multiply(0.15)), egui::StrokeKind::Inside);
            let below = text(painter, middle, &format!("{} boids", grouped(score)), 40.0, INK);
            let (line, ink) = match best {
                Some(best) if score <= best => (format!("the best so far are {}", grouped(best)), INK),
                Some(best) => (format!("a new best: it was {}", grouped(best)), GOLD),
                None => ("caught in a minute".into(), INK),
            };
            let below = text(painter, below + vec2(0.0, 6.0), &line, 17.0, ink.gamma_multiply(0.9));
            let keys = "g  another round   ·   w  watch it again   ·   space  go on";
            text(painter, below + vec2(0.0, 12.0), keys, 13.0, INK.gamma_multiply(0.65));
        }
        None => {}
    }
}

/// Draws text centred below a place, with a soft shadow. Returns the place below it.
fn text(painter: &Painter, at: Pos2, text: &str, size: f32, ink: Color32) -> Pos2 {
    let font = FontId::proportional(size);
    let shadow = Color32::from_rgb(3, 5, 12).gamma_multiply(0.6);
    painter.text(at + vec2(0.0, 1.5), Align2::CENTER_TOP, text, font.clone(), shadow);
    painter.text(at, Align2::CENTER_TOP, text, font, ink).center_bottom() + vec2(0.0, 4.0)
}
