import { useEffect, useState } from 'preact/hooks';

/** The state of a value that is being read. */
interface Reading<Value> {
  readonly value?: Value;
  readonly error?: string;
}

/** The text of an error. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Reads a value when the component appears and when `key` changes; an earlier read is aborted. */
export function useAsync<Value>(read: (signal: AbortSignal) => Promise<Value>, key: string): Reading<Value> {
  const [reading, setReading] = useState<Reading<Value>>({});
  useEffect(() => {
    const stop = new AbortController();
    setReading({});
    const set = (next: Reading<Value>): void => {
      if (!stop.signal.aborted) setReading(next);
    };
    read(stop.signal).then(
      (value) => set({ value }),
      (error: unknown) => set({ error: messageOf(error) }),
    );
    return () => stop.abort();
  }, [key]);
  return reading;
}
