//! The `gyrus` binary: see [`gyrus::cli`].

/// Folding makes and frees many small things on several threads.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    gyrus::cli::main()
}
