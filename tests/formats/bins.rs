//! Bins files of derived types, and the format by itself. (The functions of `types`, `pointers`,
//! `polymorphic`, `values` and the others run over it, too, through `common`.)

use crate::common::{report_of, round_trip};
use archive::bins::{self, Bins, Collection, Form, Header, Object};
use archive::format::Backend;
use archive::{ErrorKind, Format, Options, Serialize, Value, json};

#[derive(Default, Clone, Debug, PartialEq, Serialize)]
struct Base {
    x: u8,
}

#[derive(Default, Clone, Debug, PartialEq, Serialize)]
struct Middle {
    base: Base,
    x: u16,
}

#[derive(Default, Clone, Debug, PartialEq, Serialize)]
struct Top {
    #[archive(rename = "Middle")]
    middle: Middle,
    #[archive(flatten)]
    flat: Flat,
    x: u32,
    state: State,
    other: State,
    open: Value,
    path: Vec<(f32, f32)>,
}

#[derive(Default, Clone, Debug, PartialEq, Serialize)]
struct Flat {
    inside: i8,
}

#[derive(Default, Clone, Debug, PartialEq, Serialize)]
enum State {
    #[default]
    Idle,
    Moving {
        to: [i16; 2],
    },
    Holding(u8, String),
}

fn top() -> Top {
    Top {
        middle: Middle { base: Base { x: 1 }, x: 2 },
        flat: Flat { inside: -1 },
        x: 3,
        state: State::Idle,
        other: State::Moving { to: [1, -1] },
        open: json::from_str(r#"{"any":[1,2.5,null]}"#).unwrap(),
        path: vec![(0.0, 1.0)],
    }
}

#[test]
fn derived_types() {
    round_trip(&top());
    round_trip(&vec![State::Idle, State::Holding(1, "x".into())]);
    let object = Object::of(&top()).unwrap();
    let expected = "\
Top {
  Middle: Middle {
    base: Base {
      Base::x: u8 = 01
    }
    Middle::x: u16 = 02 00
  }
  Top::inside: i8 = ff
  Top::x: u32 = 03 00 00 00
  Top::state: String = 49 64 6c 65
  other: State {
    Moving: Moving {
      Moving::to: [i16; 2] = 01 00 ff ff
    }
  }
  open: object {
    any: list { // list
      i64 = 01 00 00 00 00 00 00 00
      f64 = 00 00 00 00 00 00 04 40
      () = nothing
    }
  }
  Top::path: Vec<(f32, f32)> = 00 00 00 00 00 00 80 3f
}";
    assert_eq!(format!("{object:?}"), expected);
    assert_eq!(object.to::<Top>().unwrap(), top());
}

/// The signature is that of the class, for any value; a loader finds it in the header.
#[test]
fn signatures_of_types() {
    let signature = |top: &Top| Header::read(&bins::to_vec(top).unwrap()).unwrap().signature;
    assert_eq!(signature(&top()), archive::signature::<Top>());
    assert_eq!(Some(signature(&top())), bins::signature::<Top>());
    let mut other = top();
    (other.x, other.middle.base.x) = (77, 78);
    other.path.push((5.0, 6.0));
    assert_eq!(signature(&top()), signature(&other));
    other.other = State::Idle;
    other.path.clear();
    assert_eq!(signature(&top()), signature(&other));
    assert_eq!(bins::signature::<Value>(), None);
    assert_eq!(Object::of(&top()).unwrap().named("top").signature().unwrap(), signature(&top()));
}

mod meshes {
    use archive::{Archive, Result, Serialize};

    #[derive(Default, Serialize)]
    pub struct Mesh {
        pub triangles: Vec<[u16; 3]>,
        pub parts: Vec<Part>,
    }

    #[derive(Default, Serialize)]
    #[archive(name = "Mesh")]
    pub struct Reordered {
        pub parts: Vec<Part>,
        pub triangles: Vec<[u16; 3]>,
    }

    #[derive(Default, Serialize)]
    #[archive(name = "Mesh")]
    pub struct Wider {
        pub triangles: Vec<[u32; 3]>,
        pub parts: Vec<Part>,
    }

    #[derive(Default, Serialize)]
    pub struct Part {
        pub name: String,
        pub bone: Option<u8>,
    }

