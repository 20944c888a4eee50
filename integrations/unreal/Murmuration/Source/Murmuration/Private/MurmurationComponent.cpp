#include "MurmurationComponent.h"

#include "Components/InstancedStaticMeshComponent.h"
#include "GameFramework/Actor.h"
#include "murmuration.h"

DEFINE_LOG_CATEGORY_STATIC(LogMurmuration, Log, All);

namespace
{
MurmurationInput InputOf(uint32 Kind)
{
    MurmurationInput Input = {};
    Input.kind = Kind;
    Input.axes = 2;
    return Input;
}
} // namespace

UMurmurationComponent::UMurmurationComponent()
{
    PrimaryComponentTick.bCanEverTick = true;
}

bool UMurmurationComponent::IsWell(int32 Status) const
{
    if (Status == MURMURATION_STATUS_OK)
    {
        return true;
    }
    UE_LOG(LogMurmuration, Error, TEXT("%s"), UTF8_TO_TCHAR(murmuration_last_error()));
    return false;
}

void UMurmurationComponent::BeginPlay()
{
    Super::BeginPlay();
    MurmurationOptions Options;
    murmuration_options_default(&Options, sizeof(Options));
    // The library copies the texts, which live until the end of this function.
    TArray<TArray<ANSICHAR>> Texts;
    const auto Keep = [&Texts](const FString& Text) {
        const FTCHARToUTF8 Converted(*Text);
        TArray<ANSICHAR>& Copy = Texts.Emplace_GetRef();
        Copy.Append(reinterpret_cast<const ANSICHAR*>(Converted.Get()), Converted.Length());
        Copy.Add('\0');
        return static_cast<const char*>(Copy.GetData());
    };
    TArray<const char*> Pointers;
    for (const FString& Setting : Settings)
    {
        Pointers.Add(Keep(Setting));
    }
    Options.preset = Keep(Preset);
    Options.engine = Keep(SwarmEngine);
    Options.width = static_cast<uint32>(Extents.X);
    Options.height = static_cast<uint32>(Extents.Y);
    Options.depth = static_cast<uint32>(Extents.Z);
    Options.settings = Pointers.GetData();
    Options.settings_count = static_cast<size_t>(Pointers.Num());
    MurmurationFacts Facts = {};
    if (IsWell(murmuration_open(&Options, &Swarm)) && IsWell(murmuration_facts(Swarm, &Facts)))
    {
        Axes = Facts.axes;
        Height = Facts.extents[1];
        bHasIndividuals = Facts.is_individuals != 0;
    }
}

void UMurmurationComponent::EndPlay(const EEndPlayReason::Type Reason)
{
    murmuration_close(Swarm);
    Swarm = nullptr;
    Super::EndPlay(Reason);
}

void UMurmurationComponent::TickComponent(float Seconds, ELevelTick Tick, FActorComponentTickFunction* Function)
{
    Super::TickComponent(Seconds, Tick, Function);
    if (Swarm == nullptr || !IsWell(murmuration_advance(Swarm, static_cast<uint64>(FMath::Max(Steps, 0)))))
    {
        return;
    }
    TellEvents();
    if (bHasIndividuals)
    {
        ShowIndividuals();
    }
}

void UMurmurationComponent::Hunt(FVector At, int32 Reach, float Weight)
{
    MurmurationInput Input = InputOf(MURMURATION_INPUT_KIND_HUNTER);
    Input.axes = Axes;
    Input.place[0] = At.X;
    Input.place[1] = At.Y;
    Input.place[2] = At.Z;
    Input.radius = static_cast<uint32>(Reach);
    Input.weight = Weight;
    IsWell(murmuration_apply(Swarm, &Input));
}

void UMurmurationComponent::HuntNoMore()
{
    const MurmurationInput Input = InputOf(MURMURATION_INPUT_KIND_NO_HUNTER);
    IsWell(murmuration_apply(Swarm, &Input));
}

