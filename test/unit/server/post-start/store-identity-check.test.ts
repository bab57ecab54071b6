import assert from 'node:assert/strict';
import { pino } from 'pino';
import { joinedChecks, startStoreIdentityCheck } from '../../../../src/server/post-start/store-identity-check.ts';
import { MemoryStore } from '../../../../src/storage/memory/memory-store.ts';
import { checkStoreIdentity } from '../../../../src/storage/port/store-identity.ts';
import { code } from '../../storage/fixture.ts';

const prefix = '/registry';

describe('the check of several stores', () => {
  const closing = new AbortController();
  after(() => closing.abort());

  const checkOf = (store: MemoryStore) =>
    startStoreIdentityCheck({
      store,
      place: 'a store',
      prefix,
      identifiers: 'cluster',
      layout: 'own',
      log: pino({ level: 'silent' }),
      signal: closing.signal,
    });

  it('refuses another store that was written under other identifiers, whose calls fail', async () => {
    const otherStore = new MemoryStore();
    await checkStoreIdentity({ store: otherStore, prefix, identifiers: 'kubernetes' });
    const [main, other] = [checkOf(new MemoryStore()), checkOf(otherStore)];
    const joined = joinedChecks(main, [other]);
    await assert.rejects(joined.refused, code('Conflict'));
    await joined.checked;
    assert.ok(await joined.store.status());
    await assert.rejects(other.store.status(), code('Unavailable'));
  });

  it('checks each again when one may have been replaced', async () => {
    const replaced = new MemoryStore();
    const other = checkOf(replaced);
    const joined = joinedChecks(checkOf(new MemoryStore()), [other]);
    await Promise.all([joined.checked, other.checked]);
    const key = `${prefix}/~/identifiers`;
    const { current } = await replaced.get(key);
    await replaced.update(key, Buffer.from('kubernetes'), current?.revision ?? 0);
    await assert.rejects(joined.recheck(), code('Conflict'));
    await assert.rejects(joined.refused, code('Conflict'));
    await assert.rejects(other.store.get(key), code('Unavailable'));
  });
});
