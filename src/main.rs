use std::process::ExitCode;

fn main() -> ExitCode {
    quieten_mesa();
    murmuration::cli::run()
}

/// Mesa's layer for choosing among several GPUs complains on a machine without a desktop session. The program chooses
/// by itself, so it does without the layer there.
fn quieten_mesa() {
    if std::env::var_os("XDG_RUNTIME_DIR").is_none() {
        // SAFETY: nothing else runs yet that could read the environment.
        unsafe { std::env::set_var("NODEVICE_SELECT", "1") };
    }
}
