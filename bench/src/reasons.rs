//! Why targets are missed: for each group of targets the reason, and the attempts.

/// Why some targets are not met.
struct Reason {
    /// What they are of, and how they begin.
    of: &'static [(&'static str, &'static str)],
    why: &'static str,
}

const BINARY: &[Reason] = &[
    Reason {
        of: &[("log", "save"), ("minecraft_savedata", "save"), ("mk48", "save")],
        why: "The fastest rivals write lengths and numbers in all their bytes. Ours writes most numbers in \
              as few as they need, which is where its size comes from, asks for room before each text, and \
              counts levels for `Limits::depth`. Tried: varints without loops, one check of room per \
              member, short text and short lists copied without a call (kept), longer varints inline (no gain).",
    },
    Reason {
        of: &[
            ("log", "load"),
            ("minecraft_savedata", "load"),
            ("mk48", "load"),
            ("mk48", "in place"),
        ],
        why: "A good part of a load is the allocator's work, which all pay. Ours also checks lengths \
              against the input and levels and elements against `Limits`, and varints take steps that whole \
              numbers do not. In place memory is allocated only for the tables of the file, so that these \
              steps are almost all that is left. Tried: structs of fixed size as blocks, varints from one word (both kept).",
    },
    Reason {
        of: &[("log", "size"), ("log", "row-wise"), ("mesh", "row-wise")],
        why: "Every file says what its types are. That is what the file is longer than `binary::bare`, and \
              rivals without them are smaller by these; where the times are equal, noise makes them faster \
              as well. `binary::bare` leaves the types out.",
    },
    Reason {
        of: &[("log", "`serialize` by hand")],
        why: "A function written by hand may name other members each time, so each name and shape is \
              compared with what is expected. Tried: names as two numbers that are known when compiling, \
              the next place known in advance (both kept).",
    },
    Reason {
        of: &[("log", "`columns`"), ("minecraft_savedata", "`columns`"), ("mk48", "`columns`")],
        why: "Most of a save visits the values and copies short texts and lists into columns. `bitcode` does the \
              same work, with copies of a fixed length that read and write more than the value. Ours adds up the \
              length that the values have as rows, which the file contains. A load checks each column before \
              values are taken. Tried: columns in groups of 64 values, functions that take values without errors, memory of \
              the last save (all kept), short copies without checks (no gain).",
    },
    Reason {
        of: &[("mesh", "save"), ("mesh", "load"), ("mesh", "in place")],
        why: "One copy of one block, as `memcpy`; what differs from run to run is the memory.",
    },
    Reason {
        of: &[
            ("mesh", "binary, `Format`"),
            ("mk48", "binary, `Format`"),
            ("world", "binary, `Format`"),
        ],
        why: "The same functions, found through one table for each file. What differs is the memory that was \
              used before.",
    },
    Reason {
        of: &[
            ("minecraft_savedata", "MessagePack"),
            ("mk48", "MessagePack"),
            ("log", "MessagePack"),
        ],
        why: "Names are written from tables made in advance; the rest is as in `rmp-serde`.",
    },
    Reason {
        of: &[("world", "save"), ("world", "load"), ("world", "row-wise")],
        why: "Each shared object is found in a table by its address, and a clone of its pointer is kept to \
              the end, so that no other object can have the address meanwhile. Indices have none of this, and \
              no identity either. Tried: neighbours in memory share a part of the table, objects find their \
              place without sorting, functions of trait objects compiled for the format (all kept). What a \
              program can do: keep objects in memory in the order in which they are met, which is worth more than \
              half of the time, as the row of the played world shows (a world that was just loaded is in that \
              order); and derive what is written by hand.",
    },
    Reason {
        of: &[("world", "binary, erased")],
        why: "Objects of trait objects come back to compiled functions; units and squads, whose types are known, \
              go through the erased archive here.",
    },
    Reason {
        of: &[
            ("log", "binary, erased"),
            ("minecraft_savedata", "binary, erased"),
            ("mk48", "binary, erased"),
        ],
        why: "One call through a table for each member and each part. Where a member is a byte or two, the call is \
              what costs: the fewest calls are one for each struct of numbers, which is one block.",
    },
    Reason {
        of: &[
            ("log", "binary, named root"),
            ("log", "json, named root"),
            ("mesh", "binary, named root"),
            ("mesh", "json, named root"),
            ("minecraft_savedata", "binary, named root"),
            ("minecraft_savedata", "json, named root"),
            ("mk48", "binary, named root"),
            ("mk48", "json, named root"),
            ("world", "binary, named root"),
            ("world", "json, named root"),
        ],
        why: "Named roots go through the erased archive, so that a program compiles one function for each of their \
              types and not one for each format. They take as long as a file with one root that is erased.",
    },
    Reason {
        of: &[("world", "in place")],
        why: "What is replaced is taken apart object by object, so that long chains take no stack. The drop of a \
              fresh world does not do that.",
    },
    Reason {
        of: &[("world", "save of the played world")],
        why: "The objects lie scattered in memory: most of the time goes into waiting for it.",
    },
    Reason {
        of: &[("growth", "")],
        why: "At a million units the objects, the table of addresses and the kept pointers are far larger \
              than the caches, and each object is touched once more at the end, when the kept pointers \
              go.",
    },
    Reason {
        of: &[("world", "peak of loading")],
        why: "Pointers to the objects by their ids, and the places of the objects in the file, are there until \
              the end.",
    },
    Reason {
        of: &[("store", "full save"), ("store", "save of 1 %")],
        why: "The commit of redb is most of it, as the same rows by hand show: it copies each page that changes, and \
              the rows of 1 % of the objects are in most of the pages. SQLite writes the rows of a new table at the \
              end of one file.",
    },
    Reason {
        of: &[("store", "`open`"), ("store", "`attach`")],
        why: "Rows are read page by page and copied out of redb, each has a checksum, and each object is entered in \
              tables by its key and by its address. A file is read at once.",
    },
    Reason {
        of: &[("building", "")],
        why: "Debug builds of the libraries take longer: there are more of them. The crate alone, and each change \
              of it, take less time than with serde. What was tried for that, and kept: trait objects, loads \
              with reports, and everything in debug builds go through one function per type and direction; what \
              a type cannot need is not mentioned in its functions, since the compiler goes through that as \
              well.",
    },
];

