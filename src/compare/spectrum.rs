//! The structure factor of a swarm: the power spectrum of its density.

use super::grain::transposed;
use super::pair::{ModelPair, Pair};
use crate::files::write_table;
use murmuration_core::error::Failure;
use murmuration_core::numbers::BOID;
use murmuration_core::parallel::*;
use murmuration_core::state::State;
use std::f64::consts::TAU;
use std::path::Path;

/// The structure factor S(f) of a swarm, averaged over all directions of the frequency f.
///
/// S(f) = |Σ D(x)·e^(-2πi f·x)|² / N, with the density D(x) of the cell at x in boids, and the number N of boids.
/// Independent uniform random positions have S = 1 at all frequencies: shot noise. N individuals that are drawn from a
/// density have S = S(density) + 1. So S - 1 of the individuals can be compared with S of the cells without
/// coarse-graining.
#[derive(Debug, Clone, PartialEq)]
pub struct Spectrum {
    /// The shorter extent of the lattice, in cells. The value with the index k - 1 is of waves of the length `extent` /
    /// k.
    pub extent: u32,
    /// S of waves with 1, 2, 3, … periods in the shorter extent, until the wavelength is two cells.
    pub values: Vec<f64>,
}

impl Pair {
    /// The spectra of the present step.
    ///
    /// # Errors
    /// If a device fails.
    pub fn spectra(&mut self) -> Result<ModelPair<Spectrum>, Failure> {
        Ok(ModelPair { cells: self.cells.state()?, individuals: self.individuals.state()? }.map_ref(Spectrum::new))
    }
}

