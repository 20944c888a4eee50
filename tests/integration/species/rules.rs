//! Users' rules that read the fields of other species. Meetings rewritten as rules have equal bits. Names and order
//! have no effect. Changed files are reloaded. Chains and presets that do not fit together are refused.

use crate::species::cells::{BUSY, begun, cpu, deep, hashes, preset, state};
use crate::support::adapter;
use crate::support::command::{Folder, repository};
use murmuration_core::chain::Chain;
use murmuration_core::engine::Dispatch;
use murmuration_core::preset::{Overrides, Preset};
use murmuration_core::simulation::replay::ReplayReading;
use murmuration_core::simulation::{Account, EngineChoice, Simulation};

/// The meetings of [`BUSY`] as rules.
const CHAIN: &str = r#"
description = "meetings"
extends = "cell-fast"
[[rule]]
kernel = "chasing.wgsl"
sight = "far"
read = ["density of scissors"]
axes = [2, 3]
weight = 0.0
[[rule]]
kernel = "fleeing.wgsl"
sight = "separation"
read = ["density of paper"]
axes = [2, 3]
weight = 0.0
[[rule]]
kernel = "joining.wgsl"
sight = "alignment"
read = ["control", "density of rock", "control of rock"]
axes = [2, 3]
weight = 0.0
[[rule]]
kernel = "stalking.wgsl"
sight = "separation"
read = ["density of paper"]
axes = [2, 3]
weight = 0.0
"#;

/// A rule that follows a species.
fn following(rule: &str, species: &str) -> String {
    format!(
        "fn {rule}(cell: Cell) -> Vector {{
    var centre = Vector(0);
    var seen = 0;
    for (var i = 0; i < sight_count(); i++) {{
        let p = perceive(density_of_{species}(cell + sight(i)));
        centre += sight(i) * p;
        seen += p;
    }}
    return control_of_cohesion(centre, seen, sight_reach());
}}
"
    )
}

const FLEEING: &str = "fn fleeing(cell: Cell) -> Vector {
    var pressure = Vector(0);
    for (var i = 0; i < sight_count(); i++) {
        pressure += pull(i) * perceive(density_of_paper(cell + sight(i)));
    }
    return control_of_separation(pressure);
}
";

const JOINING: &str = "fn joining(cell: Cell) -> Vector {
    var momentum = Vector(0);
    var seen = 0;
    for (var i = 0; i < sight_count(); i++) {
        let p = perceive(density_of_rock(cell + sight(i)));
        momentum += to_q10(control_of_rock(cell + sight(i))) * p;
        seen += p;
    }
    return control_of_alignment(momentum, seen, control(cell));
}
";

/// A folder with the chain and its kernels.
fn folder(rename: impl Fn(&str) -> String) -> Folder {
    let folder = Folder::new();
    let kernels = [
        ("chain.toml", CHAIN.to_string()),
        ("chasing.wgsl", following("chasing", "scissors")),
        ("fleeing.wgsl", FLEEING.to_string()),
        ("joining.wgsl", JOINING.to_string()),
        ("stalking.wgsl", following("stalking", "paper")),
    ];
    kernels.iter().for_each(|(file, text)| folder.write(file, rename(text)));
    folder
}

/// The preset with these rules in place of its meetings.
fn ruled(text: &str) -> String {
    let rock = "seed = 11\n[species.weights]\nchasing = 0.7\nfleeing = 0.4\n";
    text.replace("kind = \"follow\"\nweight = 0.7\nsight = \"far\"\n", "")
        .replace("kind = \"flee\"\nweight = 0.4\n", "")
        .replace("kind = \"align\"\n", "")
        .replace("kind = \"follow\"\nsight = \"separation\"\nweight = -0.5\n", "")
        .replace("seed = 11\n", rock)
        .replace("cohesion = -0.1\n", "cohesion = -0.1\njoining = 1.0\n")
        .replace("boids = 2100\n", "boids = 2100\n[species.weights]\nstalking = -0.5\n")
}

fn in_folder(preset: Preset, folder: &Folder, choice: EngineChoice) -> Simulation {
    begun(preset, folder.join("chain.toml").to_str().unwrap(), choice)
}

const BY_BOTH: [Dispatch; 2] = [Dispatch::Compute { workgroup: [8, 4] }, Dispatch::Fragment];

