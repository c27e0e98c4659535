//! How a disk hangs on the machine: its driver, the controller it is on, the speed that its link
//! came up with, the name that it carries world-wide, and how warm it is.
//!
//! Each bus tells its speed in a place of its own. Like [`super::block`] this reads sysfs only and
//! must never open a device. Tested on trees made by the tests: NVMe, SATA, SAS and USB.

use std::fs;
use std::path::Path;

use super::block::Transport;
use super::sysfs::{Sysfs, entries, number, text};

impl Sysfs {
    /// The temperature of a disk, in whole degrees Celsius; `None` where no sensor is shown. The
    /// driver asks the disk for it, so this is for a few disks a run and for no list of all.
    pub fn temperature(&self, name: &str) -> Option<i32> {
        let device = self.folder(name).ok()?.join("device");
        // NVMe hangs its sensor on the controller, SATA (`drivetemp`) on the SCSI device.
        let below = [device.clone(), device.join("hwmon")];
        let sensors = below.iter().flat_map(|folder| {
            let names = entries(folder).into_iter();
            names.filter(|name| is_sensor(name)).map(|name| folder.join(name))
        });
        let mut readings = sensors.filter_map(|sensor| number(&sensor.join("temp1_input")));
        readings.next().map(|thousandths: i32| thousandths / 1000)
    }
}

/// `hwmon3`; not the folder `hwmon` around it.
fn is_sensor(name: &str) -> bool {
    name.strip_prefix("hwmon").is_some_and(|rest| !rest.is_empty())
}

