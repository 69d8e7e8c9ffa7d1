//! A store whose calls fail before or after they have an effect.

use std::fmt;
use std::sync::{Arc, Mutex};

use archive_cloud::object_store::memory::InMemory;
use archive_cloud::object_store::path::Path;
use archive_cloud::object_store::{
    CopyOptions, Error, GetOptions, GetResult, ListResult, MultipartUpload, ObjectMeta,
    ObjectStore, PutMultipartOptions, PutOptions, PutPayload, PutResult, Result,
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
    /// The answer is lost, and the effect of an upload comes just before that of the next call.
    Late,
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
    late: Vec<(Path, PutPayload, PutOptions)>,
}

impl Faults {
    /// Plans the faults of the next calls. Further calls have none.
    pub fn plan(&self, faults: impl IntoIterator<Item = Option<Fault>>) {
        let mut faults: Vec<_> = faults.into_iter().collect();
        faults.reverse();
        self.0.lock().unwrap().next = faults;
    }

    /// Returns the numbers of calls and of read bytes, and counts from 0 again.
    pub fn take_counts(&self) -> (u64, u64) {
        let mut state = self.0.lock().unwrap();
        (std::mem::take(&mut state.calls), std::mem::take(&mut state.bytes))
    }
}

/// The faults over another store.
#[derive(Clone, Debug)]
pub struct Faulty {
    pub store: Arc<dyn ObjectStore>,
    pub faults: Arc<Faults>,
}

impl Faulty {
    pub fn new() -> Faulty {
        Faulty { store: Arc::new(InMemory::new()), faults: Arc::default() }
    }

    /// Returns the fault of the next call. Late uploads arrive.
    async fn next(&self) -> Option<Fault> {
        let late = std::mem::take(&mut self.faults.0.lock().unwrap().late);
        for (at, bytes, options) in late {
            _ = self.store.put_opts(&at, bytes, options).await;
        }
        let mut state = self.faults.0.lock().unwrap();
        state.calls += 1;
        state.next.pop().flatten()
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
    async fn put_opts(&self, at: &Path, bytes: PutPayload, options: PutOptions) -> Result<PutResult> {
        match self.next().await {
            Some(Fault::Fails) => return Err(broken()),
            Some(Fault::Late) => self.faults.0.lock().unwrap().late.push((at.clone(), bytes, options)),
            None => return self.store.put_opts(at, bytes, options).await,
            Some(Fault::Lost) => _ = self.store.put_opts(at, bytes, options).await,
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
        let answer = self.call(self.store.get_opts(at, options)).await?;
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
