//! Plans: the passes and their buffers, and refused chains.

use crate::cells::buffers::follow;
use crate::support::adapter;
use crate::support::scenes::{Player, Scene, assert_same, chain};
use murmuration_core::cells::numbers::Parameters;
use murmuration_core::chain::Chain;
use murmuration_core::chain::plan::Plan;
use murmuration_core::chain::table::Model;
use murmuration_core::engine::LatticeEngine;
use murmuration_core::engine::cpu::{CpuEngine, Options};
use murmuration_core::error::BadInput;
use murmuration_core::state::{State, StateReading};
use murmuration_core::ticket::ReadingSource;
use murmuration_core::world::{Edges, World};
use std::fs;
use std::sync::Arc;

pub fn planned(scene: &Scene, chain: &Chain) -> Plan {
    Plan::new(chain, &scene.rules, &scene.world).unwrap_or_else(|bad| panic!("{bad}"))
}

fn kernels(plan: &Plan) -> Vec<&str> {
    plan.phases[0].iter().map(|pass| plan.kernels[pass.kernel].name.as_str()).collect()
}

/// A scene without hunting, wandering and turning at walls, and with one rule of weight 0.
fn idle(scene: &Scene) -> Scene {
    let mut scene = scene.clone();
    (scene.world.hunters, scene.world.margin, scene.rules.wander) = (Vec::new(), 0, 0);
    for name in ["separation", "roost"] {
        scene.rules.weights.insert(name.into(), 0);
    }
    scene
}

#[test]
fn passes_that_change_nothing_are_left_out() {
    let chain = chain("cell");
    let scene = Scene::busy(40, 30, Edges::Walls);
    let all = [
        "jaws",
        "cohesion",
        "separation",
        "alignment",
        "hunter",
        "walls",
        "roost",
        "steer",
        "outflow",
        "advect",
        "wander",
    ]
    .as_slice();
    assert_eq!(kernels(&planned(&scene, &chain)), all);
    assert_eq!(
        kernels(&planned(&idle(&scene), &chain)),
        ["cohesion", "alignment", "steer", "outflow", "advect"].as_slice()
    );
    // Each change is made alone, so that no pass is left out because of another.
    let without = |change: &dyn Fn(&mut Scene)| {
        let mut scene = scene.clone();
        change(&mut scene);
        let left = planned(&scene, &chain);
        all.iter().filter(|name| !kernels(&left).contains(name)).copied().collect::<Vec<_>>()
    };
    assert_eq!(without(&|scene| scene.world.hunters.clear()), ["jaws", "hunter"]);
    assert_eq!(without(&|scene| scene.world.hunters[0].jaws = 0), ["jaws"]);
    assert_eq!(without(&|scene| scene.world.margin = 0), ["walls"]);
    assert_eq!(without(&|scene| scene.rules.wander = 0), ["wander"]);
    for name in ["cohesion", "separation", "alignment", "hunter", "walls", "roost"] {
        assert_eq!(without(&|scene| *scene.rules.weights.get_mut(name).unwrap() = 0), [name]);
    }
}

/// The plan of a busy scene has all passes. It is played with the numbers of an idle scene.
#[test]
fn leaving_out_what_changes_nothing_changes_nothing() {
    for edges in [Edges::Torus, Edges::Walls] {
        for name in crate::support::scenes::cell_chains() {
            let chain = chain(name);
            let busy = Scene::busy(70, 33, edges);
            let idle = idle(&busy);
            let expected = idle.after(20, &chain, Player::quick());
            assert_ne!(expected, idle.start);

            let plan = planned(&busy, &chain);
            let short = planned(&idle, &chain);
            assert!(plan.phases[0].len() > short.phases[0].len());
            let weights: Vec<i32> = plan.layers[0].weights.iter().map(|(name, _)| idle.rules.weights[name]).collect();
            let numbers = |step| Parameters::new(&idle.rules, &idle.world, &weights, step);
            let mut engine =
                CpuEngine::new(Arc::new(plan), &idle.rules, &idle.world, &idle.start, Options::default(), None)
                    .unwrap();
            engine.play(&(0..20).map(numbers).collect::<Vec<_>>()).unwrap();
            assert_same(
                &expected,
                &engine.request(StateReading).unwrap().wait().unwrap(),
                &format!("{name}, {edges:?}"),
            );
        }
    }
}