    #[derive(Clone, Default)]
    pub struct Bone(pub u8);

    impl Serialize for Bone {
        fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
            ar.serialize("index", &mut self.0)
        }
    }
    archive::save_by_clone!(Bone);
    archive::blank!(Bone);
}

/// A file of a type with another layout is noted, and refused under `strict`; in every way of
/// loading, and for any values.
#[test]
fn another_class_is_noted() {
    use meshes::{Bone, Mesh, Part, Reordered, Wider};

    fn load<T: Serialize + archive::Blank>(bytes: &[u8]) -> (bool, bool) {
        let strict = Options::new().strict(true);
        let (_, report) = bins::from_slice_report::<T>(bytes, &Options::new()).unwrap();
        let noted =
            report.notes().iter().any(|note| note.kind == archive::report::NoteKind::OtherLayout);
        assert_eq!(noted, !report.is_empty());
        assert_eq!(noted, report.to_string().contains("layout of another type"));
        let format = Format::of::<Bins>();
        assert_eq!(
            format.from_slice_report::<T>(bytes, &Options::new()).unwrap().1.is_empty(),
            !noted
        );
        let mut value = T::blank(&strict);
        assert_eq!(
            report_of(&Options::new(), |options| bins::load_into_with(&mut value, bytes, options))
                .unwrap()
                .is_empty(),
            !noted
        );
        let object = Object::from_bytes(bytes).unwrap();
        assert!(object.to::<T>().is_ok());
        let errors = [
            bins::from_slice_with::<T>(bytes, &strict).err(),
            bins::load_into_with(&mut value, bytes, &strict).err(),
            object.to_with::<T>(&strict).err(),
        ];
        for error in errors.iter().flatten() {
            assert_eq!(error.kind(), ErrorKind::WrongType);
            assert!(error.message().contains("another layout"), "{error}");
        }
        assert!(errors.iter().all(|error| error.is_some() == errors[0].is_some()));
        (noted, errors[0].is_some())
    }

    let part = Part { name: "mast".into(), bone: Some(7) };
    let values =
        [Mesh::default(), Mesh { triangles: vec![[1, 2, 3]], parts: vec![Part::default(), part] }];
    let mut signatures = Vec::new();
    for value in &values {
        let bytes = bins::to_vec(value).unwrap();
        signatures.push(Header::read(&bytes).unwrap().signature);
        assert_eq!(load::<Mesh>(&bytes), (false, false));
        assert_eq!(load::<Reordered>(&bytes), (false, false));
        assert_eq!(load::<Wider>(&bytes), (true, true));
        assert_eq!(load::<Value>(&bytes), (false, false));
        // An object that was changed by hand is no longer a value of the class.
        let mut object = Object::from_bytes(&bytes).unwrap();
        assert_eq!(object.to_bytes().unwrap(), bytes);
        object.export("Mesh", "more", &1_u8).unwrap();
        let by_hand = object.to_bytes().unwrap();
        assert!(!Header::read(&by_hand).unwrap().of_class);
        let (_, report) = bins::from_slice_report::<Mesh>(&by_hand, &Options::new()).unwrap();
        assert_eq!(report.to_string(), "more: unknown to the program\n");
        // Neither is a tree from elsewhere, or a file for an older program.
        let tree = Value::of(value).unwrap();
        assert!(!Header::read(&bins::to_vec(&tree).unwrap()).unwrap().of_class);
        let mut writer = bins::Writer::new();
        writer.save("mesh", value).unwrap();
        assert!(!Header::read(&writer.finish().unwrap()).unwrap().of_class);
    }
    assert_eq!(signatures[0], signatures[1]);
    // A class whose members only its function knows is identified by its name, and is not compared.
    assert_ne!(bins::signature::<Bone>(), bins::signature::<Bone2>());
    let bytes = bins::to_vec(&vec![Bone(7)]).unwrap();
    let header = Header::read(&bytes).unwrap();
    assert!(header.of_class && !header.is_compared);
    assert_eq!(Some(header.signature), bins::signature::<Vec<Bone>>());
    assert_eq!(
        header.signature,
        Header::read(&bins::to_vec(&vec![Bone(1); 3]).unwrap()).unwrap().signature
    );
    #[derive(Default, Serialize)]
    struct Derived {
        index: u16,
    }
    assert_eq!(load::<Vec<Derived>>(&bytes), (false, false));
    assert_eq!(
        load::<Vec<Bone>>(&bins::to_vec(&vec![Derived { index: 1 }]).unwrap()),
        (false, false)
    );
}

