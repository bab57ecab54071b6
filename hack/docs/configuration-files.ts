import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { policyErrors, unknownPolicyFields } from '../../src/audit/read-policy.ts';
import { authenticationReader } from '../../src/config/authentication-configuration.ts';
import { encryptionReader } from '../../src/config/encryption-configuration.ts';
import { readEgressSelections } from '../../src/server/egress/read-egress-selections.ts';
import { readAuthorizationConfiguration } from '../../src/config/authorization-configuration.ts';
import { resolveAdmission } from '../../src/config/resolve-admission.ts';
import { defaultServerOptions } from '../../src/config/server-options.ts';
import { readTracingConfiguration } from '../../src/config/tracing-configuration.ts';
import { newestRelease } from '../../src/scheme/api-release.ts';
import type { IdentifierSet } from '../../src/identifiers/identifiers.ts';
import type { JsonObject } from '../../src/meta/json-value.ts';
import { stringAt } from '../../src/meta/read-field.ts';

/** Reads a configuration file as its program does; throws an error if it is refused. */
type ConfigurationReader = (file: string, identifiers: IdentifierSet, object: JsonObject) => Promise<unknown>;

const readers: Readonly<Record<string, ConfigurationReader>> = {
  Policy: async (_file, _identifiers, object) => {
    const errors = policyErrors(object).map(({ field, message }) => `${field}: ${message}`);
    const unknown = unknownPolicyFields(object).map((field) => `${field}: unknown field`);
    if (errors.length + unknown.length > 0) throw new Error([...errors, ...unknown].join('; '));
  },
  AuthenticationConfiguration: (file, identifiers) =>
    authenticationReader(file, { ...defaultServerOptions, identifiers })(),
  EncryptionConfiguration: (file, identifiers) => encryptionReader(file, { ...defaultServerOptions, identifiers })(),
  AuthorizationConfiguration: (file, identifiers) => readAuthorizationConfiguration(file, { identifiers }),
  AdmissionConfiguration: (file, identifiers) =>
    resolveAdmission({ ...defaultServerOptions, identifiers, admissionControlConfigFile: file }),
  TracingConfiguration: (file, identifiers) =>
    readTracingConfiguration({
      ...defaultServerOptions,
      emulatedRelease: newestRelease,
      identifiers,
      tracingConfigFile: file,
    }),
  EgressSelectorConfiguration: (file, identifiers) =>
    readEgressSelections({ ...defaultServerOptions, identifiers, egressSelectorConfigFile: file }),
  // Its entries are read with their files, which the reader has.
  Config: async () => {},
};

/** Reports whether an object is a configuration file of a program, and not of the API. */
export function isConfiguration(object: JsonObject): boolean {
  const kind = stringAt(object, 'kind');
  if (kind === 'Policy') return stringAt(object, 'apiVersion').startsWith('audit.');
  return Object.hasOwn(readers, kind);
}

/** The reason why a program refuses a configuration file; a file that it names may be missing. */
export async function faultOfConfiguration(
  object: JsonObject,
  identifiers: IdentifierSet,
): Promise<string | undefined> {
  const folder = await mkdtemp(path.join(tmpdir(), 'cl-docs-'));
  try {
    const file = path.join(folder, 'configuration.yaml');
    await writeFile(file, JSON.stringify(object));
    await readers[stringAt(object, 'kind')]?.(file, identifiers, object);
    return undefined;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return message.includes('ENOENT') ? undefined : message;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
