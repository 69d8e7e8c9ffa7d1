//! [`Contest`]: all contestants with a value.

use std::hint::black_box;
use std::panic::{self, AssertUnwindSafe};
use std::rc::Rc;

use archive::{Element, Save, Serialize, json};
use serde::de::DeserializeOwned;

use super::texts::{Change, changed};
use crate::entry::{Entry, Operation};
use crate::measure::{Plan, measure};
use crate::peer::Group;

/// The contestants, ours first.
pub const CONTESTANTS: [&str; 5] = ["archive", "serde_json", "simd-json", "sonic-rs", "nanoserde"];

pub use crate::rows::MEASURES;

/// The time of each contestant for each measure, in seconds; the last one is already a ratio.
pub type Times = [[Option<f64>; MEASURES.len()]; CONTESTANTS.len()];

/// The traits that rivals need.
pub trait Rival:
    serde::Serialize + DeserializeOwned + nanoserde::SerJson + nanoserde::DeJson + 'static
{
}
impl<T> Rival for T where
    T: serde::Serialize + DeserializeOwned + nanoserde::SerJson + nanoserde::DeJson + 'static
{
}

/// The traits that we need.
pub trait Own: Save + Element + Serialize + 'static {}
impl<T: Save + Element + Serialize + 'static> Own for T {}

/// Something to be timed.
type Task = Box<dyn FnMut()>;

/// The tasks of the contestants, by their numbers.
#[derive(Default)]
pub struct Contest {
    list: Vec<(usize, usize, Task)>,
    /// Of those who write both: how long the compact and the pretty text are.
    sizes: [Option<[usize; 2]>; CONTESTANTS.len()],
}

impl Contest {
    /// The value, on its own text and on changed ones.
    pub fn of<T: Own + Rival + PartialEq>(value: T) -> Self {
        let text = serde_json::to_string(&value).expect("it can be saved");
        Self::on(value, &text)
    }

    /// The value that a text is.
    pub fn of_text<T: Own + Rival + PartialEq>(text: &str) -> Self {
        Self::on(serde_json::from_str::<T>(text).expect("the model fits the file"), text)
    }

    fn on<T: Own + Rival + PartialEq>(value: T, text: &str) -> Self {
        let mut contest = Contest::default();
        let value = Rc::new(value);
        let texts = [text.to_owned(), changed(text, Change::Order), changed(text, Change::Unknown)];
        for (measure, text) in texts.into_iter().enumerate() {
            let text: Rc<str> = text.into();
            let same = |loaded: &T| *loaded == *value;
            contest.own_load(measure, &text, &same);
            contest.rival_loads(measure, &text, &same);
        }
        contest.own_place::<T>(&text.into());
        contest.own_save(&value);
        contest.rival_saves(&value);
        contest
    }

    /// A value that rivals represent in another form: each on its own text.
    pub fn of_two<T: Own, R: Rival + PartialEq>(own: T, rival: R) -> Self {
        let mut contest = Contest::default();
        let text: Rc<str> = json::to_string(&own).expect("it can be saved").into();
        let again = |loaded: &T| json::to_string(loaded).is_ok_and(|again| again == *text);
        contest.own_load::<T>(0, &text, &again);
        contest.own_place::<T>(&text);
        contest.own_save(&Rc::new(own));
        let text: Rc<str> = serde_json::to_string(&rival).expect("it can be saved").into();
        contest.rival_loads::<R>(0, &text, &|loaded| *loaded == rival);
        contest.rival_saves(&Rc::new(rival));
        contest
    }

    /// Measures everything.
    pub fn measure(self, plan: Plan) -> Times {
        let (places, mut entries): (Vec<_>, Vec<_>) = self
            .list
            .into_iter()
            .map(|(who, what, run)| {
                ((who, what), Entry::new("", Group::Ours).with(Operation::Load, run))
            })
            .unzip();
        let mut times = Times::default();
        for ((who, what), time) in places.into_iter().zip(measure(&mut entries, plan)) {
            times[who][what] = time[Operation::Load as usize];
        }
        for (row, sizes) in times.iter_mut().zip(self.sizes) {
            if let ([.., Some(compact), Some(pretty), ratio], Some(sizes)) = (row, sizes) {
                let [compact, pretty] = [(*compact, sizes[0]), (*pretty, sizes[1])]
                    .map(|(time, size)| time / size as f64);
                *ratio = Some(pretty / compact);
            }
        }
        times
    }

