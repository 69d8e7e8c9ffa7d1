//! Containers.

use std::collections::*;
use std::rc::Rc;

use archive::ErrorKind::*;

use super::table::{Section, fails, loads, row};

pub fn section() -> Section {
    Section {
        title: "Containers",
        intro: "Every list, set, array and tuple is a sequence in the file, and every map one of pairs, \
                so they become each other. Arrays and tuples need the very number of items.",
        rows: vec![
            row!("a list": Vec<u8> = vec![2, 1], VecDeque<u8>, loads("[2, 1]")),
            row!("a list": VecDeque<u8> = [2, 1].into(), Vec<u8>, loads("[2, 1]")),
            row!("a linked list": Vec<u8> = vec![2, 1], LinkedList<u8>, loads("[2, 1]")),
            row!("a linked list": LinkedList<u8> = [2, 1].into(), Vec<u8>, loads("[2, 1]")),
            row!("a sorted set": Vec<u8> = vec![2, 1, 2], BTreeSet<u8>, loads("{1, 2}").repeated("[2]")),
            row!("a sorted set": BTreeSet<u8> = [2, 1].into(), Vec<u8>, loads("[1, 2]")),
            row!("a hash set": Vec<u8> = vec![2, 2], HashSet<u8>, loads("{2}").repeated("[1]")),
            row!("a hash set": HashSet<u8> = [2].into(), BTreeSet<u8>, loads("{2}")),
            row!("a heap": Vec<u8> = vec![1, 2], BinaryHeap<u8>, loads("[2, 1]")),
            row!("an array of as many": Vec<u8> = vec![2, 1], [u8; 2], loads("[2, 1]")),
            row!("an array of more": Vec<u8> = vec![2, 1], [u8; 3], fails(WrongLength, "").half("[2, 1, 0]")),
            row!("an array of fewer": Vec<u8> = vec![3, 2, 1], [u8; 1], fails(WrongLength, "").half("[3]")),
            row!("an array that grew": [u8; 2] = [2, 1], [u8; 3], fails(WrongLength, "").half("[2, 1, 0]")),
            row!("an array that became a list": [u8; 2] = [2, 1], Vec<u8>, loads("[2, 1]")),
            row!("an array that became a tuple": [u8; 2] = [2, 1], (u32, u8), loads("(2, 1)")),
            row!("a tuple that became a list": (u8, u16) = (2, 1), Vec<u32>, loads("[2, 1]")),
            row!("a tuple that became an array": (u8, u16) = (2, 1), [u32; 2], loads("[2, 1]")),
            row!("a list made optional": Vec<u8> = vec![2, 1], Option<Vec<u16>>, loads("Some([2, 1])")),
            row!("a boxed slice": Vec<u8> = vec![2, 1], Box<[u8]>, loads("[2, 1]")),
            row!("a boxed slice": Box<[u8]> = [2, 1].into(), Vec<u8>, loads("[2, 1]")),
            row!("a shared slice": Vec<u8> = vec![2, 1], Rc<[u8]>, loads("[2, 1]")),
            row!("a shared slice": Rc<[u8]> = [2, 1].into(), Vec<u8>, loads("[2, 1]")),
            row!("an option that became a list": Option<String> = Some("a".into()), Vec<String>, fails(WrongType, "")),
            row!("nested": Vec<Vec<u8>> = vec![vec![1], vec![]], VecDeque<LinkedList<u16>>, loads("[[1], []]")),
            row!("a map": BTreeMap<String, u8> = [("a".into(), 1)].into(), HashMap<String, u8>, loads(r#"{"a": 1}"#)),
            row!("a map": HashMap<u8, u8> = [(3, 1)].into(), BTreeMap<u16, u8>, loads("{3: 1}")),
            row!("a map of structs":
                { struct Pos { x: u8 } } BTreeMap<u8, Pos> = [(3, Pos { x: 1 })].into(),
                { struct Pos { y: u8, x: u16 } } BTreeMap<u16, Pos>,
                loads("{3: Pos { y: 0, x: 1 }}").absent("[0][1].y")),
            row!("a map that became a list of pairs": BTreeMap<u8, u8> = [(3, 1)].into(), Vec<(u8, u8)>, loads("[(3, 1)]")),
            row!("the same, with text": BTreeMap<String, u8> = [("a".into(), 1)].into(), Vec<(String, u8)>, loads(r#"[("a", 1)]"#)),
            row!("a list of pairs that became a map": Vec<(u8, u8)> = vec![(3, 1)], BTreeMap<u8, u8>, loads("{3: 1}")),
            row!("a key twice": Vec<(u8, u8)> = vec![(3, 1), (3, 2)], BTreeMap<u8, u8>, fails(DuplicateMember, "[1]").half("{3: 2}")),
            row!("a value of a map that does not fit": BTreeMap<u8, u16> = [(3, 1), (4, 300)].into(), BTreeMap<u8, u8>,
                fails(OutOfRange, "[1][1]").keeps("{3: 1}")),
            row!("a struct that became a map":
                { struct Scores { ann: u8, bo: u8 } } Scores = Scores { ann: 3, bo: 4 },
                BTreeMap<String, u8>, loads(r#"{"ann": 3, "bo": 4}"#)),
            row!("a map that became a struct":
                BTreeMap<String, u8> = [("ann".into(), 3)].into(),
                { struct Scores { ann: u8, bo: u8 } } Scores,
                fails(WrongType, "")
                    .except(&["msgpack"], loads("Scores { ann: 3, bo: 0 }").absent("bo"), "maps and objects are one there")
                    .except(&["msgpack, converted"], fails(WrongType, "ann").keeps("Scores { ann: 0, bo: 0 }").absent("bo"), "it is an array of pairs by then")),
            row!("a map with `as_object` that became a struct":
                { struct Board { #[archive(as_object)] scores: BTreeMap<String, u8> } } Board = Board { scores: [("ann".into(), 3)].into() },
                { struct Scores { ann: u8, bo: u8 } struct Board { scores: Scores } } Board,
                loads("Board { scores: Scores { ann: 3, bo: 0 } }").absent("scores.bo").except(&["binary", "columns"],
                    fails(WrongType, "scores").keeps("Board { scores: Scores { ann: 0, bo: 0 } }"),
                    "a map is one of pairs there, with the attribute or without")),
        ],
    }
}
