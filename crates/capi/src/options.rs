//! Options of a swarm: its preset and its engine.

use crate::status::{Error, MurmurationStatus, Outcome, needed_text, run, text, values};
use murmuration::{
    Chain, CpuOptions, EngineChoice, Failure, InstructionSet, Overrides, Preset, PresetSource, Simulation, host,
};
use murmuration_core::host::contents::Contents;
use murmuration_core::parallel::{check_threads, in_this_process, while_wanted};
use std::ffi::{c_char, c_void};
use std::mem::offset_of;
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The preset of a swarm, changes to it, and the engine. `murmuration_options_default` fills the options; then set the
/// members that differ. All texts are UTF-8. The caller owns them, and the call that gets them copies them.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct MurmurationOptions {
    /// The size of this structure in bytes. It tells the library the caller's version of the structure.
    /// `murmuration_options_default` sets it.
    pub size: usize,
    /// The name of a built-in preset, such as `droplets`, or the path of a preset, which ends in `.toml`.
    /// `murmuration_open` needs it.
    pub preset: *const c_char,
    /// The text of a preset in TOML, in place of the preset that `preset` names. `preset` is then only a name for
    /// messages. NULL: not used.
    pub text: *const c_char,
    /// Extents in cells along x and y, in place of the preset's. Both 0: the preset's.
    pub width: u32,
    /// See `width`.
    pub height: u32,
    /// The extent in cells along z of a deep world. It needs a width and a height. 0: the preset's.
    pub depth: u32,
    /// 1: the start uses `seed`. 0: the start uses the seed of the preset.
    pub has_seed: u32,
    /// The seed of the start.
    pub seed: u64,
    /// Settings, each `key=value`, such as `weights.cohesion=0.6`. NULL: none.
    pub settings: *const *const c_char,
    /// The number of settings.
    pub settings_count: usize,
    /// The name or the path of a chain, in place of the preset's. NULL: the preset's.
    pub chain: *const c_char,
    /// 1: individuals play a preset of cells, and every boid of its start becomes an individual. 0: the preset's own
    /// model.
    pub as_individuals: u32,
    /// The number of threads of an engine on the CPU, at most 1024. 0: one for each core.
    pub threads: u32,
    /// `auto`: a GPU if there is a hardware one, else the CPU. `cpu`. `gpu`: any adapter, including a software one.
    /// NULL: `auto`. All engines give the same bits.
    pub engine: *const c_char,
    /// The instruction set of an engine on the CPU: `portable`, `avx2` or `avx512`.
    /// NULL: the widest that the processor has.
    pub instruction_set: *const c_char,
    /// Called every 50 ms while `murmuration_open` works, on the thread that called it. If it returns any number but 0,
    /// `murmuration_open` ends with `MURMURATION_STATUS_STOPPED`. A start of 4096 x 4096 cells takes seconds, and a
    /// run-in takes longer. NULL: `murmuration_open` cannot be stopped.
    pub stop: Option<unsafe extern "C" fn(context: *mut c_void) -> u32>,
    /// The argument of `stop`.
    pub stop_context: *mut c_void,
}

const DEFAULT: MurmurationOptions = MurmurationOptions {
    size: size_of::<MurmurationOptions>(),
    preset: std::ptr::null(),
    text: std::ptr::null(),
    width: 0,
    height: 0,
    depth: 0,
    has_seed: 0,
    seed: 0,
    settings: std::ptr::null(),
    settings_count: 0,
    chain: std::ptr::null(),
    as_individuals: 0,
    threads: 0,
    engine: std::ptr::null(),
    instruction_set: std::ptr::null(),
    stop: None,
    stop_context: std::ptr::null_mut(),
};

/// The size in bytes of the first version of the options. Later versions add members at the end.
const FIRST: usize = offset_of!(MurmurationOptions, stop);

/// Fills options: no preset, the engine `auto`, and everything else as in the preset. `size` is
/// `sizeof(MurmurationOptions)`. A library that is newer than the caller's header fills only `size` bytes. Any thread
/// may call this function.
///
/// # Safety
/// `options` is NULL or has `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn murmuration_options_default(
    options: *mut MurmurationOptions,
    size: usize,
) -> MurmurationStatus {
    run(|| {
        check(options, size)?;
        let own = MurmurationOptions { size, ..DEFAULT };
        // SAFETY: the caller's structure has `size` bytes, and `own` has at least `size` bytes.
        unsafe { (&raw const own).cast::<u8>().copy_to_nonoverlapping(options.cast(), size) };
        Ok(())
    })
}

/// Checks the address and the size of a caller's options.
fn check(options: *const MurmurationOptions, size: usize) -> Outcome {
    if options.is_null() {
        return Err(Error::new(MurmurationStatus::NullArgument, "options: is NULL; give an address"));
    }
    if [FIRST, size_of::<MurmurationOptions>()].contains(&size) {
        return Ok(());
    }
    let cure = "fill it by murmuration_options_default, with the library's own header";
    Err(Error::bad("options", format!("has the size {size}"), cure))
}

