import assert from 'node:assert/strict';
import { startServer } from './start-server.ts';
import { readMetrics } from '../http/read-metrics.ts';

describe('/metrics of a server on etcd', () => {
  it('has the size of the database of the member that it uses', async () => {
    await using server = await startServer({ store: 'etcd' });
    const name = 'etcd_db_total_size_in_bytes';
    const size = [...(await readMetrics(server))].find(([series]) => series.startsWith(name));
    const [series, bytes] = size ?? assert.fail(`no ${name}`);
    assert.match(series, /^etcd_db_total_size_in_bytes\{endpoint="http:\/\/127\.0\.0\.1:\d+"\}$/);
    assert.ok(bytes > 10_000, String(bytes));
  });
});
