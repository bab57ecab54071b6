// Every link, command and example of the documentation is true: links lead somewhere, commands and their flags exist, code
// compiles against the package, and objects are accepted by a server. hack/docs/README.md says how pages mark their blocks.
import { findUnknownCommands } from './docs/check-commands.ts';
import { findConflicts } from './docs/check-conflicts.ts';
import { findBrokenExamples } from './docs/check-examples.ts';
import { findBrokenLinks } from './docs/check-links.ts';
import { findRefusedObjects } from './docs/check-objects.ts';
import { findUnrunCommands } from './docs/check-run-commands.ts';
import { findTypeErrors } from './docs/check-types.ts';
import { findOwnerlessThreats } from './docs/check-threats.ts';
import { documentationPages } from './docs/documentation-pages.ts';
import { report } from './source-files.ts';

const pages = documentationPages();
const checks = [
  findConflicts,
  findBrokenLinks,
  findOwnerlessThreats,
  findBrokenExamples,
  findUnknownCommands,
  findUnrunCommands,
  findTypeErrors,
  findRefusedObjects,
];
const findings = await Promise.all(checks.map(async (check) => check(pages)));
report('docs', findings.flat());
