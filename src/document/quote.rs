//! A string as TOML writes it.

use std::fmt::Write;

/// The text as a basic string of TOML, in quotation marks.
pub fn quote(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            // Writing to a `String` can't fail.
            c if c.is_control() => _ = write!(quoted, "\\u{:04X}", u32::from(c)),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_text_reads_back() {
        for text in ["plain", "say \"when\"", "C:\\tmp", "two\nlines\t\r", "\u{1b}[0m", "µs, 4 KiB"]
        {
            let document = format!("key = {}", quote(text));
            let table = toml::de::DeTable::parse(&document).unwrap();
            let (_, value) = table.get_ref().iter().next().unwrap();
            assert_eq!(value.get_ref().as_str(), Some(text));
        }
    }
}
