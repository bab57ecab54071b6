import { readFile } from 'node:fs/promises';
import type { Logger } from 'pino';
import type { AuditPolicy } from '../audit/policy.ts';
import { policyErrors, policyKind, readPolicy, unknownPolicyFields } from '../audit/read-policy.ts';
import type { Identifiers } from '../identifiers/identifiers.ts';
import { isSince } from '../scheme/api-release.ts';
import { parseConfiguration } from './configuration-file.ts';
import type { FieldError } from '../status/field-error.ts';
import type { ServerOptions } from './server-options.ts';
import { errorMessage } from '../status/error-message.ts';

/** The release without the versions of policies that are not stable. */
const stableOnly = '1.24';

/** Reads an audit policy. Rejects with all its errors. */
export async function readPolicyFile(
  path: string,
  { emulatedRelease }: ServerOptions,
  { identifiers, log }: { readonly identifiers: Identifiers; readonly log: Logger },
): Promise<AuditPolicy> {
  const group = `audit.${identifiers.apiDomain}`;
  const versions = isSince(emulatedRelease, stableOnly) ? policyKind.versions.slice(0, 1) : policyKind.versions;
  const apiVersions = versions.map((version) => `${group}/${version}`);
  const text = await textOf(path);
  try {
    const document = parseConfiguration(text, { kind: policyKind.kind, apiVersions });
    const errors = policyErrors(document);
    if (errors.length > 0) throw new Error(showErrors(errors));
    const policy = readPolicy(document);
    if (policy.length === 0) throw new Error('loaded illegal policy with 0 rules');
    const unknown = unknownPolicyFields(document);
    if (unknown.length > 0) log.warn(`audit policy file ${path}: unknown fields ${unknown.join(', ')} are ignored`);
    return policy;
  } catch (error) {
    throw new Error(`loading audit policy file: ${errorMessage(error)}: from file ${path}`, { cause: error });
  }
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    const why = `failed to read file path ${JSON.stringify(path)}: ${errorMessage(cause)}`;
    throw new Error(`loading audit policy file: ${why}`, { cause });
  }
}

/** Several errors are in brackets, as in kube-apiserver. */
function showErrors(errors: readonly FieldError[]): string {
  const texts = errors.map(({ field, message }) => `${field}: ${message}`);
  return texts.length === 1 ? texts.join() : `[${texts.join(', ')}]`;
}
