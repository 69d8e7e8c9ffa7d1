//! Structs and enums of one program, with their mirrors.

/// A struct, derived or hand-written. A member may have had other names: `rank = "title": String`.
macro_rules! class {
    (derived $Name:ident { $($field:ident $(= $was:literal)* : $ty:ty),* $(,)? }) => {
        #[derive(Clone, Default, archive::Serialize)]
        pub struct $Name {
            $($(#[archive(alias = $was)])* pub $field: $ty,)*
        }
        class!(@mirror true $Name { $($field $(= $was)* : $ty),* });
    };
    (hand $Name:ident { $($field:ident : $ty:ty),* $(,)? }) => {
        #[derive(Clone, Default)]
        pub struct $Name {
            $(pub $field: $ty,)*
        }
        impl archive::Serialize for $Name {
            fn serialize<A: archive::Archive>(&mut self, ar: &mut A) -> archive::Result {
                $(ar.serialize(stringify!($field), &mut self.$field)?;)*
                let _ = ar;
                Ok(())
            }
        }
        archive::save_by_clone!($Name);
        archive::blank!($Name);
        class!(@mirror false $Name { $($field : $ty),* });
    };
    (@mirror $derived:literal $Name:ident { $($field:ident $(= $was:literal)* : $ty:ty),* }) => {
        impl Mirror for $Name {
            fn ty(types: &mut Types) -> Type {
                types.class(stringify!($Name), $derived, |_types| vec![
                    $(member(stringify!($field), &[$($was),*], <$ty as Mirror>::ty(_types)),)*
                ])
            }
            fn data(&self, _out: &mut Outgoing) -> Data<usize> {
                Data::Object(vec![$(self.$field.data(_out)),*])
            }
            fn make(data: &Data<usize>, _from: &mut Incoming<'_>) -> Self {
                let Data::Object(members) = data else { panic!("{data:?}") };
                let mut _members = members.iter();
                $Name { $($field: <$ty as Mirror>::make(_members.next().unwrap(), _from),)* }
            }
        }
    };
}

/// A derived struct around one value, which is all that is stored.
macro_rules! newtype {
    ($Name:ident($ty:ty)) => {
        #[derive(Clone, Default, archive::Serialize)]
        pub struct $Name(pub $ty);

        impl Mirror for $Name {
            fn ty(types: &mut Types) -> Type {
                <$ty as Mirror>::ty(types)
            }
            fn data(&self, out: &mut Outgoing) -> Data<usize> {
                self.0.data(out)
            }
            fn make(data: &Data<usize>, from: &mut Incoming<'_>) -> Self {
                $Name(Mirror::make(data, from))
            }
        }
    };
}

/// A derived enum, whose first variant has no data.
macro_rules! choice {
    ($Name:ident = $First:ident {
        $($V:ident $(= $was:literal)* $(($value:ty))? $({ $($field:ident : $ty:ty),* })?),* $(,)?
    }) => {
        #[derive(Clone, archive::Serialize)]
        pub enum $Name {
            $($(#[archive(alias = $was)])* $V $(($value))? $({ $($field: $ty),* })?,)*
        }

        impl Default for $Name {
            fn default() -> Self {
                $Name::$First
            }
        }

        impl Mirror for $Name {
            fn ty(types: &mut Types) -> Type {
                types.choice(stringify!($Name), |_types| vec![$(
                    variant(
                        stringify!($V),
                        &[$($was),*],
                        None
                            $(.or(Some(<$value as Mirror>::ty(_types))))?
                            $(.or(Some(_types.class(
                                concat!(stringify!($Name), "::", stringify!($V)),
                                true,
                                |_types| vec![
                                    $(member(stringify!($field), &[], <$ty as Mirror>::ty(_types))),*
                                ],
                            ))))?,
                    ),
                )*])
            }

            fn data(&self, _out: &mut Outgoing) -> Data<usize> {
                let names = [$(stringify!($V)),*];
                let variant = |name, payload: Option<Data<usize>>| {
                    let index = names.iter().position(|known| *known == name).unwrap();
                    Data::Variant(index, payload.map(Box::new))
                };
                match self {
                    $($Name::$V $((second!($value, value)))? $({ $($field),* })? => variant(
                        stringify!($V),
                        None
                            $(.or(Some(<$value as Mirror>::data(value, _out))))?
                            $(.or(Some(Data::Object(vec![$(<$ty as Mirror>::data($field, _out)),*]))))?,
                    ),)*
                }
            }

            fn make(data: &Data<usize>, _from: &mut Incoming<'_>) -> Self {
                let Data::Variant(index, payload) = data else { panic!("{data:?}") };
                let _payload = payload.as_deref();
                let mut _members = match _payload {
                    Some(Data::Object(members)) => members.iter(),
                    _ => [].iter(),
                };
                let name = [$(stringify!($V)),*][*index];
                $(if name == stringify!($V) {
                    return $Name::$V
                        $((<$value as Mirror>::make(_payload.unwrap(), _from)))?
                        $({ $($field: <$ty as Mirror>::make(_members.next().unwrap(), _from)),* })?;
                })*
                unreachable!()
            }
        }
    };
}

/// The second of two, where only the first says that there is one.
macro_rules! second {
    ($first:ty, $second:ident) => {
        $second
    };
}

pub(crate) use {choice, class, newtype, second};

use super::types::{Member, Type, Variant};

pub fn member(name: &str, aliases: &[&str], ty: Type) -> Member {
    let aliases = aliases.iter().map(|&alias| alias.to_owned()).collect();
    Member { name: name.to_owned(), aliases, ty }
}

pub fn variant(name: &str, aliases: &[&str], payload: Option<Type>) -> Variant {
    let aliases = aliases.iter().map(|&alias| alias.to_owned()).collect();
    Variant { name: name.to_owned(), aliases, payload }
}
