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

fn main() {}
