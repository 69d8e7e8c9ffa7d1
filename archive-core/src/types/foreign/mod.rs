//! Types of other crates. Each crate is enabled by the feature with its name.
//!
//! Every version of a crate has its own types. `glam` and `jiff` are the newest versions, 0.34 and 1.
//! Engines are often a version late, so older versions have features too:
//!
//! | feature | version | used by |
//! |---|---|---|
//! | `glam` | 0.34 | |
//! | `glam-0-33` | 0.33 | Bevy 0.20, nalgebra 0.35, rapier 0.36 |
//! | `glam-0-32` | 0.32 | Bevy 0.19, ggez 0.10 |
//! | `glam-0-31`, `glam-0-30`, `glam-0-29` | 0.31, 0.30, 0.29 | older engines |
//! | `glam-0-27` | 0.27 | macroquad 0.4 |
//! | `jiff` | 1 | |
//! | `jiff-0-2` | 0.2 | |
//!
//! Several versions may be enabled at once. `cargo tree -i glam` shows which version a program has.
//! All versions are stored alike, so files load after a change of version. A type of any other
//! version or crate can be a member with `#[archive(serde)]` (feature `serde`), if it implements
//! the traits of serde.
//!
//! | feature | types | how they are stored |
//! |---|---|---|
//! | `glam` | vectors, quaternions, `BVec*` | a fixed sequence: `[x, y, z]`, quaternions `[x, y, z, w]` |
//! | | matrices, affine transforms | a fixed flat sequence, column by column: `Mat4` has 16 numbers, `Affine3A` 12 |
//! | `uuid` | `Uuid` | text with hyphens; loads from every form that `uuid` parses and from 16 bytes |
//! | `indexmap` | `IndexMap`, `IndexSet` | a map, a sequence; in their own order |
//! | `smallvec` | `SmallVec<[T; N]>` | a sequence |
//! | `smol_str` | `SmolStr` | text |
//! | `slotmap` | keys: `DefaultKey`, `KeyData`, your own by `slotmap_keys!` | `{"idx": 1, "version": 1}` |
//! | | `SlotMap`, `DenseSlotMap` | `{"entries": [[key, value], …], "free": [key, …], "detached": [idx, …]}`; see below |
//! | | `SecondaryMap`, `SparseSecondaryMap` | a map from keys to values |
//! | `chrono` | `DateTime<Utc>`, `DateTime<FixedOffset>`, `DateTime<Local>` | text: `2026-11-20T08:30:00Z`, `2026-11-20T09:30:00+01:00` |
//! | | `NaiveDate`, `NaiveTime`, `NaiveDateTime` | text: `2026-11-20`, `08:30:00`, `2026-11-20T08:30:00` |
//! | | `FixedOffset` | text: `+01:00` |
//! | | `Month`, `Weekday` | text: `November`, `Fri` |
//! | | `TimeDelta` | `[seconds, nanoseconds]`, the nanoseconds from 0 to 999,999,999 |
//! | `jiff` | `Timestamp`, `ZonedDateTime` (in 0.2 `Zoned`), `civil::{Date, Time, DateTime}`, `Span`, `SignedDuration` | the text they print: `2026-11-20T09:30:00+01:00[Europe/Paris]`, `P1DT2H` |
//!
//! Except for the slot maps, these are the forms of the crates' own serde support in text formats.
//!
//! # Slot maps
//!
//! After a load, every key is as valid as before: keys saved anywhere in the file find their
//! values, keys of removed values remain invalid, and the next insert returns the same key as it
//! would have in the saved map. `entries` are the values by key (for `DenseSlotMap` in its own
//! order); `free` are the keys that the next inserts return, the next one first; `detached` are the
//! indices of slots whose value was detached. A detached key cannot be reattached after a load: its
//! slot is retired.
//!
//! - `slotmap` gives no access to vacant slots, so saving inspects a copy of the map: saving
//!   through `&` needs values that are `Clone`. Saving through `&mut` (`to_vec(&mut world)`, and
//!   `#[archive(mut_only)]` on the types that contain the map) does not; it rebuilds a map that has
//!   free slots, without any visible change.
//! - A load counts the version of each slot up one by one.
//!   [`Limits::generations`](crate::Limits::generations) limits the number of steps;
//!   [`Limits::padding`](crate::Limits::padding) limits the memory of slots without values. Both
//!   limits also apply to saving, so a map that is saved can be loaded.
//!
//! # Time
//!
//! Nothing is lost: a value whose text would not load as the same value is stored in a longer form,
//! or is an error when it is saved ([`ErrorKind::Unsupported`](crate::ErrorKind::Unsupported)).
//! - `chrono`: an offset with seconds is stored as `+00:09:21`, which `chrono` itself does not
//!   parse. A leap second anywhere except after second 59 is an error. `DateTime<Local>` keeps the
//!   instant; the offset is that of the loading machine.
//! - `jiff`: a `Span` whose units ISO 8601 cannot distinguish (1500 milliseconds) is stored in
//!   jiff's friendly form, `1500ms`. A `ZonedDateTime` in a zone without a name is stored with its
//!   offset. It is an error to load a `ZonedDateTime` whose zone is unknown on the loading machine,
//!   or has other rules there.

#[cfg(any(feature = "chrono", feature = "jiff", feature = "jiff-0-2", feature = "smol_str"))]
#[macro_use]
mod text;

#[cfg(feature = "chrono")]
mod chrono;
#[cfg(any(
    feature = "glam",
    feature = "glam-0-27",
    feature = "glam-0-29",
    feature = "glam-0-30",
    feature = "glam-0-31",
    feature = "glam-0-32",
    feature = "glam-0-33",
))]
mod glam;
#[cfg(feature = "indexmap")]
mod indexmap;
#[cfg(any(feature = "jiff", feature = "jiff-0-2"))]
mod jiff;
#[cfg(feature = "slotmap")]
mod slotmap;
#[cfg(feature = "smallvec")]
mod smallvec;
#[cfg(feature = "smol_str")]
mod smol_str;
#[cfg(feature = "uuid")]
mod uuid;

#[cfg(feature = "slotmap")]
#[doc(hidden)]
pub use slotmap::keys;
