//! What loads promise of the values they leave: checked, from blank where that is promised, and nothing
//! lost in silence.

mod elements;
mod guarded;
mod model;
mod over;
mod random;
mod silence;
