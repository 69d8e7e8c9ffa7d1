//! `as_object` on containers of maps, and on maps of maps.

#![allow(clippy::type_complexity, clippy::box_collection)] // odd types are the point

use super::*;
use archive::Archive;
use archive::format::encoder::UNCOUNTED;
use archive::tool::Body;
use indexmap::IndexMap;
use smallvec::SmallVec;

type Prices = HashMap<String, u8>;

#[derive(Serialize, Debug, Default, Clone, PartialEq)]
struct Inside {
    #[archive(as_object)]
    list: Vec<Prices>,
    #[archive(as_object)]
    maybe: Option<Vec<BTreeMap<u8, bool>>>,
    #[archive(as_object)]
    maps: HashMap<String, Prices>,
    #[archive(as_object)]
    deep: BTreeMap<char, Vec<Option<BTreeMap<String, Box<VecDeque<Prices>>>>>>,
    #[archive(as_object)]
    array: [BTreeMap<i8, u8>; 2],
    #[archive(as_object)]
    boxed: Box<VecDeque<LinkedList<Prices>>>,
    #[archive(as_object)]
    options: Option<Option<Prices>>,
    #[archive(unordered, as_object)]
    unordered: Option<HashMap<u8, Prices>>,
    #[archive(as_object)]
    small: SmallVec<[IndexMap<String, IndexMap<u8, u8>>; 1]>,
}

#[derive(Serialize, Debug, Default, Clone, PartialEq)]
struct Outside {
    list: Vec<Prices>,
    maybe: Option<Vec<BTreeMap<u8, bool>>>,
    maps: HashMap<String, Prices>,
    deep: BTreeMap<char, Vec<Option<BTreeMap<String, Box<VecDeque<Prices>>>>>>,
    array: [BTreeMap<i8, u8>; 2],
    boxed: Box<VecDeque<LinkedList<Prices>>>,
    options: Option<Option<Prices>>,
    unordered: Option<HashMap<u8, Prices>>,
    small: SmallVec<[IndexMap<String, IndexMap<u8, u8>>; 1]>,
}

fn prices() -> Prices {
    [("b", 2), ("$a", 1)].map(|(name, price)| (name.to_owned(), price)).into()
}

fn inside() -> Inside {
    let row = BTreeMap::from([("r".to_owned(), Box::new([prices(), [].into()].into()))]);
    Inside {
        list: vec![prices(), Prices::new()],
        maybe: Some(vec![[(1, true)].into()]),
        maps: [("y".to_owned(), [].into()), ("x".to_owned(), prices())].into(),
        deep: [('d', vec![None, Some(row)])].into(),
        array: [[(-1, 1)].into(), [].into()],
        boxed: Box::new([[prices()].into(), [].into()].into()),
        options: Some(None),
        unordered: Some([(7, prices())].into()),
        small: [[("i".to_owned(), [(2, 1), (1, 2)].into())].into()].into(),
    }
}

fn outside() -> Outside {
    let Inside { list, maybe, maps, deep, array, boxed, options, unordered, small } = inside();
    Outside { list, maybe, maps, deep, array, boxed, options, unordered, small }
}

const TEXT: &str = concat!(
    r#"{"list":[{"$$a":1,"b":2},{}],"maybe":[{"1":true}],"#,
    r#""maps":{"x":{"$$a":1,"b":2},"y":{}},"#,
    r#""deep":{"d":[null,{"r":[{"$$a":1,"b":2},{}]}]},"array":[{"-1":1},{}],"#,
    r#""boxed":[[{"$$a":1,"b":2}],[]],"options":{"$some":null},"#,
    r#""unordered":{"7":{"$$a":1,"b":2}},"small":[{"i":{"2":1,"1":2}}]}"#,
);

#[test]
fn all_maps_of_the_field() {
    check(&inside(), TEXT);
    let options = Some(Some(prices()));
    let value = Inside { options, maybe: None, unordered: None, ..Inside::default() };
    check(
        &value,
        concat!(
            r#"{"list":[],"maybe":null,"maps":{},"deep":{},"array":[{},{}],"boxed":[],"#,
            r#""options":{"$$a":1,"b":2},"unordered":null,"small":[]}"#,
        ),
    );
}

