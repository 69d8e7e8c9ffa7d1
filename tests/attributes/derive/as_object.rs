//! `as_object`: maps whose keys are names.

use super::*;

#[derive(Serialize, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Clone)]
enum Team {
    Red,
    Blue,
}

#[derive(Serialize, Debug, PartialEq)]
struct Score {
    #[archive(as_object)]
    teams: BTreeMap<Team, u32>,
    #[archive(as_object)]
    names: HashMap<String, Vec<u8>>,
    #[archive(as_object)]
    levels: BTreeMap<i8, bool>,
    #[archive(as_object)]
    maybe: Option<BTreeMap<char, u8>>,
    #[archive(as_object)]
    flags: BTreeMap<bool, u8>,
    #[archive(as_object)]
    large: BTreeMap<u128, u8>,
}

#[derive(Serialize, Debug, PartialEq)]
struct Pairs {
    teams: BTreeMap<Team, u32>,
    names: HashMap<String, Vec<u8>>,
    levels: BTreeMap<i8, bool>,
    maybe: Option<BTreeMap<char, u8>>,
    flags: BTreeMap<bool, u8>,
    large: BTreeMap<u128, u8>,
}

#[derive(Serialize, Debug, PartialEq)]
struct Newtype(#[archive(as_object)] BTreeMap<String, u8>);

#[derive(Serialize, Debug, PartialEq)]
enum Table {
    Of(#[archive(as_object)] BTreeMap<u8, u8>),
    Two(u8, #[archive(as_object)] HashMap<String, Newtype>),
}

fn score() -> Score {
    Score {
        teams: [(Team::Blue, 2), (Team::Red, 1)].into(),
        names: [("b", 2), ("", 3), ("$id", 4), ("$$", 5)]
            .map(|(name, byte)| (name.to_owned(), vec![byte]))
            .into(),
        levels: [(-5, true), (7, false)].into(),
        maybe: Some([('ä', 1)].into()),
        flags: [(true, 1), (false, 0)].into(),
        large: [(u128::MAX, 1)].into(),
    }
}

fn pairs() -> Pairs {
    let Score { teams, names, levels, maybe, flags, large } = score();
    Pairs { teams, names, levels, maybe, flags, large }
}

const TEXT: &str = concat!(
    r#"{"teams":{"Red":1,"Blue":2},"names":{"":[3],"$$$":[5],"$$id":[4],"b":[2]},"#,
    r#""levels":{"-5":true,"7":false},"maybe":{"ä":1},"flags":{"false":0,"true":1},"#,
    r#""large":{"340282366920938463463374607431768211455":1}}"#,
);

#[test]
fn names_are_keys() {
    check(&score(), TEXT);
    check(&Newtype([("a".into(), 1)].into()), r#"{"a":1}"#);
    check(&Some(Newtype([].into())), "{}");
    check(&Table::Of([(1, 2)].into()), r#"{"Of":{"1":2}}"#);
    let inner = Newtype([("$".into(), 1)].into());
    check(&Table::Two(1, [("x".into(), inner)].into()), r#"{"Two":[1,{"x":{"$$":1}}]}"#);
    let empty = Score {
        teams: [].into(),
        names: [].into(),
        levels: [].into(),
        maybe: None,
        flags: [].into(),
        large: [].into(),
    };
    check(&empty, r#"{"teams":{},"names":{},"levels":{},"maybe":null,"flags":{},"large":{}}"#);
}

#[test]
fn the_attribute_comes_and_goes() {
    migrates(&pairs(), score, &score());
    migrates(&score(), pairs, &pairs());
    // and across formats, through a tree
    for format in forgiving() {
        let tree: Value = format.from_slice(&format.to_vec(&score()).unwrap()).unwrap();
        assert_eq!(tree.to::<Score>().unwrap(), score(), "{format}");
        let again = format.to_vec(&tree).unwrap();
        assert_eq!(format.from_slice::<Score>(&again).unwrap(), score(), "{format}");
    }
}

#[derive(Serialize, Debug, PartialEq)]
struct Floats {
    #[archive(as_object)]
    table: BTreeMap<Bits, u8>,
}

/// A float that can be a key.
#[derive(Serialize, Debug, Clone, Copy)]
struct Bits(f32);

impl PartialEq for Bits {
    fn eq(&self, other: &Bits) -> bool {
        self.cmp(other).is_eq()
    }
}
impl Eq for Bits {}
impl PartialOrd for Bits {
    fn partial_cmp(&self, other: &Bits) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Bits {
    fn cmp(&self, other: &Bits) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

#[test]
fn floats_come_back_exactly() {
    let keys = [0.1, -0.0, 0.0, f32::NAN, f32::INFINITY, f32::MIN_POSITIVE, 1e30, 16_777_217.0];
    let floats = Floats { table: keys.map(|key| (Bits(key), 1)).into() };
    round_trip(&floats);
    let text = json::to_string(&Floats { table: [(Bits(0.1), 1)].into() }).unwrap();
    assert_eq!(text, r#"{"table":{"0.1":1}}"#);
}

#[derive(Serialize, Debug, PartialEq)]
struct Grid {
    #[archive(as_object)]
    cells: BTreeMap<(u8, u8), u8>,
}

#[test]
fn other_keys_are_refused() {
    let grid = Grid { cells: [((1, 2), 3)].into() };
    let error = json::to_string(&grid).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported);
    assert_eq!(
        error.to_string(),
        "cells[0]: a key that is a sequence cannot be the name of a member: such a map is \
         saved as pairs, without `as_object`"
    );
    // a format with a form of its own for maps has no such limit
    let bytes = archive::binary::to_vec(&grid).unwrap();
    assert_eq!(archive::binary::from_slice::<Grid>(&bytes).unwrap(), grid);
}

#[test]
fn wrong_keys_say_where() {
    let error = json::from_str::<Score>(r#"{"levels":{"x":true}}"#).unwrap_err();
    assert_eq!(error.path(), "levels.x");
    let error = json::from_str::<Score>(r#"{"levels":{"1":true,"1":true}}"#).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DuplicateMember);
}
