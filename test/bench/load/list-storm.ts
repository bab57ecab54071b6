// Lists without a pause from some connections, in a process of its own, so that reading lists does not hold up whoever measures something
// else. Arguments: URL, path, token, number of connections (2). Runs until it is killed.
import { openClient } from './http-client.ts';

const [url = '', path = '', token = '', connections = '2'] = process.argv.slice(2);
const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {};
const list = async (): Promise<void> => {
  const client = openClient({ url, headers });
  // A refused list is asked for again.
  for (;;) await client.send({ path }).catch(() => undefined);
};
await Promise.all(Array.from({ length: Number(connections) }, list));
