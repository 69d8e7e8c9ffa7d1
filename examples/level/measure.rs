//! Saves a world in one format, loads it, and checks that nothing changed.

use std::error::Error;
use std::time::{Duration, Instant};

use archive::Format;

use crate::same::{self, Sharing};
use crate::world::{Census, World};

/// The number of runs; the fastest time counts, because it has the least noise.
const RUNS: usize = 5;

/// The figures of one format.
pub struct Measured {
    /// How many bytes the world has in it.
    pub bytes: usize,
    /// How long saving took.
    pub save: Duration,
    /// How long loading took.
    pub load: Duration,
    /// The shared objects in the saved world, and in the loaded one.
    pub sharing: Sharing,
}

/// Saves and loads a world in one format.
///
/// # Errors
/// If the format refuses the world, or returns another one.
pub fn measure(world: &World, format: Format) -> Result<Measured, Box<dyn Error>> {
    let (bytes, save) = fastest(|| format.to_vec(world))?;
    let (loaded, load) = fastest(|| format.from_slice::<World>(&bytes))?;
    let sharing = same::compare(world, &loaded).map_err(|difference| difference.to_string())?;
    if Census::take(&loaded) != Census::take(world) {
        return Err("the world that was loaded has another census".into());
    }
    if format.to_vec(&loaded)? != bytes {
        return Err("the world that was loaded is saved as other bytes".into());
    }
    Ok(Measured { bytes: bytes.len(), save, load, sharing })
}

/// Runs a function several times, and returns its result and its fastest time.
fn fastest<T>(mut what: impl FnMut() -> archive::Result<T>) -> archive::Result<(T, Duration)> {
    let mut timed = || {
        let start = Instant::now();
        what().map(|result| (result, start.elapsed()))
    };
    let (mut result, mut time) = timed()?;
    for _ in 1..RUNS {
        let (again, took) = timed()?;
        (result, time) = (again, time.min(took));
    }
    Ok((result, time))
}
