// hot
// env: MONO_THREADS_SUSPEND=coop
// The same loop with threads that stop at safe points only.
static class Program {
	static void Main() { Loop.Run("suspend", TwoThreads.Round); }
}
