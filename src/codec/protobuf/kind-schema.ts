import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { ObjectSchema } from '../../scheme/model/schema.ts';
import { findSchema } from '../../scheme/schema-of.ts';
import type { KindInVersion } from '../codec.ts';

/** The package of the kinds that every group has: options, Status, metadata. */
const metaPackage = 'api.meta.v1';

/**
 * Returns the schema of a built-in kind; undefined for custom kinds and those that Protobuf cannot
 * express.
 */
export function kindSchema(
  { group, version, kind }: KindInVersion,
  identifiers: Identifiers,
): ObjectSchema | undefined {
  if (kind === 'Table') return undefined;
  return findSchema(`api.${packageOf(group, identifiers)}.${version}.${kind}`) ?? findSchema(`${metaPackage}.${kind}`);
}

/** Returns the package of a group: without its domain, and with underscores for dots. */
function packageOf(group: string, { apiDomain, flowControlGroup }: Identifiers): string {
  if (group === '') return 'core';
  if (group === flowControlGroup) return 'flowcontrol';
  const domain = `.${apiDomain}`;
  return (group.endsWith(domain) ? group.slice(0, -domain.length) : group).replaceAll('.', '_');
}
