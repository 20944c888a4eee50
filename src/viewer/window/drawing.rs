//! The frames of the window.

use super::*;

impl MainWindow {
    /// Draws a frame.
    ///
    /// # Errors
    /// If the device was lost, and no other device can be opened.
    pub fn draw(&mut self) -> Result<(), Failure> {
        self.frames.begin();
        self.take_snapshot();
        let Some(snapshot) = self.session.snapshot.clone() else { return Ok(()) };
        if !self.is_hidden && self.screen.canvas.is_none() {
            self.reopen_screen(&snapshot)?;
        } else if !self.is_hidden {
            self.draw_frame(&snapshot);
        }
        Ok(())
    }

    fn draw_frame(&mut self, snapshot: &Snapshot) {
        self.share_device(snapshot);
        self.move_view(snapshot);
        self.draw_between_steps(snapshot);
        let input = self.take_interface_input();
        let adapter = self.screen.adapter(&self.view.arrangement);
        let frame_input = FrameInput {
            snapshot,
            arrangement: &self.view.arrangement,
            is_dividing: self.mouse.cursor.middle && self.view.drag == Drag::Divide,
            frames_a_second: self.frames.rate(),
            is_paused: self.session.is_paused(),
            pace: self.session.pace,
            is_in_page: cfg!(target_family = "wasm"),
            can_verify: self.link.as_ref().is_some_and(|link| link.end().is_some()),
            adapter: &adapter,
            top_of_scale: self.screen.canvas.as_mut().and_then(Canvas::top_of_scale),
        };
        let mut cursor = self.cursor_over_swarm();
        let mut actions = Vec::new();
        let interface = &mut self.interface;
        let show = |ui: &mut egui::Ui| actions.extend(interface.show(ui, &frame_input, &mut cursor));
        let output = self.ui.egui_ctx().run_ui(input, show);
        self.mouse.cursor.follow(&cursor);
        for event in &output.platform_output.events {
            if let OutputEvent::FocusGained(control) = event {
                self.focused = Some(control.description());
            }
        }
        self.ui.handle_platform_output(&self.window, output.platform_output);
        // Over the swarm the ring of the hunter replaces the arrow.
        let is_away = cursor.locate(&self.view.arrangement).0.at.is_none();
        self.window.set_cursor_visible(is_away || cursor.tool == Tool::Probe);
        if let Some(viewport) = output.viewport_output.get(&egui::ViewportId::ROOT) {
            self.frames.request(viewport.repaint_delay);
        }
        let interface_frame = InterfaceFrame {
            textures: output.textures_delta,
            shapes: self.ui.egui_ctx().tessellate(output.shapes, output.pixels_per_point),
            pixels_per_point: output.pixels_per_point,
        };
        match self.screen.draw(&self.view.arrangement, &snapshot.info.look, interface_frame) {
            DrawResult::Presented => self.frames.count(),
            DrawResult::Hidden => self.frames.request(Duration::from_millis(100)),
            DrawResult::Retry | DrawResult::DeviceLost => self.frames.request(Duration::ZERO),
        }
        if self.screen.canvas.as_ref().is_some_and(Canvas::is_unfinished) {
            self.frames.request(Duration::ZERO);
        }
        if let Some(error) = self.screen.canvas.as_mut().and_then(Canvas::take_error) {
            self.interface.messages.show_error(error);
        }
        for action in actions {
            self.apply_action(action);
        }
        // The panel may have opened or closed under the mouse.
        self.send_mouse();
    }

    /// Takes the input of the interface since the last frame.
    ///
    /// `egui_winit::State::take_egui_input` asks the display for the size of the window, and winit panics if the
    /// display has closed. The sizes in the window's events need no display.
    fn take_interface_input(&mut self) -> egui::RawInput {
        let size = self.screen.size();
        let scale = self.window.scale_factor() as f32;
        let logical_size =
            egui::vec2(size.x as f32, size.y as f32) / egui_winit::pixels_per_point(self.ui.egui_ctx(), &self.window);
        let input = self.ui.egui_input_mut();
        input.time = Some(self.opened.elapsed().as_secs_f64());
        input.screen_rect = Some(egui::Rect::from_min_size(egui::Pos2::ZERO, logical_size));
        input.viewport_id = egui::ViewportId::ROOT;
        input.viewports.entry(egui::ViewportId::ROOT).or_default().native_pixels_per_point = Some(scale);
        input.take()
    }

