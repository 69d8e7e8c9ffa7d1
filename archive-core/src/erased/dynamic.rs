//! The generic traits of archives as trait objects: what runs on an archive, and archives themselves.

use std::any::Any;

use super::{Erased, Inner};
use crate::archive::{Archive, Body, Keyed, LoadAny, Variants};
use crate::decoder::{LoadedHead, Mark};
use crate::error::Result;
use crate::number::Number;
use crate::options::Options;
use crate::pointer::{LoadPointer, PointerHead, Step};
use crate::registry::Polymorphic;
use crate::scalar::Scalar;
use crate::session::Session;
use crate::shape::{Class, Enum, Member, Shape};

/// An object-safe trait for a generic one: the method that runs on any archive runs on [`Erased`],
/// and a trait object of it is the generic trait again.
macro_rules! erase {
    ($Erased:ident for $Trait:ident as $Dyn:ident {
        $(on archive fn $run:ident($($arg:ident: $ty:ty),*) = $run_erased:ident;)*
        $(fn $plain:ident(&$($mut:ident)? $(, $parg:ident: $pty:ty)*) $(-> $out:ty)? = $plain_erased:ident;)*
    }) => {
        pub(super) trait $Erased {
            $(fn $run_erased(&mut self, ar: &mut Erased<'_> $(, $arg: $ty)*) -> Result;)*
            $(fn $plain_erased(&$($mut)? self $(, $parg: $pty)*) $(-> $out)?;)*
        }
        impl<B: $Trait> $Erased for B {
            $(fn $run_erased(&mut self, ar: &mut Erased<'_> $(, $arg: $ty)*) -> Result {
                self.$run(ar $(, $arg)*)
            })*
            $(fn $plain_erased(&$($mut)? self $(, $parg: $pty)*) $(-> $out)? {
                self.$plain($($parg),*)
            })*
        }
        struct $Dyn<'a>(&'a mut dyn $Erased);
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
    ) -> Result<Step> = begin_erased;
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
impl<B: LoadAny> ErasedLoadAny for B {
    fn null_erased(&mut self) {
        self.null();
    }
    fn bool_erased(&mut self, value: bool) {
        self.bool(value);
    }
    fn number_erased(&mut self, value: Number) {
        self.number(value);
    }
    fn str_erased(&mut self, value: &str) {
        self.str(value);
    }
    fn bytes_erased(&mut self, value: Vec<u8>) {
        self.bytes(value);
    }
    fn seq_erased(&mut self, ar: &mut Erased<'_>) -> Result {
        self.seq(ar)
    }
    fn object_erased(&mut self, ar: &mut Erased<'_>) -> Result {
        self.object(ar)
    }
    fn pointer_erased(&mut self, ar: &mut Erased<'_>, head: &PointerHead<'_>) -> Result {
        self.pointer(ar, head)
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

/// [`Archive`], object-safe: the generic arguments of its methods are erased.
macro_rules! tool {
    ($(fn $erased:ident(&$($mut:ident)? $(, $arg:ident: $ty:ty $(as $wrap:ident)?)*)
        $(-> $out:ty)? = $method:ident;)*) => {
        pub(super) trait Tool {
            $(fn $erased(&$($mut)? self $(, $arg: $ty)*) $(-> $out)?;)*
        }
        impl<A: Archive> Tool for A {
            $(fn $erased(&$($mut)? self $(, $arg: $ty)*) $(-> $out)? {
                self.$method($(tool!(@arg $arg $($wrap)?)),*)
            })*
        }
        impl Erased<'_> {
            $(pub(super) fn $erased(&$($mut)? self $(, $arg: $ty)*) $(-> $out)? {
                match &$($mut)? self.0 {
                    Inner::Saving(ar) => Tool::$erased(ar $(, $arg)*),
                    Inner::Loading(ar) => Tool::$erased(ar $(, $arg)*),
                    Inner::Tool(ar) => Tool::$erased(&$($mut)? **ar $(, $arg)*),
                }
            })*
        }
    };
    (@arg $arg:ident) => { $arg };
    (@arg $arg:ident $wrap:ident) => { &mut $wrap($arg) };
}

tool! {
    fn is_loading_erased(&) -> bool = is_loading;
    fn is_saving_erased(&) -> bool = is_saving;
    fn parts_erased(&) -> (&Session, &Options<'_>) = parts;
    fn parts_mut_erased(&mut) -> (&mut Session, &Options<'_>) = parts_mut;
    fn size_hint_erased(&) -> usize = size_hint;
    fn version_erased(&) -> u32 = version;
    fn defers_erased(&) -> bool = defers;
    fn fixed_members_erased(&) -> bool = fixed_members;
    fn fixed_shape_erased(&) -> bool = fixed_shape;
    fn refuses_twins_erased(&) -> bool = refuses_twins;
    fn scalar_erased(&mut, value: Scalar<'_>) -> Result = scalar;
    fn settle_erased(&mut) -> Result = settle;
    fn save_object_erased(&mut, object: &dyn Any) -> Result<bool> = save_object;
    fn save_owned_erased(&mut, object: &dyn Any) -> Result<bool> = save_owned;
    fn load_object_erased(&mut, object: &mut dyn Polymorphic) -> Result<bool> = load_object;
    fn slot_erased(&mut, name: &str, shape: &'static Shape, body: &mut dyn ErasedBody as DynBody)
        -> Result = slot;
    fn named_erased(&mut, info: &'static Member, body: &mut dyn ErasedBody as DynBody)
        -> Result = named;
    fn object_erased(&mut, class: &'static Class, body: &mut dyn ErasedBody as DynBody)
        -> Result = object;
    fn seq_erased(&mut, shape: &'static Shape, len: usize, body: &mut dyn ErasedBody as DynBody)
        -> Result = seq;
    fn item_erased(&mut, index: usize, body: &mut dyn ErasedBody as DynBody)
        -> Result<bool> = item;
    fn map_erased(&mut, shape: &'static Shape, len: usize, body: &mut dyn ErasedBody as DynBody)
        -> Result = map;
    fn entry_erased(
        &mut,
        index: usize,
        key: &mut dyn ErasedBody as DynBody,
        value: &mut dyn ErasedBody as DynBody
    ) -> Result<bool> = entry;
    fn option_erased(
        &mut,
        shape: &'static Shape,
        present: bool,
        null: bool,
        body: &mut dyn ErasedBody as DynBody
    ) -> Result<bool> = option;
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
    fn load_body_erased(&mut, id: u64, body: &mut dyn ErasedBody as DynBody)
        -> Result<bool> = load_body;
    fn load_pointer_erased(
        &mut,
        target: &mut dyn ErasedLoadPointer as DynLoadPointer
    ) -> Result = load_pointer;
}
