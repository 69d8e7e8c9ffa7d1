//! [`Targets`]: the older versions as which some types are saved.
// Why: docs/decisions/members-and-evolution.md#a-target-version-applies-to-a-whole-file

use crate::model::error::{Error, ErrorKind, Result};
use crate::model::shape::Class;

/// The older versions as which some types are saved, set by
/// [`Options::target_version`](crate::Options::target_version). Encoders that write the versions of
/// classes themselves call [`version_of`](Targets::version_of).
#[derive(Clone, Debug, Default)]
pub struct Targets(Vec<Target>);

#[derive(Clone, Copy, Debug)]
struct Target {
    class: &'static Class,
    version: u32,
}

impl Targets {
    /// Returns the version as which objects of the class are saved.
    #[inline]
    pub fn version_of(&self, class: &'static Class) -> u32 {
        // The target of a class without a version can only be 0.
        if class.version == 0 || self.0.is_empty() { class.version } else { self.look_up(class) }
    }

    /// Returns whether all types are saved in their own versions.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn set(&mut self, class: &'static Class, version: u32) {
        self.0.retain(|target| !same(target.class, class));
        // A target equal to the class's own version need not be stored.
        if version != class.version {
            self.0.push(Target { class, version });
        }
    }

    /// Checks that the program knows all target versions.
    ///
    /// # Errors
    /// Returns an error with the class and its version.
    #[inline]
    pub fn check(&self) -> Result {
        match self.0.iter().find(|target| target.version > target.class.version) {
            Some(target) => Err(newer(target)),
            None => Ok(()),
        }
    }

    #[cold]
    fn look_up(&self, class: &'static Class) -> u32 {
        let target = self.0.iter().find(|target| same(target.class, class));
        target.map_or(class.version, |target| target.version)
    }
}

/// Compares classes by the paths of their types, because one constant may have several addresses.
fn same(one: &'static Class, other: &'static Class) -> bool {
    std::ptr::eq(one, other)
        || one.version == other.version && one.type_name.get() == other.type_name.get()
}

#[cold]
fn newer(Target { class, version }: &Target) -> Error {
    let (name, known) = (class.name(), class.version);
    Error::new(
        ErrorKind::NewerVersion,
        format_args!(
            "`{name}` cannot be saved as version {version} (`Options::target_version`): the \
             program knows it up to version {known}"
        ),
    )
}
