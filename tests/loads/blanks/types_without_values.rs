//! Types that have no value.

use super::*;

#[derive(Serialize, Debug)]
enum Inf {
    Node(Box<Within>),
    Pair(Rc<Within>, Rc<RefCell<Within>>),
}
#[derive(Serialize, Debug)]
struct Within {
    inf: Inf,
}

#[derive(Serialize, Debug)]
struct Hen {
    egg: Box<Egg>,
}
#[derive(Serialize, Debug)]
struct Egg {
    shell: [Arc<Mutex<Hen>>; 2],
}

/// This type has values, but not of one variant.
#[derive(Serialize, Debug)]
enum Half {
    End,
    Hen(Hen),
}

/// The results for the inner enums make no difference.
#[derive(Serialize, Debug)]
enum Around {
    Both(Half, Box<Ring>),
}
#[derive(Serialize, Debug)]
struct Ring {
    around: Around,
}

/// If a file lacks the member, no value is necessary.
#[derive(Serialize, Debug, Default)]
struct Holder {
    hens: Vec<Hen>,
    inf: Option<Box<Inf>>,
}

#[track_caller]
fn fails<T: Element>(format: Format, bytes: &[u8], name: &str) {
    let error = format.from_slice::<T>(bytes).map(drop).expect_err(name);
    assert_eq!(error.kind(), ErrorKind::Endless, "{format}: {error}");
    let message = error.message();
    assert!(message.contains(&format!("`{name}` contains itself (through `")), "{message}");
    assert!(message.contains("so it has no finite value"), "{format}: {message}");
}

#[test]
fn loading_one_is_an_error() {
    on_stack(|| {
        // The content of the file makes no difference, so any file works.
        for format in forgiving() {
            let unit = format.to_vec(&Holder::default()).unwrap();
            fails::<Hen>(format, &unit, "Egg");
            let list = format.to_vec(&vec![Some(0_u8)]).unwrap();
            fails::<Vec<Hen>>(format, &list, "Egg");
            assert_eq!(format.from_slice::<Holder>(&unit).unwrap().hens.len(), 0, "{format}");
            fails::<Inf>(format, &unit, "Inf");
            fails::<Around>(format, &unit, "Around");
            let half = format.to_vec(&Half::End).unwrap();
            assert!(matches!(format.from_slice::<Half>(&half), Ok(Half::End)), "{format}");
        }
    });
}

#[test]
fn the_error_names_the_cycle_and_its_place() {
    on_stack(|| {
        let options = Options::new();
        let error = Inf::try_blank(&options).unwrap_err();
        assert_eq!(
            error.message(),
            "`Inf` contains itself (through `Within`), so it has no finite value: use \
             `Option<Box<Inf>>` or `Vec<Inf>`"
        );
        let error = Hen::try_blank(&options).unwrap_err();
        assert_eq!(
            error.message(),
            "`Egg` contains itself (through `Hen`), so it has no finite value: use \
             `Option<Box<Egg>>` or `Vec<Egg>`"
        );
        #[derive(Serialize)]
        struct Farm {
            half: Vec<Half>,
        }
        #[derive(Serialize)]
        struct Barn {
            half: Vec<Fake>,
        }
        #[derive(Serialize)]
        enum Fake {
            Hen(u8),
        }
        for format in forgiving() {
            let bytes = format.to_vec(&Barn { half: vec![Fake::Hen(1)] }).unwrap();
            let error = format.from_slice::<Farm>(&bytes).map(drop).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Endless, "{format}: {error}");
            assert!(error.path().starts_with("half[0]"), "{format}: {error}");
            if !keeps_going(format) {
                continue;
            }
            let options = Options::new().keep_going(true);
            let (farm, report) = format.from_slice_report::<Farm>(&bytes, &options).unwrap();
            assert_eq!((farm.half.len(), report.errors().len()), (0, 1), "{format}: {report}");
        }
    });
}

#[test]
#[should_panic(expected = "no blank value: `Inf` contains itself")]
fn the_blank_value_itself_is_a_panic() {
    Inf::blank(&Options::new());
}
