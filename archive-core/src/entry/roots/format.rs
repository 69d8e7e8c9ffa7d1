//! [`RootFormat`]: what a format provides for files with named roots.

use crate::__unless_erased;
use crate::entry::backend::{AnyBackend, AnyDecoder, AnyEncoder, Backend, Visited};
use crate::format::decoder::Decoder;
use crate::format::encoder::Encoder;
use crate::format::loading::Loading;
use crate::format::saving::Saving;
use crate::model::error::Result;
use crate::model::shape::Shape;
use crate::visit::archive::Archive;
use crate::visit::body::Body;
use crate::visit::erased::Erased;

/// A format of files with named roots: any [`Backend`], and `dyn AnyBackend` for a format selected
/// at run time.
pub trait RootFormat {
    /// Whether roots are saved and loaded through an erased archive.
    #[doc(hidden)]
    const ERASED: bool;
    /// Whether roots are saved through an erased archive.
    #[doc(hidden)]
    const SAVES_ERASED: bool;

    /// The result of a save.
    type Output;
    /// A file that is saved.
    type Saving;
    /// Its encoder.
    type Encoder<'e>: Encoder + ?Sized
    where
        Self: 'e;
    /// A file that is loaded.
    type Loading<'r>;
    /// Its decoder.
    type Decoder<'d, 'r: 'd>: Decoder + ?Sized
    where
        Self: 'd;

    #[doc(hidden)]
    fn encoder_of(file: &mut Self::Saving) -> &mut Self::Encoder<'_>;
    #[doc(hidden)]
    fn finish_file(file: Self::Saving) -> Result<Self::Output>;
    #[doc(hidden)]
    fn decoder_of<'d, 'r: 'd>(file: &'d mut Self::Loading<'r>) -> &'d mut Self::Decoder<'d, 'r>;
    #[doc(hidden)]
    fn end_file(file: Self::Loading<'_>) -> Result;

    #[doc(hidden)]
    fn save_root<B: Body>(
        mut ar: Saving<'_, Self::Encoder<'_>>,
        name: &str,
        shape: &'static Shape,
        body: &mut B,
    ) -> Result {
        let erased = |ar: &mut Erased<'_>| body.run(&mut ar.erased().saving());
        __unless_erased!(
            if Self::SAVES_ERASED {
                ar.named_root(name, shape, &mut { erased })
            } else {
                ar.slot(name, shape, body)
            },
            ar.named_root(name, shape, &mut { erased })
        )
    }
    #[doc(hidden)]
    fn load_root<B: Body>(
        mut ar: Loading<'_, Self::Decoder<'_, '_>>,
        name: &str,
        shape: &'static Shape,
        body: &mut B,
    ) -> Result {
        let erased = |ar: &mut Erased<'_>| body.run(&mut ar.erased().loading());
        __unless_erased!(
            if Self::ERASED {
                ar.named_root(name, shape, &mut Visited::<false>(&mut { erased }))
            } else {
                ar.named_root(name, shape, body)
            },
            ar.named_root(name, shape, &mut Visited::<false>(&mut { erased }))
        )
    }
}

impl<F: Backend> RootFormat for F {
    const ERASED: bool = !F::STATIC;
    const SAVES_ERASED: bool = !F::STATIC || F::TYPED;

    type Output = F::Output;
    type Saving = F::Encoder<'static>;
    type Encoder<'e> = F::Encoder<'static>;
    type Loading<'r> = F::Decoder<'r>;
    type Decoder<'d, 'r: 'd> = F::Decoder<'r>;

    fn encoder_of<'e>(file: &'e mut F::Encoder<'static>) -> &'e mut F::Encoder<'static> {
        file
    }
    fn finish_file(file: F::Encoder<'static>) -> Result<F::Output> {
        F::output(F::finish(file)?)
    }
    fn decoder_of<'d, 'r: 'd>(file: &'d mut F::Decoder<'r>) -> &'d mut F::Decoder<'r> {
        file
    }
    fn end_file(file: F::Decoder<'_>) -> Result {
        F::end(file)
    }
}

impl RootFormat for dyn AnyBackend {
    const ERASED: bool = true;
    const SAVES_ERASED: bool = true;

    type Output = Vec<u8>;
    type Saving = Box<dyn AnyEncoder>;
    type Encoder<'e> = dyn Encoder + 'e;
    type Loading<'r> = Box<dyn AnyDecoder + 'r>;
    type Decoder<'d, 'r: 'd> = dyn Decoder + 'd;

    fn encoder_of(file: &mut Box<dyn AnyEncoder>) -> &mut (dyn Encoder + '_) {
        file.encoder()
    }
    fn finish_file(file: Box<dyn AnyEncoder>) -> Result<Vec<u8>> {
        file.finish()
    }
    fn decoder_of<'d, 'r: 'd>(
        file: &'d mut Box<dyn AnyDecoder + 'r>,
    ) -> &'d mut (dyn Decoder + 'd) {
        file.decoder()
    }
    fn end_file(file: Box<dyn AnyDecoder + '_>) -> Result {
        file.end()
    }
}
