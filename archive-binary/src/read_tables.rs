//! Reads the tables at the end of a file. Every count is checked against the number of bytes that
//! are left, and every number against the table that it refers to.

use std::borrow::Cow;
use std::sync::Arc;

use archive_core::{Error, ErrorKind, Options, Result};

use crate::columnar::{Layouts, Splits};
use crate::compare::Graph;
use crate::container::{self, HEADER};
use crate::cursor::{Cursor, offset, syntax};
use crate::implied::Implied;
use crate::objects::{Objects, Pointee, PointeeType};
use crate::profile::Opened;
use crate::shapes::Described;
use crate::types::{Type, TypeId};
use crate::varint::len_u64;

/// The tables of a file.
pub(crate) struct Tables<'a> {
    /// The offset of the data.
    pub(crate) start: usize,
    /// The end of the root's data.
    pub(crate) root_end: usize,
    /// The root's type.
    pub(crate) root: TypeId,
    /// The classes of hand-written functions.
    pub(crate) layouts: Vec<TypeId>,
    /// The types of objects.
    pub(crate) pointee_types: Vec<PointeeType<&'a str>>,
    /// The objects.
    pub(crate) objects: Objects,
    /// The offset of the object table.
    #[cfg(feature = "document")]
    pub(crate) objects_at: usize,
    types: Arc<[Type<&'a str, TypeId>]>,
    /// For each type, whether its values take any bytes.
    takes_bytes: Arc<[bool]>,
}

impl<'a> Tables<'a> {
    /// Reads the tables in `file` from `start` to `end`.
    ///
    /// # Errors
    /// An error if the tables are malformed or do not end at `end`.
    pub(crate) fn read(
        file: &'a [u8],
        start: usize,
        end: usize,
        options: &Options<'_>,
    ) -> Result<Self> {
        let cursor = Cursor::new(&file[..end], start);
        let mut source = Source { cursor, start: HEADER, types: 0, names: Vec::new() };
        let data_end = container::rows_end(file).unwrap_or(start);
        let root_end = source.root_end(data_end)?;
        source.names = source.list(|source| source.cursor.str())?;
        let types = source.own_types()?;
        let takes_bytes = takes_bytes(&types).into();
        let root = source.id()?;
        let limit = options.settings().limits().pointers;
        source.pointees(types.into(), takes_bytes, root, (root_end, data_end, 0), limit)
    }

    /// Returns the types, for a walk during which the decoder with the tables is changed.
    pub(crate) fn shared_types(&self) -> Arc<[Type<&'a str, TypeId>]> {
        self.types.clone()
    }

    /// Reads only the names, the types and the type of the root.
    ///
    /// # Errors
    /// An error if they are malformed, or do not end at the end of the bytes.
    pub(crate) fn types_only(
        bytes: &'a [u8],
        start: usize,
    ) -> Result<(Vec<Type<&'a str, TypeId>>, TypeId)> {
        let cursor = Cursor::new(bytes, start);
        let mut source = Source { cursor, start: 0, types: 0, names: Vec::new() };
        source.names = source.list(|source| source.cursor.str())?;
        let types = source.own_types()?;
        let root = source.id()?;
        match source.cursor.left() {
            0 => Ok((types, root)),
            _ => Err(syntax("trailing data after the types", source.cursor.at())),
        }
    }

    /// Returns empty tables for a file if only its frame is known.
    pub(crate) fn unknown(frame: &Opened) -> Self {
        Tables {
            start: frame.start,
            root_end: frame.root_end,
            root: TypeId::NONE,
            layouts: Vec::new(),
            pointee_types: Vec::new(),
            objects: Objects::default(),
            #[cfg(feature = "document")]
            objects_at: 0,
            types: Arc::default(),
            takes_bytes: Arc::default(),
        }
    }

    /// Returns the tables of a file whose types are those of the root.
    pub(crate) fn known(implied: &Implied, frame: &Opened) -> Self {
        let (types, takes_bytes) = (implied.types.clone(), implied.takes_bytes.clone());
        Tables { root: implied.root, types, takes_bytes, ..Tables::unknown(frame) }
    }

