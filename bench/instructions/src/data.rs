//! The derives of the types of `bench` here, without rivals.

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
