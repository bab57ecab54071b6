import assert from 'node:assert/strict';
import type { AdmissionPlugin } from '../../../../src/admission/admission.ts';
import type { JsonObject } from '../../../../src/meta/json-value.ts';
import type {
  DeleteOptions,
  PagedList,
  RequestScope,
  VersionedList,
} from '../../../../src/registry/definition/registry.ts';
import { child, type Fixture, parsed, refusal, remove, startFixture, write, type KindStrategy } from '../fixture.ts';

const strategies: readonly KindStrategy[] = [
  {
    group: '',
    resource: 'pods',
    strategy: { generation: false, defaultGracePeriodSeconds: () => 30, returnsDeletedObject: true },
  },
  {
    group: '',
    resource: 'namespaces',
    strategy: {
      generation: false,
      holdsDeletion: (namespace) => JSON.stringify(namespace['spec'] ?? {}).includes('finalizers'),
      prepareForDelete: (namespace) => {
        namespace['status'] = { phase: 'Terminating' };
      },
      subresources: { finalize: {} },
    },
  },
];

describe('registry delete', () => {
  let fixture: Fixture;
  let named: RequestScope;
  beforeEach(() => {
    fixture = startFixture({ strategies });
    named = fixture.scope({ name: 'a' });
  });
  afterEach(() => fixture.close());
  const maps = () => fixture.registry('configmaps');
  const create = (metadata: JsonObject = {}) =>
    maps().create(fixture.scope(), { metadata: { name: 'a', ...metadata } }, write);
  const metadataOf = async (scope = named, resource = 'configmaps') =>
    child(parsed(await fixture.registry(resource).get(scope, { kind: 'latest' })), 'metadata');

  const pods = () => fixture.registry('pods');
  const createPod = () =>
    pods().create(
      fixture.scope(),
      { metadata: { name: 'a' }, spec: { containers: [{ name: 'c', image: 'i' }] } },
      write,
    );
  const grace = async () => {
    const metadata = await metadataOf(named, 'pods');
    return [metadata['deletionTimestamp'], metadata['deletionGracePeriodSeconds']];
  };

  it('removes an object at once and answers its uid', async () => {
    await create();
    const response = await maps().delete(named, remove);
    assert.equal(response.deleted && response.uid, 'uid-1');
    assert.equal((await refusal(maps().delete(named, remove))).message, 'configmaps "a" not found');
  });

  it('removes nothing in a dry run', async () => {
    await create();
    const before = await fixture.revision();
    const response = await maps().delete(named, { dryRun: true });
    assert.equal(response.deleted, true);
    assert.equal(await fixture.revision(), before);
  });

  it('refuses another uid and another resourceVersion by the name of the kind', async () => {
    await create();
    const uid = await refusal(maps().delete(named, { ...remove, preconditions: { uid: 'x' } }));
    assert.equal(uid.code, 409);
    assert.equal(uid.details?.kind, 'ConfigMap');
    assert.equal(
      uid.message,
      'Operation cannot be fulfilled on ConfigMap "a": the UID in the precondition (x) does not match the UID in record (uid-1). The object might have been deleted and then recreated',
    );
    const version = await refusal(maps().delete(named, { ...remove, preconditions: { resourceVersion: '99' } }));
    assert.match(version.message, /the ResourceVersion in the precondition \(99\) does not match/);
  });

  it('holds preconditions against the newest state, not the one at hand', async () => {
    await create();
    await maps().delete(named, remove);
    await create();
    const error = await refusal(maps().delete(named, { ...remove, preconditions: { uid: 'uid-1' } }));
    assert.equal(error.reason, 'Conflict');
    assert.equal((await metadataOf())['uid'], 'uid-2');
  });

  it('leaves an object with finalizers, marked for deletion', async () => {
    await create({ finalizers: ['x.io/hold'] });
    const response = await maps().delete(named, remove);
    assert.equal(response.deleted, false);
    const { deletionTimestamp, deletionGracePeriodSeconds, finalizers } = child(parsed(response.object), 'metadata');
    assert.deepEqual(
      [deletionTimestamp, deletionGracePeriodSeconds, finalizers],
      ['2026-01-01T00:00:00Z', 0, ['x.io/hold']],
    );
  });

  it('changes nothing when asked a second time', async () => {
    await create({ finalizers: ['x.io/hold'] });
    await maps().delete(named, remove);
    const before = await fixture.revision();
    fixture.clock.time = '2026-01-02T00:00:00Z';
    const again = await maps().delete(named, remove);
    assert.equal(again.deleted, false);
    assert.equal(await fixture.revision(), before);
  });

  it('can be repeated with another propagation policy', async () => {
    await create({});
    await maps().delete(named, { ...remove, propagationPolicy: 'Foreground' });
    const begun = await metadataOf();
    fixture.clock.time = '2026-01-02T00:00:00Z';
    await maps().delete(named, { ...remove, propagationPolicy: 'Orphan' });
    const changed = await metadataOf();
    assert.deepEqual(changed['finalizers'], ['orphan']);
    assert.equal(changed['deletionTimestamp'], begun['deletionTimestamp']);
    const last = await maps().delete(named, { ...remove, propagationPolicy: 'Background' });
    assert.equal(last.deleted, true);
  });

  const policies: readonly (readonly [options: Partial<DeleteOptions>, finalizers: string[]])[] = [
    [{ propagationPolicy: 'Orphan' }, ['x.io/hold', 'orphan']],
    [{ propagationPolicy: 'Foreground' }, ['x.io/hold', 'foregroundDeletion']],
    [{ propagationPolicy: 'Background' }, ['x.io/hold']],
    [{ orphanDependents: true }, ['x.io/hold', 'orphan']],
    [{ orphanDependents: false }, ['x.io/hold']],
  ];
  for (const [options, finalizers] of policies) {
    it(`has the collector's part done for ${JSON.stringify(options)}`, async () => {
      await create({ finalizers: ['x.io/hold'] });
      await maps().delete(named, { ...remove, ...options });
      assert.deepEqual((await metadataOf())['finalizers'], finalizers);
    });
  }

  it('keeps the policy that the object asks for where the request has none', async () => {
    await create({ finalizers: ['foregroundDeletion'] });
    await maps().delete(named, remove);
    assert.deepEqual((await metadataOf())['finalizers'], ['foregroundDeletion']);
  });

  it('drops the policy that the object asks for when the request has another', async () => {
    await create({ finalizers: ['orphan'] });
    const response = await maps().delete(named, { ...remove, propagationPolicy: 'Background' });
    assert.equal(response.deleted, true);
  });

  it('says of a taken name that its object is being deleted', async () => {
    await create({ finalizers: ['x.io/hold'] });
    await maps().delete(named, remove);
    const error = await refusal(create());
    assert.equal(error.message, 'object is being deleted: configmaps "a" already exists');
  });

  describe('with a period of grace', () => {
    it('gives the object the time of its kind', async () => {
      await createPod();
      assert.equal((await pods().delete(named, remove)).deleted, false);
      assert.deepEqual(await grace(), ['2026-01-01T00:00:30Z', 30]);
    });

    it('can be shortened but not lengthened', async () => {
      await createPod();
      await pods().delete(named, remove);
      await pods().delete(named, { ...remove, gracePeriodSeconds: 60 });
      assert.deepEqual(await grace(), ['2026-01-01T00:00:30Z', 30]);
      await pods().delete(named, { ...remove, gracePeriodSeconds: 5 });
      assert.deepEqual(await grace(), ['2026-01-01T00:00:05Z', 5]);
    });

    it('takes a negative period for one second', async () => {
      await createPod();
      await pods().delete(named, { ...remove, gracePeriodSeconds: -1 });
      assert.deepEqual(await grace(), ['2026-01-01T00:00:01Z', 1]);
    });

    it('ends at once with a period of 0, and answers the object', async () => {
      await createPod();
      await pods().delete(named, remove);
      const response = await pods().delete(named, { ...remove, gracePeriodSeconds: 0 });
      assert.equal(response.deleted && response.asObject, true);
    });
  });

  it('leaves a held object to the write that lets it go', async () => {
    const namespaces = fixture.registry('namespaces');
    const scope = fixture.scope({ namespace: '', name: 'n' });
    await namespaces.create(scope, { metadata: { name: 'n' }, spec: { finalizers: ['kubernetes'] } }, write);
    const response = await namespaces.delete(scope, remove);
    const body = parsed(response.object);
    assert.equal(response.deleted, false);
    assert.equal(child(body, 'status')['phase'], 'Terminating');
    assert.equal(child(body, 'metadata')['deletionGracePeriodSeconds'], undefined);
    assert.equal((await namespaces.delete(scope, remove)).deleted, false);
    await namespaces.update({ ...scope, subresource: 'finalize' }, { metadata: { name: 'n' }, spec: {} }, write);
    assert.equal((await refusal(namespaces.get(scope, { kind: 'latest' }))).reason, 'NotFound');
  });
});

