//! What the types of `bench` derive here: no rivals.

/// Puts the derives onto each of the types.
macro_rules! data {
    ($($item:item)*) => {
        $(
            #[derive(Clone, Debug, PartialEq, archive::Serialize)]
            $item
        )*
    };
}

pub(crate) use data;
