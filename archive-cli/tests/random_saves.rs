//! Random saves of many types: options, lists, maps, enums, trait objects, shared objects and values without a stated type,
//! with extreme numbers and unicode names.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use archive::{Polymorphic, Serialize, Value};

/// Random values. Numbers and texts that are not extreme are different from each other.
pub struct Random {
    state: u64,
    count: u32,
    depth: u32,
    units: Vec<Rc<Unit>>,
}

impl Random {
    pub fn new(seed: u64) -> Self {
        Random { state: seed, count: 1000, depth: 0, units: Vec::new() }
    }
    fn below(&mut self, end: u64) -> u64 {
        self.state = self.state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.state >> 33) % end
    }
    fn count(&mut self) -> u32 {
        self.count += 1;
        self.count
    }
}

pub trait Make {
    fn make(random: &mut Random) -> Self;
}

macro_rules! numbers {
    ($($ty:ty: $($extreme:expr),+;)*) => { $(impl Make for $ty {
        fn make(random: &mut Random) -> Self {
            let extremes = [$($extreme),+];
            let number = random.count();
            let chosen = random.below(3 * extremes.len() as u64) as usize;
            extremes.get(chosen).copied().unwrap_or(number as $ty)
        }
    })* };
}
numbers! {
    u32: u32::MAX;
    i64: i64::MIN, i64::MAX, -1;
    u64: u64::MAX, 1 << 63, (1 << 53) + 1;
    i128: i128::MIN, i128::MAX, -1;
    u128: u128::MAX, 1 << 127;
    f32: f32::NAN, f32::MAX, 0.1, -0.0, f32::MIN_POSITIVE, f32::NEG_INFINITY;
    f64: f64::NAN, f64::MAX, 0.1, -0.0, f64::MIN_POSITIVE, f64::INFINITY, 9007199254740992.0;
}

impl Make for String {
    fn make(random: &mut Random) -> Self {
        let end = ["", "\u{e4}\u{1f600}", "\"\n,;'", "\0", " "][random.below(5) as usize];
        format!("t{}{end}", random.count())
    }
}
impl Make for bool {
    fn make(random: &mut Random) -> Self {
        random.below(2) == 0
    }
}
impl<T: Make> Make for Option<T> {
    fn make(random: &mut Random) -> Self {
        (random.below(3) > 0).then(|| T::make(random))
    }
}
impl<T: Make> Make for Vec<T> {
    fn make(random: &mut Random) -> Self {
        random.depth += 1;
        let count = random.below(4) * u64::from(random.depth < 5);
        let items = (0..count).map(|_| T::make(random)).collect();
        random.depth -= 1;
        items
    }
}
impl<K: Make + Ord, V: Make> Make for BTreeMap<K, V> {
    fn make(random: &mut Random) -> Self {
        (0..random.below(4)).map(|_| (K::make(random), V::make(random))).collect()
    }
}
impl<A: Make, B: Make> Make for (A, B) {
    fn make(random: &mut Random) -> Self {
        (A::make(random), B::make(random))
    }
}
impl<T: Make> Make for Box<T> {
    fn make(random: &mut Random) -> Self {
        Box::new(T::make(random))
    }
}

macro_rules! class {
    ($($class:ident { $($member:ident: $ty:ty),+ $(,)? })*) => { $(
        #[derive(Clone, Debug, Default, Serialize)]
        #[allow(non_snake_case, reason = "names that differ only in their case")]
        pub struct $class { $(pub $member: $ty),+ }
        impl Make for $class {
            fn make(random: &mut Random) -> Self {
                $class { $($member: <$ty>::make(random)),+ }
            }
        }
    )* };
}
class! {
    Place { m_x: f32, m_y: f64 }
    Cased { m_hp: u32, m_Hp: u64, m_ä: Option<String> }
    Unit {
        m_name: String, m_at: Place, m_home: Option<Place>, m_order: Order, m_orders: Vec<Order>,
        m_color: Color, m_wide: i128, m_tags: BTreeMap<String, u64>, m_by: BTreeMap<Color, Place>,
        m_alive: bool, m_pair: (u32, Option<Color>),
    }
    Tree { m_value: u32, m_kids: Vec<Tree> }
    Chest { m_item: Rc<Unit>, m_tree: Option<Box<Tree>> }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum Color {
    #[default]
    VRed,
    VBlue,
}
impl Make for Color {
    fn make(random: &mut Random) -> Self {
        if random.below(2) == 0 { Color::VRed } else { Color::VBlue }
    }
}

#[derive(Clone, Debug, Default, Serialize)]
#[expect(clippy::enum_variant_names, reason = "names of variants are not those of members")]
pub enum Order {
    #[default]
    VWait,
    VGo(Place, u32),
    VSay(Option<String>),
    VBuild {
        m_what: Vec<String>,
        m_color: Color,
    },
}
impl Make for Order {
    fn make(random: &mut Random) -> Self {
        match random.below(4) {
            0 => Order::VWait,
            1 => Order::VGo(Place::make(random), u32::make(random)),
            2 => Order::VSay(Make::make(random)),
            _ => Order::VBuild { m_what: Make::make(random), m_color: Make::make(random) },
        }
    }
}

pub trait Thing: Polymorphic {}
archive::polymorphic!(dyn Thing);
impl Thing for Chest {}
impl Thing for Order {}

impl Make for Box<dyn Thing> {
    fn make(random: &mut Random) -> Self {
        match random.below(2) {
            0 => Box::new(Chest::make(random)),
            _ => Box::new(Order::make(random)),
        }
    }
}
impl Make for Rc<RefCell<dyn Thing>> {
    fn make(random: &mut Random) -> Self {
        match random.below(2) {
            0 => Rc::new(RefCell::new(Chest::make(random))),
            _ => Rc::new(RefCell::new(Order::make(random))),
        }
    }
}
impl Make for Rc<Unit> {
    fn make(random: &mut Random) -> Self {
        if let Some(known) = random.units.last().filter(|_| random.state.is_multiple_of(3)) {
            return known.clone();
        }
        let unit = Rc::new(Unit::make(random));
        random.units.push(unit.clone());
        unit
    }
}
impl Make for Rc<Option<Unit>> {
    fn make(random: &mut Random) -> Self {
        Rc::new(Make::make(random))
    }
}
impl Make for Rc<String> {
    fn make(random: &mut Random) -> Self {
        Rc::new(Make::make(random))
    }
}
/// A value without a stated type.
impl Make for Value {
    fn make(random: &mut Random) -> Self {
        match random.below(5) {
            0 => u32::make(random).into(),
            1 => String::make(random).into(),
            2 => Value::Array(Make::make(random)),
            3 => Value::of(&Unit::make(random)).unwrap(),
            _ => Value::Null,
        }
    }
}

#[derive(Default, Serialize)]
pub struct Around<T> {
    m_first: u32,
    m_value: T,
    m_last: String,
}
impl<T: Make> Make for Around<T> {
    fn make(random: &mut Random) -> Self {
        Around { m_first: u32::make(random), m_value: T::make(random), m_last: Make::make(random) }
    }
}
