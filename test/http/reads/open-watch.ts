import { agentOf, type HttpResponse, type Target, type WatchDocument } from '../http-client.ts';

/** A watch whose answer has begun: a refusal as it came, or what has been told so far. */
export interface OpenWatch {
  readonly status: number;
  readonly headers: HttpResponse['headers'];
  /** The Status of a refusal. */
  readonly body: unknown;
  readonly text: string;
  readonly events: WatchDocument[];
  /** Resolves when the server has ended the watch, or `stop` has; with whether the end was clean. */
  readonly ended: Promise<boolean>;
  stop(): void;
}

/** Opens a watch and resolves with its status. */
export async function openWatch(server: Target, path: string, more: Record<string, string> = {}): Promise<OpenWatch> {
  const stop = new AbortController();
  const { statusCode, headers, body } = await agentOf(server).request({
    origin: server.url,
    path,
    method: 'GET',
    headers: { authorization: `Bearer ${server.token}`, ...more },
    signal: stop.signal,
  });
  const events: WatchDocument[] = [];
  if (statusCode !== 200) {
    const text = await body.text();
    const ended = Promise.resolve(true);
    return { status: statusCode, headers, body: JSON.parse(text), text, events, ended, stop: () => stop.abort() };
  }
  const read = async (): Promise<void> => {
    let rest = '';
    for await (const chunk of body) {
      // The body is a stream of bytes.
      const lines = (rest + (chunk as Buffer).toString('utf8')).split('\n');
      rest = lines.pop() ?? '';
      // Frames are documents of a watch.
      events.push(...lines.filter(Boolean).map((line) => JSON.parse(line) as WatchDocument));
    }
  };
  const ended = read().then(
    () => true,
    () => false,
  );
  return { status: statusCode, headers, body: undefined, text: '', events, ended, stop: () => stop.abort() };
}
