//! Rules for any value.

use arbitrary::Arbitrary;
use archive::format::Backend;
use archive::{ErrorKind, Options, Value};

use crate::graph::{Plan, options};
use crate::hostile::{hostile, text};
use crate::model::Rich;
use crate::plain::Plain;
use crate::same;

/// A value, and the damage to its file.
#[derive(Debug, Arbitrary)]
#[allow(missing_docs)] // the names say it
pub struct Input {
    pub plain: Plain,
    pub plan: Plan,
    pub pretty: bool,
    pub flips: Vec<(u16, u8)>,
    pub cut: Option<u16>,
}

/// Saves a value and loads it: it is equal. Damages the file: the decoder returns a value or an
/// error.
pub fn round_trip<F: Backend>(input: &Input) {
    let options = &options().pretty(input.pretty);
    let Some(bytes) = saved::<F>(&input.plain, options) else { return };
    let again: Plain = F::from_slice_with(&bytes, options).unwrap();
    assert_eq!(again, input.plain, "{}", F::NAME);
    let mut existing = crate::seeds::plain();
    F::load_into(&mut existing, &bytes, options).unwrap();
    assert_eq!(existing, input.plain, "{} into an existing value", F::NAME);

    let rich = Rich { plain: again, graph: input.plan.build() };
    let Some(bytes) = saved::<F>(&rich, options) else { return };
    let (again, report) = F::from_slice_report::<Rich>(&bytes, options).unwrap();
    assert_eq!(again.plain, rich.plain, "{}", F::NAME);
    let text = |rich: &Rich| text(rich, options);
    // A weak pointer to an object that is not saved is empty afterwards.
    if report.is_empty() {
        assert_eq!(text(&again), text(&rich), "{}", F::NAME);
    }
    let rich = again;
    let bytes = F::to_vec_with(&rich, options).unwrap();
    let again: Rich = F::from_slice_with(&bytes, options).unwrap();
    assert_eq!(text(&again), text(&rich), "{}", F::NAME);
    // Trees, without a format and through it.
    if let (Ok(of), Ok(through)) = (Value::of_with(&rich, options), F::from_slice::<Value>(&bytes))
    {
        let again: Rich = through.to_with(options).unwrap();
        assert_eq!(text(&again), text(&rich), "{} through a tree", F::NAME);
        let again: Rich = of.to_with(options).unwrap();
        assert_eq!(text(&again), text(&rich), "a tree without a format");
        let tree = F::to_vec(&of).unwrap();
        assert!(same::in_any_format(&F::from_slice(&tree).unwrap(), &of), "{}", F::NAME);
    }
    drop(again);

    if !input.flips.is_empty() || input.cut.is_some() {
        let mut bytes = bytes;
        for (at, with) in &input.flips {
            let at = usize::from(*at) % bytes.len();
            bytes[at] ^= with;
        }
        if let Some(cut) = input.cut {
            bytes.truncate(usize::from(cut) % (bytes.len() + 1));
        }
        hostile::<F>(&bytes);
    }
}

fn saved<F: Backend>(value: &impl archive::Save, options: &Options<'_>) -> Option<Vec<u8>> {
    match F::to_vec_with(value, options) {
        Ok(bytes) => Some(bytes),
        Err(error) if error.kind() == ErrorKind::DepthLimit => None,
        Err(error) => panic!("{}: {error}", F::NAME),
    }
}
