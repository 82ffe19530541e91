// mcs: -r:System.Xml
// Types made at run time, whose methods name fields and methods by tokens that only
// managed code can resolve.
using System;
using System.IO;
using System.Reflection;
using System.Reflection.Emit;
using System.Xml.Serialization;

public class Item {
	public int Number;
	public string Word;
	public double[] Values;
}

static class Program {
	static int made;

	static Func<int, int> Make() {
		var name = new AssemblyName("made" + made++);
		TypeBuilder type = AppDomain.CurrentDomain
			.DefineDynamicAssembly(name, AssemblyBuilderAccess.Run)
			.DefineDynamicModule("m")
			.DefineType("T", TypeAttributes.Public);
		FieldBuilder field = type.DefineField("f", typeof(int),
						      FieldAttributes.Public);
		MethodBuilder twice = type.DefineMethod("Twice",
			MethodAttributes.Public | MethodAttributes.Static,
			typeof(int), new[] { typeof(int) });
		ILGenerator il = twice.GetILGenerator();

		il.Emit(OpCodes.Ldarg_0);
		il.Emit(OpCodes.Ldc_I4_2);
		il.Emit(OpCodes.Mul);
		il.Emit(OpCodes.Ret);
		MethodBuilder go = type.DefineMethod("Go", MethodAttributes.Public,
			typeof(int), new[] { typeof(int) });
		il = go.GetILGenerator();
		il.Emit(OpCodes.Ldarg_0);
		il.Emit(OpCodes.Ldfld, field);
		il.Emit(OpCodes.Ldarg_1);
		il.Emit(OpCodes.Call, twice);
		il.Emit(OpCodes.Add);
		il.Emit(OpCodes.Ret);

		object o = Activator.CreateInstance(type.CreateType());

		return (Func<int, int>)Delegate.CreateDelegate(
			typeof(Func<int, int>), o, o.GetType().GetMethod("Go"));
	}

	static long Called() {
		Func<int, int> go = Make();
		long sum = 0;

		for (int i = 0; i < 200000; i++)
			sum += go(i);
		return sum;
	}

	static readonly XmlSerializer serializer = new XmlSerializer(typeof(Item));

	static long Serialized() {
		var item = new Item { Number = 3, Word = "word",
				      Values = new[] { 0.5, 1, 2 } };
		long sum = 0;

		for (int i = 0; i < 30; i++) {
			var to = new StringWriter();

			serializer.Serialize(to, item);
			string text = to.ToString();
			item = (Item)serializer.Deserialize(new StringReader(text));
			sum += text.Length + item.Number + item.Values.Length;
		}
		return sum;
	}

	static void Main() {
		Loop.Run("called", 0.5, Called);
		Loop.Run("serialized", 0.5, Serialized);
	}
}
