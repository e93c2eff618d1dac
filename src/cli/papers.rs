//! What goes with the program: shell completions and manual pages, made of its own arguments.

use std::path::Path;

use clap::CommandFactory;

use super::CliError;
use super::args::Args;

pub fn completions(shell: clap_complete::Shell) -> Result<(), CliError> {
    clap_complete::generate(shell, &mut Args::command(), "gyrus", &mut std::io::stdout());
    Ok(())
}

/// One page a command in `dir`, or the main page on standard output.
pub fn man(dir: Option<&Path>) -> Result<(), CliError> {
    match dir {
        Some(dir) => {
            std::fs::create_dir_all(dir).map_err(CliError::io(format!("making {}", dir.display())))?;
            clap_mangen::generate_to(Args::command(), dir).map_err(CliError::io("writing the manual pages"))
        }
        None => clap_mangen::Man::new(Args::command())
            .render(&mut std::io::stdout())
            .map_err(CliError::io("printing the manual page")),
    }
}
