//! The benchmark of steps.
//!
//! [`rows`] has the tables of the rows that are measured, and [`scenario`] has the preset of each row. All rows of a
//! family are in memory at once. They are run alternately, together with memory copies on the same devices ([`timing`],
//! [`copy`]). So every ratio compares times that were taken under the same conditions. Rows of [`rock`] play no steps.
//! Rows of [`frame`] also draw. The results become tables ([`table`]), a JSON object ([`report`]) and a page with
//! charts ([`page`]).

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