#[cfg(feature = "json")]
const JSON: &[Reason] = &[
    Reason {
        of: &[
            ("log", "load"),
            ("mesh", "load"),
            ("minecraft_savedata", "load"),
            ("mk48", "load"),
            ("twitter", "load"),
            ("citm_catalog", "load"),
            ("canada", "load"),
        ],
        why: "`simd-json` and `sonic-rs` look at 32 bytes and more at a time for quotes and brackets, which \
              pays where texts are long and there is much white space. Ours goes from token to token. \
              Tried: indentation sixteen blanks and digits eight at a time (kept).",
    },
    Reason {
        of: &[
            ("log", "in place"),
            ("mesh", "in place"),
            ("minecraft_savedata", "in place"),
            ("mk48", "in place"),
            ("twitter", "in place"),
            ("citm_catalog", "in place"),
            ("canada", "in place"),
        ],
        why: "Lists and text keep their memory, but all text is read, which for numbers and short members is \
              most of the work. Maps are emptied and filled.",
    },
    Reason {
        of: &[
            ("log", "other order"),
            ("log", "unknown"),
            ("mesh", "other order"),
            ("mesh", "unknown"),
            ("minecraft_savedata", "unknown"),
            ("mk48", "unknown"),
            ("twitter", "other order"),
            ("twitter", "unknown"),
            ("citm_catalog", "other order"),
            ("citm_catalog", "unknown"),
            ("canada", "other order"),
            ("canada", "unknown"),
        ],
        why: "What is not in the type is still checked to be JSON, and that no name occurs twice; `serde_json` does the first alone.",
    },
    Reason {
        of: &[("mesh", "save"), ("canada", "save")],
        why: "Both find the shortest text of a float by `zmij`, which is most of the work of either.",
    },
    Reason {
        of: &[("canada", "from a reader"), ("world", "from a reader")],
        why: "The text is moved through a window, checked to be UTF-8 and searched for where a token may be \
              cut, piece by piece; where there are pointers, it is kept.",
    },
    Reason {
        of: &[("world", "load"), ("world", "in place"), ("world", "save")],
        why: "Ours holds and restores shared objects, weak pointers and trait objects; the rivals have \
              numbers in their place, and less text.",
    },
];

/// Why the targets in these lines of a table are not met.
pub fn of_binary(missed: &[&str]) -> String {
    list(BINARY, missed)
}

/// As [`of_binary`], for JSON.
#[cfg(feature = "json")]
pub fn of_json(missed: &[&str]) -> String {
    list(JSON, missed)
}

fn list(reasons: &[Reason], missed: &[&str]) -> String {
    let mut text = String::new();
    for reason in reasons {
        let mut names: Vec<&str> = Vec::new();
        for (of, what) in reason.of {
            let begin = format!("| {of} | {what}");
            if missed.iter().any(|line| line.starts_with(&begin)) && !names.contains(of) {
                names.push(of);
            }
        }
        if !names.is_empty() {
            text +=
                &format!("- *{}*, {}: {}\n", names.join(", "), what(reason, missed), reason.why);
        }
    }
    text
}

/// Which of its targets are in the lines, by the words that they begin with.
fn what(reason: &Reason, missed: &[&str]) -> String {
    let mut words: Vec<&str> = Vec::new();
    for line in missed {
        let mut cells = line.split('|').map(str::trim).skip(1);
        let (Some(of), Some(what)) = (cells.next(), cells.next()) else { continue };
        let is = |(other, begin): &(&str, &str)| *other == of && what.starts_with(begin);
        if reason.of.iter().any(is) && !words.contains(&what) {
            words.push(what);
        }
    }
    words.join(", ")
}