impl Spectrum {
    /// The spectrum of a state. Without boids it is 0. The Fourier transform assumes a torus. Between walls this
    /// changes the values of the longest waves.
    pub fn new(state: &State) -> Self {
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

    /// The wavelength of the value with this index, in cells.
    pub fn wavelength(&self, index: usize) -> f64 {
        f64::from(self.extent) / (index + 1) as f64
    }
}

/// The columns of the table with their units.
pub const COLUMNS: [(&str, &str); 3] = [("wavelength", "cell"), ("cells", "boid"), ("individuals", "boid")];

/// Writes the spectra of both models as CSV with a header, atomically: wavelengths in cells, the longest first.
///
/// # Errors
/// If the file cannot be written.
pub fn write(spectra: &ModelPair<Spectrum>, path: &Path) -> Result<(), Failure> {
    let ModelPair { cells, individuals } = spectra;
    let row =
        |(index, (a, b)): (usize, (&f64, &f64))| [cells.wavelength(index), *a, *b].map(|n| n.to_string()).to_vec();
    let header = COLUMNS.map(|(name, _)| name.to_owned()).to_vec();
    let rows = cells.values.iter().zip(&individuals.values).enumerate().map(row);
    write_table(path, std::iter::once(header).chain(rows))
}

/// The squared magnitude of every Fourier coefficient of the density in boids, x fastest.
fn powers(state: &State) -> Vec<f64> {
    let (width, height) = (state.extents.width as usize, state.extents.height as usize);
    let rows: Vec<Complex> =
        state.layers[0].density.iter().map(|quanta| [f64::from(*quanta) / f64::from(BOID), 0.0]).collect();
    let columns = transposed(&transformed(&rows, width), width, height);
    let spectrum = transposed(&transformed(&columns, height), height, width);
    spectrum.iter().map(|[real, imaginary]| real * real + imaginary * imaginary).collect()
}

/// The real part and the imaginary part of a complex number.
type Complex = [f64; 2];

/// The discrete Fourier transform X(k) = Σ x(j)·e^(-2πi jk/n) of every row of n values.
fn transformed(values: &[Complex], n: usize) -> Vec<Complex> {
    let angle = |k: usize| -TAU * k as f64 / n as f64;
    let roots: Vec<Complex> = (0..n).map(|k| [angle(k).cos(), angle(k).sin()]).collect();
    let mut transforms = vec![[0.0; 2]; values.len()];
    transforms
        .par_chunks_mut(n)
        .zip(values.par_chunks(n))
        .for_each(|(transform, row)| fourier(row, 1, &roots, transform));
    transforms
}

/// The Fourier transform of every `stride`-th value, by the mixed-radix algorithm of Cooley and Tukey. Let p be the
/// smallest prime factor of the length. The values are divided into p interleaved parts. The transforms of these parts
/// are combined. A length n with small factors takes about n·log n operations, and a prime length takes n².
fn fourier(values: &[Complex], stride: usize, roots: &[Complex], transform: &mut [Complex]) {
    let n = transform.len();
    if n == 1 {
        transform[0] = values[0];
        return;
    }
    let radix = (2..).take_while(|factor| factor * factor <= n).find(|factor| n.is_multiple_of(*factor)).unwrap_or(n);
    let length = n / radix;
    for (part, transform) in transform.chunks_exact_mut(length).enumerate() {
        fourier(&values[part * stride..], stride * radix, roots, transform);
    }
    let mut combined = vec![[0.0; 2]; radix];
    for k in 0..length {
        for (block, sum) in combined.iter_mut().enumerate() {
            let turn = (k + block * length) * stride;
            let mut angle = 0;
            *sum = [0.0; 2];
            for [real, imaginary] in transform[k..].iter().step_by(length) {
                let [cosine, sine] = roots[angle];
                sum[0] += real * cosine - imaginary * sine;
                sum[1] += real * sine + imaginary * cosine;
                angle += turn;
                angle -= if angle >= roots.len() { roots.len() } else { 0 };
            }
        }
        for (value, sum) in transform[k..].iter_mut().step_by(length).zip(&combined) {
            *value = *sum;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use murmuration_core::world::Extents;

    #[test]
    fn a_wave_of_eight_cells_has_all_its_power_there() {
        let extents = Extents::flat(64, 32);
        for along_x in [true, false] {
            let mut state = State::empty(extents);
            for index in 0..extents.cells() {
                let place = if along_x { index % 64 } else { index / 64 };
                let wave = (place as f64 * std::f64::consts::TAU / 8.0).cos();
                state.layers[0].density[index] = (f64::from(BOID) * (1.0 + wave)).round() as u32;
            }
            let spectrum = Spectrum::new(&state);
            assert_eq!((spectrum.extent, spectrum.values.len()), (32, 16));
            let strongest = (0..16).max_by(|a, b| spectrum.values[*a].total_cmp(&spectrum.values[*b])).unwrap();
            assert_eq!(spectrum.wavelength(strongest), 8.0);
            let others: f64 = (0..16).filter(|k| *k != strongest).map(|k| spectrum.values[k]).sum();
            assert!(others < 1e-6 * spectrum.values[strongest], "{others}");
        }
    }

    #[test]
    fn a_shift_round_the_torus_changes_nothing() {
        let extents = Extents::flat(24, 16);
        let (mut state, mut shifted) = (State::empty(extents), State::empty(extents));
        for index in 0..extents.cells() {
            let quanta = (index * index * 31_337) as u32 % (5 * BOID);
            state.layers[0].density[index] = quanta;
            shifted.layers[0].density[(index / 24 + 5) % 16 * 24 + (index % 24 + 17) % 24] = quanta;
        }
        let [one, other] = [&state, &shifted].map(Spectrum::new);
        assert!(one.values.iter().zip(&other.values).all(|(a, b)| (a - b).abs() < 1e-9 * a.max(1.0)));
    }

    #[test]
    fn boids_strewn_at_random_are_shot_noise_of_one_and_nobody_is_nothing() {
        let extents = Extents::flat(128, 128);
        let mut random = murmuration_core::numbers::random::generator(3, 9);
        let mut state = State::empty(extents);
        (0..40_000).for_each(|_| state.layers[0].density[random.below(128 * 128) as usize] += BOID);
        let values = Spectrum::new(&state).values;
        // The standard deviation of the mean over n modes is 1/√n.
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        assert!((mean - 1.0).abs() < 0.1, "{mean}");
        assert!(Spectrum::new(&State::empty(extents)).values.iter().all(|value| *value == 0.0));
    }

    #[test]
    fn the_transform_is_the_sum_that_defines_it_for_every_length() {
        for n in [1, 2, 3, 4, 6, 8, 12, 17, 30, 49, 64] {
            let values: Vec<Complex> = (0..n).map(|j| [(j * j % 7) as f64, (j % 5) as f64 - 2.0]).collect();
            for (k, sum) in transformed(&values, n).iter().enumerate() {
                let mut expected = [0.0; 2];
                for (j, [real, imaginary]) in values.iter().enumerate() {
                    let (sine, cosine) = (-TAU * (j * k % n) as f64 / n as f64).sin_cos();
                    expected[0] += real * cosine - imaginary * sine;
                    expected[1] += real * sine + imaginary * cosine;
                }
                assert!((sum[0] - expected[0]).hypot(sum[1] - expected[1]) < 1e-10, "{n}: {k}");
            }
        }
    }
}