/// A rule with weight 0 has no effect, as if the chain lacked it.
#[test]
fn a_rule_without_weight_is_as_if_it_were_not_there() {
    let cell = murmuration::host().library().chain("cell").unwrap();
    for name in ["cohesion", "separation", "alignment"] {
        let own_pass = format!("[[pass]]\nkernel = \"{name}\"\n");
        let begins = cell.find(&own_pass).unwrap();
        let ends = begins + 1 + cell[begins + 1..].find("[[pass]]").unwrap();
        let text = format!("{}{}", &cell[..begins], &cell[ends..])
            .replace(&format!("{name} = \"vector\"\n"), "")
            .replace(&format!("\"{name}\", "), "");
        let smaller = Chain::read(murmuration::host().as_ref(), "smaller", "smaller.toml", &text, None)
            .unwrap_or_else(|bad| panic!("{bad}"));
        assert_eq!(smaller.passes.len() + 1, chain("cell").passes.len());
        let mut scene = Scene::busy(70, 33, Edges::Torus);
        let with = scene.after(20, &chain("cell"), Player::quick());
        scene.rules.weights.insert(name.into(), 0);
        let expected = scene.after(20, &smaller, Player::quick());
        assert_same(&expected, &scene.after(20, &chain("cell"), Player::quick()), name);
        assert_ne!(with, expected, "{name} has no say at all");
    }
}

/// A chain and its kernels in a new folder.
pub fn in_folder(files: &[(&str, &str)]) -> Result<Chain, BadInput> {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let path = folder.path().join(files[0].0);
    let shown = format!("{}{}", folder.path().display(), std::path::MAIN_SEPARATOR);
    let short = |text: String| text.replace(&shown, "");
    Chain::load(murmuration::host().as_ref(), path.to_str().unwrap()).map_err(|bad| BadInput {
        origin: short(bad.origin),
        problem: short(bad.problem),
        ..bad
    })
}

pub const ECHO: &str = "fn echo(cell: Cell) -> Vector {\n    return cohesion(cell);\n}\n";
pub const ECHOED: &str =
    "description = 'x'\nextends = 'cell'\n[[rule]]\nkernel = 'echo.wgsl'\nread = ['cohesion']\nweight = 0.5\n";

/// Another rule may read a field that `steer` does not weigh.
#[test]
fn a_rule_without_weight_stays_where_another_needs_it() {
    let chain = in_folder(&[("echoed.toml", ECHOED), ("echo.wgsl", ECHO)]).unwrap_or_else(|bad| panic!("{bad}"));
    let mut scene = Scene::busy(40, 30, Edges::Torus);
    scene.rules.weights.insert("cohesion".into(), 0);
    let plan = planned(&scene, &chain);
    assert!(kernels(&plan).contains(&"cohesion"), "`echo` reads cohesion, which nobody writes: {:?}", kernels(&plan));
    follow(&plan);
}

/// A user's rule in WGSL: an echo of cohesion acts as cohesion with the weight of the echo.
#[test]
fn a_rule_of_a_user_is_one_more_name() {
    if adapter::shared("a user's rule").is_none() {
        return;
    }
    let echoed = in_folder(&[("echoed.toml", ECHOED), ("echo.wgsl", ECHO)]).unwrap_or_else(|bad| panic!("{bad}"));
    let mut scene = Scene::busy(40, 30, Edges::Torus);
    let mut heavier = scene.clone();
    // Cohesion has its own weight 100 and the weight of the echo, which is 0.5 (512) in the chain. Together this is the
    // weight 612.
    scene.rules.weights.insert("cohesion".into(), 100);
    heavier.rules.weights.insert("cohesion".into(), 612);
    let expected = heavier.after(10, &chain("cell"), Player::quick());
    let compare = |actual: State, what: &str| assert_same(&expected, &actual, what);
    compare(scene.after(10, &echoed, Player::Compute([8, 8])), "the chain's weight");
    compare(scene.after(10, &echoed, Player::Fragment), "the chain's weight, fragment");
    scene.rules.weights.insert("cohesion".into(), 512);
    scene.rules.weights.insert("echo".into(), 100);
    compare(scene.after(10, &echoed, Player::Compute([8, 8])), "the preset's weight");
}

/// The maximum number of turns of a kernel: one loop follows a sequence of numbers, and the next loop returns.
const LONG: &str = "\
fn long(cell: Cell) -> Vector {
    var word = density(cell);
    for (var i = 0; i < 16384; i++) {
        word = word * 1664525u + 1013904223u + u32(i);
    }
    for (var i = 16383; i >= 0; i--) {
        word = (word - 1013904223u - u32(i)) * 4276115653u;
    }
    return Vector(select(1000, 0, word == density(cell)));
}
";

