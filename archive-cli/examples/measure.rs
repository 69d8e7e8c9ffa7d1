//! How long the command takes, and how much memory. By hand:
//! `cargo build --release -p archive-cli && cargo run --release -p archive-cli --example measure [MEGABYTES] [--large | --references]`.
//!
//! Prints the table of `docs/COMMAND_LINE.md`. With `--large`, 3 GB of JSON are written and converted as well, and with
//! `--references` only the table of references is printed. It calls `/usr/bin/time` of GNU for the memory, and `jq` if it is there.

use std::cell::RefCell;
use std::fs::File;
use std::hint::black_box;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::rc::{Rc, Weak};

use archive::{Result, Serialize, binary, json};

#[derive(Clone, Default, Serialize)]
struct Unit {
    id: u64,
    name: String,
    kind: Kind,
    hp: u16,
    at: [f32; 3],
    speed: f64,
    is_alive: bool,
    orders: Vec<Order>,
    inventory: Vec<(String, u32)>,
    leader: Option<u64>,
}

#[derive(Clone, Default, Serialize)]
enum Kind {
    #[default]
    Rifle,
    Medic,
    Engineer {
        tools: u8,
    },
}

#[derive(Clone, Default, Serialize)]
struct Order {
    target: u32,
    at: [f32; 2],
    label: String,
}

fn unit(id: u64) -> Unit {
    let small = id as f32 % 997.0;
    let order = |at: u64| Order {
        target: (id * 31 + at) as u32,
        at: [small * 0.25, small / 3.0],
        label: format!("order {at}"),
    };
    Unit {
        id,
        name: format!("unit {id}"),
        kind: match id % 3 {
            0 => Kind::Rifle,
            1 => Kind::Medic,
            _ => Kind::Engineer { tools: id as u8 },
        },
        hp: id as u16 % 300,
        at: [small, small * 1.5, -small / 7.0],
        speed: id as f64 / 7.0,
        is_alive: !id.is_multiple_of(5),
        orders: (0..id % 4).map(order).collect(),
        inventory: vec![("rope".into(), id as u32 % 9), ("apple".into(), 3)],
        leader: id.is_multiple_of(2).then_some(id / 2),
    }
}

/// The time of this process on a processor, in milliseconds. Others may be busy on the machine.
fn processor_time() -> f64 {
    let text = std::fs::read_to_string("/proc/self/schedstat").expect("Linux");
    text.split(' ').next().and_then(|first| first.parse::<f64>().ok()).expect("a number") / 1e6
}

/// The least of several times, in milliseconds.
fn least(times: u32, mut run: impl FnMut() -> f64) -> f64 {
    (0..times).map(|_| run()).fold(f64::INFINITY, f64::min)
}

/// Runs a command, and returns its time on a processor in milliseconds and its peak in megabytes.
fn run(program: &Path, args: &[&str], times: u32) -> (f64, f64) {
    let mut peak = 0.0_f64;
    let time = least(times, || {
        let mut command = Command::new("/usr/bin/time");
        command.args(["-f", "%U %S %M"]).arg(program).args(args).stdout(Stdio::null());
        let output = command.output().expect("GNU time");
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{args:?}: {text}");
        let last = text.trim().lines().last().unwrap_or_default().split(' ');
        let numbers: Vec<f64> = last.filter_map(|number| number.parse().ok()).collect();
        // In KiB.
        peak = peak.max(numbers[2] * 1024.0 / 1e6);
        1e3 * (numbers[0] + numbers[1])
    });
    (time, peak)
}

