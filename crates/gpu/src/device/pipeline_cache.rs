//! The pipelines of a device. A new engine, such as after a restart, takes its pipelines from here and compiles no
//! shader.

use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};

/// The number of pipelines in a cache. A full cache drops the least recently used pipeline.
const CAPACITY: usize = 256;

/// A pipeline, and the layout of its bind group.
#[derive(Clone)]
pub struct Pipeline<P> {
    pub pipeline: P,
    pub layout: wgpu::BindGroupLayout,
}

/// The name of a pipeline, the source of its shader, its `RenderForm` as a text (empty for a compute pipeline), and
/// `trusted` if its shader is trusted.
type Key = [String; 4];

/// A pipeline in the cache, and the number of its last use.
struct Entry<T> {
    kept: T,
    last_use: u64,
}

/// A cache of compute pipelines or of render pipelines.
pub struct PipelineCache<T> {
    entries: Mutex<HashMap<Key, Entry<T>>>,
    uses: AtomicU64,
}

impl<T> Default for PipelineCache<T> {
    fn default() -> Self {
        Self { entries: Mutex::default(), uses: AtomicU64::default() }
    }
}

impl<T: Clone> PipelineCache<T> {
    /// The pipeline of a key. `make` makes a missing pipeline, and says whether the cache keeps it. If two threads need
    /// the same missing pipeline, both make it, and neither waits.
    pub fn get(&self, key: [&str; 4], make: impl FnOnce() -> (T, bool)) -> T {
        let key = key.map(str::to_owned);
        let now = self.uses.fetch_add(1, Ordering::Relaxed);
        let entries = || self.entries.lock();
        if let Some(entry) = entries().get_mut(&key) {
            entry.last_use = now;
            return entry.kept.clone();
        }
        let (made, is_kept) = make();
        if is_kept {
            let mut entries = entries();
            if entries.len() >= CAPACITY {
                let oldest = entries.iter().min_by_key(|(_, entry)| entry.last_use).map(|(key, _)| key.clone());
                oldest.map(|key| entries.remove(&key));
            }
            entries.insert(key, Entry { kept: made.clone(), last_use: now });
        }
        made
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pipeline_is_made_once_until_others_take_its_room() {
        let cache = PipelineCache::default();
        let get = |source: usize, is_kept: bool| {
            let (source, mut is_made) = (source.to_string(), false);
            let found = cache.get(["name", &source, "", "trusted"], || {
                is_made = true;
                (source.clone(), is_kept)
            });
            assert_eq!(found, source);
            is_made
        };
        assert_eq!([get(0, true), get(0, true)], [true, false]);
        // A pipeline that failed is made again.
        assert_eq!([get(1, false), get(1, false)], [true, true]);
        // The first pipeline is used again, and stays in the cache.
        for source in 2..=CAPACITY {
            assert!(get(source, true));
        }
        assert!(!get(0, true));
        assert!(get(CAPACITY + 1, true));
        assert_eq!([get(0, true), get(2, true), get(CAPACITY, true)], [false, true, false]);
        assert_ne!(
            cache.get(["name", "0", "", ""], || (String::from("other"), true)),
            "0",
            "another trust is another key"
        );
    }
}
