//! The state of a lattice on a device, or the deposit of individuals, for pictures on the same device while the engine
//! plays.

use super::PointList;
use crate::atlas::Atlas;
use crate::device::Gpu;
use crate::device::program::{buffer, texture};
use crate::device::transfer::{self, MAX_BYTES, Words};
use crate::parts::DeviceColumns;
use murmuration_core::error::Failure;
use murmuration_core::state::{Layer, State, WorldColumn};
use murmuration_core::ticket::Ticket;
use murmuration_core::world::Extents;
use parking_lot::Mutex;

use std::sync::Arc;

/// The bytes of a cell: its density and its control vector.
const CELL_BYTES: u64 = 12;

/// The textures that hold the state of a lattice. An engine of cells replaces them with every step, an engine of
/// individuals on request. To draw them, hold [`Gpu::turn`] until the drawing is submitted.
pub struct StateTextures {
    /// The device on which the textures lie.
    pub gpu: Arc<Gpu>,
    /// The extents of the lattice, in cells.
    pub extents: Extents,
    /// Whether the textures are a copy that does not change.
    pub is_fixed: bool,
    current: Mutex<CurrentState>,
    points: Mutex<Option<PointList>>,
}

/// The textures and buffers with the state after a step.
#[derive(Debug, Clone, PartialEq)]
pub struct CurrentState {
    /// The quanta of each cell, a texel for each cell. The slices of a deep world lie side by side, in rows of tiles.
    pub density: wgpu::Texture,
    /// The control vector of each cell, in the same layout: one word for two components, two words for three.
    pub control: wgpu::Texture,
    /// The buffers of the columns of the world, such as falcons.
    pub columns: DeviceColumns,
    /// The individuals to draw; `None` for a swarm of cells.
    pub bodies: Option<BodyList>,
    /// The number of steps played.
    pub step: u64,
    /// The number of replacements of the state. States with the same version are equal.
    pub version: u64,
}

/// A list of individuals on a device.
#[derive(Debug, Clone, PartialEq)]
pub struct BodyList {
    /// An array of `StoredBody`.
    pub buffer: wgpu::Buffer,
    /// The number of entries in the list. Some of them may be empty.
    pub count: u32,
    /// The number of individuals for which each entry stands.
    pub each: u32,
}

impl StateTextures {
    pub(crate) fn new(gpu: Arc<Gpu>, extents: Extents, [density, control]: [wgpu::Texture; 2]) -> Self {
        let (columns, bodies) = (DeviceColumns::default(), None);
        let current = Mutex::new(CurrentState { density, control, columns, bodies, step: 0, version: 0 });
        Self { gpu, extents, is_fixed: false, current, points: Mutex::default() }
    }

    /// The textures and buffers with the present state.
    pub fn current(&self) -> CurrentState {
        self.current.lock().clone()
    }

    /// The points of the present step, if there are any. Steps do not replace their buffers. One of the buffers holds
    /// the number of points.
    pub fn points(&self) -> Option<PointList> {
        self.points.lock().clone()
    }

    /// Sets the buffers of points.
    pub(crate) fn set_points(&self, points: Option<PointList>) {
        *self.points.lock() = points;
    }

    /// Sets the textures that hold the state. `step`: the number of steps played; `None`: this number stays as it is.
    pub(crate) fn replace(&self, [density, control]: [wgpu::Texture; 2], step: Option<u64>) {
        let mut current = self.current.lock();
        let step = step.unwrap_or(current.step);
        let (columns, version) = (std::mem::take(&mut current.columns), current.version + 1);
        *current = CurrentState { density, control, columns, bodies: None, step, version };
    }

    /// Sets the columns of the world.
    pub(crate) fn replace_columns(&self, columns: DeviceColumns) {
        self.current.lock().columns = columns;
    }

    /// Sets the list of individuals, and notes that the textures hold another deposit.
    pub(crate) fn replace_bodies(&self, bodies: BodyList, step: u64) {
        let mut current = self.current.lock();
        (current.bodies, current.step, current.version) = (Some(bodies), step, current.version + 1);
    }