fn main() -> Result {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let megabytes: u64 = args.iter().find_map(|arg| arg.parse().ok()).unwrap_or(100);
    let target = std::env::current_exe().expect("a program");
    let program: PathBuf = target.ancestors().nth(2).expect("a folder").join("archive");
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("text").to_owned();
    if args.iter().any(|arg| arg == "--references") {
        return references(&program, &path("squads.bin"), megabytes);
    }
    let (bin, text) = (path("units.bin"), path("units.json"));

    let sample = binary::to_vec(&(0..10_000).map(unit).collect::<Vec<_>>())?.len() as u64;
    let count = megabytes * 1_000_000 * 10_000 / sample;
    let units: Vec<Unit> = (0..count).map(unit).collect();
    let bytes = binary::to_vec(&units)?;
    std::fs::write(&bin, &bytes).expect("a file");
    let typed = least(5, || {
        let start = processor_time();
        drop(black_box(json::to_string(black_box(&units))));
        processor_time() - start
    });
    std::fs::write(&text, json::to_string(&units)?).expect("a file");
    drop(units);
    let (binary_mb, text_mb) = (bytes.len() as f64 / 1e6, file_mb(&text));
    println!("{count} units: {binary_mb:.0} MB of binary data, {text_mb:.0} MB of JSON\n");
    println!("| | ms | ratio | of | peak beside the input, MB |\n|---|---|---|---|---|");
    let row = |what: &str, (time, peak): (f64, f64), other: f64, of: &str, input: f64| {
        println!(
            "| {what} | {time:.0} | {:.2} | {of} | {:.0} |",
            time / other,
            (peak - input).max(0.0)
        );
    };
    row("`json::to_string` of the typed value, in the program", (typed, 0.0), typed, "", 0.0);
    let convert = run(&program, &["convert", &bin, "-"], 5);
    row("`convert units.bin -`", convert, typed, "`json::to_string`", binary_mb);
    if let Ok(jq) = which("jq") {
        let other = run(&jq, &["-c", ".", &text], 3);
        row("`jq -c . units.json`", other, typed, "`json::to_string`", text_mb);
        row("`convert units.bin -`", convert, other.0, "`jq`", binary_mb);
    }
    let last = format!("[{}].name", count - 1);
    let get = run(&program, &["get", &bin, &last], 5);
    row("`get units.bin` of the last name", get, convert.0, "`convert units.bin`", binary_mb);
    let again = run(&program, &["convert", &text, "-"], 3);
    row("`convert units.json -`", again, typed, "`json::to_string`", 0.0);
    let get = run(&program, &["get", &text, &last], 3);
    row("`get units.json` of the last name", get, again.0, "`convert units.json`", 0.0);
    let pack = path("units.msgpack");
    let written = run(&program, &["convert", &text, &pack], 3);
    row("`convert units.json units.msgpack`", written, typed, "`json::to_string`", 0.0);
    let again = run(&program, &["convert", &pack, "-"], 3);
    row("`convert units.msgpack -`", again, typed, "`json::to_string`", file_mb(&pack));
    let stats = run(&program, &["stats", &bin], 3);
    row("`stats units.bin`", stats, typed, "`json::to_string`", binary_mb);
    let verify = run(&program, &["verify", &bin], 3);
    row("`verify units.bin`", verify, typed, "`json::to_string`", binary_mb);
    pairs(&program, folder.path(), &bin);
    references(&program, &path("squads.bin"), megabytes)?;
    if args.iter().any(|arg| arg == "--large") {
        let large = path("large.json");
        write_large(&large)?;
        let (time, peak) = run(&program, &["convert", &large, "-"], 1);
        println!(
            "\n{:.1} GB of JSON: {:.0} s, peak {peak:.0} MB",
            file_mb(&large) / 1e3,
            time / 1e3
        );
    }
    Ok(())
}

#[derive(Default, Serialize)]
struct Squad {
    name: String,
}

/// A unit that refers to others, as units of games do.
#[derive(Default, Serialize)]
struct Soldier {
    name: String,
    hp: u16,
    at: [f32; 3],
    path: Vec<[f32; 2]>,
    squad: Rc<RefCell<Squad>>,
    friend: Option<Rc<RefCell<Soldier>>>,
    target: Weak<RefCell<Soldier>>,
    seen: Vec<Weak<RefCell<Soldier>>>,
}

#[derive(Default, Serialize)]
struct Battle {
    squads: Vec<Rc<RefCell<Squad>>>,
    soldiers: Vec<Rc<RefCell<Soldier>>>,
}

