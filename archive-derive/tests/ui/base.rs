use archive::Serialize;

#[derive(Serialize, Default)]
struct A {
    x: u8,
}

#[derive(Serialize, Default)]
struct B {
    #[archive(base)]
    a: A,
}

#[derive(Serialize, Default)]
struct Pair(#[archive(base)] A, u8);

#[derive(Serialize, Default)]
struct Excluded {
    #[archive(base, skip)]
    skipped: A,
    #[archive(base, flatten)]
    flattened: A,
    #[archive(base, rename = "Other")]
    renamed: A,
    #[archive(base, bytes)]
    bytes: A,
}

#[derive(Serialize, Default)]
#[archive(transparent)]
struct Inner {
    #[archive(base)]
    a: A,
}

#[derive(Serialize, Default)]
enum Choice {
    #[default]
    Nothing,
    Something {
        #[archive(base)]
        a: A,
    },
}

fn main() {}
