//! The table of block devices.
