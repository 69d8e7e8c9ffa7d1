//! Readers and writers after errors, and nested ones.

use std::cell::RefCell;

use super::{NewUnit, Unit, kept, new_unit, options, squad, unit};
use crate::common::report_of;
use archive::binary::rows::{self, Reader, Writer};
use archive::{Archive, Error, Options, Result, Serialize};

/// Refuses to be saved if it is false.
#[derive(Clone, Debug, Default)]
struct Fragile(bool, Vec<String>);

impl Serialize for Fragile {
    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        ar.serialize("list", &mut self.1)?;
        ar.serialize("ok", &mut self.0)?;
        if self.0 { Ok(()) } else { Err(Error::custom("it broke")) }
    }
}
archive::save_by_clone!(Fragile);
archive::blank!(Fragile);

/// A type whose rows have no tables, in the same case.
#[derive(Clone, Debug, Default, Serialize)]
struct Plain {
    list: Vec<u8>,
    #[archive(with = refused)]
    ok: bool,
}

mod refused {
    use archive::{Error, Options, Result};

    pub fn save(value: &bool, _: &Options<'_>) -> Result<bool> {
        if *value { Ok(true) } else { Err(Error::custom("it broke")) }
    }

    pub fn load(value: bool, _: &Options<'_>) -> Result<bool> {
        Ok(value)
    }
}

#[test]
fn a_writer_continues_after_an_error() {
    let options = options();
    let (mut writer, mut out) = (Writer::new(), b"page".to_vec());
    for _ in 0..3 {
        let before = out.clone();
        let error = writer.append(&mut out, &Fragile(false, vec!["x".repeat(99)]), &options);
        assert!(error.unwrap_err().to_string().contains("it broke"));
        assert_eq!(out, before);
        let plain = Plain { list: vec![7; 999], ok: false };
        let error = writer.append(&mut out, &plain, &options).unwrap_err();
        assert!(error.to_string().contains("ok: it broke"), "{error}");
        assert_eq!(out, before);
        let limited = options.clone().max_elements(10);
        writer.append(&mut out, &Plain { ok: true, ..plain }, &limited).unwrap_err();
        assert_eq!(out, before);

        let plain = Plain { list: vec![7; 9], ok: true };
        writer.append(&mut out, &plain, &limited).unwrap();
        assert_eq!(out[before.len()..], rows::to_vec(&plain).unwrap());
        let before = out.len();
        writer.append(&mut out, &squad(4), &options).unwrap();
        assert_eq!(out[before..], rows::to_vec_with(&squad(4), &options).unwrap());
    }
}

#[test]
fn a_reader_continues_after_an_error() {
    let (types, options) = (kept::<Unit>(), Options::new());
    let mut reader = Reader::new(&types);
    let row = rows::to_vec(&unit(7)).unwrap();
    let strict = options.clone().strict(true);
    let going = options.clone().keep_going(true);
    for end in 0..row.len() {
        reader.load::<Unit>(&row[..end], &options).unwrap_err();
        assert_eq!(reader.load::<NewUnit>(&row, &options).unwrap(), new_unit(7));
        reader.load::<NewUnit>(&row[..end], &options).unwrap_err();
        assert_eq!(reader.load::<Unit>(&row, &options).unwrap(), unit(7));
        reader.load::<NewUnit>(&row, &strict).unwrap_err();
        reader.load::<Unit>(&row, &options.clone().max_depth(1)).unwrap_err();
        assert_eq!(reader.load::<Unit>(&row, &strict).unwrap(), unit(7));
        let mut place = unit(1);
        let report = reader.load_into_report(&mut place, &row, &going).unwrap();
        assert_eq!((place, report.is_empty()), (unit(7), true));
    }
}

/// Errors of members go into the report.
#[test]
fn a_reader_keeps_going() {
    #[derive(Debug, Default, PartialEq, Serialize)]
    struct Other {
        hp: String,
        name: u8,
        orders: Vec<u32>,
    }
    let types = kept::<Unit>();
    let going = Options::new().keep_going(true);
    let given = going.clone().provide(types.clone());
    let mut reader = Reader::new(&types);
    for number in 0..5 {
        let row = rows::to_vec(&unit(number)).unwrap();
        let (mut one, mut other) = (Other::default(), Other::default());
        let report = reader.load_into_report(&mut one, &row, &going).unwrap();
        let expected =
            report_of(&given, |options| rows::load_into_with(&mut other, &row, options)).unwrap();
        assert_eq!(report.to_string(), expected.to_string());
        assert_eq!((&one, report.errors().len()), (&other, 2));
        assert_eq!(one.orders, unit(number).orders);
        reader.load::<Other>(&row, &Options::new()).unwrap_err();
    }
}

/// Rows of other types, and their reader.
struct Store {
    reader: RefCell<Reader>,
    rows: Vec<Vec<u8>>,
}

/// Loads and saves its unit as a row of its own.
#[derive(Clone, Debug, Default, PartialEq)]
struct Owner {
    key: u32,
    unit: Unit,
    size: u32,
}

impl Serialize for Owner {
    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        ar.serialize("key", &mut self.key)?;
        if ar.is_loading() {
            let store = ar.require::<Store>()?;
            let row = &store.rows[self.key as usize];
            store.reader.borrow_mut().load_into(&mut self.unit, row, &Options::new())?;
        } else {
            let mut row = Vec::new();
            Writer::new().append(&mut row, &self.unit, &Options::new())?;
            self.size = row.len() as u32;
        }
        ar.serialize("size", &mut self.size)
    }
}
archive::save_by_clone!(Owner);
archive::blank!(Owner);

/// Contains owners in a type that is loaded by position.
#[derive(Debug, Default, PartialEq, Serialize)]
struct Army {
    owners: Vec<Owner>,
    name: String,
}

#[derive(Debug, Default, PartialEq, Serialize)]
struct NewArmy {
    name: String,
    owners: Vec<Owner>,
}

#[test]
fn a_row_loads_another_row_while_it_is_loaded() {
    let rows: Vec<_> = (0..4).map(|number| rows::to_vec(&unit(number)).unwrap()).collect();
    let store = Store { reader: RefCell::new(Reader::new(&kept::<Unit>())), rows };
    let options = Options::new().provide_ref(&store);
    let owner = |key| Owner { key, unit: unit(key as u16), size: 0 };
    let army = Army { owners: (0..4).map(owner).collect(), name: "Red".into() };
    let mut row = Vec::new();
    Writer::new().append(&mut row, &army, &options).unwrap();
    let mut reader = Reader::new(&kept::<Army>());
    for _ in 0..3 {
        let loaded: Army = reader.load(&row, &options).unwrap();
        let new: NewArmy = reader.load(&row, &options).unwrap();
        assert_eq!(loaded.owners, new.owners);
        for (owner, row) in loaded.owners.iter().zip(&store.rows) {
            assert_eq!((&owner.unit, owner.size), (&unit(owner.key as u16), row.len() as u32));
        }
    }
}
