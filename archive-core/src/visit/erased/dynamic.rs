//! Object-safe versions of the generic traits: of bodies, and of archives themselves.

use std::marker::PhantomData;

use super::{Erased, Way};
use crate::model::block_size::BlockSize;
use crate::model::error::Result;
use crate::model::head::{LoadedHead, PointerHead, Step as LoadStep};
use crate::model::mark::Mark;
use crate::model::number::Number;
use crate::model::scalar::Scalar;
use crate::model::shape::{Enum, Member, Shape};
use crate::state::options::Options;
use crate::visit::archive::Archive;
use crate::visit::block::{BlockLoading, BlockSaving, LoadBlocks, SaveBlocks};
use crate::visit::body::{Body, Keyed, LoadAny, LoadPointer, Variants};
use crate::visit::facts::{BodyFacts, Step};
use crate::visit::guide::Begun;
use crate::visit::session::Session;
use crate::visit::visitor::{OuterState, Visitor};

/// Code that runs only on archives of the direction `W`, and is compiled only for them.
pub struct On<'b, W, B>(pub &'b mut B, pub PhantomData<W>);

/// Defines an object-safe trait for a generic one: its method runs on [`Erased`] instead of any
/// archive. The generic trait is implemented for the trait object.
macro_rules! erase {
    ($Erased:ident for $Trait:ident as $Dyn:ident {
        $($(#[$inline:meta])? on archive fn $run:ident($($arg:ident: $ty:ty),*) = $run_erased:ident;)*
        $(fn $plain:ident(&$($mut:ident)? $(, $parg:ident: $pty:ty)*) $(-> $out:ty)? = $plain_erased:ident;)*
    }) => {
        #[doc(hidden)]
        pub trait $Erased {
            $(fn $run_erased(&mut self, ar: &mut Erased<'_> $(, $arg: $ty)*) -> Result;)*
            $(fn $plain_erased(&$($mut)? self $(, $parg: $pty)*) $(-> $out)?;)*
        }
        impl<W: Way, B: $Trait> $Erased for On<'_, W, B> {
            $($(#[$inline])? fn $run_erased(&mut self, ar: &mut Erased<'_> $(, $arg: $ty)*) -> Result {
                self.0.$run(&mut ar.going::<W>() $(, $arg)*)
            })*
            $(fn $plain_erased(&$($mut)? self $(, $parg: $pty)*) $(-> $out)? {
                self.0.$plain($($parg),*)
            })*
        }
        #[doc(hidden)]
        pub struct $Dyn<'a>(pub &'a mut dyn $Erased);
        impl $Trait for $Dyn<'_> {
            $(fn $run<A: Archive>(&mut self, ar: &mut A $(, $arg: $ty)*) -> Result {
                self.0.$run_erased(&mut ar.erased() $(, $arg)*)
            })*
            $(fn $plain(&$($mut)? self $(, $parg: $pty)*) $(-> $out)? {
                self.0.$plain_erased($($parg),*)
            })*
        }
    };
}

erase!(ErasedBody for Body as DynBody {
    // The items of a list are visited through this function even if the type is known, so that they
    // are compiled once.
    #[inline(never)]
    on archive fn run() = run_erased;
});
erase!(ErasedVariants for Variants as DynVariants {
    on archive fn payload() = payload_erased;
    on archive fn members() = members_erased;
    fn current(&) -> usize = current_erased;
    fn reuses(&, index: usize) -> bool = reuses_erased;
    fn select(&mut, index: usize, options: &Options<'_>) -> Result = select_erased;
    fn select_other(&mut, name: &str, options: &Options<'_>) -> bool = select_other_erased;
    fn other_name(&) -> Option<&str> = other_name_erased;
});
erase!(ErasedKeyed for Keyed as DynKeyed {
    on archive fn load() = load_erased;
    fn key(&mut, name: &str) = key_erased;
});
erase!(ErasedLoadPointer for LoadPointer as DynLoadPointer {
    on archive fn load() = load_erased;
    fn shape(&) -> &'static Shape = shape_erased;
    fn begin(
        &mut,
        head: &LoadedHead<'_>,
        at: Mark,
        session: &mut Session,
        options: &Options<'_>
    ) -> Result<LoadStep> = begin_erased;
    fn prepare(
        &mut,
        head: &LoadedHead<'_>,
        session: &mut Session,
        options: &Options<'_>
    ) -> Result<bool> = prepare_erased;
    fn missing(&mut, id: u64, session: &mut Session, options: &Options<'_>) -> Result
        = missing_erased;
});
pub(super) trait ErasedLoadAny {
    fn null_erased(&mut self);
    fn bool_erased(&mut self, value: bool);
    fn number_erased(&mut self, value: Number);
    fn str_erased(&mut self, value: &str);
    fn bytes_erased(&mut self, value: Vec<u8>);
    fn seq_erased(&mut self, ar: &mut Erased<'_>) -> Result;
    fn object_erased(&mut self, ar: &mut Erased<'_>) -> Result;
    fn pointer_erased(&mut self, ar: &mut Erased<'_>, head: &PointerHead<'_>) -> Result;
}
impl<W: Way, B: LoadAny> ErasedLoadAny for On<'_, W, B> {
    fn null_erased(&mut self) {
        self.0.null();
    }
    fn bool_erased(&mut self, value: bool) {
        self.0.bool(value);
    }
    fn number_erased(&mut self, value: Number) {
        self.0.number(value);
    }
    fn str_erased(&mut self, value: &str) {
        self.0.str(value);
    }
    fn bytes_erased(&mut self, value: Vec<u8>) {
        self.0.bytes(value);
    }
    fn seq_erased(&mut self, ar: &mut Erased<'_>) -> Result {
        self.0.seq(&mut ar.going::<W>())
    }
    fn object_erased(&mut self, ar: &mut Erased<'_>) -> Result {
        self.0.object(&mut ar.going::<W>())
    }
    fn pointer_erased(&mut self, ar: &mut Erased<'_>, head: &PointerHead<'_>) -> Result {
        self.0.pointer(&mut ar.going::<W>(), head)
    }
}
struct DynLoadAny<'a>(&'a mut dyn ErasedLoadAny);
impl LoadAny for DynLoadAny<'_> {
    fn null(&mut self) {
        self.0.null_erased();
    }
    fn bool(&mut self, value: bool) {
        self.0.bool_erased(value);
    }
    fn number(&mut self, value: Number) {
        self.0.number_erased(value);
    }
    fn str(&mut self, value: &str) {
        self.0.str_erased(value);
    }
    fn bytes(&mut self, value: Vec<u8>) {
        self.0.bytes_erased(value);
    }
    fn seq<A: Archive>(&mut self, ar: &mut A) -> Result {
        self.0.seq_erased(&mut ar.erased())
    }
    fn object<A: Archive>(&mut self, ar: &mut A) -> Result {
        self.0.object_erased(&mut ar.erased())
    }
    fn pointer<A: Archive>(&mut self, ar: &mut A, head: &PointerHead<'_>) -> Result {
        self.0.pointer_erased(&mut ar.erased(), head)
    }
}

struct DynSaveBlocks<'a>(&'a mut dyn SaveBlocks);
impl SaveBlocks for DynSaveBlocks<'_> {
    fn size(&self) -> BlockSize {
        self.0.size()
    }
    fn count(&self) -> usize {
        self.0.count()
    }
    fn next(&mut self, block: &mut BlockSaving<'_>) -> Result {
        self.0.next(block)
    }
}
struct DynLoadBlocks<'a>(&'a mut dyn LoadBlocks);
impl LoadBlocks for DynLoadBlocks<'_> {
    fn size(&self) -> BlockSize {
        self.0.size()
    }
    fn begin(&mut self, count: usize, session: &mut Session, options: &Options<'_>) {
        self.0.begin(count, session, options);
    }
    fn take(&mut self, block: &[u8]) -> bool {
        self.0.take(block)
    }
    fn next(&mut self, block: &mut BlockLoading<'_>) -> Result {
        self.0.next(block)
    }
    fn end(&mut self, session: &mut Session) {
        self.0.end(session);
    }
}

