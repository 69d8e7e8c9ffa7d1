//! Variables that go into a blob and come out of it under their own names.

/// Adds variables to an [`ObjectBlob`](crate::ObjectBlob) under their own names: `add!(blob, truth)?`, or several,
/// `add!(blob, truth, numbers)?`. The answer is the [`Result`](std::result::Result) of
/// [`ObjectBlob::add`](crate::ObjectBlob::add).
#[macro_export]
macro_rules! add {
    ($blob:expr, $($name:ident),+ $(,)?) => {
        ::std::result::Result::<(), $crate::Error>::Ok(())
            $(.and_then(|()| $blob.add(stringify!($name), &$name)))+
    };
}

/// Sets variables to what an [`ObjectBlob`](crate::ObjectBlob) has under their names: `get!(blob, truth)?`, or several.
/// The answer is a [`Result`](std::result::Result); after an error, variables before the one that failed are set.
#[macro_export]
macro_rules! get {
    ($blob:expr, $($name:ident),+ $(,)?) => {
        ::std::result::Result::<(), $crate::Error>::Ok(())
            $(.and_then(|()| { $name = $blob.get(stringify!($name))?; ::std::result::Result::Ok(()) }))+
    };
}
