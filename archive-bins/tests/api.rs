//! Bins objects by hand: variables, children, and what is refused.

use archive_bins::{Collection, Form, Header, Member, Object, Storable, Variable};
use archive_core::{ErrorKind, Options, Result};

/// A class and its two bases, each with a member `x`.
fn chain() -> Object {
    let mut object = Object::new("C");
    object.export("A", "x", &1_u8).unwrap();
    object.export("B", "x", &2_u32).unwrap();
    object.export("C", "x", &"three".to_owned()).unwrap();
    object
}

#[test]
fn members_of_bases_are_separate() {
    let bytes = chain().to_bytes().unwrap();
    let object = Object::from_bytes(&bytes).unwrap();
    assert_eq!(object, chain());
    assert_eq!(object.get::<u8>("A", "x").unwrap(), 1);
    assert_eq!(object.get::<u32>("B", "x").unwrap(), 2);
    assert_eq!(object.get::<String>("C", "x").unwrap(), "three");
    let names: Vec<String> = object.variables().map(Variable::to_string).collect();
    assert_eq!(names, ["A::x", "B::x", "C::x"]);
}

#[test]
fn type_and_size_are_checked_before_a_value_is_taken() {
    let object = chain();
    let mut x = 7.5_f32;
    let error = object.import("B", "x", &mut x).unwrap_err();
    assert_eq!((error.kind(), error.path()), (ErrorKind::WrongType, "B::x"));
    assert_eq!(error.to_string(), "B::x: expected type `f32`, found `u32`");
    assert_eq!(x, 7.5);

    let mut odd = Object::new("Odd");
    odd.insert(Variable::new("u32", "Odd", "short", vec![1, 2, 3])).unwrap();
    odd.insert(Variable::new("Vec<u16>", "Odd", "uneven", vec![1, 2, 3])).unwrap();
    odd.insert(Variable::new("bool", "Odd", "two", vec![2])).unwrap();
    odd.insert(Variable::new("char", "Odd", "surrogate", vec![0, 0xd8, 0, 0])).unwrap();
    odd.insert(Variable::new("String", "Odd", "text", vec![0xff])).unwrap();
    let mut value = 9_u32;
    let error = odd.import("Odd", "short", &mut value).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::WrongLength);
    assert_eq!(error.to_string(), "Odd::short: expected 4 bytes for type `u32`, found 3");
    assert_eq!(value, 9);
    let error = odd.get::<Vec<u16>>("Odd", "uneven").unwrap_err();
    assert_eq!(error.to_string(), "Odd::uneven: expected a multiple of 2 bytes, found 3");
    let error = odd.get::<bool>("Odd", "two").unwrap_err();
    assert_eq!(error.to_string(), "Odd::two: 2 is not a valid bool");
    let error = odd.get::<char>("Odd", "surrogate").unwrap_err();
    assert_eq!(error.to_string(), "Odd::surrogate: 55296 is not a valid char");
    let error = odd.get::<String>("Odd", "text").unwrap_err();
    assert!(error.to_string().starts_with("Odd::text: text is not UTF-8"), "{error}");
}

#[test]
fn missing_parts_are_named() {
    let error = chain().get::<u8>("D", "x").unwrap_err();
    assert_eq!((error.kind(), error.path()), (ErrorKind::MissingMember, "D::x"));
    let message = "`C` has no such variable; variables of that name: `A::x`, `B::x`, `C::x`";
    assert_eq!(error.message(), message);
    let error = chain().get::<u8>("A", "y").unwrap_err();
    assert_eq!(error.to_string(), "A::y: `C` has no such variable");
}

