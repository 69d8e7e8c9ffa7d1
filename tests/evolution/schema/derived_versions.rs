//! Any version of a type reads the files of any other.

use std::marker::PhantomData;

use archive::tool::Watch;
use archive::{Element, Error, Options, Save};

use crate::common::Format;
use proptest::prelude::*;

use super::check::{Case, Census};
use super::data::Graph;
use super::evolve::{cases, choices};
use super::generate;
use super::mirror::{self, Mirror, Types};
use super::nineteen_versions::*;
use super::program::{Loaded, Program};
use super::tape::Tape;
use super::types::Schema;

/// A program whose types are compiled.
struct Compiled<T>(Schema, PhantomData<T>);

impl<T: Mirror + Element + Save> Compiled<T> {
    fn boxed() -> Box<dyn Program> {
        let mut types = Types::default();
        T::ty(&mut types);
        Box::new(Compiled::<T>(types.schema, PhantomData))
    }
}

impl<T: Mirror + Element + Save> Program for Compiled<T> {
    fn schema(&self) -> &Schema {
        &self.0
    }

    fn save(&self, format: &Format, graph: &Graph) -> Vec<u8> {
        format.to_vec(&mirror::make::<T>(graph)).unwrap()
    }

    fn load(
        &self,
        format: &Format,
        bytes: &[u8],
        strict: bool,
        keep_going: bool,
    ) -> Result<Loaded, Error> {
        let options = Options::new().strict(strict).keep_going(keep_going).each_error(true);
        let (value, report) = format.from_slice_report::<T>(bytes, &options)?;
        let graph = mirror::graph(&value);
        Ok(Loaded { graph, report, saved: format.to_vec(&value).unwrap() })
    }

    fn load_without_report(
        &self,
        format: &Format,
        bytes: &[u8],
        watch: &Watch,
    ) -> Result<Vec<u8>, Error> {
        let value: T = format.from_slice_with(bytes, &Options::new().watch(watch))?;
        Ok(format.to_vec(&value).unwrap())
    }

    fn load_over(&self, format: &Format, bytes: &[u8], existing: &Graph) -> Result<Graph, Error> {
        let mut value = mirror::make::<T>(existing);
        format.load_into(&mut value, bytes)?;
        Ok(mirror::graph(&value))
    }

    fn is_compiled(&self) -> bool {
        true
    }
}

pub fn versions() -> Vec<Box<dyn Program>> {
    macro_rules! versions {
        ($($V:ident)*) => { vec![$(Compiled::<$V>::boxed()),*] };
    }
    versions!(V0 V1 V2 V3 V4 V5 V6 V7 V8 V9 V10 V11 V12 V13 V14 V15 V16 V17 V18)
}

#[test]
fn any_version_reads_any_other() {
    let versions = versions();
    proptest!(cases(400), |(choices in choices())| {
        let mut tape = Tape::new(&choices);
        let (old, new) = (tape.pick(&versions), tape.pick(&versions));
        let graph = generate::graph(&mut tape, old.schema());
        let existing = generate::graph(&mut tape, new.schema());
        Case { old: &**old, new: &**new, graph, existing }.check(&mut Census::default())?;
    });
}

/// Every pair with one value, so that none is left to chance.
#[test]
fn every_pair() {
    let versions = versions();
    let mut seed = 1_u32;
    for old in &versions {
        for new in &versions {
            let choices: Vec<u16> = std::iter::repeat_with(|| {
                seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (seed >> 16) as u16
            })
            .take(400)
            .collect();
            let mut tape = Tape::new(&choices);
            let graph = generate::graph(&mut tape, old.schema());
            let existing = generate::graph(&mut tape, new.schema());
            let case = Case { old: &**old, new: &**new, graph, existing };
            case.check(&mut Census::default()).unwrap_or_else(|error| panic!("{error}"));
        }
    }
}
