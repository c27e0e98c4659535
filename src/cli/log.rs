//! What `-v` shows: tracing events on standard error. Results never go this way.

use std::io;

use tracing_subscriber::EnvFilter;

/// Starts to show events: those of `FATHOM_LOG` if it is set, else by the number of `-v`.
pub(super) fn start(verbosity: u8) {
    let level = match verbosity {
        0 => "off",
        1 => "fathom=info",
        2 => "fathom=debug",
        _ => "fathom=trace",
    };
    let filter = EnvFilter::try_from_env("FATHOM_LOG").unwrap_or_else(|_| EnvFilter::new(level));
    let shown = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(io::stderr)
        .with_ansi(io::IsTerminal::is_terminal(&io::stderr()))
        .try_init();
    // A second start in one process changes nothing.
    _ = shown;
}
