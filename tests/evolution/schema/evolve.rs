//! Random types, random changes to them.

use proptest::collection::vec;
use proptest::prelude::*;

use super::change;
use super::check::{Case, Census};
use super::generate;
use super::program::Dynamic;
use super::tape::Tape;

/// The settings of a search of so many cases.
pub fn cases(all: u32) -> ProptestConfig {
    ProptestConfig { max_shrink_iters: 20_000, ..crate::common::search::config(all) }
}

/// Random choices.
pub fn choices() -> impl Strategy<Value = Vec<u16>> {
    vec(any::<u16>(), 0..500)
}

#[test]
fn random_changes() {
    let census = std::cell::Cell::new(Census::default());
    let mut runner = proptest::test_runner::TestRunner::new(cases(400));
    let result = runner.run(&choices(), |choices| {
        let mut tape = Tape::new(&choices);
        let old = generate::schema(&mut tape);
        let new = change::changed(&mut tape, &old);
        let graph = generate::graph(&mut tape, &old);
        let existing = generate::graph(&mut tape, &new);
        let (old, new) = (Dynamic::new(old), Dynamic::new(new));
        let mut so_far = census.get();
        Case { old: &old, new: &new, graph, existing }.check(&mut so_far)?;
        census.set(so_far);
        Ok(())
    });
    result.unwrap_or_else(|error| panic!("{error}"));
    // Usually a tenth is refused, and a twentieth left to the formats. A few cases check nothing.
    let Census { loaded, refused, odd } = census.get();
    println!("{:?}", census.get());
    if loaded > 5000 {
        assert!(refused > loaded / 100 && odd < loaded / 5, "{:?}", census.get());
    }
}

/// Unchanged types load everything unchanged, without a note.
#[test]
fn no_changes() {
    proptest!(cases(100), |(choices in choices())| {
        let mut tape = Tape::new(&choices);
        let schema = generate::schema(&mut tape);
        let graph = generate::graph(&mut tape, &schema);
        let existing = generate::graph(&mut tape, &schema);
        let program = Dynamic::new(schema);
        let mut census = Census::default();
        Case { old: &program, new: &program, graph, existing }.check(&mut census)?;
        prop_assert_eq!((census.refused, census.odd), (0, 0));
    });
}
