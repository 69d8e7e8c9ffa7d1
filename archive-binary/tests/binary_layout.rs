//! The bytes that `docs/formats/binary.md` and `docs/formats/rows.md` show. They change only with the format's version.

use std::rc::Rc;

use crate::common::{Binary, data};
use archive_binary::bare::Bare;
use archive_binary::columns;
use archive_binary::fingerprint::Fingerprint;
use archive_binary::rows::{self, Reader, RowTypes};
use archive_core::{Backend, Options};
use archive_derive::Serialize;
use archive_test_support::dumps::{dump, hex};

#[derive(Default, Serialize)]
#[archive(crate = archive_core)]
struct Unit {
    name: String,
    hp: i16,
    state: State,
    home: Option<Rc<Place>>,
}

#[derive(Default, Serialize)]
#[archive(crate = archive_core)]
enum State {
    #[default]
    Idle,
    Attacking {
        target: u32,
    },
}

#[derive(Default, Serialize)]
#[archive(crate = archive_core, version = 2)]
struct Place {
    x: f32,
}

const PAGE: &str = include_str!("../../docs/formats/binary.md");
const ROWS: &str = include_str!("../../docs/formats/rows.md");

fn units() -> Vec<Unit> {
    let home = Rc::new(Place { x: 1.5 });
    vec![
        Unit {
            name: "Ann".into(),
            hp: -3,
            state: State::Attacking { target: 300 },
            home: Some(home.clone()),
        },
        Unit { name: "Bo".into(), hp: 100, state: State::Idle, home: Some(home) },
    ]
}

#[test]
fn columns() {
    let rows = Binary::to_vec(&units()).unwrap();
    let file = columns::from_rows_of(1, &rows, &Options::new()).unwrap();
    assert_eq!(data(&file), dump(PAGE, 3), "{}", hex(data(&file)));
    assert_eq!(columns::to_rows(&file).unwrap(), rows);
}

fn check<F: Backend>(number: usize) {
    let file: Vec<u8> = F::to_vec(&units()).unwrap();
    assert_eq!(file, dump(PAGE, number), "{}", hex(&file));
    let loaded: Vec<Unit> = F::from_slice(&dump(PAGE, number)).unwrap();
    assert_eq!(loaded[1].home.as_ref().unwrap().x, 1.5);
}

#[test]
fn as_documented() {
    check::<Binary>(0);
}

#[test]
fn without_tables_as_documented() {
    check::<Fingerprint>(1);
    check::<Bare>(2);
}

#[test]
fn inspected_as_documented() {
    let file = dump(PAGE, 0);
    let text = archive_binary::inspect(&file).unwrap().to_string();
    let shown = PAGE.split("```text\n").nth(1).unwrap().split("```").next().unwrap();
    assert!(text.starts_with(shown), "{text}");
}

#[test]
fn rows_as_documented() {
    let hex =
        |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" ");
    let types = RowTypes::of::<Unit>().unwrap().to_bytes();
    assert_eq!(types, dump(ROWS, 0), "{}", hex(&types));
    let types = RowTypes::from_bytes(&types).unwrap();
    let [ann, mut bo]: [Unit; 2] = units().try_into().ok().unwrap();
    bo.home = None;
    for (number, unit) in [(1, bo), (2, ann)] {
        let row = rows::to_vec(&unit).unwrap();
        assert_eq!(row, dump(ROWS, number), "{}", hex(&row));
        let loaded: Unit = Reader::new(&types).load(&row, &Options::new()).unwrap();
        assert_eq!(rows::to_vec(&loaded).unwrap(), row);
    }
}
