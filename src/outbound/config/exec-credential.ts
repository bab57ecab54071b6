import { identifierSets, identifiersOf } from '../../identifiers/identifiers.ts';
import type { ExecSettings } from './connection-settings.ts';
import { CredentialError } from './credential-source.ts';

/** The kinds of credentials that a command prints, and until when they are valid. */
export interface ExecCredential {
  readonly token?: string;
  readonly cert?: string;
  readonly key?: string;
  /** Milliseconds since 1970; undefined: until they are refused. */
  readonly expiresAtMs?: number;
}

/** The group of credentials of one identifier set. */
interface ExecGroup {
  readonly name: string;
  /** The environment variable with the input. */
  readonly variable: string;
}

const groups: readonly ExecGroup[] = identifierSets.map((set) => {
  const { apiDomain, execInfoVariable } = identifiersOf(set);
  return { name: `client.authentication.${apiDomain}`, variable: execInfoVariable };
});

const versions: ReadonlySet<string> = new Set(['v1', 'v1beta1', 'v1alpha1']);

/** The group of an apiVersion, and the version in it; undefined for any other. */
export function execVersion(apiVersion: string): { readonly group: ExecGroup; readonly version: string } | undefined {
  const [name, version = ''] = apiVersion.split('/');
  const group = groups.find((each) => each.name === name);
  return group && versions.has(version) ? { group, version } : undefined;
}

/** The environment variable of the input, and its value. */
export function execInput(
  { apiVersion, cluster }: ExecSettings,
  interactive: boolean,
): { readonly name: string; readonly value: string } {
  const name = execVersion(apiVersion)?.group.variable ?? '';
  const spec = { ...(cluster ? { cluster } : {}), interactive };
  return { name, value: JSON.stringify({ kind: 'ExecCredential', apiVersion, spec }) };
}

/** Reads the output of a command. Throws CredentialError, whose message never repeats it. */
export function readExecCredential(output: string, { apiVersion }: ExecSettings): ExecCredential {
  const { kind, apiVersion: printed, status } = parse(output);
  if (kind !== 'ExecCredential') throw new CredentialError('exec plugin did not print an ExecCredential');
  if (printed !== apiVersion) {
    throw new CredentialError(
      `exec plugin is configured to use API version ${apiVersion}, plugin returned version ${String(printed)}`,
    );
  }
  if (typeof status !== 'object' || status === null) {
    throw new CredentialError("exec plugin didn't return a status field");
  }
  const fields: Readonly<Record<string, unknown>> = { ...status };
  const [token, cert, key] = ['token', 'clientCertificateData', 'clientKeyData'].map((name) => text(fields[name]));
  if (!token && !cert && !key) throw new CredentialError("exec plugin didn't return a token or cert/key pair");
  if (!cert !== !key) throw new CredentialError('exec plugin returned only certificate or key, not both');
  return { token, cert, key, expiresAtMs: expiryOf(fields['expirationTimestamp']) };
}

function parse(output: string): { kind?: unknown; apiVersion?: unknown; status?: unknown } {
  try {
    const value: unknown = JSON.parse(output);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    throw new CredentialError('decoding stdout: exec plugin did not print JSON');
  }
}

function expiryOf(value: unknown): number | undefined {
  if (value === undefined || value === null) return undefined;
  const expiresAtMs = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(expiresAtMs)) throw new CredentialError('exec plugin returned an invalid expirationTimestamp');
  return expiresAtMs;
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
