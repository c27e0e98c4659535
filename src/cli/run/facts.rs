//! What a record keeps of a target's device and file system, and what has to be said of them.

use crate::engine::target::Target;
use crate::host::Sysfs;
use crate::host::block::Kind;
use crate::report::devices;

/// What has to be said of an array that is not whole.
pub(super) fn incomplete(target: &Target) -> Option<String> {
    let device = Sysfs::default().device(target.device.as_ref()?).ok()?;
    let Kind::Md(md) = device.kind else { return None };
    let missing = md.degraded.filter(|missing| *missing > 0);
    let action = md.sync_action.filter(|action| action != "idle");
    let missing = missing.map(|missing| format!("{missing} of its disks missing"));
    let action = action.map(|action| format!("busy with {action}"));
    let words: Vec<String> = [missing, action].into_iter().flatten().collect();
    (!words.is_empty()).then(|| format!("{} is {}", device.name, words.join(" and ")))
}

/// Everything that a later reader may ask about the target's device and file system.
pub(super) fn facts(target: &Target) -> Vec<(String, String)> {
    let mut facts: Vec<(String, String)> = Vec::new();
    if let Some(filesystem) = &target.filesystem {
        let name = filesystem.name.clone().unwrap_or_else(|| filesystem.kind.to_string());
        facts.push(("file system".to_owned(), name));
        facts.extend(filesystem.options.clone().map(|text| ("mount options".to_owned(), text)));
    }
    let sysfs = Sysfs::default();
    let Some(name) = &target.device else { return facts };
    facts.push(("device".to_owned(), name.clone()));
    let mut chain = vec![name.clone()];
    chain.extend(sysfs.members(name).into_iter().filter(|member| member != name));
    for (place, name) in chain.iter().enumerate() {
        let Ok(device) = sysfs.device(name) else { continue };
        let prefix = if place == 0 { String::new() } else { format!("{name} ") };
        for (fact, value) in devices::lines(&device, &sysfs.members(name)) {
            facts.push((format!("{prefix}{fact}"), value));
        }
    }
    facts
}