#[test]
fn the_attribute_comes_and_goes() {
    migrates(&outside(), inside, &inside());
    migrates(&inside(), outside, &outside());
}

/// Maps of its own, which follow its own attributes.
#[derive(Serialize, Debug, Default, Clone, PartialEq)]
struct Item {
    pairs: BTreeMap<String, u8>,
    #[archive(as_object)]
    object: BTreeMap<String, u8>,
}

#[derive(Serialize, Debug, Default, Clone, PartialEq)]
struct Newtype(BTreeMap<String, u8>);

#[derive(Serialize, Debug, Default, Clone, PartialEq)]
#[archive(transparent)]
struct Transparent {
    maps: Vec<BTreeMap<String, u8>>,
}

#[derive(Serialize, Debug, Clone, PartialEq)]
enum Choice {
    One(BTreeMap<String, u8>),
    Two(u8, BTreeMap<String, u8>),
}

#[derive(Serialize, Debug, Default, Clone, PartialEq)]
struct Items {
    #[archive(as_object)]
    structs: BTreeMap<String, Vec<Item>>,
    #[archive(as_object)]
    in_maps: Vec<BTreeMap<u8, BTreeMap<u8, Item>>>,
    #[archive(as_object)]
    newtypes: BTreeMap<u8, Newtype>,
    #[archive(as_object)]
    transparent: BTreeMap<u8, Transparent>,
    #[archive(as_object)]
    choices: BTreeMap<u8, Choice>,
    #[archive(as_object)]
    tuples: BTreeMap<u8, (BTreeMap<String, u8>,)>,
    #[archive(as_object)]
    shared: BTreeMap<u8, std::rc::Rc<BTreeMap<String, u8>>>,
    #[archive(as_object)]
    trees: BTreeMap<u8, Value>,
    after: BTreeMap<String, u8>,
}

