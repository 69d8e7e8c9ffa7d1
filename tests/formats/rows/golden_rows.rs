//! Files of types and rows, which must always load.
//!
//! `UPDATE_GOLDEN=1 cargo test --test formats rows` writes files that are missing. A file that exists is never
//! rewritten. They are not with the files of other formats, because the pages of measurements do not depend on
//! them.

use std::path::PathBuf;

use super::{NewSquad, NewUnit, Squad, Unit, new_unit, options, squad, unit};
use archive::binary::rows::{self, Reader, RowTypes};

fn golden(name: &str, new: &[u8]) -> Vec<u8> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/formats/rows/v1").join(name);
    if !path.exists() && std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, new).unwrap();
    }
    let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    assert_eq!(new, bytes, "{name} is written in another way");
    bytes
}

#[test]
fn types_and_rows_keep_their_bytes() {
    let options = options();
    let types = golden("unit.types", &RowTypes::of::<Unit>().unwrap().to_bytes());
    let row = golden("unit.row", &rows::to_vec(&unit(301)).unwrap());
    let mut reader = Reader::new(&RowTypes::from_bytes(&types).unwrap());
    assert_eq!(reader.load::<Unit>(&row, &options).unwrap(), unit(301));
    assert_eq!(reader.load::<NewUnit>(&row, &options).unwrap(), new_unit(301));

    let types = golden("squad.types", &RowTypes::of::<Squad>().unwrap().to_bytes());
    let row = golden("squad.row", &rows::to_vec_with(&squad(301), &options).unwrap());
    let mut reader = Reader::new(&RowTypes::from_bytes(&types).unwrap());
    let loaded: Squad = reader.load(&row, &options).unwrap();
    assert_eq!(rows::to_vec_with(&loaded, &options).unwrap(), row);
    let new: NewSquad = reader.load(&row, &options).unwrap();
    assert_eq!(new.leader.borrow().hp, 301);
}
