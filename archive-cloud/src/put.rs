//! Writes of objects, each on the condition that nobody has replaced the object meanwhile.

use archive::save::{Meta, Relation, SaveFile, relation};
use archive::{Error, Result};
use object_store::{PutMode, PutOptions, PutPayload, UpdateVersion};

use crate::Synced;
use crate::call::in_thread;
use crate::failure::{
    busy, explain, is_race, is_transient, no_lineage, no_swap, refuses, too_long,
};
use crate::limit::within;
use crate::reads::Stored;
use crate::remote::Remote;

/// How often a save is compared again because another device has replaced it meanwhile. Each time
/// another save was stored, so devices do not stop each other.
pub(crate) const RACES: u32 = 100;

/// The state of an upload after a request.
pub(crate) enum Sent {
    Done,
    /// The object is not the one that was read, or the answer was lost. A read tells which.
    Unknown,
}

/// The attempts to make a save in the store that of this device, or the reverse.
pub(crate) struct Attempts<'r> {
    remote: &'r Remote,
    name: &'r str,
    failures: u32,
    /// The version of the object, or its absence, at the last request that found another one.
    raced: Option<Option<UpdateVersion>>,
    /// The number of the save that was sent, and the answer if it has arrived.
    sent: Option<(u64, Synced)>,
}

impl<'r> Attempts<'r> {
    pub fn new(remote: &'r Remote, name: &'r str) -> Attempts<'r> {
        Attempts { remote, name, failures: 0, raced: None, sent: None }
    }

    /// Returns the answer if that save was sent before.
    pub fn sent(&mut self, id: u64) -> Option<Synced> {
        self.sent.take_if(|(sent, _)| *sent == id).map(|(_, answer)| answer)
    }

    /// Notes that a request did not find the object that was read before it.
    ///
    /// # Errors
    /// An error if the object is the same each time, and no attempt is left.
    pub async fn raced(&mut self, stored: Option<&Stored>) -> Result {
        let version = stored.map(|stored| stored.version.clone());
        if self.raced.replace(version.clone()) == Some(version) {
            self.failed(refuses).await?;
        }
        Ok(())
    }

    /// Notes that a request failed, and makes a pause.
    ///
    /// # Errors
    /// An error once no attempt is left.
    async fn failed(&mut self, error: impl FnOnce(&str) -> Error) -> Result {
        self.failures += 1;
        if self.failures >= self.remote.retry.attempts {
            return Err(error(&self.remote.label(self.name)));
        }
        self.remote.retry.wait(self.failures).await;
        Ok(())
    }

    /// Sends a save that continues the stored one, or the first save.
    ///
    /// # Errors
    /// An error once no attempt is left, or if another one would fail as well.
    pub async fn send(
        &mut self,
        id: u64,
        bytes: PutPayload,
        stored: Option<&Stored>,
    ) -> Result<(Sent, Synced)> {
        let (remote, label) = (self.remote, self.remote.label(self.name));
        let size = bytes.content_length();
        if size as u64 > remote.max_size {
            return Err(too_long(&label, size as u64, remote.max_size));
        }
        let (mode, answer) = match stored {
            None => (PutMode::Create, Synced::Created),
            Some(stored) if !has_condition(&stored.version) => return Err(no_swap(&label, None)),
            Some(stored) => (PutMode::Update(stored.version.clone()), Synced::Uploaded),
        };
        self.sent = Some((id, answer.clone()));
        let (key, options) = (remote.key(self.name)?, PutOptions { mode, ..PutOptions::default() });
        match within(size, remote.store.put_opts(&key, bytes, options)).await {
            Ok(_) => return Ok((Sent::Done, answer)),
            // A new object cannot be missing: the bucket is.
            Err(failure @ object_store::Error::NotFound { .. }) if stored.is_none() => {
                return Err(explain("upload", &label, failure));
            }
            Err(failure) if is_race(&failure) => self.raced(stored).await?,
            Err(failure) if is_transient(&failure) => {
                self.failed(|label| explain("upload", label, failure)).await?;
            }
            Err(
                failure @ (object_store::Error::NotImplemented { .. }
                | object_store::Error::NotSupported { .. }),
            ) => return Err(no_swap(&label, Some(failure))),
            Err(failure) => return Err(explain("upload", &label, failure)),
        }
        Ok((Sent::Unknown, answer))
    }
}

/// Returns whether an upload can have the condition that the object is this version. A weak ETag
/// fulfills none.
fn has_condition(version: &UpdateVersion) -> bool {
    version.version.is_some() || version.e_tag.as_ref().is_some_and(|tag| !tag.starts_with("W/"))
}

impl Remote {
    /// Stores the bytes of a save, unless the stored one has progress that they lack.
    pub async fn put(&self, name: &str, bytes: Vec<u8>) -> Result<Synced> {
        let verified = in_thread(move || Ok((SaveFile::verify_bytes(&bytes)?, bytes)));
        let (label, (mine, bytes)) = (self.label(name), verified.await?);
        let (id, bytes) = (number(&mine, &label)?, PutPayload::from(bytes));
        let mut attempts = Attempts::new(self, name);
        for _ in 0..RACES {
            let stored = self.peek(name).await?;
            if let Some(stored) = &stored {
                number(&stored.meta, &label)?;
                match relation(&mine.lineage, &stored.meta.lineage) {
                    Relation::Ahead => {}
                    Relation::Equal | Relation::Behind => {
                        return Ok(attempts.sent(id).unwrap_or(Synced::Equal));
                    }
                    Relation::Diverged => {
                        return Ok(Synced::diverged(mine, stored.meta.clone()));
                    }
                }
            }
            if let (Sent::Done, answer) = attempts.send(id, bytes.clone(), stored.as_ref()).await? {
                return Ok(answer);
            }
        }
        Err(busy(&label))
    }
}

/// Returns the number of a save.
///
/// # Errors
/// An error for a save without one, as browsers make them.
pub(crate) fn number(meta: &Meta, label: &str) -> Result<u64> {
    match meta.lineage.id() {
        0 => Err(no_lineage(label)),
        id => Ok(id),
    }
}
