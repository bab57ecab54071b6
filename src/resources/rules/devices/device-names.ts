import { validateDnsLabel, validateDnsSubdomain } from '../../../meta/validate-name.ts';
import type { FieldCursor } from '../../../status/field-cursor.ts';
import { tooLong } from '../../../status/field-error.ts';
import { checkCsiDriverName } from '../fields/csi-driver-name.ts';

/** The limits of names, in characters. */
const limits = { pool: 253, identifier: 32 };

/** A cursor at a string. */
type Text = FieldCursor<string>;

/**
 * Checks a driver name, which has the rules of CSI driver names. If it is empty, only that is
 * reported.
 */
export function checkDriver(driver: Text): void {
  if (driver.value === '') driver.reportRequired();
  else driver.report(...checkCsiDriverName(driver.path, driver.value));
}

/** Checks a pool name: DNS subdomains separated by slashes. */
export function checkPool(pool: Text): void {
  const { value } = pool;
  if (value === '') {
    pool.reportRequired();
    return;
  }
  if (value.length > limits.pool) pool.report(tooLong(pool.path, limits.pool));
  for (const part of value.split('/')) {
    for (const message of validateDnsSubdomain(part)) pool.reportInvalid(message, part);
  }
}

/** Checks a DNS label, or a part of a string that must be one. Empty is reported as invalid. */
export function checkLabelName(name: Text, part = name.value): void {
  for (const message of validateDnsLabel(part)) name.reportInvalid(message, part);
}

const identifier = /^[A-Za-z_][A-Za-z0-9_]*$/;

const identifierMessage =
  "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters " +
  "or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName', regex used for validation is '[A-Za-z_][A-Za-z0-9_]*')";

function checkIdentifier(at: FieldCursor<unknown>, text: string): void {
  if (text.length > limits.identifier) at.report(tooLong(at.path, limits.identifier));
  if (!identifier.test(text)) at.reportInvalid(identifierMessage, text);
}

/**
 * Checks the name of an attribute or capacity, with or without a domain. Reports errors at `at`.
 */
export function checkQualifiedName(at: FieldCursor<unknown>, name: string): void {
  const [first = '', second, ...more] = name.split('/');
  if (second === undefined) {
    checkIdentifier(at, first);
  } else if (more.length > 0) {
    at.reportInvalid('must not contain more than one slash', name);
  } else {
    if (first === '') at.reportInvalid('the domain must not be empty', '');
    else at.report(...checkCsiDriverName(at.path, first));
    if (second === '') at.reportInvalid('the name must not be empty', '');
    else checkIdentifier(at, second);
  }
}

/** Checks an attribute name that must have a domain. */
export function checkFullyQualifiedName(name: Text): void {
  checkQualifiedName(name, name.value);
  if (!name.value.includes('/')) {
    name.reportInvalid('a fully qualified name must be a domain and a name separated by a slash');
  }
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

const uuidMessage =
  'uid must be in RFC 4122 normalized form, `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx` with lowercase hexadecimal characters';

/** Checks the ID of a share of a device. */
export function checkShare(share: FieldCursor<string | undefined>): void {
  if (share.value !== undefined && !uuid.test(share.value)) share.reportInvalid(uuidMessage);
}