    /// Returns the tables of a file whose root has known types. Facts that do not follow from these
    /// types are read from tables at the end of `file`, if there are any.
    ///
    /// # Errors
    /// An error if the tables are malformed or do not end at the end of the file.
    pub(crate) fn implied(
        file: &'a [u8],
        implied: &Implied,
        frame: &Opened,
        limit: u64,
    ) -> Result<Self> {
        if !frame.tables {
            return Ok(Tables::known(implied, frame));
        }
        let (start, end) = (frame.start, frame.end);
        let cursor = Cursor::new(file, end);
        let mut source = Source { cursor, start, types: implied.types.len(), names: Vec::new() };
        source.names = source.list(|source| source.cursor.str())?;
        let own = source.own_types()?;
        let (types, takes_bytes) = if own.is_empty() {
            (implied.types.clone(), implied.takes_bytes.clone())
        } else {
            let types: Arc<[_]> = implied.types.iter().cloned().chain(own).collect();
            let takes_bytes = takes_bytes(&types).into();
            (types, takes_bytes)
        };
        source.pointees(types, takes_bytes, implied.root, (frame.root_end, end, start), limit)
    }

    /// Returns the description of a type, if it is a compound one.
    #[inline]
    pub(crate) fn get(&self, id: TypeId) -> Option<&Type<&'a str, TypeId>> {
        self.types.get(id.index()?)
    }

    /// Returns the type of a member of a class, or of an item of a tuple.
    pub(crate) fn part(&self, id: TypeId, index: usize) -> Option<TypeId> {
        match self.get(id)? {
            Type::Class { members, .. } => members.get(index).map(|(_, kind)| *kind),
            Type::Tuple(items) => items.get(index).copied(),
            _ => None,
        }
    }

    /// Returns the number of compound types.
    pub(crate) fn types(&self) -> usize {
        self.types.len()
    }

    /// Returns for each type whether its values are fully described in the file.
    pub(crate) fn fully_described(&self) -> Vec<bool> {
        fully_described(&self.types)
    }

    /// Returns for each type whether its values are fully described except for the targets of
    /// references.
    #[cfg(feature = "document")]
    pub(crate) fn referring(&self) -> Vec<bool> {
        described(&self.types, true)
    }

    /// Returns for each type whether it has a property or contains a type that has it.
    pub(crate) fn containing(&self, has_it: impl Fn(&Type<&str, TypeId>) -> bool) -> Vec<bool> {
        let (mut found, mut holders) = (Vec::new(), vec![Vec::new(); self.types.len()]);
        for (index, described) in self.types.iter().enumerate() {
            if has_it(described) {
                found.push(index);
            }
            let (_, components) = described.split();
            for inner in components.into_iter().filter_map(TypeId::index) {
                holders[inner].push(index);
            }
        }
        spread(found, holders)
    }

    /// Returns all types, and for each type whether its values take any bytes.
    pub(crate) fn all_types(&self) -> (&[Type<&'a str, TypeId>], &[bool]) {
        (&self.types, &self.takes_bytes)
    }

    /// Returns how values of the types are split into columns.
    pub(crate) fn splits(&self) -> Splits {
        Splits::new(&self.types, &self.takes_bytes)
    }

    /// Returns whether these are the tables of a root of that type, with nothing else.
    pub(crate) fn are(&self, root: TypeId, types: &[Type<&str, TypeId>]) -> bool {
        self.root == root && *self.types == *types && self.objects.len() == 0
    }

    /// Returns the columns of lists, if values of the root's type can be loaded from them directly.
    pub(crate) fn layouts(&self, len: usize) -> Option<Layouts> {
        let root = self.root.index()?;
        let is_described =
            self.fully_described().get(root).is_some_and(|is_described| *is_described);
        let has_objects = self.objects.len() > 0;
        if !is_described || has_objects {
            return None;
        }
        Layouts::new(&self.types, &self.splits(), Some(len))
    }

    /// Reads only how values are split into columns, from the tables of a file.
    pub(crate) fn splits_of(file: &[u8], start: usize, end: usize) -> Result<Splits> {
        let cursor = Cursor::new(&file[..end], start);
        let mut source = Source { cursor, start: HEADER, types: 0, names: Vec::new() };
        source.cursor.u64()?;
        source.names = source.list(|source| source.cursor.str())?;
        let types = source.own_types()?;
        Ok(Splits::new(&types, &takes_bytes(&types)))
    }

    /// Returns whether values of the type take any bytes.
    pub(crate) fn takes_bytes(&self, id: TypeId) -> bool {
        match id.index() {
            Some(index) => self.takes_bytes.get(index).copied().unwrap_or(true),
            None => id != TypeId::UNIT,
        }
    }
}

