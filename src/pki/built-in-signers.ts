import type { Identifiers } from '../identifiers/identifiers.ts';

/** The built-in signers (spec 2.5), by the words of their flags. */
export type BuiltInSigner = 'client' | 'node-client' | 'node-serving' | 'legacy-unknown';

/** The names of the built-in signers, in one set of identifiers. */
export function signerNames(identifiers: Identifiers): Readonly<Record<BuiltInSigner, string>> {
  const { labelDomain, prefix, nodeAgent } = identifiers;
  const client = `${labelDomain}/${prefix}apiserver-client`;
  return {
    client,
    'node-client': `${client}-${nodeAgent}`,
    'node-serving': `${labelDomain}/${nodeAgent}-serving`,
    'legacy-unknown': `${labelDomain}/legacy-unknown`,
  };
}

/** The built-in signers by name, in one set of identifiers. */
export function builtInSigners(identifiers: Identifiers): ReadonlyMap<string, BuiltInSigner> {
  const { client, ...others } = signerNames(identifiers);
  return new Map([
    [client, 'client'],
    [others['node-client'], 'node-client'],
    [others['node-serving'], 'node-serving'],
    [others['legacy-unknown'], 'legacy-unknown'],
  ]);
}
