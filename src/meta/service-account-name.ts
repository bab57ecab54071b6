import { validateDnsLabel, validateDnsSubdomain } from './validate-name.ts';

/** A service account as the name of a user has it (spec 5.2). */
interface ServiceAccountName {
  readonly namespace: string;
  readonly name: string;
}

const usernameForm = /^system:serviceaccount:([^:]*):([^:]*)$/;

/** The service account of a user name; undefined for other users. */
export function serviceAccountName(username: string): ServiceAccountName | undefined {
  const [, namespace = '', name = ''] = usernameForm.exec(username) ?? [];
  const faults = [...validateDnsLabel(namespace), ...validateDnsSubdomain(name)];
  return faults.length === 0 ? { namespace, name } : undefined;
}

/** The groups of all service accounts in a namespace. */
export function serviceAccountGroups(namespace: string): readonly string[] {
  return ['system:serviceaccounts', `system:serviceaccounts:${namespace}`];
}
