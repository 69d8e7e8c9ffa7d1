//! What loads promise of the values they leave: checked, from blank where that is promised, and nothing
//! lost in silence.

#[path = "every_format.rs"]
mod every_format;
mod numbers;
