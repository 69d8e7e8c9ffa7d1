//! Saving a world in one format, loading it back, and proving that nothing changed.

use std::error::Error;
use std::time::{Duration, Instant};

use archive::Format;

use crate::same::{self, Sharing};
use crate::world::{Census, World};

/// How often each thing is timed; the fastest time counts, for it has the least noise.
const RUNS: usize = 5;

/// What saving and loading in one format came to.
pub struct Measured {
    /// How many bytes the world has in it.
    pub bytes: usize,
    /// How long saving took.
    pub save: Duration,
    /// How long loading took.
    pub load: Duration,
    /// What is shared, in the world saved and just so in the one loaded.
    pub sharing: Sharing,
}

/// Saves and loads a world in one format.
///
/// # Errors
/// If the format refuses the world, or gives back another one.
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

/// Does a thing several times, and gives its result and its fastest time.
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
