// The rules of a set: the sight of each rule, the sums over the neighbours that it sees, and the sum of all requests.
//
// Σ w·v over the rules of the set
//
// The numbers of a single species are constants, and the numbers of several species are read. A rule does not see
// neighbours in the zones of the rules inside its own.
//
// Generated around this file: RULES, the rules that look at neighbours, with their sights in units², their radii in
// units, the form of their requests, and the rules inside; WORLD_RULES, the other rules.

struct Sums {
#for rule in RULES
    #{rule.name}: Offset,
    #{rule.name}_count: i32,
#endfor
}

#for rule in RULES
#ifdef HAS_LIVES
var<private> sees_#{rule.name}: i32;
#endif
#ifdef HAS_MEETINGS
var<private> reach_#{rule.name}: i32;
#endif

fn sight_of_#{rule.name}() -> i32 {
#ifdef HAS_LIVES
    return sees_#{rule.name};
#else
    return #{rule.sight};
#endif
}

fn radius_of_#{rule.name}() -> i32 {
#ifdef HAS_MEETINGS
    return reach_#{rule.name};
#else
    return #{rule.radius};
#endif
}

fn weight_of_#{rule.name}() -> i32 {
    return parameters.species[own_species].weights[#{rule.index} / 4][#{rule.index} % 4];
}
#endfor

fn greatest_sight() -> i32 {
    var greatest = 0;
#for rule in RULES
    greatest = max(greatest, sight_of_#{rule.name}());
#endfor
    return greatest;
}

// Sets the sight of each rule for an individual with this sight.
fn see_with(sight: i32) {
#for rule in RULES
#ifdef HAS_MEETINGS
    sees_#{rule.name} = within_sight(parameters.species[own_species].thresholds[#{rule.index}], sight);
    reach_#{rule.name} = parameters.species[own_species].radii[#{rule.index}];
#else
#ifdef HAS_LIVES
    sees_#{rule.name} = within_sight(#{rule.sight}, sight);
#endif
#endif
#endfor
}

fn add_neighbour(sums: ptr<function, Sums>, neighbour: Neighbour) {
#for rule in RULES
    if (neighbour.square < sight_of_#{rule.name}()
#for zone in rule.inside
        && neighbour.square >= max(1, sight_of_#{zone.name}())
#endfor
    ) {
        (*sums).#{rule.name} += #{rule.name}_quantity(neighbour);
        (*sums).#{rule.name}_count += 1;
    }
#endfor
}

fn sum_of_neighbours(individual: Situation) -> Vector3 {
    var sum = individual.met;
#for rule in RULES
    sum += request(individual, #{rule.name}_#{rule.form}(individual)) * weight_of_#{rule.name}();
#endfor
    return sum;
}

fn sum_of_world(individual: Situation) -> Vector3 {
    var sum = Vector3(0);
#for rule in WORLD_RULES
    sum += bounded(#{rule.name}_control(individual))
        * parameters.species[own_species].weights[#{rule.index} / 4][#{rule.index} % 4];
#endfor
    return sum;
}

#ifdef HAS_MEETINGS

// Sets the sight of one rule. The other rules see nothing.
fn see_only(rule: u32, radius: i32, threshold: i32, sight: i32) {
#for rule in RULES
    sees_#{rule.name} = within_sight(select(0, threshold, rule == #{rule.index}u), sight);
    reach_#{rule.name} = select(0, radius, rule == #{rule.index}u);
#endfor
}

fn request_of(rule: u32, individual: Situation) -> Vector3 {
#for rule in RULES
    if (rule == #{rule.index}u) {
        return request(individual, #{rule.name}_#{rule.form}(individual));
    }
#endfor
    return Vector3(0);
}

#endif
