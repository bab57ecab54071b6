import assert from 'node:assert/strict';
import { builtInResources } from '../../../src/client/built-in-resources.ts';
import type { ApiObject, Client, corev1, Informer, ResourceClient } from '../../../src/client/index.ts';
import { type IdentifierSet, identifiersOf } from '../../../src/identifiers/identifiers.ts';
import type { VersionDefinition } from '../../../src/registry/definition/resource-definition.ts';
import { defaultRelease, isSince } from '../../../src/scheme/api-release.ts';
import { builtInDefinitions } from '../../../src/catalogue/definitions.ts';

/** Groups whose resources another group has under the same name. */
const secondGroups = new Set(['extensions', 'events']);

interface Greeting extends ApiObject {
  spec: { text: string };
}

/** Compiled, not run: the types of objects follow from their references. */
export async function useTypes(client: Client, pods: Informer<corev1.Pod>): Promise<unknown[]> {
  const { deployments, pods: podsReference, ...others } = builtInResources();
  const pod: corev1.Pod = await client.resource(podsReference).get('a');
  const image: string | undefined = pod.spec?.containers[0]?.image;
  const target: number | string | undefined = pod.spec?.containers[0]?.livenessProbe?.httpGet?.port;
  const cpu: string | undefined = pod.spec?.containers[0]?.resources?.limits?.['cpu'];
  const since: string | undefined = pod.metadata?.creationTimestamp;
  // @ts-expect-error: there is no such field.
  const missing: unknown = pod.spec?.container;
  // @ts-expect-error: a Deployment is no Pod.
  const wrong: corev1.Pod = await client.resource(deployments).get('a');
  // @ts-expect-error: a container has a name.
  await client.resource(podsReference).create({ spec: { containers: [{ image: 'a' }] } });
  const custom = { group: 'example.com', version: 'v1', resource: 'greetings' };
  const greetings: ResourceClient<Greeting> = client.resource<Greeting>(custom);
  const words: string = (await greetings.get('a')).spec.text;
  const untyped: unknown = (await client.resource(custom).get('a'))['spec'];
  const listed: string | undefined = pods.list()[0]?.status?.phase;
  return [image, target, cpu, since, missing, wrong, words, untyped, listed, others];
}

/** The versions that the default release has; all of a resource that is later. */
function inDefaultRelease(versions: readonly VersionDefinition[]): readonly VersionDefinition[] {
  const served = versions.filter(
    ({ lifecycle: { introduced = '1.0', removed } = {} }) =>
      isSince(defaultRelease, introduced) && !(removed !== undefined && isSince(defaultRelease, removed)),
  );
  return served.length > 0 ? served : versions;
}

describe('the built-in resources of the client', () => {
  for (const set of ['cluster', 'kubernetes'] satisfies IdentifierSet[]) {
    it(`are those that servers with the identifiers ${set} have`, () => {
      const definitions = builtInDefinitions(identifiersOf(set)).filter(
        ({ shortGroup }) => !secondGroups.has(shortGroup),
      );
      const expected = definitions.map(({ group, resource, versions, namespaced }) => {
        const names = inDefaultRelease(versions).map(({ version }) => version);
        const version = names.find((name) => /^v\d+$/.test(name)) ?? names[0];
        return [resource, { group, version, resource, namespaced }];
      });
      assert.deepEqual(builtInResources(set), Object.fromEntries(expected));
    });
  }
});
