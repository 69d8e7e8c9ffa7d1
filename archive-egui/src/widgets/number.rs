//! Numbers: a slider if the member has a range, and otherwise a number that is dragged or typed.

use std::cell::Cell;

use archive::Value;
use archive::value::Number;
use egui::{DragValue, Slider, SliderClamping, Ui};

use crate::action::Action;
use crate::part::Part;

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
    let (mut new, typed) = (before, Cell::new(None));
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
            let (min, max) = bounds(part);
            let speed = facts.step.unwrap_or(if is_integer { 0.25 } else { 0.05 });
            let mut drag = DragValue::new(&mut new).speed(speed).range(min..=max);
            drag = drag.clamp_existing_to_range(false);
            if is_integer {
                // An `f64` has not all integers: those that are shown and typed are exact.
                let parse = |text: &str| {
                    let integer = integer(text)?;
                    typed.set(Some(integer));
                    integer.to_f64().ok()
                };
                let format = move |value: f64, _| match value == before {
                    true => Value::Number(old).to_string(),
                    false => format!("{value:.0}"),
                };
                drag = drag.max_decimals(0).custom_parser(parse).custom_formatter(format);
            }
            ui.add(drag)
        }
    };
    let response = response.labelled_by(label);
    let typed = typed.get().filter(|typed| typed.to_f64().is_ok_and(|typed| typed == new));
    let is_other = match typed {
        Some(typed) => typed != old,
        // A drag within a pixel is the same number.
        None => new.to_bits() != before.to_bits(),
    };
    if response.changed() && is_other {
        let new = match (typed, old) {
            (Some(typed), _) => typed,
            (None, _) if is_integer => within(part, new),
            #[expect(clippy::cast_possible_truncation, reason = "the value is an `f32`")]
            (None, Number::F32(_)) => Number::F32(new as f32),
            _ => Number::F64(new),
        };
        actions.push(Action::set(&part.path, Value::Number(new)));
    }
}

/// Returns the integer that a float is, or the nearest one of the type.
#[expect(clippy::cast_possible_truncation, reason = "saturates")]
fn within(part: &Part, new: f64) -> Number {
    let Some(numbers) = part.numbers else { return Number::Int(new.round() as i128) };
    let is = |end: Number| end.to_f64().is_ok_and(|end| end == new);
    match () {
        () if is(numbers.max) => numbers.max,
        () if is(numbers.min) => numbers.min,
        () if new >= 1e38 => Number::UInt(new.round() as u128),
        () => Number::Int(new.round() as i128),
    }
}

/// Returns the integer that a text is.
fn integer(text: &str) -> Option<Number> {
    match text.trim().parse::<i128>() {
        Ok(number) => Some(Number::Int(number)),
        Err(_) => text.trim().parse::<u128>().ok().map(Number::UInt),
    }
}

/// Returns the smallest and the largest number that a drag reaches.
fn bounds(part: &Part) -> (f64, f64) {
    let end = |end: Option<Number>| end.and_then(|end| end.to_f64().ok());
    let min = part.facts.min.or(end(part.numbers.map(|numbers| numbers.min)));
    let max = part.facts.max.or(end(part.numbers.map(|numbers| numbers.max)));
    (min.unwrap_or(f64::MIN), max.unwrap_or(f64::MAX))
}
