// A client in a thread of its own, as quick as one in another process: posts objects one after the other and tells the statuses.
import { Agent, request } from 'node:https';
import { parentPort, workerData } from 'node:worker_threads';

/** What the thread is given. */
export interface LargePosts {
  readonly url: string;
  readonly ca: string;
  readonly token: string;
  readonly count: number;
  /** Characters of each object's data. */
  readonly size: number;
  /** Whether all objects are listed before each post. */
  readonly listing: boolean;
}

// The one who starts this file says what it is given.
const { url, ca, token, count, size, listing } = workerData as LargePosts;
const agent = new Agent({ keepAlive: true, maxSockets: 1, ca });

function send(method: string, body?: object): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/api/v1/namespaces/default/configmaps`, {
      method,
      agent,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    });
    sent.on('error', reject).on('response', (response) => {
      response.resume().on('end', () => resolve(response.statusCode));
    });
    sent.end(body && JSON.stringify(body));
  });
}

async function post(name: string): Promise<number | undefined> {
  if (listing) await send('GET');
  return send('POST', { metadata: { name }, data: { large: 'x'.repeat(size) } });
}

const statuses: (number | undefined)[] = [];
for (let i = 0; i < count; i++) statuses.push(await post(`large-${i}`).catch(() => undefined));
agent.destroy();
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin, unlike a window
parentPort?.postMessage(statuses);
