//! The `gyrus` binary: see [`gyrus::cli`].

fn main() -> std::process::ExitCode {
    gyrus::cli::main()
}
