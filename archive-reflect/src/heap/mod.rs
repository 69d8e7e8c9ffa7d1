//! [`heap_size`]: how much heap memory a value owns.

mod measure;

use std::fmt;

use archive_core::{Encoder, Options, Polymorphic, Result, Saving, Session};

use crate::canon::Root;
use measure::Measure;

/// Returns the bytes on the heap that a value owns, by the members that own them.
///
/// The result is a lower bound: items and texts count with their length, not their capacity, tables
/// of hash maps and nodes of trees without their links, and fields that are not saved do not count.
/// An object that several pointers share counts once. Text in an `Rc`, an `Arc` or a `Cow` does not
/// count, because others may own it.
///
/// ```
/// use archive::reflect::heap_size;
/// use archive::{Options, Serialize};
///
/// #[derive(Default, Serialize)]
/// struct Unit { name: String, path: Vec<[f32; 2]> }
/// #[derive(Default, Serialize)]
/// struct World { units: Vec<Unit> }
///
/// let unit = || Unit { name: "Ann".into(), path: vec![[0.0; 2]; 5] };
/// let world = World { units: vec![unit(), unit()] };
/// let size = heap_size(&world, &Options::new())?;
/// assert_eq!(format!("\n{size}"), "
///       96 World.units
///       80 Unit.path
///        6 Unit.name
///      182 bytes
/// ");
/// # Ok::<(), archive::Error>(())
/// ```
///
/// # Errors
/// Those of saving the value, such as that of a cell that is borrowed mutably.
pub fn heap_size(value: &dyn Polymorphic, options: &Options<'_>) -> Result<HeapSize> {
    let mut measure = Measure::new(options.settings().registry());
    let encoder: &mut dyn Encoder = &mut measure;
    Saving::new(encoder, &mut Session::new(), options).root(&mut Root(value))?;
    let rows = measure.rows.into_iter().map(|((class, member), bytes)| match class {
        "" => (String::new(), bytes),
        class => (format!("{class}.{member}"), bytes),
    });
    let mut rows: Vec<_> = rows.collect();
    rows.sort_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
    Ok(HeapSize { rows })
}

/// The bytes that a value owns on the heap: the result of [`heap_size`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeapSize {
    rows: Vec<(String, usize)>,
}

impl HeapSize {
    /// Returns all bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.rows.iter().map(|row| row.1).sum()
    }

    /// Returns the bytes that each member of a class owns in all objects of the class, without
    /// those that inner objects own, the largest first: `("Unit.path", 80)`. The name is empty for
    /// bytes outside of all members.
    #[must_use]
    pub fn by_member(&self) -> &[(String, usize)] {
        &self.rows
    }
}

impl fmt::Display for HeapSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (member, bytes) in &self.rows {
            writeln!(f, "{bytes:>8} {member}")?;
        }
        writeln!(f, "{:>8} bytes", self.bytes())
    }
}
