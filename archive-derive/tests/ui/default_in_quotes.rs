use archive::Serialize;

#[derive(Serialize)]
struct Unit {
    #[archive(default = "default_name")]
    name: String,
    #[archive(default = "crate::default_hp")]
    hp: u32,
    #[archive(default = "Vec::new()")]
    orders: Vec<u32>,
    // Not the name of a function: left to the compiler.
    #[archive(default = "Ann of the Hills")]
    title: String,
    // The value itself.
    #[archive(skip, default = "unit")]
    kind: &'static str,
}

#[derive(Serialize)]
#[archive(default = "Self::new")]
struct Rect {
    w: u16,
}

#[derive(Serialize)]
struct Called {
    #[archive(default = default_hp)]
    hp: u32,
}

fn default_name() -> String {
    "Ann".into()
}

fn default_hp() -> u32 {
    7
}

fn main() {}
