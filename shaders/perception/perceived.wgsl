// The sums over the sights of the rules. `perceived` makes the sums in full. `perceived_below` makes them from the sums of
// the cell above. A rule without a sight has no sums. Reads cost most, so a cell is read once for all rules with one method.
//
// Generated around this file:
// BOXES, the rules with sums over a box, which an earlier pass makes;
// SIGHTS, tables of perceptual vectors, which loops read;
// COLUMNS_IN_SIGHT, tables of columns (x, first y, last y), which loops read;
// SLIDING, the sums that slide down from the cell above;
// SLIDING_COLUMNS, the tables of columns of sliding sums, if loops read them;
// READS and READS_BELOW, the cells that are read one by one.
// Each list has the calls that add a cell `there` with the perceived density p.

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

// Adds the sums that do not slide. Sums of cells that are read one by one are added elsewhere.
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
