use archive::bins::Object;

fn main() {
    let target = 7_u32;
    let mut handle = Object::new("Handle");
    handle.export("Handle", "target", &std::ptr::from_ref(&target)).unwrap();
    handle.export("Handle", "borrowed", &&target).unwrap();
}