#[test]
fn a_long_loop_makes_all_of_its_turns_by_both_dispatches() {
    if adapter::shared("a long loop").is_none() {
        return;
    }
    let rule =
        "description = 'x'\nextends = 'cell'\n[[rule]]\nkernel = 'long.wgsl'\nread = ['density']\nweight = 0.5\n";
    let long = in_folder(&[("looped.toml", rule), ("long.wgsl", LONG)]).unwrap_or_else(|bad| panic!("{bad}"));
    let scene = Scene::busy(19, 11, Edges::Torus);
    let expected = scene.after(3, &chain("cell"), Player::quick());
    assert_same(&expected, &scene.after(3, &long, Player::Compute([8, 8])), "compute");
    assert_same(&expected, &scene.after(3, &long, Player::Fragment), "fragment");
    // One turn less gives another result.
    let shorter = LONG.replace("i < 16384", "i < 16383");
    let shorter = in_folder(&[("looped.toml", rule), ("long.wgsl", &shorter)]).unwrap_or_else(|bad| panic!("{bad}"));
    assert_ne!(expected, scene.after(3, &shorter, Player::Compute([8, 8])));
}

#[test]
fn a_kernel_without_a_twin_is_refused_by_the_cpu() {
    let chain = in_folder(&[("echoed.toml", ECHOED), ("echo.wgsl", ECHO)]).unwrap_or_else(|bad| panic!("{bad}"));
    let scene = Scene::busy(40, 30, Edges::Torus);
    let plan = Arc::new(planned(&scene, &chain));
    let refused = CpuEngine::new(plan, &scene.rules, &scene.world, &scene.start, Options::default(), None);
    let message = refused.err().expect("there is no twin to be played").to_string();
    assert!(message.contains("echo.wgsl") && message.contains("GPU only"), "{message}");
}

/// A valid chain of two passes. Each refused chain below differs from it by one mistake.
const SOUND: &str = "\
description = 'x'
model = 'cell'
[fields]
cohesion = 'vector'
[[pass]]
kernel = 'cohesion'
sight = 'cohesion'
read = ['density']
write = ['cohesion']
[[pass]]
kernel = 'steer'
read = ['control', 'cohesion']
write = ['control']
";

/// A chain without steering.
const BARE: &str = "\
description = 'x'
[[pass]]
kernel = 'wander'
read = ['density', 'capacity']
write = ['density']
";

fn refusal(text: &str) -> BadInput {
    refused(text).unwrap_or_else(|| panic!("nothing is wrong with this chain:\n{text}"))
}

fn refused(text: &str) -> Option<BadInput> {
    let kernel = |name: &str, other: &str| format!("fn {name}(cell: Cell) -> Vector {{ return {other}(cell); }}\n");
    in_folder(&[
        ("wrong.toml", text),
        ("ping.wgsl", &kernel("ping", "pong")),
        ("pong.wgsl", &kernel("pong", "ping")),
        ("sight.wgsl", &kernel("sight", "control")),
        ("Loud.wgsl", &kernel("Loud", "control")),
        ("density.wgsl", &kernel("density", "control")),
        ("back.toml", "description = 'x'\nextends = 'wrong.toml'\n"),
        ("bare.toml", BARE),
    ])
    .err()
}

#[test]
fn the_sound_chain_is_sound() {
    let chain = Chain::read(murmuration::host().as_ref(), "sound", "sound.toml", SOUND, None)
        .unwrap_or_else(|bad| panic!("{bad}"));
    follow(&planned(&Scene::busy(9, 9, Edges::Torus), &chain));
}

