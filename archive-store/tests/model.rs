//! Random histories against a plain map.
