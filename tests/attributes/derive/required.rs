//! `required`, and `Options::complete`: members that the file must contain.

use std::cell::RefCell;
use std::rc::Rc;

use super::*;

#[derive(Serialize, Debug, Default, PartialEq, Clone)]
struct Login {
    #[archive(required)]
    user: String,
    #[archive(required, rename = "pass", alias = "token")]
    password: Option<String>,
    tries: u8,
}

/// As `Login`, all of it.
#[derive(Serialize, Debug, Default, PartialEq, Clone)]
#[archive(required)]
struct Server {
    host: String,
    port: Option<u16>,
    #[archive(default = 4)]
    threads: u8,
    #[archive(skip_if_default)]
    motd: String,
    #[archive(skip)]
    connections: u32,
    #[archive(flatten)]
    limits: Bounds,
}

#[derive(Serialize, Debug, Default, PartialEq, Clone)]
struct Bounds {
    lowest: u8,
    #[archive(required)]
    highest: u8,
}

#[derive(Serialize, Debug, Default, PartialEq, Clone)]
#[archive(required)]
enum Order {
    #[default]
    Wait,
    Walk {
        to: u8,
        #[archive(default = 1)]
        speed: u8,
    },
}

/// A file of another program version, which lacks some members.
#[derive(Serialize, Debug, PartialEq)]
struct Part {
    host: String,
    highest: u8,
}

#[derive(Serialize, Debug, PartialEq)]
struct Older {
    user: String,
}

#[derive(Serialize)]
struct Empty {}