/// Changes of the valid chain (old text, new text), the reported line, and words of the message.
#[rustfmt::skip]
const WRONG: &[(&str, &str, usize, &str)] = &[
    // The form.
    ("description = 'x'\n", "", 1, "missing key `description`"),
    ("model = 'cell'", "model = 'fish'", 2, "model: the model 'fish'"),
    ("[fields]", "speed = 3\n[fields]", 3, "unknown key `speed`"),
    ("read = ['density']", "reads = ['density']", 8, "unknown key `reads`"),
    ("sight = 'cohesion'", "sight = cohesion", 7, ""),
    ("write = ['control']\n", "", 10, "missing key `write`"),
    // Fields.
    ("'vector'", "'vectors'", 4, "fields.cohesion: the texel 'vectors'"),
    ("'vector'", "'amount'", 5, "'cohesion' is declared as 'amount', but the kernel wants 'vector'"),
    ("'vector'", "'velocity'", 5, "'cohesion' is declared as 'velocity'"),
    ("[fields]\n", "[fields]\ndensity = 'amount'\n", 4, "fields.density: the field is there already"),
    ("[fields]\n", "[fields]\nsight = 'vector'\n", 4, "fields.sight: the name 'sight' is taken"),
    ("[fields]\n", "[fields]\nquotient = 'vector'\n", 4, "the name 'quotient' is taken"),
    ("[fields]\n", "[fields]\ncorrect_quotient = 'vector'\n", 4, "the name 'correct_quotient' is taken"),
    ("[fields]\n", "[fields]\nwhile = 'vector'\n", 4, "the name 'while' is taken"),
    // The shader of a pass that reads the density has a texture with this name.
    ("[fields]\n", "[fields]\ndensity_texture = 'vector'\n", 4, "the name 'density_texture' is taken"),
    ("[fields]\n", "[fields]\na__b = 'vector'\n", 4, "the name 'a__b' is taken"),
    ("[fields]\n", "[fields]\nLoud = 'vector'\n", 4, "fields.Loud: 'Loud' is not a word"),
    ("[fields]\n", "[fields]\n'' = 'vector'\n", 4, "is not a word"),
    ("[fields]\n", "[fields]\nalignment = 'vector'\n", 4, "no pass writes the field 'alignment'"),
    ("'control', 'cohesion'", "'control', 'alignment'", 12, "no field is called 'alignment'"),
    ("write = ['cohesion']", "write = ['cohesions']", 9, "no field is called 'cohesions'"),
    // The flow between the passes.
    ("['control', 'cohesion']", "['control']", 5, "write: no pass reads 'cohesion'"),
    ("[fields]\n", "[fields]\nwalls = 'vector'\n", 4, "no pass writes the field 'walls'"),
    ("\n[[pass]]\nkernel = 'cohesion'\nsight = 'cohesion'\nread = ['density']\nwrite = ['cohesion']",
     "", 5, "read: `steer` reads 'cohesion', which no pass writes"),
    ("[[pass]]\nkernel = 'steer'",
     "[[pass]]\nkernel = 'cohesion'\nsight = 'cohesion'\nread = ['density']\nwrite = ['cohesion']\n\
      [[pass]]\nkernel = 'steer'",
     10, "write: 'cohesion' is written twice"),
    ("[[pass]]\nkernel = 'cohesion'\nsight = 'cohesion'\nread = ['density']\nwrite = ['cohesion']\n\
      [[pass]]\nkernel = 'steer'\nread = ['control', 'cohesion']\nwrite = ['control']\n",
     "[[pass]]\nkernel = 'steer'\nread = ['control', 'cohesion']\nwrite = ['control']\n\
      [[pass]]\nkernel = 'cohesion'\nsight = 'cohesion'\nread = ['density']\nwrite = ['cohesion']\n",
     5, "read: `steer` reads 'cohesion' from `cohesion`: it is written only later"),
    ("[[pass]]\nkernel = 'cohesion'",
     "ping = 'vector'\npong = 'vector'\n[[pass]]\nkernel = 'ping.wgsl'\nread = ['pong']\nwrite = ['ping']\n\
      [[pass]]\nkernel = 'pong.wgsl'\nread = ['ping']\nwrite = ['pong']\n[[pass]]\nkernel = 'cohesion'",
     7, "read: `ping` reads 'pong' from `pong`: a cycle"),
    ("[[pass]]\nkernel = 'cohesion'",
     "ping = 'vector'\n[[pass]]\nkernel = 'ping.wgsl'\nread = ['ping']\nwrite = ['ping']\n\
      [[pass]]\nkernel = 'cohesion'",
     6, "read: `ping` reads 'ping' from `ping`: a cycle"),
    // Passes.
    ("kernel = 'cohesion'", "kernel = 'cohesions'", 6, "kernel: no kernel is called 'cohesions'"),
    ("kernel = 'cohesion'", "kernel = 'none.wgsl'", 6, "kernel: the kernel none.wgsl cannot be read"),
    ("kernel = 'cohesion'", "kernel = 'sight.wgsl'", 6, "kernel: the name 'sight' is taken"),
    ("kernel = 'cohesion'", "kernel = 'Loud.wgsl'", 6, "kernel: 'Loud' is not a word"),
    ("sight = 'cohesion'\n", "", 5, "sight: `cohesion` looks through a sight"),
    ("['density']", "[]", 5, "read: `cohesion` is not given 'density'"),
    ("['density']", "['density', 'control']", 5, "read: `cohesion` does not read 'control'"),
    ("['density']", "['density', 'density']", 8, "read: 'density' is listed twice"),
    ("['control', 'cohesion']", "['control', 'cohesion', 'capacity']", 10, "'capacity' is declared as 'amount'"),
    ("write = ['control']", "write = ['control', 'density']", 10, "write: `steer` does not write 'density'"),
    ("write = ['control']", "write = ['control', 'control']", 13, "write: 'control' is listed twice"),
    ("write = ['control']", "write = ['capacity']", 13, "write: 'capacity' belongs to the world"),
    ("write = ['control']", "write = []", 10, "write: 0 outputs"),
    ("[[pass]]\nkernel = 'cohesion'",
     "a = 'amount'\nb = 'amount'\nc = 'amount'\nd = 'amount'\ne = 'amount'\n\
      [[pass]]\nkernel = 'ping.wgsl'\nwrite = ['a', 'b', 'c', 'd', 'e']\n[[pass]]\nkernel = 'cohesion'",
     10, "write: 5 outputs"),
    // There is one list of weights: the list of the only pass that steers.
    ("[[pass]]\nkernel = 'steer'",
     "[[pass]]\nkernel = 'steer'\nread = ['control']\nwrite = ['control']\n[[pass]]\nkernel = 'steer'",
     14, "kernel: a second pass that steers, `steer`"),
    // Weights.
    ("write = ['cohesion']", "write = ['cohesion']\nweight = 32.1", 10, "weight: the weight 32.1"),
    ("write = ['cohesion']", "write = ['cohesion']\nweight = -33.0", 10, "weight: the weight -33"),
    ("write = ['cohesion']", "write = ['cohesion']\nweight = nan", 10, "weight: the weight NaN"),
    ("write = ['cohesion']", "write = ['cohesion']\nweight = -inf", 10, "weight: the weight -inf"),
    ("write = ['control']", "write = ['control', 'density']\nweight = 1.0", 14,
     "weight: a weight on a pass that does not write"),
    // Rules.
    ("read = ['control', 'cohesion']", "read = ['control', 'cohesion']\nrule = 1", 13, ""),
];

