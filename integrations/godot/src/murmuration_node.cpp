#include "murmuration_node.h"

#include <godot_cpp/classes/engine.hpp>
#include <godot_cpp/classes/image.hpp>
#include <godot_cpp/core/class_db.hpp>
#include <godot_cpp/variant/utility_functions.hpp>

#include <algorithm>
#include <cmath>

using namespace godot;

MurmurationNode::~MurmurationNode() {
    close();
}

bool MurmurationNode::is_well(MurmurationStatus status) {
    if (status == MURMURATION_STATUS_OK) {
        return true;
    }
    message = String::utf8(murmuration_last_error());
    UtilityFunctions::push_error(message);
    return false;
}

void MurmurationNode::close() {
    murmuration_close(swarm);
    swarm = nullptr;
}

bool MurmurationNode::open() {
    close();
    MurmurationOptions options;
    murmuration_options_default(&options, sizeof options);
    // The library copies the texts, which live until the end of this function.
    const CharString own_preset = preset.utf8(), own_engine = engine.utf8();
    std::vector<CharString> texts;
    std::vector<const char *> pointers;
    for (int64_t index = 0; index < settings.size(); index++) {
        texts.push_back(settings[index].utf8());
    }
    for (const CharString &text : texts) {
        pointers.push_back(text.get_data());
    }
    options.preset = own_preset.get_data();
    options.engine = own_engine.get_data();
    options.width = static_cast<uint32_t>(size.x);
    options.height = static_cast<uint32_t>(size.y);
    options.depth = static_cast<uint32_t>(size.z);
    options.settings = pointers.data();
    options.settings_count = pointers.size();
    return is_well(murmuration_open(&options, &swarm)) && is_well(murmuration_facts(swarm, &facts));
}

void MurmurationNode::_ready() {
    if (!Engine::get_singleton()->is_editor_hint()) {
        open();
    }
}

void MurmurationNode::_physics_process(double) {
    if (swarm == nullptr || !is_well(murmuration_advance(swarm, static_cast<uint64_t>(steps)))) {
        return;
    }
    tell_events();
    if (facts.is_individuals) {
        show_individuals();
    } else {
        show_density();
    }
}

MurmurationInput MurmurationNode::input_at(uint32_t kind, const Vector3 &at) const {
    MurmurationInput input = {};
    input.kind = kind;
    input.axes = facts.axes;
    input.place[0] = at.x;
    input.place[1] = at.y;
    input.place[2] = at.z;
    return input;
}

void MurmurationNode::apply(const MurmurationInput &input) {
    if (swarm != nullptr) {
        is_well(murmuration_apply(swarm, &input));
    }
}

void MurmurationNode::hunt(const Vector3 &at, int reach, double weight) {
    MurmurationInput input = input_at(MURMURATION_INPUT_KIND_HUNTER, at);
    input.radius = static_cast<uint32_t>(reach);
    input.weight = weight;
    apply(input);
}

void MurmurationNode::hunt_no_more() {
    apply(input_at(MURMURATION_INPUT_KIND_NO_HUNTER, Vector3()));
}

void MurmurationNode::open_jaws(int cells) {
    MurmurationInput input = input_at(MURMURATION_INPUT_KIND_JAWS, Vector3());
    input.amount = static_cast<uint32_t>(cells);
    apply(input);
}

void MurmurationNode::spawn(const Vector3 &at, int radius, int boids) {
    MurmurationInput input = input_at(MURMURATION_INPUT_KIND_SPAWN, at);
    input.radius = static_cast<uint32_t>(radius);
    input.amount = static_cast<uint32_t>(boids);
    apply(input);
}

void MurmurationNode::set_key(const String &key, const String &value) {
    const CharString own_key = key.utf8(), own_value = value.utf8();
    MurmurationInput input = input_at(MURMURATION_INPUT_KIND_SET, Vector3());
    input.key = own_key.get_data();
    input.value = own_value.get_data();
    apply(input);
}

Dictionary MurmurationNode::account() {
    Dictionary found;
    MurmurationAccount account = {};
    if (swarm != nullptr && is_well(murmuration_account(swarm, &account))) {
        const double boid = MURMURATION_BOID;
        found["step"] = account.step;
        found["boids"] = static_cast<double>(account.quanta) / boid;
        found["caught"] = static_cast<double>(account.caught) / boid;
        found["born"] = static_cast<double>(account.born) / boid;
        found["lost"] = account.lost;
    }
    return found;
}

String MurmurationNode::state_hash() {
    char hash[65] = "";
    if (swarm != nullptr) {
        is_well(murmuration_state_hash(swarm, hash));
    }
    return hash;
}

PackedFloat32Array MurmurationNode::boids() {
    PackedFloat32Array values;
    size_t bytes = 0;
    if (swarm != nullptr && is_well(murmuration_read(swarm, MURMURATION_READING_BOIDS, nullptr, 0, &bytes))) {
        values.resize(static_cast<int64_t>(bytes / sizeof(float)));
        is_well(murmuration_read(swarm, MURMURATION_READING_BOIDS, values.ptrw(), bytes, nullptr));
    }
    return values;
}

