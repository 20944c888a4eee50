//! A swarm that scripts play, and pages without WebGPU show. The CPU plays and draws the swarm.

use crate::app::parse;
use crate::given_file::GivenFile;
use crate::thrown;
use js_sys::{Float64Array, Uint8ClampedArray, Uint32Array};
use murmuration::controller::Scene;
use murmuration::link::Link;
use murmuration::{CpuOptions, EngineChoice, FramePainter, Input, Mood, Observation, Pointer, Simulation, host};
use murmuration_core::error::{BadInput, Failure};
use murmuration_core::numbers::RULE_ONE;
use murmuration_core::simulation::replay::{Playback, Replay, ReplayReading};
use murmuration_core::state::Entry;
use murmuration_core::ticket::Patience;
use murmuration_core::world::PARTS;
use std::sync::Arc;
use wasm_bindgen::prelude::*;

const ENGINE: EngineChoice = EngineChoice::Cpu(CpuOptions { threads: Some(1), instruction_set: None });
/// The weight of the hunter's rule, as in the window.
const HUNTER_WEIGHT: f64 = 1.5;
/// The radius within which a hunter acts, as a part of the shorter side of the world.
const HUNTER_REACH: f64 = 0.1;

/// A swarm that the CPU plays on one thread. Its state has the same bits as on every other engine.
#[wasm_bindgen]
pub struct Swarm {
    simulation: Simulation,
    painter: FramePainter,
    /// The link from which the swarm was opened. `None` if it was opened from a file.
    link: Option<Arc<Link>>,
    /// The replay that the swarm plays, and its progress. `None` without a replay and after its end.
    replay: Option<(Arc<Replay>, Playback)>,
}

/// A picture, row by row from the top, with four bytes a pixel: red, green, blue and opacity.
#[wasm_bindgen(getter_with_clone)]
pub struct Frame {
    /// The width, in pixels.
    pub width: u32,
    /// The height, in pixels.
    pub height: u32,
    /// The bytes, for `ImageData`.
    pub pixels: Uint8ClampedArray,
}

#[wasm_bindgen]
impl Swarm {
    /// Opens the swarm of a link, such as `#preset=droplets&seed=4`, or of a built-in preset by its name. An empty text
    /// stands for the default preset.
    ///
    /// # Errors
    /// If something in the link is wrong, or the memory is too small.
    #[wasm_bindgen(constructor)]
    pub fn new(link: &str) -> Result<Self, JsValue> {
        let named = format!("#preset={link}");
        let link = if link.is_empty() || link.contains('#') { link } else { &named };
        let link = Arc::new(parse(link)?);
        Self::begin(Scene::from_link(&link, ENGINE), Some(link)).map_err(thrown)
    }

    /// Opens the swarm of a preset, a replay or a checkpoint from the name and the bytes of a file. Any other file,
    /// such as a kernel, stays in memory for presets that name it, and the result is `undefined`.
    ///
    /// # Errors
    /// If something in the file is wrong, or the memory is too small.
    pub fn from_file(name: &str, bytes: &[u8]) -> Result<Option<Self>, JsValue> {
        let begun = GivenFile::read(name, bytes, ENGINE).and_then(|given| match given {
            GivenFile::Scene(scene) => Self::begin(scene, None).map(Some),
            GivenFile::Swarm(checkpoint) => {
                let (_, simulation) = Scene::resume(host(), *checkpoint, ENGINE)?;
                Ok(Some(Self { simulation, painter: FramePainter::default(), link: None, replay: None }))
            }
            GivenFile::Part => Ok(None),
        });
        begun.map_err(thrown)
    }

    /// Plays steps. While the swarm plays a replay, the steps have the replay's inputs. After the end of the replay the
    /// steps continue without inputs.
    ///
    /// # Errors
    /// If an input of a replay cannot be applied.
    pub fn advance(&mut self, steps: u32) -> Result<(), JsValue> {
        let mut left = u64::from(steps);
        if let Some((replay, playback)) = &mut self.replay {
            let before = playback.steps();
            playback.advance(replay, &mut self.simulation, left, Patience::Wait).map_err(thrown)?;
            left -= playback.steps() - before;
            if playback.is_over(replay) {
                self.replay = None;
            }
        }
        self.simulation.advance(left).map_err(thrown)
    }

    /// The number of steps played since the start.
    #[wasm_bindgen(getter)]
    pub fn step(&self) -> f64 {
        self.simulation.step() as f64
    }

    /// The name of the preset.
    #[wasm_bindgen(getter)]
    pub fn preset(&self) -> String {
        self.simulation.preset().name.clone()
    }

    /// The extents of the world in cells, along x, y and z. The extent along z is 1 in a flat world.
    #[wasm_bindgen(getter)]
    pub fn size(&self) -> Vec<u32> {
        self.simulation.preset().size().along_axes().to_vec()
    }

    /// The name and a description of the engine.
    #[wasm_bindgen(getter)]
    pub fn engine(&self) -> String {
        format!("{} ({})", self.simulation.engine_name(), self.simulation.describe_engine())
    }

    /// The hash of the state, in 64 hexadecimal digits.
    ///
    /// # Errors
    /// If the engine fails.
    pub fn hash(&mut self) -> Result<String, JsValue> {
        self.simulation.state_hash().map_err(thrown)
    }

