//! The bench: how fast steps are, measured so that it can be believed.
//!
//! [`families`] say which rows are measured, [`scenario`] which preset each of them plays. All rows of a family are in
//! memory at once and take turns ([`timing`]), and so does the copying of memory on the same devices ([`copy`]), so that
//! every share and every ratio is of one run. What came of it goes into tables ([`table`]), plots ([`plots`]) and an object
//! ([`report`]).

pub mod copy;
pub mod families;
pub mod hardware;
pub mod measure;
pub mod plots;
pub mod report;
pub mod scenario;
pub mod sights;
pub mod table;
pub mod timing;
pub mod traffic;
