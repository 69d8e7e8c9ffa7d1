//! Blank values of types that contain themselves through other types: they are finite if any value
//! is, and an error otherwise.
//!
//! Everything runs on threads with 2 MiB, the default of the standard library.

mod blank_macro;
mod blank_trait_objects;
mod types_without_values;
mod wide_enums;

use std::cell::{Cell, RefCell};
use std::pin::Pin;
use std::rc::Rc;
use std::sync::{Arc, Mutex};

use crate::common::{Format, forgives, forgiving, formats, keeps_going, round_trip};
use archive::{Archive, Blank, Element, ErrorKind, Options, Result, Save, Serialize, Value};

/// Runs on a thread of the usual size.
fn on_stack(run: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(2 << 20).spawn(run).unwrap().join().unwrap();
}

#[derive(Serialize, Debug, PartialEq, Clone)]
enum Expr {
    Call(Box<Call>),
    Block(Block),
    Both([Box<Call>; 2]),
    Pair((u8, Pin<Box<Call>>)),
    Shared(Rc<RefCell<Call>>),
    Bare(Arc<Call>),
    Choice(std::result::Result<Box<Call>, Rc<Call>>),
    Named { call: Box<[Call; 2]>, name: String },
    Lit(i32),
}

#[derive(Serialize, Debug, PartialEq, Clone)]
struct Call {
    target: Expr,
}

#[derive(Serialize, Debug, PartialEq, Clone)]
struct Block {
    #[archive(flatten)]
    head: Box<Call>,
    rest: Vec<Expr>,
}

fn call(target: Expr) -> Call {
    Call { target }
}

#[allow(clippy::arc_with_non_send_sync)] // the type of the variant
fn expressions() -> Vec<Expr> {
    let lit = || call(Expr::Lit(7));
    let all = vec![
        Expr::Lit(1),
        Expr::Call(Box::new(lit())),
        Expr::Block(Block { head: Box::new(lit()), rest: vec![Expr::Lit(2)] }),
        Expr::Both([Box::new(lit()), Box::new(call(Expr::Call(Box::new(lit()))))]),
        Expr::Pair((3, Box::pin(lit()))),
        Expr::Shared(Rc::new(RefCell::new(lit()))),
        Expr::Bare(Arc::new(lit())),
        Expr::Choice(Ok(Box::new(lit()))),
        Expr::Choice(Err(Rc::new(lit()))),
        Expr::Named { call: Box::new([lit(), lit()]), name: "both".to_owned() },
    ];
    let deep = all.iter().cloned().fold(Expr::Lit(0), |inner, _| Expr::Call(Box::new(call(inner))));
    [all, vec![deep]].concat()
}

#[test]
fn the_first_variant_that_ends_is_taken() {
    on_stack(|| {
        let options = Options::new();
        assert_eq!(Expr::blank(&options), Expr::Lit(0));
        assert_eq!(Expr::try_blank(&options).unwrap(), Expr::Lit(0));
        assert_eq!(Call::blank(&options), call(Expr::Lit(0)));
        let pair = <(Expr, Box<Call>)>::blank(&options);
        assert_eq!(pair, (Expr::Lit(0), Box::new(call(Expr::Lit(0)))));
    });
}

#[test]
fn saved_values_load() {
    on_stack(|| {
        for expr in expressions() {
            round_trip(&expr);
            round_trip(&call(expr.clone()));
        }
        round_trip(&expressions());
    });
}

#[test]
fn in_place_through_trees_and_with_reports() {
    on_stack(|| {
        let all = expressions();
        let options = Options::new().keep_going(true);
        for format in forgiving() {
            let bytes = format.to_vec(&all).unwrap();
            let tree: Value = format.from_slice(&bytes).unwrap();
            assert_eq!(tree.to::<Vec<Expr>>().unwrap(), all, "{format}");
            let (loaded, report) = format.from_slice_report::<Vec<Expr>>(&bytes, &options).unwrap();
            assert_eq!(loaded, all, "{format}: {report}");
            for old in expressions() {
                let mut value = call(old);
                for new in &all {
                    let new = call(new.clone());
                    let bytes = format.to_vec(&new).unwrap();
                    format.load_into(&mut value, &bytes).unwrap();
                    assert_eq!(value, new, "{format}");
                }
            }
        }
    });
}

