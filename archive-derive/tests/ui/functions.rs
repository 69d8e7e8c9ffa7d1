use archive::Serialize;

#[derive(Serialize)]
struct Button {
    label: String,
    pressed: fn(u32) -> bool,
    released: Option<Box<dyn Fn(u32) + Send>>,
    handlers: Vec<(String, std::rc::Rc<dyn FnMut()>)>,
    #[archive(skip)]
    cache: Option<Box<dyn Fn(u32)>>,
}

#[derive(Serialize)]
struct List<'a> {
    names: Vec<&'a str>,
}

fn main() {}
