//! The pipelines of a device: an engine that is made anew, as at every restart, compiles no shader again.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// The pipelines that a device keeps. The one that was asked for longest ago makes room.
const MOST_PIPELINES: usize = 256;

/// A pipeline with the layout of what its shader binds.
#[derive(Clone)]
pub struct Pipeline<P> {
    pub pipeline: P,
    pub layout: wgpu::BindGroupLayout,
}

/// The name, source, form and trust of a pipeline.
type Key = [String; 4];

/// A pipeline that is kept, and when it was asked for last.
struct Entry<P> {
    pipeline: Pipeline<P>,
    last_use: u64,
}

/// Compute pipelines or render pipelines by their keys.
pub struct PipelineCache<P> {
    entries: Mutex<HashMap<Key, Entry<P>>>,
    uses: AtomicU64,
}

impl<P> Default for PipelineCache<P> {
    fn default() -> Self {
        Self { entries: Mutex::default(), uses: AtomicU64::default() }
    }
}

impl<P: Clone> PipelineCache<P> {
    /// The pipeline of a key. One that is not here is made, by this thread alone; `make` says as well whether it is kept.
    pub fn get(&self, key: [&str; 4], make: impl FnOnce() -> (Pipeline<P>, bool)) -> Pipeline<P> {
        let key = key.map(str::to_owned);
        let now = self.uses.fetch_add(1, Ordering::Relaxed);
        let entries = || self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(entry) = entries().get_mut(&key) {
            entry.last_use = now;
            return entry.pipeline.clone();
        }
        let (pipeline, is_kept) = make();
        if is_kept {
            let mut entries = entries();
            if entries.len() >= MOST_PIPELINES {
                let oldest = entries.iter().min_by_key(|(_, entry)| entry.last_use).map(|(key, _)| key.clone());
                oldest.map(|key| entries.remove(&key));
            }
            entries.insert(key, Entry { pipeline: pipeline.clone(), last_use: now });
        }
        pipeline
    }
}
