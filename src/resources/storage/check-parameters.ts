import { type FieldError, invalid, required, tooLong } from '../../status/field-error.ts';

/** Maximum number and total size in bytes of the parameters of a class. */
const limits = { count: 512, bytes: 262_144 };

/** Checks the parameters of a StorageClass or VolumeAttributesClass; `mayBeEmpty` allows none. */
export function checkParameters(parameters: Readonly<Record<string, string>>, mayBeEmpty: boolean): FieldError[] {
  const entries = Object.entries(parameters);
  const bytes = entries.reduce((sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value), 0);
  if (entries.length === 0 && !mayBeEmpty) return [required('parameters', 'must contain at least one key/value pair')];
  return [
    ...(entries.length > limits.count ? [tooLong('parameters', limits.count)] : []),
    ...entries.filter(([key]) => key === '').map(([key]) => invalid('parameters', key, 'field can not be empty.')),
    ...(bytes > limits.bytes ? [tooLong('parameters', limits.bytes)] : []),
  ];
}
