//! `String` and `str`.

use crate::model::error::Result;
use crate::model::scalar::Scalar;
use crate::model::shape::{About, Primitive, Shape};
use crate::state::options::Options;
use crate::visit::archive::Archive;
use crate::visit::blank::Blank;
use crate::visit::restore::or_blank;
use crate::visit::serialize::bodies::{Fill, Takes, columns};
use crate::visit::serialize::{Save, Serialize};
use crate::visit::session::Session;

const TEXT: &Shape = &Shape::Primitive(Primitive::Str, "");

impl Serialize for String {
    const SHAPE: &'static Shape = TEXT;
    const OVERWRITES: bool = true;

    #[inline]
    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        ar.scalar(Scalar::String(self))
    }
    #[inline]
    fn load_item<A: Archive>(&mut self, ar: &mut A) -> Result {
        let result = self.serialize(ar);
        or_blank(self, result, ar)
    }
    #[inline]
    fn taker<'c, 'r, F: Fill + 'c>(
        from: Takes<'c, 'r, F>,
    ) -> Option<(impl FnMut() -> Self, Takes<'c, 'r, F>)>
    where
        Self: 'c,
    {
        let (column, from) = from.column()?;
        from.with(
            #[inline(always)]
            move || column.string(),
        )
    }
}

impl Save for String {
    #[inline]
    fn save<A: Archive>(&self, ar: &mut A) -> Result {
        ar.scalar(Scalar::Str(self))
    }
    #[inline]
    fn save_group<A: Archive>(group: &[&Self], ar: &mut A) -> Result {
        Self::save_part(group, |text| text, ar)
    }
    #[inline]
    fn save_part<S, A: Archive>(group: &[&S], part: impl Fn(&S) -> &Self, ar: &mut A) -> Result {
        columns(ar)?.texts(group.iter().map(|value| part(value).as_bytes()));
        Ok(())
    }
}

impl Blank for String {
    #[inline]
    fn blank(_: &Options<'_>) -> Self {
        String::new()
    }
    const EQUAL_IS_SAME: bool = true;

    #[inline]
    fn load_spare<A: Archive>(ar: &mut A) -> Result<Self> {
        let mut text = ar.session_mut().spare.text();
        text.value(ar).map(|()| text)
    }
    #[inline]
    fn spare(self, session: &mut Session) {
        session.spare.keep_text(self);
    }
    /// In place: the memory is reused.
    #[inline]
    fn load_over<A: Archive>(&mut self, ar: &mut A) -> Result {
        self.value(ar)
    }
}

/// For saving text through a slice; loading needs a `String`.
impl Serialize for str {
    const SHAPE: &'static Shape = TEXT;
    const ABOUT: &'static About = &About::named("str");

    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        ar.scalar(Scalar::Str(self))
    }
}

impl Save for str {
    fn save<A: Archive>(&self, ar: &mut A) -> Result {
        ar.scalar(Scalar::Str(self))
    }
}
