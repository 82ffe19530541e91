// hot
// Threads that contend: monitors, waits and pulses, synchronized methods,
// reader-writer locks, interlocked and volatile, thread statics.
using System;
using System.Runtime.CompilerServices;
using System.Threading;

class Account {
	int money;
	readonly object door = new object();
	public void Pay(int n) { lock (door) { int m = money; money = m + n; } }
	public int Money { get { lock (door) return money; } }
}

class Synchronized {
	int n;
	[MethodImpl(MethodImplOptions.Synchronized)]
	public void Add(int by) { n += by; }
	[MethodImpl(MethodImplOptions.Synchronized)]
	public int Get() { return n; }
}

class Queue2 {
	readonly int[] items = new int[8];
	int head, tail;
	public void Put(int i) {
		lock (items) {
			while (tail - head == items.Length)
				Monitor.Wait(items);
			items[tail++ % items.Length] = i;
			Monitor.PulseAll(items);
		}
	}
	public int Take() {
		lock (items) {
			while (tail == head)
				Monitor.Wait(items);
			int i = items[head++ % items.Length];
			Monitor.PulseAll(items);
			return i;
		}
	}
}

static class Program {
	[ThreadStatic] static int mine;
	static int shared;
	static readonly ReaderWriterLockSlim slim = new ReaderWriterLockSlim();

	static void Work(Account a, Synchronized s, int n) {
		for (int i = 0; i < n; i++) {
			a.Pay(i % 7);
			s.Add(i % 3);
			Interlocked.Add(ref shared, i % 5);
			mine++;
			if (i % 16 == 0) {
				slim.EnterWriteLock();
				try { mine += 0; } finally { slim.ExitWriteLock(); }
			} else if (i % 4 == 0) {
				slim.EnterReadLock();
				slim.ExitReadLock();
			}
		}
		Interlocked.Add(ref shared, mine);
		mine = 0;
	}

	static long Round() {
		var account = new Account();
		var sync = new Synchronized();
		var queue = new Queue2();
		var threads = new Thread[4];
		long sum = 0;

		shared = 0;
		for (int t = 0; t < 3; t++)
			threads[t] = new Thread(() => Work(account, sync, 2000));
		threads[3] = new Thread(() => {
			for (int i = 0; i < 300; i++)
				queue.Put(i);
		});
		foreach (Thread t in threads)
			t.Start();
		for (int i = 0; i < 300; i++)
			sum = sum * 3 + queue.Take();
		foreach (Thread t in threads)
			t.Join();
		return sum + account.Money + sync.Get() * 2 + shared * 3;
	}

	static void Main() { Loop.Run("locks", Round); }
}
