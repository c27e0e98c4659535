//! The keys of a pattern file, table by table: what [`super::parse`] reads and what
//! docs/pattern-format.md must explain.

use crate::document::{Hint, Keys};

/// Both the head and a line may say how much is read and how much is random.
const WRITE: Hint =
    Hint::meant("write", "read", "say how many of the requests read: `write = 33` is `read = 67`");
const SEQUENTIAL: Hint = Hint::meant(
    "sequential",
    "random",
    "say how many of the requests go to a random place: `random = 0`",
);

pub(super) static HEAD: Keys = Keys {
    known: &[
        "title", "about", "source", "read", "random", "align", "data", "access", "sweep", "rating",
    ],
    hints: &[
        WRITE,
        SEQUENTIAL,
        Hint::meant(
            "name",
            "title",
            "a pattern's name is that of its file; what heads its tables is `title`",
        ),
        Hint::meant("description", "about", "one sentence on the pattern goes into `about`"),
        Hint::meant("lines", "access", "the lines of the access specification go into `access`"),
        Hint::elsewhere("queue_depth", "depths go into the table `[sweep]`"),
        Hint::elsewhere("queue_depths", "depths go into the table `[sweep]`, as `queue_depth`"),
        Hint::elsewhere(
            "size",
            "sizes go into the lines of `access`: `access = [{ size = \"4k\" }]`",
        ),
        Hint::elsewhere("burst", "a burst belongs to a line of `access`"),
        Hint::elsewhere("delay", "a delay belongs to a line of `access`"),
    ],
};

pub(super) static LINE: Keys = Keys {
    known: &["size", "share", "read", "random", "align", "burst", "delay"],
    hints: &[
        WRITE,
        SEQUENTIAL,
        Hint::meant("percent", "share", "how many of all draws take this line is its `share`"),
        Hint::meant("weight", "share", "how many of all draws take this line is its `share`"),
        Hint::meant("block_size", "size", "the bytes of a request are its `size`"),
        Hint::meant("bs", "size", "the bytes of a request are its `size`"),
        Hint::elsewhere("data", "what writes carry is said once, at the head of the file"),
        Hint::elsewhere(
            "reply",
            "Iometer's replies belong to its network test, which fathom has not",
        ),
    ],
};

pub(super) static DATA: Keys = Keys { known: &["compressible"], hints: &[] };

pub(super) static SWEEP: Keys = Keys {
    known: &["queue_depth", "show_queue_depth", "read", "write", "transfer_size"],
    hints: &[
        Hint::meant("queue_depths", "queue_depth", "the key is `queue_depth`, also for several"),
        Hint::meant("iodepth", "queue_depth", "requests in flight are the `queue_depth`"),
        Hint::meant("outstanding", "queue_depth", "requests in flight are the `queue_depth`"),
        Hint::meant("size", "transfer_size", "the bytes of a request are swept as `transfer_size`"),
        Hint::meant("bs", "transfer_size", "the bytes of a request are swept as `transfer_size`"),
        Hint::meant("writes", "write", "the percent of requests that write is swept as `write`"),
        Hint::meant("reads", "read", "the percent of requests that read is swept as `read`"),
        Hint::elsewhere("random", "`random` is not swept: say it at the head of the file"),
    ],
};

pub(super) static RATING: Keys = Keys {
    known: &["mean", "weights", "inverse_depth", "preset"],
    hints: &[Hint::meant("average", "mean", "the arithmetic mean is written `mean = {}`")],
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
