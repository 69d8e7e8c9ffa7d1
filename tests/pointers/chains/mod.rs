//! Long chains: objects in cells need no stack, however many there are; others end at the depth
//! limit. A failed load frees its objects without stack, too.
//!
//! Everything runs on threads with 2 MiB, the default of the standard library.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::{Arc, Mutex};

mod dismantle;

use crate::common::{each_once, forgives, formats, names_wrong_types, places_agree};
use archive::{Archive, ErrorKind, Limits, Options, Result, Serialize, Value};

/// Runs on a thread with that stack.
fn on_stack<T: Send + 'static>(size: usize, run: impl FnOnce() -> T + Send + 'static) -> T {
    std::thread::Builder::new().stack_size(size).spawn(run).unwrap().join().unwrap()
}

const STACK: usize = 2 << 20;

/// The tests of one kind of pointer to a cell, with how the cell is opened.
macro_rules! chains {
    ($name:ident: $Pointer:ident<$Cell:ident>, $this:ident => $open:expr) => {
        mod $name {
            use super::*;

            thread_local!(static ALIVE: Cell<i64> = const { Cell::new(0) });

            type Next = Option<$Pointer<$Cell<Node>>>;

            /// A node that counts those of its kind. At the end of a chain it may fail to load.
            struct Node {
                value: u32,
                wrong: bool,
                next: Next,
            }

            impl Default for Node {
                fn default() -> Self {
                    ALIVE.set(ALIVE.get() + 1);
                    Node { value: 0, wrong: false, next: None }
                }
            }

            impl Drop for Node {
                fn drop(&mut self) {
                    ALIVE.set(ALIVE.get() - 1);
                }
            }

            impl Serialize for Node {
                fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
                    if ar.is_saving() && self.wrong {
                        ar.serialize("value", &mut "no number".to_owned())?;
                    } else {
                        ar.serialize("value", &mut self.value)?;
                    }
                    ar.serialize("next", &mut self.next)
                }
            }
            impl archive::Save for Node {
                fn save<A: Archive>(&self, ar: &mut A) -> Result {
                    if self.wrong {
                        ar.save("value", "no number")?;
                    } else {
                        ar.save("value", &self.value)?;
                    }
                    ar.save("next", &self.next)
                }
            }
            archive::blank!(Node);

            fn chain(length: u32, wrong: bool) -> Next {
                let mut chain: Next = None;
                for value in 0..length {
                    let mut node = Node::default();
                    (node.value, node.wrong, node.next) = (value, wrong && value == 0, chain);
                    chain = Some($Pointer::new($Cell::new(node)));
                }
                chain
            }

            /// Takes a chain apart, node by node, and returns their values.
            fn unlink(mut chain: Next) -> Vec<u32> {
                let mut values = Vec::new();
                while let Some($this) = chain {
                    let mut node = $open;
                    values.push(node.value);
                    chain = node.next.take();
                }
                values
            }

            fn is_whole(chain: Next, length: u32) -> bool {
                unlink(chain).into_iter().eq((0..length).rev())
            }

            /// As small as possible, because there will be many.
            #[derive(Default, Serialize)]
            struct Link {
                next: Option<$Pointer<$Cell<Link>>>,
            }

            fn count(mut chain: Option<$Pointer<$Cell<Link>>>) -> u32 {
                let mut length = 0;
                while let Some($this) = chain {
                    chain = $open.next.take();
                    length += 1;
                }
                length
            }

            #[test]
            fn long_ones_need_no_stack() {
                on_stack(STACK, || {
                    const LENGTH: u32 = crate::common::LONG;
                    let mut chain = None;
                    for _ in 0..LENGTH {
                        chain = Some($Pointer::new($Cell::new(Link { next: chain })));
                    }
                    for format in each_once() {
                        let bytes = format.to_vec(&chain).unwrap();
                        let loaded = format.from_slice(&bytes).unwrap();
                        assert_eq!(count(loaded), LENGTH, "{format}");
                    }
                    count(chain);
                });
            }

            /// Long enough to exhaust the stack if any step recursed.
            const LENGTH: u32 = 10_000;

            #[test]
            fn through_trait_objects_and_in_place() {
                on_stack(STACK, || {
                    let mut chain = chain(LENGTH, false);
                    for format in formats() {
                        let bytes = format.to_vec(&mut crate::common::Erased(&mut chain)).unwrap();
                        let mut loaded = self::chain(3, false);
                        format.load_into(&mut crate::common::Erased(&mut loaded), &bytes).unwrap();
                        assert!(is_whole(loaded, LENGTH), "{format}");
                        if !forgives(format) {
                            continue;
                        }
                        let tree: Value = format.from_slice(&bytes).unwrap();
                        let loaded: Next = tree.to().unwrap();
                        assert!(is_whole(loaded, LENGTH), "{format}: from a tree");
                    }
                    unlink(chain);
                });
            }

            /// The old value is dropped without stack, and objects with other owners are kept.
            #[test]
            fn loading_over_a_chain() {
                on_stack(STACK, || {
                    let short = || chain(2, false);
                    for format in each_once() {
                        let before = ALIVE.get();
                        let mut values = [Some(short()), Some(None), None];
                        for new in &mut values {
                            let long = || chain(LENGTH, false);
                            let kept = long();
                            let mut value = vec![long(), kept.clone(), None];
                            let new: Vec<Next> = new.take().into_iter().collect();
                            let bytes = format.to_vec(&new).unwrap();
                            format.load_into(&mut value, &bytes).unwrap();
                            assert_eq!(value.len(), new.len(), "{format}");
                            assert!(is_whole(kept, LENGTH), "{format}");
                            new.into_iter().chain(value).for_each(|chain| drop(unlink(chain)));
                            assert_eq!(ALIVE.get(), before, "{format}");
                        }
                    }
                });
            }

            #[test]
            fn dismantling_frees_objects_without_other_owners() {
                on_stack(STACK, || {
                    for length in [0, 1, 100_000] {
                        archive::dismantle(chain(length, false));
                        assert_eq!(ALIVE.get(), 0);
                    }
                    // From the middle on it has another owner.
                    let rest = chain(50_000, false);
                    let mut long = rest.clone();
                    for value in 50_000..100_000 {
                        let mut node = Node::default();
                        (node.value, node.next) = (value, long);
                        long = Some($Pointer::new($Cell::new(node)));
                    }
                    archive::dismantle((long, "text".to_owned(), rest.clone()));
                    assert_eq!(ALIVE.get(), 50_000);
                    assert!(is_whole(rest, 50_000));
                    // A cycle owns itself.
                    let long = chain(100_000, false);
                    let last = chain(1, false);
                    if let (Some($this), Some(first)) = (&last, &long) {
                        $open.next = Some(first.clone());
                    }
                    let mut end = long.clone();
                    for _ in 1..100_000 {
                        let Some($this) = &end else { break };
                        let next = $open.next.clone();
                        end = next;
                    }
                    if let Some($this) = &end {
                        $open.next = last;
                    }
                    drop(end);
                    assert_eq!(ALIVE.get(), 100_001);
                    archive::dismantle(long);
                    assert_eq!(ALIVE.get(), 0);
                });
            }

            #[test]
            fn a_failed_load_frees_what_it_built() {
                on_stack(STACK, || {
                    let (right, wrong) = (chain(LENGTH, false), chain(LENGTH, true));
                    let few = {
                        let mut limits = Limits::default();
                        limits.pointers = u64::from(LENGTH) - 1;
                        Options::new().limits(limits)
                    };
                    let all = Options::new();
                    for format in formats() {
                        let right = format.to_vec(&right).unwrap();
                        let wrong = format.to_vec(&wrong).unwrap();
                        let before = ALIVE.get();
                        let fails = |bytes: &[u8], options: &Options<'_>| {
                            let error =
                                format.from_slice_with::<Next>(bytes, options).map(|_| ());
                            let error = error.expect_err("a failure");
                            let alive = ALIVE.get() - before;
                            assert_eq!(alive, 0, "{format}: {error}");
                            // Into an existing value, which frees its own objects.
                            let mut value = self::chain(2, false);
                            let again =
                                format.load_into_with(&mut value, bytes, options).unwrap_err();
                            let said = |error: &archive::Error| match places_agree(format) {
                                true => error.to_string(),
                                false => format!("{}: {}", error.path(), error.message()),
                            };
                            assert_eq!(said(&again), said(&error), "{format}");
                            unlink(value);
                            let alive = ALIVE.get() - before;
                            assert_eq!(alive, 0, "{format}: in place: {error}");
                            error
                        };
                        for part in [4, 2] {
                            fails(&right[..right.len() - right.len() / part], &all);
                        }
                        fails(&right[..right.len() - 3], &all);
                        let error = fails(&wrong, &all);
                        let told = error.kind() == ErrorKind::WrongType || !names_wrong_types(format);
                        assert!(told, "{format}: {error}");
                        assert!(error.path().len() < 1000, "{format}: {error}");
                        let error = fails(&right, &few);
                        assert_eq!(error.kind(), ErrorKind::SizeLimit, "{format}: {error}");
                    }
                    unlink(right);
                    unlink(wrong);
                });
            }
        }
    };
}
chains!(rc: Rc<RefCell>, this => this.borrow_mut());
chains!(arc: Arc<Mutex>, this => this.lock().unwrap());

