//! Eigenvalues and eigenvectors of a symmetric 3 × 3 tensor.

use super::PAIRS;

/// The number of sweeps, enough for every tensor. Each sweep about squares the small entries outside the diagonal.
const SWEEPS: usize = 12;

/// The eigenvalues of a positive semidefinite symmetric tensor, the greatest first. `products`: the entries of the
/// tensor at the pairs of axes in [`PAIRS`].
pub fn eigenvalues(products: [f64; 6]) -> [f64; 3] {
    // Rounding may give a value slightly below 0.
    decompose(products).map(|(value, _)| value.max(0.0))
}

/// The eigenvectors of a symmetric tensor as unit vectors, in the order of descending eigenvalues. `products`: the
/// entries of the tensor at the pairs of axes in [`PAIRS`].
pub fn eigenvectors(products: [f64; 6]) -> [[f64; 3]; 3] {
    decompose(products).map(|(_, vector)| vector)
}

/// Eigenvalues with their eigenvectors, the greatest first. The method is Jacobi rotations (*Numerical Recipes*, Jacobi
/// Transformations of a Symmetric Matrix).
fn decompose(products: [f64; 6]) -> [(f64, [f64; 3]); 3] {
    let mut tensor = [[0.0; 3]; 3];
    for ([a, b], product) in PAIRS.into_iter().zip(products) {
        (tensor[a][b], tensor[b][a]) = (product, product);
    }
    let mut vectors = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    for _ in 0..SWEEPS {
        for [a, b] in &PAIRS[3..] {
            rotate(&mut tensor, &mut vectors, *a, *b);
        }
    }
    let mut found = [0, 1, 2].map(|axis| (tensor[axis][axis], vectors[axis]));
    found.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    found
}

/// Rotates a tensor and its axes in the plane of axes `a` and `b`, so that the entries (a, b) and (b, a) become 0.
fn rotate(tensor: &mut [[f64; 3]; 3], vectors: &mut [[f64; 3]; 3], a: usize, b: usize) {
    let product = tensor[a][b];
    if product == 0.0 {
        return;
    }
    let half = (tensor[b][b] - tensor[a][a]) / (2.0 * product);
    let tangent = half.signum() / (half.abs() + (half * half + 1.0).sqrt());
    let cosine = 1.0 / (tangent * tangent + 1.0).sqrt();
    let sine = tangent * cosine;
    let turned = |along_a: f64, along_b: f64| [cosine * along_a - sine * along_b, sine * along_a + cosine * along_b];
    tensor[a][a] -= tangent * product;
    tensor[b][b] += tangent * product;
    (tensor[a][b], tensor[b][a]) = (0.0, 0.0);
    let c = 3 - a - b;
    let [along_a, along_b] = turned(tensor[c][a], tensor[c][b]);
    (tensor[c][a], tensor[a][c]) = (along_a, along_a);
    (tensor[c][b], tensor[b][c]) = (along_b, along_b);
    for axis in 0..3 {
        [vectors[a][axis], vectors[b][axis]] = turned(vectors[a][axis], vectors[b][axis]);
    }
}
