//! [`Worker`]: the thread on which requests run.

use std::panic::{AssertUnwindSafe, resume_unwind};
use std::sync::{Arc, mpsc};
use std::thread;

use archive::{Error, ErrorKind, Result};
use futures_util::FutureExt;
use tokio::runtime::{Builder, Handle, Runtime};
use tokio::sync::oneshot;

/// A runtime of its own with one thread for requests. Files are read and written on further threads.
///
/// It does not depend on the runtime of the program, so blocking calls work inside async code, and
/// async calls work in every executor. A running call keeps it alive.
pub(crate) struct Worker {
    handle: Handle,
    /// `None` once it is dropped.
    runtime: Option<Runtime>,
}

impl Worker {
    /// # Errors
    /// [`ErrorKind::Io`] if the system has no thread.
    pub fn new() -> Result<Worker> {
        let mut builder = Builder::new_multi_thread();
        let runtime = builder.worker_threads(1).thread_name("archive-cloud").enable_all().build();
        let cannot = |error| Error::with_source(ErrorKind::Io, "cannot create a thread", error);
        let runtime = runtime.map_err(cannot)?;
        Ok(Worker { handle: runtime.handle().clone(), runtime: Some(runtime) })
    }

    /// Runs a call on the worker, and blocks until it ends.
    pub fn block<T: Send + 'static>(
        self: &Arc<Self>,
        call: impl Future<Output = Result<T>> + Send + 'static,
    ) -> Result<T> {
        let (send, receive) = mpsc::channel();
        self.spawn(call, move |answer| _ = send.send(answer));
        answered(receive.recv().ok())
    }

    /// Runs a call on the worker. If the returned future is dropped, the call continues to its end,
    /// and so it does if the last [`Cloud`](crate::Cloud) is dropped.
    pub async fn run<T: Send + 'static>(
        self: &Arc<Self>,
        call: impl Future<Output = Result<T>> + Send + 'static,
    ) -> Result<T> {
        let (send, receive) = oneshot::channel();
        self.spawn(call, move |answer| _ = send.send(answer));
        answered(receive.await.ok())
    }

    fn spawn<T: Send + 'static>(
        self: &Arc<Self>,
        call: impl Future<Output = Result<T>> + Send + 'static,
        done: impl FnOnce(Answer<T>) + Send + 'static,
    ) {
        let worker = self.clone();
        self.handle.spawn(async move {
            done(AssertUnwindSafe(call).catch_unwind().await);
            drop(worker);
        });
    }
}

impl Drop for Worker {
    /// The drop of a runtime panics inside async code, unless it does not wait.
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// The result of a call, or its panic.
type Answer<T> = thread::Result<Result<T>>;

/// Returns the result of a call, and continues its panic.
fn answered<T>(answer: Option<Answer<T>>) -> Result<T> {
    match answer {
        Some(Ok(result)) => result,
        Some(Err(panic)) => resume_unwind(panic),
        None => Err(Error::new(ErrorKind::Io, "the thread for requests has ended")),
    }
}

/// Reads or writes files, or computes for long, on a thread that may block.
pub(crate) async fn in_thread<T: Send + 'static>(
    call: impl FnOnce() -> Result<T> + Send + 'static,
) -> Result<T> {
    match tokio::task::spawn_blocking(call).await {
        Ok(answer) => answer,
        Err(failure) => answered(failure.try_into_panic().ok().map(Err)),
    }
}