/// One value of every type that is a variable.
#[test]
fn every_type() {
    fn there_and_back<T: Storable + PartialEq + std::fmt::Debug>(
        value: T,
        name: &str,
        size: usize,
    ) {
        let mut object = Object::new("T");
        object.export("T", "value", &value).unwrap();
        let object = Object::from_bytes(&object.to_bytes().unwrap()).unwrap();
        let variable = object.variable("T", "value").unwrap();
        assert_eq!((variable.type_name(), variable.size()), (name, size));
        assert_eq!(variable.get::<T>().unwrap(), value);
    }
    there_and_back(u8::MAX, "u8", 1);
    there_and_back(u16::MAX, "u16", 2);
    there_and_back(u32::MAX, "u32", 4);
    there_and_back(u64::MAX, "u64", 8);
    there_and_back(u128::MAX, "u128", 16);
    there_and_back(i8::MIN, "i8", 1);
    there_and_back(i16::MIN, "i16", 2);
    there_and_back(i32::MIN, "i32", 4);
    there_and_back(i64::MIN, "i64", 8);
    there_and_back(i128::MIN, "i128", 16);
    there_and_back(usize::MAX, "u64", 8);
    there_and_back(isize::MIN, "i64", 8);
    there_and_back(-0.5_f32, "f32", 4);
    there_and_back(1e300_f64, "f64", 8);
    there_and_back(true, "bool", 1);
    there_and_back('🦀', "char", 4);
    there_and_back([1_u16, 2, 3], "[u16; 3]", 6);
    there_and_back([[1_u8; 2]; 3], "[[u8; 2]; 3]", 6);
    there_and_back((1_u8, -2_i32), "(u8, i32)", 5);
    there_and_back((1_u8,), "(u8,)", 1);
    there_and_back(
        (1_u8, 2_u8, 3_u8, 4_u8, 5_u8, 6_u8, 7_u8, (8_u8, [9_u8; 2])),
        "(u8, u8, u8, u8, u8, u8, u8, (u8, [u8; 2]))",
        10,
    );
    there_and_back("a\0é".to_owned(), "String", 4);
    there_and_back(String::new(), "String", 0);
    there_and_back(vec![1.5_f64, -2.5], "Vec<f64>", 16);
    there_and_back(vec![(1_u8, 'x')], "Vec<(u8, char)>", 5);
    there_and_back(Vec::<u8>::new(), "Vec<u8>", 0);
}

#[test]
fn names_are_stored_once() {
    let kind = |result: Result| result.unwrap_err().kind();
    let mut object = chain();
    assert_eq!(kind(object.export("A", "x", &1_u8)), ErrorKind::DuplicateMember);
    assert_eq!(kind(object.add("x", Object::new("X"))), ErrorKind::DuplicateMember);
    object.add("child", Object::new("X")).unwrap();
    assert_eq!(kind(object.add("child", Object::new("Y"))), ErrorKind::DuplicateMember);
    assert_eq!(kind(object.export("C", "child", &1_u8)), ErrorKind::DuplicateMember);
    object.export("A", "child", &1_u8).unwrap();
    assert_eq!(Object::from_bytes(&object.to_bytes().unwrap()).unwrap(), object);
}

#[test]
fn lists_have_items_and_objects_have_members() {
    let kind = |result: Result| result.unwrap_err().kind();
    let mut object = Object::new("Mesh");
    assert_eq!(kind(object.push(Object::new("Triangle"))), ErrorKind::Unsupported);
    assert_eq!(kind(object.push_value(&1)), ErrorKind::Unsupported);
    let mut list = Object::list("Vec<_>");
    assert_eq!(kind(list.export("Vec<_>", "x", &1)), ErrorKind::Unsupported);
    assert_eq!(kind(list.add("x", Object::new("X"))), ErrorKind::Unsupported);
    list.push_value(&1).unwrap();
    list.push(Object::new("Triangle").named("loses its name")).unwrap();
    list.push_value(&2.5).unwrap();
    let number = Object::of(&5_u8).unwrap();
    assert_eq!((number.form(), number.members().len()), (Form::Value, 1));
    list.push(number.clone()).unwrap();
    object.add("number", number).unwrap();
    assert_eq!(object.get::<u8>("Mesh", "number").unwrap(), 5);
    object.add("list", list).unwrap();
    let read = Object::from_bytes(&object.to_bytes().unwrap()).unwrap();
    assert_eq!(read, object);
    let items = read.child("list").unwrap().members();
    assert!(matches!(&items[1], Member::Child(child) if child.name().is_empty()));
    assert!(matches!(&items[2], Member::Variable(v) if v.get::<f64>().unwrap() == 2.5));
    assert!(matches!(&items[3], Member::Variable(v) if v.get::<u8>().unwrap() == 5));
}

