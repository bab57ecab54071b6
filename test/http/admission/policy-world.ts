import assert from 'node:assert/strict';
import type { TestServer } from '../../../src/testing/index.ts';
import { type HttpResponse, request, type Target } from '../http-client.ts';

const group = '/apis/admissionregistration.cl.io/v1';

/** A rule that matches operations on resources of a group, in any version. */
export function policyRule(resources: readonly string[], fields: object = {}): object {
  return { operations: ['CREATE', 'UPDATE'], apiGroups: [''], apiVersions: ['*'], resources, ...fields };
}

/** The parts of a validating policy and its binding that a story is about. */
export interface PolicyParts {
  /** Expressions, or whole rules. */
  readonly rules?: readonly (string | object)[];
  readonly match?: object;
  /** More fields of the policy's spec. */
  readonly spec?: object;
  /** More fields of the binding's spec. */
  readonly binding?: object;
}

/** Creates a validating policy for ConfigMaps whose names begin with its name, and a binding `<name>-b`. */
export async function validatingPolicy(server: TestServer, name: string, parts: PolicyParts): Promise<void> {
  const { rules = [], match = {}, spec = {}, binding = {} } = parts;
  const validations = rules.map((rule) => (typeof rule === 'string' ? { expression: rule } : rule));
  await create(server, `${group}/validatingadmissionpolicies`, {
    metadata: { name },
    spec: {
      matchConstraints: { resourceRules: [policyRule(['configmaps'])], ...match },
      matchConditions: [{ name: 'mine', expression: `request.name.startsWith("${name}")` }],
      ...(validations.length > 0 ? { validations } : {}),
      ...spec,
    },
  });
  await create(server, `${group}/validatingadmissionpolicybindings`, {
    metadata: { name: `${name}-b` },
    spec: { policyName: name, validationActions: ['Deny'], ...binding },
  });
}

/** Creates an object, which must succeed. */
export async function create(server: Target, path: string, object: object): Promise<HttpResponse> {
  const response = await request(server, 'POST', path, object);
  assert.equal(response.status, 201, response.text);
  return response;
}

/** Creates a ConfigMap in the namespace `default`, whatever comes of it. */
export function writeMap(
  server: Target,
  name: string,
  data: Readonly<Record<string, string>> = {},
  metadata: object = {},
): Promise<HttpResponse> {
  return request(server, 'POST', '/api/v1/namespaces/default/configmaps', { metadata: { name, ...metadata }, data });
}

/** The message of a Status. */
export function messageOf({ body }: HttpResponse): string {
  return String((body as { message?: string }).message);
}

/** The texts of the warnings of an answer. */
export function warningsOf({ headers }: HttpResponse): readonly string[] {
  const given = headers['warning'] ?? [];
  return [given].flat().map((header) => JSON.parse(header.slice(header.indexOf('"'))) as string);
}

/** The parts of a mutating policy and its binding that a story is about. */
export interface MutationParts {
  /** Expressions of the type that they begin with: `[` for a patch. */
  readonly mutations: readonly string[];
  readonly match?: object;
  readonly spec?: object;
  readonly binding?: object;
}

/** Creates a mutating policy for ConfigMaps whose names begin with its name, and a binding `<name>-b`. */
export async function mutatingPolicy(server: TestServer, name: string, parts: MutationParts): Promise<void> {
  const { mutations, match = {}, spec = {}, binding = {} } = parts;
  await create(server, `${group}/mutatingadmissionpolicies`, {
    metadata: { name },
    spec: {
      matchConstraints: { resourceRules: [policyRule(['configmaps'])], ...match },
      matchConditions: [{ name: 'mine', expression: `object.metadata.name.startsWith("${name}")` }],
      mutations: mutations.map((expression) =>
        expression.startsWith('[')
          ? { patchType: 'JSONPatch', jsonPatch: { expression } }
          : { patchType: 'ApplyConfiguration', applyConfiguration: { expression } },
      ),
      reinvocationPolicy: 'Never',
      ...spec,
    },
  });
  await create(server, `${group}/mutatingadmissionpolicybindings`, {
    metadata: { name: `${name}-b` },
    spec: { policyName: name, ...binding },
  });
}
