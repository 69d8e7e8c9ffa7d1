//! Rows in the binary format of `COPY`.

use std::io::Write;

use archive::store::storage::checksum;
use postgres::Transaction;

/// The signature, flags without meaning and no extension.
const HEADER: &[u8] = b"PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0";
/// The number of fields of the last row.
const END: i16 = -1;
/// How many bytes are sent at once.
const PART: usize = 1 << 16;

const COPY: &str =
    "copy archive_rows (generation, key, value, checksum) from stdin (format binary)";

/// Inserts rows whose keys have none in that generation.
pub(crate) fn copy_in(
    transaction: &mut Transaction<'_>,
    generation: i64,
    rows: &[(&[u8], &[u8])],
) -> Result<(), postgres::Error> {
    let mut writer = transaction.copy_in(COPY)?;
    let mut buffer = HEADER.to_vec();
    for (key, value) in rows {
        buffer.extend(4_i16.to_be_bytes());
        put_field(&mut buffer, &generation.to_be_bytes());
        put_field(&mut buffer, key);
        put_field(&mut buffer, value);
        put_field(&mut buffer, &checksum(key, value).to_be_bytes());
        if buffer.len() >= PART {
            if writer.write_all(&buffer).is_err() {
                // `finish` has the reason.
                buffer.clear();
                break;
            }
            buffer.clear();
        }
    }
    buffer.extend(END.to_be_bytes());
    let _ = writer.write_all(&buffer);
    writer.finish().map(drop)
}

fn put_field(buffer: &mut Vec<u8>, field: &[u8]) {
    // A row of more than 1 GB is refused before.
    buffer.extend((field.len() as i32).to_be_bytes());
    buffer.extend(field);
}
