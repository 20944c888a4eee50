// A boid as a dark stroke: its amount, and amount · light, with the square of the sun's light that arrives at it.

#import "points/boid"
#import "points/strokes"
#import "look/volume"

fn shades(point: Point) {
    let stroke = stroke_of(point);
    if (stroke.amount > 0.0) {
        let light = volume_at(point.place).x;
        let part = select(1.0, FALCON_LIGHT, point.is_falcon);
        draw_dark_stroke(stroke, AMOUNT * vec3<f32>(1.0, part * light * light, 0.0));
    }
}
