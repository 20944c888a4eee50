#pragma once

#include "Components/ActorComponent.h"
#include "CoreMinimal.h"
#include "MurmurationComponent.generated.h"

class UInstancedStaticMeshComponent;
struct MurmurationSwarm;

DECLARE_DYNAMIC_MULTICAST_DELEGATE_ThreeParams(FMurmurationHappened, FName, Kind, int32, Species, double, Boids);

/** Plays a swarm, and puts its individuals into an instanced mesh of the same actor. */
UCLASS(ClassGroup = (Murmuration), meta = (BlueprintSpawnableComponent))
class MURMURATION_API UMurmurationComponent : public UActorComponent
{
    GENERATED_BODY()

public:
    UMurmurationComponent();

    /** The name of a preset, or the path of one. */
    UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = Murmuration)
    FString Preset = TEXT("school");

    /** cpu, gpu or auto. All give the same bits. */
    UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = Murmuration)
    FString SwarmEngine = TEXT("cpu");

    /** Extents in cells. Zeros: the preset's. */
    UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = Murmuration)
    FIntVector Extents = FIntVector::ZeroValue;

    /** Settings such as weights.cohesion=0.6. */
    UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = Murmuration)
    TArray<FString> Settings;

    /** Steps in each frame. */
    UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = Murmuration)
    int32 Steps = 1;

    /** Units of the scene in a cell. */
    UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = Murmuration)
    float Cell = 10.0f;

    /** What came and went: the kind, the species, and how many boids. */
    UPROPERTY(BlueprintAssignable, Category = Murmuration)
    FMurmurationHappened OnHappened;

    /** Hunts at a place in cells; y points down in a swarm. */
    UFUNCTION(BlueprintCallable, Category = Murmuration)
    void Hunt(FVector At, int32 Reach = 60, float Weight = 2.0f);

    UFUNCTION(BlueprintCallable, Category = Murmuration)
    void HuntNoMore();

    UFUNCTION(BlueprintCallable, Category = Murmuration)
    void OpenJaws(int32 Cells);

    UFUNCTION(BlueprintCallable, Category = Murmuration)
    void SetKey(const FString& Key, const FString& Value);

    UFUNCTION(BlueprintCallable, Category = Murmuration)
    FString StateHash();

    /** The boids in each cell of the lattice, x fastest. */
    UFUNCTION(BlueprintCallable, Category = Murmuration)
    TArray<float> Boids();

    virtual void BeginPlay() override;
    virtual void EndPlay(const EEndPlayReason::Type Reason) override;
    virtual void TickComponent(float Seconds, ELevelTick Tick, FActorComponentTickFunction* Function) override;

private:
    /** Whether a call ended well. Else its message goes to the log. */
    bool IsWell(int32 Status) const;
    void ShowIndividuals();
    void TellEvents();

    MurmurationSwarm* Swarm = nullptr;
    uint32 Axes = 2;
    uint32 Height = 0;
    bool bHasIndividuals = false;
};
