//! Unknown type ids that remain errors, and their messages.

use archive::report::NoteKind;
use archive::{ErrorKind, Format, Options, Registry, Result, Serialize, Unknown, json, register};

use super::game_and_mod::*;

const TEXT: &str = r#"[{"$type":"ModSpell","$value":{"power":9}}]"#;

fn load(text: &str, options: &Options<'_>) -> Result<Vec<Box<dyn Command>>> {
    json::from_str_with(text, options)
}

fn message(text: &str, options: &Options<'_>) -> String {
    let error = load(text, options).err().unwrap();
    assert_eq!(error.kind(), ErrorKind::UnknownType);
    error.to_string()
}

#[test]
fn the_error_names_the_option() {
    let off = Options::new().registry(&registry(false));
    assert_eq!(
        message(TEXT, &off),
        "[0]: the type id \"ModSpell\" is not registered; registered: `MoveTo`; \
         `Options::keep_unknown(true)` keeps such objects at line 1 column 2"
    );
    let strict = plain().strict(true);
    assert_eq!(
        message(TEXT, &strict),
        "[0]: the type id \"ModSpell\" is not registered; registered: `MoveTo`; \
         `Options::strict` does not keep such objects at line 1 column 2"
    );
    let mut without = Registry::new();
    register!(without, dyn Command { MoveTo }).unwrap();
    assert_eq!(
        message(TEXT, &Options::new().registry(&without).keep_unknown(true)),
        "[0]: the type id \"ModSpell\" is not registered; registered: `MoveTo`; \
         `Options::keep_unknown(true)` keeps such objects, if `archive::Unknown` is registered for \
         the trait at line 1 column 2"
    );
}

/// A type that is registered for another trait is not unknown.
#[test]
fn a_known_type_of_another_trait_is_an_error() {
    let mut registry = registry(false);
    register!(registry, dyn Job { Brew }).unwrap();
    let options = Options::new().registry(&registry).keep_unknown(true);
    let text = r#"[{"$type":"Brew","$value":{"power":9}}]"#;
    assert!(message(text, &options).ends_with("registered: `MoveTo` at line 1 column 2"));
}

/// `Unknown` has no id of its own, for any id in the file.
#[test]
fn the_placeholder_has_no_id() {
    let registry = registry(false);
    assert_eq!(registry.ids().collect::<Vec<_>>(), ["MoveTo"]);
    assert_eq!(registry.ids_of::<dyn Command>().collect::<Vec<_>>(), ["MoveTo"]);
    for id in ["Unknown", "archive::Unknown", "archive_core::Unknown"] {
        let text = TEXT.replace("ModSpell", id);
        let off = Options::new().registry(&registry);
        assert!(message(&text, &off).contains("is not registered"));
        // A kept object has a type like any other that the program does not know.
        let kept = load(&text, &plain()).unwrap();
        let unknown = (&*kept[0] as &dyn std::any::Any).downcast_ref::<Unknown>().unwrap();
        assert_eq!(unknown.id(), id);
        assert_eq!(json::to_string_with(&kept, &plain()).unwrap(), text);
        assert!(registry.make::<dyn Command>(id, &plain()).is_err());
    }
    // So a type of the program may have that name.
    #[derive(Default, Serialize)]
    struct Mine;
    impl Command for Mine {
        fn power(&self) -> u32 {
            1
        }
    }
    let mut registry = registry.clone();
    register!(registry, dyn Command { Mine as "Unknown" }).unwrap();
    let error = register!(registry, dyn Job { Unknown as "other" }).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DuplicateType);
    assert!(error.to_string().contains("it is for objects of all other ids"), "{error}");
    let error = register!(registry, dyn Job { Unknown }).unwrap_err();
    assert!(error.to_string().contains("registered for `dyn"), "{error}");
}

/// All types of a trait may be in mods.
#[test]
fn a_trait_without_other_types() {
    let mut registry = Registry::new();
    register!(registry, dyn Command { Unknown }).unwrap();
    let options = Options::new().registry(&registry).keep_unknown(true);
    for format in Format::all() {
        let world = super::sharing::world();
        let bytes = format.to_vec_with(&world, &modded()).unwrap();
        let kept: World = format.from_slice_with(&bytes, &options).unwrap();
        let bytes = format.to_vec_with(&kept, &options).unwrap();
        let back: World = format.from_slice_with(&bytes, &modded()).unwrap();
        super::sharing::check(&back, &format.to_string());
    }
}

/// A placeholder that was never loaded has no data to save.
#[test]
fn nothing_is_saved_without_an_id() {
    let nothing: Box<dyn Command> = Box::new(Unknown::new("", 3.into()));
    let error = json::to_string_with(&nothing, &plain()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unregistered);
    assert_eq!(error.to_string(), "an `Unknown` without a type id cannot be saved");
}

/// It is for trait objects: as a member it has no place for its type id.
#[test]
fn not_as_a_member() {
    let mut unknown = Unknown::new("ModSpell", 3.into());
    for format in Format::all() {
        let bytes = format.to_vec(&vec![3_u8]).unwrap();
        let error = format.load_into_with(&mut unknown, &bytes, &plain()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::UnknownType, "{format}");
    }
}

#[test]
fn the_report_names_them() {
    let (kept, report) = json::from_slice_report::<Vec<Box<dyn Command>>>(
        br#"[{"$type":"MoveTo","$value":{"x":1}},{"$type":"ModSpell","$value":{"power":9}}]"#,
        &plain(),
    )
    .unwrap();
    assert_eq!((kept[0].power(), kept[1].power()), (1, 0));
    assert_eq!(report.unknown_types().collect::<Vec<_>>(), [("[1]", "ModSpell")]);
    assert_eq!(report.to_string(), "[1]: kept, of the unknown type \"ModSpell\"\n");
    assert_eq!(report.notes()[0].kind, NoteKind::UnknownType { id: "ModSpell".into() });
    assert_eq!(report.unknown().count(), 0);
}
