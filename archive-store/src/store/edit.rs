//! Changing objects without the program's types.

use archive_binary::rows::Document;
use archive_core::{Error, ErrorKind, Result, Value};

use super::Store;
use crate::class::put_version;
use crate::layout;
use crate::run::in_row;
use crate::storage::Changes;

impl Store {
    /// Changes objects without the program's types, in one transaction: for tools. `rows` are pairs
    /// of the name of a class and a key. `edit` gets each object with its index in `rows`. A row
    /// keeps the types that it was saved with, and unchanged values keep their bytes.
    ///
    /// Objects that the program has loaded do not change.
    ///
    /// ```
    /// use archive::Serialize;
    /// use archive::store::Store;
    /// use archive::store::storage::Memory;
    ///
    /// #[derive(Default, Serialize)]
    /// struct World { tick: u64, level: u8 }
    /// archive::store::persistent!(World = "world");
    ///
    /// let store = Store::over(Memory::new())?;
    /// store.save(&World { tick: 7, level: 1 })?;
    /// store.edit_values(&[("world", 1)], |_, world| {
    ///     world["tick"] = 8.into();
    ///     Ok(())
    /// })?;
    /// assert_eq!(store.value("world", 1)?.unwrap().to_string(), r#"{"tick":8,"level":1}"#);
    ///
    /// let error = store.edit_values(&[("world", 1)], |_, world| {
    ///     world["level"] = 300.into();
    ///     Ok(())
    /// });
    /// assert!(error.unwrap_err().to_string().contains("level"));
    /// # Ok::<(), archive::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::UnknownType`] if the store has no such class, [`ErrorKind::MissingMember`] if
    /// the class has no such key, an error if a value does not fit the types of its row, and errors
    /// of the storage, of the rows and of `edit`. Nothing is changed then.
    pub fn edit_values(
        &self,
        rows: &[(&str, u64)],
        mut edit: impl FnMut(usize, &mut Value) -> Result,
    ) -> Result {
        let mut changes = Changes::new();
        for (index, (class, key)) in rows.iter().enumerate() {
            let class =
                self.0.classes.by_name(class).ok_or_else(|| super::read::no_class(class))?;
            let (place, options) = (layout::row(class.id, *key), &self.0.options);
            let mut change = |row: &[u8]| {
                let (version, content) = class.version_of(row)?;
                let mut document = Document::from_slice_with(content, version.types(), options)?;
                edit(index, &mut document.value)?;
                let mut new = Vec::new();
                put_version(&mut new, version.number);
                new.extend_from_slice(&document.to_vec_with(options)?);
                if new != row {
                    changes.put(&place, &new);
                }
                Ok(())
            };
            let found = self
                .0
                .storage
                .get(&place, &mut |row| change(row).map_err(|error| in_row(&class, *key, error)))?;
            if !found {
                let message = format_args!("the class `{}` has no object {key}", class.name);
                return Err(Error::new(ErrorKind::MissingMember, message));
            }
        }
        let _busy = self.0.begin()?;
        self.0.commit(&mut changes)
    }
}
