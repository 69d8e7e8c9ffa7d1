use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use archive::Serialize;

#[derive(Serialize)]
struct Node {
    next: Box<Node>,
}

#[derive(Serialize)]
struct Pair(u8, Box<Self>);

#[derive(Serialize)]
struct List<T> {
    value: T,
    next: std::boxed::Box<List<T>>,
}

#[derive(Serialize)]
struct Shared {
    parts: (u8, [Rc<RefCell<Shared>>; 2]),
}

#[derive(Serialize)]
enum Inf {
    Node(Box<Inf>),
    Pair { left: Arc<Self>, right: u8 },
}

/// These end.
#[derive(Serialize, Default)]
struct Tree {
    next: Option<Box<Tree>>,
    children: Vec<Tree>,
}

#[derive(Serialize, Default)]
enum Chain {
    #[default]
    End,
    More(Box<Chain>),
}

#[derive(Serialize)]
enum Expr {
    Not(Box<Expr>),
    Both([Box<Expr>; 2]),
    List(Vec<Expr>),
}


fn main() {}
