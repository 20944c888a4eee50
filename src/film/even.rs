//! Padding of pictures to even sizes. Video with chroma at half the resolution needs an even number of pixels along each axis.

use crate::observe::Picture;
use std::io::{self, Write};

/// The padded size of a picture.
pub fn size(picture: &Picture) -> [u32; 2] {
    [picture.width, picture.height].map(|side| side.next_multiple_of(2))
}

/// Writes the bytes of a picture. The last column or row of an odd side is repeated.
pub fn write(picture: &Picture, to: &mut dyn Write) -> io::Result<()> {
    let [width, height] = [picture.width, picture.height].map(|side| side as usize);
    if width % 2 == 0 && height % 2 == 0 {
        return to.write_all(&picture.bytes);
    }
    let rows = picture.bytes.chunks_exact(3 * width);
    let last = rows.clone().next_back().filter(|_| height % 2 == 1);
    for row in rows.chain(last) {
        to.write_all(row)?;
        if width % 2 == 1 {
            to.write_all(&row[row.len() - 3..])?;
        }
    }
    Ok(())
}
