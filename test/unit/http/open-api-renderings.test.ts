import assert from 'node:assert/strict';
import { performance } from 'node:perf_hooks';
import { setTimeout as after } from 'node:timers/promises';
import { IdleCache } from '../../../src/http/openapi/idle-cache.ts';
import { OpenApiRenderings } from '../../../src/http/openapi/renderings.ts';
import { identifiersOf } from '../../../src/identifiers/identifiers.ts';
import { connectSubresources } from '../../../src/resources/connect-subresources.ts';
import { builtInCatalogue } from '../../../src/resources/definitions.ts';

const identifiers = identifiersOf('kubernetes');

describe('documents of OpenAPI', () => {
  const create = (): OpenApiRenderings =>
    new OpenApiRenderings(builtInCatalogue(identifiers), {
      identifiers,
      connects: connectSubresources,
      documents: [],
      version: 'v1.23.0',
    });

  it('are made once for all that ask', async () => {
    const renderings = create();
    const [first, second] = await Promise.all([renderings.version2('json'), renderings.version2('json')]);
    assert.equal(first, second);
    const documents = await Promise.all([renderings.version3('api/v1'), renderings.version3('api/v1')]);
    assert.equal(documents[0]?.rendering, documents[1]?.rendering);
  });

  it('are made in many turns of the event loop', async () => {
    const renderings = create();
    await renderings.version2('json');
    let turns = 0;
    let isDone = false;
    const count = (): void => {
      turns += 1;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    await renderings.index();
    isDone = true;
    // There are more than 60 documents.
    assert.ok(turns > 60, `${turns} turns`);
  });
});

describe('IdleCache', () => {
  it('keeps what is used and drops the rest', async () => {
    const cache = new IdleCache<string, object>(60);
    const used = cache.get('used', () => ({}));
    cache.get('unused', () => ({}));
    const endMs = performance.now() + 1000;
    while (cache.size > 1 && performance.now() < endMs) {
      assert.equal(
        cache.get('used', () => ({})),
        used,
      );
      await after(5);
    }
    assert.equal(cache.size, 1);
    while (cache.size > 0 && performance.now() < endMs) await after(5);
    assert.equal(cache.size, 0);
    assert.notEqual(
      cache.get('used', () => ({})),
      used,
    );
  });
});
