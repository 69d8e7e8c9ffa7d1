//! [`Decoder`]: reads values by position if the file's types match the program's, otherwise by
//! name.
//!
//! The type of the value at the cursor is always known. Either it is a type of the file, or it is
//! [`TypeId::MATCHES_PROGRAM`]: the value has exactly the type that the program requests, and
//! nothing needs to be checked. Types are compared at the start of an object, a sequence or the
//! root, and, in an object of a changed class, for each requested member. Everything inside a match
//! also matches; for open containers in it, only their number is tracked.

mod by_hand;
mod choice;
mod deferred;
mod frame;
mod gaps;
mod hand_on;
mod lists;
mod object;
mod option;
mod plan;
mod pointees;
mod pointer;
mod profile;
mod row;
mod scalar;
mod sequence;
mod skip;
#[cfg(feature = "document")]
mod survey;
mod tagged;
mod wrong;

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use archive_core::backend::Visit;
use archive_core::block::{Asked, Found};
use archive_core::columns::{NewItem, Taken};
use archive_core::decoder::{Kind, LoadedHead, MapForm, Mark, OptionForm, VariantHead};
use archive_core::shape::{Class, Enum, Member, Primitive, Shape};
use archive_core::{Error, ErrorKind, Number, Options, Polymorphic, Position, Result, Session};
use rustc_hash::FxHashMap;

use crate::columnar::Gaps;
use crate::compare::Equality;
use crate::container;
use crate::cursor::{Cursor, offset, too_many};
use crate::fast_path;
#[cfg(feature = "describe")]
use crate::inspect::{StoredTypes, stored_types};
use crate::read_tables::Tables;
use crate::rows::RowTypes;
use crate::shapes::ShapeRef;
use crate::types::{Type, TypeId};
pub(crate) use by_hand::Opened;
use frame::{Form, Frame, List};
pub(crate) use object::UNTYPED;
pub(crate) use option::holds_null;
pub(crate) use plan::Ask;
use plan::Plans;
pub(crate) use row::Learned;
#[cfg(feature = "document")]
pub(crate) use tagged::{key as tagged_key, number as tagged_number};

/// Reads the binary format.
pub struct Decoder<'a> {
    data: Cursor<'a>,
    tables: Tables<'a>,
    /// The end of the data.
    end: usize,
    /// The type of the value at the cursor.
    slot: TypeId,
    /// The type and the offset of the value that was begun last, unless the type matches the
    /// program's.
    taken: (TypeId, usize),
    /// The frame of the root.
    base: Frame,
    /// The open containers whose state must be tracked.
    frames: Vec<Frame>,
    /// The number of parts without a frame that are open in the innermost frame: containers that
    /// match the program's type, objects of pointers, and the values of options and variants.
    frameless_depth: u32,
    /// The number of these parts that do not count as a level of nesting: the values of options.
    flat: u32,
    /// The open sequences without a frame, in all frames.
    lists: Vec<List>,
    /// The members of open objects that were skipped.
    passed: Vec<object::MemberSeen>,
    /// Searches among the members that were skipped.
    searches: Vec<tagged::Searched>,
    /// The indexes of members in large classes, by name. The names come from the file, so the hash
    /// is one whose collisions a file cannot cause.
    indices: FxHashMap<TypeId, HashMap<&'a str, usize>>,
    equality: Equality,
    /// Whether the items of the sequence opened last are blocks that match the program's.
    in_blocks: bool,
    /// The number of open parts from the outermost block on, including the block.
    block: usize,
    /// The type at the cursor before the last block was read, or the number of items of the block.
    undo: (TypeId, usize),
    /// Whether the type of every value must be known, so that nothing counts as a match. This is
    /// the case while errors are collected, because values that cannot be read are skipped.
    named: bool,
    plans: Plans,
    pointees: pointees::KnownPointees,
    deferred: deferred::Deferred,
    /// The start and the end of each object after the root that was read.
    read: Vec<(usize, usize)>,
    /// The offset of the value that was begun last.
    start: usize,
    /// Text that the file stores in a different form.
    text: String,
    conversion: Option<(Primitive, Primitive)>,
    /// The layout number of the object of a hand-written function that was begun last.
    last_layout: Option<u32>,
    /// The number of elements without bytes that may still be read.
    empty_left: u64,
    max_empty: u64,
    depth_limit: usize,
    /// The lists whose entries are taken from columns.
    gaps: Option<Box<dyn Gaps + 'a>>,
    /// The rest of opening a file without types, which needs the root's type.
    pending_types: Option<profile::PendingTypes<'a>>,
    /// The types of the file, for a walk along them.
    walked_types: Option<std::sync::Arc<[Type<&'a str, TypeId>]>>,
    /// The memory of walks over values that are skipped.
    rest: Vec<skip::Rest>,
    /// Whether each type is fully described in the file, once this was requested.
    described: Option<Vec<bool>>,
    /// The types of the file as text, once they were requested.
    #[cfg(feature = "describe")]
    spelled: Option<StoredTypes>,
    /// The types of the row, with the results for the roots that they were compared with.
    row_types: Option<RowTypes>,
}

