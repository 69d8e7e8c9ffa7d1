//! The orders of a unit, in sequence.

use std::any::Any;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::hash::Hash;
use std::mem;
use std::rc::Rc;

use archive::Serialize;

use crate::command::{Command, Failure, Outcome};
use crate::{Digest, Scene, State, Unit};

/// The orders of a unit; the first is the one it carries out.
#[derive(Default, Serialize)]
pub struct Orders {
    queue: VecDeque<Order>,
    /// How many it has carried out.
    pub succeeded: u32,
    /// Why the last failed order failed.
    pub last_failure: Option<Failure>,
}

/// One order.
#[derive(Serialize)]
pub struct Order {
    /// What is to be done.
    pub task: Task,
    /// The tick in which it was begun.
    pub begun: Option<u64>,
}

/// What is to be done, by one unit or by several.
#[derive(Serialize)]
pub enum Task {
    /// Something of this unit's own.
    Own(Box<dyn Command>),
    /// Something that several units do together.
    Shared(Rc<RefCell<dyn Command>>),
}

impl Task {
    /// Looks at the command, wherever it is.
    fn look<R>(&self, at: impl FnOnce(&dyn Command) -> R) -> R {
        match self {
            Task::Own(command) => at(&**command),
            Task::Shared(command) => at(&*command.borrow()),
        }
    }

    /// Changes the command, wherever it is.
    fn with<R>(&mut self, act: impl FnOnce(&mut dyn Command) -> R) -> R {
        match self {
            Task::Own(command) => act(&mut **command),
            Task::Shared(command) => act(&mut *command.borrow_mut()),
        }
    }
}

impl Orders {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.queue.len()
    }

    /// All of them, the one that is carried out first.
    pub fn iter(&self) -> impl Iterator<Item = &Order> {
        self.queue.iter()
    }

    /// The type id of the command that is carried out.
    pub fn current(&self) -> Option<&'static str> {
        self.queue.front().map(|order| order.task.look(<dyn Command>::id))
    }

    /// Whether the command that is carried out is of that type.
    pub fn carries_out<C: Command>(&self) -> bool {
        let is = |command: &dyn Command| (command as &dyn Any).is::<C>();
        self.queue.front().is_some_and(|order| order.task.look(is))
    }

    /// Adds an order after all others, and returns the command's type id.
    pub fn queue(&mut self, command: impl Command) -> &'static str {
        let id = <dyn Command>::id(&command);
        self.queue.push_back(Order { task: Task::Own(Box::new(command)), begun: None });
        id
    }

    /// Adds an order whose type is known at run time alone.
    #[cfg(feature = "mods")]
    pub fn queue_boxed(&mut self, command: Box<dyn Command>) {
        self.queue.push_back(Order { task: Task::Own(command), begun: None });
    }

    /// Adds an order that others have, too.
    pub fn queue_shared(&mut self, command: Rc<RefCell<dyn Command>>) {
        self.queue.push_back(Order { task: Task::Shared(command), begun: None });
    }

    /// Puts an order before all others. The interrupted order continues afterwards.
    pub fn interrupt(&mut self, command: impl Command) {
        self.queue.push_front(Order { task: Task::Own(Box::new(command)), begun: None });
    }

    /// Forgets all orders, without ending any.
    pub fn clear(&mut self) {
        self.queue.clear();
    }

    /// Feeds everything into a digest.
    pub fn digest(&self, to: &mut Digest) {
        (self.succeeded, self.last_failure).hash(to);
        to.list(&self.queue, |order, to| {
            order.begun.hash(to);
            match &order.task {
                Task::Own(command) => {
                    command.id().hash(to);
                    command.digest(to);
                }
                Task::Shared(command) => to.shared(command, |command, to| {
                    let command = command.borrow();
                    command.id().hash(to);
                    command.digest(to);
                }),
            }
        });
    }
}

impl Unit {
    /// Ends all orders that have begun, and forgets all.
    pub(crate) fn cancel_orders(&mut self, scene: &mut Scene<'_>) {
        for mut order in mem::take(&mut self.orders.queue) {
            if order.begun.is_some() {
                let outcome = Outcome::Failed(Failure::Cancelled);
                order.task.with(|command| command.end(self, outcome, scene));
                scene.tally.count(order.task.look(<dyn Command>::id), outcome);
            }
        }
        self.legs.stop();
    }

    /// Carries out orders for one tick.
    pub(crate) fn follow_orders(&mut self, scene: &mut Scene<'_>) {
        let Some(mut order) = self.orders.queue.pop_front() else {
            if !matches!(self.state, State::Idle) {
                self.state = State::Idle;
            }
            return;
        };
        let outcome = order.task.with(|command| {
            let outcome = match order.begun {
                Some(_) => None,
                None => command.begin(self, scene),
            };
            let outcome = outcome.or_else(|| command.step(self, scene));
            if let Some(outcome) = outcome {
                command.end(self, outcome, scene);
            }
            outcome
        });
        order.begun.get_or_insert(scene.now);
        match outcome {
            None => self.orders.queue.push_front(order),
            Some(outcome) => {
                self.legs.stop();
                self.state = State::Idle;
                match outcome {
                    Outcome::Succeeded => {
                        self.orders.succeeded = self.orders.succeeded.saturating_add(1);
                    }
                    Outcome::Failed(why) => self.orders.last_failure = Some(why),
                }
                scene.tally.count(order.task.look(<dyn Command>::id), outcome);
            }
        }
    }
}
