import type { JsonObject } from '../../meta/json-value.ts';
import { nameOf } from '../../meta/object-meta.ts';
import { secretReferences } from '../../meta/pod-references.ts';
import { objectAt, stringAt } from '../../meta/read-field.ts';
import type { Reference } from './reference-graph.ts';
import { vertex } from './vertex.ts';

/** The references to Secrets in the sources of volumes that a node resolves. */
const nodeSecretReferences: typeof secretReferences = [
  ...secretReferences,
  ['csi', 'nodeStageSecretRef'],
  ['csi', 'nodeExpandSecretRef'],
];

/**
 * A bound volume may be read by the readers of its claim, and its Secrets by its own readers. A
 * Secret without namespace is one of the claim's.
 */
export function volumeReferences(volume: JsonObject): readonly Reference[] {
  const spec = objectAt(volume, 'spec');
  const claim = objectAt(spec, 'claimRef');
  const claimNamespace = stringAt(claim, 'namespace');
  if (stringAt(claim, 'name') === '') return [];
  const holder = vertex('volume', '', nameOf(volume));
  const azureFile = objectAt(spec, 'azureFile');
  const secrets = [
    { namespace: stringAt(azureFile, 'secretNamespace'), name: stringAt(azureFile, 'secretName') },
    ...nodeSecretReferences.map(([source, field]) => {
      const reference = objectAt(spec, source, field);
      return { namespace: stringAt(reference, 'namespace'), name: stringAt(reference, 'name') };
    }),
  ];
  return [
    { target: holder, holder: vertex('claim', claimNamespace, stringAt(claim, 'name')) },
    ...secrets
      .filter(({ name }) => name !== '')
      .map(({ namespace, name }) => ({ target: vertex('secret', namespace || claimNamespace, name), holder })),
  ];
}

/** An attachment may be read by its node. */
export function attachmentReferences(attachment: JsonObject): readonly Reference[] {
  const nodeName = stringAt(objectAt(attachment, 'spec'), 'nodeName');
  if (nodeName === '') return [];
  return [{ target: vertex('attachment', '', nameOf(attachment)), holder: vertex('node', '', nodeName) }];
}