#[test]
fn the_maps_of_items_are_their_own() {
    let map = BTreeMap::from([("a".to_owned(), 1)]);
    let item = Item { pairs: map.clone(), object: map.clone() };
    let choices = [Choice::One(map.clone()), Choice::Two(2, map.clone())];
    let items = Items {
        structs: [("s".to_owned(), vec![item.clone()])].into(),
        in_maps: vec![[(1, [(2, item)].into())].into()],
        newtypes: [(3, Newtype(map.clone()))].into(),
        transparent: [(4, Transparent { maps: vec![map.clone()] })].into(),
        choices: (0..).zip(choices).collect(),
        tuples: [(6, (map.clone(),))].into(),
        shared: [(7, std::rc::Rc::new(map.clone()))].into(),
        trees: [(8, json::from_str(r#"[["a",1]]"#).unwrap())].into(),
        after: map,
    };
    let item = r#"{"pairs":[["a",1]],"object":{"a":1}}"#;
    check(
        &items,
        &format!(
            concat!(
                r#"{{"structs":{{"s":[{item}]}},"in_maps":[{{"1":{{"2":{item}}}}}],"#,
                r#""newtypes":{{"3":[["a",1]]}},"transparent":{{"4":[[["a",1]]]}},"#,
                r#""choices":{{"0":{{"One":[["a",1]]}},"1":{{"Two":[2,[["a",1]]]}}}},"#,
                r#""tuples":{{"6":[[["a",1]]]}},"shared":{{"7":{{"$id":1,"$value":[["a",1]]}}}},"#,
                r#""trees":{{"8":[["a",1]]}},"after":[["a",1]]}}"#,
            ),
            item = item
        ),
    );
}

/// Keys that are not names are refused in the outermost maps. Inside of others, such maps remain
/// pairs.
#[derive(Serialize, Debug, Default, Clone, PartialEq)]
struct Grids {
    #[archive(as_object)]
    named: BTreeMap<String, BTreeMap<(u8, u8), BTreeMap<u8, u8>>>,
    #[archive(as_object)]
    maybe: BTreeMap<u8, BTreeMap<Option<u8>, u8>>,
}

#[derive(Serialize, Debug, Default, Clone, PartialEq)]
struct Grid {
    #[archive(as_object)]
    cells: Vec<BTreeMap<(u8, u8), BTreeMap<u8, u8>>>,
}

#[test]
fn keys_that_are_not_names() {
    let cells = BTreeMap::from([((1, 2), BTreeMap::from([(3, 4)]))]);
    let grids = Grids {
        named: [("a".to_owned(), cells.clone())].into(),
        maybe: [(1, [(Some(2), 3)].into())].into(),
    };
    check(&grids, r#"{"named":{"a":[[[1,2],[[3,4]]]]},"maybe":{"1":[[2,3]]}}"#);
    let grid = Grid { cells: vec![cells] };
    for format in formats() {
        match format.to_vec(&grid) {
            Ok(bytes) => assert_eq!(format.from_slice::<Grid>(&bytes).unwrap(), grid, "{format}"),
            Err(error) => {
                assert_eq!(error.kind(), ErrorKind::Unsupported, "{format}");
                assert_eq!(error.path(), "cells[0][0]", "{format}");
            }
        }
    }
    json::to_string(&grid).unwrap_err();
}

/// A type that is saved only through `&mut`.
#[derive(Serialize, Debug, Default, Clone, PartialEq)]
#[archive(mut_only)]
struct Counter {
    hits: BTreeMap<u8, u8>,
}

#[derive(Serialize, Debug, Default, Clone, PartialEq)]
#[archive(mut_only)]
struct Counters {
    #[archive(as_object)]
    counters: Vec<BTreeMap<String, Counter>>,
}

#[test]
fn saved_only_through_mut() {
    let counter = Counter { hits: [(1, 2)].into() };
    let mut value = Counters { counters: vec![[("a".to_owned(), counter)].into()] };
    let text = json::to_string(&mut value).unwrap();
    assert_eq!(text, r#"{"counters":[{"a":{"hits":[[1,2]]}}]}"#);
    for format in formats() {
        let bytes = format.to_vec(&mut value).unwrap();
        assert_eq!(format.from_slice::<Counters>(&bytes).unwrap(), value, "{format}");
    }
}

/// A map of the program that does not announce its number of entries.
#[derive(Debug, Default, Clone, PartialEq)]
struct Table(Vec<(String, u8)>);

struct Entries<'a>(&'a [(String, u8)]);

impl Body for Entries<'_> {
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        for (index, entry) in self.0.iter().enumerate() {
            ar.entry(index, &mut &entry.0, &mut &entry.1)?;
        }
        Ok(())
    }
}

impl Serialize for Table {
    const SHAPE: &'static Shape = <BTreeMap<String, u8>>::SHAPE;

    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        if !ar.is_loading() {
            return self.save(ar);
        }
        let mut entries = BTreeMap::new();
        entries.serialize(ar)?;
        self.0 = entries.into_iter().collect();
        Ok(())
    }
}
impl Save for Table {
    fn save<A: Archive>(&self, ar: &mut A) -> Result {
        ar.map(Self::SHAPE, UNCOUNTED, &mut Entries(&self.0))
    }
}
archive::blank!(Table);
impl archive::field::Map for Table {}

#[derive(Serialize, Debug, Default, Clone, PartialEq)]
struct Tables {
    #[archive(as_object)]
    table: Table,
    #[archive(as_object)]
    tables: Vec<Table>,
    pairs: Table,
}

#[test]
fn own_maps() {
    let table = Table(vec![("a".to_owned(), 1), ("b".to_owned(), 2)]);
    let tables = Tables { tables: vec![table.clone()], table: table.clone(), pairs: table };
    let text = json::to_string(&tables).unwrap();
    let object = r#"{"a":1,"b":2}"#;
    let expected = format!(r#"{{"table":{object},"tables":[{object}],"pairs":[["a",1],["b",2]]}}"#);
    assert_eq!(text, expected);
    for format in formats() {
        match format.to_vec(&tables) {
            Ok(bytes) => {
                assert_eq!(format.from_slice::<Tables>(&bytes).unwrap(), tables, "{format}")
            }
            // Some formats need the lengths of all maps.
            Err(error) => assert_eq!(error.kind(), ErrorKind::Unsupported, "{format}: {error}"),
        }
    }
}
