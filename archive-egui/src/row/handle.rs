//! The handle of an item: it is dragged to another place in its list.

use archive::path::Step;
use archive::reflect::Edit;
use egui::{CursorIcon, Rect, Role, Sense, Stroke, Ui, WidgetInfo, vec2};

use super::Draw;
use super::icon::{self, Icon};
use crate::action::Action;
use crate::part::{Part, Place};
use crate::view::Moving;

/// The distance from the edge of the table at which a drag scrolls it.
const EDGE: f32 = 24.0;

impl Draw<'_> {
    /// Draws the handle of an item.
    pub(super) fn handle(&mut self, ui: &mut Ui, part: &Part) {
        let id = self.id.with(("handle", &*part.path));
        let (_, rect) = ui.allocate_space(vec2(12.0, ui.spacing().interact_size.y));
        let response = ui.interact(rect, id, Sense::drag());
        icon::draw(ui, Icon::Grip, rect.center(), ui.style().interact(&response).fg_stroke);
        let is_enabled = ui.is_enabled();
        response.widget_info(|| {
            WidgetInfo::labeled(Role::Button, is_enabled, format!("Move {}", part.path))
        });
        if response.drag_started()
            && let Some((list, Step::Index(from))) = part.path.split_last()
        {
            self.view.moving = Some(Moving { list, from: *from, to: *from, handle: id });
        }
        response.on_hover_and_drag_cursor(CursorIcon::Grab);
    }

    /// Notes where an item was drawn, for the drag of another one.
    pub(super) fn note_item(&mut self, part: &Part, rect: Rect) {
        if self.view.moving.is_some()
            && let (Place::Item(_), Some((list, Step::Index(index)))) =
                (part.place, part.path.split_last())
        {
            self.items.push((list, *index, rect));
        }
    }

    /// Shows where the dragged item would go, and moves it there when it is released.
    pub(crate) fn drag(&mut self, ui: &mut Ui) {
        let Some(moving) = &mut self.view.moving else { return };
        // The item may be scrolled out of sight. The drag continues.
        if !self.items.iter().any(|(list, index, _)| *list == moving.list && *index == moving.from)
        {
            ui.interact(
                Rect::from_min_size(ui.clip_rect().min, vec2(1.0, 1.0)),
                moving.handle,
                Sense::drag(),
            );
        }
        let pointer = ui.input(|input| input.pointer.interact_pos());
        let siblings = self.items.iter().filter(|(list, ..)| *list == moving.list);
        if let Some(pointer) = pointer {
            // In front of the first item whose middle is below the pointer.
            let before = siblings.clone().find(|(.., rect)| rect.center().y > pointer.y);
            let gap = before.map(|(_, index, rect)| (*index, rect.top()));
            let last =
                siblings.clone().next_back().map(|(_, index, rect)| (index + 1, rect.bottom()));
            if let Some((gap, y)) = gap.or(last) {
                moving.to = if gap > moving.from { gap - 1 } else { gap };
                let stroke = Stroke::new(2.0, ui.visuals().selection.stroke.color);
                ui.painter().hline(ui.clip_rect().x_range(), y, stroke);
            }
            let window = ui.clip_rect();
            let scroll = (window.top() + EDGE - pointer.y).max(0.0)
                - (pointer.y - window.bottom() + EDGE).max(0.0);
            if scroll != 0.0 {
                ui.scroll_with_delta(vec2(0.0, scroll));
                ui.ctx().request_repaint();
            }
        }
        if ui.ctx().is_being_dragged(moving.handle) {
            return;
        }
        if let Some(moving) = self.view.moving.take()
            && moving.from != moving.to
        {
            let path = moving.list.join(&[Step::Index(moving.from)]);
            self.actions.push(Action::edit(&path, Edit::new().move_to(path.clone(), moving.to)));
        }
    }
}
