//! The Bins format of archive: trees of named, typed, sized variables, packed in bins.
//!
//! A class writes itself into an [`Object`]: its plain data as variables, each under the class
//! that declares it, and the objects that it consists of as child objects. A packed object is one
//! range of bytes with a header, checksums, and a signature of its layout. Several packed objects,
//! one after another, are a [`Collection`]; if one of them is damaged, the others can still be
//! read. `docs/formats/bins.md` describes the layout byte by byte.
//!
//! # By hand
//!
//! ```
//! use archive::bins::Object;
//! use archive::Result;
//!
//! #[derive(Debug, Default, PartialEq)]
//! struct Triangle { corners: [[f32; 3]; 3], material: u16 }
//!
//! #[derive(Debug, Default, PartialEq)]
//! struct Mesh { name: String, triangles: Vec<Triangle> }
//!
//! impl Triangle {
//!     fn export(&self) -> Result<Object> {
//!         let mut object = Object::new("Triangle");
//!         for (name, corner) in ["a", "b", "c"].into_iter().zip(&self.corners) {
//!             object.export("Triangle", name, corner)?;
//!         }
//!         object.export("Triangle", "material", &self.material)?;
//!         Ok(object)
//!     }
//!
//!     fn import(object: &Object) -> Result<Self> {
//!         let corner = |name| object.get("Triangle", name);
//!         let corners = [corner("a")?, corner("b")?, corner("c")?];
//!         Ok(Triangle { corners, material: object.get("Triangle", "material")? })
//!     }
//! }
//!
//! impl Mesh {
//!     fn export(&self) -> Result<Object> {
//!         let mut triangles = Object::list("Vec<Triangle>");
//!         for triangle in &self.triangles {
//!             triangles.push(triangle.export()?)?;
//!         }
//!         let mut object = Object::new("Mesh");
//!         object.export("Mesh", "name", &self.name)?;
//!         object.add("triangles", triangles)?;
//!         Ok(object)
//!     }
//!
//!     fn import(object: &Object) -> Result<Self> {
//!         let triangles = object.child("triangles").into_iter().flat_map(|list| list.children());
//!         let triangles = triangles.map(Triangle::import).collect::<Result<_>>()?;
//!         Ok(Mesh { name: object.get("Mesh", "name")?, triangles })
//!     }
//! }
//!
//! let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
//! let mesh = Mesh { name: "sail".into(), triangles: vec![Triangle { corners, material: 7 }] };
//! let bytes = mesh.export()?.to_bytes()?;
//! assert_eq!(Mesh::import(&Object::from_bytes(&bytes)?)?, mesh);
//! # Ok::<(), archive::Error>(())
//! ```
//!
//! # By `Serialize`
//!
//! Any type with `Serialize` can be converted to an [`Object`] and back, whichever program
//! wrote the object; and [`Bins`] is a format like any other. The mesh from above, in the same
//! variables:
//!
//! ```
//! use archive::bins::{self, Object};
//! use archive::{Archive, Result, Serialize};
//!
//! #[derive(Clone, Debug, Default, PartialEq)]
//! struct Triangle { corners: [[f32; 3]; 3], material: u16 }
//!
//! #[derive(Clone, Debug, Default, PartialEq)]
//! struct Mesh { name: String, triangles: Vec<Triangle> }
//!
//! impl Serialize for Triangle {
//!     fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
//!         ar.serialize("a", &mut self.corners[0])?;
//!         ar.serialize("b", &mut self.corners[1])?;
//!         ar.serialize("c", &mut self.corners[2])?;
//!         ar.serialize("material", &mut self.material)
//!     }
//! }
//! archive::blank!(Triangle);
//!
//! impl Serialize for Mesh {
//!     fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
//!         ar.serialize("name", &mut self.name)?;
//!         ar.serialize("triangles", &mut self.triangles)
//!     }
//! }
//! archive::blank!(Mesh);
//!
//! let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
//! let mut mesh = Mesh { name: "sail".into(), triangles: vec![Triangle { corners, material: 7 }] };
//! let object = Object::of(&mut mesh)?;
//! let triangle = object.child("triangles").unwrap().children().next().unwrap();
//! assert_eq!(triangle.get::<[f32; 3]>("Triangle", "b")?, [1.0, 0.0, 0.0]);
//! assert_eq!(object.to::<Mesh>()?, mesh);
//!
//! let bytes = bins::to_vec(&mut mesh)?;
//! assert_eq!(bytes, object.to_bytes()?);
//! assert_eq!(bins::from_slice::<Mesh>(&bytes)?, mesh);
//! # Ok::<(), archive::Error>(())
//! ```

#[macro_use]
mod scalars;

mod backend;
mod bases;
mod build;
mod collection;
mod decoder;
mod document;
mod encoder;
mod file;
mod flat;
mod header;
mod object;
mod pack;
mod shapes;
mod signature;
mod spool;
mod storable;
mod tree;
mod types;
mod unpack;
mod variable;

pub use backend::*;
pub use collection::{Collection, Objects};
pub use decoder::{Decoder, hand_on};
pub use document::Document;
pub use encoder::Encoder;
pub use header::Header;
pub use object::{Form, Member, Object};
pub use signature::signature;
pub use spool::{Spool, SpoolEncoder};
pub use storable::{Plain, Storable};
pub use variable::Variable;
