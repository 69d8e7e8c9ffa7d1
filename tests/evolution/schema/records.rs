//! Types of a schema load the files of compiled types, and those of each other.

use archive::tool::Watch;
use archive::types::{self, MemberFile, Record, SchemaFile, TypeFile, VariantFile};
use archive::{Error, Options, Value};
use proptest::prelude::*;

use super::change;
use super::check::{Case, Census};
use super::data::Graph;
use super::derived_versions::versions;
use super::evolve::{cases, choices};
use super::generate;
use super::node::Object;
use super::program::{Dynamic, Loaded, Program};
use super::tape::Tape;
use super::types::{Class, Schema, Type};
use crate::common::Format;

/// A program whose types are in a schema.
struct Recorded {
    /// The same types, with which values become data.
    model: Dynamic,
    ty: types::Type,
}

impl Recorded {
    fn new(mut schema: Schema) -> Self {
        own_variants(&mut schema);
        for class in &mut schema.classes {
            // A schema lists the members of a class, and names of types are single words.
            class.derived = true;
            class.name = class.name.replace("::", "_");
        }
        let made = types::Schema::new(file(&schema)).unwrap_or_else(|errors| panic!("{errors}"));
        let ty = made.get(&schema.classes[0].name).unwrap();
        Recorded { model: Dynamic::new(schema), ty }
    }

    fn record(&self, graph: &Graph) -> Record {
        let tree = Value::of(&mut Object::new(&self.model.0, graph)).unwrap();
        tree.to_with(&self.options()).unwrap_or_else(|error| panic!("{error} in {tree}"))
    }

    fn graph(&self, record: &Record) -> Graph {
        let tree = Value::of(record).unwrap();
        let object: Object = tree.to_with(&super::node::options(&self.model.0)).unwrap();
        object.graph()
    }

    fn options(&self) -> Options<'static> {
        Options::new().provide(self.ty)
    }
}

/// The members of a struct variant belong to the variant. In the model, they may also be a class.
fn own_variants(schema: &mut Schema) {
    let classes = schema.classes.len();
    for choice in &mut schema.choices {
        for variant in &mut choice.variants {
            if let Some(Type::Object(class)) = &mut variant.payload {
                let of = &schema.classes[*class];
                if of.derived && of.in_variants {
                    let name = format!("{}_{}", choice.name, variant.name);
                    let own = Class { name, ..of.clone() };
                    *class = schema.classes.len();
                    schema.classes.push(own);
                }
            }
        }
    }
    for class in &mut schema.classes[..classes] {
        class.in_variants = false;
    }
}

/// The types as a file.
fn file(schema: &Schema) -> SchemaFile {
    let spell = |ty: &Type| spell(schema, ty);
    let mut file = SchemaFile::default();
    let members = |class: &Class| {
        let members = class.members.iter().map(|member| MemberFile {
            aliases: member.aliases.iter().map(|alias| alias.as_str().into()).collect(),
            ..MemberFile::new(&member.name, &spell(&member.ty))
        });
        members.collect()
    };
    for class in &schema.classes {
        let ty = TypeFile { members: members(class), ..TypeFile::default() };
        file.types.insert(class.name.clone(), ty);
    }
    for choice in &schema.choices {
        let variants = choice.variants.iter().map(|variant| {
            let aliases = variant.aliases.iter().map(|alias| alias.as_str().into()).collect();
            let mut file = VariantFile { aliases, ..VariantFile::new(&variant.name, &[]) };
            match &variant.payload {
                Some(Type::Object(class)) if schema.is_struct_variant(*class) => {
                    file.members = Some(members(&schema.classes[*class]));
                }
                payload => file.items = payload.iter().map(|ty| spell(ty).into()).collect(),
            }
            file
        });
        let ty = TypeFile { variants: variants.collect(), ..TypeFile::default() };
        file.types.insert(choice.name.clone(), ty);
    }
    file
}

fn spell(schema: &Schema, ty: &Type) -> String {
    let inner = |ty| spell(schema, ty);
    match ty {
        Type::Option(value) => format!("Option<{}>", inner(value)),
        Type::List(item) => format!("Vec<{}>", inner(item)),
        Type::Array(item, len) => format!("[{}; {len}]", inner(item)),
        Type::Map(value) => format!("BTreeMap<String, {}>", inner(value)),
        Type::Object(class) => schema.classes[*class].name.clone(),
        Type::Enum(choice) => schema.choices[*choice].name.clone(),
        Type::Pointer(class) => format!("Rc<RefCell<{}>>", schema.classes[*class].name),
        Type::Number(_) | Type::Bool | Type::Char | Type::Text => ty.to_string(),
    }
}