    fn add(&mut self, who: &str, what: usize, run: impl FnMut() + 'static) {
        let who = CONTESTANTS.iter().position(|name| *name == who).expect("a contestant");
        self.list.push((who, what, Box::new(run)));
    }

    /// Adds a load, unless it returns a wrong value: its time would mean nothing.
    fn load<T: 'static>(
        &mut self,
        who: &str,
        what: usize,
        text: &Rc<str>,
        same: &dyn Fn(&T) -> bool,
        mut load: impl FnMut(&[u8]) -> Option<T> + 'static,
    ) {
        let first = panic::catch_unwind(AssertUnwindSafe(|| load(text.as_bytes())));
        if !first.is_ok_and(|loaded| loaded.is_some_and(|loaded| same(&loaded))) {
            return eprintln!("{who}: {} is left out", MEASURES[what]);
        }
        let text = Rc::clone(text);
        self.add(who, what, move || drop(black_box(load(black_box(text.as_bytes())))));
    }

    fn own_load<T: Own>(&mut self, what: usize, text: &Rc<str>, same: &dyn Fn(&T) -> bool) {
        self.load("archive", what, text, same, |text| json::from_slice(text).ok());
    }

    fn own_place<T: Own>(&mut self, text: &Rc<str>) {
        let from_reader = |text: &[u8]| json::from_reader::<T>(text).ok();
        self.load("archive", 4, text, &|_| true, from_reader);
        let mut value: T = json::from_str(text).expect("it was loaded before");
        let text = Rc::clone(text);
        self.add("archive", 3, move || {
            json::load_into(black_box(&mut value), black_box(text.as_bytes())).expect("it loads");
        });
    }

    fn own_save<T: Own>(&mut self, value: &Rc<T>) {
        for (what, options) in
            [(5, archive::Options::new()), (6, archive::Options::new().pretty(true))]
        {
            let size = json::to_vec_with(&**value, &options).expect("it saves").len();
            self.sizes[0].get_or_insert_default()[what - 5] = size;
            let (value, mut buffer) = (Rc::clone(value), Vec::new());
            self.add("archive", what, move || {
                json::save_into(&mut buffer, black_box(&*value), &options).expect("it saves");
                black_box(&buffer);
            });
        }
    }

    fn rival_loads<T: Rival>(&mut self, what: usize, text: &Rc<str>, same: &dyn Fn(&T) -> bool) {
        self.load("serde_json", what, text, same, |text| serde_json::from_slice(text).ok());
        if what == 0 {
            let from_reader =
                |text: &[u8]| serde_json::from_reader(std::io::BufReader::new(text)).ok();
            self.load("serde_json", 4, text, same, from_reader);
        }
        self.load("sonic-rs", what, text, same, |text| sonic_rs::from_slice(text).ok());
        // It changes the text, so it needs a copy each time.
        let (mut copy, mut buffers) = (Vec::new(), simd_json::Buffers::default());
        self.load("simd-json", what, text, same, move |text| {
            copy.clear();
            copy.extend_from_slice(text);
            simd_json::serde::from_slice_with_buffers(&mut copy, &mut buffers).ok()
        });
        self.load("nanoserde", what, text, same, |text| {
            nanoserde::DeJson::deserialize_json(str::from_utf8(text).ok()?).ok()
        });
    }

    fn rival_saves<T: Rival>(&mut self, value: &Rc<T>) {
        type Save<T> = fn(&mut Vec<u8>, &T);
        let saves: [(&str, usize, Save<T>); 5] = [
            ("serde_json", 5, |out, value| serde_json::to_writer(out, value).expect("it saves")),
            ("serde_json", 6, |out, value| {
                serde_json::to_writer_pretty(out, value).expect("it saves");
            }),
            ("sonic-rs", 5, |out, value| sonic_rs::to_writer(out, value).expect("it saves")),
            ("simd-json", 5, |out, value| simd_json::to_writer(out, value).expect("it saves")),
            ("nanoserde", 5, |out, value| {
                out.extend(nanoserde::SerJson::serialize_json(value).bytes())
            }),
        ];
        let sizes = [serde_json::to_vec(&**value), serde_json::to_vec_pretty(&**value)];
        self.sizes[1] = Some(sizes.map(|text| text.expect("it saves").len()));
        for (who, what, save) in saves {
            let (value, mut buffer) = (Rc::clone(value), Vec::new());
            self.add(who, what, move || {
                buffer.clear();
                save(&mut buffer, black_box(&*value));
                black_box(&buffer);
            });
        }
    }
}
