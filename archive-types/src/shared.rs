//! Shared objects: what the pointers of a schema point to.
//!
//! `Rc` and `Arc`, and the kinds of cells, are the same in a file. In memory all of them are `Arc` and
//! `Mutex`, so that a record can be sent to another thread.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::sync::{Arc, Mutex, TryLockError, Weak};

use archive_core::__private::made::{
    OwnShape, load_shared, load_weak, other_shape, save_shared, save_weak,
};
use archive_core::pointer::ArcFlavor;
use archive_core::{
    Archive, Blank, Body, Error, ErrorKind, Options, Result, Save, Serialize, Shape,
};

use crate::loaded::Loaded;
use crate::plan::Plan;
use crate::saved::Saved;
use crate::slot::Slot;

/// An object that pointers share.
pub(crate) struct Node {
    plan: &'static Plan,
    slot: Slot,
}

/// Declares a pointer, and what strong and weak ones have in common.
macro_rules! pointer {
    ($(#[$doc:meta])* $Name:ident, $Pointer:ident, $save:ident, $load:ident) => {
        $(#[$doc])*
        #[derive(Clone)]
        pub(crate) enum $Name {
            InCell($Pointer<Mutex<Node>>),
            Bare($Pointer<Node>),
        }

        impl $Name {
            pub(crate) fn save<A: Archive>(&self, plan: &'static Plan, ar: &mut A) -> Result {
                match self {
                    $Name::InCell(this) => $save::<ArcFlavor, Mutex<Node>, A>(this, plan.shape, ar),
                    $Name::Bare(this) => $save::<ArcFlavor, Node, A>(this, plan.shape, ar),
                }
            }

            /// Loads a pointer of that shape to an object of that type, which is not checked.
            fn load_any<A: Archive>(
                &mut self,
                plan: &'static Plan,
                shape: &'static Shape,
                ar: &mut A,
            ) -> Result {
                with(plan, || match self {
                    $Name::InCell(this) => $load::<ArcFlavor, Mutex<Node>, A>(this, shape, ar),
                    $Name::Bare(this) => $load::<ArcFlavor, Node, A>(this, shape, ar),
                })
            }
        }

        /// Equal if both point to one object.
        impl PartialEq for $Name {
            fn eq(&self, other: &Self) -> bool {
                match (self, other) {
                    ($Name::InCell(one), $Name::InCell(other)) => $Pointer::ptr_eq(one, other),
                    ($Name::Bare(one), $Name::Bare(other)) => $Pointer::ptr_eq(one, other),
                    _ => false,
                }
            }
        }

        impl fmt::Debug for $Name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(concat!(stringify!($Name), "(..)"))
            }
        }
    };
}
pointer!(
    /// A strong pointer.
    Shared, Arc, save_shared, load_shared
);
pointer!(
    /// A weak pointer.
    Watching, Weak, save_weak, load_weak
);

