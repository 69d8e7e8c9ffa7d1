//! [`Erased`]: any archive, behind one type that trait objects can name.
//!
//! Erasing a [`Saving`] or a [`Loading`] makes its encoder or decoder `dyn`; erasing that again
//! only borrows it anew, so a call costs the same at any depth of nested trait objects.
//!
//! What an archive runs is erased too, on its way to the archive behind: each function of a type is
//! compiled once for all that is erased, in both directions.

use crate::archive::{Archive, Body, Keyed, LoadAny, Variants};
use crate::block::{LoadBlocks, SaveBlocks};
use crate::decoder::{Decoder, LoadedHead, Mark};
use crate::encoder::Encoder;
use crate::error::Result;
use crate::loading::Loading;
use crate::number::Number;
use crate::options::Options;
use crate::pointer::{LoadPointer, PointerHead, Step};
use crate::saving::Saving;
use crate::scalar::Scalar;
use crate::session::Session;
use crate::shape::{Class, Enum, Member, Shape};

/// Any archive, behind one type that trait objects can name.
pub struct Erased<'a>(Inner<'a>);

enum Inner<'a> {
    Saving(Saving<'a, dyn Encoder + 'a>),
    Loading(Loading<'a, dyn Decoder + 'a>),
    Tool(&'a mut (dyn Tool + 'a)),
}

impl<'a> Erased<'a> {
    /// An archive that saves into an encoder, for formats with archives of their own.
    #[doc(hidden)]
    pub fn over(
        encoder: &'a mut (dyn Encoder + 'a),
        session: &'a mut Session,
        options: &'a Options<'a>,
    ) -> Self {
        Erased(Inner::Saving(Saving::new(encoder, session, options)))
    }

    /// Writes the bodies that had to wait, and those that they make wait.
    #[doc(hidden)]
    pub fn save_deferred(&mut self) -> Result {
        match &mut self.0 {
            Inner::Saving(ar) => ar.deferred(),
            _ => Ok(()),
        }
    }

    pub(crate) fn saving(saving: Saving<'a, dyn Encoder + 'a>) -> Self {
        Erased(Inner::Saving(saving))
    }
    pub(crate) fn loading(loading: Loading<'a, dyn Decoder + 'a>) -> Self {
        Erased(Inner::Loading(loading))
    }
    pub(crate) fn tool<A: Archive>(tool: &'a mut A) -> Self {
        Erased(Inner::Tool(tool))
    }
}