impl<'a> Decoder<'a> {
    /// Creates a decoder of a whole file.
    ///
    /// # Errors
    /// An error if the file is not of this format, is incomplete, or has malformed tables. A file with
    /// columns is [`ErrorKind::Unsupported`]: [`to_rows`](crate::columns::to_rows) turns it into rows.
    pub fn new(input: &'a [u8], options: &Options<'_>) -> Result<Self> {
        let (end, tables_end) = container::open(input)?;
        let tables = Tables::read(input, end, tables_end, options)?;
        Ok(Decoder::over(&input[..end], tables, options))
    }

    /// Creates a decoder of data that the tables describe.
    pub(crate) fn over(data: &'a [u8], tables: Tables<'a>, options: &Options<'_>) -> Self {
        Decoder::knowing(Learned::new(tables.types()), data, tables, options)
    }

    /// Like [`over`](Decoder::over), with the results of earlier decoders for these types.
    fn knowing(
        learned: Learned,
        data: &'a [u8],
        tables: Tables<'a>,
        options: &Options<'_>,
    ) -> Self {
        let Learned { equality, plans, frames, lists, passed, searches } = learned;
        let (start, root) = (tables.start, tables.root);
        let limits = options.settings().limits();
        Decoder {
            data: Cursor::new(data, start),
            equality,
            named: options.settings().keep_going(),
            plans,
            pointees: pointees::KnownPointees::default(),
            deferred: deferred::Deferred::default(),
            tables,
            end: data.len(),
            slot: root,
            taken: (root, start),
            base: Frame::new(Form::Value),
            frames,
            frameless_depth: 0,
            flat: 0,
            lists,
            passed,
            searches,
            indices: FxHashMap::default(),
            in_blocks: false,
            block: 0,
            undo: (TypeId::NONE, 0),
            read: Vec::new(),
            start,
            text: String::new(),
            conversion: None,
            last_layout: None,
            empty_left: limits.empty_elements,
            max_empty: limits.empty_elements,
            depth_limit: limits.nesting(),
            gaps: None,
            pending_types: None,
            walked_types: None,
            rest: Vec::new(),
            described: None,
            #[cfg(feature = "describe")]
            spelled: None,
            row_types: None,
        }
    }

    /// Returns whether the value at the cursor is known to match the program's type.
    pub(crate) fn matches_program(&self) -> bool {
        self.slot == TypeId::MATCHES_PROGRAM
    }

