import { useEffect, useRef, useState } from 'preact/hooks';

/** The state of a value that is being read. */
interface Reading<Value> {
  readonly value?: Value;
  readonly error?: string;
}

/** The text of an error. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * Reads a value when the component appears and when `key` changes; an earlier read is aborted. An
 * earlier value is kept meanwhile if it is about the same `subject`.
 */
export function useAsync<Value>(
  read: (signal: AbortSignal) => Promise<Value>,
  key: string,
  subject: string = key,
): Reading<Value> {
  const [reading, setReading] = useState<Reading<Value>>({});
  const about = useRef(subject);
  useEffect(() => {
    const stop = new AbortController();
    if (about.current !== subject) setReading({});
    about.current = subject;
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
