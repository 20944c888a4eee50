//! The limits of a device: WebGPU's default limits suffice for every pass.
//!
//! The device checks all calls, as a browser does, and computes nothing. A call beyond its limits fails the test. The
//! values that it returns are meaningless.

use murmuration::observe::{LivelinessSampler, Observation};
use murmuration::{Dispatch, EngineChoice, FramePainter, Overrides, Preset, SharedHost, Simulation, Style};
use murmuration_core::individuals::find::{IndividualQuery, LineOfSight};
use murmuration_core::measures::liveliness::LivelinessReading;
use murmuration_core::simulation::probe::{IndividualProbeReading, ProbeReading};
use murmuration_core::simulation::reading::StateHashReading;
use murmuration_core::simulation::{Input, Pointer};
use murmuration_core::world::Mood;
use wgpu::{Backends, InstanceDescriptor, Limits};

/// A host on a device that computes nothing and has these limits.
fn host(limits: Limits) -> SharedHost {
    let mut descriptor =
        InstanceDescriptor { backends: Backends::NOOP, ..InstanceDescriptor::new_without_display_handle() };
    descriptor.backend_options.noop.enable = true;
    let instance = wgpu::Instance::new(descriptor);
    let adapter = pollster::block_on(instance.request_adapter(&Default::default())).unwrap();
    let descriptor = wgpu::DeviceDescriptor { required_limits: limits, ..Default::default() };
    let (device, queue) = pollster::block_on(adapter.request_device(&descriptor)).unwrap();
    murmuration::host_on_device(&device, &queue)
}

/// A preset on a small lattice. `style` replaces the style of its look.
fn preset(host: &SharedHost, name: &str, style: Option<Style>) -> Preset {
    let style = style.map(|style| format!("look.style={}", style.name()));
    let set = ["start.run_in=0".to_owned()].into_iter().chain(style).collect();
    let overrides = Overrides { size: Some((96, 64)), set, ..Overrides::default() };
    Preset::load(host, name, &overrides).unwrap_or_else(|wrong| panic!("{name}: {wrong}"))
}

/// Plays steps and uses everything that a window uses: points, measures, a hunter, lives, the probe, a picture.
fn play(preset: Preset, dispatch: Dispatch) {
    let chain = preset.load_chain(None).unwrap();
    let blocks = LivelinessSampler::blocks_of(&preset);
    let is_cells = preset.individuals.is_none();
    let has_lives = preset.individuals.as_ref().is_some_and(|individuals| individuals.has_lives());
    let mut simulation = Simulation::new(preset, &chain, EngineChoice::Gpu(dispatch)).unwrap();
    simulation.keep_points().unwrap();
    if has_lives {
        simulation.record_lineage().unwrap();
    }
    let pointer = Pointer { place: [320, 320].into(), reach: 20, mood: Mood::Flee, weight: 1500 };
    simulation.apply(Input::Hunter(Some(pointer))).unwrap();
    simulation.apply(Input::Jaws(2)).unwrap();
    simulation.advance(2).unwrap();
    // The account is meaningless, because nothing was computed.
    let _ = simulation.account();
    let _ = simulation.read(StateHashReading);
    let _ = simulation.read(LivelinessReading { blocks });
    let _ = Observation::new(&mut simulation);
    if is_cells {
        let _ = simulation.read(ProbeReading { cell: [20, 20, 0] });
    } else {
        let line =
            LineOfSight { from: [40.0, 30.0, 99.0], ahead: [0.0, 0.0, -1.0], length: 99.0, radius: 0.1, spread: 0.0 };
        let query = IndividualQuery { line: Some(line), number: None };
        let _ = simulation.read(IndividualProbeReading { query });
    }
    let _ = FramePainter::default().paint(&mut simulation);
    assert!(simulation.on_device().is_some(), "another engine plays");
}

const COMPUTE: Dispatch = Dispatch::Compute { workgroup: [64, 1] };

#[test]
fn every_pass_fits_into_webgpus_default_limits() {
    let host = host(Limits::defaults());
    for name in host.library().preset_names() {
        let preset = preset(&host, name, None);
        if preset.individuals.is_none() {
            play(preset.clone(), Dispatch::Fragment);
        }
        play(preset, COMPUTE);
    }
    // Flat and deep cells, several species, and falcons. Individuals have only one style.
    for name in ["droplets", "three", "murmuration", "stoop"] {
        for style in Style::ALL {
            play(preset(&host, name, Some(style)), COMPUTE);
        }
    }
}

#[test]
#[should_panic(expected = "limit")]
fn a_pass_that_needs_more_than_the_limits_is_found() {
    let host = host(Limits { max_storage_buffers_per_shader_stage: 3, ..Limits::defaults() });
    play(preset(&host, "aquarium", None), COMPUTE);
}