fn without_steps(account: Account) -> Account {
    Account { step: 0, ..account }
}

#[test]
fn a_meeting_written_as_a_rule_has_the_bits_of_the_meeting() {
    if adapter::shared("rules among species").is_none() {
        return;
    }
    let folder = folder(str::to_string);
    for (text, steps) in [(BUSY.to_string(), 16), (deep(), 6)] {
        for edges in ["walls", "torus"] {
            let of = |text: &str| preset(text, &[&format!("world.edges={edges}")]);
            let expected = hashes(begun(of(&text), "cell-fast", cpu(2, None)), steps);
            for dispatch in BY_BOTH {
                let played = in_folder(of(&ruled(&text)), &folder, EngineChoice::Gpu(dispatch));
                assert_eq!(hashes(played, steps), expected, "{dispatch:?}, {edges}");
            }
        }
    }
    // The rules do have an effect: without one the swarm is different.
    let other = ruled(BUSY).replace("stalking = -0.5", "stalking = 0.0");
    let [all, fewer] = [ruled(BUSY), other]
        .map(|text| hashes(in_folder(preset(&text, &[]), &folder, EngineChoice::Gpu(BY_BOTH[0])), 4).0);
    assert_ne!(all, fewer);
}

#[test]
fn names_and_order_matter_nowhere_to_rules() {
    if adapter::shared("rules among renamed species").is_none() {
        return;
    }
    let text = ruled(BUSY);
    let of = |text: &str, rename: &dyn Fn(&str) -> String| {
        let folder = folder(rename);
        hashes(in_folder(preset(text, &[]), &folder, EngineChoice::Gpu(BY_BOTH[0])), 8)
    };
    let expected = of(&text, &str::to_string);
    let (head, tables) = text.split_once("[[species]]").unwrap();
    let tables: Vec<&str> = tables.split("[[species]]").collect();
    let reordered = format!("{head}[[species]]{}[[species]]{}[[species]]{}", tables[2], tables[0], tables[1]);
    assert_eq!(of(&reordered, &str::to_string), expected);
    // In kernels a hyphen becomes an underscore. A name may look like the number of a species.
    let renamed = |text: &str| text.replace("rock", "Z-1").replace("paper", "0").replace("scissors", "m_2");
    let in_files = |text: &str| renamed(text).replace("_of_Z-1", "_of_Z_1");
    assert_eq!(of(&renamed(&text), &in_files), expected);
}

#[test]
fn a_species_that_meets_nobody_is_the_preset_with_its_tables() {
    let (head, _) = BUSY.split_once("[[species]]").unwrap();
    let sight = "[species.sight.cohesion]\nrings = { directions = 8, radii = [3, 6] }\n";
    let sight = format!("{sight}[species.sight.alignment]\nbox = 1\n[species.weights]\nalignment = 0.2\n");
    let two = format!("{head}[[species]]\nname = \"a\"\nseed = 1\n[[species]]\nname = \"b\"\nseed = 2\n{sight}");
    let one = format!("{head}[[species]]\nname = \"b\"\nseed = 2\n{sight}");
    let mut choices = vec![cpu(1, None)];
    if adapter::shared("sights of species on the GPU").is_some() {
        choices.extend(BY_BOTH.map(EngineChoice::Gpu));
    }
    for choice in choices {
        let [mut two, mut one] = [&two, &one].map(|text| begun(preset(text, &[]), "cell-fast", choice));
        two.advance(12).unwrap();
        one.advance(12).unwrap();
        assert!(state(&mut two).layers[1] == state(&mut one).layers[0], "{choice:?}");
    }
}

