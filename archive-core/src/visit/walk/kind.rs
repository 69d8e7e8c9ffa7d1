//! [`ArchiveKind`]: how an archive treats the bodies that it receives. One table, with a row for
//! each kind of archive.
// Why: docs/decisions/archives-and-bodies.md#an-archive-has-three-traits

use crate::visit::facts::BodyFacts;

/// How an archive treats the bodies that it receives. The methods of [`Walk`](crate::Walk) read
/// these fields at compile time.
///
/// | | chooses | locates | blocks | by hand | guided | ends parts | only reads | by position | attempts | elsewhere |
/// |---|---|---|---|---|---|---|---|---|---|---|
/// | [`TOOL`](Self::TOOL) | | | sometimes | | | yes | | | | runs there |
/// | [`SAVING`](Self::SAVING) | | | sometimes | | | | yes | | | uncounted |
/// | [`LOADING`](Self::LOADING) | | yes | sometimes | | | | | | yes | any body |
/// | [`FILE_ORDER`](Self::FILE_ORDER) | yes | yes | sometimes | | | | | | yes | any body |
/// | [`FAST_SAVING`](Self::FAST_SAVING) | | | always | yes | | | yes | yes | | three kinds |
/// | [`FAST_LOADING`](Self::FAST_LOADING) | | | mostly, lists as bytes | yes | | | | yes | | by hand |
/// | [`ERASED`](Self::ERASED) | | | sometimes, as bytes | | yes | yes | | | yes | any body |
/// | [`EDIT`](Self::EDIT) | | | sometimes | | yes | | | | | any body |
///
/// A tool that visits values which are also saved elsewhere sets
/// [`refuses_duplicates`](Self::refuses_duplicates).
#[derive(Debug)]
pub struct ArchiveKind {
    /// Whether the archive chooses the order in which members are loaded: that of the file.
    pub chooses_order: bool,
    /// Whether the value of a member that was found may be loaded elsewhere, and whether errors in
    /// it get its position.
    pub locates: bool,
    /// How often a value of a known size is taken as a block.
    pub blocks: Blocks,
    /// Whether a value whose bytes in memory are those of a block is given as bytes.
    pub gives_bytes: bool,
    /// Whether [`peek_list`](crate::Visitor::peek_list) may return bytes.
    pub takes_bytes: bool,
    /// Whether the archive has a separate method for the members of a hand-written function:
    /// [`object_by_hand`](crate::Walk::object_by_hand).
    pub takes_by_hand: bool,
    /// The bodies for which a step may refuse to let the body run on this archive.
    pub elsewhere: Elsewhere,
    /// Whether [`guide`](crate::Walk::guide) may return one.
    pub guided: bool,
    /// Whether nothing happens before or after the value of a member whose type is
    /// [known](BodyFacts::typed), or after that of an option, and nothing is written before or after
    /// the members of an object.
    pub by_position: bool,
    /// Whether the archive only reads the scalars that it saves, so that a copy can be saved in place
    /// of a number.
    pub only_reads: bool,
    /// Whether [`end_member`](crate::Visitor::end_member) and
    /// [`end_item`](crate::Visitor::end_item) do more than complete errors. If not, calls after a
    /// success may be left out.
    pub ends_parts: bool,
    /// Whether [`refuses_duplicates`](crate::Visitor::refuses_duplicates) always returns `true`.
    pub refuses_duplicates: bool,
    /// Whether [`begin_attempt`](crate::Visitor::begin_attempt) may begin an attempt.
    pub attempts: bool,
    /// Whether the archive saves values in [columns](crate::Walk::columns), or loads them from columns.
    pub gathers: bool,
    /// Whether the members of a type are saved by one function, which is not inlined.
    pub saves_by_call: bool,
}

