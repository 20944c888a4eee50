use std::process::ExitCode;

fn main() -> ExitCode {
    murmuration::cli::run()
}
