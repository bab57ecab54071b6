import { isIP } from 'node:net';
import { join, resolve } from 'node:path';
import { identifiersOf } from '../../../identifiers/identifiers.ts';
import { createFile } from '../../../files/create-file.ts';
import { replaceFile } from '../../../files/replace-file.ts';
import { createCertificates } from '../../../pki/cluster/create-certificates.ts';
import {
  accountKeyName,
  type CertificatePlan,
  clusterAuthorities,
  planCertificates,
} from '../../../pki/cluster/plan-certificates.ts';
import { PkiError } from '../../../pki/pki-error.ts';
import { CliError } from '../../cli-error.ts';
import { certificateConfigText } from '../../client-config-files/certificate-config-text.ts';
import type { Invocation } from '../../command.ts';
import { visibleLine } from '../../format-rows.ts';
import type { createFlags } from './flags.ts';

type CreateInvocation = Invocation<typeof createFlags>;

/** `cl certs create [NAME...]`: makes the files of a cluster that do not exist yet. */
export async function createCerts({ words, options, io }: CreateInvocation): Promise<void> {
  const identifiers = identifiersOf(options.identifiers);
  const directory = resolve(io.directory, options.certDir);
  const server = serverOf(options);
  const planned = planCertificates({ ...options, identifiers });
  const selected = selectNames(words, planned);
  const certificates = planned.filter(({ name }) => selected.has(name));
  const used = new Set(certificates.map(({ authority }) => authority));
  const onFile = (path: string, outcome: string): void => {
    io.stdout.write(visibleLine(`${outcome} ${join(options.certDir, path.slice(directory.length))}`));
  };
  try {
    await createCertificates({
      directory,
      authorities: clusterAuthorities.filter(({ name }) => selected.has(name) || used.has(name)),
      certificates,
      accountKey: selected.has(accountKeyName),
      overwrite: options.overwrite ? selected : new Set(),
      authorityLifetimeMs: options.caLifetime,
      lifetimeMs: options.lifetime,
      onFile,
    });
  } catch (error) {
    if (!(error instanceof PkiError)) throw error;
    const hint = 'no file was changed; move it away, or make it again with --overwrite and its name';
    throw new CliError(error.message, { hint, cause: error });
  }
  for (const { name } of certificates.filter(({ isUser }) => isUser)) {
    const path = join(directory, `${name}.${identifiers.clientConfig}`);
    const text = certificateConfigText(identifiers.product, {
      server,
      user: name,
      // Files, which renewals replace.
      ca: { file: 'ca.crt' },
      cert: { file: `${name}.crt` },
      key: { file: `${name}.key` },
    });
    const isNew = await createFile(path, text, 0o600);
    if (!isNew && options.overwrite) await replaceFile(path, text, 0o600);
    onFile(path, isNew ? 'created' : options.overwrite ? 'replaced' : 'kept');
  }
}

/** The address of the API servers in client configs: by default the first of their names. */
function serverOf({ server, names }: CreateInvocation['options']): string {
  const name = names.find((one) => !one.startsWith('*')) ?? '127.0.0.1';
  const url = server ?? `https://${isIP(name) === 6 ? `[${name}]` : name}:6443`;
  if (/^https:\/\/[^/\s]+$/.test(url) && URL.canParse(url)) return url;
  throw new CliError(`--server=${url} is no address of a server`, { hint: 'use https://host:port' });
}

/** The names that the words select; without words all. */
function selectNames(words: readonly string[], planned: readonly CertificatePlan[]): ReadonlySet<string> {
  const known = [...clusterAuthorities, ...planned].map(({ name }) => name).concat(accountKeyName);
  const other = words.find((word) => !known.includes(word));
  if (other !== undefined) {
    const hint = `there are ${known.join(', ')}; --nodes and --etcd-members add others`;
    throw new CliError(`there is no certificate "${other}"`, { hint });
  }
  return new Set(words.length > 0 ? words : known);
}
