import { performance } from 'node:perf_hooks';
import type { CelType } from '../../cel/types/cel-type.ts';
import { builtInResources } from '../../client/built-in-resources.ts';
import { discover } from '../../client/discovery.ts';
import type { ParamKind, ValidatingAdmissionPolicy } from '../../gen/types/admissionregistration-v1.ts';
import { parseApiVersion } from '../../meta/group-version-kind.ts';
import type { ControllerContext, ControllerDefinition } from '../controller-definition.ts';
import { untilServed } from '../until-served.ts';
import { type CheckedKind, checkTypes } from './check-types.ts';
import type { Client } from '../../client/client.ts';
import { ignoreReasons } from '../../client/error-of-response.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../meta/json-value.ts';
import { objectAt } from '../../meta/read-field.ts';
import { kindsOfRules, namesUnknown } from './kinds-of-rules.ts';
import { type OpenApiSchemas, openApiType } from './open-api-type.ts';

/**
 * Type-checks the expressions of ValidatingAdmissionPolicies and writes warnings to their status.
 */
export const validatingAdmissionPolicyStatus: ControllerDefinition = {
  name: 'validatingadmissionpolicy-status-controller',
  alias: 'validatingadmissionpolicy-status',
  account: 'validatingadmissionpolicy-status-controller',
  async run({ client, discovery, identifiers, options, controller }: ControllerContext, signal): Promise<void> {
    const { validatingadmissionpolicies: stable } = builtInResources(identifiers.set);
    const policies = await untilServed({ client, discovery }, stable, ['v1beta1', 'v1alpha1'], signal);
    const writer = client.resource<ValidatingAdmissionPolicy>(policies);
    const served = kept(() => discover(client, signal));

    async function reconcile(policy: ValidatingAdmissionPolicy | undefined): Promise<void> {
      const { metadata, spec, status } = policy ?? {};
      const { generation = 0 } = metadata ?? {};
      if (!policy || !spec || (status?.observedGeneration ?? 0) >= generation) return;
      const typeOf = openApiTypes(client, signal);
      const kinds: CheckedKind[] = [];
      const rules = spec.matchConstraints?.resourceRules ?? [];
      const known = await served();
      const found = namesUnknown(rules, known) ? await served(0) : known;
      for (const { group, version, kind } of kindsOfRules(rules, found)) {
        const type = await typeOf(group, version, kind);
        if (type) kinds.push({ shown: `${group}/${version}, Kind=${kind}`, type });
      }
      const expressionWarnings = [...(await checkTypes(spec, kinds, await paramType(spec.paramKind, typeOf)))];
      const typeChecking = expressionWarnings.length > 0 ? { expressionWarnings } : {};
      await ignoreReasons(
        writer.apply(
          {
            apiVersion: `${policies.group}/${policies.version}`,
            kind: 'ValidatingAdmissionPolicy',
            metadata: { name: metadata?.name ?? '' },
            status: { observedGeneration: generation, typeChecking },
          },
          { subresource: 'status', fieldManager: 'validatingadmissionpolicy-status', force: true, signal },
        ),
        'NotFound',
      );
    }

    await controller({
      name: 'validatingadmissionpolicy-status',
      concurrency: options['concurrent-validating-admission-policy-status-syncs'],
      for: policies,
      reconcile: async ({ object }) => {
        await reconcile(object);
        return {};
      },
    }).run(signal);
  },
};

/** How long discovery results are shared by consecutive checks. */
const servedMs = 1000;

/** Caches the result of a function for the given time. */
function kept<Result>(call: () => Promise<Result>): (oldestMs?: number) => Promise<Result> {
  let last: { readonly atMs: number; readonly result: Promise<Result> } | undefined;
  return (oldestMs = servedMs) => {
    const atMs = performance.now();
    if (!last || atMs - last.atMs > oldestMs) last = { atMs, result: call() };
    return last.result;
  };
}

async function paramType(
  kind: ParamKind | undefined,
  typeOf: ReturnType<typeof openApiTypes>,
): Promise<CelType | undefined> {
  const parsed = kind?.apiVersion === undefined ? undefined : parseApiVersion(kind.apiVersion);
  return parsed && typeOf(parsed.group, parsed.version, kind?.kind ?? '');
}

/** Returns the type of a kind's objects; undefined if the server does not describe it. */
type TypeOf = (group: string, version: string, kind: string) => Promise<CelType | undefined>;

/** Reads types from the OpenAPI documents of the server, each document once. */
function openApiTypes(client: Client, signal: AbortSignal): TypeOf {
  const documents = new Map<string, Promise<OpenApiSchemas>>();
  return async (group, version, kind) => {
    const path = group === '' ? `/openapi/v3/api/${version}` : `/openapi/v3/apis/${group}/${version}`;
    const known = documents.get(path) ?? readSchemas(client, path, signal);
    documents.set(path, known);
    const schemas = await known;
    const found = Object.entries(schemas).find(([, one]) => describes(one, { group, version, kind }));
    return found && openApiType(found[0], schemas, kind);
  };
}

async function readSchemas(client: Client, path: string, signal: AbortSignal): Promise<OpenApiSchemas> {
  const bytes = await ignoreReasons(client.transport.request({ method: 'GET', path, signal }), 'NotFound');
  if (!bytes) return {};
  const document = JSON.parse(bytes.toString('utf8')) as JsonObject;
  const schemas = Object.entries(objectAt(objectAt(document, 'components'), 'schemas'));
  return Object.fromEntries(schemas.filter((entry): entry is [string, JsonObject] => isJsonObject(entry[1])));
}

/** The extension of schemas that names their kinds; its prefix differs. */
const kindExtension = /-group-version-kind$/;

function describes(
  schema: JsonObject,
  wanted: { readonly group: string; readonly version: string; readonly kind: string },
): boolean {
  const [, kinds] = Object.entries(schema).find(([key]) => kindExtension.test(key)) ?? [];
  return Array.isArray(kinds) && kinds.some((one: JsonValue) => isSame(one, wanted));
}

function isSame(one: JsonValue, wanted: Readonly<Record<string, string>>): boolean {
  return isJsonObject(one) && ['group', 'version', 'kind'].every((name) => one[name] === wanted[name]);
}