describe('registry delete of a collection', () => {
  let fixture: Fixture;
  beforeEach(async () => {
    fixture = startFixture();
    for (let index = 0; index < 12; index++) {
      const name = `m${String(index).padStart(2, '0')}`;
      const metadata = {
        name,
        labels: { odd: String(index % 2) },
        ...(index === 3 ? { finalizers: ['x.io/hold'] } : {}),
      };
      await maps().create(fixture.scope(), { metadata }, write);
    }
  });
  afterEach(() => fixture.close());
  const maps = () => fixture.registry('configmaps');
  const names = async () => {
    const { items } = await maps().list(fixture.scope(), { at: { kind: 'latest' }, limit: 0 });
    return items.map((item) => child(parsed(item), 'metadata')['name']);
  };
  const odd = { filter: (index: { labels: ReadonlyMap<string, string> }) => index.labels.get('odd') === '1' };
  const all = { at: { kind: 'latest' }, limit: 0 } as const;

  it('deletes what is selected and answers it as it was', async () => {
    const { items } = whole(await maps().deleteCollection(fixture.scope(), { ...all, ...odd }, remove));
    assert.equal(items.length, 6);
    assert.ok(items.every((item) => child(parsed(item), 'metadata')['deletionTimestamp'] === undefined));
    assert.deepEqual(await names(), ['m00', 'm02', 'm03', 'm04', 'm06', 'm08', 'm10']);
  });

  it('deletes nothing in a dry run', async () => {
    const before = await fixture.revision();
    const { items } = whole(await maps().deleteCollection(fixture.scope(), all, { dryRun: true }));
    assert.equal(items.length, 12);
    assert.equal(await fixture.revision(), before);
  });

  it('leaves an object that has taken the place of a listed one', async () => {
    let isReplaced = false;
    const replace: AdmissionPlugin = {
      name: 'Replace',
      operations: ['DELETE'],
      validate: async ({ oldObject }) => {
        const name = 'n1';
        if (isReplaced || child(oldObject ?? {}, 'metadata')['name'] !== name) return;
        isReplaced = true;
        const registry = replacing.registry('configmaps');
        await registry.delete(replacing.scope({ name }), remove);
        await registry.create(replacing.scope(), { metadata: { name, labels: { new: 'yes' } } }, write);
      },
    };
    const replacing = startFixture({ plugins: [replace] });
    try {
      const registry = replacing.registry('configmaps');
      for (const name of ['n0', 'n1', 'n2']) await registry.create(replacing.scope(), { metadata: { name } }, write);
      const { items } = whole(await registry.deleteCollection(replacing.scope(), all, remove));
      assert.equal(items.length, 3);
      const { items: left } = whole(await registry.list(replacing.scope(), all));
      assert.deepEqual(
        left.map((item) => child(parsed(item), 'metadata')['name']),
        ['n1'],
      );
    } finally {
      await replacing.close();
    }
  });

  it('deletes one page when there is a limit', async () => {
    const response = await maps().deleteCollection(fixture.scope(), { ...all, limit: 5 }, remove);
    const { items, continueToken } = whole(response);
    assert.equal(items.length, 5);
    assert.notEqual(continueToken, '');
    assert.equal((await names()).length, 8);
  });
});

/** A list that fits into one page. */
function whole(list: VersionedList | PagedList): VersionedList {
  return 'items' in list ? list : assert.fail('it came in pages');
}
