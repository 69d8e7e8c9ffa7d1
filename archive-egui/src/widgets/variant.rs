//! Enums: a combo box of the variants.

use archive::reflect::{Edit, VariantMeta};
use egui::{ComboBox, Role, Ui, WidgetInfo};

use crate::action::{Action, Then};
use crate::part::Part;

/// Shows the current variant of an enum, and the others in a list.
pub(crate) fn variant(
    ui: &mut Ui,
    part: &Part,
    variants: &[VariantMeta],
    current: &str,
    label: egui::Id,
    actions: &mut Vec<Action>,
) {
    let mut chosen = None;
    let shown = ComboBox::from_id_salt("variant").selected_text(current).show_ui(ui, |ui| {
        for variant in variants {
            let is_current = variant.name() == current;
            let choice = ui.selectable_label(is_current, variant.name());
            let doc = if variant.is_unit() {
                variant.doc().to_owned()
            } else {
                format!("{variant}\n{}", variant.doc())
            };
            let choice = if doc.is_empty() { choice } else { choice.on_hover_text(doc.trim()) };
            if choice.clicked() && !is_current {
                chosen = Some(variant.name());
            }
        }
    });
    let response = shown.response.labelled_by(label);
    let is_enabled = ui.is_enabled();
    response.widget_info(|| {
        WidgetInfo::labeled(Role::ComboBox, is_enabled, format!("{} is {current}", part.label))
    });
    if let Some(name) = chosen {
        // An enum in an option is set.
        let edits = vec![
            Edit::new().variant(part.path.clone(), name),
            Edit::new().set(part.path.clone(), name),
        ];
        actions.push(Action::Edit {
            at: part.path.clone(),
            edits,
            draft: None,
            then: Then::Nothing,
        });
    }
}
