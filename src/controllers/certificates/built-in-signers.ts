import type { Identifiers } from '../../identifiers/identifiers.ts';

/** The built-in signers (spec 2.5), by the words of their flags. */
export type BuiltInSigner = 'client' | 'node-client' | 'node-serving' | 'legacy-unknown';

/** The built-in signers by name, in one set of identifiers. */
export function builtInSigners({ labelDomain, prefix, nodeAgent }: Identifiers): ReadonlyMap<string, BuiltInSigner> {
  const client = `${labelDomain}/${prefix}apiserver-client`;
  return new Map([
    [client, 'client'],
    [`${client}-${nodeAgent}`, 'node-client'],
    [`${labelDomain}/${nodeAgent}-serving`, 'node-serving'],
    [`${labelDomain}/legacy-unknown`, 'legacy-unknown'],
  ]);
}
