//! Workgroups of kernels that work on lists.

/// The default number of invocations of a workgroup.
pub const WORKGROUP: u32 = 64;
/// The maximum number of workgroups along an axis of a dispatch that every WebGPU device supports.
const MAX_GROUPS: u32 = 65_535;

/// The numbers of workgroups in two dimensions. Their product is at least `groups`, and may be a little larger.
pub fn spread(groups: u32) -> [u32; 3] {
    let rows = groups.div_ceil(MAX_GROUPS).max(1);
    [groups.div_ceil(rows).max(1), rows, 1]
}

/// Workgroups of [`WORKGROUP`] invocations, one invocation for each item of a list.
pub fn groups_of(items: u32) -> [u32; 3] {
    spread(items.div_ceil(WORKGROUP))
}

#[cfg(test)]
mod tests {
    use crate::shader::workgroups::*;

    #[test]
    fn every_workgroup_is_in_one_row_or_another() {
        for groups in [0, 1, 65_535, 65_536, 131_071, 262_144, 1 << 24] {
            let [across, down, _] = spread(groups);
            assert!(u64::from(across) * u64::from(down) >= u64::from(groups));
            assert!((1..=MAX_GROUPS).contains(&across) && (1..=MAX_GROUPS).contains(&down));
            assert!(across * down < groups + down.max(2), "{groups}: {across} × {down}");
        }
    }
}
