//! The objects of the call that runs, which scripts reach by their numbers.
//!
//! A script has numbers, never references. The references are in a scoped variable of the thread, which is only set while a
//! script runs, so nothing that a script keeps refers to an object after its call.

use std::any::Any;
use std::cell::RefCell;
use std::rc::Rc;

use archive::{Error, ErrorKind, Options, Polymorphic, Result};

use crate::arguments::{Argument, Arguments};

scoped_tls_hkt::scoped_thread_local!(
    static CALL: for<'a> &'a (dyn Objects + 'a)
);

/// An object, where scripts find it.
#[derive(Clone)]
pub(crate) enum Root {
    /// An argument of a call: the numbers of the call and of the argument.
    Argument(u64, usize),
    Shared(Rc<RefCell<dyn Polymorphic>>),
}

impl Root {
    pub(crate) fn is(&self, other: &Root) -> bool {
        match (self, other) {
            (Root::Argument(call, index), Root::Argument(other, at)) => {
                (call, index) == (other, at)
            }
            (Root::Shared(one), Root::Shared(other)) => Rc::ptr_eq(one, other),
            _ => false,
        }
    }

    /// Reads the object.
    pub(crate) fn view<R>(
        &self,
        read: impl FnOnce(&dyn Polymorphic, &Options<'_>) -> Result<R>,
    ) -> Result<R> {
        let mut read = Some(read);
        let mut read = |object: &dyn Polymorphic, options: &Options<'_>| match read.take() {
            Some(read) => read(object, options),
            None => Err(gone()),
        };
        match self {
            Root::Argument(call, index) => {
                in_call(Some(*call), Some(*index), |reach| match reach.object {
                    Some(Access::Edit(object)) => read(object, reach.options),
                    Some(Access::View(object)) => read(object, reach.options),
                    None => Err(gone()),
                })
            }
            Root::Shared(object) => {
                let object = object.try_borrow().map_err(|_| in_use())?;
                if !CALL.is_set() {
                    return read(&*object, &Options::new());
                }
                in_call(None, None, |reach| read(&*object, reach.options))
            }
        }
    }

    /// Changes the object.
    pub(crate) fn edit<R>(
        &self,
        change: impl FnOnce(&mut dyn Polymorphic, &Options<'_>, &mut dyn Any) -> Result<R>,
    ) -> Result<R> {
        match self {
            Root::Argument(call, index) => {
                in_call(Some(*call), Some(*index), |reach| match reach.object {
                    Some(Access::Edit(object)) => change(object, reach.options, reach.host),
                    Some(Access::View(_)) => {
                        Err(Error::new(ErrorKind::ReadOnly, "the script may only read this object"))
                    }
                    None => Err(gone()),
                })
            }
            Root::Shared(object) => {
                let mut object = object.try_borrow_mut().map_err(|_| in_use())?;
                if !CALL.is_set() {
                    return change(&mut *object, &Options::new(), &mut ());
                }
                in_call(None, None, |reach| change(&mut *object, reach.options, reach.host))
            }
        }
    }
}

/// Runs a function with the host of the call.
pub(crate) fn with_host<R>(run: impl FnOnce(&mut dyn Any) -> Result<R>) -> Result<R> {
    in_call(None, None, |reach| run(reach.host))
}

/// Runs a function on an object of a call, or of the one that runs.
#[inline]
fn in_call<R>(
    call: Option<u64>,
    index: Option<usize>,
    run: impl FnOnce(Reach<'_>) -> Result<R>,
) -> Result<R> {
    if !CALL.is_set() {
        return Err(gone());
    }
    let (mut run, mut done) = (Some(run), None);
    CALL.with(|objects| {
        if call.is_none_or(|call| call == objects.call()) {
            objects.reach(index, &mut |reach| done = run.take().map(|run| run(reach)));
        }
    });
    done.unwrap_or_else(|| Err(gone()))
}

#[cold]
fn gone() -> Error {
    Error::new(ErrorKind::NotFound, "the object belongs to a call that has ended, or is in use")
}

#[cold]
fn in_use() -> Error {
    Error::new(ErrorKind::Borrowed, "the object is in use")
}

/// How an object may be used.
enum Access<'a> {
    Edit(&'a mut dyn Polymorphic),
    View(&'a dyn Polymorphic),
}

/// What a call gives for one use of an object.
struct Reach<'a> {
    object: Option<Access<'a>>,
    options: &'a Options<'a>,
    host: &'a mut dyn Any,
}

/// The objects of a call.
trait Objects {
    fn call(&self) -> u64;

    /// Runs a function, unless one runs already: a method has its object for itself.
    fn reach(&self, index: Option<usize>, run: &mut dyn FnMut(Reach<'_>));
}

/// The [`Arguments`] of a call.
struct Live<'a> {
    call: u64,
    arguments: RefCell<Arguments<'a>>,
    default: Options<'a>,
}

impl Objects for Live<'_> {
    #[inline]
    fn call(&self) -> u64 {
        self.call
    }

    fn reach(&self, index: Option<usize>, run: &mut dyn FnMut(Reach<'_>)) {
        let Ok(mut arguments) = self.arguments.try_borrow_mut() else { return };
        let Arguments { all, options, host } = &mut *arguments;
        let object =
            index.and_then(|index| all.get_mut(index)).and_then(|argument| match argument {
                Argument::Edit(object) => Some(Access::Edit(&mut **object)),
                Argument::View(object) => Some(Access::View(&**object)),
                Argument::Shared(_) | Argument::Value(_) => None,
            });
        let options = options.unwrap_or(&self.default);
        match host {
            Some(host) => run(Reach { object, options, host: &mut **host }),
            None => run(Reach { object, options, host: &mut () }),
        }
    }
}

/// Runs a function while scripts reach the arguments of the call.
pub(crate) fn during<R>(call: u64, arguments: Arguments<'_>, run: impl FnOnce() -> R) -> R {
    let live = Live { call, arguments: RefCell::new(arguments), default: Options::new() };
    CALL.set(&live, run)
}
