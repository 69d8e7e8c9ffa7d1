//! Hand-written functions: each object names its class.

use crate::common::{Binary, data};
use archive_core::{Archive, Backend, ErrorKind, Options, Result, Serialize, Value};

#[derive(Clone, Debug, Default, PartialEq)]
struct Branch {
    which: u8,
    value: String,
    children: Vec<Branch>,
}

impl Serialize for Branch {
    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        ar.serialize("which", &mut self.which)?;
        if self.which > 0 {
            let name = format!("value{}", self.which);
            ar.serialize(&name, &mut self.value)?;
        }
        if self.which != 2 {
            ar.serialize("children", &mut self.children)?;
        }
        Ok(())
    }
}
archive_core::save_by_clone!(Branch);
archive_core::blank!(Branch);

fn branch(which: u8, children: Vec<Branch>) -> Branch {
    Branch { which, value: if which > 0 { which.to_string() } else { String::new() }, children }
}

#[test]
fn one_byte_per_object() {
    let value = vec![branch(0, vec![]), branch(1, vec![branch(0, vec![])]), branch(0, vec![])];
    let file = Binary::to_vec(&value).unwrap();
    assert_eq!(data(&file), [3, 0, 0, 0, 1, 1, 1, b'1', 1, 0, 0, 0, 0, 0, 0]);
    assert_eq!(Binary::from_slice::<Vec<Branch>>(&file).unwrap(), value);
    assert_eq!(Binary::to_vec(&value).unwrap(), file);
}

#[test]
fn more_layouts_than_a_byte_counts() {
    // Inner objects complete first, so outer ones have larger numbers than predicted.
    let deep = (0..60).fold(branch(2, vec![]), |inner, i| branch(100 + i, vec![inner]));
    let wide = (0..=255).map(|i| branch(i, vec![branch(0, vec![])])).collect();
    let again = branch(3, (0..=255).rev().map(|i| branch(i, vec![])).collect());
    for value in [deep, branch(5, wide), again] {
        let value = vec![value.clone(), value];
        let file = Binary::to_vec(&value).unwrap();
        let mut loaded: Vec<Branch> = Binary::from_slice(&file).unwrap();
        // Variant 2 leaves its children out.
        assert_eq!(Binary::to_vec(&mut loaded).unwrap(), file);
        let tree: Value = Binary::from_slice(&file).unwrap();
        let untyped = Binary::to_vec(&tree).unwrap();
        assert_eq!(Binary::from_slice::<Vec<Branch>>(&untyped).unwrap(), loaded);
    }
}

#[test]
fn named_roots() {
    let mut writer = archive_core::Writer::<Binary>::new();
    let (mut a, mut b, mut c) = (branch(1, vec![branch(0, vec![])]), 7_u32, "x".to_owned());
    writer.serialize("a", &mut a).unwrap();
    writer.serialize("b", &mut b).unwrap();
    writer.serialize("c", &mut c).unwrap();
    let file = writer.finish().unwrap();
    let mut reader = archive_core::Reader::<Binary>::new(&file).unwrap();
    let (mut a2, mut b2, mut c2, mut d) = (Branch::default(), 0_u64, String::new(), 5_u8);
    reader.serialize("c", &mut c2).unwrap();
    reader.serialize("d", &mut d).unwrap();
    reader.serialize("a", &mut a2).unwrap();
    reader.serialize("b", &mut b2).unwrap();
    reader.finish().unwrap();
    assert_eq!((a2, b2, c2, d), (a, 7, c, 5));
    let report = std::cell::Cell::default();
    let options = Options::new().report(&report);
    let mut reader = archive_core::Reader::<Binary>::with(&file, &options).unwrap();
    reader.serialize("b", &mut b2).unwrap();
    reader.finish().unwrap();
    assert_eq!(report.take().unknown().collect::<Vec<_>>(), ["a", "c"]);
    let empty = archive_core::Writer::<Binary>::new().finish().unwrap();
    archive_core::Reader::<Binary>::new(&empty).unwrap().finish().unwrap();
}

#[test]
fn duplicate_members() {
    struct Twice;
    impl Serialize for Twice {
        fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
            ar.serialize("a", &mut 1_u8)?;
            ar.serialize("a", &mut 2_u8)
        }
    }
    let error = Binary::to_vec(&mut Twice).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DuplicateMember);
    assert!(error.to_string().contains("`Twice` has two members `a`"), "{error}");
}