#[test]
fn the_signature_identifies_the_layout() {
    fn unit(hp: i32, name: &str) -> Object {
        let mut unit = Object::new("Unit");
        unit.export("Unit", "hp", &hp).unwrap();
        unit.export("Base", "name", &name.to_owned()).unwrap();
        unit
    }
    let signature = |object: &Object| object.signature().unwrap();
    let same = signature(&unit(1, "Ann"));
    // Pinned: it must be the same in every program.
    assert_eq!(same, 0xab9e_1455_ef87_b5a6, "{same:#x}");
    assert_eq!(signature(&unit(-7, "somebody else")), same);
    assert_eq!(signature(&unit(1, "Ann").named("first")), same);
    assert_eq!(Header::read(&unit(1, "").to_bytes().unwrap()).unwrap().signature, same);
    let mut turned = Object::new("Unit");
    turned.export("Base", "name", &String::new()).unwrap();
    turned.export("Unit", "hp", &0_i32).unwrap();
    assert_eq!(signature(&turned), same, "the order of members does not matter");

    let mut others = vec![same];
    for (object, class, name, ty, size) in [
        ("Other", "Unit", "hp", "i32", 4),
        ("Unit", "Other", "hp", "i32", 4),
        ("Unit", "Unit", "hq", "i32", 4),
        ("Unit", "Unit", "hp", "u32", 4),
        ("Unit", "Unit", "hp", "Hp", 4),
        ("Unit", "Unit", "hp", "Hp", 5),
    ] {
        let mut unit = Object::new(object);
        unit.insert(Variable::new(ty, class, name, vec![0; size])).unwrap();
        unit.export("Base", "name", &String::new()).unwrap();
        others.push(signature(&unit));
    }
    let mut more = unit(1, "Ann");
    more.export("Unit", "mp", &1).unwrap();
    others.push(signature(&more));
    let mut child = unit(1, "Ann");
    child.add("pet", unit(1, "Rex")).unwrap();
    others.push(signature(&child));
    let mut list = unit(1, "Ann");
    list.add("pet", Object::list("Unit")).unwrap();
    others.push(signature(&list));
    let count = others.len();
    others.sort_unstable();
    others.dedup();
    assert_eq!(others.len(), count);

    // The number of equal items in a list does not matter.
    let herd = |count| {
        let mut herd = Object::list("Vec<Unit>");
        (0..count).for_each(|hp| herd.push(unit(hp, "sheep")).unwrap());
        signature(&herd)
    };
    assert_eq!(herd(1), herd(100));
    assert_ne!(herd(0), herd(1));
}

/// Trees of any depth are dropped, cloned, compared and printed; a tree that is too deep is not
/// saved.
#[test]
fn deep_trees() {
    let deep = |levels: usize| {
        let mut object = Object::new("Leaf");
        for _ in 0..levels {
            let mut parent = Object::new("Node");
            parent.add("next", object).unwrap();
            object = parent;
        }
        object
    };
    let tree = deep(100_000);
    let copy = tree.clone();
    assert!(tree == copy);
    assert!(tree != deep(99_999));
    assert!(format!("{tree:?}").starts_with("Node {\n  next: Node {\n    next: Node {"));
    let error = tree.to_bytes().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DepthLimit);
    assert!(error.message().contains("max_depth"), "{error}");
    let options = Options::new().max_depth(200_000);
    let bytes = tree.to_bytes_with(&options).unwrap();
    assert!(Object::from_bytes_with(&bytes, &options).unwrap() == tree);
    assert_eq!(Object::from_bytes(&bytes).unwrap_err().kind(), ErrorKind::DepthLimit);
    assert_eq!(Collection::from_bytes(&bytes).unwrap_err().kind(), ErrorKind::DepthLimit);
    let limit = deep(383);
    assert!(Object::from_bytes(&limit.to_bytes().unwrap()).unwrap() == limit);
    assert_eq!(deep(384).to_bytes().unwrap_err().kind(), ErrorKind::DepthLimit);
}

#[test]
fn printed_for_people() {
    let mut object = chain();
    object.add("list", Object::list("Vec<u8>")).unwrap();
    object.export("C", "long", &[7_u8; 20]).unwrap();
    let expected = "C {\n  A::x: u8 = 01\n  B::x: u32 = 02 00 00 00\n  \
         C::x: String = 74 68 72 65 65\n  list: Vec<u8> { // list\n  }\n  C::long: [u8; 20] = 07 07 \
         07 07 07 07 07 07 07 07 07 07 07 07 07 07 … 20 bytes\n}";
    assert_eq!(format!("{object:?}"), expected);
}
