//! [`within`]: a limit of time for a request. The whole of a large save may take as long as it needs,
//! but a store that is silent is an error.

use std::time::Duration;

use object_store::{Error, Result};

/// How long a store may be silent.
const SILENCE: Duration = Duration::from_secs(30);
/// The bytes that the slowest line uploads in a second.
const SLOWEST: u64 = 16 << 10;

/// Makes a request that sends that many bytes, and ends it with an error if it takes too long.
pub(crate) async fn within<T>(bytes: usize, request: impl Future<Output = Result<T>>) -> Result<T> {
    let time = SILENCE + Duration::from_secs(bytes as u64 / SLOWEST);
    tokio::time::timeout(time, request).await.unwrap_or_else(|_| {
        let source = format!("there was no answer within {} seconds", time.as_secs()).into();
        Err(Error::Generic { store: "request", source })
    })
}

#[cfg(test)]
mod tests {
    use std::future::pending;

    use super::*;

    /// The clock of the test is moved when nothing else happens.
    #[test]
    fn a_store_may_be_silent_for_the_length_of_an_upload() {
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = runtime.enable_time().start_paused(true).build().unwrap();
        runtime.block_on(async {
            let takes = |seconds| async move {
                tokio::time::sleep(Duration::from_secs(seconds)).await;
                Ok(seconds)
            };
            assert_eq!(within(0, takes(29)).await.unwrap(), 29);
            assert_eq!(within(256 << 20, takes(4 * 3_600)).await.unwrap(), 4 * 3_600);
            let failure = within(1 << 20, pending::<Result<()>>()).await.unwrap_err();
            assert!(crate::failure::is_transient(&failure));
            let text = failure.to_string();
            assert!(text.ends_with("there was no answer within 94 seconds"), "{text}");
        });
    }
}
