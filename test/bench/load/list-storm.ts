// Lists without a pause from some connections, in a process of its own with the lowest priority: clients of a server have their own
// machines, so reading the lists takes only the CPU time that the server and the measuring process leave. Arguments: URL, path, token,
// number of connections (2). Runs until it is killed.
import { constants, setPriority } from 'node:os';
import { openClient } from './http-client.ts';

setPriority(constants.priority.PRIORITY_LOW);
const [url = '', path = '', token = '', connections = '2'] = process.argv.slice(2);
const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {};
const list = async (): Promise<void> => {
  const client = openClient({ url, headers });
  // A refused list is asked for again.
  for (;;) await client.send({ path }).catch(() => undefined);
};
await Promise.all(Array.from({ length: Number(connections) }, list));
