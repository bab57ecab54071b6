// Lists without a pause from two connections, in a process of its own, so that reading lists does not hold up whoever measures something
// else. Arguments: URL, path, token. Runs until it is killed.
import { openClient } from './http-client.ts';

const [url = '', path = '', token = ''] = process.argv.slice(2);
const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {};
const list = async (): Promise<void> => {
  const client = openClient({ url, headers });
  for (;;) await client.send({ path });
};
await Promise.all([list(), list()]);
