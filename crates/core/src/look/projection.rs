//! Cameras: they project places of the world onto pictures.

use crate::look::Look;
use crate::numbers::each_axis;
use crate::world::Extents;

/// A place or a direction in the world, in cells: x to the right, y down and z up towards a viewer above.
pub type Place = [f32; 3];

/// Half of the vertical angle of view, in radians.
pub const HALF_VIEW: f32 = 0.32;
/// A place is not drawn if its distance ahead of the eye is below this part of the distance between eye and target.
pub const NEAREST: f32 = 0.04;
/// The yaw and pitch of the first view of a deep swarm, in radians. The eye looks up from a little below, so that the
/// swarm is in front of the sky.
pub const FIRST_VIEW: [f32; 2] = [0.42, -0.10];
/// A first view shows this part of each extent, in the middle of the world. A swarm rarely flies near the walls.
const FILLED: f32 = 0.68;

/// A camera. It projects a place p (cells) onto the pixel
///   middle + scale / w · (right · (p - target), - up · (p - target)),   w = 1 + nearness · ahead · (p - target)
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Projection {
    /// Width and height of the picture, in pixels.
    pub size: [u32; 2],
    /// The place in the middle of the picture, in cells.
    pub target: Place,
    /// The directions to the right, up and ahead as unit vectors in the world.
    pub axes: [Place; 3],
    /// Pixels for one cell at the distance of the target.
    pub scale: f32,
    /// 1 / (the distance of the eye from the target, in cells); 0: all lines of sight are parallel.
    pub nearness: f32,
    /// The part of a step by which boids are drawn behind their places, along their velocities.
    pub behind: f32,
}

impl Projection {
    /// The view straight down on a flat world. `[x, y]`: the place in the middle of the picture, in cells. `scale`:
    /// pixels for one cell.
    pub fn above(size: [u32; 2], [x, y]: [f32; 2], scale: f32) -> Self {
        let axes = [[1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, -1.0]];
        Self { size, target: [x, y, 0.0], axes, scale, nearness: 0.0, behind: 0.0 }
    }

    /// The view of an eye at `distance` cells from the target. `axes`: the directions to the right, up and ahead.
    pub fn around(size: [u32; 2], target: Place, axes: [Place; 3], distance: f32) -> Self {
        Self { size, target, axes, scale: focus(size) / distance, nearness: 1.0 / distance, behind: 0.0 }
    }

    /// The view of a world if the look gives none, in a picture of `size` pixels. The middle of the world fills the
    /// picture.
    pub fn first(extents: Extents, size: [u32; 2]) -> Self {
        let extents = extents.along_axes().map(|extent| extent as f32);
        let target = extents.map(|extent| 0.5 * extent);
        let axes = axes_of(FIRST_VIEW);
        let room = size.map(|pixels| 0.5 * pixels.max(1) as f32);
        let distance = (0..8)
            .map(|corner: usize| {
                let away = each_axis(|axis| FILLED * target[axis] * if corner >> axis & 1 == 0 { -1.0 } else { 1.0 });
                let [x, y, ahead] = axes.map(|direction| dot(direction, away));
                focus(size) * (x.abs() / room[0]).max(y.abs() / room[1]) - ahead
            })
            .fold(1.0, f32::max);
        Self::around(size, target, axes, distance)
    }

    /// The view of a deep world that a look gives, in a picture of `size` pixels. Without a view in the look, it is
    /// [`Self::first`].
    pub fn from_look(extents: Extents, size: [u32; 2], look: &Look) -> Self {
        let Some(view) = look.view else { return Self::first(extents, size) };
        let extents = extents.along_axes().map(|extent| extent as f32);
        let [eye, target] = view.map(|place| each_axis(|axis| place[axis] * extents[axis]));
        let (view, distance) = view_towards(eye, target);
        Self::around(size, target, axes_of(view), distance)
    }

