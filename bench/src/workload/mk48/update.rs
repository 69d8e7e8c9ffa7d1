//! The types of `mk48`: what the members are called says what they are.

use crate::data::data;

/// An enum of units, and the list of them.
macro_rules! entity_types {
    ($($name:ident),* $(,)?) => {
        data! {
            #[derive(Copy)]
            pub enum EntityType {
                $($name),*
            }
        }

        impl EntityType {
            /// All of them.
            pub const ALL: [EntityType; [$(stringify!($name)),*].len()] =
                [$(EntityType::$name),*];
        }
    };
}

entity_types! {
    Arleigh, Barrel, Bismarck, Clemenceau, Coin, Coral, Crate, Dreadnought, Essex, Fairmile, Freccia, Hq,
    Iowa, Kirov, Komar, Lublin, Mark18, Mark48, Momi, Montana, Mq9, Olympias, Oilplatform, Osa, Pyramid,
    Raider, Skipjack, Spruance, Tanker, Town, Visby, Yasen, Yamato, Zubr,
}

data! {
    #[derive(Copy)]
    pub struct Transform {
        pub altitude: i8,
        pub position: (f32, f32),
        pub direction: u16,
        pub velocity: i16,
    }

    #[derive(Copy)]
    pub struct Guidance {
        pub direction_target: u16,
        pub velocity_target: i16,
    }

    pub struct Contact {
        pub transform: Transform,
        pub damage: u8,
        pub entity_id: u32,
        pub entity_type: Option<EntityType>,
        pub guidance: Guidance,
        pub player_id: Option<u16>,
        pub reloads: Vec<bool>,
        pub turret_angles: Vec<u16>,
    }

    #[derive(Copy)]
    pub struct ChunkId(pub i8, pub i8);

    pub struct SerializedChunk {
        pub bytes: Vec<u8>,
        pub is_root: bool,
    }

    pub struct Terrain {
        pub chunks: Vec<(ChunkId, SerializedChunk)>,
    }

    pub struct Update {
        pub contacts: Vec<Contact>,
        pub score: u32,
        pub world_radius: f32,
        pub terrain: Option<Terrain>,
    }

    pub struct Updates {
        pub updates: Vec<Update>,
    }
}