#[test]
fn a_rule_is_taken_over_while_the_swarm_goes_on() {
    if adapter::shared("changed rules among species").is_none() {
        return;
    }
    let folder = folder(str::to_string);
    let chain = |name: &str| Chain::load(murmuration::host().as_ref(), name).unwrap();
    let own = folder.join("chain.toml").display().to_string();
    for dispatch in BY_BOTH {
        let expected = hashes(begun(preset(BUSY, &[]), "cell-fast", cpu(2, None)), 12).0;
        // From meetings to equivalent rules and back.
        let mut simulation = begun(preset(BUSY, &[]), "cell-fast", EngineChoice::Gpu(dispatch));
        simulation.advance(4).unwrap();
        simulation.reload(preset(&ruled(BUSY), &[]), chain(&own)).unwrap();
        simulation.advance(4).unwrap();
        assert_eq!(simulation.state_hash().unwrap(), expected[7]);
        // An invalid kernel changes nothing.
        folder.write("fleeing.wgsl", FLEEING.replace("density_of_paper", "density_of_rock"));
        let wrong = simulation.reload(preset(&ruled(BUSY), &[]), chain(&own)).unwrap_err().to_string();
        assert!(wrong.contains("fleeing.wgsl:4: no definition in scope for identifier: `density_of_rock`"), "{wrong}");
        folder.write("fleeing.wgsl", FLEEING);
        simulation.reload(preset(BUSY, &[]), chain("cell-fast")).unwrap();
        simulation.advance(4).unwrap();
        assert_eq!(simulation.state_hash().unwrap(), expected[11]);
        // The log of the run contains the chain and its kernels.
        let account = without_steps(simulation.account().unwrap());
        let mut again =
            simulation.read(ReplayReading).unwrap().play(murmuration::host(), EngineChoice::Gpu(dispatch)).unwrap();
        assert_eq!(again.state_hash().unwrap(), expected[11]);
        assert_eq!(without_steps(again.account().unwrap()), account);
    }
}

#[test]
fn the_example_is_sound_and_plays_alike_by_both_dispatches() {
    let files = ["fountain.toml", "fountain.wgsl", "sharks.toml"];
    let paths = files.map(|file| repository().join("examples/fountain").join(file).display().to_string());
    Folder::new().run(&[["check"].as_slice(), &paths.each_ref().map(String::as_str)].concat()).succeeded();
    if adapter::shared("the example of a rule among species").is_none() {
        return;
    }
    let overrides = Overrides { size: Some((64, 64)), ..Overrides::default() };
    let played = BY_BOTH.map(|dispatch| {
        let preset = Preset::load(murmuration::host(), &paths[2], &overrides).unwrap();
        hashes(begun(preset, &paths[0], EngineChoice::Gpu(dispatch)), 12)
    });
    assert_eq!(played[0], played[1]);
}

/// The herring avoid the sharks by the rule of the example: without sharks the herring swim elsewhere.
#[test]
fn a_rule_reads_the_species_that_it_names() {
    if adapter::shared("a rule that reads another species").is_none() {
        return;
    }
    let [chain, preset] = ["fountain.toml", "sharks.toml"]
        .map(|file| repository().join("examples/fountain").join(file).display().to_string());
    let herring = ["600", "0"].map(|sharks| {
        let set = vec![format!("species[1].boids={sharks}")];
        let overrides = Overrides { size: Some((64, 64)), set, ..Overrides::default() };
        let preset = Preset::load(murmuration::host(), &preset, &overrides).unwrap();
        let mut simulation = begun(preset, &chain, EngineChoice::Gpu(BY_BOTH[0]));
        [0, 12].map(|steps| {
            simulation.advance(steps).unwrap();
            state(&mut simulation).layers.swap_remove(0).density
        })
    });
    assert_eq!(herring[0][0], herring[1][0], "they begin alike");
    assert_ne!(herring[0][1], herring[1][1], "the sharks were not seen");
}

