//! The session that `docs/COMMAND_LINE.md` shows, with the output of the command. `UPDATE_DOCS=1`
//! rewrites it.

use std::path::Path;
use std::rc::{Rc, Weak};
use std::{cell::RefCell, fs};

use archive::{Serialize, binary};

use crate::run_command::{command, folder};

#[derive(Default, Serialize)]
struct World {
    level: String,
    tick: u64,
    units: Vec<Rc<RefCell<Unit>>>,
}

#[derive(Default, Serialize)]
struct Unit {
    name: String,
    hp: u16,
    at: [f32; 2],
    orders: Vec<Order>,
    leader: Weak<RefCell<Unit>>,
}

#[derive(Serialize)]
enum Order {
    MoveTo { x: f32, y: f32 },
    Attack(u32),
    Hold,
}

fn world() -> World {
    let ann = Rc::new(RefCell::new(Unit { name: "Ann".into(), hp: 20, ..Unit::default() }));
    ann.borrow_mut().orders = vec![Order::MoveTo { x: 4.5, y: 9.0 }, Order::Hold];
    let bob = Unit { name: "Bob".into(), hp: 7, at: [2.5, 0.0], ..Unit::default() };
    let bob = Unit { orders: vec![Order::Attack(7)], leader: Rc::downgrade(&ann), ..bob };
    World { level: "Old Arena".into(), tick: 300, units: vec![ann, Rc::new(RefCell::new(bob))] }
}

/// Runs the commands of a session, and returns it with their output.
fn run(session: &str, folder: &Path) -> String {
    let mut out = String::new();
    for line in session.lines().filter_map(|line| line.strip_prefix("$ ")) {
        out += &format!("$ {line}\n");
        let words = line.strip_prefix("archive ").expect("a command of this program");
        let mut args: Vec<String> = Vec::new();
        for (at, part) in words.split('\'').enumerate() {
            // Every second part is in quotes.
            match at % 2 {
                0 => args.extend(part.split_whitespace().map(str::to_owned)),
                _ => args.push(part.to_owned()),
            }
        }
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let output = command(&args).current_dir(folder).output().unwrap();
        out += &String::from_utf8(output.stdout).unwrap();
        out += &String::from_utf8(output.stderr).unwrap();
    }
    out
}

#[test]
fn the_page_shows_the_output() {
    const BEGIN: &str = "```console\n";
    let folder = folder();
    fs::write(folder.path().join("quick.bin"), binary::to_vec(&world()).unwrap()).unwrap();
    fs::copy(folder.path().join("quick.bin"), folder.path().join("before.bin")).unwrap();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/COMMAND_LINE.md");
    let page = fs::read_to_string(&path).unwrap();
    let (before, rest) = page.split_once(BEGIN).expect("a session on the page");
    let (session, after) = rest.split_once("```").expect("the end of the session");
    let printed = run(session, folder.path());
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, format!("{before}{BEGIN}{printed}```{after}")).unwrap();
    } else {
        assert_eq!(session, printed, "UPDATE_DOCS=1 cargo test -p archive-cli session");
    }
}
