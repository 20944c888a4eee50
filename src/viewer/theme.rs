//! The two themes of the interface.

use egui::{Color32, CornerRadius, FontId, Stroke, TextStyle, Theme, Visuals, vec2};

/// The colour of text over the swarm. The swarm is dark in both themes.
pub const INK: Color32 = Color32::from_rgb(222, 231, 245);

/// Sets up both themes.
pub fn set_up(context: &egui::Context) {
    context.set_theme(Theme::Dark);
    for (theme, mut visuals) in [(Theme::Dark, Visuals::dark()), (Theme::Light, Visuals::light())] {
        let is_dark = theme == Theme::Dark;
        visuals.panel_fill = if is_dark {
            Color32::from_rgba_unmultiplied(9, 13, 23, 218)
        } else {
            Color32::from_rgba_unmultiplied(244, 246, 250, 226)
        };
        // Windows lie over the swarm and contain small text, so they are almost opaque.
        let [red, green, blue, _] = visuals.panel_fill.to_srgba_unmultiplied();
        visuals.window_fill = Color32::from_rgba_unmultiplied(red, green, blue, 242);
        visuals.widgets.open.weak_bg_fill = visuals.window_fill;
        visuals.selection.bg_fill =
            if is_dark { Color32::from_rgb(46, 92, 150) } else { Color32::from_rgb(150, 190, 240) };
        visuals.slider_trailing_fill = true;
        visuals.widgets.noninteractive.bg_stroke = Stroke::NONE;
        if is_dark {
            visuals.override_text_color = Some(Color32::from_rgb(200, 210, 226));
            visuals.widgets.inactive.bg_fill = Color32::from_rgb(34, 42, 58);
            visuals.widgets.inactive.weak_bg_fill = Color32::from_rgb(28, 35, 50);
        }
        for widget in [&mut visuals.widgets.inactive, &mut visuals.widgets.hovered, &mut visuals.widgets.active] {
            widget.corner_radius = CornerRadius::same(5);
        }
        context.set_visuals_of(theme, visuals);
    }
    context.all_styles_mut(|style| {
        style.spacing.item_spacing = vec2(8.0, 5.0);
        style.spacing.slider_width = 112.0;
        style.text_styles.insert(TextStyle::Body, FontId::proportional(13.0));
        style.text_styles.insert(TextStyle::Button, FontId::proportional(13.0));
        style.text_styles.insert(TextStyle::Small, FontId::proportional(11.0));
        style.interaction.selectable_labels = false;
    });
}
