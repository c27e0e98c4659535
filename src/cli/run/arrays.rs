//! The word for targets that are arrays: what they are made of, for what their disks could give.

use super::super::compare::array;
use crate::comparison::scaling::Declared;
use crate::document::nearest;
use crate::plan::NamedTarget;
use crate::record::RunTarget;

/// What is said of targets.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct ArrayArguments {
    /// A target that is an array of N disks like the baseline: `md0=raid0:4`, `md1=raid1:2@sdb`
    ///
    /// It is measured against what its disks could give. LEVEL is raid0, raid1 or raid10; `@DISK`
    /// names the target that is such a disk where that is not the baseline.
    #[arg(long = "array", value_name = "NAME=LEVEL:N", value_parser = array)]
    arrays: Vec<(String, Declared)>,
}

impl ArrayArguments {
    /// Takes what a plan says of targets that the words say nothing of.
    pub(super) fn complete(&mut self, mut planned: Vec<(String, Declared)>) {
        planned.retain(|(name, _)| self.arrays.iter().all(|(said, _)| said != name));
        self.arrays.append(&mut planned);
    }

    /// Arrays, or disks of arrays, that are no target.
    pub(super) fn check(&self, targets: &[NamedTarget], faults: &mut Vec<String>) {
        let names = || targets.iter().map(|target| target.name.as_str());
        for (place, (name, declared)) in self.arrays.iter().enumerate() {
            if self.arrays[..place].iter().any(|(other, _)| other == name) {
                faults.push(format!("--array: `{name}` is said to be two arrays; leave one out"));
            }
            if declared.disk.as_deref() == Some(name) {
                faults.push(format!(
                    "--array: `{name}` can't be an array of itself; name its disk, \
                     `{name}={}@DISK`",
                    Declared { disk: None, ..declared.clone() }
                ));
            }
            for named in [Some(name), declared.disk.as_ref()].into_iter().flatten() {
                if names().all(|other| other != named) {
                    let hint = nearest(named, names());
                    let hint =
                        hint.map_or(String::new(), |hint| format!("; did you mean `{hint}`?"));
                    faults.push(format!(
                        "--array: no target is called `{named}`; there are {}{hint}",
                        names().collect::<Vec<_>>().join(", ")
                    ));
                }
            }
        }
    }

    /// A target with the array that it was said to be.
    pub(super) fn declared(&self, target: &RunTarget) -> RunTarget {
        let own = self.arrays.iter().find(|(name, _)| name == target.name.as_str());
        RunTarget { array: own.map(|(_, array)| array.clone()), ..target.clone() }
    }
}
