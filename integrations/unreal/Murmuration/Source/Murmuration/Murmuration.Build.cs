using System.IO;
using UnrealBuildTool;

// The library and its header lie in ThirdParty/, where `crates/capi/install.sh ThirdParty` puts them.
public class Murmuration : ModuleRules
{
    public Murmuration(ReadOnlyTargetRules Target) : base(Target)
    {
        PCHUsage = PCHUsageMode.UseExplicitOrSharedPCHs;
        PublicDependencyModuleNames.AddRange(new[] { "Core", "CoreUObject", "Engine" });

        string ThirdParty = Path.Combine(PluginDirectory, "ThirdParty");
        PublicIncludePaths.Add(Path.Combine(ThirdParty, "include"));
        string Library = Path.Combine(ThirdParty, "lib");
        if (Target.Platform == UnrealTargetPlatform.Win64)
        {
            PublicAdditionalLibraries.Add(Path.Combine(Library, "murmuration_c.dll.lib"));
            PublicDelayLoadDLLs.Add("murmuration_c.dll");
            RuntimeDependencies.Add("$(BinaryOutputDir)/murmuration_c.dll", Path.Combine(Library, "murmuration_c.dll"));
        }
        else
        {
            string Name = Target.Platform == UnrealTargetPlatform.Mac ? "libmurmuration_c.dylib" : "libmurmuration_c.so";
            PublicAdditionalLibraries.Add(Path.Combine(Library, Name));
            RuntimeDependencies.Add(Path.Combine(Library, Name));
        }
    }
}