    /// Requests the state of the present step, without columns of the world.
    ///
    /// # Errors
    /// If the device fails or has no room.
    pub fn request(&self) -> Result<Ticket<State>, Failure> {
        let Extents { width, height, depth } = self.extents;
        // Each buffer of the readback has whole rows or whole slices, and at most `MAX_BYTES` bytes.
        let layer = u64::from(width) * if depth.is_some() { u64::from(height) } else { 1 };
        let at_once = (MAX_BYTES / (layer * CELL_BYTES)).max(1) as u32;
        let layers = depth.unwrap_or(height);
        let _turn = self.gpu.turn();
        let CurrentState { density, control, .. } = self.current();
        let textures = [density, control];
        let parts = (0..layers).step_by(at_once as usize).map(|first| {
            let count = at_once.min(layers - first);
            let (first, size) = match depth {
                Some(_) => ([0, 0, first], Extents { depth: Some(count), ..self.extents }),
                None => ([0, first, 0], Extents { height: count, ..self.extents }),
            };
            request_region(&self.gpu, self.extents, &textures, first, size)
        });
        let (parts, extents) = (Ticket::all(parts.collect::<Result<Vec<_>, _>>()?), self.extents);
        Ok(parts.map(move |parts| {
            let mut layer = Layer::default();
            for part in parts.into_iter().flat_map(|part| part.layers) {
                layer.density.extend(part.density);
                layer.control.extend(part.control);
            }
            State::new(extents, vec![layer])
        }))
    }

    /// Copies the textures and the points into new textures and buffers, which do not change.
    ///
    /// # Errors
    /// If the device fails or has no room.
    pub fn copy(&self) -> Result<Self, Failure> {
        let usage =
            wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_SRC | wgpu::TextureUsages::COPY_DST;
        let now = self.current();
        let made = [("density", now.density), ("control", now.control)].map(|(label, from)| {
            texture(&self.gpu.device, label, [from.width(), from.height()], from.format(), 1, usage)
        });
        let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
        let turn = self.gpu.turn();
        let CurrentState { density, control, columns, bodies, step, version } = self.current();
        for (from, to) in [density, control].iter().zip(&made) {
            encoder.copy_texture_to_texture(from.as_image_copy(), to.as_image_copy(), from.size());
        }
        let columns = DeviceColumns::default().encode_copy(&self.gpu, &mut encoder, &columns);
        let bodies = bodies.map(|bodies| {
            let (size, usage) = (bodies.buffer.size(), wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST);
            let copy = buffer(&self.gpu.device, "bodies", size, usage);
            encoder.copy_buffer_to_buffer(&bodies.buffer, 0, &copy, 0, size);
            BodyList { buffer: copy, ..bodies }
        });
        let points = self.points().map(|points| points.encode_copy(&self.gpu.device, &mut encoder));
        self.gpu.submit(encoder);
        drop(turn);
        self.gpu.check()?;
        let [density, control] = made;
        let current = Mutex::new(CurrentState { density, control, columns, bodies, step, version });
        Ok(Self { gpu: self.gpu.clone(), extents: self.extents, is_fixed: true, current, points: Mutex::new(points) })
    }
}

/// Requests a region of a state from its textures. The result has no world columns ([`WorldColumn`]). The first cell
/// and the size are in cells.
///
/// # Errors
/// If the device fails.
pub(crate) fn request_region(
    gpu: &Arc<Gpu>,
    extents: Extents,
    textures: &[wgpu::Texture; 2],
    [left, top, front]: [u32; 3],
    size: Extents,
) -> Result<Ticket<State>, Failure> {
    let encoder = gpu.device.create_command_encoder(&Default::default());
    let (atlas, slices) = (Atlas::new(extents), front..front + size.slices());
    let tiles = |texture| {
        slices.clone().map(move |slice| {
            let [x, y] = atlas.tile(slice);
            Words::Texture(texture, [x + left, y + top], [size.width, size.height])
        })
    };
    let words: Vec<Words<'_>> = textures.iter().flat_map(tiles).collect();
    Ok(transfer::request(gpu, encoder, &words, "state")?.map(move |words| {
        let (density, control) = words.split_at(size.slices() as usize);
        State::new(size, vec![Layer { density: density.concat(), control: control.concat() }])
    }))
}

/// Makes a state from words that were read back. `words`: the density and the control vectors of each layer, followed
/// by the columns of the world in `rows`.
pub(super) fn state_of(extents: Extents, layers: usize, rows: &[&'static WorldColumn], words: Vec<Vec<u32>>) -> State {
    let (atlas, axes, mut words) = (Atlas::new(extents), extents.axes(), words.into_iter());
    let layers: Vec<Layer> = (0..layers)
        .map(|_| {
            let [density, control] = [(); 2].map(|()| words.next().unwrap_or_default());
            let control = match axes {
                2 => atlas.cells(control),
                _ => atlas.cells(control.as_chunks::<2>().0.to_vec()).into_flattened(),
            };
            Layer { density: atlas.cells(density), control }
        })
        .collect();
    let columns = rows.iter().copied().zip(words).collect();
    State { extents, layers, columns }
}
