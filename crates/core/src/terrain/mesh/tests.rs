use super::*;
use crate::numbers::random::{Random, generator};
use crate::parallel::ThreadPool;
use crate::world::Extents;
use std::collections::{BTreeMap, BTreeSet};

/// The values of a field. `value`: returns the value of a voxel from the place of its middle, in half cells.
fn field(extents: Extents, value: impl Fn([i32; 3]) -> i32) -> Vec<i16> {
    (0..extents.cells()).map(|index| value(extents.cell(index).map(|place| 2 * place + 1)) as i16).collect()
}

/// Random values of a field, some of them 0.
fn chance(extents: Extents, random: &mut Random) -> Vec<i16> {
    (0..extents.cells()).map(|_| random.around(5) as i16 * random.below(6000) as i16).collect()
}

/// The triangles of all chunks, each as the places of its corners in 1/[`PARTS`] cell.
fn triangles_of(chunks: &[Chunk]) -> Vec<[[i32; 3]; 3]> {
    let of_chunk = |chunk: &Chunk| {
        let place = |index: u32| chunk.place(&chunk.vertices[index as usize]);
        chunk.triangles.iter().map(|triangle| triangle.map(place)).collect::<Vec<_>>()
    };
    chunks.iter().flat_map(of_chunk).collect()
}

/// Asserts that every edge is shared by two triangles, one in each direction, and that no triangle has the area 0.
/// Returns the Euler characteristic (vertices - edges + triangles), and six times the enclosed volume.
fn checked(chunks: &[Chunk]) -> (i64, i64) {
    let triangles = triangles_of(chunks);
    let mut edges: BTreeMap<[[i32; 3]; 2], u32> = BTreeMap::new();
    let mut volume = 0;
    for [a, b, c] in &triangles {
        for edge in [[*a, *b], [*b, *c], [*c, *a]] {
            *edges.entry(edge).or_default() += 1;
        }
        let along = |from: &[i32; 3], to: &[i32; 3]| [0, 1, 2].map(|axis| i64::from(to[axis] - from[axis]));
        let (u, v) = (along(a, b), along(a, c));
        let area = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
        assert_ne!(area, [0; 3], "{a:?}, {b:?}, {c:?} have no area");
        volume += (0..3).map(|axis| area[axis] * i64::from(a[axis])).sum::<i64>();
    }
    for (edge, times) in &edges {
        let back = [edge[1], edge[0]];
        assert_eq!((times, edges.get(&back)), (&1, Some(&1)), "the edge {edge:?}");
    }
    let vertices: BTreeSet<_> = triangles.iter().flatten().collect();
    (vertices.len() as i64 - edges.len() as i64 / 2 + triangles.len() as i64, volume)
}

fn surface_of(extents: Extents, values: &[i16]) -> Vec<Chunk> {
    surface(&ScalarField { extents, values: values.to_vec() })
}

#[test]
fn every_case_of_a_cube_is_closed_within_water() {
    let extents = Extents::deep(2, 2, 2);
    let mut most = 0;
    for case in 0..256 {
        let values: Vec<_> = (0..8).map(|corner| if case >> corner & 1 == 1 { 700 } else { -300 }).collect();
        let chunks = surface_of(extents, &values);
        let (_, volume) = checked(&chunks);
        assert!((volume > 0) == (case > 0), "case {case}: the volume is {volume}");
        most = most.max(CASES[case].len());
    }
    assert_eq!(most, 5);
}

#[test]
fn every_edge_of_any_field_is_shared_by_two_triangles_over_chunks_and_at_the_edges() {
    let mut random = generator(3, 1);
    for size in [[9, 8, 7], [33, 3, 2], [34, 40, 5], [1, 65, 34], [31, 32, 33]] {
        let extents = Extents::deep(size[0], size[1], size[2]);
        let chunks = surface_of(extents, &chance(extents, &mut random));
        let (_, volume) = checked(&chunks);
        assert!(volume > 0);
        assert_eq!(chunks.len() > 1, size.iter().any(|extent| *extent > 31), "{size:?}");
    }
    let extents = Extents::deep(5, 4, 3);
    assert!(surface_of(extents, &[-1; 60]).is_empty());
    // If all voxels are rock, the surface is a box with bevelled edges.
    let (euler, volume) = checked(&surface_of(extents, &[1; 60]));
    let side = i64::from(PARTS);
    assert_eq!(euler, 2);
    assert!(volume < 6 * 60 * side.pow(3) && volume > 6 * 40 * side.pow(3), "{volume}");
}

#[test]
fn a_sphere_and_a_torus_have_their_topology_and_their_volume() {
    let extents = Extents::deep(70, 70, 40);
    let centred = |[x, y, z]: [i32; 3]| [x - 70, y - 70, z - 40];
    let sphere = field(extents, |place| {
        let [x, y, z] = centred(place);
        36 * 36 - (x * x + y * y + z * z)
    });
    let torus = field(extents, |place| {
        let [x, y, z] = centred(place);
        let around = (x * x + y * y).isqrt() - 44;
        18 * 18 - (around * around + z * z)
    });
    let pi = std::f64::consts::PI;
    for (values, euler, volume) in
        [(sphere, 2, 4.0 / 3.0 * pi * 18f64.powi(3)), (torus, 0, 2.0 * pi * pi * 22.0 * 81.0)]
    {
        let chunks = surface_of(extents, &values);
        let (found, six) = checked(&chunks);
        assert_eq!(found, euler);
        let measured = six as f64 / 6.0 / f64::from(PARTS).powi(3);
        assert!((measured / volume - 1.0).abs() < 0.03, "{measured} is not {volume}");
    }
}

#[test]
fn normals_are_those_of_the_field_and_of_the_edge_of_the_world() {
    let extents = Extents::deep(40, 40, 40);
    let sphere = field(extents, |place| 26 * 26 - place.map(|along| (along - 40) * (along - 40)).iter().sum::<i32>());
    for chunk in surface_of(extents, &sphere) {
        for vertex in &chunk.vertices {
            let outwards = chunk.place(vertex).map(|along| f64::from(along) / 256.0 - 20.0);
            let length = outwards.iter().map(|along| along * along).sum::<f64>().sqrt();
            let normal = vertex.normal.map(|along| f64::from(along) / f64::from(NORMAL_ONE));
            let cosine: f64 = (0..3).map(|axis| normal[axis] * outwards[axis] / length).sum();
            assert!(cosine > 0.999, "{normal:?} at {outwards:?}");
        }
    }
    let floor = field(extents, |[.., z]| 40 - z);
    let chunks = surface_of(extents, &floor);
    let at = |side: i32| {
        let vertices = chunks.iter().flat_map(|chunk| chunk.vertices.iter().map(move |vertex| (chunk, vertex)));
        let on_side = move |(chunk, vertex): &(&Chunk, &Vertex)| chunk.place(vertex)[0] == side;
        vertices.filter(on_side).map(|(_, vertex)| vertex.normal).collect::<BTreeSet<_>>()
    };
    assert_eq!(at(0), [[-NORMAL_ONE, 0, 0]].into());
    assert_eq!(at(40 * PARTS), [[NORMAL_ONE, 0, 0]].into());
}

#[test]
fn the_mesh_is_the_same_from_any_number_of_threads() {
    let extents = Extents::deep(70, 50, 40);
    let values = chance(extents, &mut generator(8, 2));
    let with = |threads| ThreadPool::new(Some(threads), "mesh").unwrap().install(|| surface_of(extents, &values));
    let one = with(1);
    assert!(one == with(2) && one == with(3));
}
