// args: one 'two words' "" 'ünïcödé 日本' '--cof=off' -x '*' 'a"b' "it's"
// args:
// stdin: first line\nsecond \303\274 line\n\nlast without end
// env: COLOUR=blue HOME=/nowhere
// config: <?xml version="1.0"?><configuration><appSettings>
// config: <add key="key" value="from the file"/></appSettings></configuration>
// mcs: -r:System.Configuration
// What a program sees of the outside.
using System;
using System.Configuration;
using System.IO;
using System.Reflection;
using System.Text;

static class Program {
	static void Main(string[] args) {
		string line;

		foreach (string a in args)
			Console.WriteLine("[" + a + "]");
		Console.WriteLine(Environment.CommandLine);
		foreach (string a in Environment.GetCommandLineArgs())
			Console.WriteLine("<" + a + ">");
		while ((line = Console.ReadLine()) != null)
			Console.WriteLine(line.Length + " " + line);
		Console.Error.WriteLine("to stderr");
		Console.WriteLine(Environment.GetEnvironmentVariable("COLOUR"));
		Console.WriteLine(ConfigurationManager.AppSettings["key"]);
		Console.WriteLine(Environment.Version + " " + Environment.OSVersion);
		Console.WriteLine(Assembly.GetEntryAssembly().Location);
		Console.WriteLine(AppDomain.CurrentDomain.FriendlyName);
		Console.WriteLine(AppDomain.CurrentDomain.SetupInformation.ConfigurationFile);
		Console.WriteLine(typeof(object).Assembly.Location);
		Console.WriteLine(Directory.GetCurrentDirectory());
		Console.WriteLine(Console.OutputEncoding.WebName);
		Console.WriteLine(BitConverter.ToString(Encoding.UTF8.GetBytes("ü")));
		Console.WriteLine(Environment.ExitCode);
		Console.Out.Write("no newline");
	}
}
