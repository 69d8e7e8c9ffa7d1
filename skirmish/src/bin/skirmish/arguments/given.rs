//! Options and their values.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::str::FromStr;

/// The rest of the command line.
pub struct Given {
    /// The arguments that were not parsed yet.
    pub arguments: VecDeque<OsString>,
}

impl Given {
    /// Takes an option without a value. Returns whether it was given.
    pub fn flag(&mut self, name: &str) -> bool {
        let before = self.arguments.len();
        self.arguments.retain(|argument| argument != name);
        self.arguments.len() < before
    }

    /// Takes the value of an option: `--name value` or `--name=value`.
    pub fn value(&mut self, name: &str) -> Result<Option<OsString>, String> {
        let mut found = None;
        let mut index = 0;
        while index < self.arguments.len() {
            let argument = &self.arguments[index];
            let value =
                argument.to_str().and_then(|text| text.strip_prefix(name)?.strip_prefix('='));
            let value = value.map(OsString::from);
            if value.is_none() && argument != name {
                index += if is_option(argument) { 2 } else { 1 };
                continue;
            }
            self.arguments.remove(index);
            let value = match value {
                Some(value) => Some(value),
                None => self.arguments.remove(index),
            };
            let value = value.filter(|value| !value.is_empty() && !is_option(value));
            let value = value.ok_or_else(|| format!("{name} needs a value"))?;
            if found.replace(value).is_some() {
                return Err(format!("{name} is given twice"));
            }
        }
        Ok(found)
    }

    /// Takes the value of an option that is a number in a range.
    pub fn number<T>(
        &mut self,
        name: &str,
        range: std::ops::RangeInclusive<T>,
    ) -> Result<Option<T>, String>
    where
        T: FromStr + PartialOrd + std::fmt::Display,
    {
        let Some(text) = self.value(name)? else { return Ok(None) };
        let number = text.to_str().and_then(|text| text.parse().ok());
        let number = number.filter(|number| range.contains(number)).ok_or_else(|| {
            let (from, to) = (range.start(), range.end());
            format!(
                "{name} needs a number from {from} to {to}, not {:?}",
                text.display().to_string()
            )
        })?;
        Ok(Some(number))
    }
}

/// Whether an argument is an option whose value is the next argument.
fn is_option(argument: &OsString) -> bool {
    argument.to_str().is_some_and(|text| text.starts_with("--") && !text.contains('='))
}
