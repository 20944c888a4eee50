//! Instruction sets. Code is compiled for each of them, and one is chosen at run time.
//!
//! A portable build has only the vectors of SSE2. With AVX2 or AVX-512 the kernels run two to four times as fast.
//! WebAssembly cannot detect its instructions at run time. A module that is compiled with SIMD128 always uses it.
//!
//! The results are equal, bit for bit. All arithmetic is on integers, or on floats that IEEE 754 rounds in one way, or
//! on floats with an exact fallback for uncertain results.

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use super::wasm;
#[cfg(target_arch = "x86_64")]
use super::x86::{avx2, avx512};
use super::{LaneWork, portable};
use std::fmt;

/// An instruction set for which code on [`Lanes`](super::Lanes) is compiled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InstructionSet {
    /// The instruction set that every processor of the build's target has.
    Portable,
    /// Vectors of 256 bits, with BMI1, BMI2 and LZCNT.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// Vectors of 512 bits: AVX-512 F, BW, CD, DQ and VL.
    #[cfg(target_arch = "x86_64")]
    Avx512,
    /// Vectors of 128 bits of WebAssembly. A module that is compiled with them runs only where they exist.
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    Simd128,
}

impl InstructionSet {
    /// All instruction sets, the widest last.
    pub const ALL: &[Self] = &[
        InstructionSet::Portable,
        #[cfg(target_arch = "x86_64")]
        InstructionSet::Avx2,
        #[cfg(target_arch = "x86_64")]
        InstructionSet::Avx512,
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        InstructionSet::Simd128,
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
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            InstructionSet::Simd128 => true,
        }
    }

    /// The widest instruction set of this processor.
    pub fn widest() -> Self {
        Self::ALL.iter().copied().rfind(|set| set.is_available()).unwrap_or(InstructionSet::Portable)
    }

    /// Runs work that is compiled for this instruction set.
    ///
    /// # Panics
    /// If the processor lacks the instruction set.
    #[inline]
    pub fn run(self, work: impl LaneWork) {
        assert!(self.is_available(), "the processor has no {self}");
        match self {
            InstructionSet::Portable => portable::run(work),
            // SAFETY of both: the processor has the features, as just asserted.
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx2 => unsafe { avx2::run(work) },
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx512 => unsafe { avx512::run(work) },
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            InstructionSet::Simd128 => wasm::run(work),
        }
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
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            InstructionSet::Simd128 => "SIMD128",
        })
    }
}
