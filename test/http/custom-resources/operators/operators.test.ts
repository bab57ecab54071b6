import assert from 'node:assert/strict';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../../src/meta/json-value.ts';
import { objectAt, objectsAt, stringAt } from '../../../../src/meta/read-field.ts';
import { startServer, type TestServer } from '../../../../src/testing/index.ts';
import { type HttpResponse, request } from '../../http-client.ts';
import { until } from '../../until.ts';
import { conditionsIn } from '../widgets.ts';
import { certificates, clusterIssuers } from './cert-manager.ts';
import { gateways, gatewayClasses, httpRoutes } from './gateway-api.ts';
import { prometheuses, prometheusRules, serviceMonitors } from './prometheus-operator.ts';
import type { OperatorKind } from './schema-parts.ts';

const kinds: readonly OperatorKind[] = [
  certificates,
  clusterIssuers,
  serviceMonitors,
  prometheusRules,
  prometheuses,
  gatewayClasses,
  gateways,
  httpRoutes,
];

/** Under the identifiers of the product, extensions and the group of definitions have other names. */
const sets = [
  { identifiers: 'kubernetes', apiDomain: 'k8s.io', rename: (json: string) => json },
  {
    identifiers: 'cluster',
    apiDomain: 'cl.io',
    rename: (json: string) =>
      json.replaceAll('x-kubernetes-', 'x-cluster-').replaceAll('apiextensions.k8s.io', 'apiextensions.cl.io'),
  },
] as const;

for (const { identifiers, apiDomain, rename } of sets) {
  describe(`kinds of well-known operators, under the identifiers '${identifiers}'`, () => {
    let server: TestServer;
    before(async () => {
      server = await startServer({ store: 'memory', identifiers });
    });
    after(() => server.stop());

    const definitions = `/apis/apiextensions.${apiDomain}/v1/customresourcedefinitions`;
    const own = (object: JsonObject): JsonObject => JSON.parse(rename(JSON.stringify(object))) as JsonObject;

    for (const kind of kinds) {
      const { definition, sample } = kind;
      const collection = collectionOf(kind);
      const path = `${collection}/${stringAt(objectAt(sample, 'metadata'), 'name')}`;

      it(`completes, shows and refuses objects of the kind ${stringAt(sample, 'kind')}`, async () => {
        const created = await request(server, 'POST', definitions, own(definition));
        assert.equal(created.status, 201, created.text);
        const name = stringAt(objectAt(definition, 'metadata'), 'name');
        await until('the definition to be established', async () => {
          const { body } = await request(server, 'GET', `${definitions}/${name}`);
          return conditionsIn(body as JsonObject)['Established'] === 'True';
        });

        const strict = await request(server, 'POST', `${collection}?fieldValidation=Strict`, sample);
        assert.equal(strict.status, 201, strict.text);
        const spec = objectAt(strict.body as JsonObject, 'spec');
        for (const [place, value] of Object.entries(kind.defaults)) {
          assert.equal(JSON.stringify(valueAt(spec, place)), JSON.stringify(value), place);
        }

        const { status } = kind;
        if (status) {
          const patched = await request(server, 'PATCH', `${path}/status`, { status }, mergePatch);
          assert.equal(patched.status, 200, patched.text);
        }
        assert.deepEqual(await cellsOf(server, collection, apiDomain), kind.cells);

        for (const [title, place, value, errors] of kind.refused) {
          const changed = { ...structuredClone(sample), metadata: { name: 'refused' } };
          setAt(objectAt(changed, 'spec'), place, value);
          assertRefused(await request(server, 'POST', collection, changed), title, errors);
        }
        for (const [title, place, value, errors] of kind.kept ?? []) {
          const change = {};
          setAt(change, place, value);
          assertRefused(await request(server, 'PATCH', path, { spec: change }, mergePatch), title, errors);
        }
      });

      it(`applies a ${stringAt(sample, 'kind')} again without a change`, async () => {
        const apply = () => request(server, 'PATCH', `${path}?fieldManager=operator&force=true`, sample, applyPatch);
        const first = await apply();
        assert.equal(first.status, 200, first.text);
        const second = await apply();
        assert.equal(second.text, first.text);
      });
    }
  });
}

const mergePatch = { 'content-type': 'application/merge-patch+json' };
const applyPatch = { 'content-type': 'application/apply-patch+yaml' };

function assertRefused({ status, body, text }: HttpResponse, title: string, errors: readonly string[]): void {
  assert.equal(status, 422, `${title}: ${text}`);
  const causes = objectsAt(objectAt(body as JsonObject, 'details'), 'causes');
  assert.deepEqual(
    causes.map((cause) => `${stringAt(cause, 'field')}: ${stringAt(cause, 'message')}`),
    errors,
    title,
  );
}

function collectionOf({ definition, sample }: OperatorKind): string {
  const spec = objectAt(definition, 'spec');
  const place = stringAt(spec, 'scope') === 'Cluster' ? '' : '/namespaces/default';
  return `/apis/${stringAt(sample, 'apiVersion')}${place}/${stringAt(objectAt(spec, 'names'), 'plural')}`;
}

/** The cells of the first row by the names of their columns, without times. */
async function cellsOf(server: TestServer, collection: string, apiDomain: string): Promise<Record<string, JsonValue>> {
  const accept = `application/json;as=Table;v=v1;g=meta.${apiDomain}`;
  const { body } = await request(server, 'GET', collection, undefined, { accept });
  const columns = objectsAt(body as JsonObject, 'columnDefinitions');
  const [row = {}] = objectsAt(body as JsonObject, 'rows');
  const cells = row['cells'] as JsonValue[];
  const named = columns.map((column, index) => [column, cells[index] ?? null] as const);
  return Object.fromEntries(
    named.filter(([column]) => column['type'] !== 'date').map(([column, cell]) => [stringAt(column, 'name'), cell]),
  );
}

/** A path is of names and indexes: `rules.0.matches`. */
function valueAt(value: JsonValue | undefined, place: string): JsonValue | undefined {
  return place.split('.').reduce<JsonValue | undefined>((part, step) => {
    if (Array.isArray(part)) return part[Number(step)];
    return isJsonObject(part) ? part[step] : undefined;
  }, value);
}

function setAt(object: JsonObject, place: string, value: JsonValue): void {
  const steps = place.split('.');
  const last = steps.pop() ?? '';
  const parent = steps.length > 0 ? valueAt(object, steps.join('.')) : object;
  if (Array.isArray(parent)) parent[Number(last)] = value;
  else if (isJsonObject(parent)) parent[last] = value;
}
