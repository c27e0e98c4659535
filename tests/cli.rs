//! Command lines as a user types them: those of tests/cli, and the console examples of the README.
//!
//! What differs from run to run (IDs, times, machine, processors) is left out of the comparison.
//! No test needs a disk, root or io_uring: what runs is simulated.

#![allow(clippy::unwrap_used, reason = "a test")]

use std::process::Command;

/// Records go to a folder of the test's own.
fn state() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

#[test]
fn command_lines() {
    typed("tests/cli/*.trycmd");
}

/// Commands that mean the last record: no other may be written meanwhile.
#[test]
fn command_lines_that_compare() {
    typed("tests/cli/last/compare.trycmd");
}

fn typed(files: &str) {
    let state = state();
    trycmd::TestCases::new()
        .env("XDG_STATE_HOME", state.path().to_str().unwrap())
        .env("NO_COLOR", "1")
        .env("COLUMNS", "100")
        .register_bin("fathom", trycmd::cargo::cargo_bin!("fathom"))
        .case(files)
        .run();
}

/// A command of the README, and what is said to come back on standard output.
struct Example {
    command: String,
    output: Vec<String>,
}

/// The console blocks of a page.
fn examples(page: &str) -> Vec<Example> {
    let mut examples: Vec<Example> = Vec::new();
    let mut inside = false;
    for line in page.lines() {
        match line.strip_prefix("$ fathom ") {
            _ if line.starts_with("```") => inside = line == "```console",
            Some(command) if inside => {
                examples.push(Example { command: command.to_owned(), output: Vec::new() });
            }
            _ if inside => examples.last_mut().unwrap().output.push(line.to_owned()),
            _ => {}
        }
    }
    examples
}

/// A line as it is compared: without what the machine and the moment decide.
fn essence(line: &str) -> String {
    let varies = ["run  ", "fathom  ", "machine  "];
    if let Some(head) = varies.iter().find(|head| line.starts_with(**head)) {
        return (*head).to_owned();
    }
    let words: Vec<&str> = line.split_whitespace().collect();
    let row = words.first().is_some_and(|word| word.parse::<u32>().is_ok());
    let processors = words.iter().position(|word| *word == "%").filter(|_| row);
    // A row of a table ends in processors (`12 %`, or a dash) and the device's depth.
    let kept = words.iter().enumerate().filter(|(place, word)| {
        let paid = processors.is_some_and(|sign| (sign - 1..=sign).contains(place));
        !(paid || row && **word == "–")
    });
    kept.map(|(_, word)| *word).collect::<Vec<_>>().join(" ")
}

#[test]
fn examples_of_the_readme() {
    let examples = examples(include_str!("../README.md"));
    assert!(examples.len() >= 3, "the README has console examples");
    let state = state();
    for Example { command, output } in examples {
        let run = Command::new(env!("CARGO_BIN_EXE_fathom"))
            .args(command.split_whitespace())
            .env("XDG_STATE_HOME", state.path())
            .output()
            .unwrap();
        let said = String::from_utf8(run.stdout).unwrap();
        let mut said = said.lines().map(essence);
        let mut skips = false;
        for line in &output {
            match line.as_str() {
                "..." => skips = true,
                line if skips => {
                    let wanted = essence(line);
                    assert!(said.any(|line| line == wanted), "{command}: no line `{wanted}`");
                    skips = false;
                }
                line => assert_eq!(said.next().as_deref(), Some(&*essence(line)), "{command}"),
            }
        }
        assert!(skips || said.all(|line| line.is_empty()), "{command}: says more than that");
    }
}
