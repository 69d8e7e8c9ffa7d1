//! Macros that add variables to a blob, and read them from it, under their own names.

/// Adds variables to an [`ObjectBlob`](crate::ObjectBlob) under their own names: `add!(blob,
/// truth)?`, or several, `add!(blob, truth, numbers)?`. Returns the [`Result`](std::result::Result)
/// of [`ObjectBlob::add`](crate::ObjectBlob::add).
#[macro_export]
macro_rules! add {
    ($blob:expr, $($name:ident),+ $(,)?) => {
        ::std::result::Result::<(), $crate::Error>::Ok(())
            $(.and_then(|()| $blob.add(stringify!($name), &$name)))+
    };
}

/// Sets variables to the values of an [`ObjectBlob`](crate::ObjectBlob) with their names:
/// `get!(blob, truth)?`, or several. Returns a [`Result`](std::result::Result); after an error, the
/// variables before the one that failed are set.
#[macro_export]
macro_rules! get {
    ($blob:expr, $($name:ident),+ $(,)?) => {
        ::std::result::Result::<(), $crate::Error>::Ok(())
            $(.and_then(|()| { $name = $blob.get(stringify!($name))?; ::std::result::Result::Ok(()) }))+
    };
}
