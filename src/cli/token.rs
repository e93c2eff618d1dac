//! `gyrus token`: a new access token.

use std::io::{Read, Write};

use super::CliError;
use super::args::Token;
use crate::serve::access::{Scope, new_entry};

pub fn run(a: &Token) -> Result<(), CliError> {
    let may = a
        .may
        .iter()
        .map(|name| {
            let found = Scope::ALL.into_iter().find(|s| s.name() == name);
            found.ok_or_else(|| {
                CliError::Other(format!("`{name}` is not one of read, write, feedback, admin"))
            })
        })
        .collect::<Result<Vec<_>, _>>()?;
    let token = fresh().map_err(CliError::io("reading random bytes"))?;
    let entry = new_entry(&a.name, &token, &a.spaces, &may);
    match &a.file {
        Some(path) => {
            use std::os::unix::fs::OpenOptionsExt;
            let file = std::fs::OpenOptions::new()
                .create(true)
                .append(true)
                .mode(0o600)
                .open(path);
            file.and_then(|mut f| f.write_all(format!("{entry}\n").as_bytes()))
                .map_err(CliError::io(format!("writing {}", path.display())))?;
            println!("{token}");
        }
        None => println!("token (shown only now): {token}\n\nentry for the token file:\n\n{entry}"),
    }
    Ok(())
}

/// 256 random bits as hexadecimal digits.
fn fresh() -> std::io::Result<String> {
    let mut bytes = [0u8; 32];
    std::fs::File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(format!(
        "gy_{}",
        bytes.iter().map(|b| format!("{b:02x}")).collect::<String>()
    ))
}
