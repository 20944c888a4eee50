//! Experiments: published results against runs, and experiments with mistakes.

use crate::support::command::Folder;
use serde_json::Value;
use std::fs;

/// Particles that do not see each other, with the maximum noise.
const EXPERIMENT: &str = "\
title = \"headings that are anywhere\"
source = \"arithmetic\"
quick = true
preset = \"\"\"
description = \"particles at the greatest noise\"
model = \"agents\"
[world]
size = [40, 40]
edges = \"torus\"
[start]
shape = \"uniform\"
boids = 100
headings = \"random\"
speed = 0.24
patch = 1
[sight.alignment]
disc = 2
[agents]
rules = \"vicsek\"
[movement]
max = 0.24
[noise]
angle = 6.2832
\"\"\"
size = [\"20x20\", \"40x40\"]
seeds = \"1..2\"
steps = 200
warm_up = 0
every = 2

[[results]]
title = \"order\"
value = \"mean\"
measure = \"polarisation\"
at = { size = \"40x40\" }
published = 0.0886
band = [0.082, 0.0952]
";

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// All quick experiments reproduce the published results.
#[test]
fn the_quick_experiments_are_within_their_bands() {
    let folder = Folder::new();
    let finished = folder.run(&["reproduce", "--quick", "--out", "r", "--json"]);
    assert_eq!(finished.status, Some(0), "{}{}", finished.out, finished.err);
    let said = finished.out;
    let all = json(&said);
    assert!(all["results"].as_u64() > Some(8) && all["results"] == all["inside"], "{said}");
    assert_eq!(json(&fs::read_to_string(folder.join("r/results.json")).unwrap())["experiments"], all["experiments"]);
    let page = fs::read_to_string(folder.join("r/index.html")).unwrap();
    let of_instruments = |is_instrument: bool| {
        let own = all["experiments"].as_array().unwrap().iter();
        let own = own.filter(|experiment| experiment["is_instrument"] == is_instrument);
        own.map(|experiment| experiment["results"].as_array().unwrap().len()).sum::<usize>()
    };
    let [findings, checks] = [false, true].map(of_instruments);
    assert!(findings > 0 && checks > 0, "{said}");
    let lead = format!("{findings} of {findings} findings of collective motion, and {checks} of {checks} checks");
    for part in [lead.as_str(), "mean-field", "Clark", "data:image/png;base64,", "<svg", "inside"] {
        assert!(page.contains(part), "{part}");
    }
    let text: String = page.split("base64,").map(|part| part.split_once('"').map_or(part, |(_, rest)| rest)).collect();
    assert!(text.matches("<script").count() == 1 && text.contains("</main><script>") && !text.contains("NaN"));
    // Each result has its band, and each value that was found lies on it.
    let results = all["results"].as_u64().unwrap() as usize;
    assert_eq!(
        [text.matches("class=\"band\"").count(), text.matches("r=\"4\" fill=\"currentColor\"").count()],
        [2 * results; 2]
    );
    assert!(text.contains("published, with its band"), "a chart has published values");
}

/// A repeated command repeats no run and no picture, and writes equal bytes.
#[test]
fn an_experiment_of_ones_own_is_made_once() {
    let folder = Folder::new();
    folder.write("e.toml", EXPERIMENT);
    let own = ["reproduce", "./e.toml", "--out", "r"];
    let first = folder.run(&own).succeeded().out;
    assert!(
        first.contains("inside   order: 0.0") && first.contains("1 of 1 results are within their bands"),
        "{first}"
    );
    let bytes = || {
        ["r/index.html", "r/results.json", "r/e/journal.txt", "r/e/means.csv"]
            .map(|file| fs::read(folder.join(file)).unwrap())
    };
    let made = bytes();
    assert_eq!(folder.run(&own).succeeded().out, first);
    assert!(bytes() == made);
    // Another band gives another verdict on the stored runs.
    folder.write("e.toml", EXPERIMENT.replace("published = 0.0886\nband = [0.082, 0.0952]", "band = [0.5, 0.5]"));
    let outside = folder.run(&own);
    assert_eq!(outside.status, Some(1));
    assert!(outside.out.contains("OUTSIDE  order"), "{}", outside.out);
    assert!(bytes()[2] == made[2]);
}

/// The page of one experiment keeps the earlier experiments in the folder. Unfinished and changed ones are left out.
#[test]
fn the_page_keeps_earlier_experiments() {
    let folder = Folder::new();
    let names = |folder: &Folder| -> Vec<String> {
        let results = json(&fs::read_to_string(folder.join("r/results.json")).unwrap());
        let all = results["experiments"].as_array().unwrap();
        all.iter().map(|own| own["experiment"].as_str().unwrap().to_owned()).collect()
    };
    let make = |name: &str| folder.run(&["reproduce", name, "--out", "r"]).succeeded().out;
    make("random-places");
    let said = make("random-places-in-space");
    assert!(said.contains("1 of 1 results"), "{said}");
    assert_eq!(names(&folder), ["random-places-in-space", "random-places"]);
    let page = fs::read_to_string(folder.join("r/index.html")).unwrap();
    assert_eq!(page.matches("data:image/png;base64,").count(), 2);
    let journal = folder.join("r/random-places/journal.txt");
    let text = fs::read_to_string(&journal).unwrap();
    let cut = text.trim_end().rsplit_once('\n').unwrap().0;
    fs::write(&journal, format!("{cut}\n")).unwrap();
    make("random-places-in-space");
    assert_eq!(names(&folder), ["random-places-in-space"]);
}

#[test]
fn experiments_with_a_mistake_are_refused() {
    let folder = Folder::new();
    folder.write("e.toml", EXPERIMENT);
    assert_eq!(folder.run(&["check", "e.toml"]).succeeded().out, "ok  e.toml (experiment)\n");
    let rows: &[(&str, &str, &str)] = &[
        // A part of the text, its replacement, and the message.
        ("title = \"headings that are anywhere\"", "", "e.toml:1: title: is missing; write title = "),
        ("source = \"arithmetic\"", "source = 7", "e.toml:2: source: is no text; write it in quotation marks"),
        ("quick = true", "quick = 1", "e.toml:3: quick: is neither true nor false"),
        ("quick = true", "quik = true", "e.toml:3: quik: is no key of a sweep; known are"),
        ("size = [40, 40]", "size = 40", "e.toml:8: world.size: "),
        (
            "value = \"mean\"",
            "value = \"median\"",
            "results[0].value: there is no value `median`; known are mean, binder",
        ),
        ("value = \"mean\"", "value = \"crossing\"", "results[0].value: a crossing has a level; write level"),
        ("value = \"mean\"", "value = \"mean\"\nlevel = 1", "results[0].level: only a crossing has a level"),
        ("value = \"mean\"", "value = \"mean\"\norigin = 1", "results[0].origin: only an exponent has an origin"),
        ("value = \"mean\"", "value = \"exponent\"", "results[0].value: follows from several values of a parameter"),
        ("value = \"mean\"", "value = \"mean\"\nover = \"size\"", "results[0].value: follows from one combination"),
        ("value = \"mean\"", "valeu = \"mean\"", "results[0].valeu: is no key of a result; known are title"),
        ("at = { size = \"40x40\" }\n", "", "results[0].at: size has 2 values; say which"),
        (
            "at = { size = \"40x40\" }",
            "at = { size = \"80x80\" }",
            "results[0].at: size is never 80x80; its values are",
        ),
        ("at = { size = \"40x40\" }", "at = { noise.angle = 1 }", "results[0].at: has a table for a value"),
        ("at = { size = \"40x40\" }", "at = { \"noise.angle\" = 1 }", "results[0].at: `noise.angle` is not swept"),
        ("\"polarisation\"", "\"order\"", "there is no measure `order`; known are"),
        ("band = [0.082, 0.0952]", "band = [0.0952, 0.082]", "results[0].band: is no band; write it as band"),
        (
            "band = [0.082, 0.0952]",
            "band = [0.08, 0.0952]",
            "results[0].band: 0.08 to 0.0952 is too wide; take at most 0.00664",
        ),
        (
            "band = [0.082, 0.0952]",
            "band = [0.082, 0.0885]",
            "results[0].band: does not hold the published value 0.0886",
        ),
        ("published = 0.0886", "published = 0.0886\nerror = -1", "results[0].error: is below 0"),
        ("published = 0.0886", "error = 0.1", "results[0].error: is of no value"),
        (
            "value = \"mean\"",
            "value = \"slope\"\nover = \"size\"",
            "results[0].at: size has all its values; take it away here",
        ),
        (
            "size = [\"20x20\", \"40x40\"]",
            "size = [\"20x20\", \"40x40\"]\nset.agents.view = [180, 360]",
            "results[0].at: agents.view has 2 values",
        ),
        ("published = 0.0886", "published = \"0.0886\"", "results[0].published: is no number"),
        ("[[results]]", "[results]", "e.toml:31: results: is no list of tables"),
    ];
    for (part, instead, said) in rows {
        assert!(EXPERIMENT.contains(part), "{part}");
        folder.write("e.toml", EXPERIMENT.replacen(part, instead, 1));
        let refused = folder.run(&["reproduce", "./e.toml", "--out", "r"]);
        let is_refused = refused.status == Some(2) && refused.err.contains(said);
        assert!(is_refused, "{instead}: {}", refused.err);
        assert!(!refused.err.contains("panicked"), "{}", refused.err);
    }
    // The parameter of this result needs several positive numbers.
    let varied = EXPERIMENT.replace("value = \"mean\"", "value = \"exponent\"\nover = \"noise.angle\"");
    for (values, said) in [
        ("[1.0]", "results[0].over: noise.angle has one value; sweep it"),
        ("[0, 1.0]", "results[0].over: noise.angle has the value 0, from which the exponent counts; take other"),
    ] {
        folder.write("e.toml", varied.replace("every = 2\n", &format!("every = 2\nset.noise.angle = {values}\n")));
        let refused = folder.run(&["reproduce", "./e.toml", "--out", "r"]);
        assert!(refused.status == Some(2) && refused.err.contains(said), "{values}: {}", refused.err);
    }
    // The name of the file becomes the name of a folder.
    folder.write("...toml", EXPERIMENT);
    let nameless = folder.run(&["reproduce", "./...toml", "--out", "r"]);
    let said = "is no name of an experiment; name the file with letters";
    assert!(nameless.status == Some(2) && nameless.err.contains(said), "{}", nameless.err);
    let unknown = folder.run(&["reproduce", "mean-fields"]);
    assert!(unknown.status == Some(2) && unknown.err.contains("did you mean mean-field?"), "{}", unknown.err);
}