    /// Adapts the arrangement to the size of the window and to the panel.
    pub(super) fn adapt_arrangement(&mut self) {
        let room = (self.screen.size(), self.covered());
        if (self.view.arrangement.size, self.view.arrangement.covered) != room {
            (self.view.arrangement.size, self.view.arrangement.covered) = room;
            if self.view.is_fitted {
                self.fit();
            }
        }
    }

    /// Adapts to the size of the window, passes the viewpoint to the film, and advances the automatic motion.
    fn move_view(&mut self, snapshot: &Snapshot) {
        self.adapt_arrangement();
        if let (Some(recorder), Some(viewpoint)) = (&self.interface.panel.film.recorder, self.viewpoint()) {
            recorder.set_viewpoint(viewpoint);
        }
        // A run-in gets the whole processor.
        let is_still = self.session.is_paused() || snapshot.run_in.is_some() && self.view.motion == Motion::Drift;
        if !is_still && self.view.move_on(self.mouse.cursor.at, snapshot) {
            self.frames.request(Duration::ZERO);
        }
        self.view.leave_rock(&snapshot.info.world);
        self.session.view_from_near(self.view.arrangement.is_near());
    }

    /// If steps are slow, draws the boids between their places at the last two steps. A picture may take at most half
    /// of the time of a step, so that it does not slow the steps.
    fn draw_between_steps(&mut self, snapshot: &Snapshot) {
        let Some(canvas) = &mut self.screen.canvas else { return };
        let is_quick = |step: Duration| canvas.seconds().unwrap_or(0.0) < 0.5 * step.as_secs_f64();
        let is_drawn = !self.session.is_paused()
            && (snapshot.info.look.draws_points(snapshot.info.world.extents) || self.view.arrangement.is_near())
            && self.steps.step().is_some_and(is_quick);
        let behind = if is_drawn { self.steps.behind(self.opened.elapsed()) } else { 0.0 };
        canvas.set_behind(behind);
        if behind > 0.0 {
            self.frames.request(Duration::ZERO);
        }
    }

    /// Decides whether steps have priority over frames. Steps have it if the device that draws also plays, the user
    /// has requested more than one step a frame, and the device plays fewer steps. During a film or a flight frames
    /// keep the priority, because both depend on the frames.
    fn share_device(&mut self, snapshot: &Snapshot) {
        let is_shared = snapshot.source.state().is_none();
        let pace = self.session.pace;
        let is_late = snapshot.steps_a_second < 0.9 * pace.steps_a_second();
        let is_watched = self.view.motion == Motion::Drift && self.interface.panel.film.recorder.is_none();
        let goes_first = is_shared && is_late && is_watched && pace > Pace::USUAL && !self.session.is_paused();
        let cost = self.screen.canvas.as_ref().filter(|_| goes_first).and_then(Canvas::frame_time);
        self.frames.set_cost(cost);
    }

    /// Looks for another device after a loss.
    fn reopen_screen(&mut self, snapshot: &Snapshot) -> Result<(), Failure> {
        match self.screen.reopen() {
            Ok(true) => {}
            Ok(false) => {
                self.frames.request(RETRY_INTERVAL);
                return Ok(());
            }
            Err(failure) => return Err(Failure::Device(format!("{failure}; {}", self.session.rescue()))),
        }
        self.screen.gpu().into_iter().for_each(|gpu| self.session.draw_on(gpu));
        self.draw_from_now_on(snapshot);
        // The textures of the old context went with its device. Its memory, such as open sections, is kept.
        let memory = self.ui.egui_ctx().memory(Clone::clone);
        self.ui = ui_state(&self.window, &self.screen);
        self.ui.egui_ctx().memory_mut(|fresh| *fresh = memory);
        gallery::forget(self.ui.egui_ctx());
        self.interface.atlas.forget();
        // The window may have changed its size meanwhile.
        if self.view.is_fitted {
            self.fit();
        }
        self.window.set_title(&title(&snapshot.info.preset));
        self.interface.messages.show_info("the graphics device was lost, and opened again");
        self.frames.request(Duration::ZERO);
        Ok(())
    }
}
