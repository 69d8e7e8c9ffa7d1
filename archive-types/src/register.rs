//! [`RegisterSchema`]: the types of schemas in a registry.

use std::any::type_name;
use std::sync::Arc;

use archive_core::__private::Holds;
use archive_core::__private::made::{BoxedSave, MadeType};
use archive_core::{Registry, Result};

use crate::made::{Kind, Made};
use crate::methods::Methods;
use crate::object;
use crate::schema::Schema;

/// Registers types of a [`Schema`] for trait objects.
///
/// A modder says in the schema which traits a type [implements](crate::TypeFile::implements):
///
/// ```json
/// {"types":{"Charge":{
///   "implements": ["Command"],
///   "members": [{ "name": "power", "type": "u16", "default": 3 }]
/// }}}
/// ```
///
/// The program implements its trait for [`Made`] once, and calls methods by name:
///
/// ```
/// use archive::types::{Made, Methods, RegisterSchema, Schema};
/// use archive::{Options, Registry, Serialize, Unknown, Value, json};
///
/// trait Command: archive::Polymorphic {
///     fn run(&mut self) -> u16;
/// }
/// archive::polymorphic!(dyn Command);
///
/// #[derive(Serialize)]
/// struct Wait { left: u16 }
/// impl Command for Wait {
///     fn run(&mut self) -> u16 { self.left }
/// }
/// impl Command for Made {
///     fn run(&mut self) -> u16 {
///         self.call("run", &[]).and_then(|value| value.to()).unwrap_or(0)
///     }
/// }
/// # let file = br#"{"types":{"Charge":{"implements":["Command"],"members":[{"name":"power","type":"u16","default":3}]}}}"#;
/// let methods = Methods::new().add("Charge", "run", |this, _| {
///     let power: u16 = this.get_as("power")?;
///     this.set("power", power * 2)?;
///     Ok(power.into())
/// });
/// let mut registry = Registry::new();
/// archive::register!(registry, dyn Command { Wait as "wait" })?;
/// registry.schema::<dyn Command>(Schema::from_slice(file)?, &methods)?;
/// let options = Options::new().registry(&registry);
///
/// let text = r#"[{"$type":"wait","$value":{"left":7}},{"$type":"Charge","$value":{"power":5}}]"#;
/// let mut orders: Vec<Box<dyn Command>> = json::from_str_with(text, &options)?;
/// let done: Vec<u16> = orders.iter_mut().map(|order| order.run()).collect();
/// assert_eq!(done, [7, 5]);
/// assert_eq!(json::to_string_with(&orders, &options)?, text.replace('5', "10"));
///
/// // A program without the schema keeps the objects.
/// impl Command for Unknown {
///     fn run(&mut self) -> u16 { 0 }
/// }
/// let mut without = Registry::new();
/// archive::register!(without, dyn Command { Wait as "wait", Unknown })?;
/// let without = Options::new().registry(&without).keep_unknown(true);
/// let orders: Vec<Box<dyn Command>> = json::from_str_with(text, &without)?;
/// assert_eq!(json::to_string_with(&orders, &without)?, text);
/// # Ok::<(), archive::Error>(())
/// ```
///
/// # Sharing
/// Objects in `Rc` and `Arc`, with and without cells, are shared as those of compiled types are.
pub trait RegisterSchema {
    /// Registers all types of the schema that implement the trait: `dyn Command` is the trait `Command`.
    ///
    /// A schema is registered for several traits with the same [`Methods`], or clones of them.
    ///
    /// # Errors
    /// [`ErrorKind::DuplicateType`](archive_core::ErrorKind::DuplicateType) if the name of a type is the id of
    /// another type, or if it is registered for the trait already. The registry is then unchanged.
    fn schema<D: Holds<Made> + BoxedSave + ?Sized>(
        &mut self,
        schema: Schema,
        methods: &Methods,
    ) -> Result;
}

impl RegisterSchema for Registry {
    fn schema<D: Holds<Made> + BoxedSave + ?Sized>(
        &mut self,
        schema: Schema,
        methods: &Methods,
    ) -> Result {
        let (mut registry, name) = (self.clone(), trait_name(type_name::<D>()));
        registry.add_interface(name, object::functions::<D>());
        for (id, file) in &schema.file().types {
            if !file.implements.iter().any(|implemented| **implemented == *name) {
                continue;
            }
            let ty = schema.get(id)?;
            let known = registry.made(id).and_then(Kind::of);
            let kind = match known {
                Some(known) if known.ty == ty && known.methods.is(methods) => known,
                _ => Arc::new(Kind::new(id, ty, methods)),
            };
            registry.register_made::<D, Made>(id, ty.shape(), MadeType(kind))?;
        }
        *self = registry;
        Ok(())
    }
}

/// Returns the name of the trait of a trait object type.
pub(crate) fn trait_name(object: &str) -> &str {
    let first = object.trim_start_matches("dyn ").split([' ', '<']).next().unwrap_or(object);
    first.rsplit("::").next().unwrap_or(first)
}
