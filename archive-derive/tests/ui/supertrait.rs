trait Command {
    fn tick(&self);
}
archive::polymorphic!(dyn Command);
archive::polymorphic!(dyn Command + Send);

fn main() {}
