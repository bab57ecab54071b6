/**
 * Runs an action `count` times, in batches of 1, 2, 4 and so on. After a batch with a failure no
 * further one starts, so that a server that refuses one of many refuses few. Returns the number of
 * successes and the first error.
 */
export async function slowStart(
  count: number,
  action: (index: number) => Promise<void>,
): Promise<{ readonly successes: number; readonly error?: unknown }> {
  let successes = 0;
  let started = 0;
  for (let size = 1; started < count; size *= 2) {
    const batch = Array.from({ length: Math.min(size, count - started) }, (_, index) => action(started + index));
    started += batch.length;
    const results = await Promise.allSettled(batch);
    successes += results.filter(({ status }) => status === 'fulfilled').length;
    const failure = results.find((result) => result.status === 'rejected');
    if (failure) return { successes, error: failure.reason };
  }
  return { successes };
}
