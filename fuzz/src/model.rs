//! The types that input is loaded as.

use archive::Serialize;

use crate::graph::{Graph, Node, Thing};
use crate::plain::{Kind, Plain, State};

/// All members at once.
#[derive(Default, Serialize)]
#[allow(missing_docs)] // the names say it
pub struct Rich {
    pub plain: Plain,
    pub graph: Graph,
}

/// An older program's version of [`Rich`]: other widths and kinds, another order, missing members
/// and removed ones.
#[derive(Default, Serialize)]
#[allow(missing_docs)] // the names say it
pub struct Old {
    pub graph: OldGraph,
    pub gone: Gone,
    pub plain: OldPlain,
}

/// See [`Old`].
#[derive(Default, Serialize)]
#[allow(missing_docs)] // the names say it
pub struct OldGraph {
    pub things: Vec<std::rc::Rc<std::cell::RefCell<dyn Thing>>>,
    pub nodes: Vec<std::rc::Rc<std::cell::RefCell<Node>>>,
}

/// Members that the program no longer has; one contains objects to which others refer.
#[derive(Default, Serialize)]
#[allow(missing_docs)] // the names say it
pub struct Gone {
    pub number: f64,
    pub list: Vec<Option<(u8, String)>>,
    pub states: Vec<State>,
    pub first: Option<std::rc::Rc<std::cell::RefCell<Node>>>,
}

/// See [`Old`].
#[derive(Default, Serialize)]
#[allow(missing_docs)] // the names say it
pub struct OldPlain {
    pub history: Vec<State>,
    pub txt: String,
    pub id: i64,
    pub position: Vec<f64>,
    pub option: u8,
    pub lives: f32,
    pub state: Fewer,
    pub numbers: OldNumbers,
    pub lists: OldLists,
    pub maps: OldMaps,
}

/// See [`Old`].
#[derive(Default, Serialize)]
#[archive(rename_all = "camelCase")]
#[allow(missing_docs)] // the names say it
pub struct OldNumbers {
    pub letter: String,
    pub signed: [i8; 5],
    pub unsigned: Vec<u16>,
    pub pointer_sized: (u8, f64),
}

/// See [`Old`].
#[derive(Default, Serialize)]
#[allow(missing_docs)] // the names say it
pub struct OldLists {
    pub wide: Vec<i8>,
    pub matrix: Vec<(i16, u8)>,
    pub set: Vec<u8>,
    pub pairs: Vec<(i64, Option<char>)>,
    pub bytes: [i16; 3],
    pub units: [(); 4],
}

/// See [`Old`].
#[derive(Default, Serialize)]
#[allow(missing_docs)] // the names say it
pub struct OldMaps {
    pub by_kind: Vec<(Kind, f32)>,
    pub by_number: Vec<(u8, Option<Option<u8>>)>,
}

/// See [`Old`].
#[derive(Default, Serialize)]
#[allow(missing_docs)] // the names say it
pub enum Fewer {
    #[default]
    Idle,
    Fleeing {
        speed: u8,
    },
    Attacking {
        target: u8,
    },
}
