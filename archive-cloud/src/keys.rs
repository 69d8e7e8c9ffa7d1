//! The keys of the objects in a folder. One that is malformed does not hide the others.

use archive::Result;
use object_store::list::{PaginatedListOptions, PaginatedListResult, PaginatedListStore};
use object_store::path::{DELIMITER, Error as Malformed};
use object_store::{Error, ObjectMeta};

use crate::failure::{explain, odd_key};
use crate::limit::within;
use crate::remote::{Name, Remote};

/// How many keys a page has at most. S3 has no larger pages.
const PAGE: usize = 1_000;

impl Remote {
    /// Returns the saves in the order of their names, and then the objects whose keys are not those
    /// of saves.
    pub async fn names(&self) -> Result<Vec<Name>> {
        let io = |failure| explain("list", &self.name, failure);
        let mut names = Vec::new();
        let objects = match &self.pages {
            Some(pages) => self.in_pages(&**pages, &mut names).await.map_err(io)?,
            None => {
                let folder = (!self.folder.as_ref().is_empty()).then_some(&self.folder);
                let listed = self.retry.repeat(|| self.store.list_with_delimiter(folder)).await;
                listed.map_err(io)?.objects
            }
        };
        names.extend(objects.iter().filter_map(|at| self.name_of(&at.location, at.size)));
        names.sort_unstable_by(|first, second| {
            (first.error.is_some(), &first.name).cmp(&(second.error.is_some(), &second.name))
        });
        Ok(names)
    }

    /// Lists the objects of the folder. `object_store` returns no page with a malformed key, such as
    /// `a//b.sav`: such a page is halved until the key is alone, and then the list continues after it.
    async fn in_pages(
        &self,
        store: &dyn PaginatedListStore,
        odd: &mut Vec<Name>,
    ) -> object_store::Result<Vec<ObjectMeta>> {
        let folder = self.folder.as_ref();
        let prefix = (!folder.is_empty()).then(|| format!("{folder}{DELIMITER}"));
        let (mut objects, mut size) = (Vec::new(), PAGE);
        let (mut page_token, mut offset) = (None, None);
        loop {
            let options = || PaginatedListOptions {
                delimiter: Some(DELIMITER.into()),
                max_keys: Some(size),
                page_token: page_token.clone(),
                offset: offset.clone(),
                ..PaginatedListOptions::default()
            };
            let page = || within(0, store.list_paginated(prefix.as_deref(), options()));
            match self.retry.repeat(page).await {
                Ok(PaginatedListResult { result, page_token: next }) => {
                    objects.extend(result.objects);
                    if next.is_none() {
                        return Ok(objects);
                    }
                    (page_token, size) = (next, (2 * size).min(PAGE));
                }
                Err(Error::InvalidPath { .. }) if size > 1 => size /= 2,
                Err(Error::InvalidPath { source }) => {
                    let Some(key) = malformed(&source) else { return Err(source.into()) };
                    let next = Some(after(key));
                    // The store does not list from an offset.
                    if next <= offset {
                        return Err(source.into());
                    }
                    let error = Some(odd_key(key, &self.name));
                    odd.push(Name { name: key.to_owned(), size: 0, error });
                    (page_token, offset) = (None, next);
                }
                Err(failure) => return Err(failure),
            }
        }
    }
}

/// Returns the malformed key.
fn malformed(failure: &Malformed) -> Option<&str> {
    match failure {
        Malformed::EmptySegment { path } | Malformed::BadSegment { path, .. } => Some(path),
        _ => None,
    }
}

/// Returns what comes after a key and, if it is the common beginning of several, after all of them.
fn after(key: &str) -> String {
    match key.strip_suffix(DELIMITER) {
        // The character after `/`.
        Some(beginning) => format!("{beginning}0"),
        None => key.to_owned(),
    }
}