#[test]
fn whatever_is_wrong_with_a_chain_is_said_with_file_and_line() {
    let mut unsaid = Vec::new();
    for (what, into, line, words) in WRONG {
        assert_eq!(SOUND.matches(what).count(), 1, "{what:?} is not once in the sound chain");
        expect(&mut unsaid, refused(&SOUND.replace(what, into)), "wrong.toml", *line, words);
    }
    assert!(unsaid.is_empty(), "{}", unsaid.join("\n"));
}

/// Collects wrong messages, so that one run shows all of them.
fn expect(unsaid: &mut Vec<String>, bad: Option<BadInput>, file: &str, line: usize, words: &str) {
    // TOML accepts both kinds of quotation marks, and this comparison ignores the difference.
    let said = bad.as_ref().map_or("nothing".into(), BadInput::to_string).replace('"', "'");
    let has_place = said.starts_with(&format!("{file}:{line}: "));
    let has_cure = bad.is_some_and(|bad| !bad.cure.is_empty());
    if !has_place || !said.contains(words) || said.contains('\n') || !has_cure {
        unsaid.push(format!("instead of {file}:{line}: … {words} …: {said:?}"));
    }
}

#[test]
fn whatever_is_wrong_with_an_extension_is_said_with_file_and_line() {
    let mut unsaid = Vec::new();
    let cell = "description = 'x'\nextends = 'cell'\n";
    let ping = "[[rule]]\nkernel = 'ping.wgsl'\n";
    for (text, file, line, words) in [
        (format!("{cell}[[pass]]\nkernel = 'wander'\nwrite = []\n"), "wrong.toml", 3, "adds rules, not passes"),
        ("description = 'x'\nextends = 'cells'\n".into(), "wrong.toml", 2, "cells: no chain has this name"),
        ("description = 'x'\nextends = 'none.toml'\n".into(), "wrong.toml", 2, "none.toml: cannot be read"),
        ("description = 'x'\nextends = 'wrong.toml'\n".into(), "wrong.toml", 2, "the chain extends itself"),
        ("description = 'x'\nextends = './wrong.toml'\n".into(), "wrong.toml", 2, "the chain extends itself"),
        ("description = 'x'\nextends = 'back.toml'\n".into(), "back.toml", 2, "the chain extends itself"),
        (
            format!("{cell}[[rule]]\nkernel = 'cohesion'\nread = ['density']\n"),
            "wrong.toml",
            4,
            "has a field 'cohesion' already",
        ),
        (format!("{cell}[[rule]]\nkernel = 'density.wgsl'\n"), "wrong.toml", 4, "has a field 'density' already"),
        (format!("{cell}{ping}read = ['pongs']\n"), "wrong.toml", 5, "no field is called 'pongs'"),
        (format!("{cell}{ping}weight = 40.0\n"), "wrong.toml", 5, "weight: the weight 40"),
        (format!("{cell}{ping}read = ['density', 'density']\n"), "wrong.toml", 5, "'density' is listed twice"),
        (format!("{cell}{ping}{ping}"), "wrong.toml", 6, "has a field 'ping' already"),
        (format!("{cell}{ping}read = ['ping']\n"), "wrong.toml", 3, "a cycle"),
        (
            "description = 'x'\nextends = 'bare.toml'\n[[rule]]\nkernel = 'ping.wgsl'\n".into(),
            "wrong.toml",
            3,
            "has no pass that steers",
        ),
        (format!("description = 'x'\n{}", ping), "wrong.toml", 2, "has no pass that steers"),
    ] {
        expect(&mut unsaid, refused(&text), file, line, words);
    }
    assert!(unsaid.is_empty(), "{}", unsaid.join("\n"));
}

