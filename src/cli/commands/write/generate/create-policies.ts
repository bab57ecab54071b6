import type { Invocation } from '../../../command.ts';
import { normaliseQuantity } from '../../../../meta/quantity.ts';
import { readObject } from '../../../../client/read-object.ts';
import { resourcePath } from '../../../../client/resource-path.ts';
import { CliError } from '../../../cli-error.ts';
import { objectPrinter } from '../../../printers/print-object.ts';
import { withClient } from '../../../connect.ts';
import { readPairs } from '../../../objects/read-pairs.ts';
import { serverIdentifiers } from '../../../server-identifiers.ts';
import type { JsonObject } from '../../../../meta/json-value.ts';
import { objectAt, stringAt } from '../../../../meta/read-field.ts';
import type { budgetFlags, priorityClassFlags, quotaFlags, tokenFlags } from './flags.ts';
import { generateObject } from './generate-object.ts';
import { parseLabelRequirements } from '../../../../meta/label-selector.ts';

/** `cl create quota NAME --hard=RESOURCE=AMOUNT`. */
export function createQuota(invocation: Invocation<typeof quotaFlags>): Promise<void> {
  const { hard, scopes } = invocation.options;
  return generateObject(invocation, ({ name }) => {
    const amounts = readPairs(hard).map(([key, text]) => {
      const amount = normaliseQuantity(text);
      if (amount === undefined) throw new CliError(`--hard: "${text}" is no quantity`);
      return [key, amount] as const;
    });
    const spec = {
      ...(amounts.length > 0 ? { hard: Object.fromEntries(amounts) } : {}),
      ...(scopes.length > 0 ? { scopes: [...scopes] } : {}),
    };
    return { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name }, spec, status: {} };
  });
}

/** `cl create priorityclass NAME --value=VALUE`. */
export function createPriorityClass(invocation: Invocation<typeof priorityClassFlags>): Promise<void> {
  const { value, globalDefault, description, preemptionPolicy } = invocation.options;
  return generateObject(invocation, ({ name, identifiers }) => ({
    apiVersion: `scheduling.${identifiers.apiDomain}/v1`,
    kind: 'PriorityClass',
    metadata: { name },
    value,
    preemptionPolicy,
    ...(globalDefault ? { globalDefault } : {}),
    ...(description ? { description } : {}),
  }));
}

/** `cl create poddisruptionbudget NAME --selector=SELECTOR`. */
export function createBudget(invocation: Invocation<typeof budgetFlags>): Promise<void> {
  const { selector, minAvailable, maxUnavailable } = invocation.options;
  return generateObject(invocation, ({ name }) => {
    if (minAvailable === undefined && maxUnavailable === undefined) {
      throw new CliError('one of min-available or max-unavailable must be specified');
    }
    if (minAvailable !== undefined && maxUnavailable !== undefined) {
      throw new CliError('min-available and max-unavailable cannot be both specified');
    }
    const amount: JsonObject =
      minAvailable === undefined
        ? { maxUnavailable: amountOf(maxUnavailable) }
        : { minAvailable: amountOf(minAvailable) };
    const counts = { currentHealthy: 0, desiredHealthy: 0, disruptionsAllowed: 0, expectedPods: 0 };
    const spec = { ...amount, selector: selectorOf(selector) };
    return { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name }, spec, status: counts };
  });
}

function amountOf(text = ''): string | number {
  return /^\d+$/.test(text) ? Number(text) : text;
}

/** `cl create token SERVICEACCOUNT`: prints a token that the server signs, and stores nothing. */
export async function createToken({ words, options, io }: Invocation<typeof tokenFlags>): Promise<void> {
  const [name = ''] = words;
  const { boundObjectKind: kind, boundObjectName, boundObjectUid, duration, audience } = options;
  if (kind === undefined && (boundObjectName ?? boundObjectUid) !== undefined) {
    throw new CliError('--bound-object-name and --bound-object-uid need --bound-object-kind');
  }
  const print = options.output || options.template !== undefined ? await objectPrinter(options, io) : undefined;
  if (kind !== undefined && !boundObjectName) throw new CliError('--bound-object-kind needs --bound-object-name');
  await withClient({ options, io }, async (client) => {
    const session = { client, options, io };
    const { apiDomain } = await serverIdentifiers(session);
    const reference = {
      apiVersion: 'v1',
      kind: kind ?? '',
      name: boundObjectName ?? '',
      ...(boundObjectUid ? { uid: boundObjectUid } : {}),
    };
    const request = {
      apiVersion: `authentication.${apiDomain}/v1`,
      kind: 'TokenRequest',
      metadata: {},
      spec: {
        audiences: [...audience],
        ...(duration > 0 ? { expirationSeconds: Math.ceil(duration / 1000) } : {}),
        ...(kind === undefined ? {} : { boundObjectRef: reference }),
      },
    };
    const accounts = { group: '', version: 'v1', resource: 'serviceaccounts' };
    const path = resourcePath(accounts, { namespace: client.settings.namespace, name, subresource: 'token' });
    const sent = {
      method: 'POST',
      path,
      body: client.codec.stringify(request),
      contentType: 'application/json',
      signal: io.signal,
    };
    const token = readObject(client.codec, await client.transport.request(sent), sent) as JsonObject;
    // As a part of a command line it has no end of line.
    const end = 'isTTY' in io.stdout && io.stdout.isTTY ? '\n' : '';
    io.stdout.write(print ? print(token) : stringAt(objectAt(token, 'status'), 'token') + end);
  });
}

/**
 * Parses a label selector into the form of an object: equalities become `matchLabels`, others
 * `matchExpressions`.
 */
function selectorOf(text: string): JsonObject {
  const labels: [string, string][] = [];
  const expressions: JsonObject[] = [];
  for (const { key, operator, values } of parseLabelRequirements(text)) {
    const [only] = values;
    if ((operator === '=' || operator === '==') && only !== undefined) labels.push([key, only]);
    else expressions.push({ key, operator: operators[operator] ?? operator, ...valuesOf(values) });
  }
  return {
    ...(labels.length > 0 ? { matchLabels: Object.fromEntries(labels) } : {}),
    ...(expressions.length > 0 ? { matchExpressions: expressions } : {}),
  };
}

function valuesOf(values: readonly string[]): JsonObject {
  return values.length > 0 ? { values: [...values] } : {};
}

const operators: Readonly<Record<string, string>> = {
  in: 'In',
  notin: 'NotIn',
  '!=': 'NotIn',
  exists: 'Exists',
  '!': 'DoesNotExist',
};
