//! The errors of stores.

use std::error::Error as _;

use archive::{Error, ErrorKind};

/// Returns whether another attempt may succeed.
pub(crate) fn is_transient(failure: &object_store::Error) -> bool {
    use object_store::Error::{Generic, JoinError};
    let may_pass = matches!(failure, Generic { .. } | JoinError { .. });
    may_pass && !lacks_range(failure) && refusal(failure).is_none()
}

/// Returns whether the object has none of the bytes that were requested.
pub(crate) fn lacks_range(failure: &object_store::Error) -> bool {
    let text = with_causes(failure);
    text.contains("status code: 416") || text.contains("Wanted range starting at")
}

/// Returns whether not only the object is missing.
pub(crate) fn lacks_bucket(failure: &object_store::Error) -> bool {
    refusal(failure) == Some(NO_BUCKET)
}

const NO_BUCKET: &str = "the store has no such bucket or folder";
const DENIED: &str = "the store denies the permission";

/// Returns the reason in an answer that is not about the object. The codes are those of S3 and GCS,
/// and of Azure. `object_store` has no errors of their own for them in answers to lists.
fn refusal(failure: &object_store::Error) -> Option<&'static str> {
    // A request whose date is wrong by more than 15 minutes is refused.
    if has_code(failure, "RequestTimeTooSkewed") {
        Some("the clock of this device is wrong")
    } else if has_code(failure, "NoSuchBucket") || has_code(failure, "ContainerNotFound") {
        Some(NO_BUCKET)
    } else if has_code(failure, "AccessDenied") {
        Some(DENIED)
    } else {
        None
    }
}

/// Returns whether the answer of the store has that code.
fn has_code(failure: &object_store::Error, code: &str) -> bool {
    with_causes(failure).contains(&format!("<Code>{code}</Code>"))
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
    let refusal = refusal(&failure);
    let kind = match failure {
        NotImplemented { .. } | NotSupported { .. } => ErrorKind::Unsupported,
        object_store::Error::NotFound { .. } => ErrorKind::NotFound,
        _ if refusal == Some(NO_BUCKET) => ErrorKind::NotFound,
        _ => ErrorKind::Io,
    };
    let reason = match &failure {
        _ if let Some(reason) = refusal => reason.to_owned(),
        object_store::Error::NotFound { .. } => NO_BUCKET.to_owned(),
        PermissionDenied { .. } => DENIED.to_owned(),
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

/// The store refuses the condition of a request, although it is fulfilled.
#[cold]
pub(crate) fn refuses(label: &str) -> Error {
    let message = format_args!(
        "cannot sync {label}: the store refuses requests on the condition that nobody has replaced \
         it, although nobody has"
    );
    Error::new(ErrorKind::Unsupported, message)
}

/// The local save is not the one about which the player has decided.
#[cold]
pub(crate) fn changed(label: &str) -> Error {
    let message = format_args!("{label} has changed since the two sides were compared: sync again");
    Error::new(ErrorKind::Conflict, message)
}

/// The name in the store is not one that a slot can have.
#[cold]
pub(crate) fn not_a_slot(label: &str) -> Error {
    Error::new(ErrorKind::Unsupported, format_args!("{label} has a name that no slot can have"))
}

/// No save has the key of that object.
#[cold]
pub(crate) fn odd_key(key: &str, store: &str) -> Error {
    let message =
        format_args!("the object `{}` in {store} has a key that no save has", key.escape_debug());
    Error::new(ErrorKind::Unsupported, message)
}

/// The second name is that of another save.
#[cold]
pub(crate) fn other_name(label: &str) -> Error {
    let message = format_args!("{label} is another save: keep both under another name");
    Error::new(ErrorKind::Conflict, message)
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
