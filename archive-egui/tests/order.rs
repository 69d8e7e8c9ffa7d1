//! Random edits by the buttons, beside the same edits of a plain list, and all the way back.

use archive::Serialize;
use egui_kittest::kittest::Queryable as _;

use super::driven::{press, show, undo};

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
struct Unit {
    id: u32,
}

#[test]
fn random_edits_are_those_of_a_plain_list_and_are_all_undone() {
    let units: Vec<Unit> = (1..6).map(|id| Unit { id }).collect();
    let mut shown = show(units.clone());
    let (mut model, mut states, mut random) = (units.clone(), Vec::new(), 7_u32);
    for _ in 0..40 {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let at = (random >> 8) as usize % model.len().max(1);
        let button = match random >> 28 {
            0..=4 if !model.is_empty() => {
                model.remove(at);
                format!("Remove [{at}]")
            }
            5..=8 if at + 1 < model.len() => {
                model.swap(at, at + 1);
                format!("Move down [{at}]")
            }
            9..=11 if at > 0 && at < model.len() => {
                model.swap(at, at - 1);
                format!("Move up [{at}]")
            }
            _ if model.len() < 8 => {
                model.push(Unit::default());
                "Add to all".to_owned()
            }
            _ => continue,
        };
        states.push(shown.state().value.clone());
        if shown.query_by_label(&button).is_none() {
            panic!("there is no {button}");
        }
        press(&mut shown, &button);
        assert_eq!(shown.state().value, model, "{button}");
    }
    while let Some(state) = states.pop() {
        undo(&mut shown);
        assert_eq!(shown.state().value, state);
    }
    assert_eq!(shown.state().value, units);
}
