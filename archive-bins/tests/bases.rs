//! Base classes: their variables are in the object of the class itself, qualified.

use archive_bins::{self as bins, Form, Object};
use archive_core::{self as archive, Archive, Error, ErrorKind, Options, Serialize, Value};
use archive_derive::Serialize;

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[archive(crate = archive_core)]
struct A {
    m_i: i32,
    list: Vec<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[archive(crate = archive_core, version = 2)]
struct B {
    #[archive(base)]
    a: A,
    m_i: i32,
    list: Vec<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[archive(crate = archive_core)]
struct C {
    m_i: i32,
    #[archive(base)]
    b: B,
    list: Vec<String>,
    #[archive(base)]
    mixin: Empty,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[archive(crate = archive_core)]
struct Empty {}

fn c() -> C {
    let list = |text: &str| vec![text.to_owned()];
    let a = A { m_i: 1, list: list("a") };
    C { m_i: 3, b: B { a, m_i: 2, list: list("b") }, list: list("c"), mixin: Empty {} }
}

#[test]
fn variables_of_bases_are_in_the_same_object() {
    let object = Object::of(&c()).unwrap();
    let names: Vec<String> = object.variables().map(ToString::to_string).collect();
    assert_eq!(names, ["C::m_i", "B::$version", "A::m_i", "B::m_i"]);
    for (class, value) in [("A", 1), ("B", 2), ("C", 3)] {
        assert_eq!(object.get::<i32>(class, "m_i").unwrap(), value);
    }
    let children: Vec<_> = object.children().map(Object::name).collect();
    assert_eq!(children, ["A::list", "B::list", "list"]);
    assert!(object.bases().eq([("C", "B"), ("B", "A"), ("C", "Empty")]));

    assert_eq!(object.to::<C>().unwrap(), c());
    let bytes = bins::to_vec(&c()).unwrap();
    assert_eq!(bins::from_slice::<C>(&bytes).unwrap(), c());
    let strict = Options::new().strict(true).complete(true);
    assert_eq!(bins::from_slice_with::<C>(&bytes, &strict).unwrap(), c());
    let (_, report) = bins::from_slice_report::<C>(&bytes, &Options::new()).unwrap();
    assert!(report.is_empty(), "{report}");
    let read = Object::from_bytes(&bytes).unwrap();
    assert_eq!(read, object);
    assert_eq!(read.to_bytes().unwrap(), bytes);
    // Written once; must always load.
    if std::env::var_os("UPDATE_GOLDEN").is_none() {
        assert_eq!(bytes, std::fs::read("tests/golden/bases.v2.bins").unwrap());
    } else {
        std::fs::write("tests/golden/bases.v2.bins", &bytes).unwrap();
    }
    // In a list, and as a member.
    assert_eq!(
        bins::from_slice::<Vec<C>>(&bins::to_vec(&vec![c(), c()]).unwrap()).unwrap()[1],
        c()
    );
    // Through a tree, in which a base is a member.
    let tree: Value = object.to().unwrap();
    assert_eq!(tree.get("B").unwrap().get("A").unwrap().get("m_i").unwrap().as_i64(), Some(1));
    let again = Object::of(&tree).unwrap();
    assert_eq!(again.bases().count(), 0);
    assert_eq!(again.to::<C>().unwrap(), c());
}

/// A chain as the original writes it: nothing shows which class a base belongs to.
#[test]
fn a_hand_written_chain() {
    let mut object = Object::new("C");
    object.export("A", "m_i", &1).unwrap();
    object.save("A::list", &vec!["a".to_owned()]).unwrap();
    object.export("B", "m_i", &2).unwrap();
    object.save("B::list", &vec!["b".to_owned()]).unwrap();
    object.export("C", "m_i", &3).unwrap();
    object.save("list", &vec!["c".to_owned()]).unwrap();
    assert_eq!(object.to::<C>().unwrap(), c());
    let bytes = object.to_bytes().unwrap();
    let strict = Options::new().strict(true);
    assert_eq!(bins::from_slice_with::<C>(&bytes, &strict).unwrap(), c());
    let (_, report) = bins::from_slice_report::<C>(&bytes, &Options::new()).unwrap();
    assert!(report.absent().eq(["Empty"]), "{report}");
    assert_eq!(report.notes().len(), 1, "{report}");
    // In any order, and with a base in between that has no variables.
    let mut object = Object::new("C");
    object.export("C", "m_i", &3).unwrap();
    object.export("A", "m_i", &1).unwrap();
    let (found, report) =
        bins::from_slice_report::<C>(&object.to_bytes().unwrap(), &Options::new()).unwrap();
    assert_eq!((found.m_i, found.b.a.m_i), (3, 1));
    assert!(report.absent().eq(["B.A.list", "B.m_i", "B.list", "list", "Empty"]), "{report}");
    assert_eq!(report.unknown().count(), 0, "{report}");
    // A base that the type lacks.
    object.export("Z", "z", &3).unwrap();
    let (_, report) =
        bins::from_slice_report::<C>(&object.to_bytes().unwrap(), &Options::new()).unwrap();
    assert!(report.unknown().eq(["Z"]), "{report}");
    // An ordinary child object is not one of the bases.
    let mut object = Object::new("C");
    object.save("B", &B::default()).unwrap();
    object.save("A", &A { m_i: 5, list: Vec::new() }).unwrap();
    assert_eq!(object.to::<C>().unwrap().b.a.m_i, 0);
    // Written by a hand-written function.
    let mut object = Object::new("ByHand");
    object.export("A", "m_i", &1).unwrap();
    object.export("Between", "m_i", &2).unwrap();
    let loaded: ByHand = object.to().unwrap();
    assert_eq!((loaded.0.0.m_i, loaded.0.1), (1, 2));
}

#[derive(Clone, Debug, Default)]
struct ByHand(Between);

#[derive(Clone, Debug, Default)]
struct Between(A, i32);

impl Serialize for ByHand {
    fn serialize<R: Archive>(&mut self, ar: &mut R) -> archive::Result {
        ar.serialize("Between", &mut self.0)
    }
}
archive::blank!(ByHand);

impl Serialize for Between {
    fn serialize<R: Archive>(&mut self, ar: &mut R) -> archive::Result {
        ar.serialize("A", &mut self.0)?;
        ar.serialize("m_i", &mut self.1)
    }
}
archive::blank!(Between);

/// A base that is declared by hand is the object of the value, and also loads as a tree.
#[test]
fn bases_declared_by_hand() {
    let mut object = Object::new("C");
    object.export("C", "m_i", &3).unwrap();
    object.declare_base("C", "B").unwrap();
    object.export("B", "$version", &2_u32).unwrap();
    object.declare_base("B", "A").unwrap();
    object.export("A", "m_i", &1).unwrap();
    object.save("A::list", &vec!["a".to_owned()]).unwrap();
    object.export("B", "m_i", &2).unwrap();
    object.save("B::list", &vec!["b".to_owned()]).unwrap();
    object.save("list", &vec!["c".to_owned()]).unwrap();
    object.declare_base("C", "Empty").unwrap();
    assert_eq!(object, Object::of(&c()).unwrap());
    assert_eq!(object.declare_base("C", "A").unwrap_err().kind(), ErrorKind::DuplicateMember);
    let list = Object::list("C").declare_base("C", "A").unwrap_err();
    assert_eq!(list.kind(), ErrorKind::Unsupported);
    assert_eq!(object.form(), Form::Object);
}

/// Declarations that contradict each other.
#[test]
fn refused_declarations() {
    let refused = |make: &dyn Fn(&mut Object) -> archive::Result, kind| {
        let mut object = Object::new("C");
        make(&mut object).unwrap();
        let errors: [Error; 2] = [
            object.to::<Value>().unwrap_err(),
            bins::from_slice::<Value>(&object.to_bytes().unwrap()).unwrap_err(),
        ];
        for error in &errors {
            assert_eq!(error.kind(), kind, "{error}");
        }
        assert!(errors[1].position().is_some(), "{}", errors[1]);
    };
    let declare = |class: &str, base: &str| bins::Variable::new("$base", class, base, Vec::new());
    // Bases that contain each other or themselves.
    refused(
        &|c| c.declare_base("A", "B").and_then(|()| c.declare_base("B", "A")),
        ErrorKind::Syntax,
    );
    refused(&|c| c.declare_base("A", "A"), ErrorKind::Syntax);
    refused(&|c| c.declare_base("C", "C"), ErrorKind::Syntax);
    // Twice.
    refused(
        &|c| c.insert(declare("A", "B")).and_then(|()| c.insert(declare("C", "B"))),
        ErrorKind::DuplicateMember,
    );
    // As a child too.
    let mut both = Object::new("C");
    both.declare_base("C", "A").unwrap();
    let error = both.add("A", Object::new("A")).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DuplicateMember);
    assert_eq!(both.export("C", "A", &1_u8).unwrap_err().kind(), ErrorKind::DuplicateMember);
    refused(&|c| c.insert(bins::Variable::new("$base", "C", "A", vec![1])), ErrorKind::Syntax);
}

/// One class twice, which the derive cannot detect through a flattened type with a hand-written
/// function.
#[test]
fn one_base_twice() {
    #[derive(Debug, Default, Serialize)]
    #[archive(crate = archive_core)]
    struct Twice {
        #[archive(base)]
        a: A,
        #[archive(flatten)]
        hand: Hand,
    }
    #[derive(Clone, Debug, Default)]
    struct Hand(B);
    impl Serialize for Hand {
        fn serialize<R: Archive>(&mut self, ar: &mut R) -> archive::Result {
            self.0.serialize(ar)
        }
    }
    archive::save_by_clone!(Hand);
    archive::blank!(Hand);
    let error = Object::of(&mut Twice::default()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DuplicateMember, "{error}");

    // A child that has the name of a child of a base.
    #[derive(Debug, Default, Serialize)]
    #[archive(crate = archive_core)]
    struct Named {
        #[archive(base)]
        a: A,
        #[archive(rename = "A::other")]
        other: Vec<String>,
        #[archive(rename = "B::other")]
        fine: Vec<String>,
    }
    let error = Object::of(&Named::default()).unwrap_err();
    assert_eq!((error.kind(), error.path()), (ErrorKind::Unsupported, "A::other"));
}

/// A name with `::` has no special meaning if no base has it.
#[test]
fn names_of_children_without_bases() {
    let map = std::collections::BTreeMap::from([
        ("A::x".to_owned(), vec!["1".to_owned()]),
        ("::".to_owned(), vec![]),
    ]);
    #[derive(Debug, Default, PartialEq, Serialize)]
    #[archive(crate = archive_core)]
    struct Holder {
        #[archive(as_object)]
        map: std::collections::BTreeMap<String, Vec<String>>,
        #[archive(base)]
        a: A,
    }
    let holder = Holder { map, a: A { m_i: 1, list: vec!["x".into()] } };
    let bytes = bins::to_vec(&holder).unwrap();
    assert_eq!(bins::from_slice::<Holder>(&bytes).unwrap(), holder);
    let tree: Value = bins::from_slice(&bytes).unwrap();
    assert_eq!(tree.to::<Holder>().unwrap(), holder);
}
