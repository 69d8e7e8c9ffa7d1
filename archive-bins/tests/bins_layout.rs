//! The bytes that `docs/formats/bins.md` shows. They change only with the format's version.

use archive_bins::{self as bins, Header, Object};
use archive_core::{Archive, Result, Serialize};
use archive_test_support::dumps::{dump, hex};

const HEADER: usize = 56;

#[derive(Debug, Default, PartialEq)]
struct Triangle {
    corners: [[f32; 2]; 3],
    material: u16,
}

#[derive(Debug, Default, PartialEq)]
struct Mesh {
    name: String,
    triangles: Vec<Triangle>,
    closed: bool,
}

impl Serialize for Triangle {
    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        ar.serialize("corners", &mut self.corners)?;
        ar.serialize("material", &mut self.material)
    }
}
archive_core::blank!(Triangle);

impl Serialize for Mesh {
    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        ar.serialize("name", &mut self.name)?;
        ar.serialize("triangles", &mut self.triangles)?;
        ar.serialize("closed", &mut self.closed)
    }
}
archive_core::blank!(Mesh);

fn mesh() -> Mesh {
    let corners = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]];
    let triangles = vec![
        Triangle { corners, material: 7 },
        Triangle { corners: corners.map(|[x, y]| [x, -y]), material: 300 },
    ];
    Mesh { name: "sail".into(), triangles, closed: true }
}

/// The same object, built by hand.
fn by_hand() -> Result<Object> {
    let mut triangles = Object::list("Vec<Triangle>");
    for triangle in mesh().triangles {
        let mut object = Object::new("Triangle");
        object.export("Triangle", "corners", &triangle.corners)?;
        object.export("Triangle", "material", &triangle.material)?;
        triangles.push(object)?;
    }
    let mut object = Object::new("Mesh");
    object.export("Mesh", "name", &mesh().name)?;
    object.add("triangles", triangles)?;
    object.export("Mesh", "closed", &mesh().closed)?;
    Ok(object)
}

const PAGE: &str = include_str!("../../docs/formats/bins.md");

#[test]
fn as_documented() {
    let bytes = bins::to_vec(&mut mesh()).unwrap();
    assert_eq!(bytes, dump(PAGE, 0), "{}", hex(&bytes));
    // An object that was built by hand is signed by its tree; the rest is the same.
    let by_hand = by_hand().unwrap().to_bytes().unwrap();
    assert_eq!(by_hand[HEADER..], bytes[HEADER..]);
    let (by_hand, header) = (Header::read(&by_hand).unwrap(), Header::read(&bytes).unwrap());
    assert!(header.of_class && !by_hand.of_class);
    assert_eq!(by_hand.signature, 0x7d53_bab6_0a4a_1efd);
    assert_eq!(Some(header.signature), bins::signature::<Mesh>());
    assert_eq!(bins::from_slice::<Mesh>(&dump(PAGE, 0)).unwrap(), mesh());
}