    /// The density of the first species in every cell, in 1/65536 boid, x fastest. An individual counts in the cell in
    /// which it lies.
    ///
    /// # Errors
    /// If the engine fails.
    pub fn density(&mut self) -> Result<Uint32Array, JsValue> {
        Ok(Uint32Array::from(&self.simulation.state().map_err(thrown)?.layers[0].density[..]))
    }

    /// Three numbers: the boids in the world, the boids that are missing from the account, and the boids that hunters
    /// have caught. The second number is 0 unless the program has an error.
    ///
    /// # Errors
    /// If the engine fails.
    pub fn account(&mut self) -> Result<Float64Array, JsValue> {
        let account = self.simulation.account().map_err(thrown)?;
        let one = 65_536.0;
        let caught = account.ledger.sum(Entry::Caught) as f64;
        Ok(Float64Array::from(&[account.quanta as f64 / one, account.lost as f64 / one, caught / one][..]))
    }

    /// The measures of the present step, as JSON (`docs/formats.md`, Metrics).
    ///
    /// # Errors
    /// If the engine fails.
    pub fn measures(&mut self) -> Result<String, JsValue> {
        let measures = Observation::new(&mut self.simulation).map_err(thrown)?.measures();
        Ok(serde_json::Value::Object(measures).to_string())
    }

    /// Sets a key of the preset, such as `weights.cohesion`, to a value in the notation of TOML.
    ///
    /// # Errors
    /// If there is no such key, or the value is wrong.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), JsValue> {
        self.apply(Input::Set { key: key.into(), value: value.into() })
    }

    /// Puts a hunter, from which the swarm flees, at a place in cells from the left and from the top. `jaws`: the
    /// distance in cells up to which the hunter catches boids. 0: it catches none.
    ///
    /// # Errors
    /// While a replay plays, and if the engine fails.
    pub fn hunt(&mut self, x: f64, y: f64, jaws: u32) -> Result<(), JsValue> {
        let [width, height, _] = self.simulation.preset().world.extents.along_axes();
        let place = [x, y].map(|along| ((along - 0.5) * f64::from(PARTS)).round() as i32);
        let reach = (HUNTER_REACH * f64::from(width.min(height))).round().max(3.0) as u32;
        let weight = (HUNTER_WEIGHT * f64::from(RULE_ONE)) as i32;
        self.apply(Input::Hunter(Some(Pointer { place: place.into(), reach, mood: Mood::Flee, weight })))?;
        self.apply(Input::Jaws(jaws))
    }

    /// Removes the hunter.
    ///
    /// # Errors
    /// While a replay plays, and if the engine fails.
    pub fn leave(&mut self) -> Result<(), JsValue> {
        self.apply(Input::Hunter(None))?;
        self.apply(Input::Jaws(0))
    }

    /// The picture of the present step.
    ///
    /// # Errors
    /// If the engine fails.
    pub fn paint(&mut self) -> Result<Frame, JsValue> {
        let picture = self.painter.paint(&mut self.simulation).map_err(thrown)?;
        let pixels: Vec<u8> = picture.bytes.as_chunks::<3>().0.iter().flat_map(|[r, g, b]| [*r, *g, *b, 255]).collect();
        let pixels = Uint8ClampedArray::from(&pixels[..]);
        Ok(Frame { width: picture.width, height: picture.height, pixels })
    }

    /// A link to the run from its start to the present step, with the hash of the present state.
    ///
    /// # Errors
    /// If the run is too long for a link.
    pub fn link(&mut self) -> Result<String, JsValue> {
        let replay = self.simulation.read(ReplayReading).map_err(thrown)?;
        Link::from_replay(host(), Arc::new(replay)).and_then(|link| link.write()).map_err(thrown)
    }

    /// The step and the expected hash at the end of the run of this swarm's link, as JSON. `undefined` if the link has
    /// no hash, or there is no link.
    pub fn expected(&self) -> Option<String> {
        let (step, hash) = self.link.as_ref()?.end()?;
        Some(format!("{{\"step\":{step},\"hash\":\"{hash}\"}}"))
    }

    /// Whether the swarm's link was made with another version of the preset or its chain.
    #[wasm_bindgen(getter)]
    pub fn is_of_another_version(&self) -> bool {
        let (preset, chain) = (self.simulation.preset(), self.simulation.chain());
        self.link.as_ref().is_some_and(|link| link.is_of_another_version(preset, chain))
    }
}

impl Swarm {
    fn begin(scene: Scene, link: Option<Arc<Link>>) -> Result<Self, Failure> {
        let mut simulation = scene.begin(host(), None)?;
        simulation.finish_run_in(&mut |_| {})?;
        let replay = scene.replay.map(|replay| (replay, Playback::default()));
        Ok(Self { simulation, painter: FramePainter::default(), link, replay })
    }

    fn apply(&mut self, input: Input) -> Result<(), JsValue> {
        if self.replay.is_some() {
            let wrong = BadInput::new("the swarm", "plays a replay, which has inputs of its own", "wait for its end");
            return Err(thrown(Failure::from(wrong)));
        }
        self.simulation.apply(input).map_err(thrown)
    }
}
