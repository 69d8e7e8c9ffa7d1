//! The depth, and the class in an error, depended on the way of loading.

use archive::{Format, Options, Serialize, json};

use crate::common::formats;

#[derive(Serialize, Clone, Debug, Default, PartialEq)]
enum Kind {
    #[default]
    Calm,
    Angry,
}

#[derive(Serialize, Clone, Debug, Default, PartialEq)]
struct Unit {
    name: String,
    kind: Kind,
}

#[derive(Serialize, Clone, Debug, Default, PartialEq)]
struct Crew {
    ship: String,
    leader: Unit,
}

/// A variant without payload does not count as a level, in any way of loading.
#[test]
fn as_deep_as_it_was_saved() {
    let unit = Unit { name: "Ann".into(), kind: Kind::Angry };
    let shallow = Options::new().max_depth(1);
    for format in formats() {
        let bytes = format.to_vec_with(&unit, &shallow).unwrap();
        assert_eq!(format.from_slice_with::<Unit>(&bytes, &shallow).unwrap(), unit, "{format}");
        let (reported, _) = format.from_slice_report::<Unit>(&bytes, &shallow).unwrap();
        assert_eq!(reported, unit, "{format}");
    }
}

/// The class of an error is that of the innermost object that was opened.
#[test]
fn the_class_is_the_same_whichever_way_it_is_loaded() {
    let crew = Crew::default();
    let shallow = Options::new().max_depth(1);
    // A Bins file becomes a tree first, and there it is too deep without a class.
    for format in formats().into_iter().filter(|format| format.name() != "bins") {
        let bytes = format.to_vec(&crew).unwrap();
        let error = format.from_slice_with::<Crew>(&bytes, &shallow).unwrap_err();
        assert_eq!((error.path(), error.class()), ("leader", Some("Crew")), "{format}");
        let error = format.from_slice_report::<Crew>(&bytes, &shallow).unwrap_err();
        assert_eq!((error.path(), error.class()), ("leader", Some("Crew")), "{format}");
    }
    for options in [Options::new(), Options::new().strict(true)] {
        let error = json::from_str_with::<Crew>(r#"{"leader":5}"#, &options).unwrap_err();
        assert_eq!((error.path(), error.class()), ("leader", Some("Crew")));
        let error = json::from_str_with::<Crew>("5", &options).unwrap_err();
        assert_eq!((error.path(), error.class()), ("", None));
    }
}

/// An invalid version is an error in the class, in any way of loading.
#[test]
fn the_class_of_an_invalid_version() {
    fn check<F: archive::format::Backend>(file: &[u8], name: &str) {
        for error in [
            F::from_slice::<Vec<Crew>>(file).unwrap_err(),
            F::from_slice_with::<Vec<Crew>>(file, &Options::new().strict(true)).unwrap_err(),
            F::from_slice_report::<Vec<Crew>>(file, &Options::new()).unwrap_err(),
            Format::of::<F>().from_slice::<Vec<Crew>>(file).unwrap_err(),
        ] {
            assert_eq!((error.path(), error.class()), ("[0]", Some("Crew")), "{name}: {error}");
        }
    }
    let json = br#"[{"$version":"id","ship":"x"}]"#;
    check::<json::Json>(json, "json");
    // With one member, and in a map that is too long for the short form.
    for members in [1, 17] {
        let mut file = vec![0x91, 0x80 | members];
        if members > 15 {
            file = vec![0x91, 0xde, 0, members];
        }
        file.extend(b"\xa8$version\xa2id");
        for n in 1..members {
            file.extend([0xa1, b'a' + n, 7]);
        }
        check::<archive::msgpack::MessagePack>(&file, "msgpack");
    }
}
