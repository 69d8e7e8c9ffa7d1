//! Small buttons with drawn signs, since not every font has signs.

use egui::{Pos2, Rect, Response, Role, Sense, Stroke, Ui, WidgetInfo, pos2, vec2};

/// The sign of a button.
#[derive(Clone, Copy, Debug)]
pub(super) enum Icon {
    Add,
    Remove,
    Up,
    Down,
    /// Two rings that are linked.
    Link,
    /// A handle to drag.
    Grip,
}

/// The width and the height of a sign.
const SIZE: f32 = 9.0;

/// Shows a button with a sign. `name` is what it does to which part.
pub(super) fn button(ui: &mut Ui, icon: Icon, is_on: bool, name: impl Fn() -> String) -> Response {
    let sense = if is_on { Sense::click() } else { Sense::hover() };
    let response = ui.allocate_response(vec2(16.0, ui.spacing().interact_size.y), sense);
    response.widget_info(|| WidgetInfo::labeled(Role::Button, is_on, name()));
    let visuals = ui.style().interact(&response);
    let mut stroke = visuals.fg_stroke;
    if is_on && response.hovered() {
        let back = Rect::from_center_size(response.rect.center(), vec2(15.0, 15.0));
        ui.painter().rect_filled(back, visuals.corner_radius, visuals.weak_bg_fill);
    } else if !is_on {
        stroke.color = stroke.color.gamma_multiply(0.35);
    }
    draw(ui, icon, response.rect.center(), stroke);
    response
}

/// Draws a sign around a place.
pub(super) fn draw(ui: &Ui, icon: Icon, center: Pos2, stroke: Stroke) {
    let at = |x: f32, y: f32| pos2(center.x + x * SIZE / 2.0, center.y + y * SIZE / 2.0);
    let line = |from: (f32, f32), to: (f32, f32)| {
        ui.painter().line_segment([at(from.0, from.1), at(to.0, to.1)], stroke);
    };
    match icon {
        Icon::Add => {
            line((-0.8, 0.0), (0.8, 0.0));
            line((0.0, -0.8), (0.0, 0.8));
        }
        Icon::Remove => {
            line((-0.7, -0.7), (0.7, 0.7));
            line((-0.7, 0.7), (0.7, -0.7));
        }
        Icon::Up => {
            line((-0.8, 0.4), (0.0, -0.5));
            line((0.8, 0.4), (0.0, -0.5));
        }
        Icon::Down => {
            line((-0.8, -0.4), (0.0, 0.5));
            line((0.8, -0.4), (0.0, 0.5));
        }
        Icon::Link => {
            ui.painter().circle_stroke(at(-0.45, 0.0), SIZE * 0.33, stroke);
            ui.painter().circle_stroke(at(0.45, 0.0), SIZE * 0.33, stroke);
        }
        Icon::Grip => {
            for y in [-0.6, 0.0, 0.6] {
                line((-0.7, y), (0.7, y));
            }
        }
    }
}