impl Program for Recorded {
    fn schema(&self) -> &Schema {
        self.model.schema()
    }

    fn save(&self, format: &Format, graph: &Graph) -> Vec<u8> {
        format.to_vec(&self.record(graph)).unwrap()
    }

    fn load(
        &self,
        format: &Format,
        bytes: &[u8],
        strict: bool,
        keep_going: bool,
    ) -> Result<Loaded, Error> {
        let options = self.options().strict(strict).keep_going(keep_going).each_error(true);
        let (record, report) = format.from_slice_report::<Record>(bytes, &options)?;
        let graph = self.graph(&record);
        Ok(Loaded { graph, report, saved: format.to_vec(&record).unwrap() })
    }

    fn load_without_report(
        &self,
        format: &Format,
        bytes: &[u8],
        watch: &Watch,
    ) -> Result<Vec<u8>, Error> {
        let record: Record = format.from_slice_with(bytes, &self.options().watch(watch))?;
        Ok(format.to_vec(&record).unwrap())
    }

    fn load_over(&self, format: &Format, bytes: &[u8], existing: &Graph) -> Result<Graph, Error> {
        let mut record = self.record(existing);
        format.load_into_with(&mut record, bytes, &self.options())?;
        Ok(self.graph(&record))
    }

    fn is_compiled(&self) -> bool {
        true
    }
}

/// The rules of `check` for two schemas are true of the files of the first one.
fn checked(old: &Recorded, new: &Recorded, graph: &Graph) -> Result<(), TestCaseError> {
    let found = types::check(old.ty.schema().file(), new.ty.schema().file());
    let record = old.record(graph);
    for format in archive::Format::all().filter(|format| *format != archive::Format::Blob) {
        let bytes = format.to_vec(&record).unwrap();
        let loaded = format.from_slice_report::<Record>(&bytes, &new.options());
        let context = || format!("{format}: {found:#?}\n{}{}", old.schema(), new.schema());
        match loaded {
            Ok((_, report)) => {
                prop_assert!(report.is_empty() || !found.is_empty(), "{} {}", report, context());
            }
            Err(error) => {
                let said = found.iter().any(|found| found.effect != types::Effect::Noted);
                prop_assert!(said, "{} {}", error, context());
            }
        }
    }
    Ok(())
}

#[test]
fn random_changes() {
    proptest!(cases(400), |(choices in choices())| {
        let mut tape = Tape::new(&choices);
        let old = generate::schema(&mut tape);
        let new = change::changed(&mut tape, &old);
        let graph = generate::graph(&mut tape, &old);
        let existing = generate::graph(&mut tape, &new);
        let (dynamic, old) = (Dynamic::new(old.clone()), Recorded::new(old));
        let new = Recorded::new(new);
        checked(&old, &new, &graph)?;
        // From records, and from a program without a schema.
        for old in [&old as &dyn Program, &dynamic] {
            let (graph, existing) = (graph.clone(), existing.clone());
            Case { old, new: &new, graph, existing }.check(&mut Census::default())?;
        }
    });
}

/// Records and compiled types of any two versions.
#[test]
fn to_and_from_compiled_types() {
    let compiled = versions();
    let recorded: Vec<_> = compiled.iter().map(|it| Recorded::new(it.schema().clone())).collect();
    proptest!(cases(400), |(choices in choices())| {
        let mut tape = Tape::new(&choices);
        let (one, other) = (tape.below(compiled.len()), tape.below(compiled.len()));
        let graph = generate::graph(&mut tape, compiled[one].schema());
        let existing = generate::graph(&mut tape, compiled[other].schema());
        let (from, to) = (&*compiled[one], &recorded[other]);
        let (again, back) = (graph.clone(), existing.clone());
        Case { old: from, new: to, graph, existing }.check(&mut Census::default())?;
        Case { old: &recorded[one], new: &*compiled[other], graph: again, existing: back }
            .check(&mut Census::default())?;
    });
}
