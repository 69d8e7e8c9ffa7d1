//! The names of types, for people.

/// The full path of a type. A constant cannot hold [`std::any::type_name`] itself.
#[derive(Clone, Copy, Debug)]
pub enum NameOf {
    /// The name of a type: [`std::any::type_name`].
    Type(fn() -> &'static str),
    /// A fixed name.
    Data(&'static str),
}

impl NameOf {
    /// Returns the name.
    pub fn get(&self) -> &'static str {
        match self {
            NameOf::Type(name) => name(),
            NameOf::Data(name) => name,
        }
    }
}

/// Returns the last path segment of a type name, with its generic arguments unchanged.
pub(crate) fn short_name(full: &'static str) -> &'static str {
    let head = full.find(['<', '(', '[']).unwrap_or(full.len());
    match full[..head].rfind("::") {
        Some(at) => &full[at + 2..],
        None => full,
    }
}

/// Returns a type's name without spaces and paths, including those in its arguments: `Spawn<Orc>`.
#[doc(hidden)]
pub fn plain_name(full: &str) -> String {
    let mut out = String::new();
    let mut word = String::new();
    for c in full.chars() {
        match c {
            ':' => word.clear(),
            _ if c.is_alphanumeric() || c == '_' => word.push(c),
            ' ' => {}
            _ => {
                out.push_str(&word);
                word.clear();
                out.push(c);
            }
        }
    }
    out + &word
}
