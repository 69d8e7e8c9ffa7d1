//! The pages of the repository, as modules without items. [`guide`] goes through the library, [`evolution`] says what
//! happens to files when types change, and [`errors`] lists the kinds of errors.

macro_rules! pages {
    ($($(#[cfg($cfg:meta)])? $name:ident = $path:literal;)*) => { $(
        $(#[cfg($cfg)])?
        // The first definition of a link is used. Without them a test has the file and the line of the page.
        #[cfg_attr(not(doctest), doc = include_str!("links.md"))]
        #[doc = include_str!(concat!("../", $path))]
        pub mod $name {}
    )* };
}
pages! {
    architecture = "docs/ARCHITECTURE.md";
    benchmarks = "docs/BENCHMARKS.md";
    benchmarks_tuned = "docs/BENCHMARKS_TUNED.md";
    benchmarks_json = "docs/BENCHMARKS_JSON.md";
    benchmarks_serde = "docs/BENCHMARKS_SERDE.md";
    binary = "docs/formats/binary.md";
    bins = "docs/formats/bins.md";
    blob = "docs/formats/blob.md";
    changelog = "CHANGELOG.md";
    #[cfg(any(feature = "serde", not(doctest)))]
    coming_from_serde = "docs/COMING_FROM_SERDE.md";
    command_line = "docs/COMMAND_LINE.md";
    contributing = "CONTRIBUTING.md";
    #[cfg(any(feature = "slotmap", not(doctest)))]
    entities = "docs/ENTITIES.md";
    errors = "docs/ERRORS.md";
    evolution = "docs/EVOLUTION.md";
    glossary = "docs/GLOSSARY.md";
    guide = "docs/GUIDE.md";
    json = "docs/formats/json.md";
    messagepack = "docs/formats/messagepack.md";
    #[cfg(any(feature = "store", not(doctest)))]
    object_store = "docs/STORE.md";
    object_store_layout = "docs/formats/object_store.md";
    platforms = "docs/PLATFORMS.md";
    #[cfg(any(feature = "reflect", not(doctest)))]
    reflection = "docs/REFLECTION.md";
    reliability = "docs/RELIABILITY.md";
    rows = "docs/formats/rows.md";
    save = "docs/formats/save.md";
    #[cfg(any(feature = "save", not(doctest)))]
    saves = "docs/SAVES.md";
    security = "SECURITY.md";
    #[cfg(any(feature = "types", not(doctest)))]
    types_from_data = "docs/TYPES_FROM_DATA.md";
}

/// The examples on the front pages of the crates, which are tests.
macro_rules! front_pages {
    ($($name:ident = $path:literal;)*) => { $(
        #[cfg(doctest)]
        #[doc = include_str!(concat!("../", $path))]
        mod $name {}
    )* };
}
front_pages! {
    archive_binary = "archive-binary/README.md";
    archive_bins = "archive-bins/README.md";
    archive_blob = "archive-blob/README.md";
    archive_core = "archive-core/README.md";
    archive_describe = "archive-describe/README.md";
    archive_document = "archive-document/README.md";
    archive_derive = "archive-derive/README.md";
    archive_format = "archive-format/README.md";
    archive_json = "archive-json/README.md";
    archive_msgpack = "archive-msgpack/README.md";
    archive_reflect = "archive-reflect/README.md";
    archive_types = "archive-types/README.md";
    archive_save = "archive-save/README.md";
    archive_serde = "archive-serde/README.md";
    archive_store = "archive-store/README.md";
}
