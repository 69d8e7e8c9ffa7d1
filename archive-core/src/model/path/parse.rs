//! The parser of paths and patterns. They have one grammar; a path has no wildcards.

use std::iter::Peekable;
use std::str::CharIndices;

use super::{Name, Path, PatternStep, Step};
use crate::model::error::{Error, ErrorKind, Found, Position, Result, is_of_object, is_plain_char};

/// Parses a path.
pub(super) fn path(text: &str) -> Result<Path> {
    let mut steps = Vec::new();
    let mut parser = Parser::new(text);
    while let Some((at, step)) = parser.next_step()? {
        match step {
            PatternStep::Step(step) => steps.push(step),
            PatternStep::Any | PatternStep::Range(..) => {
                return Err(
                    parser.error(at, "a path names one place: `*` and ranges are for patterns")
                );
            }
        }
    }
    Ok(Path { steps })
}

/// Parses a pattern.
pub(super) fn pattern(text: &str) -> Result<Vec<PatternStep>> {
    let mut steps = Vec::new();
    let mut parser = Parser::new(text);
    while let Some((_, step)) = parser.next_step()? {
        steps.push(step);
    }
    Ok(steps)
}

struct Parser<'t> {
    text: &'t str,
    rest: Peekable<CharIndices<'t>>,
}

impl<'t> Parser<'t> {
    fn new(text: &'t str) -> Self {
        Parser { text, rest: text.char_indices().peekable() }
    }

    /// Returns the next character.
    fn peek(&mut self) -> Option<char> {
        self.rest.peek().map(|&(_, c)| c)
    }

    /// Returns the offset of the next character.
    fn at(&mut self) -> usize {
        self.rest.peek().map_or(self.text.len(), |&(at, _)| at)
    }

    #[cold]
    fn error(&self, at: usize, message: &str) -> Error {
        let message = format_args!("in the path {}: {message}", Found::Text(self.text));
        Error::new(ErrorKind::Syntax, message).at(Position::Offset(at as u64))
    }

    fn expect(&mut self, wanted: char, message: &str) -> Result {
        let at = self.at();
        match self.rest.next_if(|&(_, c)| c == wanted) {
            Some(_) => Ok(()),
            None => Err(self.error(at, message)),
        }
    }

    /// Returns the next step and its offset, or `None` at the end.
    fn next_step(&mut self) -> Result<Option<(usize, PatternStep)>> {
        let at = self.at();
        let step = match self.peek() {
            None => return Ok(None),
            Some('[') => self.brackets()?,
            Some('.') if at > 0 => {
                self.rest.next();
                self.name()?
            }
            Some(_) if at > 0 => return Err(self.error(at, "expected `.` or `[`")),
            Some(_) => self.name()?,
        };
        Ok(Some((at, step)))
    }

    /// Parses an unquoted name, or `*`.
    fn name(&mut self) -> Result<PatternStep> {
        let start = self.at();
        if self.rest.next_if(|&(_, c)| c == '*').is_some() {
            return Ok(PatternStep::Any);
        }
        while self.rest.next_if(|&(_, c)| is_plain_char(c)).is_some() {}
        let end = self.at();
        let name = &self.text[start..end];
        let is_whole = matches!(self.peek(), None | Some('.' | '['));
        if name.is_empty() && is_whole {
            return Err(self.error(start, "expected a name"));
        }
        if !is_whole {
            return Err(self.error(end, "a name with this character is quoted: `[\"…\"]`"));
        }
        if !is_of_object(name) {
            return Ok(PatternStep::Step(Step::Name(Name::new(name))));
        }
        let id = name[1..].parse().ok().filter(|_| start == 0);
        let id = id.ok_or_else(|| {
            self.error(start, "`$` and a number is an object of a file, and begins the path")
        })?;
        Ok(PatternStep::Step(Step::Object(id)))
    }

    /// Parses the content of brackets.
    fn brackets(&mut self) -> Result<PatternStep> {
        self.rest.next();
        let start = self.at();
        let step = match self.peek() {
            Some('"') => PatternStep::Step(Step::Name(self.quoted()?)),
            Some('*') => {
                self.rest.next();
                PatternStep::Any
            }
            _ => match (self.number()?, self.peek()) {
                (from, Some('.')) => {
                    self.rest.next();
                    self.expect('.', "expected `..`")?;
                    let to = self.number()?.unwrap_or(usize::MAX);
                    PatternStep::Range(from.unwrap_or(0), to)
                }
                (Some(index), _) => PatternStep::Step(Step::Index(index)),
                (None, _) => {
                    return Err(self.error(start, "expected an index or a name in quotes"));
                }
            },
        };
        self.expect(']', "expected `]`")?;
        Ok(step)
    }

    /// Parses a number, if there is one.
    fn number(&mut self) -> Result<Option<usize>> {
        let start = self.at();
        while self.rest.next_if(|(_, c)| c.is_ascii_digit()).is_some() {}
        let end = self.at();
        match &self.text[start..end] {
            "" => Ok(None),
            digits => match digits.parse() {
                Ok(index) => Ok(Some(index)),
                Err(_) => Err(self.error(start, "the index is too large")),
            },
        }
    }

    /// Parses a name in quotes, with the escapes of `{:?}`.
    fn quoted(&mut self) -> Result<Name> {
        self.rest.next();
        let mut name = String::new();
        loop {
            match self.rest.next() {
                Some((_, '"')) => return Ok(Name::new(&name)),
                Some((at, '\\')) => name.push(self.escape(at)?),
                Some((_, c)) => name.push(c),
                None => return Err(self.error(self.text.len(), "expected `\"`")),
            }
        }
    }

    fn escape(&mut self, at: usize) -> Result<char> {
        let c = match self.rest.next().map(|(_, c)| c) {
            Some('n') => Some('\n'),
            Some('r') => Some('\r'),
            Some('t') => Some('\t'),
            Some('0') => Some('\0'),
            Some(c @ ('"' | '\\' | '\'')) => Some(c),
            Some('u') => self.unicode()?,
            _ => None,
        };
        c.ok_or_else(|| self.error(at, "unknown escape"))
    }

    fn unicode(&mut self) -> Result<Option<char>> {
        self.expect('{', "expected `{`")?;
        let start = self.at();
        while self.rest.next_if(|(_, c)| c.is_ascii_hexdigit()).is_some() {}
        let end = self.at();
        self.expect('}', "expected `}`")?;
        let code = u32::from_str_radix(&self.text[start..end], 16).ok();
        Ok(code.and_then(char::from_u32))
    }
}
