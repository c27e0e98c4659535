//! Snapshots over devices made here.
use super::*;
