import assert from 'node:assert/strict';
import { identifiersOf } from '../../../src/identifiers/identifiers.ts';
import { isJsonObject, type JsonObject } from '../../../src/meta/json-value.ts';
import { nameOf } from '../../../src/meta/object-meta.ts';
import { objectAt, objectsAt, stringAt } from '../../../src/meta/read-field.ts';
import { applyMergePatch } from '../../../src/patch/merge-patch.ts';
import { builtInCatalogue } from '../../../src/catalogue/definitions.ts';
import type { ResourceDefinition } from '../../../src/registry/definition/resource-definition.ts';
import type { ServerOptions } from '../../../src/config/server-options.ts';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { type HttpResponse, request } from '../http-client.ts';
import { minimalObject } from '../minimal-objects.ts';
import { everyVersion } from '../every-version.ts';

/** A new object: its resource (`ingresses@networking.k8s.io/v1beta1` in another version), what is odd about it, how it differs from the smallest valid one, and the errors (none: created). */
export type Creation = readonly [resource: string, what: string, change: JsonObject, errors: readonly string[]];

/** A change of an object, or of its status (`daemonsets/status`), that differs from the smallest valid one by `before`. */
export type Update = readonly [
  resource: string,
  what: string,
  before: JsonObject,
  change: JsonObject,
  errors: readonly string[],
];

const identifiers = identifiersOf('kubernetes');
const resources = builtInCatalogue(identifiers).current.resources;
/** A resource, perhaps in another version, and perhaps a sub-resource of it. */
const updateTarget = /^(\w+(?:@(?:[\w.]+\/)?v\w+)?)(\/\w+)?$/;
const mergePatch = { 'content-type': 'application/merge-patch+json' };

/** Runs tables of what kube-apiserver refuses, and in which words, against a server. Changes are merge patches. */
export function checkRefusals(
  title: string,
  creations: readonly Creation[],
  updates: readonly Update[] = [],
  options: Partial<ServerOptions> = {},
): void {
  describe(`field errors of ${title}`, () => {
    let server: TestServer;
    before(async () => {
      server = await startServer({ ...everyVersion, store: 'memory', identifiers: 'kubernetes', ...options });
    });
    after(() => server.stop());

    for (const [resource, what, change, errors] of creations) {
      it(`${resource} with ${what}`, async () => {
        const { collection, object } = changed(resource, 'new', change);
        const response = await request(server, 'POST', `${collection}?dryRun=All`, object);
        expectErrors(response, errors);
      });
    }

    for (const [index, [target, what, before, change, errors]] of updates.entries()) {
      it(`${target}, changed in ${what}`, async () => {
        const [, resource = '', subresource = ''] = updateTarget.exec(target) ?? [];
        const { collection, object } = changed(resource, `old-${index}`, before);
        const created = await request(server, 'POST', collection, object);
        assert.equal(created.status, 201, created.text);
        const path = `${[collection, nameOf(object)].join('/')}${subresource}?dryRun=All`;
        expectErrors(await request(server, 'PATCH', path, change, mergePatch), errors);
      });
    }
  });
}

function changed(target: string, name: string, change: JsonObject): { collection: string; object: JsonObject } {
  const [resource = '', apiVersion] = target.split('@');
  const info = resources.find((one) => one.resource === resource && one.storage !== undefined);
  assert.ok(info, resource);
  const smallest = minimalObject(info, identifiers, name, apiVersion?.split('/').at(-1));
  const object = applyMergePatch(apiVersion === undefined ? smallest : { ...smallest, apiVersion }, change);
  assert.ok(isJsonObject(object));
  return { collection: collectionPath(info, stringAt(object, 'apiVersion')), object };
}

function collectionPath(info: ResourceDefinition, apiVersion: string): string {
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  return info.namespaced ? `${root}/namespaces/default/${info.resource}` : `${root}/${info.resource}`;
}

function expectErrors(response: HttpResponse, errors: readonly string[]): void {
  const body = response.body;
  assert.ok(isJsonObject(body as JsonObject), response.text);
  const causes = objectsAt(objectAt(body as JsonObject, 'details'), 'causes');
  const found = causes.map((cause) => `${stringAt(cause, 'field')}: ${stringAt(cause, 'message')}`);
  if (errors.length > 0) assert.equal(response.status, 422, response.text);
  else assert.ok(response.status < 300, response.text);
  // In any order, which `http/error-order.test.ts` is about.
  assert.deepEqual(found.toSorted(), errors.toSorted());
}
