//! `skip_if_default`: members that are left out if they have their default.

use super::*;
use archive::{Archive, Report};

#[derive(Serialize, Debug, PartialEq, Clone)]
struct Settings {
    #[archive(skip_if_default)]
    name: String,
    #[archive(default = 60, skip_if_default)]
    fps: u32,
    level: u8,
    #[archive(skip_if_default, rename = "list", alias = "items")]
    tags: Vec<u8>,
    #[archive(skip_if_default, bytes)]
    icon: Vec<u8>,
    #[archive(skip_if_default, as_object)]
    keys: BTreeMap<String, u8>,
}

fn plain() -> Settings {
    Settings { name: String::new(), fps: 60, level: 0, tags: vec![], icon: vec![], keys: [].into() }
}

fn full() -> Settings {
    Settings {
        name: "a".into(),
        fps: 0,
        level: 1,
        tags: vec![1],
        icon: vec![2],
        keys: [("k".into(), 3)].into(),
    }
}

#[derive(Serialize, Debug, PartialEq)]
enum Event {
    Quit,
    Key {
        #[archive(skip_if_default)]
        code: u8,
        #[archive(skip_if_default, default = 1)]
        count: u8,
    },
}

#[test]
fn left_out() {
    check(&plain(), r#"{"level":0}"#);
    check(&full(), r#"{"name":"a","fps":0,"level":1,"list":[1],"icon":[2],"keys":{"k":3}}"#);
    check(&vec![plain(), full(), plain()][..1].to_vec(), r#"[{"level":0}]"#);
    check(&vec![Event::Quit, Event::Key { code: 0, count: 1 }], r#"["Quit",{"Key":{}}]"#);
    check(&Event::Key { code: 2, count: 0 }, r#"{"Key":{"code":2,"count":0}}"#);
    let erased = json::to_string(&mut Erased(&mut plain())).unwrap();
    assert_eq!(erased, r#"{"level":0}"#);
    assert_eq!(json::from_str::<Settings>(r#"{"items":[7]}"#).unwrap().tags, [7]);
}

#[test]
fn absent_members_are_defaults_also_in_place() {
    migrates(&plain(), full, &plain());
    migrates(&full(), plain, &full());
    #[derive(Serialize)]
    struct Older {
        level: u8,
    }
    migrates(&Older { level: 0 }, full, &plain());
}

#[test]
fn are_nothing_to_report() {
    for format in formats() {
        let bytes = format.to_vec(&vec![plain()]).unwrap();
        let (_, report): (Vec<Settings>, Report) =
            format.from_slice_report(&bytes, &archive::Options::new()).unwrap();
        assert!(report.notes().is_empty(), "{format}: {report:?}");
    }
    let (_, report): (Settings, Report) =
        json::from_slice_report(b"{}", &archive::Options::new()).unwrap();
    assert_eq!(report.absent().collect::<Vec<_>>(), ["level"]);
}

/// The default of the field counts, not that of the type around it.
#[derive(Serialize, Debug, PartialEq)]
struct Odd {
    #[archive(skip_if_default)]
    a: u8,
}

impl Default for Odd {
    fn default() -> Self {
        Odd { a: 5 }
    }
}

#[test]
fn the_default_is_that_of_the_field() {
    check(&Odd { a: 5 }, r#"{"a":5}"#);
    check(&Odd { a: 0 }, "{}");
}

#[derive(Serialize, Debug, PartialEq, Clone)]
struct Outer {
    #[archive(flatten)]
    settings: Settings,
    last: u8,
}

/// A hand-written function around a derived one.
#[derive(Debug, PartialEq, Clone)]
struct Hand(Settings);

impl Serialize for Hand {
    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        self.0.serialize(ar)?;
        ar.serialize("settings", &mut self.0)
    }
}
archive::save_by_clone!(Hand);

impl Blank for Hand {
    fn blank(options: &Options<'_>) -> Self {
        Hand(Settings::blank(options))
    }
}

#[test]
fn flattened() {
    check(&Outer { settings: plain(), last: 1 }, r#"{"level":0,"last":1}"#);
    check(&Hand(plain()), r#"{"level":0,"settings":{"level":0}}"#);
    round_trip(&vec![Hand(plain()), Hand(full()), Hand(plain())]);
    round_trip(&Outer { settings: full(), last: 1 });
}

#[test]
fn through_a_tree() {
    let tree = Value::of(&plain()).unwrap();
    assert_eq!(tree.as_object().unwrap().len(), 1);
    for format in forgiving() {
        let bytes = format.to_vec(&tree).unwrap();
        let mut settings = full();
        format.load_into(&mut settings, &bytes).unwrap();
        assert_eq!(settings, plain(), "{format}");
    }
}

/// A function decides which values are left out, also of types without `PartialEq`.
#[test]
fn left_out_if_a_function_decides_so() {
    #[derive(Serialize, Debug)]
    struct Opaque(u8);
    fn is_small(opaque: &Opaque) -> bool {
        opaque.0 < 3
    }
    #[derive(Serialize, Debug)]
    struct Sparse {
        #[archive(skip_if = Option::is_none)]
        name: Option<String>,
        #[archive(skip_if = Vec::is_empty, rename = "list", alias = "items")]
        tags: Vec<u8>,
        #[archive(skip_if = is_small, default = Opaque(2))]
        opaque: Opaque,
        #[archive(skip_if = str::is_empty, with = text)]
        text: String,
        level: u8,
    }
    mod text {
        #[allow(clippy::ptr_arg)] // the type of the field
        pub fn save(text: &String) -> archive::Result<Vec<char>> {
            Ok(text.chars().collect())
        }
        pub fn load(chars: Vec<char>) -> archive::Result<String> {
            Ok(chars.into_iter().collect())
        }
    }
    let sparse = |name: Option<&str>, tags: &[u8], opaque, text: &str| Sparse {
        name: name.map(Into::into),
        tags: tags.to_vec(),
        opaque: Opaque(opaque),
        text: text.into(),
        level: 1,
    };
    let (lean, full) = (sparse(None, &[], 1, ""), sparse(Some("a"), &[1], 3, "b"));
    assert_eq!(json::to_string(&lean).unwrap(), r#"{"level":1}"#);
    let text = r#"{"name":"a","list":[1],"opaque":3,"text":["b"],"level":1}"#;
    assert_eq!(json::to_string(&full).unwrap(), text);
    for format in formats() {
        // Formats without names write all members, so 1 is loaded; the others leave it out.
        let expected = [1, 2].map(|opaque| format!("{:?}", sparse(None, &[], opaque, "")));
        let bytes = format.to_vec(&lean).unwrap();
        let (loaded, report): (Sparse, Report) =
            format.from_slice_report(&bytes, &archive::Options::new()).unwrap();
        assert!(expected.contains(&format!("{loaded:?}")), "{format}: {loaded:?}");
        assert!(report.notes().is_empty(), "{format}: {report}");
        let mut into = sparse(Some("a"), &[1], 3, "b");
        format.load_into(&mut into, &bytes).unwrap();
        assert!(expected.contains(&format!("{into:?}")), "{format}: {into:?}");
        let bytes = format.to_vec(&full).unwrap();
        let loaded: Sparse = format.from_slice(&bytes).unwrap();
        assert_eq!(format!("{loaded:?}"), format!("{full:?}"), "{format}");
    }
}
