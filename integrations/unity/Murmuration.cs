// The C interface of Murmuration for C#, by P/Invoke. It needs no Unity: MurmurationBehaviour.cs does. The structures are those of
// crates/capi/include/murmuration.h, member by member.

using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using System.Text;

namespace Murmuration
{
    /// <summary>How a call ended.</summary>
    public enum Status
    {
        Ok = 0, BadInput = 1, File = 2, Device = 3, Broken = 4, NullArgument = 5, BufferTooSmall = 6, Busy = 7, Panic = 8, NotReady = 9,
    }

    /// <summary>What can be read of a swarm.</summary>
    public enum Reading : uint
    {
        Density = 0, Boids = 1, Control = 2, Individuals = 3, Food = 4, Falcons = 5, Account = 6, StateHash = 7, Checkpoint = 8,
    }

    /// <summary>What an input does.</summary>
    public enum InputKind : uint
    {
        Hunter = 0, NoHunter = 1, Jaws = 2, Stroke = 3, Spawn = 4, Remove = 5, Solid = 6, Feed = 7, RemoveFood = 8, Undo = 9, Set = 10, Obstacle = 11, Target = 12,
    }

    /// <summary>What happened to boids.</summary>
    public enum EventKind : uint
    {
        Spawned = 0, Caught = 1, Born = 2, Starved = 3, Eaten = 4,
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct Individual
    {
        public uint Number, Species;
        /// <summary>In cells. y points down.</summary>
        public float X, Y, Z;
        /// <summary>In cells a step.</summary>
        public float VelocityX, VelocityY, VelocityZ;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct SwarmEvent
    {
        public EventKind Kind;
        public uint Species;
        public ulong Step, Quanta;
        /// <summary>Whole boids that were completed by it.</summary>
        public ulong Boids;
        /// <summary>The number of the individual; uint.MaxValue if there is none.</summary>
        public uint Individual;
        /// <summary>3, or 0 if the place is not known.</summary>
        public uint Axes;
        /// <summary>The place in cells. y points down.</summary>
        public double X, Y, Z;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct Facts
    {
        public ulong Step, Seed;
        public uint Width, Height, Depth, Axes;
        public uint LatticeWidth, LatticeHeight, LatticeDepth, Species;
        public uint IsIndividuals, IsTorus, IsEndless, IsOnGpu;
    }

    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct Account
    {
        public ulong Step, Quanta, Start, Spawned, Caught, Born, Starved, Eaten;
        public long Lost;
        public ulong Food;
        public long LostFood, LostEnergy;
        public fixed ulong Species[8];
    }

    [StructLayout(LayoutKind.Sequential)]
    struct NativeOptions
    {
        public UIntPtr Size;
        public IntPtr Preset, Text;
        public uint Width, Height, Depth, HasSeed;
        public ulong Seed;
        public IntPtr Settings;
        public UIntPtr SettingsCount;
        public IntPtr Chain;
        public uint AsIndividuals, Threads;
        public IntPtr Engine, InstructionSet;
    }

    [StructLayout(LayoutKind.Sequential)]
    struct NativeInput
    {
        public InputKind Kind;
        public uint Axes;
        public double X, Y, Z, Weight;
        public uint Radius, Amount, Flag, Reserved;
        public IntPtr Key, Value, Obstacle, Target;
    }

    static unsafe class Native
    {
        const string Library = "murmuration_c";

        [DllImport(Library)] internal static extern IntPtr murmuration_version();
        [DllImport(Library)] internal static extern IntPtr murmuration_last_error();
        [DllImport(Library)] internal static extern Status murmuration_options_default(out NativeOptions options, UIntPtr size);
        [DllImport(Library)] internal static extern Status murmuration_open(ref NativeOptions options, out IntPtr swarm);
        [DllImport(Library)] internal static extern Status murmuration_resume(byte[] bytes, UIntPtr count, IntPtr options, out IntPtr swarm);
        [DllImport(Library)] internal static extern Status murmuration_close(IntPtr swarm);
        [DllImport(Library)] internal static extern Status murmuration_advance(SwarmHandle swarm, ulong steps);
        [DllImport(Library)] internal static extern Status murmuration_facts(SwarmHandle swarm, out Facts facts);
        [DllImport(Library)] internal static extern Status murmuration_account(SwarmHandle swarm, out Account account);
        [DllImport(Library)] internal static extern Status murmuration_state_hash(SwarmHandle swarm, byte[] hash);
        [DllImport(Library)] internal static extern Status murmuration_apply(SwarmHandle swarm, ref NativeInput input);
        [DllImport(Library)] internal static extern Status murmuration_read(SwarmHandle swarm, Reading reading, void* buffer, UIntPtr capacity, out UIntPtr needed);
        [DllImport(Library)] internal static extern Status murmuration_events(SwarmHandle swarm, SwarmEvent[] events, UIntPtr capacity, out UIntPtr count);
        [DllImport(Library)] internal static extern Status murmuration_picture(SwarmHandle swarm, uint widest, void* buffer, UIntPtr capacity, out uint width, out uint height);

        internal static string Text(IntPtr utf8)
        {
            int length = 0;
            while (Marshal.ReadByte(utf8, length) != 0) length++;
            var bytes = new byte[length];
            Marshal.Copy(utf8, bytes, 0, length);
            return Encoding.UTF8.GetString(bytes);
        }

        internal static void Check(Status status)
        {
            if (status != Status.Ok) throw new SwarmException(status, Text(murmuration_last_error()));
        }
    }

    /// <summary>A call that failed: its code and its message.</summary>
    public sealed class SwarmException : Exception
    {
        public Status Status { get; }
        public SwarmException(Status status, string message) : base(message) { Status = status; }
    }

    /// <summary>An open swarm of the library, which is closed when nobody refers to it.</summary>
    public sealed class SwarmHandle : SafeHandle
    {
        internal SwarmHandle(IntPtr swarm) : base(IntPtr.Zero, true) { SetHandle(swarm); }
        public override bool IsInvalid => handle == IntPtr.Zero;
        protected override bool ReleaseHandle() { return Native.murmuration_close(handle) == Status.Ok; }
    }

    /// <summary>What is played. What is not set is as the preset has it.</summary>
    public sealed class Options
    {
        public string Preset = "droplets", Text, Chain, Engine = "auto";
        public uint Width, Height, Depth, Threads;
        public ulong? Seed;
        public bool AsIndividuals;
        public List<string> Settings = new List<string>();
    }

    /// <summary>A swarm. One thread at a time uses it.</summary>
    public sealed unsafe class Swarm : IDisposable
    {
        /// <summary>Quanta of a boid.</summary>
        public const uint Boid = 65536;

        readonly SwarmHandle handle;

        public static string Version => Native.Text(Native.murmuration_version());

        public Swarm(Options options)
        {
            var texts = new Texts();
            try
            {
                Native.Check(Native.murmuration_options_default(out var native, (UIntPtr)Marshal.SizeOf(typeof(NativeOptions))));
                native.Preset = texts.Add(options.Preset);
                native.Text = texts.Add(options.Text);
                native.Chain = texts.Add(options.Chain);
                native.Engine = texts.Add(options.Engine);
                (native.Width, native.Height, native.Depth, native.Threads) = (options.Width, options.Height, options.Depth, options.Threads);
                (native.HasSeed, native.Seed) = (options.Seed.HasValue ? 1u : 0u, options.Seed.GetValueOrDefault());
                native.AsIndividuals = options.AsIndividuals ? 1u : 0u;
                (native.Settings, native.SettingsCount) = (texts.AddAll(options.Settings), (UIntPtr)options.Settings.Count);
                Native.Check(Native.murmuration_open(ref native, out var swarm));
                handle = new SwarmHandle(swarm);
            }
            finally
            {
                texts.Free();
            }
        }

        /// <summary>The swarm of a checkpoint.</summary>
        public Swarm(byte[] checkpoint)
        {
            Native.Check(Native.murmuration_resume(checkpoint, (UIntPtr)checkpoint.Length, IntPtr.Zero, out var swarm));
            handle = new SwarmHandle(swarm);
        }

        public void Dispose() { handle.Dispose(); }

        public void Advance(ulong steps) { Native.Check(Native.murmuration_advance(handle, steps)); }

        public Facts Facts { get { Native.Check(Native.murmuration_facts(handle, out var facts)); return facts; } }

        public Account Account { get { Native.Check(Native.murmuration_account(handle, out var account)); return account; } }

        public string StateHash
        {
            get
            {
                var hash = new byte[65];
                Native.Check(Native.murmuration_state_hash(handle, hash));
                return Encoding.ASCII.GetString(hash, 0, 64);
            }
        }

        /// <summary>Hunts at a place in cells. y points down.</summary>
        public void Hunt(double x, double y, double? z = null, uint reach = 60, double weight = 2, bool follow = false)
        {
            Apply(new NativeInput { Kind = InputKind.Hunter, Axes = z.HasValue ? 3u : 2u, X = x, Y = y, Z = z.GetValueOrDefault(), Radius = reach, Weight = weight, Flag = follow ? 1u : 0u });
        }

        public void HuntNoMore() { Apply(new NativeInput { Kind = InputKind.NoHunter }); }

        public void OpenJaws(uint cells) { Apply(new NativeInput { Kind = InputKind.Jaws, Amount = cells }); }

        /// <summary>A brush: Spawn, Remove, Solid, Feed or RemoveFood, at a place in cells.</summary>
        public void Brush(InputKind kind, double x, double y, double? z = null, uint radius = 5, uint amount = 0, bool flag = false)
        {
            Apply(new NativeInput { Kind = kind, Axes = z.HasValue ? 3u : 2u, X = x, Y = y, Z = z.GetValueOrDefault(), Radius = radius, Amount = amount, Flag = flag ? 1u : 0u });
        }

        /// <summary>Sets a key of the preset, such as weights.cohesion.</summary>
        public void Set(string key, string value)
        {
            var texts = new Texts();
            try { Apply(new NativeInput { Kind = InputKind.Set, Key = texts.Add(key), Value = texts.Add(value) }); }
            finally { texts.Free(); }
        }

        void Apply(NativeInput input) { Native.Check(Native.murmuration_apply(handle, ref input)); }

        /// <summary>What came and went since the last call.</summary>
        public List<SwarmEvent> Events()
        {
            var found = new List<SwarmEvent>();
            var some = new SwarmEvent[64];
            UIntPtr count;
            do
            {
                Native.Check(Native.murmuration_events(handle, some, (UIntPtr)some.Length, out count));
                for (int index = 0; index < (int)count; index++) found.Add(some[index]);
            } while ((int)count == some.Length);
            return found;
        }

        /// <summary>The boids in each cell of the lattice, x fastest. The array is made anew where its length differs.</summary>
        public void ReadBoids(ref float[] boids) { Read(Reading.Boids, ref boids); }

        /// <summary>The individuals, sorted by number. The array is made anew where its length differs.</summary>
        public void ReadIndividuals(ref Individual[] individuals) { Read(Reading.Individuals, ref individuals); }

        public byte[] Checkpoint()
        {
            byte[] bytes = null;
            Read(Reading.Checkpoint, ref bytes);
            return bytes;
        }

        void Read<T>(Reading reading, ref T[] values) where T : struct
        {
            Native.Check(Native.murmuration_read(handle, reading, null, UIntPtr.Zero, out var needed));
            int length = (int)((ulong)needed / (ulong)Marshal.SizeOf(typeof(T)));
            if (values == null || values.Length != length) values = new T[length];
            if (length == 0) return;
            var pinned = GCHandle.Alloc(values, GCHandleType.Pinned);
            try { Native.Check(Native.murmuration_read(handle, reading, (void*)pinned.AddrOfPinnedObject(), needed, out needed)); }
            finally { pinned.Free(); }
        }

        /// <summary>The picture of the present step: four bytes a pixel, the top row first.</summary>
        public byte[] Picture(uint widest, out uint width, out uint height)
        {
            Native.Check(Native.murmuration_picture(handle, widest, null, UIntPtr.Zero, out width, out height));
            var pixels = new byte[4 * width * height];
            fixed (byte* first = pixels)
            {
                Native.Check(Native.murmuration_picture(handle, widest, first, (UIntPtr)pixels.Length, out width, out height));
            }
            return pixels;
        }

        /// <summary>Texts in UTF-8 for one call.</summary>
        sealed class Texts
        {
            readonly List<IntPtr> owned = new List<IntPtr>();

            internal IntPtr Add(string text)
            {
                if (text == null) return IntPtr.Zero;
                var bytes = Encoding.UTF8.GetBytes(text + "\0");
                var copy = Allocate(bytes.Length);
                Marshal.Copy(bytes, 0, copy, bytes.Length);
                return copy;
            }

            internal IntPtr AddAll(List<string> texts)
            {
                if (texts.Count == 0) return IntPtr.Zero;
                var all = Allocate(texts.Count * IntPtr.Size);
                for (int index = 0; index < texts.Count; index++) Marshal.WriteIntPtr(all, index * IntPtr.Size, Add(texts[index]));
                return all;
            }

            IntPtr Allocate(int bytes)
            {
                var memory = Marshal.AllocHGlobal(bytes);
                owned.Add(memory);
                return memory;
            }

            internal void Free() { owned.ForEach(Marshal.FreeHGlobal); }
        }
    }
}
