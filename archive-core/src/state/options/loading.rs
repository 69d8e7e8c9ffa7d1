//! Options for the data that a load refuses, reports or keeps.

use super::Options;

impl Options<'_> {
    /// Makes data that the program's types do not know an error. Off by default: the report then
    /// has a note.
    ///
    /// - A member that the type does not have, or data that only the file's variant has, is
    ///   [`ErrorKind::UnknownMember`](crate::ErrorKind::UnknownMember).
    /// - A variant that an enum accepts only as its `other` variant is
    ///   [`ErrorKind::UnknownVariant`](crate::ErrorKind::UnknownVariant).
    /// - An object of an unknown type is an error even with
    ///   [`keep_unknown`](Options::keep_unknown).
    ///
    /// With [`keep_going`](Options::keep_going), an unknown member refuses the object that contains
    /// it; an unknown member of the root refuses the whole load.
    #[must_use]
    pub fn strict(mut self, strict: bool) -> Self {
        self.strict = strict;
        self
    }

    /// Makes every member that the file does not have an error
    /// ([`ErrorKind::MissingMember`](crate::ErrorKind::MissingMember)) instead of a note in the
    /// report, as `#[archive(required)]` does for single members and types. Members with an
    /// explicit default are excepted: those with `default` or `skip_if_default`, and those of types
    /// with `default`. A member that is an `Option` is required too: `null` is a value, an absent
    /// member is not.
    ///
    /// With [`keep_going`](Options::keep_going), the report has an error for each absent member,
    /// and the members keep their values. Off by default.
    ///
    /// ```
    /// use archive::{ErrorKind, Options};
    ///
    /// #[derive(Debug, Default)]
    /// struct Login { user: String, token: String }
    /// archive::members!(Login { user, token });
    /// archive::blank!(Login);
    ///
    /// let text = r#"{"user":"ann"}"#;
    /// assert_eq!(archive::json::from_str::<Login>(text)?.token, "");
    ///
    /// let complete = Options::new().complete(true);
    /// let error = archive::json::from_str_with::<Login>(text, &complete).unwrap_err();
    /// assert_eq!((error.kind(), error.path()), (ErrorKind::MissingMember, "token"));
    /// # Ok::<(), archive::Error>(())
    /// ```
    #[must_use]
    pub fn complete(mut self, complete: bool) -> Self {
        self.complete = complete;
        self
    }

    /// Lets a load that returns a [`Report`](crate::Report) continue after an error. The error goes
    /// into the report. The content of the value then depends on its place:
    ///
    /// - A member keeps its old value. If the member was loaded and then refused by `after_load` or
    ///   by a hand-written function, the old value is restored from a copy made before; if its type
    ///   has no `Clone`, the member becomes blank.
    /// - An item of a list and an entry of a map are left out. Paths in the report still have the
    ///   indices of the file.
    /// - An item of a tuple or an array becomes blank, and so does the content of a shared cell.
    /// - A tuple or an array that is a member and has a different length in the file gets the items
    ///   that both have.
    /// - Members that a field with `unknown` keeps are one value: an error in data to which they
    ///   refer is an error of the whole object.
    ///
    /// Errors of one kind about the same member of a class are
    /// [one with a count](crate::Report::counted_errors). The load ends when there are more different ones
    /// than [`Limits::errors`](crate::Limits::errors).
    ///
    /// Errors of syntax, depth, size and [missing context](crate::ErrorKind::MissingContext) still
    /// end the load, and so does any error of a load without a report. The option is for values
    /// that do not fit the types, not for files that were cut short or overwritten. Shared objects
    /// that only left-out values hold are emptied at the end, so that cycles of them are freed. Do
    /// not save over a file whose report has errors. Off by default.
    #[must_use]
    pub fn keep_going(mut self, keep_going: bool) -> Self {
        self.keep_going = keep_going;
        self
    }

    /// Keeps errors about the same member of a class separate when
    /// [`keep_going`](Options::keep_going) collects them. For programs that examine each error.
    #[doc(hidden)]
    #[must_use]
    pub fn each_error(mut self, each_error: bool) -> Self {
        self.each_error = each_error;
        self
    }

    /// Lets trait objects load even if their type id is not registered. Each becomes an
    /// [`Unknown`](crate::Unknown), which keeps the object's data from the file and is saved with
    /// the same type id. For example, the data of a mod survives being loaded and saved by a game
    /// without the mod.
    ///
    /// This works for the traits for which [`Unknown`](crate::Unknown) is registered. For any other
    /// trait, an unknown type id is still an error
    /// ([`ErrorKind::UnknownType`](crate::ErrorKind::UnknownType)), as it does with
    /// [`strict`](Options::strict). The report notes every such object
    /// ([`Report::unknown_types`](crate::Report::unknown_types)). Saving needs no option. Off by
    /// default.
    ///
    /// The data is kept unchanged. A time of [`archive::time`](crate::time) is stored as a distance
    /// to the clock, so it does not advance while the mod is absent: with three seconds to go in
    /// the file, there are three seconds to go when the mod is back.
    #[must_use]
    pub fn keep_unknown(mut self, keep_unknown: bool) -> Self {
        self.keep_unknown = keep_unknown;
        self
    }
}
