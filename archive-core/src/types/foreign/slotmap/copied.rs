//! [`Copied`]: values of slot maps that are saved through `&`.

/// A value of a slot map that can be saved through `&`: from a copy, because the vacant slots of a
/// map can only be found by filling them.
#[diagnostic::on_unimplemented(
    message = "a slot map of `{Self}` cannot be saved through `&`, because it is copied for that",
    label = "`{Self}` has no `Clone`",
    note = "`#[archive(mut_only)]` on the type that contains the map, and on each type that contains that one, does without `Clone`; it is saved through `&mut`: `to_vec(&mut world)`",
    note = "or give the values `Clone`; no `Box<dyn Trait>` has it"
)]
pub trait Copied: Clone {}

#[diagnostic::do_not_recommend]
impl<T: Clone> Copied for T {}
