//! Random damage to texts and bytes, and repair of checksums.

use crate::support::random::Random;
use std::ops::Range;

/// Changes the header of a checkpoint.
pub fn with_header(saved: &[u8], change: impl FnOnce(&mut serde_json::Value)) -> Vec<u8> {
    let length = u32::from_le_bytes(saved[12..16].try_into().unwrap()) as usize;
    let mut header: serde_json::Value = serde_json::from_slice(&saved[16..16 + length]).unwrap();
    change(&mut header);
    let header = serde_json::to_vec(&header).unwrap();
    let rest = &saved[16 + length..saved.len() - 32];
    let mut bytes = [&saved[..12], &(header.len() as u32).to_le_bytes(), &header, rest].concat();
    let hash = *blake3::hash(&bytes).as_bytes();
    bytes.extend(hash);
    bytes
}

/// Numbers at typical bounds.
const NUMBERS: [&str; 30] = [
    "0",
    "1",
    "-1",
    "2",
    "3",
    "7",
    "16",
    "255",
    "256",
    "257",
    "513",
    "1024",
    "16384",
    "16385",
    "65535",
    "65536",
    "2147483647",
    "2147483648",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551615",
    "0.5",
    "-0.0",
    "1e-320",
    "1e308",
    "1e999",
    "nan",
    "-inf",
];

/// Tokens that texts consist of.
const TOKENS: [&str; 40] = [
    "\"",
    "'",
    "[",
    "]",
    "[[",
    "]]",
    "{",
    "}",
    "(",
    ")",
    "=",
    ",",
    ".",
    ":",
    ";",
    "\n",
    "#",
    "//",
    "/*",
    "\\",
    "\\u0000",
    "\u{feff}",
    "é",
    "\t",
    "null",
    "true",
    "u32",
    "i32",
    "vec3<f32>",
    "for (",
    "while (",
    "fn ",
    "return ",
    "--",
    "--set",
    "=x",
    "../",
    "[0]",
    "<<",
    "%",
];

/// A kind of damage.
#[derive(Debug)]
pub enum Corruption {
    Bit,
    Byte,
    Hole,
    End,
    Copy,
    Splice,
    Token,
    Number,
    Word,
    LineTwice,
    Binary,
}

impl Corruption {
    pub fn new(random: &mut Random) -> Self {
        match random.below(16) {
            0 => Self::Bit,
            1 => Self::Byte,
            2 => Self::Hole,
            3 => Self::End,
            4 => Self::Copy,
            5 => Self::Splice,
            6 | 7 => Self::Token,
            8..=10 => Self::Number,
            11 | 12 => Self::Word,
            13 => Self::LineTwice,
            _ => Self::Binary,
        }
    }

    /// Damages bytes. Parts may be copied from the bytes of others.
    pub fn apply(&self, bytes: &mut Vec<u8>, others: &[Vec<u8>], random: &mut Random) {
        if bytes.is_empty() {
            return;
        }
        let at = random.below(bytes.len() as u64) as usize;
        match self {
            Self::Bit => bytes[at] ^= 1 << random.below(8),
            Self::Byte => bytes[at] = random.word() as u8,
            Self::Hole => drop(bytes.drain(part(at, bytes.len(), random))),
            Self::End => bytes.truncate(at),
            Self::Copy => {
                let copied = bytes[part(at, bytes.len(), random)].to_vec();
                insert(bytes, random, &copied);
            }
            Self::Splice => {
                let other = random.pick(others);
                let from = random.below(other.len() as u64) as usize;
                let lent = other[part(from, other.len(), random)].to_vec();
                let to = part(at, bytes.len(), random);
                drop(bytes.splice(to, lent));
            }
            Self::Token => {
                let token = *random.pick(&TOKENS[..]);
                insert(bytes, random, token.as_bytes());
            }
            Self::Number => {
                let numbers = runs(bytes, |byte| byte.is_ascii_digit() || byte == b'.');
                if !numbers.is_empty() {
                    let to = random.pick(&numbers).clone();
                    let number = *random.pick(&NUMBERS[..]);
                    drop(bytes.splice(to, number.bytes()));
                }
            }
            Self::Word => {
                let words = runs(bytes, |byte| byte.is_ascii_alphabetic() || byte == b'_');
                if !words.is_empty() {
                    let word = bytes[random.pick(&words).clone()].to_vec();
                    let to = random.pick(&words).clone();
                    drop(bytes.splice(to, word));
                }
            }
            Self::LineTwice => {
                let lines = runs(bytes, |byte| byte != b'\n');
                if !lines.is_empty() {
                    let line = random.pick(&lines).clone();
                    let copy = [&bytes[line.clone()], b"\n"].concat();
                    drop(bytes.splice(line.start..line.start, copy));
                }
            }
            Self::Binary => {
                let value = *random.pick(&[0u32, 1, 0x7f, 0xff, 0x7fff, 0xffff, 0x7fff_ffff, 0x8000_0000, u32::MAX]);
                let length = random.between(1, 4) as usize;
                let end = (at + length).min(bytes.len());
                let mut words = value.to_le_bytes();
                if random.below(2) == 0 {
                    words.reverse();
                }
                bytes[at..end].copy_from_slice(&words[..end - at]);
            }
        }
    }
}

