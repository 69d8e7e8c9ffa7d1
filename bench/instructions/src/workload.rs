//! The values: those of `bench`, and an army of shared squads, weak leaders and polymorphic orders.

#[allow(dead_code, reason = "`bench` copies armies as well")]
#[path = "../../src/growth/army.rs"]
pub mod army;
#[path = "../../src/workload/log/record.rs"]
pub mod log;
#[path = "../../src/workload/minecraft/player.rs"]
pub mod minecraft;
#[path = "../../src/workload/mk48/update.rs"]
pub mod mk48;
#[path = "../../src/workload/random.rs"]
pub mod random;
