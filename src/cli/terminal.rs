//! Progress for long work: on a terminal a bar, in a pipe nothing.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

fn styled(bar: ProgressBar, quiet: bool, template: &str) -> ProgressBar {
    if quiet {
        bar.set_draw_target(ProgressDrawTarget::hidden());
    }
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar
}

/// Progress over bytes; without a total, a spinner.
pub fn bytes_bar(total: Option<u64>, quiet: bool) -> ProgressBar {
    match total {
        Some(n) => styled(
            ProgressBar::new(n),
            quiet,
            "{bar:30} {bytes}/{total_bytes} {msg} ({eta} left)",
        ),
        None => styled(ProgressBar::new_spinner(), quiet, "{spinner} {bytes} {msg}"),
    }
}

pub fn count_bar(total: u64, quiet: bool) -> ProgressBar {
    styled(
        ProgressBar::new(total),
        quiet,
        "{bar:30} {pos}/{len} events, {per_sec} ({eta} left)",
    )
}
