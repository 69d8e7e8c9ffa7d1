//! `archive completions` and `archive man`.

use std::path::Path;

use archive::{Error, Result};
use clap::CommandFactory;

use crate::Outcome;
use crate::args::{Cli, Completions, Man};
use crate::output;

pub fn completions(args: &Completions) -> Result<Outcome> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "archive", &mut script);
    output::write(Path::new("-"), &script)?;
    Ok(Outcome::Done)
}

pub fn man(args: &Man) -> Result<Outcome> {
    let mut command = Cli::command();
    command.build();
    let Some(folder) = &args.dir else {
        output::write(Path::new("-"), &page(command)?)?;
        return Ok(Outcome::Done);
    };
    std::fs::create_dir_all(folder).map_err(|error| output::failed("create", folder, error))?;
    for command in command.get_subcommands() {
        let name = format!("archive-{}", command.get_name());
        let title: &'static str = name.clone().leak();
        output::write(&folder.join(format!("{name}.1")), &page(command.clone().name(title))?)?;
    }
    output::write(&folder.join("archive.1"), &page(command)?)?;
    Ok(Outcome::Done)
}

fn page(command: clap::Command) -> Result<Vec<u8>> {
    let mut page = Vec::new();
    clap_mangen::Man::new(command).render(&mut page).map_err(Error::io)?;
    Ok(page)
}