    /// Returns a copy of the cursor.
    pub(crate) fn input(&self) -> Cursor<'a> {
        self.data
    }

    /// Continues at that offset and nesting depth, at a value of that type.
    pub(crate) fn resume_at(&mut self, at: usize, depth: usize, slot: TypeId) {
        self.data.goto(at);
        self.top_mut().depth = depth;
        self.slot = slot;
    }

    /// Opens the object at the cursor if it has that shape. Returns whether it does.
    pub(crate) fn open_matching(&mut self, shape: &'static Shape) -> bool {
        let equal =
            self.slot == TypeId::MATCHES_PROGRAM || self.equal(self.slot, ShapeRef::of(shape));
        if equal {
            self.open(Frame::new(Form::Value));
        }
        equal
    }

    /// Closes the object that [`open_matching`](Decoder::open_matching) opened.
    pub(crate) fn close_matching(&mut self) -> Result {
        self.close()
    }

    /// Checks that the root was read to its end, and that only deferred objects come after it.
    ///
    /// # Errors
    /// [`ErrorKind::TrailingData`], or the error of an object that was not requested.
    pub fn end(&mut self) -> Result {
        self.check_root_end()?;
        self.check_deferred()
    }

    /// Checks that the cursor is at the end of the root.
    fn check_root_end(&self) -> Result {
        if self.data.at() == self.tables.root_end {
            return Ok(());
        }
        let error = Error::new(ErrorKind::TrailingData, "trailing data after the value");
        Err(error.at(offset(self.data.at())))
    }

    /// Returns whether values of that type can be read by position as values of that shape.
    fn equal(&mut self, found: TypeId, asked: ShapeRef) -> bool {
        !self.named && self.equality.holds(&self.tables, found, asked)
    }

    /// Returns whether the root can be read by position as a value of that shape.
    pub(crate) fn matches_root(&mut self, shape: &'static Shape) -> bool {
        self.equal(self.tables.root, ShapeRef::of(shape))
    }

    /// Returns whether a list or a map of that shape has entries of that type.
    pub(crate) fn has_entries(&mut self, entry: TypeId, list: &'static Shape) -> bool {
        ShapeRef::entry_of(list).is_some_and(|asked| self.equal(entry, asked))
    }

    /// Returns the offset of the value that was begun last.
    fn here(&self) -> Position {
        offset(self.start)
    }
}

/// Reads an integer type directly if the file has the same type, otherwise converts.
macro_rules! integers {
    ($($name:ident $variant:ident $read:expr;)*) => { $(
        #[inline]
        fn $name(&mut self) -> Result<$name> {
            let whole = self.slot == TypeId::MATCHES_PROGRAM && self.block > 0;
            if whole || self.slot == TypeId::in_block(Primitive::$variant) {
                return self.data.array().map($name::from_le_bytes);
            }
            if self.slot == TypeId::MATCHES_PROGRAM || self.slot == TypeId::of(Primitive::$variant) {
                let read: fn(&mut Self) -> Result<$name> = $read;
                return read(self);
            }
            self.integer(Primitive::$variant)
        }
    )* };
}

