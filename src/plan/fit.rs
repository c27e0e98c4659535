//! Makes a pattern fit its targets: sizes that one of them can't do directly are raised for all,
//! so that every target is asked the same.

use thiserror::Error;

use crate::pattern::Access;
use crate::unit::{Bytes, Geometry, SizeError, Span, TransferSize};

/// Why a pattern can't be run on a target.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum FitError {
    /// The target is smaller than one request.
    #[error("{target} has {}, less than one request of {size}", .space)]
    TooSmall {
        /// Which target.
        target: String,
        /// What it offers.
        space: Bytes,
        /// The pattern's largest request.
        size: TransferSize,
    },
    /// A size can't be raised to what the target addresses.
    #[error("no request of {target}'s block size can be made: {reason}")]
    Block {
        /// Which target.
        target: String,
        /// Why.
        reason: SizeError,
    },
}

/// A line whose size was raised.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Raised {
    /// The line's place in the pattern, from 0.
    pub line: usize,
    /// What the pattern asks.
    pub from: TransferSize,
    /// What is done instead.
    pub to: TransferSize,
    /// The target that can't do it.
    pub because: String,
}

/// Raises the sizes that are no multiple of some target's block, and checks that each target has
/// room for the largest request. Gives back what was raised; nothing is raised in silence.
///
/// # Errors
/// [`FitError`] names the target that the pattern can't be run on.
pub fn fit(
    access: &mut Access,
    targets: &[(String, Geometry, Span)],
) -> Result<Vec<Raised>, FitError> {
    let mut raised = Vec::new();
    let Some((coarsest, geometry, _)) = targets.iter().max_by_key(|(_, g, _)| g.block) else {
        return Ok(raised);
    };
    for (place, line) in access.lines.iter_mut().enumerate() {
        let size = line.size.bytes().get();
        let fitting = size.next_multiple_of(u64::from(geometry.block));
        if fitting != size {
            let to = TransferSize::try_from(fitting)
                .map_err(|reason| FitError::Block { target: coarsest.clone(), reason })?;
            raised.push(Raised { line: place, from: line.size, to, because: coarsest.clone() });
            line.size = to;
        }
    }
    let largest = access.lines.iter().map(|line| line.size).max();
    for (target, geometry, span) in targets {
        let start = span.start.get().next_multiple_of(u64::from(geometry.block));
        let space = Bytes(span.end().get().saturating_sub(start));
        if let Some(size) = largest
            && space < size.bytes()
        {
            return Err(FitError::TooSmall { target: target.clone(), space, size });
        }
    }
    Ok(raised)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::pattern::{Align, Data, Line};
    use crate::unit::Percent;

    fn access(sizes: &[u64]) -> Access {
        let line = |&size: &u64| Line {
            size: TransferSize::try_from(size).unwrap(),
            share: Percent::ZERO,
            read: Percent::HUNDRED,
            random: Percent::HUNDRED,
            align: Align::Natural,
            burst: 1,
            delay: Duration::ZERO,
        };
        Access { lines: sizes.iter().map(line).collect(), data: Data::Random }
    }

    fn target(name: &str, block: u32, size: u64) -> (String, Geometry, Span) {
        let geometry = Geometry { size: Bytes(size), block, memory_alignment: block };
        (name.to_owned(), geometry, Span { start: Bytes(0), length: Bytes(size) })
    }

    #[test]
    fn the_coarsest_target_decides_for_all() {
        let mut spec = access(&[512, 1024, 4096, 66560]);
        let targets = [target("old", 512, 1 << 20), target("new", 4096, 1 << 20)];
        let raised = fit(&mut spec, &targets).unwrap();
        let sizes: Vec<u32> = spec.lines.iter().map(|line| line.size.get()).collect();
        assert_eq!(sizes, [4096, 4096, 4096, 69632]);
        assert_eq!(raised.len(), 3);
        assert!(raised.iter().all(|raised| raised.because == "new"));
    }

    #[test]
    fn a_target_must_hold_a_request() {
        let error = fit(&mut access(&[65536]), &[target("tiny", 512, 4096)]).unwrap_err();
        assert_eq!(error.to_string(), "tiny has 4 KiB, less than one request of 64 KiB");
    }
}
