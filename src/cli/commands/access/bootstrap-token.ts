import { randomInt } from 'node:crypto';
import { ignoreReasons } from '../../../client/error-of-response.ts';
import type { ResourceReference } from '../../../client/resource-path.ts';
import type { Secret } from '../../../gen/types/core-v1.ts';
import { humanDuration } from '../../../meta/human-duration.ts';
import { CliError } from '../../cli-error.ts';
import type { Invocation } from '../../command.ts';
import { withClient } from '../../connect.ts';
import { columnWidths, formatRows, visibleText } from '../../format-rows.ts';
import { serverIdentifiers } from '../../server-identifiers.ts';
import type { createTokenFlags, plainFlags } from './flags.ts';

const secrets: ResourceReference<Secret> = { group: '', version: 'v1', resource: 'secrets' };

const tokenPattern = /^([a-z0-9]{6})\.([a-z0-9]{16})$/;
const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789';
const usages = ['authentication', 'signing'];

function randomText(length: number): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
}

/** `cl bootstrap token create`: creates a token with which a node joins, and prints it. */
export async function createToken({ words, options, io }: Invocation<typeof createTokenFlags>): Promise<void> {
  const token = words[0] ?? `${randomText(6)}.${randomText(16)}`;
  const [, id, secret] = tokenPattern.exec(token) ?? [];
  if (id === undefined || secret === undefined) {
    throw new CliError('the token is not of the form [a-z0-9]{6}.[a-z0-9]{16}', { hint: 'leave it out for a new one' });
  }
  const unknown = options.usages.find((usage) => !usages.includes(usage));
  if (unknown !== undefined) throw new CliError(`"${unknown}" is not a usage`, { hint: `use ${usages.join(', ')}` });
  await withClient({ options, io }, async (client) => {
    const { prefix, labelDomain } = await serverIdentifiers({ client, options, io });
    const expiration = new Date(Date.now() + options.ttl).toISOString().replace(/\.\d+Z$/, 'Z');
    await client.resource(secrets).create(
      {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name: `bootstrap-token-${id}`, namespace: `${prefix}system` },
        type: `bootstrap.${labelDomain}/token`,
        stringData: {
          'token-id': id,
          'token-secret': secret,
          ...(options.ttl > 0 ? { expiration } : {}),
          ...Object.fromEntries(options.usages.map((usage) => [`usage-bootstrap-${usage}`, 'true'])),
          ...(options.groups.length > 0 ? { 'auth-extra-groups': options.groups.join(',') } : {}),
          ...(options.description === undefined ? {} : { description: options.description }),
        },
      },
      { namespace: `${prefix}system`, signal: io.signal },
    );
  });
  io.stdout.write(`${token}\n`);
}

/** `cl bootstrap token list`: lists the tokens. */
export async function listTokens({ options, io }: Invocation<typeof plainFlags>): Promise<void> {
  await withClient({ options, io }, async (client) => {
    const { prefix, labelDomain } = await serverIdentifiers({ client, options, io });
    const fieldSelector = `type=bootstrap.${labelDomain}/token`;
    const found = await client
      .resource(secrets)
      .list({ namespace: `${prefix}system`, fieldSelector, signal: io.signal });
    const rows = [
      ['TOKEN', 'TTL', 'EXPIRES', 'USAGES', 'DESCRIPTION', 'EXTRA GROUPS'],
      ...found.items.map((secret) => rowOf(secret, Date.now())),
    ];
    io.stdout.write(formatRows(rows, columnWidths(rows)));
  });
}

function rowOf({ data = {} }: Secret, nowMs: number): string[] {
  const valueOf = (key: string): string => visibleText(Buffer.from(data[key] ?? '', 'base64').toString());
  const expiration = valueOf('expiration');
  const leftMs = Date.parse(expiration) - nowMs;
  const ttl = expiration === '' ? '<forever>' : leftMs > 0 ? humanDuration(leftMs) : '<invalid>';
  const used = usages.filter((usage) => valueOf(`usage-bootstrap-${usage}`) === 'true');
  return [
    `${valueOf('token-id')}.${valueOf('token-secret')}`,
    ttl,
    expiration || '<never>',
    used.join(',') || '<none>',
    valueOf('description') || '<none>',
    valueOf('auth-extra-groups') || '<none>',
  ];
}

/** `cl bootstrap token delete`: deletes tokens by their ids, or whole. */
export async function deleteTokens({ words, options, io }: Invocation<typeof plainFlags>): Promise<void> {
  const ids = words.map((word) => {
    const [, id] = /^([a-z0-9]{6})(?:\.[a-z0-9]{16})?$/.exec(word) ?? [];
    if (id !== undefined) return id;
    // It may be a mistyped secret, which is not repeated.
    throw new CliError('a token or its id, six letters or digits, is expected');
  });
  await withClient({ options, io }, async (client) => {
    const { prefix } = await serverIdentifiers({ client, options, io });
    const namespace = `${prefix}system`;
    for (const id of ids) {
      const deleted = client.resource(secrets).delete(`bootstrap-token-${id}`, { namespace, signal: io.signal });
      if (!(await ignoreReasons(deleted, 'NotFound'))) throw new CliError(`there is no bootstrap token "${id}"`);
      io.stdout.write(`bootstrap token "${id}" deleted\n`);
    }
  });
}
