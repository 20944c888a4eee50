//! Pictures of a swarm, drawn on the GPU device of its engine or on the CPU.

use crate::observe::{Picture, glow_of_individuals, picture, with_legend};
use murmuration_core::chain::Chain;
use murmuration_core::engine::Adapters;
use murmuration_core::error::Failure;
use murmuration_core::look::{Look, Style};
use murmuration_core::picture::features::{MapView, add_features};
use murmuration_core::picture::{Plane, is_picture_of_sums, picture_over_ranks};
use murmuration_core::points::Points;
use murmuration_core::preset::Preset;
use murmuration_core::simulation::Simulation;
use murmuration_core::state::{ColumnsReading, Individuals, State, Swarm};
use murmuration_core::world::{ScalarField, World};
use murmuration_gpu::look::{
    IndividualsSource, PictureRenderer, SwarmSource, on_device, points_of, source_in_memory, swarm_of,
};
use murmuration_gpu::{DeviceRequest, Gpu};
use std::sync::Arc;

/// A swarm that was read, and its state on the lattice. The state of individuals is their deposit: each individual adds
/// one boid and its velocity to its cell.
pub type SwarmView<'a> = (&'a Swarm, &'a State);

/// Draws pictures of a swarm. A swarm on a GPU device is drawn there. A swarm in memory is drawn on the CPU, which is
/// faster than a software adapter. A look chain of the user and a world with rock need a GPU device.
#[derive(Default)]
pub struct FramePainter {
    look: Option<Chain>,
    /// The renderer on a GPU device; `None` until a device draws the first picture.
    pictures: Option<PictureRenderer>,
    /// The device of the engine, if the device failed to draw a picture.
    failed: Option<Arc<Gpu>>,
    /// Whether the painter has found no device that can draw rock. The pictures then lack rock.
    lacks_device: bool,
    /// Messages since the last call of `remarks`.
    remarks: Vec<String>,
    /// The value of the last colour of the colour scale, in quanta; `None`: the last picture shows no values.
    top: Option<u64>,
}

impl FramePainter {
    /// A painter with a user's look, as a chain; `None`: the built-in look.
    pub fn with_look(look: Option<Chain>) -> Self {
        Self { look, ..Self::default() }
    }

    /// The user's look chain; `None`: the built-in look.
    pub fn look(&self) -> Option<&Chain> {
        self.look.as_ref()
    }

    /// Returns the messages about pictures since the last call, for example that a device failed.
    pub fn remarks(&mut self) -> Vec<String> {
        std::mem::take(&mut self.remarks)
    }

    /// Draws the present step of a simulation. A picture of values, such as a slice of the density, gets a legend below
    /// it.
    ///
    /// # Errors
    /// If the swarm cannot be read, or no device can draw a look of the user's own.
    pub fn paint(&mut self, simulation: &mut Simulation) -> Result<Picture, Failure> {
        self.paint_read(simulation, None)
    }

    /// The picture of [`Self::paint`]. `read`: the swarm and its state on the lattice, if they were read already.
    ///
    /// # Errors
    /// As [`FramePainter::paint`].
    pub fn paint_read(&mut self, simulation: &mut Simulation, read: Option<SwarmView<'_>>) -> Result<Picture, Failure> {
        let picture = self.paint_step(simulation, read)?;
        Ok(self.legended(&picture, simulation.preset()))
    }

    /// Adds a legend below the last picture that this painter drew, if the picture shows values. `preset`: the preset
    /// of that picture.
    pub fn legended(&self, picture: &Picture, preset: &Preset) -> Picture {
        match self.top {
            Some(top) => with_legend(picture.clone(), preset.world.extents, &preset.look, top),
            None => picture.clone(),
        }
    }

    /// The picture of a world whose slabs lie on several ranks: first without, then with its legend. The first rank
    /// gets the pictures, the other ranks get `None`. Only pictures of values have a legend. Every rank makes this
    /// call.
    ///
    /// # Errors
    /// If the device of an engine fails, or another rank has ended.
    pub fn picture_of_slabs(simulation: &mut Simulation) -> Result<Option<[Picture; 2]>, Failure> {
        let (slab, state) = simulation.slab()?;
        let preset = simulation.preset();
        let (mixture, ranks) = (preset.mixed(&state), preset.host().ranks());
        let Some((picture, top)) = picture_over_ranks(&mixture, &slab, &preset.world, &preset.look, &*ranks)? else {
            return Ok(None);
        };
        let legended = match top {
            Some(top) => with_legend(picture.clone(), preset.world.extents, &preset.look, top),
            None => picture.clone(),
        };
        Ok(Some([picture, legended]))
    }

    /// Whether [`Self::picture_of_slabs`] can draw a simulation: each rank sums up its slab, and only the sums are
    /// collected.
    pub fn is_made_of_sums(&self, simulation: &Simulation) -> bool {
        let Preset { look, world, .. } = simulation.preset();
        self.look.is_none() && simulation.is_in_slabs() && is_picture_of_sums(world.extents, look)
    }

    /// The picture of [`Self::paint_read`] without a legend.
    ///
    /// # Errors
    /// As [`FramePainter::paint`].
    pub fn paint_step(&mut self, simulation: &mut Simulation, read: Option<SwarmView<'_>>) -> Result<Picture, Failure> {
        self.top = None;
        let mut picture = self.paint_swarm(simulation, read)?;
        let (features, world) = (simulation.preset().features.clone(), &simulation.preset().world);
        let (whole, shape) = (MapView::full(&picture, world.extents), (world.extents, world.edges));
        if features.0.iter().any(|feature| feature.extents()[2] == 1) {
            add_features(&mut picture, &whole, shape, &features, &simulation.read(ColumnsReading)?);
        }
        Ok(picture)
    }

