//! Completions and man pages contain every command and every option.

use crate::support::command::Folder;
use std::collections::BTreeSet;

/// The commands that a help text lists.
fn commands(help: &str) -> Vec<String> {
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let name =
        |line: &str| line.strip_prefix("  ").filter(|line| !line.starts_with(' '))?.split(' ').next().map(String::from);
    listed.filter_map(name).filter(|name| name != "help").collect()
}

/// The long options that a help text lists.
fn options(help: &str) -> BTreeSet<String> {
    let first = |line: &str| line.trim_start().trim_start_matches(|sign: char| sign != '-').starts_with("-");
    let words = help.lines().filter(|line| first(line)).filter_map(|line| {
        let line = line.trim_start();
        let line = if line.starts_with("--") { line } else { line.split_once(", ")?.1 };
        line.starts_with("--").then(|| line.split([' ', '.', '[']).next().unwrap().to_owned())
    });
    words.filter(|word| word.len() > 2).collect()
}

/// Every command as words, with its help text.
fn all(folder: &Folder) -> Vec<(Vec<String>, String)> {
    let mut all = Vec::new();
    let mut waiting = vec![Vec::new()];
    while let Some(words) = waiting.pop() {
        let arguments: Vec<&str> = words.iter().map(String::as_str).chain(["--help"]).collect();
        let help = folder.run(&arguments).succeeded().out;
        waiting.extend(commands(&help).into_iter().map(|name| [&words[..], &[name]].concat()));
        all.push((words, help));
    }
    all
}

#[test]
fn completions_have_every_command_and_option() {
    let folder = Folder::new();
    let all = all(&folder);
    assert!(all.len() > 15 && all.iter().any(|(words, _)| words.join(" ") == "sweep merge"), "{all:?}");
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = folder.run(&["completions", shell]).succeeded().out;
        // Fish writes an option without its hyphens.
        let has = |word: &str| {
            script.contains(word)
                || shell == "fish" && script.contains(&format!(" -l {}", word.trim_start_matches('-')))
        };
        for (words, help) in &all {
            let missing: Vec<String> = words.iter().cloned().chain(options(help)).filter(|word| !has(word)).collect();
            assert!(missing.is_empty(), "{shell}: {words:?}: {missing:?}");
        }
        folder.write(shell, script);
    }
    // Installed shells parse their scripts.
    for line in ["bash -n bash", "zsh -n zsh", "fish --no-execute fish"] {
        let name = line.split(' ').next().unwrap();
        folder.shell(&format!("! command -v {name} >/dev/null || {line}"), &[]).succeeded();
    }
    let wrong = folder.run(&["completions", "tcsh"]);
    assert!(wrong.status == Some(2) && wrong.err.contains("bash, elvish, fish, powershell, zsh"), "{wrong:?}");
}

#[test]
fn every_command_has_a_man_page_with_its_options() {
    let folder = Folder::new();
    folder.run(&["manual", "--out", "new/man1"]).succeeded();
    let all = all(&folder);
    for (words, help) in &all {
        let name = [&["murmuration".to_owned()], &words[..]].concat().join("-");
        let page = std::fs::read_to_string(folder.join(&format!("new/man1/{name}.1"))).unwrap().replace("\\-", "-");
        assert!(page.contains(&format!(".TH {name} 1")), "{page}");
        let missing: Vec<String> = options(help).into_iter().filter(|option| !page.contains(option)).collect();
        assert!(missing.is_empty(), "{name}: {missing:?}");
    }
    assert_eq!(std::fs::read_dir(folder.join("new/man1")).unwrap().count(), all.len());
    folder.write("file", "");
    let wrong = folder.run(&["manual", "--out", "file"]);
    assert!(wrong.status == Some(1) && wrong.complaint().contains("file"), "{wrong:?}");
}
