//! The message that the program prints if it panics.

use super::shout;
use std::panic::{set_hook, take_hook};
use std::path::{Component, Path, PathBuf};

/// Installs the message. The message omits the folders of the machine that compiled the program, unless
/// `RUST_BACKTRACE` requests a backtrace.
pub fn install() {
    let usual = take_hook();
    set_hook(Box::new(move |panic| {
        if std::env::var_os("RUST_BACKTRACE").is_some_and(|value| value != "0") {
            return usual(panic);
        }
        let place = panic.location().map_or_else(String::new, |at| format!(" at {}:{}", source(at.file()), at.line()));
        let thread = std::thread::current();
        let said = panic.payload_as_str().unwrap_or("nothing is said");
        shout(format_args!("thread '{}' panicked{place}:\n{said}", thread.name().unwrap_or("unnamed")));
    }));
}

/// The path of a source file without the folders above its crate.
fn source(file: &str) -> String {
    let parts: Vec<Component<'_>> = Path::new(file).components().collect();
    let above = parts.iter().rposition(|part| part.as_os_str() == "src").unwrap_or(parts.len() - 1);
    let own: PathBuf = parts[above.saturating_sub(1)..].iter().filter(|part| **part != Component::RootDir).collect();
    own.display().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_file_is_named_from_its_crate_on() {
        for (file, named) in [
            (
                "/root/.cargo/registry/src/index.crates.io-1949cf8c/winit-0.30.13/src/event.rs",
                "winit-0.30.13/src/event.rs",
            ),
            ("/home/builder/swarm/crates/core/src/cells/mod.rs", "core/src/cells/mod.rs"),
            ("crates/core/src/cells/mod.rs", "core/src/cells/mod.rs"),
            ("src/cli/mod.rs", "src/cli/mod.rs"),
            ("/home/builder/target/build/wayland-1/out/bindings.rs", "out/bindings.rs"),
            ("bindings.rs", "bindings.rs"),
        ] {
            assert_eq!(source(file), named);
        }
    }
}
