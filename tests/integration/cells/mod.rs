//! Cells: rules, transport, ledger.

pub mod agreement;
pub mod allocations;
pub mod buffers;
pub mod conservation;
pub mod fast;
pub mod ledgers;
pub mod loss;
pub mod numbers;
pub mod oracle;
pub mod stripes;
pub mod symmetry;
