import { getOwn, type JsonObject } from '../../../meta/json-value.ts';
import { validateDnsSubdomain } from '../../../meta/validate-name.ts';
import type { Strategy, StrategyContext } from '../../../registry/strategy.ts';
import { type FieldError, forbidden, required } from '../../../status/field-error.ts';
import { isSet, keepField, objectAt, stringAt } from '../../../meta/read-field.ts';
import { validateInlineVolumeSpec } from '../../core/persistentvolumes/validate.ts';
import { sameMessage } from '../../../scheme/same-message.ts';
import { checkString } from '../../rules/fields/check.ts';
import { checkCsiDriverName } from '../../rules/fields/csi-driver-name.ts';
import { checkImmutable } from '../../rules/fields/immutable.ts';
import { keepMetadata, userFields } from '../../rules/fields/keep-metadata.ts';

/** The strategy of volume attachments. The spec is immutable; the status is the outcome. */
export const strategy: Strategy = {
  returnsDeletedObject: true,
  prepareForUpdate: (attachment, old, { version }) => {
    // v1beta1 has no status sub-resource, so there the status is part of the object.
    if (version !== 'v1beta1') keepField(attachment, old, 'status');
  },
  validate: validateAttachment,
  validateCreate: nameErrors,
  validateUpdate: (attachment, old) =>
    checkImmutable('spec', getOwn(attachment, 'spec'), getOwn(old, 'spec'), sameSpec),
  allowUnconditionalUpdate: false,
  subresources: {
    status: keepMetadata([...userFields, 'deletionTimestamp']),
  },
  generation: false,
};

const sameSpec = sameMessage('api.storage.v1.VolumeAttachmentSpec');

function validateAttachment(attachment: JsonObject): readonly FieldError[] {
  const spec = objectAt(attachment, 'spec');
  return [
    ...(stringAt(spec, 'attacher') === '' ? [required('spec.attacher')] : []),
    ...sourceErrors(objectAt(spec, 'source')),
    ...checkString('spec.nodeName', stringAt(spec, 'nodeName'), validateDnsSubdomain),
  ];
}

/**
 * Checks the names of the driver and of the volume of a new attachment. v1beta1 does not check
 * them.
 */
function nameErrors(attachment: JsonObject, { version }: StrategyContext): readonly FieldError[] {
  if (version === 'v1beta1') return [];
  const spec = objectAt(attachment, 'spec');
  const source = objectAt(spec, 'source');
  const name = 'persistentVolumeName';
  return [
    ...checkCsiDriverName('spec.attacher', stringAt(spec, 'attacher')),
    ...(isSet(source, name) ? checkString(`spec.source.${name}`, stringAt(source, name), validateDnsSubdomain) : []),
  ];
}

const oneSource = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName';

function sourceErrors(source: JsonObject): readonly FieldError[] {
  const [named, inline] = [isSet(source, 'persistentVolumeName'), isSet(source, 'inlineVolumeSpec')];
  if (!named && !inline) return [required('spec.source', oneSource)];
  if (named && inline) return [forbidden('spec.source', oneSource)];
  if (inline) return validateInlineVolumeSpec(objectAt(source, 'inlineVolumeSpec'), 'spec.source.inlineVolumeSpec');
  return stringAt(source, 'persistentVolumeName') === ''
    ? [required('spec.source.persistentVolumeName', 'must specify non empty persistentVolumeName')]
    : [];
}
