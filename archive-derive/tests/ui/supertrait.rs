trait Command {
    fn tick(&self);
}
archive::polymorphic!(dyn Command);
archive::polymorphic!(dyn Command + Send);

#[derive(archive::Serialize)]
struct Unit {
    orders: Vec<Box<dyn Command>>,
    shared: std::rc::Rc<std::cell::RefCell<dyn Command>>,
}

#[derive(Default, archive::Serialize)]
struct Stop;

impl Command for Stop {
    fn tick(&self) {}
}

fn main() {
    let mut registry = archive::Registry::new();
    archive::register!(registry, dyn Command { Stop }).unwrap();
    let _ = archive::json::from_str::<Unit>("{}");
}
