#include "murmuration_node.h"

#include <gdextension_interface.h>
#include <godot_cpp/core/class_db.hpp>
#include <godot_cpp/core/defs.hpp>
#include <godot_cpp/godot.hpp>

using namespace godot;

static void initialize(ModuleInitializationLevel level) {
    if (level == MODULE_INITIALIZATION_LEVEL_SCENE) {
        ClassDB::register_class<MurmurationNode>();
    }
}

static void terminate(ModuleInitializationLevel) {}

extern "C" GDExtensionBool GDE_EXPORT murmuration_godot_init(GDExtensionInterfaceGetProcAddress get_proc_address,
                                                             GDExtensionClassLibraryPtr library,
                                                             GDExtensionInitialization *initialization) {
    GDExtensionBinding::InitObject object(get_proc_address, library, initialization);
    object.register_initializer(initialize);
    object.register_terminator(terminate);
    object.set_minimum_library_initialization_level(MODULE_INITIALIZATION_LEVEL_SCENE);
    return object.init();
}
