//! The same kernels compiled for several instruction sets, one of which is chosen at run time.
//!
//! A portable build has no wider vectors than SSE2; with AVX2 or AVX-512 the kernels run two to four times faster. The
//! results are the same bits: all arithmetic is integer, or f64 that IEEE 754 rounds alike everywhere.

use crate::kernels::{self, Band, Scene, BuiltInKernel};
use crate::lanes;
use std::fmt;

/// An instruction set that the kernels are compiled for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InstructionSet {
    /// What every processor of the build's target has.
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl InstructionSet {
    /// All, the widest last.
    pub const ALL: &[Self] = &[
        InstructionSet::Portable,
        #[cfg(target_arch = "x86_64")]
        InstructionSet::Avx2,
        #[cfg(target_arch = "x86_64")]
        InstructionSet::Avx512,
    ];

    /// Whether this processor has it.
    pub fn is_available(self) -> bool {
        match self {
            InstructionSet::Portable => true,
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx2 => {
                is_x86_feature_detected!("avx2")
                    && is_x86_feature_detected!("bmi1")
                    && is_x86_feature_detected!("bmi2")
                    && is_x86_feature_detected!("lzcnt")
            }
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx512 => {
                InstructionSet::Avx2.is_available()
                    && is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512cd")
                    && is_x86_feature_detected!("avx512dq")
                    && is_x86_feature_detected!("avx512vl")
            }
        }
    }

    /// The widest that this processor has.
    pub fn widest() -> Self {
        Self::ALL.iter().copied().rfind(|set| set.is_available()).unwrap_or(InstructionSet::Portable)
    }
}

impl fmt::Display for InstructionSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            InstructionSet::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx2 => "AVX2",
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx512 => "AVX-512",
        })
    }
}

/// Plays a kernel on a band of rows with an instruction set.
///
/// # Panics
/// Where the processor lacks the instruction set.
pub fn play(set: InstructionSet, twin: BuiltInKernel, scene: &Scene<'_>, band: &mut Band<'_, '_>) {
    match set {
        InstructionSet::Portable => kernels::play::<lanes::Twice<lanes::Portable>>(twin, scene, band),
        #[cfg(target_arch = "x86_64")]
        InstructionSet::Avx2 => {
            assert!(set.is_available(), "the processor has no AVX2");
            // SAFETY: the processor has the features, as just asserted.
            unsafe { play_avx2(twin, scene, band) }
        }
        #[cfg(target_arch = "x86_64")]
        InstructionSet::Avx512 => {
            assert!(set.is_available(), "the processor has no AVX-512");
            // SAFETY: the processor has the features, as just asserted.
            unsafe { play_avx512(twin, scene, band) }
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt")]
fn play_avx2(twin: BuiltInKernel, scene: &Scene<'_>, band: &mut Band<'_, '_>) {
    kernels::play::<lanes::Twice<lanes::Avx2>>(twin, scene, band);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx2,bmi1,bmi2,lzcnt")]
fn play_avx512(twin: BuiltInKernel, scene: &Scene<'_>, band: &mut Band<'_, '_>) {
    kernels::play::<lanes::Twice<lanes::Avx512>>(twin, scene, band);
}
