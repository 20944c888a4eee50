//! A swarm inside another wgpu program. The swarm is played on the device of the program, and drawn into a texture of
//! the program.
//!
//! ```text
//! cargo run --release --example own_device
//! ```
//!
//! writes six frames into `frames/own-device/`.

use glam::{UVec2, uvec2};
use murmuration::{BOID, Dispatch, EngineChoice, LIBRARY, Overrides, Preset, Simulation, host_on_device};
use murmuration_gpu::look::{Camera, SwarmRenderer, SwarmSource};
use std::error::Error;
use std::path::Path;

const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8UnormSrgb;
const SIZE: UVec2 = uvec2(960, 640);
const STEPS_PER_FRAME: u64 = 60;

fn main() -> Result<(), Box<dyn Error>> {
    // A wgpu program already has these objects.
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
    let adapter = pollster::block_on(instance.request_adapter(&Default::default()))?;
    let (device, queue) = pollster::block_on(adapter.request_device(&Default::default()))?;
    println!("adapter: {}", adapter.get_info().name);

    // The simulation plays on the device of the program.
    let host = host_on_device(&device, &queue);
    let preset = Preset::load(&host, "droplets", &Overrides { size: Some((384, 256)), ..Overrides::default() })?;
    let world = preset.world.clone();
    let look = preset.look.clone();
    let chain = preset.load_chain(None)?;
    let mut simulation = Simulation::new(preset, &chain, EngineChoice::Gpu(Dispatch::default()))?;

    let target = target(&device);
    let view = target.create_view(&Default::default());
    let camera = Camera::fit(world.extents, world.edges, SIZE).into();
    let mut renderer = SwarmRenderer::new(LIBRARY, &device, &queue, FORMAT)?;
    let folder = Path::new("frames/own-device");
    std::fs::create_dir_all(folder)?;
    for frame in 0..6 {
        // The picture reads the swarm from the textures of the engine.
        renderer.show(SwarmSource::new(&mut simulation, Some(renderer.gpu()))?, &world);
        let mut encoder = device.create_command_encoder(&Default::default());
        renderer.draw(&mut encoder, &view, SIZE, &camera, &look);
        queue.submit([encoder.finish()]);
        renderer.submitted();
        save(&device, &queue, &target, &folder.join(format!("{frame}.png")))?;
        simulation.advance(STEPS_PER_FRAME)?;
    }

    let account = simulation.account()?;
    println!("{} boids, lost {}", account.quanta / u64::from(BOID), account.lost);
    Ok(())
}

/// The texture into which the swarm is drawn.
fn target(device: &wgpu::Device) -> wgpu::Texture {
    device.create_texture(&wgpu::TextureDescriptor {
        label: Some("target"),
        size: wgpu::Extent3d { width: SIZE.x, height: SIZE.y, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: FORMAT,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
        view_formats: &[],
    })
}

/// Reads the texture back and writes it as a PNG. A row of 960 pixels is a multiple of 256 bytes, as a copy requires.
fn save(device: &wgpu::Device, queue: &wgpu::Queue, target: &wgpu::Texture, path: &Path) -> Result<(), Box<dyn Error>> {
    let buffer = device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("frame"),
        size: u64::from(4 * SIZE.x * SIZE.y),
        usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
        mapped_at_creation: false,
    });
    let layout = wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(4 * SIZE.x), rows_per_image: None };
    let copy = wgpu::TexelCopyBufferInfo { buffer: &buffer, layout };
    let mut encoder = device.create_command_encoder(&Default::default());
    encoder.copy_texture_to_buffer(target.as_image_copy(), copy, target.size());
    queue.submit([encoder.finish()]);
    buffer.map_async(wgpu::MapMode::Read, .., |mapped| mapped.expect("the frame is read back"));
    device.poll(wgpu::PollType::wait_indefinitely())?;
    image::save_buffer(path, &buffer.get_mapped_range(..)?, SIZE.x, SIZE.y, image::ColorType::Rgba8)?;
    Ok(())
}
