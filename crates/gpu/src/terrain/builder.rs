//! Makes the surface of a terrain chunk by chunk while frames are drawn. Near chunks in view come first.

use super::chunks::{ChunkPlace, Viewpoint};
use super::site::{MAX_LIGHT, Site, SiteFields};
use murmuration_core::faults::{self, Operation};
use murmuration_core::parallel::*;
use murmuration_core::picture::{Shade, Water};
use murmuration_core::terrain::mesh::{Chunk, Vertex, chunk, firsts};
use parking_lot::Mutex;
use std::cell::RefCell;
use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::thread;

/// The number of chunks in a batch. The viewpoint is read again before each batch.
const BATCH: usize = 4;
/// A vertex on the device.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct RockVertex {
    /// The place, in 1/256 cell from the middle of the chunk's first voxel.
    place: [u16; 3],
    /// The openness of the water around the vertex. 65 535 stands for 1.
    open: u16,
    /// The normal of the surface, of length 1. 32 767 stands for 1.
    normal: [i16; 3],
    /// The light from above. 32 767 stands for a light of [`MAX_LIGHT`] or more.
    lit: i16,
}

/// A surface that was made before.
#[derive(Clone)]
pub struct PreviousSurface {
    pub fields: Arc<SiteFields>,
    /// The chunks that were made from the fields, and are still kept.
    pub places: BTreeSet<ChunkPlace>,
    /// Whether the surface was made from the same site.
    pub is_of_site: bool,
}

/// A part of a terrain to be uploaded to the device.
pub enum Piece {
    /// The fields of the site, and the places of the chunks that are equal in the earlier site.
    Fields(Arc<SiteFields>, Vec<ChunkPlace>),
    /// The surface within a chunk. It may be empty.
    Chunk(ChunkPlace, ChunkMesh),
}

/// The surface within a chunk.
#[derive(Default)]
pub struct ChunkMesh {
    pub vertices: Vec<RockVertex>,
    pub triangles: Vec<[u32; 3]>,
}

/// A terrain that is being built: by its own thread, or, on platforms without threads, one piece at each request.
pub struct Builder {
    /// The viewpoint at the beginning.
    pub begun: Viewpoint,
    by: BuiltBy,
}

enum BuiltBy {
    Thread { viewpoint: Arc<Mutex<Viewpoint>>, is_cancelled: Arc<AtomicBool>, pieces: Receiver<Piece> },
    Caller(RefCell<Build>),
}

impl Builder {
    /// Begins to build. Chunks of `earlier` that are still valid are not made again. `None`: the system starts no
    /// thread.
    pub fn begin(site: &Site, begun: Viewpoint, earlier: Option<PreviousSurface>) -> Option<Self> {
        let build = Build::new(site.clone(), begun, earlier);
        let by = if cfg!(target_family = "wasm") { BuiltBy::Caller(RefCell::new(build)) } else { on_thread(build)? };
        Some(Self { begun, by })
    }

    /// Sets the viewpoint from which the remaining chunks are ordered.
    pub fn look_from(&self, now: Viewpoint) {
        match &self.by {
            BuiltBy::Thread { viewpoint, .. } => *viewpoint.lock() = now,
            BuiltBy::Caller(build) => build.borrow_mut().viewpoint = now,
        }
    }

    /// The next piece, if it is ready.
    ///
    /// # Errors
    /// If no piece is ready yet, or all pieces were taken.
    pub fn next(&self) -> Result<Piece, TryRecvError> {
        match &self.by {
            BuiltBy::Thread { pieces, .. } => pieces.try_recv(),
            BuiltBy::Caller(build) => build.borrow_mut().next_piece(),
        }
    }
}

impl Drop for Builder {
    fn drop(&mut self) {
        if let BuiltBy::Thread { is_cancelled, .. } = &self.by {
            is_cancelled.store(true, Ordering::Relaxed);
        }
    }
}

/// Builds on a thread. The thread ends when the receiver of its pieces is dropped.
fn on_thread(mut build: Build) -> Option<BuiltBy> {
    let (sender, pieces) = channel();
    let viewpoint = Arc::new(Mutex::new(build.viewpoint));
    let is_cancelled = Arc::new(AtomicBool::new(false));
    let (asked, flag) = (viewpoint.clone(), is_cancelled.clone());
    // A software adapter needs cores for drawing, so only half of them build.
    let threads = thread::available_parallelism().map_or(1, |cores| (cores.get() / 2).max(1));
    let pool = ThreadPool::new(Some(threads), "rock").ok()?;
    let run = move || {
        pool.install(|| {
            while !flag.load(Ordering::Relaxed) {
                build.viewpoint = *asked.lock();
                let pieces = build.batch(BATCH);
                if pieces.is_empty() || pieces.into_iter().any(|piece| sender.send(piece).is_err()) {
                    return;
                }
            }
        });
    };
    if faults::is_due(Operation::Thread) {
        return None;
    }
    thread::Builder::new().name("terrain".into()).spawn(run).ok()?;
    Some(BuiltBy::Thread { viewpoint, is_cancelled, pieces })
}

