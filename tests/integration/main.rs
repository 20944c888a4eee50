mod allocations;
mod look;