impl Archive for Erased<'_> {
    fn is_loading(&self) -> bool {
        self.is_loading_erased()
    }
    fn is_saving(&self) -> bool {
        self.is_saving_erased()
    }
    fn erased(&mut self) -> Erased<'_> {
        Erased(match &mut self.0 {
            Inner::Saving(ar) => Inner::Saving(ar.dynamic()),
            Inner::Loading(ar) => Inner::Loading(ar.dynamic()),
            Inner::Tool(tool) => Inner::Tool(&mut **tool),
        })
    }
    fn parts(&self) -> (&Session, &Options<'_>) {
        self.parts_erased()
    }
    fn parts_mut(&mut self) -> (&mut Session, &Options<'_>) {
        self.parts_mut_erased()
    }
    fn slot<B: Body>(&mut self, name: &str, shape: &'static Shape, body: &mut B) -> Result {
        self.slot_erased(name, shape, body)
    }
    fn scalar(&mut self, value: Scalar<'_>) -> Result {
        self.scalar_erased(value)
    }
    fn named<B: Body>(&mut self, info: &'static Member, body: &mut B) -> Result {
        self.named_erased(info, body)
    }
    fn object<B: Body>(&mut self, class: &'static Class, body: &mut B) -> Result {
        if const { B::BLOCK.is_none() } {
            return self.object_erased(class, body);
        }
        match &mut self.0 {
            Inner::Saving(ar) => ar.object(class, body),
            Inner::Loading(ar) => ar.object(class, body),
            Inner::Tool(_) => self.object_erased(class, body),
        }
    }
    fn seq<B: Body>(&mut self, shape: &'static Shape, len: usize, body: &mut B) -> Result {
        if const { B::BLOCK.is_none() } {
            return self.seq_erased(shape, len, body);
        }
        match &mut self.0 {
            Inner::Saving(ar) => ar.seq(shape, len, body),
            Inner::Loading(ar) => ar.seq(shape, len, body),
            Inner::Tool(_) => self.seq_erased(shape, len, body),
        }
    }
    fn overwrites(&mut self) -> bool {
        match &mut self.0 {
            Inner::Loading(ar) => ar.overwrites(),
            _ => false,
        }
    }
    fn save_blocks<B: SaveBlocks>(&mut self, values: &mut B) -> Result<bool> {
        match &mut self.0 {
            Inner::Saving(ar) => ar.save_blocks(values),
            _ => Ok(false),
        }
    }
    fn save_whole_block(&mut self, block: &[u8]) -> Result<bool> {
        match &mut self.0 {
            Inner::Saving(ar) => ar.save_whole_block(block),
            _ => Ok(false),
        }
    }
    fn load_blocks<B: LoadBlocks>(&mut self, values: &mut B) -> Result<bool> {
        match &mut self.0 {
            Inner::Loading(ar) => ar.load_blocks(values),
            _ => Ok(false),
        }
    }
    fn version(&self) -> u32 {
        self.version_erased()
    }
    fn size_hint(&self) -> usize {
        self.size_hint_erased()
    }
    fn item<B: Body>(&mut self, index: usize, body: &mut B) -> Result<bool> {
        self.item_erased(index, body)
    }
    fn map<B: Body>(&mut self, shape: &'static Shape, len: usize, body: &mut B) -> Result {
        self.map_erased(shape, len, body)
    }
    fn entry<K: Body, V: Body>(
        &mut self,
        index: usize,
        key: &mut K,
        value: &mut V,
    ) -> Result<bool> {
        self.entry_erased(index, key, value)
    }
    fn option<B: Body>(
        &mut self,
        shape: &'static Shape,
        present: bool,
        nullable: bool,
        body: &mut B,
    ) -> Result<bool> {
        self.option_erased(shape, present, nullable, body)
    }
    fn variant<B: Variants>(&mut self, info: &'static Enum, body: &mut B) -> Result {
        self.variant_erased(info, body)
    }
    fn save_pointer<B: Body>(&mut self, head: &PointerHead<'_>, body: &mut B) -> Result {
        self.save_pointer_erased(head, body)
    }
    fn defers(&self) -> bool {
        self.defers_erased()
    }
    fn fixed_members(&self) -> bool {
        self.fixed_members_erased()
    }
    fn fixed_shape(&self) -> bool {
        self.fixed_shape_erased()
    }
    fn save_key<B: Body>(&mut self, name: &str, body: &mut B) -> Result {
        self.save_key_erased(name, body)
    }
    fn load_key<B: Keyed>(&mut self, body: &mut B) -> Result<bool> {
        self.load_key_erased(body)
    }
    fn load_any<B: LoadAny>(&mut self, target: &mut B) -> Result {
        self.load_any_erased(target)
    }
    fn load_body<B: Body>(&mut self, id: u64, body: &mut B) -> Result<bool> {
        self.load_body_erased(id, body)
    }
    fn settle(&mut self) -> Result {
        self.settle_erased()
    }
    fn load_pointer<B: LoadPointer>(&mut self, target: &mut B) -> Result {
        self.load_pointer_erased(target)
    }
}

/// An object-safe trait for a generic one: the method that runs on any archive runs on [`Erased`],
/// and a trait object of it is the generic trait again.
macro_rules! erase {
    ($Erased:ident for $Trait:ident as $Dyn:ident {
        $(on archive fn $run:ident($($arg:ident: $ty:ty),*) = $run_erased:ident;)*
        $(fn $plain:ident(&$($mut:ident)? $(, $parg:ident: $pty:ty)*) $(-> $out:ty)? = $plain_erased:ident;)*
    }) => {
        trait $Erased {
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
trait ErasedLoadAny {
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
        trait Tool {
            $(fn $erased(&$($mut)? self $(, $arg: $ty)*) $(-> $out)?;)*
        }
        impl<A: Archive> Tool for A {
            $(fn $erased(&$($mut)? self $(, $arg: $ty)*) $(-> $out)? {
                self.$method($(tool!(@arg $arg $($wrap)?)),*)
            })*
        }
        impl Erased<'_> {
            $(fn $erased(&$($mut)? self $(, $arg: $ty)*) $(-> $out)? {
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
    fn scalar_erased(&mut, value: Scalar<'_>) -> Result = scalar;
    fn settle_erased(&mut) -> Result = settle;
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
        nullable: bool,
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
