import assert from 'node:assert/strict';
import { builtInDefinitions } from '../../../../src/catalogue/definitions.ts';
import { identifiersOf } from '../../../../src/identifiers/identifiers.ts';
import { upstreamKeys } from '../../../../src/storage/layout/upstream-keys.ts';

const identifiers = identifiersOf('kubernetes');
const builtIns = builtInDefinitions(identifiers).flatMap(({ storage }) => storage ?? []);
const keys = upstreamKeys({ prefix: '/registry', builtIns, apiDomain: identifiers.apiDomain });

/** The keys of this server, and those that kube-apiserver 1.20 and 1.36 were seen to write. */
const pairs: readonly (readonly [own: string, stored: string])[] = [
  ['secrets/default/a', 'secrets/default/a'],
  ['nodes/a', 'minions/a'],
  ['services/default/a', 'services/specs/default/a'],
  ['endpoints/default/a', 'services/endpoints/default/a'],
  ['replicationcontrollers/default/a', 'controllers/default/a'],
  ['deployments.apps/default/a', 'deployments/default/a'],
  ['ingresses.networking.k8s.io/default/a', 'ingress/default/a'],
  ['ingressclasses.networking.k8s.io/a', 'ingressclasses/a'],
  ['podsecuritypolicies.policy/a', 'podsecuritypolicy/a'],
  ['networkpolicies.networking.k8s.io/default/a', 'networkpolicies/default/a'],
  ['leases.coordination.k8s.io/default/a', 'leases/default/a'],
  ['clusterroles.rbac.authorization.k8s.io/a', 'clusterroles/a'],
  ['flowschemas.flowcontrol.apiserver.k8s.io/a', 'flowschemas/a'],
  ['customresourcedefinitions.apiextensions.k8s.io/a.b.c', 'apiextensions.k8s.io/customresourcedefinitions/a.b.c'],
  ['apiservices.apiregistration.k8s.io/v1.', 'apiregistration.k8s.io/apiservices/v1.'],
  ['widgets.example.com/default/a', 'example.com/widgets/default/a'],
  ['gateways.gateway.networking.k8s.io/default/a', 'gateway.networking.k8s.io/gateways/default/a'],
  ['~/identifiers', '~/identifiers'],
  ['~/servers/127.0.0.1-6443', '~/servers/127.0.0.1-6443'],
];

describe('the keys of kube-apiserver', () => {
  for (const [own, stored] of pairs) {
    it(`have ${stored} for ${own}, and back`, () => {
      assert.equal(keys.toStored(`/registry/${own}`), `/registry/${stored}`);
      assert.equal(keys.fromStored(`/registry/${stored}`), `/registry/${own}`);
      if (!own.startsWith('~')) assert.equal(keys.segmentOf(`/registry/${stored}`), own.split('/')[0]);
    });
  }

  it('are distinct for each built-in resource', () => {
    const places = builtIns.map(({ resource, group }) =>
      keys.toStored(`/registry/${resource}${group && `.${group}`}/`),
    );
    assert.equal(new Set(places).size, new Set(builtIns.map(({ resource, group }) => `${resource}.${group}`)).size);
  });

  it('keep the end of a page, and keys of unknown resources', () => {
    assert.equal(keys.toStored('/registry/nodes/a\0'), '/registry/minions/a\0');
    for (const key of [
      '/registry/ranges/serviceips',
      '/registry/masterleases/10.0.0.1',
      '/registry/services/other/a',
    ]) {
      assert.equal(keys.fromStored(key), key);
      assert.equal(keys.segmentOf(key), '');
    }
  });
});
