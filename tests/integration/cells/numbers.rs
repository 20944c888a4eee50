//! The exact arithmetic: Rust against definitions in 128 bits, and WGSL against Rust on the adapter.
//!
//! The definitions are the mathematics in wide integers, independent of the code of `numbers`.

use crate::support::random::Random;
use crate::support::{adapter, size};
use murmuration_core::lanes::Lanes;
use murmuration_core::lanes::vector::{clamp_components, length, limit, stretch};
use murmuration_core::numbers::*;
use murmuration_gpu::Gpu;
use wgpu::util::DeviceExt;

/// The number of inputs for each helper on the adapter.
fn inputs() -> usize {
    size(1 << 17, 1 << 20)
}
/// The maximum result of `quotient` and `ratio`.
const MAX_MAGNITUDE: i128 = 1 << 16;

/// n / d, rounded to nearest, halves away from zero.
fn nearest(n: i128, d: i128) -> i128 {
    (2 * n.abs() + d) / (2 * d) * n.signum()
}

/// The largest integer whose square is at most n, by bisection.
fn root(n: i128) -> i128 {
    let (mut least, mut beyond) = (0, 1 << 33);
    while beyond - least > 1 {
        let middle = (least + beyond) / 2;
        if middle * middle <= n { least = middle } else { beyond = middle }
    }
    least
}

fn limited(v: [i128; 2], cruise: i128, max: i128) -> [i128; 2] {
    let one = i128::from(ONE);
    let held = v.map(|component| component.clamp(-2 * one, 2 * one));
    let length = root(held[0] * held[0] + held[1] * held[1]);
    let cruising = if cruise > 0 { length + nearest(cruise - length, 4) } else { length };
    let to = cruising.min(max);
    held.map(|component| nearest(component * to, length.max(1)).clamp(-one, one))
}

/// A helper with its definition and its domain. Unused inputs are 0.
struct Case {
    name: &'static str,
    /// A WGSL expression from `i`, a vec4<i32>, that gives a vec4<i32>.
    wgsl: &'static str,
    rust: fn([i32; 4]) -> [i32; 4],
    /// The definition.
    defined: fn([i128; 4]) -> [i128; 4],
    /// Whether the inputs are within the helper's documented domain.
    domain: fn([i128; 4]) -> bool,
    /// Draws inputs: at the bounds, near changes of a rounding, or arbitrary.
    draw: fn(&mut Random) -> [i32; 4],
}

fn edge(random: &mut Random, most: i64) -> i64 {
    let near = random.between(-2, 2);
    let power = 1 << random.below(u64::from(most.ilog2()) + 1);
    let value = match random.below(6) {
        0 => near,
        1 => most + near,
        2 => power + near,
        3 => random.between(0, power),
        _ => random.between(0, most),
    };
    if random.below(2) == 0 { value } else { -value }
}

/// A numerator near k·d + d/2 or k·d for some k, where a rounding changes, or an arbitrary one. The domain excludes
/// invalid inputs.
fn fraction(random: &mut Random, scale: i64) -> [i32; 4] {
    let d = edge(random, (1 << 30) - 1).abs().max(1);
    let k = edge(random, MAX_MAGNITUDE as i64);
    let turn = *random.pick(&[0, d / 2, (d + 1) / 2, d - 1]);
    let exact = i128::from(k) * i128::from(d) + i128::from(turn) + i128::from(random.between(-1, 1));
    let n = if random.below(4) == 0 { i128::from(edge(random, (1 << 31) - 1)) } else { exact / i128::from(scale) };
    [n.clamp(-(1 << 31), (1 << 31) - 1) as i32, d as i32, 0, 0]
}

fn vector(random: &mut Random, most: i64) -> [i32; 2] {
    // All magnitudes are equally likely, so that quotients by short lengths occur too.
    let most = if random.below(2) == 0 { most } else { 1 << random.below(u64::from(most.ilog2()) + 1) };
    [0; 2].map(|_| edge(random, most).clamp(-most, most) as i32)
}

