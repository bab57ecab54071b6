import type { FieldError } from '../status/field-error.ts';
import { isSince } from './api-release.ts';

/** A message of a field error that a release changed. */
interface Wording {
  readonly since: string;
  readonly reason: FieldError['reason'];
  /** The fields with such messages; absent: all. */
  readonly field?: RegExp;
  readonly earlier: RegExp;
  /** The new text, in which `$1` is the first group, or a function of the match and its groups. */
  readonly later: string | ((match: string, ...groups: readonly string[]) => string);
}

const labels = /(?:^|\.)(?:labels|matchLabels|nodeSelector)$/;

/**
 * The changed messages in the order of releases: a later row may change the text of an earlier one.
 */
const wordings: readonly Wording[] = [
  {
    since: '1.25',
    reason: 'FieldValueInvalid',
    earlier: /: must contain at least one letter or number \(a-z, 0-9\)$/,
    later: ': must contain at least one letter (a-z)',
  },
  {
    since: '1.25',
    reason: 'FieldValueInvalid',
    field: /^spec\.schedule$/,
    earlier: /: (Expected|Too|Failed|Unrecognized|Beginning|End|Step)( [^:]+: )(.*)$/,
    later: (_, first = '', middle = '', text = '') =>
      `: ${first.toLowerCase()}${middle}${first === 'Expected' ? `[${text}]` : text}`,
  },
  {
    since: '1.27',
    reason: 'FieldValueInvalid',
    // The name is a valid subdomain, but not a label, because it has dots.
    earlier: /("(?![^"]*(?:\.[-.]|-\.))[a-z0-9][-a-z0-9.]*[a-z0-9]"): a lowercase RFC 1123 label must consist of .*$/,
    later: '$1: must not contain dots',
  },
  {
    since: '1.32',
    reason: 'FieldValueTooLong',
    earlier: /: (?:must have at most (\d+) bytes|may not be longer than (\d+))$/,
    later: ': may not be more than $1$2 bytes',
  },
  { since: '1.34', reason: 'FieldValueTooLong', earlier: /than 1 bytes$/, later: 'than 1 byte' },
  { since: '1.34', reason: 'FieldValueTooMany', earlier: /at most 1 items$/, later: 'at most 1 item' },
  {
    since: '1.34',
    reason: 'FieldValueInvalid',
    field: /^metadata\.ownerReferences/,
    earlier: /: (?:kind|name|uid) must not be empty$/,
    later: ': must not be empty',
  },
  {
    since: '1.34',
    reason: 'FieldValueRequired',
    field: /\.(?:apiVersion|kind)$/,
    earlier: /: must not be empty$/,
    later: '',
  },
  {
    since: '1.34',
    reason: 'FieldValueInvalid',
    field: /-validations\[\d+\]\.(?:fieldPath|message)$/,
    earlier: /: (?:fieldPath|message) must (be non-empty if specified|not contain line breaks|be a valid path)$/,
    later: ': must $1',
  },
  {
    since: '1.34',
    reason: 'FieldValueInvalid',
    field: /selectableFields$/,
    earlier: /: selectableFields may only be set when (?:(version\.\S+) is not|(validations\.schema) is) included$/,
    later: ': may only be set when $2 is included',
  },
  {
    since: '1.35',
    reason: 'FieldValueInvalid',
    earlier: /: (name|prefix) part must be no more than (\d+) characters$/,
    later: ': $1 part must be no more than $2 bytes',
  },
  {
    since: '1.35',
    reason: 'FieldValueInvalid',
    earlier: /: a qualified name must consist of/,
    later: ': a valid label key must consist of',
  },
  {
    since: '1.36',
    reason: 'FieldValueRequired',
    field:
      /^(?:spec\.os\.name|spec\.template\.spec\.os\.name|.*\.resource\.(?:kind|name)|spec\.parameters\.(?:kind|name))$/,
    earlier: /^Required value: (?:cannot be empty|(?:kind|name) is required)$/,
    later: 'Required value',
  },
  {
    since: '1.36',
    reason: 'FieldValueForbidden',
    field: /^spec\.parameters\.namespace$/,
    earlier: /is set to "Cluster"$/,
    later: "is set to 'Cluster'",
  },
  {
    since: '1.36',
    reason: 'FieldValueRequired',
    field: /^spec\.parameters\.namespace$/,
    earlier: /is set to "Namespace"$/,
    later: "is set to 'Namespace'",
  },
  {
    since: '1.36',
    reason: 'FieldValueInvalid',
    field: /^spec\.type$/,
    earlier: /: type must be 'Exempt' if and only if name is 'exempt'$/,
    later: ": must be 'Exempt' if and only if `name` is 'exempt'",
  },
  {
    since: '1.35',
    reason: 'FieldValueInvalid',
    field: labels,
    earlier: /: must be no more than 63 characters$/,
    later: ': must be no more than 63 bytes',
  },
];

/**
 * Returns errors with the messages of a release. Rules report the messages of release 1.24. Forward
 * compatibility does not change the messages. Messages are built on
 * access.
 */
export function withReleaseMessages(release: string, errors: readonly FieldError[]): readonly FieldError[] {
  const reported = isSince(release, '1.36') ? withoutEmptyDrivers(errors) : errors;
  const changed = wordings.filter(({ since }) => isSince(release, since));
  return changed.length === 0 ? reported : reported.map((error) => inOtherWords(error, changed));
}

/** The name of a CSI driver. */
const driverField = /(?:^|\.)(?:driver|attacher|drivers\[\d+\]\.name)$/;

/** Drops the invalid-value error of an empty driver name, which is reported as missing already. */
function withoutEmptyDrivers(errors: readonly FieldError[]): readonly FieldError[] {
  return errors.filter(
    ({ reason, field, message }) =>
      reason !== 'FieldValueInvalid' ||
      !driverField.test(field) ||
      !message.startsWith('Invalid value: "": a lowercase'),
  );
}

function inOtherWords(error: FieldError, changed: readonly Wording[]): FieldError {
  const { reason, field, sentAs } = error;
  const ofField = changed.filter((one) => one.reason === reason && (one.field?.test(field) ?? true));
  if (ofField.length === 0) return error;
  return {
    reason,
    field,
    ...(sentAs ? { sentAs } : {}),
    get message() {
      return ofField.reduce((message, { earlier, later }) => rewritten(message, { earlier, later }), error.message);
    },
  };
}

function rewritten(message: string, { earlier, later }: Pick<Wording, 'earlier' | 'later'>): string {
  return typeof later === 'string' ? message.replace(earlier, later) : message.replace(earlier, later);
}
