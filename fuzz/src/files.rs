//! What must hold for bytes that are read as a file of its own kind, without a type.

use archive::blob::ObjectBlobList;
use archive::bins::{Collection, Object};

/// A list of blobs is saved as the bytes that it was loaded from.
pub fn blobs(data: &[u8]) {
    if let Ok(list) = ObjectBlobList::from_slice(data) {
        assert_eq!(list.to_vec().unwrap(), data);
    }
}

/// A packed object is saved as the bytes that it was loaded from, alone and in a collection, and a
/// damaged one costs none of those after it.
pub fn bins(data: &[u8]) {
    if let Ok(object) = Object::from_bytes(data) {
        assert_eq!(object.to_bytes().unwrap(), data);
        let mut file = data.to_vec();
        file.extend(data);
        let collection = Collection::from_bytes(&file).unwrap();
        assert_eq!(collection.to_bytes().unwrap(), file);
    }
    let _ = Collection::recover(data);
    let good = Object::new("Good").to_bytes().unwrap();
    let mut file = good.clone();
    file.extend(data);
    let (collection, _) = Collection::recover(&file);
    assert_eq!(collection.to_bytes().unwrap()[..good.len()], good);
}
