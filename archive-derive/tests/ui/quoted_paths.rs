use archive::Serialize;

#[derive(Serialize)]
#[archive(after_load = "Self::finish")]
struct Unit {
    #[archive(with = "seconds")]
    time: f32,
}

impl Unit {
    fn finish(&mut self) {}
}

fn main() {}
