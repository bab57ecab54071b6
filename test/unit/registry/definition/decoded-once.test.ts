import assert from 'node:assert/strict';
import { documentOf } from '../../../../src/codec/document.ts';
import { createProtobufCodec } from '../../../../src/codec/protobuf/protobuf-codec.ts';
import type { JsonObject } from '../../../../src/meta/json-value.ts';
import type { VersionedObject } from '../../../../src/registry/definition/registry.ts';
import { type Fixture, identifiers, parsed, startFixture, write } from '../fixture.ts';

const protobuf = createProtobufCodec(identifiers);
const pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p', labels: { app: 'a' } },
  spec: { containers: [{ name: 'c', image: 'i' }] },
};
const event = {
  apiVersion: 'events.k8s.io/v1',
  kind: 'Event',
  metadata: { name: 'e' },
  eventTime: '2026-01-01T00:00:00.000000Z',
  reportingController: 'scheduler',
  reportingInstance: 's',
  action: 'Binding',
  reason: 'Scheduled',
  regarding: { kind: 'Pod', namespace: 'ns', name: 'p' },
  type: 'Normal',
};

/** Counts the stored documents that are parsed while `work` runs. */
async function parsedDuring(work: () => Promise<void>): Promise<number> {
  const { parse } = JSON;
  let count = 0;
  JSON.parse = (...given: Parameters<typeof parse>) => {
    if (given[0].startsWith('{"kind":')) count++;
    return parse(...given);
  };
  try {
    await work();
  } finally {
    JSON.parse = parse;
  }
  return count;
}

describe('What a server has written', () => {
  let fixture: Fixture;
  beforeEach(async () => {
    fixture = startFixture({ builtIn: true });
    for (const [resource, group] of [['pods'], ['events', 'events.k8s.io']] as const) {
      await fixture.registry(resource, group).list(fixture.scope(), { at: { kind: 'latest' }, limit: 0 });
    }
  });
  afterEach(() => fixture.close());

  const inProtobuf = (object: VersionedObject): Buffer => Buffer.concat([...protobuf.encodeObject(object)]);

  it('is not decoded again for its response, its event and the next write', async () => {
    const pods = fixture.registry('pods');
    const at = (subresource: string) => fixture.scope({ name: 'p', subresource });
    const stop = new AbortController();
    const watched: string[] = [];
    const filter = ({ fields }: { fields: ReadonlyMap<string, string> }) => fields.get('status.phase') !== 'Failed';
    const start = { kind: 'state', at: { kind: 'any' }, bookmarkAfterState: false } as const;
    const scope = fixture.scope({ cancellation: stop });
    const batches = pods.watch(scope, { filter, start, bookmarks: false, timeoutMs: 60_000 })[Symbol.asyncIterator]();
    const seen = async (): Promise<void> => {
      for (const before = watched.length; watched.length === before; ) {
        for (const one of (await batches.next()).value ?? []) {
          if (one.type !== 'BOOKMARK') watched.push(`${one.type} ${inProtobuf(one.object).length > 0}`);
        }
      }
    };
    const patch = { type: 'strategic', document: { status: { phase: 'Running' } }, duplicateFields: [] } as const;
    const binding = { apiVersion: 'v1', kind: 'Binding', metadata: { name: 'p' }, target: { kind: 'Node', name: 'n' } };
    const count = await parsedDuring(async () => {
      inProtobuf(await pods.create(fixture.scope(), structuredClone(pod), write));
      await seen();
      await pods.create(at('binding'), binding, write);
      await seen();
      inProtobuf((await pods.patch(at('status'), patch, write)).object);
      await seen();
    });
    stop.abort();
    assert.deepEqual(watched, ['ADDED true', 'MODIFIED true', 'MODIFIED true']);
    assert.equal(count, 0);
    const { spec } = parsed(await pods.get(fixture.scope({ name: 'p' }), { kind: 'latest' })) as { spec: JsonObject };
    assert.equal(spec['nodeName'], 'n');
  });

  it('is converted, not decoded, for a response in another version', async () => {
    const events = fixture.registry('events', 'events.k8s.io');
    const scope = fixture.scope({ group: 'events.k8s.io', version: 'v1' });
    let bytes: Buffer = Buffer.alloc(0);
    assert.equal(
      await parsedDuring(async () => {
        bytes = inProtobuf(await events.create(scope, structuredClone(event), write));
      }),
      0,
    );
    const json = parsed(await events.get({ ...scope, name: 'e' }, { kind: 'latest' }));
    assert.deepEqual(bytes, Buffer.concat([...protobuf.encodeObject(documentOf(json))]));
  });
});
