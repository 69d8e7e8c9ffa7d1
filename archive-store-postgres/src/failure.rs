//! The errors of PostgreSQL as those of a storage.

use archive::{Error, ErrorKind};
use postgres::error::{Severity, SqlState};

/// Whether the connection was lost. What the server has done is unknown then.
pub(crate) fn is_lost(failure: &postgres::Error) -> bool {
    let severity = failure.as_db_error().map(|reported| reported.parsed_severity());
    severity.is_none_or(|severity| severity != Some(Severity::Error))
}

/// Whether the server refuses every connection of this user to this database, so that another attempt would fail as well.
pub(crate) fn is_refusal(failure: &postgres::Error) -> bool {
    let code = failure.code().map_or("", SqlState::code);
    ["28", "3D", "42"].iter().any(|class| code.starts_with(class))
}

/// Creates the error for a failure of a statement.
#[cold]
pub(crate) fn explain(name: &str, failure: postgres::Error) -> Error {
    let Some(reported) = failure.as_db_error() else {
        let message = match failure.is_closed() {
            true => format!("{name}: the connection was lost"),
            false => format!("{name}: {}", with_causes(&failure)),
        };
        return Error::with_source(ErrorKind::Io, message, failure);
    };
    let said = reported.message();
    let (kind, message) = match reported.code() {
        code if *code == SqlState::LOCK_NOT_AVAILABLE => (
            ErrorKind::Io,
            format!("{name}: another program has locked it for more than 5 seconds"),
        ),
        code if *code == SqlState::QUERY_CANCELED => {
            (ErrorKind::Io, format!("{name}: the server canceled a statement: {said}"))
        }
        code if *code == SqlState::DISK_FULL => {
            (ErrorKind::Io, format!("{name}: the disk of the server is full"))
        }
        code if *code == SqlState::INSUFFICIENT_PRIVILEGE => {
            (ErrorKind::Io, format!("{name}: permission denied: {said}"))
        }
        code if *code == SqlState::PROGRAM_LIMIT_EXCEEDED => {
            (ErrorKind::SizeLimit, format!("{name}: {said}"))
        }
        code if *code == SqlState::DATA_CORRUPTED || *code == SqlState::INDEX_CORRUPTED => {
            (ErrorKind::Syntax, format!("{name} is damaged: {said}"))
        }
        code => (ErrorKind::Io, format!("{name}: {said} ({})", code.code())),
    };
    Error::with_source(kind, message, failure)
}

/// Creates the error for a connection that cannot be made.
#[cold]
pub(crate) fn not_connected(name: &str, failure: r2d2::Error) -> Error {
    Error::with_source(ErrorKind::Io, format!("{name}: there is no connection: {failure}"), failure)
}

/// Creates the error for a row whose bytes are not those that were saved.
#[cold]
pub(crate) fn damaged(name: &str) -> Error {
    Error::new(
        ErrorKind::Syntax,
        format_args!("{name} is damaged: a row differs from its checksum"),
    )
}

/// A failure of the client names its cause only in its source.
pub(crate) fn with_causes(failure: &postgres::Error) -> String {
    let mut text = failure.to_string();
    let mut source = std::error::Error::source(failure);
    while let Some(cause) = source {
        let cause_text = cause.to_string();
        if !text.contains(&cause_text) {
            text = format!("{text}: {cause_text}");
        }
        source = cause.source();
    }
    text
}
