/*
 * nbody.cs - planets: floating point, and few but long calls
 *
 *	nbody.exe N: N lines, each after the same work
 */
using System;

class Body {
	public double X, Y, Z, VX, VY, VZ, Mass;
}

static class Program {
	static void Advance(Body[] bodies, int steps)
	{
		for (int n = 0; n < steps; n++) {
			for (int i = 0; i < bodies.Length; i++) {
				Body a = bodies[i];

				for (int j = i + 1; j < bodies.Length; j++) {
					Body b = bodies[j];
					double dx = a.X - b.X, dy = a.Y - b.Y;
					double dz = a.Z - b.Z;
					double d2 = dx * dx + dy * dy + dz * dz + 0.01;
					double mag = 0.001 / (d2 * Math.Sqrt(d2));

					a.VX -= dx * b.Mass * mag;
					a.VY -= dy * b.Mass * mag;
					a.VZ -= dz * b.Mass * mag;
					b.VX += dx * a.Mass * mag;
					b.VY += dy * a.Mass * mag;
					b.VZ += dz * a.Mass * mag;
				}
			}
			foreach (Body b in bodies) {
				b.X += 0.001 * b.VX;
				b.Y += 0.001 * b.VY;
				b.Z += 0.001 * b.VZ;
			}
		}
	}

	static void Main(string[] args)
	{
		var bodies = new Body[5];

		for (int i = 0; i < bodies.Length; i++)
			bodies[i] = new Body {
				X = i * 1.1, Y = i * 0.7 + 1, Z = i * 0.3,
				VX = 0.01 * i, VY = 0.02, VZ = 0.001 * i,
				Mass = 1.0 / (i + 1)
			};
		for (int n = int.Parse(args[0]); n > 0; n--) {
			Advance(bodies, 500000);
			Console.WriteLine("at {0:F9}", bodies[0].X);
		}
	}
}
