//! The types of `minecraft_savedata`; the names of the members describe them.

use skirmish::Random;

use crate::data::data;
use crate::workload::random::Draw;

data! {
    #[derive(Copy)]
    pub enum GameType {
        Survival,
        Creative,
        Adventure,
        Spectator,
    }

    pub struct Item {
        pub count: i8,
        pub slot: u8,
        pub id: String,
    }

    #[derive(Copy)]
    pub struct Abilities {
        pub walk_speed: f32,
        pub fly_speed: f32,
        pub may_fly: bool,
        pub flying: bool,
        pub invulnerable: bool,
        pub may_build: bool,
        pub instabuild: bool,
    }

    pub struct Entity {
        pub id: String,
        pub pos: (f64, f64, f64),
        pub motion: (f64, f64, f64),
        pub rotation: (f32, f32),
        pub fall_distance: f32,
        pub fire: u16,
        pub air: u16,
        pub on_ground: bool,
        pub no_gravity: bool,
        pub invulnerable: bool,
        pub portal_cooldown: i32,
        pub uuid: [u32; 4],
        pub custom_name: Option<String>,
        pub custom_name_visible: bool,
        pub silent: bool,
        pub glowing: bool,
    }

    pub struct RecipeBook {
        pub recipes: Vec<String>,
        pub to_be_displayed: Vec<String>,
        pub is_filtering_craftable: bool,
        pub is_gui_open: bool,
        pub is_furnace_filtering_craftable: bool,
        pub is_furnace_gui_open: bool,
        pub is_blasting_furnace_filtering_craftable: bool,
        pub is_blasting_furnace_gui_open: bool,
        pub is_smoker_filtering_craftable: bool,
        pub is_smoker_gui_open: bool,
    }

    pub struct Player {
        pub game_type: GameType,
        pub previous_game_type: GameType,
        pub score: i64,
        pub dimension: String,
        pub selected_item_slot: u32,
        pub selected_item: Item,
        pub spawn_dimension: Option<String>,
        pub spawn_x: i64,
        pub spawn_y: i64,
        pub spawn_z: i64,
        pub spawn_forced: Option<bool>,
        pub sleep_timer: u16,
        pub food_exhaustion_level: f32,
        pub food_saturation_level: f32,
        pub food_tick_timer: u32,
        pub xp_level: u32,
        pub xp_p: f32,
        pub xp_total: i32,
        pub xp_seed: i32,
        pub inventory: Vec<Item>,
        pub ender_items: Vec<Item>,
        pub abilities: Abilities,
        pub entered_nether_position: Option<(f64, f64, f64)>,
        pub root_vehicle: Option<([u32; 4], Entity)>,
        pub shoulder_entity_left: Option<Entity>,
        pub shoulder_entity_right: Option<Entity>,
        pub seen_credits: bool,
        pub recipe_book: RecipeBook,
    }

    pub struct Players {
        pub players: Vec<Player>,
    }
}

/// How many players there are.
const PLAYERS: usize = 500;

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
