//! Chains of pointers that are longer than values may nest.

use std::cell::RefCell;
use std::rc::{Rc, Weak};

use archive::path::{Path, Step};
use archive::reflect::{self, Handle, HandleMap, Leaf};
use archive::{ErrorKind, Options, Serialize};

const LEN: usize = 100_000;

#[derive(Default, Serialize)]
struct Link {
    number: u32,
    next: Option<Rc<RefCell<Link>>>,
    first: Weak<RefCell<Link>>,
    handle: Handle<u8>,
}

/// It is not dropped link by link, which would take stack.
struct Chain(Vec<Rc<RefCell<Link>>>);

impl Drop for Chain {
    fn drop(&mut self) {
        self.0.iter().for_each(|link| link.borrow_mut().next = None);
    }
}

fn chain() -> Chain {
    chain_of(LEN)
}

fn chain_of(len: usize) -> Chain {
    let link = |number| Rc::new(RefCell::new(Link { number, ..Link::default() }));
    let links: Vec<_> = (0..len as u32).map(link).collect();
    for pair in links.windows(2) {
        let mut link = pair[0].borrow_mut();
        link.next = Some(pair[1].clone());
        link.first = Rc::downgrade(&links[0]);
    }
    Chain(links)
}

#[derive(Default, Serialize)]
struct World {
    chain: Option<Rc<RefCell<Link>>>,
    last: Option<Rc<RefCell<Link>>>,
    owned: HandleMap<u8>,
}

fn world(chain: &Chain) -> World {
    World {
        chain: Some(chain.0[0].clone()),
        last: chain.0.last().cloned(),
        owned: HandleMap::default(),
    }
}

#[test]
fn every_leaf_of_a_chain_is_visited() {
    let chain = chain();
    let (mut numbers, mut longest, mut to_first, mut last) = (0, 0, 0, 0);
    reflect::visit(&world(&chain), &Path::new(), &Options::new(), &mut |path, leaf| {
        longest = longest.max(path.len());
        let name = path.last().map(Step::to_owned);
        match leaf {
            Leaf::Value(value) if name == Some("number".into()) => {
                assert_eq!(value.as_u64(), Some(path.len() as u64 - 2));
                numbers += 1;
            }
            Leaf::SameAs(place) if name == Some("first".into()) => {
                assert_eq!(place.to_string(), "chain");
                to_first += 1;
            }
            Leaf::SameAs(place) => {
                assert_eq!(path.to_string(), "last");
                last = place.len();
            }
            _ => {}
        }
        Ok(())
    })
    .unwrap();
    assert_eq!((numbers, longest, to_first, last), (LEN, LEN + 1, LEN - 1, LEN));
}

#[test]
fn the_holders_of_the_last_object_are_found() {
    let chain = chain();
    let last = chain.0.last().unwrap();
    let holders = reflect::holders(&world(&chain), last, &Options::new()).unwrap();
    let lens: Vec<usize> = holders.iter().map(|holder| holder.path.len()).collect();
    assert!(lens.contains(&1) && lens.contains(&LEN), "{lens:?}");
}

#[test]
fn a_stale_handle_at_the_end_is_found() {
    let chain = chain();
    chain.0.last().unwrap().borrow_mut().handle = Handle::from_raw(7).unwrap();
    let stale = reflect::stale_handles(&world(&chain), &Options::new()).unwrap();
    assert_eq!(stale.len(), 1);
    assert_eq!(stale[0].to_raw(), 7);
}

#[test]
fn whole_chains_are_compared_copied_and_measured() {
    let (one, other) = (chain(), chain());
    let options = Options::new();
    assert!(reflect::equal(&one.0[0], &other.0[0], &options).unwrap());
    assert!(reflect::heap_size(&one.0[0], &options).unwrap().bytes() > LEN);
    let copy = reflect::deep_clone(&one.0[0], &options).unwrap();
    let mut links = vec![copy];
    while let Some(next) = links.last().and_then(|link| link.borrow().next.clone()) {
        links.push(next);
    }
    let copy = Chain(links);
    assert_eq!(copy.0.len(), LEN);
}

#[test]
fn an_error_at_the_end_has_its_path() {
    let chain = chain();
    let _borrowed = chain.0[LEN - 2].borrow_mut();
    let error = reflect::visit(&world(&chain), &Path::new(), &Options::new(), &mut |_, _| Ok(()))
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Borrowed);
    assert!(error.path().starts_with("chain.next.next"));
    drop(_borrowed);
}

/// Returns the bytes that are allocated for what a function returns.
fn bytes_of<R>(run: impl FnOnce() -> R) -> u64 {
    let mut out = None;
    let info = allocation_counter::measure(|| out = Some(run()));
    drop(out);
    info.bytes_total
}

/// A row has no more steps of its own than those in its object.
#[test]
fn the_rows_of_a_chain_cost_their_size() {
    let options = Options::new();
    let listed = |len: usize| {
        let chain = chain_of(len);
        let world = world(&chain);
        let list = bytes_of(|| reflect::list(&world, &Path::new(), &options).unwrap());
        let first = &chain.0[0];
        let holders = bytes_of(|| reflect::holders(&world, first, &options).unwrap());
        (list, holders)
    };
    let (short, long) = (listed(2_000), listed(4_000));
    assert!(long.0 < short.0 * 21 / 10, "{short:?} {long:?}");
    assert!(long.1 < short.1 * 21 / 10, "{short:?} {long:?}");
}

#[test]
fn the_rows_of_a_chain_have_their_paths() {
    let chain = chain_of(300);
    let rows = reflect::list(&world(&chain), &Path::new(), &Options::new()).unwrap();
    let paths: std::collections::HashSet<_> = rows.iter().map(|row| row.path.to_string()).collect();
    assert_eq!(paths.len(), rows.len());
    let mut visited = Vec::new();
    reflect::visit(&world(&chain), &Path::new(), &Options::new(), &mut |path, _| {
        visited.push(path.to_string());
        Ok(())
    })
    .unwrap();
    let paths: Vec<_> = rows.iter().map(|row| row.path.to_string()).collect();
    assert_eq!(paths, visited);
    let last = rows.iter().find(|row| row.path.to_string() == "last").unwrap();
    assert_eq!(last.same_as.as_ref().map(|path| path.len()), Some(300));
    assert!(paths.contains(&format!("chain{}.number", ".next".repeat(299))));
}
