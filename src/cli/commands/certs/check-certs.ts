import { join, resolve } from 'node:path';
import { type CheckedCertificate, checkCertificates } from '../../../pki/cluster/check-certificates.ts';
import { readCertificates } from '../../../pki/cluster/read-certificates.ts';
import { CliError } from '../../cli-error.ts';
import type { Invocation } from '../../command.ts';
import { columnWidths, formatRows, visibleText } from '../../format-rows.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import { printJson } from '../../printers/json.ts';
import type { checkFlags } from './flags.ts';

const dayMs = 24 * 3600_000;
const headings = ['NAME', 'SUBJECT', 'ISSUER', 'EXPIRES', 'DAYS', 'STATUS'] as const;

/** `cl certs check`: the ends of certificates, and what is wrong with them. */
export async function checkCerts({ options, io }: Invocation<typeof checkFlags>): Promise<void> {
  const directory = resolve(io.directory, options.certDir);
  const nowMs = Date.now();
  const checked = checkCertificates(await readCertificates(directory), options.within, nowMs);
  if (checked.length === 0)
    throw new CliError(`${options.certDir} has no certificates`, { hint: 'name a folder with --cert-dir' });
  const shown = checked.map((each) => ({ ...each, file: join(options.certDir, each.file.slice(directory.length)) }));
  if (options.output === 'json') io.stdout.write(printJson({ certificates: shown.map(jsonOf) }));
  else {
    const rows = [headings, ...shown.map((each) => rowOf(each, nowMs).map(visibleText))];
    io.stdout.write(formatRows(rows, columnWidths(rows)));
  }
  const wrong = checked.filter(({ problems }) => problems.length > 0).length;
  if (wrong === 0) return;
  throw new CliError(`${wrong} of ${checked.length} certificates and keys need attention`, {
    hint: '"cl certs renew" issues certificates again',
  });
}

function rowOf(
  { name, commonName, organizations, issuer, notAfter, problems }: CheckedCertificate,
  nowMs: number,
): readonly string[] {
  const groups = organizations.length > 0 ? ` (${organizations.join(', ')})` : '';
  return [
    name,
    commonName === '' ? '<none>' : commonName + groups,
    issuer || '<none>',
    notAfter?.toISOString().slice(0, 10) ?? '<none>',
    notAfter ? String(Math.floor((notAfter.getTime() - nowMs) / dayMs)) : '<none>',
    problems.length > 0 ? problems.join('; ') : 'ok',
  ];
}

function jsonOf({ notBefore, notAfter, isAuthority, ...rest }: CheckedCertificate): JsonObject {
  const { organizations, names, problems } = rest;
  return {
    ...rest,
    organizations: [...organizations],
    names: [...names],
    problems: [...problems],
    ca: isAuthority,
    ...(notBefore && notAfter ? { notBefore: notBefore.toISOString(), notAfter: notAfter.toISOString() } : {}),
    status: rest.problems.length > 0 ? 'wrong' : 'ok',
  };
}