impl<'a> Graph for Tables<'a> {
    type Node = TypeId;

    fn describe(&self, id: TypeId) -> Described<Cow<'_, Type<&str, TypeId>>> {
        match self.get(id) {
            Some(described) => Described::Compound(Cow::Borrowed(described)),
            None => Described::Simple(id),
        }
    }
}

/// The tables while they are being read.
struct Source<'a> {
    cursor: Cursor<'a>,
    /// The offset of the data.
    start: usize,
    /// The number of types.
    types: usize,
    names: Vec<&'a str>,
}

impl<'a> Source<'a> {
    fn list<T>(&mut self, mut entry: impl FnMut(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        let count = self.cursor.count()?;
        (0..count).map(|_| entry(self)).collect()
    }

    /// Reads the types that are described here; other types may be known already.
    fn own_types(&mut self) -> Result<Vec<Type<&'a str, TypeId>>> {
        let count = self.cursor.count()?;
        self.types += count;
        (0..count).map(|_| self.described()).collect()
    }

    /// Reads the layouts and the objects, which come after the types. The first two offsets are the
    /// ends of the root and of the data. Offsets of objects count from the third.
    fn pointees(
        mut self,
        types: Arc<[Type<&'a str, TypeId>]>,
        takes_bytes: Arc<[bool]>,
        root: TypeId,
        (root_end, end, origin): (usize, usize, usize),
        limit: u64,
    ) -> Result<Tables<'a>> {
        let layouts = self.list(|source| source.layout(&types))?;
        let pointee_types = self.list(Source::concrete)?;
        #[cfg(feature = "document")]
        let objects_at = self.cursor.at();
        let objects = self.objects(pointee_types.len(), end, origin, limit)?;
        if self.cursor.left() > 0 {
            return Err(syntax("trailing data after the tables", self.cursor.at()));
        }
        let start = self.start;
        Ok(Tables {
            start,
            root_end,
            root,
            layouts,
            pointee_types,
            objects,
            #[cfg(feature = "document")]
            objects_at,
            types,
            takes_bytes,
        })
    }

    fn root_end(&mut self, tables: usize) -> Result<usize> {
        let at = self.cursor.at();
        let end = self.cursor.u64()?;
        match usize::try_from(end) {
            Ok(end) if (self.start..=tables).contains(&end) => Ok(end),
            _ => Err(syntax(format_args!("the root cannot end at {end}"), at)),
        }
    }