const CASES: &[Case] = &[
    Case {
        name: "round_shift",
        wgsl: "vec4<i32>(round_shift(i.x, u32(i.y)), 0, 0, 0)",
        rust: |[n, bits, ..]| [round_shift(n, bits as u32), 0, 0, 0],
        defined: |[n, bits, ..]| [nearest(n, 1 << bits), 0, 0, 0],
        domain: |[n, bits, ..]| (1..31).contains(&bits) && n.abs() < (1 << 31) - (1 << (bits - 1)),
        draw: |random| {
            let bits = random.between(1, 30);
            let half = (edge(random, 1 << 15) * 2 + 1).saturating_mul(1 << (bits - 1)) + random.between(-1, 1);
            let n = if random.below(2) == 0 { half } else { edge(random, (1 << 31) - 1) };
            [n.clamp(-(1 << 31), (1 << 31) - 1) as i32, bits as i32, 0, 0]
        },
    },
    Case {
        name: "quotient",
        wgsl: "vec4<i32>(quotient(i.x, i.y), 0, 0, 0)",
        rust: |[n, d, ..]| [quotient(n, d), 0, 0, 0],
        defined: |[n, d, ..]| [nearest(n, d), 0, 0, 0],
        domain: |[n, d, ..]| n.abs() < 1 << 31 && (1..1 << 30).contains(&d) && nearest(n, d).abs() <= MAX_MAGNITUDE,
        draw: |random| fraction(random, 1),
    },
    Case {
        name: "ratio",
        wgsl: "vec4<i32>(ratio(i.x, i.y), 0, 0, 0)",
        rust: |[n, d, ..]| [ratio(n, d), 0, 0, 0],
        defined: |[n, d, ..]| [nearest(1024 * n, d), 0, 0, 0],
        domain: |[n, d, ..]| {
            n.abs() < 1 << 30 && (1..1 << 30).contains(&d) && nearest(1024 * n, d).abs() <= MAX_MAGNITUDE
        },
        draw: |random| fraction(random, 1024),
    },
    Case {
        name: "multiply_fraction",
        wgsl: "vec4<i32>(i32(multiply_fraction(u32(i.x), u32(i.y))), 0, 0, 0)",
        rust: |[amount, part, ..]| [amount.multiply_fraction(part), 0, 0, 0],
        defined: |[amount, part, ..]| [word((unsigned(amount) * part) >> 14), 0, 0, 0],
        domain: |[_, part, ..]| (0..=i128::from(ONE)).contains(&part),
        draw: |random| [edge(random, 1 << 32) as i32, edge(random, i64::from(ONE)).abs() as i32, 0, 0],
    },
    Case {
        name: "square_root",
        wgsl: "vec4<i32>(i32(square_root(u32(i.x))), 0, 0, 0)",
        rust: |[n, ..]| [square_root(n as u32) as i32, 0, 0, 0],
        defined: |[n, ..]| [root(unsigned(n)), 0, 0, 0],
        domain: |_| true,
        draw: |random| {
            let side = random.between(0, 65535);
            let any = edge(random, 1 << 32);
            [*random.pick(&[side * side, side * side - 1, side * side + 2 * side, any]) as i32, 0, 0, 0]
        },
    },
    Case {
        name: "length",
        wgsl: "vec4<i32>(length_of(i.xy), 0, 0, 0)",
        rust: |[x, y, ..]| [length([x, y]), 0, 0, 0],
        defined: |[x, y, ..]| [root(x * x + y * y), 0, 0, 0],
        domain: |[x, y, ..]| x.abs() <= 1 << 15 && y.abs() <= 1 << 15,
        draw: |random| {
            let [x, y] = vector(random, 1 << 15);
            // Multiples of a triangle with whole sides have a whole length, where rounding down changes.
            let [a, b, _] = *random.pick(&[[3, 4, 5], [5, 12, 13], [8, 15, 17], [20, 21, 29]]);
            let k = random.between(0, (1 << 15) / 21) as i32;
            if random.below(2) == 0 { [x, y, 0, 0] } else { [k * a, k * b + random.between(-1, 1) as i32, 0, 0] }
        },
    },
    Case {
        name: "stretch",
        wgsl: "vec4<i32>(stretch(i.xy, i.z, i.w), 0, 0)",
        rust: |[x, y, from, to]| {
            let [x, y] = stretch([x, y], from, to);
            [x, y, 0, 0]
        },
        defined: |[x, y, from, to]| [nearest(x * to, from.max(1)), nearest(y * to, from.max(1)), 0, 0],
        domain: |[x, y, from, to]| {
            let far = |component: i128| nearest(component * to, from.max(1)).abs() > MAX_MAGNITUDE;
            let bound = 1 << 15;
            let bounded = x.abs() <= bound && y.abs() <= bound && (0..=bound).contains(&to);
            bounded && (0..1 << 30).contains(&from) && (from > 0 || [x, y] == [0, 0]) && !far(x) && !far(y)
        },
        draw: |random| {
            let [x, y] = vector(random, 1 << 15);
            let to = edge(random, 1 << 15).abs().min(1 << 15) as i32;
            let from = if random.below(4) == 0 { edge(random, 1 << 16).abs() as i32 } else { length([x, y]) };
            [x, y, from, to]
        },
    },
    Case {
        name: "limit",
        wgsl: "vec4<i32>(limit(i.xy, i.z, i.w), 0, 0)",
        rust: |[x, y, cruise, max]| {
            let [x, y] = limit([x, y], cruise, max);
            [x, y, 0, 0]
        },
        defined: |[x, y, cruise, max]| {
            let [x, y] = limited([x, y], cruise, max);
            [x, y, 0, 0]
        },
        domain: |[_, _, cruise, max]| (0..=1 << 15).contains(&cruise) && (1..=1 << 15).contains(&max),
        draw: |random| {
            let [x, y] = if random.below(2) == 0 { vector(random, 1 << 15) } else { vector(random, (1 << 31) - 1) };
            let any = [(); 2].map(|_| edge(random, 1 << 15).abs().clamp(1, 1 << 15) as i32);
            let cruise = *random.pick(&[0, 1, 9830, ONE, 2 * ONE, any[0]]);
            [x, y, cruise, *random.pick(&[1, 15565, ONE, 2 * ONE, any[1]])]
        },
    },
    Case {
        name: "pack",
        wgsl: "vec4<i32>(i32(pack(i.xy)), 0, 0, 0)",
        rust: |[x, y, ..]| [pack([x, y]) as i32, 0, 0, 0],
        defined: |[x, y, ..]| [word(x.rem_euclid(1 << 16) + (y.rem_euclid(1 << 16) << 16)), 0, 0, 0],
        domain: |[x, y, ..]| (-1 << 15..1 << 15).contains(&x) && (-1 << 15..1 << 15).contains(&y),
        draw: |random| {
            let [x, y] = vector(random, 1 << 15);
            [x, y, 0, 0]
        },
    },
    Case {
        name: "unpack",
        wgsl: "vec4<i32>(unpack(u32(i.x)), 0, 0)",
        rust: |[word, ..]| {
            let [x, y] = unpack(word as u32);
            [x, y, 0, 0]
        },
        defined: |[word, ..]| {
            // The signed number of 16 bits whose remainder modulo 2^16 is the stored half.
            let half = |n: i128| (n + (1 << 15)).rem_euclid(1 << 16) - (1 << 15);
            [half(word.rem_euclid(1 << 16)), half(unsigned(word) >> 16), 0, 0]
        },
        domain: |_| true,
        draw: |random| [edge(random, 1 << 32) as i32, 0, 0, 0],
    },
    Case {
        name: "clamp_components",
        wgsl: "vec4<i32>(clamp_components(i.xy, i.z), 0, 0)",
        rust: |[x, y, bound, _]| {
            let [x, y] = clamp_components([x, y], bound);
            [x, y, 0, 0]
        },
        defined: |[x, y, bound, _]| [x.min(bound).max(-bound), y.min(bound).max(-bound), 0, 0],
        domain: |[_, _, bound, _]| bound >= 0,
        draw: |random| {
            let [x, y] = vector(random, (1 << 31) - 1);
            [x, y, edge(random, 1 << 31).abs().min((1 << 31) - 1) as i32, 0]
        },
    },
    Case {
        name: "constants",
        wgsl: "vec4<i32>(ONE, RULE_ONE, RULE_LIMIT, 0)",
        rust: |_| [ONE, RULE_ONE, RULE_LIMIT, 0],
        defined: |_| [1 << 14, 1 << 10, 4 << 10, 0],
        domain: |_| true,
        draw: |_| [0; 4],
    },
];

