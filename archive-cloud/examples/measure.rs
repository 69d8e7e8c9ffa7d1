//! Times syncs with a server of S3 on this machine, and counts requests and bytes: `cargo run --release --example measure`.

use std::time::{Duration, Instant};

use archive::Format;
use archive::save::{SaveFile, Saves};
use archive_cloud::{Cloud, Synced};

#[allow(dead_code, reason = "the tests use the rest")]
#[path = "../tests/faulty_store.rs"]
mod faulty_store;
#[allow(dead_code, reason = "the tests use the rest")]
#[path = "../tests/s3_server.rs"]
mod s3_server;

use faulty_store::Faulty;
use s3_server::Server;

const ROUNDS: usize = 9;

/// A world of 0.8 MB.
fn world(tick: u64) -> Vec<u64> {
    (0..100_000).map(|number: u64| number.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ tick).collect()
}

/// Calls a function several times, and returns the median.
fn median(mut run: impl FnMut(usize) -> Duration) -> Duration {
    let mut times: Vec<_> = (0..ROUNDS).map(&mut run).collect();
    times.sort_unstable();
    times[ROUNDS / 2]
}

fn timed<T>(call: impl FnOnce() -> T) -> (T, Duration) {
    let begin = Instant::now();
    (call(), begin.elapsed())
}

/// Measures one operation on one cloud, and returns the time of each.
struct Pair {
    desktop: Saves,
    laptop: Saves,
    cloud: Cloud,
}

impl Pair {
    fn sync(&self, saves: &Saves, expected: &Synced) -> Duration {
        let slot = saves.slot("campaign").unwrap();
        let (answer, time) = timed(|| self.cloud.sync(&slot).unwrap());
        assert_eq!(&answer, expected);
        time
    }

    fn play(&self, saves: &Saves, tick: usize) {
        let slot = saves.slot("campaign").unwrap();
        if tick > 0 {
            slot.load::<Vec<u64>>().unwrap();
        }
        slot.save(&world(tick as u64), Format::Binary).unwrap();
    }

    /// Returns the times of an upload, of a sync of equal saves, and of a download.
    fn rows(&self) -> [Duration; 3] {
        self.play(&self.desktop, 0);
        self.sync(&self.desktop, &Synced::Created);
        let mut uploads = Vec::new();
        let mut equals = Vec::new();
        let downloads = median(|round| {
            self.sync(&self.laptop, &Synced::Downloaded);
            self.play(&self.laptop, round + 1);
            uploads.push(self.sync(&self.laptop, &Synced::Uploaded));
            equals.push(self.sync(&self.laptop, &Synced::Equal));
            let time = self.sync(&self.desktop, &Synced::Downloaded);
            self.play(&self.desktop, round + 100);
            self.sync(&self.desktop, &Synced::Uploaded);
            time
        });
        uploads.sort_unstable();
        equals.sort_unstable();
        [uploads[ROUNDS / 2], equals[ROUNDS / 2], downloads]
    }
}

/// Returns the requests and the bytes read of an upload, of a sync of equal saves, and of a download.
fn counts() -> [(u64, u64); 4] {
    let store = Faulty::new();
    let cloud = Cloud::over(store.clone()).unwrap();
    let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let [desktop, laptop] =
        [&folders[0], &folders[1]].map(|folder| Saves::in_folder(folder.path()).unwrap());
    let pair = Pair { desktop, laptop, cloud };
    pair.play(&pair.desktop, 0);
    pair.sync(&pair.desktop, &Synced::Created);
    pair.play(&pair.desktop, 1);
    store.faults.take_counts();
    pair.sync(&pair.desktop, &Synced::Uploaded);
    let upload = store.faults.take_counts();
    pair.sync(&pair.desktop, &Synced::Equal);
    let equal = store.faults.take_counts();
    pair.sync(&pair.laptop, &Synced::Downloaded);
    let download = store.faults.take_counts();
    for number in 1..50 {
        let bytes = SaveFile::new(format!("list {number}"));
        let bytes = bytes.to_bytes(&world(number), Format::Binary).unwrap();
        pair.cloud.put(&format!("save {number}"), bytes).unwrap();
    }
    store.faults.take_counts();
    assert_eq!(pair.cloud.list().unwrap().len(), 50);
    [upload, equal, download, store.faults.take_counts()]
}

fn main() {
    let counts = counts();
    let server = Server::get().expect("moto is needed: `pip install 'moto[server]'`");
    let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let [desktop, laptop] =
        [&folders[0], &folders[1]].map(|folder| Saves::in_folder(folder.path()).unwrap());
    let pair = Pair { desktop, laptop, cloud: server.cloud("measure") };
    let [upload, equal, download] = pair.rows();
    let bytes = std::fs::read(pair.desktop.slot("campaign").unwrap().path()).unwrap();
    let menu = server.cloud("menu");
    for number in 0..50 {
        let file = SaveFile::new(format!("menu {number}"));
        let bytes = file.to_bytes(&world(number), Format::Binary).unwrap();
        menu.put(&format!("save {number}"), bytes).unwrap();
    }
    let list = median(|_| timed(|| menu.list().unwrap()).1);
    println!("| a save of {:.1} MB | requests | bytes read | ms |", bytes.len() as f64 / 1e6);
    println!("|---|---|---|---|");
    let names = ["upload", "sync of equal saves", "download", "list of 50 saves"];
    for ((name, (requests, bytes)), time) in
        names.iter().zip(counts).zip([upload, equal, download, list])
    {
        println!("| {name} | {requests} | {bytes} | {:.0} |", time.as_secs_f64() * 1e3);
    }
}
