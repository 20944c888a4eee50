//! The shared code of the examples: a game in a window, or without a window for a picture in a file.
//!
//! ```text
//! --screenshot FILE   no window: writes the last frame as PNG
//! --frames N          the number of frames until the last one, 1/60 s each (default 120)
//! --size WxH          the width and height of the picture in pixels (default 1280x720)
//! ```

use bevy::app::{AppExit, ScheduleRunnerPlugin};
use bevy::camera::RenderTarget;
use bevy::prelude::*;
use bevy::render::RenderPlugin;
use bevy::render::gpu_readback::{ReadbackComplete, ReadbackOnce};
use bevy::render::render_resource::{TextureFormat, TextureUsages};
use bevy::time::TimeUpdateStrategy;
use bevy::window::ExitCondition;
use bevy_murmuration::{SwarmError, SwarmSimulation};
use std::path::PathBuf;
use std::process::exit;
use std::time::Duration;

const FRAME: Duration = Duration::from_nanos(1_000_000_000 / 60);

/// The options of an example on its command line.
#[derive(Resource, Clone)]
pub struct Options {
    screenshot: Option<PathBuf>,
    frames: u32,
    size: UVec2,
}

impl Options {
    fn read() -> Result<Self, String> {
        let mut options = Self { screenshot: None, frames: 120, size: UVec2::new(1280, 720) };
        let mut words = std::env::args().skip(1);
        while let Some(option) = words.next() {
            let mut value = || words.next().ok_or(format!("{option} takes a value"));
            match &*option {
                "--screenshot" => options.screenshot = Some(value()?.into()),
                "--frames" => options.frames = value()?.parse().map_err(|_| "--frames takes a number")?,
                "--size" => {
                    let value = value()?;
                    let sides = value.split_once('x').and_then(|(x, y)| Some((x.parse().ok()?, y.parse().ok()?)));
                    options.size = sides.ok_or("--size takes two numbers, such as 1280x720")?.into();
                }
                _ => return Err(format!("there is no {option}; known are --screenshot, --frames and --size")),
            }
        }
        Ok(options)
    }
}

/// A game in a window with this title, or without a window if there is a screenshot to take.
pub fn app(title: &str) -> App {
    let options = Options::read().unwrap_or_else(|problem| {
        eprintln!("{problem}");
        exit(2);
    });
    let mut app = App::new();
    let is_windowed = options.screenshot.is_none();
    if is_windowed && cfg!(not(feature = "window")) {
        eprintln!("this build has no windows: leave out --no-default-features, or take --screenshot FILE");
        exit(2);
    }
    let window = Window { title: title.into(), resolution: options.size.into(), ..default() };
    let window = WindowPlugin {
        primary_window: is_windowed.then_some(window),
        exit_condition: if is_windowed { ExitCondition::OnAllClosed } else { ExitCondition::DontExit },
        ..default()
    };
    let render = RenderPlugin { synchronous_pipeline_compilation: !is_windowed, ..default() };
    let plugins = DefaultPlugins.set(window).set(render);
    #[cfg(feature = "window")]
    let plugins = if is_windowed { plugins } else { plugins.disable::<bevy::winit::WinitPlugin>() };
    app.add_plugins(plugins);
    if !is_windowed {
        app.add_plugins(ScheduleRunnerPlugin::run_loop(Duration::ZERO))
            .insert_resource(TimeUpdateStrategy::ManualDuration(FRAME))
            .add_systems(Update, take_picture);
    }
    app.insert_resource(options);
    app
}

/// The target of the camera: the window, or an image in a game without a window.
pub fn target(options: &Options, images: &mut Assets<Image>) -> RenderTarget {
    if options.screenshot.is_none() {
        return RenderTarget::default();
    }
    let UVec2 { x, y } = options.size;
    let mut image = Image::new_target_texture(x, y, TextureFormat::Rgba8UnormSrgb, None);
    image.texture_descriptor.usage |= TextureUsages::COPY_SRC;
    RenderTarget::Image(images.add(image).into())
}

/// Counts the frames from the start of the swarm. Saves the frame with the number `frames` as a PNG, and ends the game.
fn take_picture(
    mut commands: Commands,
    options: Res<Options>,
    targets: Query<&RenderTarget>,
    swarms: Query<(), With<SwarmSimulation>>,
    errors: Query<(), With<SwarmError>>,
    mut exit: MessageWriter<AppExit>,
    mut frame: Local<u32>,
) {
    if !errors.is_empty() {
        exit.write(AppExit::error());
    }
    *frame += u32::from(!swarms.is_empty());
    if *frame != options.frames {
        return;
    }
    *frame += 1;
    let Some(image) = targets.iter().find_map(|target| target.as_image()) else { return };
    let path = options.screenshot.clone().unwrap_or_default();
    let size = options.size;
    commands.spawn(ReadbackOnce::texture(image.clone())).observe(
        move |read: On<ReadbackComplete>, mut exit: MessageWriter<AppExit>| {
            let saved = image::save_buffer(&path, &read.data, size.x, size.y, image::ColorType::Rgba8);
            exit.write(match saved {
                Ok(()) => AppExit::Success,
                Err(problem) => {
                    eprintln!("{}: {problem}", path.display());
                    AppExit::error()
                }
            });
        },
    );
}
