import { readFile } from 'node:fs/promises';
import { abac } from '../../authz/abac/abac.ts';
import { parsePolicyFile } from '../../authz/abac/parse-policy-file.ts';
import type { Authorizer } from '../../authz/authorizer.ts';
import type { AccessDependencies } from './access-dependencies.ts';
import type { ServerOptions } from '../../config/server-options.ts';

/**
 * The authorizer over `--authorization-policy-file`. The file is read once, as kube-apiserver does:
 * a policy change that is half-written must not take effect. Rejects if the file is invalid.
 */
export async function abacAuthorizer(
  { authorizationPolicyFile: file }: Pick<ServerOptions, 'authorizationPolicyFile'>,
  { identifiers, log }: Pick<AccessDependencies, 'identifiers' | 'log'>,
): Promise<Authorizer> {
  if (file === undefined) throw new RangeError("authorization-mode ABAC's authorization policy file not passed");
  try {
    const group = `abac.authorization.${identifiers.labelDomain}`;
    // The spelling with the domain of the API is that of files for earlier versions of this server.
    const groups: [string, string] = [group, `abac.authorization.${identifiers.apiDomain}`];
    const { policies, hasUnversioned } = parsePolicyFile(await readFile(file, 'utf8'), groups);
    if (hasUnversioned)
      log.warn(`policy file ${file} has unversioned rules; write them as kind Policy of ${group}/v1beta1`);
    return abac(policies);
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`error reading policy file ${file}: ${problem}`, { cause });
  }
}
