//! What the types of mods do, in Lua: `function Drum.tick(self, unit, now)` in the script of a mod is called in every tick
//! of a component of the type `Drum`, and `step` in every tick of an order.
//!
//! A script changes its own object, looks at the unit, and has effects. What it must remember is in members, so it is
//! saved.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::time::Duration;

use archive::types::Made;
use archive::{Result, Value};
use archive_lua::{Arguments, Limits, Sandbox, Script};

use super::{Effect, Mods, in_file, used};
use crate::{Scene, Unit, options};

thread_local! {
    /// The scripts of this thread, and the mods whose scripts they are.
    static LOADED: RefCell<Option<(&'static Mods, Scripts)>> = const { RefCell::new(None) };
}

/// The scripts by the names of the types.
type Scripts = BTreeMap<String, Script>;

/// Loads the scripts of mods.
///
/// # Errors
/// Mistakes in the scripts, with their files.
pub(super) fn load(mods: &Mods) -> Result<Scripts> {
    // The same on all machines: the instructions end long before the time.
    let limits = Limits::default().instructions(100_000).time(Duration::from_secs(60));
    let sandbox = Sandbox::new(limits)?;
    sandbox.function("effect", |call| {
        let effect: Effect = call.argument(0)?;
        call.host::<Vec<Effect>>()?.push(effect);
        Ok(Value::Null)
    })?;
    let mut scripts = Scripts::new();
    for one in &mods.all {
        let Some(text) = &one.script else { continue };
        let path = one.folder.join("script.lua");
        let script = sandbox.load("script.lua", text).map_err(|error| in_file(error, &path))?;
        scripts.extend(one.types.iter().map(|name| (name.clone(), script.clone())));
    }
    Ok(scripts)
}

/// Returns the script with a function of a type.
fn find(ty: &str, function: &str) -> Option<Script> {
    let mods = used()?;
    LOADED.with_borrow_mut(|loaded| {
        let is_loaded = matches!(loaded, Some((of, _)) if std::ptr::eq(*of, mods));
        if !is_loaded {
            // They were loaded once when the mods were read.
            *loaded = Some((mods, load(mods).unwrap_or_default()));
        }
        let (_, scripts) = loaded.as_ref()?;
        scripts.get(ty).filter(|script| script.has(function)).cloned()
    })
}

/// Calls a method of an object of a mod, if its script has it. Its effects happen only if it succeeds.
pub(super) fn call(
    made: &mut Made,
    method: &str,
    unit: &mut Unit,
    scene: &mut Scene<'_>,
) -> Option<Result<Value>> {
    let function = format!("{}.{method}", made.id());
    let script = find(made.id(), &function)?;
    let (options, mut effects) = (options(), Vec::<Effect>::new());
    let arguments = Arguments::new().edit(made).view(unit).value(scene.now);
    let done = script.call(&function, arguments.options(&options).host(&mut effects));
    if done.is_ok() {
        effects.iter().for_each(|effect| effect.happens(unit, scene));
    }
    Some(done)
}
