//! Writes of objects, each on the condition that nobody has replaced the object meanwhile.

use archive::Result;
use archive::save::{Meta, Relation, SaveFile, relation};
use object_store::{PutMode, PutOptions, PutPayload};

use crate::Synced;
use crate::failure::{busy, explain, is_race, is_transient, no_lineage, no_swap, too_long};
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

/// The attempts of one upload.
pub(crate) struct Upload<'r> {
    remote: &'r Remote,
    name: &'r str,
    failures: u32,
    /// The number of the save that was sent, and the answer if it has arrived.
    sent: Option<(u64, Synced)>,
}

impl<'r> Upload<'r> {
    pub fn new(remote: &'r Remote, name: &'r str) -> Upload<'r> {
        Upload { remote, name, failures: 0, sent: None }
    }

    /// Returns the answer if that save was sent before.
    pub fn sent(&mut self, id: u64) -> Option<Synced> {
        self.sent.take_if(|(sent, _)| *sent == id).map(|(_, answer)| answer)
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
        let size = bytes.content_length() as u64;
        if size > remote.max_size {
            return Err(too_long(&label, size, remote.max_size));
        }
        let (mode, answer) = match stored {
            None => (PutMode::Create, Synced::Created),
            Some(Stored { version, .. })
                if version.e_tag.is_none() && version.version.is_none() =>
            {
                return Err(no_swap(&label, None));
            }
            Some(stored) => (PutMode::Update(stored.version.clone()), Synced::Uploaded),
        };
        self.sent = Some((id, answer.clone()));
        let options = PutOptions { mode, ..PutOptions::default() };
        match remote.store.put_opts(&remote.key(self.name)?, bytes, options).await {
            Ok(_) => return Ok((Sent::Done, answer)),
            // A new object cannot be missing: the bucket is.
            Err(failure @ object_store::Error::NotFound { .. }) if stored.is_none() => {
                return Err(explain("upload", &label, failure));
            }
            Err(failure) if is_race(&failure) => {}
            Err(failure) if is_transient(&failure) => {
                self.failures += 1;
                if self.failures >= remote.retry.attempts {
                    return Err(explain("upload", &label, failure));
                }
                remote.retry.wait(self.failures).await;
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

impl Remote {
    /// Stores the bytes of a save, unless the stored one has progress that they lack.
    pub async fn put(&self, name: &str, bytes: Vec<u8>) -> Result<Synced> {
        let (label, mine) = (self.label(name), SaveFile::verify_bytes(&bytes)?);
        let (id, bytes) = (number(&mine, &label)?, PutPayload::from(bytes));
        let mut upload = Upload::new(self, name);
        for _ in 0..RACES {
            let stored = self.peek(name).await?;
            if let Some(stored) = &stored {
                number(&stored.meta, &label)?;
                match relation(&mine.lineage, &stored.meta.lineage) {
                    Relation::Ahead => {}
                    Relation::Equal | Relation::Behind => {
                        return Ok(upload.sent(id).unwrap_or(Synced::Equal));
                    }
                    Relation::Diverged => {
                        return Ok(Synced::diverged(mine, stored.meta.clone()));
                    }
                }
            }
            if let (Sent::Done, answer) = upload.send(id, bytes.clone(), stored.as_ref()).await? {
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