impl archive_core::Decoder for Decoder<'_> {
    #[inline]
    fn input_len(&self) -> Option<usize> {
        Some(self.input().len())
    }
    fn position(&self) -> Position {
        offset(self.data.at())
    }
    fn position_of(&self, mark: Mark) -> Position {
        Position::Offset(mark.offset)
    }

    fn peek(&mut self) -> Result<Kind> {
        self.kind_of(self.slot)
    }
    fn skip(&mut self) -> Result {
        let slot = self.take_slot();
        self.skip_value(slot)
    }
    fn skip_span(&mut self) -> Result<Option<Range<u64>>> {
        let start = self.mark().offset;
        self.skip()?;
        Ok(Some(start..self.mark().offset))
    }
    #[cfg(feature = "describe")]
    fn stored_type(&mut self) -> Option<Cow<'_, str>> {
        self.spelled.get_or_insert_with(|| stored_types(&self.tables)).of(self.slot)
    }

    #[inline]
    fn null(&mut self) -> Result {
        if self.slot == TypeId::MATCHES_PROGRAM { Ok(()) } else { self.typed_null() }
    }
    #[inline]
    fn bool(&mut self) -> Result<bool> {
        if self.slot == TypeId::MATCHES_PROGRAM {
            self.data.flag("bool")
        } else {
            self.typed_bool()
        }
    }
    fn number(&mut self) -> Result<Number> {
        self.typed_number("a number")
    }
    #[inline]
    fn str(&mut self) -> Result<&str> {
        if self.slot == TypeId::MATCHES_PROGRAM { self.data.str() } else { self.typed_str("text") }
    }

    integers! {
        u8 U8 |this| this.data.byte();
        i8 I8 |this| this.data.byte().map(|byte| byte as i8);
        u16 U16 |this| this.narrow(|data| data.u64());
        u32 U32 |this| this.narrow(|data| data.u64());
        i16 I16 |this| this.narrow(|data| data.i64());
        i32 I32 |this| this.narrow(|data| data.i64());
        u64 U64 |this| this.data.u64();
        i64 I64 |this| this.data.i64();
        u128 U128 |this| this.data.u128();
        i128 I128 |this| this.data.i128();
    }
    #[inline]
    fn f32(&mut self) -> Result<f32> {
        if self.slot != TypeId::MATCHES_PROGRAM && self.slot != TypeId::of(Primitive::F32) {
            return self.typed_f32();
        }
        self.data.array().map(f32::from_le_bytes)
    }
    #[inline]
    fn f64(&mut self) -> Result<f64> {
        if self.slot != TypeId::MATCHES_PROGRAM && self.slot != TypeId::of(Primitive::F64) {
            return self.typed_f64();
        }
        self.data.array().map(f64::from_le_bytes)
    }
    #[inline]
    fn char(&mut self) -> Result<char> {
        if self.slot == TypeId::MATCHES_PROGRAM { self.data.char() } else { self.typed_char() }
    }
    #[inline]
    fn string(&mut self, out: &mut String) -> Result {
        if self.slot == TypeId::MATCHES_PROGRAM {
            return self.data.string(out);
        }
        let text = self.typed_str("text")?;
        out.clear();
        out.push_str(text);
        Ok(())
    }
    #[inline]
    fn bytes(&mut self, out: &mut Vec<u8>) -> Result {
        out.clear();
        if self.slot != TypeId::MATCHES_PROGRAM {
            return self.typed_bytes(out);
        }
        out.extend_from_slice(self.data.bytes()?);
        Ok(())
    }
    fn take_conversion(&mut self, _: Primitive) -> Option<(Primitive, Primitive)> {
        self.conversion.take()
    }

    #[inline]
    fn has_exact_type(&self) -> bool {
        self.slot == TypeId::MATCHES_PROGRAM
    }
    #[inline]
    fn block(&mut self, size: usize, asked: Asked) -> Result<Option<Found<'_>>> {
        if self.slot != TypeId::MATCHES_PROGRAM && !self.begins_block(asked) {
            return Ok(None);
        }
        self.start = self.data.at();
        self.undo = (self.slot, 0);
        self.slot = TypeId::NONE;
        let bytes = self.data.take(size as u64)?;
        Ok(Some(Found { bytes, at: self.start as u64 }))
    }
    fn blocks(&mut self, size: usize) -> Result<Option<Found<'_>>> {
        if !std::mem::take(&mut self.in_blocks) {
            return Ok(None);
        }
        let count = self.lists.last_mut().map_or(0, |list| std::mem::take(&mut list.left));
        self.start = self.data.at();
        self.undo = (TypeId::NONE, count);
        match count.checked_mul(size) {
            Some(all) => {
                let bytes = self.data.take(all as u64)?;
                Ok(Some(Found { bytes, at: self.start as u64 }))
            }
            None => Err(too_many(count as u64, self.data.left(), self.start)),
        }
    }
    fn undo_block(&mut self) {
        self.data.goto(self.start);
        let left;
        (self.slot, left) = self.undo;
        if let Some(list) = self.lists.last_mut() {
            list.left += left;
        }
    }

    fn take_columns(
        &mut self,
        item: NewItem,
        take: &mut dyn FnMut(&mut [Taken<'_>], usize) -> bool,
    ) -> Result<bool> {
        self.take_gap(item, take)
    }

    #[inline]
    fn begin_seq(&mut self, shape: &'static Shape) -> Result<usize> {
        self.in_blocks = false;
        if self.slot == TypeId::MATCHES_PROGRAM {
            self.equal_seq(shape)
        } else {
            self.typed_seq(shape)
        }
    }
    #[inline]
    fn next_item(&mut self) -> Result<bool> {
        if self.frameless_depth == 0 {
            return self.item_slow();
        }
        match self.lists.last_mut() {
            Some(list) if list.left > 0 => {
                list.left -= 1;
                self.slot = TypeId::MATCHES_PROGRAM;
                Ok(true)
            }
            _ => Ok(false),
        }
    }
    #[inline]
    fn end_seq(&mut self) -> Result {
        let left = if self.frameless_depth > 0 {
            self.lists.pop().is_some_and(|list| list.left > 0)
        } else {
            self.top().left > 0 && self.item_slow()?
        };
        if left { Err(sequence::too_long(self.data.at())) } else { self.close() }
    }
    fn begin_map(&mut self, shape: &'static Shape) -> Result<MapForm> {
        if self.slot != TypeId::MATCHES_PROGRAM {
            match self.peek()? {
                Kind::Object => {
                    self.begin_object(&UNTYPED)?;
                    return Ok(MapForm::Object);
                }
                Kind::Null | Kind::Bool | Kind::Number | Kind::Str => {
                    let slot = self.take_present_slot("a map")?;
                    return Err(self.wrong("a map", slot));
                }
                _ => {}
            }
        }
        self.begin_seq(shape).map(MapForm::Pairs)
    }

    fn take_layout(&mut self) -> Option<u32> {
        self.last_layout.take()
    }

    #[inline]
    fn begin_object(&mut self, class: &'static Class) -> Result {
        if self.slot == TypeId::MATCHES_PROGRAM && class.members.is_some() {
            self.open_frameless(class.block_size().is_some());
            return Ok(());
        }
        self.object_slow(class)
    }
    #[inline]
    fn member(&mut self, name: &str) -> Result<bool> {
        if self.frameless_depth == 0 {
            return self.member_slow(name);
        }
        self.slot = TypeId::MATCHES_PROGRAM;
        Ok(true)
    }
    // Inlined for hand-written functions, in which the name is a constant.
    #[inline(always)]
    fn shaped_member(&mut self, name: &str, shape: &'static Shape) -> Result<bool> {
        if self.frameless_depth == 0 {
            return Ok(self.follow_plan((name, shape)) || self.planned_member((name, shape))?);
        }
        self.slot = TypeId::MATCHES_PROGRAM;
        Ok(true)
    }
    #[inline]
    fn known_member(&mut self, info: &'static Member) -> Result<bool> {
        if self.frameless_depth == 0 {
            return self.planned_member(info);
        }
        self.slot = TypeId::MATCHES_PROGRAM;
        Ok(true)
    }
    fn next_key(&mut self) -> Result<Option<Cow<'_, str>>> {
        Ok(self.next_name()?.map(Cow::Borrowed))
    }
    #[inline]
    fn end_object(&mut self, unknown: &mut dyn FnMut(&str) -> Result) -> Result {
        if self.frameless_depth == 0 {
            self.rest_of_object(unknown)?;
        }
        self.close()
    }
    #[inline]
    fn version(&mut self, class: &'static Class) -> Result<u32> {
        if self.frameless_depth > 0 { Ok(class.version) } else { self.version_slow() }
    }

    #[inline]
    fn begin_option(&mut self, shape: &'static Shape, nullable: bool) -> Result<OptionForm> {
        if self.slot != TypeId::MATCHES_PROGRAM {
            return self.typed_option(nullable);
        }
        if !self.data.flag("an option")? {
            return Ok(OptionForm::None);
        }
        self.open_frameless(false);
        let wrapped = nullable && option::holds_null(shape, self.data);
        self.flat += u32::from(!wrapped);
        Ok(if wrapped { OptionForm::Wrapped } else { OptionForm::Plain })
    }
    #[inline]
    fn end_option(&mut self, form: OptionForm) -> Result {
        if self.frameless_depth > 0 {
            self.flat = self.flat.saturating_sub(u32::from(form != OptionForm::Wrapped));
        } else {
            self.rest_of_object(&mut |_| Ok(()))?;
        }
        self.close()
    }
    fn at_some(&mut self) -> Result<bool> {
        self.begins_some()
    }
    #[inline]
    fn begin_variant(&mut self, info: &'static Enum) -> Result<VariantHead> {
        if self.slot == TypeId::MATCHES_PROGRAM {
            self.equal_variant(info)
        } else {
            self.typed_variant(info)
        }
    }
    #[inline]
    fn end_variant(&mut self) -> Result {
        if self.frameless_depth == 0 {
            self.rest_of_object(&mut |name| Err(choice::second_variant(name)))?;
        }
        self.close()
    }

    #[inline]
    fn at_pointer(&mut self, refused: bool) -> Result<bool> {
        if refused {
            (self.slot, self.start) = self.taken;
            self.data.goto(self.start);
        }
        if self.slot == TypeId::MATCHES_PROGRAM { Ok(false) } else { self.begins_pointer() }
    }
    #[inline]
    fn expect(&mut self, shape: &'static Shape) {
        if self.slot == TypeId::MATCHES_PROGRAM {
            self.slot = match shape {
                Shape::Pointer(_) => TypeId::POINTER,
                Shape::Weak(_) => TypeId::WEAK,
                Shape::Dyn => TypeId::DYN,
                Shape::Primitive(primitive, _) if self.block > 0 => TypeId::in_block(*primitive),
                Shape::Primitive(primitive, _) => TypeId::of(*primitive),
                _ => return,
            };
        }
    }
    fn begin_pointer(&mut self) -> Result<LoadedHead<'_>> {
        self.pointer()
    }
    fn begin_deferred(&mut self) -> Result<bool> {
        self.deferred_list()
    }
    fn end_pointer(&mut self, unknown: &mut dyn FnMut(&str) -> Result) -> Result {
        if self.frameless_depth == 0 {
            if self.top().form == Form::TaggedMembers {
                self.rest_of_object(unknown)?;
            }
            self.note_pointee();
        }
        self.close()
    }

    fn mark(&mut self) -> Mark {
        self.mark_value()
    }
    fn goto(&mut self, mark: Mark) {
        self.go(mark);
    }
    fn restart(&mut self, mark: Mark) {
        self.empty_left = self.max_empty;
        self.go(mark);
    }
    fn recover(&mut self, mark: Mark) {
        self.forget(mark.depth as usize, (mark.state >> 32) as u32);
        self.go(mark);
    }
    fn find_pointees(&mut self, found: &mut dyn FnMut(u64, Mark)) -> Result {
        self.all_pointees(found)
    }

    fn object(
        &mut self,
        object: &mut dyn Polymorphic,
        session: &mut Session,
        options: &Options<'_>,
    ) -> Result<bool> {
        if self.named {
            return Ok(false);
        }
        fast_path::load_object(self, object, session, options)
    }

    fn typed(
        &mut self,
        shape: &'static Shape,
        visit: Visit<'_>,
        session: &mut Session,
        options: &Options<'_>,
    ) -> Result<bool> {
        fast_path::load_part(self, shape, visit, session, options)
    }

    fn find_pointee(&mut self, id: u64) -> Option<Mark> {
        self.find_deferred(id)
    }

    fn objects(&self) -> usize {
        self.tables.objects.len()
    }
    fn begin_root(&mut self, shape: &'static Shape) -> Result {
        if let Some(pending_types) = self.pending_types.take() {
            return self.resolve_types(pending_types, shape);
        }
        let equal = match &self.row_types {
            Some(types) => !self.named && types.match_shape(shape),
            None => self.matches_root(shape),
        };
        if equal {
            self.slot = TypeId::MATCHES_PROGRAM;
        }
        Ok(())
    }
}
