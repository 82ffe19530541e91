// hot
// env: MONO_ENV_OPTIONS=-O=-inline
// Options of Mono's in the environment.
static class Program {
	static void Main() { Loop.Run("options", TwoThreads.Round); }
}
