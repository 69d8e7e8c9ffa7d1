//! The terminal program; with `-c`, the same commands without a terminal.

use std::path::PathBuf;
use std::process::ExitCode;
use std::{fs, io};

use clap::Parser;
use ratatui::crossterm::event::{self, Event};

use editor::app::App;
use editor::document::Document;
use editor::{picture, view};
use skirmish::mods::Mods;

/// Looks at a save of Skirmish, and changes it.
#[derive(Parser)]
#[command(
    after_help = "Example:\n  editor game.json -c 'list units[0]' -c 'set units[0].health 40' -c undo -c save"
)]
struct Arguments {
    /// The save, in any format.
    file: PathBuf,
    /// Runs a command and does not open the terminal program; `help` lists the commands.
    #[arg(short, long, value_name = "COMMAND")]
    command: Vec<String>,
    /// Opens that part of the world.
    #[arg(long, value_name = "PATH", default_value = "")]
    at: String,
    /// Uses the mods in that folder.
    #[arg(long, value_name = "DIR")]
    mods: Option<PathBuf>,
    /// Writes the screen of the terminal program to an SVG file.
    #[arg(long, value_name = "FILE")]
    picture: Option<PathBuf>,
}

fn main() -> ExitCode {
    match run(Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: Arguments) -> Result<(), Box<dyn std::error::Error>> {
    if let Some(folder) = &arguments.mods {
        Mods::read(folder)?.install();
    }
    let mut document = Document::open(&arguments.file)?;
    for command in &arguments.command {
        let answer = document.run(command)?;
        if !answer.is_empty() {
            println!("{}", answer.trim_end());
        }
    }
    let mut app = App::new(document);
    app.open(&arguments.at)?;
    if let Some(file) = &arguments.picture {
        fs::write(file, picture::svg(&mut app))?;
    } else if arguments.command.is_empty() {
        show(&mut app)?;
    }
    Ok(())
}

/// Runs the terminal program until the user quits.
fn show(app: &mut App) -> io::Result<()> {
    let mut terminal = ratatui::try_init()?;
    let done = loop {
        if let Err(error) = terminal.draw(|frame| view::draw(app, frame)) {
            break Err(error);
        }
        match event::read() {
            Ok(Event::Key(key)) if key.is_press() => {
                if app.key(key.code, key.modifiers) {
                    break Ok(());
                }
            }
            Ok(_) => {}
            Err(error) => break Err(error),
        }
    };
    ratatui::restore();
    done
}
