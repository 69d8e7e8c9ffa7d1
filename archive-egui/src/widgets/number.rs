//! Numbers: a slider if the member has a range, and otherwise a number that is dragged or typed.

use archive::Value;
use archive::value::Number;
use egui::{DragValue, Slider, SliderClamping, Ui};

use crate::action::Action;
use crate::part::Part;
use crate::widgets::text::line;

/// Larger integers are not exact as `f64`, with which sliders calculate.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// Shows a number.
pub(crate) fn number(
    ui: &mut Ui,
    part: &Part,
    old: Number,
    label: egui::Id,
    actions: &mut Vec<Action>,
) {
    let is_integer = match part.numbers {
        Some(numbers) => numbers.is_integer,
        None => matches!(old, Number::Int(_) | Number::UInt(_)),
    };
    let before = old.to_f64().unwrap_or_default();
    if is_integer && before.abs() >= EXACT {
        return exact(ui, part, old, label, actions);
    }
    let mut new = before;
    let facts = part.facts;
    let response = match (facts.min, facts.max) {
        (Some(min), Some(max)) if (max - min).is_finite() => {
            let mut slider = Slider::new(&mut new, min..=max).clamping(SliderClamping::Edits);
            if let Some(step) = facts.step {
                slider = slider.step_by(step);
            }
            if is_integer {
                slider = slider.integer();
            }
            ui.add(slider)
        }
        _ => {
            let (min, max) = bounds(part, is_integer);
            let speed = facts.step.unwrap_or(if is_integer { 0.25 } else { 0.05 });
            let mut drag = DragValue::new(&mut new).speed(speed).range(min..=max);
            drag = drag.clamp_existing_to_range(false);
            if is_integer {
                drag = drag.max_decimals(0);
            }
            ui.add(drag)
        }
    };
    let response = response.labelled_by(label);
    // Not the same number: a drag within a pixel.
    if response.changed() && new.to_bits() != before.to_bits() {
        let new = match old {
            #[expect(clippy::cast_possible_truncation, reason = "less than `EXACT`")]
            _ if is_integer => Number::Int(new.round() as i128),
            #[expect(clippy::cast_possible_truncation, reason = "the value is an `f32`")]
            Number::F32(_) => Number::F32(new as f32),
            _ => Number::F64(new),
        };
        actions.push(Action::set(&part.path, Value::Number(new)));
    }
}

/// Returns the smallest and the largest number that a drag reaches.
fn bounds(part: &Part, is_integer: bool) -> (f64, f64) {
    let most = if is_integer { EXACT - 1.0 } else { f64::MAX };
    let end = |end: Option<Number>| end.and_then(|end| end.to_f64().ok());
    let min = part.facts.min.or(end(part.numbers.map(|numbers| numbers.min)));
    let max = part.facts.max.or(end(part.numbers.map(|numbers| numbers.max)));
    (min.unwrap_or(-most).max(-most), max.unwrap_or(most).min(most))
}

/// Shows an integer that is too large for a slider, as text.
fn exact(ui: &mut Ui, part: &Part, old: Number, label: egui::Id, actions: &mut Vec<Action>) {
    let mut text = Value::Number(old).to_string();
    if line(ui, &mut text).labelled_by(label).changed() {
        let number = match text.trim().parse::<i128>() {
            Ok(number) => Ok(Number::Int(number)),
            Err(_) => text.trim().parse::<u128>().map(Number::UInt),
        };
        actions.push(match number {
            Ok(number) => Action::set(&part.path, Value::Number(number)),
            Err(error) => Action::Refuse(part.path.clone(), error.to_string(), Value::Str(text)),
        });
    }
}
