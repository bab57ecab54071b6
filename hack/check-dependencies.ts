// The licences of all packages are allowed ones, and no package has a known advisory. Exceptions have a reason and, for
// advisories, an end (dependencies/allowed-dependencies.json). Without a registry that answers about advisories a line says so.
import { readFileSync } from 'node:fs';
import {
  advisoryFindings,
  type AllowedDependencies,
  auditDependencies,
  exceptionFindings,
  licenceFindings,
  type LockFile,
} from './dependencies/dependency-findings.ts';
import { report, root } from './source-files.ts';

// Files of this repository.
const allowed = JSON.parse(readFileSync('hack/dependencies/allowed-dependencies.json', 'utf8')) as AllowedDependencies;
const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as LockFile;
const audit = await auditDependencies(root);
if ('unreachable' in audit) console.log(`dependencies: advisories were not checked: ${audit.unreachable}`);
report('dependencies', [
  ...licenceFindings(lock, allowed),
  ...exceptionFindings(allowed, new Date().toISOString().slice(0, 10)),
  ...('advisories' in audit ? advisoryFindings(audit.advisories, allowed) : []),
]);