/// Reads the options of a caller, whose version of the structure may be an older one.
///
/// # Safety
/// `options` is NULL, or begins with its size in bytes.
pub unsafe fn read(options: *const MurmurationOptions) -> Outcome<MurmurationOptions> {
    // SAFETY: the size is the first member.
    let size = if options.is_null() { 0 } else { unsafe { options.cast::<usize>().read_unaligned() } };
    check(options, size)?;
    let mut own = DEFAULT;
    // SAFETY: the caller's structure has `size` bytes, and `own` has at least `size` bytes. Every member may have any
    // bits.
    unsafe { options.cast::<u8>().copy_to_nonoverlapping((&raw mut own).cast(), size) };
    Ok(own)
}

impl MurmurationOptions {
    /// Starts the swarm, unless the caller stops the start.
    ///
    /// # Safety
    /// The texts are NULL or end with a NUL. `settings` has `settings_count` texts. `stop` may be called with
    /// `stop_context`.
    pub unsafe fn start(&self) -> Outcome<Simulation> {
        // SAFETY: as the caller promises, here and below.
        let name = unsafe { needed_text(self.preset, "options.preset") }?;
        let (own_text, chain) = unsafe { (text(self.text, "options.text")?, text(self.chain, "options.chain")?) };
        let overrides = Overrides {
            size: (self.width > 0 || self.height > 0).then_some((self.width, self.height)),
            depth: (self.depth > 0).then_some(self.depth),
            seed: (self.has_seed != 0).then_some(self.seed),
            set: unsafe { self.settings() }?,
            individuals: self.as_individuals != 0,
            ..Overrides::default()
        };
        let choice = unsafe { self.engine() }?;
        let [name, own_text, chain] = [Some(name), own_text, chain].map(|text| text.map(str::to_owned));
        let begin = move |is_unwanted: Arc<AtomicBool>| {
            let (preset, chain) = load(&name.unwrap_or_default(), own_text, overrides, chain)?;
            let stop = Arc::new(move || is_unwanted.load(Ordering::Relaxed));
            Simulation::new_until(preset, &chain, choice, stop)
        };
        let begun = match self.stop {
            None => in_this_process(|| begin(Arc::default()))?,
            Some(stop) => while_wanted(begin, || unsafe { stop(self.stop_context) } == 0)?.flatten(),
        };
        begun.ok_or_else(|| Error::new(MurmurationStatus::Stopped, "options.stop: the start was stopped"))
    }

    /// # Safety
    /// As for [`Self::start`].
    unsafe fn settings(&self) -> Outcome<Vec<String>> {
        // SAFETY: as the caller promises.
        let settings = unsafe { values(self.settings, self.settings_count, "options.settings") }?;
        let owned = |setting: &*const c_char| unsafe { needed_text(*setting, "options.settings") }.map(str::to_string);
        settings.iter().map(owned).collect()
    }

    /// The engine that `engine`, `threads` and `instruction_set` name.
    ///
    /// # Safety
    /// As for [`Self::start`].
    pub unsafe fn engine(&self) -> Outcome<EngineChoice> {
        // SAFETY: as the caller promises.
        let (engine, set) =
            unsafe { (text(self.engine, "options.engine")?, text(self.instruction_set, "options.instruction_set")?) };
        let choice = EngineChoice::from_str(engine.unwrap_or("auto"))?;
        if self.threads > 0 {
            check_threads(self.threads as usize)?;
        }
        let options = CpuOptions {
            threads: (self.threads > 0).then_some(self.threads as usize),
            instruction_set: set.map(instruction_set_of).transpose()?,
        };
        match choice {
            _ if options == CpuOptions::default() => Ok(choice),
            EngineChoice::Gpu(_) => {
                let cure = "leave them out, or ask for the engine `cpu`";
                Err(Error::bad("options", "threads and instruction sets are for the CPU", cure))
            }
            EngineChoice::Auto | EngineChoice::Cpu(_) => Ok(EngineChoice::Cpu(options)),
        }
    }
}

fn load(
    name: &str,
    own_text: Option<String>,
    overrides: Overrides,
    chain: Option<String>,
) -> Result<(Preset, Chain), Failure> {
    let preset = match own_text {
        None => Preset::load(host(), Path::new(name), &overrides)?,
        Some(text) => {
            let source = PresetSource {
                origin: Path::new(name).to_path_buf().into(),
                text,
                overrides,
                files: Contents::default(),
            };
            Preset::from_source(host(), &source)?
        }
    };
    let chain = preset.load_chain(chain.as_deref().map(Path::new))?;
    Ok((preset, chain))
}

/// Finds an instruction set by its name without hyphens: `avx512` is AVX-512.
fn instruction_set_of(name: &str) -> Outcome<InstructionSet> {
    let is_named = |set: &InstructionSet| set.to_string().replace('-', "").eq_ignore_ascii_case(name);
    let set = InstructionSet::ALL.iter().copied().find(is_named);
    match set {
        Some(set) if set.is_available() => Ok(set),
        Some(_) => Err(Error::bad("options.instruction_set", format!("this processor has no {name}"), "leave it out")),
        None => Err(Error::bad("options.instruction_set", format!("`{name}` is none"), "use portable, avx2 or avx512")),
    }
}