    /// Draws the swarm, without features of the world such as food.
    fn paint_swarm(&mut self, simulation: &mut Simulation, read: Option<SwarmView<'_>>) -> Result<Picture, Failure> {
        if let Some(rock) = rock_around(simulation.preset()).filter(|_| !self.lacks_device).cloned() {
            match self.paint_among_rock(simulation, read, &rock) {
                Err(Failure::Device(why)) => {
                    self.lacks_device = true;
                    self.remarks.push(format!("{why}; pictures show the swarm from above, without rock"));
                }
                painted => return painted,
            }
        }
        let has_failed = |gpu: &Arc<Gpu>| self.failed.as_ref().is_some_and(|failed| Arc::ptr_eq(failed, gpu));
        if let Some(textures) = on_device(simulation).filter(|textures| !has_failed(&textures.gpu)) {
            let gpu = textures.gpu.clone();
            let swarm = swarm_of(simulation, Some(&gpu))?;
            let preset = simulation.preset();
            match self.paint_on(&gpu, swarm, &preset.world, &preset.look) {
                Err(Failure::Device(why)) => {
                    self.failed = Some(gpu);
                    self.remarks.push(format!("{why}; pictures are drawn elsewhere"));
                }
                painted => return painted,
            }
        }
        let Some((swarm, state)) = read else {
            // If the device is lost, reading the swarm replaces the engine.
            let swarm = simulation.swarm()?;
            let state = simulation.deposit(&swarm).into_owned();
            return self.paint_memory(simulation, (&swarm, &state));
        };
        self.paint_memory(simulation, (swarm, state))
    }

    fn paint_memory(&mut self, simulation: &mut Simulation, (swarm, state): SwarmView<'_>) -> Result<Picture, Failure> {
        let points = points_of(simulation)?;
        self.paint_state((state, swarm.individuals()), points, simulation.preset())
    }

    /// Draws a swarm among rock on the device of the engine, or on another device if the engine has none.
    fn paint_among_rock(
        &mut self,
        simulation: &mut Simulation,
        read: Option<SwarmView<'_>>,
        rock: &ScalarField,
    ) -> Result<Picture, Failure> {
        let gpu = match on_device(simulation) {
            Some(textures) => textures.gpu.clone(),
            None => crate::devices().get(&DeviceRequest::new(Adapters::Any, simulation.preset().world.extents))?,
        };
        let swarm = match read {
            Some((swarm, _)) if on_device(simulation).is_none() => source_in_memory(simulation, swarm.clone())?,
            _ => swarm_of(simulation, Some(&gpu))?,
        };
        let (world, look) = (&simulation.preset().world, simulation.look());
        let mut pictures = self.pictures_on(&gpu)?;
        let picture = pictures.picture_among_rock(swarm, rock, world, &look)?;
        self.pictures = Some(pictures);
        Ok(picture)
    }

    /// The picture of a state of cells, or of individuals with their deposit on the lattice. `points`: the points that
    /// a picture of single boids shows. If a device fails to draw with a user's look, the picture is drawn once more.
    ///
    /// # Errors
    /// `Device` if no GPU can draw the user's look.
    pub fn paint_state(
        &mut self,
        (state, individuals): (&State, Option<&Individuals>),
        points: Option<Arc<Points>>,
        preset: &Preset,
    ) -> Result<Picture, Failure> {
        let mixture = preset.mixed(state);
        let (world, state, look) = (&preset.world, &*mixture, &preset.look);
        if self.look.is_none() {
            self.top = look.shows_values().then(|| Plane::new(state, look).top);
            return Ok(match individuals {
                Some(individuals) => glow_of_individuals(individuals, state, world, look),
                None => picture(state, points.as_deref(), world, look),
            });
        }
        let request = DeviceRequest::new(Adapters::Any, state.extents);
        let swarm = (SwarmSource::Memory(Arc::new(state.clone()), points), individuals.map(IndividualsSource::from));
        let mut paint = || self.paint_on(&crate::devices().get(&request)?, swarm.clone(), world, look);
        match paint() {
            Err(Failure::Device(_)) => paint(),
            painted => painted,
        }
    }

    fn paint_on(
        &mut self,
        gpu: &Arc<Gpu>,
        swarm: (SwarmSource, Option<IndividualsSource>),
        world: &World,
        look: &Look,
    ) -> Result<Picture, Failure> {
        let mut pictures = self.pictures_on(gpu)?;
        let picture = pictures.picture_with(swarm, world, look)?;
        self.top = pictures.top_of_scale();
        self.pictures = Some(pictures);
        Ok(picture)
    }

    /// Takes the renderer of a device out of `self`, or makes a renderer. After a success the caller puts the renderer
    /// back.
    fn pictures_on(&mut self, gpu: &Arc<Gpu>) -> Result<PictureRenderer, Failure> {
        let kept = self.pictures.take().filter(|pictures| Arc::ptr_eq(pictures.gpu(), gpu));
        match (kept, &self.look) {
            (Some(kept), _) => Ok(kept),
            (None, Some(chain)) => PictureRenderer::with_chain(gpu, chain.clone()),
            (None, None) => PictureRenderer::new(gpu),
        }
    }
}

/// The rock of the world of a preset; `None`: the world has no rock, or pictures in the style of the preset show none.
pub fn rock_around(preset: &Preset) -> Option<&Arc<ScalarField>> {
    let shows_rock = preset.individuals.is_some() || preset.look.style == Style::Glow;
    preset.world.rock.as_ref().filter(|_| shows_rock)
}
