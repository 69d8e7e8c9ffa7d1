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
struct NoStruct {
    #[archive(base)]
    list: Vec<A>,
    #[archive(base)]
    boxed: Box<A>,
}

#[derive(Serialize, Default)]
struct Twice {
    #[archive(base)]
    a: A,
    #[archive(base)]
    b: B,
}

#[derive(Serialize, Default)]
struct Named {
    #[archive(base)]
    a: A,
    #[archive(rename = "A")]
    other: u8,
}

mod other {
    #[derive(archive::Serialize, Default)]
    pub struct Own {
        x: u8,
    }

    #[derive(archive::Serialize, Default)]
    #[archive(name = "other::Own")]
    pub struct Qualified {
        x: u8,
    }
}

#[derive(Serialize, Default)]
struct Own {
    #[archive(base)]
    own: other::Own,
}

#[derive(Serialize, Default)]
struct Derived {
    #[archive(base)]
    base: other::Qualified,
}

fn main() {}