/// The kind and the path of the error of loading a file of `old` as `T`, which are the same in all
/// formats.
#[track_caller]
fn refused<O: Save, T>(old: &O, options: &Options<'_>, path: &str)
where
    T: Serialize + Blank + Default + Debug,
{
    for format in forgiving() {
        let bytes = format.to_vec(old).unwrap();
        let check = |error: archive::Error, way: &str| {
            let found = (error.kind(), error.path());
            assert_eq!(found, (ErrorKind::MissingMember, path), "{format}, {way}: {error}");
            assert!(has_position(format, &error), "{format}, {way}: {error}");
        };
        check(format.from_slice_with::<T>(&bytes, options).unwrap_err(), "static");
        check(format.from_slice_report::<T>(&bytes, options).unwrap_err(), "with a report");
        let mut into = T::default();
        check(format.load_into_with(&mut into, &bytes, options).unwrap_err(), "in place");
        let mut into = Erased(&mut into);
        check(format.load_into_with(&mut into, &bytes, options).unwrap_err(), "erased");
    }
}

#[test]
fn a_required_member_must_be_there() {
    let plain = Options::new();
    refused::<_, Login>(&Empty {}, &plain, "user");
    refused::<_, Login>(&Older { user: "ann".into() }, &plain, "pass");
    refused::<_, Vec<Login>>(&vec![Older { user: "ann".into() }], &plain, "[0].pass");
    refused::<_, Option<Box<Login>>>(&Some(Empty {}), &plain, "user");
    refused::<_, Rc<RefCell<Login>>>(&Rc::new(RefCell::new(Empty {})), &plain, "user");
    refused::<_, Server>(&Part { host: "h".into(), highest: 1 }, &plain, "port");
    refused::<_, Bounds>(&Empty {}, &plain, "highest");
}

#[test]
fn present_members_load() {
    let login = Login { user: "ann".into(), password: None, tries: 3 };
    round_trip(&login);
    round_trip_with(&login, &Options::new().complete(true));
    let loaded: Login = json::from_str(r#"{"token":null,"user":"ann"}"#).unwrap();
    assert_eq!(loaded, Login { tries: 0, ..login });
    let loaded: Server = json::from_str(r#"{"host":"h","port":null,"highest":2}"#).unwrap();
    assert_eq!((loaded.threads, &*loaded.motd, loaded.limits.highest), (4, "", 2));
    round_trip_with(&loaded, &Options::new().complete(true));
}

#[test]
fn variants_need_their_members_too() {
    #[derive(Serialize, Default)]
    enum Old {
        #[default]
        Walk,
    }
    for (text, path) in [(r#"{"Walk":{}}"#, "Walk.to"), (r#""Walk""#, "Walk.to")] {
        let error = json::from_str::<Order>(text).unwrap_err();
        assert_eq!((error.kind(), error.path()), (ErrorKind::MissingMember, path), "{text}");
    }
    refused::<_, Order>(&Old::Walk, &Options::new(), "Walk.to");
    let walk: Order = json::from_str(r#"{"Walk":{"to":2}}"#).unwrap();
    assert_eq!(walk, Order::Walk { to: 2, speed: 1 });
}

/// The option does for all members what the attribute does for some, also with hand-written
/// functions.
#[test]
fn complete_requires_every_member() {
    #[derive(Debug, Default)]
    struct ByHand(u8);
    impl Serialize for ByHand {
        fn serialize<A: archive::Archive>(&mut self, ar: &mut A) -> Result {
            ar.serialize("hp", &mut self.0)
        }
    }
    archive::blank!(ByHand);
    #[derive(Debug, Default, Serialize)]
    enum Number {
        #[default]
        None,
        One(u8),
    }
    #[derive(Serialize)]
    enum Bare {
        One,
    }
    let complete = Options::new().complete(true);
    refused::<_, Bounds>(&Empty {}, &complete, "lowest");
    refused::<_, ByHand>(&Empty {}, &complete, "hp");
    refused::<_, (u8, Vec<ByHand>)>(&(1u8, vec![Empty {}]), &complete, "[1][0].hp");
    refused::<_, Number>(&Bare::One, &complete, "One");
    // Without it they keep their values.
    for format in forgiving() {
        let bytes = format.to_vec(&Empty {}).unwrap();
        let mut hand = ByHand(7);
        format.load_into(&mut hand, &bytes).unwrap();
        assert_eq!(hand.0, 7, "{format}");
    }
    let strict = Options::new().strict(true);
    assert_eq!(json::from_str_with::<ByHand>("{}", &strict).unwrap().0, 0);
}

#[test]
fn keep_going_reports_all_of_them() {
    let options = Options::new().complete(true).keep_going(true);
    for format in forgiving().into_iter().filter(|format| keeps_going(*format)) {
        let old = (Older { user: "ann".into() }, Empty {});
        let bytes = format.to_vec(&old).unwrap();
        let (value, report) =
            format.from_slice_report::<(Login, Bounds)>(&bytes, &options).unwrap();
        assert_eq!(value.0.user, "ann", "{format}");
        let errors: Vec<_> = report.errors().iter().map(|it| (it.kind(), it.path())).collect();
        let paths = ["[0].pass", "[0].tries", "[1].lowest", "[1].highest"];
        assert_eq!(errors, paths.map(|path| (ErrorKind::MissingMember, path)), "{format}");
        assert_eq!(report.absent().count(), 0, "{format}: {report}");

        let few = options.clone().max_errors(2);
        let error = format.from_slice_report::<(Login, Bounds)>(&bytes, &few).unwrap_err();
        assert_eq!(error.path(), "[1].lowest", "{format}: {error}");
    }
}

/// A list is loaded over its old elements, in case the file has all members of each. A member is
/// absent even if it had a value before.
#[test]
fn old_elements_are_not_used() {
    for format in forgiving() {
        let login = Login { user: "ann".into(), password: None, tries: 3 };
        let old = vec![Older { user: "bo".into() }];
        let bytes = format.to_vec(&old).unwrap();
        let mut into = vec![login; 3];
        let error = format.load_into(&mut into, &bytes).unwrap_err();
        let found = (error.kind(), error.path());
        assert_eq!(found, (ErrorKind::MissingMember, "[0].pass"), "{format}: {error}");
    }
}

/// A made-up file has no members, and describing a type is not a load.
#[test]
fn types_with_required_members_are_described() {
    assert!(archive::describe::<Server>().to_string().contains("port"));
    assert_ne!(archive::signature::<Server>(), archive::signature::<Login>());
}