/// The work on a terrain: first its fields, then its chunks.
struct Build {
    site: Site,
    viewpoint: Viewpoint,
    /// The earlier surface, until the fields are made.
    earlier: Option<PreviousSurface>,
    fields: Option<Arc<SiteFields>>,
    /// The chunks that still have to be made.
    left: Vec<ChunkPlace>,
    /// Pieces that were made and not taken yet.
    made: VecDeque<Piece>,
}

impl Build {
    fn new(site: Site, viewpoint: Viewpoint, earlier: Option<PreviousSurface>) -> Self {
        let place = |first: [i32; 3]| [0, 1, 2].map(|axis| site.origin[axis] + i64::from(first[axis]));
        let left = firsts(site.field.extents).into_iter().map(place).collect();
        Self { site, viewpoint, earlier, fields: None, left, made: VecDeque::new() }
    }

    /// The next piece.
    ///
    /// # Errors
    /// If all pieces were made.
    fn next_piece(&mut self) -> Result<Piece, TryRecvError> {
        if self.made.is_empty() {
            self.made = self.batch(1).into();
        }
        self.made.pop_front().ok_or(TryRecvError::Disconnected)
    }

    /// Makes the fields, if they are not made yet, or else up to `chunks` chunks. Returns an empty list if everything
    /// is made.
    fn batch(&mut self, chunks: usize) -> Vec<Piece> {
        let fields = match &self.fields {
            Some(fields) => fields.clone(),
            None => {
                if let Some(piece) = self.make_fields() {
                    return vec![piece];
                }
                return self.batch(chunks);
            }
        };
        let viewpoint = self.viewpoint;
        self.left.sort_by(|one, other| viewpoint.compare(*one, *other));
        let batch = self.left.split_off(self.left.len().saturating_sub(chunks));
        let meshes: Vec<_> = (0..batch.len()).into_par_iter().map(|index| mesh(&fields, batch[index])).collect();
        batch.into_iter().zip(meshes).rev().map(|(place, mesh)| Piece::Chunk(place, mesh)).collect()
    }

    /// Makes the fields. `None`: the existing fields are kept, with their chunks.
    fn make_fields(&mut self) -> Option<Piece> {
        match self.earlier.take() {
            Some(PreviousSurface { fields, places, is_of_site: true }) => {
                self.left.retain(|place| !places.contains(place));
                self.fields = Some(fields);
                None
            }
            earlier => {
                let fields = Arc::new(SiteFields::new(&self.site));
                let is_kept = |place: &ChunkPlace| {
                    let is_same = |earlier: &PreviousSurface| {
                        earlier.places.contains(place) && fields.has_chunk_of(&earlier.fields, *place)
                    };
                    earlier.as_ref().is_some_and(is_same)
                };
                let (kept, others) = std::mem::take(&mut self.left).into_iter().partition(is_kept);
                (self.left, self.fields) = (others, Some(fields.clone()));
                Some(Piece::Fields(fields, kept))
            }
        }
    }
}

/// Builds a terrain until `take` returns `false`.
pub fn build(site: &Site, earlier: Option<PreviousSurface>, viewpoint: Viewpoint, mut take: impl FnMut(Piece) -> bool) {
    let mut build = Build::new(site.clone(), viewpoint, earlier);
    loop {
        let pieces = build.batch(BATCH);
        if pieces.is_empty() || !pieces.into_iter().all(&mut take) {
            return;
        }
    }
}

/// The surface within a chunk, with the light on it.
fn mesh(fields: &SiteFields, place: ChunkPlace) -> ChunkMesh {
    let Some(chunk) = chunk(fields.field(), fields.first(place)) else { return ChunkMesh::default() };
    let vertices = chunk.vertices.iter().map(|vertex| stored(&chunk, vertex, fields.water())).collect();
    ChunkMesh { vertices, triangles: chunk.triangles }
}