/// [`Visitor::elsewhere`] of an archive in which every body runs elsewhere.
#[doc(hidden)]
pub fn run_step<A: Archive>(ar: &mut A, step: Step, body: &mut dyn ErasedBody) -> Result<bool> {
    let body = &mut DynBody(body);
    let done = match step {
        Step::Named(info) => ar.named(info, body),
        Step::Found(info) => ar.found(info, body),
        Step::Object(class) => ar.object(class, body),
        Step::Seq(shape, len) => ar.seq(shape, len, body),
        Step::Map(shape, len) => ar.map(shape, len, body),
        Step::Item(index) => return ar.item(index, body),
        Step::Option(shape, present, null) => return ar.option(shape, present, null, body),
        Step::Slot | Step::Variant(..) => Err(crate::visit::walk::misuse()),
    };
    done.map(|()| true)
}

/// Implements the steps of an archive in which every body runs
/// [elsewhere](crate::Walk::run_elsewhere).
#[doc(hidden)]
#[macro_export]
macro_rules! __takes_bodies {
    () => {
        $crate::__takes_bodies!(@steps);
        fn elsewhere(
            &mut self,
            step: $crate::Step,
            body: &mut dyn $crate::ErasedBody,
        ) -> $crate::Result<bool> {
            $crate::run_step(self, step, body)
        }
    };
    (@steps) => {
        fn begin_member(
            &mut self,
            _: &str,
            _: &'static $crate::Shape,
        ) -> $crate::Result<$crate::Begun> {
            Ok($crate::Begun::Elsewhere)
        }
        fn begin_object(
            &mut self,
            _: &'static $crate::Class,
        ) -> $crate::Result<Option<$crate::OuterState>> {
            Ok(None)
        }
        fn begin_seq(
            &mut self,
            _: &'static $crate::Shape,
            _: usize,
        ) -> $crate::Result<Option<$crate::OuterState>> {
            Ok(None)
        }
        fn begin_item(&mut self, _: usize) -> $crate::Result<$crate::Begun> {
            Ok($crate::Begun::Elsewhere)
        }
        fn begin_option(
            &mut self,
            _: &'static $crate::Shape,
            _: bool,
            _: bool,
        ) -> $crate::Result<($crate::Begun, bool)> {
            Ok(($crate::Begun::Elsewhere, false))
        }
        fn begin_variant(
            &mut self,
            _: &'static $crate::Enum,
            _: usize,
            _: bool,
        ) -> $crate::Result<Option<usize>> {
            Ok(None)
        }
    };
}

