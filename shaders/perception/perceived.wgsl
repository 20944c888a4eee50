// The sums over the sights of the rules: `perceived` makes them in full, and `perceived_below` from those of the cell
// above. A rule without a sight has no part in them. What is looked at costs most, so each cell is read once for all
// rules that look at it in one way.
//
// Generated around this file:
// BOXES, the rules whose sums over a box a pass has made before;
// SIGHTS, the tables of perceptual vectors that loops go through; COLUMNS_IN_SIGHT, those of columns (x, first y, last
// y);
// SLIDING, the sums that slide down from the cell above; SLIDING_COLUMNS, those of their tables that loops go through;
// READS and READS_BELOW, the cells that are read one by one. Each has the calls that add a cell `there` with the
// perceived density p.

#import "perception/sums"
#import "perception/tables"
#ifdef HAS_CONTRAST
#import "perception/contrast"
#endif

fn perceived(cell: Cell) -> PerceivedSums {
    var seen: PerceivedSums;
    add_unmoved(&seen, cell);
#for table in COLUMNS_IN_SIGHT
    for (var i = 0; i < #{table.count}; i += 1) {
        let s = #{table.name}[i];
        for (var y = s.y; y <= s.z; y += 1) {
            let v = Vector(s.x, y);
            let there = cell + v;
            let p = perceive(density(there));
#for sum in table.sums
            add_to_#{sum.name}(&seen, p, #{sum.arguments});
#endfor
        }
    }
#endfor
#for read in READS
    {
        let there = cell + Cell(#{read.vector});
        let p = perceive(density(there));
#for sum in read.sums
        add_to_#{sum.name}(&seen, #{sum.sign}p, #{sum.arguments});
#endfor
    }
#endfor
    return seen;
}

// Adds the cells that come in at the lower end of each column, and takes away those that go out at the upper one.
fn perceived_below(cell: Cell, above: PerceivedSums) -> PerceivedSums {
    var seen: PerceivedSums;
    add_unmoved(&seen, cell);
#for sum in SLIDING
    move_#{sum.name}(&seen, above);
#endfor
#for table in SLIDING_COLUMNS
    for (var i = 0; i < #{table.count}; i += 1) {
        let s = #{table.name}[i];
        {
            let v = Vector(s.x, s.z);
            let there = cell + v;
            let p = perceive(density(there));
#for sum in table.sums
            add_to_#{sum.name}(&seen, p, #{sum.arguments});
#endfor
        }
        {
            let v = Vector(s.x, s.y - 1);
            let there = cell + v;
            let p = perceive(density(there));
#for sum in table.sums
            add_to_#{sum.name}(&seen, -p, #{sum.arguments});
#endfor
        }
    }
#endfor
#for read in READS_BELOW
    {
        let there = cell + Cell(#{read.vector});
        let p = perceive(density(there));
#for sum in read.sums
        add_to_#{sum.name}(&seen, #{sum.sign}p, #{sum.arguments});
#endfor
    }
#endfor
    return seen;
}

// The sums that do not slide, except those of cells that are read one by one.
fn add_unmoved(seen: ptr<function, PerceivedSums>, cell: Cell) {
#for sum in BOXES
    take_#{sum.name}(seen, textureLoad(#{sum.texture}, cell, 0));
#endfor
#ifdef HAS_CONTRAST
    add_contrast(seen, cell);
#endif
#for table in SIGHTS
    for (var i = 0; i < #{table.count}; i += 1) {
        let s = #{table.name}[i];
        let v = vector_in_#{table.kind}(s);
        let there = cell + v;
        let p = perceive(density(there));
#for sum in table.sums
        add_to_#{sum.name}(seen, p, #{sum.arguments});
#endfor
    }
#endfor
}
