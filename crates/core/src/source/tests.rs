use super::*;
use crate::preset::keys::KEYS;

const TEXT: &str = "description = \"x\"\n\n[world]\nsize = [8, 8]\n[[world.solid]]\nmask = \"a\"\n[[world.solid]]\n\
                    circle = { at = [0.5, 0.5], radius = 0.1 }\n[sight.cohesion]\ndisc = 5\n";

fn read(text: &str, set: &[&str]) -> Result<Source, BadInput> {
    let set: Vec<String> = set.iter().map(|written| (*written).to_owned()).collect();
    Source::new(crate::testing::host().clone(), &KEYS, "some/file.toml", text, &set, &Contents::default())
}

#[test]
fn every_key_has_its_line() {
    let source = read(TEXT, &[]).unwrap();
    for (key, line) in [
        ("description", 1),
        ("world", 3),
        ("world.size", 4),
        ("world.margin", 3),
        ("world.solid[0].mask", 6),
        ("world.solid[1]", 7),
        ("world.solid[1].circle.radius", 8),
        ("sight.cohesion.disc", 10),
        ("hunter.reach", 1),
    ] {
        assert_eq!(source.line(key), line, "{key}");
    }
    let source = read("\n[world]\nsolid = [\n { mask = \"a\" },\n { mask = \"b\" },\n]\n", &[]).unwrap();
    assert_eq!(source.line("world.solid[1].mask"), 5);
}

#[test]
fn mistakes_of_the_notation_are_one_line_with_place_and_key() {
    for (text, message) in [
        (
            "[world]\nsize = [8, 8]\nedgs = 1\n",
            "f:3: world.edgs: unknown key `edgs`; expected one of `size`, `edges`, `origin`, `margin`, `capacity`, \
             `solid`, `terrain`; did you mean world.edges?",
        ),
        ("\n[start]\nboids = \"many\"\n", "f:3: start.boids: invalid type: string \"many\"; expected a whole number"),
        ("[movement]\nkeep = \"x\"\n", "f:2: movement.keep: invalid type: string \"x\"; expected a number"),
        (
            "[world]\nedges = \"wall\"\n",
            "f:2: world.edges: unknown value `wall`; expected one of `torus`, `walls`, `endless`",
        ),
        (
            "[start]\nat = 3\n",
            "f:2: start.at: cannot be read; expected a place such as [0.5, 0.5], or a list of places",
        ),
        (
            "[[world.solid]]\n[[world.solid]]\ncircle = { at = [0, 0] }\n",
            "f:3: world.solid[1].circle: missing key `radius`; \
             presets/reference.toml shows how every key is written",
        ),
        ("a = [1,\n", "f:1: unclosed array; expected `]`"),
        ("seed = 1\nseed = 2\n", "f:2: duplicate key; presets/reference.toml shows how every key is written"),
    ] {
        let read = Source::new(crate::testing::host().clone(), &KEYS, "f", text, &[], &Contents::default());
        assert_eq!(read.unwrap_err().to_string(), message);
    }
    let wrong = read("[start]\n\"boids[0]\" = 5\n", &[]).unwrap_err().to_string();
    assert!(wrong.contains("unknown key `boids[0]`"), "{wrong}");
}

#[test]
fn settings_are_laid_over_the_file() {
    let set = ["weights.cohesion=0.8", "world.edges=walls", "hunter.mood = 'follow'", "sight.mine.box=2", "seed=7"];
    let source = read(TEXT, &set).unwrap();
    assert_eq!(source.decimal("weights.cohesion"), Ok(0.8));
    assert_eq!((source.word("world.edges"), source.word("hunter.mood")), (Some("walls"), Some("follow")));
    assert_eq!(source.length("world.solid"), 2);
    assert_eq!((source.integer("sight.mine.box"), source.decimal("sight.cohesion.disc")), (Ok(2), Ok(5.0)));
    assert_eq!(source.integer("seed"), Ok(7));
    assert_eq!(read(TEXT, &["world.solid=[]"]).unwrap().length("world.solid"), 0);
    let source = read("weights.cohesion = 1\nhunter = { reach = 3 }\n", &["weights.a=2", "hunter.at=[0, 0]"]).unwrap();
    assert_eq!((source.names("weights").len(), source.integer("hunter.reach")), (2, Ok(3)));
}

#[test]
fn a_wrong_setting_is_named_itself() {
    let form = "write it as key=value, as in weights.cohesion=0.8";
    let movement = "expected one of `keep`, `cruise`, `min`, `turn`, `max`, `distribution`, `carry`, `wander`, \
                    `rest`; did you mean start.speed or hunter.speed or lives.dna.speed?";
    for (set, message) in [
        ("seed", format!("there is no `=` in it; {form}")),
        (" =3", format!("what stands before `=` is not a dotted key; {form}")),
        ("seed=", format!("what stands after `=` is not a value of TOML; {form}")),
        ("seed=[1", format!("what stands after `=` is not a value of TOML; {form}")),
        ("seed=x", "seed: invalid type: string \"x\"; expected a whole number".to_owned()),
        ("movement.speed=1", format!("movement.speed: unknown key `speed`; {movement}")),
        (
            "description.x=1",
            "description.x: `description` is not a table; set it as a whole, in the notation of TOML".to_owned(),
        ),
    ] {
        let message = format!("set {set}: {message}");
        assert_eq!(read(TEXT, &[set]).unwrap_err().to_string(), message);
    }
    let source = read(TEXT, &["movement.keep=3"]).unwrap();
    assert_eq!(source.wrong("movement.keep", "p", "c").to_string(), "set movement.keep=3: movement.keep: p; c");
    assert_eq!(source.wrong("world.size", "p", "c").to_string(), "some/file.toml:4: world.size: p; c");
}

#[test]
fn a_setting_beats_its_alternative_and_excuses_leftovers() {
    let keys = ["disc", "box"];
    let source = read(TEXT, &["sight.cohesion.box=2"]).unwrap();
    assert_eq!(source.choice("sight.cohesion", &keys), Ok(Some("box")));
    let source = read("sight.alignment = { disc = 5, box = 2 }\n", &[]).unwrap();
    assert!(source.choice("sight.alignment", &keys).is_err());
    let source = read(TEXT, &["world.edges=walls"]).unwrap();
    assert!(source.refuse("world.margin", "world.edges", "").is_ok());
    assert!(source.refuse("world.margin", "world.size", "").is_err());
    assert_eq!(source.resolve("chain", "a.toml"), PathBuf::from("some/a.toml"));
    let source = read(TEXT, &["chain=a.toml"]).unwrap();
    assert_eq!(source.resolve("chain", "a.toml"), PathBuf::from("a.toml"));
}
