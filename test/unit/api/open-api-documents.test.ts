import assert from 'node:assert/strict';
import { queryParameters } from '../../../src/api/openapi/query-parameters.ts';
import { identifiersOf } from '../../../src/identifiers/identifiers.ts';
import { openApiDefinition } from '../../../src/scheme/open-api-definition.ts';
import type { OpenApiSchema } from '../../../src/scheme/open-api-schema.ts';
import { schemaOf } from '../../../src/scheme/schema-of.ts';
import { type Fixture, startFixture } from './fixture.ts';

type Parameter = { readonly name: string; readonly in: string };
type Operation = Record<string, unknown> & { readonly parameters?: readonly Parameter[]; readonly operationId: string };
type Paths = Record<string, Record<string, Operation> & { readonly parameters?: readonly Parameter[] }>;
type Definitions = Record<string, OpenApiSchema>;

const kubernetes = identifiersOf('kubernetes');
const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'];

describe('the published operations', () => {
  let fixture: Fixture;
  let paths: Paths;

  before(async () => {
    fixture = await startFixture();
    ({ paths } = (await fixture.send({ path: '/openapi/v2' })).json() as { paths: Paths });
  });

  after(() => fixture[Symbol.asyncDispose]());

  const operation = (method: string, path: string): Operation => {
    const found = paths[path]?.[method];
    assert.ok(found, `${method} ${path}`);
    return found;
  };
  const parametersOf = (method: string, path: string): string[] =>
    [...(paths[path]?.parameters ?? []), ...(operation(method, path).parameters ?? [])]
      .map(({ name }) => name)
      .toSorted();

  it('are named by verb, group, version, scope, kind and sub-resource', () => {
    const names: readonly [string, string, string, string][] = [
      ['get', '/api/v1/pods', 'listCoreV1PodForAllNamespaces', 'list'],
      ['get', '/api/v1/namespaces/{namespace}/pods', 'listCoreV1NamespacedPod', 'list'],
      ['post', '/api/v1/namespaces/{namespace}/pods', 'createCoreV1NamespacedPod', 'post'],
      ['delete', '/api/v1/namespaces/{namespace}/pods', 'deleteCoreV1CollectionNamespacedPod', 'deletecollection'],
      ['put', '/api/v1/namespaces/{name}/finalize', 'replaceCoreV1NamespaceFinalize', 'put'],
      ['get', '/api/v1/watch/pods', 'watchCoreV1PodListForAllNamespaces', 'watchlist'],
      ['get', '/api/v1/watch/namespaces/{namespace}/pods/{name}', 'watchCoreV1NamespacedPod', 'watch'],
      ['get', '/api/v1/namespaces/{namespace}/pods/{name}/log', 'readCoreV1NamespacedPodLog', 'get'],
      ['post', '/api/v1/namespaces/{namespace}/pods/{name}/exec', 'connectCoreV1PostNamespacedPodExec', 'connect'],
      ['get', '/api/v1/nodes/{name}/proxy/{path}', 'connectCoreV1GetNodeProxyWithPath', 'connect'],
      ['post', '/api/v1/namespaces/{namespace}/pods/{name}/eviction', 'createCoreV1NamespacedPodEviction', 'post'],
      [
        'patch',
        '/apis/apps/v1/namespaces/{namespace}/deployments/{name}/scale',
        'patchAppsV1NamespacedDeploymentScale',
        'patch',
      ],
      ['get', '/apis/rbac.authorization.k8s.io/v1/clusterroles', 'listRbacAuthorizationV1ClusterRole', 'list'],
      [
        'put',
        '/apis/certificates.k8s.io/v1/certificatesigningrequests/{name}/approval',
        'replaceCertificatesV1CertificateSigningRequestApproval',
        'put',
      ],
    ];
    for (const [method, path, id, action] of names) {
      assert.equal(operation(method, path).operationId, id);
      assert.equal(operation(method, path)['x-kubernetes-action'], action);
    }
  });

  it('have names of their own', () => {
    const ids = Object.values(paths).flatMap((item) => methods.flatMap((method) => item[method]?.operationId ?? []));
    assert.ok(ids.length > 900);
    assert.equal(new Set(ids).size, ids.length);
  });

  it('take the parameters of their verb (spec 4.2 to 4.4)', () => {
    const ingresses = '/apis/networking.k8s.io/v1/namespaces/{namespace}/ingresses';
    const list = [
      'allowWatchBookmarks',
      'continue',
      'fieldSelector',
      'labelSelector',
      'limit',
      'namespace',
      'pretty',
      'resourceVersion',
      'resourceVersionMatch',
      'sendInitialEvents',
      'shardSelector',
      'timeoutSeconds',
      'watch',
    ];
    const write = ['body', 'dryRun', 'fieldManager', 'fieldValidation', 'namespace', 'pretty'];
    assert.deepEqual(parametersOf('get', ingresses), list);
    assert.deepEqual(parametersOf('post', ingresses), write);
    assert.deepEqual(parametersOf('put', `${ingresses}/{name}`), [...write, 'name'].toSorted());
    assert.deepEqual(parametersOf('patch', `${ingresses}/{name}/status`), [...write, 'force', 'name'].toSorted());
    assert.deepEqual(parametersOf('get', `${ingresses}/{name}`), ['name', 'namespace', 'pretty']);
  });

  it('answer with the kind, its list, a Status or the deleted object', () => {
    const schemasOf = (method: string, path: string): Record<string, string | undefined> => {
      const { responses } = operation(method, path) as unknown as {
        responses: Record<string, { schema?: OpenApiSchema }>;
      };
      return Object.fromEntries(
        Object.entries(responses).map(([status, { schema }]) => [status, schema?.$ref?.split('.').at(-1)]),
      );
    };
    const secrets = '/api/v1/namespaces/{namespace}/secrets';
    const none = { 401: undefined };
    assert.deepEqual(schemasOf('get', secrets), { 200: 'SecretList', ...none });
    assert.deepEqual(schemasOf('post', secrets), { 200: 'Secret', 201: 'Secret', 202: 'Secret', ...none });
    assert.deepEqual(schemasOf('delete', `${secrets}/{name}`), { 200: 'Status', 202: 'Status', ...none });
    assert.deepEqual(schemasOf('delete', secrets), { 200: 'Status', ...none });
    assert.deepEqual(schemasOf('delete', '/api/v1/namespaces/{namespace}/pods/{name}'), {
      200: 'Pod',
      202: 'Pod',
      ...none,
    });
    assert.deepEqual(schemasOf('patch', `${secrets}/{name}`), { 200: 'Secret', 201: 'Secret', ...none });
  });
});

