//! The preset keys on the panel: a view of the table of keys.

use murmuration_core::preset::keys::{self, Key, Kind, Range, Section, Value};
use std::collections::BTreeMap;

/// A key of a preset, with its widget.
#[derive(Debug, Clone, Copy)]
pub struct Setting<'a> {
    pub key: &'a str,
    pub label: &'a str,
    pub row: &'static Key,
    /// `None`: no widget can show the value.
    pub widget: Option<Widget>,
}

/// The widget of a setting.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Widget {
    Slider { least: f64, most: f64, is_whole: bool, is_logarithmic: bool },
    Choice(&'static [&'static str]),
    Switch,
}

fn widget(row: &Key, range: Range) -> Option<Widget> {
    let is_whole = matches!(row.kind, Kind::Whole(..));
    let slider = |least, most, is_logarithmic| Widget::Slider { least, most, is_whole, is_logarithmic };
    Some(match (range, row.kind) {
        (Range::Words(words), _) | (Range::All, Kind::Choice(words)) => Widget::Choice(words),
        (Range::Linear(least, most), _) => slider(least, most, false),
        (Range::Logarithmic(least, most), _) => slider(least, most, true),
        (Range::All, Kind::Decimal(least, most)) => slider(least, most, false),
        (Range::All, Kind::Whole(least, most)) => slider(least as f64, most as f64, false),
        (Range::All, Kind::Switch) => Widget::Switch,
        (Range::All, Kind::Decimals(..) | Kind::Wholes(..) | Kind::Text) => return None,
    })
}

/// The settings of a section. Weights and sights come first, by name. The others follow in the order of the table.
pub fn settings(section: Section, values: &BTreeMap<String, Value>) -> Vec<Setting<'_>> {
    let mut settings: Vec<_> = values
        .keys()
        .filter_map(|key| {
            let (place, row) = keys::KEYS.iter().enumerate().find(|(_, row)| row.matches(key))?;
            let control = row.control.filter(|control| control.section == section)?;
            let name = key_name(row, key);
            let label = match control.label {
                "" => name,
                label => label,
            };
            Some(((name.is_empty(), place), Setting { key, label, row, widget: widget(row, control.range) }))
        })
        .collect();
    settings.sort_by_key(|((is_plain, place), own)| match section {
        // The settings of one meeting stay together.
        Section::Species => (*is_plain, 0, met(own.key).to_owned(), *place),
        _ => (*is_plain, *place, String::new(), 0),
    });
    settings.into_iter().map(|(_, setting)| setting).collect()
}

/// The name that replaces the `*` of a row in a key; empty if the row has no `*`.
fn key_name<'a>(row: &Key, key: &'a str) -> &'a str {
    let before = row.path.split_once('*').map(|(before, _)| before).filter(|before| !before.ends_with('['));
    before.and_then(|before| key.strip_prefix(before)?.split('.').next()).unwrap_or("")
}

/// The name of the other species in a key such as `species[0].meets.scissors.weight`.
pub fn met(key: &str) -> &str {
    key.split('.').nth(2).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use murmuration_core::preset::{Overrides, Preset};

    #[test]
    fn every_value_has_a_widget_in_one_section() {
        for name in crate::host().library().preset_names() {
            let size = Some((96, 64));
            let preset = Preset::load(crate::host(), name, &Overrides { size, ..Overrides::default() }).unwrap();
            let values = preset.values(&[("cohesion".into(), 512)]);
            let sections = [
                Section::Start,
                Section::Rules,
                Section::Sight,
                Section::Movement,
                Section::World,
                Section::Lives,
                Section::Food,
                Section::Species,
                Section::Hunt,
                Section::Look,
            ];
            let shown: Vec<Setting> = sections.into_iter().flat_map(|section| settings(section, &values)).collect();
            assert_eq!(shown.len(), values.len(), "{name}");
            for setting in shown {
                let is_fitting = match (setting.widget, &values[setting.key]) {
                    (Some(Widget::Slider { .. }), Value::Number(_)) | (Some(Widget::Switch), Value::Switch(_)) => true,
                    (Some(Widget::Choice(words)), Value::Word(word)) => words.contains(word),
                    _ => false,
                };
                assert!(is_fitting, "{name}: {setting:?}");
            }
        }
    }
}
