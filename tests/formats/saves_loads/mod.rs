//! Saved values load with the same options, and values that would not load are refused while
//! saving.

mod nodes;
mod saved_but_not_loaded;

use archive::format::{Backend, Reader, Writer};
use archive::{Error, ErrorKind, Options, Value};
use proptest::prelude::*;

use crate::common::{EachBackend, Erased, each_backend, formats};
use nodes::{Node, node, options, same};

/// Limits. One of them is tight, or all are. They count the same in both forms of maps.
fn limits() -> impl Strategy<Value = Limited> {
    let (depth, elements, empty, pointers) = (1..=20_usize, 0..=50_u64, 0..=20_u64, 0..=5_u64);
    (0..5, any::<bool>(), depth, elements, empty, pointers).prop_map(
        |(which, objects, depth, elements, empty, pointers)| {
            let options = options().maps_as_objects(objects);
            let options = match which {
                0 => options.max_depth(depth),
                1 => options.max_elements(elements),
                2 => options.max_empty_elements(empty),
                3 => options.max_pointers(pointers),
                _ => options
                    .max_depth(depth)
                    .max_elements(elements)
                    .max_empty_elements(empty)
                    .max_pointers(pointers),
            };
            Limited { options, single: which < 4 }
        },
    )
}

#[derive(Debug)]
struct Limited {
    options: Options<'static>,
    /// Whether only one of the limits can be reached.
    single: bool,
}

/// A value and its limits.
struct Case<'a> {
    value: &'a Node,
    limited: &'a Limited,
    /// Whether objects are deferred under these limits and not without them.
    waits: bool,
}

impl Case<'_> {
    /// The result of one way of saving and loading: with the limits, and loading the file that was
    /// saved without.
    fn check(
        &self,
        way: &str,
        saved: Result<Result<Node, Error>, Error>,
        loaded: Result<Node, Error>,
    ) {
        let Case { value, limited, waits } = self;
        let what = format!("{way}, {:?}: {value:?}", limited.options.settings().limits());
        match (saved, loaded) {
            (Ok(Err(error)), _) => panic!("saved and not loaded: {error}: {what}"),
            (Ok(Ok(again)), loaded) => {
                assert!(same(&again, value), "{again:?}: {what}");
                match loaded {
                    Ok(loaded) => assert!(same(&loaded, value), "{loaded:?}: {what}"),
                    Err(error) => assert!(waits, "not refused: {error}: {what}"),
                }
            }
            (Err(error), Ok(_)) => panic!("refused: {error}: {what}"),
            (Err(saved), Err(loaded)) => {
                let limits = [ErrorKind::DepthLimit, ErrorKind::SizeLimit];
                assert!(limits.contains(&saved.kind()), "{saved}: {what}");
                assert!(saved.message().contains("(`Options::max_"), "{saved}: {what}");
                // Of several limits, another one may be reached first.
                assert!(saved.kind() == loaded.kind() || !limited.single, "{loaded}: {what}");
            }
        }
    }
}

/// In a format that is named in the source, alone and as two named roots.
impl EachBackend for Case<'_> {
    fn visit<F: Backend<Output: AsRef<[u8]>>>(&mut self) {
        let options = &self.limited.options;
        let load = |file: &[u8]| F::from_slice_with::<Node>(file, options);
        let saved = F::to_vec_with(self.value, options).map(|file| load(&file));
        let file = F::to_vec_with(self.value, &nodes::options()).unwrap();
        self.check(F::NAME, saved, load(&file));

        let save = |options: &Options<'_>| {
            let mut writer = Writer::<F>::with(options);
            writer.save("first", self.value)?;
            writer.save("second", self.value)?;
            writer.finish()
        };
        let load = |file: F::Output| {
            let mut reader = Reader::<F>::with(&file, options)?;
            let first = reader.load::<Node>("first")?;
            assert!(same(&first, self.value), "{}", F::NAME);
            let second = reader.load("second")?;
            reader.finish()?;
            Ok(second)
        };
        let loaded = load(save(&nodes::options()).unwrap());
        self.check(&format!("{}, roots", F::NAME), save(options).map(load), loaded);
    }
}

fn law(value: &Node, limited: &Limited) {
    let (options, generous) = (&limited.options, nodes::options());
    let tree = Value::of_with(value, options);
    let waits = tree.as_ref().is_ok_and(|tree| tree.to_string().contains("$later"));
    let mut case = Case { value, limited, waits };
    for format in formats() {
        let file = format.to_vec_with(value, &generous).unwrap();
        let load = |file: &[u8]| format.from_slice_with::<Node>(file, options);
        let saved = format.to_vec_with(value, options).map(|file| load(&file));
        case.check(&format.to_string(), saved, load(&file));

        let load = |file: &[u8]| {
            let mut into = Node::Nothing;
            format.load_into_with(&mut Erased(&mut into), file, options).map(|()| into)
        };
        let saved = format.to_vec_with(&mut Erased(&mut value.clone()), options);
        case.check(&format!("{format}, erased"), saved.map(|file| load(&file)), load(&file));
    }
    each_backend(&mut case);
    let loaded = Value::of_with(value, &generous).unwrap().to_with::<Node>(options);
    case.check("Value", tree.map(|tree| tree.to_with(options)), loaded);
}

proptest! {
    #![proptest_config(crate::common::search::config(96))]

    #[test]
    fn what_saves_loads(value in node(), limited in limits()) {
        law(&value, &limited);
    }
}
