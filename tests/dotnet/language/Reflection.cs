// hot
// mcs: -r:System.Core
// Methods called by reflection, and made at run time.
using System;
using System.Linq.Expressions;
using System.Reflection;
using System.Reflection.Emit;

public class Target {
	int n;
	public int Add(int a, int b) { n += a; return a * 3 + b + n % 2; }
	public static string Join(string a, object b) { return a + b; }
	public T Same<T>(T v) { return v; }
	public int Property { get; set; }
}

public static class Program {
	delegate int Binary(int a, int b);

	static Binary Emit(int k) {
		var m = new DynamicMethod("made" + k, typeof(int),
			new[] { typeof(int), typeof(int) }, typeof(Program).Module);
		ILGenerator il = m.GetILGenerator();

		il.Emit(OpCodes.Ldarg_0);
		il.Emit(OpCodes.Ldarg_1);
		il.Emit(OpCodes.Mul);
		il.Emit(OpCodes.Ldc_I4, k);
		il.Emit(OpCodes.Add);
		il.Emit(OpCodes.Call, typeof(Program).GetMethod("Hot"));
		il.Emit(OpCodes.Ret);
		return (Binary)m.CreateDelegate(typeof(Binary));
	}

	static Type made;

	static Type Make() {
		var name = new AssemblyName("Made");
		AssemblyBuilder a = AppDomain.CurrentDomain.DefineDynamicAssembly(name,
			AssemblyBuilderAccess.Run);
		TypeBuilder t = a.DefineDynamicModule("Made").DefineType("Made",
			TypeAttributes.Public);
		MethodBuilder m = t.DefineMethod("Loop",
			MethodAttributes.Public | MethodAttributes.Static,
			typeof(int), new[] { typeof(int) });
		ILGenerator il = m.GetILGenerator();
		Label again = il.DefineLabel();

		il.DeclareLocal(typeof(int));
		il.MarkLabel(again);
		il.Emit(OpCodes.Ldloc_0);
		il.Emit(OpCodes.Ldarg_0);
		il.Emit(OpCodes.Call, typeof(Program).GetMethod("Hot"));
		il.Emit(OpCodes.Add);
		il.Emit(OpCodes.Stloc_0);
		il.Emit(OpCodes.Ldarg_0);
		il.Emit(OpCodes.Ldc_I4_1);
		il.Emit(OpCodes.Sub);
		il.Emit(OpCodes.Starg_S, (byte)0);
		il.Emit(OpCodes.Ldarg_0);
		il.Emit(OpCodes.Brtrue, again);
		il.Emit(OpCodes.Ldloc_0);
		il.Emit(OpCodes.Ret);
		return t.CreateType();
	}

	public static int Hot(int x) {
		for (int i = 0; i < 20; i++)
			x = x * 31 + i;
		return x;
	}

	static long Round() {
		var target = new Target();
		MethodInfo add = typeof(Target).GetMethod("Add"),
			   join = typeof(Target).GetMethod("Join"),
			   same = typeof(Target).GetMethod("Same");
		Expression<Func<int, int>> e = x => x * 5 + Hot(x);
		Func<int, int> compiled = e.Compile();
		var loop = (Func<int, int>)Delegate.CreateDelegate(
			typeof(Func<int, int>), made.GetMethod("Loop"));
		long sum = 0;

		for (int i = 0; i < 60; i++) {
			sum += (int)add.Invoke(target, new object[] { i, 2 });
			sum += ((string)join.Invoke(null, new object[] { "a", i })).Length;
			sum += (int)same.MakeGenericMethod(typeof(int))
				.Invoke(target, new object[] { i });
			sum += ((string)same.MakeGenericMethod(typeof(string))
				.Invoke(target, new object[] { "s" })).Length;
			typeof(Target).GetProperty("Property").SetValue(target, i, null);
			sum += target.Property + compiled(i) + loop(30);
			if (i % 20 == 0)
				sum += Emit(i)(i, 3);
			try {
				add.Invoke(target, new object[] { "no", 2 });
			} catch (ArgumentException) {
				sum++;
			}
		}
		return sum;
	}

	static void Main() {
		made = Make();
		Loop.Run("reflection", Round);
	}
}