impl ArchiveKind {
    /// An archive without steps, or a tool: each body runs on it.
    pub const TOOL: Self = ArchiveKind {
        chooses_order: false,
        locates: false,
        blocks: Blocks::Sometimes,
        gives_bytes: false,
        takes_bytes: false,
        takes_by_hand: false,
        elsewhere: Elsewhere::DIRECT,
        guided: false,
        by_position: false,
        only_reads: false,
        ends_parts: true,
        refuses_duplicates: false,
        attempts: false,
        gathers: false,
        saves_by_call: false,
    };
    /// A format that saves.
    pub const SAVING: Self = ArchiveKind {
        elsewhere: Elsewhere { uncounted: true, ..Elsewhere::NEVER },
        only_reads: true,
        ends_parts: false,
        ..Self::TOOL
    };
    /// A format that loads members in the order of the type.
    pub const LOADING: Self = ArchiveKind {
        locates: true,
        elsewhere: Elsewhere::ALWAYS,
        ends_parts: false,
        attempts: true,
        ..Self::TOOL
    };
    /// A format that loads members in the order of the file.
    pub const FILE_ORDER: Self = ArchiveKind { chooses_order: true, ..Self::LOADING };
    /// A format that saves each value in place, without names.
    pub const FAST_SAVING: Self = ArchiveKind {
        blocks: Blocks::Always,
        takes_by_hand: true,
        elsewhere: Elsewhere { any: true, uncounted: true, by_hand: true, ..Elsewhere::NEVER },
        by_position: true,
        only_reads: true,
        ends_parts: false,
        ..Self::TOOL
    };
    /// A format that loads each value in place, without names.
    pub const FAST_LOADING: Self = ArchiveKind {
        blocks: Blocks::Mostly,
        takes_bytes: true,
        takes_by_hand: true,
        elsewhere: Elsewhere { by_hand: true, ..Elsewhere::NEVER },
        by_position: true,
        ends_parts: false,
        ..Self::TOOL
    };
    /// Any archive as one type.
    pub const ERASED: Self = ArchiveKind {
        gives_bytes: true,
        takes_bytes: true,
        elsewhere: Elsewhere::ALWAYS,
        guided: true,
        attempts: true,
        saves_by_call: true,
        ..Self::TOOL
    };
    /// A tool that follows a path, and reads or changes the value at its end.
    pub const EDIT: Self =
        ArchiveKind { elsewhere: Elsewhere::ALWAYS, guided: true, ends_parts: false, ..Self::TOOL };
}

/// How often an archive takes a value of a known size as a block.
#[derive(Debug)]
pub enum Blocks {
    /// Both ways are common.
    Sometimes,
    /// Part by part is rare, and compiled as a separate function.
    Mostly,
    /// All values with a size.
    Always,
}

/// The bodies that the steps of an archive may refuse to run on it.
#[derive(Debug)]
pub struct Elsewhere {
    /// Whether the body runs in [`run_elsewhere`](crate::Walk::run_elsewhere), with its type.
    pub direct: bool,
    /// Whether this may happen to every body.
    pub always: bool,
    /// Whether this happens to bodies that may have a self-describing value.
    pub any: bool,
    /// Whether this happens to bodies of sequences whose length may be unknown.
    pub uncounted: bool,
    /// Whether this happens to the members of hand-written functions.
    pub by_hand: bool,
}

impl Elsewhere {
    const NEVER: Self =
        Elsewhere { direct: false, always: false, any: false, uncounted: false, by_hand: false };
    /// An archive without steps.
    pub const DIRECT: Self = Elsewhere { direct: true, ..Self::ALWAYS };
    /// An archive whose steps may refuse every body.
    pub const ALWAYS: Self =
        Elsewhere { direct: false, always: true, any: true, uncounted: true, by_hand: true };

    /// Whether this never happens to such a body.
    #[must_use]
    pub const fn never(&self, facts: &BodyFacts) -> bool {
        self.never_for(facts.typed)
            && (!self.uncounted || facts.counted)
            && (!self.by_hand || matches!(facts.by_hand, Some(false)))
    }

    /// Whether this never happens to a member or a variant. `typed` is [`BodyFacts::typed`].
    #[must_use]
    pub const fn never_for(&self, typed: bool) -> bool {
        !self.always && (typed || !self.any)
    }
}
