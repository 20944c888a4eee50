use super::*;
use crate::numbers::ONE;

/// The results of every operation on two lists, lane by lane.
fn everything<V: Lanes>(a: &[i32], b: &[i32]) -> Vec<i32> {
    let mut made = Vec::new();
    for (a, b) in a.chunks(V::COUNT).zip(b.chunks(V::COUNT)) {
        let (a, b) = (V::load(a), V::load(b));
        let all = [
            a.add(b),
            a.subtract(b),
            a.multiply(b),
            a.shift_left::<7>().multiply_halves(b.and(V::splat(0xffff))),
            a.or(V::splat(1 << 20)).lower_halves(),
            b.multiply_half_by(-331),
            a.and(b),
            a.less_than(b),
            a.min(b),
            a.max(b),
            a.min_unsigned(b),
            a.max_unsigned(b),
            a.less_than(b).select(a.add(V::splat(7)), b),
            a.select(a, b),
            a.or(b),
            a.xor(b),
            a.equals(b),
            a.abs(),
            a.leading_zeros(),
            b.and(V::splat(0xff)).leading_zeros(),
            a.shift_left::<3>(),
            a.shift_right::<5>(),
            a.shift_right_unsigned::<7>(),
            a.shift_right_unsigned_by(b.and(V::splat(31))),
            a.round_shift::<4>(),
            a.clamp_magnitude(V::splat(300)),
            a.abs().saturating_subtract_unsigned(b.abs()),
            a.quotient(b.divisor()),
            a.ratio(b.divisor()),
            a.hypot(b),
            a.square_root(),
        ];
        let lists = all.map(|lanes| {
            let mut list = [0; MAX_LANES];
            lanes.store(&mut list);
            list
        });
        made.extend((0..V::COUNT).flat_map(|lane| lists.map(|list| list[lane])));
    }
    made
}

/// Checks the prefix sums of each chunk, the last of them in every lane, and a permutation.
fn prefix_sums_are_exact<V: Lanes>(a: &[i32]) {
    for chunk in a.chunks(V::COUNT) {
        let sums = V::load(chunk).prefix_sum();
        let (mut made, mut last) = ([0; MAX_LANES], [0; MAX_LANES]);
        sums.store(&mut made);
        sums.splat_last().store(&mut last);
        let mut mirrored = [0; MAX_LANES];
        V::load(chunk).permute(V::splat(3 * V::COUNT as i32 - 1).subtract(V::iota())).store(&mut mirrored);
        assert!((0..V::COUNT).all(|lane| mirrored[lane] == chunk[V::COUNT - 1 - lane]), "{chunk:?}");
        let mut sum = 0i32;
        for lane in 0..V::COUNT {
            sum = sum.wrapping_add(chunk[lane]);
            assert_eq!(made[lane], sum, "{chunk:?}");
        }
        assert!(last[..V::COUNT].iter().all(|lane| *lane == sum));
    }
}

/// Checks gathered bytes at each end of a slice and between, and partial loads and stores.
fn bytes_and_parts_are_those_of_the_slice<V: Lanes>() {
    for length in [4, 5, 6, 7, 8, 33, 256] {
        let bytes: Vec<u8> = (0..length).map(|index| (index * 37 + 11) as u8).collect();
        for first in 0..length as i32 {
            let last = length as i32 - 1;
            let at = V::iota().add(V::splat(first)).min(V::splat(last));
            let mut gathered = [0; MAX_LANES];
            V::gather_bytes(&bytes, at).store(&mut gathered);
            for lane in 0..V::COUNT {
                assert_eq!(gathered[lane], i32::from(bytes[(first as usize + lane).min(length - 1)]));
            }
        }
    }
    let list: Vec<i32> = (1..=MAX_LANES as i32 + 3).collect();
    for length in 0..list.len() {
        let (mut all, mut some) = ([-1; MAX_LANES], vec![-1; length]);
        V::load_some(&list[..length]).store(&mut all);
        V::load_some(&list[..length]).store_some(&mut some);
        for lane in 0..V::COUNT {
            assert_eq!(all[lane], if lane < length { lane as i32 + 1 } else { 0 });
        }
        let written = length.min(V::COUNT);
        assert!(some[..written] == list[..written] && some[written..].iter().all(|rest| *rest == -1));
    }
    let halves: Vec<i16> = (0..=MAX_LANES as i32).map(|n| (n * 1985 - 32_768) as i16).collect();
    let (mut all, mut back) = ([-1; MAX_LANES], [-1; MAX_LANES]);
    V::load_halves(&halves[1..]).store(&mut all);
    V::load_halves(&halves[1..]).store_halves(&mut back);
    for lane in 0..MAX_LANES {
        let kept = if lane < V::COUNT { halves[1 + lane] } else { -1 };
        assert_eq!((all[lane], back[lane]), (kept.into(), kept));
    }
}

