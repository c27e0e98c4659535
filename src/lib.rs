//! An IOMeter-style workload pattern engine.
//!
//! A **pattern** names an access specification and how to judge it. A **plan** binds patterns to
//! **targets** and lays out **points**, one per setting of the swept axes, per target, per
//! repeat. For each point the **dispatcher** starts **workers**; a worker keeps a **window** of
//! outstanding I/Os full, drawing **requests** from an access **source** and handing them to an
//! **engine**. Completions go to a recorder; what it holds is a **measurement**, and measurements
//! merge. An **audit** says whether a measurement may be believed. A **rating** turns the
//! measurements of a sweep into one comparable figure; a **comparison** sets targets against a
//! baseline. The **record** keeps the raw run; a **report** shows it.

pub mod access;
pub mod audit;
pub mod cli;
pub mod clock;
pub mod comparison;
pub mod dispatch;
pub mod document;
pub mod engine;
pub mod host;
pub mod measure;
pub mod pattern;
pub mod payload;
pub mod plan;
pub mod rating;
pub mod record;
pub mod report;
pub mod review;
pub mod stats;
pub mod unit;
