//! The header matches the code. `MURMURATION_BLESS=1` writes the header.

use std::path::Path;

#[test]
fn the_header_is_that_of_the_code() {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(own.join("cbindgen.toml")).unwrap();
    // cbindgen finds the other modules from `lib.rs`.
    let builder = cbindgen::Builder::new().with_config(config).with_src(own.join("src/lib.rs"));
    let mut made = Vec::new();
    builder.generate().unwrap().write(&mut made);
    let made = without_safety(&String::from_utf8(made).unwrap());
    let path = own.join("include/murmuration.h");
    if std::env::var_os("MURMURATION_BLESS").is_some() {
        std::fs::write(&path, &made).unwrap();
    }
    let known = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(made == known, "MURMURATION_BLESS=1 cargo test -p murmuration-capi writes the header");
}

/// Replaces the heading `# Safety` with plain words for C.
fn without_safety(header: &str) -> String {
    header.replace("// # Safety\n", "// What the caller promises:\n")
}
