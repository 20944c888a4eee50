// A boid as a stroke of light in the colour of its heading, speed or density.
fn lights(point: Point) {
    let stroke = stroke_of(point);
    if (stroke.amount > 0.0) {
        let of_boid = boid_colour(volume_at(point.place).y, point.velocity.xy);
        let colour = select(of_boid, FALCON_COLOUR, point.is_falcon);
        draw_stroke(stroke, LIGHT * point_view.light * colour);
    }
}