    fn name(&mut self) -> Result<&'a str> {
        let at = self.cursor.at();
        let index = self.cursor.u64()?;
        let name = usize::try_from(index).ok().and_then(|index| self.names.get(index));
        name.copied().ok_or_else(|| syntax(format_args!("there is no name {index}"), at))
    }

    fn id(&mut self) -> Result<TypeId> {
        let at = self.cursor.at();
        let id = self.cursor.u64()?;
        self.check_id(id, at)
    }

    fn check_id(&self, id: u64, at: usize) -> Result<TypeId> {
        let simple = id < u64::from(TypeId::FIRST_RESERVED);
        let end = u64::from(TypeId::FIRST) + self.types as u64;
        match u32::try_from(id) {
            Ok(known) if simple || known >= TypeId::FIRST && id < end => Ok(TypeId(known)),
            _ => Err(syntax(format_args!("there is no type {id}"), at)),
        }
    }

    fn described(&mut self) -> Result<Type<&'a str, TypeId>> {
        let at = self.cursor.at();
        Ok(match self.cursor.byte()? {
            1 => Type::Seq(self.id()?),
            2 => Type::Array(self.id()?, self.cursor.u64()?),
            3 => Type::Tuple(self.list(Source::id)?),
            4 => Type::Map(self.id()?),
            5 => Type::Option(self.id()?),
            6 => Type::Class {
                name: self.name()?,
                version: self.version()?,
                members: self.members()?,
            },
            7 => Type::Enum { name: self.name()?, variants: self.list(Source::variant)? },
            8 => Type::Pointer(self.id()?),
            code => return Err(syntax(format_args!("there is no kind of type {code}"), at)),
        })
    }

    fn version(&mut self) -> Result<u32> {
        let at = self.cursor.at();
        let version = self.cursor.u64()?;
        u32::try_from(version)
            .map_err(|_| syntax(format_args!("{version} is too large for a version"), at))
    }

    fn members(&mut self) -> Result<Vec<(&'a str, TypeId)>> {
        let at = self.cursor.at();
        let members = self.list(|source| Ok((source.name()?, source.id()?)))?;
        let mut names: Vec<&str> = members.iter().map(|(name, _)| *name).collect();
        names.sort_unstable();
        match names.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => {
                let message = format_args!("a class has two members `{}`", pair[0]);
                Err(Error::new(ErrorKind::DuplicateMember, message).at(offset(at)))
            }
            None => Ok(members),
        }
    }

    fn variant(&mut self) -> Result<(&'a str, Option<TypeId>)> {
        let name = self.name()?;
        let at = self.cursor.at();
        let payload = match self.cursor.u64()?.checked_sub(1) {
            Some(id) => Some(self.check_id(id, at)?),
            None => None,
        };
        Ok((name, payload))
    }

    fn layout(&mut self, types: &[Type<&str, TypeId>]) -> Result<TypeId> {
        let at = self.cursor.at();
        let id = self.id()?;
        match id.index().and_then(|index| types.get(index)) {
            Some(Type::Class { .. }) => Ok(id),
            _ => Err(syntax("a layout must be a class", at)),
        }
    }

    fn concrete(&mut self) -> Result<PointeeType<&'a str>> {
        let at = self.cursor.at();
        let name = match self.cursor.u64()?.checked_sub(1) {
            None => None,
            Some(index) => {
                let name = usize::try_from(index).ok().and_then(|index| self.names.get(index));
                let missing = || syntax(format_args!("there is no name {index}"), at);
                Some(*name.ok_or_else(missing)?)
            }
        };
        Ok(PointeeType { name, kind: self.id()? })
    }

    fn objects(
        &mut self,
        pointee_types: usize,
        end: usize,
        origin: usize,
        limit: u64,
    ) -> Result<Objects> {
        let position = self.cursor.at();
        let last = self.cursor.u64()?;
        let mut objects = Objects::new(last);
        let (mut id, mut at) = (0_u64, origin as i64);
        while id < last {
            let here = self.cursor.at();
            let wrong = || syntax("the object table is damaged", here);
            match self.cursor.u64()?.checked_sub(1) {
                None => {
                    let gap = self.cursor.u64()?;
                    id = id
                        .checked_add(gap)
                        .filter(|id| gap > 0 && *id <= last)
                        .ok_or_else(wrong)?;
                }
                Some(concrete) => {
                    id += 1;
                    at = at.checked_add(self.cursor.i64()?).ok_or_else(wrong)?;
                    let concrete = u32::try_from(concrete)
                        .ok()
                        .filter(|index| (*index as usize) < pointee_types)
                        .ok_or_else(wrong)?;
                    // The id of an object is stored before the object.
                    let first = self.start + len_u64(id) as usize;
                    let inside = usize::try_from(at).ok().filter(|at| (first..=end).contains(at));
                    let Some(at) = inside else {
                        let message = format_args!("object {id} cannot be at {at}");
                        return Err(Error::new(ErrorKind::BadPointer, message).at(offset(here)));
                    };
                    objects.add(Pointee { id, at, concrete });
                }
            }
            if objects.len() as u64 > limit {
                let error = Error::too_many(limit, "shared objects", "max_pointers");
                return Err(error.at(offset(position)));
            }
        }
        objects.finish().map_err(|twice| {
            let message = format_args!("duplicate object offset {twice}");
            Error::new(ErrorKind::BadPointer, message).at(offset(position))
        })?;
        Ok(objects)
    }
}

