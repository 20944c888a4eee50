//! The surface of a terrain made chunk by chunk, on a thread of its own: first what is near and in view.

use super::chunks::{ChunkPlace, middle};
use crate::faults::{self, Operation};
use crate::picture::{Shade, Water};
use crate::world::ScalarField;
use glam::{DVec3, Vec3};
use murmuration_core::parallel::*;
use murmuration_core::terrain::mesh::{CHUNK, Chunk, Vertex, chunk, firsts};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

/// The brightest light that is told apart.
pub const MOST_LIGHT: f32 = 2.0;
/// The chunks that are made at once; between them the eye is asked anew.
const BATCH: usize = 4;
/// The cosine of the greatest angle from the middle of the picture that counts as in view.
const IN_VIEW: f64 = 0.5;

/// A vertex on the device.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct RockVertex {
    /// In 1/256 cell from the middle of the chunk's first voxel.
    place: [u16; 3],
    /// How far open the water around it is; 65 535 is 1.
    open: u16,
    /// 32 767 is 1.
    normal: [i16; 3],
    /// The light from above; 32 767 is [`MOST_LIGHT`].
    lit: i16,
}

/// Where the eye is, from the origin of all worlds, and where it looks.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Viewpoint {
    pub eye: DVec3,
    pub ahead: Vec3,
}

impl Viewpoint {
    /// The rank of a chunk: those in view come first, and then those that are near.
    fn rank(&self, place: ChunkPlace) -> (bool, f64) {
        let to = middle(place) - self.eye;
        let distance = to.length();
        let ahead = to.dot(self.ahead.as_dvec3());
        let is_hidden = distance > f64::from(CHUNK) && ahead < IN_VIEW * distance;
        (is_hidden, distance)
    }
}

/// A terrain to be built.
#[derive(Debug, Clone)]
pub struct Site {
    pub field: Arc<ScalarField>,
    /// The world's first voxel, from the origin of all worlds.
    pub origin: [i64; 3],
}

/// A part of a terrain for the device.
pub enum Piece {
    /// A word for each texel of the water: light in its low half, rock in its high half.
    Water(Vec<u32>),
    /// What the surface is within a chunk, which may be nothing.
    Chunk(ChunkPlace, ChunkMesh),
}

/// The surface within a chunk.
#[derive(Default)]
pub struct ChunkMesh {
    pub vertices: Vec<RockVertex>,
    pub triangles: Vec<[u32; 3]>,
}

/// A terrain that is being built.
pub struct Builder {
    viewpoint: Arc<Mutex<Viewpoint>>,
    is_cancelled: Arc<AtomicBool>,
    pieces: Receiver<Piece>,
}

impl Builder {
    /// Begins to build on a thread of its own, without the chunks that are there already; `None`: the system starts no thread.
    pub fn begin(site: &Site, viewpoint: Viewpoint, has_water: bool, there: BTreeSet<ChunkPlace>) -> Option<Self> {
        let (sender, pieces) = channel();
        let viewpoint = Arc::new(Mutex::new(viewpoint));
        let is_cancelled = Arc::new(AtomicBool::new(false));
        let (site, asked, flag) = (site.clone(), viewpoint.clone(), is_cancelled.clone());
        let build = move || {
            let viewpoint = || *asked.lock().unwrap_or_else(PoisonError::into_inner);
            let take = |piece| !flag.load(Ordering::Relaxed) && sender.send(piece).is_ok();
            build(&site, has_water, &there, viewpoint, take);
        };
        if faults::is_due(Operation::Thread) {
            return None;
        }
        thread::Builder::new().name("terrain".into()).spawn(build).ok()?;
        Some(Self { viewpoint, is_cancelled, pieces })
    }

    /// From where what is left is seen.
    pub fn look_from(&self, viewpoint: Viewpoint) {
        *self.viewpoint.lock().unwrap_or_else(PoisonError::into_inner) = viewpoint;
    }

    /// A piece that is ready.
    ///
    /// # Errors
    /// None is ready yet, or all were taken.
    pub fn next(&self) -> Result<Piece, TryRecvError> {
        self.pieces.try_recv()
    }
}

impl Drop for Builder {
    fn drop(&mut self) {
        self.is_cancelled.store(true, Ordering::Relaxed);
    }
}

/// Builds a terrain, until a piece is not taken.
pub fn build(
    Site { field, origin }: &Site,
    has_water: bool,
    there: &BTreeSet<ChunkPlace>,
    viewpoint: impl Fn() -> Viewpoint,
    mut take: impl FnMut(Piece) -> bool,
) {
    let water = Water::new(field);
    if !has_water && !take(Piece::Water(words(&water))) {
        return;
    }
    let place = |first: [i32; 3]| [0, 1, 2].map(|axis| origin[axis] + i64::from(first[axis]));
    let mut left: Vec<_> = firsts(field.extents).into_iter().filter(|first| !there.contains(&place(*first))).collect();
    while !left.is_empty() {
        let viewpoint = viewpoint();
        let rank = |first: &[i32; 3]| viewpoint.rank(place(*first));
        left.sort_by(|one, other| {
            let ((one_hidden, one), (other_hidden, other)) = (rank(one), rank(other));
            other_hidden.cmp(&one_hidden).then(other.total_cmp(&one))
        });
        let batch = left.split_off(left.len().saturating_sub(BATCH));
        let meshes: Vec<_> = (0..batch.len()).into_par_iter().map(|index| mesh(field, &water, batch[index])).collect();
        for (first, mesh) in batch.into_iter().zip(meshes).rev() {
            if !take(Piece::Chunk(place(first), mesh)) {
                return;
            }
        }
    }
}

