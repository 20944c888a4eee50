// A node of Godot that plays a swarm.
#pragma once

#include <godot_cpp/classes/image_texture.hpp>
#include <godot_cpp/classes/multi_mesh.hpp>
#include <godot_cpp/classes/node.hpp>
#include <godot_cpp/variant/dictionary.hpp>
#include <godot_cpp/variant/packed_float32_array.hpp>
#include <godot_cpp/variant/packed_string_array.hpp>
#include <murmuration.h>

#include <vector>

namespace godot {

class MurmurationNode : public Node {
    GDCLASS(MurmurationNode, Node)

public:
    ~MurmurationNode() override;
    void _ready() override;
    void _physics_process(double delta) override;

    /// Opens the swarm anew. Returns whether it is open; else `get_message` says why not.
    bool open();
    void close();
    String get_message() const { return message; }

    void hunt(const Vector3 &at, int reach, double weight);
    void hunt_no_more();
    void open_jaws(int cells);
    void spawn(const Vector3 &at, int radius, int boids);
    void set_key(const String &key, const String &value);
    Dictionary account();
    String state_hash();
    /// The boids in each cell of the lattice, x fastest.
    PackedFloat32Array boids();
    /// The same as a texture with one float a pixel.
    Ref<ImageTexture> get_texture() const { return texture; }

    void set_preset(const String &value) { preset = value; }
    String get_preset() const { return preset; }
    void set_engine(const String &value) { engine = value; }
    String get_engine() const { return engine; }
    void set_size(const Vector3i &value) { size = value; }
    Vector3i get_size() const { return size; }
    void set_settings(const PackedStringArray &value) { settings = value; }
    PackedStringArray get_settings() const { return settings; }
    void set_steps(int value) { steps = value; }
    int get_steps() const { return steps; }
    void set_multimesh(const Ref<MultiMesh> &value) { multimesh = value; }
    Ref<MultiMesh> get_multimesh() const { return multimesh; }

protected:
    static void _bind_methods();

private:
    /// Whether a call ended well. Else its message is kept and printed.
    bool is_well(MurmurationStatus status);
    MurmurationInput input_at(uint32_t kind, const Vector3 &at) const;
    void apply(const MurmurationInput &input);
    void show_density();
    void show_individuals();
    void tell_events();

    String preset = "school";
    String engine = "cpu";
    String message;
    Vector3i size;
    PackedStringArray settings;
    int steps = 1;
    Ref<MultiMesh> multimesh;
    Ref<ImageTexture> texture;
    MurmurationSwarm *swarm = nullptr;
    MurmurationFacts facts = {};
    std::vector<MurmurationIndividual> individuals;
};

} // namespace godot
