use archive::blob::store::StoreObject;

fn main() {
    let target = 7_u32;
    let mut handle = StoreObject::new("Handle");
    handle.export("Handle", "target", &std::ptr::from_ref(&target)).unwrap();
    handle.export("Handle", "borrowed", &&target).unwrap();
}