/// Owned at every level, and taken apart without stack.
#[derive(Default, Serialize)]
struct Boxed {
    next: Option<Box<Boxed>>,
}

impl Drop for Boxed {
    fn drop(&mut self) {
        let mut next = self.next.take();
        while let Some(mut this) = next {
            next = this.next.take();
        }
    }
}

fn boxed(length: usize) -> Boxed {
    let mut chain = Boxed::default();
    for _ in 1..length {
        chain = Boxed { next: Some(Box::new(chain)) };
    }
    chain
}

/// The maximum number of levels for whose encoding the address space has room. A frame of 128 bytes
/// for each would exhaust `STACK` in any case.
const DEEP: usize = if usize::BITS < 64 { 20_000 } else { 100_000 };
/// The encoding of a level in a debug build.
const LEVEL: usize = 21 << 10;

#[test]
fn boxes_are_refused_when_they_are_saved() {
    on_stack(STACK, || {
        let deep = boxed(DEEP);
        for format in formats() {
            let error = format.to_vec(&deep).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::DepthLimit, "{format}");
            assert!(error.path().starts_with("next.next.") && error.path().len() < 1000, "{error}");
            // `ron` has a lower limit of its own.
            let limit = if format.name() == "ron" { "recursion limit" } else { "than 128 levels" };
            assert!(error.message().contains(limit), "{error}");
        }
        assert_eq!(Value::of(&deep).unwrap_err().kind(), ErrorKind::DepthLimit);
    });
}

#[test]
fn boxes_are_refused_when_they_are_loaded() {
    for format in each_once() {
        // Only a program that requests it writes such a file.
        let bytes = on_stack(DEEP * LEVEL, move || {
            let options = Options::new().max_depth(usize::MAX);
            format.to_vec_with(&boxed(DEEP), &options).unwrap()
        });
        on_stack(STACK, move || {
            let check = |error: archive::Error| {
                assert_eq!(error.kind(), ErrorKind::DepthLimit, "{format}: {error}");
                assert!(error.path().len() < 3000, "{format}: {error}");
            };
            check(format.from_slice::<Boxed>(&bytes).map(drop).unwrap_err());
            check(format.from_slice::<Value>(&bytes).map(drop).unwrap_err());
            check(format.load_into(&mut boxed(DEEP), &bytes).unwrap_err());
            // Skipped, it counts the same depth, or nothing.
            #[derive(Default, Serialize)]
            struct Nothing {}
            if let Err(error) = format.from_slice::<Nothing>(&bytes) {
                check(error);
            }
        });
    }
}