/// Prints the peak of changes of references in a binary file.
fn references(program: &Path, path: &str, megabytes: u64) -> Result {
    const SQUADS: usize = 1000;
    let squad = |at: usize| Rc::new(RefCell::new(Squad { name: format!("squad {at}") }));
    let battle = |count: usize| {
        let squads: Vec<_> = (0..SQUADS).map(squad).collect();
        let mut soldiers: Vec<Rc<RefCell<Soldier>>> = Vec::new();
        for at in 0..count {
            let other = |other: usize| soldiers.get(other).filter(|_| !at.is_multiple_of(5));
            let small = at as f32 % 997.0;
            let soldier = Soldier {
                name: format!("soldier {at}"),
                hp: at as u16 % 300,
                at: [small, small * 1.5, 0.25],
                path: (0..at % 12).map(|step| [small, step as f32]).collect(),
                squad: squads[at % SQUADS].clone(),
                friend: other(at / 2).cloned(),
                target: other(at / 3).map(Rc::downgrade).unwrap_or_default(),
                seen: (0..at % 3).filter_map(other).map(Rc::downgrade).collect(),
            };
            soldiers.push(Rc::new(RefCell::new(soldier)));
        }
        binary::to_vec(&Battle { squads, soldiers })
    };
    let sample = battle(10_000)?.len() as u64;
    let count = (megabytes * 1_000_000 * 10_000 / sample) as usize;
    std::fs::write(path, battle(count)?).expect("a file");
    let megabytes = file_mb(path);
    println!("\n{} objects that refer to each other, {megabytes:.0} MB\n", count + SQUADS);
    println!("| `set` | ms | peak, MB | times |\n|---|---|---|---|");
    let one = |member: &str| format!("soldiers[{}]{member}", count / 2 + 1);
    let null = |member: &str| format!("soldiers[{}]{member}", count / 10 * 5);
    for (what, path_of, value) in [
        ("a number", one(".hp"), "7"),
        ("a strong reference", one(".squad"), r#"{"$id":7}"#),
        ("a strong reference in an option", one(".friend"), r#"{"$id":1007}"#),
        ("a strong reference that was null", null(".friend"), r#"{"$id":1007}"#),
        ("a weak reference", one(".target"), r#"{"$weak":1007}"#),
        ("a weak reference that was null", null(".target"), r#"{"$weak":1007}"#),
        ("a list of weak references", one(".seen"), r#"[{"$weak":1007},{"$weak":1008}]"#),
        ("an object with references, in another pointer", "soldiers[0]".into(), r#"{"$id":1007}"#),
        ("a strong reference of all", "soldiers[*].squad".into(), r#"{"$id":7}"#),
    ] {
        let output = format!("{path}.out");
        let (time, peak) = run(program, &["set", path, &path_of, value, "-o", &output], 1);
        println!("| {what} | {time:.0} | {peak:.0} | {:.1} |", peak / megabytes);
    }
    Ok(())
}

/// Prints the peak of a conversion of each format to each, less the input.
fn pairs(program: &Path, folder: &Path, bin: &str) {
    const FORMATS: [&str; 5] = ["json", "binary", "msgpack", "blob", "bins"];
    let path = |name: &str| folder.join(name).to_str().expect("text").to_owned();
    println!("\n| peak beside the input, MB; time, ms | {} |", FORMATS.join(" | "));
    println!("|---|{}", "---|".repeat(FORMATS.len()));
    for from in FORMATS {
        let input = path(&format!("input.{from}"));
        run(program, &["convert", bin, &input, "--to", from], 1);
        // A window over long JSON is enough.
        let size = if from == "json" && file_mb(&input) > 33.0 { 0.0 } else { file_mb(&input) };
        let cells: Vec<String> = FORMATS
            .map(|to| {
                let output = path("output");
                let args = ["convert", &input, &output, "--to", to];
                let (time, peak) = run(program, &args, 1);
                format!("{:.0}; {time:.0}", (peak - size).max(0.0))
            })
            .to_vec();
        println!("| {from}, {:.0} MB | {} |", file_mb(&input), cells.join(" | "));
        std::fs::remove_file(input).expect("a file");
    }
}

fn file_mb(path: &str) -> f64 {
    std::fs::metadata(path).expect("a file").len() as f64 / 1e6
}

fn which(program: &str) -> std::result::Result<PathBuf, ()> {
    let path = std::env::var_os("PATH").ok_or(())?;
    std::env::split_paths(&path)
        .map(|folder| folder.join(program))
        .find(|file| file.exists())
        .ok_or(())
}

/// Writes 3 GB of JSON.
fn write_large(path: &str) -> Result {
    let mut file = BufWriter::new(File::create(path).map_err(archive::Error::io)?);
    let mut put = |bytes: &[u8]| file.write_all(bytes).map_err(archive::Error::io);
    put(b"[")?;
    let (mut written, mut id) = (0, 0);
    while written < 3_000_000_000_u64 {
        let text = json::to_string(&unit(id))?;
        put(if id > 0 { b"," } else { b"" })?;
        put(text.as_bytes())?;
        written += text.len() as u64 + 1;
        id += 1;
    }
    put(b"]")?;
    file.flush().map_err(archive::Error::io)
}
