//! What engines build reflection systems for, out of the one `serialize` function of a type.
