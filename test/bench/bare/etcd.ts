// The least that can write: the server's etcd transactions through etcd3 alone, in a process of their own, which measures itself. Arguments:
// endpoint, operation (create, update, delete or range), concurrency, count, bytes, prefix. Prints JSON.
import { Etcd3 } from 'etcd3';
import { eachOf } from '../load/press.ts';

const [endpoint = '', operation = '', ...numbers] = process.argv.slice(2);
const [width = 1, count = 1, bytes = 1000] = numbers.map(Number);
const etcd = new Etcd3({ hosts: endpoint });
const value = Buffer.alloc(bytes, 'x');
const keyOf = (index: number): Buffer => Buffer.from(`/bare/${process.pid}/${index}`);
const revisions = new Map<number, string>();

async function create(index: number): Promise<void> {
  const response = await etcd.kv.txn({
    compare: [{ key: keyOf(index), target: 'Create', result: 'Equal', create_revision: 0 }],
    success: [{ request_put: { key: keyOf(index), value } }],
  });
  revisions.set(index, response.header.revision);
}

async function swap(index: number): Promise<void> {
  const key = keyOf(index);
  const change = operation === 'update' ? { request_put: { key, value } } : { request_delete_range: { key } };
  await etcd.kv.txn({
    compare: [{ key, target: 'Mod', result: 'Equal', mod_revision: revisions.get(index) ?? '0' }],
    success: [change],
    failure: [{ request_range: { key } }],
  });
}

async function range(prefix: string): Promise<void> {
  const end = Buffer.from(`${prefix.slice(0, -1)}0`);
  let key = Buffer.from(prefix);
  for (let more = true; more; ) {
    const page = await etcd.kv.range({ key, range_end: end, limit: 500 });
    const last = page.kvs.at(-1);
    more = page.more && last !== undefined;
    if (last) key = Buffer.concat([last.key, Buffer.from([0])]);
  }
}

if (operation === 'update' || operation === 'delete') await eachOf(count, width, create);
else if (operation === 'create') await eachOf(count, width, (index) => create(count + index));
const before = process.cpuUsage();
const start = performance.now();
if (operation === 'range') await range(process.argv[7] ?? '/registry/');
else await eachOf(count, width, operation === 'create' ? create : swap);
const { user, system } = process.cpuUsage(before);
console.log(JSON.stringify({ cpuMicros: (user + system) / count, elapsedMs: performance.now() - start }));
etcd.close();
