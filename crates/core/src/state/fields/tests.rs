use super::*;

/// A field that stores equal rows once has the cells of a field that stores all rows, in the halo too.
#[test]
fn shared_rows_show_the_same_cells() {
    for edges in [Edges::Walls, Edges::Torus] {
        let extents = Extents::deep(21, 5, 4);
        let layout = Layout::new(extents, edges, 3);
        let mut cells = vec![7; extents.cells()];
        for solid in [0, 20, 150, 151, 419] {
            cells[solid] = 0;
        }
        let [mut whole, mut shared] = [Field::new(layout, Texel::Amount).unwrap(), Field::with_shared_rows(layout)];
        for field in [&mut whole, &mut shared] {
            field.load(&vec![1; extents.cells()]);
            field.load(&cells);
        }
        let wider = Layout::new(extents, edges, 5);
        for [whole, shared] in
            [[whole.clone(), shared.clone()], [whole, shared].map(|field| field.laid_out(wider).unwrap())]
        {
            assert!(whole.cells().eq(shared.cells()) && shared.words.len() * 2 < whole.words.len());
            for [z, y] in (-3..7).flat_map(|z| (-3..8).map(move |y| [z, y])) {
                let [own, other] = [&whole, &shared].map(|field| field.view().span_of(-3, [y, z], 27));
                assert_eq!(own, other, "{edges:?} {y} {z}");
            }
        }
    }
}

/// Two buffers of density and control vectors of a large deep lattice. Rows of capacities are shared.
#[test]
fn a_large_deep_lattice_takes_less_than_26_bytes_a_cell() {
    let extents = Extents::deep(256, 256, 256);
    let layout = Layout::new(extents, Edges::Walls, 5);
    let words = 2 * (layout.field_words(Texel::Amount) + layout.field_words(Texel::Velocity));
    assert!(4 * words < 26 * extents.cells(), "{words} words");
    let mut capacities = Field::with_shared_rows(Layout::new(Extents::deep(32, 32, 32), Edges::Walls, 5));
    capacities.load(&vec![7; 32 * 32 * 32]);
    assert!(capacities.words.len() < 3 * capacities.layout.stride);
}

/// The halo of vectors of a deep world has all components.
#[test]
fn components_along_z_have_a_halo() {
    let extents = Extents::deep(5, 2, 3);
    let mut field = Field::new(Layout::new(extents, Edges::Torus, 1), Texel::Velocity).unwrap();
    field.load_rows(|first, cells, along_z| {
        for x in 0..5 {
            (cells[x], along_z[x]) = ((first + x) as u32, -((first + x) as i16));
        }
    });
    for [x, y, z] in [[-1_i32, 0_i32, 0_i32], [5, 1, 2], [3, -1, 1], [0, 2, 3], [-2, -2, -2]] {
        let cell = (z.rem_euclid(3) * 2 + y.rem_euclid(2)) * 5 + x.rem_euclid(5);
        let view = field.view();
        assert_eq!((view.span_of(x, [y, z], 1), view.along_z(x, [y, z], 1)), (&[cell as u32][..], &[-cell as i16][..]));
    }
}
