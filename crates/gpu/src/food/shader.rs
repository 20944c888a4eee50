//! The shaders that grow and sum food, and the layout of its buffer.

use crate::shader::Shader;
use murmuration_core::food::FoodLattice;
use murmuration_core::host::library::Library;

/// The number of words before the food. They hold sums of two words each.
pub const FOOD_TOTALS: u32 = 8;
/// The index of the word with the lower half of the food that has grown.
pub const GROWN: usize = 0;
/// The index of the word with the lower half of the food that was eaten.
pub const EATEN: usize = 2;
/// The index of the word with the lower half of the sum of the food.
pub const SUM: usize = 4;

/// The layout of the buffer `food`. It begins with [`FOOD_TOTALS`] words of sums. Three lists with a word for each cell
/// follow: the food, the number of eaters, and the capacity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FoodLayout {
    /// The number of cells of food.
    pub cells: u32,
}

impl FoodLayout {
    pub fn new(lattice: &FoodLattice) -> Self {
        Self { cells: lattice.capacities.len() as u32 }
    }

    /// The index of the first word of the food.
    pub const FOOD: u32 = FOOD_TOTALS;

    /// The index of the first word of the numbers of eaters.
    pub fn eaters(self) -> u32 {
        Self::FOOD + self.cells
    }

    /// The index of the first word of the capacities.
    pub fn capacities(self) -> u32 {
        Self::FOOD + 2 * self.cells
    }

    /// The number of words of the buffer.
    pub fn words(self) -> u32 {
        Self::FOOD + 3 * self.cells
    }

    /// Declares the constants of a world. `lattice` is `None` if the world has no food.
    pub fn declare_in_world(shader: &mut Shader, lattice: Option<&FoodLattice>) {
        let one = |of: fn(&FoodLattice) -> [u32; 3]| lattice.map_or([1; 3], of);
        for (name, [x, y, z]) in [("FOOD_EXTENTS", one(|own| own.extents)), ("FOOD_SIZE", one(|own| own.size))] {
            shader.constant(name, "Vector3", format_args!("Vector3({x}, {y}, {z})"));
        }
        lattice.map_or(Self { cells: 1 }, Self::new).declare(shader);
    }

    /// Declares the number of cells, and the index of the first word of each of the three lists.
    pub fn declare(self, shader: &mut Shader) {
        shader.constant("FOOD_CELLS", "u32", self.cells);
        shader.constant("FOOD_AT", "u32", Self::FOOD);
        shader.constant("EATERS_AT", "u32", self.eaters());
        shader.constant("CAPACITIES_AT", "u32", self.capacities());
    }
}

/// The whole shader of the kernel by which food is eaten and grows.
pub fn assemble_growth_of_food(library: &Library, layout: FoodLayout) -> Shader {
    let mut shader = Shader::new(library, "food/grow", []);
    shader.add("alias Vector3 = vec3<i32>;");
    shader.individual_parameters();
    with_food(shader, layout)
}

/// The whole shader of the kernel that sums the food.
pub fn assemble_sum_of_food(library: &Library, layout: FoodLayout) -> Shader {
    with_food(Shader::new(library, "food/sum", []), layout)
}

fn with_food(mut shader: Shader, layout: FoodLayout) -> Shader {
    layout.declare(&mut shader);
    shader.buffer("food", "array<atomic<u32>>", true);
    shader
}
