//! Prints how many steps a second a swarm plays if a program calls the Rust library once for each step. `bench.c` in
//! this folder measures the same through the C interface.

use murmuration::{EngineChoice, Failure, open};
use std::time::Instant;

fn main() -> Result<(), Failure> {
    let mut swarm = open("droplets").size(256, 256).engine(EngineChoice::Cpu(Default::default())).start()?;
    swarm.advance(50)?;
    let begun = Instant::now();
    for _ in 0..300 {
        swarm.advance(1)?;
    }
    println!("{:.3}", 300.0 / begun.elapsed().as_secs_f64());
    Ok(())
}
