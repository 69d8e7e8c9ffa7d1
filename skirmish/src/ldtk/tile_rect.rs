//! A rectangle of a tileset, and a colour: small values found in many places.

use archive::{Archive, Serialize};

/// A rectangle of a tileset's image, in pixels.
#[derive(Debug, Default, Clone, PartialEq)]
pub struct TileRect {
    /// The tileset; null where it is that of the owner of the tile, or was removed.
    pub tileset_uid: Option<i32>,
    /// Its left edge.
    pub x: i32,
    /// Its top edge.
    pub y: i32,
    /// Its width.
    pub w: i32,
    /// Its height.
    pub h: i32,
}

/// By hand, because before 1.0 the rectangle was one member: `"srcRect": [x, y, w, h]`.
impl Serialize for TileRect {
    fn serialize<A: Archive>(&mut self, ar: &mut A) -> archive::Result {
        ar.serialize("tilesetUid", &mut self.tileset_uid)?;
        if ar.is_loading() {
            let mut rect: Option<[i32; 4]> = None;
            ar.serialize("srcRect", &mut rect)?;
            if let Some(rect) = rect {
                [self.x, self.y, self.w, self.h] = rect;
                return Ok(());
            }
        }
        ar.serialize("x", &mut self.x)?;
        ar.serialize("y", &mut self.y)?;
        ar.serialize("w", &mut self.w)?;
        ar.serialize("h", &mut self.h)
    }
}

archive::save_by_clone!(TileRect);
archive::blank!(TileRect);

/// A colour as text: `#RRGGBB`.
#[derive(Debug, Default, Clone, PartialEq, Serialize)]
#[archive(transparent)]
pub struct Color(pub String);

impl Color {
    /// Its red, green and blue, or `None` if it is not a colour.
    pub fn rgb(&self) -> Option<[u8; 3]> {
        let digits = self.0.strip_prefix('#').filter(|digits| digits.len() == 6)?;
        let number = u32::from_str_radix(digits, 16).ok()?;
        let [_, red, green, blue] = number.to_be_bytes();
        Some([red, green, blue])
    }
}
