import assert from 'node:assert/strict';
import { everyVersion } from '../http/every-version.ts';
import { startServer, type TestServer } from '../../src/testing/index.ts';
import { LargeWriter, titleOf } from './large-bodies/large-writes.ts';
import { someLargeWrites } from './large-bodies/select-writes.ts';

describe('a body of 3 MB blocks nobody else', () => {
  let server: TestServer;
  let writer: LargeWriter;
  before(async () => {
    server = await startServer({ ...everyVersion, store: 'memory' });
    writer = new LargeWriter(server);
  });
  after(async () => {
    writer[Symbol.dispose]();
    await server.stop();
  });

  for (const write of someLargeWrites()) {
    it(titleOf(write), async () => {
      assert.equal(await writer.problemOf(write), undefined);
    });
  }
});
