//! The swarm as the look draws it, in an image of the game.

use bevy::prelude::*;
use bevy::render::render_resource::{TextureFormat, TextureUsages};
use murmuration_gpu::look::ViewTransform;

/// The format of the images.
pub(crate) const FORMAT: TextureFormat = TextureFormat::Rgba8UnormSrgb;

/// Draws the swarm of this entity into an image in every frame, with the light and the colours of the preset's look. Materials, sprites and
/// pages of the game show the image.
#[derive(Component, Debug, Clone)]
pub struct SwarmPicture {
    /// The image, made by [`SwarmPicture::new`].
    pub image: Handle<Image>,
    /// How the world is seen; `None`: all of it, a deep one from the eye of its look.
    pub view: Option<ViewTransform>,
}

impl SwarmPicture {
    /// A picture of so many pixels.
    pub fn new(images: &mut Assets<Image>, width: u32, height: u32) -> Self {
        let mut image = Image::new_target_texture(width, height, FORMAT, None);
        // The game may copy it.
        image.texture_descriptor.usage |= TextureUsages::COPY_SRC;
        Self { image: images.add(image), view: None }
    }

    /// The same from another point of view.
    pub fn seen_by(mut self, view: impl Into<ViewTransform>) -> Self {
        self.view = Some(view.into());
        self
    }
}
