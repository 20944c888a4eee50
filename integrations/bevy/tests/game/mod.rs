//! A game without a window for tests. The game's time in each frame is the time of one step at [`PACE`].

use bevy::app::PluginsState;
use bevy::log::LogPlugin;
use bevy::prelude::*;
use bevy::render::RenderPlugin;
use bevy::render::settings::WgpuSettings;
use bevy::tasks::tick_global_task_pools_on_main_thread;
use bevy::time::TimeUpdateStrategy;
use bevy::window::ExitCondition;
use bevy_murmuration::SwarmPlugin;
use std::time::Duration;

/// The number of steps a second with which one step is due in each frame.
pub const PACE: f32 = 64.0;
const FRAME: Duration = Duration::from_nanos(1_000_000_000 / PACE as u64);

/// A game without a window, on a graphics device with these settings.
pub fn game_on(device: WgpuSettings) -> App {
    let mut app = App::new();
    let window = WindowPlugin { primary_window: None, exit_condition: ExitCondition::DontExit, ..default() };
    let render = RenderPlugin { render_creation: device.into(), synchronous_pipeline_compilation: true, ..default() };
    let plugins = DefaultPlugins.set(window).set(render).disable::<LogPlugin>();
    #[cfg(feature = "window")]
    let plugins = plugins.disable::<bevy::winit::WinitPlugin>();
    app.add_plugins((plugins, SwarmPlugin)).insert_resource(TimeUpdateStrategy::ManualDuration(FRAME));
    while app.plugins_state() == PluginsState::Adding {
        tick_global_task_pools_on_main_thread();
    }
    app.finish();
    app.cleanup();
    app
}
