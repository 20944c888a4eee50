// Refused by `murmuration check`: a kernel that writes a cell other than its own. A compute dispatch could do it and a fragment
// pass could not, so that one swarm would become two.
fn foreign_write(cell: Cell) -> Vector {
    store(cell + Cell(1, 0), Vector(1024, 0));
    return Vector(0);
}
