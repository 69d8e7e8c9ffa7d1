//! `assert_resumes!`: a loaded game continues like the saved one.

use archive_core::{Options, Result, Serialize, Value};

/// Checks that a loaded game continues like the saved one: run, save, load and run further gives
/// the same world as running without a save. This finds state that a save forgets, such as that of
/// random numbers or the order of a list.
///
/// It takes three closures: `save` gets the world, `load` returns the saved world, or a new one if
/// none was saved, and `run` advances it. The worlds are compared as [`Value`](crate::Value)s. The
/// message names the first part that differs, and whether it differed right after the load or
/// later.
///
/// ```
/// use archive::{Serialize, json, testing::assert_resumes};
///
/// #[derive(Default, Serialize)]
/// struct Game { tick: u64, seed: u64, heat: Vec<u64> }
///
/// let file = std::cell::RefCell::new(String::from("{}"));
/// assert_resumes!(
///     |game: &mut Game| json::to_string(game).map(|text| *file.borrow_mut() = text),
///     || json::from_str(&file.borrow()),
///     |game: &mut Game| for _ in 0..100 {
///         game.tick += 1;
///         game.seed = game.seed.wrapping_mul(6364136223846793005).wrapping_add(game.tick);
///         game.heat.push(game.seed >> 60);
///     }
/// );
/// ```
///
/// Options follow as `options: &options`, for types that need a registry or a clock to be compared.
#[doc(hidden)]
#[macro_export]
macro_rules! __assert_resumes {
    ($save:expr, $load:expr, $run:expr $(,)?) => {
        $crate::__assert_resumes!($save, $load, $run, options: &$crate::Options::new())
    };
    ($save:expr, $load:expr, $run:expr, options: $options:expr $(,)?) => {
        if let Err(message) = $crate::testing::__private::resumes($save, $load, $run, $options) {
            panic!("{message}");
        }
    };
}

/// Implements the macro.
///
/// # Errors
/// The message of the assertion.
pub fn resumes<W: Serialize, S>(
    mut save: impl FnMut(&mut W) -> Result<S>,
    mut load: impl FnMut() -> Result<W>,
    mut run: impl FnMut(&mut W),
    options: &Options<'_>,
) -> std::result::Result<(), String> {
    let mut loaded = || load().map_err(|error| format!("`load` failed: {error}"));
    let mut world = loaded()?;
    run(&mut world);
    save(&mut world).map_err(|error| format!("`save` failed: {error}"))?;
    let mut again = loaded()?;
    same(&mut world, &mut again, "after the load, before anything ran", options)?;
    run(&mut world);
    run(&mut again);
    same(&mut world, &mut again, "after both ran further", options)
}

fn same<W: Serialize>(
    saved: &mut W,
    loaded: &mut W,
    when: &str,
    options: &Options<'_>,
) -> std::result::Result<(), String> {
    let value = |world: &mut W| {
        Value::of_with(world, options).map_err(|error| format!("no world to compare: {error}"))
    };
    let (saved, loaded) = (value(saved)?, value(loaded)?);
    let Some((path, saved, loaded)) = difference(&saved, &loaded) else { return Ok(()) };
    let path = if path.is_empty() { "the world" } else { path.trim_start_matches('.') };
    Err(format!(
        "the loaded game differs {when}: {path} is {loaded}, and {saved} in the saved game"
    ))
}

/// Returns the path of the first difference, and both values.
fn difference(a: &Value, b: &Value) -> Option<(String, String, String)> {
    let inside = |path: String, found: Option<(String, String, String)>| {
        found.map(|(rest, a, b)| (path + &rest, a, b))
    };
    match (a, b) {
        (Value::Object(a), Value::Object(b))
            if a.iter().map(|m| &m.0).eq(b.iter().map(|m| &m.0)) =>
        {
            let mut members = a.iter().zip(b);
            members.find_map(|((name, a), (_, b))| inside(format!(".{name}"), difference(a, b)))
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            let mut items = a.iter().zip(b).enumerate();
            items.find_map(|(index, (a, b))| inside(format!("[{index}]"), difference(a, b)))
        }
        _ if a == b => None,
        _ => Some((String::new(), short(a), short(b))),
    }
}

fn short(value: &Value) -> String {
    match value {
        Value::Array(items) => format!("a list of {} items", items.len()),
        Value::Object(members) => format!("an object of {} members", members.len()),
        value => value.to_string(),
    }
}
