import { serverFlags } from '../../config/server-options.ts';
import { controllerManagerFlags } from '../../controllers/manager/controller-manager-flags.ts';
import type { SectionedFlags } from '../../flags/flag-table.ts';

/** The flags that `cl up` sets itself. */
const ownFlags: ReadonlySet<string> = new Set([
  'bind-address',
  'client-ca-file',
  'clientconfig',
  'cluster-signing-cert-file',
  'cluster-signing-key-file',
  'context',
  'etcd-servers',
  'health-port',
  'identifiers',
  'secure-port',
  'service-account-private-key-file',
  'service-account-signing-key-file',
  'store',
  'storage-endpoint',
  'tls-cert-file',
  'tls-private-key-file',
  'use-service-account-credentials',
]);

function sectionsOf(program: string, flags: SectionedFlags): SectionedFlags {
  const rows = Object.entries(flags).filter(([name]) => !ownFlags.has(name));
  const heading = (section: string): string => (section === program ? program : `${program}, ${section}`);
  return Object.fromEntries(rows.map(([name, flag]) => [name, { ...flag, section: heading(flag.section) }]));
}

const server = sectionsOf('API server', serverFlags);
const controllers = sectionsOf('Controllers', controllerManagerFlags);

/** The flags of the API server and of the controllers that `cl up` hands to them. */
export const planeFlags: SectionedFlags = { ...controllers, ...server };

/** The arguments of each program; a flag that both have is given to both. */
export function argumentsByProgram(args: readonly string[]): Readonly<Record<'server' | 'controllers', string[]>> {
  const of = (flags: SectionedFlags) => args.filter((arg) => Object.hasOwn(flags, arg.slice(2).split('=', 1)[0] ?? ''));
  return { server: of(server), controllers: of(controllers) };
}