#[test]
fn a_chain_cannot_extend_itself_by_another_path() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("below")).unwrap();
    let path = folder.path().join("wrong.toml");
    fs::write(&path, "description = 'x'\nextends = 'below/../wrong.toml'\n").unwrap();
    let bad = Chain::load(murmuration::host().as_ref(), path.to_str().unwrap()).unwrap_err();
    assert!(bad.to_string().contains("the chain extends itself"), "{:.200}", bad.to_string());
}

/// A rule's kernel writes one control vector. A built-in kernel of another form cannot be a rule.
#[test]
fn a_rule_with_a_kernel_of_another_form_is_refused() {
    for name in ["outflow", "advect", "wander", "steer", "gather"] {
        let text = format!("description = 'x'\nextends = 'cell'\n[[rule]]\nkernel = '{name}'\n");
        let bad = refusal(&text);
        assert_eq!((bad.origin.as_str(), bad.line.is_some()), ("wrong.toml", true), "{bad}");
    }
}

/// A built-in rule gets too few fields, in a chain that extends a chain without the rule.
#[test]
fn a_built_in_rule_is_given_what_it_needs() {
    let own = SOUND
        .replace("[[pass]]\nkernel = 'cohesion'\nsight = 'cohesion'\nread = ['density']\nwrite = ['cohesion']\n", "");
    let own = own.replace("[fields]\ncohesion = 'vector'\n", "").replace(", 'cohesion'", "");
    let extended = |rule: &str| {
        in_folder(&[
            ("wrong.toml", &format!("description = 'x'\nextends = 'own.toml'\n[[rule]]\nkernel = 'cohesion'\n{rule}")),
            ("own.toml", &own),
        ])
    };
    assert!(extended("sight = 'cohesion'\nread = ['density']\n").is_ok());
    for (rule, words) in [("read = ['density']\n", "looks through a sight"), ("sight = 'cohesion'\n", "is not given")] {
        let bad = extended(rule).expect_err(words);
        assert!(bad.line.is_some() && bad.to_string().contains(words), "{bad}");
    }
}

#[test]
fn there_are_at_most_fifteen_rules() {
    let names: Vec<String> = (0..10).map(|index| format!("rule_{index}")).collect();
    let rule = |name: &String| format!("[[rule]]\nkernel = '{name}.wgsl'\n");
    let text = |count: usize| {
        format!("description = 'x'\nextends = 'cell'\n{}", names[..count].iter().map(rule).collect::<String>())
    };
    let kernel =
        |name: &String| (format!("{name}.wgsl"), format!("fn {name}(cell: Cell) -> Vector {{ return cell; }}\n"));
    let kernels: Vec<(String, String)> = names.iter().map(kernel).collect();
    let read = |count: usize| {
        let text = text(count);
        let mut files = vec![("many.toml", text.as_str())];
        files.extend(kernels.iter().map(|(name, text)| (name.as_str(), text.as_str())));
        in_folder(&files)
    };
    // Six are fields of the chain.
    assert!(read(9).is_ok());
    let bad = read(10).unwrap_err();
    assert_eq!((bad.origin.as_str(), bad.line), ("many.toml", Some(3 + 9 * 2)), "{bad}");
    assert!(bad.problem.contains("15 rules"), "{bad}");

    let fields: String = (0..16).map(|index| format!("v{index} = 'vector'\n")).collect();
    let listed: String = (0..16).map(|index| format!(", 'v{index}'")).collect();
    let text = format!(
        "description = 'x'\n[fields]\n{fields}[[pass]]\nkernel = 'steer'\n\
         read = ['control'{listed}]\nwrite = ['control']\n"
    );
    let bad = refusal(&text);
    assert_eq!(bad.line, Some(19), "{bad}");
    assert!(bad.problem.contains("16 control vectors"), "{bad}");
}

