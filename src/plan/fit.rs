//! Makes a pattern fit its targets: sizes that one of them can't do directly are raised for all,
//! so that every target is asked the same.

use std::collections::BTreeSet;

use thiserror::Error;

use crate::pattern::{Access, Axes};
use crate::unit::{Bytes, Geometry, SizeError, Span, TransferSize};

/// Why a pattern can't be run on a target.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum FitError {
    /// The target is smaller than one request.
    #[error(
        "{target} has {space}, less than one request of {size}: ask for smaller ones, or leave \
         {target} out"
    )]
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

/// A size that was raised.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Raised {
    /// The line's place in the pattern, from 0; the only one where sizes are swept.
    pub line: usize,
    /// What the pattern asks.
    pub from: TransferSize,
    /// What is done instead.
    pub to: TransferSize,
    /// The target that can't do it.
    pub because: String,
}

/// Raises the sizes that are no multiple of some target's block, and checks that each target has
/// room for the largest request. Gives back what was raised; nothing is raised in silence. Swept
/// sizes that become one are measured once.
///
/// # Errors
/// A [`FitError`] for each target that the pattern can't be run on.
pub fn fit(
    access: &mut Access,
    axes: &mut Axes,
    targets: &[(String, Geometry, Span)],
) -> Result<Vec<Raised>, Vec<FitError>> {
    let mut raised = Vec::new();
    let Some((coarsest, geometry, _)) = targets.iter().max_by_key(|(_, g, _)| g.block) else {
        return Ok(raised);
    };
    let one = |fault: FitError| vec![fault];
    let block = u64::from(geometry.block);
    let mut raise = |line: usize, size: &mut TransferSize| {
        let fitting = size.bytes().get().next_multiple_of(block);
        let to = TransferSize::try_from(fitting)
            .map_err(|reason| FitError::Block { target: coarsest.clone(), reason })?;
        if to != *size {
            raised.push(Raised { line, from: *size, to, because: coarsest.clone() });
            *size = to;
        }
        Ok::<(), FitError>(())
    };
    let swept = &mut axes.transfer_sizes;
    let largest = if swept.is_empty() {
        let mut lines = access.lines.iter_mut().enumerate();
        lines.try_for_each(|(place, line)| raise(place, &mut line.size)).map_err(one)?;
        access.lines.iter().map(|line| line.size).max()
    } else {
        swept.iter_mut().try_for_each(|size| raise(0, size)).map_err(one)?;
        let mut seen = BTreeSet::new();
        swept.retain(|size| seen.insert(*size));
        swept.iter().max().copied()
    };
    let small = targets.iter().filter_map(|target| too_small(target, largest?)).collect::<Vec<_>>();
    if small.is_empty() { Ok(raised) } else { Err(small) }
}

/// That a target has no room for a request of this size.
fn too_small(target: &(String, Geometry, Span), size: TransferSize) -> Option<FitError> {
    let (target, geometry, span) = target;
    let start = span.start.get().next_multiple_of(u64::from(geometry.block));
    let space = Bytes(span.end().get().saturating_sub(start));
    let fault = || FitError::TooSmall { target: target.clone(), space, size };
    (space < size.bytes()).then(fault)
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
        let raised = fit(&mut spec, &mut Axes::default(), &targets).unwrap();
        let sizes: Vec<u32> = spec.lines.iter().map(|line| line.size.get()).collect();
        assert_eq!(sizes, [4096, 4096, 4096, 69632]);
        assert_eq!(raised.len(), 3);
        assert!(raised.iter().all(|raised| raised.because == "new"));
    }

    #[test]
    fn a_target_must_hold_a_request() {
        let targets =
            [target("tiny", 512, 4096), target("enough", 512, 65536), target("small", 512, 512)];
        for (line, sizes, most) in [(65536, &[][..], "64 KiB"), (512, &[512, 8192], "8 KiB")] {
            let faults = fit(&mut access(&[line]), &mut swept(sizes), &targets).unwrap_err();
            let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
            let expected = [("tiny", "4 KiB"), ("small", "512 B")].map(|(target, space)| {
                format!(
                    "{target} has {space}, less than one request of {most}: ask for smaller ones, \
                     or leave {target} out"
                )
            });
            assert_eq!(faults, expected);
        }
    }

    fn swept(sizes: &[u64]) -> Axes {
        let sizes = sizes.iter().map(|size| TransferSize::try_from(*size).unwrap());
        Axes { transfer_sizes: sizes.collect(), ..Axes::default() }
    }

    /// What a line says is not run where sizes are swept, and needs no fitting.
    #[test]
    fn swept_sizes_that_become_one_are_measured_once() {
        let targets = [target("old", 512, 1 << 30), target("new", 4096, 1 << 30)];
        for (sizes, fitted, raised) in [
            (&[512, 1024, 2048, 4096, 8192][..], &[4096, 8192][..], 3),
            (&[8192, 512, 1536], &[8192, 4096], 2),
            (&[4096, 65536], &[4096, 65536], 0),
        ] {
            let (mut access, mut axes) = (access(&[512]), swept(sizes));
            assert_eq!(fit(&mut access, &mut axes, &targets).unwrap().len(), raised, "{sizes:?}");
            assert_eq!(axes, swept(fitted), "{sizes:?}");
            assert_eq!(access.lines[0].size.get(), 512);
        }
    }
}
