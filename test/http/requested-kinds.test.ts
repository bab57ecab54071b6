import assert from 'node:assert/strict';
import { builtInDefinitions } from '../../src/catalogue/definitions.ts';
import { identifiersOf } from '../../src/identifiers/identifiers.ts';
import type { JsonObject } from '../../src/meta/json-value.ts';
import { nameOf, resourceVersionOf } from '../../src/meta/object-meta.ts';
import { objectAt, objectsAt, stringAt } from '../../src/meta/read-field.ts';
import type { ResourceDefinition } from '../../src/registry/definition/resource-definition.ts';
import type { ApiRelease } from '../../src/scheme/api-release.ts';
import { startServer, type TestServer } from '../../src/testing/index.ts';
import { type HttpResponse, request } from './http-client.ts';
import { minimalObject } from './minimal-objects.ts';

const identifiers = identifiersOf('kubernetes');
const groups: ReadonlySet<string> = new Set(['resource', 'scheduling', 'storage', 'storagemigration']);
const mergePatch = { 'content-type': 'application/merge-patch+json' };

/** The kinds of the groups that have versions which are served on request alone. */
const kinds = builtInDefinitions(identifiers).filter(
  ({ shortGroup, versions }) => groups.has(shortGroup) && versions.some(({ version }) => version !== 'v1'),
);

const pathOf = ({ group, resource, namespaced }: ResourceDefinition, version: string): string =>
  `/apis/${group}/${version}/${namespaced ? 'namespaces/default/' : ''}${resource}`;

function bodyOf(response: HttpResponse, status: number): JsonObject {
  assert.equal(response.status, status, response.text);
  return JSON.parse(response.text) as JsonObject;
}

/** A server of a release with all of its versions and features. */
function startWhole(emulatedRelease: ApiRelease): Promise<TestServer> {
  return startServer({
    emulatedRelease,
    store: 'memory',
    identifiers: 'kubernetes',
    runtimeConfig: ['api/all=true'],
    featureGates: ['AllAlpha=true', 'AllBeta=true'],
  });
}

/** The versions that the server has of a kind. */
async function servedOf(server: TestServer, info: ResourceDefinition): Promise<readonly string[]> {
  const found = await Promise.all(
    info.versions.map(async ({ version }) => {
      const { status, text } = await request(server, 'GET', `/apis/${info.group}/${version}`);
      const resources = status === 200 ? objectsAt(JSON.parse(text) as JsonObject, 'resources') : [];
      return resources.some((one) => one['name'] === info.resource) ? [version] : [];
    }),
  );
  return found.flat();
}

/** The object is the same in all versions: a replacement by what one of them shows changes nothing. */
async function checkVersions(server: TestServer, info: ResourceDefinition, versions: readonly string[]): Promise<void> {
  for (const version of versions) {
    const object = minimalObject(info, identifiers, `in-${version}`, version);
    const made = bodyOf(await request(server, 'POST', pathOf(info, version), object), 201);
    for (const other of versions) {
      const path = `${pathOf(info, other)}/${nameOf(object)}`;
      const read = bodyOf(await request(server, 'GET', path), 200);
      const kept = bodyOf(await request(server, 'PUT', path, read), 200);
      assert.equal(resourceVersionOf(kept), resourceVersionOf(made), `${version} as ${other}`);
    }
    const { metadata: _metadata, ...same } = bodyOf(
      await request(server, 'GET', `${pathOf(info, version)}/${nameOf(object)}`),
      200,
    );
    const { metadata: _made, ...first } = made;
    assert.deepEqual(same, first);
  }
}

for (const release of ['1.33', '1.35'] as const) {
  describe(`kinds of release ${release} that are served on request`, () => {
    let server: TestServer;
    before(async () => {
      server = await startWhole(release);
    });
    after(() => server.stop());

    for (const info of kinds) {
      it(`${info.resource}.${info.group} are the same in all of their versions`, async () => {
        await checkVersions(server, info, await servedOf(server, info));
      });
    }
  });
}