#[test]
fn a_rule_that_the_chain_sums_already_is_refused() {
    for rule in ["cohesion", "separation", "alignment"] {
        let read = if rule == "alignment" { "['density', 'control']" } else { "['density']" };
        let text = format!(
            "description = 'x'\nextends = 'cell-fast'\n[[rule]]\nkernel = '{rule}'\nsight = '{rule}'\nread = {read}\n"
        );
        let bad = refusal(&text).to_string();
        assert!(bad.contains(&format!("wrong.toml:4: kernel: the chain sums a rule \"{rule}\" already")), "{bad}");
    }
    let text = murmuration::host().library().chain("cell-fast").unwrap();
    let listed = text.replacen(
        "read = [\"density\", \"capacity\", \"control\"]",
        "read = [\"density\", \"capacity\", \"control\", \"hunter\"]",
        1,
    ) + "[fields]\nhunter = \"vector\"\n";
    assert!(refusal(&listed).to_string().contains("works out \"hunter\" itself"));
}

#[test]
fn a_chain_without_passes_is_refused() {
    let bad = refusal("description = 'x'\n");
    assert!(bad.to_string().starts_with("wrong.toml: a chain without passes"), "{bad}");
}

#[test]
fn what_a_preset_lacks_is_said_when_it_is_planned() {
    let chain = chain("cell");
    let mut scene = Scene::busy(9, 9, Edges::Torus);
    scene.rules.weights.insert("grace".into(), 7);
    let bad = Plan::new(&chain, &scene.rules, &scene.world).unwrap_err();
    assert!(bad.to_string().contains("weights.grace") && bad.cure.contains("alignment"), "{bad}");
    scene.rules.weights.remove("grace");
    scene.rules.sights.remove("alignment");
    let bad = Plan::new(&chain, &scene.rules, &scene.world).unwrap_err();
    let line = murmuration::host()
        .library()
        .chain("cell")
        .unwrap()
        .lines()
        .position(|line| line == "kernel = \"alignment\"")
        .unwrap();
    // The line above is `[[pass]]`. Lines count from 1.
    assert_eq!((bad.origin.as_str(), bad.line), ("passes/cell.toml", Some(line)), "{bad}");
    assert!(bad.to_string().contains("the sight \"alignment\""), "{bad}");
}

/// The sights of rules with weight 0 are not required.
#[test]
fn a_sight_that_nobody_looks_through_need_not_be_there() {
    let mut scene = Scene::busy(9, 9, Edges::Torus);
    scene.rules.weights.insert("alignment".into(), 0);
    scene.rules.sights.remove("alignment");
    let world: &World = &scene.world;
    assert!(Plan::new(&chain("cell"), &scene.rules, world).is_ok());
}

/// Checks changes of a built-in chain (old text, new text), the reported key, and words of the message.
fn check_mistakes(chain: &str, mistakes: &[(&str, &str, &str, &str)]) {
    let text = murmuration::host().library().chain(chain).unwrap();
    for (what, into, key, words) in mistakes {
        assert!(text.contains(what), "{what:?} is not in {chain}");
        let bad = Chain::read(murmuration::host().as_ref(), "wrong", "wrong.toml", &text.replace(what, into), None)
            .unwrap_err();
        let said = bad.to_string();
        assert!(said.starts_with("wrong.toml:") && bad.key.as_deref() == Some(*key), "{said}");
        assert!(said.contains(words) && !bad.cure.is_empty(), "instead of {words}: {said}");
    }
}