describe('the published definitions', () => {
  let fixture: Fixture;
  let definitions: Definitions;
  let version3: Definitions;

  before(async () => {
    fixture = await startFixture();
    ({ definitions } = (await fixture.send({ path: '/openapi/v2' })).json() as { definitions: Definitions });
    version3 = (await fixture.send({ path: '/openapi/v3/api/v1' })).at('components.schemas') as Definitions;
  });

  after(() => fixture[Symbol.asyncDispose]());

  it('name every kind in every version', () => {
    const said = Object.values(definitions).flatMap(
      (definition) =>
        (definition['x-kubernetes-group-version-kind'] ?? []) as { group: string; version: string; kind: string }[],
    );
    const names = new Set(said.map(({ group, version, kind }) => `${group}/${version} ${kind}`));
    for (const { group, kind, listKind, versions } of fixture.catalogue.current.resources) {
      for (const { version, verbs } of versions) {
        assert.ok(names.has(`${group}/${version} ${kind}`), `${group}/${version} ${kind}`);
        assert.equal(names.has(`${group}/${version} ${listKind}`), verbs.includes('list'));
      }
    }
  });

  it('refer only to what is defined', async () => {
    const { paths } = (await fixture.send({ path: '/openapi/v3' })).json() as { paths: Record<string, unknown> };
    const documents = ['v2', ...Object.keys(paths).map((path) => `v3/${path}`)];
    for (const path of documents) {
      const response = await fixture.send({ path: `/openapi/${path}` });
      const defined = response.at(path === 'v2' ? 'definitions' : 'components.schemas') as Definitions;
      const references = [...response.text.matchAll(/"\$ref":"#\/(?:definitions|components\/schemas)\/([^"]+)"/g)];
      assert.ok(references.length > 0, path);
      for (const [, name = ''] of references) assert.ok(defined[name], `${path}: ${name}`);
    }
  });

  it('tell types, formats, required fields and how lists merge', () => {
    const of = (name: string): OpenApiSchema | undefined => definitions[`io.k8s.api.${name}`];
    assert.equal(of('apps.v1.DeploymentSpec')?.properties?.['replicas']?.type, 'integer');
    const { description: _, ...containers } = of('core.v1.PodSpec')?.properties?.['containers'] ?? {};
    assert.deepEqual(containers, {
      type: 'array',
      items: { $ref: '#/definitions/io.k8s.api.core.v1.Container' },
      'x-kubernetes-list-map-keys': ['name'],
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-patch-merge-key': 'name',
      'x-kubernetes-patch-strategy': 'merge',
    });
    const ports = of('core.v1.Container')?.properties?.['ports'];
    assert.deepEqual(ports?.['x-kubernetes-list-map-keys'], ['containerPort', 'protocol']);
    assert.equal(ports['x-kubernetes-list-type'], 'map');
    assert.deepEqual(of('core.v1.Secret')?.properties?.['data']?.additionalProperties, {
      type: 'string',
      format: 'byte',
    });
    assert.deepEqual(of('core.v1.PodList')?.required, ['items']);
    assert.deepEqual(of('core.v1.ContainerPort')?.required, ['containerPort']);
    // Not what the server requires, but what encoders always write.
    assert.deepEqual(of('rbac.v1.RoleBinding')?.required, ['roleRef']);
    assert.equal(of('rbac.v1.Role')?.required, undefined);
    assert.deepEqual(of('apps.v1.ControllerRevision')?.required, ['revision']);
    assert.deepEqual(of('apps.v1.DeploymentSpec')?.required, ['selector', 'template']);
    assert.equal(definitions['io.k8s.apimachinery.pkg.apis.meta.v1.Time']?.format, 'date-time');
    assert.equal(definitions['io.k8s.apimachinery.pkg.util.intstr.IntOrString']?.format, 'int-or-string');
    assert.equal(of('core.v1.SecretReference')?.['x-kubernetes-map-type'], 'atomic');
    assert.ok(of('core.v1.Pod')?.properties?.['kind']);
  });

  it('give items and values of maps a default in releases before 1.29', () => {
    const keys = (release: string): readonly string[] => {
      const schema = schemaOf('api.core.v1.ConfigMap', release);
      const { properties } = openApiDefinition(schema, { version: 3, identifiers: kubernetes, release }).schema;
      return Object.keys(properties?.['data']?.additionalProperties ?? {});
    };
    assert.deepEqual(keys('1.28'), ['default', 'type']);
    assert.deepEqual(keys('1.29'), ['type']);
  });

  it('name extensions of schemas by the identifiers of the server', () => {
    const schema = schemaOf('api.apiextensions.v1.JSONSchemaProps');
    const { properties = {} } = openApiDefinition(schema, { version: 3, identifiers: kubernetes }).schema;
    const prefixes = Object.keys(properties).flatMap((name) => /^x-[a-z]+-/.exec(name) ?? []);
    assert.deepEqual([...new Set(prefixes)], ['x-kubernetes-']);
  });

  it('have the parameters of their release', () => {
    const names = (release: string) => queryParameters('list', release).map(({ name }) => name);
    const later = ['sendInitialEvents', 'shardSelector'];
    assert.deepEqual(
      ['1.26', '1.27', '1.36'].map((release) => later.filter((name) => names(release).includes(name))),
      [[], ['sendInitialEvents'], later],
    );
  });

  it('have defaults and enumerations, and nothing beside a reference in version 3', () => {
    const port = version3['io.k8s.api.core.v1.ContainerPort']?.properties ?? {};
    assert.equal(port['protocol']?.default, 'TCP');
    assert.equal(port['containerPort']?.default, 0);
    const { description: _, ...metadata } = version3['io.k8s.api.core.v1.Pod']?.properties?.['metadata'] ?? {};
    assert.deepEqual(metadata, {
      allOf: [{ $ref: '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' }],
      default: {},
    });
    assert.deepEqual(version3['io.k8s.apimachinery.pkg.api.resource.Quantity']?.oneOf, [
      { type: 'string' },
      { type: 'number' },
    ]);
    assert.doesNotMatch(JSON.stringify(version3), /"\$ref":"[^"]*",/);
    assert.doesNotMatch(JSON.stringify(definitions), /"(?:default|allOf|oneOf)":[^{]/);
  });
});

describe('OpenAPI in the other identifiers', () => {
  it('spells names and extensions by them', async () => {
    const { builtInCatalogue } = await import('../../../src/catalogue/definitions.ts');
    const identifiers = identifiersOf('cluster');
    await using fixture = await startFixture({ identifiers, catalogue: builtInCatalogue(identifiers) });
    const { text } = await fixture.send({ path: '/openapi/v2' });
    assert.match(text, /"x-cluster-group-version-kind"/);
    assert.match(text, /"io\.cl\.api\.core\.v1\.Pod"/);
    assert.match(text, /"listNetworkingV1NamespacedIngress"/);
    assert.doesNotMatch(text, /"x-kubernetes-(?!preserve|embedded|int-or|list|map|validations)/);
  });
});