/// A range of a few bytes from a place on. All magnitudes of its length are equally likely.
fn part(at: usize, end: usize, random: &mut Random) -> Range<usize> {
    let most = 1u64 << random.below(10);
    at..(at + 1 + random.below(most) as usize).min(end)
}

fn insert(bytes: &mut Vec<u8>, random: &mut Random, what: &[u8]) {
    let at = random.below(bytes.len() as u64 + 1) as usize;
    drop(bytes.splice(at..at, what.iter().copied()));
}

/// The ranges of consecutive bytes of a kind.
fn runs(bytes: &[u8], is_part: impl Fn(u8) -> bool) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for (at, _) in bytes.iter().enumerate().filter(|(_, byte)| is_part(**byte)) {
        match runs.last_mut() {
            Some(run) if run.end == at => run.end += 1,
            _ => runs.push(at..at + 1),
        }
    }
    runs
}

/// Corrects the length of the header and the checksum of a checkpoint.
pub fn mended_checkpoint(mut bytes: Vec<u8>) -> Vec<u8> {
    let Some(body) = bytes.len().checked_sub(32).filter(|body| *body > 16) else { return bytes };
    // The header is an object. It ends before the binary part.
    let mut depth = 0;
    let end = bytes[16..body].iter().position(|byte| {
        depth += i32::from(*byte == b'{') - i32::from(*byte == b'}');
        depth == 0
    });
    if let Some(end) = end {
        bytes[12..16].copy_from_slice(&(end as u32 + 1).to_le_bytes());
    }
    let hash = blake3::hash(&bytes[..body]);
    bytes[body..].copy_from_slice(hash.as_bytes());
    bytes
}

/// Corrects the hashes in the lines of a sweep's journal. The first line has no hash.
pub fn mended_journal(bytes: Vec<u8>) -> Vec<u8> {
    let mend = |(index, line): (usize, &[u8])| -> Vec<u8> {
        let written = line.iter().rposition(|byte| *byte == b',').filter(|_| index > 0 && line.ends_with(b"\n"));
        let Some(end) = written else { return line.to_vec() };
        let hash = &blake3::hash(&line[..end]).to_hex()[..16];
        [&line[..=end], hash.as_bytes(), b"\n"].concat()
    };
    bytes.split_inclusive(|byte| *byte == b'\n').enumerate().flat_map(mend).collect()
}

/// Corrects the checksums of a PNG. Other pictures stay unchanged.
pub fn mended_png(mut bytes: Vec<u8>) -> Vec<u8> {
    let mut at = 8;
    while bytes.starts_with(b"\x89PNG") && at + 12 <= bytes.len() {
        let length = u32::from_be_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]) as usize;
        let Some(end) = at.checked_add(8 + length).filter(|end| end + 4 <= bytes.len()) else { break };
        let step = |crc: u32| if crc & 1 == 1 { 0xedb8_8320 ^ (crc >> 1) } else { crc >> 1 };
        let crc =
            bytes[at + 4..end].iter().fold(!0, |crc, byte| (0..8).fold(crc ^ u32::from(*byte), |crc, _| step(crc)));
        bytes[end..end + 4].copy_from_slice(&(!crc).to_be_bytes());
        at = end + 4;
    }
    bytes
}