/// The surface within a chunk, with what light arrives at it.
fn mesh(field: &ScalarField, water: &Water, first: [i32; 3]) -> ChunkMesh {
    let Some(chunk) = chunk(field, first) else { return ChunkMesh::default() };
    let vertices = chunk.vertices.iter().map(|vertex| stored(&chunk, vertex, water)).collect();
    ChunkMesh { vertices, triangles: chunk.triangles }
}

fn stored(chunk: &Chunk, vertex: &Vertex, water: &Water) -> RockVertex {
    let Shade { open, light } = water.shade(chunk, vertex);
    RockVertex {
        place: vertex.place,
        open: (open.clamp(0.0, 1.0) * 65_535.0) as u16,
        normal: vertex.normal,
        lit: ((light / MOST_LIGHT).clamp(0.0, 1.0) * 32_767.0) as i16,
    }
}

/// A word for each texel of the water.
fn words(water: &Water) -> Vec<u32> {
    water.light.iter().zip(&water.rock).map(|(light, rock)| word(*light, *rock)).collect()
}

/// The word of a texel with this light and this part of rock.
pub fn word(light: f32, rock: f32) -> u32 {
    let unorm = |part: f32| (part.clamp(0.0, 1.0) * 65_535.0) as u32;
    unorm(light / MOST_LIGHT) | unorm(rock) << 16
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::Extents;
    use std::time::{Duration, Instant};

    /// A floor with waves in it.
    fn site(origin: [i64; 3]) -> Site {
        let extents = Extents::deep(100, 70, 40);
        let value = |index| {
            let [x, y, z] = extents.cell(index).map(|along| along as f32);
            (300.0 * (12.0 + 6.0 * (0.13 * x).sin() + 5.0 * (0.19 * y).cos() - z)) as i16
        };
        let field = ScalarField { extents, values: (0..extents.cells()).map(value).collect() };
        Site { field: Arc::new(field), origin }
    }

    fn view(x: f64, ahead: Vec3) -> Viewpoint {
        Viewpoint { eye: DVec3::new(x, 35.0, 20.0), ahead }
    }

    /// The places of the chunks in the order in which they come.
    fn order(site: &Site, viewpoint: Viewpoint) -> Vec<ChunkPlace> {
        let mut places = Vec::new();
        build(
            site,
            false,
            &BTreeSet::new(),
            || viewpoint,
            |piece| {
                if let Piece::Chunk(place, _) = piece {
                    places.push(place);
                }
                true
            },
        );
        places
    }

    #[test]
    fn what_is_in_view_and_near_comes_first() {
        let site = site([0; 3]);
        let along = |viewpoint| order(&site, viewpoint).iter().map(|place| place[0]).collect::<Vec<_>>();
        let from_left = along(view(-40.0, Vec3::X));
        assert_eq!(from_left.len(), 4 * 3 * 2);
        assert!(from_left.is_sorted(), "{from_left:?}");
        let from_right = along(view(190.0, Vec3::NEG_X));
        assert!(from_right.iter().rev().is_sorted(), "{from_right:?}");
        // Nothing behind the eye comes before the last that is ahead.
        let from_within = order(&site, view(50.0, Vec3::X));
        let is_ahead = |place: &ChunkPlace| !view(50.0, Vec3::X).rank(*place).0;
        assert!(from_within.iter().rev().is_sorted_by_key(is_ahead), "{from_within:?}");
    }

    #[test]
    fn a_thread_makes_the_same_pieces_and_ends_when_nobody_waits() {
        let site = site([1 << 39, -64, 32]);
        let viewpoint = Viewpoint { eye: DVec3::new((1i64 << 39) as f64, -30.0, 50.0), ahead: Vec3::X };
        let mut expected = Vec::new();
        let mut keep = |piece| {
            expected.push(piece);
            true
        };
        build(&site, false, &BTreeSet::new(), || viewpoint, &mut keep);
        let builder = Builder::begin(&site, viewpoint, false, BTreeSet::new()).unwrap();
        let mut expected = expected.into_iter();
        let begun = Instant::now();
        loop {
            match (builder.next(), begun.elapsed() < Duration::from_secs(60)) {
                (Ok(Piece::Water(words)), _) => {
                    let Some(Piece::Water(same)) = expected.next() else { panic!("another piece was expected") };
                    assert_eq!(words, same);
                }
                (Ok(Piece::Chunk(place, mesh)), _) => {
                    let Some(Piece::Chunk(same, other)) = expected.next() else { panic!("no chunk was expected") };
                    assert_eq!(place, same);
                    assert!(mesh.vertices == other.vertices && mesh.triangles == other.triangles, "{place:?}");
                }
                (Err(TryRecvError::Disconnected), _) => break,
                (Err(TryRecvError::Empty), is_early) => {
                    assert!(is_early, "the thread hangs");
                    thread::sleep(Duration::from_millis(2));
                }
            }
        }
        assert!(expected.next().is_none(), "pieces are missing");
        // What is there already is not made again, and a thread that nobody waits for ends: its sender goes.
        let there: BTreeSet<_> = order(&site, viewpoint).into_iter().skip(3).collect();
        let mut made = 0;
        build(
            &site,
            true,
            &there,
            || viewpoint,
            |piece| {
                assert!(matches!(piece, Piece::Chunk(..)));
                made += 1;
                true
            },
        );
        assert_eq!(made, 3);
        let mut taken = 0;
        build(
            &site,
            false,
            &BTreeSet::new(),
            || viewpoint,
            |_| {
                taken += 1;
                taken < 2
            },
        );
        assert_eq!(taken, 2);
    }
}