/// Reads the word of an input as an unsigned number.
fn unsigned(input: i128) -> i128 {
    input.rem_euclid(1 << 32)
}

/// Reads the word of an unsigned number as a signed number.
fn word(unsigned: i128) -> i128 {
    i128::from(unsigned as u32 as i32)
}

impl Case {
    /// Random inputs within the domain.
    fn inputs(&self, count: usize) -> Vec<[i32; 4]> {
        let mut random = Random::new(count as u64);
        let mut inputs = Vec::with_capacity(count);
        let mut drawn = 0;
        while inputs.len() < count {
            let input = (self.draw)(&mut random);
            inputs.extend(Some(input).filter(|input| (self.domain)(input.map(i128::from))));
            drawn += 1;
            assert!(drawn < 100 * count, "{}: hardly any input is within the domain", self.name);
        }
        inputs
    }
}

#[test]
fn rust_is_what_the_definitions_say() {
    for case in CASES {
        for input in case.inputs(inputs()) {
            let actual = (case.rust)(input).map(i128::from);
            assert_eq!(actual, (case.defined)(input.map(i128::from)), "{} of {input:?}", case.name);
        }
    }
}

/// A rounded-down root changes at squares. All squares are tried.
#[test]
fn every_square_has_its_root() {
    for side in 0..=u32::from(u16::MAX) {
        let square = side * side;
        assert_eq!(square_root(square), side);
        assert_eq!(square_root(square + 2 * side), side);
        assert_eq!(square_root(square.saturating_sub(1)), side.saturating_sub(1));
    }
}

