//! `SmolStr`: text.

use smol_str::SmolStr;

use super::text::Text;
use crate::model::error::Result;
use crate::model::shape::Meaning;

impl Text for SmolStr {
    const WHAT: &'static str = "text";
    const MEANING: Meaning = "";

    fn print(&self) -> Result<String> {
        Ok(self.to_string())
    }
    fn read(text: &str) -> Result<Self, String> {
        Ok(text.into())
    }
}
text!(SmolStr = SmolStr::default());
