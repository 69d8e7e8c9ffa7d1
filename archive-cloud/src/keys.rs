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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    use archive_test_support::search;
    use async_trait::async_trait;
    use object_store::ListResult;
    use object_store::memory::InMemory;
    use object_store::path::Path;
    use proptest::prelude::*;

    use super::*;
    use crate::Cloud;

    /// Keys, which are listed as S3 does it. The keys before the offset are not a part of common
    /// beginnings, and a token continues after the last entry.
    struct Keys {
        keys: Vec<String>,
        requests: AtomicUsize,
    }

    /// The number of entries of a page of this server.
    const MOST: usize = 8;

    impl Keys {
        /// Returns the keys and common beginnings after an offset, each with whether it is a key.
        fn entries(&self, prefix: &str, offset: &str) -> BTreeSet<(String, bool)> {
            let keys =
                self.keys.iter().filter(|key| key.starts_with(prefix) && key.as_str() > offset);
            let entry = |key: &String| match key[prefix.len()..].split_once('/') {
                Some((folder, _)) => (format!("{prefix}{folder}/"), false),
                None => (key.clone(), true),
            };
            keys.map(entry).collect()
        }
    }

    #[async_trait]
    impl PaginatedListStore for Keys {
        async fn list_paginated(
            &self,
            prefix: Option<&str>,
            options: PaginatedListOptions,
        ) -> object_store::Result<PaginatedListResult> {
            self.requests.fetch_add(1, Ordering::Relaxed);
            let offset = options.offset.unwrap_or_default();
            let entries = self.entries(prefix.unwrap_or_default(), &offset);
            let last = options.page_token.unwrap_or_default();
            let mut rest = entries.into_iter().filter(|(entry, _)| *entry > last);
            let page: Vec<_> = rest.by_ref().take(options.max_keys.unwrap().min(MOST)).collect();
            let page_token = rest.next().and(page.last()).map(|(entry, _)| entry.clone());
            let (mut objects, mut common_prefixes) = (Vec::new(), Vec::new());
            for (entry, is_key) in page {
                let location = Path::parse(entry)?;
                if is_key {
                    let last_modified = std::time::UNIX_EPOCH.into();
                    let meta =
                        ObjectMeta { location, last_modified, size: 1, e_tag: None, version: None };
                    objects.push(meta);
                } else {
                    common_prefixes.push(location);
                }
            }
            let result = ListResult { objects, common_prefixes, extensions: Default::default() };
            Ok(PaginatedListResult { result, page_token })
        }
    }

    proptest! {
        #![proptest_config(search::config(2_000))]

        #[test]
        fn each_key_is_listed_once(
            parts in proptest::collection::btree_set("[a/.\u{1}\u{7f}]{1,4}", 0..40),
            folder in prop_oneof![Just(""), Just("a"), Just("players/ann")],
        ) {
            let prefix = if folder.is_empty() { String::new() } else { format!("{folder}/") };
            let keys: Vec<_> = parts.iter().map(|part| format!("{prefix}{part}.sav")).collect();
            let store = Keys { keys: keys.clone(), requests: AtomicUsize::new(0) };
            let entries = store.entries(&prefix, "");
            let is_good = |entry: &&(String, bool)| Path::parse(&entry.0).is_ok();
            let good = entries.iter().filter(is_good).filter(|entry| entry.1).count();
            let bad = entries.iter().filter(|entry| !is_good(entry)).count();

            let store = Arc::new(store);
            let cloud = Cloud::named(Arc::new(InMemory::new()), Some(store.clone()), "keys".into());
            let remote = cloud.unwrap().retry(1, Duration::ZERO).folder(folder).remote;
            let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
            let names = runtime.block_on(remote.names()).unwrap();
            let read = names.iter().filter(|name| name.size > 0).count();
            prop_assert_eq!((read, names.len() - read), (good, bad));
            // A malformed key costs the halves of a page, and the way back.
            let requests = store.requests.load(Ordering::Relaxed);
            prop_assert!(requests <= 24 + 12 * bad + entries.len(), "{} requests", requests);
        }
    }
}
