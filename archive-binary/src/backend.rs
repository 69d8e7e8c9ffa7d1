//! [`Binary`]: the format as a whole, and its entry points. [`fingerprint`](crate::fingerprint) and
//! [`bare`](crate::bare) have those of its other profiles.

use crate::container::MAGIC;

/// Defines a profile of the format: its [`Backend`](archive_core::Backend) with name, extensions
/// and detection by the first bytes.
macro_rules! profile {
    (
        $(#[$doc:meta])*
        $Backend:ident = $Profile:ident, $name:literal, [$($extension:literal),*], $detect:expr
    ) => {
        $crate::backend::profile!(
            $(#[$doc])*
            $Backend = $Profile, $name, [$($extension),*], $detect, $crate::fast_path::save_root, {}
        );
    };
    (
        $(#[$doc:meta])*
        $Backend:ident = $Profile:ident, $name:literal, [$($extension:literal),*], $detect:expr,
        $save_root:path, { $($method:item)* }
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default)]
        pub struct $Backend;

        impl archive_core::Backend for $Backend {
            const NAME: &'static str = $name;
            const EXTENSIONS: &'static [&'static str] = &[$($extension),*];

            const TYPED: bool = true;

            type Output = Vec<u8>;
            type Encoder<'w> = $crate::Encoder<'w>;
            type Decoder<'r> = $crate::Decoder<'r>;

            fn detect(start: &[u8]) -> bool {
                let detect: fn(&[u8]) -> bool = $detect;
                detect(start)
            }

            fn encoder<'w>(
                options: &archive_core::Options<'_>,
                sink: Option<archive_core::backend::Sink<'w>>,
            ) -> $crate::Encoder<'w> {
                let profile = $crate::container::Profile::$Profile;
                $crate::Encoder::for_profile(profile, Vec::new(), options).with_sink(sink)
            }

            fn encoder_in(
                buffer: Vec<u8>,
                options: &archive_core::Options<'_>,
            ) -> $crate::Encoder<'static> {
                let profile = $crate::container::Profile::$Profile;
                $crate::Encoder::for_profile(profile, buffer, options)
            }

            fn save_root<S: archive_core::Source>(
                encoder: &mut $crate::Encoder<'_>,
                value: S,
                options: &archive_core::Options<'_>,
            ) -> archive_core::Result {
                $save_root(encoder, value, options)
            }

            fn load_root<B: archive_core::Body>(
                decoder: &mut $crate::Decoder<'_>,
                shape: &'static archive_core::Shape,
                body: &mut B,
                session: &mut archive_core::Session,
                options: &archive_core::Options<'_>,
            ) -> archive_core::Result {
                $crate::fast_path::load_root(decoder, shape, body, session, options)
            }

            fn expand<'r>(
                input: &'r [u8],
                _: &archive_core::Options<'_>,
            ) -> archive_core::Result<std::borrow::Cow<'r, [u8]>> {
                match $crate::container::Profile::$Profile {
                    $crate::container::Profile::Embedded | $crate::container::Profile::Columns => {
                        $crate::columnar::to_rows(input)
                    }
                    _ => Ok(input.into()),
                }
            }

            $($method)*

            fn finish(encoder: $crate::Encoder<'_>) -> archive_core::Result<Vec<u8>> {
                encoder.finish()
            }

            fn decoder<'r>(
                input: &'r [u8],
                options: &archive_core::Options<'_>,
            ) -> archive_core::Result<$crate::Decoder<'r>> {
                let profile = $crate::container::Profile::$Profile;
                $crate::Decoder::for_profile(profile, input, options)
            }

            fn end(mut decoder: $crate::Decoder<'_>) -> archive_core::Result {
                decoder.end()
            }
        }

    };
}
pub(crate) use profile;

profile!(
    /// The binary format, as a [`Backend`](archive_core::Backend).
    ///
    /// [`to_writer`] writes the root while it is saved, in parts of 64 KiB or of the largest item,
    /// if the type of the root contains no pointers, trait objects, hand-written functions or
    /// self-describing values. A [`Value`](archive_core::Value) is also written in this way.
    /// Otherwise the data is kept in memory to the end, because parts of it may still be moved or
    /// added.
    ///
    /// A file is detected by the format's magic number.
    Binary = Embedded,
    "binary",
    ["bin", "arc"],
    |start| start.starts_with(&MAGIC)
);

archive_core::entry_points!(Binary);
