//! [`Pending`]: edits that are not saved yet, with undo.

use archive::path::{Pattern, PatternStep};
use archive::{Error, ErrorKind, Result, Value};

use crate::edit::Setting;
use crate::json_output::object;

/// The edits of a file that are not saved yet, in the order in which they were made.
#[derive(Default)]
pub struct Pending {
    steps: Vec<Step>,
    /// How many of the steps were not undone.
    done: usize,
    /// The version of the file for which the edits were checked.
    version: u64,
}

/// A step that can be undone.
enum Step {
    Set(Set),
    /// The edit of a path was removed.
    Remove(Pattern),
}

struct Set {
    setting: Setting,
    /// The number of values that the path matches.
    values: u64,
    /// What the edit replaces.
    before: Before,
    /// Whether that has become another value on disk, and no save was refused for that reason.
    is_news: bool,
    /// The message of a check after the file has changed on disk.
    error: Option<String>,
}

/// The values that an edit replaces.
#[derive(Clone, PartialEq)]
pub struct Before {
    /// The hash of all of them.
    pub hash: u64,
    /// The first one as short text.
    pub text: String,
}

impl Pending {
    /// Returns the last edit of each path.
    fn sets(&self) -> Vec<&Set> {
        let mut found: Vec<&Set> = Vec::new();
        for step in &self.steps[..self.done] {
            let (Step::Set(Set { setting: Setting { pattern, .. }, .. }) | Step::Remove(pattern)) =
                step;
            found.retain(|set| set.setting.pattern != *pattern);
            if let Step::Set(set) = step {
                found.push(set);
            }
        }
        found
    }

    pub fn all(&self) -> Vec<Setting> {
        self.sets().into_iter().map(|set| set.setting.clone()).collect()
    }

    /// Returns the edits together with a new one, which is the last.
    ///
    /// # Errors
    /// [`ErrorKind::Unsupported`] if another path may match the same values, or values inside of each other.
    pub fn with(&self, new: &Setting) -> Result<Vec<Setting>> {
        let mut all = self.all();
        all.retain(|setting| setting.pattern != new.pattern);
        if let Some(other) = all.iter().find(|other| may_overlap(&other.pattern, &new.pattern)) {
            let message = format_args!(
                "{} overlaps the pending edit of {}: save or remove that edit first",
                new.pattern, other.pattern
            );
            return Err(Error::new(ErrorKind::Unsupported, message));
        }
        all.push(new.clone());
        Ok(all)
    }

    /// Adds an edit that was checked for the version of the others.
    pub fn add(&mut self, setting: Setting, values: u64, before: Before) {
        self.push(Step::Set(Set { setting, values, before, is_news: false, error: None }));
    }

    /// Removes the edit of a path.
    pub fn remove(&mut self, path: &Pattern) {
        if self.sets().iter().any(|set| set.setting.pattern == *path) {
            self.push(Step::Remove(path.clone()));
        }
    }

    fn push(&mut self, step: Step) {
        self.steps.truncate(self.done);
        self.steps.push(step);
        self.done += 1;
    }

    pub fn undo(&mut self) {
        self.done = self.done.saturating_sub(1);
    }

    pub fn redo(&mut self) {
        self.done = (self.done + 1).min(self.steps.len());
    }

    /// Forgets all edits.
    pub fn clear(&mut self) {
        *self = Pending::default();
    }

    pub fn version(&self) -> u64 {
        self.version
    }

    /// Checks all edits for a version of the file. The function returns the number of values of an edit, and what it
    /// replaces.
    pub fn check(
        &mut self,
        version: u64,
        mut check: impl FnMut(&Setting) -> Result<(u64, Before)>,
    ) {
        for step in &mut self.steps {
            let Step::Set(set) = step else { continue };
            match check(&set.setting) {
                Ok((values, before)) => {
                    let is_same = set.before == before;
                    set.is_news |= !is_same;
                    set.error = (!is_same).then(|| news(&set.before, &before));
                    (set.values, set.before) = (values, before);
                }
                Err(error) => set.error = Some(error.to_string()),
            }
        }
        self.version = version;
    }

    /// Returns once whether a value of an edit has become another one on disk.
    pub fn take_news(&mut self) -> bool {
        let has_news = self.sets().iter().any(|set| set.is_news);
        for step in &mut self.steps {
            if let Step::Set(set) = step {
                set.is_news = false;
            }
        }
        has_news
    }

    /// Returns the texts of the edits by their paths.
    pub fn texts(&self) -> Vec<(&Pattern, &str)> {
        let sets = self.sets().into_iter();
        sets.map(|Set { setting, .. }| (&setting.pattern, &*setting.text)).collect()
    }

    /// Returns the edits as the page shows them.
    pub fn as_value(&self) -> Value {
        let list = self.sets().into_iter().map(|Set { setting, values, error, .. }| {
            object([
                ("path", setting.pattern.to_string().into()),
                ("text", setting.text.as_str().into()),
                ("values", (*values).into()),
                ("add", setting.adds.into()),
                ("error", error.as_deref().map_or(Value::Null, Value::from)),
            ])
        });
        object([
            ("list", list.collect()),
            ("can_undo", (self.done > 0).into()),
            ("can_redo", (self.done < self.steps.len()).into()),
        ])
    }
}

/// Says that an edit replaces another value than the one for which it was made.
fn news(then: &Before, now: &Before) -> String {
    match then.text == now.text {
        true => "other values are here now than when this was edited".to_owned(),
        false => {
            format!("the value was {} when this was edited, and is {} now", then.text, now.text)
        }
    }
}

/// Returns whether two paths may match the same value, or values inside of each other.
fn may_overlap(one: &Pattern, other: &Pattern) -> bool {
    let pairs = one.steps().iter().zip(other.steps());
    pairs.into_iter().all(|(one, other)| match (one, other) {
        (PatternStep::Step(step), pattern) | (pattern, PatternStep::Step(step)) => {
            pattern.matches(step)
        }
        (PatternStep::Range(from, to), PatternStep::Range(first, last)) => {
            from < last && first < to
        }
        _ => true,
    })
}
