//! Files with named roots, in a format selected at run time.

use archive_core::backend::AnyBackend;
use archive_core::{Options, Reader, Result, Writer};

use crate::Format;
use crate::format::each;

impl Format {
    /// Begins a file with named roots, which may share objects. Values are saved through trait
    /// objects, as with [`erased`](archive_core::Archive::erased).
    ///
    /// ```
    /// use std::rc::Rc;
    ///
    /// use archive::{Archive, Format};
    ///
    /// let hero = Rc::new(String::from("Ann"));
    /// for format in Format::all() {
    ///     let mut writer = format.writer();
    ///     writer.serialize("level", &mut 3_u32)?;
    ///     writer.save("hero", &hero)?;
    ///     writer.save("units", &vec![hero.clone()])?;
    ///     let bytes = writer.finish()?;
    ///
    ///     let mut reader = format.reader(&bytes)?;
    ///     let units: Vec<Rc<String>> = reader.load("units")?;
    ///     let hero: Rc<String> = reader.load("hero")?;
    ///     assert!(Rc::ptr_eq(&hero, &units[0]));
    ///     assert_eq!(reader.load::<u32>("level")?, 3);
    ///     reader.finish()?;
    /// }
    /// # Ok::<(), archive::Error>(())
    /// ```
    pub fn writer(&self) -> Writer<'static> {
        self.writer_with(&Options::new())
    }

    /// As [`writer`](Format::writer), with options.
    pub fn writer_with<'o>(&self, options: &Options<'o>) -> Writer<'o> {
        Writer::with_any(self.any(), options)
    }

    /// Opens a file with named roots, which can be loaded in any order.
    ///
    /// # Errors
    /// An error if the input is not of this format.
    pub fn reader<'r>(
        &self,
        input: &'r (impl AsRef<[u8]> + ?Sized),
    ) -> Result<Reader<'r, 'static>> {
        self.reader_with(input, &Options::new())
    }

    /// As [`reader`](Format::reader), with options.
    pub fn reader_with<'r, 'o>(
        &self,
        input: &'r (impl AsRef<[u8]> + ?Sized),
        options: &Options<'o>,
    ) -> Result<Reader<'r, 'o>> {
        Reader::with_any(self.any(), input, options)
    }

    fn any(&self) -> &'static dyn AnyBackend {
        each!(self, F => archive_core::backend::erase::<F>(), custom => *custom)
    }
}
