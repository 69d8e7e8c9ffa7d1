//! The JSON Schemas of types, checked by a validator: this package has tests only.