#[test]
fn every_pair_of_halves_survives_its_word() {
    for half in i16::MIN..=i16::MAX {
        for other in [i16::MIN, -16384, -1, 0, 1, 16384, i16::MAX] {
            for v in [[half, other], [other, half]] {
                let v = v.map(i32::from);
                assert_eq!(unpack(pack(v)), v);
            }
        }
    }
}

/// The bounds that keep every sum within 32 bits (`docs/design.md, Numbers`), computed.
#[test]
fn the_largest_sums_fit_in_32_bits() {
    let most_terms = MAX_RULES as i128 * i128::from(WEIGHT_LIMIT) * i128::from(RULE_LIMIT);
    assert!(most_terms + (1 << 5) < 1 << 31, "the sum of the rules and its rounding");
    assert!(i128::from(ONE) * ((1 << 17) - 1) < 1 << 31, "the mean heading of what came together");
    assert!(2 * (2 * i128::from(ONE)).pow(2) < 1 << 32, "the square of the longest vector");
}

#[test]
fn wgsl_gives_what_rust_gives() {
    let Some(gpu) = adapter::shared("the exact helpers in WGSL") else { return };
    for case in CASES {
        let inputs = case.inputs(inputs());
        for checked in [true, false] {
            let outputs = compute(&gpu, case, &inputs, checked);
            assert_eq!(outputs.len(), inputs.len());
            for (input, output) in inputs.iter().zip(outputs) {
                assert_eq!(output, (case.rust)(*input), "{} of {input:?}, checked: {checked}", case.name);
            }
        }
    }
}

/// Runs a helper on the adapter. `checked`: compiled like users' kernels, else like built-in kernels.
fn compute(gpu: &Gpu, case: &Case, inputs: &[[i32; 4]], checked: bool) -> Vec<[i32; 4]> {
    let helpers = murmuration::host().library().shader("shared/numbers");
    let text = format!(
        "{helpers}
        alias Vector = vec2<i32>;
        const LAST = 1;
        @group(0) @binding(0) var<storage, read> inputs: array<vec4<i32>>;
        @group(0) @binding(1) var<storage, read_write> outputs: array<vec4<i32>>;
        @compute @workgroup_size(64)
        fn main(@builtin(global_invocation_id) id: vec3<u32>) {{
            let i = inputs[id.x];
            outputs[id.x] = {};
        }}",
        case.wgsl
    );
    let device = &gpu.device;
    let source = wgpu::ShaderModuleDescriptor { label: Some(case.name), source: wgpu::ShaderSource::Wgsl(text.into()) };
    let module = if checked {
        device.create_shader_module(source)
    } else {
        // SAFETY: each input has one invocation, so every index is within both arrays; there is no loop.
        unsafe { device.create_shader_module_trusted(source, wgpu::ShaderRuntimeChecks::unchecked()) }
    };
    let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: Some(case.name),
        layout: None,
        module: &module,
        entry_point: Some("main"),
        compilation_options: Default::default(),
        cache: None,
    });
    let contents: &[u8] = bytemuck::cast_slice(inputs);
    let size = contents.len() as u64;
    let given = device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
        label: Some("inputs"),
        contents,
        usage: wgpu::BufferUsages::STORAGE,
    });
    let buffer =
        |usage| device.create_buffer(&wgpu::BufferDescriptor { label: None, size, usage, mapped_at_creation: false });
    let written = buffer(wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC);
    let staging = buffer(wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ);
    let layout = pipeline.get_bind_group_layout(0);
    let entries = [
        wgpu::BindGroupEntry { binding: 0, resource: given.as_entire_binding() },
        wgpu::BindGroupEntry { binding: 1, resource: written.as_entire_binding() },
    ];
    let bind_group =
        device.create_bind_group(&wgpu::BindGroupDescriptor { label: None, layout: &layout, entries: &entries });
    let mut encoder = device.create_command_encoder(&Default::default());
    {
        let mut pass = encoder.begin_compute_pass(&Default::default());
        pass.set_pipeline(&pipeline);
        pass.set_bind_group(0, &bind_group, &[]);
        pass.dispatch_workgroups(inputs.len() as u32 / 64, 1, 1);
    }
    encoder.copy_buffer_to_buffer(&written, 0, &staging, 0, size);
    gpu.queue().submit([encoder.finish()]);
    staging.map_async(wgpu::MapMode::Read, .., |_| {});
    gpu.wait(None).unwrap();
    let mapped = staging.get_mapped_range(..).unwrap();
    bytemuck::cast_slice(&mapped).to_vec()
}
