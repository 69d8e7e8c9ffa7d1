//! The source of the crates.

use std::fmt::Write;
use std::path::Path;

/// Which libraries a crate uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flavor {
    /// Three formats of ours.
    Ours,
    /// One format of ours, by its feature.
    OneFormat(&'static str),
    /// serde's derive and three of its formats.
    Serde,
    /// Neither: the cost of the types alone.
    Nothing,
}

impl Flavor {
    /// All, in the order of the table.
    pub const ALL: [Flavor; 3] = [Flavor::Ours, Flavor::Serde, Flavor::Nothing];

    /// Each of our formats alone. ObjectBlob uses the erased archive, so it costs the same.
    pub const FORMATS: [Flavor; 4] = [
        Flavor::OneFormat("blob"),
        Flavor::OneFormat("binary"),
        Flavor::OneFormat("json"),
        Flavor::OneFormat("msgpack"),
    ];

    /// Its name in the table.
    pub fn name(self) -> &'static str {
        match self {
            Flavor::Ours => "archive: JSON, binary, MessagePack",
            Flavor::OneFormat("blob") => "ObjectBlob, erased",
            Flavor::OneFormat("json") => "JSON",
            Flavor::OneFormat("msgpack") => "MessagePack",
            Flavor::OneFormat(name) => name,
            Flavor::Serde => "serde: `serde_json`, `postcard`, `rmp-serde`",
            Flavor::Nothing => "the types alone",
        }
    }

    fn is_ours(self) -> bool {
        !matches!(self, Flavor::Serde | Flavor::Nothing)
    }

    fn derives(self) -> &'static str {
        match self {
            Flavor::Ours | Flavor::OneFormat(_) => "Default, archive::Serialize",
            Flavor::Serde => "Default, serde::Serialize, serde::Deserialize",
            Flavor::Nothing => "Default",
        }
    }

    /// The manifest; `root` is the repository.
    pub fn manifest(self, root: &Path) -> String {
        let archive = |features: &str| {
            format!(
                "archive = {{ path = {root:?}, default-features = false, features = [{features}] }}"
            )
        };
        let dependencies = match self {
            Flavor::Ours => archive("\"json\", \"binary\", \"msgpack\", \"derive\""),
            Flavor::OneFormat(format) => archive(&format!("{format:?}, \"derive\"")),
            Flavor::Serde => "serde = { version = \"1\", features = [\"derive\"] }\nserde_json = \"1\"\nrmp-serde = \"1\"\n\
                              postcard = { version = \"1\", default-features = false, features = [\"use-std\"] }"
                .to_owned(),
            Flavor::Nothing => String::new(),
        };
        format!(
            "[package]\nname = \"derived\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n\
             [dependencies]\n{dependencies}\n"
        )
    }

    /// The program: it saves and loads in every format.
    pub fn program(self) -> String {
        let body = match self {
            Flavor::Ours | Flavor::OneFormat(_) => {
                "let registry = types::registry().expect(\"names are unique\");\n    \
                 let options = archive::Options::new().registry(&registry);\n    \
                 for format in archive::Format::all() {\n        \
                 let bytes = format.to_vec_with(&root, &options).expect(\"it can be saved\");\n        \
                 let loaded: types::Root = format.from_slice_with(&bytes, &options).expect(\"it was saved\");\n        \
                 println!(\"{format}: {} {}\", bytes.len(), loaded.count());\n    }"
            }
            Flavor::Serde => {
                "let bytes = serde_json::to_vec(&root).expect(\"it can be saved\");\n    \
                 let loaded: types::Root = serde_json::from_slice(&bytes).expect(\"it was saved\");\n    \
                 println!(\"json: {} {}\", bytes.len(), loaded.count());\n    \
                 let bytes = postcard::to_stdvec(&root).expect(\"it can be saved\");\n    \
                 let loaded: types::Root = postcard::from_bytes(&bytes).expect(\"it was saved\");\n    \
                 println!(\"postcard: {} {}\", bytes.len(), loaded.count());\n    \
                 let bytes = rmp_serde::to_vec_named(&root).expect(\"it can be saved\");\n    \
                 let loaded: types::Root = rmp_serde::from_slice(&bytes).expect(\"it was saved\");\n    \
                 println!(\"msgpack: {} {}\", bytes.len(), loaded.count());"
            }
            Flavor::Nothing => "println!(\"{}\", root.count());",
        };
        format!("mod types;\n\nfn main() {{\n    let root = types::Root::new();\n    {body}\n}}\n")
    }

    /// The types. `change` tells the versions of the source apart.
    pub fn types(self, count: usize, change: usize) -> String {
        let derives = self.derives();
        let mut text = String::from("#![allow(dead_code)]\n\n");
        let mut add = |line: String| writeln!(text, "{line}").expect("memory can be written");
        for number in 0..count {
            let before = number % 10 != 0;
            let previous = |how: &str| {
                if before {
                    format!("{how}T{}{}", number - 1, if how.is_empty() { "" } else { ">" })
                } else {
                    "u16".to_owned()
                }
            };
            add(format!("#[derive({derives})]"));
            if number % 10 == 9 {
                add(format!(
                    "pub enum T{number} {{ #[default] Nothing, One(u32), Several {{ name: String, more: {} }}, Two(f32, {}) }}\n",
                    previous("Vec<"),
                    previous("Option<"),
                ));
                continue;
            }
            let odd = if number == count / 2 && change % 2 == 1 { "u64" } else { "u32" };
            add(format!(
                "pub struct T{number} {{ pub id: {odd}, pub name: String, pub position: [f32; 3], pub visible: bool, \
                 pub tags: Vec<String>, pub state: Option<u8>, pub previous: {}, pub others: Vec<{}> }}\n",
                previous("Option<"),
                previous(""),
            ));
        }
        let objects: Vec<usize> = (8..count).step_by(10).collect();
        add(self.objects(&objects));
        let objects = match self.is_ours() {
            true => ("Box<dyn Object>", "Box::new(T8::default())"),
            false => ("Object", "Object::T8(T8::default())"),
        };
        add(format!(
            "#[derive({derives})]\npub struct Root {{\n    pub objects: Vec<{}>,",
            objects.0
        ));
        let last = (9..count).step_by(10);
        last.clone().for_each(|number| add(format!("    pub t{number}: Vec<T{number}>,")));
        let lengths: Vec<String> = last.map(|number| format!("self.t{number}.len()")).collect();
        add(format!(
            "}}\n\nimpl Root {{\n    pub fn new() -> Root {{\n        \
             Root {{ objects: vec![{}], ..Root::default() }}\n    }}\n    \
             pub fn count(&self) -> usize {{\n        self.objects.len() + {}\n    }}\n}}",
            objects.1,
            lengths.join(" + ")
        ));
        text
    }

    /// The elements of the list of objects: our registered types; for serde, the variants of an
    /// enum, which costs less to build than trait objects.
    fn objects(self, numbers: &[usize]) -> String {
        let each = |text: &dyn Fn(usize) -> String| -> String {
            numbers.iter().map(|&number| text(number)).collect()
        };
        if self.is_ours() {
            format!(
                "pub trait Object: archive::Polymorphic {{\n    fn id(&self) -> u64;\n}}\n\
                 archive::polymorphic!(dyn Object);\n\n{}\n\
                 pub fn registry() -> archive::Result<archive::Registry> {{\n    \
                 let mut registry = archive::Registry::new();\n{}    Ok(registry)\n}}\n",
                each(&|number| format!(
                    "impl Object for T{number} {{\n    fn id(&self) -> u64 {{\n        self.id.into()\n    }}\n}}\n"
                )),
                each(&|number| format!(
                    "    archive::register!(registry, dyn Object {{ T{number} as \"T{number}\" }})?;\n"
                )),
            )
        } else {
            let derives = self.derives().trim_start_matches("Default").trim_start_matches(", ");
            let variants = each(&|number| format!(" T{number}(T{number}),"));
            format!("#[derive({derives})]\npub enum Object {{{variants} }}\n")
        }
    }
}
