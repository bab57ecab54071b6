import { createClient, findClientConfig } from 'cl-apiserver/client';
import { mirrorLabels } from './mirror-labels.js';

const stop = new AbortController();
process.once('SIGINT', () => stop.abort());
const client = createClient(await findClientConfig());
// A watch ends after some minutes: the next list has what changed meanwhile.
while (!stop.signal.aborted) {
  await mirrorLabels(client, stop.signal).catch((error: unknown) => stop.signal.aborted || Promise.reject(error));
}
await client.close();