    /// The pixel (x, y) of a place, and w in the formula of [`Projection`]. `None`: the place is behind the eye or next
    /// to it.
    #[inline(always)]
    pub fn pixel_at(&self, place: Place) -> Option<([f32; 2], f32)> {
        let away = [place[0] - self.target[0], place[1] - self.target[1], place[2] - self.target[2]];
        let w = 1.0 + self.nearness * dot(self.axes[2], away);
        if w < NEAREST {
            return None;
        }
        let scale = self.scale / w;
        let [x, y] = [dot(self.axes[0], away), -dot(self.axes[1], away)];
        Some(([0.5 * self.size[0] as f32 + scale * x, 0.5 * self.size[1] as f32 + scale * y], w))
    }

    /// The line of sight of a pixel: its beginning in cells, and its direction as a unit vector. It begins at the eye.
    /// Parallel lines begin 4096 cells before the target.
    pub fn ray(&self, [x, y]: [f32; 2]) -> [Place; 2] {
        const FAR: f32 = 4096.0;
        let [right, up, ahead] = self.axes;
        let [across, down] =
            [x - 0.5 * self.size[0] as f32, y - 0.5 * self.size[1] as f32].map(|pixels| pixels / self.scale);
        let aside = each_axis(|axis| across * right[axis] - down * up[axis]);
        if self.nearness == 0.0 {
            return [each_axis(|axis| self.target[axis] + aside[axis] - FAR * ahead[axis]), ahead];
        }
        let eye = each_axis(|axis| self.target[axis] - ahead[axis] / self.nearness);
        let ray = each_axis(|axis| ahead[axis] + aside[axis] * self.nearness);
        let length = dot(ray, ray).sqrt();
        [eye, ray.map(|axis| axis / length)]
    }

    /// The place that is drawn at a pixel, `ahead` cells farther from the eye than the target. `None`: the place is
    /// behind the eye or next to it.
    pub fn place_at(&self, [x, y]: [f32; 2], ahead: f32) -> Option<Place> {
        let w = 1.0 + self.nearness * ahead;
        let [across, down] =
            [x - 0.5 * self.size[0] as f32, y - 0.5 * self.size[1] as f32].map(|pixels| pixels * w / self.scale);
        let [right, up, forward] = self.axes;
        let place =
            each_axis(|axis| self.target[axis] + across * right[axis] - down * up[axis] + ahead * forward[axis]);
        (w >= NEAREST).then_some(place)
    }
}

/// The focal length of a picture of this size, in pixels. An object as wide as its distance from the eye takes this
/// number of pixels.
pub fn focus(size: [u32; 2]) -> f32 {
    size[1].max(1) as f32 / 2.0 / HALF_VIEW.tan()
}

/// The directions to the right, up and ahead of an eye with this yaw and pitch (radians). At yaw 0 the eye is at
/// greater y than the target. At pitch π/2 the eye looks straight down.
pub fn axes_of([yaw, pitch]: [f32; 2]) -> [Place; 3] {
    let ((yaw_sine, yaw_cosine), (pitch_sine, pitch_cosine)) = (yaw.sin_cos(), pitch.sin_cos());
    let right = [yaw_cosine, -yaw_sine, 0.0];
    let ahead = [-pitch_cosine * yaw_sine, -pitch_cosine * yaw_cosine, -pitch_sine];
    let up = [-pitch_sine * yaw_sine, -pitch_sine * yaw_cosine, pitch_cosine];
    [right, up, ahead]
}

/// The yaw and pitch (radians) of an eye that looks at a target, and the distance between them in cells.
pub fn view_towards(eye: Place, target: Place) -> ([f32; 2], f32) {
    let away = each_axis(|axis| eye[axis] - target[axis]);
    let distance = dot(away, away).sqrt();
    ([away[0].atan2(away[1]), (away[2] / distance).clamp(-1.0, 1.0).asin()], distance)
}

#[inline(always)]
pub fn dot(a: Place, b: Place) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
