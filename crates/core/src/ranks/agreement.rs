//! Checks that all ranks have equal input. Ranks with different input would simulate different worlds.

use super::Ranks;
use crate::error::{BadInput, Failure};

/// A named text that must be equal on all ranks, such as the value of an option.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SharedInput {
    /// The name of the input in messages.
    pub name: String,
    /// The text of the input; empty if the input is not given.
    pub value: String,
}

impl SharedInput {
    /// An input with this name and text. Neither may contain the character U+0000.
    pub fn new(name: impl Into<String>, value: impl Into<String>) -> Self {
        Self { name: name.into(), value: value.into() }
    }

    /// An input for bytes, such as the contents of a file. Its text is the BLAKE3 hash of the bytes in hexadecimal
    /// digits.
    pub fn from_bytes(name: impl Into<String>, bytes: &[u8]) -> Self {
        Self::new(name, blake3::hash(bytes).to_hex().as_str())
    }
}

/// Compares the inputs of all ranks with the first rank. All ranks must call this function. `cure`: the last
/// part of the error message, which advises the user.
///
/// # Errors
/// All ranks get `BadInput` if an input differs. The message has the name of the input, the lowest rank that differs,
/// both texts and the advice. All ranks get another `Failure` if a rank has ended.
pub fn check_shared_inputs(ranks: &dyn Ranks, own: &[SharedInput], cure: &str) -> Result<(), Failure> {
    if ranks.size() == 1 {
        return Ok(());
    }
    let sent: String = own.iter().map(|SharedInput { name, value }| format!("{name}\0{value}\0")).collect();
    let gathered = ranks.gather(sent.as_bytes())?;
    let inputs: Vec<Vec<SharedInput>> = gathered.iter().map(|bytes| inputs_of(bytes)).collect();
    for (rank, others) in inputs.iter().enumerate().skip(1) {
        let Some((name, first, other)) = difference(&inputs[0], others) else { continue };
        let written = |value: &str| if value.is_empty() { "not given".to_owned() } else { format!("`{value}`") };
        let problem = format!("is {} on rank 0, and {} on rank {rank}", written(first), written(other));
        return Err(BadInput::new(name, problem, cure).into());
    }
    Ok(())
}

fn inputs_of(bytes: &[u8]) -> Vec<SharedInput> {
    let text = String::from_utf8_lossy(bytes);
    let words: Vec<&str> = text.split_terminator('\0').collect();
    words.chunks_exact(2).map(|pair| SharedInput::new(pair[0], pair[1])).collect()
}

/// The first input that differs: its name, the text on the first rank, and the text on the other rank. A missing input
/// counts as an empty text.
fn difference<'a>(first: &'a [SharedInput], other: &'a [SharedInput]) -> Option<(&'a str, &'a str, &'a str)> {
    let value = |inputs: &'a [SharedInput], name: &str| {
        inputs.iter().find(|input| input.name == name).map_or("", |input| input.value.as_str())
    };
    let names = first.iter().chain(other).map(|input| input.name.as_str());
    names.map(|name| (name, value(first, name), value(other, name))).find(|(_, first, other)| first != other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ranks::{SingleRank, ThreadRanks};
    use std::thread;

    fn outcomes(inputs: Vec<Vec<SharedInput>>) -> Vec<Option<String>> {
        let ranks = ThreadRanks::all(inputs.len());
        thread::scope(|scope| {
            let check = |(rank, own): (ThreadRanks, Vec<SharedInput>)| {
                scope.spawn(move || check_shared_inputs(&rank, &own, "cure").err().map(|failure| failure.to_string()))
            };
            let threads: Vec<_> = ranks.into_iter().zip(inputs).map(check).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        })
    }

    #[test]
    fn every_rank_says_which_input_differs_and_on_which_rank() {
        let seed = |value: &str| vec![SharedInput::new("--size", "8x8"), SharedInput::new("--seed", value)];
        assert_eq!(outcomes(vec![seed("1"), seed("1"), seed("1")]), vec![None; 3]);
        let differs = Some("--seed: is `1` on rank 0, and `2` on rank 2; cure".to_owned());
        assert_eq!(outcomes(vec![seed("1"), seed("1"), seed("2")]), vec![differs; 3]);
        let lacks = Some("--seed: is not given on rank 0, and `2` on rank 1; cure".to_owned());
        assert_eq!(outcomes(vec![seed("1")[..1].to_vec(), seed("2")]), vec![lacks; 2]);
        check_shared_inputs(&SingleRank, &seed("1"), "cure").unwrap();
    }
}
