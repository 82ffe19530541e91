// hot
// Remoting calls a method in another domain with objects of the first one. Their
// methods are the first domain's code, which then runs in the other. What such code
// calls in the first domain must not be what the other compiled: here each domain
// has a decimal separator of its own.
using System;
using System.Globalization;
using System.Reflection;

static class Program {
	public static string Text(object number) {
		return ((IFormattable)number).ToString("F1", null);
	}

	public static void Separator(string separator) {
		var culture = (CultureInfo)CultureInfo.InvariantCulture.Clone();

		culture.NumberFormat.NumberDecimalSeparator = separator;
		CultureInfo.DefaultThreadCurrentCulture = culture;
	}

	// What remoting calls to run a method in another domain.
	static readonly MethodInfo invoke = typeof(AppDomain).GetMethod(
		"InvokeInDomainByID", BindingFlags.NonPublic | BindingFlags.Static);
	static readonly MethodInfo text = typeof(Program).GetMethod("Text");
	static AppDomain other;

	static object InOther(MethodInfo method, object argument) {
		return invoke.Invoke(null, new object[] {
			other.Id, method, null, new[] { argument } });
	}

	static string Round() {
		string all = "";

		for (int i = 0; i < 300; i++) {
			object number = i + 0.5;
			string a = Text(number), b = (string)InOther(text, number);

			if (i % 100 == 0)
				all += a + " " + b + " ";
		}
		return all;
	}

	static void Main() {
		other = AppDomain.CreateDomain("other");
		Separator(".");
		InOther(typeof(Program).GetMethod("Separator"), ",");
		Console.WriteLine(Text(0.5));
		Loop.Run("texts", Round);
		AppDomain.Unload(other);
		Console.WriteLine(Text(1.5));
	}
}