/// Returns for each type whether its values take any bytes. Values of classes, tuples and arrays do
/// if a component does; values of all other types do.
pub(crate) fn takes_bytes(types: &[Type<&str, TypeId>]) -> Vec<bool> {
    let mut found = Vec::new();
    let mut holders = vec![Vec::new(); types.len()];
    for (index, described) in types.iter().enumerate() {
        let hollow = matches!(described, Type::Class { .. } | Type::Tuple(_) | Type::Array(..));
        let (_, components) = described.split();
        let empty = matches!(described, Type::Array(_, 0));
        if !hollow
            || components.iter().any(|id| id.index().is_none() && *id != TypeId::UNIT) && !empty
        {
            found.push(index);
        } else if !empty {
            for inner in components.into_iter().filter_map(TypeId::index) {
                holders[inner].push(index);
            }
        }
    }
    spread(found, holders)
}

/// Returns for each type whether its values are fully described: they contain no pointers, no
/// self-describing values and no objects of hand-written functions.
pub(crate) fn fully_described(types: &[Type<&str, TypeId>]) -> Vec<bool> {
    described(types, false)
}

/// Like [`fully_described`]. With `with_references`, the targets of pointers to shared objects may
/// be undescribed.
fn described(types: &[Type<&str, TypeId>], with_references: bool) -> Vec<bool> {
    let mut found = Vec::new();
    let mut holders = vec![Vec::new(); types.len()];
    for (index, described) in types.iter().enumerate() {
        let is_pointer = matches!(described, Type::Pointer(_));
        if is_pointer && with_references {
            continue;
        }
        let (_, components) = described.split();
        let is_reference =
            |id: TypeId| with_references && (id == TypeId::POINTER || id == TypeId::WEAK);
        let is_open = |id: &TypeId| match id.index() {
            Some(inner) => inner >= types.len(),
            None => !id.is_fully_described() && !is_reference(*id),
        };
        if is_pointer || components.iter().any(is_open) {
            found.push(index);
        } else {
            for inner in components.into_iter().filter_map(TypeId::index) {
                holders[inner].push(index);
            }
        }
    }
    spread(found, holders).into_iter().map(|is_open| !is_open).collect()
}

/// Spreads a property of some types to the types that contain them, and returns for each type whether it
/// has the property. Visits each type and each component once.
pub(crate) fn spread(mut found: Vec<usize>, mut holders: Vec<Vec<usize>>) -> Vec<bool> {
    let mut has_it = vec![false; holders.len()];
    while let Some(index) = found.pop() {
        if !std::mem::replace(&mut has_it[index], true) {
            found.append(&mut holders[index]);
        }
    }
    has_it
}

#[cfg(test)]
mod tests {
    use archive_core::shape::Primitive;

    use super::*;

    /// Each type refers to the next one, and the last one has a pointer. A search that repeats until nothing
    /// changes would take one round for each type.
    #[test]
    fn long_chains_of_types_are_searched_once() {
        const COUNT: usize = 300_000;
        for (last, is_described) in [
            (Type::Pointer(TypeId::of(Primitive::U8)), false),
            (Type::Seq(TypeId::of(Primitive::U8)), true),
        ] {
            let next = |at: usize| Type::Seq(TypeId::at_index(at + 1));
            for is_reversed in [false, true] {
                let mut types: Vec<Type<&str, TypeId>> = (0..COUNT - 1).map(next).collect();
                types.push(last.clone());
                if is_reversed {
                    let turned = |id: TypeId| id.index().map(|at| TypeId::at_index(COUNT - 1 - at));
                    types.reverse();
                    types = types
                        .iter()
                        .map(|ty| ty.map(|name| *name, |id| turned(*id).unwrap_or(*id)))
                        .collect();
                }
                assert_eq!(fully_described(&types), vec![is_described; COUNT]);
            }
        }
        // A type that contains itself is described unless something in it is not.
        let itself = Type::Seq(TypeId::at_index(0));
        assert_eq!(fully_described(std::slice::from_ref(&itself)), [true]);
        let open = Type::Tuple(vec![TypeId::at_index(0), TypeId::at_index(2)]);
        let pointer = Type::Pointer(TypeId::at_index(1));
        assert_eq!(fully_described(&[itself, open, pointer]), [true, false, false]);
    }
}