/// [`Walk`](crate::Walk) as an object-safe trait: the generic arguments of its methods are erased.
macro_rules! tool {
    (
        $(scalar $of:ident($value:ty) = $Scalar:ident;)*
        $(fn $erased:ident(&$($mut:ident)? $(, $arg:ident: $ty:ty $(as $wrap:ident)?)*)
            $(-> $out:ty)? = $method:ident;)*
    ) => {
        pub(super) trait Tool: Visitor {
            $(fn $of(&mut self, value: $value) -> Result;)*
            $(fn $erased(&$($mut)? self $(, $arg: $ty)*) $(-> $out)?;)*
        }
        impl<A: Archive> Tool for A {
            $(fn $of(&mut self, value: $value) -> Result {
                self.scalar(Scalar::$Scalar(value))
            })*
            $(fn $erased(&$($mut)? self $(, $arg: $ty)*) $(-> $out)? {
                self.$method($(tool!(@arg $arg $($wrap)?)),*)
            })*
        }
    };
    (@arg $arg:ident) => { $arg };
    (@arg $arg:ident $wrap:ident) => { &mut $wrap($arg) };
}

tool! {
    // Frequent scalars have separate functions, without a match on the kind.
    scalar bool_erased(&mut bool) = Bool;
    scalar u8_erased(&mut u8) = U8;
    scalar i8_erased(&mut i8) = I8;
    scalar u16_erased(&mut u16) = U16;
    scalar i16_erased(&mut i16) = I16;
    scalar u32_erased(&mut u32) = U32;
    scalar u64_erased(&mut u64) = U64;
    scalar i32_erased(&mut i32) = I32;
    scalar i64_erased(&mut i64) = I64;
    scalar f32_erased(&mut f32) = F32;
    scalar f64_erased(&mut f64) = F64;
    scalar string_erased(&mut String) = String;
    scalar str_erased(&str) = Str;
    fn begin_seq_erased(&mut, shape: &'static Shape, len: usize, facts: &BodyFacts)
        -> Result<Option<OuterState>> = begin_known_seq;
    fn begin_option_erased(&mut, shape: &'static Shape, present: bool, null: bool, facts: &BodyFacts)
        -> Result<(Begun, bool)> = begin_known_option;
    fn save_blocks_erased(&mut, values: &mut dyn SaveBlocks as DynSaveBlocks) -> Result<bool> = save_blocks;
    fn load_blocks_erased(&mut, values: &mut dyn LoadBlocks as DynLoadBlocks) -> Result<bool> = load_blocks;
    fn slot_erased(&mut, name: &str, shape: &'static Shape, body: &mut dyn ErasedBody as DynBody)
        -> Result = slot;
    fn named_elsewhere_erased(
        &mut,
        info: &'static Member,
        body: &mut dyn ErasedBody
    ) -> Result = named_elsewhere;
    fn map_erased(&mut, shape: &'static Shape, len: usize, body: &mut dyn ErasedBody as DynBody)
        -> Result = map;
    fn entry_erased(
        &mut,
        index: usize,
        key: &mut dyn ErasedBody as DynBody,
        value: &mut dyn ErasedBody as DynBody
    ) -> Result<bool> = entry;
    fn variant_erased(
        &mut,
        info: &'static Enum,
        body: &mut dyn ErasedVariants as DynVariants
    ) -> Result = variant;
    fn save_pointer_erased(
        &mut,
        head: &PointerHead<'_>,
        body: &mut dyn ErasedBody as DynBody
    ) -> Result = save_pointer;
    fn save_key_erased(&mut, name: &str, body: &mut dyn ErasedBody as DynBody)
        -> Result = save_key;
    fn load_key_erased(&mut, body: &mut dyn ErasedKeyed as DynKeyed) -> Result<bool> = load_key;
    fn load_any_erased(&mut, target: &mut dyn ErasedLoadAny as DynLoadAny) -> Result = load_any;
    fn load_pointee_erased(&mut, id: u64, body: &mut dyn ErasedBody as DynBody)
        -> Result<bool> = load_pointee;
    fn load_pointer_erased(
        &mut,
        target: &mut dyn ErasedLoadPointer as DynLoadPointer
    ) -> Result = load_pointer;
}
