//! A store whose calls fail before or after they have an effect.

use std::fmt;
use std::sync::{Arc, Mutex};

use archive_cloud::object_store::memory::InMemory;
use archive_cloud::object_store::path::Path;
use archive_cloud::object_store::{
    CopyOptions, Error, GetOptions, GetResult, ListResult, MultipartUpload, ObjectMeta,
    ObjectStore, PutMode, PutMultipartOptions, PutOptions, PutPayload, PutResult, Result,
};
use async_trait::async_trait;
use futures_util::stream::BoxStream;

/// What happens to a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It has no effect.
    Fails,
    /// It has its effect, and the answer is lost.
    Lost,
    /// The answer is lost, and an upload has its effect before a later call: that many calls later.
    Late(u8),
    /// Something else happens before the call, and no fault.
    Meanwhile,
}

/// How a store handles conditions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Conditions {
    #[default]
    Good,
    /// Its ETags are weak, so none of them fulfills a condition.
    Weak,
    /// It has no ETags, and takes no condition.
    Nothing,
    /// It refuses requests with a condition.
    Refused,
    /// A whole object has another ETag than a range of it, as a server that compresses may do.
    OfRanges,
}

/// What happens before a call.
#[derive(Default)]
struct Hook(Option<Box<dyn FnOnce() + Send>>);

impl fmt::Debug for Hook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Hook")
    }
}

/// The faults of the next calls, and what was called.
#[derive(Debug, Default)]
pub struct Faults(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    /// The last one comes first.
    next: Vec<Option<Fault>>,
    /// How many calls there were, and how many bytes were read.
    calls: u64,
    bytes: u64,
    /// How many uploads there were, and how many calls asked for the length alone.
    uploads: u64,
    heads: u64,
    /// Late uploads, and the number of calls before which they have their effect.
    late: Vec<(u8, Path, PutPayload, PutOptions)>,
    hook: Hook,
}

impl Faults {
    /// Plans the faults of the next calls. Further calls have none.
    pub fn plan(&self, faults: impl IntoIterator<Item = Option<Fault>>) {
        let mut faults: Vec<_> = faults.into_iter().collect();
        faults.reverse();
        self.0.lock().unwrap().next = faults;
    }

    /// Plans what happens before the first call with [`Fault::Meanwhile`].
    pub fn meanwhile(&self, hook: impl FnOnce() + Send + 'static) {
        self.0.lock().unwrap().hook.0 = Some(Box::new(hook));
    }

    /// Returns the numbers of calls and of read bytes, and counts from 0 again.
    pub fn take_counts(&self) -> (u64, u64) {
        let mut state = self.0.lock().unwrap();
        (std::mem::take(&mut state.calls), std::mem::take(&mut state.bytes))
    }

    /// Returns the numbers of uploads and of calls for the length alone, and counts from 0 again.
    pub fn take_uploads(&self) -> (u64, u64) {
        let mut state = self.0.lock().unwrap();
        (std::mem::take(&mut state.uploads), std::mem::take(&mut state.heads))
    }
}

/// The faults over another store.
#[derive(Clone, Debug)]
pub struct Faulty {
    pub store: Arc<dyn ObjectStore>,
    pub faults: Arc<Faults>,
    pub conditions: Conditions,
}

impl Faulty {
    pub fn new() -> Faulty {
        let (store, conditions) = (Arc::new(InMemory::new()), Conditions::Good);
        Faulty { store, faults: Arc::default(), conditions }
    }

    /// Returns an error if the condition of a request is not fulfilled.
    fn check(&self, at: &Path, is_conditional: bool) -> Result<()> {
        let source = || "412 Precondition Failed".into();
        match self.conditions {
            Conditions::Weak | Conditions::Refused if is_conditional => {
                Err(Error::Precondition { path: at.to_string(), source: source() })
            }
            Conditions::Nothing if is_conditional => Err(Error::NotImplemented {
                operation: "a condition".into(),
                implementer: "Faulty".into(),
            }),
            _ => Ok(()),
        }
    }

