//! A crate with the name `archive` cannot make the derive claim something false.

mod forged {
    pub mod __private {
        pub use archive::__private::*;
        pub use crate::forged_raw as __raw;

        pub mod raw {
            /// All values have the same layout in memory and in files.
            pub const fn is_whole(_: &[(usize, Option<usize>)], _: usize) -> bool {
                true
            }
        }
    }

    #[macro_export]
    macro_rules! forged_raw {
        ($($all:tt)*) => {
            Some($crate::forged::__private::Raw::new())
        };
    }
}

#[derive(archive::Serialize)]
#[archive(crate = crate::forged)]
struct Padded {
    flag: bool,
    text: Text,
}

/// Nor can the arguments of the macro.
struct Wrong {
    flag: bool,
    boxed: Box<u32>,
    number: u32,
}

impl archive::Serialize for Wrong {
    const RAW: Option<archive::__private::Raw<Self>> = archive::__private::__raw!(boxed: u32, number: u32);

    fn serialize<A: archive::Archive>(&mut self, ar: &mut A) -> archive::Result {
        ar.serialize("number", &mut self.number)
    }
}

fn main() {}

/// An alias, so that the derive does not see that its layout in memory differs from that in files.
type Text = String;
