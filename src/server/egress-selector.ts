import { readFile } from 'node:fs/promises';
import type { Identifiers } from '../identifiers/identifiers.ts';
import { objectAt, objectsAt, stringAt } from '../meta/read-field.ts';
import { parseConfiguration } from '../config/configuration-file.ts';

/** The sorts of connections that a selection is for. */
const selectionNames = ['cluster', 'controlplane', 'etcd'];

/**
 * Checks the file of `--egress-selector-config-file`. Rejects if it is of another kind, or if a
 * selection leads through a proxy: connections are made directly.
 */
export async function checkEgressSelector(file: string | undefined, { apiDomain }: Identifiers): Promise<void> {
  if (file === undefined) return;
  try {
    const apiVersions = ['v1', 'v1beta1', 'v1alpha1'].map((version) => `apiserver.${apiDomain}/${version}`);
    const content = parseConfiguration(await readFile(file, 'utf8'), {
      kind: 'EgressSelectorConfiguration',
      apiVersions,
    });
    const names = new Set<string>();
    for (const selection of objectsAt(content, 'egressSelections')) {
      const name = stringAt(selection, 'name')
        .toLowerCase()
        .replace(/^master$/, 'controlplane');
      const fault = selectionFault(name, objectAt(selection, 'connection'), names);
      if (fault !== undefined) throw new Error(`the selection ${JSON.stringify(name)}: ${fault}`);
      names.add(name);
    }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`--egress-selector-config-file=${file}: ${why}`, { cause: error });
  }
}

function selectionFault(
  name: string,
  connection: ReturnType<typeof objectAt>,
  seen: ReadonlySet<string>,
): string | undefined {
  if (!selectionNames.includes(name)) return `use one of ${selectionNames.join(', ')}`;
  if (seen.has(name)) return 'it is there twice';
  const protocol = stringAt(connection, 'proxyProtocol');
  if (protocol !== 'Direct') return `the protocol ${JSON.stringify(protocol)} is not supported: use Direct`;
  return connection['transport'] === undefined ? undefined : 'a direct connection has no transport';
}
