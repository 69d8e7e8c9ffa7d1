//! The errors of stores.

use std::error::Error as _;

use archive::{Error, ErrorKind};

/// Returns whether another attempt may succeed.
pub(crate) fn is_transient(failure: &object_store::Error) -> bool {
    matches!(failure, object_store::Error::Generic { .. } | object_store::Error::JoinError { .. })
}

/// Returns whether another device has replaced or removed the object meanwhile.
pub(crate) fn is_race(failure: &object_store::Error) -> bool {
    use object_store::Error::{AlreadyExists, NotFound, NotModified, Precondition};
    matches!(
        failure,
        AlreadyExists { .. } | NotFound { .. } | NotModified { .. } | Precondition { .. }
    )
}

/// Creates the error for a call that failed: ``cannot upload the save `campaign` in s3://saves: …``.
#[cold]
pub(crate) fn explain(action: &str, label: &str, failure: object_store::Error) -> Error {
    use object_store::Error::{NotImplemented, NotSupported, PermissionDenied, Unauthenticated};
    let kind = match failure {
        NotImplemented { .. } | NotSupported { .. } => ErrorKind::Unsupported,
        object_store::Error::NotFound { .. } => ErrorKind::NotFound,
        _ => ErrorKind::Io,
    };
    let reason = match &failure {
        object_store::Error::NotFound { .. } => "the store has no such bucket or folder".to_owned(),
        PermissionDenied { .. } => "the store denies the permission".to_owned(),
        Unauthenticated { .. } => "the store does not accept the credentials".to_owned(),
        failure => with_causes(failure),
    };
    Error::with_source(kind, format!("cannot {action} {label}: {reason}"), failure)
}

/// The store has no conditional replacement of objects.
#[cold]
pub(crate) fn no_swap(label: &str, failure: Option<object_store::Error>) -> Error {
    let message = format!(
        "cannot upload {label}: this store cannot replace an object only if it is unchanged, as a \
         bucket of S3, GCS or Azure can; saves can be created in it and downloaded from it"
    );
    match failure {
        Some(failure) => Error::with_source(ErrorKind::Unsupported, message, failure),
        None => Error::new(ErrorKind::Unsupported, message),
    }
}

/// The object is not a save, or is damaged.
#[cold]
pub(crate) fn damaged(label: &str, what: impl std::fmt::Display) -> Error {
    Error::new(ErrorKind::Syntax, format_args!("{label} is damaged: {what}"))
}

/// The object is longer than the limit.
#[cold]
pub(crate) fn too_long(label: &str, size: u64, most: u64) -> Error {
    let message = format_args!("{label} has {size} bytes, and the limit is {most}");
    Error::new(ErrorKind::SizeLimit, message)
}

/// The save has no number, so nothing can be said of what it continues.
#[cold]
pub(crate) fn no_lineage(label: &str) -> Error {
    let message = format_args!("{label} has no lineage, so it cannot be synced");
    Error::new(ErrorKind::Unsupported, message)
}

/// Other devices replace the save all the time.
#[cold]
pub(crate) fn busy(label: &str) -> Error {
    let message = format_args!("{label} was replaced by others during each of many attempts");
    Error::new(ErrorKind::Conflict, message)
}

/// Returns the text of a failure with those of its causes that it lacks, without line breaks.
fn with_causes(failure: &object_store::Error) -> String {
    let mut text = failure.to_string();
    let mut source = failure.source();
    while let Some(cause) = source {
        let more = cause.to_string();
        if !text.contains(&more) {
            text = format!("{text}: {more}");
        }
        source = cause.source();
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