void UMurmurationComponent::OpenJaws(int32 Cells)
{
    MurmurationInput Input = InputOf(MURMURATION_INPUT_KIND_JAWS);
    Input.amount = static_cast<uint32>(Cells);
    IsWell(murmuration_apply(Swarm, &Input));
}

void UMurmurationComponent::SetKey(const FString& Key, const FString& Value)
{
    const FTCHARToUTF8 OwnKey(*Key), OwnValue(*Value);
    MurmurationInput Input = InputOf(MURMURATION_INPUT_KIND_SET);
    Input.key = reinterpret_cast<const char*>(OwnKey.Get());
    Input.value = reinterpret_cast<const char*>(OwnValue.Get());
    IsWell(murmuration_apply(Swarm, &Input));
}

FString UMurmurationComponent::StateHash()
{
    char Hash[65] = "";
    IsWell(murmuration_state_hash(Swarm, Hash));
    return UTF8_TO_TCHAR(Hash);
}

TArray<float> UMurmurationComponent::Boids()
{
    TArray<float> Values;
    size_t Bytes = 0;
    if (IsWell(murmuration_read(Swarm, MURMURATION_READING_BOIDS, nullptr, 0, &Bytes)))
    {
        Values.SetNumZeroed(static_cast<int32>(Bytes / sizeof(float)));
        IsWell(murmuration_read(Swarm, MURMURATION_READING_BOIDS, Values.GetData(), Bytes, &Bytes));
    }
    return Values;
}

void UMurmurationComponent::ShowIndividuals()
{
    UInstancedStaticMeshComponent* Mesh = GetOwner()->FindComponentByClass<UInstancedStaticMeshComponent>();
    size_t Bytes = 0;
    if (Mesh == nullptr || !IsWell(murmuration_read(Swarm, MURMURATION_READING_INDIVIDUALS, nullptr, 0, &Bytes)))
    {
        return;
    }
    TArray<MurmurationIndividual> Individuals;
    Individuals.SetNumZeroed(static_cast<int32>(Bytes / sizeof(MurmurationIndividual)));
    if (Individuals.Num() > 0 &&
        !IsWell(murmuration_read(Swarm, MURMURATION_READING_INDIVIDUALS, Individuals.GetData(), Bytes, &Bytes)))
    {
        return;
    }
    TArray<FTransform> Transforms;
    Transforms.Reserve(Individuals.Num());
    for (const MurmurationIndividual& One : Individuals)
    {
        // The swarm's y, which points down, is up in the scene; its z is the scene's y.
        const FVector Place(One.position[0], One.position[2], static_cast<float>(Height) - One.position[1]);
        const FVector Heading(One.velocity[0], One.velocity[2], -One.velocity[1]);
        Transforms.Emplace(Heading.Rotation(), Place * Cell);
    }
    if (Mesh->GetInstanceCount() != Transforms.Num())
    {
        Mesh->ClearInstances();
        Mesh->AddInstances(Transforms, false);
    }
    else if (Transforms.Num() > 0)
    {
        Mesh->BatchUpdateInstancesTransforms(0, Transforms, false, true, true);
    }
}

void UMurmurationComponent::TellEvents()
{
    static const TCHAR* const Kinds[] = {TEXT("spawned"), TEXT("caught"), TEXT("born"), TEXT("starved"), TEXT("eaten")};
    MurmurationEvent Events[64];
    const size_t Capacity = UE_ARRAY_COUNT(Events);
    size_t Count = Capacity;
    // Individuals have an event each. A handler may close the swarm.
    while (Count == Capacity && Swarm != nullptr && IsWell(murmuration_events(Swarm, Events, Capacity, &Count)))
    {
        for (size_t Index = 0; Index < Count; Index++)
        {
            const double Boids = static_cast<double>(Events[Index].quanta) / MURMURATION_BOID;
            OnHappened.Broadcast(Kinds[Events[Index].kind], static_cast<int32>(Events[Index].species), Boids);
        }
    }
}
