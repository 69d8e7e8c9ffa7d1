//! The meaning of each kind, and the advice.

use archive::ErrorKind::{self, *};

/// The meaning of a kind, and the advice. A new kind panics here until its text is written.
pub fn words(kind: ErrorKind) -> (&'static str, &'static str) {
    match kind {
        Syntax => (
            "The input does not follow the grammar of the format.",
            "Is it of this format (`Format::detect`)? Then it is damaged: load a backup.",
        ),
        UnexpectedEnd => (
            "The input ends in the middle of a value.",
            "The file was cut short: write to another file and rename it when it is complete.",
        ),
        TrailingData => (
            "There is data after the value.",
            "Give the loader the bytes of one value; several are named roots of a `Writer`.",
        ),
        WrongType => (
            "The value is of another type than the one asked for.",
            "Correct the file, or load the old type with `with = module` or by `version()`. \
             `binary::fingerprint` needs the same types on both sides.",
        ),
        OutOfRange => {
            ("A number does not fit the type asked for.", "Correct the file, or widen the member.")
        }
        WrongLength => (
            "A sequence has another number of items than the type.",
            "Load a `Vec` where the number changes.",
        ),
        UnknownMember => (
            "The type lacks the member, under `Options::strict`; or a variant has a second one.",
            "Correct the name, give the field an `alias`, or load without `strict`.",
        ),
        MissingMember => (
            "The file lacks a member that is `required`, any member under `Options::complete`, a trait object \
             that has no default, or a root that was asked for.",
            "Correct the file, or give the field a `default`; make a trait object an `Option`.",
        ),
        DuplicateMember => ("A member or a map key occurs twice.", "Remove one of them."),
        ReservedName => (
            "A member name begins with `$`.",
            "Give the member another name; keys of maps may begin with `$`.",
        ),
        UnknownVariant => {
            ("The enum lacks the variant.", "Give a variant an `alias`, or mark one as `other`.")
        }
        UnknownType => (
            "The type id is not registered, or there is no registry.",
            "`register!` the type, give it a `Registry::alias`, pass `Options::registry`; or keep the \
             object as it is: `Options::keep_unknown`.",
        ),
        DuplicateType => (
            "A type id or a type is registered already.",
            "Choose another id: `register!(registry, dyn Trait { Type as \"other\" })`.",
        ),
        Unregistered => (
            "A trait object is saved whose type is not registered.",
            "`register!` the type, and save with `Options::registry`.",
        ),
        NewerVersion => {
            ("The file was written by a newer version of the type.", "Update the program.")
        }
        BadPointer => (
            "A pointer refers to an object that is not stored, is stored twice, or has another type.",
            "The file was edited or merged by hand: each `$id` needs one `$value`.",
        ),
        StrongCycle => (
            "Bare `Rc` or `Arc` point to each other in a circle.",
            "Make one of them `Weak`, or put the object into a `RefCell`.",
        ),
        Endless => (
            "Every value of the type would contain another value of the type.",
            "Break the cycle with an `Option`, a `Vec`, or an enum variant that does not contain the type.",
        ),
        NotFound => (
            "The path does not exist: there is no such member, item, key or variant, or a value on the path is null.",
            "Compare the path with the names that the message lists; `reflect::complete` knows them.",
        ),
        ReadOnly => (
            "A value cannot be changed where it is: it is read-only, part of a value that is only loaded as a whole, \
             or shared without a cell.",
            "Change the value around it, or put it in a `RefCell`.",
        ),
        Borrowed => (
            "A cell is borrowed, locked or poisoned.",
            "Save while nobody else holds it, on any thread; or again.",
        ),
        DepthLimit => (
            "The value nests deeper than the limit.",
            "`Options::max_depth`, and a thread with a larger stack.",
        ),
        SizeLimit => (
            "There are more elements, objects or bytes than a limit allows.",
            "The method of `Options` that the message names.",
        ),
        Conflict => (
            "Another program has changed what this one would change, since this one read it.",
            "Load it again, or save elsewhere.",
        ),
        MissingContext => (
            "The type's function needs a value that the options do not provide.",
            "`Options::provide` it, as the message says.",
        ),
        Unsupported => (
            "The format is not known, or cannot hold the value.",
            "Choose another format, or another form of the value.",
        ),
        Io => ("Reading or writing failed.", "Ask `source()` for the cause."),
        Custom => {
            ("A function of a type refused the value (`Error::custom`).", "What the message says.")
        }
        kind => panic!("{kind:?} has no words"),
    }
}