#[test]
fn chains_that_name_wrong_species_are_refused() {
    let folder = folder(str::to_string);
    let read = "read = [\"density of scissors\"]";
    let mut accepted = Vec::new();
    // The message names the line of the rule's key, or else the line of the rule.
    for (old, new, problem) in [
        (
            read,
            "read = [\"density of lizard\"]",
            "chain.toml:4: read: `chasing` reads \"density of lizard\", and the preset has no species \"lizard\"; its \
             species are paper, scissors, rock",
        ),
        (read, "read = [\"density of papr\"]", "did you mean paper?"),
        (
            read,
            "read = [\"capacity of rock\"]",
            "chain.toml:7: read: a species has no field like \"capacity of rock\"; say \"density of rock\"",
        ),
        (read, "read = [\"fear of rock\"]", "chain.toml:7: read: a species has no field like \"fear of rock\""),
        (
            read,
            "read = [\"density of \"]",
            "chain.toml:7: read: no kernel can name \"density of \"; give the species a name",
        ),
        (read, "read = [\"density of the rock\"]", "chain.toml:7: read: no kernel can name"),
        (read, "read = [\"density of \u{e9}l\u{e9}phant\"]", "chain.toml:7: read: no kernel can name"),
        (read, "read = [\"control of cohesion\"]", "has a name that is taken, control_of_cohesion; rename the species"),
        (
            read,
            "read = [\"density of rock\", \"density of rock\"]",
            "chain.toml:7: read: \"density of rock\" is listed twice",
        ),
        (
            read,
            "read = [\"density of a-b\", \"density of a_b\"]",
            "chain.toml:7: read: \"density of a_b\" is listed twice",
        ),
        (read, "read = [\"density of rock\", \"fleeing\"]", "no field is called \"fleeing\""),
    ] {
        folder.write("chain.toml", CHAIN.replacen(old, new, 1));
        let chain = Chain::load(murmuration::host().as_ref(), folder.join("chain.toml").to_str().unwrap());
        let message = match chain {
            Err(wrong) => wrong.to_string(),
            Ok(chain) => Simulation::new(preset(&ruled(BUSY), &[]), &chain, cpu(1, None))
                .err()
                .map_or_else(String::new, |wrong| wrong.to_string()),
        };
        if !message.contains(problem) || !message.contains(';') {
            accepted.push(format!("{new}: {message}, and not {problem}"));
        }
    }
    assert!(accepted.is_empty(), "{}", accepted.join("\n"));
    folder.write("chain.toml", CHAIN);
    // A preset without species, and a preset with a single species that the rule names.
    let (head, _) = BUSY.split_once("[[species]]").unwrap();
    let refused = |text: &str, chain: &str| {
        let chain = Chain::load(murmuration::host().as_ref(), folder.join(chain).to_str().unwrap());
        let begun =
            chain.map_err(Into::into).and_then(|chain| Simulation::new(preset(text, &[]), &chain, cpu(1, None)));
        begun.err().map_or_else(String::new, |wrong: murmuration_core::error::Failure| wrong.to_string())
    };
    let plain = refused(head, "chain.toml");
    assert!(
        plain.contains("the preset has no species \"scissors\"; add [[species]] with name = \"scissors\""),
        "{plain}"
    );
    // The first passes read only the state, and do not change it.
    let passes = |pass: &str| {
        let cell = std::fs::read_to_string(repository().join("passes/cell.toml")).unwrap();
        folder.write(
            "passes.toml",
            cell.replacen("[[pass]]\nkernel = \"steer\"", &format!("{pass}[[pass]]\nkernel = \"steer\""), 1),
        );
        refused(&ruled(BUSY), "passes.toml")
    };
    for (pass, problem) in [
        (
            "[[pass]]\nkernel = \"chasing.wgsl\"\nsight = \"far\"\nread = [\"density of scissors\", \"walls\"]\n\
             write = [\"density\"]\n",
            "but \"walls\" is written by one of them; let it read the state alone",
        ),
        (
            "[[pass]]\nkernel = \"chasing.wgsl\"\nsight = \"far\"\nread = [\"density of scissors\"]\n\
             write = [\"control\"]\n",
            "but it writes \"control\"; let it write a field",
        ),
        (
            "[[pass]]\nkernel = \"chasing.wgsl\"\nread = [\"density\"]\nwrite = [\"density of scissors\"]\n",
            "write: \"density of scissors\" is another species'; a pass writes",
        ),
        (
            "[[pass]]\nkernel = \"cohesion\"\nsight = \"far\"\nread = [\"density of scissors\"]\n\
             write = [\"cohesion\"]\n",
            "`cohesion` is not given \"density\"",
        ),
    ] {
        let message = passes(pass);
        assert!(message.contains(problem) && message.contains("passes.toml:"), "{pass}: {message}");
    }
    // Individuals have no such fields, and the CPU plays no users' rules.
    let individuals = std::fs::read_to_string(repository().join("passes/agents-grid.toml")).unwrap();
    folder.write("agents.toml", individuals.replacen("read = [", "read = [\"density of rock\", ", 1));
    assert!(refused(BUSY, "agents.toml").contains("species of cells alone have fields"));
    assert!(refused(&ruled(BUSY), "chain.toml").contains("runs on the GPU only; take the engine `gpu`"));
}
