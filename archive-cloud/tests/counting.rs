//! Threads that read, change and write one save.

use archive::Format;
use archive::save::SaveFile;
use archive_cloud::{Cloud, Synced};

const THREADS: u32 = 8;
const TIMES: u32 = 20;

fn value(cloud: &Cloud, file: &SaveFile) -> u32 {
    cloud.get("counter").unwrap().map_or(0, |bytes| file.from_bytes(&bytes).unwrap().value)
}

/// Eight threads add 1 twenty times each. Returns how often another thread was faster.
pub fn eight_threads(cloud: &Cloud) -> u32 {
    let add = |thread: u32| {
        let file = SaveFile::new(format!("{} thread {thread}", file!()));
        let mut races = 0;
        for _ in 0..TIMES {
            loop {
                let next = value(cloud, &file) + 1;
                let bytes = file.to_bytes(&next, Format::Binary).unwrap();
                match cloud.put("counter", bytes).unwrap() {
                    Synced::Diverged(_) => races += 1,
                    _ => break,
                }
            }
        }
        races
    };
    let races = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS).map(|thread| scope.spawn(move || add(thread))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).sum()
    });
    assert_eq!(value(cloud, &SaveFile::new("the result")), THREADS * TIMES);
    races
}