describe('kinds that are served on request', () => {
  let server: TestServer;
  before(async () => {
    server = await startWhole('1.36');
  });
  after(() => server.stop());

  for (const info of kinds) {
    it(`${info.resource}.${info.group} are the same in all of their versions`, async () => {
      const versions = await servedOf(server, info);
      assert.ok(versions.length > 0);
      await checkVersions(server, info, versions);
    });
  }

  const make = async (resource: string, version: string, change: JsonObject = {}, name = 'story') => {
    const info = kinds.find((one) => one.resource === resource);
    assert.ok(info);
    const object = { ...minimalObject(info, identifiers, name, version), ...change };
    return {
      path: `${pathOf(info, version)}/${name}`,
      response: await request(server, 'POST', pathOf(info, version), object),
    };
  };
  const messagesOf = ({ text }: HttpResponse): readonly string[] =>
    objectsAt(objectAt(JSON.parse(text) as JsonObject, 'details'), 'causes').map(
      (cause) => `${stringAt(cause, 'field')}: ${stringAt(cause, 'message')}`,
    );

  it('taint rules get a time, which a new effect renews, and a generation', async () => {
    const { path, response } = await make('devicetaintrules', 'v1beta2');
    const made = bodyOf(response, 201);
    assert.match(stringAt(objectAt(made, 'spec', 'taint'), 'timeAdded'), /^\d{4}-/);
    const taint = { timeAdded: '2026-01-01T00:00:00Z' };
    await request(server, 'PATCH', path, { spec: { taint } }, mergePatch);
    const changed = bodyOf(
      await request(server, 'PATCH', path, { spec: { taint: { effect: 'NoExecute' } } }, mergePatch),
      200,
    );
    assert.notEqual(stringAt(objectAt(changed, 'spec', 'taint'), 'timeAdded'), taint.timeAdded);
    assert.equal(objectAt(changed, 'metadata')['generation'], 3);
    const wrong = await request(server, 'PATCH', path, { spec: { deviceSelector: { driver: 'A_b' } } }, mergePatch);
    assert.match(
      messagesOf(wrong).join(),
      /^spec\.deviceSelector\.driver: Invalid value: "A_b": a lowercase RFC 1123 subdomain/,
    );
  });

  it('a workload has groups with one policy each, which do not change', async () => {
    const { response } = await make(
      'workloads',
      'v1alpha2',
      { spec: { podGroupTemplates: [{ name: 'a', schedulingPolicy: { gang: { minCount: 0 } } }] } },
      'wrong',
    );
    assert.deepEqual(messagesOf(response), [
      'spec.podGroupTemplates[0].schedulingPolicy.gang.minCount: Required value',
    ]);
    const { path } = await make('workloads', 'v1alpha2');
    const other = { spec: { podGroupTemplates: [{ name: 'b', schedulingPolicy: { basic: {} } }] } };
    const changed = await request(server, 'PATCH', path, other, mergePatch);
    assert.match(messagesOf(changed).join(), /^spec\.podGroupTemplates: Invalid value: .*: field is immutable$/);
  });

  it('a request for the state of pools ends with its status', async () => {
    const { path } = await make('resourcepoolstatusrequests', 'v1alpha3');
    const status = {
      poolCount: 0,
      conditions: [
        { type: 'Complete', status: 'True', reason: 'Done', message: '', lastTransitionTime: '2026-01-01T00:00:00Z' },
      ],
    };
    bodyOf(await request(server, 'PATCH', `${path}/status`, { status }, mergePatch), 200);
    const again = await request(server, 'PATCH', `${path}/status`, { status: { poolCount: 1 } }, mergePatch);
    assert.match(messagesOf(again).join(), /^status: Invalid value: .*: field is immutable$/);
  });

  it('a migration that succeeded cannot fail', async () => {
    const { path } = await make('storageversionmigrations', 'v1beta1');
    const state = (type: string, status = 'True') => ({
      type,
      status,
      reason: 'A',
      message: '',
      lastTransitionTime: '2026-01-01T00:00:00Z',
    });
    const write = (...conditions: readonly JsonObject[]) =>
      request(
        server,
        'PATCH',
        `${path}/status`,
        { status: { conditions: [...conditions], resourceVersion: '5' } },
        mergePatch,
      );
    bodyOf(await write(state('Succeeded')), 200);
    const messages = messagesOf(await write(state('Succeeded'), state('Failed')));
    assert.match(messages.join(), /Both success and failed conditions cannot be true at the same time$/);
  });
});
