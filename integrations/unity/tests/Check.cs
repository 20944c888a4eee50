// Plays a swarm through Murmuration.cs, without Unity. test.sh runs it.

using System;
using System.Runtime.InteropServices;
using Murmuration;

static class Check
{
    static void That(bool holds, string what)
    {
        if (holds) return;
        Console.Error.WriteLine("Check.cs: " + what);
        Environment.Exit(1);
    }

    static void Main()
    {
        That(Marshal.SizeOf(typeof(Individual)) == 32, "the size of an individual");
        That(Marshal.SizeOf(typeof(SwarmEvent)) == 64, "the size of an event");
        var options = new Options { Preset = "school", Engine = "cpu", Width = 96, Height = 64, Seed = 7 };
        options.Settings.Add("start.run_in=0");
        using (var swarm = new Swarm(options))
        {
            That(swarm.Facts.Seed == 7 && swarm.Facts.IsIndividuals == 1 && swarm.Facts.Width == 96, "the facts");
            swarm.OpenJaws(8);
            Individual[] all = null;
            swarm.ReadIndividuals(ref all);
            swarm.Hunt(all[0].X, all[0].Y);
            swarm.Advance(10);
            swarm.Set("weights.cohesion", "0.5");
            swarm.Advance(10);
            var account = swarm.Account;
            That(account.Step == 20 && account.Lost == 0 && account.Caught > 0, "the account");
            var events = swarm.Events();
            ulong caught = 0;
            foreach (var happened in events) caught += happened.Kind == EventKind.Caught && happened.Axes == 3 ? happened.Quanta : 0;
            That(events.Count > 0 && caught == account.Caught, "the events");
            swarm.ReadIndividuals(ref all);
            That((ulong)all.Length * Swarm.Boid == account.Quanta, "the individuals");
            var pixels = swarm.Picture(64, out var width, out var height);
            That(width == 64 && pixels.Length == 4 * width * height, "the picture");
            using (var copy = new Swarm(swarm.Checkpoint())) That(copy.StateHash == swarm.StateHash, "the checkpoint");
        }
        options.Preset = "nowhere";
        try
        {
            new Swarm(options).Dispose();
            That(false, "a preset that is not there is taken");
        }
        catch (SwarmException wrong)
        {
            That(wrong.Status == Status.BadInput && wrong.Message.Contains("nowhere"), "the message");
        }
        Console.WriteLine("unity: Murmuration.cs plays, by " + Swarm.Version);
    }
}
