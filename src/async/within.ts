/** Resolves as a promise that never rejects does, or with another value when the time is over. */
export async function within<Value>(promise: Promise<Value>, limitMs: number, otherwise: Value): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<Value>((resolve) => {
    timer = setTimeout(() => resolve(otherwise), limitMs);
  });
  try {
    return await Promise.race([promise, over]);
  } finally {
    clearTimeout(timer);
  }
}