/// The name that a disk carries world-wide: `naa.5000…`, `eui.0025…`.
pub(super) fn wwn(disk: &Path) -> Option<String> {
    let wwid = text(&disk.join("wwid")).or_else(|| text(&disk.join("device/wwid")))?;
    // Disks without one have it made up of model and serial, padded with spaces.
    Some(wwid.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// The driver of a disk: `sd`, `nvme`, `virtio_blk`. NVMe binds its driver to the controller.
pub(super) fn driver(disk: &Path) -> Option<String> {
    let device = disk.join("device");
    [device.join("driver"), device.join("device/driver")].iter().find_map(|link| leads_to(link))
}

/// The controller on the PCI bus that a disk is on: its place, its maker and model by their PCI
/// numbers, and its driver.
pub(super) fn controller(disk: &Path) -> Option<String> {
    disk.ancestors().find_map(|folder| {
        // Disks and virtio have a vendor, too; only PCI has a class beside it.
        text(&folder.join("class"))?;
        let id = |which: &str| Some(text(&folder.join(which))?.trim_start_matches("0x").to_owned());
        let place = folder.file_name()?.to_str()?;
        let controller = format!("{place}, {}:{}", id("vendor")?, id("device")?);
        let driver = leads_to(&folder.join("driver"));
        Some(driver.map_or_else(|| controller.clone(), |name| format!("{controller}, {name}")))
    })
}

/// The name at the end of a link.
fn leads_to(link: &Path) -> Option<String> {
    Some(fs::read_link(link).ok()?.file_name()?.to_str()?.to_owned())
}

/// The speed of a disk's link, in the words of its bus: `8.0 GT/s PCIe x4`, `6.0 Gbps`.
pub(super) fn link(disk: &Path, transport: Transport) -> Option<String> {
    match transport {
        Transport::Nvme => pcie(&disk.join("device/device")),
        Transport::Ata => ata(disk),
        Transport::Sas => sas(disk),
        Transport::Usb => usb(disk),
        Transport::Iscsi
        | Transport::Scsi
        | Transport::Virtual
        | Transport::Mmc
        | Transport::Software
        | Transport::Unknown => None,
    }
}

/// The link as it came up, and what the device could do where that is more.
fn pcie(device: &Path) -> Option<String> {
    let of = |which: &str| {
        let speed = text(&device.join(format!("{which}_link_speed")))?;
        let width: u32 = number(&device.join(format!("{which}_link_width")))?;
        let known = speed.starts_with(|c: char| c.is_ascii_digit()) && (1..=32).contains(&width);
        let speed = speed.trim_end_matches(" PCIe");
        known.then(|| format!("{speed} PCIe x{width}"))
    };
    let current = of("current")?;
    Some(match of("max") {
        Some(most) if most != current => format!("{current} (could do {most})"),
        _ => current,
    })
}

/// `…/ata1/host0/…/block/sda` has its speed in `…/ata1/link1/ata_link/link1/sata_spd`.
fn ata(disk: &Path) -> Option<String> {
    let port = disk.ancestors().find(|folder| named(folder, "ata"))?;
    let links = entries(port).into_iter().filter(|name| name.starts_with("link"));
    let mut speeds =
        links.filter_map(|link| text(&port.join(format!("{link}/ata_link/{link}/sata_spd"))));
    speeds.find(|speed| speed.starts_with(|c: char| c.is_ascii_digit()))
}

/// `…/port-0:0/end_device-0:0/…/block/sda` has a folder for each phy of its port.
fn sas(disk: &Path) -> Option<String> {
    let end = disk.ancestors().find(|folder| named(folder, "end_device-"))?;
    let port = end.parent()?;
    let phys = entries(port).into_iter().filter(|name| name.starts_with("phy-"));
    let speed = |phy: String| text(&port.join(format!("{phy}/sas_phy/{phy}/negotiated_linkrate")));
    let speeds: Vec<String> = phys.filter_map(speed).collect();
    match speeds.as_slice() {
        [] => None,
        [one] => Some(one.clone()),
        [first, ..] => Some(format!("{first} x{}", speeds.len())),
    }
}

/// The nearest USB device above the disk says megabits a second: `480`, `5000`.
fn usb(disk: &Path) -> Option<String> {
    let speed = disk.ancestors().find_map(|folder| {
        let speed = number::<f64>(&folder.join("speed"))?;
        folder.join("idVendor").exists().then_some(speed)
    })?;
    Some(format!("{speed} Mbit/s USB"))
}

/// Whether a folder's name is a stem with digits behind it.
fn named(folder: &Path, stem: &str) -> bool {
    let rest = folder.file_name().and_then(|name| name.to_str()?.strip_prefix(stem));
    rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}

/// The maker of the machine where that is a hypervisor's, by DMI or Xen's own word.
pub(super) fn hypervisor(sys: &Path, cpuinfo: &str) -> Option<String> {
    if let Some(kind) = text(&sys.join("hypervisor/type")) {
        return Some(kind);
    }
    let flags = cpuinfo.lines().find(|line| line.starts_with("flags"))?;
    let guest = flags.split_whitespace().any(|flag| flag == "hypervisor");
    let maker = fs::read_to_string(sys.join("class/dmi/id/sys_vendor")).ok();
    let maker = maker.map(|maker| maker.trim().to_owned()).filter(|maker| !maker.is_empty());
    guest.then(|| maker.unwrap_or_else(|| "one that does not say its name".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::super::block::tests::add;
    use super::*;

    fn put(root: &Path, path: &str, value: &str) {
        let path = root.join("devices").join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, format!("{value}\n")).unwrap();
    }

    #[test]
    fn each_bus_tells_its_speed() {
        let folder = tempfile::TempDir::new().unwrap();
        let root = folder.path();
        let disk = |at: &str, name: &str, dev: &str| {
            add(root, &format!("{at}/{name}"), &[("dev", dev), ("size", "8")]);
        };
        disk("pci0/ata1/host0/target0/block", "sda", "8:0");
        put(root, "pci0/ata1/link1/ata_link/link1/sata_spd", "3.0 Gbps");
        disk("pci0/ata2/host1/target1/block", "sdb", "8:16");
        put(root, "pci0/ata2/link2/ata_link/link2/sata_spd", "<unknown>");
        disk("pci0/host2/port-2:0/end_device-2:0/target2/block", "sdc", "8:32");
        put(root, "pci0/host2/port-2:0/phy-2:0/sas_phy/phy-2:0/negotiated_linkrate", "12.0 Gbit");
        disk("pci0/host3/port-3:0/end_device-3:0/target3/block", "sdd", "8:48");
        for phy in ["phy-3:0", "phy-3:1"] {
            let rate = format!("sas_phy/{phy}/negotiated_linkrate");
            put(root, &format!("pci0/host3/port-3:0/{phy}/{rate}"), "6.0 Gbit");
        }
        disk("pci0/usb1/1-1/1-1:1.0/host4/target4/block", "sde", "8:64");
        put(root, "pci0/usb1/1-1/speed", "480");
        put(root, "pci0/usb1/1-1/idVendor", "abcd");
        disk("pci0/nvme/nvme0", "nvme0n1", "259:0");
        for (name, value) in [
            ("device/current_link_speed", "8.0 GT/s PCIe"),
            ("device/current_link_width", "2"),
            ("device/max_link_speed", "16.0 GT/s PCIe"),
            ("device/max_link_width", "4"),
            ("hwmon5/temp1_input", "41850"),
        ] {
            put(root, &format!("pci0/nvme/nvme0/nvme0n1/device/{name}"), value);
        }
        put(root, "pci0/nvme/nvme0/nvme0n1/wwid", "eui.0025385000000000");
        put(root, "pci0/ata1/host0/target0/block/sda/device/wwid", "t10.ATA     Disk     S1");
        put(root, "pci0/ata1/host0/target0/block/sda/device/hwmon/hwmon2/temp1_input", "-5000");
        let sysfs = Sysfs::at(root);
        for (name, link, wwn, temperature) in [
            ("sda", Some("3.0 Gbps"), Some("t10.ATA Disk S1"), Some(-5)),
            ("sdb", None, None, None),
            ("sdc", Some("12.0 Gbit"), None, None),
            ("sdd", Some("6.0 Gbit x2"), None, None),
            ("sde", Some("480 Mbit/s USB"), None, None),
            (
                "nvme0n1",
                Some("8.0 GT/s PCIe x2 (could do 16.0 GT/s PCIe x4)"),
                Some("eui.0025385000000000"),
                Some(41),
            ),
        ] {
            let device = sysfs.device(name).unwrap();
            assert_eq!(device.link.as_deref(), link, "{name}");
            assert_eq!(device.driver, None, "{name}");
            assert_eq!(device.label.wwn.as_deref(), wwn, "{name}");
            assert_eq!(sysfs.temperature(name), temperature, "{name}");
        }
    }

    #[test]
    fn a_disk_has_a_driver_and_a_controller() {
        let folder = tempfile::TempDir::new().unwrap();
        let root = folder.path();
        let bind = |at: &str, driver: &str| {
            let target = root.join("bus/drivers").join(driver);
            std::os::unix::fs::symlink(target, root.join("devices").join(at)).unwrap();
        };
        let id = |at: &str, vendor: &str, device: &str| {
            put(root, &format!("{at}/vendor"), vendor);
            put(root, &format!("{at}/device"), device);
        };
        let disk = |at: &str, name: &str, dev: &str| {
            add(root, &format!("{at}/{name}"), &[("dev", dev), ("size", "8")]);
        };
        let (sata, port) = ("pci0/0000:00:1f.2", "pci0/0000:00:1f.2/ata1/host0/0:0:0:0");
        disk(&format!("{port}/block"), "sda", "8:0");
        put(root, &format!("{port}/block/sda/device/vendor"), "ATA");
        put(root, &format!("{port}/vendor"), "ATA");
        bind(&format!("{port}/block/sda/device/driver"), "sd");
        id(sata, "0x8086", "0x2922");
        put(root, &format!("{sata}/class"), "0x010601");
        bind(&format!("{sata}/driver"), "ahci");
        let virtual_disk = "pci0/0000:00:03.0/virtio0";
        disk(&format!("{virtual_disk}/block"), "vda", "254:0");
        id(virtual_disk, "0x1af4", "0x0002");
        id("pci0/0000:00:03.0", "0x1af4", "0x1001");
        put(root, "pci0/0000:00:03.0/class", "0x010000");
        disk("pci0/nvme/nvme0", "nvme0n1", "259:0");
        put(root, "pci0/nvme/nvme0/nvme0n1/device/device/class", "0x010802");
        bind("pci0/nvme/nvme0/nvme0n1/device/device/driver", "nvme");
        let sysfs = Sysfs::at(root);
        for (name, driver, controller) in [
            ("sda", Some("sd"), Some("0000:00:1f.2, 8086:2922, ahci")),
            ("vda", None, Some("0000:00:03.0, 1af4:1001")),
            ("nvme0n1", Some("nvme"), None),
        ] {
            let device = sysfs.device(name).unwrap();
            assert_eq!(device.driver.as_deref(), driver, "{name}");
            assert_eq!(device.controller.as_deref(), controller, "{name}");
        }
    }

    #[test]
    fn a_guest_names_its_hypervisor() {
        let root = tempfile::TempDir::new().unwrap();
        let guest = "flags\t\t: fpu vme hypervisor lahf_lm\n";
        let nameless = Some("one that does not say its name".to_owned());
        assert_eq!(hypervisor(root.path(), guest), nameless);
        fs::create_dir_all(root.path().join("class/dmi/id")).unwrap();
        fs::write(root.path().join("class/dmi/id/sys_vendor"), "QEMU\n").unwrap();
        assert_eq!(hypervisor(root.path(), guest).as_deref(), Some("QEMU"));
        assert_eq!(hypervisor(root.path(), "flags\t\t: fpu vme\n"), None);
        fs::create_dir_all(root.path().join("hypervisor")).unwrap();
        fs::write(root.path().join("hypervisor/type"), "xen\n").unwrap();
        assert_eq!(hypervisor(root.path(), "").as_deref(), Some("xen"));
    }
}