/// Items of an array or a tuple that an error leaves out are blank.
#[test]
fn items_that_do_not_load_are_blank() {
    on_stack(|| {
        let options = Options::new().keep_going(true);
        for format in forgiving().into_iter().filter(|format| keeps_going(*format)) {
            let bytes = format.to_vec(&("no call".to_owned(), 7)).unwrap();
            let (loaded, report) =
                format.from_slice_report::<(Call, u8)>(&bytes, &options).unwrap();
            assert_eq!(loaded, (call(Expr::Lit(0)), 7), "{format}");
            assert_eq!(report.errors().len(), 1, "{format}: {report}");
        }
    });
}

/// Two enums that contain each other start with a finite variant, from either side.
#[derive(Serialize, Debug, PartialEq)]
enum Left {
    Right(Box<Right>),
    End(u8),
}
#[derive(Serialize, Debug, PartialEq)]
enum Right {
    Left(Box<Left>),
    End(String),
}

#[derive(Serialize, Debug, PartialEq)]
enum Tree<T> {
    Branch(Branch<T>),
    Leaf(T),
}
#[derive(Serialize, Debug, PartialEq)]
struct Branch<T> {
    left: Box<Tree<T>>,
    right: Box<Tree<T>>,
}

#[derive(Serialize, Debug, PartialEq)]
enum Marked {
    End,
    #[default]
    Node(Box<Inside>),
}
#[derive(Serialize, Debug, PartialEq)]
struct Inside {
    marked: Marked,
}

#[derive(Serialize, Debug, PartialEq)]
enum Twice {
    Both(Marked, Marked),
}
fn marked_in_marked() -> Marked {
    Marked::Node(Box::new(Inside { marked: Marked::End }))
}

#[derive(Serialize, Debug, PartialEq)]
#[archive(after_load = Script::loaded)]
enum Script {
    Run(Box<Step>),
    #[archive(other)]
    Other(String),
}
#[derive(Serialize, Debug, PartialEq)]
struct Step {
    script: Script,
    #[archive(skip)]
    after: Option<Box<Step>>,
    #[archive(default = Box::new(9))]
    times: Box<u8>,
}
impl Script {
    fn loaded(&mut self) {
        if let Script::Run(step) = self {
            *step.times += 1;
        }
    }
}

#[test]
fn each_kind_of_type() {
    on_stack(|| {
        let options = Options::new();
        assert_eq!(Left::blank(&options), Left::Right(Box::new(Right::End(String::new()))));
        assert_eq!(Right::blank(&options), Right::Left(Box::new(Left::End(0))));
        round_trip(&Left::Right(Box::new(Right::Left(Box::new(Left::End(3))))));

        let branch = Branch { left: Box::new(Tree::Leaf(1_u8)), right: Box::new(Tree::Leaf(2)) };
        assert_eq!(Tree::<u8>::blank(&options), Tree::Leaf(0));
        round_trip(&Tree::Branch(branch));

        // The marked variant is used if possible.
        let marked = marked_in_marked();
        assert_eq!(Marked::blank(&options), marked);
        round_trip(&marked);
        let twice = Twice::Both(Marked::End, marked);
        assert_eq!(Twice::blank(&options), Twice::Both(marked_in_marked(), marked_in_marked()));
        round_trip(&twice);

        assert_eq!(Script::blank(&options), Script::Other(String::new()));
        let step = Step { script: Script::Other("new".into()), after: None, times: Box::new(1) };
        for format in forgiving() {
            let bytes = format.to_vec(&Script::Run(Box::new(step.clone()))).unwrap();
            let loaded: Script = format.from_slice(&bytes).unwrap();
            let Script::Run(loaded) = loaded else { panic!("{format}: {loaded:?}") };
            assert_eq!(
                (loaded.script, *loaded.times),
                (Script::Other("new".into()), 2),
                "{format}"
            );
        }
    });
}

