//! serde's formats, held to the rules of the built-in ones: this package has tests only.
