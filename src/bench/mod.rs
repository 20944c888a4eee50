//! The benchmark of steps.
//!
//! [`rows`] has the tables of the rows that are measured, [`scenario`] the preset of each. All rows of a family are in
//! memory at once and are run alternately ([`timing`]; rows of [`rock`] play no steps, rows of [`frame`] also draw),
//! together with memory copies on the same devices ([`copy`]), so that every ratio compares times taken under the same
//! conditions. The results become tables ([`table`]), a JSON object ([`report`]) and a page with charts ([`page`]).

pub mod copy;
pub mod families;
pub mod figures;
pub mod frame;
pub mod hardware;
pub mod measure;
pub mod page;
pub mod report;
pub mod rock;
pub mod rows;
pub mod scenario;
pub mod table;
pub mod timing;