fn stored(chunk: &Chunk, vertex: &Vertex, water: &Water) -> RockVertex {
    let Shade { open, light } = water.shade(chunk, vertex);
    RockVertex {
        place: vertex.place,
        open: (open.clamp(0.0, 1.0) * 65_535.0) as u16,
        normal: vertex.normal,
        lit: ((light / MAX_LIGHT).clamp(0.0, 1.0) * 32_767.0) as i16,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{DVec3, Vec3};
    use murmuration_core::world::{Extents, ScalarField};
    use std::time::{Duration, Instant};

    const EXTENTS: Extents = Extents::deep(100, 70, 40);

    /// A floor with waves. Its height is a function of the place.
    fn site(origin: [i64; 3]) -> Site {
        site_of(EXTENTS, origin)
    }

    fn site_of(extents: Extents, origin: [i64; 3]) -> Site {
        let value = |index| {
            let [x, y, z] = extents.cell(index).map(|along| along as f32);
            let [right, down, up] = origin.map(|along| (along % 4096) as f32);
            (300.0 * (12.0 + 6.0 * (0.13 * (x + right)).sin() + 5.0 * (0.19 * (y + down)).cos() - z - up)) as i16
        };
        let field = ScalarField { extents, values: (0..extents.cells()).map(value).collect() };
        Site { field: Arc::new(field), solids: Arc::default(), origin }
    }

    fn view(x: f64, ahead: Vec3) -> Viewpoint {
        Viewpoint { eye: DVec3::new(x, 35.0, 20.0), ahead }
    }

    /// Everything that a build makes, in order: the fields, if they are made, the places of kept chunks, and new
    /// chunks.
    #[derive(Default)]
    struct BuiltSurface {
        fields: Option<Arc<SiteFields>>,
        kept: Vec<ChunkPlace>,
        chunks: Vec<(ChunkPlace, ChunkMesh)>,
    }

    impl BuiltSurface {
        fn take(&mut self, piece: Piece) {
            match piece {
                Piece::Fields(fields, kept) => (self.fields, self.kept) = (Some(fields), kept),
                Piece::Chunk(place, mesh) => self.chunks.push((place, mesh)),
            }
        }

        fn places(&self) -> Vec<ChunkPlace> {
            self.chunks.iter().map(|(place, _)| *place).collect()
        }

        /// The surface that a later build starts from.
        fn earlier(&self, is_of_site: bool) -> Option<PreviousSurface> {
            Some(PreviousSurface {
                fields: self.fields.clone()?,
                places: self.places().into_iter().collect(),
                is_of_site,
            })
        }

        fn mesh(&self, place: ChunkPlace) -> &ChunkMesh {
            &self.chunks.iter().find(|(at, _)| *at == place).unwrap().1
        }
    }

    fn made(site: &Site, viewpoint: Viewpoint, earlier: Option<PreviousSurface>) -> BuiltSurface {
        let mut made = BuiltSurface::default();
        let take = |piece| {
            made.take(piece);
            true
        };
        build(site, earlier, viewpoint, take);
        made
    }

    fn is_same(one: &ChunkMesh, other: &ChunkMesh) -> bool {
        one.vertices == other.vertices && one.triangles == other.triangles
    }

    #[test]
    fn what_is_in_view_and_near_comes_first() {
        let site = site([0; 3]);
        let order = |viewpoint| made(&site, viewpoint, None).places();
        let along = |viewpoint| order(viewpoint).iter().map(|place| place[0]).collect::<Vec<_>>();
        let from_left = along(view(-40.0, Vec3::X));
        assert_eq!(from_left.len(), 4 * 3 * 2);
        assert!(from_left.is_sorted(), "{from_left:?}");
        let from_right = along(view(190.0, Vec3::NEG_X));
        assert!(from_right.iter().rev().is_sorted(), "{from_right:?}");
        // All chunks ahead of the eye come before the chunks behind it.
        let from_within = order(view(50.0, Vec3::X));
        let is_ahead = |place: &ChunkPlace| !view(50.0, Vec3::X).rank(*place).0;
        assert!(from_within.iter().rev().is_sorted_by_key(is_ahead), "{from_within:?}");
    }

    #[test]
    fn an_eye_that_moves_or_turns_wants_other_chunks() {
        let turned = |degrees: f32| Vec3::new(degrees.to_radians().cos(), degrees.to_radians().sin(), 0.0);
        let here = view(50.0, Vec3::X);
        assert!(here.is_near(&view(80.0, turned(10.0))));
        assert!(!here.is_near(&view(83.0, Vec3::X)));
        assert!(!here.is_near(&view(50.0, turned(20.0))));
    }

    #[test]
    fn a_thread_makes_the_same_pieces_and_ends_when_nobody_waits() {
        let site = site([1 << 39, -64, 32]);
        let viewpoint = Viewpoint { eye: DVec3::new((1i64 << 39) as f64, -30.0, 50.0), ahead: Vec3::X };
        let expected = made(&site, viewpoint, None);
        let builder = Builder::begin(&site, viewpoint, None).unwrap();
        let (mut found, begun) = (BuiltSurface::default(), Instant::now());
        loop {
            match builder.next() {
                Ok(piece) => found.take(piece),
                Err(TryRecvError::Disconnected) => break,
                Err(TryRecvError::Empty) => {
                    assert!(begun.elapsed() < Duration::from_secs(60), "the thread hangs");
                    thread::sleep(Duration::from_millis(2));
                }
            }
        }
        assert_eq!(found.places(), expected.places());
        assert!(found.chunks.iter().zip(&expected.chunks).all(|((_, one), (_, other))| is_same(one, other)));
        assert_eq!(found.fields.unwrap().words, expected.fields.as_ref().unwrap().words);
        // Existing chunks are not made again. A thread ends, and drops its sender, when its receiver is dropped.
        let mut earlier = expected.earlier(true).unwrap();
        for place in &expected.places()[..3] {
            earlier.places.remove(place);
        }
        let rest = made(&site, viewpoint, Some(earlier));
        assert!(rest.fields.is_none() && rest.kept.is_empty());
        assert_eq!(rest.places(), expected.places()[..3]);
        let mut taken = 0;
        let take = |_| {
            taken += 1;
            taken < 2
        };
        build(&site, None, viewpoint, take);
        assert_eq!(taken, 2);
    }

    /// If the window moves, existing chunks are not made again. A kept chunk equals a new one.
    #[test]
    fn a_window_that_moves_keeps_its_chunks() {
        let viewpoint = view(50.0, Vec3::X);
        for by in [[32, 0, 0], [-32, 32, 0], [0, -32, 0]] {
            let place = |by: [i64; 3]| site_of(Extents::deep(192, 160, 40), [512 + by[0], by[1], by[2]]);
            let (from, to) = (place([0; 3]), place(by));
            let before = made(&from, viewpoint, None);
            let after = made(&to, viewpoint, before.earlier(false));
            let fresh = made(&to, viewpoint, None);
            assert!(after.kept.len() >= 4, "{by:?}: {} chunks are kept", after.kept.len());
            assert_eq!(after.kept.len() + after.chunks.len(), fresh.chunks.len());
            for (place, mesh) in &after.chunks {
                assert!(is_same(mesh, fresh.mesh(*place)), "{by:?} {place:?}");
            }
            for place in &after.kept {
                let (one, other) = (before.mesh(*place), fresh.mesh(*place));
                assert_eq!(one.triangles, other.triangles, "{by:?} {place:?}");
                for (one, other) in one.vertices.iter().zip(&other.vertices) {
                    assert_eq!((one.place, one.normal), (other.place, other.normal));
                    assert!(
                        one.open.abs_diff(other.open) < 4000 && one.lit.abs_diff(other.lit) < 400,
                        "{one:?} {other:?}"
                    );
                }
            }
        }
    }

    /// Painted cells become rock. Only the chunks around them are made again.
    #[test]
    fn a_brush_changes_the_chunks_that_it_touches() {
        let viewpoint = view(50.0, Vec3::X);
        let bare = site([0; 3]);
        let before = made(&bare, viewpoint, None);
        let mut solids = vec![false; EXTENTS.columns().cells()];
        for (x, y) in [(14, 14), (15, 14), (14, 15), (15, 15)] {
            solids[y * 100 + x] = true;
        }
        let painted = Site { solids: Arc::new(solids), ..bare };
        let after = made(&painted, viewpoint, before.earlier(false));
        assert!(after.kept.len() >= 12, "{} chunks are kept", after.kept.len());
        let touched = [-1, -1, -1];
        assert!(after.places().contains(&touched));
        let high = |made: &BuiltSurface| {
            let vertices = &made.mesh(touched).vertices;
            vertices.iter().map(|vertex| vertex.place[2]).max().unwrap() / 256
        };
        assert!(high(&before) < 28 && high(&after) == 32, "{} {}", high(&before), high(&after));
        // Without the painted cell the surface is as before.
        let again = made(&site([0; 3]), viewpoint, after.earlier(false));
        let fresh = before.mesh(touched);
        assert!(is_same(again.mesh(touched), fresh));
    }
}
