//! `data!`: the derives of all contestants, in one place.

/// Puts the derives of every contestant onto each of the types.
macro_rules! data {
    ($($item:item)*) => {
        $(
            $crate::data::choices! {
                #[cfg_attr(feature = "bincode", derive(bincode::Encode, bincode::Decode))]
                $item
            }
        )*
    };
}

/// The same without `bincode`: to join a rival, its derives are added here. An enum whose variants
/// have data takes this and those of `bincode`, whose generated code does not find the names of members
/// when another macro asked for it.
macro_rules! choices {
    ($($item:item)*) => {
        $(
            #[derive(Clone, Debug, PartialEq, archive::Serialize, serde::Serialize, serde::Deserialize)]
            #[cfg_attr(feature = "bitcode", derive(bitcode::Encode, bitcode::Decode))]
            #[cfg_attr(feature = "borsh", derive(borsh::BorshSerialize, borsh::BorshDeserialize))]
            #[cfg_attr(feature = "nanoserde", derive(nanoserde::DeJson, nanoserde::SerJson))]
            #[cfg_attr(feature = "rkyv", derive(rkyv::Archive, rkyv::Serialize, rkyv::Deserialize))]
            #[cfg_attr(feature = "savefile", derive(savefile_derive::Savefile))]
            #[cfg_attr(feature = "speedy", derive(speedy::Readable, speedy::Writable))]
            #[cfg_attr(feature = "wincode", derive(wincode::SchemaRead, wincode::SchemaWrite))]
            $item
        )*
    };
}

pub(crate) use {choices, data};
