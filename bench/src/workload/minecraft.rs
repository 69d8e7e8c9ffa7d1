//! `minecraft_savedata`: players of a block game. Many members of all kinds, many short strings.

pub mod player;

use archive::Options;
use skirmish::Random;

use super::Workload;
use super::random::Draw;
use crate::entry::{Entry, Subject};
use crate::memory;
use crate::peer::{ours, rivals};
use crate::targets;
use player::{Abilities, Entity, GameType, Item, Player, Players, RecipeBook};

/// How many players there are.
const PLAYERS: usize = 500;

/// 500 players.
pub const WORKLOAD: Workload = Workload {
    name: "minecraft_savedata",
    about: "500 players of 28 members: strings, options, tuples, an enum, up to 40 + 27 items, lists of strings.",
    entries,
    memory: |gauge| memory::usage(generate(), &Options::new(), gauge),
    targets: |results| targets::general(results, 0.6),
};

const ITEMS: [&str; 8] =
    ["dirt", "stone", "pickaxe", "sand", "gravel", "shovel", "chestplate", "steak"];
const MOBS: [&str; 8] =
    ["cow", "sheep", "zombie", "skeleton", "spider", "creeper", "parrot", "bee"];
const RECIPES: [&str; 8] =
    ["pickaxe", "torch", "bow", "crafting table", "furnace", "shears", "arrow", "tnt"];

/// The value.
pub fn generate() -> Players {
    let random = &mut Random::new(3);
    Players { players: (0..PLAYERS).map(|_| player(random)).collect() }
}

fn item(random: &mut Random) -> Item {
    Item {
        count: random.draw() as i8,
        slot: random.draw() as u8,
        id: random.pick(&ITEMS).to_owned(),
    }
}

fn uuid(random: &mut Random) -> [u32; 4] {
    [random.draw(), random.draw(), random.draw(), random.draw()]
}

fn place(random: &mut Random, most: f32) -> (f64, f64, f64) {
    let mut along = || f64::from(random.around(most));
    (along(), along(), along())
}

fn entity(random: &mut Random) -> Entity {
    Entity {
        id: random.pick(&MOBS).to_owned(),
        pos: place(random, 10_000.0),
        motion: place(random, 1.0),
        rotation: (random.around(180.0), random.around(90.0)),
        fall_distance: random.unit(),
        fire: random.draw() as u16,
        air: random.draw() as u16,
        on_ground: random.toss(),
        no_gravity: random.toss(),
        invulnerable: random.toss(),
        portal_cooldown: random.draw() as i32,
        uuid: uuid(random),
        custom_name: random
            .maybe(|random| random.pick(&["rainbow", "princess", "steve"]).to_owned()),
        custom_name_visible: random.toss(),
        silent: random.toss(),
        glowing: random.toss(),
    }
}

fn names(random: &mut Random) -> Vec<String> {
    random.list(0, 30, |random| random.pick(&RECIPES).to_owned())
}

fn recipe_book(random: &mut Random) -> RecipeBook {
    RecipeBook {
        recipes: names(random),
        to_be_displayed: names(random),
        is_filtering_craftable: random.toss(),
        is_gui_open: random.toss(),
        is_furnace_filtering_craftable: random.toss(),
        is_furnace_gui_open: random.toss(),
        is_blasting_furnace_filtering_craftable: random.toss(),
        is_blasting_furnace_gui_open: random.toss(),
        is_smoker_filtering_craftable: random.toss(),
        is_smoker_gui_open: random.toss(),
    }
}

fn player(random: &mut Random) -> Player {
    use GameType::{Adventure, Creative, Spectator, Survival};
    let dimension = |random: &mut Random| random.pick(&["overworld", "nether", "end"]).to_owned();
    Player {
        game_type: random.pick(&[Survival, Creative, Adventure, Spectator]),
        previous_game_type: random.pick(&[Survival, Creative, Adventure, Spectator]),
        score: random.wide() as i64,
        dimension: dimension(random),
        selected_item_slot: random.draw(),
        selected_item: item(random),
        spawn_dimension: random.maybe(dimension),
        spawn_x: random.wide() as i64,
        spawn_y: random.wide() as i64,
        spawn_z: random.wide() as i64,
        spawn_forced: random.maybe(Draw::toss),
        sleep_timer: random.draw() as u16,
        food_exhaustion_level: random.unit(),
        food_saturation_level: random.unit(),
        food_tick_timer: random.draw(),
        xp_level: random.draw(),
        xp_p: random.unit(),
        xp_total: random.draw() as i32,
        xp_seed: random.draw() as i32,
        inventory: random.list(0, 40, item),
        ender_items: random.list(0, 27, item),
        abilities: Abilities {
            walk_speed: random.unit(),
            fly_speed: random.unit(),
            may_fly: random.toss(),
            flying: random.toss(),
            invulnerable: random.toss(),
            may_build: random.toss(),
            instabuild: random.toss(),
        },
        entered_nether_position: random.maybe(|random| place(random, 10_000.0)),
        root_vehicle: random.maybe(|random| (uuid(random), entity(random))),
        shoulder_entity_left: random.maybe(entity),
        shoulder_entity_right: random.maybe(entity),
        seen_credits: random.toss(),
        recipe_book: recipe_book(random),
    }
}

fn entries() -> Vec<Entry> {
    let subject = Subject::new(generate());
    let mut entries = ours::entries(&subject, &Options::new());
    entries.extend(rivals!(&subject));
    entries.push(subject.clone_and_drop());
    entries
}
