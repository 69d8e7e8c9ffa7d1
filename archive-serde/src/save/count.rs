//! [`Count`]: counts the members that an object is going to have.

use archive_core::bridge;
use archive_core::{
    Begun, Body, Class, Member, Options, Result, Scalar, Session, Shape, Visitor, Walk,
};

/// How an object is written.
pub(crate) enum ObjectForm {
    /// A struct with this number of members.
    Struct(usize),
    /// Named members that are not written as a struct, and their number.
    Map(usize),
    /// Members by position, as many as the type has.
    Places(usize),
    /// Members in the order of a function, and their number.
    List(usize),
}

/// What is known about a class before any of its objects is saved.
#[derive(Clone, Copy)]
pub(crate) struct Plan {
    pub(crate) name: &'static str,
    /// How many members it has, if they are known.
    members: Option<usize>,
    /// Whether no member may be left out.
    is_whole: bool,
    /// Whether the names of the class and its members need no quotes.
    are_identifiers: bool,
}

impl Plan {
    fn of(class: &'static Class) -> Self {
        let (name, known) = (class.name(), class.members.and_then(crate::tree::flat));
        let all = |test: fn(&Member) -> bool| {
            known.as_ref().is_some_and(|known| known.iter().all(|member| test(member)))
        };
        Plan {
            name,
            members: known.as_ref().map(Vec::len),
            is_whole: all(|member| !member.skip_if_default),
            are_identifiers: is_identifier(name) && all(|member| is_identifier(member.name)),
        }
    }
}

/// The plans of the classes that were saved last.
#[derive(Default)]
pub(crate) struct Plans([Option<(&'static Class, Plan)>; Plans::PLACES]);

impl Plans {
    const PLACES: usize = 16;

    #[inline]
    pub(crate) fn of(&mut self, class: &'static Class) -> Plan {
        let place = std::ptr::from_ref(class).addr() / align_of::<Class>() / 4 % Self::PLACES;
        match &self.0[place] {
            Some((known, plan)) if std::ptr::eq(*known, class) => *plan,
            _ => {
                let plan = Plan::of(class);
                self.0[place] = Some((class, plan));
                plan
            }
        }
    }
}

/// Determines how an object is written. Serde needs the number of members in advance. A function
/// that is not known to visit all of its members is run once to count them, without saving
/// anything.
pub(crate) fn layout<B: Body>(
    class: &'static Class,
    body: &mut B,
    version: u32,
    plan: Plan,
    (session, options): (&mut Session, &Options<'_>),
    (describes, is_text): (bool, bool),
) -> Result<ObjectForm> {
    if let Some(members) = bridge::data_members(class, session) {
        return Ok(if describes { ObjectForm::Map(members) } else { ObjectForm::List(members) });
    }
    if let (Some(known), false) = (plan.members, describes) {
        return Ok(ObjectForm::Places(known));
    }
    let members = match plan.members {
        Some(known) if plan.is_whole => known,
        _ => count(body, version, options, describes)?,
    };
    if !describes {
        return Ok(ObjectForm::List(members));
    }
    let is_struct =
        members > 0 && plan.members == Some(members) && (!is_text || plan.are_identifiers);
    Ok(if is_struct && version == 0 {
        ObjectForm::Struct(members)
    } else {
        ObjectForm::Map(members)
    })
}

/// Returns the number of members that the function is going to visit.
fn count<B: Body>(
    body: &mut B,
    version: u32,
    options: &Options<'_>,
    describes: bool,
) -> Result<usize> {
    let mut session = Session::new();
    session.set_version(version);
    let mut count = Count { session: &mut session, options, members: 0, describes };
    body.run(&mut count)?;
    Ok(count.members)
}

/// Returns whether a text format can write the name without quotes.
fn is_identifier(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

struct Count<'a> {
    session: &'a mut Session,
    options: &'a Options<'a>,
    members: usize,
    describes: bool,
}

impl Visitor for Count<'_> {
    fn begin_member(&mut self, _: &str, _: &'static Shape) -> Result<Begun> {
        self.members += 1;
        Ok(Begun::Over)
    }
    fn loads(&self) -> bool {
        false
    }
    fn scalar(&mut self, _: Scalar<'_>) -> Result {
        Ok(())
    }
    fn parts(&self) -> (&Session, &Options<'_>) {
        (self.session, self.options)
    }
    fn parts_mut(&mut self) -> (&mut Session, &Options<'_>) {
        (self.session, self.options)
    }
    fn fixed_members(&self) -> bool {
        !self.describes
    }
    fn fixed_shape(&self) -> bool {
        !self.describes
    }
}

impl Walk for Count<'_> {
    type Way = archive_core::Either;
}