thread_local! {
    /// The type of the object that the next blank one is of.
    static NEXT: Cell<Option<&'static Plan>> = const { Cell::new(None) };
    /// The addresses and the types of the objects that are being loaded, which are locked.
    static OPEN: RefCell<Vec<(usize, &'static Plan)>> = const { RefCell::new(Vec::new()) };
}

/// Runs `load` while new objects are of that type.
fn with<R>(plan: &'static Plan, load: impl FnOnce() -> R) -> R {
    struct Reset(Option<&'static Plan>);
    impl Drop for Reset {
        fn drop(&mut self) {
            NEXT.set(self.0);
        }
    }
    let _reset = Reset(NEXT.replace(Some(plan)));
    load()
}

impl Shared {
    /// Creates a pointer to a blank object.
    pub(crate) fn blank(plan: &'static Plan, in_cell: bool) -> Self {
        let node = Node { plan, slot: plan.blank() };
        if in_cell {
            Shared::InCell(Arc::new(Mutex::new(node)))
        } else {
            Shared::Bare(Arc::new(node))
        }
    }

    /// Loads a pointer of that shape to an object of that type.
    pub(crate) fn load<A: Archive>(
        &mut self,
        plan: &'static Plan,
        shape: &'static Shape,
        ar: &mut A,
    ) -> Result {
        self.load_any(plan, shape, ar)?;
        self.check(plan)
    }

    /// Checks the type of the object: all objects are of one type in memory.
    fn check(&self, plan: &'static Plan) -> Result {
        let found = match self {
            Shared::Bare(this) => Some(this.plan),
            Shared::InCell(this) => match this.try_lock() {
                Ok(node) => Some(node.plan),
                Err(TryLockError::Poisoned(node)) => Some(node.into_inner().plan),
                Err(TryLockError::WouldBlock) => open_plan(this),
            },
        };
        match found {
            Some(found) if !std::ptr::eq(found, plan) => {
                Err(other_shape(&plan.to_string(), &found.to_string()))
            }
            _ => Ok(()),
        }
    }
}

/// Returns the type of an object that is being loaded.
fn open_plan(this: &Arc<Mutex<Node>>) -> Option<&'static Plan> {
    let start = Arc::as_ptr(this).addr();
    let inside = |address: &usize| (start..start + size_of::<Mutex<Node>>()).contains(address);
    OPEN.with_borrow(|open| open.iter().find(|(address, _)| inside(address)).map(|(_, plan)| *plan))
}

impl Watching {
    /// Creates a pointer to nothing.
    pub(crate) fn nothing(in_cell: bool) -> Self {
        if in_cell { Watching::InCell(Weak::new()) } else { Watching::Bare(Weak::new()) }
    }

    /// Whether there is no object.
    pub(crate) fn is_null(&self) -> bool {
        match self {
            Watching::InCell(this) => this.strong_count() == 0,
            Watching::Bare(this) => this.strong_count() == 0,
        }
    }

    pub(crate) fn load<A: Archive>(
        &mut self,
        plan: &'static Plan,
        shape: &'static Shape,
        ar: &mut A,
    ) -> Result {
        self.load_any(plan, shape, ar)?;
        match self {
            Watching::InCell(this) => this.upgrade().map(Shared::InCell),
            Watching::Bare(this) => this.upgrade().map(Shared::Bare),
        }
        .map_or(Ok(()), |strong| strong.check(plan))
    }
}

impl Node {
    fn own_shape(&self) -> &'static Shape {
        self.plan.shape
    }
}

impl Serialize for Node {
    const SHAPE: &'static Shape = &Shape::Any;
    const OWN_SHAPE: Option<OwnShape<Self>> = Some(OwnShape {
        of: Node::own_shape,
        new: |_| NEXT.get().map_or(&Shape::Any, |plan| plan.shape),
        part: || &Shape::Any,
    });
    const HOLDS_VALUES: bool = false;

    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        if !ar.is_loading() {
            return self.save(ar);
        }
        struct Close;
        impl Drop for Close {
            fn drop(&mut self) {
                OPEN.with_borrow_mut(|open| open.truncate(open.len() - 1));
            }
        }
        let address = std::ptr::from_ref(self).addr();
        OPEN.with_borrow_mut(|open| open.push((address, self.plan)));
        let _close = Close;
        Loaded { slot: &mut self.slot, plan: self.plan }.run(ar)
    }
}

impl Save for Node {
    fn save<A: Archive>(&self, ar: &mut A) -> Result {
        Saved { slot: &self.slot, plan: self.plan }.run(ar)
    }
}

impl Blank for Node {
    fn blank(options: &Options<'_>) -> Self {
        Node::try_blank(options).expect("a pointer of a schema is loaded")
    }
    fn try_blank(_: &Options<'_>) -> Result<Self> {
        let missing =
            || Error::new(ErrorKind::BadPointer, "internal error: an object without a type");
        let plan = NEXT.get().ok_or_else(missing)?;
        Ok(Node { plan, slot: plan.blank() })
    }
}
