/* b.c - the other half of a.c */
long turn(long n);

long turn(long n)
{
	long sum = 0;

	for (long i = 0; i < 1000; i++)
		sum += (i ^ n) & 7;
	return sum;
}
