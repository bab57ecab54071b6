import assert from 'node:assert/strict';
import { performance } from 'node:perf_hooks';
import { mock } from 'node:test';
import { IdleCache } from '../../../../src/api/openapi/idle-cache.ts';
import { OpenApiDocuments } from '../../../../src/api/openapi/open-api-documents.ts';
import { identifiersOf } from '../../../../src/identifiers/identifiers.ts';
import { connectSubresources } from '../../../../src/catalogue/connect-subresources.ts';
import { builtInCatalogue } from '../../../../src/catalogue/definitions.ts';
import type { JsonObject } from '../../../../src/meta/json-value.ts';
import { customKind } from '../custom-kind.ts';

const identifiers = identifiersOf('kubernetes');

describe('documents of OpenAPI', () => {
  const create = (): OpenApiDocuments =>
    new OpenApiDocuments(builtInCatalogue(identifiers), {
      identifiers,
      connects: connectSubresources,
      documents: [],
      version: 'v1.23.0',
      mediaTypes: [],
      watchMediaTypes: [],
    });

  it('are made once for all that ask', async () => {
    const documents = create();
    const [first, second] = await Promise.all([documents.version2('json'), documents.version2('json')]);
    assert.equal(first, second);
    const stable = await Promise.all([documents.version3('api/v1'), documents.version3('api/v1')]);
    assert.equal(stable[0]?.document, stable[1]?.document);
  });

  it('name all built-in kinds among their definitions, and the groups of those that all have', async () => {
    const document = await create().version3('apis/apps/v1');
    const text = document?.document.body.toString() ?? '';
    type Definition = {
      readonly properties: object;
      readonly 'x-kubernetes-group-version-kind': readonly JsonObject[];
    };
    const parsed = JSON.parse(text) as { readonly components: { readonly schemas: Record<string, Definition> } };
    const kindsOf = (name: string) => parsed.components.schemas[name]?.['x-kubernetes-group-version-kind'] ?? [];
    const claim = { group: '', kind: 'PersistentVolumeClaim', version: 'v1' };
    assert.deepEqual(kindsOf('io.k8s.api.core.v1.PersistentVolumeClaim'), [claim]);
    const options = kindsOf('io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions');
    for (const group of ['', 'apps', 'batch'])
      assert.ok(
        options.some((kind) => kind['group'] === group),
        group,
      );
    const event = parsed.components.schemas['io.k8s.apimachinery.pkg.apis.meta.v1.WatchEvent'];
    assert.deepEqual(Object.keys(event?.properties ?? {}), ['object', 'type']);
  });

  it('are in memory pages of their own, which the system gets back', async () => {
    for (const type of ['json', 'protobuf'] as const) {
      const { body } = await create().version2(type);
      assert.ok(body.buffer instanceof ArrayBuffer && body.buffer.resizable, type);
    }
  });

  it('are made in many turns of the event loop', async () => {
    const documents = create();
    await documents.version2('json');
    let turns = 0;
    let isDone = false;
    const count = (): void => {
      turns += 1;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    await documents.index();
    isDone = true;
    // There are more than 60 documents.
    assert.ok(turns > 60, `${turns} turns`);
  });
});

describe('IdleCache', () => {
  let nowMs = 0;
  const pass = (ms: number): void => {
    nowMs += ms;
    mock.timers.tick(ms);
  };
  beforeEach(() => {
    mock.timers.enable({ apis: ['setInterval'] });
    mock.method(performance, 'now', () => nowMs);
  });
  afterEach(() => {
    mock.timers.reset();
    mock.restoreAll();
  });

  it('keeps what is used and drops the rest', () => {
    const cache = new IdleCache<string, object>(60);
    const used = cache.get('used', () => ({}));
    cache.get('unused', () => ({}));
    for (let turn = 0; turn < 20; turn++) {
      pass(10);
      assert.equal(
        cache.get('used', () => ({})),
        used,
      );
    }
    assert.equal(cache.size, 1);
    pass(200);
    assert.equal(cache.size, 0);
    assert.notEqual(
      cache.get('used', () => ({})),
      used,
    );
  });
});

describe('the document of the whole server', () => {
  it('describes the deprecated watches of built-in resources only', async () => {
    const catalogue = builtInCatalogue(identifiers);
    catalogue.put({ ...customKind('example.com', 'gizmos'), isCustom: true });
    const names = {
      identifiers,
      connects: connectSubresources,
      documents: [],
      version: 'v1.23.0',
      mediaTypes: [],
      watchMediaTypes: [],
    };
    const { body } = await new OpenApiDocuments(catalogue, names).version2('json');
    const text = body.toString();
    assert.ok(text.includes('/apis/example.com/v1/namespaces/{namespace}/gizmos'));
    assert.ok(text.includes('/api/v1/watch/pods'));
    assert.ok(!text.includes('/apis/example.com/v1/watch/'));
  });

  it('is made of the pieces that did not change', async () => {
    const catalogue = builtInCatalogue(identifiers);
    let described = 0;
    const counted = (name: string) => {
      const kind = customKind('example.com', name);
      const [version] = kind.versions;
      assert.ok(version);
      // The schema is asked for by each of the paths of the kind.
      const schema = () => {
        described++;
        return version.schema();
      };
      return { ...kind, versions: [{ ...version, schema }] };
    };
    catalogue.put(counted('widgets'));
    const names = {
      identifiers,
      connects: connectSubresources,
      documents: [],
      version: 'v1.23.0',
      mediaTypes: [],
      watchMediaTypes: [],
    };
    const documents = new OpenApiDocuments(catalogue, names);
    const pathsIn = ({ body }: { readonly body: Buffer }): readonly string[] =>
      Object.keys((JSON.parse(body.toString()) as { readonly paths: object }).paths);
    await documents.version2('json');
    const first = described;
    catalogue.put(counted('gadgets'));
    const second = await documents.version2('json');
    const path = (name: string): string => `/apis/example.com/v1/namespaces/{namespace}/${name}`;
    assert.ok(pathsIn(second).includes(path('gadgets')) && pathsIn(second).includes(path('widgets')));
    // Both kinds are asked for their schema once more to find all kinds of a definition.
    assert.ok(described - first < 2 * first, `${first} calls at first, then ${described - first} more`);

    const fresh = await new OpenApiDocuments(catalogue, names).version2('json');
    assert.equal(second.body.toString(), fresh.body.toString());
    assert.equal(second.hash, fresh.hash);
    catalogue.remove('example.com', 'widgets');
    const third = await documents.version2('json');
    assert.ok(pathsIn(third).includes(path('gadgets')) && !pathsIn(third).includes(path('widgets')));
    assert.equal(
      third.body.toString(),
      (await new OpenApiDocuments(catalogue, names).version2('json')).body.toString(),
    );
  });
});
