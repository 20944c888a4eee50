// Eaters, where there is no food: nobody.

fn note_eater(own: Individual) {
}
