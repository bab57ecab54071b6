import { execFile } from 'node:child_process';

/** The part of a lock file that is checked. */
export interface LockFile {
  readonly packages: Readonly<Record<string, { readonly license?: string; readonly dev?: boolean }>>;
}

/** Exceptions, each with a reason (`allowed-dependencies.json`). */
export interface AllowedDependencies {
  /** Licences that every package may have. */
  readonly licences: readonly string[];
  /** Licences of single packages of development, which are not published. */
  readonly otherLicences: readonly { readonly package: string; readonly licence: string; readonly reason: string }[];
  /** Advisories that do not matter here, until a day: `2026-12-31`. */
  readonly advisories: readonly AllowedAdvisory[];
}

interface AllowedAdvisory {
  readonly id: string;
  readonly reason: string;
  readonly until: string;
}

/** A known fault of a package. */
interface Advisory {
  readonly id: string;
  readonly package: string;
  readonly severity: string;
  readonly title: string;
}

/** A finding for each package whose licence is not allowed. */
export function licenceFindings({ packages }: LockFile, allowed: AllowedDependencies): string[] {
  const general = new Set(allowed.licences);
  return Object.entries(packages).flatMap(([path, { license, dev = false }]) => {
    const name = path.replace(/^.*node_modules\//, '');
    if (path === '') return [];
    if (license === undefined) return [`${name}: the lock file names no licence`];
    const single = allowed.otherLicences.some((other) => other.package === name && other.licence === license);
    if (isAllowed(license, general) || (single && dev)) return [];
    return [`${name}: the licence ${license} is not allowed`];
  });
}

/** Of alternatives (`A OR B`) one must be allowed, of several (`A AND B`) each. */
function isAllowed(expression: string, allowed: ReadonlySet<string>): boolean {
  const plain = expression.replace(/^\((.*)\)$/, '$1');
  return plain.split(' OR ').some((part) => part.split(' AND ').every((licence) => allowed.has(licence)));
}

/** A finding for each exception without a reason, or whose day has passed. */
export function exceptionFindings({ advisories, otherLicences }: AllowedDependencies, today: string): string[] {
  return [
    ...otherLicences
      .filter(({ reason }) => reason === '')
      .map((other) => `${other.package}: no reason for its licence`),
    ...advisories.flatMap(({ id, reason, until }) => {
      if (reason === '') return [`${id}: no reason for the exception`];
      if (!/^\d{4}-\d{2}-\d{2}$/.test(until)) return [`${id}: the end of the exception is no date: ${until}`];
      return until < today ? [`${id}: the exception has ended on ${until}`] : [];
    }),
  ];
}

/** A finding for each advisory without an exception, and each exception without an advisory. */
export function advisoryFindings(found: readonly Advisory[], allowed: AllowedDependencies): string[] {
  const exceptions = new Set(allowed.advisories.map(({ id }) => id));
  const present = new Set(found.map(({ id }) => id));
  return [
    ...found
      .filter(({ id }) => !exceptions.has(id))
      .map((each) => `${each.package}: ${each.severity}: ${each.title} (${each.id})`),
    ...[...exceptions].filter((id) => !present.has(id)).map((id) => `${id}: an exception that nothing needs any more`),
  ];
}

/** The result of an audit, or why there is none. */
export type Audit = { readonly advisories: readonly Advisory[] } | { readonly unreachable: string };

const auditTimeoutMs = 60_000;

/**
 * Asks the registry that npm is configured for about the packages of the lock file in a folder.
 * Mirrors without advisories, and machines without a network, are no fault of the packages.
 */
export function auditDependencies(directory: string, flags: readonly string[] = []): Promise<Audit> {
  const args = ['audit', '--json', '--package-lock-only', '--fetch-retries=0', '--fetch-timeout=20000', ...flags];
  const options = { cwd: directory, timeout: auditTimeoutMs, maxBuffer: 64 * 1024 * 1024 };
  return new Promise((resolve) => {
    // npm exits with 1 for advisories and for errors alike; the output tells them apart.
    execFile('npm', args, options, (error, stdout) => resolve(readAudit(stdout, error?.message ?? 'no output')));
  });
}

/** Reads what `npm audit --json` printed. */
export function readAudit(stdout: string, otherwise: string): Audit {
  const report = parsed(stdout);
  if (report?.auditReportVersion !== 2) {
    const [reason = ''] = (report?.message ?? otherwise).split('\n');
    // The address of the registry is that of a machine.
    return { unreachable: reason.replaceAll(/\bhttps?:\/\/\S+/g, 'the registry') };
  }
  const advisories = Object.values(report.vulnerabilities ?? {}).flatMap(({ via }) =>
    via.flatMap((source) => (typeof source === 'string' ? [] : [advisoryOf(source)])),
  );
  return { advisories: [...new Map(advisories.map((each) => [`${each.package} ${each.id}`, each])).values()] };
}

interface AuditReport {
  readonly auditReportVersion?: number;
  readonly message?: string;
  readonly vulnerabilities?: Readonly<Record<string, { readonly via: readonly (string | Source)[] }>>;
}

interface Source {
  readonly source: number;
  readonly name: string;
  readonly title: string;
  readonly url: string;
  readonly severity: string;
}

/** The identifier is the last part of the address: `GHSA-...`. */
function advisoryOf({ source, name, title, url, severity }: Source): Advisory {
  return { id: /[^/]+$/.exec(url)?.[0] ?? String(source), package: name, severity, title };
}

function parsed(text: string): AuditReport | undefined {
  try {
    return JSON.parse(text) as AuditReport;
  } catch {
    return undefined;
  }
}