#[test]
fn whatever_is_wrong_with_a_chain_of_individuals_is_said() {
    let pass = |kernel: &str, rest: &str| format!("[[pass]]\nkernel = \"{kernel}\"\n{rest}\n");
    let sum = pass("sum_blocks", "each = \"block\"\nread = [\"counts\"]\nwrite = [\"block_counts\"]\n");
    let scatter = pass(
        "scatter",
        "read = [\"account\", \"individuals\", \"ranks\", \"starts\"]\nwrite = [\"sorted\", \"candidates\"]\n",
    );
    let scan = pass("scan_cells", "each = \"block\"\nread = [\"counts\", \"block_starts\"]\nwrite = [\"starts\"]\n");
    check_mistakes(
        "agents-grid",
        &[
            (
                "kernel = \"scatter\"",
                "kernel = \"scater\"",
                "kernel",
                "no kernel of the individuals is called \"scater\"",
            ),
            (
                "kernel = \"count\"",
                "kernel = \"jaws\"",
                "write",
                "`jaws` is not given \"living\"; write = [\"living\"]",
            ),
            (&sum, "", "read", "`scan_blocks` reads \"block_counts\", which no pass writes"),
            // The order is changed: the scatter needs the first individual of each cell.
            (&format!("{scan}{scatter}"), &format!("{scatter}{scan}"), "read", "it is written only later"),
            // The counts no longer exist after they have become the starts.
            (
                &format!("{scan}{scatter}"),
                &format!("{scan}{scatter}{sum}").replace("block_counts", "ranks"),
                "write",
                "`sum_blocks` is not given \"block_counts\"",
            ),
            ("each = \"once\"\n", "", "each", "`scan_blocks` is not for this; write each = \"once\""),
            // A field of chains from the time when place and velocity were separate fields.
            ("read = [\"individuals\"]", "read = [\"places\"]", "read", "no field is called \"places\""),
            ("ranks = \"number\"", "ranks = \"numbers\"", "fields.ranks", "the element \"numbers\""),
            ("kernel = \"steer_grid\"", "kernel = \"steer_grid\"\nsight = \"cohesion\"", "sight", "a sight"),
            ("description", "subscription", "subscription", "unknown key"),
        ],
    );
    let grid = murmuration::host().library().chain("agents-grid").unwrap();
    let steer = grid.find("# The sums over the neighbours").unwrap();
    let bad =
        Chain::read(murmuration::host().as_ref(), "wrong", "wrong.toml", &grid[..steer], None).unwrap_err().to_string();
    assert!(bad.contains("no pass reads \"sorted\""), "{bad}");
    let bad =
        Chain::read(murmuration::host().as_ref(), "no", "no.toml", "description = \"x\"\nmodel = \"agents\"\n", None)
            .unwrap_err();
    assert!(bad.to_string().contains("a chain without passes; add [[pass]], as in passes/agents-grid.toml"), "{bad}");
    let bad = Chain::load(murmuration::host().as_ref(), "agents-tree").unwrap_err().to_string();
    assert!(bad.contains("agents-brute, agents-grid"), "{bad}");
}

#[test]
fn whatever_is_wrong_with_a_chain_of_the_look_is_said() {
    check_mistakes(
        "glow",
        &[
            ("kernel = \"soften\"", "kernel = \"sofden\"", "kernel", "no kernel of the look is called \"sofden\""),
            ("light = \"screen\"", "light = \"screen/3\"", "fields.light", "the size \"screen/3\""),
            ("read = [\"near_8\"]", "read = [\"halo_8\"]", "read", "reads \"halo_8\" from `widen`"),
            ("write = [\"near_16\"]", "write = [\"near_8\"]", "write", "\"near_8\" is written twice"),
            ("write = [\"halo_128\"]", "write = [\"near_128\"]", "write", "\"near_128\" is written twice"),
            ("read = [\"light\", \"halo_bands\"]", "read = [\"light\"]", "read", "`develop` reads 2 fields, and not 1"),
            ("read = [\"light\", \"halo_bands\"]", "read = [\"light\", \"density\"]", "read", "declared as \"words\""),
            ("each = \"point\"\n", "", "each", "`points` is not for this"),
            ("write = [\"target\"]", "write = [\"palette\"]", "write", "\"palette\" belongs to the world"),
            ("write = [\"target\"]", "write = [\"light\", \"target\"]", "write", "2 outputs"),
            ("read = [\"light\", \"halo_bands\"]", "read = [\"target\", \"halo_bands\"]", "read", "is what people see"),
        ],
    );
    let glow = murmuration::host().library().chain("glow").unwrap();
    let bad = Chain::read(
        murmuration::host().as_ref(),
        "wrong",
        "wrong.toml",
        &glow.replace("model = \"look\"", "model = \"cell\""),
        None,
    )
    .unwrap_err();
    assert!(bad.line.is_some() && bad.to_string().contains("the texel"), "{bad}");
    let extended = "description = 'x'\nmodel = 'look'\nextends = 'glow'\n";
    let bad = Chain::read(murmuration::host().as_ref(), "wrong", "wrong.toml", extended, None).unwrap_err();
    assert_eq!((bad.line, bad.key.as_deref()), (Some(3), Some("extends")), "{bad}");
}

#[test]
fn the_search_and_the_memory_of_individuals_are_what_the_kernels_declare() {
    use murmuration_core::individuals::search::SearchKind;
    for (name, search, phases) in [
        ("agents-brute", SearchKind::Brute, ["jaws", "measure", "sums_brute", "steer"]),
        ("agents-grid", SearchKind::Grid, ["jaws", "grid", "sums_grid", "steer"]),
        ("agents-octree", SearchKind::Octree, ["jaws", "octree", "sums_octree", "steer"]),
    ] {
        let chain = chain(name);
        assert_eq!((chain.search, chain.model), (Some(search), Model::Individuals));
        assert!(chain.phases().eq(phases) && chain.description.ends_with('.'));
    }
    let grid = chain("agents-grid");
    assert_eq!((grid.memory_of("starts"), grid.memory_of("counts")), ("counts", "counts"));
    assert_eq!(chain("glow").search, None);
}
