//! Colors: text, a number, or three or four numbers.

use archive::Value;
use archive::value::Number;
use egui::{Color32, Rgba, Ui};

use crate::action::Action;
use crate::part::Part;

/// Shows a color. Returns `false` if the value is not one.
///
/// Text is `#rrggbb` or `#rrggbbaa`, and an integer is `0xrrggbbaa`. Three or four integers are those of sRGB, from 0 to
/// 255; floats are linear.
pub(crate) fn color(
    ui: &mut Ui,
    part: &Part,
    value: &Value,
    label: egui::Id,
    actions: &mut Vec<Action>,
) -> bool {
    let Some((form, mut rgba)) = read(value) else { return false };
    let before = rgba;
    let response = match form.has_alpha() {
        true => ui.color_edit_button_rgba_unmultiplied(&mut rgba),
        false => {
            let mut rgb = [rgba[0], rgba[1], rgba[2]];
            let response = ui.color_edit_button_rgb(&mut rgb);
            rgba = [rgb[0], rgb[1], rgb[2], 1.0];
            response
        }
    };
    let response = response.labelled_by(label);
    if response.changed() && rgba != before {
        actions.push(Action::set(&part.path, form.write(value, rgba)));
    }
    true
}

/// How a value stores a color.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Form {
    Text { has_alpha: bool },
    Word,
    Bytes { has_alpha: bool },
    Floats { has_alpha: bool },
}

impl Form {
    fn has_alpha(self) -> bool {
        match self {
            Form::Word => true,
            Form::Text { has_alpha } | Form::Bytes { has_alpha } | Form::Floats { has_alpha } => {
                has_alpha
            }
        }
    }

    /// Returns the color in the form of the old value.
    fn write(self, old: &Value, rgba: [f32; 4]) -> Value {
        let color: Color32 =
            Rgba::from_rgba_unmultiplied(rgba[0], rgba[1], rgba[2], rgba[3]).into();
        let bytes = color.to_srgba_unmultiplied();
        let number = |at: usize| match self {
            Form::Floats { .. } => Number::F32(rgba[at]),
            _ => Number::Int(bytes[at].into()),
        };
        match (self, old) {
            (Form::Word, _) => u32::from_be_bytes(bytes).into(),
            (Form::Text { has_alpha }, _) => {
                let len = if has_alpha { 4 } else { 3 };
                let digits: String = bytes[..len].iter().map(|it| format!("{it:02x}")).collect();
                Value::Str(format!("#{digits}"))
            }
            (_, Value::Array(items)) => {
                Value::Array((0..items.len()).map(|at| Value::Number(number(at))).collect())
            }
            (_, Value::Object(members)) => {
                let names = members.iter().map(|(name, _)| name.clone());
                Value::Object(names.zip((0..).map(|at| Value::Number(number(at)))).collect())
            }
            (_, other) => other.clone(),
        }
    }
}

/// Returns the linear color of a value, not multiplied by its alpha.
fn read(value: &Value) -> Option<(Form, [f32; 4])> {
    let linear = |bytes: [u8; 4]| {
        let [r, g, b, a] = bytes;
        Rgba::from(Color32::from_rgba_unmultiplied(r, g, b, a)).to_rgba_unmultiplied()
    };
    let parts: Vec<Number> = match value {
        Value::Str(text) => return text_color(text).map(|(form, bytes)| (form, linear(bytes))),
        Value::Number(number) => {
            let word = number.to_integer::<u32>().ok()?;
            return Some((Form::Word, linear(word.to_be_bytes())));
        }
        Value::Array(items) => items.iter().map(number).collect::<Option<_>>()?,
        Value::Object(members) => {
            members.iter().map(|(_, it)| number(it)).collect::<Option<_>>()?
        }
        _ => return None,
    };
    let has_alpha = match parts.len() {
        3 => false,
        4 => true,
        _ => return None,
    };
    if parts.iter().all(|part| matches!(part, Number::Int(_))) {
        let mut bytes = [255; 4];
        for (byte, part) in bytes.iter_mut().zip(&parts) {
            *byte = part.to_integer().ok()?;
        }
        return Some((Form::Bytes { has_alpha }, linear(bytes)));
    }
    let mut floats = [1.0; 4];
    for (float, part) in floats.iter_mut().zip(&parts) {
        *float = part.to_f32().ok().filter(|float| float.is_finite())?;
    }
    Some((Form::Floats { has_alpha }, floats))
}

fn number(value: &Value) -> Option<Number> {
    if let Value::Number(number) = value { Some(*number) } else { None }
}

fn text_color(text: &str) -> Option<(Form, [u8; 4])> {
    let digits = text.strip_prefix('#')?;
    // `from_str_radix` accepts a sign.
    if !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    let word = u32::from_str_radix(digits, 16).ok()?;
    match digits.len() {
        6 => Some((Form::Text { has_alpha: false }, (word << 8 | 255).to_be_bytes())),
        8 => Some((Form::Text { has_alpha: true }, word.to_be_bytes())),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colors_keep_their_form() {
        let values = [
            Value::from("#ff8000"),
            Value::from("#ff800040"),
            Value::from(0xff80_0040_u32),
            Value::Array(vec![255.into(), 128.into(), 0.into()]),
            Value::Array(vec![255.into(), 128.into(), 0.into(), 64.into()]),
            Value::Object(vec![
                ("r".to_owned(), Value::Number(Number::F32(0.5))),
                ("g".to_owned(), Value::Number(Number::F32(2.0))),
                ("b".to_owned(), Value::Number(Number::F32(0.0))),
            ]),
        ];
        for value in values {
            let (form, rgba) = read(&value).unwrap();
            assert_eq!(form.write(&value, rgba), value);
        }
    }

    #[test]
    fn other_values_are_not_colors() {
        let values = [
            Value::from("#ff80"),
            Value::from("red"),
            Value::from("#+f8000"),
            Value::from(-1),
            Value::Array(vec![1.into(), 2.into()]),
            Value::Array(vec![256.into(), 0.into(), 0.into()]),
            Value::Array(vec![Value::Number(Number::F32(f32::NAN)), 0.into(), 0.into()]),
            Value::Null,
        ];
        for value in values {
            assert_eq!(read(&value), None, "{value}");
        }
    }
}