#[derive(Clone, Default)]
struct Bone2;

impl Serialize for Bone2 {
    fn serialize<A: archive::Archive>(&mut self, _: &mut A) -> archive::Result {
        Ok(())
    }
}

/// Objects of version 1 load, with any signature, and are saved as version 2.
#[test]
fn version_one() {
    let new = Object::of(&top()).unwrap();
    let bytes = new.to_bytes().unwrap();
    let mut by_hand = new.clone();
    by_hand.save("more", &1_u8).unwrap();
    let mut old = by_hand.to_bytes().unwrap();
    old[4] = 1;
    old[24] = 56;
    let checksum = crc(&old[..52]);
    old[52..56].copy_from_slice(&checksum.to_le_bytes());
    let header = Header::read(&old).unwrap();
    assert_eq!((header.version, header.of_class), (1, false));
    let strict = Options::new().strict(true);
    let read = Object::from_bytes(&old).unwrap();
    assert_eq!(read, by_hand);
    assert_eq!(read.to_bytes().unwrap(), by_hand.to_bytes().unwrap());
    let error = bins::from_slice_with::<Top>(&old, &strict).unwrap_err();
    assert_eq!((error.kind(), error.path()), (ErrorKind::UnknownMember, "more"));
    let (value, report) = bins::from_slice_report::<Top>(&old, &Options::new()).unwrap();
    assert_eq!((value, report.notes().len()), (top(), 1), "{report}");
    for (at, byte) in [(4, 3), (24, 3), (24, 56)] {
        let mut bytes = bytes.clone();
        bytes[at] = byte;
        let checksum = crc(&bytes[..52]);
        bytes[52..56].copy_from_slice(&checksum.to_le_bytes());
        assert!(Object::from_bytes(&bytes).unwrap_err().position().is_some());
    }
}

/// CRC-32 as in zip.
fn crc(bytes: &[u8]) -> u32 {
    let mut crc = u32::MAX;
    for byte in bytes {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = (crc >> 1) ^ (0xedb8_8320 & (crc & 1).wrapping_neg());
        }
    }
    !crc
}

#[test]
fn as_a_format() {
    let format = Format::of::<Bins>();
    assert_eq!((format.name(), format.extensions()), ("bins", &["bins"][..]));
    let bytes = format.to_vec(&top()).unwrap();
    assert!(Bins::detect(&bytes) && !Bins::detect(b"{}"));
    for built_in in Format::all() {
        // Through a tree, without the program.
        let tree: Value = format.from_slice(&bytes).unwrap();
        let there = built_in.to_vec(&tree).unwrap();
        let tree: Value = built_in.from_slice(&there).unwrap();
        let back: Top = format.from_slice(&format.to_vec(&tree).unwrap()).unwrap();
        assert_eq!(back, top(), "{built_in}");
    }
    let error = format.from_slice::<Top>(&json::to_vec(&top()).unwrap()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Syntax);
    let mut options = Vec::new();
    bins::to_writer_with(&mut options, &top(), &Options::new()).unwrap();
    assert_eq!(options, bytes);
}

/// Objects of several types in one file.
#[test]
fn a_collection_of_anything() {
    let mut file = Collection::new();
    file.push(Object::of(&top()).unwrap().named("top"));
    file.push(Object::of(&vec![1_u8, 2]).unwrap().named("numbers"));
    let mut bytes = file.to_bytes().unwrap();
    bytes.extend(bins::to_vec(&State::Holding(1, "x".into())).unwrap());
    let read = Collection::from_bytes(&bytes).unwrap();
    assert_eq!(read.get("top").unwrap().to::<Top>().unwrap(), top());
    assert_eq!(read.get("numbers").unwrap().form(), Form::Value);
    assert_eq!(read.get("numbers").unwrap().to::<Vec<u8>>().unwrap(), [1, 2]);
    assert_eq!(read.objects[2].to::<State>().unwrap(), State::Holding(1, "x".into()));
}
