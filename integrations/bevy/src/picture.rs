//! A component that draws a swarm into an image of the game.

use bevy::prelude::*;
use bevy::render::render_resource::{TextureFormat, TextureUsages};
use murmuration_gpu::look::ViewTransform;

/// The format of the images.
pub(crate) const FORMAT: TextureFormat = TextureFormat::Rgba8UnormSrgb;

/// Draws the swarm of this entity into an image in every frame, in the light and colours of the preset's look.
/// Materials, sprites and the user interface of the game can use the image.
#[derive(Component, Debug, Clone)]
pub struct SwarmPicture {
    /// The image into which the swarm is drawn, made by [`SwarmPicture::new`].
    pub image: Handle<Image>,
    /// The view of the world. `None`: the view of the preset, from [`ViewTransform::of_preset`].
    pub view: Option<ViewTransform>,
}

impl SwarmPicture {
    /// Makes an image of this size in pixels, with the view of the preset.
    pub fn new(images: &mut Assets<Image>, width: u32, height: u32) -> Self {
        let mut image = Image::new_target_texture(width, height, FORMAT, None);
        // With this usage the game can copy the image.
        image.texture_descriptor.usage |= TextureUsages::COPY_SRC;
        Self { image: images.add(image), view: None }
    }

    /// Sets the view of the world, a camera or an orbit.
    pub fn seen_by(mut self, view: impl Into<ViewTransform>) -> Self {
        self.view = Some(view.into());
        self
    }
}
