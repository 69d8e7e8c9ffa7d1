//! What the attributes of `#[derive(Serialize)]` do, in every format.

#[path = "../common/mod.rs"]
mod common;
#[path = "every_format.rs"]
mod every_format;
