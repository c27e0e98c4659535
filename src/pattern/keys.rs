//! The keys of a pattern file, table by table: what [`super::parse`] reads and what
//! docs/pattern-format.md must explain.

use crate::document::Keys;

pub(super) static HEAD: Keys = Keys {
    known: &[
        "title", "about", "source", "read", "random", "align", "data", "access", "sweep", "rating",
    ],
    hints: &[
        ("write", "say how many of the requests read: `write = 33` is `read = 67`"),
        ("sequential", "say how many of the requests go to a random place: `random = 0`"),
        ("name", "a pattern's name is that of its file; what heads its tables is `title`"),
        ("description", "one sentence on the pattern goes into `about`"),
        ("lines", "the lines of the access specification go into `access`"),
        ("queue_depth", "depths go into the table `[sweep]`"),
        ("queue_depths", "depths go into the table `[sweep]`, as `queue_depth`"),
        ("size", "sizes go into the lines of `access`: `access = [{ size = \"4k\" }]`"),
        ("burst", "a burst belongs to a line of `access`"),
        ("delay", "a delay belongs to a line of `access`"),
    ],
};

pub(super) static LINE: Keys = Keys {
    known: &["size", "share", "read", "random", "align", "burst", "delay"],
    hints: &[
        ("write", "say how many of the requests read: `write = 33` is `read = 67`"),
        ("sequential", "say how many of the requests go to a random place: `random = 0`"),
        ("percent", "how many of all draws take this line is its `share`"),
        ("weight", "how many of all draws take this line is its `share`"),
        ("block_size", "the bytes of a request are its `size`"),
        ("bs", "the bytes of a request are its `size`"),
        ("data", "what writes carry is said once, at the head of the file"),
        ("reply", "Iometer's replies belong to its network test, which fathom has not"),
    ],
};

pub(super) static DATA: Keys = Keys { known: &["compressible"], hints: &[] };

pub(super) static SWEEP: Keys = Keys {
    known: &["queue_depth"],
    hints: &[
        ("queue_depths", "the key is `queue_depth`, also for several"),
        ("iodepth", "requests in flight are the `queue_depth`"),
        ("outstanding", "requests in flight are the `queue_depth`"),
    ],
};

pub(super) static RATING: Keys = Keys {
    known: &["mean", "weights", "inverse_depth", "preset"],
    hints: &[("average", "the arithmetic mean is written `mean = {}`")],
};

pub(super) static MEAN: Keys = Keys { known: &[], hints: &[] };

pub(super) static INVERSE_DEPTH: Keys = Keys { known: &["up_to"], hints: &[] };

/// Every key of a pattern file by its full path, `access[].size`: the list that the format's
/// reference is checked against.
pub fn known_keys() -> Vec<String> {
    let tables: [(&str, &Keys); 6] = [
        ("", &HEAD),
        ("access[].", &LINE),
        ("data.", &DATA),
        ("sweep.", &SWEEP),
        ("rating.", &RATING),
        ("rating.inverse_depth.", &INVERSE_DEPTH),
    ];
    let paths = |(prefix, keys): (&str, &'static Keys)| {
        keys.known.iter().map(move |key| format!("{prefix}{key}")).collect::<Vec<_>>()
    };
    tables.into_iter().flat_map(paths).collect()
}
