// Lists without a pause from some connections, in a process of its own that runs when no other wants to: clients of a server have their
// own machines, so reading the lists takes only the CPU time that the server, etcd and the measuring process leave. The lowest priority is
// not enough for that: Linux lets such a process finish its slice of some milliseconds when another one wakes up, which each of those
// does for each request. Arguments: URL, path, token, number of connections (2). Runs until it is killed.
import { spawnSync } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { openClient } from './http-client.ts';

setPriority(constants.priority.PRIORITY_LOW);
// The policy SCHED_IDLE, of all threads; a machine without the program keeps the lowest priority.
spawnSync('chrt', ['--all-tasks', '--idle', '--pid', '0', String(process.pid)]);
const [url = '', path = '', token = '', connections = '2'] = process.argv.slice(2);
const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {};
const list = async (): Promise<void> => {
  const client = openClient({ url, headers });
  // A refused list is asked for again.
  for (;;) await client.send({ path }).catch(() => undefined);
};
await Promise.all(Array.from({ length: Number(connections) }, list));
