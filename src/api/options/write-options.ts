import type { FieldValidation, WriteOptions } from '../../registry/definition/registry.ts';
import { type FieldError, forbidden, invalid, notSupported, required, tooLong } from '../../status/field-error.ts';
import type { ResourceCall } from '../request/resource-call.ts';
import { booleanOf, refuseOptions, textOf } from './option-values.ts';
import type { Query } from '../../http-protocol/requests/query.ts';

/** The maximum length of a field manager's name in bytes. */
const fieldManagerLimitBytes = 128;

/** The default of fieldValidation (wire: Writes). */
const defaultFieldValidation: FieldValidation = 'Warn';

const fieldValidations: Readonly<Record<string, FieldValidation>> = {
  '': defaultFieldValidation,
  Ignore: 'Ignore',
  Strict: 'Strict',
  Warn: 'Warn',
};

/** The request parts from which the options of a write are parsed. */
interface WriteOptionsSource {
  readonly query: Query;
  readonly userAgent: string;
  readonly apiDomain: string;
  /** ApplyOptions are PatchOptions with additional rules. */
  readonly kind: 'CreateOptions' | 'UpdateOptions' | 'PatchOptions' | 'ApplyOptions';
}

/**
 * Parses and validates the options of create, update and patch (spec 4.2, groups C and P). Throws
 * 422 with all errors.
 */
function parseWriteOptions({ query, userAgent, apiDomain, kind }: WriteOptionsSource): WriteOptions {
  const dryRun = dryRunOf(query);
  const fieldManager = textOf(query, 'fieldManager');
  const validation = textOf(query, 'fieldValidation');
  const fieldValidation = Object.hasOwn(fieldValidations, validation) ? fieldValidations[validation] : undefined;
  const applies = kind === 'ApplyOptions';
  const force = kind === 'PatchOptions' || applies ? booleanOf(query, 'force') : undefined;
  refuseOptions(apiDomain, applies ? 'PatchOptions' : kind, [
    ...(kind === 'PatchOptions' && force !== undefined ? [forceRefusal] : []),
    ...(applies && fieldManager === '' ? [required('fieldManager', 'is required for apply patch')] : []),
    ...checkFieldManager(fieldManager),
    ...checkDryRun(dryRun),
    ...(fieldValidation ? [] : [notSupported('fieldValidation', validation, Object.keys(fieldValidations))]),
  ]);
  return {
    dryRun: dryRun.length > 0,
    fieldManager: fieldManager || managerOf(userAgent),
    force: force === true,
    fieldValidation: fieldValidation ?? defaultFieldValidation,
    sent: {
      ...(fieldManager === '' ? {} : { fieldManager }),
      ...(validation === '' ? {} : { fieldValidation: validation }),
    },
  };
}

/** Returns the write options of a request. Throws as `parseWriteOptions` does. */
export function writeOptionsOf(
  { exchange, scope }: Pick<ResourceCall, 'exchange' | 'scope'>,
  kind: WriteOptionsSource['kind'],
): WriteOptions {
  const userAgent = exchange.request.headers['user-agent'] ?? '';
  return parseWriteOptions({ query: exchange.query, userAgent, apiDomain: scope.identifiers.apiDomain, kind });
}

/** Returns the values of `dryRun`. Empty values are ignored: `dryRun=` is no dry run (spec 4.8). */
export function dryRunOf(query: Query): string[] {
  return query.getAll('dryRun').filter((value) => value !== '');
}

/**
 * Validates `dryRun`; `All` is the only value (spec 4.2). One wrong value refuses the whole list.
 */
export function checkDryRun(values: readonly string[]): FieldError[] {
  if (values.every((value) => value === 'All')) return [];
  return [notSupported('dryRun', values, ['All'])];
}

const forceRefusal = forbidden('force', 'may not be specified for non-apply patch');

const notPrintable = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u;

function checkFieldManager(name: string): FieldError[] {
  const errors: FieldError[] = [];
  if (Buffer.byteLength(name) > fieldManagerLimitBytes) errors.push(tooLong('fieldManager', fieldManagerLimitBytes));
  const match = notPrintable.exec(name);
  if (match) {
    const code = (match[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    const position = Buffer.byteLength(name.slice(0, match.index));
    errors.push(invalid('fieldManager', name, `invalid character U+${code} (at position ${position})`));
  }
  return errors;
}

/** Returns the default field manager: the part of the user agent before the first `/`. */
function managerOf(userAgent: string): string {
  const program = userAgent.split('/', 1)[0] ?? '';
  let printable = '';
  for (const character of program) {
    if (notPrintable.test(character)) continue;
    if (Buffer.byteLength(printable + character) > fieldManagerLimitBytes) break;
    printable += character;
  }
  return printable || 'unknown';
}