impl Clone for Step {
    fn clone(&self) -> Self {
        let Script::Other(name) = &self.script else { unreachable!() };
        let script = Script::Other(name.clone());
        Step { script, after: None, times: self.times.clone() }
    }
}

/// Hand-written, and cannot report an error.
#[derive(Clone, Debug, PartialEq)]
struct ByHand {
    expr: Box<Looped>,
}
impl Blank for ByHand {
    fn blank(options: &Options<'_>) -> Self {
        ByHand { expr: Blank::blank(options) }
    }
}
impl Serialize for ByHand {
    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        ar.serialize("expr", &mut self.expr)
    }
}
archive::save_by_clone!(ByHand);

/// As [`ByHand`], with errors.
#[derive(Clone, Debug, PartialEq)]
struct Trying {
    expr: Box<Looped>,
}
impl Blank for Trying {
    fn blank(options: &Options<'_>) -> Self {
        Self::try_blank(options).unwrap()
    }
    fn try_blank(options: &Options<'_>) -> Result<Self> {
        Ok(Trying { expr: Blank::try_blank(options)? })
    }
}
impl Serialize for Trying {
    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        ar.serialize("expr", &mut self.expr)
    }
}
archive::save_by_clone!(Trying);

#[derive(Serialize, Clone, Debug, PartialEq)]
enum Looped {
    Trying(Trying),
    ByHand(ByHand),
    More(Box<ByHand>),
    End,
}

#[test]
fn types_by_hand() {
    on_stack(|| {
        let end = || Box::new(Looped::End);
        round_trip(&Looped::ByHand(ByHand { expr: end() }));
        round_trip(&Looped::Trying(Trying { expr: end() }));
        round_trip(&Looped::More(Box::new(ByHand { expr: end() })));
        round_trip(&ByHand { expr: Box::new(Looped::Trying(Trying { expr: end() })) });
        // Nothing remains of the search.
        let options = Options::new();
        for _ in 0..3 {
            assert_eq!(Trying::blank(&options), Trying::blank(&Options::new()));
            assert_eq!(ByHand::blank(&options), ByHand::blank(&Options::new()));
        }
    });
}

/// One blank value is created for each object, also in a box.
#[test]
fn boxes_make_one_blank_for_each_object() {
    thread_local! {
        static MADE: Cell<usize> = const { Cell::new(0) };
    }

    struct Counted(u8);

    impl Blank for Counted {
        fn blank(_: &Options<'_>) -> Self {
            MADE.set(MADE.get() + 1);
            Counted(0)
        }
    }
    impl Serialize for Counted {
        fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
            ar.serialize("value", &mut self.0)
        }
    }
    impl Save for Counted {
        fn save<A: Archive>(&self, ar: &mut A) -> Result {
            ar.save("value", &self.0)
        }
    }

    #[derive(Default, Serialize)]
    struct Holder {
        one: Option<Box<Counted>>,
        #[expect(clippy::vec_box, reason = "boxes in lists are what is tested")]
        list: Vec<Box<Counted>>,
        deque: std::collections::VecDeque<Box<Counted>>,
    }

    let boxed = |value| Box::new(Counted(value));
    let saved = Holder { one: Some(boxed(1)), list: vec![boxed(2)], deque: [boxed(3)].into() };
    for format in archive::Format::all() {
        let bytes = format.to_vec(&saved).unwrap();
        MADE.set(0);
        let loaded: Holder = format.from_slice(&bytes).unwrap();
        assert_eq!(loaded.one.map(|it| it.0), Some(1), "{format}");
        assert_eq!((loaded.list[0].0, loaded.deque[0].0), (2, 3), "{format}");
        assert_eq!(MADE.get(), 3, "{format}");
    }
}
