//! A run that gets less memory than it needs ends with a message, whatever the memory is for.

use crate::support::command::{Finished, Folder};

/// Runs the program with a limited address space in MiB. With a single arena of the allocator, address space is memory.
fn limited(folder: &Folder, mebibytes: u32, arguments: &[&str]) -> Finished {
    let line = format!("ulimit -v {}; MALLOC_ARENA_MAX=1 \"$@\"", mebibytes << 10);
    folder.shell(&line, arguments)
}

/// Raises the limit until the run succeeds. Returns the numbers of failed runs with status 1 and 2.
fn until_it_succeeds(folder: &Folder, arguments: &[&str]) -> [u32; 2] {
    let mut failed = [0; 2];
    // With less memory the system cannot start the program.
    for mebibytes in (96..4096).step_by(24) {
        let run = limited(folder, mebibytes, arguments);
        match run.status {
            Some(0) => return failed,
            Some(status @ (1 | 2)) => failed[status as usize - 1] += 1,
            // The dynamic linker fails.
            Some(127) => continue,
            _ => panic!("{mebibytes} MiB: {run:?}"),
        }
        let complaint = run.complaint();
        let is_of_memory = ["of memory", "threads could be started", "cannot listen for"];
        assert!(is_of_memory.iter().any(|said| complaint.contains(said)), "{mebibytes} MiB: {complaint}");
    }
    panic!("it never succeeded");
}

#[cfg(target_os = "linux")]
#[test]
fn a_lack_of_memory_is_a_message() {
    let folder = Folder::new();
    let cells = ["render", "paper", "--size", "2000x2000", "--steps", "1", "--engine", "cpu", "--threads", "2"];
    let checked = until_it_succeeds(&folder, &cells);
    assert!(checked[0] + checked[1] > 3, "{checked:?}");
    let individuals =
        ["render", "flock", "--set", "start.boids=400000", "--steps", "1", "--engine", "cpu", "--threads", "2"];
    until_it_succeeds(&folder, &individuals);
    let picture = image::GrayImage::from_pixel(4000, 4000, image::Luma([200]));
    picture.save(folder.join("start.png")).unwrap();
    let map = ["--set", "start.shape=map", "--set", "start.file=start.png", "--size", "400x400", "--steps", "1"];
    until_it_succeeds(&folder, &[&["render", "paper", "--engine", "cpu", "--threads", "2"][..], &map].concat());
    assert!(folder.names().iter().all(|name| name == "start.png"), "{:?}", folder.names());
}