    /// Returns the fault of the next call. Late uploads arrive.
    async fn next(&self) -> Option<Fault> {
        let late = std::mem::take(&mut self.faults.0.lock().unwrap().late);
        for (calls, at, bytes, options) in late {
            if calls == 0 {
                _ = self.store.put_opts(&at, bytes, options).await;
            } else {
                self.faults.0.lock().unwrap().late.push((calls - 1, at, bytes, options));
            }
        }
        let (fault, hook) = {
            let mut state = self.faults.0.lock().unwrap();
            state.calls += 1;
            let fault = state.next.pop().flatten();
            let hook = if fault == Some(Fault::Meanwhile) { state.hook.0.take() } else { None };
            (fault.filter(|fault| *fault != Fault::Meanwhile), hook)
        };
        if let Some(hook) = hook {
            hook();
        }
        fault
    }

    /// Makes a call with the next fault.
    async fn call<T>(&self, call: impl Future<Output = Result<T>>) -> Result<T> {
        let fault = self.next().await;
        if fault == Some(Fault::Fails) {
            return Err(broken());
        }
        let answer = call.await;
        if fault.is_some() { Err(broken()) } else { answer }
    }
}

fn broken() -> Error {
    Error::Generic { store: "Faulty", source: "the connection was lost".into() }
}

impl fmt::Display for Faulty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a faulty store")
    }
}

#[async_trait]
impl ObjectStore for Faulty {
    async fn put_opts(
        &self,
        at: &Path,
        bytes: PutPayload,
        options: PutOptions,
    ) -> Result<PutResult> {
        self.faults.0.lock().unwrap().uploads += 1;
        let fault = self.next().await;
        let is_conditional = match options.mode {
            PutMode::Create => self.conditions == Conditions::Refused,
            PutMode::Update(_) => true,
            PutMode::Overwrite => false,
        };
        self.check(at, is_conditional)?;
        match fault {
            Some(Fault::Fails) => return Err(broken()),
            Some(Fault::Late(calls)) => {
                self.faults.0.lock().unwrap().late.push((calls, at.clone(), bytes, options));
            }
            Some(Fault::Lost) => _ = self.store.put_opts(at, bytes, options).await,
            _ => return self.store.put_opts(at, bytes, options).await,
        }
        Err(broken())
    }

    async fn put_multipart_opts(
        &self,
        at: &Path,
        options: PutMultipartOptions,
    ) -> Result<Box<dyn MultipartUpload>> {
        self.store.put_multipart_opts(at, options).await
    }

    async fn get_opts(&self, at: &Path, options: GetOptions) -> Result<GetResult> {
        if options.head {
            self.faults.0.lock().unwrap().heads += 1;
        }
        self.check(at, options.if_match.is_some())?;
        let mut answer = self.call(self.store.get_opts(at, options)).await?;
        let is_whole = answer.range == (0..answer.meta.size);
        answer.meta.e_tag = match self.conditions {
            Conditions::OfRanges if !is_whole => Some("\"range\"".to_owned()),
            Conditions::Weak => answer.meta.e_tag.map(|tag| format!("W/\"{tag}\"")),
            Conditions::Nothing => None,
            _ => answer.meta.e_tag,
        };
        self.faults.0.lock().unwrap().bytes += answer.range.end - answer.range.start;
        Ok(answer)
    }

    fn delete_stream(
        &self,
        locations: BoxStream<'static, Result<Path>>,
    ) -> BoxStream<'static, Result<Path>> {
        self.store.delete_stream(locations)
    }

    fn list(&self, prefix: Option<&Path>) -> BoxStream<'static, Result<ObjectMeta>> {
        self.store.list(prefix)
    }

    async fn list_with_delimiter(&self, prefix: Option<&Path>) -> Result<ListResult> {
        self.call(self.store.list_with_delimiter(prefix)).await
    }

    async fn copy_opts(&self, from: &Path, to: &Path, options: CopyOptions) -> Result<()> {
        self.store.copy_opts(from, to, options).await
    }
}
