//! The state of a lattice on a device, or the deposit of individuals on one, as pictures on the same device read it while the engine
//! plays on.

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

use std::sync::{Arc, Mutex, PoisonError};

/// Bytes of a cell: its density and its control vector.
const CELL_BYTES: u64 = 12;

/// The textures that hold the state of a lattice. An engine of cells replaces them with every step, and an engine of individuals whenever
/// it is asked to. Whoever draws them holds [`Gpu::turn`] until the drawing is submitted.
pub struct StateTextures {
    /// The device on which the textures lie.
    pub gpu: Arc<Gpu>,
    /// The extents of the lattice, in cells.
    pub extents: Extents,
    /// Whether it is a copy that stays as it is.
    pub is_fixed: bool,
    current: Mutex<CurrentState>,
    points: Mutex<Option<PointList>>,
}

/// The textures of one step.
#[derive(Debug, Clone, PartialEq)]
pub struct CurrentState {
    /// The quanta of each cell, a texel a cell. The slices of a deep world lie side by side, in rows of tiles.
    pub density: wgpu::Texture,
    /// The control vector of each cell, in the same layout: a word for two components, two words for three.
    pub control: wgpu::Texture,
    /// The columns of the world.
    pub columns: DeviceColumns,
    /// The individuals that are drawn, if the swarm is one of individuals.
    pub bodies: Option<BodyList>,
    /// Steps made.
    pub step: u64,
    /// How often the state was replaced: two states with the same number are the same.
    pub version: u64,
}

/// A list of individuals on a device.
#[derive(Debug, Clone, PartialEq)]
pub struct BodyList {
    /// Of `StoredBody`.
    pub buffer: wgpu::Buffer,
    /// Places in the list, of which some may be empty.
    pub count: u32,
    /// Individuals for which each of them stands.
    pub each: u32,
}

impl StateTextures {
    pub(crate) fn new(gpu: Arc<Gpu>, extents: Extents, [density, control]: [wgpu::Texture; 2]) -> Self {
        let (columns, bodies) = (DeviceColumns::default(), None);
        let current = Mutex::new(CurrentState { density, control, columns, bodies, step: 0, version: 0 });
        Self { gpu, extents, is_fixed: false, current, points: Mutex::default() }
    }

    /// The textures of the present step.
    pub fn current(&self) -> CurrentState {
        self.current.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The points of the present step, if there are any. Their buffers stay the same from step to step; their number is in one of them.
    pub fn points(&self) -> Option<PointList> {
        self.points.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Takes over the buffers of points from now on.
    pub(crate) fn set_points(&self, points: Option<PointList>) {
        *self.points.lock().unwrap_or_else(PoisonError::into_inner) = points;
    }

    /// Takes over the textures that hold the state from now on, after so many steps. `None`: the number of steps stays.
    pub(crate) fn replace(&self, [density, control]: [wgpu::Texture; 2], step: Option<u64>) {
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        let step = step.unwrap_or(current.step);
        let (columns, version) = (std::mem::take(&mut current.columns), current.version + 1);
        *current = CurrentState { density, control, columns, bodies: None, step, version };
    }

    /// Takes over the columns of the world from now on.
    pub(crate) fn replace_columns(&self, columns: DeviceColumns) {
        self.current.lock().unwrap_or_else(PoisonError::into_inner).columns = columns;
    }

    /// Notes that the textures hold another deposit from now on, and takes over the list of its individuals.
    pub(crate) fn replace_bodies(&self, bodies: BodyList, step: u64) {
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        (current.bodies, current.step, current.version) = (Some(bodies), step, current.version + 1);
    }

    /// Asks for the state of the present step, without columns of the world.
    ///
    /// # Errors
    /// The device failed, or has no room.
    pub fn request(&self) -> Result<Ticket<State>, Failure> {
        let Extents { width, height, depth } = self.extents;
        // Several buffers of moderate size: of rows, or of slices.
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

    /// A copy in textures of its own, and of the points, which stays as it is.
    ///
    /// # Errors
    /// The device failed, or has no room.
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

/// Asks for a region of the state of a lattice that textures hold, without columns of the world. The first cell and the size are in cells.
///
/// # Errors
/// The device failed.
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

/// The state of a lattice whose textures hold these words: density and control vectors of each layer, and then columns of the world.
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
