//! [`Painter`]: draws the triangles of egui into an image, without a graphics card.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use egui::epaint::{ClippedPrimitive, ImageData, Mesh, Primitive, Vertex};
use egui::{Color32, ColorImage, Pos2, Rect, TextureId, TexturesDelta, pos2};
use egui_kittest::TestRenderer;

/// The textures of egui. Clones share them.
#[derive(Clone, Default)]
pub struct Painter(Rc<RefCell<HashMap<TextureId, ColorImage>>>);

impl TestRenderer for Painter {
    fn handle_delta(&mut self, delta: &mut TexturesDelta) {
        let mut textures = self.0.borrow_mut();
        for (id, changes) in delta.set.drain() {
            for change in changes {
                let ImageData::Color(new) = &change.image;
                match change.pos {
                    None => _ = textures.insert(id, new.as_ref().clone()),
                    Some([x, y]) => {
                        let Some(old) = textures.get_mut(&id) else { continue };
                        for (row, pixels) in new.pixels.chunks(new.size[0]).enumerate() {
                            let to = (y + row) * old.size[0] + x;
                            old.pixels[to..to + pixels.len()].copy_from_slice(pixels);
                        }
                    }
                }
            }
        }
        delta.free.drain().for_each(|id| _ = textures.remove(&id));
    }
}

impl Painter {
    /// Draws over the image, which has that many pixels per point.
    pub fn paint(&self, image: &mut ColorImage, shapes: &[ClippedPrimitive], scale: f32) {
        for shape in shapes {
            if let Primitive::Mesh(mesh) = &shape.primitive
                && let Some(texture) = self.0.borrow().get(&mesh.texture_id)
            {
                let corners = (shape.clip_rect * scale).round();
                for triangle in mesh.indices.chunks_exact(3) {
                    let corner = |at: usize| vertex(mesh, triangle[at], scale);
                    paint_triangle(image, [corner(0), corner(1), corner(2)], corners, texture);
                }
            }
        }
    }
}

/// Returns a corner in pixels.
fn vertex(mesh: &Mesh, index: u32, scale: f32) -> Vertex {
    let vertex = mesh.vertices[index as usize];
    Vertex { pos: vertex.pos * scale, ..vertex }
}

/// Twice the area of a triangle, negative if its corners run the other way round.
fn area(a: Pos2, b: Pos2, c: Pos2) -> f32 {
    (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
}

/// Returns whether pixels on the edge belong to the triangle. Of two triangles with the same edge exactly one has them.
fn owns_edge(from: Pos2, to: Pos2) -> bool {
    to.y < from.y || (to.y == from.y && to.x > from.x)
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "they are in the image"
)]
fn paint_triangle(image: &mut ColorImage, mut of: [Vertex; 3], clip: Rect, texture: &ColorImage) {
    if area(of[0].pos, of[1].pos, of[2].pos) < 0.0 {
        of.swap(1, 2);
    }
    let [a, b, c] = of;
    let whole = area(a.pos, b.pos, c.pos);
    if whole == 0.0 {
        return;
    }
    let size = Rect::from_min_max(pos2(0.0, 0.0), pos2(image.size[0] as f32, image.size[1] as f32));
    let bounds = Rect::from_points(&[a.pos, b.pos, c.pos]).intersect(clip).intersect(size);
    for y in bounds.min.y.floor() as usize..bounds.max.y.ceil().max(0.0) as usize {
        for x in bounds.min.x.floor() as usize..bounds.max.x.ceil().max(0.0) as usize {
            let at = pos2(x as f32 + 0.5, y as f32 + 0.5);
            let edges = [(b.pos, c.pos), (c.pos, a.pos), (a.pos, b.pos)];
            let parts = edges.map(|(from, to)| area(from, to, at));
            let is_in = edges
                .iter()
                .zip(parts)
                .all(|((from, to), part)| part > 0.0 || (part == 0.0 && owns_edge(*from, *to)));
            if is_in && clip.contains(at) {
                let parts = parts.map(|part| part / whole);
                let uv = mix(parts, of.map(|one| [one.uv.x, one.uv.y]));
                let color = mix(parts, of.map(|one| one.color.to_array().map(f32::from)));
                let under = &mut image.pixels[y * image.size[0] + x];
                *under = blend(*under, color, texel(texture, uv));
            }
        }
    }
}

/// Mixes the values of three corners.
fn mix<const N: usize>(parts: [f32; 3], corners: [[f32; N]; 3]) -> [f32; N] {
    std::array::from_fn(|at| (0..3).map(|corner| parts[corner] * corners[corner][at]).sum())
}

/// Returns the color of a texture at a place.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is clamped")]
fn texel(texture: &ColorImage, [u, v]: [f32; 2]) -> Color32 {
    let at = |part: f32, size: usize| ((part * size as f32) as usize).min(size - 1);
    let [width, height] = texture.size;
    texture.pixels[at(v, height) * width + at(u, width)]
}

/// Draws a color, multiplied by that of a texture, over another one. All have premultiplied alpha.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is at most 255")]
fn blend(under: Color32, color: [f32; 4], texel: Color32) -> Color32 {
    let over: [f32; 4] = std::array::from_fn(|at| color[at] * f32::from(texel[at]) / 255.0);
    let rest = 1.0 - over[3] / 255.0;
    let mixed = |at: usize| (over[at] + f32::from(under[at]) * rest).round().min(255.0) as u8;
    Color32::from_rgba_premultiplied(mixed(0), mixed(1), mixed(2), mixed(3))
}
