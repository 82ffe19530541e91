/*
 * single.cs - virtual and interface calls that always meet one class, and what
 * they would take if the caller asked for that class first
 *
 *	single.exe N [guarded]: N lines, each after the same work
 */
using System;

abstract class Account {
	public abstract int Fee(int amount);
}

interface IRate {
	int Of(int amount);
}

sealed class Plain : Account, IRate {
	readonly int percent;

	public Plain(int percent) { this.percent = percent; }
	public override int Fee(int amount) { return amount * percent / 100; }
	public int Of(int amount) { return amount + percent; }
}

/* Loaded, so that nobody can know there is one class only. */
class Other : Account, IRate {
	public override int Fee(int amount) { return amount; }
	public int Of(int amount) { return amount; }
}

static class Program {
	static int Dispatched(Account[] accounts, IRate[] rates)
	{
		int sum = 0;

		for (int i = 0; i < accounts.Length; i++) {
			sum += accounts[i].Fee(i);
			sum ^= rates[i].Of(i);
		}
		return sum;
	}

	static int Guarded(Account[] accounts, IRate[] rates)
	{
		int sum = 0;

		for (int i = 0; i < accounts.Length; i++) {
			var a = accounts[i] as Plain;
			var r = rates[i] as Plain;

			sum += a != null ? a.Fee(i) : accounts[i].Fee(i);
			sum ^= r != null ? r.Of(i) : rates[i].Of(i);
		}
		return sum;
	}

	static void Main(string[] args)
	{
		var accounts = new Account[1000];
		var rates = new IRate[1000];
		bool guarded = args.Length > 1;
		int other = new Other().Fee(3);

		for (int i = 0; i < 1000; i++)
			rates[i] = (IRate)(accounts[i] = new Plain(i % other));
		for (int n = int.Parse(args[0]); n > 0; n--) {
			int sum = 0;

			for (int i = 0; i < 10000; i++)
				sum += guarded ? Guarded(accounts, rates) :
				       Dispatched(accounts, rates);
			Console.WriteLine("fees {0}", sum);
		}
	}
}