fn bits_are_signs<V: Lanes>(a: &[i32]) {
    for chunk in a.chunks(V::COUNT) {
        let signs = (0..V::COUNT).map(|lane| u32::from(chunk[lane] < 0) << lane).sum::<u32>();
        assert_eq!(V::load(chunk).bits(), signs, "{chunk:?}");
    }
}

/// The sum, whether any number is below -900, and the sum of `iota`.
fn sums<V: Lanes>(a: &[i32]) -> (i32, bool, i32) {
    let total = a.chunks(V::COUNT).map(|chunk| V::load(chunk).reduce_sum()).sum();
    let any = a.chunks(V::COUNT).any(|chunk| V::load(chunk).less_than(V::splat(-900)).any());
    (total, any, V::iota().reduce_sum())
}

/// Checks halves at both ends of their range.
fn products_of_halves_are_exact<V: Lanes>() {
    let ends = [i32::from(i16::MIN), -1 - ONE, -ONE, -1, 0, 1, ONE, ONE + 1, i32::from(i16::MAX)];
    for (a, b) in ends.iter().flat_map(|a| ends.map(|b| (*a, b))) {
        let (mut products, mut halves) = ([0; MAX_LANES], [0; MAX_LANES]);
        V::splat(a).multiply_half_by(b as i16).store(&mut products);
        V::splat(a & 0xffff | b << 16).lower_halves().store(&mut halves);
        assert_eq!((products[0], halves[0]), (a * b, a), "{a} {b}");
    }
}

/// Checks components at the bounds, and random ones.
fn lengths_are_exact<V: Lanes>() {
    let most = 1 << 15;
    let corners = [[0, 0], [most, most], [-most, most], [most, 0], [-most, 1], [most - 1, most], [3, -4]];
    let mut random = crate::numbers::random::generator(7, 7);
    let drawn = (0..100_000).map(|_| [0; 2].map(|_| random.around(most) as i32));
    for v in corners.map(|v| v.map(|n: i64| n as i32)).into_iter().chain(drawn) {
        let mut lengths = [0; MAX_LANES];
        let exact = i64::isqrt(i64::from(v[0]).pow(2) + i64::from(v[1]).pow(2)) as i32;
        V::splat(v[0]).hypot(V::splat(v[1])).store(&mut lengths);
        assert_eq!(lengths[0], exact, "{v:?}");
    }
}

/// Checks numbers around each square.
fn roots_are_exact<V: Lanes>() {
    for root in 0..=0xffff_u32 {
        let square = root * root;
        for n in [square, square + root, square + 2 * root, square.saturating_sub(1)] {
            let mut roots = [0; MAX_LANES];
            V::splat(n as i32).square_root().store(&mut roots);
            assert_eq!(roots[0] as u32, n.isqrt(), "{n}");
        }
    }
}