#[test]
fn names_that_live_shortly() {
    // Strings of equal length at the same address are different names.
    struct Named(Vec<String>);
    impl Serialize for Named {
        fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
            for i in 0..4_u8 {
                let name = format!("{}{i}", self.0[0]);
                ar.serialize(&name, &mut (i + 1))?;
            }
            Ok(())
        }
    }
    let mut list = vec![Named(vec!["a".into()]), Named(vec!["b".into()]), Named(vec!["a".into()])];
    struct List<'a>(&'a mut Vec<Named>);
    impl Serialize for List<'_> {
        fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
            for (i, named) in self.0.iter_mut().enumerate() {
                ar.serialize(&format!("n{i}"), named)?;
            }
            Ok(())
        }
    }
    let file = Binary::to_vec(&mut List(&mut list)).unwrap();
    let tree: Value = Binary::from_slice(&file).unwrap();
    for (i, letter) in ["a", "b", "a"].iter().enumerate() {
        let named = tree.get(&format!("n{i}")).unwrap();
        assert_eq!(named.get(&format!("{letter}3")).and_then(Value::as_u64), Some(4));
    }
}

#[test]
fn functions_that_request_members_in_random_order() {
    #[derive(Clone, Debug, Default, PartialEq)]
    struct Turn {
        order: u8,
        a: u8,
        b: String,
        c: u32,
    }
    impl Serialize for Turn {
        fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
            ar.serialize("order", &mut self.order)?;
            match self.order {
                1 if ar.is_loading() => {
                    ar.serialize("c", &mut self.c)?;
                    ar.serialize("d", &mut 0_u8)?;
                    ar.serialize("b", &mut self.b)?;
                    ar.serialize("a", &mut self.a)
                }
                2 if ar.is_loading() => {
                    ar.serialize("a", &mut self.a)?;
                    ar.serialize("c", &mut self.c)?;
                    ar.serialize("b", &mut self.b)
                }
                _ => {
                    ar.serialize("a", &mut self.a)?;
                    ar.serialize("b", &mut self.b)?;
                    ar.serialize("c", &mut self.c)
                }
            }
        }
    }
    archive_core::save_by_clone!(Turn);
    archive_core::blank!(Turn);
    let turn = |order: u8| Turn { order, a: order + 1, b: format!("b{order}"), c: 1000 };
    let value: Vec<Turn> = [0, 1, 2, 0, 2, 1, 1, 2, 0].map(turn).into();
    let file = Binary::to_vec(&value).unwrap();
    assert_eq!(Binary::from_slice::<Vec<Turn>>(&file).unwrap(), value);
    let first = [1, 0, 2, 1].map(turn).to_vec();
    let file = Binary::to_vec(&first).unwrap();
    assert_eq!(Binary::from_slice::<Vec<Turn>>(&file).unwrap(), first);
}

#[test]
fn functions_that_request_one_name_with_other_types() {
    #[derive(Clone, Debug, Default, PartialEq)]
    struct Wide(u8, u64);
    impl Serialize for Wide {
        fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
            ar.serialize("wide", &mut self.0)?;
            if ar.is_loading() && self.0 == 0 {
                let mut short = 0_u16;
                ar.serialize("value", &mut short)?;
                self.1 = short.into();
                return Ok(());
            }
            ar.serialize("value", &mut self.1)
        }
    }
    archive_core::save_by_clone!(Wide);
    archive_core::blank!(Wide);
    let value = vec![Wide(1, 1 << 40), Wide(0, 300), Wide(1, 1 << 50), Wide(0, 7)];
    let file = Binary::to_vec(&value).unwrap();
    assert_eq!(Binary::from_slice::<Vec<Wide>>(&file).unwrap(), value);
    let file = Binary::to_vec(&vec![Wide(0, 300), Wide(0, 1 << 40)]).unwrap();
    let error = Binary::from_slice::<Vec<Wide>>(&file).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OutOfRange, "{error}");
}

#[test]
fn functions_that_request_invented_names() {
    #[derive(Clone, Debug, Default, PartialEq)]
    struct Asks(u8);
    impl Serialize for Asks {
        fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
            if ar.is_loading() {
                for i in 0..10_000 {
                    ar.serialize(&format!("made up {i}"), &mut 0_u8)?;
                }
            }
            ar.serialize("value", &mut self.0)
        }
    }
    archive_core::save_by_clone!(Asks);
    archive_core::blank!(Asks);
    let value = vec![Asks(1), Asks(2), Asks(3)];
    let file = Binary::to_vec(&value).unwrap();
    assert_eq!(Binary::from_slice::<Vec<Asks>>(&file).unwrap(), value);
}
