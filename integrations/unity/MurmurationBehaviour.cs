// A swarm in a scene of Unity: individuals as instances of a mesh, cells as a texture. This file needs UnityEngine.

using System.Collections.Generic;
using UnityEngine;

namespace Murmuration
{
    /// <summary>Plays a swarm, and draws it in the plane of its transform.</summary>
    public sealed class MurmurationBehaviour : MonoBehaviour
    {
        [Tooltip("The name of a preset, or the path of one")] public string preset = "school";
        [Tooltip("cpu, gpu or auto. All give the same bits.")] public string engine = "cpu";
        public uint width, height, depth;
        public string[] settings = new string[0];
        [Tooltip("Steps in each fixed update")] public uint steps = 1;
        [Tooltip("Units of the scene in a cell")] public float cell = 0.1f;
        [Tooltip("The individuals: a mesh that looks along z, with a material that has instancing enabled")] public Mesh mesh;
        public Material material;
        [Tooltip("Hunts where this object is; none: nobody hunts")] public Transform hunter;

        /// <summary>The boids in each cell of a swarm of cells, in the red channel.</summary>
        public Texture2D Density { get; private set; }

        Swarm swarm;
        Facts facts;
        Individual[] individuals;
        float[] boids;
        readonly List<Matrix4x4> instances = new List<Matrix4x4>();

        void OnEnable()
        {
            var options = new Options { Preset = preset, Engine = engine, Width = width, Height = height, Depth = depth };
            options.Settings.AddRange(settings);
            try
            {
                swarm = new Swarm(options);
                facts = swarm.Facts;
            }
            catch (SwarmException wrong)
            {
                Debug.LogError(wrong.Message, this);
                enabled = false;
            }
        }

        void OnDisable()
        {
            swarm?.Dispose();
            swarm = null;
        }

        void FixedUpdate()
        {
            if (hunter != null)
            {
                var at = transform.InverseTransformPoint(hunter.position) / cell;
                if (facts.Axes == 3) swarm.Hunt(at.x, facts.Height - at.y, at.z);
                else swarm.Hunt(at.x, facts.Height - at.y);
            }
            swarm.Advance(steps);
        }

        void Update()
        {
            if (facts.IsIndividuals != 0) DrawIndividuals();
            else DrawDensity();
        }

        void DrawIndividuals()
        {
            if (mesh == null || material == null) return;
            swarm.ReadIndividuals(ref individuals);
            instances.Clear();
            foreach (var one in individuals)
            {
                // y points down in the swarm, and up in the scene.
                var place = new Vector3(one.X, facts.Height - one.Y, one.Z) * cell;
                var heading = new Vector3(one.VelocityX, -one.VelocityY, one.VelocityZ);
                var turn = heading.sqrMagnitude > 0 ? Quaternion.LookRotation(heading) : Quaternion.identity;
                instances.Add(transform.localToWorldMatrix * Matrix4x4.TRS(place, turn, Vector3.one * cell));
            }
            var how = new RenderParams(material);
            // One call draws at most 1023 instances.
            for (int first = 0; first < instances.Count; first += 1023)
            {
                Graphics.RenderMeshInstanced(how, mesh, 0, instances, Mathf.Min(1023, instances.Count - first), first);
            }
        }

        void DrawDensity()
        {
            swarm.ReadBoids(ref boids);
            int across = (int)facts.LatticeWidth, down = (int)facts.LatticeHeight;
            if (Density == null) Density = new Texture2D(across, down, TextureFormat.RFloat, false);
            // Of several species or of a deep world the texture has the first layer. Row 0 of a texture is at the bottom.
            var flipped = new float[across * down];
            for (int row = 0; row < down; row++) System.Array.Copy(boids, row * across, flipped, (down - 1 - row) * across, across);
            Density.SetPixelData(flipped, 0);
            Density.Apply(false);
            if (material != null) material.mainTexture = Density;
        }
    }
}