/// Checks quotients on a half, and one step on either side of it.
fn quotients_round_at_halves<V: Lanes>() {
    let mut random = crate::numbers::random::generator(11, 7);
    for _ in 0..200_000 {
        let d = 1 + (random.below(1 << 30) >> random.below(30)) as i64;
        let most = (((1 << 31) - 1) / d).min(1 << 16) as u64;
        let whole = random.below(most.max(1)) as i64;
        for n in [-1, 0, 1].map(|beside| whole * d + d / 2 + beside) {
            for n in [n, -n].into_iter().filter(|n| n.abs() < 1 << 31) {
                let nearest = (2 * n.abs() + d) / (2 * d) * n.signum();
                let mut quotients = [0; MAX_LANES];
                V::splat(n as i32).quotient(V::splat(d as i32).divisor()).store(&mut quotients);
                assert_eq!(i64::from(quotients[0]), nearest, "{n} / {d}");
                if n.abs() < 1 << 21 {
                    V::splat(n as i32)
                        .ratio(V::splat((d << 10).min((1 << 30) - 1) as i32).divisor())
                        .store(&mut quotients);
                    let d = (d << 10).min((1 << 30) - 1);
                    let nearest = (2 * 1024 * n.abs() + d) / (2 * d) * n.signum();
                    assert_eq!(i64::from(quotients[0]), nearest, "1024 {n} / {d}");
                }
            }
        }
    }
}

/// Checks every power of two, and the numbers one greater and one less, with every number of bits.
fn shifts_and_zeros_are_exact<V: Lanes>() {
    for n in (0..32).flat_map(|bit| [-1, 0, 1].map(|beside| (1_u32 << bit).wrapping_add_signed(beside))) {
        let mut zeros = [0; MAX_LANES];
        V::splat(n as i32).leading_zeros().store(&mut zeros);
        assert_eq!(zeros[0] as u32, n.leading_zeros(), "{n}");
        for first in 0..32 {
            let bits = V::iota().add(V::splat(first)).and(V::splat(31));
            let mut shifted = [0; MAX_LANES];
            V::splat(n as i32).shift_right_unsigned_by(bits).store(&mut shifted);
            assert!((0..V::COUNT).all(|lane| shifted[lane] as u32 == n >> ((first as usize + lane) & 31)), "{n}");
        }
    }
}

/// Checks lanes, and two registers as one.
fn are_exact<V: Lanes>() {
    let numbers = |first: i32, step: i32| (0..64).map(|n| (first + n * step) % 1000).collect::<Vec<_>>();
    let (a, b) = (numbers(-950, 37), numbers(800, -71));
    let large: Vec<i32> = a.iter().map(|n| n.wrapping_mul(0x0123_4567)).collect();
    let expected = everything::<PortableLanes>(&a, &b);
    assert!(everything::<V>(&a, &b) == expected);
    assert!(everything::<DoubleLanes<V>>(&a, &b) == expected, "two registers as one");
    for list in [&a, &b] {
        let (total, any, _) = sums::<PortableLanes>(list);
        let count = V::COUNT as i32;
        assert_eq!(sums::<V>(list), (total, any, count * (count - 1) / 2));
        assert_eq!(sums::<DoubleLanes<V>>(list), (total, any, count * (2 * count - 1)));
    }
    prefix_sums_are_exact::<V>(&large);
    prefix_sums_are_exact::<DoubleLanes<V>>(&large);
    bits_are_signs::<V>(&large);
    bits_are_signs::<DoubleLanes<V>>(&large);
    products_of_halves_are_exact::<V>();
    lengths_are_exact::<V>();
    quotients_round_at_halves::<V>();
    roots_are_exact::<V>();
    shifts_and_zeros_are_exact::<V>();
    bytes_and_parts_are_those_of_the_slice::<V>();
    bytes_and_parts_are_those_of_the_slice::<DoubleLanes<V>>();
}

#[test]
fn all_implementations_give_the_same() {
    are_exact::<i32>();
    are_exact::<PortableLanes>();
    #[cfg(target_arch = "x86_64")]
    if InstructionSet::Avx2.is_available() {
        are_exact::<Avx2>();
    }
    #[cfg(target_arch = "x86_64")]
    if InstructionSet::Avx512.is_available() {
        are_exact::<Avx512>();
    }
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    are_exact::<Simd128>();
}
