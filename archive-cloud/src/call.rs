//! [`Worker`]: the thread on which requests run.

use std::panic::{AssertUnwindSafe, resume_unwind};
use std::sync::mpsc;

use archive::{Error, ErrorKind, Result};
use futures_util::FutureExt;
use tokio::runtime::{Builder, Runtime};

/// A runtime of its own with one thread for requests. Files are read and written on further threads.
///
/// It does not depend on the runtime of the program, so blocking calls work inside async code, and
/// async calls work in every executor.
pub(crate) struct Worker(Option<Runtime>);

impl Worker {
    /// # Errors
    /// [`ErrorKind::Io`] if the system has no thread.
    pub fn new() -> Result<Worker> {
        let mut builder = Builder::new_multi_thread();
        let runtime = builder.worker_threads(1).thread_name("archive-cloud").enable_all().build();
        let cannot = |error| Error::with_source(ErrorKind::Io, "cannot create a thread", error);
        Ok(Worker(Some(runtime.map_err(cannot)?)))
    }

    /// Runs a call on the worker, and blocks until it ends.
    pub fn block<T: Send + 'static>(&self, call: impl Future<Output = T> + Send + 'static) -> T {
        let (send, receive) = mpsc::channel();
        self.runtime().spawn(async move {
            // A caller cannot leave before the answer.
            _ = send.send(AssertUnwindSafe(call).catch_unwind().await);
        });
        let answer = receive.recv().expect("the worker answers every call");
        answer.unwrap_or_else(|panic| resume_unwind(panic))
    }

    /// Runs a call on the worker. If the returned future is dropped, the call continues to its end.
    pub async fn run<T: Send + 'static>(
        &self,
        call: impl Future<Output = T> + Send + 'static,
    ) -> T {
        match self.runtime().spawn(call).await {
            Ok(answer) => answer,
            Err(failure) => resume_unwind(failure.into_panic()),
        }
    }

    fn runtime(&self) -> &Runtime {
        self.0.as_ref().expect("it is there until it is dropped")
    }
}

impl Drop for Worker {
    /// The drop of a runtime panics inside async code, unless it does not wait.
    fn drop(&mut self) {
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}

/// Reads or writes files on a thread that may block.
pub(crate) async fn in_thread<T: Send + 'static>(call: impl FnOnce() -> T + Send + 'static) -> T {
    match tokio::task::spawn_blocking(call).await {
        Ok(answer) => answer,
        Err(failure) => resume_unwind(failure.into_panic()),
    }
}
