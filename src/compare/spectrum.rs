//! The structure factor of a swarm: how strongly its density varies on each length.

use super::pair::Both;
use crate::error::Failure;
use crate::files::write_whole;
use crate::numbers::BOID;
use crate::state::State;
use rayon::prelude::*;
use rustfft::num_complex::Complex;
use rustfft::{Fft, FftPlanner};
use std::io;
use std::path::Path;
use std::sync::Arc;

/// S(f), averaged over all directions.
///
/// S(f) = |Σ D(x)·e^(-2πi f·x)|² / N, with D in boids and N their number. Boids that are strewn independently of each other
/// have S = 1 on every length: the shot noise. N individuals drawn from a density have S = S(density) + 1, so that the
/// curve of individuals can be compared with that of cells without any coarse-graining, by what exceeds 1.
#[derive(Debug, Clone, PartialEq)]
pub struct Spectrum {
    /// The shorter extent, in cells: bin k is of waves `extent` / k cells long.
    pub extent: u32,
    /// S of waves that fit 1, 2, 3 … times into the shorter extent, up to two cells long.
    pub values: Vec<f64>,
}

impl Spectrum {
    /// The spectrum of a state; without boids it is 0. A Fourier transform takes the lattice for a torus, which between
    /// walls it is not: there the longest waves feel the walls.
    pub fn of(state: &State) -> Self {
        let (width, height) = (state.extents.width as usize, state.extents.height as usize);
        let extent = width.min(height);
        let mut sums = vec![0.0; extent / 2];
        let mut modes = vec![0u32; extent / 2];
        let powers = powers(state);
        let cycles = |place: usize, extent: usize| {
            let place = place.min(extent - place) as f64;
            place / extent as f64
        };
        for (index, power) in powers.iter().enumerate() {
            let frequency = cycles(index % width, width).hypot(cycles(index / width, height));
            let bin = (frequency * extent as f64).round() as usize;
            if (1..=sums.len()).contains(&bin) {
                sums[bin - 1] += power;
                modes[bin - 1] += 1;
            }
        }
        let boids = state.total() as f64 / f64::from(BOID);
        let mean = |(sum, modes): (f64, u32)| if boids > 0.0 { sum / f64::from(modes.max(1)) / boids } else { 0.0 };
        Self { extent: extent as u32, values: sums.into_iter().zip(modes).map(mean).collect() }
    }

    /// The wavelength of a value, in cells.
    pub fn wavelength(&self, index: usize) -> f64 {
        f64::from(self.extent) / (index + 1) as f64
    }
}

/// Writes the spectra of both models as CSV with a header, whole or not at all: wavelengths in cells, the longest first.
///
/// # Errors
/// Where the file cannot be written.
pub fn write(spectra: &Both<Spectrum>, path: &Path) -> Result<(), Failure> {
    write_whole(path, |to| {
        let mut table = csv::Writer::from_writer(to);
        table.write_record(["wavelength", "cells", "individuals"]).map_err(io::Error::from)?;
        for (index, both) in spectra.cells.values.iter().zip(&spectra.individuals.values).enumerate() {
            let row = [spectra.cells.wavelength(index), *both.0, *both.1];
            table.write_record(row.map(|value| value.to_string())).map_err(io::Error::from)?;
        }
        table.flush()
    })
}

/// The squared size of every Fourier coefficient, x fastest.
fn powers(state: &State) -> Vec<f64> {
    let (width, height) = (state.extents.width as usize, state.extents.height as usize);
    let mut planner = FftPlanner::new();
    let boids = |quanta: &u32| Complex::new(f64::from(*quanta) / f64::from(BOID), 0.0);
    let mut rows: Vec<Complex<f64>> = state.density.iter().map(boids).collect();
    transform(&mut rows, width, &planner.plan_fft_forward(width));
    let mut columns = transposed(&rows, width, height);
    transform(&mut columns, height, &planner.plan_fft_forward(height));
    transposed(&columns, height, width).iter().map(Complex::norm_sqr).collect()
}

fn transform(values: &mut [Complex<f64>], length: usize, plan: &Arc<dyn Fft<f64>>) {
    values.par_chunks_mut(length).for_each(|row| plan.process(row));
}

fn transposed(values: &[Complex<f64>], width: usize, height: usize) -> Vec<Complex<f64>> {
    (0..width * height).into_par_iter().map(|index| values[index % height * width + index / height]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::Extents;

    #[test]
    fn a_wave_of_eight_cells_has_all_its_power_there() {
        let extents = Extents { width: 64, height: 32 };
        for along_x in [true, false] {
            let mut state = State::empty(extents);
            for index in 0..extents.cells() {
                let place = if along_x { index % 64 } else { index / 64 };
                let wave = (place as f64 * std::f64::consts::TAU / 8.0).cos();
                state.density[index] = (f64::from(BOID) * (1.0 + wave)).round() as u32;
            }
            let spectrum = Spectrum::of(&state);
            assert_eq!((spectrum.extent, spectrum.values.len()), (32, 16));
            let strongest = (0..16).max_by(|a, b| spectrum.values[*a].total_cmp(&spectrum.values[*b])).unwrap();
            assert_eq!(spectrum.wavelength(strongest), 8.0);
            let others: f64 = (0..16).filter(|k| *k != strongest).map(|k| spectrum.values[k]).sum();
            assert!(others < 1e-6 * spectrum.values[strongest], "{others}");
        }
    }

    #[test]
    fn a_shift_round_the_torus_changes_nothing() {
        let extents = Extents { width: 24, height: 16 };
        let (mut state, mut shifted) = (State::empty(extents), State::empty(extents));
        for index in 0..extents.cells() {
            let quanta = (index * index * 31_337) as u32 % (5 * BOID);
            state.density[index] = quanta;
            shifted.density[(index / 24 + 5) % 16 * 24 + (index % 24 + 17) % 24] = quanta;
        }
        let [one, other] = [&state, &shifted].map(Spectrum::of);
        assert!(one.values.iter().zip(&other.values).all(|(a, b)| (a - b).abs() < 1e-9 * a.max(1.0)));
    }

    #[test]
    fn boids_strewn_at_random_are_shot_noise_of_one_and_nobody_is_nothing() {
        let extents = Extents { width: 128, height: 128 };
        let mut random = crate::random::generator(3, 9);
        let mut state = State::empty(extents);
        (0..40_000).for_each(|_| state.density[random.below(128 * 128) as usize] += BOID);
        let values = Spectrum::of(&state).values;
        // The mean over n modes varies by 1/√n.
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        assert!((mean - 1.0).abs() < 0.1, "{mean}");
        assert!(Spectrum::of(&State::empty(extents)).values.iter().all(|value| *value == 0.0));
    }
}