void MurmurationNode::show_density() {
    // Of several species or of a deep world the texture has the first layer.
    const int64_t cells = static_cast<int64_t>(facts.lattice[0]) * facts.lattice[1];
    const PackedByteArray pixels = boids().slice(0, cells).to_byte_array();
    const Ref<Image> image = Image::create_from_data(static_cast<int32_t>(facts.lattice[0]),
                                                     static_cast<int32_t>(facts.lattice[1]), false, Image::FORMAT_RF, pixels);
    if (texture.is_null()) {
        texture = ImageTexture::create_from_image(image);
    } else {
        texture->update(image);
    }
}

void MurmurationNode::show_individuals() {
    if (multimesh.is_null()) {
        return;
    }
    size_t bytes = 0;
    if (!is_well(murmuration_read(swarm, MURMURATION_READING_INDIVIDUALS, nullptr, 0, &bytes))) {
        return;
    }
    individuals.resize(bytes / sizeof(MurmurationIndividual));
    if (!individuals.empty() &&
        !is_well(murmuration_read(swarm, MURMURATION_READING_INDIVIDUALS, individuals.data(), bytes, nullptr))) {
        return;
    }
    const int32_t count = static_cast<int32_t>(individuals.size());
    if (multimesh->get_instance_count() != count) {
        multimesh->set_instance_count(count);
    }
    const bool is_flat = multimesh->get_transform_format() == MultiMesh::TRANSFORM_2D;
    // Rows of a transform: two of four numbers, or three.
    PackedFloat32Array buffer;
    buffer.resize(static_cast<int64_t>(count) * (is_flat ? 8 : 12));
    float *row = buffer.ptrw();
    for (const MurmurationIndividual &one : individuals) {
        const float *place = one.position, *velocity = one.velocity;
        if (is_flat) {
            const float speed = std::hypot(velocity[0], velocity[1]);
            const float along = speed > 0.0f ? velocity[0] / speed : 1.0f, across = speed > 0.0f ? velocity[1] / speed : 0.0f;
            const float rows[8] = {along, -across, 0.0f, place[0], across, along, 0.0f, place[1]};
            row = std::copy(rows, rows + 8, row);
        } else {
            // y points down in a swarm, and up in a scene.
            const Vector3 heading(velocity[0], -velocity[1], velocity[2]);
            const Vector3 up = std::abs(heading.y) * 1.01f > heading.length() ? Vector3(1, 0, 0) : Vector3(0, 1, 0);
            const Basis basis = heading.length() > 0.0f ? Basis::looking_at(heading, up) : Basis();
            for (int axis = 0; axis < 3; axis++) {
                const float at = axis == 1 ? static_cast<float>(facts.extents[1]) - place[1] : place[axis];
                const float rows[4] = {static_cast<float>(basis.rows[axis].x), static_cast<float>(basis.rows[axis].y),
                                       static_cast<float>(basis.rows[axis].z), at};
                row = std::copy(rows, rows + 4, row);
            }
        }
    }
    multimesh->set_buffer(buffer);
}

void MurmurationNode::tell_events() {
    static const char *const kinds[] = {"spawned", "caught", "born", "starved", "eaten"};
    MurmurationEvent events[64];
    size_t count = 64;
    // Individuals have an event each. A handler of the signal may close the swarm.
    while (count == 64 && swarm != nullptr && is_well(murmuration_events(swarm, events, 64, &count))) {
        for (size_t index = 0; index < count; index++) {
            const double boids = static_cast<double>(events[index].quanta) / MURMURATION_BOID;
            emit_signal("happened", kinds[events[index].kind], events[index].species, boids);
        }
    }
}

void MurmurationNode::_bind_methods() {
#define METHOD(name, ...) ClassDB::bind_method(D_METHOD(#name, ##__VA_ARGS__), &MurmurationNode::name)
#define PROPERTY(type, name)                                                                                           \
    METHOD(set_##name, #name);                                                                                         \
    METHOD(get_##name);                                                                                                \
    ADD_PROPERTY(PropertyInfo(Variant::type, #name), "set_" #name, "get_" #name)
    PROPERTY(STRING, preset);
    PROPERTY(STRING, engine);
    PROPERTY(VECTOR3I, size);
    PROPERTY(PACKED_STRING_ARRAY, settings);
    PROPERTY(INT, steps);
    METHOD(set_multimesh, "multimesh");
    METHOD(get_multimesh);
    ADD_PROPERTY(PropertyInfo(Variant::OBJECT, "multimesh", PROPERTY_HINT_RESOURCE_TYPE, "MultiMesh"), "set_multimesh",
                 "get_multimesh");
    METHOD(open);
    METHOD(close);
    METHOD(get_message);
    METHOD(hunt, "at", "reach", "weight");
    METHOD(hunt_no_more);
    METHOD(open_jaws, "cells");
    METHOD(spawn, "at", "radius", "boids");
    METHOD(set_key, "key", "value");
    METHOD(account);
    METHOD(state_hash);
    METHOD(boids);
    METHOD(get_texture);
    ADD_SIGNAL(MethodInfo("happened", PropertyInfo(Variant::STRING, "kind"), PropertyInfo(Variant::INT, "species"),
                          PropertyInfo(Variant::FLOAT, "boids")));
#undef PROPERTY
#undef METHOD
}
